//! Graphs by chance, from a seed.

use crate::explicit::Explicit;
use explore::emptiness::{Acceptance, Pair};

pub struct Chance(logic::random::Random);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Chance(logic::random::Random::new(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }
}

/// What graphs to make.
#[derive(Clone, Copy)]
pub struct Shape {
    pub states: usize,
    pub edges: usize,
    pub recurrent: usize,
    pub pairs: usize,
    /// Marks begin at this number, so that they need not be in the first word.
    pub first_mark: usize,
    /// One edge in `rarity` carries a given mark.
    pub rarity: usize,
}

pub fn graph(chance: &mut Chance, shape: Shape) -> Explicit {
    let marks = shape.first_mark + shape.recurrent + 2 * shape.pairs;
    let pairs = (0..shape.pairs).map(|k| shape.first_mark + shape.recurrent + 2 * k);
    let acceptance = Acceptance {
        marks,
        recurrent: (0..shape.recurrent).map(|k| shape.first_mark + k).collect(),
        pairs: pairs.map(|request| Pair { request, response: request + 1 }).collect(),
    };
    let mut graph = Explicit::new(acceptance, shape.states);
    graph.initial = (0..1 + chance.below(2)).map(|_| chance.below(shape.states) as u32).collect();
    for _ in 0..shape.edges {
        let [source, target] = [0; 2].map(|_| chance.below(shape.states) as u32);
        let marked: Vec<usize> =
            (shape.first_mark..marks).filter(|_| chance.below(shape.rarity) == 0).collect();
        graph.edge(source, target, &marked);
    }
    graph
}
