//! What weave says about a Java program, property by property, and its counterexample.

use crate::process::{self, Limits};
use crate::scratch::Scratch;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Holds,
    Violated,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    Deadlock,
    /// Circles of locks, lost wake-ups: a part of the threads is blocked.
    Partial,
    Error,
    Race,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    pub about: About,
    pub verdict: Verdict,
}

/// A step of a counterexample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TraceStep {
    pub actor: String,
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Verdict {
        overall: Verdict,
        properties: Vec<Property>,
        reason: String,
        trace: Vec<TraceStep>,
    },
    /// The program is outside of what is modelled: the first error.
    Refused(String),
    TimeOut,
    /// Neither a result nor a refusal.
    Failed(String),
}

/// The binary, and options that are always given.
#[derive(Debug, Clone)]
pub struct Asked {
    pub weave: PathBuf,
    pub options: Vec<String>,
    pub seconds: u64,
}

impl Asked {
    pub fn new(weave: &Path, options: Vec<String>) -> Asked {
        let weave = weave.canonicalize().unwrap_or_else(|_| weave.to_owned());
        Asked { weave, options, seconds: 5 }
    }

    pub fn ask(&self, name: &str, text: &str) -> io::Result<Answer> {
        let scratch = Scratch::new("java")?;
        let file = format!("{name}.java");
        fs::write(scratch.path().join(&file), text)?;
        let mut arguments = vec!["check", "--json", "--threads", "1"];
        arguments.extend(self.options.iter().map(String::as_str));
        arguments.push(&file);
        let limits = Limits { time: Duration::from_secs(self.seconds), memory_mb: 4000 };
        let done = process::run(&self.weave.to_string_lossy(), &arguments, scratch.path(), limits)?;
        let last = done.stdout.lines().next_back().unwrap_or("");
        let result: Option<Value> = serde_json::from_str(last).ok();
        Ok(match (result.filter(|r| r["event"] == "result"), done.code) {
            (Some(value), 0 | 1 | 3) => read(&value),
            (_, 2) => Answer::Refused(refusal(&done.stdout, &done.stderr)),
            _ if done.timed_out() => Answer::TimeOut,
            (_, code) => {
                let said: Vec<_> = done.stderr.lines().take(3).collect();
                Answer::Failed(format!("exit {code}: {}", said.join(" | ")))
            }
        })
    }
}

/// The code and message of the first error.
fn refusal(stdout: &str, stderr: &str) -> String {
    for line in stdout.lines() {
        let Ok(value) = serde_json::from_str::<Value>(line) else { continue };
        if value["event"] == "diagnostic" && value["severity"] != "warning" {
            let code = value["code"].as_str().unwrap_or("");
            return format!("{code} {}", value["message"].as_str().unwrap_or(""));
        }
    }
    stderr.lines().next().unwrap_or("").to_owned()
}

fn verdict(value: &Value) -> Verdict {
    match value.as_str() {
        Some("holds") => Verdict::Holds,
        Some("violated") => Verdict::Violated,
        _ => Verdict::Unknown,
    }
}

fn read(value: &Value) -> Answer {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let properties = list(&value["properties"]).iter().map(property).collect();
    let actors = list(&value["trace"]["actors"]);
    let name = |pid: &Value| {
        let found = actors.iter().find(|actor| actor["pid"] == *pid);
        let class = found.and_then(|actor| actor["name"].as_str()).unwrap_or("");
        format!("{class}#{pid}")
    };
    let steps = list(&value["trace"]["steps"]);
    let trace = steps.iter().flat_map(|step| {
        let statements = list(&step["statements"]);
        statements.into_iter().filter_map(|statement| {
            let line = statement["location"]["line"].as_u64()? as usize;
            Some(TraceStep { actor: name(&statement["actor"]), line })
        })
    });
    Answer::Verdict {
        overall: verdict(&value["verdict"]),
        properties,
        reason: value["reason"].as_str().unwrap_or("").to_owned(),
        trace: trace.collect(),
    }
}

fn property(value: &Value) -> Property {
    let name = value["name"].as_str().unwrap_or("").to_owned();
    let about = match (name.as_str(), value["kind"].as_str().unwrap_or("")) {
        (name, kind) if name.contains("race") || kind.contains("race") => About::Race,
        ("error", _) => About::Error,
        ("deadlock", _) => About::Deadlock,
        _ => About::Partial,
    };
    Property { name, about, verdict: verdict(&value["verdict"]) }
}
