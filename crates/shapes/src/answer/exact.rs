//! Programs with a fixed number of threads and objects: everything that can be reached is looked
//! at, without abstraction.
//!
//! A finished search is a proof, and what it finds is a run. It is begun only if no object is
//! created in a loop; if it grows too large all the same, nothing is said, and the abstract search
//! decides.

use super::states::{Shared, judge};
use super::witness::Taken;
use super::{Kind, Outcome, Request, Seen, Witness};
use crate::concrete::{Bounds, Concrete, Runs, State, runs};
use explore::recorded::{Kept, Recorded};
use explore::{Listener, Progress};
use space::{Edges, Ending};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use structures::kleene::Kleene;
use structures::model::{Claim, Model};
use structures::reference::Meaning;
use structures::vocabulary::{SUMMARY, Symbol};

/// What a finished search has looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    /// Concrete states.
    pub states: u64,
    /// Steps between them.
    pub steps: u64,
    /// By action: whether it was taken.
    pub taken: Vec<bool>,
}

/// A search is given up beyond this.
const BOUNDS: Bounds = Bounds { states: 30_000, individuals: 24 };

/// Or beyond this many bytes, if no other limit is given.
const BYTES: u64 = 1 << 30;

/// A bad state: an edge out of it that is bad, or an individual that is blocked in it.
#[derive(Clone)]
struct Bad {
    at: usize,
    edge: Option<usize>,
    blocked: Option<usize>,
    message: String,
}

pub(super) struct Exact<'a> {
    model: &'a Model,
    meaning: Meaning<'a>,
    recorded: Recorded,
    surely: Surely,
}

/// The states that are reached without depending on what was forgotten, and how: by the state
/// before and its edge.
struct Surely(Vec<Option<Option<(usize, usize)>>>);

impl Surely {
    fn new(model: &Model, recorded: &Recorded) -> Surely {
        let mut found = vec![None; recorded.len()];
        let mut queue: VecDeque<usize> = recorded.initial.iter().map(|at| *at as usize).collect();
        queue.iter().for_each(|at| found[*at] = Some(None));
        while let Some(at) = queue.pop_front() {
            for (n, edge) in recorded.edges(at).iter().enumerate() {
                let (action, to) = (&model.actions[edge.label.0 as usize], edge.to as usize);
                if !action.guess && action.beyond.is_none() && found[to].is_none() {
                    found[to] = Some(Some((at, n)));
                    queue.push_back(to);
                }
            }
        }
        Surely(found)
    }

    fn way(&self, state: usize) -> Option<Vec<(usize, usize)>> {
        let (mut way, mut at) = (Vec::new(), state);
        while let Some((before, edge)) = self.0[at]? {
            way.push((before, edge));
            at = before;
        }
        way.reverse();
        Some(way)
    }
}

/// Whether nothing is created in a loop: then threads and objects are bounded, unless threads start
/// threads of their own kind.
pub(super) fn is_fixed(model: &Model) -> bool {
    let layout = model.vocabulary.layout();
    let single = |s: &structures::structure::Structure| (0..s.nodes).all(|u| !s.is_summary(layout, u));
    let again = |from: Symbol, to: Symbol| {
        let (mut seen, mut work) = (BTreeSet::from([to]), vec![to]);
        while let Some(place) = work.pop() {
            let next = model.actions.iter().filter(|a| a.from == Some(place)).filter_map(|a| a.to);
            work.extend(next.filter(|to| seen.insert(*to)).collect::<Vec<_>>());
        }
        seen.contains(&from)
    };
    let creates = model.actions.iter().filter(|a| !a.created.is_empty());
    model.initial.iter().all(|i| single(&i.structure))
        && creates.into_iter().all(|a| a.from.zip(a.to).is_some_and(|(from, to)| !again(from, to)))
}

/// In the abstract only that no thread at all can move is seen. Where threads are fixed in number,
/// *deadlock* says more.
pub(super) fn partial_is_unknown(answered: &mut Outcome) {
    if answered.kind == Kind::Deadlock && matches!(answered.seen, Seen::Nothing) {
        let reason = "the exact search was not finished: single threads may be blocked";
        answered.seen = Seen::Open { reason: reason.to_string(), candidate: None };
    }
}

/// The predicates that steps and properties look at.
fn wanted(model: &Model) -> BTreeSet<Symbol> {
    let mut found = BTreeSet::new();
    for action in &model.actions {
        action.precondition.symbols(&mut found);
        action.updates.iter().for_each(|u| u.formula.symbols(&mut found));
    }
    for property in &model.properties {
        if let Claim::Invariant(f) | Claim::Race { bad: f, .. } = &property.claim {
            f.symbols(&mut found);
        }
    }
    let mut work: Vec<Symbol> = found.iter().copied().collect();
    while let Some(symbol) = work.pop() {
        let mut more = BTreeSet::new();
        if let Some(definition) = &model.vocabulary.get(symbol).definition {
            definition.symbols(&mut more);
        }
        work.extend(more.into_iter().filter(|s| found.insert(*s)));
    }
    found
}

impl<'a> Exact<'a> {
    /// Everything that can be reached; `None` if it is too much, or not bounded.
    pub(super) fn search(
        model: &'a Model,
        request: &Request,
        watch: &RefCell<&mut dyn Listener>,
    ) -> Option<Exact<'a>> {
        if !request.concrete_first || !is_fixed(model) {
            return None;
        }
        let mut concrete = Concrete::new(&model.vocabulary);
        concrete.roots = model.roots.as_ref().filter(|_| model.collects);
        concrete.wanted = Some(wanted(model));
        let initial: Option<Vec<State>> =
            model.initial.iter().map(|i| definite(&concrete, &i.structure)).collect();
        let mut looks = 0_u32;
        let most = request.limits.memory.map_or(BYTES, |limit| BYTES.min(limit / 2));
        let stop = &mut |_: &Runs<'_>, _: usize, edges: &Edges| {
            looks += 1;
            let over = looks.is_multiple_of(64) && Shared(watch).look(&Progress::default()).is_break();
            edges.cut || over
        };
        let states = request.limits.states.map_or(BOUNDS.states, |n| BOUNDS.states.min(n as usize));
        let meaning = Meaning::new(model, concrete, initial?, &[]);
        let recorded = runs(&meaning, Bounds { states, ..BOUNDS }, Some(most), stop);
        let surely = Surely::new(model, &recorded);
        recorded.is_complete().then_some(Exact { model, meaning, recorded, surely })
    }

    fn runs(&self) -> Runs<'_> {
        Runs { meaning: &self.meaning, recorded: &self.recorded }
    }

    pub(super) fn looked(&self) -> Looked {
        let mut taken = vec![false; self.model.actions.len()];
        let edges = || (0..self.recorded.len()).flat_map(|at| self.recorded.edges(at));
        edges().for_each(|edge| taken[edge.label.0 as usize] = true);
        Looked { states: self.recorded.len() as u64, steps: edges().count() as u64, taken }
    }

    /// The answer to a property of states; `None` for other properties.
    pub(super) fn answer(&self, name: &str, kind: Kind) -> Option<Outcome> {
        let seen = match kind {
            Kind::Ltl | Kind::Never => return None,
            Kind::Deadlock => self.deadlock(),
            Kind::Error => self.error(),
            Kind::Invariant => self.invariant(name),
            Kind::Race => self.race(name),
        };
        let Looked { states, steps, taken } = self.looked();
        let seen = super::states::unless_beyond(self.model, &taken, seen);
        Some(Outcome { states, transitions: steps, ..Outcome::new(name, kind, seen) })
    }

    /// The nearest bad state that is reached without depending on what was forgotten decides, or
    /// else the nearest.
    fn judged(&self, kind: Kind, bad: impl Iterator<Item = Bad>) -> Seen {
        let mut first = None;
        for bad in bad {
            let last = bad.edge.map(|n| &self.model.actions[self.recorded.edges(bad.at)[n].label.0 as usize]);
            if let Some(way) = self.surely.way(bad.at).filter(|_| last.is_none_or(|a| !a.guess)) {
                return self.witness(way, bad, kind);
            }
            first.get_or_insert(bad);
        }
        let Some(bad) = first else { return Seen::Nothing };
        self.witness(self.runs().way(bad.at), bad, kind)
    }

    /// The states that are bad by themselves.
    fn bad_states(&self, bad: impl Fn(&State) -> bool, message: String) -> impl Iterator<Item = Bad> {
        let runs = self.runs();
        let all = (0..runs.len()).filter(move |at| bad(&runs.state(*at)));
        all.map(move |at| Bad { at, edge: None, blocked: None, message: message.clone() })
    }

    fn invariant(&self, name: &str) -> Seen {
        let claim = self.model.properties.iter().find(|p| p.name == name).map(|p| &p.claim);
        let Some(Claim::Invariant(good)) = claim else { return Seen::Nothing };
        let breaks = |state: &State| !self.meaning.concrete.holds(state, good);
        self.judged(Kind::Invariant, self.bad_states(breaks, format!("the invariant `{name}` does not hold")))
    }

    fn race(&self, name: &str) -> Seen {
        let claim = self.model.properties.iter().find(|p| p.name == name).map(|p| &p.claim);
        let Some(Claim::Race { bad, .. }) = claim else { return Seen::Nothing };
        let races = |state: &State| self.meaning.concrete.holds(state, bad);
        match self.judged(Kind::Race, self.bad_states(races, format!("data {name}"))) {
            Seen::Run(run) => {
                let full = Concrete::new(&self.model.vocabulary);
                let run = super::races::complete(self.model, &full, name, *run);
                run.map_or_else(lost, |run| Seen::Run(Box::new(run)))
            }
            seen => seen,
        }
    }

    fn error(&self) -> Seen {
        let errors = (0..self.recorded.len()).flat_map(|at| {
            let fails = move |(n, edge): (usize, &Kept)| {
                let error = self.model.actions[edge.label.0 as usize].error.clone();
                error.map(|message| Bad { at, edge: Some(n), blocked: None, message })
            };
            self.recorded.edges(at).iter().enumerate().filter_map(fails)
        });
        self.judged(Kind::Error, errors)
    }

    /// No thread can move; or one never can again, whatever the others do.
    fn deadlock(&self) -> Seen {
        let message = "no thread can move, and one is not at a valid end".to_string();
        let dead = |state: &State| self.meaning.is_deadlock(state);
        match self.judged(Kind::Deadlock, self.bad_states(dead, message)) {
            Seen::Nothing => self.blocked(),
            seen => seen,
        }
    }

    /// A thread that waits, and is blocked in every state that follows.
    fn blocked(&self) -> Seen {
        let message = |at: usize, u: usize| {
            let state = self.runs().state(at);
            let here = |p: &&Symbol| self.meaning.concrete.get(&state, **p, [u, 0]);
            let of = |t: &structures::model::Thread| t.places.iter().any(|p| here(&p));
            let name = self.model.threads.iter().find(|t| of(t)).map_or("", |t| t.name.as_str());
            format!("a thread of {name} is blocked, whatever the others do")
        };
        let never = super::blocked::never(&self.runs(), false);
        let blocked = |(at, u): &(usize, usize)| (*at, Some(*u), message(*at, *u));
        let bad =
            never.iter().map(blocked).map(|(at, blocked, message)| Bad { at, edge: None, blocked, message });
        match self.judged(Kind::Deadlock, bad) {
            Seen::Nothing => {}
            seen => return seen,
        }
        match super::blocked::never(&self.runs(), true).first() {
            None => Seen::Nothing,
            Some((at, u)) => {
                let waits = message(*at, *u).replace(", whatever the others do", "");
                let reason = format!(
                    "{waits} unless a branch goes a certain way, but what it depends on is forgotten"
                );
                Seen::Open { reason, candidate: None }
            }
        }
    }

    /// What a run to a bad state decides.
    fn witness(&self, mut way: Vec<(usize, usize)>, bad: Bad, kind: Kind) -> Seen {
        let at = bad.at;
        way.extend(bad.edge.map(|n| (at, n)));
        self.replay(&way, bad, kind).map_or_else(lost, |run| judge(self.model, run, kind))
    }

    /// Takes a run again from its first state, with everything that is derived.
    fn replay(&self, way: &[(usize, usize)], bad: Bad, kind: Kind) -> Option<Witness> {
        let full = Concrete::new(&self.model.vocabulary);
        let mut state = self.runs().state(way.first().map_or(bad.at, |(first, _)| *first));
        full.derive(&mut state);
        // Who of the run is at each place of the state that the search knows.
        let mut who: Vec<usize> = (0..state.individuals).collect();
        let mut taken = Taken::new(state);
        for (from, edge) in way {
            let edge = self.runs().edge(*from, *edge);
            let mut step = edge.step.clone();
            step.part.values_mut().for_each(|u| *u = who[*u]);
            let here = taken.states.last()?;
            let next = full.step(here, &step, &self.model.actions[step.action])?;
            let known = who.len();
            let after = |u: usize| if u < known { who[u] } else { here.individuals + u - known };
            who = edge.order.iter().map(|u| after(*u)).collect();
            taken.steps.push(step);
            taken.states.push(next);
        }
        Some(match bad.blocked {
            Some(u) => taken.ending(&full, Ending::Blocked { actor: who[u] }, bad.message),
            None => taken.witness(&full, kind, bad.message),
        })
    }
}

/// A run that cannot be taken again is a bug of ours, and decides nothing.
fn lost() -> Seen {
    let reason = "a run that may violate it could not be replayed, which is a bug in weave".to_string();
    Seen::Open { reason, candidate: None }
}

/// The state that a definite structure is.
fn definite(c: &Concrete<'_>, s: &structures::structure::Structure) -> Option<State> {
    let layout = c.vocabulary.layout();
    let mut state = c.empty(s.nodes);
    for predicate in c.vocabulary.predicates.iter().filter(|p| p.symbol != SUMMARY) {
        for tuple in predicate.symbol.tuples(s.nodes) {
            match s.get(layout, predicate.symbol, tuple) {
                Kleene::Half => return None,
                value => c.set(&mut state, predicate.symbol, tuple, value == Kleene::True),
            }
        }
    }
    c.derive(&mut state);
    Some(state)
}
