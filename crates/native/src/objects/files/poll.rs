//! What is ready: `poll`, `select` (which the library turns into it) and `epoll`.

use super::super::Effect;
use super::{Channel, Description, End, Files, Id, Part, Style, key, result};
use crate::operation::{Access, Class, Footprint, Key};

/// A descriptor that an epoll watches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    number: u64,
    description: Id,
    events: u32,
    user: [u8; 8],
    /// EPOLLONESHOT: it has spoken.
    spent: bool,
}

const ALWAYS: i16 = libc::POLLERR | libc::POLLHUP | libc::POLLNVAL;

/// A `struct pollfd`.
struct Asked {
    number: i32,
    events: i16,
}

fn asked(entries: &[u8]) -> Vec<Asked> {
    let one = |b: &[u8]| Asked {
        number: i32::from_le_bytes([b[0], b[1], b[2], b[3]]),
        events: i16::from_le_bytes([b[4], b[5]]),
    };
    entries.chunks_exact(8).map(one).collect()
}

impl Files {
    /// What `poll` would say about a description, whatever it was asked for.
    fn state(&self, description: &Description) -> i16 {
        let on = |yes: bool, events: i16| if yes { events } else { 0 };
        let (input, output) = (libc::POLLIN | libc::POLLRDNORM, libc::POLLOUT | libc::POLLWRNORM);
        match description.end {
            End::Read(c) => {
                let Some(Channel::Pipe(pipe)) = self.channels.get(&c) else { return libc::POLLNVAL };
                on(pipe.length() > 0, input) | on(!self.has_source(c), libc::POLLHUP)
            }
            End::Write(c) => {
                let Some(Channel::Pipe(pipe)) = self.channels.get(&c) else { return libc::POLLNVAL };
                on(!pipe.is_full(), output) | on(!self.has_sink(c), libc::POLLERR)
            }
            End::Both { receive, send } => {
                let Some(Channel::Socket(socket)) = self.channels.get(&receive) else {
                    return libc::POLLNVAL;
                };
                let datagrams = socket.style == Style::Datagrams;
                let over = self.at_end(receive, socket);
                let hung = over && !datagrams && (!self.has_source(send) || !self.has_sink(send));
                on(socket.is_unread() || over || socket.reset, input)
                    | on(over, libc::POLLRDHUP)
                    | on(hung, libc::POLLHUP)
                    | on(socket.reset, libc::POLLERR)
                    | output
            }
            End::Event(c) => {
                let Some(Channel::Event(event)) = self.channels.get(&c) else { return libc::POLLNVAL };
                // The kernel says no more of them.
                on(event.can_read(), libc::POLLIN) | on(event.has_room(), libc::POLLOUT)
            }
            End::Queue(_) => {
                let Some(queue) = self.queue(description.end) else { return libc::POLLNVAL };
                on(!queue.is_empty(), input) | on(!queue.is_full(), output)
            }
            End::Own(c) => {
                let Some(Channel::Pipe(pipe)) = self.channels.get(&c) else { return libc::POLLNVAL };
                on(pipe.length() > 0, input) | on(!pipe.is_full(), output)
            }
            End::File(_) => input | output,
            End::Poll(_) => on(!self.ready(description.end).is_empty(), input),
        }
    }

    fn answers(&self, process: u64, entries: &[u8]) -> Vec<i16> {
        let one = |a: &Asked| {
            let Ok(number) = u64::try_from(a.number) else { return 0 };
            let state = self.find((process, number)).map_or(libc::POLLNVAL, |(_, d)| self.state(&d));
            state & (a.events | ALWAYS)
        };
        asked(entries).iter().map(one).collect()
    }

    /// Whether a poll of these has something to say.
    pub(super) fn has_answers(&self, descriptor: Key, entries: &[u8]) -> bool {
        self.answers(descriptor.space, entries).iter().any(|a| *a != 0)
    }

    pub(super) fn poll(&self, descriptor: Key, entries: &[u8]) -> Effect {
        let answers = self.answers(descriptor.space, entries);
        let mut data = entries.to_vec();
        for (entry, answer) in data.chunks_exact_mut(8).zip(&answers) {
            entry[6..8].copy_from_slice(&answer.to_le_bytes());
        }
        Effect { data, ..result(answers.iter().filter(|a| **a != 0).count()) }
    }

    pub(super) fn poll_touches(&self, descriptor: Key, entries: &[u8]) -> Footprint {
        let numbers = asked(entries).into_iter().filter_map(|a| u64::try_from(a.number).ok());
        let mut touched = Vec::new();
        for number in numbers {
            touched.push(Key::new(Class::Descriptor, descriptor.space, number).touch(Access::Read));
            let found = self.find((descriptor.space, number));
            touched.extend(found.map(|(id, d)| self.look_touches(id, d.end)).unwrap_or_default());
        }
        touched
    }

    /// Looking at a description touches everything that its state depends on.
    fn look_touches(&self, id: Id, end: End) -> Footprint {
        let mut channels: Vec<Id> = end.reads().into_iter().chain(end.writes()).collect();
        channels.dedup();
        if let End::Queue(c) = end {
            channels.push(c);
        }
        let parts = [Part::Contents, Part::Sources, Part::Sinks];
        let mut keys: Vec<Key> = channels.iter().flat_map(|c| parts.map(|part| key(*c, part))).collect();
        keys.push(key(id, Part::Being));
        let mut touched: Footprint = keys.into_iter().map(|k| k.touch(Access::Read)).collect();
        if let End::Poll(_) = end {
            touched.extend(self.wait_touches(end));
        }
        touched
    }

    fn watches(&self, end: End) -> &[Watch] {
        match end {
            End::Poll(c) => match self.channels.get(&c) {
                Some(Channel::Poll(watches)) => watches,
                _ => &[],
            },
            _ => &[],
        }
    }

    /// Which watches have something to say, and what.
    pub(super) fn ready(&self, end: End) -> Vec<(usize, u32)> {
        let one = |(at, watch): (usize, &Watch)| {
            let description = self.open.get(&watch.description).filter(|_| !watch.spent)?;
            let state = self.state(description) as u16;
            let events = u32::from(state) & (watch.events | u32::from(ALWAYS as u16));
            (events != 0).then_some((at, events))
        };
        self.watches(end).iter().enumerate().filter_map(one).collect()
    }

    pub(super) fn wait_touches(&self, end: End) -> Footprint {
        let End::Poll(c) = end else { return Vec::new() };
        let once = self.watches(end).iter().any(|w| w.events & libc::EPOLLONESHOT as u32 != 0);
        let mut touched =
            vec![key(c, Part::Contents).touch(if once { Access::Change } else { Access::Read })];
        for watch in self.watches(end) {
            touched.push(key(watch.description, Part::Being).touch(Access::Read));
            // Of an epoll too, which looks at what it watches; no circle is made (`refuses`).
            if let Some(d) = self.open.get(&watch.description) {
                touched.extend(self.look_touches(watch.description, d.end));
            }
        }
        touched
    }

    pub(super) fn epoll_wait(&mut self, places: i64, end: End) -> Effect {
        let End::Poll(c) = end else { return Effect::of(-libc::EINVAL) };
        let ready = self.ready(end);
        if ready.len() as i64 > places {
            return Effect {
                unmodelled: Some("epoll_wait with fewer places than there are events"),
                ..Effect::default()
            };
        }
        let mut data = Vec::new();
        if let Some(Channel::Poll(watches)) = self.channels.get_mut(&c) {
            for (at, events) in &ready {
                data.extend(events.to_le_bytes());
                data.extend(watches[*at].user);
                watches[*at].spent = watches[*at].events & libc::EPOLLONESHOT as u32 != 0;
            }
        }
        Effect { data, ..result(ready.len()) }
    }

    pub(super) fn control_touches(&self, process: u64, watched: u64, end: End) -> Footprint {
        let End::Poll(c) = end else { return Vec::new() };
        let descriptor = Key::new(Class::Descriptor, process, watched).touch(Access::Read);
        let mut touched = vec![key(c, Part::Contents).touch(Access::Change), descriptor];
        if let Some((_, Description { end: End::Poll(_), .. })) = self.find((process, watched)) {
            // Which epoll watches which decides whether there would be a circle.
            let polls = self.channels.iter().filter(|(_, channel)| matches!(channel, Channel::Poll(_)));
            touched.extend(polls.map(|(c, _)| key(*c, Part::Contents).touch(Access::Read)));
        }
        touched
    }

    /// How deep epolls watch epolls below this one; none if that comes to `top`.
    fn depth_below(&self, end: End, top: End) -> Option<usize> {
        let mut deepest = 0;
        for watch in self.watches(end) {
            let Some(below) = self.open.get(&watch.description).map(|d| d.end) else { continue };
            if below == top {
                return None;
            }
            if matches!(below, End::Poll(_)) {
                deepest = deepest.max(1 + self.depth_below(below, top)?);
            }
        }
        Some(deepest)
    }

    /// Why the kernel would not watch this, in its order.
    fn refuses(&self, end: End, (command, watched): (i32, End)) -> Option<Effect> {
        if let End::File(_) = watched {
            return Some(Effect::of(-libc::EPERM));
        }
        let End::Poll(_) = watched else { return None };
        if command != libc::EPOLL_CTL_ADD {
            return None;
        }
        let deep = Some("epolls that watch each other, more than two levels deep");
        match self.depth_below(watched, end) {
            None => Some(Effect::of(-libc::ELOOP)),
            Some(0) if !self.is_watched(end) => None,
            Some(_) => Some(Effect { unmodelled: deep, ..Effect::default() }),
        }
    }

    /// Whether an epoll watches this one.
    fn is_watched(&self, end: End) -> bool {
        let watches = self.channels.values().filter_map(|channel| match channel {
            Channel::Poll(watches) => Some(watches),
            _ => None,
        });
        watches.flatten().any(|w| self.open.get(&w.description).is_some_and(|d| d.end == end))
    }

    /// The command, the descriptor, and in the data the events and what the user adds.
    pub(super) fn control(
        &mut self,
        process: u64,
        (command, watched, data): (i64, u64, &[u8]),
        end: End,
    ) -> Effect {
        let Some((description, found)) = self.find((process, watched)) else {
            return Effect::of(-libc::EBADF);
        };
        let End::Poll(c) = end else { return Effect::of(-libc::EINVAL) };
        let command = i32::try_from(command).unwrap_or(0);
        if let Some(refused) = self.refuses(end, (command, found.end)) {
            return refused;
        }
        let word = |at: usize| data.get(at..at + 4).map_or([0; 4], |b| b.try_into().unwrap_or_default());
        let events = u32::from_le_bytes(word(0));
        let user = data.get(4..12).map_or([0; 8], |b| b.try_into().unwrap_or_default());
        let Some(Channel::Poll(watches)) = self.channels.get_mut(&c) else {
            return Effect::of(-libc::EINVAL);
        };
        let at = watches.iter().position(|w| w.number == watched && w.description == description);
        let new = Watch { number: watched, description, events, user, spent: false };
        match (command, at) {
            (libc::EPOLL_CTL_ADD, Some(_)) => return Effect::of(-libc::EEXIST),
            (libc::EPOLL_CTL_ADD, None) => watches.push(new),
            (libc::EPOLL_CTL_MOD, Some(at)) => watches[at] = new,
            (libc::EPOLL_CTL_DEL, Some(at)) => drop(watches.remove(at)),
            (libc::EPOLL_CTL_MOD | libc::EPOLL_CTL_DEL, None) => return Effect::of(-libc::ENOENT),
            _ => return Effect::of(-libc::EINVAL),
        }
        Effect::default()
    }
}
