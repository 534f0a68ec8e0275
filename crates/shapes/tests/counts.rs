//! The sizes of abstract spaces, exactly as the original 3VMC (repaired) and an independent
//! prototype have them.

mod support;

use shapes::abstracted::{Join, Space, Wish, explore};
use shapes::prepared::prepare;
use structures::model::Model;
use support::{model, model_text, text, variant};

fn space(model: &Model, join: Join) -> Space {
    let edges = join == Join::Relational;
    explore(&prepare(model, &[]), &Wish { join, edges, ..Wish::default() }, &mut explore::NoListener)
}

fn sizes(name: &str) -> (usize, usize) {
    let space = space(&model(name), Join::Relational);
    assert!(space.is_complete());
    (space.len(), space.distinct_edges())
}

#[test]
fn mutex() {
    assert_eq!(sizes("mutex.tvm"), (41, 122));
    let partial = space(&model("mutex.tvm"), Join::Partial);
    assert_eq!(partial.len(), 11);
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
        let prepared = prepare(&model(name), &[]);
        let one = |workers: usize| {
            let edges = join == Join::Relational;
            let wish = Wish { join, edges, workers, ..Wish::default() };
            explore(&prepared, &wish, &mut explore::NoListener)
        };
        let alone = one(1);
        for workers in 2..4 {
            let together = one(workers);
            assert!(alone.states().eq(together.states()), "{name}");
            assert!(alone.edges().eq(together.edges()), "{name}");
            assert!((0..alone.len()).all(|s| alone.way(s) == together.way(s)), "{name}");
            assert_eq!(alone.taken, together.taken, "{name}");
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
    assert_eq!(space.len(), 41);
}

#[test]
fn two_groups() {
    assert_eq!(sizes("mutex_two_groups.tvm").0, 41 * 41);
}

#[test]
fn created_for_ever() {
    let space = space(&model("mutex_created.tvm"), Join::Relational);
    assert_eq!((space.len(), space.edges().count()), (44, 172));
}

/// The prototype knows reachability only by the constraints that are written down.
#[test]
fn request_queues() {
    assert_eq!(sizes("request_queue.tvm"), (49, 56));
    assert_eq!(sizes("request_queue_two.tvm"), (9, 13));
    assert_eq!(sizes("request_queue_three.tvm"), (82, 256));
}

/// Handlers are parked, and the queue has two cells, or one.
#[test]
fn short_request_queues() {
    let long = text("request_queue.tvm");
    let (before, _) = long.split_once("initial long").unwrap();
    let of = |queue: &str| {
        let start = format!("{before}initial {{\n{queue}  node m: isthread, ready, at[m0]\n}}\n");
        let space = space(&model_text(&start), Join::Relational);
        (space.len(), space.distinct_edges())
    };
    let (ends, both) = ("rg[head], rg[curr]", "  node a: head, curr");
    assert_eq!(of(&format!("{both}, {ends}\n  node b: tail, {ends}\n  next(a, b)\n")), (6, 6));
    assert_eq!(of(&format!("{both}, tail, {ends}\n")), (1, 1));
}

/// With its definition, reachability is sharper: seven structures of the 49 stand for nothing.
#[test]
fn request_queues_with_defined_reachability() {
    assert_eq!(sizes("request_queue_defined.tvm"), (42, 46));
}

const BROKEN: (&str, &str) = ("& (!is_acquired(l) | held_by(l, self))", "");

/// Taken with the attribute, coerce discards every state with two holders, and nothing is found in
/// 41 structures.
#[test]
fn a_broken_lock_that_is_trusted() {
    let trusted = variant(&text("mutex.tvm"), &[BROKEN]);
    assert_eq!(space(&model_text(&trusted), Join::Relational).len(), 41);
}

/// The original updates `is_acquired` by hand, as if there were one holder. The update that follows
/// from the definition gives seven more.
#[test]
fn a_broken_lock_that_is_not() {
    assert_eq!(sizes("mutex_broken.tvm").0, 125);
    assert_eq!(sizes("mutex_broken_defined.tvm").0, 132);
}

/// The original needs 422 structures for its own model of one producer and one consumer, and does
/// not finish with any number of them.
#[test]
fn two_lock_queues() {
    let partial = |name: &str| space(&model(name), Join::Partial);
    let one = partial("two_lock_queue.tvm");
    assert!(one.is_complete() && one.len() == 125, "{}", one.len());
}

#[test]
fn wait_and_notify() {
    assert_eq!(sizes("buffer_notify.tvm").0, 104);
    assert_eq!(sizes("buffer_notify_all.tvm").0, 24);
}
