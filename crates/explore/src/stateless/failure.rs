//! What goes wrong in a run, how a run ends, and why a search stops.

use super::race::Clash;
use std::fmt;

/// What went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// No thread can move, and not all have ended.
    Deadlock,
    /// An assertion fails.
    Assertion,
    /// The program ends by a signal.
    Crash,
    /// Two accesses that nothing orders.
    Race,
    /// A run is longer than allowed.
    Divergence,
    /// Threads wait in a loop for what never comes.
    Livelock,
    /// An operation on an object that it does not allow.
    Misuse,
    /// The program ends with a status that is not 0.
    Exit,
}

impl Kind {
    /// The name of the kind, as options and answers have it.
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

/// What goes wrong in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: Kind,
    /// What happened, in one line.
    pub message: String,
    /// The run ends there.
    pub fatal: bool,
    /// Of a race: which accesses.
    pub race: Option<Clash>,
    /// A race of the same run, which counts besides.
    pub beside: Option<Box<Failure>>,
}

impl Failure {
    /// A failure after which the run can go on.
    pub fn new(kind: Kind, message: impl Into<String>) -> Failure {
        Failure { kind, message: message.into(), fatal: false, race: None, beside: None }
    }

    /// A data race.
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

    /// A failure that ends the run.
    pub fn fatal(kind: Kind, message: impl Into<String>) -> Failure {
        Failure { fatal: true, ..Failure::new(kind, message) }
    }
}

/// How a run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All threads have ended.
    Terminated,
    /// No thread can move; which ones wait, and for what.
    Deadlock(String),
    /// It failed.
    Failed(Failure),
    /// Only a timeout could go on, and that is another run.
    Expired,
}

impl Ending {
    /// What failed, if it did.
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
