//! Runs of programs as version 1 had them, in a format of their own: read, and no longer written.

use super::{defines, number, parse_launch};
use serde_json::Value;
use workbench::programs::numbered;
use workbench::report::Failed;
use workbench::{Ending, Recording, Step};

pub(super) const FORMAT: &str = "everyweave-run";

pub(super) fn parse(value: &Value) -> Option<Recording> {
    let ending = value.get("ending")?;
    let kind = ending.get("kind")?.as_str()?;
    let failed = Failed { kind: kind.to_string(), message: ending.get("message")?.as_str()?.to_string() };
    Some(Recording {
        file: value.get("program")?.as_str()?.to_string(),
        defines: defines(value.get("defines")?)?,
        program: Some(parse_launch(value)?),
        steps: value.get("steps")?.as_array()?.iter().map(step).collect::<Option<_>>()?,
        ending: match kind {
            "none" => Ending::Open,
            "deadlock" => Ending::Deadlock,
            "race" => Ending::Race,
            _ => Ending::Fault,
        },
        failure: (kind != "none").then_some(failed),
        ..Recording::default()
    })
}

fn step(value: &Value) -> Option<Step> {
    let outcome = value.get("outcome")?.as_i64()?;
    Some(numbered(number(value.get("thread")?)?, outcome, value.get("operation")?.as_str()?))
}
