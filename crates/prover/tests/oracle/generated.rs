//! Generated invariants include those of the tutorial, and the strategies prove its properties
//! without a hint.

use crate::support::{model, program};
use prover::generate::{Kind, generate};
use prover::{Effort, Session};

#[test]
fn the_bakerys_invariants_are_found() {
    let p = model("bakery2");
    let found = generate(&p.judge(), &Kind::ALL, &[]);
    for text in [
        "y1 >= 0",
        "y2 >= 0",
        "l{0,1} --> y1 = 0",
        "m{0,1} --> y2 = 0",
        "l0 + l1 + l2 + l3 + l4 = 1",
        "m0 + m1 + m2 + m3 + m4 = 1",
        "l{2,3,4} --> y1 > 0",
        "m{2,3,4} --> y2 > 0",
        "l{1,4} \\/ l0 /\\ y1 = 0 \\/ l2 /\\ y1 = y2 + 1 \\/ l3 /\\ (y1 <= y2 \\/ y2 = 0) \\/ m3 /\\ (y2 < y1 \\/ y1 = 0) \
         \\/ m{1,4} \\/ m0 /\\ y2 = 0 \\/ m2 /\\ y2 = y1 + 1",
    ] {
        assert!(p.implied(&found, text), "{text}");
    }
}

#[test]
fn the_semaphores_equation_is_found() {
    let p = model("mux_sem");
    let found = generate(&p.judge(), &[Kind::Linear], &[]);
    assert!(p.implied(&found, "l2 + l3 + m2 + m3 + r = 1"));
}

/// Relations between variables that no template has.
#[test]
fn inequalities_are_found() {
    let p = program(
        "local x, y : int where x = 0, y = 0
         P:: [ loop forever do [ l0: x := x + 2; l1: y := y + 1; l2: await y <= 10; l3: skip ] ]",
    );
    let found = generate(&p.judge(), &[Kind::Polyhedral], &[]);
    for text in ["x >= y", "l1 --> x >= y + 1", "l3 --> y <= 10", "y >= 0"] {
        assert!(p.implied(&found, text), "{text}: {found:#?}");
    }
}

/// Tests and assignments are known as far as they are carried, with any operator.
#[test]
fn what_was_tested_and_assigned_is_carried() {
    let p = program(
        "local x, y, m : int where x = 0, y = 9
         P:: [ l0: while x < y do [ l1: m := (x + y) div 2; l2: skip; l3: x := m + 1; l4: choose m ]; l5: skip ]",
    );
    let found = generate(&p.judge(), &[Kind::Carried], &[]);
    for text in ["l{1,2,3} --> x < y", "l{2,3} --> m = (x + y) div 2", "l4 --> x = m + 1", "l5 --> x >= y"] {
        assert!(p.implied(&found, text), "{text}: {found:#?}");
    }
    assert!(!p.implied(&found, "l0 --> x < y"));
    let p = program(
        "local y : array [1..3] of int
         ||[i:1..3] P[i]:: [ l0: await y[i] > 0; l1: y[i] := 5; l2: skip ]",
    );
    let found = generate(&p.judge(), &[Kind::Carried], &[]);
    for text in ["Forall i:[1..3]. l1[i] --> y[i] > 0", "Forall i:[1..3]. l2[i] --> y[i] = 5"] {
        assert!(p.implied(&found, text), "{text}: {found:#?}");
    }
}

#[test]
fn local_invariants_of_replicated_processes_are_found() {
    let p = model("bakery_n");
    let axioms: Vec<prover::Lemma> = Session::new(p.judge(), Effort::default()).known;
    let found = generate(&p.judge(), &[Kind::Local], &axioms);
    for text in [
        "Forall i:[1..N]. l0[i] --> y[i] = 0",
        "Forall i:[1..N]. l1[i] --> y[i] = 0",
        "Forall i:[1..N]. y[i] >= 0",
        "Forall i:[1..N]. 0 <= pi0[i] /\\ pi0[i] <= 4",
    ] {
        assert!(p.implied(&found, text), "{text}");
    }
}

#[test]
fn mux_and_one_bounded_overtaking_need_no_hint() {
    let p = model("bakery2");
    let findings = Session::new(p.judge(), Effort::default()).run(&p.fts.properties);
    let proved: Vec<_> = findings.outcomes.iter().map(|o| (&o.name[..], o.proved)).collect();
    assert_eq!(proved, [("mux", true), ("one_bounded", true), ("acc", true), ("zero_bounded", false)]);
}

/// What is false is never proved, and what is generated is true: both tried on programs that can be
/// run.
#[test]
fn nothing_false_is_proved_about_counters() {
    let p = program(
        "local x : int where x = 0
         local y : int where y = 0
         P1:: [ loop forever do [ l0: await x < 3; l1: x := x + 1; l2: y := y + x ] ] || P2:: [ loop forever do [ m0: x := 0 ] ]
         PROPERTY right : [](x <= 3)
         PROPERTY wrong : [](x <= 2)
         PROPERTY beginning : [](x > 0)",
    );
    let findings = Session::new(p.judge(), Effort::default()).run(&p.fts.properties);
    let proved: Vec<_> = findings.outcomes.iter().map(|o| (&o.name[..], o.proved)).collect();
    assert_eq!(proved, [("right", true), ("wrong", false), ("beginning", false)]);
}

/// A variable of the program has a name that the prover might give to the process that moves: it
/// must not be caught.
#[test]
fn parameters_do_not_meet_variables() {
    let p = program(
        "in N : int where N > 1
         local k : int where k = 1
         ||[i:1..N] P[i]:: [ loop forever do [ l0: await k = i; l1: k := if i = N then 1 else i + 1 ] ]
         PROPERTY wrong : [] Forall i:[1..N]. ~l1[i]
         PROPERTY right : [] Forall i:[1..N]. (l1[i] --> k = i)",
    );
    let findings = Session::new(p.judge(), Effort::default()).run(&p.fts.properties);
    let proved: Vec<_> = findings.outcomes.iter().map(|o| (&o.name[..], o.proved)).collect();
    assert_eq!(proved, [("wrong", false), ("right", true)]);
}
