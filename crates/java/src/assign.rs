//! Assignments: to locals, to fields, to static fields of classes that are not yet initialized; and
//! expressions for what they do.

use crate::draft::{Draft, Mover, Variable};
use crate::fields::Slot;
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::tree::{arguments, parts, sides};
use structures::formula::{self as f, Formula};
use tree_sitter::Node;

/// What gets a value: a field, whose it is, and how it is modelled.
struct Target<'a> {
    owner: &'a Variable,
    class: &'a str,
    name: &'a str,
    slot: Slot,
    ty: Type,
}

impl<'t> Lower<'t> {
    /// An expression for what it does: an assignment, a call, a creation.
    pub fn effect(&mut self, node: Node<'t>, at: &mut Label) {
        match node.kind() {
            "assignment_expression" => {
                let Some((left, right)) = sides(node) else { return };
                if self.program.part(node, "operator") != "=" {
                    return match self.type_of(left) {
                        Type::Number(..) => self.change_number(node, at),
                        ty if ty.is_forgotten() => self.change_forgotten(left, Some(right), node, at),
                        _ => self.program.outside(node),
                    };
                }
                let Some((object, name)) = self.program.named(left) else {
                    return self.program.outside(left);
                };
                match self.find(name).filter(|_| object.is_none()) {
                    Some((variable, ty)) => self.assign_local((&variable, &ty), right, node, at),
                    None => self.assign_field((object, name), right, node, at),
                }
            }
            "update_expression" if self.interval(node).is_some() => self.compute_away(node, at),
            "update_expression" => {
                parts(node).into_iter().for_each(|n| self.change_forgotten(n, None, node, at));
            }
            "method_invocation" => {
                self.invoke(node, at);
            }
            "object_creation_expression" => {
                self.create(node, at);
            }
            "parenthesized_expression" => {
                if let Some(inner) = parts(node).first() {
                    self.effect(*inner, at);
                }
            }
            _ => self.program.outside(node),
        }
    }

    /// `variable = value`.
    pub fn assign_local(
        &mut self,
        (variable, ty): (&Variable, &Type),
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        self.as_thread(ty, value);
        match ty {
            Type::Reference(_) => {
                let (source, _) = self.operand(value, at);
                let mut draft = self.draft(node).moving(Mover::Yes);
                draft.focus(&source, None);
                draft.assign(variable, |draft, o| draft.is(&source, o));
                self.then(draft, at, node);
            }
            Type::Boolean => {
                let (yes, no, after) = (self.label(node), self.label(node), self.label(node));
                self.condition(value, *at, yes, no);
                for (from, truth) in [(yes, f::TRUE), (no, f::FALSE)] {
                    let mut draft = self.draft(node).moving(Mover::Yes);
                    draft.assign_flag(variable, truth);
                    self.flow.add(draft, from, after);
                }
                *at = after;
            }
            Type::Number(..) => self.assign_local_number(variable, value, node, at),
            Type::Loose | Type::Boxed => self.effect_boxed(value, at),
            _ => self.effect_inside(value, at),
        }
    }

    /// `object.name = value`.
    pub fn assign_field(
        &mut self,
        (object, name): (Option<Node<'t>>, &str),
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let (owner, class) = self.owner(object, at);
        let Some((slot, ty)) = self.slot(&class, name) else {
            return self.unknown(node, name);
        };
        let owner = self.settled(owner, object, &[value], at);
        let atomic = ty.is_atomic();
        if self.loads(&class, name) {
            if atomic {
                return self.program.outside(node);
            }
            let target = Target { owner: &Variable::Null, class: &class, name, slot, ty };
            return self.give_static(target, value, node, at);
        }
        let again = || {
            let methods = self.program.classes.values().flat_map(|c| &c.methods);
            methods.filter_map(|m| m.body).any(|body| self.program.assigns(body, name))
        };
        if atomic && (value.kind() != "object_creation_expression" || again()) {
            return self.program.outside(node);
        }
        let full = self.program.find_field(&class, name).map(|f| format!("{}.{}", f.class, f.name));
        self.sharing.given = full.filter(|_| atomic);
        self.give_field(Target { owner: &owner, class: &class, name, slot, ty }, value, node, at);
        self.sharing.given = None;
    }

    /// Whether the use of a field may initialize its class.
    fn loads(&self, class: &str, name: &str) -> bool {
        let field = self.program.find_field(class, name).filter(|f| f.is_static);
        field.is_some_and(|f| self.program.lazy.contains(&f.class) && !self.initing.contains(&f.class))
    }

    /// A static field gets a value: that is computed first, then the class is initialized.
    fn give_static(&mut self, target: Target<'_>, value: Node<'t>, node: Node<'t>, at: &mut Label) {
        let Target { owner, class, name, slot, ty } = target;
        let variable = match (&ty, self.interval(value)) {
            (Type::Number(low, high), Some(v)) => {
                let (low, high) = ((*low).min(*v.start()), (*high).max(*v.end()));
                self.local("value", &Type::Number(low, high))
            }
            _ => self.local("value", &ty),
        };
        self.assign_local((&variable, &ty), value, node, at);
        self.loaded(class, name, node, at);
        match (&slot, &ty) {
            (_, Type::Number(..)) => {
                let Some(cell) = self.cell_of(owner, class, name, true) else { return };
                self.store_number(&cell, &variable, node, at);
            }
            (Slot::StaticReference(_), _) => {
                self.sharing.known_threads |= self.program.is_thread(&self.class_of(value));
                let mover = self.used(&slot, owner, true);
                let mut draft = self.draft(node).moving(mover);
                draft.refer(owner, &slot, &variable);
                self.then(draft, at, node);
            }
            (Slot::StaticFlag(symbol), _) => {
                let mover = self.used(&slot, owner, true);
                let mut draft = self.draft(node).moving(mover);
                let truth = draft.flag(&variable);
                draft.update(*symbol, &[], truth);
                self.then(draft, at, node);
            }
            _ => self.touch((owner, class, name), true, node, at),
        }
    }

    /// A field of an owner of some class gets a value.
    fn give_field(&mut self, target: Target<'_>, value: Node<'t>, node: Node<'t>, at: &mut Label) {
        let Target { owner, class, name, slot, ty } = target;
        match (&ty, arguments(value).first().copied()) {
            (Type::Number(..), _) => {
                let Some(cell) = self.cell_of(owner, class, name, true) else { return };
                return self.assign_number(&cell, value, node, at);
            }
            (Type::AtomicNumber(..), first) => {
                let Some(cell) = self.cell_of(owner, class, name, true) else { return };
                return first.into_iter().for_each(|first| self.assign_number(&cell, first, node, at));
            }
            (Type::AtomicReference(_), Some(first)) => {
                return self.assign_reference((owner, &slot), first, node, at);
            }
            (Type::AtomicReference(_), None) => return,
            _ => {}
        }
        self.as_thread(&ty, value);
        match slot {
            Slot::StaticReference(_) | Slot::Reference(_) => {
                self.assign_reference((owner, &slot), value, node, at);
            }
            Slot::StaticFlag(_) | Slot::Flag(_) => self.assign_truth((owner, &slot), value, node, at),
            Slot::Forgotten => {
                match ty {
                    Type::Loose | Type::Boxed => self.effect_boxed(value, at),
                    _ => self.effect_inside(value, at),
                }
                self.touch((owner, class, name), true, node, at);
            }
        }
    }

    /// A field gets a truth value, which is computed by branching.
    fn assign_truth(
        &mut self,
        (owner, slot): (&Variable, &Slot),
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let mover = self.used(slot, owner, true);
        let after = self.label(node);
        for (from, truth) in self.truths(value, node, *at) {
            if let Slot::Flag(_) = slot {
                self.not_null(owner, node, from);
            }
            let mut draft = self.draft(node).moving(mover);
            draft.give(owner, slot, truth);
            self.flow.add(draft, from, after);
        }
        *at = after;
    }

    /// Where a truth value has been computed, and which it is there; nowhere if it is refused.
    fn truths(&mut self, value: Node<'t>, node: Node<'t>, at: Label) -> Vec<(Label, Formula)> {
        let constant = match value.kind() {
            "true" => Some(f::TRUE),
            "false" => Some(f::FALSE),
            "object_creation_expression" => {
                // An AtomicBoolean.
                match arguments(value).first().map(|n| self.program.truth(*n)) {
                    None | Some(Some(false)) => Some(f::FALSE),
                    Some(Some(true)) => Some(f::TRUE),
                    Some(None) => {
                        self.program.outside(value);
                        return Vec::new();
                    }
                }
            }
            _ => None,
        };
        let (yes, no) = (self.label(node), self.label(node));
        if let Some(truth) = constant {
            return vec![(at, truth)];
        }
        self.condition(value, at, yes, no);
        vec![(yes, f::TRUE), (no, f::FALSE)]
    }

    /// A field gets a new reference.
    pub fn assign_reference(
        &mut self,
        (owner, slot): (&Variable, &Slot),
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        if self.program.is_thread(&self.class_of(value)) {
            self.sharing.known_threads = true;
        }
        let mover = self.used(slot, owner, true);
        let (source, _) = self.operand(value, at);
        if let Slot::Reference(_) = slot {
            self.not_null(owner, node, *at);
        }
        let mut draft = self.draft(node).moving(mover);
        draft.refer(owner, slot, &source);
        self.then(draft, at, node);
    }
}

impl Draft {
    /// A field refers to what a variable does from now on.
    pub fn refer(&mut self, owner: &Variable, slot: &Slot, source: &Variable) {
        match slot {
            Slot::StaticReference(symbol) => {
                self.focus(source, None);
                let o = self.fresh();
                let formula = self.is(source, o);
                self.update(*symbol, &[o], formula);
            }
            Slot::Reference(symbol) => {
                self.focus(owner, Some(*symbol));
                self.focus(source, None);
                let (x, p, o) = (self.fresh(), self.fresh(), self.fresh());
                let (mine, new, some) = (self.is(owner, x), self.is(source, p), self.is(owner, o));
                self.when(f::exists(o, some));
                self.update(*symbol, &[x, p], f::choose(mine, new, f::atom(*symbol, &[x, p])));
            }
            _ => {}
        }
    }

    /// A field has this truth value from now on.
    fn give(&mut self, owner: &Variable, slot: &Slot, truth: Formula) {
        match slot {
            Slot::StaticFlag(symbol) => self.update(*symbol, &[], truth),
            Slot::Flag(symbol) => {
                self.focus(owner, None);
                let (x, o) = (self.fresh(), self.fresh());
                let (mine, some) = (self.is(owner, x), self.is(owner, o));
                self.when(f::exists(o, some));
                self.update(*symbol, &[x], f::choose(mine, truth, f::atom(*symbol, &[x])));
            }
            _ => {}
        }
    }
}
