//! Every simplification, alone and with the others, keeps verdicts: the same violations at the same
//! places, the same statements unreached, no more states than before.

use crate::fast::{Said, search};
use crate::subjects::{Subject, corpus, generated, judge_all, subject};
use compile::simplify::{Passes, Simplified};
use explore::Order;

const NONE: Passes = Passes { slice: false, reset: false, merge: false };
const PASSES: [(&str, Passes); 4] = [
    ("slice", Passes { slice: true, ..NONE }),
    ("reset", Passes { reset: true, ..NONE }),
    ("merge", Passes { merge: true, ..NONE }),
    ("all", Passes { slice: true, reset: true, merge: true }),
];

#[test]
fn simplifications_keep_the_verdicts_of_the_corpus() {
    let (judged, complaints) = judge_all(&corpus(), |subject| complaints(subject, 20_000));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 170, "only {judged} models were compared");
}

#[test]
fn simplifications_keep_the_verdicts_of_generated_programs() {
    for (features, count) in
        [("", 600), ("+priorities,+internals,+odd-labels", 200), ("+d_step-block,+out-of-bounds", 200)]
    {
        let subjects = generated(0..count, features);
        let (judged, complaints) = judge_all(&subjects, |subject| complaints(subject, 5_000));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(judged * 2 >= count as usize, "only {judged} programs of {count} were compared ({features})");
    }
}

/// Programs in which a simplification once lost something, or nearly.
#[test]
fn simplifications_keep_what_is_easily_lost() {
    for (name, text) in TRAPS {
        let subject = subject(name, text).unwrap_or_else(|| panic!("{name} is refused"));
        let found = complaints(&subject, 100_000);
        assert_eq!(found, Some(Vec::new()), "{name}");
    }
}

const TRAPS: &[(&str, &str)] = &[
    (
        "a local step that begins an atomic sequence",
        "byte x, y; active proctype P() { byte l; x = 1; atomic { l = 1; y = x + l } assert(y == 2) }
         active proctype Q() { x = 2 }",
    ),
    (
        "a local step that ends an atomic sequence",
        "byte x, y; active proctype P() { byte l; atomic { x = 1; l = 1 } y = x + l; assert(y == 2) }
         active proctype Q() { x = 2 }",
    ),
    (
        "who moved last",
        "byte n; active proctype P() { byte a, b; n = 1; a = 1; b = a; n = b + 1 }
         active proctype Q() { n = 3; assert(_last != 0) ; assert(_last == 0) }",
    ),
    ("a print that fails", "byte x; active proctype P() { printf(\"%d\\n\", 1 / x) }"),
    ("an initial value that fails", "byte x; proctype P() { byte y = 1 / x; skip } init { run P() }"),
    (
        "a remote read in an initial value",
        "byte g; proctype P() { byte a = Q[0]:l; assert(a == 0) }
         active proctype Q() { byte l = 3; g = 1; l = 0; g = 2; run P(); l = 5 }",
    ),
    (
        "who moved last, in an initial value",
        "byte g; proctype P() { byte a = _last; assert(a == 0) } init { byte l; g = 1; l = 1; g = l; run P() }",
    ),
    (
        "an index that fails in a message, an argument, a receive",
        "chan c = [2] of { byte, byte }; byte a[2], i = 2; proctype P(byte p) { skip }
         active proctype S() { if :: c!a[i], 1 :: run P(a[i]) :: c!1, 2; c?a[i], _ :: c!1, 2; c?_, a[i] fi }",
    ),
    (
        "a variable that only a timeout, an end label and another variable see",
        "byte a, b, c; active proctype P() { a = 1; b = a; c = b; if :: c == 2 :: timeout -> skip fi; b = 5 }
         active proctype Q() { byte l; l = 1; c = 3; end: c == l }",
    ),
];

fn complaints(subject: &Subject, limit: u64) -> Option<Vec<String>> {
    let system = &subject.system;
    let raw = search(system, Simplified::raw(system), Order::DepthFirst, limit)?;
    let mut complaints: Vec<String> = raw.refused.iter().map(|r| format!("raw refused: {r}")).collect();
    for (name, passes) in PASSES {
        for order in [Order::DepthFirst, Order::BreadthFirst] {
            let Some(said) = search(system, Simplified::by(system, passes), order, limit) else {
                complaints.push(format!("{name}: more states"));
                continue;
            };
            complaints.extend(said.refused.iter().map(|r| format!("{name} {order:?} refused: {r}")));
            complaints.extend(differences(&raw, &said).into_iter().map(|d| format!("{name} {order:?}: {d}")));
        }
    }
    Some(complaints)
}

fn differences(raw: &Said, said: &Said) -> Vec<String> {
    let mut found = Vec::new();
    let hidden = raw.report.states < said.report.states;
    if hidden {
        found.push(format!("{} states instead of {}", said.report.states, raw.report.states));
    }
    if raw.deadlock != said.deadlock {
        found.push(format!("deadlock {} instead of {}", said.deadlock, raw.deadlock));
    }
    if raw.places != said.places {
        found.push(format!("places {:?} instead of {:?}", said.places, raw.places));
    }
    if raw.executed != said.executed {
        let lost: Vec<_> = raw.executed.difference(&said.executed).collect();
        let new: Vec<_> = said.executed.difference(&raw.executed).collect();
        found.push(format!("executed no more {lost:?}, executed now {new:?}"));
    }
    found
}
