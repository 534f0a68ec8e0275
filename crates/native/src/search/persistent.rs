//! Persistent sets from declared uses (Definition 2 of the paper; the stubborn-set construction of the thesis, Algorithm 3).
//!
//! A set of threads is closed if, for each member that can move, it contains whoever may later do something that depends on the
//! member's next operation; and for each member that cannot, whoever may let it. Its enabled transitions are then persistent.
//! Of the closures of each thread that can move, the one with fewest transitions is taken, of equals that of the lowest thread.

use super::run::Possible;
use super::{OpOf, Semantics, World};
use crate::operation::{Access, Class, Key, Tid, Touch, dependent};

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
    fn touches(&self) -> Vec<Touch> {
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
    pub fn covers(&self, touch: &Touch) -> bool {
        let needed = match touch.access {
            Access::Change => WAIT | WRITE,
            Access::Post => SIGNAL | WRITE,
            Access::Read => READ | WAIT | WRITE,
        };
        self.how & needed != 0 && self.keys().any(|key| key == touch.key)
    }
}

/// The threads of a persistent set.
pub(super) fn persistent<W: World>(world: &W, possible: &Possible<OpOf<W>>) -> Vec<Tid> {
    let pending = world.pending();
    let size = |set: &[Tid]| possible.transitions.iter().filter(|t| set.contains(&t.who)).count();
    let mut seeds: Vec<Tid> = possible.transitions.iter().map(|t| t.who).collect();
    seeds.dedup();
    let closures = seeds.into_iter().map(|seed| closure(world, possible, &pending, seed));
    closures.min_by_key(|set| size(set)).unwrap_or_default()
}

fn closure<W: World>(
    world: &W,
    possible: &Possible<OpOf<W>>,
    pending: &[(Tid, OpOf<W>)],
    seed: Tid,
) -> Vec<Tid> {
    let semantics = world.semantics();
    let mut set = vec![seed];
    let mut at = 0;
    while let Some(&member) = set.get(at) {
        at += 1;
        let Some((_, op)) = pending.iter().find(|(who, _)| *who == member) else { continue };
        let can_move = possible.transitions.iter().any(|t| t.who == member);
        let mut next = semantics.footprint(member, op, if can_move { 0 } else { -1 });
        let told = semantics.woken_over(op);
        next.extend(told.iter().filter(|_| !can_move));
        let told = !told.is_empty();
        let undeclared = next.iter().any(Touch::is_undeclared);
        // Whoever only waits too cannot let a waiting thread go on; on a condition variable or at a barrier it can.
        let matters = |u: &Use| can_move || told || u.how & !(WAIT | READ) != 0;
        for (other, its) in pending.iter().filter(|(who, _)| *who != member) {
            let may = match world.uses(*other) {
                None => true,
                Some(_) if undeclared => true,
                Some(uses) => {
                    let later = uses.iter().filter(|u| matters(u)).any(|u| dependent(&u.touches(), &next));
                    let now = can_move && dependent(&semantics.footprint(*other, its, 0), &next);
                    later || now
                }
            };
            if may && !set.contains(other) {
                set.push(*other);
            }
        }
    }
    set
}
