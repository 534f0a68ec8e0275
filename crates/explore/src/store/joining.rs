//! Which parts of states become one, as a sample of stored states shows.
//!
//! Small parts are good for known steps, which depend on few parts ([`crate::memo`]): the fewer
//! values these have together, the sooner a step is known. But parts that change together only make
//! keys longer, and walks through known steps too. So neighbours become one
//! * if little is lost: together they have hardly more values than each alone, or few at all;
//! * if keys have too many bits: time and again the two that save most, unless they hardly ever
//!   have the same values again.
//!
//! A key that cannot be formed otherwise *forces* joining: some successor has no key yet. The
//! sample has stored states alone and need not show why, so that a forced joining also bounds the
//! number of parts. The caller lowers the bound as long as it does not help; with one part it
//! always does.
//!
//! What is joined stays joined.

use super::coder::{LONGEST, MOST, bits};
use std::collections::HashMap;

/// Keys should have at most this many bits.
const ENOUGH: u32 = 64;

/// Parts with at most this many values together become one.
const FEW: usize = 12;

/// A part as it is now.
pub(crate) struct Column {
    /// Its number in each state of the sample.
    pub values: Vec<u32>,
    /// The longest it is.
    pub length: usize,
}

/// Parts that are joined so far.
struct Group {
    /// The first part.
    first: usize,
    values: Vec<u32>,
    distinct: usize,
    length: usize,
}

/// By part: whether it is joined to the one before it. `None` if none is. `forced` is how many
/// parts there may be if joining is forced.
pub(crate) fn joins(columns: Vec<Column>, forced: Option<usize>) -> Option<Vec<bool>> {
    let mut joined = vec![false; columns.len()];
    let sample = columns.first().map_or(0, |column| column.values.len());
    let mut groups = Groups::of(columns, sample);
    groups.join(|groups, at| groups.is_little_lost(at).then_some(0), |_| true);
    let kept = (forced.is_none() && groups.total() > ENOUGH).then(|| groups.firsts());
    // There will be more values than the sample shows.
    let enough = ENOUGH - ENOUGH / 8;
    let too_many = |groups: &Groups| forced.is_some_and(|most| groups.all.len() > most);
    let must = |groups: &Groups| too_many(groups) || forced.is_some() && groups.total() > MOST * 3 / 4;
    groups.join(
        |groups, at| (must(groups) || !groups.is_seldom(at)).then(|| groups.saved(at)),
        |groups| groups.total() > enough || too_many(groups),
    );
    // What does not make keys short enough is not worth it.
    let firsts = kept.filter(|_| groups.total() > enough).unwrap_or_else(|| groups.firsts());
    let mut firsts = firsts.into_iter().peekable();
    for (part, joined) in joined.iter_mut().enumerate() {
        *joined = firsts.next_if_eq(&part).is_none();
    }
    joined.contains(&true).then_some(joined)
}

/// Neighbours, and how many values each two have together.
struct Groups {
    all: Vec<Group>,
    /// Nothing if they would be too long.
    pairs: Vec<Option<usize>>,
    sample: usize,
    room: Vec<u64>,
}

impl Groups {
    fn of(columns: Vec<Column>, sample: usize) -> Groups {
        let mut groups = Groups { all: Vec::new(), pairs: Vec::new(), sample, room: Vec::new() };
        for (first, Column { values, length }) in columns.into_iter().enumerate() {
            let distinct = groups.distinct(values.iter().map(|value| u64::from(*value)));
            groups.all.push(Group { first, values, distinct, length });
        }
        groups.pairs = (1..groups.all.len()).map(|at| groups.pair(at - 1)).collect();
        groups
    }

    fn distinct(&mut self, values: impl Iterator<Item = u64>) -> usize {
        self.room.clear();
        self.room.extend(values);
        self.room.sort_unstable();
        self.room.dedup();
        self.room.len()
    }

    /// How many values a group and the next have together.
    fn pair(&mut self, at: usize) -> Option<usize> {
        let mut room = std::mem::take(&mut self.room);
        let (a, b) = (&self.all[at], &self.all[at + 1]);
        room.clear();
        room.extend(a.values.iter().zip(&b.values).map(|(x, y)| u64::from(*x) << 32 | u64::from(*y)));
        room.sort_unstable();
        room.dedup();
        let fits = a.length + b.length <= LONGEST as usize;
        let together = fits.then_some(room.len());
        self.room = room;
        together
    }

    fn firsts(&self) -> Vec<usize> {
        self.all.iter().map(|group| group.first).collect()
    }

    fn total(&self) -> u32 {
        self.all.iter().map(|group| bits(group.distinct)).sum()
    }

    fn is_little_lost(&self, at: usize) -> bool {
        let least = self.all[at].distinct.min(self.all[at + 1].distinct);
        self.pairs[at].is_some_and(|together| together <= FEW || together <= least + least / 4)
    }

    /// Two that hardly ever have the same values again.
    fn is_seldom(&self, at: usize) -> bool {
        self.pairs[at].is_some_and(|together| together * 4 > self.sample.max(64))
    }

    fn saved(&self, at: usize) -> i64 {
        let (a, b) = (self.all[at].distinct, self.all[at + 1].distinct);
        i64::from(bits(a) + bits(b)) - i64::from(self.pairs[at].map_or(0, bits))
    }

    /// As long as it goes on: joins the two that are worth most, of these those with the fewest
    /// values.
    fn join(
        &mut self,
        worth: impl Fn(&Groups, usize) -> Option<i64>,
        mut goes_on: impl FnMut(&Groups) -> bool,
    ) {
        while goes_on(self) {
            let known = (0..self.pairs.len()).filter_map(|at| Some((at, self.pairs[at]?)));
            let worths = known.filter_map(|(at, together)| {
                let length = self.all[at].length + self.all[at + 1].length;
                Some((worth(self, at)?, usize::MAX - together, usize::MAX - length, at))
            });
            let Some((.., at)) = worths.max() else { return };
            self.unite(at);
        }
    }

    fn unite(&mut self, at: usize) {
        let second = self.all.remove(at + 1);
        let first = &mut self.all[at];
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        for (x, y) in first.values.iter_mut().zip(second.values) {
            let next = known.len() as u32;
            *x = *known.entry((*x, y)).or_insert(next);
        }
        (first.distinct, first.length) = (known.len(), first.length + second.length);
        self.pairs.remove(at);
        if at > 0 {
            self.pairs[at - 1] = self.pair(at - 1);
        }
        if at < self.pairs.len() {
            self.pairs[at] = self.pair(at);
        }
    }
}
