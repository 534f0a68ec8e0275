//! The tape: what happened in the run before, so that a run that begins in the same way needs no
//! scheduler until it becomes another one.
//!
//! In a stateless search most of a run is the way back to where something is left to do. A
//! hand-over to the scheduler and back costs two changes of process; but on that way everything is
//! known: requests as they were, answers as they were. So both are kept, and put into shared memory
//! too. There the threads of the next run find them (`advance` in `runtime.c`): the thread that
//! makes the request that is foreseen gives the answers behind it, often to itself, and no other
//! thread runs. The scheduler is woken at the end of the tape and only then goes through the same
//! events, in the same order, as if it had been asked.
//!
//! A request that differs in anything ends the run, which is then executed without the tape.
//!
//! **Habits.** What a thread asks for next mostly follows from what it has asked for and been
//! answered so far. So the scheduler goes on where the tape ends, with the request that followed on
//! the same history of that thread in an earlier run, and decides as if the request had come. The
//! run is executed when nothing more can be foreseen, at best when it is over: all of it by itself.
//! Whatever is not as foreseen makes the run invalid, and it is executed again with each request
//! awaited.

use crate::operation::Tid;
use crate::protocol::{self as p, Request, Shared};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

/// A request and the notices before it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    pub request: Request,
    pub notes: Vec<(Tid, Request)>,
}

/// What a thread receives for its request.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Reply<'a> {
    pub result: i64,
    pub data: &'a [u8],
    /// Whether there are other threads.
    pub several: bool,
    /// What the time is, if that orders.
    pub time: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Request { from: Tid, heard: Arc<Heard> },
    Answer { to: Tid, result: i64, several: bool, time: u64, data: Vec<u8> },
}

/// The events of a run up to now, or as far as they fit.
#[derive(Debug, Default)]
pub struct Tape {
    events: Vec<Event>,
    /// Bytes of data up to each event.
    bytes: Vec<usize>,
    closed: bool,
    /// How many of the events were foreseen in this run, and how many of these were read.
    foreseen: usize,
    read: usize,
}

impl Tape {
    /// How many events have happened; none if they did not fit.
    pub fn length(&self) -> Option<usize> {
        let happened = if self.is_playing() { self.read } else { self.events.len() };
        (!self.closed).then_some(happened)
    }

    /// A new run begins, with `keep` events of the last one.
    pub fn rewind(&mut self, keep: usize) {
        self.cut(keep);
        (self.foreseen, self.read, self.closed) = (self.events.len(), 0, false);
    }

    /// The foreseen part ended before its end.
    pub fn cut(&mut self, at: usize) {
        self.events.truncate(at);
        self.bytes.truncate(at);
        self.foreseen = self.foreseen.min(at);
    }

    /// How many events are to happen by themselves.
    pub fn foreseen(&self) -> usize {
        self.foreseen
    }

    /// All events are to happen by themselves.
    pub fn foresee_all(&mut self) -> usize {
        self.foreseen = self.events.len();
        self.foreseen
    }

    /// For the next request and the answers to it.
    pub fn has_room(&self) -> bool {
        let bytes = self.bytes.last().copied().unwrap_or(0);
        !self.closed && self.events.len() + 64 < p::LIM_TAPE && bytes + 2 * p::LIM_DATA < p::LIM_TAPE_DATA
    }

    pub fn is_playing(&self) -> bool {
        self.read < self.foreseen
    }

    /// The next foreseen event, and its place.
    pub fn next_event(&mut self) -> Option<(usize, &Event)> {
        let at = self.read;
        (at < self.foreseen).then(|| {
            self.read += 1;
            (at, &self.events[at])
        })
    }

    /// All of it has happened.
    pub fn catch_up(&mut self) {
        (self.foreseen, self.read) = (self.events.len(), self.events.len());
    }

    /// The requests, each with its place.
    pub fn requests(&self) -> impl Iterator<Item = (usize, &Heard)> {
        self.events.iter().enumerate().filter_map(|(at, event)| match event {
            Event::Request { heard, .. } => Some((at, &**heard)),
            Event::Answer { .. } => None,
        })
    }

    /// An event that was not foreseen has happened.
    pub fn record(&mut self, shared: &Shared, event: Event) {
        if self.closed {
            return;
        }
        let start = self.bytes.last().copied().unwrap_or(0);
        let end = start + event.data().len();
        let at = self.events.len();
        if at >= p::LIM_TAPE || end > p::LIM_TAPE_DATA || !event.can_be_foreseen() {
            self.closed = true;
            return;
        }
        event.write(&shared.tape[at], start);
        shared.tape_data[start..end].iter().zip(event.data()).for_each(|(to, from)| to.store(*from, Relaxed));
        self.events.push(event);
        self.bytes.push(end);
    }
}

impl Event {
    fn data(&self) -> &[u8] {
        match self {
            Event::Request { heard, .. } => &heard.request.data,
            Event::Answer { data, .. } => data,
        }
    }

    /// When notices have to be read depends on how many there are; stacks are not compared.
    fn can_be_foreseen(&self) -> bool {
        match self {
            Event::Request { heard, .. } => heard.request.op != p::OP_NONE && heard.request.stack.is_empty(),
            Event::Answer { .. } => true,
        }
    }

    /// It is not read before the order to begin, which is stored later.
    fn write(&self, to: &p::Event, data: usize) {
        to.data.store(data as u32, Relaxed);
        to.length.store(self.data().len() as u32, Relaxed);
        match self {
            Event::Request { from, heard } => {
                let request = &heard.request;
                to.answer.store(0, Relaxed);
                to.who.store(*from as u32, Relaxed);
                to.op.store(request.op, Relaxed);
                to.flags.store(request.flags, Relaxed);
                to.object.store(request.object, Relaxed);
                to.a.store(request.a, Relaxed);
                to.b.store(request.b, Relaxed);
                to.c.store(request.c, Relaxed);
                to.pc.store(request.pc, Relaxed);
                to.time.store(request.time, Relaxed);
                to.until.store(request.until, Relaxed);
            }
            Event::Answer { to: who, result, several, time, .. } => {
                to.answer.store(1, Relaxed);
                to.who.store(*who as u32, Relaxed);
                to.object.store(*result as u64, Relaxed);
                to.several.store((*several).into(), Relaxed);
                to.time.store(*time, Relaxed);
            }
        }
    }
}

/// Mixes numbers into one: quick, and not safe against chosen input, since a wrong guess is
/// noticed.
#[derive(Clone, Copy, Debug, Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64((*b).into()));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(27);
    }

    fn write_i64(&mut self, number: i64) {
        self.write_u64(number as u64);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

/// What threads ask for next, after what they have asked for and been answered.
#[derive(Debug, Default)]
pub struct Habits {
    next: HashMap<(Tid, u64), Arc<Heard>, BuildHasherDefault<Mixer>>,
    /// The history of each thread in this run.
    history: Vec<u64>,
    /// Locks and the like that were used in this run. Who comes first to one says so.
    used: HashSet<u64, BuildHasherDefault<Mixer>>,
}

/// Whether a request tells that its object is new.
fn tells_fresh(op: u32) -> bool {
    (p::OP_MUTEX_INIT..=p::OP_ONCE_DONE).contains(&op)
}

/// More is not remembered.
const MOST_HABITS: usize = 1 << 16;

impl Habits {
    pub fn begin(&mut self) {
        self.history.clear();
        self.used.clear();
    }

    /// What a thread will ask for, if that is known.
    pub fn expected(&self, who: Tid) -> Option<Arc<Heard>> {
        let heard = self.next.get(&self.key(who))?;
        let request = &heard.request;
        if !tells_fresh(request.op) {
            return Some(heard.clone());
        }
        let fresh = |object: u64| i64::from(!self.used.contains(&object));
        let mutex = matches!(request.op, p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT);
        let c = fresh(request.object) | if mutex { fresh(request.a as u64) << 1 } else { 0 };
        if c == request.c {
            return Some(heard.clone());
        }
        Some(Arc::new(Heard { request: Request { c, ..request.clone() }, notes: heard.notes.clone() }))
    }

    /// What it has asked for.
    pub fn heard(&mut self, who: Tid, heard: &Arc<Heard>, learn: bool) {
        let key = self.key(who);
        let useful = heard.request.op != p::OP_NONE && heard.request.stack.is_empty();
        if learn && useful && self.next.len() < MOST_HABITS {
            self.next.insert(key, heard.clone());
        }
        let r = &heard.request;
        let fresh = tells_fresh(r.op);
        if fresh {
            self.used.insert(r.object);
            self.used.extend(matches!(r.op, p::OP_COND_WAIT | p::OP_COND_TIMEDWAIT).then_some(r.a as u64));
        }
        self.mix(who, (r.op, r.object, r.a, r.b, if fresh { 0 } else { r.c }, r.pc, &r.data));
    }

    pub fn answered(&mut self, who: Tid, reply: &Reply<'_>) {
        self.mix(who, reply);
    }

    fn key(&self, who: Tid) -> (Tid, u64) {
        (who, self.history.get(who).copied().unwrap_or(0))
    }

    fn mix(&mut self, who: Tid, with: impl Hash) {
        if self.history.len() <= who {
            self.history.resize(who + 1, 0);
        }
        let mut mixer = Mixer(self.history[who]);
        with.hash(&mut mixer);
        self.history[who] = mixer.finish();
    }
}
