//! Message queues: System V (messages have types) and POSIX (messages have priorities).
//!
//! Both kinds are one list of messages in order of arrival. System V: a receive asks for the oldest
//! of any type, of one type, of any other, or of the lowest type up to a limit. POSIX: the oldest
//! of the highest priority; operations on these go through descriptors.

use super::{By, Effect, Family, GONE, Model, when};
use crate::operation::{Access, Class, Footprint, Key, Operation, Outcome, Tid};
use std::mem::discriminant;

/// An operation on a System V queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    pub queue: u64,
    pub does: Does,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    Send {
        kind: i64,
        waits: bool,
        text: Vec<u8>,
    },
    Receive(Receive),
    Remove,
    /// How many messages and bytes.
    Query,
    /// A new limit.
    Limit(i64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Receive {
    pub kind: i64,
    pub waits: bool,
    /// MSG_NOERROR.
    pub cuts: bool,
    /// MSG_EXCEPT.
    pub except: bool,
    /// For the text.
    pub room: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Message {
    /// The type, or the priority.
    kind: i64,
    text: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queue {
    messages: Vec<Message>,
    /// System V: bytes. POSIX: messages.
    most: usize,
    /// POSIX: bytes of a message.
    longest: usize,
}

/// System V's usual limit, in bytes.
const BYTES: usize = 16_384;
const LONGEST: usize = 8192;

/// Families of names.
pub const SYSV_SET: u64 = 1;
pub const SYSV_QUEUE: u64 = 2;
pub const POSIX_QUEUE: u64 = 3;

pub(super) fn key(queue: u64) -> Key {
    Key::new(Class::Queue, 0, queue)
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        key(self.queue)
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Send { .. } => "msgsnd",
            Does::Receive(_) => "msgrcv",
            Does::Remove | Does::Query | Does::Limit(_) => "msgctl",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        let Operation::Queue(other) = other else { return false };
        let control = |does: &Does| matches!(does, Does::Remove | Does::Query | Does::Limit(_));
        let alike = match (&self.does, &other.does) {
            (Does::Send { text: a, .. }, Does::Send { text: b, .. }) => a == b,
            (a, b) => control(a) && control(b) || discriminant(a) == discriminant(b),
        };
        alike && self.queue == other.queue
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        let queue = model.queues.get(&self.queue);
        match (&self.does, queue) {
            (Does::Send { waits, .. } | Does::Receive(Receive { waits, .. }), None) => {
                model.gone_outcomes(by.who, key(self.queue), *waits)
            }
            (Does::Send { kind, waits, text }, Some(queue)) => {
                when(!waits || queue.fits(text.len()) || *kind < 1 || text.len() > LONGEST)
            }
            (Does::Receive(r), Some(queue)) => when(!r.waits || queue.wanted(r.kind, r.except).is_some()),
            _ => vec![0],
        }
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        let queue = key(self.queue);
        match self.does {
            Does::Remove => {
                let name = Key::new(Class::Name, SYSV_QUEUE, self.queue);
                vec![queue.touch(Access::Change), name.touch(Access::Change)]
            }
            Does::Query => vec![queue.touch(Access::Read)],
            _ => vec![queue.touch(Access::Change)],
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, outcome: Outcome) -> Effect {
        match &self.does {
            Does::Send { .. } | Does::Receive(_) if outcome == GONE => return Effect::of(-libc::EIDRM),
            _ => {}
        }
        let Some(queue) = model.queues.get_mut(&self.queue) else { return Effect::of(-libc::EINVAL) };
        match &self.does {
            Does::Send { kind, text, .. } => return queue.send_typed(*kind, text),
            Does::Receive(receive) => return queue.receive(receive),
            Does::Query => return queue.numbers(),
            Does::Limit(most) => queue.most = usize::try_from(*most).unwrap_or(0).min(BYTES),
            Does::Remove => model.remove_queue(by.who, self.queue),
        }
        Effect::default()
    }
}

impl Queue {
    pub(super) fn is_full(&self) -> bool {
        self.messages.len() >= self.most
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    fn bytes(&self) -> usize {
        self.messages.iter().map(|m| m.text.len()).sum()
    }

    fn fits(&self, length: usize) -> bool {
        self.bytes() + length <= self.most && self.messages.len() < self.most
    }

    fn wanted(&self, kind: i64, except: bool) -> Option<usize> {
        let messages = self.messages.iter();
        match kind {
            0 => (!self.is_empty()).then_some(0),
            1.. if except => messages.clone().position(|m| m.kind != kind),
            1.. => messages.clone().position(|m| m.kind == kind),
            _ => {
                let lowest =
                    messages.clone().map(|m| m.kind).filter(|k| *k <= kind.saturating_neg()).min()?;
                messages.clone().position(|m| m.kind == lowest)
            }
        }
    }

    fn urgent(&self) -> Option<usize> {
        let highest = self.messages.iter().map(|m| m.kind).max()?;
        self.messages.iter().position(|m| m.kind == highest)
    }

    pub(super) fn is_too_long(&self, text: &[u8]) -> bool {
        text.len() > self.longest
    }

    pub(super) fn send(&mut self, kind: i64, text: &[u8]) -> Effect {
        if text.len() > self.longest {
            return Effect::of(-libc::EMSGSIZE);
        }
        self.messages.push(Message { kind, text: text.to_vec() });
        Effect::default()
    }

    /// The kind comes first in the answer.
    fn answer(message: Message) -> Effect {
        let result = message.text.len() as i64;
        Effect {
            result,
            data: [message.kind.to_le_bytes().to_vec(), message.text].concat(),
            ..Effect::default()
        }
    }

    pub(super) fn receive_urgent(&mut self, room: usize) -> Effect {
        match self.urgent() {
            _ if room < self.longest => Effect::of(-libc::EMSGSIZE),
            Some(at) => Queue::answer(self.messages.remove(at)),
            None => Effect::of(-libc::EAGAIN),
        }
    }

    pub(super) fn attributes(&self) -> Effect {
        let all = [self.most, self.longest, self.messages.len()];
        Effect { data: all.iter().flat_map(|n| (*n as u64).to_le_bytes()).collect(), ..Effect::default() }
    }

    pub(super) fn posix(most: usize, longest: usize) -> Queue {
        Queue { messages: Vec::new(), most, longest }
    }

    fn send_typed(&mut self, kind: i64, text: &[u8]) -> Effect {
        if kind < 1 || text.len() > LONGEST {
            return Effect::of(-libc::EINVAL);
        }
        if !self.fits(text.len()) {
            return Effect::of(-libc::EAGAIN);
        }
        self.send(kind, text)
    }

    fn receive(&mut self, receive: &Receive) -> Effect {
        let Some(at) = self.wanted(receive.kind, receive.except) else { return Effect::of(-libc::ENOMSG) };
        if self.messages[at].text.len() > receive.room && !receive.cuts {
            return Effect::of(-libc::E2BIG);
        }
        let mut message = self.messages.remove(at);
        message.text.truncate(receive.room);
        Queue::answer(message)
    }

    fn numbers(&self) -> Effect {
        let all = [self.messages.len(), self.bytes(), self.most];
        Effect { data: all.iter().flat_map(|n| (*n as u64).to_le_bytes()).collect(), ..Effect::default() }
    }
}

impl Model {
    pub fn new_queue(&mut self, id: u64) {
        let queue = Queue { messages: Vec::new(), most: BYTES, longest: LONGEST };
        self.removed.remove(&key(id));
        self.queues.insert(id, queue);
    }

    pub(super) fn has_queue(&self, id: u64) -> bool {
        self.queues.contains_key(&id)
    }

    fn remove_queue(&mut self, who: Tid, id: u64) {
        self.queues.remove(&id);
        self.removed.insert(key(id), who);
    }
}
