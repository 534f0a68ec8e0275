//! Names that several processes know: keys of System V, names of POSIX queues, of shared memory and
//! of semaphores. Each time a POSIX name is made anew it stands for something else.

use super::queue::Queue;
use super::{By, Effect, Family, Model, queue};
use crate::operation::{Access, Class, Footprint, Key, ObjectAccess, Operation, Outcome};
use std::mem::discriminant;

/// Gets, makes or removes what a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub name: Key,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// `semget` with a key.
    GetSet {
        count: i64,
        flags: i64,
    },
    /// `msgget` with a key.
    GetQueue {
        flags: i64,
    },
    OpenQueue {
        flags: i64,
        most: usize,
        longest: usize,
    },
    UnlinkQueue,
    Open {
        flags: i64,
    },
    Unlink,
}

const CREATE: i64 = 0o1000;
const EXCLUSIVE: i64 = 0o2000;

impl Op {
    fn makes(&self, model: &Model) -> Option<ObjectAccess> {
        // A thread that guesses the number of what does not exist yet can see it come.
        let made = |key: Key, length: u32| ObjectAccess { key, length, access: Access::Change };
        match self.does {
            Does::GetSet { .. } if model.has_set(self.name.at).is_none() => {
                Some(made(Key::new(Class::Sysv, self.name.at, 0), u32::MAX))
            }
            Does::GetQueue { .. } if !model.has_queue(self.name.at) => {
                Some(made(queue::key(self.name.at), 1))
            }
            _ => None,
        }
    }
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.name
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::GetSet { .. } => "semget",
            Does::GetQueue { .. } => "msgget",
            Does::OpenQueue { .. } => "mq_open",
            Does::UnlinkQueue => "mq_unlink",
            Does::Open { .. } => "open",
            Does::Unlink => "unlink",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        let Operation::Name(other) = other else { return false };
        let name = |does: Does| matches!(does, Does::Open { .. } | Does::Unlink);
        let alike = match (self.does, other.does) {
            (Does::GetSet { flags: a, .. }, Does::GetSet { flags: b, .. }) => a == b,
            (Does::GetQueue { flags: a }, Does::GetQueue { flags: b }) => a == b,
            (a, b) => name(a) && name(b) || discriminant(&a) == discriminant(&b),
        };
        alike && self.name == other.name
    }

    fn touches(&self, model: &Model, _: By<'_>, _: Outcome) -> Footprint {
        let made = self.makes(model);
        let there = made.is_none() && matches!(self.does, Does::GetSet { .. } | Does::GetQueue { .. });
        let access = if there { Access::Read } else { Access::Change };
        made.into_iter().chain([self.name.touch(access)]).collect()
    }

    /// The result is an identity.
    fn perform(&self, model: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        let id = self.name.at;
        match self.does {
            Does::GetSet { count, flags } => {
                let there = model.has_set(id);
                let wanted = usize::try_from(count).unwrap_or(0).min(32_000);
                let refused = there.is_some_and(|has| wanted > has) || there.is_none() && count <= 0;
                let create = |m: &mut Model| m.new_set(id, wanted);
                model.get_named(self, flags, (there.is_some(), refused), create)
            }
            Does::GetQueue { flags } => {
                let there = model.has_queue(id);
                model.get_named(self, flags, (there, false), |m| m.new_queue(id))
            }
            Does::OpenQueue { flags, most, longest } => {
                let opened = model.open_name(self.name, flags);
                if let Ok(id) = u64::try_from(opened.result) {
                    model.files.keep_queue(id, Queue::posix(most, longest));
                }
                opened
            }
            Does::Open { flags } => model.open_name(self.name, flags),
            Does::UnlinkQueue | Does::Unlink => model.remove_name(self.name),
        }
    }
}

impl Model {
    /// `semget` and `msgget` with a key: whether it is there, and whether it cannot be had so.
    fn get_named(
        &mut self,
        op: &Op,
        flags: i64,
        (there, refused): (bool, bool),
        create: impl Fn(&mut Model),
    ) -> Effect {
        match there {
            true if flags & CREATE != 0 && flags & EXCLUSIVE != 0 => return Effect::of(-libc::EEXIST),
            true if refused => return Effect::of(-libc::EINVAL),
            true => {}
            false if flags & CREATE == 0 => return Effect::of(-libc::ENOENT),
            false if refused => return Effect::of(-libc::EINVAL),
            false => create(self),
        }
        Effect { result: op.name.at as i64, ..Effect::default() }
    }

    fn remove_name(&mut self, name: Key) -> Effect {
        let (times, there) = self.names.get(&name).copied().unwrap_or((0, false));
        self.names.insert(name, (times, false));
        Effect::of(if there { 0 } else { -libc::ENOENT })
    }

    fn open_name(&mut self, name: Key, flags: i64) -> Effect {
        let (times, there) = self.names.get(&name).copied().unwrap_or((0, false));
        let create = flags & i64::from(libc::O_CREAT) != 0;
        if there && create && flags & i64::from(libc::O_EXCL) != 0 {
            return Effect::of(-libc::EEXIST);
        }
        if !there && !create {
            return Effect::of(-libc::ENOENT);
        }
        let times = if there { times } else { times + 1 };
        self.names.insert(name, (times, true));
        let result = (1 << 50 | (name.space & 15) << 46 | (times as u64 & 63) << 40 | name.at) as i64;
        Effect { result, ..Effect::default() }
    }
}
