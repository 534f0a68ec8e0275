//! The report of a run, plain data for people: who did what where, which messages went where, what
//! changed.
//!
//! An [`crate::executor::Executor`] makes it by executing the run, for every kind of file; lists,
//! charts and JSON are made of it.

use crate::values::{Change, Variable};
pub use native::symbols::Place as Frame;
use source::{SourceMap, Span};

/// A process that lived in the run. Numbers are used again after a death, so a report has its own
/// list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub pid: usize,
    pub name: String,
    /// Of a thread of a program: its process. Such a thread is called by its name alone.
    pub process: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub span: Span,
}

impl Location {
    /// Where a span stands; `None` if it points nowhere.
    pub fn of(map: &SourceMap, span: Span) -> Option<Location> {
        if span.start >= span.end {
            return None;
        }
        let text = map.get(span.file)?;
        let position = map.position(span);
        Some(Location { file: text.name.clone(), line: position.line, column: position.column, span })
    }
}

/// A statement executed by an actor (an index into [`Report::actors`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub actor: usize,
    pub text: String,
    pub location: Option<Location>,
    /// What a program calls.
    pub call: Option<Box<Call>>,
}

/// An operation that a program performs, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub process: u64,
    pub thread: usize,
    pub operation: String,
    /// On what, and how.
    pub object: String,
    pub outcome: i64,
    /// The program's own frames, innermost first.
    pub stack: Vec<Frame>,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Sender and receiver meet.
    Handshake { from: usize, to: usize, channel: String, message: String },
    /// A message goes into a buffer.
    Send { from: usize, channel: String, message: String },
    /// A message comes out of a buffer (or is only read: `copy`); `sent` names the sender and the
    /// step, counted from 1.
    Receive { to: usize, channel: String, message: String, copy: bool, sent: Option<(usize, usize)> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportStep {
    /// Who moved; a handshake is counted as the sender's.
    pub actor: usize,
    /// In order; several inside a d_step, and the receiver's in a handshake.
    pub statements: Vec<Statement>,
    pub exchanges: Vec<Exchange>,
    pub created: Vec<usize>,
    pub ended: Vec<usize>,
    pub changes: Vec<Change>,
    pub printed: Vec<String>,
    pub fault: Option<String>,
    /// The process stays in control, being inside an atomic sequence.
    pub atomic: bool,
}

/// A process at the end of a run, where it stands and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    pub actor: usize,
    /// The statements it could go on with.
    pub statements: Vec<Statement>,
    /// The run may end with it here.
    pub valid_end: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    Fault,
    Deadlock,
    /// Back to the state before this step (counted from 0), and on without end.
    Lasso {
        loop_start: usize,
    },
    /// The last two steps access one variable, and nothing orders them.
    Race,
    /// No step is enabled, and the run may end here.
    End,
    #[default]
    Open,
}

/// Why a run ends, where no step of it is at fault: a kind and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    pub kind: String,
    pub message: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub actors: Vec<Actor>,
    /// What is not zero at the beginning.
    pub initial: Vec<Variable>,
    /// What was printed before the first step.
    pub printed: String,
    pub steps: Vec<ReportStep>,
    pub ending: Ending,
    pub failure: Option<Failed>,
    /// Every process alive at the end.
    pub waiting: Vec<Waiting>,
}

impl Ending {
    pub fn name(self) -> &'static str {
        match self {
            Ending::Fault => "fault",
            Ending::Deadlock => "deadlock",
            Ending::Race => "race",
            Ending::Lasso { .. } => "lasso",
            Ending::End => "end",
            Ending::Open => "open",
        }
    }
}

impl Actor {
    /// As in Promela's remote references, `name[pid]`; a thread by its name.
    pub fn label(&self) -> String {
        match self.process {
            Some(_) => self.name.clone(),
            None => format!("{}[{}]", self.name, self.pid),
        }
    }
}

impl Report {
    pub fn label(&self, actor: usize) -> String {
        self.actors.get(actor).map_or_else(|| "?".to_string(), Actor::label)
    }
}
