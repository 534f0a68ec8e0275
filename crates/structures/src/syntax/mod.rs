//! Formulas as text: `forall t. at[l](t) -> !(exists u. held_by(u, t))`.
//!
//! The language `.tvm` is made of them, annotations of other languages and formulas on the command
//! line are nothing else. So they are read here, below the languages: `tree`, what was written;
//! `parsing`, text to tree, which never fails; `lowering`, names and arities to a
//! [`Formula`](crate::formula::Formula) with numbers; `temporal`, formulas as atoms of temporal
//! logic.

mod lowering;
mod parsing;
mod temporal;
mod tree;

pub use lowering::{Lowering, Meaning, Scope};
pub use parsing::{Formulas, LANGUAGE, LEXICON, parse_formula};
pub use temporal::{closed, temporal};
pub use tree::{Expr, ExprKind, Ident, Name};
