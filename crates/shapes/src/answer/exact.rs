//! Programs with a fixed number of threads and objects: everything that can be reached is looked at, without abstraction.
//!
//! A finished search is a proof, and what it finds is a run. It is begun only if no object is created in a loop; if it grows too
//! large all the same, nothing is said, and the abstract search decides.

use super::states::{Shared, judge};
use super::{Answered, Kind, Request, Run, Verdict};
use crate::concrete::{Concrete, State, tuples};
use crate::kleene::Kleene;
use crate::model::{Claim, Model};
use crate::runs::{Bounds, Runs, runs};
use crate::vocabulary::{SUMMARY, Symbol};
use explore::{Progress, Watch};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What a finished search has looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looked {
    pub states: u64,
    pub steps: u64,
    /// By action: whether it was taken.
    pub taken: Vec<bool>,
}

/// A search is given up beyond this.
const BOUNDS: Bounds = Bounds { states: 30_000, individuals: 24 };

/// Or beyond this many bytes, if no other limit is given.
const BYTES: u64 = 1 << 30;

pub(super) struct Exact<'a> {
    model: &'a Model,
    concrete: Concrete<'a>,
    pub(super) runs: Runs,
    surely: Surely,
}

/// The states that are reached without depending on what was forgotten, and how: by the state before and its arrow.
struct Surely(Vec<Option<Option<(usize, usize)>>>);

impl Surely {
    fn new(model: &Model, runs: &Runs) -> Surely {
        let mut found = vec![None; runs.states.len()];
        runs.initial.iter().for_each(|at| found[*at] = Some(None));
        let mut queue: std::collections::VecDeque<usize> = runs.initial.iter().copied().collect();
        while let Some(at) = queue.pop_front() {
            for (n, arrow) in runs.arrows[at].iter().enumerate() {
                let action = &model.actions[arrow.action];
                if !action.guess && action.beyond.is_none() && found[arrow.to].is_none() {
                    found[arrow.to] = Some(Some((at, n)));
                    queue.push_back(arrow.to);
                }
            }
        }
        Surely(found)
    }

    fn way(&self, state: usize) -> Option<Vec<(usize, usize)>> {
        let (mut way, mut at) = (Vec::new(), state);
        while let Some((before, arrow)) = self.0[at]? {
            way.push((before, arrow));
            at = before;
        }
        way.reverse();
        Some(way)
    }
}

/// Whether nothing is created in a loop: then threads and objects are bounded, unless threads start threads of their own kind.
pub(super) fn is_fixed(model: &Model) -> bool {
    let layout = model.vocabulary.layout();
    let single = |s: &crate::structure::Structure| (0..s.nodes).all(|u| !s.is_summary(layout, u));
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

/// In the abstract only that no thread at all can move is seen. Where threads are fixed in number, *deadlock* says more.
pub(super) fn doubt_partial(answered: &mut Answered) {
    if answered.kind == Kind::Deadlock && matches!(answered.verdict, Verdict::Holds) {
        let reason = "the exact search was not finished: single threads may be unable to go on";
        answered.verdict = Verdict::Unknown { reason: reason.to_string(), doubt: None };
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
        watch: &RefCell<&mut dyn Watch>,
    ) -> Option<Exact<'a>> {
        if !request.concrete_first || !is_fixed(model) {
            return None;
        }
        let mut concrete = Concrete::new(&model.vocabulary);
        concrete.roots = model.roots.as_ref().filter(|_| model.collects);
        concrete.wanted = Some(wanted(model));
        let initial: Option<Vec<State>> =
            model.initial.iter().map(|i| definite(&concrete, &i.structure)).collect();
        let (mut looks, mut bytes) = (0_u32, 0_u64);
        let most = request.max_memory.map_or(BYTES, |limit| BYTES.min(limit / 2));
        let stop = &mut |runs: &Runs, at: usize| {
            looks += 1;
            bytes += room(&runs.states[at]);
            let over = looks.is_multiple_of(64) && Shared(watch).look(&Progress::default()).is_break();
            runs.cut[at] || over || bytes > most
        };
        let states = request.max_states.map_or(BOUNDS.states, |n| BOUNDS.states.min(n as usize));
        let runs = runs(&concrete, model, &initial?, Bounds { states, ..BOUNDS }, stop);
        let surely = Surely::new(model, &runs);
        runs.complete.then_some(Exact { model, concrete, runs, surely })
    }

    pub(super) fn looked(&self) -> Looked {
        let mut taken = vec![false; self.model.actions.len()];
        self.runs.arrows.iter().flatten().for_each(|a| taken[a.action] = true);
        let steps = self.runs.arrows.iter().map(Vec::len).sum::<usize>() as u64;
        Looked { states: self.runs.states.len() as u64, steps, taken }
    }

    /// The answer to a property of states; `None` for other properties.
    pub(super) fn answer(&self, name: &str, kind: Kind) -> Option<Answered> {
        let verdict = match kind {
            Kind::Ltl | Kind::Never => return None,
            Kind::Deadlock => self.deadlock(),
            Kind::Error => self.error(),
            Kind::Invariant => self.invariant(name),
            Kind::Race => self.race(name),
        };
        let Looked { states, steps, taken } = self.looked();
        let verdict = super::states::unless_beyond(self.model, &taken, verdict);
        let name = name.to_string();
        Some(Answered {
            name,
            kind,
            verdict,
            vacuous: None,
            states,
            transitions: steps,
            fairness_used: false,
        })
    }

    /// The nearest bad state that is reached without depending on what was forgotten decides, or else the nearest.
    fn judged(&self, kind: Kind, bad: impl Iterator<Item = (usize, Option<usize>, String)>) -> Verdict {
        let mut first = None;
        for (at, arrow, message) in bad {
            let last = arrow.map(|n| &self.model.actions[self.runs.arrows[at][n].action]);
            if let Some(way) = self.surely.way(at).filter(|_| last.is_none_or(|a| !a.guess)) {
                let run = self.replay(way.into_iter().chain(arrow.map(|n| (at, n))).collect(), at, message);
                return run.map_or_else(lost, |run| judge(self.model, run, kind));
            }
            first.get_or_insert((at, arrow, message));
        }
        let Some((at, arrow, message)) = first else { return Verdict::Holds };
        let way = self.runs.way(at).into_iter().chain(arrow.map(|n| (at, n))).collect();
        self.replay(way, at, message).map_or_else(lost, |run| judge(self.model, run, kind))
    }

    fn invariant(&self, name: &str) -> Verdict {
        let claim = self.model.properties.iter().find(|p| p.name == name).map(|p| &p.claim);
        let Some(Claim::Invariant(good)) = claim else { return Verdict::Holds };
        let breaks = |at: &usize| !self.concrete.holds(&self.runs.states[*at], good);
        let message = format!("the invariant `{name}` does not hold");
        let bad = (0..self.runs.states.len()).filter(breaks).map(|at| (at, None, message.clone()));
        self.judged(Kind::Invariant, bad)
    }

    fn race(&self, name: &str) -> Verdict {
        let claim = self.model.properties.iter().find(|p| p.name == name).map(|p| &p.claim);
        let Some(Claim::Race { bad, .. }) = claim else { return Verdict::Holds };
        let races = |at: &usize| self.concrete.holds(&self.runs.states[*at], bad);
        let message = format!("data {name}");
        let bad = (0..self.runs.states.len()).filter(races).map(|at| (at, None, message.clone()));
        match self.judged(Kind::Race, bad) {
            Verdict::Violated(run) => {
                let full = Concrete::new(&self.model.vocabulary);
                let run = super::races::complete(self.model, &full, name, *run);
                run.map_or_else(lost, |run| Verdict::Violated(Box::new(run)))
            }
            verdict => verdict,
        }
    }

    fn error(&self) -> Verdict {
        let errors = self.runs.arrows.iter().enumerate().flat_map(|(at, arrows)| {
            let fails = move |(n, a): (usize, &crate::runs::Arrow)| {
                self.model.actions[a.action].error.clone().map(|message| (at, Some(n), message))
            };
            arrows.iter().enumerate().filter_map(fails)
        });
        self.judged(Kind::Error, errors)
    }

    /// No thread can move; or one never can again, whatever the others do.
    fn deadlock(&self) -> Verdict {
        let (can, waits) = self.model.deadlock();
        let dead = |at: &usize| {
            let state = &self.runs.states[*at];
            self.concrete.holds(state, &waits) && !can.iter().any(|f| self.concrete.holds(state, f))
        };
        let message = "nobody can move, and somebody is not where it may rest".to_string();
        let bad = (0..self.runs.states.len()).filter(dead).map(|at| (at, None, message.clone()));
        match self.judged(Kind::Deadlock, bad) {
            Verdict::Holds => self.stuck(),
            verdict => verdict,
        }
    }

    /// A thread that waits, and cannot go on in any state that follows.
    fn stuck(&self) -> Verdict {
        let message = |at: usize, u: usize| {
            let here = |p: &&Symbol| self.concrete.get(&self.runs.states[at], **p, [u, 0]);
            let of = |t: &crate::model::Thread| t.places.iter().any(|p| here(&p));
            let name = self.model.threads.iter().find(|t| of(t)).map_or("", |t| t.name.as_str());
            format!("a thread of {name} can never go on, whatever the others do")
        };
        let never = super::stuck::never(self.model, &self.concrete, &self.runs, false);
        let bad = never.iter().map(|(at, u)| (*at, None, message(*at, *u)));
        match self.judged(Kind::Deadlock, bad) {
            Verdict::Holds => {}
            verdict => return verdict,
        }
        match super::stuck::never(self.model, &self.concrete, &self.runs, true).first() {
            None => Verdict::Holds,
            Some((at, u)) => {
                let waits = message(*at, *u).replace(", whatever the others do", "");
                let reason = format!(
                    "{waits} unless a branch goes a certain way, but what it depends on is forgotten"
                );
                Verdict::Unknown { reason, doubt: None }
            }
        }
    }

    /// Takes a run again from its first state, with everything that is derived.
    fn replay(&self, way: Vec<(usize, usize)>, at: usize, message: String) -> Option<Run> {
        let full = Concrete::new(&self.model.vocabulary);
        let mut state = self.runs.states[way.first().map_or(at, |(first, _)| *first)].clone();
        full.derive(&mut state);
        // Who of the run is at each place of the state that the search knows.
        let mut who: Vec<usize> = (0..state.individuals).collect();
        let mut run = Run { message, shortest: true, states: vec![state], ..Run::default() };
        for (from, arrow) in way {
            let arrow = &self.runs.arrows[from][arrow];
            let mut step = arrow.step.clone();
            step.part.values_mut().for_each(|u| *u = who[*u]);
            let here = run.states.last()?;
            let next = full.step(here, &step, &self.model.actions[step.action])?;
            let known = who.len();
            let after = |u: usize| if u < known { who[u] } else { here.individuals + u - known };
            who = arrow.order.iter().map(|u| after(*u)).collect();
            run.steps.push(step);
            run.states.push(next);
        }
        Some(run)
    }
}

/// A run that cannot be taken again is a bug of ours, and decides nothing.
fn lost() -> Verdict {
    let reason = "a run that may violate it could not be taken again, which is a bug of weave".to_string();
    Verdict::Unknown { reason, doubt: None }
}

/// What a state takes: it is kept twice, each predicate in a vector of its own.
fn room(state: &State) -> u64 {
    2 * state.truth.iter().map(|t| 48 + t.len() as u64).sum::<u64>()
}

/// The state that a definite structure is.
fn definite(c: &Concrete<'_>, s: &crate::structure::Structure) -> Option<State> {
    let layout = c.vocabulary.layout();
    let mut state = c.empty(s.nodes);
    for predicate in c.vocabulary.predicates.iter().filter(|p| p.symbol != SUMMARY) {
        for tuple in tuples(predicate.symbol, s.nodes) {
            match s.get(layout, predicate.symbol, tuple) {
                Kleene::Half => return None,
                value => c.set(&mut state, predicate.symbol, tuple, value == Kleene::True),
            }
        }
    }
    c.derive(&mut state);
    Some(state)
}

/// The places where a thread may not rest.
pub(super) fn restless(model: &Model) -> Vec<Symbol> {
    let all = model.threads.iter().flat_map(|t| t.places.iter().filter(|p| !t.ends.contains(p)));
    all.copied().collect()
}
