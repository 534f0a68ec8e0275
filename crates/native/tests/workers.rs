//! Nothing that is found depends on the number of workers: counts, the failing run, races.

mod support;

use explore::stateless::Reduction;
use native::explore::Explored;
use support::{Case, case};

/// Everything about a search but its time.
fn summary(explored: &Explored) -> String {
    let report = &explored.report;
    let steps = |v: &native::explore::Violation| {
        let step = |t: &explore::stateless::Transition<native::operation::Pending>| {
            format!("{} {} {}", t.who, t.outcome, t.op.name())
        };
        format!("{}: {:?}", v.failure.message, v.schedule.iter().map(step).collect::<Vec<_>>())
    };
    format!(
        "{:?} {:?} {:?} {:?}",
        (report.terminated, report.deadlocks, report.failing, report.blocked, report.expired),
        (report.explored, report.executed, report.depth, report.exhausted, &report.bounded),
        (&explored.races, &explored.known, &explored.trouble),
        report.violations.iter().map(steps).collect::<Vec<_>>()
    )
}

fn same_with_any_number(source: &str, flags: &[&str], reduction: Reduction, keep_going: bool, least: u64) {
    let summaries = [1, 2, 3].map(|threads| {
        let mut case = Case { reduction, threads, ..case(source, flags) };
        case.bounds.keep_going = keep_going;
        let explored = case.explore();
        assert!(explored.report.runs() >= least, "{source}: too few runs for others to help: {explored:?}");
        summary(&explored)
    });
    assert_eq!(summaries[0], summaries[1], "{source}: one worker, two");
    assert_eq!(summaries[0], summaries[2], "{source}: one worker, three");
}

#[test]
fn complete_searches() {
    same_with_any_number("fibonacci.c", &["-DK=3"], Reduction::Dpor, true, 141);
    same_with_any_number("philosophers_sysv.c", &["-DN=3"], Reduction::None, true, 396);
    same_with_any_number("philosophers_sysv.c", &["-DN=4"], Reduction::Sleep, true, 15);
    same_with_any_number("bounded_buffer.c", &["-DK=4"], Reduction::Dpor, true, 128);
}

#[test]
fn the_first_failure() {
    same_with_any_number("philosophers_mutex.c", &["-DN=6"], Reduction::Dpor, false, 1);
    same_with_any_number("philosophers_sysv.c", &["-DN=3"], Reduction::None, false, 20);
}

#[test]
fn races_and_what_becomes_visible() {
    same_with_any_number("race_counter.c", &[], Reduction::Dpor, true, 2);
    same_with_any_number("wait_any.c", &[], Reduction::Dpor, true, 1);
}
