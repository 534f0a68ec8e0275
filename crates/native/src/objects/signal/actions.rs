//! What processes do about signals, and which of them threads block.

use super::{Action, Does, NOCLDWAIT, Sent, Target, bit};
use crate::objects::Model;
use crate::operation::{Access, Class, Footprint, Key, Op, Tid};

impl Model {
    /// A thread is there; it blocks what its creator does.
    pub fn begin_thread(&mut self, who: Tid, process: u64, creator: Tid) {
        let mask = self.signals.mask(creator);
        self.signals.threads.insert(who, (process, mask));
    }

    pub fn end_thread(&mut self, who: Tid) {
        self.signals.threads.remove(&who);
        self.signals.pending.remove(&Target::Thread(who));
    }

    pub(in crate::objects) fn end_threads(&mut self, process: u64) {
        self.signals.threads.retain(|_, (of, _)| *of != process);
        self.signals.pending.remove(&Target::Process(process));
    }

    pub fn has_threads(&self, process: u64) -> bool {
        self.signals.threads.values().any(|(of, _)| *of == process)
    }

    pub fn has_thread(&self, who: Tid) -> bool {
        self.signals.threads.contains_key(&who)
    }

    /// What a thread blocks from now on. What is ignored, and was kept only because it was blocked, is forgotten.
    pub fn set_mask(&mut self, who: Tid, mask: u64) {
        let Some((process, known)) = self.signals.threads.get_mut(&who) else { return };
        *known = mask;
        if self.signals.pending.is_empty() {
            return;
        }
        let process = *process;
        let mut pending = std::mem::take(&mut self.signals.pending);
        for target in [Target::Thread(who), Target::Process(process)] {
            if let Some(list) = pending.get_mut(&target) {
                list.retain(|s| mask & bit(s.signal) != 0 || !self.signals.ignores(process, s.signal));
            }
        }
        pending.retain(|_, list| !list.is_empty());
        self.signals.pending = pending;
    }

    pub(in crate::objects) fn mask_touches(&self, op: &Op) -> Footprint {
        let shared = self.signals.pending.contains_key(&Target::Process(op.process));
        let access = if shared { Access::Change } else { Access::Read };
        vec![Key::new(Class::Process, op.process, 0).touch(access)]
    }

    pub(in crate::objects) fn copy_actions(&mut self, from: u64, to: u64) {
        let own = self.signals.actions.iter().filter(|((process, _), _)| *process == from);
        let copies: Vec<_> = own.map(|((_, s), a)| ((to, *s), *a)).collect();
        self.signals.actions.extend(copies);
    }

    /// What a process does about a signal from now on; what is ignored is forgotten.
    pub fn set_action(&mut self, op: &Op) {
        let does = match op.b & 3 {
            1 => Does::Ignores,
            2 => Does::Handles,
            _ => Does::Usual,
        };
        let mask = op.data.get(..8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
        let signals = &mut self.signals;
        signals.actions.insert((op.process, op.a), Action { does, flags: op.b >> 2, mask });
        if signals.ignores(op.process, op.a) {
            let threads = signals.threads.iter().filter(|(_, (of, _))| *of == op.process);
            let targets: Vec<Target> = threads.map(|(who, _)| Target::Thread(*who)).collect();
            for target in targets.into_iter().chain([Target::Process(op.process)]) {
                if let Some(list) = signals.pending.get_mut(&target) {
                    list.retain(|s| s.signal != op.a);
                }
            }
            signals.pending.retain(|_, list| !list.is_empty());
        }
    }

    /// Whether a process handles some signal.
    pub fn has_handlers(&self, process: u64) -> bool {
        self.signals.actions.iter().any(|((of, _), action)| *of == process && action.does == Does::Handles)
    }

    /// Whether nothing is on its way.
    pub fn is_quiet(&self) -> bool {
        self.signals.pending.is_empty()
    }

    /// A child of this process has ended: it is told, if it handles or blocks that; whether it need not wait for it.
    pub(in crate::objects) fn tell_parent(&mut self, parent: u64, sent: Sent) -> bool {
        let target = Target::Process(parent);
        let action = self.signals.action(parent, sent.signal);
        if action.does == Does::Handles || self.signals.blocks(target, sent.signal) {
            self.signals.send(target, sent);
        }
        action.does == Does::Ignores || action.flags & NOCLDWAIT != 0
    }

    /// Whether the end of a child makes a difference to this process by itself.
    pub(in crate::objects) fn minds_children(&self, parent: u64) -> bool {
        let child = i64::from(libc::SIGCHLD);
        self.signals.action(parent, child).does != Does::Usual
            || self.signals.blocks(Target::Process(parent), child)
    }
}
