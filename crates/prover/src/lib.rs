//! Verification conditions, rules, invariant generation and proof scripts for fair transition
//! systems.
//!
//! After the STeP tutorial. `condition` makes verification conditions by substitution, `discharge`
//! asks a solver, [`rules`] are the rules that need no search, [`strengthen`] those that do.
//! [`generate`] finds invariants bottom-up, checked by `houdini`; [`pdr`] finds them from the
//! property. `induction` is k-induction and [`bounded`] looks for runs of bounded length, both over
//! copies of the state (`unroll`). [`history`] keeps the past in auxiliary variables. `session`
//! runs the proofs of a file or the strategies of `auto`, and keeps what is known.
//!
//! ```
//! use logic::fol::{Sort, Symbol};
//! use logic::ltl::{Formula, Unary};
//! use prover::shape::{Shape, shape};
//!
//! let p = Symbol::constant("p", Sort::Bool).term();
//! let always = Formula::unary(Unary::Always, Formula::Atom(p.clone()));
//! assert!(matches!(shape(&always), Some(Shape::Invariance(found)) if found == p));
//! ```

#![warn(missing_docs)]

pub mod abstraction;
mod auto;
pub mod axioms;
pub mod bounded;
pub mod clauses;
mod condition;
pub mod consistent;
pub mod diagram;
mod discharge;
pub mod generate;
pub mod history;
mod houdini;
mod induction;
mod instance;
pub mod pdr;
mod polyhedron;
pub mod rank;
pub mod repeat;
mod respond;
pub mod rules;
mod sanity;
mod script;
mod session;
pub mod shape;
pub mod small;
pub mod strengthen;
mod unroll;
mod words;

pub use auto::Method;
pub use condition::{Condition, Lemma, wlpc};
pub use discharge::{Asked, Countermodel, Judge, OUT_OF_TIME, Obligation, Status};
pub use session::{Effort, Findings, How, Outcome, Session, Warning, generalized};
pub use words::labelled;
