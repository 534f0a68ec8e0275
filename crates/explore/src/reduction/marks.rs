//! What a selective search knows of each state besides the state itself, in one byte, and two or
//! four more where something sleeps.

use super::sleep::SleepId;
use crate::store::{StateId, lengthen, near};
use std::collections::HashMap;

/// By state: flags, how often it is on the stack, what sleeps there.
#[derive(Default)]
pub(super) struct Marks {
    /// Three flags, and above them how often the state is on the stack, up to [`MOST`].
    flags: Vec<u8>,
    /// How much oftener it is there.
    more: HashMap<StateId, u32>,
    /// What sleeps, the thesis' H(s).Sleep; nothing behind the end. Small numbers as long as that
    /// will do.
    small: Vec<u16>,
    large: Vec<SleepId>,
}

/// The state was visited.
const VISITED: u8 = 1;
/// There is a way from it to a state from which everything is explored.
const GROUNDED: u8 = 2;
/// The search has come to it; a state that only waits to be visited is stored already.
const ENTERED: u8 = 4;
const ONCE: u8 = 8;
const MOST: u8 = u8::MAX / ONCE;

impl Marks {
    /// Nothing is known of a state.
    pub fn begin(&mut self, id: StateId) {
        let at = id as usize;
        if self.flags.len() <= at {
            lengthen(&mut self.flags, at + 1, 0);
        }
        self.flags[at] = 0;
        self.set_sleeping(id, 0);
    }

    /// Brings near what is known of a state.
    #[inline]
    pub fn prefetch(&self, id: StateId) {
        near(self.flags.as_ptr().wrapping_add(id as usize));
        if !self.small.is_empty() {
            near(self.small.as_ptr().wrapping_add(id as usize));
        }
    }

    fn has(&self, id: StateId, flag: u8) -> bool {
        self.flags[id as usize] & flag != 0
    }

    pub fn is_visited(&self, id: StateId) -> bool {
        self.has(id, VISITED)
    }

    pub fn is_entered(&self, id: StateId) -> bool {
        self.has(id, ENTERED)
    }

    pub fn is_grounded(&self, id: StateId) -> bool {
        self.has(id, GROUNDED)
    }

    pub fn is_on_stack(&self, id: StateId) -> bool {
        self.flags[id as usize] >= ONCE
    }

    /// A step to it is one to a grounded state.
    pub fn grounds(&self, id: StateId) -> bool {
        self.is_visited(id) && (!self.is_on_stack(id) || self.is_grounded(id))
    }

    pub fn visit(&mut self, id: StateId) {
        self.flags[id as usize] |= VISITED;
    }

    pub fn enter(&mut self, id: StateId) {
        self.flags[id as usize] |= ENTERED;
    }

    pub fn ground(&mut self, id: StateId) {
        self.flags[id as usize] |= GROUNDED;
    }

    /// Once more on the stack.
    pub fn push(&mut self, id: StateId) {
        let flags = &mut self.flags[id as usize];
        if *flags / ONCE == MOST {
            *self.more.entry(id).or_default() += 1;
        } else {
            *flags += ONCE;
        }
    }

    /// Once less.
    pub fn pop(&mut self, id: StateId) {
        match self.more.get_mut(&id) {
            Some(1) => drop(self.more.remove(&id)),
            Some(times) => *times -= 1,
            None => self.flags[id as usize] -= ONCE,
        }
    }

    pub fn sleeping(&self, id: StateId) -> SleepId {
        let at = id as usize;
        let small = self.small.get(at).map(|number| SleepId::from(*number));
        small.or_else(|| self.large.get(at).copied()).unwrap_or(0)
    }

    pub fn set_sleeping(&mut self, id: StateId, asleep: SleepId) {
        let at = id as usize;
        if asleep == 0 && at >= self.small.len().max(self.large.len()) {
            return;
        }
        match u16::try_from(asleep) {
            Ok(number) if self.large.is_empty() => {
                if self.small.len() <= at {
                    lengthen(&mut self.small, at + 1, 0);
                }
                self.small[at] = number;
            }
            _ => {
                if self.large.is_empty() {
                    self.large = std::mem::take(&mut self.small).into_iter().map(SleepId::from).collect();
                }
                if self.large.len() <= at {
                    lengthen(&mut self.large, at + 1, 0);
                }
                self.large[at] = asleep;
            }
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        (self.flags.capacity() + 2 * self.small.capacity() + 4 * self.large.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;

    #[test]
    fn marks_are_those_of_a_plain_table() {
        let mut random = Random::new(5);
        for bound in [100, 70_000] {
            let mut marks = Marks::default();
            let mut plain: Vec<(bool, u32, SleepId)> = Vec::new();
            for _ in 0..20_000 {
                if plain.len() < 50 || random.below(4) == 0 {
                    marks.begin(plain.len() as StateId);
                    plain.push((false, 0, 0));
                }
                let at = random.below(plain.len().min(60));
                let id = at as StateId;
                match random.below(5) {
                    0 => (marks.visit(id), plain[at].0 = true).0,
                    1 | 2 => (marks.push(id), plain[at].1 += 1).0,
                    3 if plain[at].1 > 0 => (marks.pop(id), plain[at].1 -= 1).0,
                    _ => {
                        plain[at].2 = random.below(bound) as SleepId;
                        marks.set_sleeping(id, plain[at].2);
                    }
                }
            }
            for (at, (visited, stack, sleeping)) in plain.iter().enumerate() {
                let id = at as StateId;
                assert_eq!(marks.is_visited(id), *visited);
                assert_eq!(marks.sleeping(id), *sleeping);
                (0..*stack).for_each(|_| {
                    assert!(marks.is_on_stack(id));
                    marks.pop(id);
                });
                assert!(!marks.is_on_stack(id));
            }
        }
    }
}
