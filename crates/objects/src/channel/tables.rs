//! The tables of FIFO channels: which operations depend on each other, and when.
//!
//! The tables are read as the thesis' tables: the condition in row `op` and column `op'` says when
//! they are related in a state where the channel holds `n` messages and is full with `N`. All
//! entries are checked against Definitions 3.13, 3.18, 4.6, 4.13, 4.26 and 6.6 on all small
//! channels by the tests. What differs from the thesis:
//! * It quantifies over all inputs. An operation that looks for a message anywhere would then
//!   depend on nearly everything, so a condition may also ask whether the receive that its row or
//!   column speaks of is possible in this state (the refinement that the thesis mentions after
//!   Definition 3.18 and leaves out). Then example 4.29 has a trap: a receive that finds nothing in
//!   a full channel is independent of those that make room, so the send that feeds it may interfere
//!   even though the channel is full now (rows Random, RCopy, RPoll of `first`).
//! * Two sorted sends commute: they are dependent only where they compete for the last place.
//! * The weakly uniform table is the one repaired in example 6.7; our rows need one repair more,
//!   sorted send and Empty, and do not look at what is possible.
//! * In an unbounded channel Full never changes and `n < N` holds always; some entries are then
//!   more than needed.

use super::View;

type Table = [[bool; 12]; 12];

/// Example 3.19, first table.
#[rustfmt::skip]
pub(super) const CAN_BE_DEPENDENT: Table = {
    let (y, o) = (true, false);
    [ // in the order of `Operation`: Send, SortedSend, Receive, …, Full
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

/// Follows from the conditional table: where a send and a receive depend on each other, one of them
/// is not defined.
#[rustfmt::skip]
pub(super) const DO_NOT_ACCORD: Table = {
    let (y, o) = (true, false);
    [ // in the order of `Operation`: Send, SortedSend, Receive, …, Full
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
pub(super) const DO_NOT_ACCORD_UNIFORM: Table = {
    let (y, o) = (true, false);
    [ // in the order of `Operation`: Send, SortedSend, Receive, …, Full
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
pub(super) fn conditional(at: View) -> Table {
    let Conditions { none, one, some, room, last, full, ends } = at.conditions();
    let (row, col, y, o) = (at.row, at.column, true, false);
    let both = row && col;
    // A send may bring what a random receive looks for in vain; the two may make each other
    // possible; a sorted send may also get ahead of what the receive has found.
    let (feed_r, feed_c) = (room && !row, room && !col);
    let (meet_r, meet_c) = (room != row, room != col);
    let (turn_r, turn_c) = (room || row, room || col);
    [   //            Send    Sorted  Recv  Match Random       Copy  RCopy   Poll  RPoll   Length Empty       Full
        /* Send   */ [room,   room,   ends, ends, meet_c,      none, feed_c, none, feed_c, room,  none,       last],
        /* Sorted */ [room,   last,   y,    y,    turn_c,      room, room,   room, feed_c, room,  none,       last],
        /* Recv   */ [ends,   y,      some, some, col,         some, col,    some, col,    some,  one,        full],
        /* Match  */ [ends,   y,      some, some, col,         some, col,    some, col,    some,  one,        full],
        /* Random */ [meet_r, turn_r, row,  row,  both,        row,  both,   row,  both,   row,   row && one, row && full],
        /* Copy   */ [none,   room,   some, some, col,         o,    o,      o,    o,      o,     o,          o],
        /* RCopy  */ [feed_r, room,   row,  row,  both,        o,    o,      o,    o,      o,     o,          o],
        /* Poll   */ [none,   room,   some, some, col,         o,    o,      o,    o,      o,     o,          o],
        /* RPoll  */ [feed_r, feed_r, row,  row,  both,        o,    o,      o,    o,      o,     o,          o],
        /* Length */ [room,   room,   some, some, col,         o,    o,      o,    o,      o,     o,          o],
        /* Empty  */ [none,   none,   one,  one,  col && one,  o,    o,      o,    o,      o,     o,          o],
        /* Full   */ [last,   last,   full, full, col && full, o,    o,      o,    o,      o,     o,          o],
    ]
}

/// Example 6.7: Send and Full dependent when n < N, Receive and Empty when n > 0.
#[rustfmt::skip]
pub(super) fn uniform(at: View) -> Table {
    let Conditions { none, some, room, last, full, ends, .. } = at.conditions();
    let (y, o) = (true, false);
    [   //            Send  Sorted Recv  Match Random Copy  RCopy Poll  RPoll Length Empty Full
        /* Send   */ [room, room,  ends, ends, y,     none, room, none, room, room,  none, room],
        /* Sorted */ [room, last,  y,    y,    y,     room, room, room, room, room,  room, room],
        /* Recv   */ [ends, y,     some, some, some,  some, some, some, some, some,  some, full],
        /* Match  */ [ends, y,     some, some, some,  some, some, some, some, some,  some, full],
        /* Random */ [y,    y,     some, some, some,  some, some, some, some, some,  some, full],
        /* Copy   */ [none, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* RCopy  */ [room, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Poll   */ [none, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* RPoll  */ [room, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Length */ [room, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Empty  */ [none, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Full   */ [room, room,  full, full, full,  o,    o,    o,    o,    o,     o,    o],
    ]
}

/// Example 4.29.
#[rustfmt::skip]
pub(super) fn first(at: View) -> Table {
    let Conditions { none, one, some, room, last, full, .. } = at.conditions();
    let (row, lost, y, o) = (at.row, !at.row, true, false);
    [   //            Send  Sorted        Recv  Match Random Copy  RCopy Poll  RPoll Length Empty       Full
        /* Send   */ [room, room,         full, full, full,  o,    o,    room, room, room,  room,       last],
        /* Sorted */ [room, room,         y,    y,    y,     room, room, room, room, room,  none,       room],
        /* Recv   */ [none, room,         some, some, some,  some, some, some, some, some,  one,        some],
        /* Match  */ [none, room,         some, some, some,  some, some, some, some, some,  one,        some],
        /* Random */ [lost, room || lost, row,  row,  row,   row,  row,  row,  row,  row,   row && one, row],
        /* Copy   */ [none, room,         some, some, some,  o,    o,    o,    o,    o,     o,          o],
        /* RCopy  */ [lost, room || lost, row,  row,  row,   o,    o,    o,    o,    o,     o,          o],
        /* Poll   */ [none, room,         some, some, some,  o,    o,    o,    o,    o,     o,          o],
        /* RPoll  */ [lost, lost,         row,  row,  row,   o,    o,    o,    o,    o,     o,          o],
        /* Length */ [room, room,         some, some, some,  o,    o,    o,    o,    o,     o,          o],
        /* Empty  */ [none, none,         some, some, some,  o,    o,    o,    o,    o,     o,          o],
        /* Full   */ [room, room,         full, full, full,  o,    o,    o,    o,    o,     o,          o],
    ]
}

/// Example 4.29 worked out again from the table of example 6.7.
#[rustfmt::skip]
pub(super) fn first_uniform(at: View) -> Table {
    let Conditions { none, some, room, full, .. } = at.conditions();
    let (y, o) = (true, false);
    let both = room && some;
    [   //            Send  Sorted Recv  Match Random Copy  RCopy Poll  RPoll Length Empty Full
        /* Send   */ [room, room,  full, full, some,  o,    both, room, room, room,  room, room],
        /* Sorted */ [room, room,  y,    y,    y,     room, room, room, room, room,  room, room],
        /* Recv   */ [none, room,  some, some, some,  some, some, some, some, some,  some, some],
        /* Match  */ [none, room,  some, some, some,  some, some, some, some, some,  some, some],
        /* Random */ [room, room,  some, some, some,  some, some, some, some, some,  some, full],
        /* Copy   */ [none, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* RCopy  */ [room, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Poll   */ [none, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* RPoll  */ [room, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Length */ [room, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Empty  */ [none, room,  some, some, some,  o,    o,    o,    o,    o,     o,    o],
        /* Full   */ [room, room,  full, full, full,  o,    o,    o,    o,    o,     o,    o],
    ]
}
