//! Sorted runs: files of states in order, none twice, with the first state of each block in memory.
//!
//! States are looked up in ascending order, so a block is read at most once, and one that can hold
//! none of them is not read.

use super::block::{Block, Builder, Place, chained, order};
use super::folder::{End, FileId, Files, Folder, Look, Trouble};
use std::cmp::Ordering;

/// A sorted run.
#[derive(Debug, Default)]
pub(super) struct Run {
    pub about: About,
    /// Where each block begins, and where the last one ends.
    starts: Vec<u64>,
    /// The first states of the blocks, one behind the other, and where each ends.
    firsts: Vec<u8>,
    ends: Vec<usize>,
}

/// What a checkpoint says of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct About {
    pub file: FileId,
    pub bytes: u64,
    pub states: u64,
    pub checksum: u64,
}

impl Run {
    fn note(&mut self, first: &[u8], end: u64) {
        self.firsts.extend_from_slice(first);
        self.ends.push(self.firsts.len());
        self.starts.push(end);
    }

    fn first(&self, block: usize) -> &[u8] {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        &self.firsts[start..self.ends[block]]
    }

    fn blocks(&self) -> usize {
        self.ends.len()
    }

    /// The last block that begins with this state or one before, from one on that does.
    fn block_of(&self, state: &[u8], from: Option<usize>) -> Option<usize> {
        let begins = |block: usize| order(self.first(block), state) != Ordering::Greater;
        let mut low = match from {
            Some(from) => from,
            None if self.blocks() > 0 && begins(0) => 0,
            None => return None,
        };
        let mut step = 1;
        while low + step < self.blocks() && begins(low + step) {
            low += step;
            step *= 2;
        }
        let mut high = (low + step).min(self.blocks());
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            if begins(middle) { low = middle } else { high = middle }
        }
        Some(low)
    }

    /// Reads all of a file, and finds that it is what was written.
    pub fn open(about: About, folder: &mut dyn Folder, look: Look<'_>) -> Result<Run, End> {
        let mut run = Run { about, starts: vec![0], ..Run::default() };
        let (mut block, mut last) = (Block::default(), Vec::new());
        let (mut at, mut states, mut checksum) = (0, 0, 0);
        while at < about.bytes {
            look()?;
            block.read(folder, Place { file: about.file, at }, about.bytes)?;
            let in_order = |k: usize| order(block.get(k - 1), block.get(k)) == Ordering::Less;
            let begins_well = || run.blocks() == 0 || order(&last, block.get(0)) == Ordering::Less;
            if block.count == 0 || !begins_well() || !(1..block.count).all(in_order) {
                return Err(damaged(about.file).into());
            }
            last.clear();
            last.extend_from_slice(block.get(block.count - 1));
            run.note(block.get(0), block.end);
            checksum = chained(checksum, block.checksum);
            states += block.count as u64;
            at = block.end;
        }
        let same = (states, checksum) == (about.states, about.checksum);
        if same { Ok(run) } else { Err(damaged(about.file).into()) }
    }

    /// What is in memory of it.
    pub fn memory_bytes(&self) -> usize {
        self.starts.capacity() * 8 + self.firsts.capacity() + self.ends.capacity() * size_of::<usize>()
    }
}

fn damaged(file: FileId) -> Trouble {
    Trouble::Damaged(format!("file {file} does not have what was written to it"))
}

/// A run that is being written.
pub(super) struct Writer {
    run: Run,
    builder: Builder,
    /// The first state of the block at work.
    first: Vec<u8>,
    out: Vec<u8>,
}

impl Writer {
    pub fn new(files: &mut Files<'_>) -> Writer {
        let about = About { file: files.create(), ..About::default() };
        let run = Run { about, starts: vec![0], ..Run::default() };
        Writer { run, builder: Builder::default(), first: Vec::new(), out: Vec::new() }
    }

    /// Adds a state behind all others.
    pub fn push(&mut self, state: &[u8], files: &mut Files<'_>) -> Result<(), Trouble> {
        if self.builder.is_full_for(state) {
            self.seal(files)?;
        }
        if self.builder.is_empty() {
            self.first.clear();
            self.first.extend_from_slice(state);
        }
        self.builder.push(state);
        self.run.about.states += 1;
        Ok(())
    }

    fn seal(&mut self, files: &mut Files<'_>) -> Result<(), Trouble> {
        let about = &mut self.run.about;
        let place = Place { file: about.file, at: about.bytes };
        let checksum = self.builder.seal(place, 0, &mut self.out);
        files.folder.write(about.file, about.bytes, &self.out)?;
        about.checksum = chained(about.checksum, checksum);
        about.bytes += self.out.len() as u64;
        let end = about.bytes;
        self.run.note(&self.first, end);
        self.out.clear();
        Ok(())
    }

    pub fn finish(mut self, files: &mut Files<'_>) -> Result<Run, Trouble> {
        if !self.builder.is_empty() {
            self.seal(files)?;
        }
        Ok(self.run)
    }

    /// Gives up what was written.
    pub fn abandon(self, files: &mut Files<'_>) -> Result<(), Trouble> {
        files.drop(self.run.about.file)
    }
}

/// A place in a run that moves ahead.
#[derive(Default)]
pub(super) struct Cursor {
    /// The number of the block at hand.
    number: Option<usize>,
    block: Block,
    at: usize,
}

impl Cursor {
    fn load(&mut self, run: &Run, number: usize, folder: &mut dyn Folder) -> Result<(), Trouble> {
        let place = Place { file: run.about.file, at: run.starts[number] };
        self.block.read(folder, place, run.starts[number + 1])?;
        (self.number, self.at) = (Some(number), 0);
        Ok(())
    }

    /// Moves to the next state; the first one at the beginning.
    pub fn advance(&mut self, run: &Run, folder: &mut dyn Folder) -> Result<(), Trouble> {
        let next = self.number.map_or(0, |number| number + 1);
        if self.number.is_some() && self.at + 1 < self.block.count {
            self.at += 1;
        } else if next < run.blocks() {
            self.load(run, next, folder)?;
        } else {
            (self.number, self.at) = (Some(next), self.block.count);
        }
        Ok(())
    }

    /// The state it is at; none behind the last.
    pub fn current(&self) -> Option<&[u8]> {
        (self.number.is_some() && self.at < self.block.count).then(|| self.block.get(self.at))
    }

    /// Whether the run has a state; none that it was asked for before comes after this one.
    pub fn has(&mut self, state: &[u8], run: &Run, folder: &mut dyn Folder) -> Result<bool, Trouble> {
        let Some(number) = run.block_of(state, self.number) else { return Ok(false) };
        if self.number != Some(number) {
            self.load(run, number, folder)?;
        }
        Ok(self.block.search(state).is_ok())
    }

    pub fn memory_bytes(&self) -> usize {
        self.block.memory_bytes()
    }
}
