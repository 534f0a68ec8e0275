//! Several workers say exactly what one alone says.

use super::*;
use crate::limits::{Limits, NoListener};
use crate::store::hash;
use space::{Edges, Fault, FaultAt, Label, Rest, Step, Which};

/// A random graph: numbers that lead to numbers, some of which are wrong.
#[derive(Clone)]
struct Tangle {
    size: u64,
    /// One of as many states is a deadlock, fails an assertion, has an error.
    wrong: u64,
}

fn scramble(n: u64) -> u64 {
    hash(&n.to_le_bytes())
}

impl Stepper for Tangle {
    fn initial(&mut self, out: &mut Edges) {
        [1u64, 2, 1].iter().for_each(|n| out.push(&n.to_le_bytes(), Label(0)));
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let n = state.iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
        let random = scramble(n);
        if random % self.wrong == 1 {
            return Rest::Deadlock;
        }
        for k in 0..2 + random % 4 {
            // Near ones and far ones, so that there are many levels and large ones.
            let to = if k < 2 { 2 * n + k } else { scramble(random + k) };
            out.push(&(to % self.size).to_le_bytes(), Label(k));
        }
        let fault = [Fault::Assertion, Fault::Runtime(3)][(random >> 40) as usize % 2];
        if random % self.wrong == 2 {
            let place = random >> 50 & 3;
            out.faults.push(FaultAt { fault, place, label: Label(9), goes_on: true, certain: true });
        }
        Rest::Enabled
    }

    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        let read = |state: &[u8]| state.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
        let path = match which {
            Which::To { target, .. } => vec![read(state), read(target)],
            Which::Fault(_) => vec![read(state)],
        };
        Some(vec![Step { actor: 0, path, partner: None }])
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}

fn same(tangle: &Tangle, options: &Options) -> Report {
    let told = |workers: usize, sharing: Sharing| {
        let mut workers = vec![tangle.clone(); workers];
        let mut report = parallel_search_by(&mut workers, options, &sharing, &mut NoListener);
        report.memory_bytes = 0;
        report
    };
    let alone = told(1, Sharing::default());
    for (workers, worth, longest) in [(2, 1, 100), (4, 20, 1 << 16), (2, 300, 1_000)] {
        let sharing = Sharing { worth, longest };
        let report = told(workers, sharing);
        assert_eq!(format!("{report:?}"), format!("{alone:?}"), "{workers}, {sharing:?}, {options:?}");
    }
    alone
}

#[test]
fn several_workers_say_what_one_alone_says() {
    let breadth_first = Options { order: Order::BreadthFirst, ..Options::default() };
    for (size, wrong) in [(9, 50), (3_000, 4_000), (12_000, 9_000), (12_000, 40)] {
        let tangle = Tangle { size, wrong };
        same(&tangle, &breadth_first);
        same(&tangle, &Options { deadlocks: false, ..breadth_first });
        let all = same(&tangle, &Options { keep_going: true, ..breadth_first });
        assert_eq!(all.stopped, None);
        for states in [0, 1, 700, all.states / 2, all.states - 1, all.states] {
            let limits = Limits { states: Some(states), ..Limits::default() };
            let limited = same(&tangle, &Options { keep_going: true, limits, ..breadth_first });
            assert_eq!(limited.stopped.is_some(), states < all.states);
            same(&tangle, &Options { limits, ..breadth_first });
        }
        for depth in [0, 1, 9, all.depth, all.depth + 1] {
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            same(&tangle, &Options { keep_going: true, limits, ..breadth_first });
        }
    }
}

#[test]
fn limits_end_a_level() {
    struct Once;
    impl Listener for Once {
        fn look(&mut self, progress: &Progress) -> ControlFlow<Stop> {
            if progress.states > 5_000 { ControlFlow::Break(Stop::Time) } else { ControlFlow::Continue(()) }
        }
    }
    let mut workers = vec![Tangle { size: 1 << 40, wrong: u64::MAX }; 2];
    let breadth_first = Options { order: Order::BreadthFirst, ..Options::default() };
    let report = parallel_search(&mut workers, &breadth_first, &mut Once);
    assert_eq!(report.stopped, Some(Stop::Time));
    assert!(report.states < 50_000, "{}", report.states);
    let limits = Limits { memory: Some(4 << 20), ..Limits::default() };
    let report = parallel_search(&mut workers, &Options { limits, ..breadth_first }, &mut NoListener);
    assert_eq!(report.stopped, Some(Stop::Memory));
    assert!(report.memory_bytes < 16 << 20, "{}", report.memory_bytes);
}
