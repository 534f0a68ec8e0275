//! A run as plain data for people: who did what where, which messages went where, what changed.

use crate::values::{Change, Variable};
use source::{SourceMap, Span};

/// A process that lived in the run. Numbers are used again after a death, so a trace has its own list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    pub pid: usize,
    pub name: String,
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

/// A statement executed by an actor (an index into [`Trace::actors`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    pub actor: usize,
    pub text: String,
    pub location: Option<Location>,
}

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Sender and receiver meet.
    Handshake { from: usize, to: usize, channel: String, message: String },
    /// A message goes into a buffer.
    Send { from: usize, channel: String, message: String },
    /// A message comes out of a buffer (or is only read: `copy`); `sent` names the sender and the step, counted from 1.
    Receive { to: usize, channel: String, message: String, copy: bool, sent: Option<(usize, usize)> },
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TraceStep {
    /// Who moved; a handshake is counted as the sender's.
    pub actor: usize,
    /// In order; several inside a d_step, and the receiver's in a handshake.
    pub statements: Vec<Statement>,
    pub exchanges: Vec<Exchange>,
    pub born: Vec<usize>,
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
    /// It may rest here for ever.
    pub valid_end: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    Fault,
    Deadlock,
    /// Back to the state before this step (counted from 0), and on for ever.
    Lasso {
        loop_start: usize,
    },
    /// The last two steps access one variable, and nothing orders them.
    Race,
    /// Everybody rests where they may.
    End,
    #[default]
    Open,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub actors: Vec<Actor>,
    /// What is not zero at the beginning.
    pub initial: Vec<Variable>,
    pub steps: Vec<TraceStep>,
    pub ending: Ending,
    /// Everyone alive at the end.
    pub waiting: Vec<Waiting>,
}

impl Actor {
    /// As in Promela's remote references: `name[pid]`.
    pub fn label(&self) -> String {
        format!("{}[{}]", self.name, self.pid)
    }
}

impl Trace {
    pub fn label(&self, actor: usize) -> String {
        self.actors.get(actor).map_or_else(|| "?".to_string(), Actor::label)
    }
}
