//! From requests, which are numbers in shared memory, to operations on objects.

use super::Execution;
use super::names::{Region, SEGMENT, SHARED, SetName, region_id};
use super::table::hash;
use super::uses::Use;
use crate::objects::condition::{Does, Ends, Wait};
use crate::objects::files::Call;
use crate::objects::{choice, condition, files};
use crate::operation::{Class, Key, Operation, Pending, Tid};
use crate::protocol::{self as p, Request};
use explore::stateless::{Failure, Kind, Trouble};
use objects::Object;

/// More alternatives are not explored.
const MOST_TOSSED: i64 = 10_000;
/// In `weave.h`: the object is a System V semaphore.
const SYSV: u64 = 1 << 63;

impl Execution {
    pub(super) fn key(&self, process: u64, class: Class, address: u64) -> Key {
        let (space, at) = self.spaces.get(&process).map_or((process, address), |s| s.place(process, address));
        Key::new(class, space, at)
    }

    /// Where those wait who wait for a word. With FUTEX_PRIVATE_FLAG the kernel keeps them by the
    /// process and the address, and apart from those without, whatever memory the word lies in.
    pub(super) fn queue_of_futex(&self, process: u64, r: &Request) -> Key {
        let shared = self.key(process, Class::Futex, r.object);
        match (r.c & p::PRIVATE != 0, shared.space == process) {
            (true, _) => Key::new(Class::Futex, process, r.object),
            (false, true) => Key { at: shared.at | 1, ..shared },
            (false, false) => shared,
        }
    }

    pub(super) fn decode(&mut self, who: Tid, r: &Request) -> Result<Pending, Trouble> {
        self.check_request(r)?;
        let operation = self.operation(who, r)?;
        let pending = self.stands_before(who, r, operation);
        self.take_in(who, r, &pending);
        if matches!(r.op, p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT) && self.options.spurious > 0 {
            if r.op == p::OP_COND_WAIT && self.thread(who).spurious > 0 {
                return Ok(choice(pending));
            }
            self.uncontrolled.insert("more spurious wake-ups than were asked for".to_string());
        }
        Ok(if is_timed(r) { choice(pending) } else { pending })
    }

    /// What cannot be controlled, or is wrong, whatever the objects are.
    fn check_request(&self, r: &Request) -> Result<(), Trouble> {
        let known = || usize::try_from(r.object).is_ok_and(|t| self.threads.contains_key(&t));
        let uncontrolled = |what: String| Err(Trouble::Uncontrolled(what));
        match r.op {
            p::OP_TOSS if !(0..=MOST_TOSSED).contains(&r.a) => uncontrolled(format!("a toss of 0..{}", r.a)),
            p::OP_JOIN | p::OP_TRYJOIN if !known() => {
                uncontrolled("a join of a thread that does not exist".to_string())
            }
            p::OP_FUTEX_WAIT | p::OP_FUTEX_WAKE if !self.machine.is_instrumented() => {
                uncontrolled("futexes of a program whose memory accesses are not instrumented".to_string())
            }
            _ => Ok(()),
        }
    }

    /// An operation, with all that is the same for every kind.
    pub(super) fn stands_before(&mut self, who: Tid, r: &Request, operation: Operation) -> Pending {
        let ordered = self.options.ordered;
        let heeds_memory = self.known.places().next().is_some();
        let thread = self.thread(who);
        Pending {
            operation,
            expires: false,
            point: r.flags & p::POINT != 0,
            late: false,
            heeds_memory,
            ready: if ordered { thread.time } else { 0 },
            until: if ordered { r.until } else { 0 },
            side_effects: Default::default(),
            process: thread.process,
            pc: r.pc,
            stack: r.stack.clone(),
        }
    }

    /// What the request says besides: of memory that shows no use so far, of copies, of joins.
    fn take_in(&mut self, who: Tid, r: &Request, pending: &Pending) {
        let key = pending.key();
        let fresh = |bit: i64| key.class == Class::Sync && r.c & bit != 0;
        if fresh(p::FRESH) {
            self.change(who, move |m| m.forget(&key));
        }
        if let Some(mutex) = pending.second().filter(|mutex| mutex.class == Class::Sync)
            && fresh(2 * p::FRESH)
        {
            self.change(who, move |m| m.forget(&mutex));
        }
        self.check_copied(r, pending);
        match r.op {
            p::OP_JOIN if self.thread(r.object as Tid).joined => {
                let what = format!("{}: second join of thread {}", self.called(who), r.object);
                self.fail(Failure::new(Kind::Misuse, what));
            }
            p::OP_CIRCLE => self.time.slept |= r.a == 1,
            p::OP_FUTEX_SLEEP => self.change(who, move |m| m.fall_asleep(who, key)),
            _ => {}
        }
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
                let misuse = after.perform(who, &op, 0).misuse;
                self.change(who, move |m| drop(m.perform(who, &op, 0)));
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
        self.change(who, move |m| m.files.create(process, (kind, flags), numbers, id));
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

/// First whether a timed operation will time out, or a wait end by itself, which depends on
/// nothing; then, if not, the operation itself.
fn choice(mut pending: Pending) -> Pending {
    pending.expires = true;
    match &mut pending.operation {
        Operation::Condition(condition::Op { does: Does::Wait(Wait { ends, .. }), .. })
            if *ends == Ends::Woken =>
        {
            *ends = Ends::Spurious;
            pending.expires = false; // no system promises that it will wake
        }
        Operation::File(files::Op {
            call: Call::Poll { forever, .. } | Call::EpollWait { forever, .. },
            ..
        }) => *forever = true,
        _ => {}
    }
    let operation = Operation::Choice(choice::Op::Before(Box::new(pending.clone())));
    Pending { expires: false, ..pending.then(operation) }
}
