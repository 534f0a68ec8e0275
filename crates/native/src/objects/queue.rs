//! Message queues: System V (messages have types) and POSIX (messages have priorities); and names
//! that several processes know.
//!
//! Both kinds are one list of messages in order of arrival. System V: a receive asks for the oldest
//! of any type, of one type, of any other, or of the lowest type up to a limit. POSIX: the oldest
//! of the highest priority.

use super::{Effect, Model, when};
use crate::operation::{Access, Class, Footprint, Key, Op, Outcome, Tid, Touch};
use crate::protocol as p;

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
const NOWAIT: i64 = 1;
const NOERROR: i64 = 2;
const EXCEPT: i64 = 4;
const CREATE: i64 = 0o1000;
const EXCLUSIVE: i64 = 0o2000;

pub(super) fn is_queue(kind: u32) -> bool {
    kind == p::OP_SYSV_GET || (p::OP_MSG_GET..=p::OP_NAME).contains(&kind)
}

fn flags(op: &Op) -> i64 {
    op.data.get(..8).map_or(0, |b| i64::from_le_bytes(b.try_into().unwrap_or_default()))
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
}

impl Model {
    pub fn new_queue(&mut self, id: u64) {
        let queue = Queue { messages: Vec::new(), most: BYTES, longest: LONGEST };
        self.removed.remove(&Key::new(Class::Queue, 0, id));
        self.queues.insert(id, queue);
    }

    fn queue(&self, op: &Op) -> Option<&Queue> {
        self.queues.get(&op.key.at)
    }

    pub(super) fn queue_outcomes(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        let sends = matches!(op.kind, p::OP_MSG_SEND | p::OP_MSG_RECEIVE);
        let Some(queue) = self.queue(op) else {
            return if sends { self.gone_outcomes(who, op) } else { vec![0] };
        };
        let waits = op.b & NOWAIT == 0;
        match op.kind {
            p::OP_MSG_SEND => {
                when(!waits || queue.fits(op.data.len()) || op.a < 1 || op.data.len() > LONGEST)
            }
            p::OP_MSG_RECEIVE => when(!waits || queue.wanted(op.a, op.b & EXCEPT != 0).is_some()),
            _ => vec![0],
        }
    }

    pub(super) fn queue_touches(&self, op: &Op) -> Footprint {
        let name = |family: u64| Key::new(Class::Name, family, op.key.at);
        match op.kind {
            p::OP_SYSV_GET | p::OP_MSG_GET | p::OP_NAME => {
                let there = match op.kind {
                    p::OP_SYSV_GET => self.has_set(op.key.at).is_some(),
                    p::OP_MSG_GET => self.queue(op).is_some(),
                    _ => false,
                };
                let made = match op.kind {
                    p::OP_SYSV_GET => Some(Key::new(Class::Sysv, op.key.at, 0)),
                    p::OP_MSG_GET => Some(Key::new(Class::Queue, 0, op.key.at)),
                    _ => None,
                };
                if there {
                    return vec![op.key.touch(Access::Read)];
                }
                // A thread that guesses the number of what does not exist yet can see it come.
                let length = if op.kind == p::OP_SYSV_GET { u32::MAX } else { 1 };
                let made = made.map(|key| Touch { key, length, access: Access::Change });
                made.into_iter().chain([op.key.touch(Access::Change)]).collect()
            }
            p::OP_MSG_CONTROL if op.a == 0 => {
                vec![op.key.touch(Access::Change), name(SYSV_QUEUE).touch(Access::Change)]
            }
            p::OP_MSG_CONTROL if op.a == 1 => vec![op.key.touch(Access::Read)],
            _ => vec![op.key.touch(Access::Change)],
        }
    }

    pub(super) fn queue_apply(&mut self, who: Tid, op: &Op) -> Effect {
        match op.kind {
            p::OP_SYSV_GET => {
                let count = usize::try_from(op.b).unwrap_or(0).min(32_000);
                let there = self.has_set(op.key.at);
                let refused = there.is_some_and(|has| count > has).then_some(libc::EINVAL);
                let create = move |m: &mut Model, id| m.new_set(id, count);
                self.get_named(op, there.is_some(), refused, create)
            }
            p::OP_MSG_GET => {
                let there = self.queue(op).is_some();
                self.get_named(op, there, None, |m, id| m.new_queue(id))
            }
            p::OP_MSG_SEND => self.send(op),
            p::OP_MSG_RECEIVE => self.receive(op),
            p::OP_MSG_CONTROL => self.control_queue(who, op),
            p::OP_MQ_OPEN => self.open_queue(op),
            p::OP_MQ_UNLINK => self.open_name(&Op { b: 1, ..op.clone() }),
            p::OP_NAME => self.open_name(op),
            _ => Effect::default(),
        }
    }

    /// `semget` and `msgget` with a key.
    fn get_named(
        &mut self,
        op: &Op,
        there: bool,
        refused: Option<i32>,
        create: impl Fn(&mut Model, u64),
    ) -> Effect {
        let (id, flags) = (op.key.at, flags(op));
        match there {
            true if flags & CREATE != 0 && flags & EXCLUSIVE != 0 => return Effect::of(-libc::EEXIST),
            true if refused.is_some() => return Effect::of(-refused.unwrap_or(0)),
            true => {}
            false if flags & CREATE == 0 => return Effect::of(-libc::ENOENT),
            false if op.kind == p::OP_SYSV_GET && op.b <= 0 => return Effect::of(-libc::EINVAL),
            false => create(self, id),
        }
        Effect { result: id as i64, ..Effect::default() }
    }

    fn send(&mut self, op: &Op) -> Effect {
        let Some(queue) = self.queues.get_mut(&op.key.at) else { return Effect::of(-libc::EINVAL) };
        if op.a < 1 || op.data.len() > LONGEST {
            return Effect::of(-libc::EINVAL);
        }
        if !queue.fits(op.data.len()) {
            return Effect::of(-libc::EAGAIN);
        }
        queue.send(op.a, &op.data)
    }

    /// `op.b` has flags, and from its ninth bit on the room for the text.
    fn receive(&mut self, op: &Op) -> Effect {
        let Some(queue) = self.queues.get_mut(&op.key.at) else { return Effect::of(-libc::EINVAL) };
        let Some(at) = queue.wanted(op.a, op.b & EXCEPT != 0) else { return Effect::of(-libc::ENOMSG) };
        let room = (op.b >> 8) as usize;
        if queue.messages[at].text.len() > room && op.b & NOERROR == 0 {
            return Effect::of(-libc::E2BIG);
        }
        let mut message = queue.messages.remove(at);
        message.text.truncate(room);
        Queue::answer(message)
    }

    /// `op.a` 0: remove; 1: how many messages and bytes; 2: a new limit.
    fn control_queue(&mut self, who: Tid, op: &Op) -> Effect {
        let at = op.key.at;
        match (self.queues.get_mut(&at), op.a) {
            (None, _) => return Effect::of(-libc::EINVAL),
            (Some(_), 0) => {
                self.queues.remove(&at);
                self.removed.insert(op.key, who);
            }
            (Some(queue), 1) => {
                let all = [queue.messages.len(), queue.bytes(), queue.most];
                let data = all.iter().flat_map(|n| (*n as u64).to_le_bytes()).collect();
                return Effect { data, ..Effect::default() };
            }
            (Some(queue), _) => queue.most = usize::try_from(op.b).unwrap_or(0).min(BYTES),
        }
        Effect::default()
    }
}

/// Families of names.
pub const SYSV_SET: u64 = 1;
pub const SYSV_QUEUE: u64 = 2;
pub const POSIX_QUEUE: u64 = 3;

/// POSIX queues, and names of shared memory and semaphores: each time a name is made anew it stands
/// for something else.
impl Model {
    /// Opens or makes what a name stands for, or, with `op.b` 1, removes the name. The result is an
    /// identity.
    fn open_name(&mut self, op: &Op) -> Effect {
        let (times, there) = self.names.get(&op.key).copied().unwrap_or((0, false));
        let create = op.a & i64::from(libc::O_CREAT) != 0;
        if op.b == 1 {
            self.names.insert(op.key, (times, false));
            return Effect::of(if there { 0 } else { -libc::ENOENT });
        }
        if there && create && op.a & i64::from(libc::O_EXCL) != 0 {
            return Effect::of(-libc::EEXIST);
        }
        if !there && !create {
            return Effect::of(-libc::ENOENT);
        }
        let times = if there { times } else { times + 1 };
        self.names.insert(op.key, (times, true));
        let result = (1 << 50 | (op.key.space & 15) << 46 | (times as u64 & 63) << 40 | op.key.at) as i64;
        Effect { result, ..Effect::default() }
    }

    /// `op.b`: how many messages, and from the 17th bit on how long.
    fn open_queue(&mut self, op: &Op) -> Effect {
        let opened = self.open_name(&Op { b: 0, ..op.clone() });
        if let Ok(id) = u64::try_from(opened.result) {
            let (most, longest) = ((op.b & 0xffff) as usize, (op.b >> 16) as usize);
            self.files.keep_queue(id, Queue { messages: Vec::new(), most, longest });
        }
        opened
    }
}
