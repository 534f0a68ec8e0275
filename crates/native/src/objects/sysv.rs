//! System V semaphores: several operations at once, waiting for zero, SEM_UNDO. All of it without
//! the kernel.

use super::queue::SYSV_SET;
use super::{By, Effect, Family, GONE, Model, when};
use crate::operation::{Access, Class, Footprint, Key, ObjectAccess, Operation, Outcome, Tid};
use std::mem::discriminant;

/// An operation on a set of semaphores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    pub set: u64,
    pub does: Does,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    Operate(Vec<Buffer>),
    SetValue {
        index: u64,
        value: i64,
    },
    GetValue {
        index: u64,
    },
    SetAll(Vec<u16>),
    GetAll,
    Remove,
    /// How many semaphores there are. Who waited or operated last is not modelled.
    Query {
        count: bool,
    },
}

/// A `struct sembuf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub index: u64,
    pub change: i64,
    pub(super) nowait: bool,
    undo: bool,
}

impl Buffer {
    /// It takes, and waits for that.
    pub(super) fn only_waits(&self) -> bool {
        self.change < 0 && !self.nowait
    }
}

const NOWAIT: u16 = 0o4000;
const UNDO: u16 = 0x1000;
const MOST: i64 = 32767;

/// Those in a message.
pub fn buffers(data: &[u8]) -> Vec<Buffer> {
    let word = |b: &[u8]| u16::from_le_bytes([b[0], b[1]]);
    let all = data.chunks_exact(6).map(|b| {
        let flags = word(&b[4..]);
        Buffer {
            index: word(b).into(),
            change: i64::from(word(&b[2..]) as i16),
            nowait: flags & NOWAIT != 0,
            undo: flags & UNDO != 0,
        }
    });
    all.collect()
}

fn key(set: u64, index: u64) -> Key {
    Key::new(Class::Sysv, set, index)
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        match self.does {
            Does::SetValue { index, .. } | Does::GetValue { index } => key(self.set, index),
            _ => key(self.set, 0),
        }
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Operate(_) => "semop",
            Does::SetValue { .. } => "semctl(SETVAL)",
            Does::GetValue { .. } => "semctl(GETVAL)",
            Does::SetAll(_) => "semctl(SETALL)",
            Does::Remove => "semctl(IPC_RMID)",
            Does::GetAll | Does::Query { .. } => "semctl",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        let Operation::SysV(other) = other else { return false };
        let alike = match (&self.does, &other.does) {
            (Does::Operate(a), Does::Operate(b)) => a == b,
            (Does::SetAll(a), Does::SetAll(b)) => a == b,
            (a, b) => discriminant(a) == discriminant(b),
        };
        alike && self.key(0) == other.key(0)
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        let Does::Operate(buffers) = &self.does else { return vec![0] };
        if model.has_set(self.set).is_none() {
            let waits = !buffers.iter().all(|b| b.nowait || b.change > 0);
            return model.gone_outcomes(by.who, key(self.set, 0), waits);
        }
        when(model.attempt(self.set, buffers).is_some())
    }

    fn touches(&self, model: &Model, _: By<'_>, _: Outcome) -> Footprint {
        match &self.does {
            Does::Operate(buffers) => model.operate_touches(self.set, buffers),
            Does::SetValue { index, .. } => vec![key(self.set, *index).touch(Access::Change)],
            Does::GetValue { index } => vec![key(self.set, *index).touch(Access::Read)],
            Does::SetAll(_) | Does::GetAll | Does::Query { .. } => vec![model.whole_set(self.set)],
            Does::Remove => {
                let name = Key::new(Class::Name, SYSV_SET, self.set);
                vec![model.whole_set(self.set), name.touch(Access::Change)]
            }
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, outcome: Outcome) -> Effect {
        match &self.does {
            Does::Operate(_) if outcome == GONE => Effect::of(-libc::EIDRM),
            Does::Operate(buffers) => model.operate(by.process(), self.set, buffers),
            Does::SetValue { index, value } => model.set_value(self.set, *index, *value),
            Does::GetValue { index } => model.get_value(self.set, *index),
            Does::SetAll(values) => model.set_all(self.set, values),
            Does::GetAll => model.get_all(self.set),
            Does::Remove => model.remove_set(by.who, self.set),
            Does::Query { count } => model.query(self.set, *count),
        }
    }
}

impl Model {
    pub fn new_set(&mut self, set: u64, count: usize) {
        self.removed.remove(&key(set, 0));
        self.sets.insert(set, count);
    }

    pub fn has_set(&self, set: u64) -> Option<usize> {
        self.sets.get(&set).copied()
    }

    fn whole_set(&self, set: u64) -> ObjectAccess {
        let count = self.sets.get(&set).copied().unwrap_or(1);
        ObjectAccess { key: key(set, 0), length: count.max(1) as u32, access: Access::Change }
    }

    fn value(&self, key: &Key) -> i64 {
        self.semaphores.get(key).copied().unwrap_or(0)
    }

    /// Signals commute away from the limit, tests for zero commute; whatever can fail or wait does
    /// not.
    fn operate_touches(&self, set: u64, buffers: &[Buffer]) -> Footprint {
        let touch = |b: &Buffer| {
            let alone = buffers.iter().filter(|other| other.index == b.index).count() == 1;
            let key = key(set, b.index);
            key.touch(match b.change {
                0 if alone => Access::Read,
                1.. if alone && self.value(&key) + b.change <= MOST / 2 => Access::Post,
                _ => Access::Change,
            })
        };
        buffers.iter().map(touch).collect()
    }

    /// The values after all operations, or why not: `None` if it must wait.
    fn attempt(&self, set: u64, buffers: &[Buffer]) -> Option<Result<Vec<(Key, i64)>, i32>> {
        let Some(count) = self.has_set(set) else { return Some(Err(libc::EINVAL)) };
        if buffers.iter().any(|b| b.index >= count as u64) {
            return Some(Err(libc::EFBIG));
        }
        let mut values: Vec<(Key, i64)> = Vec::new();
        for buffer in buffers {
            let key = key(set, buffer.index);
            let at = values.iter().position(|(k, _)| *k == key).unwrap_or_else(|| {
                values.push((key, self.value(&key)));
                values.len() - 1
            });
            let value = values[at].1;
            let blocked = if buffer.change == 0 { value != 0 } else { value + buffer.change < 0 };
            if blocked {
                return buffer.nowait.then_some(Err(libc::EAGAIN));
            }
            if value + buffer.change > MOST {
                return Some(Err(libc::ERANGE));
            }
            values[at].1 = value + buffer.change;
        }
        Some(Ok(values))
    }

    fn operate(&mut self, process: u64, set: u64, buffers: &[Buffer]) -> Effect {
        match self.attempt(set, buffers) {
            None => Effect::of(-libc::EAGAIN),
            Some(Err(error)) => Effect::of(-error),
            Some(Ok(values)) => {
                self.semaphores.extend(values);
                for buffer in buffers.iter().filter(|b| b.undo) {
                    *self.undo.entry((process, key(set, buffer.index))).or_default() -= buffer.change;
                }
                Effect::default()
            }
        }
    }

    fn checked(&self, set: u64, index: u64) -> Option<Effect> {
        let count = self.has_set(set).unwrap_or(0) as u64;
        (index >= count).then(|| Effect::of(-libc::EINVAL))
    }

    fn set_value(&mut self, set: u64, index: u64, value: i64) -> Effect {
        if let Some(refused) = self.checked(set, index) {
            return refused;
        }
        if !(0..=MOST).contains(&value) {
            return Effect::of(-libc::ERANGE);
        }
        self.semaphores.insert(key(set, index), value);
        self.undo.retain(|(_, k), _| *k != key(set, index));
        Effect::default()
    }

    fn get_value(&self, set: u64, index: u64) -> Effect {
        let value = Effect { result: self.value(&key(set, index)), ..Effect::default() };
        self.checked(set, index).unwrap_or(value)
    }

    fn set_all(&mut self, set: u64, values: &[u16]) -> Effect {
        for (index, value) in (0..).zip(values) {
            self.semaphores.insert(key(set, index), i64::from(*value));
        }
        self.undo.retain(|(_, k), _| k.space != set || k.class != Class::Sysv);
        Effect::default()
    }

    fn get_all(&self, set: u64) -> Effect {
        let Some(count) = self.has_set(set) else { return Effect::of(-libc::EINVAL) };
        let values = (0..count as u64).map(|i| self.value(&key(set, i)) as u16);
        Effect { data: values.flat_map(u16::to_le_bytes).collect(), ..Effect::default() }
    }

    fn remove_set(&mut self, who: Tid, set: u64) -> Effect {
        if self.sets.contains_key(&set) {
            self.removed.insert(key(set, 0), who);
        }
        self.semaphores.retain(|k, _| k.class != Class::Sysv || k.space != set);
        self.undo.retain(|(_, k), _| k.space != set);
        Effect::of(if self.sets.remove(&set).is_some() { 0 } else { -libc::EINVAL })
    }

    fn query(&self, set: u64, count: bool) -> Effect {
        match self.has_set(set) {
            None => Effect::of(-libc::EINVAL),
            Some(all) if count => Effect { result: all as i64, ..Effect::default() },
            Some(_) => Effect::default(),
        }
    }

    /// A process ends: what its SEM_UNDO operations did is taken back.
    pub(super) fn take_back(&mut self, process: u64) {
        let mine: Vec<_> = self.undo.keys().filter(|(p, _)| *p == process).copied().collect();
        for owed in mine {
            let change = self.undo.remove(&owed).unwrap_or(0);
            let value = self.value(&owed.1);
            self.semaphores.insert(owed.1, (value + change).clamp(0, MOST));
        }
    }

    /// Whether an end of the process would make some semaphore smaller.
    pub(crate) fn owes_posts(&self, process: u64) -> bool {
        self.undo.iter().any(|((p, _), n)| *p == process && *n < 0)
    }

    /// The semaphores that an end of the process would change.
    pub(crate) fn owed(&self, process: u64) -> Vec<Key> {
        self.undo.iter().filter(|((p, _), n)| *p == process && **n != 0).map(|((_, k), _)| *k).collect()
    }
}
