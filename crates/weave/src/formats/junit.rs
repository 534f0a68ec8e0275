//! JUnit's XML, as continuous integration reads it: a test suite for each subject, a test case for
//! each property. What is unknown, and a request that is wrong, are errors.

use super::Said;
use super::finding::{Finding, Outcome, findings};
use std::fmt::Write;

/// One suite for each subject.
pub(super) fn document(all: &[Said]) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"weave\">\n".to_string();
    all.iter().for_each(|said| suite(said, &mut text));
    text.push_str("</testsuites>\n");
    text
}

fn suite(said: &Said, text: &mut String) {
    let found: Vec<Finding> = findings(said).into_iter().filter(|f| f.outcome != Outcome::Warning).collect();
    let count = |is: fn(Outcome) -> bool| found.iter().filter(|f| is(f.outcome)).count();
    let failures = count(|o| o == Outcome::Fail);
    let errors = count(|o| matches!(o, Outcome::Open | Outcome::Refused));
    let result = said.lines.iter().rfind(|l| l["event"] == "result");
    let seconds = result.and_then(|l| l["seconds"].as_f64()).unwrap_or(0.0);
    let name = escaped(&said.subject);
    let _ = writeln!(
        text,
        "  <testsuite name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"0\" \
         time=\"{seconds:.3}\">",
        found.len()
    );
    found.iter().for_each(|f| case(&name, f, text));
    text.push_str("  </testsuite>\n");
}

fn case(class: &str, f: &Finding, text: &mut String) {
    let head = format!("    <testcase classname=\"{class}\" name=\"{}\"", escaped(&f.name));
    let tag = match f.outcome {
        Outcome::Pass | Outcome::Warning => {
            let _ = writeln!(text, "{head}/>");
            return;
        }
        Outcome::Fail => "failure",
        Outcome::Open | Outcome::Refused => "error",
    };
    let at = f.place.as_ref().map(|p| format!("{}:{}:{}\n", p.file, p.line, p.column)).unwrap_or_default();
    let steps: String = f.steps.iter().enumerate().map(|(n, (_, s))| format!("{}  {s}\n", n + 1)).collect();
    let (message, body) = (escaped(&f.message), escaped(&format!("{at}{steps}")));
    let _ = writeln!(
        text,
        "{head}>\n      <{tag} type=\"{}\" message=\"{message}\">{body}</{tag}>",
        escaped(&f.rule)
    );
    text.push_str("    </testcase>\n");
}

/// Text as XML 1.0 allows it.
fn escaped(text: &str) -> String {
    let one = |c: char| match c {
        '&' => "&amp;".to_string(),
        '<' => "&lt;".to_string(),
        '>' => "&gt;".to_string(),
        '"' => "&quot;".to_string(),
        '\n' => "&#10;".to_string(),
        '\t' => "&#9;".to_string(),
        c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => "\u{fffd}".to_string(),
        c => c.to_string(),
    };
    text.chars().map(one).collect()
}
