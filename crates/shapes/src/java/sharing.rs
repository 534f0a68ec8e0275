//! What threads share, as far as the text shows it: which fields are constant, which are used only under one lock, whether threads are
//! known to others than their creators. From this follows which actions are left movers (see `reduce`).
//!
//! A field is *constant* if it is written only while its object is being created, before anybody else can know it. It is *guarded* if every other
//! use of it happens under the monitor of its own object, or under one lock that a constant static field refers to, or in main. While a
//! thread uses a guarded field nobody else can, so the order with what others do does not matter.

use super::flow::{Mover, Variable};
use super::lower::{Lower, Undo};
use crate::vocabulary::Symbol;
use std::collections::{BTreeMap, BTreeSet};

/// A lock that is held where a field is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Guard {
    /// The monitor of the object whose field it is.
    Own,
    /// What a constant static field refers to.
    Lock(Symbol),
    /// No lock: only main uses it, and there is one main.
    Main,
}

#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// Static fields get their first values, and no thread has been started.
    pub alone: bool,
    /// The object that is being created, known to nobody else.
    pub fresh: Option<Variable>,
    /// For each field the locks that are held at all its uses.
    guards: BTreeMap<Symbol, BTreeSet<Guard>>,
    written: BTreeSet<Symbol>,
    /// Somebody else than its creator may know a thread.
    pub known_threads: bool,
    /// Somebody looks whether a lock is taken.
    pub tries: bool,
    /// The monitor of an object that may be a thread is used.
    pub thread_monitors: bool,
    /// Somebody who waits on one may be woken alone: it could be one who joins.
    pub wakes_one: bool,
}

impl Sharing {
    /// Whether an action is a mover, when everything is known.
    pub fn moves(&self, mover: Mover) -> bool {
        match mover {
            Mover::No => false,
            Mover::Yes => true,
            Mover::Field(field) => {
                !self.written.contains(&field) || self.guards.get(&field).is_some_and(|g| !g.is_empty())
            }
            Mover::Start => !self.known_threads,
            Mover::Unlock => !self.tries,
        }
    }
}

impl Lower<'_> {
    /// Notes the use of a field, static if it has no owner.
    pub fn uses(&mut self, field: Symbol, owner: Option<&Variable>, writes: bool) -> Mover {
        if self.sharing.alone || owner.is_some() && self.sharing.fresh.as_ref() == owner {
            return Mover::Yes;
        }
        let mut held = BTreeSet::new();
        if self.is_main {
            held.insert(Guard::Main);
        }
        for undo in &self.undo {
            let (_, Undo::Unlock(lock, ..)) = undo else { continue };
            if Some(lock) == owner {
                held.insert(Guard::Own);
            }
            match lock {
                Variable::Single(symbol) if !self.flow.locals.contains(symbol) => {
                    held.insert(Guard::Lock(*symbol));
                }
                _ => {}
            }
        }
        let guards = self.sharing.guards.entry(field).or_insert_with(|| held.clone());
        guards.retain(|guard| held.contains(guard));
        if writes {
            self.sharing.written.insert(field);
        }
        Mover::Field(field)
    }
}
