//! What a search found and counted.

use crate::execution::{Known, Race};
use crate::operation::Tid;
use crate::search::{Edges, Transition};
use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Deadlock,
    Assertion,
    Crash,
    Race,
    Divergence,
    Livelock,
    Misuse,
    Exit,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Deadlock => "deadlock",
            Kind::Assertion => "assertion",
            Kind::Crash => "crash",
            Kind::Race => "race",
            Kind::Divergence => "divergence",
            Kind::Livelock => "livelock",
            Kind::Misuse => "misuse",
            Kind::Exit => "exit",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
    /// The run ends there.
    pub fatal: bool,
    /// Of a race: which accesses.
    pub race: Option<Clash>,
    /// A race of the same run, which counts besides.
    pub beside: Option<Box<Failure>>,
}

/// Two accesses in a run that nothing orders: which places in the code, whose, and the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clash {
    pub race: Race,
    pub threads: [Tid; 2],
    pub space: u64,
    pub at: u64,
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), fatal: false, race: None, beside: None }
    }

    pub fn race(clash: Clash) -> Failure {
        let message = "two threads access the same memory, and nothing orders them";
        Failure { race: Some(clash), ..Failure::new(Kind::Race, message) }
    }

    /// Whether this is what counts of a run in which the other one was seen before: the first, but
    /// a race only if nothing else goes wrong.
    pub fn outdoes(&self, earlier: &Failure) -> bool {
        earlier.kind == Kind::Race && self.kind != Kind::Race
    }

    /// What counts of two failures of a run, in their order. A race is kept beside what outdoes it.
    pub fn first(earlier: Option<Failure>, later: Option<Failure>) -> Option<Failure> {
        let (earlier, later) = match (earlier, later) {
            (Some(earlier), Some(later)) => (earlier, later),
            (one, other) => return one.or(other),
        };
        let (mut main, other) = if later.outdoes(&earlier) { (later, earlier) } else { (earlier, later) };
        let race = if other.kind == Kind::Race { Some(Box::new(other)) } else { other.beside };
        if main.kind != Kind::Race {
            main.beside = main.beside.or(race);
        }
        Some(main)
    }

    /// The same, with the number of steps after which each was seen.
    pub fn first_at(earlier: Option<(Failure, usize)>, later: (Failure, usize)) -> Option<(Failure, usize)> {
        let Some((earlier, at)) = earlier else { return Some(later) };
        let at = if later.0.outdoes(&earlier) { later.1 } else { at };
        Failure::first(Some(earlier), Some(later.0)).map(|first| (first, at))
    }

    /// What counts of it if the run cannot go on. Who seems to loop without an end may wait for
    /// something that was not seen.
    pub fn for_certain(self) -> Option<Failure> {
        if self.kind == Kind::Divergence { self.beside.map(|race| *race) } else { Some(self) }
    }

    /// The failure of this kind, of those that count.
    pub fn of_kind(&self, kind: Kind) -> Option<&Failure> {
        [Some(self), self.beside.as_deref()].into_iter().flatten().find(|f| f.kind == kind)
    }

    /// The same went wrong; of a race, at the same places in the code.
    pub fn is_like(&self, other: &Failure) -> bool {
        let race = |f: &Failure| f.race.map(|clash| clash.race);
        (self.kind, &self.message, race(self)) == (other.kind, &other.message, race(other))
    }

    pub fn fatal(kind: Kind, message: impl Into<String>) -> Failure {
        Failure { fatal: true, ..Failure::new(kind, message) }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Terminated,
    Deadlock(String),
    Failed(Failure),
    /// Only a timeout could go on, and that is another run.
    Expired,
}

impl Ending {
    pub fn failure(self) -> Option<Failure> {
        match self {
            Ending::Terminated | Ending::Expired => None,
            Ending::Deadlock(message) => Some(Failure::new(Kind::Deadlock, message)),
            Ending::Failed(failure) => Some(failure),
        }
    }
}

/// Why a search stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A replayed program did something else, at this step.
    Nondeterminism(usize),
    /// The program did something that is not under control and matters.
    Uncontrolled(String),
    /// The program cannot be run.
    Broken(String),
    /// Something became visible that was not: search again.
    Restart,
    /// A run did not begin as the one before, though it should: execute it without that.
    Unforeseen,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Nondeterminism(at) => write!(f, "nondeterminism: a replay differs at step {}", at + 1),
            Trouble::Uncontrolled(what) => write!(f, "uncontrolled: {what}"),
            Trouble::Broken(what) => f.write_str(what),
            Trouble::Restart => f.write_str("more became visible"),
            Trouble::Unforeseen => f.write_str("a run did not begin as the one before"),
        }
    }
}

/// A run in which something goes wrong.
#[derive(Clone, Debug)]
pub struct Violation<Op> {
    pub failure: Failure,
    /// Up to the step at which it failed.
    pub schedule: Vec<Transition<Op>>,
    /// Order between threads before the first step, and that which came with each.
    pub beginning: Edges,
    pub edges: Vec<Edges>,
    /// What was visible in the run, and how its threads were named.
    pub known: Known,
}

#[derive(Clone, Debug)]
pub struct Report<Op> {
    pub terminated: u64,
    pub deadlocks: u64,
    pub failing: u64,
    /// Cut by sleep sets.
    pub blocked: u64,
    /// Ended where only a timeout could go on.
    pub expired: u64,
    pub too_deep: u64,
    /// Failing runs that could not go on to their end.
    pub cut: u64,
    /// Transitions of the tree.
    pub explored: u64,
    /// Operations really executed, replays included.
    pub executed: u64,
    pub depth: usize,
    pub exhausted: bool,
    pub stopped: bool,
    /// Why not everything was seen.
    pub bounded: Option<String>,
    /// About which part of the tree was seen, of a search that was stopped.
    pub coverage: f64,
    /// One of each kind and message.
    pub violations: Vec<Violation<Op>>,
    /// Failing runs that did not fail when they were executed again.
    pub unrepeated: Vec<Violation<Op>>,
}

impl<Op> Default for Report<Op> {
    fn default() -> Self {
        Report {
            terminated: 0,
            deadlocks: 0,
            failing: 0,
            blocked: 0,
            expired: 0,
            too_deep: 0,
            cut: 0,
            explored: 0,
            executed: 0,
            depth: 0,
            exhausted: false,
            stopped: false,
            bounded: None,
            coverage: 0.0,
            violations: Vec::new(),
            unrepeated: Vec::new(),
        }
    }
}

impl<Op> Report<Op> {
    /// Complete runs: terminated, deadlocked, failing.
    pub fn runs(&self) -> u64 {
        self.terminated + self.deadlocks + self.failing
    }

    pub(crate) fn all_runs(&self) -> u64 {
        self.runs() + self.blocked + self.expired
    }

    pub(crate) fn bound(&mut self, why: String) {
        self.bounded.get_or_insert(why);
    }
}
