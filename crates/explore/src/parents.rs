//! Who found each state of a breadth-first search, in two bits a state.
//!
//! States are numbered as they are found and expanded in the order of their numbers, so parents
//! never decrease. For each state that was expanded there is a one for every state it found, then a
//! zero. The parent of a state is the number of zeros before its one. A path to the initial state
//! goes backwards through the bits once.

use crate::store::StateId;

#[derive(Default)]
pub(crate) struct Parents {
    /// States without a parent; they come first.
    roots: usize,
    bits: Vec<u64>,
    /// How many bits there are.
    len: usize,
    /// How many of them are zero.
    zeros: usize,
}

impl Parents {
    /// After these initial states.
    pub fn new(roots: usize) -> Parents {
        Parents { roots, ..Parents::default() }
    }

    /// The next state was expanded and found this many.
    pub fn expanded(&mut self, found: usize) {
        self.len += found + 1;
        self.bits.resize(self.len.div_ceil(64), 0);
        for at in self.len - found - 1..self.len - 1 {
            self.bits[at / 64] |= 1 << (at % 64);
        }
        self.zeros += 1;
    }

    /// The states on the way to one, an initial one first. States found by the one at work have no
    /// bit yet.
    pub fn path_to(&self, id: StateId) -> Vec<StateId> {
        let mut path = vec![id];
        let mut at = id as usize;
        // Before bit `end` there are `ones` ones.
        let (mut end, mut ones) = (self.len, self.len - self.zeros);
        while at >= self.roots {
            let wanted = at - self.roots;
            while ones > wanted {
                let in_word = (end - 1) % 64 + 1;
                let word = self.bits[(end - 1) / 64] << (64 - in_word) >> (64 - in_word);
                let count = word.count_ones() as usize;
                if ones - count > wanted {
                    ones -= count;
                    end -= in_word;
                } else {
                    end -= 1;
                    ones -= (word >> (in_word - 1) & 1) as usize;
                }
            }
            at = end - ones;
            path.push(at as StateId);
        }
        path.reverse();
        path
    }

    pub fn memory_bytes(&self) -> u64 {
        8 * self.bits.capacity() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;

    #[test]
    fn paths_are_those_of_plain_parents() {
        let mut random = Random::new(3);
        for roots in 1..4 {
            let mut parents = Parents::new(roots);
            let mut plain: Vec<Option<usize>> = vec![None; roots];
            for id in 0..5_000 {
                let found = if id + 1 < plain.len() { random.below(4) } else { 1 + random.below(200) };
                plain.extend((0..found).map(|_| Some(id)));
                parents.expanded(found);
            }
            for _ in 0..200 {
                let id = random.below(plain.len());
                let mut path: Vec<StateId> =
                    std::iter::successors(Some(id), |at| plain[*at]).map(|at| at as StateId).collect();
                path.reverse();
                assert_eq!(parents.path_to(id as StateId), path);
            }
        }
    }
}
