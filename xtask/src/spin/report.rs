//! What SPIN said about a model: pan's page of numbers as data, and errors by kind.

use crate::process::Finished;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tool of SPIN's chain at which something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    Spin,
    Compiler,
    Pan,
}

/// How a run of the whole chain ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    Searched(Search),
    /// Refused with this message.
    Rejected(Stage, String),
    Timeout(Stage),
    /// pan died or printed no result.
    Crashed(String),
}

/// The kinds of errors, named as in weave's result field `errors`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Deadlock,
    Assertion,
    Runtime,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Deadlock, Kind::Assertion, Kind::Runtime];

    pub fn name(self) -> &'static str {
        match self {
            Kind::Deadlock => "deadlock",
            Kind::Assertion => "assertion",
            Kind::Runtime => "runtime",
        }
    }

    /// The kind of an error with pan's message.
    pub fn of(message: &str) -> Kind {
        if message.starts_with("invalid end state") {
            Kind::Deadlock
        } else if message.starts_with("assertion violated") && !message.contains("invalid array index") {
            Kind::Assertion
        } else {
            Kind::Runtime
        }
    }
}

/// A search that ran to some end.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Search {
    pub stored: u64,
    pub matched: u64,
    pub transitions: u64,
    pub atomic_steps: u64,
    pub depth: u64,
    pub vector_bytes: u64,
    /// pan's message → how often.
    pub errors: BTreeMap<String, u64>,
    /// Neither stopped by a fatal error nor cut at the depth limit.
    pub complete: bool,
    pub user_seconds: f64,
    pub memory_mb: f64,
}

impl Search {
    pub fn errors_of(&self, kind: Kind) -> u64 {
        self.errors.iter().filter(|(message, _)| Kind::of(message) == kind).map(|(_, count)| count).sum()
    }

    pub fn kinds(&self) -> Vec<Kind> {
        Kind::ALL.into_iter().filter(|&kind| self.errors_of(kind) > 0).collect()
    }
}

/// Reads what pan printed.
pub fn of_pan(finished: &Finished) -> Outcome {
    if finished.timed_out() {
        return Outcome::Timeout(Stage::Pan);
    }
    let text = &finished.stdout;
    if !text.contains("states, stored") {
        let refused =
            text.lines().find(|line| line.starts_with("error: proctype") || line.starts_with("pan: error"));
        return match refused {
            Some(line) => Outcome::Rejected(Stage::Pan, line.to_owned()),
            None => Outcome::Crashed(format!("pan ended with {}: {}", finished.code, tail(text))),
        };
    }
    let cut = ["max search depth too small", "Search not completed", "out of memory"];
    Outcome::Searched(Search {
        stored: number_before(text, "states, stored"),
        matched: number_before(text, "states, matched"),
        transitions: number_before(text, "transitions (="),
        atomic_steps: number_before(text, "atomic steps"),
        depth: number_after(text, "depth reached "),
        vector_bytes: number_after(text, "State-vector "),
        errors: errors(text),
        complete: !cut.iter().any(|mark| text.contains(mark)),
        user_seconds: finished.user_seconds,
        memory_mb: float_before(text, "total actual memory usage"),
    })
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" | ")
}

fn errors(text: &str) -> BTreeMap<String, u64> {
    let counted = text.lines().filter_map(|line| line.strip_prefix("@error ")?.split_once(' '));
    counted.map(|(count, message)| (message.to_owned(), count.parse().unwrap_or(1))).collect()
}

fn word_before<'a>(text: &'a str, mark: &str) -> &'a str {
    let before = text.lines().find_map(|line| line.split_once(mark)).map_or("", |(before, _)| before);
    before.split_whitespace().next_back().unwrap_or("")
}

/// pan prints counts with `%g`: beyond a million they may come as 1.252655e+06.
fn number_before(text: &str, mark: &str) -> u64 {
    float_before(text, mark) as u64
}

fn float_before(text: &str, mark: &str) -> f64 {
    word_before(text, mark).parse().unwrap_or(0.0)
}

fn number_after(text: &str, mark: &str) -> u64 {
    let after = text.split_once(mark).map_or("", |(_, after)| after);
    let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
    after[..end].parse().unwrap_or(0)
}

impl Outcome {
    pub fn to_json(&self) -> Value {
        match self {
            Outcome::Rejected(stage, message) => {
                json!({"rejected": stage_name(*stage), "message": message})
            }
            Outcome::Timeout(stage) => json!({"timeout": stage_name(*stage)}),
            Outcome::Crashed(message) => json!({"crashed": message}),
            Outcome::Searched(search) => json!({
                "stored": search.stored, "matched": search.matched, "transitions": search.transitions,
                "atomic_steps": search.atomic_steps, "depth": search.depth, "vector_bytes": search.vector_bytes,
                "errors": search.errors, "complete": search.complete, "user_seconds": search.user_seconds,
                "memory_mb": search.memory_mb,
            }),
        }
    }

    pub fn from_json(value: &Value) -> Option<Outcome> {
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let number = |key: &str| value.get(key).and_then(Value::as_u64);
        if let Some(stage) = text("rejected") {
            return Some(Outcome::Rejected(stage_named(stage)?, text("message")?.to_owned()));
        }
        if let Some(stage) = text("timeout") {
            return Some(Outcome::Timeout(stage_named(stage)?));
        }
        if let Some(message) = text("crashed") {
            return Some(Outcome::Crashed(message.to_owned()));
        }
        let errors = value.get("errors")?.as_object()?.iter();
        Some(Outcome::Searched(Search {
            stored: number("stored")?,
            matched: number("matched")?,
            transitions: number("transitions")?,
            atomic_steps: number("atomic_steps")?,
            depth: number("depth")?,
            vector_bytes: number("vector_bytes")?,
            errors: errors.map(|(message, count)| (message.clone(), count.as_u64().unwrap_or(1))).collect(),
            complete: value.get("complete")?.as_bool()?,
            user_seconds: value.get("user_seconds")?.as_f64()?,
            memory_mb: value.get("memory_mb")?.as_f64()?,
        }))
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Spin => "spin",
        Stage::Compiler => "compiler",
        Stage::Pan => "pan",
    }
}

fn stage_named(name: &str) -> Option<Stage> {
    [Stage::Spin, Stage::Compiler, Stage::Pan].into_iter().find(|&stage| stage_name(stage) == name)
}
