//! Why there is no answer.

use crate::formula::FORMULA;
use source::{Diagnostic, SourceMap};
use std::fmt::Display;
use std::path::PathBuf;

/// Why there is no answer.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A file cannot be read or written.
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The model is not in order.
    Rejected {
        /// The texts.
        map: SourceMap,
        /// What is wrong with them.
        diagnostics: Vec<Diagnostic>,
    },
    /// The request makes no sense.
    Request(String),
    /// A bug of ours.
    Internal(String),
}

/// Why nothing is known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Open(pub(crate) String);

impl Failure {
    /// A run that an engine found, and the judge does not confirm: our bug.
    pub(crate) fn refused(why: impl Display) -> Failure {
        Failure::Internal(format!("a counterexample was refused: {why}"))
    }

    /// In one line.
    pub fn message(&self) -> String {
        match self {
            Failure::File { path, message } => format!("{}: {message}", path.display()),
            Failure::Rejected { map, diagnostics } => {
                let errors = diagnostics.iter().filter(|d| d.is_error()).count();
                let first = diagnostics.iter().find(|d| d.is_error());
                let file = first.map_or("", |d| map.name(d.primary.span.file));
                let place =
                    if file == "<formula>" || file.starts_with(FORMULA) { "formula" } else { "model" };
                format!("{errors} error{} in the {place}", if errors == 1 { "" } else { "s" })
            }
            Failure::Request(message) => message.clone(),
            Failure::Internal(message) => format!("internal error: {message}"),
        }
    }
}
