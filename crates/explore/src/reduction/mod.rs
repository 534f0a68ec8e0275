//! Partial-order reduction: which steps need not be explored.
//!
//! After Godefroid's thesis, chapters 4 to 7. [`persistent`]: sets of steps that nothing outside of
//! them disturbs. [`sleep`]: steps that were explored already in another order. [`selective`]: the
//! search that uses both, and [`Patience`] when it gives up. [`reduced`]: a system with fewer steps
//! that has the same runs but for stuttering, for properties of runs; `choices` remembers its
//! steps, `order` keeps cycles out. [`audit`]: whether what they rely on is true, by execution.
//! [`explain`]: why a set is what it is.

pub mod audit;
mod choice;
mod choices;
mod components;
pub mod explain;
mod marks;
mod order;
mod patience;
pub mod persistent;
pub mod reduced;
pub mod selective;
pub mod sleep;
mod stack;

pub use patience::Patience;
pub use reduced::{Reduced, ReductionListener, Shared};
pub use selective::{Proviso, Reduction, selective_search};
