//! An operation on a descriptor: when it can happen, what it touches, what it does, by the kind of
//! the operation.

use super::{Description, End, Files, NONBLOCK, Part, key, number};
use crate::objects::queue::Queue;
use crate::objects::{By, Effect, Family, Model, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome};
use std::mem::discriminant;

/// A call on a descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    pub descriptor: Key,
    pub call: Call,
}

/// Flags are those of `protocol.h`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    Read {
        most: i64,
        flags: i64,
    },
    Write {
        data: Vec<u8>,
        flags: i64,
    },
    Close,
    SetNonblock(bool),
    Shutdown {
        how: i64,
    },
    Query(Query),
    /// Entries are `struct pollfd`.
    Poll {
        entries: Vec<u8>,
        forever: bool,
    },
    /// The events and what the user adds are in the data.
    EpollControl {
        command: i64,
        number: u64,
        data: Vec<u8>,
    },
    EpollWait {
        places: i64,
        forever: bool,
    },
    /// To and from a POSIX queue.
    Send {
        priority: i64,
        text: Vec<u8>,
        flags: i64,
    },
    Receive {
        room: i64,
        flags: i64,
    },
    Attributes,
}

/// What a descriptor is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// How much can be read.
    Readable,
    Capacity,
    Nonblock,
}

/// A flag of an operation: that it waits was decided when its call began.
const DECIDED: i64 = 16;

/// Whether a call with these flags waits.
pub(super) fn waits(flags: i64, description: Description) -> bool {
    flags & DECIDED != 0 || !description.nonblock && flags & NONBLOCK == 0
}

impl Call {
    fn data(&self) -> Option<&[u8]> {
        match self {
            Call::Write { data, .. } | Call::EpollControl { data, .. } => Some(data),
            Call::Poll { entries, .. } => Some(entries),
            Call::Send { text, .. } => Some(text),
            _ => None,
        }
    }
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.descriptor
    }

    fn name(&self) -> &'static str {
        match self.call {
            Call::Read { .. } => "read",
            Call::Write { .. } => "write",
            Call::Close => "close",
            Call::SetNonblock(_) => "fcntl(F_SETFL)",
            Call::Shutdown { .. } => "shutdown",
            Call::Query(Query::Nonblock) => "look at O_NONBLOCK",
            Call::Query(_) => "ioctl",
            Call::Poll { .. } => "poll",
            Call::EpollControl { .. } => "epoll_ctl",
            Call::EpollWait { .. } => "epoll_wait",
            Call::Send { .. } => "mq_send",
            Call::Receive { .. } => "mq_receive",
            Call::Attributes => "mq_getattr",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::File(o)
            if o.descriptor == self.descriptor
                && discriminant(&o.call) == discriminant(&self.call)
                && o.call.data() == self.call.data())
    }

    fn outcomes(&self, model: &Model, _: By<'_>) -> Vec<Outcome> {
        let files = &model.files;
        if let Call::Poll { entries, forever } = &self.call {
            return when(!forever || files.has_answers(self.descriptor, entries));
        }
        let Some((_, description)) = files.find(number(self.descriptor)) else { return vec![0] };
        let end = description.end;
        match &self.call {
            Call::Read { most, flags } => when(!waits(*flags, description) || files.can_read(*most, end)),
            Call::Write { data, flags } => {
                when(!waits(*flags, description) || files.can_write(data, *flags, end))
            }
            Call::EpollWait { forever, .. } => when(!forever || !files.ready(end).is_empty()),
            Call::Send { text, flags, .. } => {
                let goes = |q: &Queue| !q.is_full() || q.is_too_long(text);
                when(!waits(*flags, description) || files.queue(end).is_none_or(goes))
            }
            Call::Receive { flags, .. } => {
                when(!waits(*flags, description) || files.queue(end).is_none_or(|q| !q.is_empty()))
            }
            _ => vec![0],
        }
    }

    fn touches(&self, model: &Model, by: By<'_>, _: Outcome) -> Footprint {
        let files = &model.files;
        match &self.call {
            Call::Close => return files.close_touches(number(self.descriptor)),
            Call::Poll { entries, .. } => return files.poll_touches(self.descriptor, entries),
            _ => {}
        }
        let mut touched = vec![self.descriptor.touch(Access::Read)];
        let Some((id, description)) = files.find(number(self.descriptor)) else { return touched };
        let set = matches!(self.call, Call::SetNonblock(_));
        touched.push(key(id, Part::Flags).touch(if set { Access::Change } else { Access::Read }));
        touched.extend(files.call_touches(self, by.process(), description));
        touched
    }

    fn perform(&self, model: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        let files = &mut model.files;
        if let Call::Poll { entries, .. } = &self.call {
            return files.poll(self.descriptor, entries);
        }
        let at = number(self.descriptor);
        let Some((id, description)) = files.find(at) else { return Effect::of(-libc::EBADF) };
        let end = description.end;
        match &self.call {
            Call::Read { most, flags } => files.read(*most, *flags, end),
            Call::Write { data, flags } => files.write(data, *flags, end),
            Call::Close => {
                files.close(at);
                Effect::default()
            }
            Call::SetNonblock(nonblock) => {
                files.open.insert(id, Description { nonblock: *nonblock, ..description });
                Effect::default()
            }
            Call::Shutdown { how } => files.shut(*how, end),
            Call::Query(Query::Nonblock) => Effect::of(i32::from(description.nonblock)),
            Call::Query(query) => files.query(*query, end),
            Call::EpollControl { command, number, data } => {
                files.control(at.0, (*command, *number, data), end)
            }
            Call::EpollWait { places, .. } => files.epoll_wait(*places, end),
            Call::Send { .. } | Call::Receive { .. } | Call::Attributes | Call::Poll { .. } => {
                files.queue_call(&self.call, end)
            }
        }
    }
}

impl Files {
    /// Whether a call to read waits if there is nothing.
    pub fn waits_in(&self, op: &Op) -> bool {
        let Some((_, description)) = self.find(number(op.descriptor)) else { return false };
        matches!(&op.call, Call::Read { flags, .. } if waits(*flags, description))
    }

    /// What a call touches behind its descriptor.
    fn call_touches(&self, op: &Op, process: u64, description: Description) -> Footprint {
        let end = description.end;
        let contents = |access| match end {
            End::Queue(c) => vec![key(c, Part::Contents).touch(access)],
            _ => Vec::new(),
        };
        match &op.call {
            Call::Read { most, flags } => self.read_touches(process, (*most, *flags), description),
            Call::Write { data, .. } => self.write_touches(process, data, end),
            Call::Shutdown { .. } => {
                end.sides().iter().map(|(c, part)| key(*c, *part).touch(Access::Change)).collect()
            }
            Call::Query(Query::Nonblock) => Vec::new(),
            Call::Query(_) => {
                end.reads().map(|c| key(c, Part::Contents).touch(Access::Read)).into_iter().collect()
            }
            Call::EpollControl { number, .. } => self.control_touches(op.descriptor.space, *number, end),
            Call::EpollWait { .. } => self.wait_touches(end),
            Call::Send { .. } | Call::Receive { .. } => contents(Access::Change),
            Call::Attributes => contents(Access::Read),
            Call::Close | Call::SetNonblock(_) | Call::Poll { .. } => Vec::new(),
        }
    }
}
