//! The object library: what each operation on a shared object does, and which operations depend on
//! each other.
//!
//! Written once, for models and for real programs, after the thesis, sections 3.4, 4.7 and 6.3 (its
//! last advice in chapter 4 is to have such a library). One file is one kind of object: its
//! operations as functions `(input, value) → (output, value)`, defined or not, and its tables.
//! Every kind answers the same four questions about two operations on one object: `dependent`,
//! `can_be_dependent`, `do_not_accord`, `interferes` (the relation ▷s), the first and the last in a
//! state, all but the second for a choice of [`Dependency`]. The tests decide every question on
//! small domains by trying everything, and compare.
//!
//! A program runs into its objects one at a time, and what it will touch is known only then: its
//! transitions say what they [`access`] and how, and those that touch the same may depend on each
//! other.
//!
//! ```
//! use objects::variable::Operation::{Increment, Read};
//! use objects::{Operation, can_be_dependent};
//!
//! // Two increments of one counter commute; a read tells whether one was there.
//! let [add, read] = [Increment(1), Read].map(Operation::Variable);
//! assert!(!can_be_dependent(&add, &add));
//! assert!(can_be_dependent(&add, &read));
//! ```
#![warn(missing_docs)]

pub mod access;
pub mod array;
pub mod channel;
pub mod object;
pub mod rendezvous;
pub mod variable;

pub use access::{Access, Class, Footprint, Key, ObjectAccess, Outcome, Tid, dependent};
pub use object::{Object, check_exhaustively};

/// Which dependency relation is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dependency {
    /// The same in all states (Definitions 3.13, 3.15).
    Constant,
    /// The finest: per state (Definitions 3.18, 3.21).
    Conditional,
    /// Per state and weakly uniform (Definition 6.6), which sleep sets with proviso need.
    Uniform,
}

/// An operation on a shared object of any kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// On a variable.
    Variable(variable::Operation),
    /// On a part of an array or record.
    Part(array::Part),
    /// On a channel with a buffer.
    Channel(channel::Operation),
    /// On a channel without one.
    Half(rendezvous::Half),
}

/// Whether two operations on the same object are dependent in some state (Definition 4.6).
pub fn can_be_dependent(a: &Operation, b: &Operation) -> bool {
    match (a, b) {
        (Operation::Variable(a), Operation::Variable(b)) => variable::can_be_dependent(*a, *b),
        (Operation::Part(a), Operation::Part(b)) => array::can_be_dependent(a, b),
        (Operation::Channel(a), Operation::Channel(b)) => channel::can_be_dependent(*a, *b),
        // Half a handshake is no transition: another half may be its partner or compete for it. And
        // a channel that only the state can tell may turn out to be rendezvous.
        _ => true,
    }
}
