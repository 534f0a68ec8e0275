//! `weave test`: every file of a list by a process of its own, and a summary.

#[path = "../../../../../models/head.rs"]
mod head;
mod judge;
mod list;

use crate::cli::TestArgs;
use crate::exit::Exit;
use crate::formats::{Format, Said, document};
use crate::interrupt;
use crate::output::{event, line, out};
use crate::style::{Style, Tone};
use crate::units::plural;
use judge::{Judged, Status};
use list::Test;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use workbench::Failure;

/// How often a test that runs is looked at.
const GLANCE: Duration = Duration::from_millis(10);

/// A test that ran.
struct Done {
    said: Said,
    judged: Judged,
    seconds: f64,
    /// The command, as one would type it.
    command: String,
}

pub(crate) fn run(args: &TestArgs) -> Result<Exit, Failure> {
    let tests = list::read(&args.list)?;
    let wanted = |test: &Test| args.only.as_ref().is_none_or(|word| test.file.contains(&word[..]));
    let tests: Vec<Test> = tests.into_iter().filter(wanted).collect();
    if tests.is_empty() {
        return Err(Failure::Request(format!("{} lists no such test", args.list.display())));
    }
    let started = Instant::now();
    let style = Style::of_stdout(false);
    let done = all(&tests, args, &style);
    let exit = done.iter().map(|d| d.judged.status).max().map_or(Exit::Good, Status::exit);
    let exit = if done.len() < tests.len() { exit.unless_violated(Exit::Interrupted) } else { exit };
    match args.format {
        Format::Text => out(&summary(&done, tests.len(), started.elapsed(), &style)),
        Format::Json => line(&totals(&done, tests.len(), exit).to_string()),
        format => out(&document(format, &done.into_iter().map(|d| d.said).collect::<Vec<_>>())),
    }
    Ok(exit)
}

/// All tests, as many at once as are allowed, in the order of the list.
fn all(tests: &[Test], args: &TestArgs, style: &Style) -> Vec<Done> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, |n| n as usize).min(tests.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let worker = || {
        while let Some((at, test)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, tests.get(n)?)))
        {
            let Some(one) = one(test, jobs > 1) else { return };
            let mut done = done.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match args.format {
                Format::Text => event(&row(&one, style)),
                Format::Json => event(&format!("{}\n", object(&one))),
                _ => {}
            }
            done.push((at, one));
        }
    };
    thread::scope(|scope| {
        (0..jobs).for_each(|_| {
            scope.spawn(worker);
        });
    });
    let mut done = done.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, one)| one).collect()
}

/// One test by a process of its own; nothing if it was interrupted.
fn one(test: &Test, shared: bool) -> Option<Done> {
    let started = Instant::now();
    let words = test.words(shared);
    let lines = match said(&words, &test.input) {
        Ok(text) => text?.lines().filter_map(|line| serde_json::from_str(line).ok()).collect(),
        Err(error) => {
            vec![json!({"event": "result", "verdict": null, "reason": error.to_string(), "exit_code": 2})]
        }
    };
    let mut said = Said { subject: test.file.clone(), lines, expected: false };
    let judged = judge::judge(&said, &test.expect);
    said.expected = judged.status == Status::Passed;
    let command = crate::shell::joined(&test.words(false));
    Some(Done { said, judged, seconds: started.elapsed().as_secs_f64(), command: format!("weave {command}") })
}

/// What weave says with these words and this input; nothing if we were interrupted meanwhile.
fn said(words: &[String], input: &str) -> std::io::Result<Option<String>> {
    let weave = std::env::current_exe()?;
    let mut command = Command::new(weave);
    command.args(words).arg("--json").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program may end without having read it.
        let _ = stdin.write_all(input.as_bytes());
    }
    let mut stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        let read = stdout.as_mut().map(|out| std::io::Read::read_to_end(out, &mut text));
        read.transpose().map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    while child.try_wait()?.is_none() {
        if interrupt::listen().is_interrupted() {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(GLANCE);
    }
    reader.join().unwrap_or_else(|_| Ok(String::new())).map(Some)
}

/// A test in one line.
fn row(done: &Done, style: &Style) -> String {
    let (tone, word) = match done.judged.status {
        Status::Passed => (Tone::Good, "PASS"),
        Status::Failed => (Tone::Bad, "FAIL"),
        Status::Unknown => (Tone::Unknown, "UNKNOWN"),
        Status::Refused | Status::Bug => (Tone::Bad, "ERROR"),
    };
    let why = if done.judged.why.is_empty() { String::new() } else { format!(": {}", done.judged.why) };
    let word = style.paint(tone, &format!("{word:>7}"));
    format!("{word} [{:>8.3}s] {}{why}\n", done.seconds, done.said.subject)
}

fn object(done: &Done) -> Value {
    json!({
        "event": "test", "file": done.said.subject, "status": done.judged.status.name(),
        "reason": done.judged.why, "seconds": done.seconds, "reproduce": done.command,
    })
}

fn count(done: &[Done], is: impl Fn(Status) -> bool) -> usize {
    done.iter().filter(|d| is(d.judged.status)).count()
}

fn totals(done: &[Done], all: usize, exit: Exit) -> Value {
    json!({
        "event": "result", "schema": crate::json::VERSION, "command": "test", "exit_code": exit.code(),
        "tests": all, "passed": count(done, |s| s == Status::Passed), "failed": count(done, |s| s == Status::Failed),
        "unknown": count(done, |s| s == Status::Unknown),
        "errors": count(done, |s| matches!(s, Status::Refused | Status::Bug)),
    })
}

/// How many passed, and how to see each of the others alone.
fn summary(done: &[Done], all: usize, time: Duration, style: &Style) -> String {
    let mut parts = vec![format!("{} passed", count(done, |s| s == Status::Passed))];
    let others = [
        (count(done, |s| s == Status::Failed), "failed"),
        (count(done, |s| s == Status::Unknown), "unknown"),
        (count(done, |s| matches!(s, Status::Refused | Status::Bug)), "in error"),
        (all - done.len(), "not run"),
    ];
    parts.extend(others.into_iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    let mut text = format!("{}\n", "─".repeat(12));
    let head = style.paint(Tone::Strong, "Summary");
    text.push_str(&format!(
        "{head} [{:.3}s] {}: {}\n",
        time.as_secs_f64(),
        plural(all, "test"),
        parts.join(", ")
    ));
    for one in done.iter().filter(|d| d.judged.status != Status::Passed) {
        text.push_str(&format!("reproduce: {}\n", one.command));
    }
    text
}
