//! Several workers report what one alone reports, and what a depth-first search counts: on the
//! corpus and on generated programs.

use crate::subjects::{Subject, corpus, generated, judge_all};
use compile::Program;
use compile::simplify::Simplified;
use explore::{Limits, NoListener, Options, Order, Report, Sharing, parallel_search_by};

/// No more states than this are stored.
const STATES: u64 = 30_000;

/// What is reported, what was executed, and which processes used the channels.
fn reported(program: &Program, workers: usize, options: &Options) -> (Report, String) {
    // Small windows, so that small models have several in a level.
    let sharing = Sharing { worth: 8, longest: 64 << workers };
    let mut workers = vec![program.clone(); workers];
    let mut report = parallel_search_by(&mut workers, options, &sharing, &mut NoListener);
    report.memory_bytes = 0;
    let mut all = workers.remove(0);
    workers.iter().for_each(|worker| all.unite(worker));
    // What was executed beyond the point where the search stops does not count.
    let seen = report.stopped.is_none().then(|| (all.reached(), all.uses().collect::<Vec<_>>()));
    let text = format!("{report:?} {seen:?}");
    (report, text)
}

fn complaints(subject: &Subject) -> Option<Vec<String>> {
    let program = Program::new(Simplified::raw(&subject.system)).ok()?;
    let limits = Limits { states: Some(STATES), ..Limits::default() };
    let mut complaints = Vec::new();
    for keep_going in [true, false] {
        let options = Options { order: Order::BreadthFirst, keep_going, limits, ..Options::default() };
        let (alone, text) = reported(&program, 1, &options);
        for workers in [2, 4] {
            let (_, other) = reported(&program, workers, &options);
            if other != text {
                complaints.push(format!("{workers} workers: {other}\nalone: {text}"));
            }
        }
        if keep_going && alone.stopped.is_none() {
            let (deep, _) = reported(&program, 2, &Options { order: Order::DepthFirst, ..options });
            let counts = |r: &Report| [r.states, r.transitions, r.deadlocks, r.assertions, r.faults];
            if counts(&deep) != counts(&alone) {
                complaints.push(format!(
                    "{:?} depth-first, {:?} breadth-first",
                    counts(&deep),
                    counts(&alone)
                ));
            }
        }
    }
    Some(complaints)
}

#[test]
fn several_workers_report_what_one_alone_reports() {
    let mut subjects = corpus();
    subjects.extend(generated(0..60, ""));
    let (judged, complaints) = judge_all(&subjects, complaints);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged > 100, "{judged}");
}
