//! The waist of Everyweave: what every description offers and every engine reads.
//!
//! * [`stepper`]: packed states and the edges between them, for searches. [`edges`]: the edges out
//!   of one state.
//!   [`trace`]: what the step of an actor depends on.
//! * [`mod@reference`]: what a description means, on plain values; it decides about runs.
//! * [`fairness`]: requirements of runs; an edge asks for a requirement and meets it.
//! * [`run`]: finite runs and lassos, as the steps taken.
//!
//! ```
//! use space::{Edges, Fault, Label, Rest, Step, Stepper, Which};
//!
//! /// Counts to three.
//! struct Counter;
//!
//! impl Stepper for Counter {
//!     fn initial(&mut self, out: &mut Edges) {
//!         out.push(&[0], Label::default());
//!     }
//!
//!     fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
//!         if state[0] == 3 {
//!             return Rest::Terminated;
//!         }
//!         out.push(&[state[0] + 1], Label::default());
//!         Rest::Enabled
//!     }
//!
//!     fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
//!         Some(vec![Step::IDLE])
//!     }
//!
//!     fn describe(&self, _: Fault) -> String {
//!         String::new()
//!     }
//! }
//!
//! let mut edges = Edges::default();
//! Counter.expand(&[2], &mut edges);
//! assert_eq!(edges.get(0), &[3]);
//! ```

#![warn(missing_docs)]

pub mod edges;
pub mod fairness;
pub mod reference;
pub mod run;
pub mod stepper;
pub mod trace;

pub use edges::{Edges, Fault, FaultAt, Label};
pub use fairness::{Fairness, Requirement};
pub use reference::{Move, Reference};
pub use run::{Ending, Path, Run, Start, Step};
pub use stepper::{Cut, Joins, Observer, Rest, Stepper, Undefined, Which};
pub use trace::Trace;
