//! Operations on the channels of a packed state.

use crate::layout::{load, save, wrap};
use crate::machine::{Machine, Opened};
use crate::tables::Tables;
use system::{Fault, Pid};

impl Machine {
    /// The channel with this handle.
    pub(crate) fn open(&self, tables: &Tables, bytes: &[u8], base: usize, handle: i64) -> Option<Opened> {
        let mut rest = usize::try_from(handle).ok()?.checked_sub(1)?;
        let globals = tables.layout.globals.channels.len();
        if rest < globals {
            return Some(Opened { layout: rest, owner: 0 });
        }
        rest -= globals;
        for frame in self.frames.iter().take(bytes[base] as usize) {
            let template = bytes[base + *frame as usize] as usize;
            let own = tables.layout.frames[template].channels.len();
            if rest < own {
                let layout = tables.first_channel[template] + rest;
                return Some(Opened { layout, owner: *frame as usize });
            }
            rest -= own;
        }
        None
    }

    pub(crate) fn length(&self, tables: &Tables, channel: Opened, bytes: &[u8], base: usize) -> usize {
        let layout = &tables.channels[channel.layout];
        let at = base + channel.owner + layout.offset as usize;
        let low = bytes[at] as usize;
        if layout.length_size == 1 { low } else { low | (bytes[at + 1] as usize) << 8 }
    }

    fn set_length(&self, tables: &Tables, channel: Opened, bytes: &mut [u8], base: usize, length: usize) {
        let layout = &tables.channels[channel.layout];
        let at = base + channel.owner + layout.offset as usize;
        bytes[at] = length as u8;
        if layout.length_size == 2 {
            bytes[at + 1] = (length >> 8) as u8;
        }
    }

    fn slot_at(&self, tables: &Tables, channel: Opened, base: usize, slot: usize) -> usize {
        let layout = &tables.channels[channel.layout];
        base + channel.owner + layout.slots() + slot * layout.slot_size as usize
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
        bytes: &mut [u8],
        base: usize,
        pid: Pid,
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
        self.note_use(channel, true, pid);
        let layout = &tables.channels[channel.layout];
        let length = self.length(tables, channel, bytes, base);
        let slot = if sorted { self.insertion(tables, channel, bytes, base, length, first) } else { length };
        let size = layout.slot_size as usize;
        let at = self.slot_at(tables, channel, base, slot);
        let end = self.slot_at(tables, channel, base, length);
        bytes.copy_within(at..end, at + size);
        for (value, field) in self.stack[first..].iter().zip(&layout.fields) {
            save(field.kind, bytes, at + field.offset as usize, *value);
        }
        self.set_length(tables, channel, bytes, base, length + 1);
        self.stack.truncate(first);
        Ok(())
    }

    /// The first slot whose message is greater than the one on the stack.
    fn insertion(
        &self,
        tables: &Tables,
        channel: Opened,
        bytes: &[u8],
        base: usize,
        length: usize,
        first: usize,
    ) -> usize {
        let layout = &tables.channels[channel.layout];
        let is_greater = |slot: &usize| {
            let at = self.slot_at(tables, channel, base, *slot);
            let message = layout.fields.iter().map(|f| load(f.kind, bytes, at + f.offset as usize));
            message.gt(self.stack[first..].iter().copied())
        };
        (0..length).find(is_greater).unwrap_or(length)
    }

    /// Looks for the message of a receive; when accepting, compares with the offer.
    pub(crate) fn find(
        &mut self,
        tables: &Tables,
        bytes: &[u8],
        base: usize,
        pid: Pid,
        pattern: usize,
    ) -> Result<bool, Fault> {
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
                self.note_use(channel, false, pid);
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
        let found = self.search(tables, bytes, base, pattern)?;
        self.found = channel;
        self.slot = found.unwrap_or(0);
        Ok(found.is_some())
    }

    pub(crate) fn poll(
        &mut self,
        tables: &Tables,
        bytes: &[u8],
        base: usize,
        pattern: usize,
    ) -> Result<bool, Fault> {
        if tables.channels[self.opened.layout].capacity == 0 {
            return Err(Fault::PollsRendezvous);
        }
        Ok(self.search(tables, bytes, base, pattern)?.is_some())
    }

    /// The slot of the first message that matches the wanted values, which it pops.
    fn search(
        &mut self,
        tables: &Tables,
        bytes: &[u8],
        base: usize,
        pattern: usize,
    ) -> Result<Option<usize>, Fault> {
        let patterns = &tables.patterns[pattern];
        let layout = &tables.channels[self.opened.layout];
        let wanted = self.stack.len() - patterns.matched.len();
        if patterns.fields > layout.fields.len() {
            return Err(Fault::WrongFields);
        }
        let length = self.length(tables, self.opened, bytes, base);
        let reach = if patterns.anywhere { length } else { length.min(1) };
        let values = &self.stack[wanted..];
        let found = (0..reach).find(|slot| {
            let at = self.slot_at(tables, self.opened, base, *slot);
            patterns.matched.iter().zip(values).all(|(k, want)| {
                let field = &layout.fields[*k as usize];
                load(field.kind, bytes, at + field.offset as usize) == *want
            })
        });
        self.stack.truncate(wanted);
        Ok(found)
    }

    /// A field of the message found or offered.
    pub(crate) fn field(&self, tables: &Tables, bytes: &[u8], base: usize, k: usize) -> i64 {
        if self.accepting {
            return self.offer.get(k).copied().unwrap_or(0);
        }
        let field = &tables.channels[self.found.layout].fields[k];
        load(field.kind, bytes, self.slot_at(tables, self.found, base, self.slot) + field.offset as usize)
    }

    /// Takes the message found out of its channel.
    pub(crate) fn remove(&mut self, tables: &Tables, bytes: &mut [u8], base: usize, pid: Pid) {
        if self.accepting {
            return;
        }
        self.note_use(self.found, false, pid);
        let length = self.length(tables, self.found, bytes, base);
        let size = tables.channels[self.found.layout].slot_size as usize;
        let at = self.slot_at(tables, self.found, base, self.slot);
        let end = self.slot_at(tables, self.found, base, length);
        bytes.copy_within(at + size..end, at);
        bytes[end - size..end].fill(0);
        self.set_length(tables, self.found, bytes, base, length - 1);
    }
}
