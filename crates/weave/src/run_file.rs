//! Runs of programs as files: JSON, with a version, the program, what is needed to take the run again, and each step.

use serde_json::{Value, json};
use std::path::Path;
use workbench::programs::{Known, Recorded, RunRecording, Scenario, SetName};
use workbench::{Define, Failure};

pub(crate) const FORMAT: &str = "everyweave-run";
const VERSION: u64 = 1;

pub(crate) fn write(
    path: &Path,
    recording: &RunRecording,
    scenario: Option<&Scenario>,
) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&to_json(recording, scenario)).unwrap_or_default();
    crate::written::write(path, &(text + "\n"))
}

pub(crate) fn read(path: &Path) -> Result<RunRecording, Failure> {
    let text = workbench::model::read_text(path)?;
    let fail = |message: String| Failure::File { path: path.to_path_buf(), message };
    let value: Value = serde_json::from_str(&text).map_err(|e| fail(format!("not a run: {e}")))?;
    if value["format"] != FORMAT || value["version"] != VERSION {
        return Err(fail("not a run of a program".to_string()));
    }
    parse(&value).ok_or_else(|| fail("the run is damaged".to_string()))
}

/// Whether a file is a run of a program, and not of a model.
pub(crate) fn is_run(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    serde_json::from_str::<Value>(&text).is_ok_and(|v| v["format"] == FORMAT)
}

pub(crate) fn to_json(r: &RunRecording, scenario: Option<&Scenario>) -> Value {
    let place = |at: usize| {
        let place = scenario?.steps.get(at)?.stack.first()?;
        Some(format!("{}:{}", place.file, place.line))
    };
    let object = |at: usize| scenario.and_then(|s| s.steps.get(at)).map(|s| s.object.clone());
    let steps = r.steps.iter().enumerate().map(|(at, s)| {
        json!({
            "thread": s.who, "outcome": s.outcome, "operation": s.operation, "object": object(at), "at": place(at),
        })
    });
    let set = |s: &SetName| match s {
        SetName::Private(process, nth) => json!({"process": process, "nth": nth}),
        SetName::Key(key) => json!({"key": key}),
    };
    json!({
        "format": FORMAT,
        "version": VERSION,
        "weave": env!("CARGO_PKG_VERSION"),
        "program": r.program,
        "arguments": r.arguments,
        "defines": r.defines.iter().map(Define::text).collect::<Vec<_>>(),
        "cflags": r.flags,
        "spurious_wakeups": r.spurious,
        "time": if r.ordered { "ordered" } else { "free" },
        "input": input_to_json(&r.input),
        "threads": r.known.threads,
        "sets": r.known.sets.iter().map(set).collect::<Vec<_>>(),
        "watched": r.known.watched,
        "racing": r.known.racing,
        "waiting": r.known.waiting,
        "ending": {"kind": r.kind, "message": r.message},
        "steps": steps.collect::<Vec<_>>(),
    })
}

/// Text as it is, anything else by its bytes.
fn input_to_json(input: &[u8]) -> Value {
    match std::str::from_utf8(input) {
        Ok(text) => json!(text),
        Err(_) => json!(input),
    }
}

fn input_of(value: &Value) -> Option<Vec<u8>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(text.clone().into_bytes()),
        other => other.as_array()?.iter().map(|b| u8::try_from(b.as_u64()?).ok()).collect(),
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_string)).collect()
}

fn parse(value: &Value) -> Option<RunRecording> {
    let thread = |v: &Value| Some((usize::try_from(v.get(0)?.as_u64()?).ok()?, v.get(1)?.as_u64()?));
    let set = |v: &Value| match v.get("key") {
        Some(key) => Some(SetName::Key(key.as_i64()?)),
        None => Some(SetName::Private(v.get("process")?.as_u64()?, v.get("nth")?.as_u64()?)),
    };
    let step = |v: &Value| {
        Some(Recorded {
            who: usize::try_from(v.get("thread")?.as_u64()?).ok()?,
            outcome: v.get("outcome")?.as_i64()?,
            operation: v.get("operation")?.as_str()?.to_string(),
        })
    };
    Some(RunRecording {
        program: value["program"].as_str()?.to_string(),
        arguments: texts(&value["arguments"])?,
        defines: texts(&value["defines"])?.iter().map(|d| Define::parse(d)).collect::<Option<_>>()?,
        flags: texts(&value["cflags"])?,
        spurious: u32::try_from(value["spurious_wakeups"].as_u64()?).ok()?,
        ordered: value["time"] == "ordered",
        input: input_of(&value["input"])?,
        known: Known {
            threads: value["threads"].as_array()?.iter().map(thread).collect::<Option<_>>()?,
            sets: value["sets"].as_array()?.iter().map(set).collect::<Option<_>>()?,
            watched: value["watched"].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?,
            racing: value["racing"].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?,
            waiting: value["waiting"].as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?,
        },
        steps: value["steps"].as_array()?.iter().map(step).collect::<Option<_>>()?,
        kind: value["ending"]["kind"].as_str()?.to_string(),
        message: value["ending"]["message"].as_str()?.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_is_written_is_read_back() {
        let recording = RunRecording {
            program: "a.c".to_string(),
            arguments: vec!["x y".to_string()],
            defines: vec![Define { name: "N".to_string(), value: Some("3".to_string()) }],
            flags: vec!["-O2".to_string()],
            spurious: 1,
            ordered: true,
            input: vec![0xff, b'5'],
            known: Known {
                threads: vec![(0, 1), (1, 1)],
                sets: vec![SetName::Private(0, 1), SetName::Key(-3)],
                watched: BTreeSet::from([0]),
                racing: BTreeSet::from([77]),
                waiting: BTreeSet::from([78]),
            },
            steps: vec![Recorded { who: 1, outcome: -1, operation: "cond_signal".to_string() }],
            kind: "deadlock".to_string(),
            message: "nobody can move".to_string(),
        };
        assert_eq!(parse(&to_json(&recording, None)), Some(recording));
        assert_eq!(parse(&json!({"program": "a"})), None);
    }
}
