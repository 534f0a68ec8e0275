//! The paper's program: the exact numbers of its searches.

mod support;

use explore::stateless::Reduction;
use support::{Case, case};

const PHILOSOPHERS: &str = "philosophers_sysv.c";

fn counts(n: u32, reduction: Reduction, fixed: bool) -> (u64, u64, u64, u64) {
    let size = format!("-DN={n}");
    let flags: Vec<&str> = if fixed { vec![&size, "-DFIX"] } else { vec![&size] };
    let report = Case { reduction, ..case(PHILOSOPHERS, &flags) }.explore().report;
    assert!(report.exhausted, "{report:?}");
    (report.explored, report.terminated, report.deadlocks, report.blocked)
}

#[test]
fn without_reduction_as_in_the_paper() {
    assert_eq!(counts(2, Reduction::None, false), (18, 2, 2, 0));
    assert_eq!(counts(3, Reduction::None, false), (1680, 390, 6, 0));
    assert_eq!(counts(3, Reduction::None, true), (1112, 238, 0, 0));
}

#[test]
fn sleep_sets() {
    assert_eq!(counts(2, Reduction::Sleep, false), (17, 2, 1, 0));
    assert_eq!(counts(3, Reduction::Sleep, false), (97, 6, 1, 13));
    assert_eq!(counts(4, Reduction::Sleep, false), (489, 14, 1, 90));
}

#[test]
fn persistent_sets_from_declarations() {
    assert_eq!(counts(2, Reduction::Persistent, false), (18, 2, 2, 0));
    assert_eq!(counts(3, Reduction::Persistent, false), (123, 12, 3, 0));
    assert_eq!(counts(4, Reduction::Persistent, false), (580, 48, 4, 0));
}

#[test]
fn persistent_and_sleep_sets() {
    assert_eq!(counts(2, Reduction::PersistentSleep, false), (17, 2, 1, 0));
    assert_eq!(counts(3, Reduction::PersistentSleep, false), (67, 6, 1, 1));
    assert_eq!(counts(4, Reduction::PersistentSleep, false), (198, 14, 1, 4));
}
