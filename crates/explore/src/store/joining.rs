//! Which parts of states become one, so that keys have fewer bits.
//!
//! Parts that depend on each other (a process and its channel) have fewer values together than
//! apart: joined they need fewer bits, and a larger dictionary. Which pay is seen on a sample of
//! states: time and again the two neighbours are joined that save most bits. Two that hardly ever
//! have the same values again are not, unless keys cannot be formed otherwise.
//!
//! Then joining is *forced*: some successor has no key yet. The sample has stored states alone and
//! need not show why, so that a forced joining also bounds the number of parts. The caller lowers
//! the bound as long as it does not help; with one part it always does.

use super::coder::{LONGEST, MOST, bits};
use super::hash;
use space::Cut;
use std::collections::{HashMap, HashSet};

/// Keys should have at most this many bits.
pub(crate) const ENOUGH: u32 = 64;

/// Parts that are joined so far: those of a group have one number, by state of the sample.
struct Group {
    /// The first part.
    first: usize,
    values: Vec<u32>,
    distinct: usize,
    /// The longest it is.
    length: u32,
}

/// By part: whether it is joined to the one before it. `None` if no such choice leaves few enough
/// bits. `forced` is how many parts there may be if joining is forced.
pub(crate) fn joins(
    sample: &[Vec<u8>],
    cut: impl Fn(&[u8], &mut Cut),
    forced: Option<usize>,
) -> Option<Vec<bool>> {
    let mut groups = groups(sample, cut);
    let mut joined = vec![false; groups.len()];
    // There will be more values than the sample shows.
    let enough = ENOUGH - ENOUGH / 8;
    let mut pairs: Vec<Option<usize>> = groups.windows(2).map(|two| pair(&two[0], &two[1])).collect();
    let too_many = |groups: &[Group]| forced.is_some_and(|most| groups.len() > most);
    while total(&groups) > enough || too_many(&groups) {
        let must = too_many(&groups) || forced.is_some() && total(&groups) > MOST * 3 / 4;
        let saved = |at: usize| {
            let together = pairs[at]?;
            let seldom = together * 4 > sample.len().max(64);
            let (one, two) = (&groups[at], &groups[at + 1]);
            let saved = i64::from(bits(one.distinct) + bits(two.distinct)) - i64::from(bits(together));
            let short = u32::MAX - one.length - two.length;
            (!seldom || must).then_some((saved, usize::MAX - together, short, at))
        };
        let Some((.., at)) = (0..pairs.len()).filter_map(saved).max() else { break };
        joined[groups[at + 1].first] = true;
        let second = groups.remove(at + 1);
        groups[at] = united(&groups[at], &second);
        pairs.remove(at);
        if at > 0 {
            pairs[at - 1] = pair(&groups[at - 1], &groups[at]);
        }
        if at < pairs.len() {
            pairs[at] = pair(&groups[at], &groups[at + 1]);
        }
    }
    (forced.is_some() || total(&groups) <= enough).then_some(joined)
}

fn total(groups: &[Group]) -> u32 {
    groups.iter().map(|g| bits(g.distinct)).sum()
}

/// Each part as the stepper cuts.
fn groups(sample: &[Vec<u8>], cut: impl Fn(&[u8], &mut Cut)) -> Vec<Group> {
    let mut columns: Vec<(HashMap<u64, u32>, Vec<u32>, u32)> = Vec::new();
    for (row, state) in sample.iter().enumerate() {
        let mut at = Cut::default();
        cut(state, &mut at);
        let count = at.ends.len().max(columns.len());
        columns.resize_with(count, || (HashMap::new(), vec![u32::MAX; row], 0));
        let mut start = 0;
        for (part, (known, values, length)) in columns.iter_mut().enumerate() {
            let end = at.ends.get(part).map_or(start, |end| *end as usize);
            let next = known.len() as u32;
            values.push(*known.entry(hash(&state[start..end])).or_insert(next));
            *length = (*length).max((end - start) as u32);
            start = end;
        }
    }
    let columns = columns.into_iter().enumerate();
    columns
        .map(|(first, (known, values, length))| Group { first, values, distinct: known.len(), length })
        .collect()
}

/// How many values two groups have together; nothing if they would be too long.
fn pair(a: &Group, b: &Group) -> Option<usize> {
    let together: HashSet<(u32, u32)> = a.values.iter().copied().zip(b.values.iter().copied()).collect();
    (a.length + b.length <= LONGEST).then_some(together.len())
}

fn united(a: &Group, b: &Group) -> Group {
    let mut known: HashMap<(u32, u32), u32> = HashMap::new();
    let mut number = |both| {
        let next = known.len() as u32;
        *known.entry(both).or_insert(next)
    };
    let values = a.values.iter().zip(&b.values).map(|(x, y)| number((*x, *y))).collect();
    Group { first: a.first, values, distinct: known.len(), length: a.length + b.length }
}
