//! Bad prefixes: a safety formula is broken as soon as no continuation can mend it, however many
//! states there are.
//!
//! The formula becomes a deterministic monitor of what finite runs show of it; states are looked at
//! breadth-first together with the monitor, up to a limit. What is found is a shortest run,
//! certified as a finite one. Nothing is said if nothing is found.

use super::Query;
use super::explicit::{STATES, numbered};
use crate::watch::Watcher;
use compile::relation::unpacked;
use explore::monitored::{Monitored, inner};
use explore::recorded::record;
use logic::automata::closure_monitor;
use logic::fol::Term;
use logic::ltl::Formula;
use space::Path;
use std::cell::RefCell;
use system::fts::step::{Given, State};

/// A shortest run that breaks a formula whatever comes after it; none if none is found.
pub(super) fn broken(
    question: &Query<'_>,
    formula: &Formula<Term>,
    given: &Given,
    watcher: &RefCell<Watcher<'_>>,
) -> Option<Path<State>> {
    let (numbered, atoms) = numbered(formula.clone())?;
    let monitor = closure_monitor(&numbered).ok()?;
    monitor.sink?;
    let relations = vec![question.relation(given, &atoms); question.request.threads.max(1)];
    let mut monitored: Vec<_> = relations.into_iter().map(|r| Monitored::new(r, &monitor)).collect();
    let limits = question.limits(STATES);
    let recorded = record(&mut monitored, limits, &mut *watcher.borrow_mut());
    let path = Path::to(recorded.path_to(recorded.faulty?));
    Some(path.map(|state| unpacked(&question.source.fts, inner(state))))
}
