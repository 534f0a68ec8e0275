//! The search: expands the last level, decides which candidates are new, and again.

use super::DiskReport;
use super::block::{Block, Place};
use super::checkpoint::{Checkpoint, Found};
use super::folder::{End, Files, Look, SAVING, Trouble};
use super::known::{Candidates, Known, LEAST};
use super::log::{LOG, Log};
use super::merge::Runs;
use super::path::path_to;
use super::run::{About, Run};
use crate::findings::Findings;
use crate::limits::{Limits, Listener, Progress, Stop};
use crate::search::Options;
use crate::store::{Inserted, hash};
use space::{Edges, Rest, Stepper};
use std::ops::ControlFlow;

/// How many states are expanded between two looks.
const LOOK_EVERY: u64 = 256;

/// How many states are expanded before memory is looked at.
const ROOM_EVERY: u64 = 16;

pub(super) struct Search<'a, 'f, S, L> {
    stepper: &'a mut S,
    options: &'a Options,
    files: Files<'f>,
    watch: &'a mut L,
    findings: Findings<'a>,
    log: Log,
    known: Known,
    candidates: Candidates,
    /// The block of the last level to expand next, and how many of its states are expanded.
    at: u64,
    skip: u64,
    /// How many bytes of states may be in memory, and how many were at most.
    budget: usize,
    peak: u64,
    edges: Edges,
    hashes: Vec<u64>,
    /// States expanded here.
    expanded: u64,
    /// How many states the checkpoint had from which it went on.
    resumed: Option<u64>,
    /// The search ends here, whatever comes.
    settled: bool,
}

/// Holds a search against its limits and shows it to the watcher.
fn show(limits: &Limits, progress: &Progress, watch: &mut impl Listener) -> Result<(), End> {
    match limits.show(progress, watch) {
        ControlFlow::Break(stop) => Err(stop.into()),
        ControlFlow::Continue(()) => Ok(()),
    }
}

impl<'a, 'f, S: Stepper, L: Listener> Search<'a, 'f, S, L> {
    pub fn new(
        stepper: &'a mut S,
        options: &'a Options,
        files: Files<'f>,
        budget: usize,
        watch: &'a mut L,
    ) -> Self {
        Search {
            stepper,
            options,
            files,
            watch,
            findings: Findings::new(options),
            log: Log::default(),
            known: Known::new(Runs::default(), 0),
            candidates: Candidates::new(Runs::default()),
            at: 0,
            skip: 0,
            budget,
            peak: 0,
            edges: Edges::default(),
            hashes: Vec::new(),
            expanded: 0,
            resumed: None,
            settled: false,
        }
    }

    /// The initial states are the candidates of the first level. A checkpoint marks the folder as
    /// one of this search before there is any other file.
    pub fn begin(&mut self) -> Result<(), End> {
        self.files.commit(&Checkpoint { next_file: self.files.next, ..Checkpoint::default() }.encode())?;
        self.enter()
    }

    fn enter(&mut self) -> Result<(), End> {
        let mut initial = Edges::default();
        self.stepper.initial(&mut initial);
        if let Some(fault) = initial.fatal() {
            let findings = std::mem::replace(&mut self.findings, Findings::new(self.options));
            self.findings.report = findings.no_initial_state(fault.fault);
            self.settled = true;
            return Ok(());
        }
        self.findings.report.cut = initial.cut;
        if let Some(undefined) = initial.undefined.take() {
            self.findings.report.undefined = Some(undefined);
            self.settled = true;
            return Err(Stop::Undefined.into());
        }
        self.edges = initial;
        self.admit()
    }

    /// Goes on from a checkpoint.
    pub fn resume(&mut self, checkpoint: &[u8]) -> Result<(), End> {
        let damaged = || Trouble::Damaged("the checkpoint is not what was written".to_string());
        let checkpoint = Checkpoint::decode(checkpoint).ok_or_else(damaged)?;
        self.files.next = checkpoint.next_file;
        if checkpoint.log.states == 0 {
            self.files.sweep(&[])?;
            return self.enter();
        }
        self.resumed = Some(checkpoint.log.states);
        self.files.sweep(&checkpoint.files())?;
        self.stepper.recall(&checkpoint.seen);
        checkpoint.found.clone().restore(&mut self.findings);
        self.open(&checkpoint)?;
        (self.at, self.skip) = (checkpoint.at, checkpoint.skip);
        self.absorb()
    }

    fn open(&mut self, checkpoint: &Checkpoint) -> Result<(), End> {
        let progress = Progress { states: checkpoint.log.states, ..self.progress() };
        let (watch, limits) = (&mut *self.watch, &self.options.limits);
        let look = &mut || show(limits, &progress, watch);
        let folder = &mut *self.files.folder;
        let mut runs = |all: &[About], look: Look<'_>| -> Result<Runs, End> {
            let all = all.iter().map(|about| Run::open(*about, folder, look)).collect::<Result<_, _>>();
            Ok(Runs { all: all? })
        };
        self.known = Known::new(runs(&checkpoint.known, look)?, checkpoint.flushed);
        self.candidates = Candidates::new(runs(&checkpoint.candidates, look)?);
        self.log = Log::open(checkpoint.log, folder, look)?;
        Ok(())
    }

    /// Until everything is seen.
    pub fn run(&mut self) -> Result<(), End> {
        while !self.settled {
            self.is_within_limits()?;
            self.expand_level()?;
            self.settled = !self.next_level()?;
        }
        Ok(())
    }

    fn is_within_limits(&self) -> Result<(), End> {
        let Limits { states, depth, .. } = self.options.limits;
        if !self.log.levels.is_empty() && depth.is_some_and(|limit| self.depth() >= limit) {
            return Err(Stop::Depth.into());
        }
        if states.is_some_and(|limit| self.states() > limit) {
            return Err(Stop::States.into());
        }
        Ok(())
    }

    fn expand_level(&mut self) -> Result<(), End> {
        let Some(level) = self.log.levels.last().copied() else { return Ok(()) };
        let mut block = Block::default();
        while self.at < level.end {
            block.read(self.files.folder, Place { file: LOG, at: self.at }, level.end)?;
            while (self.skip as usize) < block.count {
                self.expand(block.get(self.skip as usize))?;
                self.skip += 1;
                self.expanded += 1;
                if self.expanded.is_multiple_of(ROOM_EVERY) {
                    self.make_room()?;
                }
                if self.expanded.is_multiple_of(LOOK_EVERY) {
                    self.look()?;
                }
            }
            (self.at, self.skip) = (block.end, 0);
        }
        Ok(())
    }

    /// Expands a state. If that ends early, for another reason than what was found, it is as if it
    /// had not begun.
    fn expand(&mut self, state: &[u8]) -> Result<(), End> {
        self.edges.clear();
        let rest = self.stepper.expand(state, &mut self.edges);
        let faults = std::mem::take(&mut self.edges.faults);
        let path = match self.findings.is_new(rest, &faults) {
            true => self.path_to(state)?,
            false => Vec::new(),
        };
        self.admit()?;
        self.findings.report.cut |= self.edges.cut;
        if let Some(undefined) = self.edges.undefined.take() {
            self.findings.report.undefined = Some(undefined);
            return Err(Stop::Undefined.into());
        }
        if rest != Rest::Deadlock && faults.is_empty() {
            return Ok(());
        }
        match self.findings.note(self.stepper, rest, &faults, || path.clone()) {
            ControlFlow::Break(stop) => Err(stop.into()),
            ControlFlow::Continue(()) => Ok(()),
        }
    }

    fn path_to(&mut self, state: &[u8]) -> Result<Vec<Vec<u8>>, End> {
        let progress = self.progress();
        let (watch, limits) = (&mut *self.watch, &self.options.limits);
        let look = &mut || show(limits, &progress, watch);
        path_to(state, &self.log, self.stepper, self.files.folder, look)
    }

    /// Makes candidates of what a state leads to, unless memory tells that it is known.
    fn admit(&mut self) -> Result<(), End> {
        let (known, candidates) = (&self.known.memory, &mut self.candidates.memory);
        self.hashes.clear();
        for target in self.edges.iter() {
            let hash = hash(target);
            known.prefetch(hash);
            candidates.prefetch(hash);
            self.hashes.push(hash);
        }
        for (target, hash) in self.edges.iter().zip(&self.hashes) {
            if known.find(target, *hash).is_none() && candidates.insert(target, *hash) == Inserted::Full {
                return Err(Stop::Memory.into());
            }
        }
        self.findings.report.transitions += self.edges.len() as u64;
        Ok(())
    }

    /// Moves states to disk if there are too many in memory.
    fn make_room(&mut self) -> Result<(), End> {
        let known = self.known.memory.used_bytes();
        let beside = self.known.runs.memory_bytes() + self.candidates.runs.memory_bytes();
        let budget = self.budget.saturating_sub(beside).max(LEAST);
        if known + self.candidates.memory.used_bytes() <= budget {
            return Ok(());
        }
        self.note_peak(0);
        let flush = known >= budget / 2 && !self.known.memory.is_empty();
        if flush {
            self.known.flush(&mut self.files)?;
        } else {
            self.candidates.spill(&mut self.files)?;
        }
        self.merge(flush)
    }

    /// Merges runs of known states, or of candidates.
    fn merge(&mut self, known: bool) -> Result<(), End> {
        let progress = self.progress();
        let (watch, limits) = (&mut *self.watch, &self.options.limits);
        let runs = if known { &mut self.known.runs } else { &mut self.candidates.runs };
        runs.merge(&mut self.files, &mut || show(limits, &progress, watch))
    }

    /// Makes a level of the candidates that are new; whether there are any.
    fn next_level(&mut self) -> Result<bool, End> {
        self.note_peak(0);
        let progress = self.progress();
        let (watch, limits, mut most) = (&mut *self.watch, &self.options.limits, 0);
        let look = &mut |bytes: usize| {
            most = most.max(bytes);
            show(limits, &progress, watch)
        };
        let more = self.candidates.decide(&self.known, &mut self.log, &mut self.files, look)?;
        self.note_peak(most);
        if !more {
            return Ok(false);
        }
        self.candidates.forget(&mut self.files)?;
        self.at = self.log.levels.last().map_or(0, |level| level.start);
        self.absorb()?;
        self.look()?;
        Ok(true)
    }

    fn absorb(&mut self) -> Result<(), End> {
        let progress = self.progress();
        let (watch, limits) = (&mut *self.watch, &self.options.limits);
        let look = &mut || show(limits, &progress, watch);
        self.known.absorb(&self.log, self.budget, &mut self.files, look)
    }

    /// Looks at limits and at the watcher; makes a checkpoint if it is time.
    fn look(&mut self) -> Result<(), End> {
        if self.options.limits.states.is_some_and(|limit| self.states() > limit) {
            return Err(Stop::States.into());
        }
        show(&self.options.limits, &self.progress(), self.watch)?;
        if self.files.folder.is_due() {
            self.save()?;
            self.merge(false)?;
        }
        Ok(())
    }

    /// Writes down how far the search is.
    fn save(&mut self) -> Result<(), Trouble> {
        self.files.folder.phase(SAVING);
        self.candidates.spill(&mut self.files)?;
        let checkpoint = self.checkpoint();
        self.files.commit(&checkpoint.encode())?;
        self.files.folder.phase("searching");
        Ok(())
    }

    fn checkpoint(&self) -> Checkpoint {
        let about = |runs: &Runs| runs.all.iter().map(|run| run.about).collect();
        Checkpoint {
            next_file: self.files.next,
            log: self.log.about,
            flushed: self.known.flushed,
            known: about(&self.known.runs),
            candidates: about(&self.candidates.runs),
            at: self.at,
            skip: self.skip,
            found: Found::of(&self.findings),
            seen: self.stepper.seen(),
        }
    }

    /// The search ends early: writes down how far it is. Without room the last checkpoint stays,
    /// and what was written since is removed.
    pub fn leave(&mut self, stopped: Option<Stop>) -> Result<(), Trouble> {
        let saved = if stopped == Some(Stop::Disk) { Err(Trouble::Full) } else { self.save() };
        match saved {
            Err(Trouble::Full) => {
                let last = self.files.folder.checkpoint()?;
                let last = last.and_then(|bytes| Checkpoint::decode(&bytes)).unwrap_or_default();
                self.files.sweep(&last.files())
            }
            other => other,
        }
    }

    /// States that are known to be distinct.
    fn states(&self) -> u64 {
        let all_in_memory = self.known.runs.all.is_empty() && self.candidates.runs.all.is_empty();
        self.log.about.states + if all_in_memory { self.candidates.memory.len() as u64 } else { 0 }
    }

    fn depth(&self) -> u64 {
        self.log.levels.len().saturating_sub(1) as u64
    }

    fn memory_bytes(&self) -> u64 {
        (self.known.memory_bytes() + self.candidates.memory_bytes() + self.log.memory_bytes()) as u64
    }

    fn note_peak(&mut self, beside: usize) {
        self.peak = self.peak.max(self.memory_bytes() + beside as u64);
    }

    fn progress(&self) -> Progress {
        Progress {
            states: self.states(),
            transitions: self.findings.report.transitions,
            depth: self.depth(),
            memory_bytes: self.memory_bytes(),
            cache: None,
        }
    }

    pub fn resumed(&self) -> Option<u64> {
        self.resumed
    }

    /// What was found.
    pub fn report(mut self, stopped: Option<Stop>, resumed: Option<u64>) -> DiskReport {
        self.note_peak(0);
        // Where a search stops at what it found, the numbers do not depend on the memory's size.
        let whole_levels = stopped.is_some_and(super::is_final);
        let states = if whole_levels { self.log.about.states } else { self.states() };
        // Of a search that was stopped while it read its checkpoint.
        let states = states.max(resumed.unwrap_or_default());
        let depth = self.depth();
        let runs = self.known.runs.disk_bytes() + self.candidates.runs.disk_bytes();
        let mut report = self.findings.report;
        (report.states, report.depth, report.stopped) = (states, depth, stopped);
        report.memory_bytes = self.peak;
        report.violations.iter_mut().for_each(|v| v.shortest = true);
        let finished = stopped.is_none_or(super::is_final);
        DiskReport { report, resumed, disk_bytes: self.log.about.bytes + runs, finished }
    }
}
