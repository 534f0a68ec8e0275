//! Invariants over process indices that are found from small instances.

use crate::support::program;
use prover::clauses::clauses;

const SWAP: &str = "in N : int where N >= 2
local free : bool where free
||[i:1..N] P[i]:: [
  local key : bool where ~key
  loop forever do [
    l0: noncritical;
    l1: while ~key do l2: (key, free) := (free, key);
    l3: critical;
    l4: (key, free) := (false, true)
  ]
]";

#[test]
fn exclusion_of_n_processes_is_proved() {
    let p = program(SWAP);
    let mux = p.assertion("Forall i:[1..N], j:[1..N]. (i != j --> ~(l3[i] /\\ l3[j]))");
    let attempt = clauses(&p.judge(), &mux, &[]);
    assert!(attempt.proved, "{:?}", attempt.reason);
    assert!(attempt.evidence.is_some());
}

#[test]
fn what_is_false_in_an_instance_is_not_tried() {
    let p = program(SWAP);
    let wrong = p.assertion("Forall i:[1..N]. ~l3[i]");
    assert!(!clauses(&p.judge(), &wrong, &[]).proved);
}

#[test]
fn a_maximum_is_found_below_the_counter_of_the_loop() {
    let p = program(
        "in N : int where N >= 1
in a : array [1..N] of int
local i : int where i = 2
out max : int where max = a[1]
l0: while i <= N do [
  l1: if a[i] > max then l2: max := a[i];
  l3: i := i + 1
];
l4: skip",
    );
    let upper = p.assertion("l4 --> Forall k:[1..N]. a[k] <= max");
    let attempt = clauses(&p.judge(), &upper, &[]);
    assert!(attempt.proved, "{:?}", attempt.reason);
}
