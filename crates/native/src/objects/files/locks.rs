//! Locks on files: flock, which belongs to an open file description; those of fcntl and lockf,
//! which are on ranges and belong to a process (or, as OFD, to a description). The two kinds do not
//! see each other.
//!
//! As in the kernel, closing any descriptor of a file lets go of all that the process has on ranges
//! of it; a flock that changes its kind lets go first; and a process that would wait in a circle on
//! ranges gets EDEADLK.

use super::{End, Files, Id, number, result};
use crate::objects::{Effect, Model, when};
use crate::operation::{Access, Class, Footprint, Key, LOCK_WAITS, Op, Outcome};
use crate::protocol as p;

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

/// Families, in `data`.
const RECORD: u64 = 0;
const FLOCK: u64 = 2;
/// In `Op::a`.
const SHARED: i64 = 1;
const EXCLUSIVE: i64 = 2;
const QUERY: i64 = 3;

/// All circles of waiting processes.
const CIRCLES: u64 = u64::MAX;

impl Lock {
    pub(super) fn is_of(&self, process: u64) -> bool {
        self.owner == Owner::Process(process)
    }
}

struct Asked {
    lock: Lock,
    family: u64,
}

impl Files {
    fn asked(&self, op: &Op) -> Option<Asked> {
        let (id, description) = self.find(number(op))?;
        let End::File(file) = description.end else { return None };
        let word = |at: usize| op.data.get(8 * at..8 * at + 8)?.try_into().ok().map(u64::from_le_bytes);
        let (first, last, family) = (word(0)?, word(1)?, word(2)?);
        let owner = if family == RECORD { Owner::Process(op.process) } else { Owner::Description(id) };
        let exclusive = op.a == EXCLUSIVE || op.a == QUERY && op.b & 2 != 0;
        Some(Asked { lock: Lock { file, whole: family == FLOCK, owner, exclusive, first, last }, family })
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

    pub fn is_plain(&self, process: u64, number: u64) -> bool {
        matches!(self.find((process, number)), Some((_, d)) if matches!(d.end, End::File(_)))
    }

    /// Whether a process that waits for these would, over others that wait, wait for itself.
    fn closes_circle(&self, process: u64, wanted: &Lock) -> bool {
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

impl Model {
    pub(in crate::objects) fn lock_outcomes(&self, op: &Op) -> Vec<Outcome> {
        let Some(asked) = self.files.asked(op) else { return vec![0] };
        let waits = op.b & 1 == 0 && matches!(op.a, SHARED | EXCLUSIVE);
        // A record lock begins to wait, a flock lets go of what it had: that is always possible.
        let begins = op.kind == p::OP_FILE_LOCK && (asked.family == RECORD || self.converts(&asked));
        when(!waits || begins || self.files.in_the_way(&asked.lock).is_none())
    }

    fn converts(&self, asked: &Asked) -> bool {
        let other = |l: &Lock| {
            l.whole && asked.lock.whole && l.owner == asked.lock.owner && l.exclusive != asked.lock.exclusive
        };
        self.files.locks.iter().any(other)
    }

    pub(in crate::objects) fn lock_touches(&self, op: &Op) -> Footprint {
        let mut touched = vec![op.key.touch(Access::Read)];
        let Some(asked) = self.files.asked(op) else { return touched };
        let access = if op.a == QUERY { Access::Read } else { Access::Change };
        touched.push(key(asked.lock.file).touch(access));
        if asked.family == RECORD && op.b & 1 == 0 {
            touched.push(key(CIRCLES).touch(Access::Change));
        }
        touched
    }

    pub(in crate::objects) fn lock_apply(&mut self, op: &Op) -> Effect {
        let Some(asked) = self.files.asked(op) else { return Effect::of(-libc::EBADF) };
        let (wanted, files) = (asked.lock, &mut self.files);
        files.waits.retain(|l| *l != wanted);
        let found = files.in_the_way(&wanted).copied();
        match (op.a, found) {
            (QUERY, found) => answer(found),
            (SHARED | EXCLUSIVE, Some(_)) => {
                let converts = self.converts(&asked);
                if converts {
                    self.files.let_go(&wanted);
                }
                if op.b & 1 != 0 {
                    return Effect::of(-libc::EAGAIN);
                }
                if asked.family == RECORD && self.files.closes_circle(op.process, &wanted) {
                    return Effect::of(-libc::EDEADLK);
                }
                if asked.family == RECORD {
                    self.files.waits.push(wanted);
                    self.files.waits.sort_unstable();
                }
                Effect::next(Op { kind: LOCK_WAITS, ..op.clone() })
            }
            (how, _) => {
                files.let_go(&wanted);
                if matches!(how, SHARED | EXCLUSIVE) {
                    files.locks.push(wanted);
                    files.tidy();
                }
                Effect::default()
            }
        }
    }
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
