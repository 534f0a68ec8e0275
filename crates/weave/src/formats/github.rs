//! Annotations of GitHub Actions: a line for each finding that someone must look at.

use super::finding::{Finding, Outcome};

/// The lines of one subject. Where something is violated, what stayed unknown is not listed.
pub(super) fn lines(subject: &str, found: &[Finding]) -> String {
    let fails = found.iter().any(|f| f.outcome == Outcome::Fail);
    let listed = found.iter().filter(|f| !(fails && f.outcome == Outcome::Open));
    listed.filter_map(|f| line(subject, f)).collect()
}

fn line(subject: &str, f: &Finding) -> Option<String> {
    let word = match f.outcome {
        Outcome::Pass => return None,
        Outcome::Fail | Outcome::Refused => "error",
        Outcome::Warning | Outcome::Open => "warning",
    };
    let what = match f.outcome {
        Outcome::Fail => "violated",
        Outcome::Open => "unknown",
        _ => "weave",
    };
    let title = property(&format!("{what}: {}", f.name));
    let at = match &f.place {
        Some(p) => format!("file={},line={},col={},", property(&p.file), p.line, p.column),
        None if subject.is_empty() => String::new(),
        None => format!("file={},", property(subject)),
    };
    Some(format!("::{word} {at}title={title}::{}\n", data(&f.message)))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
