//! Barriers.

use super::{By, Effect, Family, Model, wake, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome};

/// An operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub barrier: Key,
    /// For how many it is.
    pub count: i64,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Init,
    Destroy,
    Wait,
    /// Resumption of a wait.
    Leave,
}

/// What the last thread at a barrier gets.
const SERIAL: i32 = -1;

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.barrier
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Init => "barrier_init",
            Does::Destroy => "barrier_destroy",
            Does::Wait | Does::Leave => "barrier_wait",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Barrier(o) if o.barrier == self.barrier && o.does == self.does)
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        when(self.does != Does::Leave || model.woken.contains(&by.who))
    }

    fn touches(&self, _: &Model, by: By<'_>, _: Outcome) -> Footprint {
        match self.does {
            Does::Leave => vec![wake(by.who)],
            _ => vec![self.barrier.touch(Access::Change)],
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, _: Outcome) -> Effect {
        match self.does {
            Does::Init => {
                model.forget(&self.barrier);
                model.counts.insert(self.barrier, self.count);
                Effect::default()
            }
            Does::Destroy => model.destroy_barrier(self.barrier),
            Does::Wait => model.arrive(by, self),
            Does::Leave => {
                model.woken.remove(&by.who);
                Effect::default()
            }
        }
    }

    /// Who leaves does not need it any more.
    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        let size = size_of::<libc::pthread_barrier_t>() as u32;
        [(self.does != Does::Leave).then_some((self.barrier, size)), None]
    }
}

impl Model {
    /// The last to come wakes the others.
    fn arrive(&mut self, by: By<'_>, op: &Op) -> Effect {
        let count = self.counts.get(&op.barrier).copied().unwrap_or(op.count);
        if count == 0 {
            return Effect::misuse(libc::EINVAL, "wait at a barrier that is not initialised");
        }
        let arrived = self.barriers.entry(op.barrier).or_default();
        if (arrived.len() as i64) + 1 < count {
            arrived.push(by.who);
            return Effect::next(by.pending.then(Operation::Barrier(Op { does: Does::Leave, ..*op })));
        }
        let released = std::mem::take(arrived);
        self.woken.extend(released.iter().copied());
        Effect { released, ..Effect::of(SERIAL) }
    }

    fn destroy_barrier(&mut self, key: Key) -> Effect {
        self.counts.remove(&key);
        match self.barriers.remove(&key) {
            Some(arrived) if !arrived.is_empty() => {
                Effect::misuse(libc::EBUSY, "destruction of a barrier at which a thread waits")
            }
            _ => Effect::default(),
        }
    }
}
