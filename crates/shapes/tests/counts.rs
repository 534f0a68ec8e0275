//! The sizes of abstract spaces, exactly as the original 3VMC (repaired) and an independent prototype have them.

mod support;

use shapes::model::Model;
use shapes::space::{Join, Space, Wish, explore};
use support::{model, model_text, text, variant};

fn space(model: &Model, join: Join) -> Space {
    let edges = join == Join::Relational;
    explore(&model.prepare(&[]), &Wish { join, edges, ..Wish::default() }, &mut explore::Unwatched)
}

fn sizes(name: &str) -> (usize, usize) {
    let space = space(&model(name), Join::Relational);
    assert!(space.is_complete());
    (space.states.len(), space.arrows())
}

#[test]
fn mutex() {
    assert_eq!(sizes("mutex.tvm"), (41, 122));
    let partial = space(&model("mutex.tvm"), Join::Partial);
    assert_eq!(partial.states.len(), 11);
}

/// The space is the same with any number of workers, edges and ways included.
#[test]
fn any_number_of_workers() {
    for (name, join) in [
        ("mutex_two_groups.tvm", Join::Relational),
        ("request_queue_three.tvm", Join::Relational),
        ("mutex_two_groups.tvm", Join::Partial),
        ("two_lock_queue.tvm", Join::Partial),
    ] {
        let prepared = model(name).prepare(&[]);
        let one = |workers: usize| {
            let edges = join == Join::Relational;
            let wish = Wish { join, edges, workers, ..Wish::default() };
            explore(&prepared, &wish, &mut explore::Unwatched)
        };
        let alone = one(1);
        for workers in 2..4 {
            let together = one(workers);
            assert_eq!(alone.states, together.states, "{name}");
            assert_eq!(alone.edges, together.edges, "{name}");
            assert_eq!((&alone.parents, &alone.taken), (&together.parents, &together.taken), "{name}");
            assert_eq!((alone.steps, alone.expanded), (together.steps, together.expanded), "{name}");
        }
    }
}

#[test]
fn mutex_without_blocked() {
    assert_eq!(sizes("mutex_plain.tvm"), (26, 72));
}

#[test]
fn mutex_without_is_acquired() {
    let plain = variant(
        &text("mutex.tvm"),
        &[
            ("derived is_acquired(l) = exists t. is_lock(l) & isthread(t) & held_by(l, t)\n", ""),
            ("!is_acquired(l)", "!(exists t. held_by(l, t))"),
            ("is_acquired(l)", "(exists t. held_by(l, t))"),
        ],
    );
    let space = space(&model_text(&plain), Join::Relational);
    assert_eq!(space.states.len(), 41);
}

#[test]
fn two_groups() {
    assert_eq!(sizes("mutex_two_groups.tvm").0, 41 * 41);
}

#[test]
fn created_for_ever() {
    let space = space(&model("mutex_created.tvm"), Join::Relational);
    assert_eq!((space.states.len(), space.edges.len()), (44, 172));
}

/// The prototype knows reachability only by the constraints that are written down.
#[test]
fn request_queues() {
    let undefined = [
        ("derived rg[head](o) = exists x. head(x) & next*(x, o)", "predicate rg[head](o)"),
        ("derived rg[curr](o) = exists x. curr(x) & next*(x, o)", "predicate rg[curr](o)"),
    ];
    let sizes = |name: &str| {
        let space = space(&model_text(&variant(&text(name), &undefined)), Join::Relational);
        (space.states.len(), space.arrows())
    };
    assert_eq!(sizes("request_queue.tvm"), (49, 56));
    assert_eq!(sizes("request_queue_two.tvm"), (9, 13));
    assert_eq!(sizes("request_queue_three.tvm"), (82, 256));
}

/// With its definition, reachability is sharper: seven structures of the 49 stand for nothing.
#[test]
fn request_queues_with_defined_reachability() {
    assert_eq!(sizes("request_queue.tvm"), (42, 46));
    assert_eq!(sizes("request_queue_two.tvm"), (9, 13));
    assert_eq!(sizes("request_queue_three.tvm"), (82, 256));
}

const BROKEN: (&str, &str) = ("& (!is_acquired(l) | held_by(l, self))", "");
const NO_FUNCTION: (&str, &str) = ("predicate held_by(l, t) function", "predicate held_by(l, t)");

/// Taken with the attribute, coerce discards every state with two holders, and nothing is found in 41 structures.
#[test]
fn a_broken_lock_that_is_trusted() {
    let trusted = variant(&text("mutex.tvm"), &[BROKEN]);
    assert_eq!(space(&model_text(&trusted), Join::Relational).states.len(), 41);
}

/// The original updates `is_acquired` by hand, as if there were one holder: 125. The update that follows from the definition: 132.
#[test]
fn a_broken_lock_that_is_not() {
    let honest = variant(&text("mutex.tvm"), &[BROKEN, NO_FUNCTION]);
    assert_eq!(space(&model_text(&honest), Join::Relational).states.len(), 132);
    let by_hand = variant(
        &honest,
        &[
            (
                "a == l & b == self\n  blocked(b, a) := blocked(b, a) &",
                "a == l & b == self\n  is_acquired(a) := is_acquired(a) | a == l\n  blocked(b, a) := blocked(b, a) &",
            ),
            (
                "& !(a == l & b == self)\n}",
                "& !(a == l & b == self)\n  is_acquired(a) := is_acquired(a) & a != l\n}",
            ),
        ],
    );
    assert_eq!(space(&model_text(&by_hand), Join::Relational).states.len(), 125);
}

/// The original needs 422 structures for its own model of one producer and one consumer, and does not finish with any number of them.
#[test]
fn two_lock_queues() {
    let partial = |name: &str| space(&model(name), Join::Partial);
    let one = partial("two_lock_queue.tvm");
    assert!(one.is_complete() && one.states.len() == 125, "{}", one.states.len());
}

#[test]
fn wait_and_notify() {
    assert_eq!(sizes("buffer_notify.tvm").0, 104);
    assert_eq!(sizes("buffer_notify_all.tvm").0, 24);
}
