//! The thesis' own examples: the sets and the searches that its text states.

use crate::examples::*;
use crate::slow::Slow;
use explore::reduction::persistent::{AtHand, Sets, members};
use explore::{NoListener, Options, Proviso, Reduction, Report, selective_search};
use independence::selective::Selective;
use independence::{Algorithm, Method};
use objects::Dependency;

const ALGORITHM_1: Method = method(Algorithm::Conflict, false);
const ALGORITHM_2: Method = method(Algorithm::Overman, false);
const ALGORITHM_3: Method = method(Algorithm::Stubborn, false);
const ALGORITHM_4: Method = method(Algorithm::Stubborn, true);

const fn method(algorithm: Algorithm, conditional: bool) -> Method {
    Method { algorithm, conditional, dependency: Dependency::Conditional }
}

/// The names of the set that an algorithm returns when it starts with a transition.
fn set(example: &Example, method: Method, start: &str) -> Vec<String> {
    let mut stepper = Slow::new(&example.system, &example.state);
    assert!(stepper.stand_at(&example.state));
    let name = |stepper: &Slow<'_>, at: usize| {
        let node = stepper.nodes()[at];
        let process_type = example.state.processes[node.process].process_type;
        example.system.process_types[process_type].transitions[node.transition].text.clone()
    };
    let start = (0..stepper.nodes().len()).find(|at| name(&stepper, *at) == start).unwrap();
    let set = Sets::default().around(&mut AtHand(&mut stepper, method), start);
    members(set).map(|at| name(&stepper, at)).collect()
}

fn search(example: &Example, persistent: Option<Method>, sleep: bool, proviso: bool) -> (Report, usize) {
    let mut stepper = Slow::new(&example.system, &example.state);
    let proviso = if proviso { Proviso::Stack } else { Proviso::Off };
    let reduction = Reduction { persistent, sleep, proviso };
    let options = Options { keep_going: true, ..Options::default() };
    let report = selective_search(&mut stepper, &options, reduction, &mut NoListener);
    let moved = |k: &&usize| stepper.states[**k].processes[1].point > 0;
    let b_moved = stepper.visited.iter().filter(moved).count();
    (report, b_moved)
}

#[test]
fn example_4_8_algorithm_1_finds_t1() {
    assert_eq!(set(&example_4_8(), ALGORITHM_1, "t1"), ["t1"]);
}

#[test]
fn example_4_11_algorithm_2_finds_what_algorithm_1_does_not() {
    assert_eq!(set(&example_4_11(), ALGORITHM_1, "t1"), ["t1", "t4"]);
    assert_eq!(set(&example_4_11(), ALGORITHM_2, "t1"), ["t1"]);
}

#[test]
fn example_4_19_algorithm_3_finds_what_1_and_2_do_not() {
    for method in [ALGORITHM_1, ALGORITHM_2] {
        for start in ["t2", "t4"] {
            assert_eq!(set(&example_4_19(), method, start), ["t2", "t4"], "{method:?} {start}");
        }
    }
    assert_eq!(set(&example_4_19(), ALGORITHM_3, "t4"), ["t4"]);
}

#[test]
fn example_4_30_algorithm_4_finds_what_the_others_do_not() {
    for method in [ALGORITHM_1, ALGORITHM_2, ALGORITHM_3] {
        for start in ["t1", "t3"] {
            assert_eq!(set(&example_4_30(), method, start), ["t1", "t3"], "{method:?} {start}");
        }
    }
    assert_eq!(set(&example_4_30(), ALGORITHM_4, "t1"), ["t1"]);
}

/// The text takes {t2, t3} in s1 and says what happens if it is {t3}: that one is smaller, and is
/// ours.
#[test]
fn example_6_3_with_proviso_b_moves() {
    let uniform = Method { dependency: Dependency::Uniform, ..ALGORITHM_4 };
    for (method, sleep) in [(ALGORITHM_4, false), (uniform, true)] {
        let (report, b_moved) = search(&example_6_1(), Some(method), sleep, true);
        assert_eq!(b_moved, 2);
        assert_eq!((report.states, report.transitions), (4, 5));
    }
}

/// Everything is the only persistent set, but only one order of t1 and t3 is explored.
#[test]
fn example_5_1_sleep_sets_explore_one_order() {
    assert_eq!(set(&example_5_1(), ALGORITHM_4, "t1"), ["t1", "t3"]);
    let (full, _) = search(&example_5_1(), None, false, false);
    let (sleep, _) = search(&example_5_1(), None, true, false);
    assert_eq!(full.states, sleep.states);
    assert!(sleep.transitions < full.transitions, "{} of {}", sleep.transitions, full.transitions);
}

#[test]
fn example_5_5_every_state_is_visited_once() {
    let (report, _) = search(&example_5_5(), None, true, false);
    assert_eq!((report.states, report.transitions), (9, 9));
}

#[test]
fn example_6_1_without_proviso_b_never_moves() {
    for sleep in [false, true] {
        let (report, b_moved) = search(&example_6_1(), Some(ALGORITHM_4), sleep, false);
        assert_eq!((report.states, report.transitions, b_moved), (2, 3, 0));
    }
}

#[test]
fn example_8_1_the_size_of_the_channel_does_not_matter() {
    for capacity in [3, 1000, usize::MAX] {
        let (report, _) = search(&example_8_1(capacity), Some(ALGORITHM_4), false, false);
        assert_eq!((report.states, report.transitions), (2, 3), "{capacity}");
    }
}
