//! Levels for the states of a product, with the reasons that [`certify::empty`] asks for.
//!
//! A level is a strongly connected component, numbered so that edges lead down. Its reason is the
//! first that fits; for a strong requirement that is asked for and never met, the component without
//! the states that ask is ranked again (Emerson and Lei, *Modalities for model checking*, 1987).

use certify::{Numbered, Ranking, Reason};
use logic::Components;
use space::{Fairness, Requirement};

/// The ranking of some states with the edges between them; none if an accepted run may stay in a
/// component.
pub(super) fn rank(
    states: usize,
    edges: &[&Numbered],
    sets: usize,
    requirements: &[Requirement],
) -> Option<Ranking> {
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); states];
    edges.iter().for_each(|edge| targets[edge.from].push(edge.to));
    let Components { of: levels, members } =
        Components::new(states, |state, edge| targets[state].get(edge).copied());
    let mut inner: Vec<Vec<&Numbered>> = vec![Vec::new(); members.len()];
    for edge in edges.iter().filter(|edge| levels[edge.from] == levels[edge.to]) {
        inner[levels[edge.from]].push(edge);
    }
    let reason = |inner: &Vec<&Numbered>| reason(states, inner, sets, requirements);
    let reasons = inner.iter().map(reason).collect::<Option<Vec<_>>>()?;
    Some(Ranking { levels: levels.into_iter().map(Some).collect(), reasons })
}

fn reason(states: usize, inner: &[&Numbered], sets: usize, requirements: &[Requirement]) -> Option<Reason> {
    if inner.is_empty() {
        return Some(Reason::NoEdge);
    }
    let seen = inner.iter().fold(0, |all, edge| all | edge.sets);
    if let Some(set) = (0..sets).find(|set| seen >> set & 1 == 0) {
        return Some(Reason::Unaccepted(set));
    }
    let of = |strength| (0..requirements.len()).filter(move |r| requirements[*r].strength == strength);
    if let Some(weak) = of(Fairness::Weak).find(|weak| inner.iter().all(|edge| !edge.satisfies(*weak))) {
        return Some(Reason::Unmet(weak));
    }
    let owed = |strong: &usize| {
        inner.iter().any(|edge| edge.asks.contains(strong))
            && inner.iter().all(|edge| !edge.meets.contains(strong))
    };
    let strong = of(Fairness::Strong).find(owed)?;
    let calm: Vec<&Numbered> = inner.iter().filter(|edge| !edge.asks.contains(&strong)).copied().collect();
    Some(Reason::Strong(strong, rank(states, &calm, sets, requirements)?))
}
