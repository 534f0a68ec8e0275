//! *Holds*, for properties of runs: no fair run is one that the automaton of what is forbidden
//! accepts.
//!
//! The certificate gives each state of the product a level. No edge leads to a higher level, so a
//! run stays on one level from some time on, and takes its inner edges only. Each level has a
//! reason why no accepted and fair run does that ([`Reason`]). For strong fairness the reason is a
//! ranking again, of what is left without the states that ask: levels after levels, as in Emerson
//! and Lei's algorithm and in the proof rules for compassion. The automaton is trusted.

use crate::reading::{Edge, Node, Reading};
use space::{Fairness, Reference, Undefined};
use std::collections::HashMap;
use std::hash::Hash;

/// Levels of states, by their numbers, and why no run stays on one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// None if the state is not ranked here.
    pub levels: Vec<Option<usize>>,
    /// One for each level.
    pub reasons: Vec<Reason>,
}

/// Why no accepted and fair run takes the inner edges of a level alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It has no inner edge.
    NoEdge,
    /// This acceptance set is on no inner edge.
    Unaccepted(usize),
    /// This weak requirement is asked for all the time, and no inner edge meets it.
    Unmet(usize),
    /// No inner edge meets this strong requirement; without the states that ask for it, this is
    /// left.
    Strong(usize, Ranking),
}

/// A certificate: the states of the product that can be reached, and their levels.
#[derive(Clone, Debug)]
pub struct Ranked<S> {
    /// The reachable states of the product; their numbers are indices into this.
    pub nodes: Vec<Node<S>>,
    /// The levels, and why no run stays on one of them.
    pub ranking: Ranking,
}

/// Why a ranking shows nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotEmpty {
    /// A certificate must contain the initial states.
    #[error("an initial state is not ranked")]
    NotInitial,
    /// An edge out of the state of this number leads out of the states that are ranked.
    #[error("an edge out of state {0} leaves what is ranked")]
    Leaves(usize),
    /// An edge out of the state of this number leads to a higher level.
    #[error("an edge out of state {0} leads to a higher level")]
    Rises(usize),
    /// A level or a reason that is used is not there, or does not fit.
    #[error("a state has no level, or a level no reason")]
    Form,
    /// The reason of this level is wrong.
    #[error("a run may stay on level {0}")]
    NoReason(usize),
    /// A run may go round from the state of this number without being observed: what it says of
    /// the property is not known.
    #[error("a run may stay where it is not observed, from state {0} on")]
    Unobserved(usize),
    /// Something in a state cannot be evaluated.
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

/// An edge between numbered states.
pub struct Numbered {
    /// The number of the source.
    pub from: usize,
    /// The number of the target.
    pub to: usize,
    /// Whether the automaton reads a letter on it.
    pub reads: bool,
    /// The acceptance sets it belongs to, as bits.
    pub sets: u64,
    /// The fairness requirements that its source asks for.
    pub asks: Vec<usize>,
    /// The fairness requirements that it meets.
    pub meets: Vec<usize>,
}

impl Numbered {
    /// An edge of the product between states that have these numbers.
    pub fn new<S>(from: usize, to: usize, edge: Edge<S>) -> Numbered {
        let Edge { reads, sets, asks, meets, .. } = edge;
        Numbered { from, to, reads, sets, asks, meets }
    }

    /// Whether a weak requirement is met here, or not asked for.
    pub fn satisfies(&self, weak: usize) -> bool {
        self.meets.contains(&weak) || (self.reads && !self.asks.contains(&weak))
    }
}

/// Checks that no fair run of the product is accepted.
pub fn empty<R: Reference>(product: &Reading<'_, R>, ranked: &Ranked<R::State>) -> Result<(), NotEmpty>
where
    R::State: Hash,
{
    let numbers: HashMap<&Node<R::State>, usize> =
        ranked.nodes.iter().enumerate().map(|(number, node)| (node, number)).collect();
    if product.initial()?.iter().any(|node| !numbers.contains_key(node)) {
        return Err(NotEmpty::NotInitial);
    }
    let mut edges = Vec::new();
    for (from, node) in ranked.nodes.iter().enumerate() {
        for edge in product.edges(node)? {
            let to = *numbers.get(&edge.to).ok_or(NotEmpty::Leaves(from))?;
            edges.push(Numbered::new(from, to, edge));
        }
    }
    if let Some(state) = unobserved_cycle(ranked.nodes.len(), &edges) {
        return Err(NotEmpty::Unobserved(state));
    }
    let judge = Judge { product_sets: product.automaton.sets, strengths: product.strengths() };
    judge.ranks(&edges.iter().collect::<Vec<_>>(), &ranked.ranking)
}

/// A state from which edges that read nothing lead back to it, or to such a state: whatever is
/// left when states that no such edge leads to are taken away, one after the other.
pub fn unobserved_cycle(states: usize, edges: &[Numbered]) -> Option<usize> {
    let silent: Vec<&Numbered> = edges.iter().filter(|edge| !edge.reads).collect();
    let mut entered = vec![0usize; states];
    silent.iter().for_each(|edge| entered[edge.to] += 1);
    let mut onward: Vec<Vec<usize>> = vec![Vec::new(); states];
    silent.iter().for_each(|edge| onward[edge.from].push(edge.to));
    let mut free: Vec<usize> = (0..states).filter(|state| entered[*state] == 0).collect();
    while let Some(state) = free.pop() {
        for to in std::mem::take(&mut onward[state]) {
            entered[to] -= 1;
            if entered[to] == 0 {
                free.push(to);
            }
        }
    }
    entered.iter().position(|left| *left > 0)
}

impl<R: Reference> Reading<'_, R> {
    fn strengths(&self) -> Vec<Fairness> {
        self.requirements.iter().map(|r| r.strength).collect()
    }
}

struct Judge {
    product_sets: usize,
    strengths: Vec<Fairness>,
}

impl Judge {
    fn ranks(&self, edges: &[&Numbered], ranking: &Ranking) -> Result<(), NotEmpty> {
        let level = |state: usize| ranking.levels.get(state).copied().flatten().ok_or(NotEmpty::Form);
        let mut inner: Vec<Vec<&Numbered>> = ranking.reasons.iter().map(|_| Vec::new()).collect();
        for edge in edges {
            let (from, to) = (level(edge.from)?, level(edge.to)?);
            if to > from {
                return Err(NotEmpty::Rises(edge.from));
            }
            if to == from {
                inner.get_mut(to).ok_or(NotEmpty::Form)?.push(edge);
            }
        }
        let judged = |(at, (reason, inner)): (usize, (&Reason, &Vec<&Numbered>))| {
            self.excludes(reason, inner)?.then_some(()).ok_or(NotEmpty::NoReason(at))
        };
        ranking.reasons.iter().zip(&inner).enumerate().try_for_each(judged)
    }

    /// Whether a reason keeps accepted and fair runs from taking these edges alone.
    fn excludes(&self, reason: &Reason, inner: &[&Numbered]) -> Result<bool, NotEmpty> {
        let is = |requirement: usize, strength| self.strengths.get(requirement) == Some(&strength);
        match reason {
            Reason::NoEdge => Ok(inner.is_empty()),
            Reason::Unaccepted(set) => {
                Ok(*set < self.product_sets && inner.iter().all(|edge| edge.sets >> set & 1 == 0))
            }
            Reason::Unmet(weak) => {
                Ok(is(*weak, Fairness::Weak) && inner.iter().all(|edge| !edge.satisfies(*weak)))
            }
            Reason::Strong(strong, rest) => {
                if !is(*strong, Fairness::Strong) || inner.iter().any(|edge| edge.meets.contains(strong)) {
                    return Ok(false);
                }
                let calm = inner.iter().filter(|edge| !edge.asks.contains(strong));
                self.ranks(&calm.copied().collect::<Vec<_>>(), rest).map(|()| true)
            }
        }
    }
}
