//! Automata over infinite words.
//!
//! * [`automaton`]: transition-based generalized Büchi automata.
//! * [`translate`](fn@translate): from a formula of LTL with past to an automaton.

pub mod automaton;
mod bdd;
mod bisimulation;
mod closure;
mod components;
mod degeneralize;
mod graph;
mod hash;
mod obligation;
mod powerset;
mod reduce;
mod simulation;
mod tableau;
mod translate;
mod words;

pub use automaton::{Automaton, Cube, Edge, Label};
pub use degeneralize::On;
pub use translate::{TooLarge, buchi, translate};
pub use words::intersects;
