//! Fields as predicates: whose they are, reading one, and that a reference must not be null.

use crate::draft::{Mover, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::shown::Named;
use structures::formula as f;
use structures::vocabulary::{Attribute, Symbol};
use tree_sitter::Node;

/// A field as predicates.
pub enum Slot {
    StaticReference(Symbol),
    StaticFlag(Symbol),
    Reference(Symbol),
    Flag(Symbol),
    Forgotten,
}

impl<'t> Lower<'t> {
    /// A field by the class it is looked for in.
    pub fn slot(&mut self, class: &str, name: &str) -> Option<(Slot, Type)> {
        let field = self.program.find_field(class, name)?.clone();
        let full = format!("{}.{}", field.class, field.name);
        let slot = match (&field.ty, field.is_static) {
            (Type::Reference(_) | Type::AtomicReference(_), true) => {
                Slot::StaticReference(self.symbol(&full, 1, &[Attribute::Unique]))
            }
            (Type::Reference(_) | Type::AtomicReference(_), false) => {
                Slot::Reference(self.symbol(&full, 2, &[Attribute::Function]))
            }
            (Type::Boolean | Type::Atomic, true) => Slot::StaticFlag(self.symbol(&full, 0, &[])),
            (Type::Boolean | Type::Atomic, false) => Slot::Flag(self.symbol(&full, 1, &[])),
            _ => Slot::Forgotten,
        };
        Some((slot, field.ty))
    }

    /// The owner of a field: a class, or a variable with its class.
    pub fn owner(&mut self, object: Option<Node<'t>>, at: &mut Label) -> (Variable, String) {
        match object {
            None => (self.this.clone(), self.class.clone()),
            Some(o) if o.kind() == "identifier" && self.is_class(self.program.text(o)) => {
                (Variable::Null, self.program.text(o).to_string())
            }
            Some(o) => self.operand(o, at),
        }
    }

    /// The variable that a name means; a field is read into one.
    pub fn variable(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        let Some((object, name)) = self.program.named(node) else { return Variable::Nothing };
        match self.find(name).filter(|_| object.is_none()) {
            Some((variable, _)) => variable,
            None => self.read((object, name), node, at),
        }
    }

    /// Reads a field into a new variable.
    pub fn read(&mut self, (object, name): Named<'t>, node: Node<'t>, at: &mut Label) -> Variable {
        let (owner, class) = self.owner(object, at);
        let Some((slot, ty)) = self.slot(&class, name) else {
            self.unknown(node, name);
            return Variable::Null;
        };
        self.loaded(&class, name, node, at);
        if let (Slot::StaticReference(symbol), Some(field)) = (&slot, self.program.find_field(&class, name))
            && self.program.is_constant(field)
            && !field.ty.is_atomic()
            && !self.sharing.alone
        {
            return Variable::Single(*symbol);
        }
        if let Slot::Forgotten = slot {
            self.touch((&owner, &class, name), false, node, at);
            return Variable::Nothing;
        }
        let held = if let Type::AtomicReference(class) = ty { Type::Reference(class) } else { ty };
        let target = self.local("t", &held);
        let mover = self.used(&slot, &owner, false);
        let mut draft = self.draft(node).moving(mover);
        match slot {
            Slot::StaticReference(symbol) => {
                draft.focus(&Variable::Single(symbol), None);
                draft.assign(&target, |_, o| f::atom(symbol, &[o]));
            }
            Slot::StaticFlag(symbol) => draft.assign_flag(&target, f::atom(symbol, &[])),
            Slot::Reference(symbol) => {
                self.not_null(&owner, node, *at);
                draft.focus(&owner, Some(symbol));
                let o = draft.fresh();
                let base = draft.is(&owner, o);
                draft.when(f::exists(o, base.clone()));
                draft.assign(&target, |_, p| f::exists(o, f::and([base, f::atom(symbol, &[o, p])])));
            }
            Slot::Flag(symbol) => {
                self.not_null(&owner, node, *at);
                draft.focus(&owner, None);
                let o = draft.fresh();
                let base = draft.is(&owner, o);
                draft.when(f::exists(o, base.clone()));
                draft.assign_flag(&target, f::exists(o, f::and([base, f::atom(symbol, &[o])])));
            }
            Slot::Forgotten => return Variable::Nothing,
        }
        self.then(draft, at, node);
        target
    }

    /// A static field is used, so its class is initialized.
    pub fn loaded(&mut self, class: &str, name: &str, node: Node<'t>, at: &mut Label) {
        if let Some(field) = self.program.find_field(class, name).filter(|f| f.is_static).cloned() {
            self.ensure_field(&field.class, name, node, at);
        }
    }

    /// Notes the use of a field.
    pub fn used(&mut self, slot: &Slot, owner: &Variable, writes: bool) -> Mover {
        match slot {
            Slot::StaticReference(symbol) | Slot::StaticFlag(symbol) => self.uses(*symbol, None, writes),
            Slot::Reference(symbol) | Slot::Flag(symbol) => self.uses(*symbol, Some(owner), writes),
            Slot::Forgotten => Mover::Yes,
        }
    }

    /// Adds the error that a reference is null.
    pub fn not_null(&mut self, owner: &Variable, node: Node<'t>, at: Label) {
        if matches!(owner, Variable::Myself) || *owner == self.this {
            return;
        }
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.focus(owner, None);
        let null = draft.is_null(owner);
        draft.when(null);
        self.fails(draft, at, "null dereference", node);
    }

    /// The error, and a step of its own for going on.
    pub fn must_be(&mut self, owner: &Variable, node: Node<'t>, at: &mut Label) {
        if matches!(owner, Variable::Myself) || *owner == self.this {
            return;
        }
        self.not_null(owner, node, *at);
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.focus(owner, None);
        let null = draft.is_null(owner);
        draft.when(f::not(null));
        self.then(draft, at, node);
    }
}
