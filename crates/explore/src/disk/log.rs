//! The log: all states that were found, level by level, sorted within each level.
//!
//! It is the queue of the search (the last level is expanded from it), what a crash does not take
//! from memory, and what a counterexample is traced back through. A level is in the log when all of
//! it is; what was written of one that was given up is overwritten by the next.

use super::block::{Block, Builder, Place, chained, order};
use super::folder::{End, FileId, Files, Folder, Look, Trouble};
use super::run::About;
use std::cmp::Ordering;

/// The number of the file.
pub(super) const LOG: FileId = 0;

/// Where the states of a level are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    pub start: u64,
    pub end: u64,
}

/// The states found so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Log {
    pub about: About,
    pub levels: Vec<Level>,
}

impl Log {
    /// Reads all of it, and finds that it is what was written.
    pub fn open(about: About, folder: &mut dyn Folder, look: Look<'_>) -> Result<Log, End> {
        let mut log = Log::default();
        let mut block = Block::default();
        let mut last = Vec::new();
        while log.about.bytes < about.bytes {
            look()?;
            let at = log.about.bytes;
            block.read(folder, Place { file: LOG, at }, about.bytes)?;
            let level = block.level as usize;
            if block.count == 0 || level > log.levels.len() || level + 1 < log.levels.len() {
                return Err(damaged().into());
            }
            if level == log.levels.len() {
                log.levels.push(Level { start: at, end: at });
                last.clear();
            } else if order(&last, block.get(0)) != Ordering::Less {
                return Err(damaged().into());
            }
            last.clear();
            last.extend_from_slice(block.get(block.count - 1));
            log.levels[level].end = block.end;
            log.about.checksum = chained(log.about.checksum, block.checksum);
            log.about.states += block.count as u64;
            log.about.bytes = block.end;
        }
        if log.about == about { Ok(log) } else { Err(damaged().into()) }
    }

    pub fn memory_bytes(&self) -> usize {
        self.levels.capacity() * size_of::<Level>()
    }
}

fn damaged() -> Trouble {
    Trouble::Damaged("the file of all states does not have what was written to it".to_string())
}

/// The next level, while it is written.
pub(super) struct Writer {
    about: About,
    start: u64,
    level: u32,
    builder: Builder,
    out: Vec<u8>,
}

impl Writer {
    pub fn new(log: &Log) -> Writer {
        let (about, start) = (log.about, log.about.bytes);
        let level = log.levels.len() as u32;
        Writer { about, start, level, builder: Builder::default(), out: Vec::new() }
    }

    /// Adds a state behind all others of the level.
    pub fn push(&mut self, state: &[u8], files: &mut Files<'_>) -> Result<(), Trouble> {
        if self.builder.is_full_for(state) {
            self.seal(files)?;
        }
        self.builder.push(state);
        self.about.states += 1;
        Ok(())
    }

    fn seal(&mut self, files: &mut Files<'_>) -> Result<(), Trouble> {
        let at = self.about.bytes;
        let checksum = self.builder.seal(Place { file: LOG, at }, self.level, &mut self.out);
        files.folder.write(LOG, at, &self.out)?;
        self.about.checksum = chained(self.about.checksum, checksum);
        self.about.bytes += self.out.len() as u64;
        self.out.clear();
        Ok(())
    }

    /// Makes it a level of the log, unless it is empty; whether it is one.
    pub fn finish(mut self, log: &mut Log, files: &mut Files<'_>) -> Result<bool, Trouble> {
        if self.about.states == log.about.states {
            return Ok(false);
        }
        self.seal(files)?;
        files.touch(LOG);
        log.levels.push(Level { start: self.start, end: self.about.bytes });
        log.about = self.about;
        Ok(true)
    }
}
