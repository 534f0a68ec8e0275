//! Descriptions of concurrent systems: what a language becomes and an engine reads.
//!
//! A system is Godefroid's labelled formal concurrent system (thesis, chapter 2): processes with
//! locations, shared objects, and transitions `(pre, guard, command, post)` whose command is a
//! sequence of operations on objects. Processes may be created and may end, so a process is an
//! instance of a [`ProcessType`] in a slot. What is Promela's alone (atomic, d_step, else, unless,
//! provided, priorities, death in reverse order of creation) is a [`Scheduling`] beside it.
//!
//! * `model`: the declarative description. [`scheduling`]: Promela's rules over it.
//! * [`state`], [`evaluate`], [`execute`], `reference`: the one slow, obviously right
//!   stepper.
//! * [`property`]: what can be asked of runs.
//! * [`fts`]: fair transition systems with symbolic guards, updates and parameters, beside it.
//! * [`walk`]: everything that a system reads.
//!
//! ```
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
//! let first = system::fts::step::initial(&fts, &Default::default()).unwrap();
//! let next = system::fts::step::successors(&fts, &Default::default(), &first[0]).unwrap();
//! assert_eq!(next[0].1, [logic::fol::Value::int(1)]);
//! ```

#![warn(missing_docs)]

pub mod evaluate;
pub mod execute;
mod fault;
pub mod fts;
mod meaning;
mod model;
mod printing;
pub mod property;
mod reference;
pub mod scheduling;
pub mod state;
pub mod walk;

pub use fault::Fault;
pub use model::*;
pub use property::{Meaning, Property};
pub use reference::{Move, Reference};
pub use scheduling::{Choice, LocationRules, ProcessRules, Scheduling, Tier};
pub use state::{Process, State, Value};
