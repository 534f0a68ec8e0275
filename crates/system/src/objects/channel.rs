//! FIFO channels: the effect of each operation on the sequence of messages.
//!
//! Promela's sorted send inserts before the first message that is greater field by field; its random receive takes the
//! first message that matches, wherever it stands.

use num_bigint::BigInt;

pub type Message = Vec<BigInt>;

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
