//! Whether a test passes: the verdicts that were expected against those that were given.

use crate::exit::Exit;
use crate::formats::Said;
use serde_json::Value;
use std::collections::BTreeMap;

/// What became of a test; the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Passed,
    /// Something is unknown that was expected to be decided.
    Unknown,
    /// The command was wrong.
    Refused,
    /// weave itself failed.
    Bug,
    /// Something has another verdict than the one expected.
    Failed,
}

/// What is expected of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    /// This verdict of the whole.
    Whole(String),
    /// These verdicts of properties; the others hold.
    Each(BTreeMap<String, String>),
}

pub(super) struct Judged {
    pub(super) status: Status,
    /// What is not as expected, in words.
    pub(super) why: String,
}

impl Status {
    pub(super) fn name(self) -> &'static str {
        match self {
            Status::Passed => "passed",
            Status::Unknown => "unknown",
            Status::Refused => "refused",
            Status::Bug => "bug",
            Status::Failed => "failed",
        }
    }

    pub(super) fn exit(self) -> Exit {
        match self {
            Status::Passed => Exit::Good,
            Status::Unknown => Exit::Unknown,
            Status::Refused => Exit::Wrong,
            Status::Bug => Exit::Bug,
            Status::Failed => Exit::Violated,
        }
    }
}

/// Compares what was said with what was expected.
pub(super) fn judge(said: &Said, expected: &Expected) -> Judged {
    let result = said.lines.iter().rfind(|line| line["event"] == "result");
    let Some(result) = result else {
        return Judged { status: Status::Bug, why: "weave gave no answer".to_string() };
    };
    let reason = || result["reason"].as_str().unwrap_or_default().to_string();
    let Some(verdict) = result["verdict"].as_str() else {
        let bug = result["exit_code"] == u64::from(Exit::Bug.code());
        let first = said.lines.iter().find(|l| l["event"] == "diagnostic" && l["severity"] == "error");
        let why = first.and_then(|d| d["message"].as_str()).map_or_else(reason, str::to_string);
        return Judged { status: if bug { Status::Bug } else { Status::Refused }, why };
    };
    match expected {
        Expected::Whole(word) => {
            let (status, what) = compared(word, verdict);
            let why = if status == Status::Passed { String::new() } else { format!("{what}; {}", reason()) };
            Judged { status, why }
        }
        Expected::Each(each) => by_property(result, each, verdict, reason()),
    }
}

fn by_property(result: &Value, each: &BTreeMap<String, String>, verdict: &str, reason: String) -> Judged {
    let properties = result["properties"].as_array().map_or(&[][..], Vec::as_slice);
    let name = |p: &Value| p["name"].as_str().unwrap_or_default().to_string();
    let given: BTreeMap<String, &str> =
        properties.iter().map(|p| (name(p), p["verdict"].as_str().unwrap_or("unknown"))).collect();
    let mut wrong: Vec<(Status, String)> = Vec::new();
    for (name, word) in each {
        let (status, what) = match given.get(name) {
            Some(given) => compared(word, given),
            None => (Status::Refused, "there is no such property".to_string()),
        };
        wrong.push((status, format!("{name}: {what}")));
    }
    for (name, given) in given.iter().filter(|(name, _)| !each.contains_key(*name)) {
        let (status, what) = compared("holds", given);
        wrong.push((status, format!("{name}: {what}")));
    }
    wrong.retain(|(status, _)| *status != Status::Passed);
    if wrong.is_empty() && properties.is_empty() && verdict != "holds" {
        wrong.push((compared("holds", verdict).0, reason));
    }
    let status = wrong.iter().map(|(status, _)| *status).max().unwrap_or(Status::Passed);
    // What stayed unknown because something else failed says nothing.
    let why = wrong
        .into_iter()
        .filter(|(one, _)| *one == status)
        .map(|(_, why)| why)
        .collect::<Vec<_>>()
        .join(", ");
    Judged { status, why }
}

/// One verdict against the one expected.
fn compared(expected: &str, given: &str) -> (Status, String) {
    let status = match (expected == given, given) {
        (true, _) => Status::Passed,
        (false, "unknown") => Status::Unknown,
        (false, _) => Status::Failed,
    };
    (status, format!("{given}, expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(expected: &Expected, verdict: &str, properties: &[(&str, &str)]) -> (Status, String) {
        let properties: Vec<Value> =
            properties.iter().map(|(name, verdict)| json!({"name": name, "verdict": verdict})).collect();
        let result = json!({"event": "result", "verdict": verdict, "properties": properties, "reason": "r"});
        let judged =
            judge(&Said { subject: "m".to_string(), lines: vec![result], expected: false }, expected);
        (judged.status, judged.why)
    }

    #[test]
    fn each_property_has_its_verdict() {
        let each = Expected::Each(BTreeMap::from([("p".to_string(), "violated".to_string())]));
        let ask = |verdict, properties: &[(&str, &str)]| given(&each, verdict, properties);
        assert_eq!(ask("violated", &[("p", "violated"), ("q", "holds")]), (Status::Passed, String::new()));
        assert_eq!(ask("holds", &[("p", "holds")]).0, Status::Failed);
        assert_eq!(ask("violated", &[("p", "violated"), ("q", "unknown")]).0, Status::Unknown);
        assert_eq!(ask("holds", &[("q", "holds")]).0, Status::Refused);
        let none = Expected::Each(BTreeMap::new());
        assert_eq!(given(&none, "unknown", &[]), (Status::Unknown, "r".to_string()));
    }

    #[test]
    fn the_whole_has_a_verdict() {
        let whole = Expected::Whole("unknown".to_string());
        assert_eq!(given(&whole, "unknown", &[("p", "unknown")]).0, Status::Passed);
        assert_eq!(given(&whole, "holds", &[("p", "holds")]).0, Status::Failed);
        assert_eq!(
            judge(&Said { subject: "m".to_string(), lines: Vec::new(), expected: false }, &whole).status,
            Status::Bug
        );
    }
}
