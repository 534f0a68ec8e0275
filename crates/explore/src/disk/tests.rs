//! What a search on disk finds is what a search in memory finds: whatever memory it has, wherever
//! it is interrupted, whatever becomes of its files.

use super::*;
use crate::limits::{Limits, NoListener, Progress};
use crate::search::{Order, search};
use crate::tangle::Tangle;
use logic::random::Random;
use space::{Ending, Run};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A folder in memory that may fail, and forgets what was not synced when it crashes.
#[derive(Clone, Default)]
pub(super) struct Memory {
    files: BTreeMap<FileId, Content>,
    checkpoint: Option<Vec<u8>>,
    /// After as many operations it fails.
    left: Option<u64>,
    /// How many bytes files may have together.
    room: Option<usize>,
    /// Every n-th time it is asked, it is time for a checkpoint.
    every: u64,
    asked: u64,
    operations: u64,
}

#[derive(Clone, Default)]
struct Content {
    bytes: Vec<u8>,
    synced: Vec<u8>,
}

impl Memory {
    fn count(&mut self) -> Result<(), Trouble> {
        self.operations += 1;
        match &mut self.left {
            Some(0) => Err(Trouble::Failed("crashed".to_string())),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// What is there after a power failure: of what was not synced, anything.
    fn crash(&mut self, random: &mut Random) {
        self.left = None;
        for content in self.files.values_mut() {
            let before = content.synced.len();
            match random.below(4) {
                0 => {}
                1 => content.bytes = content.synced.clone(),
                2 => content.bytes.truncate(before + random.below(content.bytes.len() - before + 1)),
                _ => content.bytes[before..].iter_mut().for_each(|byte| *byte = random.number() as u8),
            }
        }
    }

    fn bytes(&self) -> usize {
        self.files.values().map(|content| content.bytes.len()).sum()
    }
}

impl Folder for Memory {
    fn write(&mut self, file: FileId, at: u64, bytes: &[u8]) -> Result<(), Trouble> {
        self.count()?;
        let end = at as usize + bytes.len();
        let more = end.saturating_sub(self.files.get(&file).map_or(0, |content| content.bytes.len()));
        if self.room.is_some_and(|room| self.bytes() + more > room) {
            return Err(Trouble::Full);
        }
        let content = &mut self.files.entry(file).or_default().bytes;
        content.resize(content.len().max(end), 0);
        content[at as usize..end].copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, file: FileId, at: u64, into: &mut [u8]) -> Result<(), Trouble> {
        self.count()?;
        let short = || Trouble::Damaged(format!("file {file} is too short"));
        let content = self.files.get(&file).ok_or_else(short)?;
        let (at, end) = (at as usize, at as usize + into.len());
        into.copy_from_slice(content.bytes.get(at..end).ok_or_else(short)?);
        Ok(())
    }

    fn sync(&mut self, file: FileId) -> Result<(), Trouble> {
        self.count()?;
        let content = self.files.get_mut(&file).expect("a file that was written");
        content.synced = content.bytes.clone();
        Ok(())
    }

    fn remove(&mut self, file: FileId) -> Result<(), Trouble> {
        self.count()?;
        self.files.remove(&file);
        Ok(())
    }

    fn files(&mut self) -> Result<Vec<FileId>, Trouble> {
        Ok(self.files.keys().copied().collect())
    }

    fn checkpoint(&mut self) -> Result<Option<Vec<u8>>, Trouble> {
        Ok(self.checkpoint.clone())
    }

    fn commit(&mut self, checkpoint: &[u8]) -> Result<(), Trouble> {
        self.count()?;
        self.checkpoint = Some(checkpoint.to_vec());
        Ok(())
    }

    fn is_due(&mut self) -> bool {
        self.asked += 1;
        self.every > 0 && self.asked.is_multiple_of(self.every)
    }
}

const LARGE: usize = 1 << 26;

fn everything() -> Options {
    Options { order: Order::BreadthFirst, keep_going: true, ..Options::default() }
}

fn on_disk(
    tangle: &Tangle,
    options: &Options,
    folder: &mut Memory,
    budget: usize,
) -> Result<DiskReport, Trouble> {
    search_on_disk(&mut tangle.clone(), options, folder, budget, &mut NoListener)
}

/// Without what may differ.
fn plain(report: &Report) -> String {
    format!("{:?}", Report { memory_bytes: 0, ..report.clone() })
}

/// What is wrong, and how far from the beginning.
fn violations(report: &Report) -> Vec<String> {
    let shown = |run: &Run| format!("{:?} after {}", run.ending, run.steps.len());
    let mut all: Vec<String> = report.violations.iter().map(|v| shown(&v.run)).collect();
    all.sort();
    all
}

/// Each step of a run goes on where the one before ended.
fn is_a_run(run: &Run) -> bool {
    let paths: Vec<&Vec<usize>> = run.steps.iter().map(|step| &step.path).collect();
    let ends = matches!(run.ending, Ending::Fault(_) | Ending::Deadlock);
    ends && paths.windows(2).all(|pair| pair[0].last() == pair[1].first())
}

fn tangles() -> Vec<Tangle> {
    let sizes = [(9, 50), (900, 70), (3_000, 4_000), (12_000, 9_000), (12_000, 40)];
    sizes.map(|(size, wrong)| Tangle { size, wrong }).to_vec()
}

#[test]
fn a_search_on_disk_finds_what_one_in_memory_finds() {
    for tangle in tangles() {
        let expected = search(&mut tangle.clone(), &everything(), &mut NoListener);
        let mut first = None;
        for (budget, every) in [(LARGE, 0), (1 << 16, 3), (1 << 14, 0), (1 << 13, 2), (0, 7)] {
            let mut folder = Memory { every, ..Memory::default() };
            let found = on_disk(&tangle, &everything(), &mut folder, budget).unwrap();
            let report = &found.report;
            assert!(found.finished && found.resumed.is_none());
            let counts = |r: &Report| {
                (r.states, r.transitions, r.depth, r.deadlocks, r.assertions, r.faults, r.stopped)
            };
            assert_eq!(counts(report), counts(&expected), "{budget}");
            assert_eq!(violations(report), violations(&expected), "{budget}");
            assert!(report.violations.iter().all(|v| is_a_run(&v.run)), "{:?}", report.violations);
            assert_eq!(first.get_or_insert_with(|| plain(report)), &plain(report), "{budget}");
        }
    }
}

#[test]
fn the_first_violation_is_a_nearest_one() {
    for tangle in tangles() {
        let options = Options { keep_going: false, ..everything() };
        let expected = search(&mut tangle.clone(), &options, &mut NoListener);
        let mut first = None;
        for budget in [LARGE, 1 << 13, 0] {
            let found = on_disk(&tangle, &options, &mut Memory::default(), budget).unwrap();
            let steps = |r: &Report| r.violations.first().map(|v| v.run.steps.len()).unwrap_or_default();
            assert_eq!(found.report.stopped, expected.stopped);
            assert_eq!(found.report.depth, expected.depth);
            assert!(steps(&found.report).abs_diff(steps(&expected)) <= 1);
            assert_eq!(first.get_or_insert_with(|| plain(&found.report)), &plain(&found.report));
        }
    }
}

/// Crashes at any operation, until the search ends.
#[test]
fn crashes_change_nothing() {
    let mut random = Random::new(17);
    let (mut crashes, mut resumed) = (0, 0);
    for tangle in tangles() {
        let expected = on_disk(&tangle, &everything(), &mut Memory::default(), LARGE).unwrap();
        for budget in [LARGE, 1 << 14, 0] {
            let mut quiet = Memory { every: 2, ..Memory::default() };
            on_disk(&tangle, &everything(), &mut quiet, budget).unwrap();
            for _ in 0..6 {
                let mut folder = Memory { every: 1 + random.below(3) as u64, ..Memory::default() };
                let mut most = quiet.operations;
                let report = loop {
                    folder.left = Some(random.below(most as usize + 1) as u64);
                    match on_disk(&tangle, &everything(), &mut folder, budget) {
                        Ok(found) => break found,
                        Err(trouble) => assert_eq!(trouble, Trouble::Failed("crashed".to_string())),
                    }
                    crashes += 1;
                    folder.crash(&mut random);
                    // To open what is there takes operations, too.
                    most += most / 4;
                };
                resumed += u32::from(report.resumed.is_some());
                assert_eq!(plain(&report.report), plain(&expected.report), "{budget}");
            }
        }
    }
    assert!(crashes > 100 && resumed > 30, "{crashes} crashes, {resumed} went on");
}

/// Stops when this many transitions were seen.
struct After(u64);

impl Listener for After {
    fn look(&mut self, progress: &Progress) -> ControlFlow<Stop> {
        if progress.transitions >= self.0 {
            ControlFlow::Break(Stop::Time)
        } else {
            ControlFlow::Continue(())
        }
    }
}

#[test]
fn limits_leave_a_checkpoint_to_go_on_from() {
    let mut random = Random::new(4);
    for tangle in tangles() {
        let expected = on_disk(&tangle, &everything(), &mut Memory::default(), LARGE).unwrap().report;
        for round in 0..30 {
            let mut folder = Memory::default();
            let mut limits = Limits::default();
            let mut after = u64::MAX;
            match round % 3 {
                0 => limits.states = Some(random.below(expected.states as usize + 1) as u64),
                1 => limits.depth = Some(random.below(expected.depth as usize + 1) as u64),
                _ => after = random.below(expected.transitions as usize + 1) as u64,
            }
            let options = Options { limits, ..everything() };
            let budget = [LARGE, 1 << 14, 0][random.below(3)];
            let cut = search_on_disk(&mut tangle.clone(), &options, &mut folder, budget, &mut After(after));
            let cut = cut.unwrap();
            assert_eq!(cut.finished, cut.report.stopped.is_none());
            if cut.finished {
                continue;
            }
            let budget = [LARGE, 1 << 14, 0][random.below(3)];
            let found = on_disk(&tangle, &everything(), &mut folder, budget).unwrap();
            assert_eq!(plain(&found.report), plain(&expected), "{limits:?} {after} {budget}");
        }
    }
}

#[test]
fn a_full_disk_is_a_limit() {
    let mut random = Random::new(8);
    let tangle = Tangle { size: 12_000, wrong: 9_000 };
    let expected = on_disk(&tangle, &everything(), &mut Memory::default(), LARGE).unwrap();
    let (mut full, mut went_on) = (0, 0);
    for _ in 0..60 {
        let room = Some(random.below(2 * expected.disk_bytes as usize));
        let mut folder = Memory { room, every: 1 + random.below(4) as u64, ..Memory::default() };
        let cut = on_disk(&tangle, &everything(), &mut folder, 1 << 14).unwrap();
        if cut.report.stopped == Some(Stop::Disk) {
            full += 1;
            assert!(!cut.finished);
            folder.room = None;
            let found = on_disk(&tangle, &everything(), &mut folder, 1 << 14).unwrap();
            went_on += u32::from(found.resumed.is_some());
            assert_eq!(plain(&found.report), plain(&expected.report));
        }
    }
    assert!(full > 20 && went_on > 10, "{full} {went_on}");
}

/// One byte is another, a file is shorter, gone, or another one: it is found, or makes no
/// difference.
#[test]
fn damage_is_found() {
    let mut random = Random::new(99);
    let (mut found, mut harmless) = (0, 0);
    for tangle in &tangles()[..3] {
        let expected = on_disk(tangle, &everything(), &mut Memory::default(), LARGE).unwrap().report;
        for _ in 0..350 {
            let mut folder = Memory { every: 3, ..Memory::default() };
            let mut after = After(random.below(expected.transitions as usize) as u64);
            let stepper = &mut tangle.clone();
            search_on_disk(stepper, &everything(), &mut folder, 1 << 13, &mut after).unwrap();
            damage(&mut folder, &mut random);
            match on_disk(tangle, &everything(), &mut folder, 1 << 13) {
                Err(Trouble::Damaged(_)) => found += 1,
                Err(other) => panic!("{other:?}"),
                Ok(again) => {
                    harmless += 1;
                    assert_eq!(plain(&again.report), plain(&expected));
                }
            }
        }
    }
    assert!(found > 600, "{found} found, {harmless} harmless");
}

fn damage(folder: &mut Memory, random: &mut Random) {
    let files: Vec<FileId> = folder.files.keys().copied().collect();
    let checkpoint = folder.checkpoint.as_mut().unwrap();
    if files.is_empty() || random.below(5) == 0 {
        let at = random.below(checkpoint.len());
        match random.below(3) {
            0 => checkpoint.truncate(at),
            1 => checkpoint.extend([0; 3]),
            _ => checkpoint[at] ^= 1 << random.below(8),
        }
        return;
    }
    let file = files[random.below(files.len())];
    let bytes = &mut folder.files.get_mut(&file).unwrap().bytes;
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes.truncate(at),
        1 => drop(folder.files.remove(&file)),
        2 => {
            let other = folder.files[&files[random.below(files.len())]].bytes.clone();
            folder.files.get_mut(&file).unwrap().bytes = other;
        }
        _ => bytes[at] ^= 1 << random.below(8),
    }
}

#[test]
fn memory_keeps_to_its_budget() {
    let tangle = Tangle { size: 200_000, wrong: u64::MAX };
    for budget in [1 << 16, 1 << 19] {
        let found = on_disk(&tangle, &everything(), &mut Memory::default(), budget).unwrap();
        // Besides states, what is read while runs are merged: a few blocks.
        assert!(found.report.memory_bytes < 2 * budget as u64 + (4 << 20), "{}", found.report.memory_bytes);
        assert!(found.report.states > 100_000);
    }
}
