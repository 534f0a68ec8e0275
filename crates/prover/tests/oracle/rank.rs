//! Ranks that are found: loops that end, one inside the other, with the help of fair transitions;
//! and loops that do not end.

use crate::support::{Program, program};
use logic::fol::Term;
use prover::generate::{Kind, generate};
use prover::rules::Target;
use prover::{Status, rank};

/// Whether a rank is found for `<> goal`, or why not.
fn ends(p: &Program, goal: &str) -> Result<(), String> {
    let prover::shape::Shape::Guarantee(q) = prover::shape::shape(&p.property(goal).formula).unwrap() else {
        panic!("{goal}")
    };
    let kinds = [&Kind::ALL[..], &[Kind::Pairs]].concat();
    let known = generate(&p.judge(), &kinds, &[]);
    let attempt = rank::ranked(
        &p.judge(),
        Target { from: &p.fts.initial, goal: &q, again: &[] },
        &Term::truth(true),
        &known,
    );
    if attempt.proved {
        assert!(attempt.obligations.iter().all(|o| o.status == Status::Proved));
        return Ok(());
    }
    Err(attempt.reason.unwrap_or_default())
}

#[test]
fn a_loop_that_counts_down_ends() {
    let p = program("local x : int  l0: while x > 0 do l1: x := x - 1; l2: skip");
    assert_eq!(ends(&p, "<> l2"), Ok(()));
    let p = program("local x : int  l0: while x > 0 do l1: x := x + 1; l2: skip");
    assert!(ends(&p, "<> l2").is_err());
}

#[test]
fn the_algorithm_of_euclid_ends() {
    let p = program(
        "in a, b : int where a > 0, b > 0
         local x, y : int where x = a, y = b
         l0: while x != y do
           l1: if x > y then l2: x := x - y else l3: y := y - x;
         l4: skip",
    );
    assert_eq!(ends(&p, "<> l4"), Ok(()));
}

/// The inner counter is set anew each time: two numbers, the outer first.
#[test]
fn a_loop_in_a_loop_has_a_pair_of_ranks() {
    let p = program(
        "in a : int where a >= 0
         local x, y, z : int where x = a, y = 0, z = 0
         l0: while x > 0 do [
           l1: x := x - 1;
           l2: choose z;
           l3: y := if z > 0 then z else 0;
           l4: while y > 0 do l5: y := y - 1
         ];
         l6: skip",
    );
    assert_eq!(ends(&p, "<> l6"), Ok(()));
    assert!(ends(&p, "<> (x < 0)").is_err());
}

/// Below ten anything may happen; above, the counter falls, and what is above stays until then.
#[test]
fn what_holds_until_the_goal_is_used() {
    let p = program(
        "in start : int where start >= 0
         local x : int where x = start
         P:: [ loop forever do [ l0: when x > 10 do x := x - 1 ] ] ||
         Q:: [ loop forever do [ m0: when x < 10 do x := x + 1 ] ]",
    );
    let (from, goal) = (p.assertion("x > 10"), p.assertion("x = 10"));
    let known = generate(&p.judge(), &Kind::ALL, &[]);
    let attempt =
        rank::ranked(&p.judge(), Target { from: &from, goal: &goal, again: &[] }, &Term::truth(true), &known);
    assert!(attempt.proved, "{:?}", attempt.reason);
}

/// One process goes round as long as it likes; the other is just, and gets on.
#[test]
fn a_just_transition_helps_beside_a_loop_without_end() {
    let p = program(
        "local x : int where x = 5
         P:: [ l0: while x > 0 do l1: x := x - 1; l2: skip :l3 ] ||
         Q:: [ loop forever do [ m0: noncritical; m1: skip ] ]",
    );
    assert_eq!(ends(&p, "<> l3"), Ok(()));
}

/// Whether a rank is found for a formula about what recurs or settles.
fn recurs(p: &Program, formula: &str) -> bool {
    let shape = prover::shape::shape(&p.property(formula).formula);
    let Some(prover::shape::Shape::Recurrence(found)) = shape else { panic!("{formula}: {shape:?}") };
    let known = generate(&p.judge(), &Kind::ALL, &[]);
    let from = found.from.unwrap_or_else(|| p.fts.initial.clone());
    let target = Target { from: &from, goal: &found.goal, again: &found.again };
    rank::ranked(&p.judge(), target, &Term::truth(true), &known).proved
}

#[test]
fn what_settles_and_what_recurs() {
    let p = program(
        "Transition System
type mode = {up, down}
local m : mode where m = up
local x : int where x = 0
Transition inc Just:
  enable m = up
  assign x := x + 1
Transition turn NoFairness:
  enable m = up
  assign m := down
Transition dec Just:
  enable m = down /\\ x > 0
  assign x := x - 1
Transition restart Just:
  enable m = down /\\ x = 0
  assign m := up",
    );
    assert!(recurs(&p, "[]<> (m = down) --> []<> (x = 0)"));
    assert!(!recurs(&p, "<>[] (m = up)"));
}
