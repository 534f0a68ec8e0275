//! Operations on the channels of a packed state.

use crate::layout::{load, save, wrap};
use crate::machine::{At, Machine, Opened};
use crate::tables::Tables;
use system::{Fault, Pid};

impl Machine {
    /// The channel with this handle.
    pub(crate) fn open(&self, tables: &Tables, state: &[u8], handle: i64) -> Option<Opened> {
        let mut rest = usize::try_from(handle).ok()?.checked_sub(1)?;
        let globals = tables.layout.globals.channels.len();
        if rest < globals {
            return Some(Opened { layout: rest, owner: 0 });
        }
        rest -= globals;
        for frame in self.frames.iter().take(state[0] as usize) {
            let process_type = state[*frame as usize] as usize;
            let own = tables.layout.frames[process_type].channels.len();
            if rest < own {
                let layout = tables.first_channel[process_type] + rest;
                return Some(Opened { layout, owner: *frame as usize });
            }
            rest -= own;
        }
        None
    }

    pub(crate) fn length(&mut self, tables: &Tables, channel: Opened, state: &[u8]) -> usize {
        let layout = &tables.channels[channel.layout];
        let at = channel.owner + layout.offset as usize;
        self.trace.note_all(at, at + layout.length_size as usize);
        layout.length(state, channel.owner)
    }

    fn set_length(&mut self, tables: &Tables, channel: Opened, state: &mut [u8], length: usize) {
        let layout = &tables.channels[channel.layout];
        let at = channel.owner + layout.offset as usize;
        self.trace.note_all(at, at + layout.length_size as usize);
        state[at] = length as u8;
        if layout.length_size == 2 {
            state[at + 1] = (length >> 8) as u8;
        }
    }

    fn slot_at(&self, tables: &Tables, channel: Opened, slot: usize) -> usize {
        let layout = &tables.channels[channel.layout];
        channel.owner + layout.slots() + slot * layout.slot_size as usize
    }

    pub(crate) fn note_use(&mut self, channel: Opened, sends: bool, pid: Pid) {
        if let Some(uses) = &mut self.uses {
            uses.note(channel.layout, sends, pid);
        }
    }

    /// Adds the topmost values as a message; a rendezvous channel keeps them as the offer.
    pub(crate) fn enqueue(
        &mut self,
        tables: &Tables,
        at: &mut At<'_>,
        fields: usize,
        sorted: bool,
    ) -> Result<(), Fault> {
        let channel = self.opened;
        let first = self.stack.len().saturating_sub(fields);
        let layout = &tables.channels[channel.layout];
        if layout.fields.len() != fields {
            return Err(Fault::WrongFields);
        }
        for (value, field) in self.stack[first..].iter_mut().zip(&layout.fields) {
            *value = wrap(field.int, *value);
        }
        if layout.capacity == 0 {
            self.offer.clear();
            self.offer.extend(self.stack.drain(first..));
            self.offered = Some(channel);
            return Ok(());
        }
        self.note_use(channel, true, at.pid);
        let state = at.state_mut();
        let length = self.length(tables, channel, state);
        let slot = if sorted { self.insertion(tables, state, first) } else { length };
        let size = layout.slot_size as usize;
        let to = self.slot_at(tables, channel, slot);
        let end = self.slot_at(tables, channel, length);
        self.trace.note_all(to, end + size);
        state.copy_within(to..end, to + size);
        for (value, field) in self.stack[first..].iter().zip(&layout.fields) {
            save(field.kind, state, to + field.offset as usize, *value);
        }
        self.set_length(tables, channel, state, length + 1);
        self.stack.truncate(first);
        Ok(())
    }

    /// The first slot of the open channel whose message is greater than the one on the stack.
    fn insertion(&mut self, tables: &Tables, state: &[u8], first: usize) -> usize {
        let layout = &tables.channels[self.opened.layout];
        let length = self.length(tables, self.opened, state);
        self.trace.note_all(self.slot_at(tables, self.opened, 0), self.slot_at(tables, self.opened, length));
        let is_greater = |slot: &usize| {
            let at = self.slot_at(tables, self.opened, *slot);
            let message = layout.fields.iter().map(|f| load(f.kind, state, at + f.offset as usize));
            message.gt(self.stack[first..].iter().copied())
        };
        (0..length).find(is_greater).unwrap_or(length)
    }

    /// Looks for the message of a receive; when accepting, compares with the offer.
    pub(crate) fn find(&mut self, tables: &Tables, at: &mut At<'_>, pattern: usize) -> Result<bool, Fault> {
        let channel = self.opened;
        let patterns = &tables.patterns[pattern];
        let layout = &tables.channels[channel.layout];
        let wanted = self.stack.len() - patterns.matched.len();
        if layout.capacity == 0 {
            let (copy, fits) = (patterns.copy, patterns.fields == layout.fields.len());
            let agrees = |(k, want): (&u8, &i64)| self.offer.get(*k as usize) == Some(want);
            let matches = patterns.matched.iter().zip(&self.stack[wanted..]).all(agrees);
            let ours = self.offered.is_some_and(|o| o.layout == channel.layout && o.owner == channel.owner);
            self.stack.truncate(wanted);
            if copy && !self.accepting {
                return Err(Fault::PollsRendezvous);
            }
            if !self.accepting || copy || !ours {
                return Ok(false);
            }
            if !fits {
                return Err(Fault::WrongFields);
            }
            self.found = channel;
            if matches {
                self.note_use(channel, false, at.pid);
            }
            return Ok(matches);
        }
        if self.accepting {
            self.stack.truncate(wanted);
            return Ok(false);
        }
        if patterns.fields != layout.fields.len() {
            return Err(Fault::WrongFields);
        }
        let found = self.search(tables, at.state(), pattern)?;
        self.found = channel;
        self.slot = found.unwrap_or(0);
        Ok(found.is_some())
    }

    pub(crate) fn poll(&mut self, tables: &Tables, state: &[u8], pattern: usize) -> Result<bool, Fault> {
        if tables.channels[self.opened.layout].capacity == 0 {
            return Err(Fault::PollsRendezvous);
        }
        Ok(self.search(tables, state, pattern)?.is_some())
    }

    /// The slot of the first message that matches the wanted values, which it pops.
    fn search(&mut self, tables: &Tables, state: &[u8], pattern: usize) -> Result<Option<usize>, Fault> {
        let patterns = &tables.patterns[pattern];
        let layout = &tables.channels[self.opened.layout];
        let wanted = self.stack.len() - patterns.matched.len();
        if patterns.fields > layout.fields.len() {
            return Err(Fault::WrongFields);
        }
        let length = self.length(tables, self.opened, state);
        let reach = if patterns.anywhere { length } else { length.min(1) };
        if !patterns.matched.is_empty() {
            let to = self.slot_at(tables, self.opened, reach);
            self.trace.note_all(self.slot_at(tables, self.opened, 0), to);
        }
        let values = &self.stack[wanted..];
        let found = (0..reach).find(|slot| {
            let at = self.slot_at(tables, self.opened, *slot);
            patterns.matched.iter().zip(values).all(|(k, want)| {
                let field = &layout.fields[*k as usize];
                load(field.kind, state, at + field.offset as usize) == *want
            })
        });
        self.stack.truncate(wanted);
        Ok(found)
    }

    /// A field of the message found or offered.
    pub(crate) fn field(&mut self, tables: &Tables, state: &[u8], k: usize) -> i64 {
        if self.accepting {
            return self.offer.get(k).copied().unwrap_or(0);
        }
        let field = &tables.channels[self.found.layout].fields[k];
        let at = self.slot_at(tables, self.found, self.slot) + field.offset as usize;
        self.trace.note_all(at, at + field.kind.size());
        load(field.kind, state, at)
    }

    /// Takes the message found out of its channel.
    pub(crate) fn remove(&mut self, tables: &Tables, at: &mut At<'_>) {
        if self.accepting {
            return;
        }
        self.note_use(self.found, false, at.pid);
        let state = at.state_mut();
        let length = self.length(tables, self.found, state);
        let size = tables.channels[self.found.layout].slot_size as usize;
        let gone = self.slot_at(tables, self.found, self.slot);
        let end = self.slot_at(tables, self.found, length);
        self.trace.note_all(gone, end);
        state.copy_within(gone + size..end, gone);
        state[end - size..end].fill(0);
        self.set_length(tables, self.found, state, length - 1);
    }
}
