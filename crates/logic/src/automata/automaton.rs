//! Transition-based generalized Büchi automata.
//!
//! A letter is a valuation of at most 64 propositions, the bits of a `u64`. A run is accepting if
//! for each of the at most 64 acceptance sets it takes an edge of the set infinitely often; without
//! sets every infinite run accepts.

/// A conjunction of literals over propositions 0 to 63.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cube {
    /// Bit k: proposition k must be true.
    pub positive: u64,
    /// Bit k: proposition k must be false.
    pub negative: u64,
}

/// A disjunction of cubes: empty is false, one empty cube is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Label {
    /// The label holds where one of these does.
    pub cubes: Vec<Cube>,
}

/// An edge of an automaton, taken on every letter that its label allows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// On which letters it is taken.
    pub label: Label,
    /// The state it leads to.
    pub to: usize,
    /// The acceptance sets it is in, as bits.
    pub sets: u64,
}

/// An ω-automaton with acceptance sets on its edges.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Automaton {
    /// How many propositions a letter has.
    pub propositions: usize,
    /// How many acceptance sets there are.
    pub sets: usize,
    /// The state in which every word begins.
    pub initial: usize,
    /// The edges out of each state.
    pub states: Vec<Vec<Edge>>,
}

impl Cube {
    /// Whether a letter satisfies every literal of the cube.
    pub fn holds(&self, letter: u64) -> bool {
        letter & self.positive == self.positive && letter & self.negative == 0
    }
}

impl Label {
    /// The label that every letter satisfies.
    pub fn truth() -> Label {
        Label { cubes: vec![Cube::default()] }
    }

    /// Whether a letter satisfies the label.
    pub fn holds(&self, letter: u64) -> bool {
        self.cubes.iter().any(|cube| cube.holds(letter))
    }
}
