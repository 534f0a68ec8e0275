//! Is this formula valid? One interface, [`Solver`], over sorted first-order formulas.
//!
//! * [`term`], [`sort`]: formulas. They are a type of their own, not `logic::Term`: those are what systems execute
//!   (untyped, C's truth values, reads of places as atoms), these are what is proved (sorted, with quantifiers and theories).
//!   `docs/decisions/0020-formulas-of-their-own.md` says more.
//! * [`answer`]: what is asked and answered. [`model`], [`mod@evaluate`]: countermodels, and what a term is worth in one.
//! * [`mod@simplify`]: an equivalent formula that is simpler. [`engine`]: the embedded engine, [`Embedded`];
//!   [`sat`], its search for an assignment that makes clauses true.
//! * [`smtlib`]: SMT-LIB 2 text. [`external`]: z3 and cvc5 in processes of their own. [`portfolio`]: all of them.
//! * [`orders`]: partial and well-founded orders, as axioms.

pub mod answer;
pub mod engine;
pub mod evaluate;
pub mod external;
pub mod model;
pub mod orders;
pub mod portfolio;
pub mod simplify;
pub mod smtlib;
pub mod sort;
mod sorting;
pub mod substitute;
pub mod term;

pub use answer::{Answer, Assumption, Options, Solver};
pub use engine::{Embedded, sat};
pub use evaluate::evaluate;
pub use external::External;
pub use model::{Model, Table, Value};
pub use portfolio::Portfolio;
pub use simplify::{Flags, Rule, Simplifier, simplify};
pub use sort::{Constructor, Datatype, Sort};
pub use substitute::{free_symbols, is_ground, substitute};
pub use term::{Op, Rational, SortError, Symbol, Term};
