//! The façade every front end uses: plain-data requests and results; files, the clock, interrupts
//! and processes live here.
//!
//! * [`question`], [`mod@answer`]: what is asked and what is answered; `numbers`: what that took.
//!   [`mod@check`]: text → system → search → certify → verdict.
//! * `subject`: a file of any kind, read, and the one way to ask something of it.
//! * [`model`]: a model read from files; `words`: what its text calls things. [`engine`]: the one
//!   place that calls the language, the engines and the certifier.
//! * [`mod@audit`]: weave held against itself. [`explain`]: why a reduction leaves out what it
//!   leaves out.
//! * `formula`: formulas that are not in the file.
//! * [`disk`]: a model searched with states on disk.
//! * [`temporal`]: properties of whole runs.
//! * `exclusive`: channel assertions (`xr`, `xs`) that a run violates.
//! * [`reduction`]: which partial-order reduction a check uses, and what it then decides about.
//! * [`job`]: a job under way: asked to stop from outside, noting where it stands. `cut`: the
//!   answer if it does not stop in time. [`listener`]: deadline and progress of a search.
//!   `verdict`: which verdict follows from what was found. `headline`: a violation in one line.
//! * [`report`]: a run as plain data for people; [`executor`] makes it by executing the run.
//! * [`programs`]: real programs, explored.
//! * [`shapes`]: any number of threads and objects (`.tvm`, `.java`).
//! * [`neighbourhood`]: the states around one. [`observed`]: where the automata of a formula stand
//!   along a run.
//! * `simulate`: random, guided and interactive runs. [`recording`]: a run as it is written to a
//!   file.
//! * [`kind`]: what kind of file something is, and which command is for it. [`input`]: standard
//!   input as a file.
//! * [`ltl`]: formulas of temporal logic on their own.
//! * [`transition`]: SPL programs and transition systems, state by state or with decision diagrams.
//! * [`prove`]: SPL programs and transition systems under the prover.
//! * `relational`: models under the engines of transition systems: decision diagrams and the
//!   prover.
//! * [`spin`]: the same model under SPIN, side by side. [`tools`]: which optional tools this
//!   machine has.
//!
//! ```
//! use workbench::ltl::{FormulaRequest, analyse};
//!
//! let request = FormulaRequest { text: "[] p -> <> p".into(), equivalent: None, syntax: None };
//! let analysis = analyse(&request).unwrap();
//! assert_eq!(analysis.propositions, ["p"]);
//! ```
#![warn(missing_docs)]

pub mod answer;
pub mod asking;
pub mod audit;
mod certificate;
pub mod check;
mod cut;
pub mod disk;
pub mod editing;
pub mod engine;
mod exclusive;
pub mod executor;
pub mod explain;
mod failure;
mod formula;
mod headline;
pub mod input;
pub mod job;
pub mod kind;
pub mod listener;
pub mod ltl;
pub mod model;
pub mod neighbourhood;
mod numbers;
pub mod observed;
pub mod programs;
pub mod prove;
pub mod question;
pub mod recording;
pub mod reduction;
mod relational;
pub mod report;
pub mod root;
pub mod shapes;
mod simulate;
pub mod spin;
mod subject;
pub mod temporal;
pub mod tools;
pub mod transition;
mod values;
mod verdict;
pub mod why;
mod words;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use answer::{
    Abstraction, Answer, CacheStatistics, Certificate, Countermodel, Decided, Derived, Diagrams, Errors,
    FullExpansion, FullExpansions, Kind, Losses, Numbers, Obligation, Pictures, Place, Proof, ProofNumbers,
    ReductionUsed, RunNumbers, SearchNumbers, Status, Unreached, Verdict, Violation,
};
pub use check::check;
pub use cut::{Asked, Cut};
pub use disk::DiskNumbers;
pub use executor::Executor;
pub use explore::Stop;
pub use failure::Failure;
pub use job::Board;
pub use listener::{Interrupt, Progress};
pub use logic::random;
pub use model::{Claim, Model, describe};
pub use question::{
    Define, Derive, DiskStore, Engine, Fairness, Keep, Limits, ModelRequest, Order, PROVING, ProofOptions,
    Proving, Question, Selection, ShapeOptions,
};
pub use recording::Recording;
pub use reduction::{PersistentSets, Proviso, REDUCTIONS, ReductionKind, ReductionRequest, Relation};
pub use report::{
    Actor, Awaited, Call, Ending, Exchange, Heap, HeapEdge, HeapNode, Location, Mark, Need, RaceSide, Report,
    ReportStep, Statement, Tie, Valued, Waiting,
};
pub use simulate::{Choice, Session};
pub use space::{Start, Step};
pub use subject::{Body, Subject, SubjectRequest, answer};
pub use values::{Change, Variable};
