//! A system and the relation made of it have the same steps: state by state, by both references.
//!
//! This is the net under every *holds* that the symbolic engine or a proof says of a model: the
//! relation is not certified, so it is compared where it could differ.

use crate::subjects::{Subject, corpus, generated, judge_all, subject};
use compile::relational::{self, NotRelational, Relation, Shape};
use space::Reference as _;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::sync::Mutex;
use system::fts::step::{In, Valuation, successors};
use system::{Fault, Reference, State};

/// Where a step leads, and the number of a fault; a fault has no state behind it.
type Seen = BTreeSet<(Option<String>, usize)>;

#[test]
fn relations_have_the_steps_of_the_corpus() {
    let refused = Mutex::new(BTreeMap::new());
    let (judged, complaints) = judge_all(&corpus(), |s| complaints(s, 40, &refused));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 180, "only {judged} models were compared, refused: {:#?}", refused.lock().unwrap());
}

#[test]
fn relations_have_the_steps_of_generated_programs() {
    for (features, count) in [("", 150), ("+d_step-block,+out-of-bounds", 60), ("+internals,+odd-labels", 40)]
    {
        let refused = Mutex::new(BTreeMap::new());
        let subjects = generated(0..count, features);
        let (judged, complaints) = judge_all(&subjects, |s| complaints(s, 30, &refused));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        let refused = refused.lock().unwrap();
        assert!(judged * 2 >= count as usize, "{judged} of {count} ({features}), refused: {refused:#?}");
    }
}

/// Programs whose translation is easily wrong.
#[test]
fn relations_have_the_steps_of_traps() {
    for text in TRAPS {
        let subject = subject("trap", text).unwrap_or_else(|| panic!("refused: {text}"));
        let refused = Mutex::new(BTreeMap::new());
        let found = complaints(&subject, 200, &refused);
        assert_eq!(found, Some(Vec::new()), "{text}\n{:?}", refused.lock().unwrap());
    }
}

const TRAPS: &[&str] = &[
    // Control: handed over, lost, kept over a d_step, given up at the end of a process.
    "chan q = [0] of { byte }; byte x; active [2] proctype A() { atomic { q!_pid; x++; x == 3 -> x = 0 } }
     active proctype B() { byte k; do :: atomic { q?k; x = x + k; d_step { k = 0; x++ } } od }",
    "byte n; proctype P() { atomic { n++; n == 2 -> n = 5 } }
     init { atomic { run P(); run P() } atomic { n > 0; n-- } }",
    // `else` beside a handshake; who is offered a message and does not receive is not asked.
    "chan q = [0] of { bit }; byte a[2]; active proctype P() { atomic { q!1; skip } }
     active proctype Q() { if :: a[_nr_pr] == 1 :: false fi } active proctype R() { bit b; q?b }",
    "chan q = [0] of { byte }; byte x; active proctype A() { do :: q!1 -> x++ :: else -> x = 9 od }
     active proctype B() { byte k; do :: q?k :: x == 9 -> x = 0; break od }",
    // `_last`, `timeout`, `unless`, `provided`.
    "chan q = [0] of { byte }; byte x; active proctype A() { x = 1; q!0; q!1 }
     active proctype B() { x = 2; q?eval(_last); x = _last; q?eval(_last) }",
    "byte x; active proctype A() { do :: x < 2 -> x++ :: timeout -> x = 0; break od }
     active proctype B() { { x == 2; x = 3 } unless { timeout -> x = 7 } }",
    "byte x; active proctype A() provided (x != 1) { x = 1; x = 2 } active proctype B() { x = 3; x = 0 }",
    "byte x, y; active proctype A() provided (1 / x) { y = 1 } active proctype B() { x = 1; x = 0 }",
    // Faults of every kind in every place.
    "byte a[2], i = 3; chan c; active proctype P() {
       if :: a[i] = 1 :: i = a[i] :: i = 1 / (i - 3) :: c!1 :: c?i :: len(c) > 0 :: skip fi }",
    "byte i; active proctype Q() { d_step { i = 2; i == 0 } }
     active proctype R() { atomic { i = 3; assert(i == 4); i = 1 / (i - 3) } }",
    "chan q = [0] of { byte }; byte a[2]; active proctype A() { q!5 }
     active proctype B() { byte k; do :: q?k; a[k] = 1 :: q?a[k + 2] :: q?[k] od }",
    // Queues: sorted, anywhere, copied, polled, matched; handles in variables and messages.
    "chan c = [3] of { bit, short, int }; short s; int i; bit b; active proctype P() {
       do :: c!!3, 70000, i :: c!!0, -1, 1 :: c??0, s, i :: c?<b, s, i> :: c??[1, -1] -> i++ :: c?b, eval(s), i od }",
    "chan a = [1] of { byte }, b = [2] of { byte }; chan c = [1] of { chan }; byte x;
     active proctype P() { chan d; c!a; c?d; d!1; do :: full(d) -> d = b :: nfull(b) -> b!2 :: b?x od }",
    "proctype P(chan r; byte n) { byte k; chan own = [1] of { byte }; own!n; own?k; r!k }
     init { chan r = [2] of { byte }; byte x; run P(r, 3); run P(r, 300); r?x; r?x }",
    // The types of what is stored.
    "unsigned u : 3; short s; int i = 2147483647; bit b[2]; chan c = [2] of { bit, short, int };
     init { u = 9; s = 40000; i++; b[1] = 2; c!!3, 70000, i; c!!0, -1, 1; c?b[0], s, i;
            assert(s == -1 && i == 1); i = -7 / 2; s = -7 % 3; u = i >> 1 }",
];

/// What the two references disagree on; none if the system is refused.
fn complaints(
    subject: &Subject,
    limit: usize,
    refused: &Mutex<BTreeMap<String, usize>>,
) -> Option<Vec<String>> {
    let states = reached(subject, limit)?;
    let note = |refusal: NotRelational| *refused.lock().unwrap().entry(refusal.to_string()).or_insert(0) += 1;
    let mut shape = Shape::of(&subject.system).map_err(note).ok()?;
    let reference = Reference::new(&subject.system);
    for state in &states {
        let moves = Reference::moves(&reference, state);
        moves.iter().for_each(|m| shape.learn_move(&subject.system, state, m));
    }
    let made = shape.checked().and_then(|shape| relational::of(&subject.system, &shape));
    let relation = made.map_err(note).ok()?;
    let complaint = |state: &State| differs(&relation, &reference, state);
    Some(states.iter().filter_map(complaint).take(1).collect())
}

#[test]
fn sets_have_the_states_of_the_corpus() {
    let (judged, complaints) = judge_all(&corpus(), |s| counted(s, 120));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 60, "only {judged} models were counted");
}

#[test]
fn sets_have_the_states_of_generated_programs() {
    let subjects = generated(0..60, "");
    let (judged, complaints) = judge_all(&subjects, |s| counted(s, 80));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged >= 10, "only {judged} programs were counted");
}

/// Relations with more updates are not built as diagrams here.
const UPDATES: usize = 250;

/// What a system with few states has, by its reference.
#[derive(Debug, PartialEq, Eq)]
struct Counted {
    /// A fault is a state of its own behind the one it happens in.
    states: usize,
    deadlock: bool,
    assertion: bool,
    runtime: bool,
}

/// How the sets of states differ from the states; none if there are many, or if the system is
/// refused.
fn counted(subject: &Subject, limit: usize) -> Option<Vec<String>> {
    let reference = Reference::new(&subject.system);
    let first = reference.canonical(&Reference::initial(&reference).ok()?);
    let mut shape = Shape::of(&subject.system).ok()?;
    let mut expected = Counted { states: 0, deadlock: false, assertion: false, runtime: false };
    let mut seen = HashSet::from([first.clone()]);
    let mut open = VecDeque::from([first]);
    while let Some(state) = open.pop_front() {
        let mut faults = BTreeSet::new();
        expected.deadlock |= reference.is_deadlock(&state);
        for m in Reference::moves(&reference, &state) {
            shape.learn_move(&subject.system, &state, &m);
            faults.extend(m.fault);
            let next = m.next.map(|next| reference.canonical(&next));
            open.extend(next.filter(|next| seen.insert(next.clone())));
        }
        expected.assertion |= faults.contains(&Fault::Assertion);
        expected.runtime |= faults.iter().any(|f| f.is_fatal());
        expected.states += 1 + faults.len();
        if seen.len() > limit {
            return None;
        }
    }
    let relation = shape.checked().and_then(|shape| relational::of(&subject.system, &shape)).ok()?;
    let updates = relation.fts.transitions.iter().flat_map(|t| &t.branches).map(|b| b.updates.len());
    if updates.sum::<usize>() > UPDATES {
        return None;
    }
    let found = by_sets(&relation)?;
    Some(Vec::from_iter((found != expected).then(|| format!("{found:?} by sets, {expected:?} by states"))))
}

fn by_sets(relation: &Relation<'_>) -> Option<Counted> {
    let given = Valuation::new();
    let options = symbolic::Options { nodes: 1 << 16, ..symbolic::Options::default() };
    let search = symbolic::Search::new(&relation.fts, &given, &[], &options, &|_| true).ok()?;
    assert_eq!(search.fault(), None);
    let some = |bad: logic::fol::Term| {
        let path = search.breaks(&logic::fol::Term::negation(bad), &given).ok()?;
        // Every path is a run of the system.
        path.iter().for_each(|path| drop(relation.run(path, space::Ending::Deadlock).unwrap()));
        Some(path.is_some())
    };
    assert_eq!(some(relation.beyond()), Some(false));
    Some(Counted {
        states: usize::try_from(search.states()).ok()?,
        deadlock: some(relation.deadlock.clone())?,
        assertion: some(relation.assertion())?,
        runtime: some(relation.runtime())?,
    })
}

/// States of the system: the first ones, and some further away.
fn reached(subject: &Subject, limit: usize) -> Option<Vec<State>> {
    let reference = Reference::new(&subject.system);
    let first = reference.initial().ok()?;
    let mut seen = HashSet::from([first.clone()]);
    let mut open = VecDeque::from([first]);
    let mut states = Vec::new();
    while let Some(state) = if states.len() % 2 == 0 { open.pop_front() } else { open.pop_back() } {
        for next in reference.moves(&state).into_iter().filter_map(|m| m.next) {
            if seen.insert(next.clone()) {
                open.push_back(next);
            }
        }
        states.push(state);
        if states.len() >= limit {
            break;
        }
    }
    Some(states)
}

fn differs(relation: &Relation<'_>, reference: &Reference<'_>, state: &State) -> Option<String> {
    let Some(values) = relation.encode(state) else { return Some(format!("no room for {state:?}")) };
    let back = relation.decode(&values).map(|(state, _)| reference.canonical(&state));
    if back != Some(reference.canonical(state)) {
        return Some(format!("{state:?} comes back as {back:?}"));
    }
    let given = Valuation::new();
    let mut by_relation = Seen::new();
    match successors(&relation.fts, &given, &values) {
        Err(why) => return Some(format!("in {state:?}: {why}")),
        Ok(all) => {
            for (_, next) in all {
                let Some((next, fault)) = relation.decode(&next) else {
                    return Some(format!("in {state:?}: a step leads to no state"));
                };
                let next = (fault == 0).then(|| format!("{:?}", reference.canonical(&next)));
                by_relation.insert((next, fault));
            }
        }
    }
    let mut by_reference = Seen::new();
    for m in Reference::moves(reference, state) {
        if let Some(next) = &m.next {
            by_reference.insert((Some(format!("{:?}", reference.canonical(next))), 0));
        }
        by_reference.extend(m.fault.map(|fault| (None, number(fault))));
    }
    let within = In { fts: &relation.fts, given: &given, state: &values, extra: Vec::new() };
    let deadlock = logic::fol::holds(&relation.deadlock, &within);
    if deadlock != Some(Reference::is_deadlock(reference, state)) {
        return Some(format!("whether {state:?} is a deadlock: {deadlock:?}"));
    }
    (by_relation != by_reference).then(|| {
        let more: Vec<_> = by_relation.difference(&by_reference).collect();
        let less: Vec<_> = by_reference.difference(&by_relation).collect();
        format!("in {state:?}: only the relation has {more:#?}, only the system has {less:#?}")
    })
}

fn number(fault: Fault) -> usize {
    match space::Fault::from(fault) {
        space::Fault::Runtime(n) => 2 + usize::from(n),
        _ => 1,
    }
}
