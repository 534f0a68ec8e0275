//! Limits end a search without an answer, and never with a wrong one.

use crate::explicit::Explicit;
use explore::emptiness::{Acceptance, Outcome, emptiness, parallel_emptiness};
use explore::{Limits, Listener, NoListener, Progress, Stop};
use std::ops::ControlFlow;

/// A line of states, then a loop that counts if `marked`.
fn line(length: u32, marked: bool) -> Explicit {
    let acceptance = Acceptance { marks: 1, recurrent: vec![0], pairs: Vec::new() };
    let mut graph = Explicit::new(acceptance, length as usize);
    graph.initial = vec![0];
    (1..length).for_each(|k| graph.edge(k - 1, k, &[]));
    graph.edge(length - 1, length - 1, if marked { &[0] } else { &[] });
    graph
}

/// How the search ends, whichever engine searches.
fn stop(graph: &Explicit, limits: Limits) -> (bool, Option<Stop>) {
    let ends = |outcome: Outcome| (outcome.lasso.is_some(), outcome.stopped);
    let alone = ends(emptiness(&mut graph.clone(), limits, &mut NoListener));
    let together = ends(parallel_emptiness(|| graph.clone(), 2, limits, &mut NoListener));
    assert_eq!(together, alone);
    alone
}

#[test]
fn each_limit_says_so() {
    for marked in [false, true] {
        let graph = line(50_000, marked);
        let none = Limits::default();
        assert_eq!(stop(&graph, none), (marked, None));
        assert_eq!(stop(&graph, Limits { states: Some(100), ..none }), (false, Some(Stop::States)));
        assert_eq!(stop(&graph, Limits { depth: Some(100), ..none }), (false, Some(Stop::Depth)));
        assert_eq!(stop(&graph, Limits { memory: Some(100_000), ..none }), (false, Some(Stop::Memory)));
    }
}

#[test]
fn what_a_depth_limit_leaves_is_still_searched() {
    let mut graph = line(1000, false);
    graph.edge(5, 5, &[0]);
    assert_eq!(stop(&graph, Limits { depth: Some(10), ..Limits::default() }), (true, None));
}

#[test]
fn the_watcher_can_end_it() {
    struct Impatient(u32);
    impl Listener for Impatient {
        fn look(&mut self, _: &Progress) -> ControlFlow<Stop> {
            self.0 += 1;
            if self.0 > 3 { ControlFlow::Break(Stop::Interrupt) } else { ControlFlow::Continue(()) }
        }
    }
    let graph = line(50_000, true);
    for threads in [1, 2] {
        let limits = Limits::default();
        let outcome = parallel_emptiness(|| graph.clone(), threads, limits, &mut Impatient(0));
        assert_eq!((outcome.lasso, outcome.stopped), (None, Some(Stop::Interrupt)));
        assert!(outcome.states < 50_000);
    }
}
