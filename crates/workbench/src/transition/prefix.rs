//! Bad prefixes: a safety formula is broken as soon as no continuation can mend it, however many states there are.
//!
//! The formula becomes a deterministic monitor of what finite runs show of it; states are looked at breadth-first together with the
//! monitor, up to a limit. What is found is a shortest run, certified as a finite one. Nothing is said if nothing is found.

use super::Question;
use super::reach::keeps;
use crate::watch::Watcher;
use explore::Watch;
use logic::automata::{Monitor, closure_monitor};
use logic::ltl::Formula;
use std::cell::RefCell;
use std::collections::HashSet;
use system::fts::Expr;
use system::fts::evaluate::holds;
use system::fts::step::{self, Given, State};

/// So many pairs of a state and one of the monitor are looked at, unless a limit is given.
const PAIRS: u64 = 100_000;

struct Search<'a> {
    question: &'a Question<'a>,
    given: &'a Given,
    monitor: Monitor,
    atoms: Vec<Expr>,
    seen: HashSet<(State, usize)>,
    /// Each with the one it was reached from.
    queue: Vec<(State, usize, Option<usize>)>,
}

/// A shortest run that breaks a formula whatever comes after it; none if none is found.
pub(super) fn broken(
    question: &Question<'_>,
    formula: &Formula<Expr>,
    given: &Given,
    watcher: &RefCell<Watcher<'_>>,
) -> Option<Vec<State>> {
    let mut atoms: Vec<Expr> = Vec::new();
    let numbered = formula.clone().map(&mut |e: Expr| match atoms.iter().position(|a| *a == e) {
        Some(at) => at,
        None => {
            atoms.push(e);
            atoms.len() - 1
        }
    });
    let monitor = if atoms.len() <= 64 { closure_monitor(&numbered).ok()? } else { return None };
    monitor.sink?;
    let (seen, queue) = (HashSet::new(), Vec::new());
    let mut search = Search { question, given, monitor, atoms, seen, queue };
    search.run(question.request.limits.states.unwrap_or(PAIRS), watcher)
}

impl Search<'_> {
    fn run(&mut self, limit: u64, watcher: &RefCell<Watcher<'_>>) -> Option<Vec<State>> {
        let fts = &self.question.source.fts;
        for state in step::initial(fts, self.given).ok()? {
            if let Some(found) = self.enter(state, self.monitor.initial, None) {
                return Some(found);
            }
        }
        let mut at = 0;
        while at < self.queue.len() && (self.queue.len() as u64) < limit {
            let (state, monitored, _) = self.queue[at].clone();
            // Where a state cannot be left, others still can.
            let next = step::successors(fts, self.given, &state).unwrap_or_default();
            // Idling counts for formulas that see how often a state is repeated.
            let targets = next.into_iter().map(|(_, next)| next).chain([state]);
            for target in targets {
                if let Some(found) = self.enter(target, monitored, Some(at)) {
                    return Some(found);
                }
            }
            at += 1;
            let states = self.queue.len() as u64;
            let progress = explore::Progress { states, ..explore::Progress::default() };
            if at % 256 == 0 && watcher.borrow_mut().look(&progress).is_break() {
                return None;
            }
        }
        None
    }

    /// Shows a state to the monitor; the way to it if all is lost.
    fn enter(&mut self, state: State, monitored: usize, from: Option<usize>) -> Option<Vec<State>> {
        let fts = &self.question.source.fts;
        if !keeps(fts, self.given, &self.question.invariants, &state).ok()? {
            return None;
        }
        let within = step::In { fts, given: self.given, state: &state, extra: Vec::new() };
        let mut letter = 0u64;
        for (at, atom) in self.atoms.iter().enumerate() {
            letter |= u64::from(holds(atom, &within)?) << at;
        }
        let next = self.monitor.next(monitored, letter);
        if self.seen.insert((state.clone(), next)) {
            self.queue.push((state, next, from));
            if Some(next) == self.monitor.sink {
                return Some(self.way_to(self.queue.len() - 1));
            }
        }
        None
    }

    fn way_to(&self, at: usize) -> Vec<State> {
        let ways = std::iter::successors(Some(at), |at| self.queue[*at].2);
        let mut states: Vec<State> = ways.map(|at| self.queue[at].0.clone()).collect();
        states.reverse();
        states
    }
}
