//! The object library checked exhaustively on small domains against the definitions of the thesis.

mod array;
mod channel;
mod definitions;
mod rendezvous;
mod variable;
