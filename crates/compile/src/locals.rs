//! Which local states processes have been in: location and local variables (Theorem 6.14 of
//! the thesis is about them).
//!
//! Kept on demand, for audits: a search that is reduced with care reaches the same ones as a full
//! search.

use crate::program::Program;
use std::collections::BTreeSet;

/// A process' number and its packed frame; the contents of its channels, which others may change,
/// are left out.
pub type Local = Box<[u8]>;

impl Program {
    /// From now on the local states of every state that is expanded are kept.
    pub fn keep_locals(&mut self) {
        self.locals = Some(BTreeSet::new());
    }

    /// The local states that were kept.
    pub fn locals(&self) -> BTreeSet<Local> {
        self.locals.clone().unwrap_or_default()
    }

    /// Keeps those of a state that the machine attends to.
    pub(crate) fn note_locals(&mut self, state: &[u8]) {
        let Some(mut locals) = self.locals.take() else { return };
        for pid in 0..usize::from(state[0]) {
            let at = self.worker.machine.frames[pid] as usize;
            let (process_type, _) = self.rules.position(&self.worker.machine, state, pid);
            let section = &self.rules.tables.layout.frames[process_type];
            let mut local = vec![pid as u8];
            local.extend_from_slice(&state[at..at + section.size]);
            for channel in &section.channels {
                let from = 1 + channel.offset as usize;
                local[from..from + channel.size()].fill(0);
            }
            locals.insert(local.into());
        }
        self.locals = Some(locals);
    }
}
