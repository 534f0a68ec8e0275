//! Complete runs of dynamic reduction: one for each Mazurkiewicz trace, counts known from two other
//! tools and closed forms.

mod support;

use support::case;

/// Terminated and deadlocked runs; nothing may be cut by sleep sets.
fn runs(source: &str, flags: &[&str]) -> (u64, u64) {
    let explored = case(source, flags).explore();
    let report = &explored.report;
    assert!(report.exhausted && explored.trouble.is_none(), "{source} {flags:?}: {explored:?}");
    assert_eq!((report.blocked, report.failing), (0, 0), "{source} {flags:?}");
    (report.terminated, report.deadlocks)
}

#[test]
fn philosophers() {
    for n in 2..=6 {
        let size = format!("-DN={n}");
        for source in ["philosophers_mutex.c", "philosophers_sem.c", "philosophers_sysv.c"] {
            assert_eq!(runs(source, &[&size]), ((1 << n) - 2, 1), "{source} {n}");
            assert_eq!(runs(source, &[&size, "-DFIX"]), ((1 << n) - 2, 0), "{source} {n} fixed");
        }
    }
}

#[test]
fn fibonacci() {
    for (k, locked, atomic) in [(2, 6, 19), (3, 20, 141), (4, 70, 1107)] {
        let size = format!("-DK={k}");
        assert_eq!(runs("fibonacci.c", &[&size, "-DLOCKED"]), (locked, 0), "{k} locked");
        assert_eq!(runs("fibonacci.c", &[&size]), (atomic, 0), "{k} atomic");
    }
    assert_eq!(runs("fibonacci.c", &["-DK=5", "-DLOCKED"]), (252, 0));
}

#[test]
fn threads_left_behind_by_main() {
    assert_eq!(runs("main_leaves_first.c", &[]), (4, 0));
}

#[test]
fn indexer() {
    for (n, expected) in [(12, 8), (13, 64)] {
        assert_eq!(runs("indexer.c", &[&format!("-DN={n}")]), (expected, 0), "{n}");
    }
}

#[test]
fn last_zero() {
    for (n, expected) in [(2, 5), (3, 12), (4, 28), (5, 64)] {
        assert_eq!(runs("last_zero.c", &[&format!("-DN={n}")]), (expected, 0), "{n}");
    }
}

#[test]
fn readers() {
    for (n, atomic, mutex) in [(2, 4, 6), (3, 8, 24), (4, 16, 120)] {
        let size = format!("-DN={n}");
        assert_eq!(runs("readers.c", &[&size]), (atomic, 0), "{n} atomic");
        assert_eq!(runs("readers.c", &[&size, "-DLOCKED"]), (mutex, 0), "{n} mutex");
        assert_eq!(runs("readers.c", &[&size, "-DRW"]), (atomic, 0), "{n} read-write lock");
    }
}

#[test]
fn producer_and_consumer() {
    for (k, expected) in [(2, 8), (3, 32), (4, 128)] {
        assert_eq!(runs("bounded_buffer.c", &[&format!("-DK={k}")]), (expected, 0), "{k}");
    }
}

#[test]
fn the_buffer_with_one_condition_variable_deadlocks() {
    let (_, deadlocks) = runs("bounded_buffer.c", &["-DP=2", "-DC=2", "-DK=1", "-DONE"]);
    assert!(deadlocks > 0);
}

/// A loop that only waits adds no complete run: as many as there are orders in which a lock can be
/// taken.
#[test]
fn spinning_is_waiting() {
    for (n, orders) in [(1, 1), (2, 2), (3, 6)] {
        assert_eq!(runs("spin_exchange.c", &[&format!("-DN={n}")]), (orders, 0), "{n}");
    }
    assert_eq!(runs("spin_ticket.c", &[]), (2, 0));
    assert_eq!(runs("spin_flag.c", &[]), (1, 0));
    assert_eq!(runs("spin_flag.c", &["-DNEVER"]), (0, 1));
    assert_eq!(runs("spin_processes.c", &[]), (1, 0));
}
