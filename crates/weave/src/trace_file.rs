//! Recorded runs as files: JSON of version 2, for models and programs alike. Version 1 is read too.
//!
//! To execute the run again, weave needs `model`, `program`, where the run begins (`initial`,
//! `start`), and of each step `process`, `transitions` and `partner`. Statements, lines, changes
//! and printed texts are there for readers.

mod first;

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use workbench::programs::{Known, SetName};
use workbench::recording::Launch;
use workbench::report::Failed;
use workbench::{Define, Ending, Failure, Recording, Report, ReportStep, Start, Statement, Step};

const FORMAT: &str = "everyweave-trace";
const VERSION: u64 = 2;

/// The report of the run is for readers.
pub(crate) fn write<'a>(
    path: &Path,
    recording: &Recording,
    report: impl Into<Option<&'a Report>>,
) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&to_json(recording, report.into())).unwrap_or_default();
    crate::written::write(path, &(text + "\n"))
}

pub(crate) fn read(path: &Path) -> Result<Recording, Failure> {
    let text = workbench::model::read_text(path)?;
    let fail = |message: String| Failure::File { path: path.to_path_buf(), message };
    let value: Value = serde_json::from_str(&text)
        .map_err(|e| fail(format!("not a recorded run, which --trace FILE writes: {e}")))?;
    from_json(&value).map_err(|why| fail(why.to_string()))
}

/// Where the model of a trace is: as named, or beside the trace.
pub(crate) fn model_path(recording: &Recording, trace: &Path) -> PathBuf {
    let named = PathBuf::from(&recording.file);
    let beside = trace.parent().map(|folder| folder.join(named.file_name().unwrap_or_default()));
    match beside {
        Some(beside) if !named.exists() && beside.exists() => beside,
        _ => named,
    }
}

fn to_json(recording: &Recording, report: Option<&Report>) -> Value {
    let (initial, start) = match &recording.start {
        Start::Number(number) => (*number, None),
        Start::Text(text) => (0, Some(text)),
    };
    let shown = |at: usize| report.and_then(|r| Some((r, r.steps.get(at)?)));
    let steps = recording.steps.iter().enumerate().map(|(at, recorded)| step(recorded, shown(at)));
    json!({
        "format": FORMAT,
        "version": VERSION,
        "weave": env!("CARGO_PKG_VERSION"),
        "model": {
            "file": recording.file,
            "defines": recording.defines.iter().map(Define::text).collect::<Vec<_>>(),
            "fingerprint": recording.fingerprint,
        },
        "program": recording.program.as_ref().map(launch),
        "initial": initial,
        "start": start,
        "ending": ending(recording),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn ending(recording: &Recording) -> Value {
    let mut ending = crate::json::ending(recording.ending);
    if let Some(failed) = &recording.failure {
        ending["failure"] = json!(failed.kind);
        ending["message"] = json!(failed.message);
    }
    ending
}

fn launch(launch: &Launch) -> Value {
    let set = |s: &SetName| match s {
        SetName::Private(process, nth) => json!({"process": process, "nth": nth}),
        SetName::Key(key) => json!({"key": key}),
    };
    // Text as it is, anything else by its bytes.
    let input = match std::str::from_utf8(&launch.input) {
        Ok(text) => json!(text),
        Err(_) => json!(launch.input),
    };
    json!({
        "arguments": launch.arguments,
        "cflags": launch.flags,
        "spurious_wakeups": launch.spurious,
        "time": if launch.ordered { "ordered" } else { "free" },
        "input": input,
        "threads": launch.known.threads,
        "sets": launch.known.sets.iter().map(set).collect::<Vec<_>>(),
        "watched": launch.known.watched,
        "racing": launch.known.racing,
        "waiting": launch.known.waiting,
    })
}

fn step(recorded: &Step, shown: Option<(&Report, &ReportStep)>) -> Value {
    let statement = |report: &Report, s: &Statement| {
        let place = s.location.as_ref().map(|l| format!("{}:{}:{}", l.file, l.line, l.column));
        json!({"process": report.label(s.actor), "text": s.text, "at": place})
    };
    let statements = shown.iter().flat_map(|(r, s)| s.statements.iter().map(|s| statement(r, s)));
    let changes = shown.iter().flat_map(|(_, s)| &s.changes);
    let changes = changes.map(|c| (c.name.clone(), json!([c.before, c.after])));
    json!({
        "process": recorded.actor,
        "transitions": recorded.path,
        "partner": recorded.partner.as_ref().map(|(p, path)| json!({"process": p, "transitions": path})),
        "statements": statements.collect::<Vec<_>>(),
        "changes": Value::Object(changes.collect()),
        "printed": shown.map(|(_, s)| s.printed.clone()).unwrap_or_default(),
        "fault": shown.and_then(|(_, s)| s.fault.clone()),
    })
}

/// Why a file is no trace that can be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum NoTrace {
    #[error("not a run that weave recorded")]
    Foreign,
    #[error("trace format {0}; this version of weave reads formats 1 and {VERSION}")]
    Version(u64),
    #[error("the trace has no version")]
    Unversioned,
    #[error("the trace is damaged")]
    Damaged,
}

fn from_json(value: &Value) -> Result<Recording, NoTrace> {
    let format = value.get("format").and_then(Value::as_str);
    let version = value.get("version").and_then(Value::as_u64);
    let recording = match (format, version) {
        (Some(FORMAT), Some(1 | VERSION)) => parse(value),
        (Some(first::FORMAT), Some(1)) => first::parse(value),
        (Some(FORMAT | first::FORMAT), Some(other)) => return Err(NoTrace::Version(other)),
        (Some(FORMAT | first::FORMAT), None) => return Err(NoTrace::Unversioned),
        _ => return Err(NoTrace::Foreign),
    };
    recording.ok_or(NoTrace::Damaged)
}

fn parse(value: &Value) -> Option<Recording> {
    let model = value.get("model")?;
    let ending = value.get("ending")?;
    let failure = ending.get("failure").and_then(Value::as_str).map(|kind| Failed {
        kind: kind.to_string(),
        message: ending.get("message").and_then(Value::as_str).unwrap_or_default().to_string(),
    });
    Some(Recording {
        file: model.get("file")?.as_str()?.to_string(),
        defines: defines(model.get("defines")?)?,
        fingerprint: model.get("fingerprint")?.as_str()?.to_string(),
        program: match value.get("program") {
            None | Some(Value::Null) => None,
            Some(program) => Some(parse_launch(program)?),
        },
        start: match value.get("start").and_then(Value::as_str) {
            Some(text) => Start::Text(text.to_string()),
            None => Start::Number(value.get("initial").map_or(Some(0), number)?),
        },
        steps: value.get("steps")?.as_array()?.iter().map(parse_step).collect::<Option<_>>()?,
        ending: match ending.get("kind")?.as_str()? {
            "fault" => Ending::Fault,
            "deadlock" => Ending::Deadlock,
            "race" => Ending::Race,
            "end" => Ending::End,
            "open" => Ending::Open,
            "lasso" => Ending::Lasso { loop_start: number(ending.get("loop_start")?)? },
            _ => return None,
        },
        failure,
    })
}

fn parse_step(value: &Value) -> Option<Step> {
    let path = |v: &Value| v.get("transitions")?.as_array()?.iter().map(number).collect::<Option<Vec<_>>>();
    let partner = match value.get("partner")? {
        Value::Null => None,
        partner => Some((number(partner.get("process")?)?, path(partner)?)),
    };
    Some(Step { actor: number(value.get("process")?)?, path: path(value)?, partner })
}

/// How a program is started; the same keys in both versions.
fn parse_launch(value: &Value) -> Option<Launch> {
    let thread = |v: &Value| Some((number(v.get(0)?)?, v.get(1)?.as_u64()?));
    let set = |v: &Value| match v.get("key") {
        Some(key) => Some(SetName::Key(key.as_i64()?)),
        None => Some(SetName::Private(v.get("process")?.as_u64()?, v.get("nth")?.as_u64()?)),
    };
    let all = |key: &str| value.get(key)?.as_array();
    Some(Launch {
        arguments: texts(value.get("arguments")?)?,
        flags: texts(value.get("cflags")?)?,
        spurious: u32::try_from(value.get("spurious_wakeups")?.as_u64()?).ok()?,
        ordered: value.get("time").and_then(Value::as_str) == Some("ordered"),
        input: match value.get("input") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::String(text)) => text.clone().into_bytes(),
            Some(other) => {
                other.as_array()?.iter().map(|b| u8::try_from(b.as_u64()?).ok()).collect::<Option<_>>()?
            }
        },
        known: Known {
            threads: all("threads")?.iter().map(thread).collect::<Option<_>>()?,
            sets: all("sets")?.iter().map(set).collect::<Option<_>>()?,
            watched: all("watched")?.iter().map(Value::as_u64).collect::<Option<_>>()?,
            racing: all("racing")?.iter().map(Value::as_u64).collect::<Option<_>>()?,
            waiting: all("waiting")?.iter().map(Value::as_u64).collect::<Option<_>>()?,
        },
    })
}

fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|v| v.as_str().map(str::to_string)).collect()
}

fn defines(value: &Value) -> Option<Vec<Define>> {
    texts(value)?.iter().map(|d| Define::parse(d)).collect()
}

fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::samples::talk;

    fn recording() -> Recording {
        let step = |actor, path: &[usize]| Step { actor, path: path.to_vec(), partner: None };
        Recording {
            file: "m.pml".to_string(),
            defines: vec![Define { name: "N".to_string(), value: Some("3".to_string()) }],
            fingerprint: "fnv1a64:0".to_string(),
            start: Start::Text("2; at[a](0); at[b](1)".to_string()),
            steps: vec![
                step(0, &[1]),
                Step { partner: Some((1, vec![4, 5])), ..step(0, &[2]) },
                step(1, &[6, 7]),
            ],
            ending: Ending::Fault,
            ..Recording::default()
        }
    }

    fn program() -> Recording {
        let known = Known {
            threads: vec![(0, 1), (1, 1)],
            sets: vec![SetName::Private(0, 1), SetName::Key(-3)],
            watched: [0].into(),
            racing: [77].into(),
            waiting: [78].into(),
        };
        Recording {
            file: "a.c".to_string(),
            program: Some(Launch {
                arguments: vec!["x y".to_string()],
                flags: vec!["-O2".to_string()],
                spurious: 1,
                ordered: true,
                input: vec![0xff, b'5'],
                known,
            }),
            steps: vec![workbench::programs::numbered(1, -1, "cond_signal")],
            ending: Ending::Deadlock,
            failure: Some(Failed { kind: "deadlock".to_string(), message: "blocked".to_string() }),
            ..Recording::default()
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        for ending in [
            Ending::Fault,
            Ending::Deadlock,
            Ending::Race,
            Ending::End,
            Ending::Open,
            Ending::Lasso { loop_start: 2 },
        ] {
            let recording = Recording { ending, start: Start::Number(2), ..recording() };
            assert_eq!(from_json(&to_json(&recording, Some(&talk()))), Ok(recording));
        }
        for recording in [recording(), program()] {
            assert_eq!(from_json(&to_json(&recording, None)), Ok(recording));
        }
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        let good = to_json(&recording(), Some(&talk()));
        let with = |key: &str, value: Value| {
            let mut bad = good.clone();
            bad[key] = value;
            from_json(&bad).unwrap_err().to_string()
        };
        assert!(with("format", json!("itf")).contains("not a run that weave recorded"));
        assert!(with("version", json!(3)).contains("reads formats 1 and 2"));
        assert!(with("steps", json!([{"process": -1}])).contains("damaged"));
        assert!(from_json(&json!(3)).is_err());
    }
}
