//! Pipes with a name. To open one end waits until a process opens the other; one that waits counts
//! as there, so that two who wait for each other let each other go. That one came is enough, even
//! if it has left again.

use super::{Channel, Description, End, Files, Id, Part, Pipe, key, number};
use crate::objects::{Effect, Model, when};
use crate::operation::{Access, FIFO_WAITS, Footprint, Op, Outcome};

/// How often each end was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Came {
    readers: i64,
    writers: i64,
}

fn mode(op: &Op) -> i32 {
    op.a as i32 & libc::O_ACCMODE
}

/// `data`: the identity of the FIFO, and that of the description to come.
fn identities(op: &Op) -> (Id, Id) {
    let word =
        |at: usize| op.data.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
    (word(0), word(8))
}

impl Files {
    /// How often the other end was opened.
    fn others_came(&self, op: &Op) -> i64 {
        let came = self.came.get(&identities(op).0).copied().unwrap_or_default();
        if mode(op) == libc::O_RDONLY { came.writers } else { came.readers }
    }

    /// Whether another process may see that an end is closed: it may open the other one at any
    /// time.
    pub(super) fn is_fifo(&self, end: End) -> bool {
        end.sides().iter().any(|(c, _)| self.came.contains_key(c))
    }
}

impl Model {
    pub(in crate::objects) fn fifo_outcomes(&self, op: &Op) -> Vec<Outcome> {
        when(op.kind != FIFO_WAITS || self.files.others_came(op) != op.b)
    }

    pub(in crate::objects) fn fifo_touches(op: &Op) -> Footprint {
        let (fifo, _) = identities(op);
        [Part::Sources, Part::Sinks, Part::Contents]
            .map(|part| key(fifo, part).touch(Access::Change))
            .to_vec()
    }

    pub(in crate::objects) fn open_fifo(&mut self, op: &Op) -> Effect {
        if op.kind == FIFO_WAITS {
            return Effect::default();
        }
        let (fifo, id) = identities(op);
        let (files, nonblock) = (&mut self.files, op.a as i32 & libc::O_NONBLOCK != 0);
        let (reads, writes) = (mode(op) != libc::O_WRONLY, mode(op) != libc::O_RDONLY);
        if writes && !reads && nonblock && !files.has_sink(fifo) {
            return Effect::of(-libc::ENXIO);
        }
        files.channels.entry(fifo).or_insert_with(|| Channel::Pipe(Pipe::default()));
        let end = match (reads, writes) {
            (true, true) => End::Own(fifo),
            (true, false) => End::Read(fifo),
            _ => End::Write(fifo),
        };
        let there = if reads { files.has_source(fifo) } else { files.has_sink(fifo) };
        files.open.insert(id, Description { end, nonblock });
        files.table.insert(number(op), id);
        let came = files.came.entry(fifo).or_default();
        came.readers += i64::from(reads);
        came.writers += i64::from(writes);
        if reads && writes || there || nonblock {
            return Effect::default();
        }
        let b = files.others_came(op);
        Effect::next(Op { kind: FIFO_WAITS, b, ..op.clone() })
    }
}
