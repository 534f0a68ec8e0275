//! Faults: what can go wrong while a transition executes.

use std::fmt;

/// An error of the modelled program. An assertion that fails does not end the run; the others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    Assertion,
    DivisionByZero,
    IndexOutOfBounds,
    /// An operation on a channel variable that refers to no channel.
    NoChannel,
    /// A message with another number of fields than its channel has.
    WrongFields,
    /// The contents of a rendezvous channel were asked for.
    PollsRendezvous,
    TooManyProcesses,
    /// More channels than a handle can name.
    TooManyChannels,
    /// A d_step is blocked.
    StepBlocks,
    /// A d_step comes back to a state it went through.
    StepDiverges,
    /// A priority outside 1..=255.
    BadPriority,
    /// `enabled(p)` depends on itself.
    CircularEnabled,
}

/// What an error of execution is numbered by in a search.
const RUNTIME: [Fault; 11] = [
    Fault::DivisionByZero,
    Fault::IndexOutOfBounds,
    Fault::NoChannel,
    Fault::WrongFields,
    Fault::PollsRendezvous,
    Fault::TooManyProcesses,
    Fault::TooManyChannels,
    Fault::StepBlocks,
    Fault::StepDiverges,
    Fault::BadPriority,
    Fault::CircularEnabled,
];

impl From<Fault> for space::Fault {
    fn from(fault: Fault) -> space::Fault {
        match RUNTIME.iter().position(|f| *f == fault) {
            Some(number) => space::Fault::Runtime(number as u16),
            None => space::Fault::Assertion,
        }
    }
}

impl Fault {
    /// The fault that a search speaks of; `None` if it is none of a step.
    pub fn of(fault: space::Fault) -> Option<Fault> {
        match fault {
            space::Fault::Assertion => Some(Fault::Assertion),
            space::Fault::Runtime(number) => RUNTIME.get(usize::from(number)).copied(),
            _ => None,
        }
    }

    /// Whether it ends the run.
    pub fn is_fatal(self) -> bool {
        self != Fault::Assertion
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::Assertion => "assertion violated",
            Fault::DivisionByZero => "division by zero",
            Fault::IndexOutOfBounds => "array index out of bounds",
            Fault::NoChannel => "operation on an uninitialized channel",
            Fault::WrongFields => "message does not fit its channel",
            Fault::PollsRendezvous => "poll of a rendezvous channel",
            Fault::TooManyProcesses => "too many processes",
            Fault::TooManyChannels => "too many channels",
            Fault::StepBlocks => "d_step blocks",
            Fault::StepDiverges => "d_step never ends",
            Fault::BadPriority => "priority outside 1..255",
            Fault::CircularEnabled => "enabled() depends on itself",
        })
    }
}
