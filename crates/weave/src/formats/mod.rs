//! Answers in the formats of other tools: SARIF, JUnit, annotations of GitHub.
//!
//! The lines of `--json` are what is known; they become findings, and each format prints those. So
//! whatever a command says in JSON, it says in these, too.

mod finding;
mod github;
mod junit;
mod sarif;

use finding::findings;
use serde_json::Value;

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
    Sarif,
    Junit,
    Github,
}

/// All of them, by their words.
pub(crate) const FORMATS: [(&str, Format); 5] = [
    ("text", Format::Text),
    ("json", Format::Json),
    ("sarif", Format::Sarif),
    ("junit", Format::Junit),
    ("github", Format::Github),
];

/// What one command said about one subject.
pub(crate) struct Said {
    /// The file, as it was named.
    pub(crate) subject: String,
    /// The lines of `--json`.
    pub(crate) lines: Vec<Value>,
    /// What is not as expected, if something was: all else is no failure then.
    pub(crate) missed: Option<Vec<Missed>>,
}

/// An expectation that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missed {
    /// The property; empty for the whole.
    pub(crate) name: String,
    pub(crate) how: How,
    /// In words.
    pub(crate) what: String,
}

/// How an expectation is missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// There is another verdict.
    Differs,
    /// It is unknown.
    IsUnknown,
    /// There is no answer.
    Fails,
}

/// A document about all that was said.
pub(crate) fn document(format: Format, all: &[Said]) -> String {
    match format {
        Format::Sarif => sarif::document(all),
        Format::Junit => junit::document(all),
        Format::Github => all.iter().map(|said| github::lines(&said.subject, &findings(said))).collect(),
        Format::Text | Format::Json => String::new(),
    }
}
