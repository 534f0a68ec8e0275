//! Descriptors, what they stand for, and the channels behind them: pipes, socket pairs, event
//! counters, sets to poll.
//!
//! As in the kernel there are three levels: a number in a process; the open file description it
//! refers to, which copies of the number share (dup, fork); and the channel, which ends when no
//! description refers to it. The bytes are here, not in the kernel: what can be read, written or
//! polled is known exactly, in every order of operations.
//!
//! What touches what: the contents of a channel; whether a process can still write to it or read
//! from it (`Part::Sources`, `Part::Sinks`). Every close posts to those, whether it is the last or
//! not: closes commute with each other, in any number, and not with calls that look. (That only the
//! last one makes a difference is no help: which is the last depends on the order.) A process that
//! holds the other end itself need not look: that end is open.

mod event;
pub mod fifo;
pub mod locks;
mod operation;
mod pipe;
mod poll;
mod socket;
mod transfer;

use super::Effect;
use super::queue::Queue;
use crate::operation::{Access, Class, Footprint, Key};
use crate::protocol as p;
use event::Event;
pub use operation::{Call, Op, Query};
use pipe::Pipe;
use poll::Watch;
use socket::Socket;
pub use socket::Style;
use std::collections::BTreeMap;

pub type Id = u64;

/// What a description is to its channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Read(Id),
    Write(Id),
    Both {
        receive: Id,
        send: Id,
    },
    Event(Id),
    Poll(Id),
    Queue(Id),
    /// Both ends of a FIFO.
    Own(Id),
    /// A file that may be locked.
    File(Id),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Description {
    end: End,
    nonblock: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Channel {
    Pipe(Pipe),
    Socket(Socket),
    Event(Event),
    Poll(Vec<Watch>),
    Queue(Queue),
}

/// What can be touched of a channel or of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Contents,
    Sources,
    Sinks,
    /// Of a description: O_NONBLOCK; whether it is there.
    Flags,
    Being,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Process and number.
    table: BTreeMap<(u64, u64), Id>,
    open: BTreeMap<Id, Description>,
    channels: BTreeMap<Id, Channel>,
    /// Who has opened a FIFO.
    came: BTreeMap<Id, fifo::Came>,
    /// In order; and those that are waited for.
    locks: Vec<locks::Lock>,
    waits: Vec<locks::Lock>,
}

/// Flags of OP_FD_NEW and of reading and writing.
const NONBLOCK: i64 = 1;
const SEMAPHORE: i64 = 2;
const PEEK: i64 = 2;
const GOES_ON: i64 = 4;

fn key(id: Id, part: Part) -> Key {
    let class = if matches!(part, Part::Flags | Part::Being) { Class::Description } else { Class::Channel };
    Key::new(class, id, part as u64)
}

/// The process, and its number.
fn number(descriptor: Key) -> (u64, u64) {
    (descriptor.space, descriptor.at)
}

impl End {
    /// The sides of channels that are open because this is.
    fn sides(self) -> Vec<(Id, Part)> {
        match self {
            End::Read(c) => vec![(c, Part::Sinks)],
            End::Write(c) => vec![(c, Part::Sources)],
            End::Both { receive, send } => vec![(receive, Part::Sinks), (send, Part::Sources)],
            End::Own(c) => vec![(c, Part::Sinks), (c, Part::Sources)],
            End::Event(_) | End::Poll(_) | End::Queue(_) | End::File(_) => Vec::new(),
        }
    }

    fn reads(self) -> Option<Id> {
        match self {
            End::Read(c) | End::Both { receive: c, .. } | End::Event(c) | End::Own(c) => Some(c),
            _ => None,
        }
    }

    fn writes(self) -> Option<Id> {
        match self {
            End::Write(c) | End::Both { send: c, .. } | End::Event(c) | End::Own(c) => Some(c),
            _ => None,
        }
    }
}

impl Files {
    fn describe(&mut self, at: (u64, u64), id: Id, end: End, nonblock: bool) {
        self.open.insert(id, Description { end, nonblock });
        self.table.insert(at, id);
    }

    /// `r.a` says what; `numbers` are its descriptors in the process. Every identity from `id` to
    /// `id + 1` is free.
    pub fn create(&mut self, process: u64, (kind, flags): (i64, i64), numbers: (u64, u64), id: Id) {
        let (first, second) = ((process, numbers.0), (process, numbers.1));
        let nonblock = flags & NONBLOCK != 0;
        match kind {
            p::FD_PIPE => {
                self.channels.insert(id, Channel::Pipe(Pipe::default()));
                self.describe(first, id, End::Read(id), nonblock);
                self.describe(second, id + 1, End::Write(id), nonblock);
            }
            p::FD_EVENT => {
                let event = Event::new((flags as u64) >> 8, flags & SEMAPHORE != 0);
                self.channels.insert(id, Channel::Event(event));
                self.describe(first, id, End::Event(id), nonblock);
            }
            p::FD_FILE => self.describe(first, id, End::File((flags as u64) >> 8), false),
            p::FD_QUEUE => self.describe(first, id, End::Queue((flags as u64) >> 8), nonblock),
            p::FD_EPOLL => {
                self.channels.insert(id, Channel::Poll(Vec::new()));
                self.describe(first, id, End::Poll(id), nonblock);
            }
            _ => {
                let style = match kind {
                    p::FD_STREAM => Style::Stream,
                    p::FD_PACKETS => Style::Packets,
                    _ => Style::Datagrams,
                };
                self.channels.insert(id, Channel::Socket(Socket::new(style)));
                self.channels.insert(id + 1, Channel::Socket(Socket::new(style)));
                self.describe(first, id, End::Both { receive: id, send: id + 1 }, nonblock);
                self.describe(second, id + 1, End::Both { receive: id + 1, send: id }, nonblock);
            }
        }
    }

    /// The child of a fork has all descriptors of its parent.
    pub fn fork(&mut self, from: u64, to: u64) {
        let copies: Vec<_> =
            self.table.range((from, 0)..=(from, u64::MAX)).map(|((_, n), d)| ((to, *n), *d)).collect();
        self.table.extend(copies);
    }

    pub fn duplicate(&mut self, process: u64, old: u64, new: u64) {
        if let Some(id) = self.table.get(&(process, old)).copied() {
            self.table.insert((process, new), id);
        }
    }

    fn references(&self, id: Id) -> usize {
        self.table.values().filter(|d| **d == id).count()
    }

    /// Which open file description a number of a process refers to.
    pub fn description(&self, process: u64, number: u64) -> Option<Id> {
        self.table.get(&(process, number)).copied()
    }

    fn find(&self, at: (u64, u64)) -> Option<(Id, Description)> {
        let id = *self.table.get(&at)?;
        Some((id, *self.open.get(&id)?))
    }

    fn is_open(&self, side: (Id, Part)) -> bool {
        self.open.values().any(|d| d.end.sides().contains(&side))
    }

    fn has_source(&self, channel: Id) -> bool {
        let shut = matches!(self.channels.get(&channel), Some(Channel::Socket(s)) if s.shut);
        !shut && self.is_open((channel, Part::Sources))
    }

    fn has_sink(&self, channel: Id) -> bool {
        let deaf = matches!(self.channels.get(&channel), Some(Channel::Socket(s)) if s.deaf);
        !deaf && self.is_open((channel, Part::Sinks))
    }

    fn remove(&mut self, at: (u64, u64)) {
        let Some(id) = self.table.remove(&at) else { return };
        if self.references(id) > 0 {
            return;
        }
        let Some(gone) = self.open.remove(&id) else { return };
        self.close_description(id);
        if let End::Both { receive, send } = gone.end
            && matches!(self.channels.get(&receive), Some(Channel::Socket(s)) if s.is_unread())
            && let Some(Channel::Socket(peer)) = self.channels.get_mut(&send)
        {
            peer.reset = peer.style != Style::Datagrams;
        }
        let in_use = |c: &Id| {
            let uses = |d: &Description| {
                let alone = matches!(d.end, End::Event(e) | End::Poll(e) if e == *c);
                alone || d.end.sides().iter().any(|(used, _)| used == c)
            };
            self.open.values().any(uses)
        };
        // Queues live on without descriptors.
        let kept = |channel: &Channel| matches!(channel, Channel::Queue(_));
        let unused = self.channels.iter().filter(|(c, channel)| !kept(channel) && !in_use(c));
        let gone: Vec<Id> = unused.map(|(c, _)| *c).collect();
        for c in gone {
            self.channels.remove(&c);
            self.came.remove(&c);
        }
    }

    /// What closing a number does, besides its being gone.
    fn close(&mut self, at: (u64, u64)) {
        if let Some((_, Description { end: End::File(file), .. })) = self.find(at) {
            self.close_file(at.0, file);
        }
        self.remove(at);
    }

    /// A close, by number.
    fn close_touches(&self, at: (u64, u64)) -> Footprint {
        let mut touched = vec![Key::new(Class::Descriptor, at.0, at.1).touch(Access::Change)];
        let Some((id, description)) = self.find(at) else { return touched };
        if let End::File(file) = description.end {
            touched.push(locks::key(file).touch(Access::Change));
            return touched;
        }
        touched.push(key(id, Part::Being).touch(Access::Post));
        touched.extend(description.end.sides().iter().map(|(c, part)| key(*c, *part).touch(Access::Post)));
        if let End::Both { receive, .. } = description.end {
            touched.push(key(receive, Part::Contents).touch(Access::Read));
        }
        touched
    }

    fn numbers(&self, process: u64) -> Vec<(u64, u64)> {
        self.table.range((process, 0)..=(process, u64::MAX)).map(|(at, _)| *at).collect()
    }

    /// What the end of a process touches: it closes everything.
    pub(super) fn exit_touches(&self, process: u64) -> Footprint {
        self.numbers(process).into_iter().flat_map(|at| self.close_touches(at)).collect()
    }

    /// What the end of a process gives back, one after the other: its sides of channels, and locks.
    /// Whether others have them, too, makes no difference: closes commute, so that its own may be
    /// the last one in an order that is not executed.
    pub(super) fn given_back(&self, process: u64) -> Vec<Key> {
        let own: Vec<Id> = self.table.range((process, 0)..=(process, u64::MAX)).map(|(_, d)| *d).collect();
        let locked = self.locked_files(process, &own).into_iter().map(locks::key);
        let held = own.iter().filter_map(|id| Some((*id, self.open.get(id)?.end)));
        let of = |(id, end): (Id, End)| {
            let sides = end.sides().into_iter().map(|(c, part)| key(c, part));
            sides.chain([key(id, Part::Being)]).collect::<Vec<Key>>()
        };
        locked.chain(held.flat_map(of)).collect()
    }

    /// Whether no process holds this part of a channel or description any more: only then did the
    /// end of one that held it change something.
    pub(super) fn is_given_back(&self, part: Key) -> bool {
        let side = [Part::Sources, Part::Sinks].into_iter().find(|side| *side as u64 == part.at);
        match (part.class, side) {
            (Class::Channel, Some(side)) => !self.is_open((part.space, side)),
            (Class::Description, _) => !self.open.contains_key(&part.space),
            _ => true,
        }
    }

    pub(super) fn end_process(&mut self, process: u64) {
        self.numbers(process).into_iter().for_each(|at| self.close(at));
        self.waits.retain(|l| !l.is_of(process));
    }

    /// Whether another process can see that this one ends: it has the other end of a channel.
    pub fn end_is_seen(&self, process: u64) -> bool {
        let elsewhere = |side: (Id, Part)| {
            let others = self.table.iter().filter(|((other, _), _)| *other != process);
            others
                .filter_map(|(_, d)| self.open.get(d))
                .any(|d| d.end.sides().contains(&side) || matches!(d.end, End::Poll(_)))
        };
        let opposite =
            |(c, part): (Id, Part)| (c, if part == Part::Sinks { Part::Sources } else { Part::Sinks });
        let numbers = self.numbers(process);
        let held = numbers.iter().filter_map(|at| self.find(*at));
        self.holds_locks(process)
            || held.clone().any(|(_, d)| self.is_fifo(d.end))
            || held.flat_map(|(_, d)| d.end.sides()).any(|side| elsewhere(opposite(side)))
    }
}

fn result(n: usize) -> Effect {
    Effect { result: n as i64, ..Effect::default() }
}

fn bytes(data: Vec<u8>) -> Effect {
    Effect { result: data.len() as i64, data, ..Effect::default() }
}
