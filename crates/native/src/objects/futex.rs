//! Words of memory that threads sleep on: the raw futex, and what libraries build from it.
//!
//! A wait is two operations: a look at the word, which also enters among the waiters if it was as
//! expected (that the run finds out, and remembers behind the look); then the sleep, which ends
//! when another thread wakes this one. A wake may choose any waiter.

use super::{Effect, Model, wake};
use crate::operation::{Access, Class, Footprint, Key, Op, Outcome, Tid, Touch};

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

    fn wakes(&self, op: &Op) -> Vec<Vec<Tid>> {
        let waiting = self.waiting.get(&op.key).map_or(&[][..], Vec::as_slice);
        choices(waiting, usize::try_from(op.a).unwrap_or(0).min(waiting.len()))
    }

    pub(super) fn wake_outcomes(&self, op: &Op) -> Vec<Outcome> {
        (0..self.wakes(op).len() as Outcome).collect()
    }

    fn woken_by(&self, op: &Op, outcome: Outcome) -> Vec<Tid> {
        usize::try_from(outcome).ok().and_then(|n| self.wakes(op).get(n).cloned()).unwrap_or_default()
    }

    pub(super) fn wake_touches(&self, op: &Op, outcome: Outcome) -> Footprint {
        let woken = self.woken_by(op, outcome);
        std::iter::once(op.key.touch(Access::Change)).chain(woken.into_iter().map(wake)).collect()
    }

    pub(super) fn look_touches(op: &Op) -> Footprint {
        let word = Key { class: Class::Memory, ..op.with.unwrap_or(op.key) };
        vec![Touch { key: word, length: 4, access: Access::Read }, op.key.touch(Access::Post)]
    }

    pub(super) fn wake_sleepers(&mut self, op: &Op, outcome: Outcome) -> Effect {
        let woken = self.woken_by(op, outcome);
        if let Some(waiting) = self.waiting.get_mut(&op.key) {
            waiting.retain(|w| !woken.contains(w));
        }
        self.woken.extend(woken.iter().copied());
        Effect { result: woken.len() as i64, ..Effect::default() }
    }

    /// The sleep is over, or its time is up.
    pub(super) fn get_up(&mut self, who: Tid, op: &Op) -> Effect {
        if self.woken.remove(&who) {
            return Effect::default();
        }
        if let Some(waiting) = self.waiting.get_mut(&op.key) {
            waiting.retain(|w| *w != who);
        }
        Effect::of(libc::ETIMEDOUT)
    }
}
