//! Pipes with a name. To open one end waits until a process opens the other; one that waits counts
//! as there, so that two who wait for each other let each other go. That one came is enough, even
//! if it has left again.

use super::{Channel, Description, End, Files, Id, Part, Pipe, key, number};
use crate::objects::{By, Effect, Family, Model, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome};

/// Opens a FIFO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The number to come.
    pub descriptor: Key,
    /// Of `open`.
    pub flags: i32,
    pub fifo: Id,
    /// The description to come.
    pub id: Id,
    /// The resumption: how often the other end had been opened when it began to wait.
    pub waits: Option<i64>,
}

/// How often each end was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Came {
    readers: i64,
    writers: i64,
}

impl Op {
    fn reads(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_WRONLY
    }

    fn writes(&self) -> bool {
        self.flags & libc::O_ACCMODE != libc::O_RDONLY
    }
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.descriptor
    }

    fn name(&self) -> &'static str {
        if self.waits.is_some() { "open of a FIFO waits" } else { "open of a FIFO" }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Fifo(o)
            if o.descriptor == self.descriptor
                && o.waits.is_some() == self.waits.is_some()
                && (o.fifo, o.id) == (self.fifo, self.id))
    }

    fn outcomes(&self, model: &Model, _: By<'_>) -> Vec<Outcome> {
        when(self.waits.is_none_or(|came| model.files.others_came(self) != came))
    }

    fn touches(&self, _: &Model, _: By<'_>, _: Outcome) -> Footprint {
        let parts = [Part::Sources, Part::Sinks, Part::Contents];
        parts.map(|part| key(self.fifo, part).touch(Access::Change)).to_vec()
    }

    fn perform(&self, model: &mut Model, by: By<'_>, _: Outcome) -> Effect {
        if self.waits.is_some() {
            return Effect::default();
        }
        match model.files.open_fifo(self) {
            Opened::Refused => Effect::of(-libc::ENXIO),
            Opened::Done => Effect::default(),
            Opened::Waits(came) => {
                Effect::next(by.pending.then(Operation::Fifo(Op { waits: Some(came), ..*self })))
            }
        }
    }
}

/// What becomes of an open.
enum Opened {
    Refused,
    Done,
    /// And how often the other end has been opened.
    Waits(i64),
}

impl Files {
    /// How often the other end was opened.
    fn others_came(&self, op: &Op) -> i64 {
        let came = self.came.get(&op.fifo).copied().unwrap_or_default();
        if op.writes() { came.readers } else { came.writers }
    }

    fn open_fifo(&mut self, op: &Op) -> Opened {
        let (reads, writes, fifo) = (op.reads(), op.writes(), op.fifo);
        let nonblock = op.flags & libc::O_NONBLOCK != 0;
        if writes && !reads && nonblock && !self.has_sink(fifo) {
            return Opened::Refused;
        }
        self.channels.entry(fifo).or_insert_with(|| Channel::Pipe(Pipe::default()));
        let end = match (reads, writes) {
            (true, true) => End::Own(fifo),
            (true, false) => End::Read(fifo),
            _ => End::Write(fifo),
        };
        let there = if reads { self.has_source(fifo) } else { self.has_sink(fifo) };
        self.open.insert(op.id, Description { end, nonblock });
        self.table.insert(number(op.descriptor), op.id);
        let came = self.came.entry(fifo).or_default();
        came.readers += i64::from(reads);
        came.writers += i64::from(writes);
        if reads && writes || there || nonblock {
            return Opened::Done;
        }
        Opened::Waits(self.others_came(op))
    }

    /// A signal ends the wait for the other end.
    pub(in crate::objects) fn open_no_more(&mut self, op: &Op) {
        self.remove(number(op.descriptor));
    }

    /// Whether another process may see that an end is closed: it may open the other one at any
    /// time.
    pub(super) fn is_fifo(&self, end: End) -> bool {
        end.sides().iter().any(|(c, _)| self.came.contains_key(c))
    }
}
