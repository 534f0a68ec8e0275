//! Re-checks what engines claim, with nothing but the references of descriptions. No unsafe, no
//! cleverness.
//!
//! ```
//! use certify::proof::Certifier;
//! use system::fts::Evidence;
//! use logic::fol::{Sort, Symbol, Term};
//! use system::fts::{Branch, Fairness, Fts, Mode, Transition, Variable};
//!
//! // x counts to two.
//! let x = Symbol::constant("x", Sort::Int);
//! let (mode, span) = (Mode::Local, source::Span::default());
//! let count = Branch {
//!     guard: Term::lt(x.term(), Term::int(2)),
//!     chosen: Vec::new(),
//!     choice: Term::truth(true),
//!     updates: vec![(x.clone(), x.term().plus(&Term::int(1)))],
//! };
//! let (name, text) = ("count".to_string(), String::new());
//! let (parameters, fairness, branches) = (Vec::new(), Fairness::Weak, vec![count]);
//! let fts = Fts {
//!     variables: vec![Variable { symbol: x.clone(), mode, range: None, span }],
//!     initial: Term::eq(x.term(), Term::int(0)),
//!     transitions: vec![Transition { name, parameters, branches, fairness, text, span }],
//!     ..Fts::default()
//! };
//!
//! // Who says what is valid is given from outside; this one never agrees.
//! let none = |_: &[Term], _: &[Term], _: &Term| false;
//! let claim = Term::le(x.term(), Term::int(2));
//! let evidence = Evidence::Inductive(vec![claim.clone()]);
//! assert!(Certifier::new(&fts, &none).lemma(&claim, &evidence).is_err());
//! ```

#![warn(missing_docs)]

mod closed;
mod empty;
pub mod proof;
mod property;
mod reading;
mod replay;
mod safety;

pub use closed::{Forbidden, NotClosed, closed};
pub use empty::{NotEmpty, Numbered, Ranked, Ranking, Reason, empty, unobserved_cycle};
pub use property::{Asked, NoViolation, confirms, violates};
pub use reading::{Edge, Node, Reading};
pub use replay::{Because, Rejection, Replayed, replay, through};
