//! Automata over infinite words.
//!
//! * [`automaton`]: transition-based generalized Büchi automata.

pub mod automaton;

pub use automaton::{Automaton, Cube, Edge, Label};
