//! Words of memory that threads sleep on: the raw futex, and what libraries build from it.
//!
//! A wait is two operations: a look at the word, which also enters among the waiters if it was as
//! expected (that the run finds out, and remembers behind the look); then the sleep, which ends
//! when another thread wakes this one. A wake may choose any waiter.

use super::{By, Effect, Family, Model, wake, when};
use crate::operation::{Access, Footprint, Key, ObjectAccess, Operation, Outcome, Tid};
use std::mem::discriminant;

/// An operation on those who sleep on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub queue: Key,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// The first part of a wait: a look at the word.
    Look {
        word: Key,
        size: i64,
    },
    /// The second: asleep.
    Sleep,
    Wake {
        most: i64,
    },
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.queue
    }

    fn second(&self) -> Option<Key> {
        match self.does {
            Does::Look { word, .. } => Some(word),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Look { .. } => "futex_wait",
            Does::Sleep => "futex_wait sleeps",
            Does::Wake { .. } => "futex_wake",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Futex(o)
            if o.queue == self.queue
                && discriminant(&o.does) == discriminant(&self.does)
                && o.second() == self.second())
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        match self.does {
            Does::Look { .. } => vec![0],
            Does::Sleep => when(model.woken.contains(&by.who)),
            Does::Wake { most } => (0..model.wakes(self.queue, most).len() as Outcome).collect(),
        }
    }

    fn touches(&self, model: &Model, by: By<'_>, outcome: Outcome) -> Footprint {
        let change = self.queue.touch(Access::Change);
        match self.does {
            Does::Look { word, .. } => {
                vec![
                    ObjectAccess { key: word, length: 4, access: Access::Read },
                    self.queue.touch(Access::Post),
                ]
            }
            Does::Sleep => by.pending.late.then_some(change).into_iter().chain([wake(by.who)]).collect(),
            Does::Wake { most } => {
                let woken = model.woken_by(self.queue, most, outcome).into_iter();
                std::iter::once(change).chain(woken.map(wake)).collect()
            }
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, outcome: Outcome) -> Effect {
        match self.does {
            Does::Look { .. } => Effect::default(),
            Does::Sleep => model.get_up(by.who, self.queue),
            Does::Wake { most } => model.wake_sleepers(self.queue, most, outcome),
        }
    }
}

/// All ways to choose `count` of them.
fn choices(of: &[Tid], count: usize) -> Vec<Vec<Tid>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let with = |at: usize| {
        let rest = choices(&of[at + 1..], count - 1);
        rest.into_iter().map(move |r| std::iter::once(of[at]).chain(r).collect())
    };
    (0..of.len()).flat_map(with).collect()
}

impl Model {
    pub fn fall_asleep(&mut self, who: Tid, key: Key) {
        let waiting = self.waiting.entry(key).or_default();
        waiting.push(who);
        waiting.sort_unstable();
    }

    fn wakes(&self, queue: Key, most: i64) -> Vec<Vec<Tid>> {
        let waiting = self.waiting.get(&queue).map_or(&[][..], Vec::as_slice);
        choices(waiting, usize::try_from(most).unwrap_or(0).min(waiting.len()))
    }

    fn woken_by(&self, queue: Key, most: i64, outcome: Outcome) -> Vec<Tid> {
        let chosen = |n: usize| self.wakes(queue, most).get(n).cloned();
        usize::try_from(outcome).ok().and_then(chosen).unwrap_or_default()
    }

    fn wake_sleepers(&mut self, queue: Key, most: i64, outcome: Outcome) -> Effect {
        let woken = self.woken_by(queue, most, outcome);
        if let Some(waiting) = self.waiting.get_mut(&queue) {
            waiting.retain(|w| !woken.contains(w));
        }
        self.woken.extend(woken.iter().copied());
        Effect { result: woken.len() as i64, ..Effect::default() }
    }

    /// The sleep is over, or its time is up.
    fn get_up(&mut self, who: Tid, queue: Key) -> Effect {
        if self.woken.remove(&who) {
            return Effect::default();
        }
        if let Some(waiting) = self.waiting.get_mut(&queue) {
            waiting.retain(|w| *w != who);
        }
        Effect::of(libc::ETIMEDOUT)
    }
}
