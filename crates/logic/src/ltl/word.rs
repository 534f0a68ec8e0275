//! Infinite words with a finite description.

/// The infinite word `stem cycle cycle cycle …`. Every satisfiable formula of temporal logic is
/// satisfied by such a word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lasso<L> {
    /// The letters before the part that repeats.
    pub stem: Vec<L>,
    /// Never empty.
    pub cycle: Vec<L>,
}

impl<L> Lasso<L> {
    /// # Panics
    /// If the cycle is empty: then there is no infinite word.
    pub fn new(stem: Vec<L>, cycle: Vec<L>) -> Lasso<L> {
        assert!(!cycle.is_empty(), "a lasso needs a cycle");
        Lasso { stem, cycle }
    }

    /// The letter at a position.
    pub fn at(&self, position: usize) -> &L {
        match position.checked_sub(self.stem.len()) {
            None => &self.stem[position],
            Some(beyond) => &self.cycle[beyond % self.cycle.len()],
        }
    }

    /// The word of other letters, one for one.
    pub fn map<M>(&self, letter: impl FnMut(&L) -> M + Copy) -> Lasso<M> {
        Lasso { stem: self.stem.iter().map(letter).collect(), cycle: self.cycle.iter().map(letter).collect() }
    }
}
