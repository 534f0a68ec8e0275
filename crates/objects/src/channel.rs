//! FIFO channels: what each operation does, and which pairs of operations depend on each other.
//!
//! The thesis has Send, Receive, Length (example 3.19), Empty and Full (3.20). Promela adds a
//! sorted send, which inserts before the first message that is greater field by field, and receives
//! that ask for something: matching (`q?1`: the oldest message, if it agrees), random (`q??1`: the
//! first that agrees), copying (`q?<1>`, `q??<1>`: the message stays) and polling (`q?[1]`,
//! `q??[1]`: only whether). Each has its own row.
//!
//! How they depend on each other is in `tables`.

mod tables;

use crate::Dependency;
use num_bigint::BigInt;

/// The fields of a message.
pub type Message = Vec<BigInt>;

/// For each field of a message the value it must have, if any.
pub type Wanted = Vec<Option<BigInt>>;

/// The capacity of a channel that is never full.
pub const UNBOUNDED: usize = usize::MAX;

/// Adds a message; `None` if there is no room.
pub fn send(messages: &[Message], capacity: usize, message: Message, sorted: bool) -> Option<Vec<Message>> {
    if messages.len() >= capacity {
        return None;
    }
    let greater = |m: &Message| sorted && *m > message;
    let position = messages.iter().position(greater).unwrap_or(messages.len());
    let mut after = messages.to_vec();
    after.insert(position, message);
    Some(after)
}

/// The position of the message that a receive would take; `matches` decides on a message.
pub fn find(messages: &[Message], anywhere: bool, matches: impl Fn(&Message) -> bool) -> Option<usize> {
    let reach = if anywhere { messages.len() } else { messages.len().min(1) };
    messages[..reach].iter().position(matches)
}

/// The operations, in the order of the rows and columns of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operation {
    /// Adds a message at the end.
    Send,
    /// Inserts a message before the first greater one.
    SortedSend,
    /// Takes the oldest message, whatever it is.
    Receive,
    /// Takes the oldest message, if it matches.
    MatchingReceive,
    /// Takes the first message that matches.
    RandomReceive,
    /// Reads the oldest message, if it matches; the message stays.
    CopyingReceive,
    /// Reads the first message that matches; the message stays.
    RandomCopy,
    /// Asks whether the oldest message matches.
    Poll,
    /// Asks whether some message matches.
    RandomPoll,
    /// Asks how many messages there are.
    Length,
    /// Asks whether there is no message.
    Empty,
    /// Asks whether there is no room.
    Full,
}

/// An operation with its input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// What is done.
    pub operation: Operation,
    /// With which input.
    pub input: Input,
}

/// What an operation is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// It needs no input.
    Nothing,
    /// The message to send.
    Message(Message),
    /// The values that a receive asks for.
    Wanted(Wanted),
}

/// What an operation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// Only the channel changes.
    Nothing,
    /// The message received.
    Message(Message),
    /// The length.
    Number(usize),
    /// Whether it is so.
    Truth(bool),
}

impl Call {
    /// The output and the channel afterwards; `None` where the operation is not defined.
    pub fn perform(&self, messages: &[Message], capacity: usize) -> Option<(Output, Vec<Message>)> {
        use Operation::*;
        let unchanged = |output| Some((output, messages.to_vec()));
        match (self.operation, &self.input) {
            (Send | SortedSend, Input::Message(message)) => {
                let sorted = self.operation == SortedSend;
                send(messages, capacity, message.clone(), sorted).map(|after| (Output::Nothing, after))
            }
            (Receive | MatchingReceive | RandomReceive, _) => {
                let mut rest = messages.to_vec();
                let message = rest.remove(self.found(messages)?);
                Some((Output::Message(message), rest))
            }
            (CopyingReceive | RandomCopy, _) => {
                unchanged(Output::Message(messages[self.found(messages)?].clone()))
            }
            (Poll | RandomPoll, _) => unchanged(Output::Truth(self.found(messages).is_some())),
            (Length, _) => unchanged(Output::Number(messages.len())),
            (Empty, _) => unchanged(Output::Truth(messages.is_empty())),
            (Full, _) => unchanged(Output::Truth(messages.len() >= capacity)),
            (Send | SortedSend, _) => None,
        }
    }

    /// Whether a send has room, or a receive (also one that is only polled for) finds its message.
    pub fn is_possible(&self, messages: &[Message], capacity: usize) -> bool {
        use Operation::*;
        match self.operation {
            Send | SortedSend => messages.len() < capacity,
            Length | Empty | Full => true,
            _ => self.found(messages).is_some(),
        }
    }

    fn found(&self, messages: &[Message]) -> Option<usize> {
        use Operation::*;
        let anywhere = matches!(self.operation, RandomReceive | RandomCopy | RandomPoll);
        find(messages, anywhere, |message| match &self.input {
            Input::Wanted(wanted) => agrees(wanted, message),
            Input::Nothing | Input::Message(_) => true,
        })
    }
}

/// What the conditions of the tables look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// How many messages there are.
    pub n: usize,
    /// How many messages there is room for.
    pub capacity: usize,
    /// Whether the operation of the row is possible here ([`Call::is_possible`]). If its input is
    /// not known yet, because its process is elsewhere, ask with both.
    pub row: bool,
    /// Whether the operation of the column is possible here.
    pub column: bool,
}

impl View {
    /// What the tables look at when `a` (row) and `b` (column) meet in a channel.
    pub fn of(a: &Call, b: &Call, messages: &[Message], capacity: usize) -> View {
        View {
            n: messages.len(),
            capacity,
            row: a.is_possible(messages, capacity),
            column: b.is_possible(messages, capacity),
        }
    }
}

/// Whether two operations on one channel are dependent in this state: Definitions 3.13 and 3.18.
pub fn dependent(by: Dependency, a: Operation, b: Operation, at: View) -> bool {
    let table = match by {
        Dependency::Constant => tables::CAN_BE_DEPENDENT,
        Dependency::Conditional => tables::conditional(at),
        Dependency::Uniform => tables::uniform(at),
    };
    table[a as usize][b as usize]
}

/// Whether two operations are dependent in some state (Definition 4.6), the same for all three
/// relations.
pub fn can_be_dependent(a: Operation, b: Operation) -> bool {
    tables::CAN_BE_DEPENDENT[a as usize][b as usize]
}

/// Whether two operations are both defined and dependent in some state (Definition 4.13).
pub fn do_not_accord(by: Dependency, a: Operation, b: Operation) -> bool {
    let table = match by {
        Dependency::Constant => tables::CAN_BE_DEPENDENT,
        Dependency::Conditional => tables::DO_NOT_ACCORD,
        Dependency::Uniform => tables::DO_NOT_ACCORD_UNIFORM,
    };
    table[a as usize][b as usize]
}

/// Definition 4.26, `a ▷s b`: whether `b` may be the first to interfere with `a` from this state
/// on.
pub fn interferes(by: Dependency, a: Operation, b: Operation, at: View) -> bool {
    let table = match by {
        Dependency::Constant => tables::CAN_BE_DEPENDENT,
        Dependency::Conditional => tables::first(at),
        Dependency::Uniform => tables::first_uniform(at),
    };
    table[a as usize][b as usize]
}

/// Whether a message has the fields that are wanted.
pub fn agrees(wanted: &[Option<BigInt>], message: &Message) -> bool {
    wanted.iter().zip(message).all(|(w, m)| w.as_ref().is_none_or(|w| w == m))
}
