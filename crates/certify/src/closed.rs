//! *Holds*, for what is seen in states and single steps: a set of states that has the initial
//! ones, that no step leaves, and in which nothing fails.

use space::{Fault, Reference, Rest, Undefined};
use std::collections::HashSet;
use std::fmt;

/// What must not happen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forbidden {
    /// States in which nothing is enabled and that are no valid ends.
    pub deadlocks: bool,
    /// Failed assertions.
    pub assertions: bool,
    /// All other faults.
    pub faults: bool,
    /// An observed state without one of these propositions.
    pub missing: u64,
}

/// Why a set of states shows nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum NotClosed {
    /// An initial state is not in it.
    NotInitial,
    /// A step out of the state of this number leads out of it.
    Leaves(usize),
    /// This fails in the state of this number, or in a step out of it; none is the beginning.
    Fails(Option<usize>, &'static str),
    /// Something in a state cannot be evaluated.
    Undefined(Undefined),
}

impl From<Undefined> for NotClosed {
    fn from(why: Undefined) -> NotClosed {
        NotClosed::Undefined(why)
    }
}

/// Checks that the states are all that can be reached, and that nothing forbidden happens there.
pub fn closed<R: Reference>(r: &R, states: &[R::State], forbidden: Forbidden) -> Result<(), NotClosed> {
    if let Some(fault) = r.no_initial() {
        return forbidden.fault(fault).map_or(Ok(()), |what| Err(NotClosed::Fails(None, what)));
    }
    let set: HashSet<R::State> = states.iter().map(|state| r.canonical(state)).collect();
    if r.initial()?.iter().any(|state| !set.contains(&r.canonical(state))) {
        return Err(NotClosed::NotInitial);
    }
    for (number, state) in states.iter().enumerate() {
        let moves = r.moves(state)?;
        if moves.iter().filter_map(|m| m.next.as_ref()).any(|next| !set.contains(&r.canonical(next))) {
            return Err(NotClosed::Leaves(number));
        }
        let fault = moves.iter().filter_map(|m| m.fault).find_map(|fault| forbidden.fault(fault));
        let fails = fault.map_or_else(|| forbidden.state(r, state), |what| Ok(Some(what)))?;
        if let Some(what) = fails {
            return Err(NotClosed::Fails(Some(number), what));
        }
    }
    Ok(())
}

impl Forbidden {
    fn fault(self, fault: Fault) -> Option<&'static str> {
        match fault {
            Fault::Assertion => self.assertions.then_some("an assertion"),
            _ => self.faults.then_some("a step"),
        }
    }

    fn state<R: Reference>(self, r: &R, state: &R::State) -> Result<Option<&'static str>, Undefined> {
        if self.deadlocks && r.rest(state)? == Rest::Deadlock {
            return Ok(Some("a deadlock"));
        }
        let observed = self.missing != 0 && r.observed(state);
        let missing = observed && r.letter(state)? & self.missing != self.missing;
        Ok(missing.then_some("a proposition"))
    }
}

impl fmt::Display for NotClosed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotClosed::NotInitial => write!(f, "an initial state is not in the set"),
            NotClosed::Leaves(number) => write!(f, "a step out of state {number} leaves the set"),
            NotClosed::Fails(None, what) => write!(f, "{what} fails in an initial state"),
            NotClosed::Fails(Some(number), what) => write!(f, "{what} fails in state {number}"),
            NotClosed::Undefined(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for NotClosed {}
