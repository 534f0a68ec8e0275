//! The abstract against the concrete: a plain two-valued interpreter runs every model with few individuals, and each of its states
//! must be one that an abstract state stands for.

mod support;

use shapes::concrete::Concrete;
use shapes::crosscheck::{crosscheck, each_population};
use shapes::embed::Embedding;
use shapes::prepared::prepare;
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
        let (most, bounds) = if partial { (2, Bounds { states: 40, ..BOUNDS }) } else { (5, BOUNDS) };
        for join in joins.iter().copied() {
            let prepared = prepare(&model, &[]);
            let space = explore(&prepared, &Wish { join, ..Wish::default() }, &mut explore::Unwatched);
            // A model with a false promise must be refused, and this is how one sees that it is false.
            let refused = text(&name).contains("// expect: rejected");
            match crosscheck(&model, &prepared, &space, most, bounds) {
                Ok(checked) => assert!(checked.states > 0 && !refused, "{name}: nothing to look at"),
                Err(uncovered) => assert!(refused, "{name} {join:?}: {uncovered:?}"),
            }
        }
    }
}

/// Who ceases to be takes its tuples along: a promise that they would break is kept.
#[test]
fn who_leaves_breaks_no_promise() {
    let text = "predicate top(t, f) function\npredicate pr(f, g) function\nconstraint top(t, f) => !pr(g, f)\n\
        action push {\n  focus top(self, f)\n  new n\n  top(t, x) := (t == self ? x == n : top(t, x))\n  \
        pr(x, y) := pr(x, y) | x == n & top(self, y)\n}\n\
        action pop {\n  focus top(self, f) & pr(f, g)\n  when exists f. top(self, f)\n  \
        top(t, x) := (t == self ? (exists f. top(self, f) & pr(f, x)) : top(t, x))\n  retain x: !top(self, x)\n}\n\
        thread t {\n  l0: push -> l0\n  l0: pop -> l1\n  l1: pop -> l2\n}\ninitial {\n  node t: at[l0]\n}\n";
    let model = support::model_text(text);
    let prepared = prepare(&model, &[]);
    let space = explore(&prepared, &Wish::default(), &mut explore::Unwatched);
    assert!(space.is_complete() && space.taken.iter().all(|taken| *taken));
    let checked = crosscheck(&model, &prepared, &space, 1, BOUNDS);
    assert!(checked.is_ok_and(|c| c.states > 5));
}

/// 1 to 5 threads have 4, 11, 21, 34 and 50 states but for their order, and each of the 41 structures stands for one of them.
#[test]
fn every_structure_of_mutex_is_real() {
    let model = model("mutex.tvm");
    let prepared = prepare(&model, &[]);
    let space = explore(&prepared, &Wish::default(), &mut explore::Unwatched);
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
