//! System V semaphores: several operations at once, waiting for zero, SEM_UNDO. All of it without
//! the kernel.

use super::{Effect, Model};
use crate::operation::{Access, Class, Footprint, Key, Op, Tid, Touch};

/// A `struct sembuf`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    pub index: u64,
    pub change: i64,
    pub(super) nowait: bool,
    undo: bool,
}

const NOWAIT: u16 = 0o4000;
const UNDO: u16 = 0x1000;
const MOST: i64 = 32767;

pub fn buffers(op: &Op) -> Vec<Buffer> {
    let word = |b: &[u8]| u16::from_le_bytes([b[0], b[1]]);
    let all = op.data.chunks_exact(6).map(|b| {
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

fn key(op: &Op, index: u64) -> Key {
    Key::new(Class::Sysv, op.key.space, index)
}

/// Signals commute, tests for zero commute; whatever can fail or wait does not.
pub(super) fn touches(op: &Op) -> Footprint {
    let buffers = buffers(op);
    let touch = |b: &Buffer| {
        let alone = buffers.iter().filter(|other| other.index == b.index).count() == 1;
        let access = match b.change {
            _ if !alone => Access::Change,
            0 => Access::Read,
            1.. => Access::Post,
            _ => Access::Change,
        };
        key(op, b.index).touch(access)
    };
    buffers.iter().map(touch).collect()
}

impl Model {
    pub fn new_set(&mut self, set: u64, count: usize) {
        self.removed.remove(&Key::new(Class::Sysv, set, 0));
        self.sets.insert(set, count);
    }

    pub fn has_set(&self, set: u64) -> Option<usize> {
        self.sets.get(&set).copied()
    }

    pub(super) fn whole_set(&self, op: &Op) -> Footprint {
        let count = self.sets.get(&op.key.space).copied().unwrap_or(1);
        let key = Key::new(Class::Sysv, op.key.space, 0);
        vec![Touch { key, length: count.max(1) as u32, access: Access::Change }]
    }

    fn value(&self, key: &Key) -> i64 {
        self.semaphores.get(key).copied().unwrap_or(0)
    }

    /// The values after all operations, or why not: `None` if it must wait.
    fn attempt(&self, op: &Op) -> Option<Result<Vec<(Key, i64)>, i32>> {
        let Some(count) = self.has_set(op.key.space) else { return Some(Err(libc::EINVAL)) };
        if buffers(op).iter().any(|b| b.index >= count as u64) {
            return Some(Err(libc::EFBIG));
        }
        let mut values: Vec<(Key, i64)> = Vec::new();
        for buffer in buffers(op) {
            let key = key(op, buffer.index);
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

    pub(super) fn can_operate(&self, op: &Op) -> bool {
        self.attempt(op).is_some()
    }

    pub(super) fn operate(&mut self, op: &Op) -> Effect {
        match self.attempt(op) {
            None => Effect::of(-libc::EAGAIN),
            Some(Err(error)) => Effect::of(-error),
            Some(Ok(values)) => {
                self.semaphores.extend(values);
                for buffer in buffers(op).iter().filter(|b| b.undo) {
                    *self.undo.entry((op.process, key(op, buffer.index))).or_default() -= buffer.change;
                }
                Effect::default()
            }
        }
    }

    fn checked(&self, op: &Op) -> Option<Effect> {
        let count = self.has_set(op.key.space).unwrap_or(0) as u64;
        (op.key.at >= count).then(|| Effect::of(-libc::EINVAL))
    }

    pub(super) fn set_value(&mut self, op: &Op) -> Effect {
        if let Some(refused) = self.checked(op) {
            return refused;
        }
        if !(0..=MOST).contains(&op.b) {
            return Effect::of(-libc::ERANGE);
        }
        self.semaphores.insert(op.key, op.b);
        self.undo.retain(|(_, k), _| *k != op.key);
        Effect::default()
    }

    pub(super) fn get_value(&self, op: &Op) -> Effect {
        let value = Effect { result: self.value(&op.key), ..Effect::default() };
        self.checked(op).unwrap_or(value)
    }

    pub(super) fn set_all(&mut self, op: &Op) -> Effect {
        for (index, value) in op.data.chunks_exact(2).enumerate() {
            let value = i64::from(u16::from_le_bytes([value[0], value[1]]));
            self.semaphores.insert(key(op, index as u64), value);
        }
        self.undo.retain(|(_, k), _| k.space != op.key.space || k.class != Class::Sysv);
        Effect::default()
    }

    pub(super) fn get_all(&self, op: &Op) -> Effect {
        let Some(count) = self.has_set(op.key.space) else { return Effect::of(-libc::EINVAL) };
        let values = (0..count as u64).map(|i| self.value(&key(op, i)) as u16);
        Effect { data: values.flat_map(u16::to_le_bytes).collect(), ..Effect::default() }
    }

    pub(super) fn remove_set(&mut self, who: Tid, op: &Op) -> Effect {
        let set = op.key.space;
        if self.sets.contains_key(&set) {
            self.removed.insert(Key::new(Class::Sysv, set, 0), who);
        }
        self.semaphores.retain(|k, _| k.class != Class::Sysv || k.space != set);
        self.undo.retain(|(_, k), _| k.space != set);
        Effect::of(if self.sets.remove(&set).is_some() { 0 } else { -libc::EINVAL })
    }

    /// `op.b` 3: how many semaphores. Who waited or operated last is not modelled.
    pub(super) fn query(&self, op: &Op) -> Effect {
        match (self.has_set(op.key.space), op.b) {
            (None, _) => Effect::of(-libc::EINVAL),
            (Some(count), 3) => Effect { result: count as i64, ..Effect::default() },
            _ => Effect::default(),
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

    /// The semaphores that an end of the process would change.
    pub(crate) fn owed(&self, process: u64) -> Vec<Key> {
        self.undo.iter().filter(|((p, _), n)| *p == process && **n != 0).map(|((_, k), _)| *k).collect()
    }
}
