//! In which order variables get their bits: those that a transition speaks of together stand
//! together.
//!
//! FORCE (Aloul, Markov, Sakallah: *FORCE: a fast and easy-to-implement variable-ordering
//! heuristic*, 2003): each transition draws its variables to their centre of gravity, again and
//! again, as long as the sum of the spans shrinks. The order never changes later. Where it does not
//! beat the order of the text by this measure, that one stays.

use logic::fol;
use std::collections::BTreeSet;
use system::fts::Fts;

const ROUNDS: usize = 50;

/// The numbers of the variables, in the order of their bits.
pub(crate) fn order(fts: &Fts) -> Vec<usize> {
    let groups = groups(fts);
    let mut best: Vec<usize> = (0..fts.variables.len()).collect();
    let mut order = best.clone();
    for _ in 0..ROUNDS {
        order = drawn(&order, &groups);
        if span(&order, &groups) >= span(&best, &groups) {
            break;
        }
        best.clone_from(&order);
    }
    best
}

/// The variables of each branch of a transition.
fn groups(fts: &Fts) -> Vec<Vec<usize>> {
    let branches = fts.transitions.iter().flat_map(|t| &t.branches);
    let of = |b: &system::fts::Branch| {
        let values = b.updates.iter().flat_map(|(s, e)| [s.term(), e.clone()]);
        let parts: Vec<fol::Term> = [b.guard.clone(), b.choice.clone()].into_iter().chain(values).collect();
        let names: BTreeSet<_> = parts.iter().flat_map(|e| e.symbols().into_keys()).collect();
        let at = |name| fts.variables.iter().position(|v| v.symbol.name == name);
        names.into_iter().filter_map(at).collect()
    };
    branches.map(of).filter(|group: &Vec<usize>| group.len() > 1).collect()
}

/// Each variable where its groups draw it on average; those without a group stay.
fn drawn(order: &[usize], groups: &[Vec<usize>]) -> Vec<usize> {
    let place = places(order);
    let mut pulls = vec![(0.0, 0.0); order.len()];
    for group in groups {
        let centre = group.iter().map(|v| place[*v] as f64).sum::<f64>() / group.len() as f64;
        for v in group {
            pulls[*v].0 += centre;
            pulls[*v].1 += 1.0;
        }
    }
    let goal = |v: usize| if pulls[v].1 > 0.0 { pulls[v].0 / pulls[v].1 } else { place[v] as f64 };
    let mut next = order.to_vec();
    next.sort_by(|a, b| goal(*a).total_cmp(&goal(*b)));
    next
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, v)| place[*v] = at);
    place
}

/// How far the groups stretch, all together.
fn span(order: &[usize], groups: &[Vec<usize>]) -> usize {
    let place = places(order);
    let ends = |group: &Vec<usize>| {
        let at = group.iter().map(|v| place[*v]);
        at.clone().max().unwrap_or(0) - at.min().unwrap_or(0)
    };
    groups.iter().map(ends).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_comes_together() {
        // 0 with 3, 1 with 2: in the order of the text the first pair stretches over the second.
        let groups = vec![vec![0, 3], vec![0, 3], vec![1, 2], vec![1, 2]];
        let text = vec![0, 1, 2, 3];
        let next = drawn(&text, &groups);
        assert_eq!(span(&text, &groups), 8);
        assert!(span(&next, &groups) <= 8);
        let mut all = next.clone();
        all.sort_unstable();
        assert_eq!(all, text);
    }
}
