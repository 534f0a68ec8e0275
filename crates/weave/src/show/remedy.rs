//! What usually helps against a violation, in one line; nothing where that cannot be said.

use workbench::{Awaited, Kind, Violation, Waiting};

/// The remedy that the run suggests.
pub(crate) fn remedy(violation: &Violation) -> Option<&'static str> {
    match violation.kind {
        Kind::Deadlock => Some(deadlock(violation)),
        Kind::Race if violation.recording.program.is_some() => {
            Some("guard both accesses by one mutex, or make the variable atomic")
        }
        Kind::Race => Some("make both accesses under one lock, or the field `volatile`"),
        Kind::Misuse => Some(misuse(&violation.message)),
        Kind::Crash => Some("`--gdb` stops the program where it fails; `weave explain crash` says more"),
        Kind::Runtime => runtime(&violation.message),
        Kind::Divergence => Some(
            "a loop that waits for what another thread writes needs a condition variable or an atomic \
             variable; what only takes long needs a larger --divergence",
        ),
        _ if matches!(violation.property.as_str(), "lock-cycle" | "lost-wakeup") => Some(deadlock(violation)),
        _ => None,
    }
}

/// By what the blocked threads have and wait for.
fn deadlock(violation: &Violation) -> &'static str {
    let blocked: Vec<&Waiting> = violation.trace.waiting.iter().filter(|w| !w.valid_end).collect();
    if blocked.iter().any(|w| w.awaits_any(&[Awaited::Signal, Awaited::Notify])) {
        return "a signal that comes before the wait is lost: wait in a loop for a condition that the other \
                side makes true under the same lock";
    }
    let locks: Vec<&str> = blocked.iter().flat_map(|w| &w.holds).map(String::as_str).collect();
    let wanted = |w: &&Waiting| w.awaits().filter(|n| n.what == Awaited::Lock).map(|n| n.object.clone());
    let own = |w: &&Waiting| wanted(w).is_some_and(|lock| w.holds.contains(&lock));
    if blocked.iter().any(own) {
        return "a thread asks for a lock that it has already: give it back first, or make it recursive";
    }
    let asks: Vec<String> = blocked.iter().copied().filter_map(|w| wanted(&w)).collect();
    let lost = asks.iter().any(|lock| !locks.contains(&lock.as_str()));
    match (asks.len(), lost) {
        (1.., true) => "a thread has ended, or goes on, with the lock: give it back on every way out",
        (2.., false) => "let every thread take these locks in the same order",
        _ => "`weave explain deadlock` says what counts as one, and how to allow it",
    }
}

/// Usual run-time errors by the beginning of their messages.
const ERRORS: [(&str, &str); 4] = [
    ("monitor is not held", "call `wait` and `notify` inside of `synchronized` on the same object"),
    ("null dereference", "test for null under the same lock, or wait until there is an object"),
    ("a value outside its declared range", "widen the range, or test before the change"),
    ("array index", "the run shows the index: make the array longer, or test before"),
];

fn misuse(message: &str) -> &'static str {
    match message.contains("unlock") {
        true => "the thread that took a lock gives it back; to signal, use a condition or a semaphore",
        false => "`weave explain misuse` says what is not allowed",
    }
}

fn runtime(message: &str) -> Option<&'static str> {
    ERRORS.iter().find(|(begins, _)| message.starts_with(begins)).map(|(_, help)| *help)
}
