//! What the thesis says about dependency in its examples.

#[path = "../../system/tests/support/thesis.rs"]
mod examples;

use examples::*;
use independence::footprint::{Footprint, footprints};
use objects::{Dependency, channel};

/// Whether two transitions use operations on one object that can be dependent.
fn related(a: &Footprint, b: &Footprint) -> bool {
    a.all().any(|x| {
        b.all().any(|y| x.target == y.target && objects::can_be_dependent(&x.operation, &y.operation))
    })
}

#[test]
fn example_5_1_has_two_independent_transitions() {
    let [a, b] = <[_; 2]>::try_from(footprints(&example_5_1().system)).unwrap();
    assert!(!related(&a[0], &b[0]), "t1 and t3 are independent");
    assert!(related(&a[0], &b[1]) && related(&a[1], &b[0]));
}

#[test]
fn example_4_30_needs_the_state() {
    let [a, b] = <[_; 2]>::try_from(footprints(&example_4_30().system)).unwrap();
    assert!(related(&a[0], &b[1]) && related(&a[0], &b[2]), "t1 against t4 and t5 for the static relations");
    use channel::Operation::*;
    let at = channel::View { n: 3, capacity: 5, row: true, column: true };
    let first = |o| channel::interferes(Dependency::Conditional, Receive, o, at);
    assert!(first(Receive) && first(Length) && first(Full));
    assert!(!first(Empty) && !first(Send));
}
