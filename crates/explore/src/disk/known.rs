//! The two sets of a search on disk: states that are known, and candidates for the next level. Each
//! has a part in memory and sorted runs.
//!
//! *Known* = memory ∪ runs = the states of the log up to `absorbed`; those of the log up to
//! `flushed` are in runs. *Candidates* may be known: what is in runs is not looked up one by one,
//! but all at once when the level ends (delayed duplicate detection: Stern and Dill, 1998; Korf,
//! 2003).

use super::block::{Block, Place};
use super::folder::{End, Files, Look, Trouble};
use super::log::{LOG, Log, Writer};
use super::merge::{LOOK_EVERY, Lookup, Merging, Runs};
use crate::store::{Inserted, Store, hash};

/// No search can do with less memory for states.
pub(super) const LEAST: usize = 1 << 12;

/// States that are known.
pub(super) struct Known {
    pub memory: Store,
    pub runs: Runs,
    /// The states of the log before this place are in runs.
    pub flushed: u64,
    /// Those before this one are in memory or in runs.
    pub absorbed: u64,
}

impl Known {
    pub fn new(runs: Runs, flushed: u64) -> Known {
        Known { memory: Store::small(), runs, flushed, absorbed: flushed }
    }

    /// Takes in the states of the log that are new there, in memory of this many bytes.
    pub fn absorb(
        &mut self,
        log: &Log,
        budget: usize,
        files: &mut Files<'_>,
        look: Look<'_>,
    ) -> Result<(), End> {
        let mut block = Block::default();
        while self.absorbed < log.about.bytes {
            look()?;
            block.read(files.folder, Place { file: LOG, at: self.absorbed }, log.about.bytes)?;
            for k in 0..block.count {
                self.add(block.get(k))?;
            }
            self.absorbed = block.end;
            if self.memory.used_bytes() > budget.saturating_sub(self.runs.memory_bytes()).max(LEAST) {
                self.flush(files)?;
                self.runs.merge(files, look)?;
            }
        }
        let known = self.memory.len() as u64 + self.runs.states();
        if known == log.about.states { Ok(()) } else { Err(twice().into()) }
    }

    fn add(&mut self, state: &[u8]) -> Result<(), End> {
        match self.memory.insert(state, hash(state)) {
            Inserted::New(_) => Ok(()),
            Inserted::Known(_) => Err(twice().into()),
            Inserted::Full => Err(crate::limits::Stop::Memory.into()),
        }
    }

    /// Moves what is in memory to a run.
    pub fn flush(&mut self, files: &mut Files<'_>) -> Result<(), Trouble> {
        self.runs.write(&self.memory, files)?;
        self.memory = Store::small();
        self.flushed = self.absorbed;
        Ok(())
    }

    pub fn memory_bytes(&self) -> usize {
        self.memory.used_bytes() + self.runs.memory_bytes()
    }
}

fn twice() -> Trouble {
    Trouble::Damaged("a state is there twice, or missing".to_string())
}

/// States that the last level leads to.
pub(super) struct Candidates {
    pub memory: Store,
    pub runs: Runs,
}

impl Candidates {
    pub fn new(runs: Runs) -> Candidates {
        Candidates { memory: Store::small(), runs }
    }

    /// Moves what is in memory to a run.
    pub fn spill(&mut self, files: &mut Files<'_>) -> Result<(), Trouble> {
        if !self.memory.is_empty() {
            self.runs.write(&self.memory, files)?;
            self.memory = Store::small();
        }
        Ok(())
    }

    /// Writes those that are not known as the next level, if there are any; whether there are.
    /// `look` learns how many bytes that takes.
    pub fn decide(
        &self,
        known: &Known,
        log: &mut Log,
        files: &mut Files<'_>,
        look: &mut dyn FnMut(usize) -> Result<(), End>,
    ) -> Result<bool, End> {
        let mut writer = Writer::new(log);
        let mut merging = Merging::new(self.runs.all.iter(), Some(&self.memory), files.folder)?;
        let mut lookup = Lookup::new(&known.runs);
        let (mut state, mut count) = (Vec::new(), 0);
        while merging.next(&mut state, files.folder)? {
            if !lookup.has(&state, files.folder)? {
                writer.push(&state, files)?;
            }
            count += 1;
            if count % LOOK_EVERY == 0 {
                look(merging.memory_bytes() + lookup.memory_bytes())?;
            }
        }
        Ok(writer.finish(log, files)?)
    }

    /// The level is decided: they are not needed any more.
    pub fn forget(&mut self, files: &mut Files<'_>) -> Result<(), Trouble> {
        self.memory = Store::small();
        std::mem::take(&mut self.runs.all).into_iter().try_for_each(|run| files.drop(run.about.file))
    }

    pub fn memory_bytes(&self) -> usize {
        self.memory.used_bytes() + self.runs.memory_bytes()
    }
}
