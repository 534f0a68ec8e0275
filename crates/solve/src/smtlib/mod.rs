//! SMT-LIB 2: the language that solvers share. A printer of queries, and a reader for the part of
//! it that we print.

pub(crate) mod expression;
mod print;
mod read;

pub use expression::{Expression, ParseError};
pub use print::{quoted, script, sort, term};
pub use read::{Script, read, read_term};
