//! The abstract against the concrete: a plain two-valued interpreter runs every model with few individuals, and each of its states
//! must be one that an abstract state stands for.

mod support;

use shapes::concrete::Concrete;
use shapes::crosscheck::{crosscheck, each_population};
use shapes::embed::Embedding;
use shapes::runs::Bounds;
use shapes::space::{Join, Wish, explore};
use support::{model, names, text};

const BOUNDS: Bounds = Bounds { states: 1_500, individuals: 8 };

#[test]
fn every_concrete_state_of_every_model_is_covered() {
    // Programs in Java are looked at when they are reduced (tests/reduction.rs); the queue of many has thousands of structures, and
    // the one without a lock, whose search ends at its first violation, many more.
    let large = |name: &str| name.contains("_queue_many") || name.contains("_queue_broken");
    for name in names().into_iter().filter(|n| n.ends_with(".tvm") && !large(n)) {
        let model = model(&name);
        // A model that asks for partial join has too many states without it.
        let partial = text(&name).contains("--join partial");
        let joins = if partial { &[Join::Partial][..] } else { &[Join::Relational, Join::Partial] };
        let (most, bounds) = if partial { (2, Bounds { states: 40, ..BOUNDS }) } else { (4, BOUNDS) };
        for join in joins.iter().copied() {
            let mut prepared = model.prepare(&[]);
            let space = explore(&mut prepared, &Wish { join, ..Wish::default() }, &mut explore::Unwatched);
            // A model with a false promise must be refused, and this is how one sees that it is false.
            let refused = text(&name).contains("// expect: rejected");
            match crosscheck(&model, &prepared, &space, most, bounds) {
                Ok(checked) => assert!(checked.states > 0 && !refused, "{name}: nothing to look at"),
                Err(uncovered) => assert!(refused, "{name} {join:?}: {uncovered:?}"),
            }
        }
    }
}

/// 1 to 5 threads have 4, 11, 21, 34 and 50 states but for their order, and each of the 41 structures stands for one of them.
#[test]
fn every_structure_of_mutex_is_real() {
    let model = model("mutex.tvm");
    let mut prepared = model.prepare(&[]);
    let space = explore(&mut prepared, &Wish::default(), &mut explore::Unwatched);
    let mut sizes = Vec::new();
    let mut real = vec![false; space.states.len()];
    let layout = prepared.vocabulary.layout();
    each_population(&model, &prepared, 5, BOUNDS, &mut |concrete: &Concrete<'_>, runs| {
        assert!(runs.complete);
        sizes.push(runs.states.len());
        let embedding = Embedding { concrete, layout };
        for (real, s) in real.iter_mut().zip(&space.states) {
            *real |= runs.states.iter().any(|state| embedding.covers(s, state));
        }
        false
    });
    assert_eq!(sizes, [4, 11, 21, 34, 50]);
    assert!(real.iter().all(|real| *real));
}
