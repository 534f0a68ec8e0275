//! Transition-based generalized Büchi automata.
//!
//! A letter is a valuation of at most 64 propositions, the bits of a `u64`. A run is accepting if
//! for each of the at most 64 acceptance sets it takes an edge of the set infinitely often; without
//! sets every infinite run accepts.

/// A conjunction of literals over propositions 0 to 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cube {
    pub positive: u64,
    pub negative: u64,
}

/// A disjunction of cubes: empty is false, one empty cube is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Label {
    pub cubes: Vec<Cube>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    pub label: Label,
    pub to: usize,
    /// The acceptance sets it is in, as bits.
    pub sets: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Automaton {
    /// How many propositions a letter has.
    pub propositions: usize,
    /// How many acceptance sets there are.
    pub sets: usize,
    pub initial: usize,
    /// The edges out of each state.
    pub states: Vec<Vec<Edge>>,
}

impl Cube {
    pub fn holds(&self, letter: u64) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }
}

impl Label {
    pub fn truth() -> Label {
        Label { cubes: vec![Cube::default()] }
    }

    pub fn holds(&self, letter: u64) -> bool {
        self.cubes.iter().any(|cube| cube.holds(letter))
    }
}
