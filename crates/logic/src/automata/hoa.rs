//! The Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015).
//!
//! Written: Büchi and generalized Büchi automata with labels on edges, acceptance on states where
//! all edges of a state agree. Read: any number of automata in one text, with labels on edges or
//! states, explicit or implicit, aliases, several initial states, and every acceptance condition
//! without `Fin`, which is generalized Büchi in disguise. Alternation and conditions with `Fin` are
//! refused, each with a diagnostic that says what it is.

mod condition;
mod labels;
mod read;
mod write;

pub use read::read;
pub use write::write;
