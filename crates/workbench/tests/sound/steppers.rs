//! The fast stepper reaches what the reference stepper reaches, in both orders of search.

use crate::fast::{Said, search};
use crate::slow::{Reach, reach};
use crate::subjects::{Subject, corpus, generated, judge_all, subject};
use compile::simplify::Simplified;
use explore::Order;
use std::collections::BTreeSet;
use system::{Fault, System};

/// No larger model is compared; the reference stepper is slow.
const LIMIT: usize = 3000;

#[test]
fn steppers_agree_on_the_corpus() {
    let (judged, complaints) = judge_all(&corpus(), |subject| complaints(subject, LIMIT));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 150, "only {judged} models were compared");
}

#[test]
fn steppers_agree_on_generated_programs() {
    for (features, count) in
        [("", 150), ("+priorities,+internals,+odd-labels", 60), ("+d_step-block,+out-of-bounds", 60)]
    {
        let subjects = generated(0..count, features);
        let (judged, complaints) = judge_all(&subjects, |subject| complaints(subject, 1000));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(judged * 2 >= count as usize, "only {judged} programs of {count} were compared ({features})");
    }
}

/// Programs on which the steppers once disagreed, or easily might.
#[test]
fn steppers_agree_on_traps() {
    for text in TRAPS {
        let subject = subject("trap", text).unwrap_or_else(|| panic!("refused: {text}"));
        assert_eq!(complaints(&subject, LIMIT), Some(Vec::new()), "{text}");
    }
}

const TRAPS: &[&str] = &[
    // Who is offered a message and does not receive is not asked what it could do.
    "chan q = [0] of { bit }; byte a[2]; active proctype P() { atomic { q!1; skip } }
     active proctype Q() { if :: a[_nr_pr] == 1 :: false fi } active proctype R() { bit b; q?b }",
    // `_last` is who moved before the whole handshake; `enabled` looks for partners.
    "chan q = [0] of { byte }; byte x; active proctype A() { x = 1; q!0; q!1 }
     active proctype B() { x = 2; q?eval(_last); x = _last; q?eval(_last) }",
    "chan q = [0] of { byte }, c = [1] of { byte }; byte x; active proctype A() { do :: enabled(1) -> q!1 :: !enabled(1) -> c!1 od }
     active proctype B() { do :: q?x :: c?x -> x = 2; enabled(0) od }",
    // Control: handed over, lost, kept over a d_step, given up at the end of a process.
    "chan q = [0] of { byte }; byte x; active [2] proctype A() { atomic { q!_pid; x++; x == 3 -> x = 0 } }
     active proctype B() { byte k; do :: atomic { q?k; x = x + k; d_step { k = 0; x++ } } od }",
    "byte n; proctype P() { atomic { n++; n == 2 -> n = 5 } } init { atomic { run P(); run P() } atomic { n > 0; n-- } }",
    // Faults of every kind in every place.
    "byte a[2], i = 3; chan c; active proctype P() { if :: a[i] = 1 :: i = a[i] :: i = 1 / (i - 3) :: c!1 :: c?i :: len(c) > 0 :: skip fi }",
    "byte i; active proctype P() { d_step { i = 1; do :: i < 9 -> i++ :: i == 9 -> i = 4 od } }
     active proctype Q() { d_step { i = 2; i == 0 } } active proctype R() { atomic { i = 3; assert(i == 4); i = 1 / (i - 3) } }",
    "chan q = [0] of { byte }; byte a[2]; active proctype A() { q!5 } active proctype B() { byte k; do :: q?k; a[k] = 1 :: q?a[k + 2] :: q?[k] od }",
    "byte n; proctype P() { n++; run P() } init { n = 250; run P() }",
    "active proctype P() { set_priority(_pid, 300) } active proctype Q() priority 3 { skip }",
    // The types of what is stored.
    "unsigned u : 3; short s; int i = 2147483647; bit b[2]; chan c = [2] of { bit, short, int };
     init { u = 9; s = 40000; i++; b[1] = 2; c!!3, 70000, i; c!!0, -1, 1; c?b[0], s, i; assert(s == -1 && i == 1); i = -7 / 2; s = -7 % 3; u = i >> 1 }",
];

/// What the two steppers disagree on; none if the model is too large.
pub fn complaints(subject: &Subject, limit: usize) -> Option<Vec<String>> {
    let system = &all_shown(&subject.system);
    let orders = [Order::DepthFirst, Order::BreadthFirst];
    let mut said = Vec::new();
    for order in orders {
        said.push(search(system, Simplified::raw(system), order, limit as u64)?);
    }
    let slow = reach(system, &subject.text, limit)?;
    let mut complaints = Vec::new();
    for (order, said) in orders.iter().zip(&said) {
        complaints.extend(said.refused.iter().map(|r| format!("{order:?}: refused: {r}")));
        complaints.extend(match &slow {
            Err(fault) => without_beginning(*fault, said),
            Ok(slow) => differences(slow, said),
        });
    }
    Some(complaints)
}

/// The system with nothing hidden: what is hidden need not be stored, and the reference stepper
/// does not know that.
fn all_shown(system: &System) -> System {
    let mut system = system.clone();
    let locals = system.process_types.iter_mut().flat_map(|t| &mut t.objects);
    system.globals.iter_mut().chain(locals).for_each(|object| object.hidden = false);
    system
}

fn without_beginning(fault: Fault, said: &Said) -> Vec<String> {
    let ending = said.report.violations.first().map(|v| v.run.ending);
    let same = ending == Some(space::Ending::Fault(fault.into())) && said.report.states == 0;
    if same { Vec::new() } else { vec![format!("no initial state ({fault}), but {:?}", said.report)] }
}

fn differences(slow: &Reach, said: &Said) -> Vec<String> {
    let report = &said.report;
    let mut rows = vec![
        ("states", slow.states, report.states as usize),
        ("deadlocks", slow.deadlocks, report.deadlocks as usize),
        ("assertions", slow.assertions, report.assertions as usize),
        ("faults", slow.faults, report.faults as usize),
    ];
    if !slow.endless {
        rows.push(("transitions", slow.transitions, report.transitions as usize));
    }
    let rows = rows.into_iter().filter(|(_, slow, fast)| slow != fast);
    let mut found: Vec<String> =
        rows.map(|(what, slow, fast)| format!("{what}: {slow} by reference, {fast} by search")).collect();
    let exact: BTreeSet<_> =
        slow.places.iter().map(|(f, t, at)| (*f, *t, at.filter(|_| *f != Fault::StepDiverges))).collect();
    if exact != said.places {
        found.push(format!("places: {exact:?} by reference, {:?} by search", said.places));
    }
    let missing: Vec<_> = slow.executed.difference(&said.executed).collect();
    if !missing.is_empty() {
        found.push(format!("executed by reference only: {missing:?}"));
    }
    if slow.places.iter().all(|(fault, ..)| !fault.is_fatal()) && slow.executed != said.executed {
        found.push(format!("executed: {:?} by search only", said.executed.difference(&slow.executed)));
    }
    found
}
