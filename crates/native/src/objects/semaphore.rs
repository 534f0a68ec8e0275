//! POSIX semaphores. The operation carries the value in memory, for those that were never
//! initialised.

use super::{Effect, Model};
use crate::operation::Op;

impl Model {
    pub(super) fn semaphore(&self, op: &Op) -> i64 {
        self.semaphores.get(&op.key).copied().unwrap_or(op.a)
    }

    /// Of `sem_wait` and `sem_trywait`.
    pub(super) fn take_one(&mut self, op: &Op) -> Effect {
        let value = self.semaphore(op);
        if value <= 0 {
            return Effect::of(libc::EAGAIN);
        }
        self.semaphores.insert(op.key, value - 1);
        Effect::default()
    }

    pub(super) fn post(&mut self, op: &Op) -> Effect {
        let value = self.semaphore(op);
        if value >= i32::MAX.into() {
            return Effect::of(libc::EOVERFLOW);
        }
        self.semaphores.insert(op.key, value + 1);
        Effect::default()
    }
}
