//! Symbolic model checking: sets of states as binary decision diagrams.
//!
//! After Burch, Clarke, McMillan, Dill and Hwang (1992) for sets and images, and Kesten, Pnueli and
//! Raviv (*Algorithmic verification of linear temporal logic specifications*, 1998) for temporal
//! testers and the fixpoint of fair runs. A system has finitely many states if the search says so:
//! domains grow until no step leaves them.
//!
//! * [`Search`]: the reachable states of a fair transition system, and what is asked of them.
//! * [`satisfying`]: whether some word satisfies a formula, without a system.
//!
//! ```
//! use logic::ltl::{Binary, Formula, Unary};
//! use symbolic::{Options, satisfying};
//!
//! let p = || Formula::Atom(0);
//! let never = Formula::unary(Unary::Always, Formula::negation(p()));
//! let both = Formula::binary(Binary::And, never, Formula::unary(Unary::Eventually, p()));
//! let found = satisfying(&both, 1, &Options::default(), &|_| true);
//! assert!(found.is_ok_and(|word| word.is_none()));
//! ```

#![warn(missing_docs)]

mod answer;
mod build;
mod diagram;
mod encode;
mod feasible;
mod lasso;
mod layout;
mod machine;
mod order;
mod product;
mod search;
mod term;
mod tester;

pub use answer::satisfying;
pub use diagram::{Ask, NoAnswer};
pub use search::{Options, Search};
