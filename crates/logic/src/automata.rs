//! Automata over infinite words.
//!
//! * [`automaton`]: transition-based generalized Büchi automata.
//! * [`translate`](fn@translate): from a formula of LTL with past to a small automaton; [`buchi`]:
//!   to one with one acceptance set.
//! * [`monitor`](fn@monitor): deterministic monitors for safety formulas.
//! * [`intersects`], [`Automaton::accepts`], [`Automaton::witness`]: words of automata.
//! * [`hoa`], [`mod@never`], [`dot`]: automata in files.
//!
//! The algorithms are described in `docs/internals/automata.md`; each file opens with its paper.

pub mod automaton;
mod bdd;
mod bisimulation;
mod boolean;
mod closure;
pub mod codes;
mod components;
mod degeneralize;
pub mod dot;
mod graph;
mod hash;
pub mod hoa;
mod monitor;
mod named;
pub mod never;
mod obligation;
mod powerset;
mod reduce;
mod simulation;
pub(crate) mod stutter;
mod tableau;
#[cfg(test)]
mod tests;
pub(crate) mod topology;
mod translate;
mod words;

pub use automaton::{Automaton, Cube, Edge, Label};
pub use degeneralize::On;
pub use monitor::{Monitor, closure_monitor, is_liveness, is_safety, monitor};
pub use named::Named;
pub use translate::{TooLarge, buchi, to_buchi, translate};
pub use words::intersects;
