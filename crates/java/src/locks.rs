//! Locks: taken and given back by `synchronized`, `lock`, `unlock` and `tryLock`.

use crate::draft::{Mover, SELF, Variable};
use crate::flow::Label;
use crate::lower::{HELD, Lower, Taken, Wish};
use crate::tree::{arguments, child};
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::Symbol;
use tree_sitter::Node;

impl<'t> Lower<'t> {
    pub fn held(&self) -> Symbol {
        self.vocabulary.symbol(HELD).unwrap_or(Symbol::Binary(0))
    }

    pub fn is_free(&self, l: Var) -> Formula {
        let acquired = self.vocabulary.symbol("is_acquired").unwrap_or(Symbol::Unary(0));
        f::not(f::atom(acquired, &[l]))
    }

    /// Takes a lock; with a flag, who holds it already goes on and remembers that.
    pub fn acquire(&mut self, lock: &Variable, flag: Option<&Variable>, node: Node<'t>, at: &mut Label) {
        self.not_null(lock, node, *at);
        self.wishes.push(Wish { flow: self.number, label: *at, lock: lock.clone(), woken: false });
        let held = self.held();
        let to = self.label(node);
        let mut draft = self.draft(node);
        draft.action.name = format!("lock {}", draft.action.name);
        let l = draft.refers(lock);
        draft.when(self.is_free(l));
        draft.take(held, l);
        if let Some(flag) = flag {
            draft.assign_flag(flag, f::FALSE);
            let mut again = self.draft(node);
            again.action.name = format!("lock {} again", again.action.name);
            let l = again.refers(lock);
            again.when(f::atom(held, &[l, SELF]));
            again.assign_flag(flag, f::TRUE);
            self.flow.add(again, *at, to);
        }
        self.flow.add(draft, *at, to);
        *at = to;
    }

    pub fn release(&mut self, taken: &Taken, node: Node<'t>, at: &mut Label) {
        let held = self.held();
        let to = self.label(node);
        let mut draft = self.draft(node).moving(Mover::Unlock);
        draft.action.name = "unlock".to_string();
        draft.action.span = taken.span;
        let mut kept = draft.clone();
        let l = draft.refers(&taken.lock);
        draft.when(f::atom(held, &[l, SELF]));
        draft.give_back(held, l);
        if let Some(flag) = &taken.flag {
            let again = kept.flag(flag);
            kept.when(again);
            self.flow.add(kept, *at, to);
            let again = draft.flag(flag);
            draft.when(f::not(again));
        }
        self.flow.add(draft, *at, to);
        *at = to;
    }

    /// That a `ReentrantLock` is held twice, and three times.
    pub fn levels(&mut self) -> [Symbol; 2] {
        ["held_twice", "held_thrice"].map(|name| self.symbol(name, 1, &[]))
    }

    /// Who holds a lock takes it again; more than three times is not followed.
    fn locked_again(&mut self, lock: &Variable, node: Node<'t>, at: Label, to: Label) {
        let (held, [twice, thrice]) = (self.held(), self.levels());
        for (number, becomes) in [Some(twice), Some(thrice), None].into_iter().enumerate() {
            let mut draft = self.draft(node);
            draft.action.name = format!("lock {} again", draft.action.name);
            let l = draft.refers(lock);
            draft.when(f::atom(held, &[l, SELF]));
            if let Some(below) = [None, Some(twice), Some(thrice)][number] {
                draft.when(f::atom(below, &[l]));
            }
            match becomes {
                Some(level) => {
                    draft.when(f::not(f::atom(level, &[l])));
                    draft.add(level, l);
                }
                None => {
                    let line = self.program.line(node);
                    draft.action.beyond =
                        Some(format!("a lock is taken more than three times (line {line})"));
                }
            }
            self.flow.add(draft, at, to);
        }
    }

    /// `lock()`, by its holder too.
    pub fn explicit_lock(&mut self, lock: &Variable, node: Node<'t>, at: &mut Label) {
        let from = *at;
        self.acquire(lock, None, node, at);
        self.locked_again(lock, node, from, *at);
    }

    /// `unlock()`: as often as it was taken.
    pub fn explicit_unlock(&mut self, lock: &Variable, node: Node<'t>, at: &mut Label) {
        self.must_hold(lock, node, *at);
        let (held, [twice, thrice]) = (self.held(), self.levels());
        let to = self.label(node);
        for (level, above) in [(Some(thrice), None), (Some(twice), Some(thrice)), (None, Some(twice))] {
            let mut draft = self.draft(node).moving(Mover::Unlock);
            draft.action.name = "unlock".to_string();
            let l = draft.refers(lock);
            draft.when(f::atom(held, &[l, SELF]));
            if let Some(above) = above {
                draft.when(f::not(f::atom(above, &[l])));
            }
            let (a, b) = (draft.fresh(), draft.fresh());
            match level {
                Some(level) => {
                    draft.when(f::atom(level, &[l]));
                    draft.update(level, &[a], f::and([f::atom(level, &[a]), f::differ(a, l)]));
                }
                None => {
                    let mine = f::and([f::equal(a, l), f::equal(b, SELF)]);
                    draft.update(held, &[a, b], f::and([f::atom(held, &[a, b]), f::not(mine)]));
                }
            }
            self.flow.add(draft, *at, to);
        }
        *at = to;
    }

    /// Conditions that Java provides: `tryLock`.
    pub fn library_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let arguments = arguments(node).len();
        if !self.choices(node).is_empty() || self.program.part(node, "name") != "tryLock" || arguments > 0 {
            return false;
        }
        let Some(object) = child(node, "object") else { return false };
        if !matches!(self.class_of(object).as_str(), "ReentrantLock" | "Lock") {
            return false;
        }
        let mut at = from;
        let (lock, _) = self.operand(object, &mut at);
        self.not_null(&lock, node, at);
        self.sharing.tries = true;
        let held = self.held();
        for (to, free) in [(yes, true), (no, false)] {
            let mut draft = self.draft(node);
            let l = draft.refers(&lock);
            let is_free = self.is_free(l);
            match free {
                true => {
                    draft.when(is_free);
                    draft.take(held, l);
                }
                false => draft.when(f::and([f::not(is_free), f::not(f::atom(held, &[l, SELF]))])),
            }
            self.flow.add(draft, at, to);
        }
        // One that fails orders nothing, so that nothing can be concluded from it about what others
        // did before.
        let mut fails = self.draft(node);
        fails.action.name = format!("{} fails without an order", fails.action.name);
        (fails.action.weak, fails.action.guess) = (true, true);
        fails.refers(&lock);
        self.flow.add(fails, at, no);
        self.locked_again(&lock, node, at, yes);
        true
    }
}
