//! Several sorted sources as one, without what comes twice; and sets of runs that are merged when
//! they become many.
//!
//! Runs are merged as in a log-structured tree (O'Neil et al., 1996), lazily: eight of about the
//! same size become one. So a state is written again once for each factor of eight by which the set
//! has grown, and there are few runs to look into: at most seven for each such factor.

use super::block::order;
use super::folder::{End, Files, Folder, Look, Trouble};
use super::run::{Cursor, Run, Writer};
use crate::store::{StateId, Store};

/// As many runs of about the same size are merged.
const MANY: usize = 8;

/// How many states are merged between two looks.
pub(super) const LOOK_EVERY: u64 = 4096;

/// The states of a store, in order.
pub(super) fn sorted(store: &Store) -> Vec<StateId> {
    let mut ids: Vec<StateId> = (0..store.len() as StateId).collect();
    ids.sort_unstable_by(|a, b| order(store.get(*a), store.get(*b)));
    ids
}

/// What is merged: runs, and a store.
pub(super) struct Merging<'a> {
    runs: Vec<(&'a Run, Cursor)>,
    store: Option<&'a Store>,
    ids: Vec<StateId>,
    at: usize,
}

impl<'a> Merging<'a> {
    pub fn new(
        runs: impl Iterator<Item = &'a Run>,
        store: Option<&'a Store>,
        folder: &mut dyn Folder,
    ) -> Result<Merging<'a>, Trouble> {
        let mut runs: Vec<(&Run, Cursor)> = runs.map(|run| (run, Cursor::default())).collect();
        for (run, cursor) in &mut runs {
            cursor.advance(run, folder)?;
        }
        Ok(Merging { runs, store, ids: store.map(sorted).unwrap_or_default(), at: 0 })
    }

    fn of_store(&self) -> Option<&'a [u8]> {
        Some(self.store?.get(*self.ids.get(self.at)?))
    }

    /// The next state, once; whether there is one.
    pub fn next(&mut self, state: &mut Vec<u8>, folder: &mut dyn Folder) -> Result<bool, Trouble> {
        let of_runs = self.runs.iter().filter_map(|(_, cursor)| cursor.current());
        let Some(least) = of_runs.chain(self.of_store()).min_by(|a, b| order(a, b)) else { return Ok(false) };
        state.clear();
        state.extend_from_slice(least);
        for (run, cursor) in &mut self.runs {
            if cursor.current() == Some(state) {
                cursor.advance(run, folder)?;
            }
        }
        self.at += usize::from(self.of_store() == Some(state));
        Ok(true)
    }

    pub fn memory_bytes(&self) -> usize {
        self.runs.iter().map(|(_, cursor)| cursor.memory_bytes()).sum::<usize>() + self.ids.capacity() * 4
    }
}

/// A set of states in several runs.
#[derive(Default)]
pub(super) struct Runs {
    pub all: Vec<Run>,
}

impl Runs {
    /// Writes the states of a store as one more run.
    pub fn write(&mut self, store: &Store, files: &mut Files<'_>) -> Result<(), Trouble> {
        let mut writer = Writer::new(files);
        for id in sorted(store) {
            writer.push(store.get(id), files)?;
        }
        self.all.push(writer.finish(files)?);
        Ok(())
    }

    /// Merges runs as long as there are many of about the same size.
    pub fn merge(&mut self, files: &mut Files<'_>, look: Look<'_>) -> Result<(), End> {
        while let Some(tier) = self.crowded() {
            let merged = self.merged(tier, files, look)?;
            let (old, others) = std::mem::take(&mut self.all).into_iter().partition(|run| is_in(run, tier));
            self.all = others;
            self.all.push(merged);
            Vec::<Run>::into_iter(old).try_for_each(|run| files.drop(run.about.file))?;
        }
        Ok(())
    }

    fn crowded(&self) -> Option<u32> {
        let tiers = self.all.iter().map(|run| tier(run.about.states));
        tiers.into_iter().find(|tier| self.all.iter().filter(|run| is_in(run, *tier)).count() >= MANY)
    }

    fn merged(&self, tier: u32, files: &mut Files<'_>, look: Look<'_>) -> Result<Run, End> {
        let mut writer = Writer::new(files);
        match self.copy(tier, &mut writer, files, look) {
            Ok(()) => Ok(writer.finish(files)?),
            Err(end) => {
                writer.abandon(files)?;
                Err(end)
            }
        }
    }

    fn copy(&self, tier: u32, writer: &mut Writer, files: &mut Files<'_>, look: Look<'_>) -> Result<(), End> {
        let runs = self.all.iter().filter(|run| is_in(run, tier));
        let mut merging = Merging::new(runs, None, files.folder)?;
        let (mut state, mut count) = (Vec::new(), 0);
        while merging.next(&mut state, files.folder)? {
            writer.push(&state, files)?;
            count += 1;
            if count % LOOK_EVERY == 0 {
                look()?;
            }
        }
        Ok(())
    }

    pub fn states(&self) -> u64 {
        self.all.iter().map(|run| run.about.states).sum()
    }

    pub fn disk_bytes(&self) -> u64 {
        self.all.iter().map(|run| run.about.bytes).sum()
    }

    pub fn memory_bytes(&self) -> usize {
        self.all.iter().map(Run::memory_bytes).sum()
    }
}

/// Which size a run has, as the factors of eight in it.
fn tier(states: u64) -> u32 {
    states.max(1).ilog2() / 3
}

fn is_in(run: &Run, tier: u32) -> bool {
    self::tier(run.about.states) == tier
}

/// Looks for states in several runs, in ascending order.
pub(super) struct Lookup<'a> {
    runs: Vec<(&'a Run, Cursor)>,
}

impl<'a> Lookup<'a> {
    pub fn new(runs: &'a Runs) -> Lookup<'a> {
        Lookup { runs: runs.all.iter().map(|run| (run, Cursor::default())).collect() }
    }

    /// Whether a state is in one of them.
    pub fn has(&mut self, state: &[u8], folder: &mut dyn Folder) -> Result<bool, Trouble> {
        for (run, cursor) in &mut self.runs {
            if cursor.has(state, run, folder)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub fn memory_bytes(&self) -> usize {
        self.runs.iter().map(|(_, cursor)| cursor.memory_bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::Memory;
    use super::*;
    use crate::store::hash;
    use logic::random::Random;
    use std::collections::BTreeSet;

    /// Many small runs, merged on the way, have what was put in and nothing else.
    #[test]
    fn a_set_in_runs_is_a_set() {
        let mut random = Random::new(2);
        let mut folder = Memory::default();
        let mut files = Files::new(&mut folder, 1);
        let (mut runs, mut reference) = (Runs::default(), BTreeSet::new());
        for _ in 0..60 {
            let mut store = Store::small();
            for _ in 0..1 + random.below(400) {
                let state = (random.below(9_000) as u64).to_le_bytes();
                let state = &state[..2 + random.below(2) * 3];
                store.insert(state, hash(state));
                reference.insert(state.to_vec());
            }
            runs.write(&store, &mut files).unwrap();
            runs.merge(&mut files, &mut || Ok(())).unwrap();
            assert!(runs.all.len() < 4 * MANY);
        }
        let (mut merging, mut state) =
            (Merging::new(runs.all.iter(), None, files.folder).unwrap(), Vec::new());
        let mut seen = BTreeSet::new();
        while merging.next(&mut state, files.folder).unwrap() {
            assert!(seen.insert(state.clone()));
        }
        assert_eq!(seen, reference);
        let mut lookup = Lookup::new(&runs);
        for length in [2, 5] {
            let mut all: Vec<Vec<u8>> = (0..12_000u64).map(|n| n.to_le_bytes()[..length].to_vec()).collect();
            all.sort();
            all.dedup();
            for state in all.iter().filter(|_| random.below(3) > 0) {
                assert_eq!(lookup.has(state, files.folder).unwrap(), reference.contains(state));
            }
        }
        for run in &runs.all {
            let again = Run::open(run.about, files.folder, &mut || Ok(())).unwrap();
            assert_eq!(format!("{again:?}"), format!("{run:?}"));
        }
    }
}
