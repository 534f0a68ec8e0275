//! Partial-order reduction: which steps need not be explored.
//!
//! After Godefroid's thesis, chapters 4 to 6. [`persistent`]: sets of steps that nothing outside of them disturbs. [`sleep`]:
//! steps that were explored already in another order. [`selective`]: the search that uses both. [`audit`]: whether what they
//! rely on is true, by execution. [`explain`]: why a set is what it is.

pub mod audit;
pub mod explain;
pub mod persistent;
pub mod selective;
pub mod sleep;

pub use selective::{Reduction, selective_search};
