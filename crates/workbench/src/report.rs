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
    /// Its number in the state.
    pub pid: usize,
    /// What it is called.
    pub name: String,
    /// Of a thread of a program: its process. Such a thread is called by its name alone.
    pub process: Option<u64>,
}

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The place in the map of texts.
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
    /// The actor.
    pub actor: usize,
    /// The statement, as it is printed.
    pub text: String,
    /// Where it stands.
    pub location: Option<Location>,
    /// What a program calls.
    pub call: Option<Box<Call>>,
}

/// An operation that a program performs, and from where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The process that calls.
    pub process: u64,
    /// The thread that calls.
    pub thread: usize,
    /// The function or operation.
    pub operation: String,
    /// On what, and how.
    pub object: String,
    /// Which of the results that it may have.
    pub outcome: i64,
    /// The program's own frames, innermost first.
    pub stack: Vec<Frame>,
}

/// The text of a statement that is none of the model: control leaves an `if`, a loop or a block.
pub const PASSES: &str = "(goes on)";

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Sender and receiver meet.
    Handshake {
        /// The sender.
        from: usize,
        /// The receiver.
        to: usize,
        /// The channel.
        channel: String,
        /// The fields of the message.
        message: String,
    },
    /// A message goes into a buffer.
    Send {
        /// The sender.
        from: usize,
        /// The channel.
        channel: String,
        /// The fields of the message.
        message: String,
    },
    /// A message comes out of a buffer (or is only read: `copy`); `sent` names the sender and the
    /// step, counted from 1.
    Receive {
        /// The receiver.
        to: usize,
        /// The channel.
        channel: String,
        /// The fields of the message.
        message: String,
        /// Whether the message stays in the channel.
        copy: bool,
        /// The sender, and the step at which it was sent.
        sent: Option<(usize, usize)>,
    },
}

/// One step of a run, with all that it changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportStep {
    /// Who moved; a handshake is counted as the sender's.
    pub actor: usize,
    /// In order; several inside a d_step, and the receiver's in a handshake.
    pub statements: Vec<Statement>,
    /// The messages that went somewhere.
    pub exchanges: Vec<Exchange>,
    /// The actors that it created.
    pub created: Vec<usize>,
    /// The actors that ended.
    pub ended: Vec<usize>,
    /// The variables that changed.
    pub changes: Vec<Change>,
    /// What was printed.
    pub printed: Vec<String>,
    /// The run-time error or failing assertion, in words.
    pub fault: Option<String>,
    /// Of an assertion that fails: its condition, with the values that make it false.
    pub why: Option<Valued>,
    /// The process stays in control, being inside an atomic sequence.
    pub atomic: bool,
}

/// A process at the end of a run, where it stands and what it waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The actor.
    pub actor: usize,
    /// The statements it could go on with.
    pub statements: Vec<Statement>,
    /// The locks that it has, by name.
    pub holds: Vec<String>,
    /// The run may end with it here.
    pub valid_end: bool,
    /// What it waits for, and who has that; as far as it is known.
    pub needs: Vec<Need>,
}

impl Waiting {
    /// What it waits for, if that is more than a change: its statements do not say it.
    pub fn awaits(&self) -> Option<&Need> {
        self.needs.iter().find(|need| need.what != Awaited::Change)
    }

    /// Whether it waits for this.
    pub fn awaits_any(&self, what: &[Awaited]) -> bool {
        self.awaits().is_some_and(|need| what.contains(&need.what))
    }
}

/// What a blocked process waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Need {
    /// What must become of the object.
    pub what: Awaited,
    /// A variable, channel, lock or thread.
    pub object: String,
    /// Its value, where it has one.
    pub value: Option<String>,
    /// The processes that it waits for, indices into [`Report::actors`].
    pub actors: Vec<usize>,
    /// What these have to do with it.
    pub tie: Tie,
}

impl Need {
    /// In words behind *waits for*.
    pub fn words(&self) -> String {
        let object = &self.object;
        match self.what {
            Awaited::Change | Awaited::Lock => format!("`{object}`"),
            Awaited::Notify => format!("a notify on `{object}`"),
            Awaited::Signal => format!("a signal on `{object}`"),
            Awaited::Post => format!("a post of `{object}`"),
            Awaited::Barrier => format!("the others at barrier `{object}`"),
            Awaited::End => format!("{object} to end"),
        }
    }
}

/// What must become of an object for which a process waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Awaited {
    /// Another value, room, a message.
    #[default]
    Change,
    /// A lock or monitor is given back.
    Lock,
    /// A monitor is notified.
    Notify,
    /// A condition variable is signalled.
    Signal,
    /// A semaphore is posted.
    Post,
    /// The others come to a barrier.
    Barrier,
    /// A thread or process ends.
    End,
}

/// What an actor has to do with an object that another one waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tie {
    /// It holds the lock, or is the thread itself.
    Holds,
    /// It changed the object last.
    Changed,
    /// It would change the object later, if it were enabled.
    #[default]
    Could,
}

/// A condition with its value in a state, and the parts of it that decide the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Valued {
    /// The condition or variable.
    pub text: String,
    /// Its value.
    pub value: String,
    /// The parts that make it so; of a variable none.
    pub parts: Vec<Valued>,
}

/// One of the two accesses of a data race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceSide {
    /// Who accesses, an index into [`Report::actors`]; `None` if it takes no step of the run.
    pub actor: Option<usize>,
    /// What it is called.
    pub who: String,
    /// What it does to the object: *reads*, *writes*.
    pub access: String,
    /// What is accessed.
    pub object: String,
    /// Where, innermost first.
    pub stack: Vec<Frame>,
    /// The line of the source, if it can be read.
    pub source: Option<String>,
}

/// The objects of a state, as a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heap {
    /// Objects and threads.
    pub nodes: Vec<HeapNode>,
    /// References and relations.
    pub edges: Vec<HeapEdge>,
    /// What holds of the state as a whole.
    pub facts: Vec<Mark>,
}

/// An object or a thread; in abstract states perhaps several.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapNode {
    /// What it is called; the same in every state of a concrete run.
    pub name: String,
    /// Whether it is a thread.
    pub thread: bool,
    /// It may stand for several.
    pub summary: bool,
    /// What holds of it: variables that refer to it, where it is.
    pub marks: Vec<Mark>,
}

/// A relation between two nodes, such as the field of an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeapEdge {
    /// The node that it leaves.
    pub from: usize,
    /// The node that it leads to.
    pub to: usize,
    /// The field or relation, and whether it is certain.
    pub mark: Mark,
}

/// Something that holds, or may hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// In the words of the text.
    pub name: String,
    /// In abstract states: it may hold or not.
    pub half: bool,
}

/// How a run ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The last step fails.
    Fault,
    /// No step is enabled, and the run may not end here.
    Deadlock,
    /// Back to the state before this step (counted from 0), and on without end.
    Lasso {
        /// The step at which the cycle begins.
        loop_start: usize,
    },
    /// The last two steps access one variable, and nothing orders them.
    Race,
    /// No step is enabled, and the run may end here.
    End,
    /// It could go on.
    #[default]
    Open,
}

/// Why a run ends, where no step of it is at fault: a kind and words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The kind of failure.
    pub kind: String,
    /// What went wrong.
    pub message: String,
}

/// A run as plain data for people.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The processes of the run.
    pub actors: Vec<Actor>,
    /// What is not zero at the beginning.
    pub initial: Vec<Variable>,
    /// What was printed before the first step.
    pub printed: String,
    /// The steps.
    pub steps: Vec<ReportStep>,
    /// How it ends.
    pub ending: Ending,
    /// Why it ends there, where no step is at fault.
    pub failure: Option<Failed>,
    /// Every process alive at the end.
    pub waiting: Vec<Waiting>,
    /// The accesses of a data race with which it ends.
    pub race: Vec<RaceSide>,
    /// Of structures: the objects before the first step and after each.
    pub heaps: Vec<Heap>,
}

impl Awaited {
    /// The word that JSON has for it.
    pub fn name(self) -> &'static str {
        match self {
            Awaited::Change => "change",
            Awaited::Lock => "lock",
            Awaited::Notify => "notify",
            Awaited::Signal => "signal",
            Awaited::Post => "post",
            Awaited::Barrier => "barrier",
            Awaited::End => "end",
        }
    }
}

impl Tie {
    /// The tie as JSON has it.
    pub fn name(self) -> &'static str {
        match self {
            Tie::Holds => "holds",
            Tie::Changed => "changed",
            Tie::Could => "could",
        }
    }
}

impl Ending {
    /// The ending as JSON has it.
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
    /// An actor by name and number.
    pub fn label(&self, actor: usize) -> String {
        self.actors.get(actor).map_or_else(|| "?".to_string(), Actor::label)
    }
}
