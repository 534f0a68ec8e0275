//! Property-directed search: what it finds is inductive by plain conditions, asked of both engines,
//! and its runs are runs.

use crate::support::{Program, breaks, model, program};
use logic::fol::Term;
use prover::pdr::{Effort, Found, search};
use prover::rules::g_inv;
use prover::shape::{Shape, shape};
use prover::{Judge, Lemma, Status, history};
use solve::External;
use system::fts::Fts;

/// The assertions found for `p`, checked by G-INV with z3 alone as well.
fn invariant(p: &Program, fts: &Fts, goal: &Term, background: &[Lemma]) -> Vec<Term> {
    let judge = Judge { fts, ..p.judge() };
    match search(&judge, goal, background, Effort::default()) {
        Found::Invariant(clauses) => {
            let phi = Term::all(clauses.iter().cloned().chain([goal.clone()]));
            let conditions = g_inv(fts, goal, &phi, background);
            let z3 = External::z3().expect("z3 is installed for tests");
            for judge in [judge, Judge { solver: &z3, ..judge }] {
                let judged = judge.judge_all("G-INV", &conditions);
                let open: Vec<_> =
                    judged.iter().filter(|o| o.status != Status::Proved).map(|o| &o.name).collect();
                assert!(open.is_empty(), "{open:?} of {phi}");
            }
            clauses
        }
        other => panic!("{goal}: {other:?}"),
    }
}

#[test]
fn mutual_exclusion_of_the_bakery_needs_no_lemma() {
    let p = model("bakery2");
    let found = invariant(&p, &p.fts, &p.assertion("~(l3 /\\ m3)"), &[]);
    assert!(!found.is_empty());
}

/// The extended system and the assertion that a wait-for formula becomes.
fn stages(p: &Program, text: &str) -> (Fts, Term) {
    match shape(&p.property(text).formula) {
        Some(Shape::WaitFor(from, q)) => history::stages(&p.fts, &from, &q),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn one_bounded_overtaking_needs_no_assertion() {
    let p = model("bakery2");
    let (fts, goal) = stages(&p, "l2 ==> ~m3 Awaits m3 Awaits ~m3 Awaits l3");
    invariant(&p, &fts, &goal, &[]);
}

/// A run that breaks the formula, held against the definitions of a step and of truth.
fn broken(p: &Program, text: &str) -> usize {
    let property = p.property(text);
    let (fts, goal) = match shape(&property.formula) {
        Some(Shape::Invariance(goal)) => (p.fts.clone(), goal),
        Some(Shape::WaitFor(from, q)) => history::stages(&p.fts, &from, &q),
        other => panic!("{text}: {other:?}"),
    };
    let judge = Judge { fts: &fts, ..p.judge() };
    match search(&judge, &goal, &[], Effort::default()) {
        Found::Run(run) => {
            // Without auxiliary variables it is a run of the program.
            let path = run.path.map(|s| s[..p.fts.variables.len()].to_vec());
            breaks(&p.fts, &run.given, &property.formula, &path);
            path.states.len()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn what_is_false_ends_with_a_run() {
    let p = model("bakery2");
    assert_eq!(broken(&p, "[]~(l3 /\\ m2)"), 6);
    assert_eq!(broken(&p, "[](y1 <= 2)"), 10);
    broken(&p, "l2 ==> ~m3 Awaits l3");
    broken(&p, "l1 ==> ~m3 Awaits m3 Awaits ~m3 Awaits l3");
    let p = program("local x : int where x = 7\n P:: [ l0: x := x + 1 ]\n PROPERTY none : [](x = 7)");
    assert_eq!(broken(&p, "[](x < 7)"), 1);
    assert_eq!(broken(&p, "[](x = 7)"), 2);
}

#[test]
fn numbers_that_only_the_property_relates() {
    let p = program(
        "local x, y : int where x = 0, y = 0
         P:: [ loop forever do [ l0: x := x + 2; l1: y := y + 1 ] ]",
    );
    invariant(&p, &p.fts, &p.assertion("x >= y"), &[]);
    invariant(&p, &p.fts, &p.assertion("l0 --> x = 2 * y"), &[]);
}

#[test]
fn a_known_number_of_processes_is_no_obstacle() {
    let p = program(
        "local turn : [1..3] where turn = 1
         ||[i:1..3] P[i]:: [ loop forever do [
           l0: noncritical; l1: await turn = i; l2: critical; l3: turn := if i = 3 then 1 else i + 1 ] ]",
    );
    let goal = p.assertion("Forall i,j:[1..3]. l2[i] /\\ l2[j] --> i = j");
    invariant(&p, &p.fts, &goal, &[]);
}

#[test]
fn limits_end_the_search_without_an_answer() {
    let p = model("bakery2");
    let effort = Effort { queries: 20, ..Effort::default() };
    assert!(matches!(search(&p.judge(), &p.assertion("~(l3 /\\ m3)"), &[], effort), Found::Nothing(_)));
}
