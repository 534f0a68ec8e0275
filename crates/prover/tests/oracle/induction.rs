//! k-induction: what it proves is proved again by the certifier, and its conditions by z3; what is
//! false at the beginning of a run ends with that run.

use crate::support::{Program, breaks, model, program};
use certify::proof::Certifier;
use logic::fol::Term;
use prover::{Condition, Effort, How, Judge, Method, Outcome, Session, Status};
use solve::External;
use system::fts::{Evidence, KInductive};

/// What comes of a property without any lemma.
fn tried(p: &Program, text: &str) -> Outcome {
    let property = p.property(text);
    Session::new(p.judge(), Effort::default()).attempt(&property, How::By(Method::Induction))
}

/// The evidence for a property, confirmed with z3 alone as well.
fn proved(p: &Program, text: &str) -> KInductive {
    let outcome = tried(p, text);
    assert!(outcome.proved, "{text}: {:?}", outcome.reason);
    assert!(outcome.obligations.iter().all(|o| o.status == Status::Proved));
    let evidence = outcome.evidence.expect("evidence");
    let z3 = External::z3().expect("z3 is installed for tests");
    for judge in [p.judge(), Judge { solver: &z3, ..p.judge() }] {
        let valid = |known: &[Term], given: &[Term], goal: &Term| {
            let given = Term::all(known.iter().chain(given).cloned());
            judge.confirms(&Condition::implication("", given, goal.clone(), &[]))
        };
        let mut certifier = Certifier::new(&p.fts, &valid);
        certifier.property(&p.property(text), &evidence, &outcome.remembered).expect(text);
    }
    match evidence {
        Evidence::KInductive(found) => found,
        other => panic!("{text}: {other:?}"),
    }
}

/// The least k, and whether states differ.
fn depth(p: &Program, text: &str) -> (usize, bool) {
    let found = proved(p, text);
    (found.states, found.distinct)
}

#[test]
fn two_states_know_more_than_one() {
    let p = program("local a, b : int where a = 1, b = 1  loop forever do l0: (a, b) := (b, a + b)");
    assert_eq!(depth(&p, "[](b >= 0)").0, 1 + usize::from(tried(&p, "[](b >= 0)").obligations.len() > 2));
    assert_eq!(depth(&p, "[](a >= 0)").0, 2);
}

/// Idling is no step: it would leave k states in a row that are one.
#[test]
fn a_chain_of_locations_needs_as_many_states() {
    let p = program(
        "local x, y : int where x = 0, y = 0
         loop forever do [ l0: x := 1; l1: y := x; l2: x := y + 1; l3: x := 0; l4: y := 0 ]",
    );
    assert!(depth(&p, "[](l3 --> x = 2)").0 > 1);
}

/// Where what cannot be reached has a loop of its own, only the shortest run to a state is of use.
#[test]
fn states_that_differ_end_what_goes_round() {
    let text = "local x : [0..9] where x = 0
         loop forever do l0: x := if x = 2 then 0 else if x = 5 then 4 else if x = 4 then 5 else x + 1";
    let wider = text.replace("x + 1", "(if x = 6 then 5 else x + 1)");
    let p = program(&wider);
    let (states, distinct) = depth(&p, "[](x < 3)");
    assert!(states >= 1 && (distinct || states == 1));
    // 7 is reached from 6 and 6 from 5 alone, which goes round with 4.
    let round = program(
        "local x : int where x = 0
         loop forever do [ l0: < x := if x = 4 then 5 else if x = 5 then 4 else if x = 6 then 9 else x > ]",
    );
    assert!(tried(&round, "[](x != 9)").proved);
}

/// What a step chooses is another value in each step, and parameters another process.
#[test]
fn what_a_step_binds_is_its_own() {
    let p = program(
        "local x, y, z : int where x = 0, y = 0, z = 0
         loop forever do [ l0: choose x; l1: y := x; l2: choose x; l3: z := x ]",
    );
    let outcome = tried(&p, "[](~l0 \\/ y = z)");
    assert!(!outcome.proved);
    let run = outcome.run.expect("a run with two values");
    breaks(&p.fts, &run.given, &p.property("[](~l0 \\/ y = z)").formula, &run.path);
    // The index of the process is another one in each step as well.
    let p = program(
        "Transition System
         in N : int where N >= 1
         local a, b : int where a = 1, b = 1
         Transition add [i:1..N] NoFairness:
           enable true
           assign a := b, b := a + i",
    );
    assert_eq!(depth(&p, "[](a >= 0)").0, 2);
    let outcome = tried(&p, "[](a <= 2)");
    let run = outcome.run.expect("a run of a large system");
    assert!(!outcome.proved && run.path.states.len() == 3);
}

#[test]
fn what_is_false_soon_ends_with_a_run() {
    let p = model("bakery2");
    let text = "[]~(l3 /\\ m2)";
    let run = tried(&p, text).run.expect("a run");
    assert_eq!(run.path.states.len(), 6);
    breaks(&p.fts, &run.given, &p.property(text).formula, &run.path);
}

#[test]
fn waiting_and_the_past_are_invariances_of_more_variables() {
    let p = program(
        "local x : int where x = 0
         loop forever do [ l0: noncritical; l1: x := 1; l2: skip; l3: x := 0 ]",
    );
    proved(&p, "l1 ==> ~l3 Awaits l2");
    proved(&p, "l3 ==> <-> l1");
    proved(&p, "l3 ==> (-) (l2 \\/ l3)");
    let broken = "l2 ==> ~l0 Awaits l1";
    let run = tried(&p, broken).run.expect("a run");
    let path = run.path.map(|s| s[..p.fts.variables.len()].to_vec());
    breaks(&p.fts, &run.given, &p.property(broken).formula, &path);
}
