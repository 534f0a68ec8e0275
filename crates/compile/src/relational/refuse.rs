//! What has no exact translation, and why.

use logic::fol::NoTerm;
use source::Span;

/// Why a system is not made a relation: nothing is dropped, nothing is guessed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct NotRelational {
    /// What has no translation.
    pub reason: Reason,
    /// The statement, if it is one.
    pub span: Span,
}

/// What has no translation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// `enabled(p)` asks what could be done instead of what is.
    #[error("enabled() is not translated")]
    Enabled,
    /// Processes with priorities, or statements about them.
    #[error("priorities are not translated")]
    Priorities,
    /// A property that asks who moved last, of a model that does not.
    #[error("_last in a formula is not translated")]
    Last,
    /// An operator over bits.
    #[error("{0} is not translated")]
    Operator(String),
    /// A d_step whose loop no constant bounds, or that has too many paths.
    #[error("a d_step is not bounded by constants")]
    LongStep,
    /// More processes at once than there are places for.
    #[error("more than {0} processes live at once")]
    Processes(usize),
    /// More scalar parts of a state, or more steps, than can be written down.
    #[error("there are too many {0}")]
    Large(&'static str),
    /// The initial state has a fault.
    #[error("the initial state cannot be computed: {0}")]
    Initial(String),
    /// A place that is no single value.
    #[error("a place that is not a single value is not translated")]
    NoScalar,
}

impl NotRelational {
    /// A refusal without a place in the text.
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
