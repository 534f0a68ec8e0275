//! Recorded runs as files: JSON, with a version, the model's name, definitions and fingerprint, and each step.
//!
//! What is needed to take the run again is `process`, `transitions` and `partner` of each step; statements, lines and
//! changes are there for readers.

use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use workbench::recording::RecordedStep;
use workbench::{Define, Ending, Failure, Recording, Trace, TraceStep};

const FORMAT: &str = "everyweave-trace";
const VERSION: u64 = 1;

pub(crate) fn write(path: &Path, recording: &Recording, trace: &Trace) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(&to_json(recording, trace)).unwrap_or_default();
    crate::written::write(path, &(text + "\n"))
}

pub(crate) fn read(path: &Path) -> Result<Recording, Failure> {
    let text = workbench::model::read_text(path)?;
    let fail = |message: String| Failure::File { path: path.to_path_buf(), message };
    let value: Value = serde_json::from_str(&text).map_err(|e| fail(format!("not a trace: {e}")))?;
    from_json(&value).map_err(fail)
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

fn to_json(recording: &Recording, trace: &Trace) -> Value {
    let steps =
        recording.steps.iter().zip(&trace.steps).map(|(recorded, shown)| step(trace, recorded, shown));
    json!({
        "format": FORMAT,
        "version": VERSION,
        "weave": env!("CARGO_PKG_VERSION"),
        "model": {
            "file": recording.file,
            "defines": recording.defines.iter().map(Define::text).collect::<Vec<_>>(),
            "fingerprint": recording.fingerprint,
        },
        "initial": recording.initial,
        "start": recording.start,
        "ending": crate::json::ending(recording.ending),
        "steps": steps.collect::<Vec<_>>(),
    })
}

fn step(trace: &Trace, recorded: &RecordedStep, shown: &TraceStep) -> Value {
    let statements = shown.statements.iter().map(|s| {
        let place = s.location.as_ref().map(|l| format!("{}:{}:{}", l.file, l.line, l.column));
        json!({"process": trace.label(s.actor), "text": s.text, "at": place})
    });
    let changes = shown.changes.iter().map(|c| (c.name.clone(), json!([c.before, c.after])));
    json!({
        "process": recorded.process,
        "transitions": recorded.path,
        "partner": recorded.partner.as_ref().map(|(p, path)| json!({"process": p, "transitions": path})),
        "statements": statements.collect::<Vec<_>>(),
        "changes": Value::Object(changes.collect()),
    })
}

fn from_json(value: &Value) -> Result<Recording, String> {
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err("not a trace of weave".to_string());
    }
    match value.get("version").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(format!("trace format {other}; this version of weave reads format {VERSION}"));
        }
        None => return Err("the trace has no version".to_string()),
    }
    parse(value).ok_or_else(|| "the trace is damaged".to_string())
}

fn parse(value: &Value) -> Option<Recording> {
    let model = value.get("model")?;
    let define = |d: &Value| Define::parse(d.as_str()?);
    let ending = value.get("ending")?;
    Some(Recording {
        file: model.get("file")?.as_str()?.to_string(),
        defines: model.get("defines")?.as_array()?.iter().map(define).collect::<Option<_>>()?,
        fingerprint: model.get("fingerprint")?.as_str()?.to_string(),
        initial: value.get("initial").map_or(Some(0), number)?,
        start: value.get("start").and_then(Value::as_str).map(str::to_string),
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
    })
}

fn parse_step(value: &Value) -> Option<RecordedStep> {
    let path = |v: &Value| v.get("transitions")?.as_array()?.iter().map(number).collect::<Option<Vec<_>>>();
    let partner = match value.get("partner")? {
        Value::Null => None,
        partner => Some((number(partner.get("process")?)?, path(partner)?)),
    };
    Some(RecordedStep { process: number(value.get("process")?)?, path: path(value)?, partner })
}

fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::samples::talk;

    fn recording() -> Recording {
        let step = |process, path: &[usize]| RecordedStep { process, path: path.to_vec(), partner: None };
        Recording {
            file: "m.pml".to_string(),
            defines: vec![Define { name: "N".to_string(), value: Some("3".to_string()) }],
            fingerprint: "fnv1a64:0".to_string(),
            initial: 2,
            start: Some("2; at[a](0); at[b](1)".to_string()),
            steps: vec![
                step(0, &[1]),
                RecordedStep { partner: Some((1, vec![4, 5])), ..step(0, &[2]) },
                step(1, &[6, 7]),
            ],
            ending: Ending::Fault,
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
            let recording = Recording { ending, ..recording() };
            assert_eq!(from_json(&to_json(&recording, &talk())), Ok(recording));
        }
    }

    #[test]
    fn other_files_are_refused_with_a_reason() {
        let good = to_json(&recording(), &talk());
        let with = |key: &str, value: Value| {
            let mut bad = good.clone();
            bad[key] = value;
            from_json(&bad).unwrap_err()
        };
        assert!(with("format", json!("itf")).contains("not a trace of weave"));
        assert!(with("version", json!(2)).contains("reads format 1"));
        assert!(with("steps", json!([{"process": -1}])).contains("damaged"));
        assert!(from_json(&json!(3)).is_err());
    }
}
