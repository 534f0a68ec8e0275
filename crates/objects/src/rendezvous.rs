//! Rendezvous, as the thesis treats it (section 2.4): no object at all.
//!
//! A handshake is one joint transition for which both processes are active; nothing is kept
//! between, so two handshakes depend on each other only if they share a process (point 1 of
//! Definition 3.21). Seen as an object, the value never changes and every table is empty:
//! handshakes and the tests Length, Empty and Full are independent in all pairs, which makes the
//! relation valid, weakly uniform and ▷s empty at once.
//!
//! In a system the two halves are transitions of their own. A [`Half`] must not be asked for its
//! dependencies: join it with each half that [`Half::meets`] it and ask about the joint transition.

/// The operations on a channel without room, for whole transitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Send and receive at once.
    Handshake,
    /// Always 0.
    Length,
    /// Always true.
    Empty,
    /// Always true.
    Full,
}

/// What one of the two processes does in a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Half {
    /// The sending process offers a message.
    Offer,
    /// The receiving process accepts it.
    Accept,
}

impl Half {
    /// Whether the two halves can make a handshake.
    pub fn meets(self, other: Half) -> bool {
        self != other
    }
}

impl Operation {
    /// The output; the value of the object is always the same.
    pub fn perform<M>(self, message: M) -> Result<M, usize> {
        match self {
            Operation::Handshake => Ok(message),
            Operation::Length | Operation::Full => Err(0),
            Operation::Empty => Err(1),
        }
    }
}

/// Whether two operations are dependent: never.
pub fn dependent(_: Operation, _: Operation) -> bool {
    false
}
