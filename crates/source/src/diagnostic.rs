//! What is wrong, where, and what to do about it.

use crate::{Span, nearest};

/// An error refuses the text; a warning does not.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The text can be used, but may not mean what was intended.
    Warning,
    /// The text cannot be used.
    Error,
}

/// A place with a few words about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// What is underlined.
    pub span: Span,
    /// What is written at the underlined text; empty for a line alone.
    pub text: String,
}

/// One finding about a text. Built by chaining:
/// `Diagnostic::error("E0301", span, "no variable `x`").label("not declared").help("declare it")`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Whether the text can still be used.
    pub severity: Severity,
    /// The code that a [`CodeTable`](crate::CodeTable) explains.
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// The place of the mistake.
    pub primary: Label,
    /// Other places that matter, such as an earlier declaration.
    pub secondary: Vec<Label>,
    /// Background, shown below the text.
    pub notes: Vec<String>,
    /// What to change, shown below the notes.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A mistake for which the text is rejected.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, span, message.into())
    }

    /// A mistake with which the text is still used.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, span, message.into())
    }

    fn new(severity: Severity, code: &'static str, span: Span, message: String) -> Diagnostic {
        let primary = Label { span, text: String::new() };
        Diagnostic { severity, code, message, primary, secondary: vec![], notes: vec![], help: vec![] }
    }

    /// The words at the primary span.
    pub fn label(mut self, text: impl Into<String>) -> Diagnostic {
        self.primary.text = text.into();
        self
    }

    /// Another place that matters.
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a line of background.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a proposal.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Proposes the nearest of the names that could stand here, if one is near.
    pub fn meant<'a>(self, name: &str, among: impl Iterator<Item = &'a str>) -> Diagnostic {
        match nearest(name, among) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// Whether the text is rejected for it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
