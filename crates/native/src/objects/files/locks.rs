//! Locks on files: flock, which belongs to an open file description; those of fcntl and lockf,
//! which are on ranges and belong to a process (or, as OFD, to a description). The two kinds do not
//! see each other.
//!
//! As in the kernel, closing any descriptor of a file lets go of all that the process has on ranges
//! of it; a flock that changes its kind lets go first; and a process that would wait in a circle on
//! ranges gets EDEADLK.

use super::{End, Files, Id, number, result};
use crate::objects::{By, Effect, Family, Model, when};
use crate::operation::{Access, Class, Footprint, Key, Operation, Outcome};

/// A call that locks a file, lets go of it, or asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub descriptor: Key,
    pub how: How,
    /// It fails if it would have to wait.
    pub at_once: bool,
    pub range: Range,
    /// The resumption: it waits.
    pub waits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Unlock,
    Shared,
    Exclusive,
    /// Whether there is a lock in the way of such a one.
    Query {
        exclusive: bool,
    },
}

/// Of a file; and whose it is: one of the families here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub first: u64,
    pub last: u64,
    pub family: u64,
}

impl Op {
    fn locks(&self) -> bool {
        matches!(self.how, How::Shared | How::Exclusive)
    }
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.descriptor
    }

    fn name(&self) -> &'static str {
        if self.waits { "file lock waits" } else { "file lock" }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::FileLock(o)
            if o.descriptor == self.descriptor && o.waits == self.waits && o.range == self.range)
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        let Some(asked) = model.files.asked(self, by.process()) else { return vec![0] };
        let waits = !self.at_once && self.locks();
        // A record lock begins to wait, a flock lets go of what it had: that is always possible.
        let begins = !self.waits && (self.range.family == RECORD || model.files.converts(&asked));
        when(!waits || begins || model.files.in_the_way(&asked).is_none())
    }

    fn touches(&self, model: &Model, by: By<'_>, _: Outcome) -> Footprint {
        let mut touched = vec![self.descriptor.touch(Access::Read)];
        let Some(asked) = model.files.asked(self, by.process()) else { return touched };
        let access = if matches!(self.how, How::Query { .. }) { Access::Read } else { Access::Change };
        touched.push(key(asked.file).touch(access));
        if self.range.family == RECORD && !self.at_once {
            touched.push(key(CIRCLES).touch(Access::Change));
        }
        touched
    }

    fn perform(&self, model: &mut Model, by: By<'_>, _: Outcome) -> Effect {
        let files = &mut model.files;
        let Some(wanted) = files.asked(self, by.process()) else { return Effect::of(-libc::EBADF) };
        files.waits.retain(|l| *l != wanted);
        let found = files.in_the_way(&wanted).copied();
        match (self.how, found) {
            (How::Query { .. }, found) => answer(found),
            (How::Shared | How::Exclusive, Some(_)) => {
                let refused = files.wait_for(self, by.process(), &wanted);
                let next = || by.pending.then(Operation::FileLock(Op { waits: true, ..*self }));
                refused.map_or_else(|| Effect::next(next()), |error| Effect::of(-error))
            }
            _ => {
                files.let_go(&wanted);
                if self.locks() {
                    files.locks.push(wanted);
                    files.tidy();
                }
                Effect::default()
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Process(u64),
    Description(Id),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Lock {
    file: Id,
    whole: bool,
    owner: Owner,
    first: u64,
    last: u64,
    exclusive: bool,
}

/// Families.
const RECORD: u64 = 0;
const FLOCK: u64 = 2;

/// All circles of waiting processes.
const CIRCLES: u64 = u64::MAX;

impl Lock {
    pub(super) fn is_of(&self, process: u64) -> bool {
        self.owner == Owner::Process(process)
    }
}

impl Files {
    /// The lock that an operation is about.
    fn asked(&self, op: &Op, process: u64) -> Option<Lock> {
        let (id, description) = self.find(number(op.descriptor))?;
        let End::File(file) = description.end else { return None };
        let Range { first, last, family } = op.range;
        let owner = if family == RECORD { Owner::Process(process) } else { Owner::Description(id) };
        let exclusive = matches!(op.how, How::Exclusive | How::Query { exclusive: true });
        Some(Lock { file, whole: family == FLOCK, owner, exclusive, first, last })
    }

    /// Whether it would change the kind of one that is there.
    fn converts(&self, asked: &Lock) -> bool {
        let other =
            |l: &Lock| l.whole && asked.whole && l.owner == asked.owner && l.exclusive != asked.exclusive;
        self.locks.iter().any(other)
    }

    /// A lock is not to be had: it is waited for, unless that is an error.
    fn wait_for(&mut self, op: &Op, process: u64, wanted: &Lock) -> Option<i32> {
        if self.converts(wanted) {
            self.let_go(wanted);
        }
        if op.at_once {
            return Some(libc::EAGAIN);
        }
        if op.range.family == RECORD {
            if self.closes_cycle(process, wanted) {
                return Some(libc::EDEADLK);
            }
            self.waits.push(*wanted);
            self.waits.sort_unstable();
        }
        None
    }

    /// A signal ends the wait of a process for a lock.
    pub(in crate::objects) fn wait_no_more(&mut self, process: u64) {
        self.waits.retain(|l| !l.is_of(process));
    }

    fn in_the_way(&self, wanted: &Lock) -> Option<&Lock> {
        let conflicts = |l: &&Lock| {
            l.file == wanted.file
                && l.whole == wanted.whole
                && l.owner != wanted.owner
                && (l.exclusive || wanted.exclusive)
                && l.first <= wanted.last
                && wanted.first <= l.last
        };
        self.locks.iter().find(conflicts)
    }

    /// Takes a range out of what an owner has.
    fn let_go(&mut self, gone: &Lock) {
        let mut rest = Vec::new();
        for lock in std::mem::take(&mut self.locks) {
            let same = lock.file == gone.file && lock.whole == gone.whole && lock.owner == gone.owner;
            if !same || lock.last < gone.first || gone.last < lock.first {
                rest.push(lock);
                continue;
            }
            if lock.first < gone.first {
                rest.push(Lock { last: gone.first - 1, ..lock });
            }
            if lock.last > gone.last {
                rest.push(Lock { first: gone.last + 1, ..lock });
            }
        }
        self.locks = rest;
        self.tidy();
    }

    /// One order, and neighbours joined: the same locks are the same state.
    fn tidy(&mut self) {
        self.locks.sort_unstable();
        self.locks.dedup_by(|next, lock| {
            let same = Lock { first: 0, last: 0, ..*next } == Lock { first: 0, last: 0, ..*lock };
            let joins = same && lock.last.checked_add(1).is_none_or(|end| end >= next.first);
            if joins {
                lock.last = lock.last.max(next.last);
            }
            joins
        });
    }

    pub(super) fn close_file(&mut self, process: u64, file: Id) {
        self.locks.retain(|l| l.whole || l.file != file || l.owner != Owner::Process(process));
    }

    pub(super) fn close_description(&mut self, id: Id) {
        self.locks.retain(|l| l.owner != Owner::Description(id));
    }

    /// Whether the end of a process may let go of a lock.
    pub fn holds_locks(&self, process: u64) -> bool {
        let own = |id: &Id| self.table.iter().any(|((p, _), d)| *p == process && d == id);
        self.locks.iter().any(|l| match l.owner {
            Owner::Process(p) => p == process,
            Owner::Description(id) => own(&id),
        })
    }

    /// The files that a process has locked, or that are locked by these descriptions of it.
    pub(super) fn locked_files(&self, process: u64, own: &[Id]) -> Vec<Id> {
        let given_back = |l: &&Lock| match l.owner {
            Owner::Process(p) => p == process,
            Owner::Description(id) => own.contains(&id),
        };
        self.locks.iter().filter(given_back).map(|l| l.file).collect()
    }

    pub fn is_plain(&self, process: u64, number: u64) -> bool {
        matches!(self.find((process, number)), Some((_, d)) if matches!(d.end, End::File(_)))
    }

    /// Whether a process that waits for these would, over others that wait, wait for itself.
    fn closes_cycle(&self, process: u64, wanted: &Lock) -> bool {
        let mut next = vec![*wanted];
        let mut seen = Vec::new();
        while let Some(lock) = next.pop() {
            let Some(Owner::Process(holder)) = self.in_the_way(&lock).map(|l| l.owner) else { continue };
            if holder == process {
                return true;
            }
            if !seen.contains(&holder) {
                seen.push(holder);
                next.extend(self.waits.iter().filter(|l| l.owner == Owner::Process(holder)).copied());
            }
        }
        false
    }
}

pub(super) fn key(file: Id) -> Key {
    Key::new(Class::File, file, 0)
}

/// What a query returns: whether there is a lock, its kind, its range, and the process, if it is
/// one's.
fn answer(found: Option<Lock>) -> Effect {
    let Some(lock) = found else { return result(0) };
    let owner = match lock.owner {
        Owner::Process(process) => process,
        Owner::Description(_) => u64::MAX,
    };
    let words = [u64::from(lock.exclusive), lock.first, lock.last, owner];
    Effect { data: words.map(u64::to_le_bytes).concat(), ..result(1) }
}
