//! Bad prefixes: a safety formula is broken as soon as no continuation can mend it, however many
//! states there are.
//!
//! The formula becomes a deterministic monitor of what finite runs show of it; states are looked at
//! breadth-first together with the monitor, up to a limit. A monitor that remembers nothing, as
//! that of `[] p`, reads the states that are recorded already. What is found is a shortest run,
//! certified as a finite one. Nothing is said if nothing is found.

use super::Query;
use super::explicit::{STATES, numbered};
use crate::listener::ProgressListener;
use compile::relation::{Relation, unpacked};
use explore::monitored::{Monitored, inner};
use explore::recorded::{Recorded, record};
use logic::automata::{Monitor, closure_monitor};
use logic::fol::Term;
use logic::ltl::Formula;
use space::{Observer, Path, Undefined};
use std::cell::RefCell;
use system::fts::step::{State, Valuation};

/// A shortest run that breaks a formula whatever comes after it; none if none is found.
pub(super) fn broken(
    question: &Query<'_>,
    formula: &Formula<Term>,
    given: &Valuation,
    recorded: Option<&Recorded>,
    watcher: &RefCell<ProgressListener<'_>>,
) -> Option<Path<State>> {
    let (numbered, atoms) = numbered(formula.clone())?;
    let monitor = closure_monitor(&numbered).ok()?;
    monitor.sink?;
    let mut relation = question.relation(given, &atoms);
    let plain = |state: &[u8]| unpacked(&question.source.fts, state);
    if let Some(recorded) = recorded.filter(|_| monitor.remembers_nothing())
        && let Ok(found) = first_broken(recorded, &mut relation, &monitor)
    {
        return Some(Path::to(recorded.path_to(found?)).map(plain));
    }
    let relations = vec![relation; question.request.threads.max(1)];
    let mut monitored: Vec<_> = relations.into_iter().map(|r| Monitored::new(r, &monitor)).collect();
    let limits = question.limits(STATES);
    let watched = record(&mut monitored, limits, &mut *watcher.borrow_mut());
    let path = Path::to(watched.path_to(watched.faulty?));
    Some(path.map(|state| plain(inner(state))))
}

/// The first recorded state that breaks what is monitored, whatever came before it.
fn first_broken(
    recorded: &Recorded,
    relation: &mut Relation,
    monitor: &Monitor,
) -> Result<Option<usize>, Undefined> {
    for (at, state) in recorded.states().enumerate() {
        let next = monitor.next(monitor.initial, relation.observe(state)?);
        if Some(next) == monitor.sink {
            return Ok(Some(at));
        }
    }
    Ok(None)
}
