//! What processes do about signals, and which of them threads block.

use super::{Action, CHILD, Does, NOCLDWAIT, Sent, Target, bit};
use crate::objects::{Model, process_key};
use crate::operation::{Access, Class, Footprint, Key, Tid};

/// What a process does about the ends of its children.
pub(in crate::objects) fn about_children(process: u64) -> Key {
    Key::new(Class::Children, process, 1)
}

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

    /// The process to which a thread that ends gives back a signal that was left to it.
    pub(in crate::objects) fn gives_back(&self, who: Tid) -> Option<u64> {
        let (process, _) = *self.signals.threads.get(&who)?;
        let left =
            |s: &Sent| self.signals.left.iter().any(|(of, signal, _)| (*of, *signal) == (process, s.signal));
        let pending = self.signals.pending.get(&Target::Process(process));
        pending.into_iter().flatten().any(left).then_some(process)
    }

    pub(in crate::objects) fn end_threads(&mut self, process: u64) {
        self.signals.threads.retain(|_, (of, _)| *of != process);
        self.signals.pending.remove(&Target::Process(process));
        self.signals.left.retain(|(of, ..)| *of != process);
    }

    pub fn has_threads(&self, process: u64) -> bool {
        self.signals.threads.values().any(|(of, _)| *of == process)
    }

    pub fn has_thread(&self, who: Tid) -> bool {
        self.signals.threads.contains_key(&who)
    }

    /// What a thread blocks from now on. What is ignored, and was kept only because it was blocked,
    /// is forgotten.
    pub fn set_mask(&mut self, who: Tid, mask: u64) {
        let Some((process, known)) = self.signals.threads.get_mut(&who) else { return };
        *known = mask;
        if mask & bit(CHILD) != 0 {
            self.signals.block_children.insert(*process);
        }
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

    pub(super) fn mask_touches(&self, process: u64, mask: u64) -> Footprint {
        let shared = self.signals.pending.contains_key(&Target::Process(process));
        let access = if shared { Access::Change } else { Access::Read };
        let own = process_key(process).touch(access);
        let blocks = mask & bit(CHILD) != 0;
        [own].into_iter().chain(blocks.then(|| about_children(process).touch(Access::Post))).collect()
    }

    /// To look at it is what every operation does.
    pub(super) fn action_touches(process: u64, changes: bool) -> Footprint {
        if !changes {
            return Footprint::new();
        }
        [process_key(process), about_children(process)].map(|key| key.touch(Access::Change)).into()
    }

    pub(in crate::objects) fn copy_actions(&mut self, from: u64, to: u64) {
        let own = self.signals.actions.iter().filter(|((process, _), _)| *process == from);
        let copies: Vec<_> = own.map(|((_, s), a)| ((to, *s), *a)).collect();
        self.signals.actions.extend(copies);
        if self.signals.block_children.contains(&from) {
            self.signals.block_children.insert(to);
        }
    }

    /// What a process does about a signal from now on; what is ignored is forgotten.
    pub fn set_action(&mut self, process: u64, signal: i64, action: Action) {
        let signals = &mut self.signals;
        signals.actions.insert((process, signal), action);
        if action.does == Does::Handles && action.mask & bit(CHILD) != 0 {
            signals.block_children.insert(process);
        }
        if signals.ignores(process, signal) {
            let threads = signals.threads.iter().filter(|(_, (of, _))| *of == process);
            let targets: Vec<Target> = threads.map(|(who, _)| Target::Thread(*who)).collect();
            for target in targets.into_iter().chain([Target::Process(process)]) {
                if let Some(list) = signals.pending.get_mut(&target) {
                    list.retain(|s| s.signal != signal);
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

    /// A child of this process has ended: it gets a signal, if it handles or blocks that, and has
    /// not said that it wants to know nothing of it; whether it need not wait for it.
    pub(in crate::objects) fn tell_parent(&mut self, parent: u64, sent: Sent) -> bool {
        let target = Target::Process(parent);
        let action = self.signals.action(parent, sent.signal);
        let kept = action.does == Does::Usual && self.signals.blocks(target, sent.signal);
        if action.does == Does::Handles || kept {
            self.signals.send(target, sent);
        }
        action.does == Does::Ignores || action.flags & NOCLDWAIT != 0
    }

    /// Whether the end of a child may send this process a signal. What changes that touches
    /// [`about_children`].
    pub(in crate::objects) fn minds_children(&self, parent: u64) -> bool {
        self.signals.action(parent, CHILD).does == Does::Handles || self.blocks_children(parent)
    }

    /// Whether some thread of a process has blocked SIGCHLD, or does in a handler.
    pub fn blocks_children(&self, process: u64) -> bool {
        self.signals.block_children.contains(&process)
    }

    /// Whether a process does something about the ends of its children.
    pub fn acts_on_children(&self, process: u64) -> bool {
        let action = self.signals.action(process, CHILD);
        action.does != Does::Usual || action.flags & NOCLDWAIT != 0
    }
}
