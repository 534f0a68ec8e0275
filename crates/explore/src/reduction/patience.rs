//! When a selective search gives up looking for small sets.
//!
//! To find a set costs more than to expand a state. That pays if the sets leave much out, which
//! shows in a part of the states already. So edges are counted in windows of doubling length; at
//! the end of one in which nearly all of them were explored the search gives up, for good. Nothing
//! but counts decides, so that the same search always gives the same numbers.

/// How long a search goes on looking for small sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// The states of the first window; those count in which more than one edge is awake.
    pub states: u64,
    /// Where more than this many of a hundred edges are explored, sets are seldom small.
    pub share: u64,
}

impl Patience {
    /// The usual patience: from 4,096 states on, at most 70 of 100 edges.
    pub const USUAL: Patience = Patience { states: 1 << 12, share: 70 };
}

/// What the sets of a search have left out so far.
pub(super) struct Effort {
    patience: Option<Patience>,
    /// How many states the window still has.
    left: u64,
    /// Edges in the window, and how many of them were explored.
    edges: u64,
    explored: u64,
    pub gave_up: bool,
}

impl Effort {
    pub fn new(patience: Option<Patience>) -> Effort {
        let left = patience.map_or(0, |p| p.states);
        Effort { patience, left, edges: 0, explored: 0, gave_up: false }
    }

    /// Counts a state by its edges that are awake, and those of them that are explored.
    pub fn count(&mut self, awake: usize, explored: usize) {
        let Some(Patience { states, share }) = self.patience else { return };
        if awake < 2 {
            return;
        }
        self.edges += awake as u64;
        self.explored += explored as u64;
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.gave_up = self.explored * 100 > self.edges * share;
            (self.edges, self.explored) = (0, 0);
            self.patience = (!self.gave_up).then_some(Patience { states: states * 2, share });
            self.left = states * 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_in_which_most_edges_are_explored_is_the_last() {
        let mut effort = Effort::new(Some(Patience { states: 10, share: 50 }));
        (0..10).for_each(|_| effort.count(4, 1));
        assert!(!effort.gave_up);
        (0..100).for_each(|_| effort.count(1, 1));
        (0..19).for_each(|_| effort.count(4, 3));
        assert!(!effort.gave_up, "the second window is twice as long");
        effort.count(4, 3);
        assert!(effort.gave_up);
    }
}
