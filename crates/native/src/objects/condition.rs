//! Condition variables: a signal may wake any waiter; a waiter first lets go of its mutex, and
//! takes it again when woken.

use super::{Effect, Model, NONE};
use crate::operation::{Key, Op, Outcome, RELOCK, Tid};

impl Model {
    pub(super) fn signal_outcomes(&self, key: Key) -> Vec<Outcome> {
        match self.waiting.get(&key) {
            Some(waiting) if !waiting.is_empty() => waiting.iter().map(|w| *w as Outcome).collect(),
            _ => vec![NONE],
        }
    }

    pub(super) fn signal(&mut self, key: Key, outcome: Outcome) -> Effect {
        if let Ok(woken) = Tid::try_from(outcome) {
            self.waiting.entry(key).or_default().retain(|w| *w != woken);
            self.woken.insert(woken);
        }
        Effect::default()
    }

    pub(super) fn broadcast(&mut self, key: Key) -> Effect {
        self.woken.extend(self.waiting.remove(&key).into_iter().flatten());
        Effect::default()
    }

    /// `op.b` is not 0 if it will time out or wake by itself: then no thread needs to wake it.
    pub(super) fn wait_on(&mut self, who: Tid, op: &Op) -> Effect {
        let Some(mutex) = op.with else { return Effect::of(libc::EINVAL) };
        let released = self.unlock(who, mutex, op.a);
        if released.misuse.is_some() || released.result != 0 {
            let what = "wait on a condition variable without its mutex";
            return Effect { misuse: Some(what.to_string()), ..released };
        }
        if op.b == 0 {
            self.waiting.entry(op.key).or_default().push(who);
        }
        let ready = if op.b == 1 { op.until } else { op.ready };
        Effect::next(Op { kind: RELOCK, ready, ..op.clone() })
    }

    pub(super) fn can_relock(&self, op: &Op) -> bool {
        op.with.is_some_and(|m| self.mutexes.get(&m).is_none_or(|m| m.owner.is_none()))
    }

    pub(super) fn wake_up(&mut self, who: Tid, op: &Op) -> Effect {
        self.woken.remove(&who);
        let locked = op.with.map(|m| self.lock(who, m, op.a, op.process)).unwrap_or_default();
        if op.b == 1 && locked.result == 0 { Effect::of(libc::ETIMEDOUT) } else { locked }
    }

    pub(super) fn destroy_condition(&mut self, key: Key) -> Effect {
        if self.waiting.get(&key).is_some_and(|w| !w.is_empty()) {
            return Effect::misuse(0, "destruction of a condition variable on which a thread waits");
        }
        self.waiting.remove(&key);
        Effect::default()
    }
}
