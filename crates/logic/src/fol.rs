//! First-order logic: one language for systems, for what is proved of them, and for the solver.
//!
//! * `sort`, `term`: sorts and terms, formulas being terms of sort `Bool`. `build`: constructors.
//!   `sorting`: which sort a term has.
//! * `folded`: constructors that work out what constants decide. `defined`: program expressions as
//!   terms.
//! * `substitute`: free symbols, substitution, bounds of quantifiers as guards.
//! * `value`, `evaluate`: values, and the value of a term under an [`Interpretation`]. `bits`: of
//!   bit-vectors.
//! * `print`: STeP's ASCII.
//!
//! Terms are total and sorted: an integer among reals stands under [`Op::ToReal`], and what does
//! not fit has no sort. Expressions of programs, which may fault, are [`logic::Term`](crate::Term),
//! a type of their own; `docs/decisions/0023-one-first-order-language.md` says why.

mod bits;
mod build;
mod defined;
mod evaluate;
mod folded;
mod print;
mod sort;
mod sorting;
mod substitute;
mod term;
mod value;

pub use defined::{Defined, NoTerm, Reads, defined, wrapped};
pub use evaluate::{
    BITS, Interpretation, constructed, domain, evaluate, evaluate_under, holds, junction, values_of,
};
pub use sort::{Constructor, Datatype, Sort};
pub use substitute::{free_symbols, guarded, is_ground, rebuild, substitute};
pub use term::{Binder, Named, Op, Quantifier, Rational, SortError, Symbol, Term};
pub use value::{ArrayValue, Value};
