//! FIFO channels: what each operation does, and which pairs of operations depend on each other.
//!
//! The thesis has Send, Receive, Length (example 3.19), Empty and Full (3.20). Promela adds a sorted send, which inserts
//! before the first message that is greater field by field, and receives that ask for something: matching (`q?1`: the
//! oldest message, if it agrees), random (`q??1`: the first that agrees), copying (`q?<1>`, `q??<1>`: the message
//! stays) and polling (`q?[1]`, `q??[1]`: only whether). Each has its own row.
//!
//! The tables are read as the thesis' tables: the condition in row `op` and column `op'` says when they are related in
//! a state where the channel holds `n` messages and is full with `N`. All entries are checked against Definitions 3.13,
//! 3.18, 4.6, 4.13, 4.26 and 6.6 on all small channels by the tests. What differs from the thesis:
//! * It quantifies over all inputs. An operation that looks for a message anywhere would then depend on nearly everything,
//!   so a condition may also ask whether the receive that its row or column speaks of is possible in this state
//!   (the refinement that the thesis mentions after Definition 3.18 and leaves out). Then example 4.29 has a trap: a
//!   receive that finds nothing in a full channel is independent of those that make room, so the send that feeds
//!   it may interfere even though the channel is full now (rows Random, RCopy, RPoll of [`interferes`]).
//! * Two sorted sends commute: they are dependent only where they compete for the last place.
//! * The weakly uniform table is the one repaired in example 6.7; our rows need one repair more, sorted send and Empty,
//!   and do not look at what is possible.
//! * In an unbounded channel Full never changes and `n < N` holds always; some entries are then more than needed.

use super::Dependency;
use num_bigint::BigInt;

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
    Send,
    SortedSend,
    /// Takes the oldest message, whatever it is.
    Receive,
    MatchingReceive,
    RandomReceive,
    CopyingReceive,
    RandomCopy,
    Poll,
    RandomPoll,
    Length,
    Empty,
    Full,
}

/// An operation with its input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    pub operation: Operation,
    pub input: Input,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    Nothing,
    Message(Message),
    Wanted(Wanted),
}

/// What an operation gives back.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    Nothing,
    Message(Message),
    Number(usize),
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
            Input::Wanted(wanted) => crate::evaluate::agrees(wanted, message),
            Input::Nothing | Input::Message(_) => true,
        })
    }
}

/// What the conditions of the tables look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// How many messages there are.
    pub n: usize,
    pub capacity: usize,
    /// Whether the operation of the row is possible here ([`Call::is_possible`]). If its input is not known yet,
    /// because its process is elsewhere, ask with both.
    pub row: bool,
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

type Table = [[bool; 12]; 12];

/// Whether two operations on one channel are dependent in this state: Definitions 3.13 and 3.18.
pub fn dependent(by: Dependency, a: Operation, b: Operation, at: View) -> bool {
    let table = match by {
        Dependency::Constant => CAN_BE_DEPENDENT,
        Dependency::Conditional => conditional(at),
        Dependency::Uniform => uniform(at),
    };
    table[a as usize][b as usize]
}

/// Whether two operations are dependent in some state (Definition 4.6), the same for all three relations.
pub fn can_be_dependent(a: Operation, b: Operation) -> bool {
    CAN_BE_DEPENDENT[a as usize][b as usize]
}

/// Whether two operations are both defined and dependent in some state (Definition 4.13).
pub fn do_not_accord(by: Dependency, a: Operation, b: Operation) -> bool {
    let table = match by {
        Dependency::Constant => CAN_BE_DEPENDENT,
        Dependency::Conditional => DO_NOT_ACCORD,
        Dependency::Uniform => DO_NOT_ACCORD_UNIFORM,
    };
    table[a as usize][b as usize]
}

/// Definition 4.26, `a ▷s b`: whether `b` may be the first to interfere with `a` from this state on.
pub fn interferes(by: Dependency, a: Operation, b: Operation, at: View) -> bool {
    let table = match by {
        Dependency::Constant => CAN_BE_DEPENDENT,
        Dependency::Conditional => first(at),
        Dependency::Uniform => first_uniform(at),
    };
    table[a as usize][b as usize]
}

/// Example 3.19, first table.
#[rustfmt::skip]
const CAN_BE_DEPENDENT: Table = {
    let (y, o) = (true, false);
    [ //          Send Sort Recv Matc Rand Copy RCop Poll RPol Leng Empt Full
        /* Send   */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Sorted */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Recv   */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Match  */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Random */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Copy   */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* RCopy  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Poll   */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* RPoll  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Length */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Empty  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Full   */ [y, y, y, y, y, o, o, o, o, o, o, o],
    ]
};

/// Follows from the conditional table: where a send and a receive depend on each other, one of them is not defined.
#[rustfmt::skip]
const DO_NOT_ACCORD: Table = {
    let (y, o) = (true, false);
    [ //          Send Sort Recv Matc Rand Copy RCop Poll RPol Leng Empt Full
        /* Send   */ [y, y, o, o, o, o, o, y, y, y, y, y],
        /* Sorted */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Recv   */ [o, y, y, y, y, y, y, y, y, y, y, y],
        /* Match  */ [o, y, y, y, y, y, y, y, y, y, y, y],
        /* Random */ [o, y, y, y, y, y, y, y, y, y, y, y],
        /* Copy   */ [o, y, y, y, y, o, o, o, o, o, o, o],
        /* RCopy  */ [o, y, y, y, y, o, o, o, o, o, o, o],
        /* Poll   */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* RPoll  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Length */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Empty  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Full   */ [y, y, y, y, y, o, o, o, o, o, o, o],
    ]
};

/// The same for the weakly uniform table.
#[rustfmt::skip]
const DO_NOT_ACCORD_UNIFORM: Table = {
    let (y, o) = (true, false);
    [ //          Send Sort Recv Matc Rand Copy RCop Poll RPol Leng Empt Full
        /* Send   */ [y, y, o, o, y, o, y, y, y, y, y, y],
        /* Sorted */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Recv   */ [o, y, y, y, y, y, y, y, y, y, y, y],
        /* Match  */ [o, y, y, y, y, y, y, y, y, y, y, y],
        /* Random */ [y, y, y, y, y, y, y, y, y, y, y, y],
        /* Copy   */ [o, y, y, y, y, o, o, o, o, o, o, o],
        /* RCopy  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Poll   */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* RPoll  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Length */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Empty  */ [y, y, y, y, y, o, o, o, o, o, o, o],
        /* Full   */ [y, y, y, y, y, o, o, o, o, o, o, o],
    ]
};

/// The conditions on the number of messages that the tables are made of.
struct Conditions {
    /// n = 0
    none: bool,
    /// n = 1
    one: bool,
    /// n > 0
    some: bool,
    /// n < N
    room: bool,
    /// n = N - 1
    last: bool,
    /// n = N
    full: bool,
    /// n = 0 or n = N
    ends: bool,
}

impl View {
    fn conditions(self) -> Conditions {
        let View { n, capacity, .. } = self;
        Conditions {
            none: n == 0,
            one: n == 1,
            some: n > 0,
            room: n < capacity,
            last: n < capacity && capacity - n == 1,
            full: n >= capacity,
            ends: n == 0 || n >= capacity,
        }
    }
}

/// Example 3.20.
#[rustfmt::skip]
fn conditional(at: View) -> Table {
    let Conditions { none, one, some, room, last, full, ends } = at.conditions();
    let (row, col, y, o) = (at.row, at.column, true, false);
    let (no_row, no_col) = (room && !row, room && !col);
    [   //           Send    Sorted  Recv  Match Random  Copy  RCopy       Poll  RPoll       Length Empty      Full
        /* Send   */ [room,   room,   ends, ends, room != col, none, no_col,     none, no_col,     room, none,       last],
        /* Sorted */ [room,   last,   y,    y,    room || col, room, room,       room, no_col,     room, none,       last],
        /* Recv   */ [ends,   y,      some, some, col,         some, col,        some, col,        some, one,        full],
        /* Match  */ [ends,   y,      some, some, col,         some, col,        some, col,        some, one,        full],
        /* Random */ [room != row, room || row, row, row, row && col, row, row && col, row, row && col, row, row && one, row && full],
        /* Copy   */ [none,   room,   some, some, col,         o,    o,          o,    o,          o,    o,          o],
        /* RCopy  */ [no_row, room,   row,  row,  row && col,  o,    o,          o,    o,          o,    o,          o],
        /* Poll   */ [none,   room,   some, some, col,         o,    o,          o,    o,          o,    o,          o],
        /* RPoll  */ [no_row, no_row, row,  row,  row && col,  o,    o,          o,    o,          o,    o,          o],
        /* Length */ [room,   room,   some, some, col,         o,    o,          o,    o,          o,    o,          o],
        /* Empty  */ [none,   none,   one,  one,  one && col,  o,    o,          o,    o,          o,    o,          o],
        /* Full   */ [last,   last,   full, full, full && col, o,    o,          o,    o,          o,    o,          o],
    ]
}

/// Example 6.7: Send and Full dependent when n < N, Receive and Empty when n > 0.
#[rustfmt::skip]
fn uniform(at: View) -> Table {
    let Conditions { none, some, room, last, full, ends, .. } = at.conditions();
    let (y, o) = (true, false);
    [   //           Send  Sorted Recv Match Random Copy RCopy Poll RPoll Length Empty Full
        /* Send   */ [room, room, ends, ends, y,    none, room, none, room, room, none, room],
        /* Sorted */ [room, last, y,    y,    y,    room, room, room, room, room, room, room],
        /* Recv   */ [ends, y,    some, some, some, some, some, some, some, some, some, full],
        /* Match  */ [ends, y,    some, some, some, some, some, some, some, some, some, full],
        /* Random */ [y,    y,    some, some, some, some, some, some, some, some, some, full],
        /* Copy   */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* RCopy  */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Poll   */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* RPoll  */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Length */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Empty  */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Full   */ [room, room, full, full, full, o,    o,    o,    o,    o,    o,    o],
    ]
}

/// Example 4.29.
#[rustfmt::skip]
fn first(at: View) -> Table {
    let Conditions { none, one, some, room, last, full, .. } = at.conditions();
    let (row, y, o) = (at.row, true, false);
    let lost = !row;
    [   //           Send  Sorted Recv Match Random Copy RCopy Poll RPoll Length Empty  Full
        /* Send   */ [room, room, full, full, full, o,    o,    room, room, room, room, last],
        /* Sorted */ [room, room, y,    y,    y,    room, room, room, room, room, none, room],
        /* Recv   */ [none, room, some, some, some, some, some, some, some, some, one,  some],
        /* Match  */ [none, room, some, some, some, some, some, some, some, some, one,  some],
        /* Random */ [lost, room || lost, row, row, row, row, row, row, row, row, row && one, row],
        /* Copy   */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* RCopy  */ [lost, room || lost, row, row, row, o, o,  o,    o,    o,    o,    o],
        /* Poll   */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* RPoll  */ [lost, lost, row,  row,  row,  o,    o,    o,    o,    o,    o,    o],
        /* Length */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Empty  */ [none, none, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Full   */ [room, room, full, full, full, o,    o,    o,    o,    o,    o,    o],
    ]
}

/// Example 4.29 worked out again from the table of example 6.7.
#[rustfmt::skip]
fn first_uniform(at: View) -> Table {
    let Conditions { none, some, room, full, .. } = at.conditions();
    let (y, o) = (true, false);
    let both = room && some;
    [   //           Send  Sorted Recv Match Random Copy RCopy Poll RPoll Length Empty Full
        /* Send   */ [room, room, full, full, some, o,    both, room, room, room, room, room],
        /* Sorted */ [room, room, y,    y,    y,    room, room, room, room, room, room, room],
        /* Recv   */ [none, room, some, some, some, some, some, some, some, some, some, some],
        /* Match  */ [none, room, some, some, some, some, some, some, some, some, some, some],
        /* Random */ [room, room, some, some, some, some, some, some, some, some, some, full],
        /* Copy   */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* RCopy  */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Poll   */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* RPoll  */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Length */ [room, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Empty  */ [none, room, some, some, some, o,    o,    o,    o,    o,    o,    o],
        /* Full   */ [room, room, full, full, full, o,    o,    o,    o,    o,    o,    o],
    ]
}
