//! Where texts go. A reader who goes away (a closed pipe) is no reason to fail; a full disk is.
//!
//! There is one answer. The work claims it with its first line; if it is late, the overseer claims
//! it (`oversee`), and the work is silent from then on.

use crate::cli::Command;
use crate::exit::Exit;
use crate::formats::{Format, Said, document};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{Error, ErrorKind, Write};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

const OPEN: u8 = 0;
const WORK: u8 = 1;
const OVERSEER: u8 = 2;

/// Who writes the answer.
static OWNER: AtomicU8 = AtomicU8::new(OPEN);

/// How the process ends if nothing more is written: the answer is known before it is shown.
static DECIDED: Mutex<Option<Exit>> = Mutex::new(None);

/// Lines of JSON, while they are collected for a document in another format.
static COLLECTED: Mutex<Option<(Format, Said)>> = Mutex::new(None);

/// How many pieces of text have been written.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

/// Why standard output could not be written, if it could not.
static LOST: OnceLock<String> = OnceLock::new();

/// A pipe takes at least this many bytes at once.
const PIECE: usize = 4096;

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

/// The answer is known, and with it how the process ends.
pub(crate) fn decide(exit: Exit) {
    *DECIDED.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(exit);
}

/// How the process ends, if the answer is known.
pub(crate) fn decided() -> Option<Exit> {
    *DECIDED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Grows as long as what is written is read.
pub(crate) fn written() -> u64 {
    WRITTEN.load(Ordering::SeqCst)
}

/// To standard output.
pub(crate) fn out(text: &str) {
    speak();
    event(text);
}

/// From now on lines of JSON become a document, if the command asks for one.
pub(crate) fn translate(command: &Command) {
    let format = command.format();
    if !matches!(format, Format::Text | Format::Json) {
        let files = command.subject().unwrap_or_default();
        let subject = files.first().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
        *collected() = Some((format, Said { subject, lines: Vec::new(), expected: false }));
    }
}

fn collected() -> std::sync::MutexGuard<'static, Option<(Format, Said)>> {
    COLLECTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// What is written instead of lines of JSON: nothing before the result, then the document.
fn translated(text: &str) -> Option<Cow<'_, str>> {
    let mut collected = collected();
    let Some((format, said)) = collected.as_mut() else { return Some(Cow::Borrowed(text)) };
    said.lines.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
    let ends = said.lines.last().is_some_and(|line| line["event"] == "result");
    ends.then(|| Cow::Owned(document(*format, std::slice::from_ref(said))))
}

/// To standard output, before the answer: progress.
pub(crate) fn event(text: &str) {
    let Some(text) = translated(text) else { return };
    let mut stdout = std::io::stdout().lock();
    if OWNER.load(Ordering::SeqCst) == OVERSEER && ME.get() == WORK {
        return;
    }
    for piece in text.as_bytes().chunks(PIECE) {
        if let Err(error) = stdout.write_all(piece).and_then(|()| stdout.flush()) {
            note_loss(&error);
            return;
        }
        WRITTEN.fetch_add(1, Ordering::SeqCst);
    }
}

/// A reader who goes away has seen enough; anything else, such as a full disk, lost the answer.
fn note_loss(error: &Error) {
    if error.kind() != ErrorKind::BrokenPipe {
        let _ = LOST.set(error.to_string());
    }
}

/// How the process ends: an answer that could not be written is an error, unless a violation was
/// found.
pub(crate) fn settle(exit: Exit) -> Exit {
    let Some(why) = LOST.get() else { return exit };
    let _ = writeln!(std::io::stderr().lock(), "weave: standard output: {why}: the answer was not written");
    exit.unless_violated(Exit::Wrong)
}

/// Ends with what the command line parser says: help, or what is wrong with the words.
pub(crate) fn refuse(said: &clap::Error) -> ! {
    let exit = if said.use_stderr() { Exit::Wrong } else { Exit::Good };
    if let Err(error) = said.print().and_then(|()| std::io::stdout().flush()) {
        note_loss(&error);
    }
    std::process::exit(settle(exit).code().into())
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
