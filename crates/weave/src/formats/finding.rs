//! What was found, one by one: a property with its verdict, a diagnostic, the failure of a request.

use super::{How, Missed, Said};
use serde_json::Value;

/// What became of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// It holds.
    Pass,
    /// It is violated, or wrong.
    Fail,
    /// It is suspicious.
    Warning,
    /// It is unknown.
    Open,
    /// The request was wrong: nothing was asked.
    Refused,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u64,
    pub(super) column: u64,
}

#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) outcome: Outcome,
    /// The code of a diagnostic, the kind of a property.
    pub(super) rule: String,
    /// The property, or the code again.
    pub(super) name: String,
    pub(super) message: String,
    pub(super) place: Option<Place>,
    /// The run that shows it, step by step.
    pub(super) steps: Vec<(Option<Place>, String)>,
}

impl Finding {
    fn fails(&self) -> bool {
        matches!(self.outcome, Outcome::Fail | Outcome::Open | Outcome::Refused)
    }

    /// What fails was expected to.
    fn pass(&mut self) {
        (self.outcome, self.steps) = (Outcome::Pass, Vec::new());
        self.message = format!("as expected: {}", self.message);
    }
}

/// What was found as expected passes; what is missed fails.
fn compare(said: &Said, missed: &[Missed], found: &mut Vec<Finding>) {
    let whole_is_missed = missed.iter().any(|m| m.name.is_empty());
    let is_missed = |name: &str| missed.iter().any(|m| m.name == name);
    let met = |f: &Finding| f.fails() && !whole_is_missed && !is_missed(&f.name);
    found.iter_mut().filter(|f| met(f)).for_each(Finding::pass);
    for m in missed {
        let outcome = match m.how {
            How::Differs => Outcome::Fail,
            How::IsUnknown => Outcome::Open,
            How::Fails => Outcome::Refused,
        };
        let shown = |f: &Finding| f.outcome == outcome && (m.name.is_empty() || f.name == m.name);
        if !found.iter().any(shown) {
            let name = if m.name.is_empty() { said.subject.clone() } else { m.name.clone() };
            let rule = "expectation".to_string();
            found.retain(|f| f.name != m.name || f.outcome != Outcome::Pass);
            found.push(Finding { rule, name, ..whole(said, outcome, &m.what) });
        }
    }
}

/// All that a command found.
pub(super) fn findings(said: &Said) -> Vec<Finding> {
    let is = |line: &&Value, event: &str| line["event"] == event;
    let mut found: Vec<Finding> = said.lines.iter().filter(|l| is(l, "diagnostic")).map(diagnostic).collect();
    match said.lines.iter().rfind(|l| is(l, "result")) {
        Some(result) if result["verdict"].is_null() => {
            if found.iter().all(|f| f.outcome != Outcome::Refused) {
                found.push(whole(said, Outcome::Refused, &text(&result["reason"])));
            }
        }
        Some(result) => found.extend(verdicts(said, result)),
        None => found.push(whole(said, Outcome::Refused, "no answer was given")),
    }
    if let Some(missed) = &said.missed {
        compare(said, missed, &mut found);
    }
    found
}

fn diagnostic(line: &Value) -> Finding {
    let label = &line["labels"][0];
    let help = line["help"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let message = [text(&line["message"])].into_iter().chain(help.map(|h| format!("help: {h}")));
    Finding {
        outcome: if line["severity"] == "error" { Outcome::Refused } else { Outcome::Warning },
        rule: text(&line["code"]),
        name: text(&line["code"]),
        message: message.collect::<Vec<_>>().join("\n"),
        place: place(label),
        steps: Vec::new(),
    }
}

/// Something about the subject as a whole.
fn whole(said: &Said, outcome: Outcome, message: &str) -> Finding {
    let rule = if outcome == Outcome::Refused { "request" } else { "verdict" };
    Finding {
        outcome,
        rule: rule.to_string(),
        name: said.subject.clone(),
        message: message.to_string(),
        place: None,
        steps: Vec::new(),
    }
}

fn verdicts(said: &Said, result: &Value) -> Vec<Finding> {
    let violations = result["violations"].as_array().map_or(&[][..], Vec::as_slice);
    let mut found: Vec<Finding> = Vec::new();
    for (at, violation) in violations.iter().enumerate() {
        found.push(Finding {
            outcome: Outcome::Fail,
            rule: text(&violation["kind"]),
            name: text(&violation["property"]),
            message: text(&violation["message"]),
            place: place(&violation["location"]),
            // The run of the first one is written in full.
            steps: if at == 0 { steps(&result["trace"]) } else { Vec::new() },
        });
    }
    for property in result["properties"].as_array().into_iter().flatten() {
        let name = text(&property["name"]);
        let outcome = match property["verdict"].as_str() {
            Some("holds") => Outcome::Pass,
            Some("violated") => Outcome::Fail,
            _ => Outcome::Open,
        };
        if outcome == Outcome::Fail && found.iter().any(|f| f.name == name) {
            continue;
        }
        let why = property["reason"].as_str().map(str::to_string);
        let message = why.unwrap_or_else(|| format!("{name}: {}", text(&property["verdict"])));
        let rule = text(&property["kind"]);
        found.push(Finding { outcome, rule, name, message, place: None, steps: Vec::new() });
    }
    let verdict = result["verdict"].as_str();
    let shows = |outcome: Outcome| found.iter().any(|f| f.outcome == outcome);
    let missing = match verdict {
        Some("violated") if !shows(Outcome::Fail) => Some(Outcome::Fail),
        Some("unknown") if !shows(Outcome::Open) => Some(Outcome::Open),
        Some("holds") if found.is_empty() => Some(Outcome::Pass),
        _ => None,
    };
    found.extend(missing.map(|outcome| whole(said, outcome, &text(&result["reason"]))));
    found
}

fn steps(trace: &Value) -> Vec<(Option<Place>, String)> {
    let actor = |n: &Value| text(&trace["actors"][n.as_u64().unwrap_or(u64::MAX) as usize]["name"]);
    let statements = trace["steps"].as_array().into_iter().flatten().flat_map(|step| {
        step["statements"].as_array().into_iter().flatten().map(|s| (place(&s["location"]), s))
    });
    statements.map(|(place, s)| (place, format!("{}: {}", actor(&s["actor"]), text(&s["text"])))).collect()
}

fn place(of: &Value) -> Option<Place> {
    let file = of["file"].as_str()?.to_string();
    Some(Place { file, line: of["line"].as_u64()?, column: of["column"].as_u64().unwrap_or(1) })
}

fn text(of: &Value) -> String {
    of.as_str().unwrap_or_default().to_string()
}
