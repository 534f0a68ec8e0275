//! `AtomicBoolean`, `AtomicReference`, and `AtomicInteger` with a range: what a field holds is read
//! and written in one step.
//!
//! Only fields are of this type, and they get their object once, at their declaration or in a
//! constructor: then the field stands for the object, and no other variable can refer to it.

use crate::draft::{Draft, Mover, Variable};
use crate::fields::Slot;
use crate::flow::Label;
use crate::lower::Lower;
use crate::numbers::{OUTSIDE, Values};
use crate::program::Type;
use crate::tree::{arguments, child};
use std::ops::RangeInclusive;
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::Symbol;
use tree_sitter::Node;

/// A field of this type: whose it is, and its predicate.
struct Atomic {
    owner: Variable,
    symbol: Symbol,
    mover: Mover,
}

impl<'t> Lower<'t> {
    /// The field that a call works on, if it is of this type.
    pub fn atomic(&self, node: Node<'t>) -> Option<Node<'t>> {
        let object = child(node, "object")?;
        self.type_of(object).is_atomic().then_some(object)
    }

    /// What a call results in.
    pub fn atomic_type(&self, node: Node<'t>) -> Type {
        let of = self.atomic(node).map(|object| self.type_of(object));
        match (of, self.program.part(node, "name")) {
            (Some(Type::Atomic), _) | (_, "compareAndSet") => Type::Boolean,
            (Some(Type::AtomicReference(class)), "get" | "getAndSet") => Type::Reference(class),
            _ => Type::Forgotten,
        }
    }

    /// Branches on `get`, `compareAndSet`, `getAndSet`; false if the call is none of them.
    pub fn atomic_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let Some(object) = self.atomic(node) else { return false };
        let name = self.program.part(node, "name");
        let arguments = arguments(node);
        match (self.type_of(object), name, &arguments[..]) {
            (Type::AtomicReference(_), "compareAndSet", [old, new]) => {
                return self.swap_reference(node, [*old, *new], from, [yes, no]);
            }
            (Type::AtomicNumber(..), "compareAndSet", [old, new]) => {
                return self.swap_number(node, [*old, *new], from, [yes, no]);
            }
            (Type::Atomic, ..) => {}
            _ => return false,
        }
        let given: Option<Vec<bool>> = arguments.iter().map(|n| self.program.truth(*n)).collect();
        // What the value must be for yes, and what it becomes.
        let (wanted, becomes) = match (name, given.as_deref()) {
            ("get", Some([])) => (true, [None, None]),
            ("getAndSet", Some([new])) => (true, [Some(*new), Some(*new)]),
            ("compareAndSet", Some([old, new])) => (*old, [Some(*new), None]),
            _ => return false,
        };
        let mut at = from;
        let writes = becomes.iter().any(Option::is_some);
        let Some(atomic) = self.atomic_field(object, writes, &mut at) else { return false };
        for (to, value, becomes) in [(yes, wanted, becomes[0]), (no, !wanted, becomes[1])] {
            let mut draft = self.draft(node).moving(atomic.mover);
            let o = atomic.choose(&mut draft);
            let now = atomic.value(o);
            draft.when(if value { now } else { f::not(now) });
            if let Some(new) = becomes {
                atomic.write(&mut draft, o, if new { f::TRUE } else { f::FALSE });
            }
            self.flow.add(draft, at, to);
        }
        true
    }

    /// A call for what it does; false if it is none of this type's.
    pub fn atomic_effect(&mut self, node: Node<'t>, at: &mut Label) -> bool {
        let after = self.label(node);
        let arguments = arguments(node);
        let ty = self.atomic(node).map(|object| self.type_of(object));
        match (self.atomic(node), self.program.part(node, "name"), &arguments[..]) {
            _ if self.atomic_interval(node).is_some() => {
                for (_, here) in self.atomic_compute(node, *at) {
                    self.flow.alias(here, after);
                }
            }
            (Some(object), "set", [value]) if matches!(ty, Some(Type::AtomicNumber(..))) => {
                let Some(cell) = self.cell(object, true, at) else { return false };
                self.assign_number(&cell, *value, node, at);
                self.flow.alias(*at, after);
            }
            (Some(object), "set", [value]) if matches!(ty, Some(Type::AtomicReference(_))) => {
                let Some((owner, slot, _)) = self.atomic_slot(object, at) else { return false };
                self.as_thread(&ty.unwrap_or(Type::Void), *value);
                self.assign_reference((&owner, &slot), *value, node, at);
                self.flow.alias(*at, after);
            }
            (Some(object), "set", [value]) => {
                let Some(atomic) = self.atomic_field(object, true, at) else { return false };
                let (yes, no) = (self.label(node), self.label(node));
                self.condition(*value, *at, yes, no);
                for (from, truth) in [(yes, f::TRUE), (no, f::FALSE)] {
                    let mut draft = self.draft(node).moving(atomic.mover);
                    let o = atomic.choose(&mut draft);
                    atomic.write(&mut draft, o, truth);
                    self.flow.add(draft, from, after);
                }
            }
            _ if self.atomic_condition(node, *at, after, after) => {}
            _ => return false,
        }
        *at = after;
        true
    }

    /// The owner, the predicate and the name of a field.
    fn atomic_slot(&mut self, object: Node<'t>, at: &mut Label) -> Option<(Variable, Slot, &'t str)> {
        let (inner, name) = self.program.named(object)?;
        let (owner, class) = self.owner(inner, at);
        let (slot, _) = self.slot(&class, name)?;
        self.loaded(&class, name, object, at);
        let owner = self.settled(owner, inner, &self.later(object), at);
        Some((owner, slot, name))
    }

    /// `get` and `getAndSet` of a reference: the value in a new variable; `None` if the call is
    /// none of them.
    pub fn atomic_reference(&mut self, node: Node<'t>, at: &mut Label) -> Option<Variable> {
        let object = self.atomic(node)?;
        let Type::AtomicReference(class) = self.type_of(object) else { return None };
        let arguments = arguments(node);
        let given = match (self.program.part(node, "name"), &arguments[..]) {
            ("get", []) => None,
            ("getAndSet", [value]) => Some(*value),
            _ => return None,
        };
        let Some(value) = given else {
            return Some(self.read(self.program.named(object).unwrap_or((None, "")), node, at));
        };
        let (owner, slot, _) = self.atomic_slot(object, at)?;
        let ty = Type::Reference(class);
        self.as_thread(&ty, value);
        self.sharing.known_threads |= self.program.is_thread(&self.class_of(value));
        let mover = self.used(&slot, &owner, true);
        let (source, _) = self.operand(value, at);
        let result = self.local("old", &ty);
        let mut draft = self.draft(node).moving(mover);
        draft.refer(&owner, &slot, &source);
        let o = draft.fresh();
        match slot {
            Slot::StaticReference(symbol) => {
                draft.focus(&Variable::Single(symbol), None);
                draft.assign(&result, |_, p| f::atom(symbol, &[p]));
            }
            Slot::Reference(symbol) => {
                self.not_null(&owner, node, *at);
                let base = draft.is(&owner, o);
                draft.assign(&result, |_, p| f::exists(o, f::and([base, f::atom(symbol, &[o, p])])));
            }
            _ => return None,
        }
        self.then(draft, at, node);
        Some(result)
    }

    /// `compareAndSet` of a reference.
    fn swap_reference(
        &mut self,
        node: Node<'t>,
        [old, new]: [Node<'t>; 2],
        from: Label,
        [yes, no]: [Label; 2],
    ) -> bool {
        let mut at = from;
        let Some(object) = self.atomic(node) else { return false };
        let Some((owner, slot, _)) = self.atomic_slot(object, &mut at) else { return false };
        let ty = self.type_of(object);
        self.as_thread(&ty, new);
        self.sharing.known_threads |= self.program.is_thread(&self.class_of(new));
        let mover = self.used(&slot, &owner, true);
        let (expected, _) = self.operand(old, &mut at);
        let expected = self.settled(expected, Some(old), &[new], &mut at);
        let (source, _) = self.operand(new, &mut at);
        if let Slot::Reference(_) = slot {
            self.not_null(&owner, node, at);
        }
        for (to, same) in [(yes, true), (no, false)] {
            let mut draft = self.draft(node).moving(mover);
            draft.focus(&expected, None);
            let (o, p, q) = (draft.fresh(), draft.fresh(), draft.fresh());
            let value = |draft: &mut Draft, p: Var| match slot {
                Slot::Reference(symbol) => {
                    let base = draft.is(&owner, o);
                    f::exists(o, f::and([base, f::atom(symbol, &[o, p])]))
                }
                Slot::StaticReference(symbol) => f::atom(symbol, &[p]),
                _ => f::FALSE,
            };
            match slot {
                Slot::Reference(symbol) => {
                    draft.focus(&owner, Some(symbol));
                    let x = draft.fresh();
                    let some = draft.is(&owner, x);
                    draft.when(f::exists(x, some));
                }
                Slot::StaticReference(symbol) => draft.focus(&Variable::Single(symbol), None),
                _ => return false,
            }
            let (is, now, any) = (draft.is(&expected, p), value(&mut draft, p), value(&mut draft, q));
            let none = f::and([draft.is_null(&expected), f::not(f::exists(q, any))]);
            let agree = f::or([f::exists(p, f::and([is, now])), none]);
            draft.when(if same { agree } else { f::not(agree) });
            if same {
                draft.refer(&owner, &slot, &source);
            }
            self.flow.add(draft, at, to);
        }
        true
    }

    /// The values that a call on a number may result in; `None` if it is none, or results in
    /// nothing.
    pub fn atomic_interval(&self, node: Node<'t>) -> Option<RangeInclusive<i64>> {
        let Type::AtomicNumber(low, high) = self.type_of(self.atomic(node)?) else { return None };
        let (by, first) = self.atomic_change(node)?;
        Some(if first { low..=high } else { low + by.start()..=high + by.end() })
    }

    /// By how much a call changes a number, and whether it results in the value before. `getAndSet`
    /// is not among them.
    fn atomic_change(&self, node: Node<'t>) -> Option<(RangeInclusive<i64>, bool)> {
        let arguments = arguments(node);
        match (self.program.part(node, "name"), &arguments[..]) {
            ("get" | "intValue", []) => Some((0..=0, true)),
            ("incrementAndGet", []) => Some((1..=1, false)),
            ("getAndIncrement", []) => Some((1..=1, true)),
            ("decrementAndGet", []) => Some((-1..=-1, false)),
            ("getAndDecrement", []) => Some((-1..=-1, true)),
            ("addAndGet", [by]) => self.interval(*by).map(|by| (by, false)),
            ("getAndAdd", [by]) => self.interval(*by).map(|by| (by, true)),
            _ => None,
        }
    }

    /// A call on a number that results in one.
    pub fn atomic_compute(&mut self, node: Node<'t>, mut at: Label) -> Values {
        let arguments = arguments(node);
        let (Some(object), Some((by, first))) = (self.atomic(node), self.atomic_change(node)) else {
            return Values::new();
        };
        let writes = by != (0..=0);
        let Some(cell) = self.cell(object, writes, &mut at) else { return Values::new() };
        let changes = match arguments.first() {
            Some(argument) => self.compute(*argument, at),
            None => Values::from([(*by.start(), at)]),
        };
        let mut labels = Values::new();
        for (by, at) in changes {
            if let Some(owner) = &cell.owner {
                self.not_null(owner, node, at);
            }
            for old in cell.values() {
                let new = old + by;
                let mut draft = self.draft(node).moving(cell.mover);
                let o = cell.who(&mut draft);
                let is = cell.is(&mut draft, o, old);
                draft.when(is);
                if cell.values().all(|v| v != new) {
                    self.fails(draft, at, OUTSIDE, node);
                    continue;
                }
                if writes {
                    cell.set(&mut draft, o, new);
                }
                let fresh = self.label(node);
                let to = *labels.entry(if first { old } else { new }).or_insert(fresh);
                self.flow.add(draft, at, to);
            }
        }
        labels
    }

    /// `compareAndSet` of a number.
    fn swap_number(
        &mut self,
        node: Node<'t>,
        [old, new]: [Node<'t>; 2],
        from: Label,
        [yes, no]: [Label; 2],
    ) -> bool {
        if self.interval(old).is_none() || self.interval(new).is_none() {
            return false;
        }
        let mut at = from;
        let Some(object) = self.atomic(node) else { return false };
        let Some(cell) = self.cell(object, true, &mut at) else { return false };
        for (expected, here) in self.compute(old, at) {
            for (value, there) in self.compute(new, here) {
                if let Some(owner) = &cell.owner {
                    self.not_null(owner, node, there);
                }
                for now in cell.values() {
                    let mut draft = self.draft(node).moving(cell.mover);
                    let o = cell.who(&mut draft);
                    let is = cell.is(&mut draft, o, now);
                    draft.when(is);
                    if now != expected {
                        self.flow.add(draft, there, no);
                    } else if cell.values().all(|v| v != value) {
                        self.fails(draft, there, OUTSIDE, node);
                    } else {
                        cell.set(&mut draft, o, value);
                        self.flow.add(draft, there, yes);
                    }
                }
            }
        }
        true
    }

    fn atomic_field(&mut self, object: Node<'t>, writes: bool, at: &mut Label) -> Option<Atomic> {
        let (owner, slot, _) = self.atomic_slot(object, at)?;
        let mover = self.used(&slot, &owner, writes);
        match slot {
            Slot::StaticFlag(symbol) => Some(Atomic { owner: Variable::Null, symbol, mover }),
            Slot::Flag(symbol) => {
                self.not_null(&owner, object, *at);
                Some(Atomic { owner, symbol, mover })
            }
            _ => None,
        }
    }
}

impl Atomic {
    /// Whose field it is; none if it is static.
    pub fn choose(&self, draft: &mut Draft) -> Option<Var> {
        matches!(self.symbol, Symbol::Unary(_)).then(|| draft.refers(&self.owner))
    }

    pub fn value(&self, o: Option<Var>) -> Formula {
        f::atom(self.symbol, &o.into_iter().collect::<Vec<_>>())
    }

    fn write(&self, draft: &mut Draft, o: Option<Var>, new: Formula) {
        match o {
            None => draft.update(self.symbol, &[], new),
            Some(o) => {
                let x = draft.fresh();
                let formula = f::choose(f::equal(x, o), new, f::atom(self.symbol, &[x]));
                draft.update(self.symbol, &[x], formula);
            }
        }
    }
}
