//! What a thread of a program waits for, and who has it. The objects are modelled, so that it is
//! known who holds a lock; of what only counts, it is known who took it last.

use crate::execution::Execution;
use crate::object_names::object;
use crate::objects::By;
use crate::operation::{Key, Outcome, Pending, Tid};
use crate::steps::Reporter;
use explore::stateless::World;
use objects::Object;
use std::collections::BTreeMap;

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The object in words.
    pub object: String,
    /// Threads that hold it, or took it last.
    pub threads: Vec<Tid>,
    /// Whether they hold it.
    pub held: bool,
}

/// Which threads took something of an object that counts, and did not give it back after that.
#[derive(Clone, Debug, Default)]
pub struct Takers(BTreeMap<Key, Vec<Tid>>);

impl Takers {
    /// A thread has done this.
    pub fn note(&mut self, who: Tid, op: &Pending) {
        for (key, amount) in op.operation.family().takes() {
            let takers = self.0.entry(key).or_default();
            takers.retain(|other| *other != who);
            takers.extend((amount > 0).then_some(who));
        }
    }
}

impl Reporter {
    /// What a thread waits for; nothing if it can go on.
    pub fn waits(&self, execution: &Execution, who: Tid, op: &Pending, takers: &Takers) -> Vec<Wait> {
        let model = execution.semantics();
        let possible: Vec<Outcome> = model.outcomes(who, op);
        if !possible.is_empty() {
            return Vec::new();
        }
        let family = op.operation.family();
        let held = family.held(model, By { who, pending: op }).into_iter();
        let held = held.map(|(key, threads)| Wait { object: self.called(&key), threads, held: true });
        let counted = family.takes().into_iter().filter(|(_, amount)| *amount > 0);
        let counted = counted.map(|(key, _)| {
            let threads = takers.0.get(&key).cloned().unwrap_or_default();
            Wait { object: self.called(&key), threads, held: false }
        });
        held.chain(counted).collect()
    }

    fn called(&self, key: &Key) -> String {
        object(&self.symbols, key)
    }
}
