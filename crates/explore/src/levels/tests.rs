//! Several workers say exactly what one alone says.

use super::*;
use crate::limits::{Limits, NoListener};
use crate::tangle::Tangle;

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
