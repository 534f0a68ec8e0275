//! Automata over infinite words.
//!
//! * [`automaton`]: transition-based generalized Büchi automata.
//! * [`translate`](fn@translate): from a formula of LTL with past to an automaton.

pub mod automaton;
mod bdd;
mod closure;
mod components;
mod graph;
mod hash;
mod tableau;
mod translate;
mod words;

pub use automaton::{Automaton, Cube, Edge, Label};
pub use translate::{TooLarge, translate};
pub use words::intersects;
