//! Condition variables: a signal may wake any waiter; a waiter first lets go of its mutex, and
//! takes it again when woken.

use super::mutex::LOCK;
use super::{By, CANCEL, Effect, Family, Model, NONE, wake, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome, Tid};
use std::mem::discriminant;

/// An operation on a condition variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub condition: Key,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Init,
    Destroy,
    Signal,
    Broadcast,
    Wait(Wait),
    /// Resumption of a wait: woken, it takes the mutex again.
    Relock(Wait),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    pub mutex: Key,
    /// Of the mutex.
    pub kind: i64,
    pub ends: Ends,
}

/// How a wait ends. Behind a choice: how it ends if the answer is yes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    Woken,
    TimedOut,
    /// By itself.
    Spurious,
}

const PASSED_ON: &str = "a signal of a condition variable that a cancelled thread leaves to others";
const SIZE: u32 = size_of::<libc::pthread_cond_t>() as u32;

impl Op {
    /// The second part of a wait.
    pub(super) fn is_resumed(&self) -> bool {
        matches!(self.does, Does::Relock(_))
    }

    /// A wait that may end by itself.
    pub fn is_spurious(&self) -> bool {
        matches!(self.does, Does::Wait(Wait { ends: Ends::Spurious, .. }))
    }
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.condition
    }

    fn second(&self) -> Option<Key> {
        match self.does {
            Does::Wait(wait) | Does::Relock(wait) => Some(wait.mutex),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Init => "cond_init",
            Does::Destroy => "cond_destroy",
            Does::Signal => "cond_signal",
            Does::Broadcast => "cond_broadcast",
            Does::Wait(_) => "cond_wait",
            Does::Relock(_) => "cond_wait wakes",
        }
    }

    fn call(&self) -> &'static str {
        if matches!(self.does, Does::Relock(_)) { "cond_wait" } else { self.name() }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Condition(o)
            if o.condition == self.condition
                && discriminant(&o.does) == discriminant(&self.does)
                && o.second() == self.second())
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        match self.does {
            Does::Signal => model.signal_outcomes(self.condition),
            Does::Relock(wait) => {
                let woken = wait.ends != Ends::Woken || model.woken.contains(&by.who);
                when(woken && model.can_relock(wait.mutex))
            }
            _ => vec![0],
        }
    }

    fn held(&self, model: &Model, by: By<'_>) -> Vec<(Key, Vec<Tid>)> {
        match self.does {
            Does::Relock(wait) if model.woken.contains(&by.who) => vec![model.owned(wait.mutex)],
            Does::Relock(_) => vec![(self.condition, Vec::new())],
            _ => Vec::new(),
        }
    }

    fn touches(&self, model: &Model, by: By<'_>, outcome: Outcome) -> Footprint {
        let change = self.condition.touch(Access::Change);
        match self.does {
            Does::Wait(wait) => vec![change, wait.mutex.touch(Access::Change)],
            Does::Relock(wait) => {
                // Who is cancelled no longer waits, or leaves a signal to others who do.
                let leaves = (outcome == CANCEL).then_some(change);
                [wait.mutex.touch(Access::Change), wake(by.who)].into_iter().chain(leaves).collect()
            }
            Does::Signal => std::iter::once(change).chain(Tid::try_from(outcome).ok().map(wake)).collect(),
            Does::Broadcast => {
                let waiting = model.waiting.get(&self.condition).into_iter().flatten();
                std::iter::once(change).chain(waiting.map(|w| wake(*w))).collect()
            }
            Does::Init | Does::Destroy => vec![change],
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, outcome: Outcome) -> Effect {
        match self.does {
            Does::Init => model.initialise(&self.condition),
            Does::Destroy => model.destroy_condition(self.condition),
            Does::Signal => model.signal(self.condition, outcome),
            Does::Broadcast => model.broadcast(self.condition),
            Does::Wait(wait) => model.wait_on(by, self.condition, wait),
            Does::Relock(wait) => model.wake_up(by, wait),
        }
    }

    /// Who is woken does not need what it was woken over.
    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        let condition = Some((self.condition, SIZE));
        match self.does {
            Does::Wait(wait) => [condition, Some((wait.mutex, LOCK))],
            Does::Relock(wait) => [None, Some((wait.mutex, LOCK))],
            _ => [condition, None],
        }
    }
}

impl Model {
    fn signal_outcomes(&self, key: Key) -> Vec<Outcome> {
        match self.waiting.get(&key) {
            Some(waiting) if !waiting.is_empty() => waiting.iter().map(|w| *w as Outcome).collect(),
            _ => vec![NONE],
        }
    }

    fn signal(&mut self, key: Key, outcome: Outcome) -> Effect {
        if let Ok(woken) = Tid::try_from(outcome) {
            self.waiting.entry(key).or_default().retain(|w| *w != woken);
            self.woken.insert(woken);
        }
        Effect::default()
    }

    fn broadcast(&mut self, key: Key) -> Effect {
        self.woken.extend(self.waiting.remove(&key).into_iter().flatten());
        Effect::default()
    }

    /// If it will time out or wake by itself, no thread needs to wake it.
    /// Who is asked to end already lets go of the mutex too, and returns only if it is woken.
    fn wait_on(&mut self, by: By<'_>, condition: Key, mut wait: Wait) -> Effect {
        let released = self.unlock(by.who, wait.mutex, wait.kind);
        if released.misuse.is_some() || released.result != 0 {
            let what = "wait on a condition variable without its mutex";
            return Effect { misuse: Some(what.to_string()), ..released };
        }
        if self.is_cancelled(by.who, by.pending) {
            wait.ends = Ends::Woken;
        }
        if wait.ends == Ends::Woken {
            self.waiting.entry(condition).or_default().push(by.who);
        }
        let mut next = by.pending.then(Operation::Condition(Op { condition, does: Does::Relock(wait) }));
        if wait.ends == Ends::TimedOut {
            next.ready = next.until;
        }
        Effect::next(next)
    }

    pub(super) fn can_relock(&self, mutex: Key) -> bool {
        self.mutexes.get(&mutex).is_none_or(|m| m.owner.is_none())
    }

    fn wake_up(&mut self, by: By<'_>, wait: Wait) -> Effect {
        self.woken.remove(&by.who);
        let locked = self.lock(by.who, wait.mutex, wait.kind, by.process());
        let late = wait.ends == Ends::TimedOut && locked.result == 0;
        if late { Effect::of(libc::ETIMEDOUT) } else { locked }
    }

    /// A thread that waits is cancelled: it takes its mutex first. A signal that woke it must not
    /// be lost on others who wait; which of them gets it is not modelled.
    pub(super) fn stop_waiting(&mut self, by: By<'_>, op: &Op) -> Effect {
        let Does::Relock(wait) = op.does else { return Effect::default() };
        let waiting = self.waiting.entry(op.condition).or_default();
        waiting.retain(|w| *w != by.who);
        let others = !waiting.is_empty();
        let signalled = wait.ends == Ends::Woken && self.woken.contains(&by.who);
        let unmodelled = (others && signalled).then_some(PASSED_ON);
        self.wake_up(by, wait);
        Effect { unmodelled, ..Effect::default() }
    }

    fn destroy_condition(&mut self, key: Key) -> Effect {
        if self.waiting.get(&key).is_some_and(|w| !w.is_empty()) {
            return Effect::misuse(0, "destruction of a condition variable on which a thread waits");
        }
        self.waiting.remove(&key);
        Effect::default()
    }
}
