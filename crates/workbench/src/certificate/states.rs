//! What certificates of *holds* are made of: the states that the reference reaches, and those of
//! its product with an automaton. No compiled stepper, reduction or simplification takes part.

use crate::listener::ProgressListener;
use certify::{Node, Numbered, Ranked, Ranking, Reading, unobserved_cycle};
use space::{Reference, Undefined};
use std::collections::HashMap;
use std::hash::Hash;

/// Why there is no certificate.
#[derive(Debug)]
pub(crate) enum None {
    /// More states than this.
    TooMany(usize),
    /// A limit was reached, or a signal came.
    Over,
    Undefined(Undefined),
    /// An accepted and fair run may exist.
    Open,
}

impl From<Undefined> for None {
    fn from(why: Undefined) -> None {
        None::Undefined(why)
    }
}

/// How much may be done.
pub(crate) struct Bounds<'a, 'w> {
    pub(crate) states: usize,
    pub(crate) watcher: &'a ProgressListener<'w>,
}

/// Things in the order in which they are found, each once.
struct Numbers<T> {
    known: HashMap<T, usize>,
    all: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn new() -> Numbers<T> {
        Numbers { known: HashMap::new(), all: Vec::new() }
    }

    fn number(&mut self, one: T) -> usize {
        let next = self.all.len();
        let number = *self.known.entry(one.clone()).or_insert(next);
        if number == next {
            self.all.push(one);
        }
        number
    }
}

impl Bounds<'_, '_> {
    /// Follows everything from what was found first; `expand` is given the number of each.
    fn follow<T: Clone + Eq + Hash>(
        &self,
        first: Vec<T>,
        mut expand: impl FnMut(usize, &T, &mut Numbers<T>) -> Result<(), Undefined>,
    ) -> Result<Vec<T>, None> {
        let mut numbers = Numbers::new();
        for one in first {
            numbers.number(one);
        }
        let mut at = 0;
        while let Some(one) = numbers.all.get(at).cloned() {
            if self.watcher.over().is_some() {
                return Err(None::Over);
            }
            expand(at, &one, &mut numbers)?;
            if numbers.all.len() > self.states {
                return Err(None::TooMany(self.states));
            }
            at += 1;
        }
        Ok(numbers.all)
    }

    /// Every state that can be reached.
    pub(crate) fn reachable<R: Reference>(&self, r: &R) -> Result<Vec<R::State>, None> {
        if r.no_initial().is_some() {
            return Ok(Vec::new());
        }
        let first = r.initial()?.iter().map(|state| r.canonical(state)).collect();
        self.follow(first, |_, state, numbers| {
            for next in r.moves(state)?.into_iter().filter_map(|m| m.next) {
                numbers.number(r.canonical(&next));
            }
            Ok(())
        })
    }

    /// Every state of the product that can be reached, with its level.
    pub(crate) fn ranked<R: Reference>(&self, product: &Reading<'_, R>) -> Result<Ranked<R::State>, None> {
        let mut edges = Vec::new();
        let nodes = self.follow(product.initial()?, |from, node: &Node<R::State>, numbers| {
            for edge in product.edges(node)? {
                let to = numbers.number(edge.to.clone());
                edges.push(Numbered::new(from, to, edge));
            }
            Ok(())
        })?;
        if unobserved_cycle(nodes.len(), &edges).is_some() {
            return Err(None::Open);
        }
        let all: Vec<&Numbered> = edges.iter().collect();
        let ranking: Ranking =
            super::levels::rank(nodes.len(), &all, product.automaton.sets, &product.requirements)
                .ok_or(None::Open)?;
        Ok(Ranked { nodes, ranking })
    }
}
