//! Monitors and conditions: `wait`, `notify` and their like.

use crate::draft::{Draft, Monitor, Mover, SELF, Variable};
use crate::flow::Label;
use crate::lower::{Lower, Undo, Wish};
use crate::program::Type;
use crate::tree::child;
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::{Attribute, Symbol};
use tree_sitter::Node;

/// Classes whose objects are locks of their own kind, apart from their monitors.
pub const LOCKS: [&str; 3] = ["ReentrantLock", "Lock", "Condition"];

impl<'t> Lower<'t> {
    fn waiting(&mut self) -> Symbol {
        self.symbol("waiting", 1, &[])
    }

    /// The monitor or condition that a thread waits on.
    fn monitor(&mut self) -> Symbol {
        self.symbol("waits_on", 2, &[Attribute::Function])
    }

    /// The lock of a condition.
    fn lock_of(&mut self) -> Symbol {
        self.symbol("lock_of", 2, &[Attribute::Function])
    }

    /// What the text shows of the monitor that a call is about.
    fn monitor_of(&self, node: Node<'t>) -> Monitor {
        let Some(object) = child(node, "object") else {
            return Monitor::Class(self.class.clone());
        };
        let class = self.class_of(object);
        match self.field_meant(object).filter(|f| self.program.has_own_object(f)) {
            Some(field) => Monitor::Field(format!("{}.{}", field.class, field.name), class),
            None => Monitor::Class(class),
        }
    }

    /// The monitor of a lock is another thing than the lock; the two are not distinguished, so the
    /// first is not used.
    pub fn is_monitor(&mut self, class: &str, node: Node<'t>) {
        let none = self.program.is_own(class) || self.program.is_thread(class);
        let open = !none && !matches!(class, "Class" | "Runnable");
        let may_be_lock = open && self.program.text.contains("ReentrantLock");
        if LOCKS.contains(&class) || may_be_lock {
            self.error("E0802", node, "the monitor of what may be a ReentrantLock is not modelled");
        }
    }

    /// Notes that the monitor of a thread may be used: what the expression names, if it has an
    /// object of its own, is none.
    pub fn uses_monitor(&mut self, class: &str, lock: Option<Node<'t>>) {
        let field = lock.and_then(|lock| self.field_meant(lock));
        let made = field.filter(|f| self.program.has_own_object(f)).and_then(|f| f.value);
        let class = made.map_or(class.to_string(), |v| self.class_of(v));
        let plain = made.is_some() && class == "Object";
        if !plain && self.may_be_thread(&class) {
            self.sharing.thread_monitors = true;
        }
    }

    /// Adds the error that a monitor is used by who does not hold it, unless the text shows that it
    /// does.
    pub fn must_hold(&mut self, lock: &Variable, node: Node<'t>, at: Label) {
        self.not_null(lock, node, at);
        if self.undo.iter().any(|(_, u)| matches!(u, Undo::Unlock(taken) if taken.lock == *lock)) {
            return;
        }
        let held = self.held();
        let mut draft = self.draft(node).moving(Mover::Yes);
        let l = draft.refers(lock);
        draft.when(f::not(f::atom(held, &[l, SELF])));
        self.fails(draft, at, "monitor is not held", node);
    }

    /// Adds the error that a condition is used by who does not hold its lock.
    fn must_hold_lock_of(&mut self, on: &Variable, node: Node<'t>, at: Label) {
        self.not_null(on, node, at);
        let lock_of = self.lock_of();
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.focus(on, Some(lock_of));
        let m = draft.choose();
        let is = draft.is(on, m);
        let mine = self.mine(&mut draft, m, Some(lock_of));
        draft.when(f::and([is, f::not(mine)]));
        self.fails(draft, at, "monitor is not held", node);
    }

    /// `wait` and `await`: gives the lock back and waits; woken, takes the lock again.
    pub fn wait(&mut self, on: &Variable, condition: bool, node: Node<'t>, at: &mut Label) {
        match condition {
            true => self.must_hold_lock_of(on, node, *at),
            false => self.must_hold(on, node, *at),
        }
        let (held, waiting, monitor) = (self.held(), self.waiting(), self.monitor());
        let lock_of = condition.then(|| self.lock_of());
        let asleep = self.label(node);
        self.interruption(None, node, *at);
        let mut draft = self.draft(node).moving(Mover::Unlock);
        draft.focus(on, lock_of);
        let m = draft.choose();
        let l = if condition { draft.choose() } else { m };
        let is = draft.is(on, m);
        let belongs = lock_of.map_or(f::TRUE, |lock_of| f::atom(lock_of, &[m, l]));
        draft.when(f::and([is, belongs, f::atom(held, &[l, SELF])]));
        if condition {
            let [twice, _] = self.levels();
            let mut often = draft.clone();
            often.when(f::atom(twice, &[l]));
            let line = self.program.line(node);
            often.action.beyond =
                Some(format!("a thread waits that has taken its lock more than once (line {line})"));
            self.flow.add(often, *at, self.flow.exit);
            draft.when(f::not(f::atom(twice, &[l])));
        }
        self.nested_waits |=
            self.undo.iter().filter(|(_, u)| matches!(u, Undo::Unlock(..))).count() > 1 || condition;
        let (a, b, t, o, w) = (draft.fresh(), draft.fresh(), draft.fresh(), draft.fresh(), draft.fresh());
        let mine = f::and([f::equal(a, l), f::equal(b, SELF)]);
        draft.update(held, &[a, b], f::and([f::atom(held, &[a, b]), f::not(mine)]));
        let there = f::choose(f::equal(t, SELF), f::equal(o, m), f::atom(monitor, &[t, o]));
        draft.update(monitor, &[t, o], there);
        draft.update(waiting, &[w], f::or([f::atom(waiting, &[w]), f::equal(w, SELF)]));
        self.flow.add(draft, *at, asleep);
        let monitor_of = self.monitor_of(node);
        self.waits.push((self.number, asleep, monitor_of));
        self.wishes.push(Wish {
            flow: self.number,
            label: asleep,
            lock: Variable::PerThread(monitor),
            woken: true,
        });
        self.spurious(node, asleep);
        let to = self.label(node);
        let mut wake = self.draft(node);
        wake.action.name = format!("woken: {}", wake.action.name);
        wake.focus(&Variable::PerThread(monitor), lock_of);
        let m = wake.choose();
        let l = if condition { wake.choose() } else { m };
        let belongs = lock_of.map_or(f::TRUE, |lock_of| f::atom(lock_of, &[m, l]));
        let up = f::not(f::atom(waiting, &[SELF]));
        wake.when(f::and([up, f::atom(monitor, &[SELF, m]), belongs, self.is_free(l)]));
        let (a, b, t, o) = (wake.fresh(), wake.fresh(), wake.fresh(), wake.fresh());
        let taken = f::and([f::equal(a, l), f::equal(b, SELF)]);
        wake.update(held, &[a, b], f::or([f::atom(held, &[a, b]), taken]));
        wake.update(monitor, &[t, o], f::and([f::atom(monitor, &[t, o]), f::differ(t, SELF)]));
        if let Some(label) = self.interruption(Some((wake.clone(), asleep)), node, asleep) {
            let lock = Variable::PerThread(monitor);
            self.wishes.push(Wish { flow: self.number, label, lock, woken: true });
        }
        self.flow.add(wake, asleep, to);
        *at = to;
    }

    pub fn notify(&mut self, on: &Variable, node: Node<'t>, at: &mut Label) {
        let condition = self.may_notify(on, node, *at);
        let (waiting, monitor) = (self.waiting(), self.monitor());
        let to = self.label(node);
        let mut one = self.draft(node).moving(Mover::Yes);
        one.wakes = Some(self.monitor_of(node));
        one.focus(on, condition);
        let (w, m) = (one.choose(), one.choose());
        let is = one.is(on, m);
        one.when(f::and([f::atom(waiting, &[w]), f::atom(monitor, &[w, m]), is]));
        let mine = self.mine(&mut one, m, condition);
        one.when(mine);
        let t = one.fresh();
        one.update(waiting, &[t], f::and([f::atom(waiting, &[t]), f::differ(t, w)]));
        self.flow.add(one, *at, to);
        let mut none = self.draft(node).moving(Mover::Yes);
        none.action.name = format!("{}, no thread waits", none.action.name);
        none.focus(on, condition);
        let (w, m) = (none.fresh(), none.choose());
        let is = none.is(on, m);
        let some = f::and([f::atom(waiting, &[w]), f::atom(monitor, &[w, m])]);
        none.when(f::and([is, f::not(f::exists(w, some))]));
        let mine = self.mine(&mut none, m, condition);
        none.when(mine);
        self.flow.add(none, *at, to);
        *at = to;
    }

    pub fn notify_all(&mut self, on: &Variable, node: Node<'t>, at: &mut Label) {
        let condition = self.may_notify(on, node, *at);
        let (waiting, monitor) = (self.waiting(), self.monitor());
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.focus(on, condition);
        draft.wakes = Some(self.monitor_of(node));
        let (t, m) = (draft.fresh(), draft.choose());
        let is = draft.is(on, m);
        draft.when(is);
        let mine = self.mine(&mut draft, m, condition);
        draft.when(mine);
        let here = f::atom(monitor, &[t, m]);
        draft.update(waiting, &[t], f::and([f::atom(waiting, &[t]), f::not(here)]));
        self.then(draft, at, node);
    }

    /// That who moves holds a monitor, or the lock of a condition.
    fn mine(&self, draft: &mut Draft, m: Var, condition: Option<Symbol>) -> Formula {
        let held = self.held();
        match condition {
            None => f::atom(held, &[m, SELF]),
            Some(lock_of) => {
                let l = draft.fresh();
                f::exists(l, f::and([f::atom(lock_of, &[m, l]), f::atom(held, &[l, SELF])]))
            }
        }
    }

    /// A monitor must be held, and the lock of a condition; the predicate that leads to that.
    fn may_notify(&mut self, on: &Variable, node: Node<'t>, at: Label) -> Option<Symbol> {
        if matches!(self.program.part(node, "name"), "notify" | "notifyAll") {
            self.must_hold(on, node, at);
            return None;
        }
        self.must_hold_lock_of(on, node, at);
        Some(self.lock_of())
    }

    pub fn condition_of(&mut self, lock: &Variable, node: Node<'t>, at: &mut Label) -> Variable {
        self.not_null(lock, node, *at);
        let (is, lock_of) = (self.instance("Condition"), self.lock_of());
        let result = self.local("new", &Type::Reference("Condition".to_string()));
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.focus(lock, None);
        let n = draft.create();
        let (o, c, l) = (draft.fresh(), draft.fresh(), draft.fresh());
        let given = draft.is(lock, l);
        draft.update(is, &[o], f::or([f::atom(is, &[o]), f::equal(o, n)]));
        draft.update(lock_of, &[c, l], f::or([f::atom(lock_of, &[c, l]), f::and([f::equal(c, n), given])]));
        draft.assign(&result, |_, o| f::equal(o, n));
        self.then(draft, at, node);
        result
    }
}
