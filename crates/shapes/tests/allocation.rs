//! No allocation in the hot path: once its memory is there, expanding states allocates nothing.

mod support;

use shapes::abstracted::{Join, Stepper, Wish, explore};
use shapes::prepared::prepare;
use space::Stepper as _;
use support::{java, model};

/// Expands every state of a space again and again; how many steps the last round makes, and how
/// often it allocates. Structures are taken from a heap and put back, so it takes some rounds until
/// each is as large as it will ever be.
fn last_round(name: &str, join: Join) -> (u64, u64) {
    let model = if name.ends_with(".java") { java(name) } else { model(name) };
    let prepared = prepare(&model, &[]);
    let wish = Wish {
        join,
        edges: join == Join::Relational,
        limits: explore::Limits { states: Some(1_000), ..explore::Limits::default() },
        ..Wish::default()
    };
    let space = explore(&prepared, &wish, &mut explore::NoListener);
    let mut stepper = Stepper::new(&prepared, &wish);
    let mut edges = space::Edges::default();
    let mut all = || {
        let mut steps = 0;
        for state in space.recorded.states() {
            edges.clear();
            stepper.expand(state, &mut edges);
            steps += edges.tally[0];
        }
        steps
    };
    (0..5).for_each(|_| {
        all();
    });
    let mut steps = 0;
    let seen = allocation_counter::measure(|| steps = all());
    (steps, seen.count_total)
}

#[test]
fn steps_allocate_nothing() {
    for (name, join) in [
        ("mutex_two_groups.tvm", Join::Relational),
        ("request_queue_three.tvm", Join::Relational),
        ("two_lock_queue.tvm", Join::Partial),
        ("recursion.tvm", Join::Relational),
        ("ThreadPool.java", Join::Partial),
    ] {
        let (steps, allocations) = last_round(name, join);
        assert!(steps > 10, "{name}: {steps} steps");
        assert_eq!(allocations, 0, "{name}: {allocations} allocations in {steps} steps");
    }
}
