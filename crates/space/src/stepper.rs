//! What a search asks of a description: packed states, all edges out of one at once, and an account
//! of an edge in steps.

use crate::edges::{Edges, Fault, FaultAt};
use crate::run::Step;
use crate::trace::Trace;

/// What a state is to a search besides its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Some step is enabled.
    Enabled,
    /// Whatever is enabled, the system may also idle here.
    MayRest,
    /// None is, and the run may end here.
    Terminated,
    /// None is, and it may not.
    Deadlock,
}

/// The edge that is to be explained. Searches keep targets, and not the numbers of edges.
#[derive(Clone, Copy, Debug)]
pub enum Which<'a> {
    /// One to this target that meets these requirements; any that leads there if none are named.
    To {
        /// The packed state it leads to.
        target: &'a [u8],
        /// A row of requirements, or nothing.
        meets: &'a [u64],
    },
    /// One with this fault.
    Fault(FaultAt),
}

impl<'a> Which<'a> {
    /// Any edge to this target.
    pub fn to(target: &'a [u8]) -> Which<'a> {
        Which::To { target, meets: &[] }
    }
}

/// What has no value in a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Undefined(pub String);

/// Where a packed state falls into parts that change by themselves, such as processes and channels.
/// A store keeps each part once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Where each part ends, in order; the last one where the state does.
    pub ends: Vec<u32>,
    /// The bytes that tell how a state is cut: another one of the same length that has the same
    /// bytes there is cut alike.
    pub deciding: Vec<u32>,
}

impl Cut {
    /// Into pieces of the same length, up to `end`.
    pub fn evenly(&mut self, end: usize) {
        const PIECE: usize = 6;
        let from = self.ends.last().map_or(0, |end| *end as usize);
        let pieces = (from + PIECE..end).step_by(PIECE).map(|at| at as u32);
        self.ends.extend(pieces.chain((end > from).then_some(end as u32)));
    }
}

/// A stepper over packed states.
pub trait Stepper {
    /// The initial states, as edges from nowhere; faults if there are none.
    fn initial(&mut self, out: &mut Edges);

    /// Appends all edges out of `state`: one for each path to the next state that a search stores.
    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest;

    /// The steps of an edge out of `state`, as the reference takes them.
    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>>;

    /// A fault in words.
    fn describe(&self, fault: Fault) -> String;

    /// Where a state falls into parts; `cut` is empty. Only the size of a store depends on it.
    fn cut(&self, state: &[u8], cut: &mut Cut) {
        cut.evenly(state.len());
    }

    /// What was seen besides the states, such as which transitions were executed, in numbers of the
    /// stepper's own. A search that is interrupted and goes on later in another process keeps it.
    fn seen(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes over what another process had seen.
    fn recall(&mut self, _seen: &[u64]) {}

    /// How many actors a state has, by the bytes that decide how it is cut; none if it is expanded
    /// as a whole only. The edges of all actors, one after the other, are those of the state; if
    /// there are none, only [`Stepper::expand`] tells what the state is.
    fn actors(&self, _state: &[u8]) -> usize {
        0
    }

    /// Appends the edges of one actor. If `trace` is on, it notes all that they depend on: in every
    /// state that is cut alike and has the same parts there, the actor's edges have the same labels
    /// and change the same parts in the same way.
    fn act(&mut self, _state: &[u8], _actor: usize, _trace: &mut Trace, _out: &mut Edges) {}
}

/// Abstract domains: states with one key are one, and grow; they are expanded again.
pub trait Joins {
    /// Appends the part of a state that stays when it grows.
    fn key(&self, state: &[u8], out: &mut Vec<u8>);

    /// Joins a state into one with the same key; whether that has changed.
    fn join(&self, kept: &mut Vec<u8>, new: &[u8]) -> bool;
}

/// A stepper that knows what holds in a state.
pub trait Observer: Stepper {
    /// The propositions that hold, as bits.
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined>;
}
