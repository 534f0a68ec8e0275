//! Responses without a script: the stages that are found are proved by the conditions of the rules;
//! what is false, or needs a rank, is not proved.

use crate::support::{Program, model, program};
use prover::{Effort, Session, Status};

/// The rules that prove a formula, or why it is open.
fn respond(p: &Program, text: &str) -> Result<Vec<&'static str>, String> {
    let mut session = Session::new(p.judge(), Effort { auto: true, ..Effort::default() });
    let outcome = &session.run(&[p.property(text)]).outcomes[0];
    if outcome.proved {
        assert!(outcome.obligations.iter().all(|o| o.status == Status::Proved));
    }
    let mut rules: Vec<&str> = outcome.obligations.iter().map(|o| o.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    if outcome.proved { Ok(rules) } else { Err(outcome.reason.clone().unwrap()) }
}

#[test]
fn whoever_waits_in_the_bakery_is_served() {
    let p = model("bakery2");
    assert_eq!(respond(&p, "l1 ==> <>l3"), Ok(vec!["CHAIN-J", "RESP-J"]));
    // `noncritical` may last forever.
    assert_eq!(respond(&p, "l0 ==> <>l3"), Err("no fair transition is found that helps".to_string()));
}

#[test]
fn compassion_helps_at_a_semaphore() {
    let p = model("mux_sem");
    assert_eq!(respond(&p, "l1 ==> <>l2"), Ok(vec!["CHAIN-J", "RESP-C", "RESP-J"]));
    // Justice alone does not: the other may always be quicker.
    let p = program(
        "local r : int where r = 1
         P:: [ loop forever do [ l0: noncritical; l1: < await r > 0; r := r - 1 >; l2: critical; l3: r := r + 1 ] ] ||
         Q:: [ loop forever do [ m0: noncritical; m1: < await r > 0; r := r - 1 >; m2: critical; m3: r := r + 1 ] ]",
    );
    assert!(respond(&p, "l1 ==> <>l2").is_err());
    assert!(respond(&p, "l2 ==> <>l0").is_ok());
}

#[test]
fn each_process_helps_itself() {
    let p = program(
        "in N : int where N > 0
         ||[i:1..N] P[i]:: [ loop forever do [ l0: noncritical; l1: skip; l2: skip ] ]",
    );
    assert!(respond(&p, "[] Forall i:[1..N]. (l1[i] --> <>l0[i])").is_ok());
}

#[test]
fn a_program_that_ends_ends() {
    let p = program(
        "local x : int where x = 0
         P:: [ l0: x := 1; l1: x := x + 1 :l2 ] || Q:: [ m0: await x = 2; m1: skip :m2 ]",
    );
    assert!(respond(&p, "<>(l2 /\\ m2)").is_ok());
    assert!(respond(&p, "<>(x = 3)").is_err());
}
