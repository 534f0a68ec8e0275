//! What the thesis says about its examples.

mod exploring;

#[path = "support/thesis.rs"]
mod examples;

use examples::*;
use exploring::explore;
use system::{Reference, State, System};

/// The names of the transitions enabled in a state.
fn enabled(system: &System, state: &State) -> Vec<String> {
    let moves = Reference::new(system).moves(state);
    let name = |process: usize, t: usize| {
        system.process_types[state.processes[process].process_type].transitions[t].text.clone()
    };
    moves.iter().map(|m| name(m.step.actor, m.step.path[0])).collect()
}

#[track_caller]
fn check(example: &Example, enabled_here: &[&str], states: usize, transitions: usize, ends: usize) {
    assert_eq!(enabled(&example.system, &example.state), enabled_here);
    let found = explore(&example.system, &example.state);
    assert_eq!((found.states.len(), found.transitions, found.ends.len()), (states, transitions, ends));
}

#[test]
fn philosophers_have_eight_states_and_ten_transitions() {
    let example = section_2_3();
    check(&example, &["t1A", "t1B"], 8, 10, 1);
    let found = explore(&example.system, &example.state);
    assert!(found.ends.iter().all(|s| Reference::new(&example.system).is_deadlock(s)));
}

#[test]
fn chapter_4() {
    check(&example_4_8(), &["t1", "t3"], 7, 7, 2);
    check(&example_4_11(), &["t1", "t4"], 7, 7, 2);
    check(&example_4_19(), &["t2", "t4"], 8, 12, 0);
    assert_eq!(enabled(&example_4_30().system, &example_4_30().state), ["t1", "t3"]);
}

#[test]
fn chapters_5_and_6() {
    check(&example_5_1(), &["t1", "t3"], 13, 14, 3);
    check(&example_5_5(), &["t1", "t3"], 9, 12, 1);
    check(&example_6_1(), &["t1", "t3"], 4, 6, 0);
    let example = example_6_1();
    let reached = explore(&example.system, &example.state).states;
    assert!(reached.iter().any(|s| s.processes[1].point == 1), "the local state l is reachable");
}

#[test]
fn producer_and_consumer_grow_with_the_channel() {
    for capacity in [1, 2, 10] {
        check(&example_8_1(capacity), &["t1"], capacity + 1, 2 * capacity, 0);
    }
}
