//! Never claims, as SPIN writes them: one label for each state, and what it does as guarded gotos.
//!
//! ```text
//! never {
//! T0_init:
//!     do
//!     :: (p && !q) -> goto accept_S1
//!     :: (1) -> goto T0_init
//!     od;
//! accept_S1: …
//! accept_all:
//!     skip
//! }
//! ```
//!
//! States whose label begins with `accept` are accepting, and the end of the claim accepts
//! everything. Claims written by hand, with statements of their own, are the business of the
//! language they are written in.

mod read;
mod write;

pub use read::read;
pub use write::write;
