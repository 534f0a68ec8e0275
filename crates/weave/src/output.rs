//! Where texts go. A reader who goes away (a closed pipe) is no reason to fail.
//!
//! There is one answer. The work claims it with its first line; if it is late, the overseer claims
//! it (`oversee`), and the work is silent from then on.

use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicU8, Ordering};

const OPEN: u8 = 0;
const WORK: u8 = 1;
const OVERSEER: u8 = 2;

/// Who writes the answer.
static OWNER: AtomicU8 = AtomicU8::new(OPEN);

thread_local! {
    static ME: Cell<u8> = const { Cell::new(WORK) };
}

/// From now on this thread writes the answer; false if the work has begun to.
pub(crate) fn take_over() -> bool {
    ME.set(OVERSEER);
    claim(OVERSEER)
}

fn claim(me: u8) -> bool {
    match OWNER.compare_exchange(OPEN, me, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => true,
        Err(owner) => owner == me,
    }
}

/// Waits for the end of the process if the answer is given by another.
fn speak() {
    let me = ME.get();
    // What the overseer says when the work speaks already is about the end of a conversation.
    if me == WORK && !claim(WORK) {
        loop {
            std::thread::park();
        }
    }
}

/// To standard output.
pub(crate) fn out(text: &str) {
    speak();
    event(text);
}

/// To standard output, before the answer: progress.
pub(crate) fn event(text: &str) {
    let mut stdout = std::io::stdout().lock();
    if OWNER.load(Ordering::SeqCst) == OVERSEER && ME.get() == WORK {
        return;
    }
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

/// A line to standard output.
pub(crate) fn line(text: &str) {
    out(&format!("{text}\n"));
}

/// A line to standard error.
pub(crate) fn complain(text: &str) {
    speak();
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
