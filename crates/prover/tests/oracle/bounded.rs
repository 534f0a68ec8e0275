//! Bounded model checking: what is found is a run by the definitions of a step and of truth, and
//! what holds has none.

use crate::support::{Program, breaks, model, program};
use prover::bounded::{Bounded, search};

fn searched(p: &Program, text: &str, steps: usize) -> Bounded {
    search(&p.judge(), &p.property(text), &[], (0, steps))
}

/// A run of at most some steps that violates a formula: its length, and where its loop begins.
#[track_caller]
fn broken(p: &Program, text: &str, steps: usize) -> (usize, Option<usize>) {
    let found = searched(p, text, steps);
    let run = found.run.unwrap_or_else(|| panic!("{text}: {:?} at {}", found.reason, found.steps));
    breaks(&p.fts, &run.given, &p.property(text).formula, &run.path);
    (run.path.states.len(), run.path.loop_start)
}

#[track_caller]
fn unbroken(p: &Program, text: &str, steps: usize) {
    let found = searched(p, text, steps);
    assert!(found.run.is_none() && found.reason.is_none(), "{text}: {found:?}");
}

#[test]
fn runs_are_the_shortest() {
    let p = model("bakery2");
    assert_eq!(broken(&p, "[]~(l3 /\\ m2)", 8), (6, None));
    assert_eq!(broken(&p, "l2 ==> ~m3 Awaits l3", 8).1, None);
    unbroken(&p, "[]~(l3 /\\ m3)", 6);
}

#[test]
fn lassos_are_fair() {
    let p = model("bakery2");
    // No process has to leave the noncritical section.
    assert!(broken(&p, "[]<> l3", 4).1.is_some());
    unbroken(&p, "l1 ==> <> l2", 5);
    let just = program("local b : bool where ~b  l0: while ~b do [ l1: skip or l2: b := true ]; l3: skip");
    assert!(broken(&just, "<> l3", 4).1.is_some());
}

/// A compassionate transition that is enabled again and again is taken.
#[test]
fn compassion_is_more_than_justice() {
    let text = |mutex: &str| {
        format!(
            "local s : int where s = 1
             P1:: [ loop forever do [ l1: {mutex}; l2: s := 1 ] ] || P2:: [ loop forever do [ m1: {mutex}; m2: s := 1 ] ]"
        )
    };
    let strong = program(&text("request s"));
    unbroken(&strong, "[]<> l2", 4);
    let weak = program(&text("< await s > 0; s := s - 1 >"));
    assert!(broken(&weak, "[]<> l2", 4).1.is_some());
}

/// Values of choices come from the model, however large they have to be.
#[test]
fn choices_take_their_values_from_the_model() {
    let p = program(
        "local x, y : int where x = 0, y = 0
         l0: choose x; l1: choose y; l2: when x + y = 1000 /\\ x - y = 24 do l3: skip; l4: skip",
    );
    assert_eq!(broken(&p, "[]~l3", 6).1, None);
    let p = program(
        "in n : int where n > 100  local x : int where x = n  l0: while x > 100 do l1: x := x - 1; l2: skip",
    );
    assert!(broken(&p, "[](~l2 \\/ n > 101)", 6).0 > 3);
}

/// Formulas of the past mean what the definition says.
#[test]
fn other_formulas() {
    let p = program("local x : int where x = 0  loop forever do [ l0: x := 1; l1: x := 0 ]");
    broken(&p, "[](l1 --> <-> (x = 2))", 4);
    broken(&p, "[](l0 --> (~) l1)", 4);
    unbroken(&p, "[](l1 --> <-> l0)", 4);
}
