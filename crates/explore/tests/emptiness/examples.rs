//! Small graphs with a known answer, and lassos of known length.

use crate::explicit::Explicit;
use crate::{every_way, expect};
use explore::emptiness::{Acceptance, Pair};

fn recurrent(marks: usize) -> Acceptance {
    Acceptance { marks, recurrent: (0..marks).collect(), pairs: Vec::new() }
}

fn streett(pairs: usize) -> Acceptance {
    let pair = |k| Pair { request: 2 * k, response: 2 * k + 1 };
    Acceptance { marks: 2 * pairs, recurrent: Vec::new(), pairs: (0..pairs).map(pair).collect() }
}

fn graph(acceptance: Acceptance, states: usize, edges: &[(u32, u32, &[usize])]) -> Explicit {
    let mut graph = Explicit::new(acceptance, states);
    graph.initial = vec![0];
    edges.iter().for_each(|(source, target, marks)| graph.edge(*source, *target, marks));
    graph
}

fn lengths(graph: &Explicit) -> Vec<(usize, usize)> {
    let lassos = every_way(graph).into_iter().map(|(_, outcome)| outcome.lasso.unwrap());
    lassos.map(|lasso| (lasso.stem.len(), lasso.cycle.len())).collect()
}

#[test]
fn without_initial_states_there_is_nothing() {
    let mut nothing = graph(recurrent(0), 1, &[(0, 0, &[])]);
    nothing.initial.clear();
    expect(&nothing, false, "no initial state");
}

#[test]
fn any_cycle_counts_if_nothing_is_asked() {
    expect(&graph(recurrent(0), 3, &[(0, 1, &[]), (1, 2, &[]), (2, 1, &[])]), true, "a cycle");
    expect(&graph(recurrent(0), 3, &[(0, 1, &[]), (1, 2, &[]), (0, 2, &[])]), false, "no cycle");
}

#[test]
fn a_mark_off_every_cycle_does_not_recur() {
    expect(&graph(recurrent(1), 2, &[(0, 1, &[0]), (1, 1, &[])]), false, "mark on the stem only");
    let twins = graph(recurrent(1), 2, &[(0, 1, &[]), (1, 1, &[]), (1, 1, &[0])]);
    expect(&twins, true, "two edges between the same states, one marked");
}

#[test]
fn requests_are_avoided_or_answered() {
    let avoid = graph(streett(1), 2, &[(0, 1, &[0]), (1, 0, &[]), (1, 1, &[])]);
    expect(&avoid, true, "the loop on 1 asks nothing");
    let blocked = graph(streett(1), 2, &[(0, 1, &[0]), (1, 0, &[])]);
    expect(&blocked, false, "the only cycle asks and is not answered");
    let chain = graph(streett(2), 2, &[(0, 1, &[0]), (1, 0, &[1, 2]), (0, 0, &[2])]);
    expect(&chain, false, "the answer to one request is the other request");
    let own = Acceptance { marks: 1, recurrent: vec![0], pairs: vec![Pair { request: 0, response: 0 }] };
    expect(&graph(own, 1, &[(0, 0, &[0])]), true, "a request that is its own response");
}

#[test]
fn refinement_goes_as_deep_as_there_are_pairs() {
    // A line of states with edges both ways; each step right asks what is answered only one step
    // further.
    let pairs = 6;
    let edges: Vec<(u32, u32, Vec<usize>)> = (0..pairs as u32)
        .flat_map(|k| {
            let request = 2 * k as usize;
            let answer = if k == 0 { vec![] } else { vec![request - 1] };
            [(k, k + 1, [answer, vec![request]].concat()), (k + 1, k, vec![])]
        })
        .collect();
    let edges: Vec<(u32, u32, &[usize])> = edges.iter().map(|(s, t, m)| (*s, *t, m.as_slice())).collect();
    let mut line = graph(streett(pairs), pairs + 1, &edges);
    expect(&line, false, "the last request has no answer, then the one before has none");
    line.edge(3, 3, &[]);
    expect(&line, true, "a loop in the middle asks nothing");
}

#[test]
fn lassos_are_short() {
    // A ring of 50 with the mark on it, and a shortcut of 3 with the mark as well.
    let mut ring = graph(recurrent(1), 50, &[]);
    (0..50).for_each(|k| ring.edge(k, (k + 1) % 50, if k == 40 { &[0] } else { &[] }));
    assert_eq!(lengths(&ring), vec![(0, 50); lengths(&ring).len()]);
    ring.edge(42, 40, &[]);
    lengths(&ring).into_iter().for_each(|length| assert!(length.0 + length.1 <= 50, "{length:?}"));
}

#[test]
fn a_request_off_the_cycle_needs_no_answer() {
    // From 0 a loop of two without request; the part also has a request far from its answer.
    let mut far = graph(streett(1), 12, &[(0, 1, &[]), (1, 0, &[]), (1, 2, &[0])]);
    (2..12).for_each(|k| far.edge(k, (k + 1) % 12, if k == 11 { &[1] } else { &[] }));
    expect(&far, true, "a ring");
    assert_eq!(lengths(&far), vec![(0, 2); lengths(&far).len()]);
}
