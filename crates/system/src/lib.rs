//! Descriptions of concurrent systems: what a language becomes and an engine reads.
//!
//! A system is Godefroid's labelled formal concurrent system (thesis, chapter 2): processes with
//! control points, shared objects, and transitions `(pre, guard, command, post)` whose command is a
//! sequence of operations on objects. Processes may be created and may end, so a process is an
//! instance of a [`Template`] in a slot. What is Promela's alone (atomic, d_step, else, unless,
//! provided, priorities, death in reverse order of birth) is a [`Discipline`] beside it.
//!
//! * [`model`]: the declarative description. [`discipline`]: Promela's rules over it.
//! * [`state`], [`evaluate`], [`execute`], [`mod@reference`]: the one slow, obviously right
//!   stepper.
//! * [`property`]: what can be asked of runs.
//! * [`differences`]: what changes in a step.
//! * [`fts`]: fair transition systems with symbolic guards, updates and parameters, beside it.
//! * [`walk`]: everything that a system reads.

pub mod differences;
pub mod discipline;
pub mod evaluate;
pub mod execute;
pub mod fault;
pub mod fts;
mod meaning;
pub mod model;
mod printing;
pub mod property;
pub mod reference;
pub mod state;
pub mod walk;

pub use discipline::{Choice, Discipline, PointRules, TemplateRules, Tier};
pub use fault::Fault;
pub use model::*;
pub use property::{Meaning, Property};
pub use reference::{Move, Reference};
pub use state::{Process, State, Value};
