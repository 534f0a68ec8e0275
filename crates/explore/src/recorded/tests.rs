//! Recorded searches: the same for any number of workers, exact limits, joins, bounds, and what is
//! asked of a finished one.

use super::*;
use crate::NoListener;
use logic::automata::{Automaton, Cube, Edge, Label as Letter};
use space::{Fairness, Fault, Label, Requirement, Rest, Step, Undefined, Which};

/// Numbers below 1000: each leads to its double and to its successor.
struct Numbers;

impl Stepper for Numbers {
    fn initial(&mut self, out: &mut Edges) {
        out.push(&1u32.to_le_bytes(), Label(0));
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let n = u32::from_le_bytes([state[0], state[1], state[2], state[3]]);
        out.undefined = (n == 999).then(|| Undefined("no thousand".to_string()));
        for next in [2 * n, n + 1].into_iter().filter(|next| *next < 1000) {
            out.push(&next.to_le_bytes(), Label(0));
        }
        Rest::Enabled
    }

    fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
        None
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}

fn all(workers: usize, limits: Limits) -> Recorded {
    let mut workers: Vec<Numbers> = (0..workers).map(|_| Numbers).collect();
    record(&mut workers, limits, &mut NoListener)
}

#[test]
fn many_workers_see_what_one_sees() {
    let one = all(1, Limits::default());
    assert_eq!(one.len(), 999);
    assert_eq!(one.report.stopped, Some(Stop::Undefined));
    for workers in [2, 3, 8] {
        let many = all(workers, Limits::default());
        assert!(many.states().eq(one.states()));
        assert_eq!(many.parents, one.parents);
        assert_eq!(many.report.transitions, one.report.transitions);
        assert_eq!(many.report.depth, one.report.depth);
    }
    let path: Vec<u8> = one.path_to(6).iter().map(|state| state[0]).collect();
    assert_eq!(one.path_to(6).len(), path.len());
    assert!(path.windows(2).all(|w| w[1] == 2 * w[0] || w[1] == w[0] + 1), "{path:?}");
}

#[test]
fn a_limit_of_states_is_exact() {
    let some = all(3, Limits { states: Some(100), ..Limits::default() });
    assert_eq!((some.len(), some.report.stopped), (100, Some(Stop::States)));
}

/// Edges above a number are left out for a bound.
struct Below(u32);

impl Visitor for Below {
    fn admits(&mut self, edges: &Edges, k: usize) -> bool {
        let state = edges.get(k);
        u32::from_le_bytes([state[0], state[1], state[2], state[3]]) < self.0
    }
}

#[test]
fn a_bound_leaves_edges_out_and_the_search_goes_on() {
    let how = Recording { keep: Keep::Edges, ..Recording::default() };
    let bounded = record_as(&mut [Numbers], &how, &mut Below(10), &mut NoListener);
    assert_eq!((bounded.len(), bounded.report.stopped), (9, None));
    assert!(bounded.report.cut && !bounded.is_complete());
    let targets =
        |n: usize| -> Vec<u8> { bounded.edges(n).iter().map(|e| bounded.state(e.to as usize)[0]).collect() };
    for n in 0..bounded.len() {
        let from = bounded.state(n)[0];
        let expected: Vec<u8> = [2 * from, from + 1].into_iter().filter(|to| *to < 10).collect();
        assert_eq!(targets(n), expected);
    }
}

/// Cells in a ring, each with the set of cells that a message may have come through.
struct Ring;

const CELLS: u8 = 40;

impl Stepper for Ring {
    fn initial(&mut self, out: &mut Edges) {
        out.push(&[0, 0], Label(0));
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        for step in [1, 3, 7] {
            let cell = (state[0] + step) % CELLS;
            out.push(&[cell, state[1] | 1 << (cell % 8)], Label(step.into()));
        }
        Rest::Enabled
    }

    fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
        None
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}

/// One state for each cell: the union.
struct Union;

impl Joins for Union {
    fn key(&self, state: &[u8], out: &mut Vec<u8>) {
        out.push(state[0]);
    }

    fn join(&self, kept: &mut Vec<u8>, new: &[u8]) -> bool {
        let joined = kept[1] | new[1];
        std::mem::replace(&mut kept[1], joined) != joined
    }
}

#[test]
fn joined_states_grow_until_nothing_changes() {
    let pace = Pace { worth_sharing: 2, ..Pace::default() };
    let how = Recording { joins: Some(&Union), pace, ..Recording::default() };
    let search = |workers: usize| {
        let mut workers: Vec<Ring> = (0..workers).map(|_| Ring).collect();
        record_as(&mut workers, &how, &mut (), &mut NoListener)
    };
    let one = search(1);
    assert!(one.is_complete() && one.len() == usize::from(CELLS));
    assert!(one.states().all(|state| state[1] == 0xff), "every cell is reached through all");
    assert!(one.report.transitions > 3 * u64::from(CELLS), "states that grow are expanded again");
    for workers in [2, 3] {
        let many = search(workers);
        assert!(many.states().eq(one.states()));
        assert_eq!(many.report.transitions, one.report.transitions);
    }
}

/// One state, which may rest; its only edge leads back and asks for what no edge meets.
struct Losing;

impl Stepper for Losing {
    fn initial(&mut self, out: &mut Edges) {
        out.push(&[0], Label(0));
    }

    fn expand(&mut self, _: &[u8], out: &mut Edges) -> Rest {
        out.push(&[0], Label(5));
        out.notes.push(b'x');
        out.note_ends.push(1);
        Rest::MayRest
    }

    fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
        None
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}

/// An edge back to the state does not stand for idling if it asks for more.
#[test]
fn idling_beside_an_edge_that_asks_is_kept() {
    let how = Recording { keep: Keep::DistinctEdges, ..Recording::default() };
    let recorded = record_as(&mut [Losing], &how, &mut (), &mut NoListener);
    assert_eq!(recorded.notes().collect::<Vec<_>>(), [b"x"]);
    let strong = Requirement { name: "x".to_string(), strength: Fairness::Strong };
    let noted = Noted { requirements: vec![strong], asks: vec![1], meets: vec![0] };
    let finished = Finished { recorded: &recorded, letters: &[0], noted: Some(&noted) };
    let edge = Edge { label: Letter { cubes: vec![Cube::default()] }, to: 0, sets: 1 };
    let automaton = Automaton { sets: 1, states: vec![vec![edge]], ..Automaton::default() };
    let owed = finished.requirements(&[]);
    let found = accepted(finished, &automaton, &owed, &mut NoListener);
    let lasso = found.lasso.expect("resting without end is fair");
    assert!(lasso.cycle.iter().all(|(state, edge)| (*state, *edge) == (0, None)), "{lasso:?}");
    assert_eq!((found.states, found.transitions), (1, 2));
}
