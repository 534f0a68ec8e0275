//! What threads declare to use from now on, from which persistent sets are computed (Definition 2
//! of the paper).

use super::Execution;
use crate::operation::{Access, Class, Key, ObjectAccess, Pending, Tid, dependent};
use explore::stateless::{Semantics, World};
use independence::Set;
use objects::Object;

/// An object that a thread may use from now on, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Use {
    pub key: Key,
    /// The bits of `enum weave_how`.
    pub how: u64,
}

const WAIT: u64 = 1;
const SIGNAL: u64 = 2;
const READ: u64 = 4;
const WRITE: u64 = 8;

impl Use {
    fn touches(&self) -> Vec<ObjectAccess> {
        let ways = [(WAIT | WRITE, Access::Change), (SIGNAL, Access::Post), (READ, Access::Read)];
        let ways = ways.iter().filter(|(how, _)| self.how & how != 0);
        ways.flat_map(|(_, a)| self.keys().map(|key| key.touch(*a))).collect()
    }

    /// An address may be that of a lock, of a variable, or of a word to sleep on.
    fn keys(&self) -> impl Iterator<Item = Key> {
        let classes = [self.key.class, Class::Memory, Class::Futex];
        let count = if self.key.class == Class::Sync { 3 } else { 1 };
        classes.into_iter().take(count).map(|class| Key { class, ..self.key })
    }

    /// Whether what is touched was declared.
    pub fn covers(&self, touch: &ObjectAccess) -> bool {
        let needed = match touch.access {
            Access::Change => WAIT | WRITE,
            Access::Post => SIGNAL | WRITE,
            Access::Read => READ | WAIT | WRITE,
        };
        self.how & needed != 0 && self.keys().any(|key| key == touch.key)
    }
}

/// This is never declared, and every thread may do it: end, reap, cancel, kill.
fn is_undeclared(touch: &ObjectAccess) -> bool {
    let life = matches!(touch.key.class, Class::Process | Class::Cancel) && touch.access == Access::Change;
    life || touch.key.class == Class::Children
}

impl Execution {
    /// Which of those that stand before an operation may do something, now or later, that depends
    /// on what one of them is about to do; or, if that one cannot move, may let it.
    pub(super) fn matter_to(&self, member: usize, pending: &[(Tid, Pending)], can_move: bool) -> Set {
        let semantics = self.semantics();
        let (who, op) = &pending[member];
        let mut next = semantics.touches(*who, op, if can_move { 0 } else { -1 });
        let reported = semantics.woken_over(op);
        next.extend(reported.iter().filter(|_| !can_move));
        let reported = !reported.is_empty();
        let undeclared = next.iter().any(is_undeclared);
        // A thread that only waits too cannot let a waiting thread go on; on a condition variable
        // or at a barrier it can.
        let matters = |u: &Use| can_move || reported || u.how & !(WAIT | READ) != 0;
        let may = |other: Tid, its: &Pending| match self.threads.get(&other).and_then(|t| t.uses.as_ref()) {
            None => true,
            Some(_) if undeclared => true,
            Some(uses) => {
                let later = uses.iter().filter(|u| matters(u)).any(|u| dependent(&u.touches(), &next));
                let now = can_move && dependent(&semantics.touches(other, its, 0), &next);
                later || now
            }
        };
        let needed = (0..).zip(pending).filter(|(at, (other, its))| *at != member && may(*other, its));
        needed.fold(0, |set, (at, _)| set | 1 << at)
    }
}
