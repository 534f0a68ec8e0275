//! Engines against definitions: the fast stepper, both search orders and every simplification must
//! say what the reference stepper says, on the corpus and on generated programs, and every run they
//! show must be accepted by the certifier.
//!
//! * `subjects`: the models that are compared. `slow`: everything reachable by the reference
//!   stepper, a plain loop.
//! * `fast`: the same numbers as the engines give them. `graph`: what an observer sees, and
//!   `brute`: formulas on it by their definition. The other modules are the comparisons.

mod atomic;
mod audit;
mod brute;
mod crowds;
mod damaged;
mod damaged_shapes;
#[path = "../../../explore/tests/emptiness/explicit.rs"]
mod explicit;
mod fast;
mod graph;
#[path = "../../../logic/tests/support/random.rs"]
mod random;
mod reduced;
mod relation;
mod relational;
mod runs;
mod selected;
mod shared;
mod siegel;
mod simplified;
mod slow;
mod stateless;
mod steppers;
mod subjects;
mod temporal;
mod threads;
