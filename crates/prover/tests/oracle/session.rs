//! Sessions: rules with hints, what a proof used, what is strange about a system, what must hold
//! for its types.

use crate::support::{Program, program};
use prover::{Effort, Findings, Outcome, Session, Status};

fn run(p: &Program) -> Findings {
    Session::new(p.judge(), Effort::default()).run(&p.fts.properties)
}

fn verdicts(findings: &Findings) -> Vec<(&str, bool)> {
    findings.outcomes.iter().map(|o| (&o.name[..], o.proved)).collect()
}

fn outcome<'a>(findings: &'a Findings, name: &str) -> &'a Outcome {
    findings.outcomes.iter().find(|o| o.name == name).unwrap()
}

#[test]
fn strange_systems_are_told() {
    let told =
        |text: &str| -> Vec<String> { run(&program(text)).warnings.into_iter().map(|w| w.message).collect() };
    let body = "P:: [ l0: x := x + 1 ]";
    assert!(told(&format!("local x : int where x = 0 {body}")).is_empty());
    let empty = told(&format!("local x : int where x = 0, x = 1 {body}"));
    assert_eq!(empty, ["no state is initial: the initial condition is false"]);
    let dead = told("local x : int where x = 0 P:: [ l0: await x > 0 /\\ x < 0; l1: skip ]");
    assert_eq!(dead, ["transition `l0` can never be taken"]);
    let axioms = "AXIOM a : [](c > 0) AXIOM b : [](c < 0)";
    let inconsistent = told(&format!("value c : int local x : int where x = 0 {body} {axioms}"));
    assert_eq!(inconsistent, ["the axioms contradict each other"]);
}

/// Indices, divisors and ranges are obligations of their own.
#[test]
fn types_are_obligations() {
    let checks = |text: &str| -> Vec<(String, Status)> {
        run(&program(text)).types.into_iter().map(|o| (o.name, o.status)).collect()
    };
    let text = |low: &str| {
        format!(
            "local a : array [1..3] of int where Forall i:[1..3]. a[i] = 0
             local i : int where i = {low}
             P:: [ loop forever do [ l0: a[i] := 6 div i; l1: i := if i = 3 then 1 else i + 1 ] ]"
        )
    };
    let right = checks(&text("1"));
    assert!(right.len() >= 2 && right.iter().all(|(_, status)| *status == Status::Proved), "{right:?}");
    let wrong = checks(&text("0"));
    assert!(wrong.iter().any(|(_, status)| *status != Status::Proved), "{wrong:?}");
}

#[test]
fn rules_are_applied_by_name() {
    let p = program(
        "local x, y : int where x = 0, y = 0
         P:: [ loop forever do [ l0: x := x + 1; l1: y := y + 1 ] ]
         PROPERTY order : [](y <= x /\\ (l1 --> y < x))
         PROPERTY weaker : [](y <= x + 5)
         PROPERTY sum : [](x + x = 2 * x)
         PROPERTY step : l0 ==> <>l1
         PROPERTY later : l0 /\\ y > 3 ==> <>(l1 \\/ x < 0)
         PROPERTY wrong_way : l0 ==> <>(l1 /\\ x = 0)
         PROPERTY found : [](y <= x)
         PROOF order : B-INV
         PROOF weaker : Monotonicity order
         PROOF sum : Check-Valid using nothing
         PROOF step : RESP-J l0 by l0
         PROOF later : Monotonicity step
         PROOF wrong_way : Monotonicity step
         PROOF found : PDR using nothing",
    );
    let findings = run(&p);
    let expected = [
        ("order", true),
        ("weaker", true),
        ("sum", true),
        ("step", true),
        ("later", true),
        ("wrong_way", false),
        ("found", true),
    ];
    assert_eq!(verdicts(&findings), expected);
    assert!(outcome(&findings, "sum").obligations[0].lemmas.is_empty());
    assert!(outcome(&findings, "found").invariant.is_some());
}

/// Halving can go on endlessly, so a rank is a whole number. What is known within bounds is
/// known within them.
#[test]
fn what_would_be_unsound_is_refused() {
    let p = program(
        "local x : real where x = 1
         local y : array [0..9] of int where Forall i:[0..9]. y[i] = 0
         P:: [ loop forever do [ l0: x := x / 2 ] ]
         PROPERTY never : <>(x = 0)
         PROPERTY few : Forall i:[1..2]. [](y[i] = 0 /\\ i > 0)
         PROPERTY many : Forall i:[0..9]. [](i > 0)
         PROOF never : WELL x > 0 by l0 rank x
         PROOF many : Monotonicity few",
    );
    let findings = run(&p);
    assert_eq!(verdicts(&findings), [("never", false), ("few", true), ("many", false)]);
    assert!(outcome(&findings, "never").reason.as_ref().unwrap().contains("whole numbers"));
}

/// When time is over nothing new is begun, and the reason is given.
#[test]
fn time_is_respected() {
    let p = program(
        "local x : int where x = 0 P:: [ loop forever do [ l0: x := x + 1 ] ] PROPERTY p : [](x >= 0 /\\ x != 7 - 20)",
    );
    let calls = std::sync::atomic::AtomicU64::new(0);
    let clock = || 1 + calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let judge = prover::Judge { clock: &clock, until: 3, ..p.judge() };
    let findings = Session::new(judge, Effort::default()).run(&p.fts.properties);
    assert!(!findings.outcomes[0].proved);
    let open: Vec<&str> =
        findings.outcomes[0].obligations.iter().filter_map(|o| o.reason.as_deref()).collect();
    assert!(!open.is_empty() && open.iter().all(|reason| *reason == "out of time"), "{findings:?}");
}

/// What is proved by simplification alone says so, and uses no lemma.
#[test]
fn simplification_is_a_rule() {
    let p = program(
        "local x : int where x = 0
         P:: [ loop forever do [ l0: x := x + 1 ] ]
         PROPERTY easy : [](x <= x + 1 /\\ (x = 3 --> x + 1 = 4))
         PROPERTY hard : [](x >= 0)
         PROOF easy : Simplify
         PROOF hard : Simplify",
    );
    let findings = run(&p);
    assert_eq!(verdicts(&findings), [("easy", true), ("hard", false)]);
}

const TOKEN: &str = "in N : int where N > 0
     local r, owner : int where r = 1, owner = 0
     ||[i:1..N] P[i]::[loop forever do [
       l0: noncritical; l1: <request r; owner := i>; l2: critical; l3: <release r; owner := 0> ] ]
     PROPERTY owns : [](0 <= r /\\ r <= 1 /\\ (Forall i:[1..N]. (l{2,3}[i] --> owner = i /\\ r = 0)))
     PROPERTY held : [](r = 0 --> 1 <= owner /\\ owner <= N /\\ l{2,3}[owner])";

#[test]
fn a_transition_of_a_family_helps() {
    let p = program(&format!(
        "{TOKEN}
         PROPERTY goes : [] Forall i:[1..N]. (l2[i] --> <>l3[i])
         PROPERTY other : [] Forall i:[1..N]. (l2[i] --> <>l0[i])
         PROPERTY acc : [] Forall i:[1..N]. (l1[i] --> <>l2[i])
         PROOF goes : RESP-J l2[i] by l2[i]
         PROOF other : CHAIN-J l2[i] by l2[i]; l3[i] by l3[i]
         PROOF acc : RESP-C l1[i] by l1[i]; l1[i] /\\ r = 0 /\\ l2[owner] by l2[owner]; l1[i] /\\ r = 0 /\\ l3[owner] by l3[owner]"
    ));
    let findings = run(&p);
    assert!(findings.outcomes.iter().all(|o| o.proved), "{:?}", verdicts(&findings));
    // The owner must stay the same in a stage that the owner's transition helps.
    let names: Vec<&str> = outcome(&findings, "acc").obligations.iter().map(|o| &o.name[..]).collect();
    assert!(names.contains(&"J3 2 l2[owner]"), "{names:?}");
}

/// The transition of another process does not help, and one that changes all the time is no single
/// transition.
#[test]
fn the_wrong_transition_does_not_help() {
    let p = program(&format!(
        "{TOKEN}
         PROPERTY other : [] Forall i,j:[1..N]. (l2[i] --> <>l3[i])
         PROPERTY bare : [] Forall i:[1..N]. (l2[i] --> <>l3[i])
         PROPERTY unfair : [] Forall i:[1..N]. (l0[i] --> <>l1[i])
         PROOF other : RESP-J l2[i] by l2[j]
         PROOF bare : RESP-J l2[i] by l2
         PROOF unfair : RESP-J l0[i] by l0[i]"
    ));
    let findings = run(&p);
    assert_eq!(verdicts(&findings)[2..], [("other", false), ("bare", false), ("unfair", false)]);
    assert!(outcome(&findings, "bare").reason.as_ref().unwrap().contains("say which one helps"));
    assert!(outcome(&findings, "unfair").reason.as_ref().unwrap().contains("not fair"));
    // `turn` goes round while all processes wait: the stage never ends, and no transition is
    // enabled all the time.
    let p = program(
        "in N : int where N > 1
         local turn : int where turn = 1
         ||[i:1..N] P[i]::[ l0: await turn = i; l1: skip ] || Q::[ loop forever do [ m0: turn := if turn = N then 1 else turn + 1 ] ]
         PROPERTY range : [](1 <= turn /\\ turn <= N)
         PROPERTY wrong : (Forall i:[1..N]. l0[i]) ==> <>(Exists i:[1..N]. l1[i])
         PROOF wrong : RESP-J (Forall i:[1..N]. l0[i]) by l0[turn]",
    );
    let findings = run(&p);
    assert_eq!(verdicts(&findings), [("range", true), ("wrong", false)]);
    let open = outcome(&findings, "wrong").obligations.iter().filter(|o| o.status == Status::Failed);
    assert!(open.map(|o| &o.name[..]).any(|name| name == "J2 1 m0"), "{:?}", outcome(&findings, "wrong"));
}
