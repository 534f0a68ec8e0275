//! The tape: what happened in the run before, so that a run that begins in the same way needs no scheduler until it becomes
//! another one.
//!
//! In a state-less search most of a run is the way back to where something is left to do. A hand-over to the scheduler and back
//! costs two changes of process; but on that way everything is known: requests as they were, answers as they were. So both are kept,
//! and put into shared memory too. There the threads of the next run find them (`advance` in `runtime.c`): whoever makes the request
//! that is foreseen gives the answers behind it, often to itself, and nobody else runs. The scheduler is woken at the end of the
//! tape and only then goes through the same events, in the same order, as if it had been asked.
//!
//! A request that differs in anything ends the run, which is then executed without the tape.

use crate::operation::Tid;
use crate::protocol::{self as p, Request, Shared};
use std::sync::atomic::Ordering::SeqCst;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    Request { from: Tid, request: Request },
    Answer { to: Tid, result: i64, several: bool, data: Vec<u8> },
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

    /// A new run begins, with so many events of the last one.
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
        shared.tape_data[start..end].iter().zip(event.data()).for_each(|(to, from)| to.store(*from, SeqCst));
        self.events.push(event);
        self.bytes.push(end);
    }
}

impl Event {
    fn data(&self) -> &[u8] {
        match self {
            Event::Request { request, .. } => &request.data,
            Event::Answer { data, .. } => data,
        }
    }

    /// When notices have to be read depends on how many there are; stacks are not compared.
    fn can_be_foreseen(&self) -> bool {
        !matches!(self, Event::Request { request, .. } if request.op == p::OP_NONE || !request.stack.is_empty())
    }

    fn write(&self, to: &p::Event, data: usize) {
        to.data.store(data as u32, SeqCst);
        to.length.store(self.data().len() as u32, SeqCst);
        match self {
            Event::Request { from, request } => {
                to.answer.store(0, SeqCst);
                to.who.store(*from as u32, SeqCst);
                to.op.store(request.op, SeqCst);
                to.flags.store(request.flags, SeqCst);
                to.object.store(request.object, SeqCst);
                to.a.store(request.a, SeqCst);
                to.b.store(request.b, SeqCst);
                to.c.store(request.c, SeqCst);
                to.pc.store(request.pc, SeqCst);
            }
            Event::Answer { to: who, result, several, .. } => {
                to.answer.store(1, SeqCst);
                to.who.store(*who as u32, SeqCst);
                to.object.store(*result as u64, SeqCst);
                to.several.store((*several).into(), SeqCst);
            }
        }
    }
}
