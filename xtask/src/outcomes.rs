//! What `weave run --keep-going` found of a program that reports its outcome as the text of a
//! failing assertion.

use crate::process::{self, Limits, ToolFailed};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::{io, time::Duration};

#[derive(Debug, Clone)]
pub enum Answer {
    Result(Found),
    TimeOut,
    Failed(String),
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    pub verdict: String,
    pub reason: String,
    pub exhausted: bool,
    /// What was met that is not modelled.
    pub uncontrolled: Vec<String>,
    pub outcomes: BTreeSet<String>,
    /// Who waits for what in each of them.
    pub deadlocks: BTreeSet<String>,
    pub race: bool,
    /// Other violations: crashes, misuse.
    pub others: Vec<String>,
}

impl Found {
    fn new(value: &Value) -> Found {
        let text = |name: &str| value[name].as_str().unwrap_or("").to_owned();
        let listed = |name: &str| value[name].as_array().into_iter().flatten();
        let mut found = Found {
            verdict: text("verdict"),
            reason: text("reason"),
            exhausted: value["exhausted"].as_bool().unwrap_or(false),
            uncontrolled: listed("uncontrolled").filter_map(Value::as_str).map(str::to_owned).collect(),
            ..Found::default()
        };
        listed("violations").for_each(|violation| found.violation(violation));
        found
    }

    fn violation(&mut self, violation: &Value) {
        let message = violation["message"].as_str().unwrap_or("").to_owned();
        match violation["kind"].as_str().unwrap_or("") {
            "assertion" => {
                let outcome = message.strip_suffix("` fails at outcome:1 in main");
                let outcome = outcome.and_then(|text| text.strip_prefix('`')).map(str::to_owned);
                self.outcomes.insert(outcome.unwrap_or(message));
            }
            // A loop that waits while nothing else can run computes without end.
            "deadlock" | "divergence" => {
                self.deadlocks.insert(message);
            }
            "race" => self.race = true,
            kind => self.others.push(format!("{kind}: {message}")),
        }
    }

    pub fn is_complete(&self) -> bool {
        self.exhausted && self.verdict != "unknown" && self.uncontrolled.is_empty()
    }
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(60), memory_mb: 16_000 }
}

/// Compiles `p.c` of a folder to `p`; an error message if that fails.
pub fn compile(weave: &Path, folder: &Path) -> io::Result<Result<(), ToolFailed>> {
    let arguments = ["cc", "-O0", "-g", "-w", "-o", "p", "p.c"];
    let done = process::run(&weave.to_string_lossy(), &arguments, folder, limits())?;
    Ok(match done.code {
        0 => Ok(()),
        code => Err(ToolFailed::Compiler(format!("weave cc ends with {code}: {}", done.stderr))),
    })
}

/// Asks `weave run` with these options and this program.
pub fn ask(weave: &Path, folder: &Path, options: &[&str]) -> io::Result<Answer> {
    let mut arguments = vec!["run", "--json", "--keep-going", "--threads", "1"];
    arguments.extend(options);
    let done = process::run(&weave.to_string_lossy(), &arguments, folder, limits())?;
    let last = done.stdout.lines().next_back().unwrap_or("");
    let result = serde_json::from_str::<Value>(last).ok().filter(|value| value["event"] == "result");
    Ok(match (result, done.code) {
        (Some(value), 0 | 1 | 3) => Answer::Result(Found::new(&value)),
        _ if done.timed_out() => Answer::TimeOut,
        (_, code) => Answer::Failed(format!("exit code {code}: {} {last}", done.stderr.trim())),
    })
}
