//! POSIX semaphores. The operation carries the value in memory, for those that were never
//! initialised.

use super::{By, Effect, Family, Model, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome};
use std::mem::discriminant;

/// SEM_VALUE_MAX.
const MOST: i64 = i32::MAX as i64;

/// An operation on a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub semaphore: Key,
    /// What it counts, in memory; of `Init`: from now on.
    pub value: i64,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// A named one has its value already, unless it is new.
    Init {
        named: bool,
    },
    Destroy,
    Wait,
    TryWait,
    Post,
    GetValue,
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.semaphore
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Init { .. } => "sem_init",
            Does::Destroy => "sem_destroy",
            Does::Wait => "sem_wait",
            Does::TryWait => "sem_trywait",
            Does::Post => "sem_post",
            Does::GetValue => "sem_getvalue",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Semaphore(o)
            if o.semaphore == self.semaphore && discriminant(&o.does) == discriminant(&self.does))
    }

    fn outcomes(&self, model: &Model, _: By<'_>) -> Vec<Outcome> {
        when(self.does != Does::Wait || model.semaphore(self) > 0)
    }

    fn touches(&self, model: &Model, _: By<'_>, _: Outcome) -> Footprint {
        let access = match self.does {
            // Near its limit the last post fails, so their order matters.
            Does::Post if model.semaphore(self) < MOST / 2 => Access::Post,
            Does::GetValue => Access::Read,
            _ => Access::Change,
        };
        vec![self.semaphore.touch(access)]
    }

    fn perform(&self, model: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        match self.does {
            Does::Init { named } => {
                let known = model.semaphores.get(&self.semaphore).copied().filter(|_| named);
                model.forget(&self.semaphore);
                model.semaphores.insert(self.semaphore, known.unwrap_or(self.value));
            }
            Does::Destroy => drop(model.semaphores.remove(&self.semaphore)),
            Does::Wait | Does::TryWait => return model.take_one(self),
            Does::Post => return model.post(self),
            Does::GetValue => return Effect { result: model.semaphore(self), ..Effect::default() },
        }
        Effect::default()
    }

    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        [Some((self.semaphore, size_of::<libc::sem_t>() as u32)), None]
    }
}

impl Model {
    fn semaphore(&self, op: &Op) -> i64 {
        self.semaphores.get(&op.semaphore).copied().unwrap_or(op.value)
    }

    /// Of `sem_wait` and `sem_trywait`.
    fn take_one(&mut self, op: &Op) -> Effect {
        let value = self.semaphore(op);
        if value <= 0 {
            return Effect::of(libc::EAGAIN);
        }
        self.semaphores.insert(op.semaphore, value - 1);
        Effect::default()
    }

    fn post(&mut self, op: &Op) -> Effect {
        let value = self.semaphore(op);
        if value >= MOST {
            return Effect::of(libc::EOVERFLOW);
        }
        self.semaphores.insert(op.semaphore, value + 1);
        Effect::default()
    }
}
