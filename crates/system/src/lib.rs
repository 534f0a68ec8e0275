//! The waist of Everyweave: every way in becomes a [`System`], every engine reads one.
//!
//! A system is Godefroid's labelled formal concurrent system (thesis, chapter 2): processes with control points, shared
//! objects, and transitions `(pre, guard, command, post)` whose command is a sequence of operations on objects. Processes
//! may be created and may end, so a process is an instance of a [`Template`] in a slot. What is Promela's alone
//! (atomic, d_step, else, unless, provided, priorities, death in reverse order of birth) is a [`Discipline`] beside it.
//!
//! * [`model`]: the declarative description. [`discipline`]: Promela's rules over it.
//! * [`objects`]: what each operation on a shared object does, and which depend on each other. [`footprint`]: which of
//!   them a transition uses.
//! * [`independence`]: which steps of a state's processes are independent, for partial-order reduction.
//! * [`state`], [`evaluate`], [`execute`], [`mod@reference`]: the one slow, obviously right stepper.
//! * [`property`]: what can be asked of runs.
//! * [`run`], [`replay`], [`differences`]: finite and lasso traces, their states, what changes in a step.
//! * [`fts`]: fair transition systems with symbolic guards, updates and parameters, beside it.
//! * [`thesis`]: the thesis' examples, for tests. [`stepper`]: what a fast stepper offers to a search.

pub mod differences;
pub mod discipline;
pub mod evaluate;
pub mod execute;
pub mod fault;
pub mod footprint;
pub mod fts;
pub mod independence;
pub mod model;
pub mod objects;
mod printing;
pub mod property;
pub mod reference;
pub mod replay;
pub mod run;
pub mod state;
pub mod stepper;
pub mod thesis;

pub use discipline::{Choice, Discipline, PointRules, TemplateRules, Tier};
pub use fault::Fault;
pub use model::*;
pub use property::{Fairness, Meaning, Property};
pub use reference::{Move, Reference};
pub use run::{Ending, Run, Step};
pub use state::{Process, State, Value};
