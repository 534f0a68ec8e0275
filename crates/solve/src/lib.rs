//! Is this formula valid? One interface, [`Solver`], over the formulas of [`logic::fol`].
//!
//! * `answer`: what is asked and answered. `model`: countermodels.
//! * [`mod@simplify`]: an equivalent formula that is simpler. `engine`: the embedded engine,
//!   [`Embedded`]; [`sat`], its search for an assignment that makes clauses true.
//! * [`smtlib`]: SMT-LIB 2 text. `external`: z3 and cvc5 in processes of their own.
//!
//! Bounds of quantifiers become guards where a question comes in; nothing inside meets one.
//!
//! ```
//! use logic::fol::{Sort, Symbol, Term};
//! use solve::{Assumption, Embedded, Options, Solver};
//!
//! let [x, y] = ["x", "y"].map(|name| Symbol::constant(name, Sort::Int).term());
//! let known = Assumption::new("order", Term::lt(x.clone(), y.clone()));
//! let goal = Term::le(x.plus(&Term::int(1)), y);
//! assert!(Embedded::default().check(&[known], &goal, &Options::default()).is_valid());
//! assert!(Embedded::default().check(&[], &goal, &Options::default()).is_invalid());
//! ```

#![warn(missing_docs)]

mod answer;
mod engine;
mod external;
mod model;
pub mod simplify;
pub mod smtlib;

pub use answer::{Answer, Assumption, Options, Solver};
pub use engine::{Embedded, sat};
pub use external::External;
pub use model::{Model, Table};
pub use simplify::{Flags, Rule, Simplifier, simplify};
