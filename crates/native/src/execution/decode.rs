//! From requests, which are numbers in shared memory, to operations on objects.

use super::Execution;
use super::names::{Region, SetName, region_id};
use crate::operation::{Class, Key, Op, Tid};
use crate::protocol::{self as p, Request};
use crate::report::{Failure, Kind, Trouble};
use crate::search::Use;

const CREATE: i64 = 0o1000;
const EXCLUSIVE: i64 = 0o2000;
/// More alternatives are not explored.
const MOST_TOSSED: i64 = 10_000;
/// In `weave.h`: the object is a System V semaphore.
const SYSV: u64 = 1 << 63;

impl Execution {
    fn key(&self, process: u64, class: Class, address: u64) -> Key {
        let (space, at) = self.spaces.get(&process).map_or((process, address), |s| s.place(process, address));
        Key::new(class, space, at)
    }

    pub(super) fn decode(&mut self, who: Tid, r: &Request) -> Result<Op, Trouble> {
        let process = self.thread(who).process;
        if r.op == p::OP_TOSS && !(0..=MOST_TOSSED).contains(&r.a) {
            return Err(Trouble::Uncontrolled(format!("a toss of 0..{}", r.a)));
        }
        if r.op == p::OP_JOIN && !usize::try_from(r.object).is_ok_and(|t| self.threads.contains_key(&t)) {
            return Err(Trouble::Uncontrolled("a join of a thread that does not exist".to_string()));
        }
        let key = match r.op {
            p::OP_JOIN => Key::new(Class::Wake, 0, r.object),
            p::OP_SYSV_OP..=p::OP_SYSV_QUERY => {
                let index =
                    if matches!(r.op, p::OP_SYSV_SETVAL | p::OP_SYSV_GETVAL) { r.a as u64 } else { 0 };
                Key::new(Class::Sysv, r.object, index)
            }
            p::OP_LOAD..=p::OP_UPDATE => self.key(process, Class::Memory, r.object),
            p::OP_WAIT | p::OP_EXIT_PROCESS | p::OP_TOSS | p::OP_CHECK => {
                Key::new(Class::Process, process, 0)
            }
            _ => self.key(process, Class::Sync, r.object),
        };
        let mut op = Op {
            kind: r.op,
            key,
            with: None,
            a: r.a,
            b: r.b,
            data: r.data.clone(),
            expires: false,
            behind: None,
            process,
            pc: r.pc,
            stack: r.stack.clone(),
        };
        let fresh = |bit: i64| key.class == Class::Sync && r.c & bit != 0;
        if fresh(p::FRESH) {
            self.model.forget(&key);
        }
        if matches!(r.op, p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT) {
            let mutex = self.key(process, Class::Sync, r.a as u64);
            if fresh(2 * p::FRESH) {
                self.model.forget(&mutex);
            }
            (op.with, op.a, op.b) = (Some(mutex), r.b, 0);
        }
        if r.op == p::OP_JOIN && self.thread(r.object as Tid).joined {
            self.fail(Failure::new(
                Kind::Misuse,
                format!("thread {who}: second join of thread {}", r.object),
            ));
        }
        Ok(if is_timed(r) { choice(op) } else { op })
    }

    /// What the library tells without waiting for an answer.
    pub(super) fn take_note(&mut self, who: Tid, note: &Request) {
        let process = self.thread(who).process;
        match note.op {
            p::OP_SHARED => {
                let (start, length) = (note.object, note.a.max(0) as u64);
                let id = region_id(process, note.b as u64);
                let region = Region { start, length, id, offset: note.c as u64 };
                self.spaces.entry(process).or_default().shared.push(region);
            }
            p::OP_DETACH => {}
            p::OP_DECLARE => self.declare(who, note),
            _ => {
                if let Ok(op) = self.decode(who, note)
                    && let Some(what) = self.model.apply(who, &op, 0).misuse
                {
                    self.fail(Failure::new(Kind::Misuse, format!("thread {who}: {what}")));
                }
            }
        }
    }

    /// `semget`. Nothing that others do can make a difference, unless two make the same set at once.
    pub(super) fn get_set(&mut self, who: Tid, r: &Request) -> i64 {
        let process = self.thread(who).process;
        let count = usize::try_from(r.b).unwrap_or(0).min(256);
        if r.a == 0 {
            let space = self.spaces.entry(process).or_default();
            space.sets += 1;
            let id = self.known.set(SetName::Private(process, space.sets));
            self.model.new_set(id, count);
            return id as i64;
        }
        let id = self.known.set(SetName::Key(r.a));
        match self.model.has_set(id) {
            Some(_) if r.c & CREATE != 0 && r.c & EXCLUSIVE != 0 => -i64::from(libc::EEXIST),
            Some(has) if count > has => -i64::from(libc::EINVAL),
            Some(_) => id as i64,
            None if r.c & CREATE == 0 => -i64::from(libc::ENOENT),
            None => {
                self.model.new_set(id, count);
                id as i64
            }
        }
    }

    /// What a thread declares to use, one object a note. A declaration may only narrow the one before: persistent sets were
    /// computed from that.
    fn declare(&mut self, who: Tid, note: &Request) {
        let process = self.thread(who).process;
        let key = match note.object & SYSV {
            0 => self.key(process, Class::Sync, note.object),
            _ => Key::new(Class::Sysv, (note.object ^ SYSV) >> 16, note.object & 0xffff),
        };
        let new = Use { key, how: note.a as u64 };
        let thread = self.thread(who);
        if note.b == 0 {
            thread.declaring.clear();
        }
        if note.c > 0 {
            thread.declaring.push(new);
        }
        if note.b + 1 < note.c {
            return;
        }
        let uses = std::mem::take(&mut thread.declaring);
        let before = thread.uses.replace(uses.clone());
        let narrower = |u: &Use, all: &[Use]| all.iter().any(|b| b.key == u.key && u.how & !b.how == 0);
        if before.is_some_and(|b| !uses.iter().all(|u| narrower(u, &b))) {
            let what = format!("thread {who} declares more than it did before");
            self.fail(Failure::fatal(Kind::Misuse, what));
        }
    }
}

fn is_timed(r: &Request) -> bool {
    match r.op {
        p::OP_MUTEX_TIMEDLOCK | p::OP_COND_TIMEDWAIT | p::OP_SEM_TIMEDWAIT => true,
        p::OP_RW_TIMEDREAD | p::OP_RW_TIMEDWRITE => true,
        p::OP_SYSV_OP | p::OP_JOIN => r.b == 1,
        _ => false,
    }
}

/// A timed operation: first whether it will time out, which depends on nothing; then, if not, the operation itself.
fn choice(mut op: Op) -> Op {
    op.kind = match op.kind {
        p::OP_MUTEX_TIMEDLOCK => p::OP_MUTEX_LOCK,
        p::OP_COND_TIMEDWAIT => p::OP_COND_WAIT,
        p::OP_SEM_TIMEDWAIT => p::OP_SEM_WAIT,
        p::OP_RW_TIMEDREAD => p::OP_RW_READ,
        p::OP_RW_TIMEDWRITE => p::OP_RW_WRITE,
        kind => kind,
    };
    op.expires = true;
    Op { kind: p::OP_TOSS, a: 1, data: Vec::new(), expires: false, behind: Some(Box::new(op.clone())), ..op }
}
