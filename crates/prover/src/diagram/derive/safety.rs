//! Nodes of invariance and wait-for diagrams from the states of an abstraction.

use super::space::Space;
use std::collections::{BTreeMap, BTreeSet};

/// Diagrams with more nodes are not drawn: a reader would see nothing in them.
const NODES: usize = 16;

/// The reachable states as few nodes: by what data say, by where control is, or all in one.
pub(super) fn invariance(space: &Space<'_>) -> Vec<BTreeSet<usize>> {
    let (threads, all) = (space.threads(), 0..space.points.len());
    let by = |range: std::ops::Range<usize>| -> Vec<BTreeSet<usize>> {
        let mut groups: BTreeMap<&[i64], BTreeSet<usize>> = BTreeMap::new();
        for at in all.clone() {
            groups.entry(&space.points[at][range.clone()]).or_default().insert(at);
        }
        groups.into_values().collect()
    };
    let ways = [by(threads..space.kept()), by(0..threads)];
    let few = ways.into_iter().filter(|groups| (2..=NODES).contains(&groups.len()));
    few.min_by_key(Vec::len).unwrap_or_else(|| vec![all.collect()])
}

/// The intervals of `p ==> q_m W … W q_0`, the goal's left out, the last first: in each the states
/// from which a path stays in it or goes on to later ones. None if some path does neither.
pub(super) fn intervals(
    space: &Space<'_>,
    pending: &[usize],
    says: &[Vec<bool>],
    goal: &[bool],
) -> Option<Vec<BTreeSet<usize>>> {
    let mut left: BTreeSet<usize> = pending.iter().copied().collect();
    let mut arrived = goal.to_vec();
    let mut found = Vec::new();
    for said in says.iter().rev() {
        let mut states: BTreeSet<usize> = left.iter().filter(|at| said[**at]).copied().collect();
        loop {
            let stays = |at: &usize| space.steps[*at].iter().all(|s| arrived[s.to] || states.contains(&s.to));
            let kept: BTreeSet<usize> = states.iter().filter(|at| stays(at)).copied().collect();
            if kept.len() == states.len() {
                break;
            }
            states = kept;
        }
        for at in &states {
            arrived[*at] = true;
            left.remove(at);
        }
        found.push(states);
    }
    left.is_empty().then(|| found.into_iter().filter(|states| !states.is_empty()).collect())
}
