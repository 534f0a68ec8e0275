//! Faults: what can go wrong while a transition executes.

/// An error of the modelled program. An assertion that fails does not end the run; the others do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, thiserror::Error)]
pub enum Fault {
    /// The condition of an `assert` is false.
    #[error("assertion violated")]
    Assertion,
    /// A division or remainder by 0.
    #[error("division by zero")]
    DivisionByZero,
    /// An index below 0 or not below the length.
    #[error("array index out of bounds")]
    IndexOutOfBounds,
    /// An operation on a channel variable that refers to no channel.
    #[error("operation on an uninitialized channel")]
    NoChannel,
    /// A message with another number of fields than its channel has.
    #[error("message does not fit its channel")]
    WrongFields,
    /// The contents of a rendezvous channel were asked for.
    #[error("poll of a rendezvous channel")]
    PollsRendezvous,
    /// More than [`crate::MAX_PROCESSES`] at once.
    #[error("too many processes")]
    TooManyProcesses,
    /// More channels than a handle can name.
    #[error("too many channels")]
    TooManyChannels,
    /// A d_step is blocked.
    #[error("d_step blocks")]
    StepBlocks,
    /// A d_step comes back to a state it went through.
    #[error("d_step never ends")]
    StepDiverges,
    /// A priority outside 1..=255.
    #[error("priority outside 1..255")]
    BadPriority,
    /// `enabled(p)` depends on itself.
    #[error("enabled() depends on itself")]
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
