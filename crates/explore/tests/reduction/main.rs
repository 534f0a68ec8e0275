//! Reduction against the definitions of the thesis, on systems small enough to try everything,
//! stepped by the reference stepper.

mod audit;
mod definitions;
#[path = "../../../system/tests/support/thesis.rs"]
mod examples;
mod inclusions;
mod random;
mod slow;
mod thesis;
