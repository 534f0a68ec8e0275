//! Whether a claim is true of a system, by looking at every state and every step: from the definitions of temporal logic and fairness.

use super::model::*;
use super::step::{Lost, Machine, State};
use std::collections::{BTreeSet, HashMap, VecDeque};

/// More states are not looked at.
const STATES: usize = 1_500;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    Holds,
    Broken,
    Open,
}

/// The states that were reached, with the steps of each mover.
pub struct Graph<'a> {
    machine: Machine<'a>,
    states: Vec<State>,
    initial: Vec<usize>,
    /// For each state and mover the states it leads to.
    steps: Vec<Vec<Vec<usize>>>,
    fairness: Vec<Fairness>,
    /// Whether every state and every step is there.
    complete: bool,
}

impl<'a> Graph<'a> {
    pub fn of(system: &'a System, constant: i64) -> Result<Graph<'a>, Lost> {
        let machine = Machine::new(system, constant);
        let movers = machine.movers();
        let (first, mut complete) = machine.initial();
        let mut ids: HashMap<State, usize> = HashMap::new();
        let mut states = Vec::new();
        let mut id = |state: State, states: &mut Vec<State>| {
            *ids.entry(state.clone()).or_insert_with(|| {
                states.push(state);
                states.len() - 1
            })
        };
        let initial: Vec<usize> = first.into_iter().map(|s| id(s, &mut states)).collect();
        let mut steps = Vec::new();
        while steps.len() < states.len() {
            if states.len() > STATES {
                complete = false;
                break;
            }
            let state = states[steps.len()].clone();
            let mut of_state = Vec::new();
            for mover in &movers {
                let next = machine.steps(mover, &state)?;
                complete &= next.complete;
                of_state.push(next.states.into_iter().map(|s| id(s, &mut states)).collect::<Vec<_>>());
            }
            steps.push(of_state);
        }
        let fairness = movers.into_iter().map(|m| m.fairness).collect();
        Ok(Graph { machine, states, initial, steps, fairness, complete })
    }

    fn test(&self, t: &Test, at: usize) -> Result<bool, Lost> {
        self.machine.here(&self.states[at]).test(t, 0)
    }

    /// All steps from a state, idling among them.
    fn next(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let moves = self.steps.get(at).into_iter().flatten().flatten().copied();
        moves.chain([at])
    }

    pub fn truth(&self, claim: &Claim) -> Result<Truth, Lost> {
        let broken = match claim {
            Claim::Leads(..) | Claim::Comes(_) if !self.complete => return Ok(Truth::Open),
            Claim::Leads(p, q) => self.never_comes(Some(p), q)?,
            Claim::Comes(q) => self.never_comes(None, q)?,
            claim => self.breaking_run(claim)?,
        };
        Ok(match (broken, self.complete) {
            (true, _) => Truth::Broken,
            (false, true) => Truth::Holds,
            (false, false) => Truth::Open,
        })
    }

    /// Whether some finite run breaks a claim: states together with what must be remembered of the run.
    fn breaking_run(&self, claim: &Claim) -> Result<bool, Lost> {
        let mut seen = BTreeSet::new();
        let mut queue = VecDeque::new();
        for at in &self.initial {
            match self.memory(claim, *at, None)? {
                None => return Ok(true),
                Some(memory) => queue.push_back((*at, memory)),
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
    fn memory(
        &self,
        claim: &Claim,
        at: usize,
        from: Option<(usize, &Memory)>,
    ) -> Result<Option<Memory>, Lost> {
        let nothing = Memory::new();
        let kept = |ok: bool| ok.then(Memory::new);
        Ok(match claim {
            Claim::Always(p) => kept(self.test(p, at)?),
            Claim::First(p) => kept(from.is_some() || self.test(p, at)?),
            Claim::Next(p, q) => match from {
                Some((before, _)) => kept(!self.test(p, before)? || self.test(q, at)?),
                None => Some(nothing),
            },
            Claim::Waits(p, q) => self.promises(p, q, at, from.map_or(&nothing, |(_, memory)| memory))?,
            Claim::Past(p, past) => {
                let was = from.map(|(before, memory)| (before, !memory.is_empty()));
                let now = self.past(past, at, was)?;
                let ok = !self.test(p, at)? || now;
                ok.then(|| if now { Memory::from([BTreeSet::new()]) } else { Memory::new() })
            }
            Claim::Leads(..) | Claim::Comes(_) => Some(nothing),
        })
    }

    /// The truth of a past formula, from its truth in the state before.
    fn past(&self, past: &Past, at: usize, before: Option<(usize, bool)>) -> Result<bool, Lost> {
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

    /// Each promise as the intervals it may be in. f_i = q_i W f_(i-1): in a state that has q_0 it is fulfilled; else it is in some
    /// interval j, not above the one it was in, whose q_j is true.
    fn promises(&self, p: &Test, q: &[Test], at: usize, before: &Memory) -> Result<Option<Memory>, Lost> {
        let m = q.len() - 1;
        if self.test(&q[m], at)? {
            return Ok(Some(Memory::new()));
        }
        let mut open = before.clone();
        if self.test(p, at)? {
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

    /// Whether a fair run has p somewhere (at the beginning if there is none), and never q from there on.
    fn never_comes(&self, p: Option<&Test>, q: &Test) -> Result<bool, Lost> {
        let mut without = Vec::new();
        for at in 0..self.states.len() {
            without.push(!self.test(q, at)?);
        }
        let mut starts = Vec::new();
        for (at, &free) in without.iter().enumerate() {
            let begins = match p {
                Some(p) => self.test(p, at)?,
                None => self.initial.contains(&at),
            };
            if begins && free {
                starts.push(at);
            }
        }
        let mut inside = BTreeSet::new();
        while let Some(at) = starts.pop() {
            if inside.insert(at) {
                starts.extend(self.next(at).filter(|n| without[*n]));
            }
        }
        Ok(self.has_fair_cycle(&inside))
    }

    /// Whether some run stays inside for ever, fair to every mover.
    fn has_fair_cycle(&self, inside: &BTreeSet<usize>) -> bool {
        components(inside, &|at| self.next(at).filter(|n| inside.contains(n)).collect())
            .into_iter()
            .any(|component| self.is_fair(&component))
    }

    /// Whether a strongly connected part has a fair run: idling makes every state a cycle.
    fn is_fair(&self, part: &BTreeSet<usize>) -> bool {
        let mut avoid = BTreeSet::new();
        for (mover, fairness) in self.fairness.iter().enumerate() {
            let possible = |at: &usize| !self.steps[*at][mover].is_empty();
            let taken = part.iter().any(|at| self.steps[*at][mover].iter().any(|n| part.contains(n)));
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
