//! `AtomicBoolean`: a truth value in a field that is read and written in one step.
//!
//! Only fields are of this type, and they get their object once, at their declaration or in a constructor: then the field stands for the
//! object, and no other variable can refer to it.

use super::expressions::Slot;
use super::flow::{Draft, Label, Mover, Variable};
use super::lower::Lower;
use super::program::{Type, parts};
use crate::formula::{self as f, Formula, Var};
use crate::vocabulary::Symbol;
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
        let object = node.child_by_field_name("object")?;
        (self.type_of(object) == Type::Atomic).then_some(object)
    }

    /// Branches on `get`, `compareAndSet`, `getAndSet`; false if the call is none of them.
    pub fn atomic_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let Some(object) = self.atomic(node) else { return false };
        let name = self.program.part(node, "name");
        let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
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
        let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        match (self.atomic(node), self.program.part(node, "name"), &arguments[..]) {
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

    fn atomic_field(&mut self, object: Node<'t>, writes: bool, at: &mut Label) -> Option<Atomic> {
        let (inner, name) = match object.kind() {
            "identifier" => (None, self.program.text(object)),
            "field_access" => (object.child_by_field_name("object"), self.program.part(object, "field")),
            _ => return None,
        };
        let (owner, class) = self.owner(inner, at);
        let (slot, _) = self.slot(&class, name)?;
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
    /// Whose field it is; nobody's if it is static.
    fn choose(&self, draft: &mut Draft) -> Option<Var> {
        matches!(self.symbol, Symbol::Unary(_)).then(|| {
            draft.focus(&self.owner, None);
            let o = draft.choose();
            let is = draft.is(&self.owner, o);
            draft.when(is);
            o
        })
    }

    fn value(&self, o: Option<Var>) -> Formula {
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
