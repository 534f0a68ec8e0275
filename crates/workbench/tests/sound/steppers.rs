//! The fast stepper reaches what the reference stepper reaches, in both orders of search.

use crate::fast::{Said, search};
use crate::slow::{Reach, reach};
use crate::subjects::{Subject, corpus, generated, judge_all};
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

/// The system with nothing hidden: what is hidden need not be stored, and the reference stepper does not know that.
fn all_shown(system: &System) -> System {
    let mut system = system.clone();
    let locals = system.templates.iter_mut().flat_map(|t| &mut t.objects);
    system.globals.iter_mut().chain(locals).for_each(|object| object.hidden = false);
    system
}

fn without_beginning(fault: Fault, said: &Said) -> Vec<String> {
    let ending = said.report.violations.first().map(|v| v.run.ending);
    let same = ending == Some(system::Ending::Fault(fault)) && said.report.states == 0;
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
