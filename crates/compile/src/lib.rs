//! Finite systems as packed bytes and bytecode: the fast [`space::Stepper`].
//!
//! * [`layout`]: where each object lives in a packed state; refuses what is not finite.
//! * `emit`, `transition`: terms and transitions to the bytecode of `code`; `constant`: what is
//!   known at compile time.
//! * `machine`: executes bytecode on a packed state. `rules`, `enabled`: which transitions to try.
//!   `worker`: all successors of a state. [`program`]: the stepper. `selective`: what reduction
//!   asks of a packed state. [`locals`]: which local states were met.
//! * [`relation`]: fair transition systems as a stepper. [`relational`]: systems as fair transition
//!   systems.
//! * [`simplify`]: smaller systems with the same verdicts.
//!
//! ```
//! use compile::relation::{Asked, Relation, unpacked};
//! use space::{Edges, Stepper};
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
//! let mut stepper = Relation::new(&fts, &Default::default(), &Asked::default());
//! let (mut first, mut next) = (Edges::default(), Edges::default());
//! stepper.initial(&mut first);
//! stepper.expand(first.get(0), &mut next);
//! assert_eq!(unpacked(&fts, next.get(0)), [logic::fol::Value::int(1)]);
//! ```
#![warn(missing_docs)]

mod atomic;
mod channels;
mod code;
mod constant;
mod emit;
mod enabled;
pub mod layout;
mod ledger;
pub mod locals;
mod machine;
mod pending;
mod pids;
mod place;
pub mod program;
mod record;
pub mod relation;
pub mod relational;
mod rules;
mod selective;
pub mod simplify;
mod tables;
mod transition;
mod worker;

pub use layout::NotFinite;
pub use ledger::Ledger;
pub use program::Program;
