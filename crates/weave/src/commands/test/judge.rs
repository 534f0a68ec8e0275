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
    /// These verdicts of properties, and nothing of the others; an empty name is the whole,
    /// `safety` are deadlocks, assertions and run-time errors, `rejected` is no verdict.
    Stated(Vec<(String, String)>),
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
        if !bug && expected.is_refusal() {
            return Judged { status: Status::Passed, why: String::new() };
        }
        return Judged { status: if bug { Status::Bug } else { Status::Refused }, why };
    };
    match expected {
        Expected::Whole(word) => {
            let (status, what) = compared(word, verdict);
            let why = if status == Status::Passed { String::new() } else { format!("{what}; {}", reason()) };
            Judged { status, why }
        }
        Expected::Each(each) => by_property(result, each, verdict, reason()),
        Expected::Stated(stated) => by_name(result, stated, verdict),
    }
}

impl Expected {
    /// Whether the file is to be rejected.
    fn is_refusal(&self) -> bool {
        matches!(self, Expected::Stated(stated) if stated.iter().all(|(_, word)| word == "rejected"))
    }
}

fn by_name(result: &Value, stated: &[(String, String)], verdict: &str) -> Judged {
    const SAFETY: [&str; 3] = ["deadlock", "assertion", "runtime"];
    let properties = result["properties"].as_array().map_or(&[][..], Vec::as_slice);
    let given = |name: &str| match name {
        "" => Some(verdict),
        "safety" => {
            let safety = || properties.iter().filter(|p| SAFETY.iter().any(|kind| p["kind"] == *kind));
            let has = |word: &str| safety().any(|p| p["verdict"] == word);
            ["violated", "unknown", "holds"].into_iter().find(|word| has(word))
        }
        name => properties.iter().find(|p| p["name"] == name)?["verdict"].as_str(),
    };
    let compared = stated.iter().map(|(name, word)| {
        let (status, what) = match given(name) {
            Some(given) => compared(word, given),
            None => (Status::Refused, "there is no such property".to_string()),
        };
        (status, if name.is_empty() { what } else { format!("{name}: {what}") })
    });
    worst(compared.filter(|(status, _)| *status != Status::Passed).collect())
}

/// The worst of what is not as expected. What stayed unknown because something else failed says
/// nothing.
fn worst(wrong: Vec<(Status, String)>) -> Judged {
    let status = wrong.iter().map(|(status, _)| *status).max().unwrap_or(Status::Passed);
    let why = wrong.into_iter().filter(|(one, _)| *one == status).map(|(_, why)| why);
    Judged { status, why: why.collect::<Vec<_>>().join(", ") }
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
    worst(wrong)
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
    fn heads_name_what_they_expect() {
        let stated = |all: &[(&str, &str)]| {
            Expected::Stated(all.iter().map(|(n, w)| (n.to_string(), w.to_string())).collect())
        };
        let properties = [("deadlock", "violated"), ("p", "holds")];
        let ask = |all: &[(&str, &str)]| given(&stated(all), "violated", &properties);
        assert_eq!(ask(&[("", "violated"), ("p", "holds")]), (Status::Passed, String::new()));
        assert_eq!(ask(&[("p", "violated")]), (Status::Failed, "p: holds, expected violated".to_string()));
        assert_eq!(ask(&[("q", "holds")]).0, Status::Refused);
        assert_eq!(ask(&[("", "rejected")]).0, Status::Failed);
        let refused = json!({"event": "result", "verdict": null, "reason": "r", "exit_code": 2});
        let said = Said { subject: "m".to_string(), lines: vec![refused], expected: false };
        assert_eq!(judge(&said, &stated(&[("", "rejected")])).status, Status::Passed);
        assert_eq!(judge(&said, &stated(&[("", "holds")])).status, Status::Refused);
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
