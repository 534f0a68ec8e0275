//! Partial-order reduction: which steps need not be explored.
//!
//! After Godefroid's thesis, chapters 4 to 6. [`persistent`]: sets of steps that nothing outside of them disturbs. [`sleep`]:
//! steps that were explored already in another order. [`selective`]: the search that uses both.

mod choice;
pub mod persistent;
pub mod selective;
pub mod sleep;
mod stack;

pub use selective::{Proviso, Reduction, selective_search};
