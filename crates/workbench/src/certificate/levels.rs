//! Levels for the states of a product, with the reasons that [`certify::empty`] asks for.
//!
//! A level is a strongly connected component, numbered so that edges lead down (Tarjan). Its reason
//! is the first that fits; for a strong requirement that is asked for and never met, the component
//! without the states that ask is ranked again (Emerson and Lei, *Modalities for model checking*,
//! 1987).

use certify::{Numbered, Ranking, Reason};
use space::{Fairness, Requirement};

/// The ranking of some states with the edges between them; none if an accepted run may stay in a
/// component.
pub(super) fn rank(
    states: usize,
    edges: &[&Numbered],
    sets: usize,
    requirements: &[Requirement],
) -> Option<Ranking> {
    let levels = components(states, edges);
    let count = levels.iter().map(|level| level + 1).max().unwrap_or(0);
    let mut inner: Vec<Vec<&Numbered>> = vec![Vec::new(); count];
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

/// The component of each state; edges lead from higher numbers to lower ones.
fn components(states: usize, edges: &[&Numbered]) -> Vec<usize> {
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); states];
    edges.iter().for_each(|edge| targets[edge.from].push(edge.to));
    let mut search =
        Search { targets, entered: vec![None; states], low: vec![0; states], ..Search::default() };
    search.component = vec![usize::MAX; states];
    for state in 0..states {
        search.visit(state);
    }
    search.component
}

#[derive(Default)]
struct Search {
    targets: Vec<Vec<usize>>,
    /// When each state was entered, and the earliest that it leads back to.
    entered: Vec<Option<usize>>,
    low: Vec<usize>,
    clock: usize,
    open: Vec<usize>,
    component: Vec<usize>,
    found: usize,
}

impl Search {
    fn visit(&mut self, root: usize) {
        if self.entered[root].is_some() {
            return;
        }
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((state, next)) = path.last_mut() {
            let state = *state;
            let Some(target) = self.targets[state].get(*next).copied() else {
                path.pop();
                self.leave(state);
                if let Some((before, _)) = path.last() {
                    self.low[*before] = self.low[*before].min(self.low[state]);
                }
                continue;
            };
            *next += 1;
            match self.entered[target] {
                None => {
                    self.enter(target);
                    path.push((target, 0));
                }
                Some(at) if self.component[target] == usize::MAX => {
                    self.low[state] = self.low[state].min(at);
                }
                Some(_) => {}
            }
        }
    }

    fn enter(&mut self, state: usize) {
        (self.entered[state], self.low[state]) = (Some(self.clock), self.clock);
        self.clock += 1;
        self.open.push(state);
    }

    /// Closes the component that begins with a state, if one does.
    fn leave(&mut self, state: usize) {
        if self.entered[state] != Some(self.low[state]) {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = self.found;
            if member == state {
                break;
            }
        }
        self.found += 1;
    }
}
