//! Reading, writing and asking: pipes, sockets, event counters and queues behind a descriptor.

use super::operation::{Call, Query, waits};
use super::pipe;
use super::socket::Socket;
use super::{Channel, Description, End, Files, GOES_ON, Id, PEEK, Part, Style, bytes, key, result};
use crate::objects::Effect;
use crate::objects::queue::Queue;
use crate::operation::{Access, Class, Footprint, Key};
use crate::protocol as p;

impl Files {
    pub(super) fn can_read(&self, most: i64, end: End) -> bool {
        let Some(c) = end.reads() else { return true };
        match self.channels.get(&c) {
            Some(Channel::Event(e)) => most < 8 || e.can_read(),
            Some(Channel::Pipe(pipe)) => most == 0 || pipe.length() > 0 || !self.has_source(c),
            Some(Channel::Socket(socket)) => {
                most == 0 || socket.is_unread() || socket.reset || self.at_end(c, socket)
            }
            _ => true,
        }
    }

    /// Whether nothing will ever come: datagrams have no end.
    pub(super) fn at_end(&self, channel: Id, socket: &Socket) -> bool {
        socket.deaf || socket.style != Style::Datagrams && (socket.shut || !self.has_source(channel))
    }

    pub(super) fn read_touches(
        &self,
        process: u64,
        (most, flags): (i64, i64),
        description: Description,
    ) -> Footprint {
        let end = description.end;
        let Some(c) = end.reads() else { return Vec::new() };
        let contents = |access| key(c, Part::Contents).touch(access);
        let there = match self.channels.get(&c) {
            Some(Channel::Pipe(pipe)) => pipe.length() > 0,
            Some(Channel::Socket(socket)) => socket.is_unread(),
            _ => true,
        };
        let looks = flags & PEEK != 0;
        if there {
            return vec![contents(if looks { Access::Read } else { Access::Change })];
        }
        // The end, or nothing yet: what can change that is a write, and the last close of the other
        // side.
        let sides = self.look(process, c, &[Part::Sources, Part::Sinks]);
        let reset = matches!(self.channels.get(&c), Some(Channel::Socket(s)) if s.reset);
        let waits = waits(flags, description) && !self.can_read(most, end);
        let access = if !waits && !reset { Access::Read } else { Access::Change };
        sides.into_iter().chain([contents(access)]).collect()
    }

    pub(super) fn read(&mut self, asked: i64, flags: i64, end: End) -> Effect {
        let Some(c) = end.reads() else { return Effect::of(-libc::EBADF) };
        if !self.can_read(asked, end) {
            return Effect::of(-libc::EAGAIN);
        }
        let most = usize::try_from(asked).unwrap_or(0).min(p::LIM_DATA);
        let looks = flags & PEEK != 0;
        match self.channels.get_mut(&c) {
            Some(Channel::Pipe(pipe)) => bytes(pipe.read(most)),
            Some(Channel::Event(event)) if asked >= 8 => bytes(event.read().to_le_bytes().to_vec()),
            // Whether that is an end or EAGAIN depends on whether the call may wait.
            Some(Channel::Socket(s)) if s.deaf && s.style == Style::Datagrams && !s.is_unread() => {
                Effect { unmodelled: Some("a read of datagrams behind shutdown"), ..Effect::default() }
            }
            Some(Channel::Socket(socket)) => socket.read(most, looks),
            _ => Effect::of(-libc::EINVAL),
        }
    }

    pub(super) fn can_write(&self, data: &[u8], flags: i64, end: End) -> bool {
        let Some(c) = end.writes() else { return true };
        let length = data.len();
        match self.channels.get(&c) {
            Some(Channel::Event(e)) => e.can_write(data),
            Some(Channel::Pipe(pipe)) => {
                !self.has_sink(c) || length == 0 || pipe.room(length, flags & GOES_ON != 0) > 0
            }
            _ => true,
        }
    }

    pub(super) fn write_touches(&self, process: u64, data: &[u8], end: End) -> Footprint {
        let Some(c) = end.writes() else { return Vec::new() };
        match self.channels.get(&c) {
            // Additions commute, unless they might be too much.
            Some(Channel::Event(event)) => {
                let access = if event.has_much_room(data) { Access::Post } else { Access::Change };
                vec![key(c, Part::Contents).touch(access)]
            }
            _ => {
                let access = if self.has_sink(c) { Access::Change } else { Access::Read };
                let sides = self.look(process, c, &[Part::Sinks, Part::Sources]);
                let own =
                    self.reset_packets(end).map(|receive| key(receive, Part::Contents).touch(Access::Read));
                sides.into_iter().chain([key(c, Part::Contents).touch(access)]).chain(own).collect()
            }
        }
    }

    /// Where a socket of packets receives, if it was reset and no thread has read that.
    fn reset_packets(&self, end: End) -> Option<Id> {
        let End::Both { receive, .. } = end else { return None };
        let is_reset = |s: &Socket| s.reset && s.style == Style::Packets;
        let reset = matches!(self.channels.get(&receive), Some(Channel::Socket(s)) if is_reset(s));
        reset.then_some(receive)
    }

    /// Whether these sides of a pipe are open: a process that has such an end knows, as long as it
    /// does not close it.
    fn look(&self, process: u64, channel: Id, parts: &[Part]) -> Footprint {
        let own = |part: Part| {
            let holds = |at: &(u64, u64)| {
                let end = self.find(*at).map(|(_, d)| d.end);
                matches!(end, Some(End::Read(_) | End::Write(_) | End::Own(_)))
                    && end.is_some_and(|e| e.sides().contains(&(channel, part)))
            };
            self.numbers(process).into_iter().find(holds)
        };
        let touch = |part: &Part| match own(*part) {
            Some(at) => Key::new(Class::Descriptor, at.0, at.1).touch(Access::Read),
            None => key(channel, *part).touch(Access::Read),
        };
        parts.iter().map(touch).collect()
    }

    pub(super) fn write(&mut self, data: &[u8], flags: i64, end: End) -> Effect {
        let Some(c) = end.writes() else { return Effect::of(-libc::EBADF) };
        if !self.can_write(data, flags, end) {
            return Effect::of(-libc::EAGAIN);
        }
        if self.reset_packets(end).is_some() {
            return Effect { unmodelled: Some("a write of packets behind a reset"), ..Effect::default() };
        }
        let (heard, open) = (self.has_sink(c), self.has_source(c));
        match self.channels.get_mut(&c) {
            Some(Channel::Pipe(_)) if !heard => Effect::of(-libc::EPIPE),
            Some(Channel::Pipe(pipe)) => result(pipe.write(data, flags & GOES_ON != 0)),
            Some(Channel::Event(event)) => event.write(data),
            Some(Channel::Socket(_)) if !open => Effect::of(-libc::EPIPE),
            Some(Channel::Socket(socket)) if !heard => {
                let refused = socket.style == Style::Datagrams && !socket.deaf;
                let refused = if refused { libc::ECONNREFUSED } else { libc::EPIPE };
                Effect::of(-refused)
            }
            Some(Channel::Socket(socket)) => socket.write(data),
            _ => Effect::of(-libc::EINVAL),
        }
    }

    pub(in crate::objects) fn keep_queue(&mut self, id: Id, queue: Queue) {
        self.channels.entry(id).or_insert(Channel::Queue(queue));
    }

    pub(super) fn queue(&self, end: End) -> Option<&Queue> {
        match end {
            End::Queue(c) => match self.channels.get(&c) {
                Some(Channel::Queue(queue)) => Some(queue),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn queue_call(&mut self, call: &Call, end: End) -> Effect {
        let End::Queue(c) = end else { return Effect::of(-libc::EBADF) };
        let Some(Channel::Queue(queue)) = self.channels.get_mut(&c) else { return Effect::of(-libc::EBADF) };
        match call {
            Call::Send { text, .. } if queue.is_full() && !queue.is_too_long(text) => {
                Effect::of(-libc::EAGAIN)
            }
            Call::Send { priority, text, .. } => queue.send(*priority, text),
            Call::Receive { room, .. } => queue.receive_urgent(usize::try_from(*room).unwrap_or(0)),
            _ => queue.attributes(),
        }
    }

    pub(super) fn shut(&mut self, how: i64, end: End) -> Effect {
        let End::Both { receive, send } = end else { return Effect::of(-libc::ENOTSOCK) };
        let how = i32::try_from(how).unwrap_or(-1);
        if ![libc::SHUT_RD, libc::SHUT_WR, libc::SHUT_RDWR].contains(&how) {
            return Effect::of(-libc::EINVAL);
        }
        if how == libc::SHUT_WR || how == libc::SHUT_RDWR {
            self.socket(send, |s| s.shut = true);
        }
        if how == libc::SHUT_RD || how == libc::SHUT_RDWR {
            self.socket(receive, |s| s.deaf = true);
        }
        Effect::default()
    }

    fn socket(&mut self, c: Id, change: impl Fn(&mut Socket)) {
        if let Some(Channel::Socket(socket)) = self.channels.get_mut(&c) {
            change(socket);
        }
    }

    /// How much can be read, or how much fits in all.
    pub(super) fn query(&self, query: Query, end: End) -> Effect {
        let channel = end.reads().or(end.writes()).and_then(|c| self.channels.get(&c));
        match channel {
            Some(Channel::Pipe(_)) if query == Query::Capacity => result(pipe::CAPACITY),
            Some(Channel::Pipe(pipe)) => result(pipe.length()),
            Some(Channel::Socket(socket)) => result(socket.length()),
            _ => Effect::of(-libc::EINVAL),
        }
    }
}
