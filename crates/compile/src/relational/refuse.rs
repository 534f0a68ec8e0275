//! What has no exact translation, and why.

use logic::fol::NoTerm;
use source::Span;
use std::fmt;

/// Why a system is not made a relation: nothing is dropped, nothing is guessed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRelational {
    pub reason: Reason,
    /// The statement, if it is one.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// `enabled(p)` asks what could be done instead of what is.
    Enabled,
    /// Processes with priorities, or statements about them.
    Priorities,
    /// An operator over bits.
    Operator(String),
    /// A d_step whose loop no constant bounds, or that has too many paths.
    LongStep,
    /// More processes at once than there are places for.
    Processes(usize),
    /// More scalar parts of a state, or more steps, than can be written down.
    Large(&'static str),
    /// The initial state has a fault.
    Initial(String),
    /// A place that is no single value.
    NoScalar,
}

impl NotRelational {
    pub fn new(reason: Reason) -> NotRelational {
        NotRelational { reason, span: Span::default() }
    }

    /// The same reason, at a statement unless a place is known.
    pub fn at(self, span: Span) -> NotRelational {
        if self.span == Span::default() { NotRelational { span, ..self } } else { self }
    }

    /// What can be done about it.
    pub fn help(&self) -> &'static str {
        match self.reason {
            Reason::Processes(_) | Reason::Large(_) | Reason::LongStep => {
                "use the search, or smaller constants (-D)"
            }
            _ => "use the search: weave check without --engine",
        }
    }
}

impl From<NoTerm> for NotRelational {
    fn from(operator: NoTerm) -> NotRelational {
        NotRelational::new(Reason::Operator(operator.to_string()))
    }
}

impl fmt::Display for NotRelational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.reason {
            Reason::Enabled => f.write_str("enabled() is not translated"),
            Reason::Priorities => f.write_str("priorities are not translated"),
            Reason::Operator(what) => write!(f, "{what} is not translated"),
            Reason::LongStep => f.write_str("a d_step is not bounded by constants"),
            Reason::Processes(most) => write!(f, "more than {most} processes live at once"),
            Reason::Large(what) => write!(f, "there are too many {what}"),
            Reason::Initial(fault) => write!(f, "the initial state cannot be computed: {fault}"),
            Reason::NoScalar => f.write_str("a place that is no single value is not translated"),
        }
    }
}
