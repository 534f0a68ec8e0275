//! Things done once.

use super::mutex::LOCK;
use super::{By, Effect, Family, Model, when};
use crate::operation::{Access, Footprint, Key, Operation, Outcome};
use std::mem::discriminant;

/// An operation on a once control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    pub once: Key,
    pub does: Does,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    Begin,
    /// The routine was run, or was cancelled.
    Done {
        ran: bool,
    },
}

impl Family for Op {
    fn key(&self, _: u64) -> Key {
        self.once
    }

    fn name(&self) -> &'static str {
        match self.does {
            Does::Begin => "once",
            Does::Done { .. } => "once done",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Once(o)
            if o.once == self.once && discriminant(&o.does) == discriminant(&self.does))
    }

    fn outcomes(&self, model: &Model, _: By<'_>) -> Vec<Outcome> {
        when(self.does != Does::Begin || model.onces.get(&self.once) != Some(&false))
    }

    fn touches(&self, model: &Model, _: By<'_>, _: Outcome) -> Footprint {
        let done = self.does == Does::Begin && model.onces.get(&self.once) == Some(&true);
        vec![self.once.touch(if done { Access::Read } else { Access::Change })]
    }

    /// Result 1: the caller runs the routine.
    fn perform(&self, model: &mut Model, _: By<'_>, _: Outcome) -> Effect {
        match self.does {
            Does::Begin if model.onces.contains_key(&self.once) => Effect::default(),
            Does::Begin => {
                model.onces.insert(self.once, false);
                Effect::of(1)
            }
            Does::Done { ran } => {
                model.onces.remove(&self.once);
                if ran {
                    model.onces.insert(self.once, true);
                }
                Effect::default()
            }
        }
    }

    fn memory(&self) -> [Option<(Key, u32)>; 2] {
        [Some((self.once, LOCK)), None]
    }
}
