//! From requests, which are numbers in shared memory, to operations on objects.

use super::Execution;
use super::names::{Region, SEGMENT, SHARED, SetName, region_id};
use super::uses::Use;
use crate::objects::{POSIX_QUEUE, SYSV_QUEUE, SYSV_SET, timer_key};
use crate::operation::{Class, Key, Op, SPURIOUS, Tid};
use crate::protocol::{self as p, Request};
use explore::stateless::{Failure, Kind, Trouble};

/// More alternatives are not explored.
const MOST_TOSSED: i64 = 10_000;
/// In `weave.h`: the object is a System V semaphore.
const SYSV: u64 = 1 << 63;

impl Execution {
    fn key(&self, process: u64, class: Class, address: u64) -> Key {
        let (space, at) = self.spaces.get(&process).map_or((process, address), |s| s.place(process, address));
        Key::new(class, space, at)
    }

    /// Where those wait who wait for a word. With FUTEX_PRIVATE_FLAG the kernel keeps them by the
    /// process and the address, and apart from those without, whatever memory the word lies in.
    fn queue_of_futex(&self, process: u64, r: &Request) -> Key {
        let shared = self.key(process, Class::Futex, r.object);
        match (r.c & p::PRIVATE != 0, shared.space == process) {
            (true, _) => Key::new(Class::Futex, process, r.object),
            (false, true) => Key { at: shared.at | 1, ..shared },
            (false, false) => shared,
        }
    }

    pub(super) fn decode(&mut self, who: Tid, r: &Request) -> Result<Op, Trouble> {
        let process = self.thread(who).process;
        if r.op == p::OP_TOSS && !(0..=MOST_TOSSED).contains(&r.a) {
            return Err(Trouble::Uncontrolled(format!("a toss of 0..{}", r.a)));
        }
        if matches!(r.op, p::OP_JOIN | p::OP_TRYJOIN)
            && !usize::try_from(r.object).is_ok_and(|t| self.threads.contains_key(&t))
        {
            return Err(Trouble::Uncontrolled("a join of a thread that does not exist".to_string()));
        }
        let key = match r.op {
            p::OP_JOIN | p::OP_TRYJOIN => Key::new(Class::Thread, 0, r.object),
            p::OP_EXIT_THREAD => Key::new(Class::Thread, 0, who as u64),
            p::OP_TIMER => timer_key(process, r.object),
            p::OP_SYSV_OP..=p::OP_SYSV_QUERY => {
                let index =
                    if matches!(r.op, p::OP_SYSV_SETVAL | p::OP_SYSV_GETVAL) { r.a as u64 } else { 0 };
                Key::new(Class::Sysv, r.object, index)
            }
            p::OP_SYSV_GET => Key::new(Class::Name, SYSV_SET, self.known.set(SetName::Key(r.a))),
            p::OP_MSG_GET => Key::new(Class::Name, SYSV_QUEUE, self.known.set(SetName::Key(r.a))),
            p::OP_MSG_SEND..=p::OP_MSG_CONTROL => Key::new(Class::Queue, 0, r.object),
            p::OP_MQ_OPEN | p::OP_MQ_UNLINK => Key::new(Class::Name, POSIX_QUEUE, hash(&r.data)),
            p::OP_NAME => Key::new(Class::Name, r.object, hash(&r.data)),
            p::OP_FD_READ..=p::OP_FIFO_OPEN => Key::new(Class::Descriptor, process, r.object),
            p::OP_FILE => Key::new(Class::Content, r.object, 0),
            p::OP_CANCEL => Key::new(Class::Cancel, r.object, 0),
            p::OP_KILL => {
                let thread = (r.object as Tid) % p::LIM_SLOTS;
                let target = self.process_of(thread);
                Key::new(Class::Process, target, if r.b == 1 { thread as u64 + 1 } else { 0 })
            }
            p::OP_FUTEX_WAIT | p::OP_FUTEX_WAKE | p::OP_FUTEX_SLEEP => self.queue_of_futex(process, r),
            p::OP_LOAD..=p::OP_UPDATE => self.key(process, Class::Memory, r.object),
            p::OP_WAIT | p::OP_EXIT_PROCESS | p::OP_TOSS | p::OP_CHECK | p::OP_CIRCLE | p::OP_SLEEP => {
                Key::new(Class::Process, process, 0)
            }
            p::OP_CREATE | p::OP_LAST | p::OP_SIGACTION | p::OP_SIGMASK | p::OP_SIGWAIT..=p::OP_PAUSE => {
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
            late: false,
            ready: if self.options.ordered { self.thread(who).time } else { 0 },
            until: if self.options.ordered { r.until } else { 0 },
            point: r.flags & p::POINT != 0,
            behind: None,
            aftermath: Default::default(),
            heeds_memory: self.known.places().next().is_some(),
            process,
            pc: r.pc,
            stack: r.stack.clone(),
        };
        if r.op == p::OP_FUTEX_WAIT {
            op.with = Some(self.key(process, Class::Memory, r.object));
        }
        if matches!(r.op, p::OP_SYSV_GET | p::OP_MSG_GET) {
            op.data = r.c.to_le_bytes().to_vec();
        }
        if r.op == p::OP_FIFO_OPEN {
            let thread = self.thread(who);
            thread.made += 2;
            let id = (who as u64) << 32 | (thread.made - 2);
            op.data.truncate(8);
            op.data.extend(id.to_le_bytes());
        }
        if r.op == p::OP_FILE {
            op.data = self.locate_all(who, &r.data);
        }
        let fresh = |bit: i64| key.class == Class::Sync && r.c & bit != 0;
        if fresh(p::FRESH) {
            self.change(who, move |m| m.forget(&key));
        }
        if matches!(r.op, p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT) {
            let mutex = self.key(process, Class::Sync, r.a as u64);
            if fresh(2 * p::FRESH) {
                self.change(who, move |m| m.forget(&mutex));
            }
            (op.with, op.a, op.b) = (Some(mutex), r.b, 0);
        }
        self.check_copied(r, &op);
        if r.op == p::OP_JOIN && self.thread(r.object as Tid).joined {
            self.fail(Failure::new(
                Kind::Misuse,
                format!("{}: second join of thread {}", self.called(who), r.object),
            ));
        }
        self.time.slept |= r.op == p::OP_CIRCLE && r.a == 1;
        if r.op == p::OP_FUTEX_SLEEP {
            self.change(who, move |m| m.fall_asleep(who, key));
        }
        if matches!(r.op, p::OP_FUTEX_WAIT | p::OP_FUTEX_WAKE) && !self.machine.is_instrumented() {
            let what = "futexes of a program whose memory accesses are not instrumented";
            return Err(Trouble::Uncontrolled(what.to_string()));
        }
        if matches!(r.op, p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT) && self.options.spurious > 0 {
            if r.op == p::OP_COND_WAIT && self.thread(who).spurious > 0 {
                op.b = SPURIOUS;
                return Ok(choice(op));
            }
            self.uncontrolled.insert("more spurious wake-ups than were asked for".to_string());
        }
        Ok(if is_timed(r) { choice(op) } else { op })
    }

    /// What the library tells without waiting for an answer.
    pub(super) fn take_note(&mut self, who: Tid, note: &Request) {
        let process = self.thread(who).process;
        match note.op {
            p::OP_SHARED => {
                let (start, length) = (note.object, note.a.max(0) as u64);
                let id = self.region(who, process, note.b as u64);
                let region = Region { start, length, id, offset: note.c as u64 };
                self.spaces.entry(process).or_default().shared.push(region);
                self.share(id);
            }
            p::OP_DETACH => self.thread(note.object as Tid % p::LIM_SLOTS).detached = true,
            p::OP_MASK => {
                let mask = note.a as u64;
                self.change(who, move |m| m.set_mask(who, mask));
            }
            p::OP_SEGMENT => {
                let name =
                    if note.a == 0 { self.own_name(who) } else { SEGMENT | hash(&note.a.to_le_bytes()) };
                self.regions.entry(SEGMENT | note.object).or_insert(name);
            }
            p::OP_CONTENT => self.touch_file(who, note),
            p::OP_DECLARE => self.declare(who, note),
            p::OP_SUSPECT => self.suspicion |= self.known.waiting.insert(note.object),
            p::OP_CLOCK => self.time.reads_clock = true,
            _ => {
                let Ok(op) = self.decode(who, note) else { return };
                let mut after = self.model.clone();
                let misuse = after.apply(who, &op, 0).misuse;
                self.change(who, move |m| drop(m.apply(who, &op, 0)));
                if let Some(what) = misuse {
                    self.fail(Failure::new(Kind::Misuse, format!("{}: {what}", self.called(who))));
                }
            }
        }
    }

    /// A new descriptor, or two. Channels have names that do not depend on the order of their
    /// creation.
    pub(super) fn new_file(&mut self, who: Tid, r: &Request) {
        let thread = self.thread(who);
        let (process, nth) = (thread.process, thread.made);
        thread.made += 2;
        let id = (who as u64) << 32 | nth;
        let (kind, numbers, flags) = (r.a, (r.object, r.b as u64), r.c);
        self.change(who, move |m| m.files.create(process, kind, numbers, flags, id));
    }

    /// Something nameless that a thread has made, the n-th.
    fn own_name(&mut self, who: Tid) -> u64 {
        let thread = self.thread(who);
        thread.made += 1;
        1 << 61 | (who as u64) << 32 | thread.made
    }

    /// A region's identity. Anonymous memory and files are named by who saw them first, the rest by
    /// its name.
    fn region(&mut self, who: Tid, process: u64, given: u64) -> u64 {
        if given & SEGMENT == 0 {
            return region_id(process, given);
        }
        if let Some(name) = self.regions.get(&given) {
            return SHARED | name;
        }
        let name = self.own_name(who);
        self.regions.insert(given, name);
        SHARED | name
    }

    /// `semget` and `msgget` without a key: nothing that others do can make a difference.
    pub(super) fn get_private(&mut self, who: Tid, r: &Request) -> i64 {
        let process = self.thread(who).process;
        let count = usize::try_from(r.b).unwrap_or(0).min(32_000);
        let space = self.spaces.entry(process).or_default();
        space.sets += 1;
        let id = self.known.set(SetName::Private(process, space.sets));
        let queue = r.op == p::OP_MSG_GET;
        self.change(who, move |m| if queue { m.new_queue(id) } else { m.new_set(id, count) });
        id as i64
    }

    /// What a thread declares to use, one object a note. A declaration may only narrow the one
    /// before: persistent sets were computed from that.
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
            let what = format!("{} declares more than it did before", self.called(who));
            self.fail(Failure::fatal(Kind::Misuse, what));
        }
    }
}

/// Of a name; 40 bits, so that more can be put beside it.
fn hash(name: &[u8]) -> u64 {
    let mix = |h: u64, b: &u8| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
    name.iter().fold(0xcbf2_9ce4_8422_2325, mix) >> 24
}

fn is_timed(r: &Request) -> bool {
    match r.op {
        p::OP_MUTEX_TIMEDLOCK | p::OP_COND_TIMEDWAIT | p::OP_SEM_TIMEDWAIT => true,
        p::OP_RW_TIMEDREAD | p::OP_RW_TIMEDWRITE => true,
        p::OP_SYSV_OP | p::OP_JOIN | p::OP_FUTEX_SLEEP | p::OP_SIGWAIT => r.b == 1,
        p::OP_FD_POLL | p::OP_EPOLL_WAIT => r.b == p::FD_TIMED,
        p::OP_MQ_SEND | p::OP_MQ_RECEIVE => r.c == 1,
        _ => false,
    }
}

/// A timed operation: first whether it will time out, which depends on nothing; then, if not, the
/// operation itself.
fn choice(mut op: Op) -> Op {
    op.kind = match op.kind {
        p::OP_MUTEX_TIMEDLOCK => p::OP_MUTEX_LOCK,
        p::OP_COND_TIMEDWAIT => p::OP_COND_WAIT,
        p::OP_SEM_TIMEDWAIT => p::OP_SEM_WAIT,
        p::OP_RW_TIMEDREAD => p::OP_RW_READ,
        p::OP_RW_TIMEDWRITE => p::OP_RW_WRITE,
        kind => kind,
    };
    if matches!(op.kind, p::OP_FD_POLL | p::OP_EPOLL_WAIT) {
        op.b = p::FD_FOREVER;
    }
    op.expires = !op.is_spurious(); // no system promises that it will wake
    Op { kind: p::OP_TOSS, a: 1, data: Vec::new(), expires: false, behind: Some(Box::new(op.clone())), ..op }
}
