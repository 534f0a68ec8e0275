//! Annotations of GitHub Actions: a line for each finding that someone must look at.

use super::finding::{Finding, Outcome};

/// The lines of one subject.
pub(super) fn lines(found: &[Finding]) -> String {
    found.iter().filter_map(line).collect()
}

fn line(f: &Finding) -> Option<String> {
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
    let at =
        f.place.as_ref().map(|p| format!("file={},line={},col={},", property(&p.file), p.line, p.column));
    Some(format!("::{word} {}title={title}::{}\n", at.unwrap_or_default(), data(&f.message)))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
