//! Search over any [`space::Stepper`]: orders, the exact store, limits, runs that show a violation.
//!
//! * [`mod@search`]: depth-first and breadth-first search of everything reachable. [`store`]: the
//!   set of states seen.
//!   [`levels`]: breadth-first search by several workers.
//! * [`disk`]: breadth-first search with states on disk, which can be interrupted and go on later.
//! * [`reduction`]: partial-order reduction. [`emptiness`]: is there an infinite run that is
//!   accepted and fair?
//! * [`product`]: the runs of a system that an automaton accepts. [`monitored`]: a system watched
//!   for a safety property.
//! * [`swarm`](mod@swarm): many searches that differ, where memory is too small for one.
//! * [`recorded`]: a search that keeps its states, with several workers.
//! * [`stateless`]: search without a store: every run is executed anew. For programs, and for
//!   anything else that can be run again.
//! * [`limits`]: how much a search may use, and how it tells of its progress. [`report`]: what it
//!   found.
//!
//! ```
//! use explore::{Options, NoListener, search};
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
//! let report = search(&mut Counter, &Options::default(), &mut NoListener);
//! assert_eq!((report.states, report.violations.len()), (4, 0));
//! ```
#![warn(missing_docs)]

pub mod disk;
pub mod emptiness;
mod findings;
pub mod levels;
pub mod limits;
#[allow(clippy::too_many_arguments, reason = "the innermost loop fills buffers of its caller")]
mod memo;
pub mod monitored;
mod parents;
pub mod product;
pub mod recorded;
pub mod reduction;
pub mod report;
pub mod search;
pub mod stateless;
pub mod store;
pub mod swarm;
#[cfg(test)]
mod tangle;

pub use disk::{DiskReport, search_on_disk};
pub use levels::{Sharing, parallel_search, parallel_search_by};
pub use limits::{Limits, Listener, NoListener, Progress, Stop};
pub use reduction::{Patience, Proviso, Reduction, selective_search};
pub use report::{FullExpansions, Report, Violation};
pub use search::{Options, Order, search};
pub use store::Keep;
pub use store::cache::CacheStatistics;
pub use store::lossy::Losses;
pub use swarm::{Swarm, swarm};
