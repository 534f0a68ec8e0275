//! The examples of the STeP tutorial, row by row: which conditions there are, which fail, and under
//! which background.
//!
//! Backgrounds are given by hand here, as the tutorial has them; what is generated is tried in
//! `generated.rs`.

mod abstraction;
mod bakery2;
mod bakery_n;
mod bounded;
mod clauses;
mod diagrams;
mod generated;
mod history;
mod induction;
mod mutated_diagrams;
mod pdr;
mod rank;
mod respond;
mod session;
mod support;
