//! Whether a claim is true of a system, by looking at every state and every step: from the
//! definitions of temporal logic and fairness.
//!
//! What weave may say. A test has three outcomes in a state: true, false, none. A claim is looked
//! at twice: in the kind view what has no value is taken so that the claim is kept (true on the
//! right of an implication, false on the left), in the harsh view so that it is broken.
//!
//! * Broken in the kind view: some run breaks the claim whatever is made of what has no value.
//!   Weave may say *violated* or *unknown*.
//! * Broken in the harsh view alone: there is a run for which the claim has no value. Only
//!   *unknown*.
//! * Not broken in the harsh view: *holds* or *unknown*; if states are missing, anything.
//!
//! Run-time errors: one that is reached makes `runtime` *violated* (or *unknown*, never *holds*).
//! Behind it lies chaos, a state in which nothing has a value. In the harsh view runs lead there,
//! so that nothing holds on the strength of what lies behind an error; a claim about the first
//! state may. In the kind view nothing is behind an error, with one exception: a value outside of
//! its range is there, and the program may be followed from it. A step that is an error is not
//! possible, as far as fairness goes: a run that stays before it without end may be shown as one
//! that breaks a claim. Of an error that is doubtful (see `step.rs`) weave is not blamed: `runtime`
//! may be anything, claims are judged as if there were none.
//!
//! The beginning: where its condition has no value, a state is initial in the harsh view alone. If
//! no state is initial, anything may be said.
//!
//! Axioms about the state do not count: weave uses them only if they are true.

use super::model::*;
use super::number::{Gone, Sure};
use super::step::{After, Machine, Mover};
use super::value::State;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// More states are not looked at.
const STATES: usize = 1_500;

/// Which answers are right besides *unknown*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Truth {
    pub holds: bool,
    pub broken: bool,
}

impl Truth {
    pub const HOLDS: Truth = Truth { holds: true, broken: false };
    pub const BROKEN: Truth = Truth { holds: false, broken: true };
    pub const OPEN: Truth = Truth { holds: true, broken: true };
    /// There is no value.
    pub const NEITHER: Truth = Truth { holds: false, broken: false };
}

/// The states that were reached, with the steps of each mover.
pub struct Graph<'a> {
    machine: Machine<'a>,
    /// The first is chaos: what lies behind a run-time error.
    states: Vec<State>,
    /// Initial states, and those in which the condition on the beginning has no value.
    initial: Vec<usize>,
    maybe_initial: Vec<usize>,
    /// For each state and mover the states it leads to.
    steps: Vec<Vec<Vec<usize>>>,
    /// In which states some step is a run-time error.
    errors: Vec<bool>,
    /// Whether it is not known of some step if it is one.
    uncertain: bool,
    fairness: Vec<Fairness>,
    /// Whether every state and every step is there.
    complete: bool,
}

/// How what has no value is taken: so that the claim is kept, and there is nothing behind an error;
/// or so that it is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Kind,
    Harsh,
}

const CHAOS: usize = 0;

impl<'a> Graph<'a> {
    pub fn of(system: &'a System, constant: i64) -> Sure<Graph<'a>> {
        let machine = Machine::new(system, constant);
        let movers = machine.movers();
        let first = machine.initial()?;
        let mut ids: HashMap<State, usize> = HashMap::new();
        let chaos = machine.chaos();
        let mut graph = Graph {
            machine,
            states: vec![chaos],
            initial: Vec::new(),
            maybe_initial: Vec::new(),
            steps: vec![movers.iter().map(|_| Vec::new()).collect()],
            errors: vec![false],
            uncertain: false,
            fairness: movers.iter().map(|m| m.fairness.clone()).collect(),
            complete: first.complete,
        };
        graph.initial = first.sure.into_iter().map(|s| graph.id(s, &mut ids)).collect();
        graph.maybe_initial = first.maybe.into_iter().map(|s| graph.id(s, &mut ids)).collect();
        while graph.steps.len() < graph.states.len() {
            if graph.states.len() > STATES {
                graph.complete = false;
                break;
            }
            graph.expand(&movers, &mut ids)?;
        }
        Ok(graph)
    }

    fn id(&mut self, state: State, ids: &mut HashMap<State, usize>) -> usize {
        *ids.entry(state.clone()).or_insert_with(|| {
            self.states.push(state);
            self.states.len() - 1
        })
    }

    /// The steps of the first state whose steps are not known.
    fn expand(&mut self, movers: &[Mover], ids: &mut HashMap<State, usize>) -> Sure<()> {
        let state = self.states[self.steps.len()].clone();
        let (mut of_state, mut error) = (Vec::new(), false);
        for mover in movers {
            let after = match self.machine.steps(mover, &state) {
                Err(Gone::Lost) => After { more: true, ..After::default() },
                after => after?,
            };
            self.complete &= !after.more;
            self.uncertain |= after.uncertain;
            error |= after.error;
            of_state.push(after.states.into_iter().map(|s| self.id(s, ids)).collect::<Vec<_>>());
        }
        self.steps.push(of_state);
        self.errors.push(error);
        Ok(())
    }

    /// All steps from a state, idling among them.
    fn next(&self, at: usize, view: View) -> impl Iterator<Item = usize> + '_ {
        let moves = self.steps.get(at).into_iter().flatten().flatten().copied();
        let fails = view == View::Harsh && self.errors.get(at) == Some(&true);
        moves.chain([at]).chain(fails.then_some(CHAOS))
    }

    fn starts(&self, view: View) -> impl Iterator<Item = usize> + '_ {
        let maybe = if view == View::Harsh { &self.maybe_initial[..] } else { &[] };
        self.initial.iter().chain(maybe).copied()
    }

    /// The states that are reached.
    fn reached(&self, view: View) -> BTreeSet<usize> {
        let (mut found, mut work) = (BTreeSet::new(), self.starts(view).collect::<Vec<_>>());
        while let Some(at) = work.pop() {
            if found.insert(at) {
                work.extend(self.next(at, view));
            }
        }
        found
    }

    /// What may be said of run-time errors.
    pub fn runtime(&self) -> Truth {
        if self.initial.is_empty() {
            return Truth::OPEN;
        }
        let fails = |view: View| self.reached(view).iter().any(|at| self.errors.get(*at) == Some(&true));
        match (fails(View::Kind), self.complete && !self.uncertain) {
            (true, _) => Truth::BROKEN,
            _ if !self.maybe_initial.is_empty() => Truth::OPEN,
            (false, true) => Truth::HOLDS,
            (false, false) => Truth::OPEN,
        }
    }

    /// What may be said of a claim.
    pub fn truth(&self, claim: &Claim) -> Sure<Truth> {
        if self.initial.is_empty() {
            return Ok(Truth::OPEN);
        }
        if let Claim::Each(Bounds(low, high), claim) = claim {
            let mut all = Truth::HOLDS;
            for index in *low..=*high {
                let one = self.of_index(claim, Some(index))?;
                all = Truth { holds: all.holds && one.holds, broken: all.broken || one.broken };
            }
            return Ok(all);
        }
        self.of_index(claim, None)
    }

    /// The same for one value of a rigid index.
    fn of_index(&self, claim: &Claim, index: Option<i64>) -> Sure<Truth> {
        let broken = |view: View| Judge { graph: self, view, index }.is_broken(claim);
        let (sure, maybe) = (broken(View::Kind)?, broken(View::Harsh)?);
        Ok(Truth { holds: !sure && !maybe, broken: sure || !self.complete })
    }
}

/// One who looks at claims.
struct Judge<'a> {
    graph: &'a Graph<'a>,
    view: View,
    index: Option<i64>,
}

impl Judge<'_> {
    fn is_broken(&self, claim: &Claim) -> Sure<bool> {
        match claim {
            Claim::Leads(p, q) => self.never_comes(Some(p), q),
            Claim::Comes(q) => self.never_comes(None, q),
            claim => self.breaking_run(claim),
        }
    }

    /// Whether a test is true. What has no value is true in the kind view.
    fn test(&self, t: &Test, at: usize) -> Sure<bool> {
        self.value(t, at, self.view == View::Kind)
    }

    /// The same of what is on the left of an implication: what has no value is false in the kind
    /// view.
    fn premise(&self, t: &Test, at: usize) -> Sure<bool> {
        self.value(t, at, self.view == View::Harsh)
    }

    fn value(&self, t: &Test, at: usize, without: bool) -> Sure<bool> {
        let mut here = self.graph.machine.here(&self.graph.states[at]);
        here.index[0] = self.index.unwrap_or(0);
        match here.test(t, usize::from(self.index.is_some())) {
            Err(Gone::Void) => Ok(without),
            value => value,
        }
    }

    fn next(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        self.graph.next(at, self.view)
    }

    /// Whether some finite run breaks a claim: states together with what must be remembered of the
    /// run.
    fn breaking_run(&self, claim: &Claim) -> Sure<bool> {
        let mut seen = BTreeSet::new();
        let mut queue = VecDeque::new();
        for at in self.graph.starts(self.view) {
            match self.memory(claim, at, None)? {
                None => return Ok(true),
                Some(memory) => queue.push_back((at, memory)),
            }
        }
        while let Some((at, memory)) = queue.pop_front() {
            if !seen.insert((at, memory.clone())) {
                continue;
            }
            for next in self.next(at) {
                match self.memory(claim, next, Some((at, &memory)))? {
                    None => return Ok(true),
                    Some(memory) => queue.push_back((next, memory)),
                }
            }
        }
        Ok(false)
    }

    /// What is remembered when a state is entered; none if the claim is broken.
    fn memory(&self, claim: &Claim, at: usize, from: Option<(usize, &Memory)>) -> Sure<Option<Memory>> {
        let nothing = Memory::new();
        let kept = |ok: bool| ok.then(Memory::new);
        Ok(match claim {
            Claim::Always(p) => kept(self.test(p, at)?),
            Claim::First(p) => kept(from.is_some() || self.test(p, at)?),
            Claim::Next(p, q) => match from {
                Some((before, _)) => kept(!self.premise(p, before)? || self.test(q, at)?),
                None => Some(nothing),
            },
            Claim::Waits(p, q) => self.promises(p, q, at, from.map_or(&nothing, |(_, memory)| memory))?,
            Claim::Past(p, past) => {
                let was = from.map(|(before, memory)| (before, !memory.is_empty()));
                let now = self.past(past, at, was)?;
                let ok = !self.premise(p, at)? || now;
                ok.then(|| if now { Memory::from([BTreeSet::new()]) } else { Memory::new() })
            }
            Claim::Leads(..) | Claim::Comes(_) | Claim::Each(..) => Some(nothing),
        })
    }

    /// The truth of a past formula, from its truth in the state before.
    fn past(&self, past: &Past, at: usize, before: Option<(usize, bool)>) -> Sure<bool> {
        let was = before.map(|(_, truth)| truth);
        Ok(match past {
            Past::Once(q) => self.test(q, at)? || was == Some(true),
            Past::Always(q) => self.test(q, at)? && was != Some(false),
            Past::Before(q) => before.map_or(Ok(false), |(state, _)| self.test(q, state))?,
            Past::WeakBefore(q) => before.map_or(Ok(true), |(state, _)| self.test(q, state))?,
            Past::Since(a, b) => self.test(b, at)? || self.test(a, at)? && was == Some(true),
            Past::BackTo(a, b) => self.test(b, at)? || self.test(a, at)? && was != Some(false),
        })
    }

    /// Each promise as the intervals it may be in. f_i = q_i W f_(i-1): in a state that has q_0 it
    /// is fulfilled; else it is in some interval j, not above the one it was in, whose q_j is true.
    fn promises(&self, p: &Test, q: &[Test], at: usize, before: &Memory) -> Sure<Option<Memory>> {
        let m = q.len() - 1;
        if self.test(&q[m], at)? {
            return Ok(Some(Memory::new()));
        }
        let mut open = before.clone();
        if self.premise(p, at)? {
            open.insert(BTreeSet::from([m]));
        }
        let mut after = Memory::new();
        for promise in open {
            let mut intervals = BTreeSet::new();
            for from in promise {
                for to in 1..=from {
                    if self.test(&q[m - to], at)? {
                        intervals.insert(to);
                    }
                }
            }
            if intervals.is_empty() {
                return Ok(None);
            }
            after.insert(intervals);
        }
        Ok(Some(after))
    }

    /// Whether a fair run has p somewhere (at the beginning if there is none), and never q from
    /// there on. If states are missing, only runs into chaos count.
    fn never_comes(&self, p: Option<&Test>, q: &Test) -> Sure<bool> {
        let mut starts = Vec::new();
        let without = |at: usize| Ok(!self.test(q, at)?);
        match p {
            None => starts.extend(self.graph.starts(self.view)),
            Some(p) => {
                for at in self.graph.reached(self.view) {
                    if self.premise(p, at)? {
                        starts.push(at);
                    }
                }
            }
        }
        let mut inside = BTreeSet::new();
        while let Some(at) = starts.pop() {
            if !inside.contains(&at) && without(at)? {
                inside.insert(at);
                starts.extend(self.next(at));
            }
        }
        Ok(if self.graph.complete { self.has_fair_cycle(&inside) } else { inside.contains(&CHAOS) })
    }

    /// Whether some run stays inside forever, fair to every mover.
    fn has_fair_cycle(&self, inside: &BTreeSet<usize>) -> bool {
        components(inside, &|at| self.next(at).filter(|n| inside.contains(n)).collect())
            .into_iter()
            .any(|component| self.is_fair(&component))
    }

    /// Whether a strongly connected part has a fair run: idling makes every state a cycle.
    fn is_fair(&self, part: &BTreeSet<usize>) -> bool {
        let (mut avoid, steps) = (BTreeSet::new(), &self.graph.steps);
        for (mover, fairness) in self.graph.fairness.iter().enumerate() {
            let possible = |at: &usize| !steps[*at][mover].is_empty();
            let taken = part.iter().any(|at| steps[*at][mover].iter().any(|n| part.contains(n)));
            match fairness {
                _ if taken => {}
                Fairness::Unfair => {}
                // Always possible and never taken.
                Fairness::Just if part.iter().all(possible) => return false,
                Fairness::Just => {}
                Fairness::Compassionate => avoid.extend(part.iter().copied().filter(|at| possible(at))),
            }
        }
        if avoid.is_empty() {
            return true;
        }
        let rest: BTreeSet<usize> = part.difference(&avoid).copied().collect();
        self.has_fair_cycle(&rest)
    }
}

type Memory = BTreeSet<BTreeSet<usize>>;

/// Strongly connected parts: what reaches each other, state by state.
fn components(inside: &BTreeSet<usize>, next: &dyn Fn(usize) -> Vec<usize>) -> Vec<BTreeSet<usize>> {
    let mut before: HashMap<usize, Vec<usize>> = HashMap::new();
    for at in inside {
        next(*at).into_iter().for_each(|n| before.entry(n).or_default().push(*at));
    }
    let reach = |from: usize, step: &dyn Fn(usize) -> Vec<usize>, left: &BTreeSet<usize>| {
        let (mut found, mut work) = (BTreeSet::new(), vec![from]);
        while let Some(at) = work.pop() {
            if left.contains(&at) && found.insert(at) {
                work.extend(step(at));
            }
        }
        found
    };
    let back = |at: usize| before.get(&at).cloned().unwrap_or_default();
    let mut left = inside.clone();
    let mut all = Vec::new();
    while let Some(at) = left.first().copied() {
        let forward = reach(at, next, &left);
        let part: BTreeSet<usize> = reach(at, &back, &left).intersection(&forward).copied().collect();
        left.retain(|s| !part.contains(s));
        all.push(part);
    }
    all
}
