//! SARIF 2.1.0 (OASIS, 2020): what code scanning reads. A property that holds is a result of kind
//! *pass*, one that is unknown of kind *open*; the run of a violation is a code flow.

use super::Said;
use super::finding::{Finding, Outcome, Place, findings};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// One run of the tool for each subject.
pub(super) fn document(all: &[Said]) -> String {
    let runs: Vec<Value> = all.iter().map(run).collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": runs,
    });
    format!("{document:#}\n")
}

fn run(said: &Said) -> Value {
    let found = findings(said);
    let rules: BTreeSet<&str> = found.iter().map(|f| &f.rule[..]).collect();
    let rules: Vec<Value> = rules.into_iter().map(|id| json!({"id": id})).collect();
    let refused = found.iter().any(|f| f.outcome == Outcome::Refused);
    let exit = said.lines.iter().rfind(|l| l["event"] == "result").map(|l| l["exit_code"].clone());
    json!({
        "tool": {"driver": {"name": "weave", "version": env!("CARGO_PKG_VERSION"), "rules": rules}},
        "invocations": [{"executionSuccessful": !refused, "exitCode": exit}],
        "results": found.iter().map(|f| result(said, f)).collect::<Vec<_>>(),
    })
}

fn result(said: &Said, f: &Finding) -> Value {
    let (kind, level) = match f.outcome {
        Outcome::Pass => ("pass", "none"),
        Outcome::Open => ("open", "none"),
        Outcome::Fail | Outcome::Refused => ("fail", "error"),
        Outcome::Warning => ("fail", "warning"),
    };
    let whole = Place { file: said.subject.clone(), line: 1, column: 1 };
    let message =
        if f.outcome == Outcome::Fail { format!("{}: {}", f.name, f.message) } else { f.message.clone() };
    let mut result = json!({
        "ruleId": f.rule, "kind": kind, "level": level, "message": {"text": message},
        "locations": [{"physicalLocation": physical(f.place.as_ref().unwrap_or(&whole))}],
    });
    let steps = f.steps.iter().filter_map(|(place, text)| {
        let physical = physical(place.as_ref()?);
        Some(json!({"location": {"physicalLocation": physical, "message": {"text": text}}}))
    });
    let steps: Vec<Value> = steps.collect();
    if !steps.is_empty() {
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    }
    result
}

fn physical(place: &Place) -> Value {
    json!({
        "artifactLocation": {"uri": uri(&place.file)},
        "region": {"startLine": place.line.max(1), "startColumn": place.column.max(1)},
    })
}

/// A file name as a reference: other bytes than these are written in hexadecimal.
fn uri(file: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/+".contains(&b);
    let written: String = file
        .bytes()
        .map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") })
        .collect();
    if file.starts_with('/') { format!("file://{written}") } else { written }
}
