//! Expressions: references into variables, conditions into branches, calls into what they do.

use crate::constants::Value;
use crate::flow::{Draft, Label, Mover, Variable};
use crate::lower::Lower;
use crate::program::{FORGOTTEN, Field, Type, inside, parts};
use structures::formula::{self as f, Formula};
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
    pub fn find(&self, name: &str) -> Option<(Variable, Type)> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

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

    /// The static type of an expression, as far as it can be told without lowering it.
    pub fn class_of(&self, node: Node<'t>) -> String {
        match node.kind() {
            "this" => self.class.clone(),
            "identifier" => {
                let name = self.program.text(node);
                let local = self.find(name).map(|(_, ty)| ty);
                let ty = local.or_else(|| self.program.find_field(&self.class, name).map(|f| f.ty.clone()));
                match ty {
                    Some(Type::Reference(class)) => class,
                    _ => name.to_string(),
                }
            }
            "field_access" => {
                let owner = node.child_by_field_name("object").map(|o| self.class_of(o)).unwrap_or_default();
                match self.program.find_field(&owner, self.program.part(node, "field")).map(|f| &f.ty) {
                    Some(Type::Reference(class)) => class.clone(),
                    _ => String::new(),
                }
            }
            "object_creation_expression" => {
                self.program.part(node, "type").split('<').next().unwrap_or("").to_string()
            }
            "method_invocation" => match self.result_of(node) {
                Some(Type::Reference(class)) => class,
                None if self.is_current_thread(node) => "Thread".to_string(),
                None if self.program.part(node, "name") == "newCondition" => "Condition".to_string(),
                None if self.makes_executor(node) => "ExecutorService".to_string(),
                None if self.atomic(node).is_some() => match self.atomic_type(node) {
                    Type::Reference(class) => class,
                    _ => String::new(),
                },
                _ => String::new(),
            },
            "assignment_expression" => {
                node.child_by_field_name("left").map(|n| self.class_of(n)).unwrap_or_default()
            }
            "ternary_expression" => {
                let side = |name: &str| node.child_by_field_name(name);
                let (a, b) = (side("consequence"), side("alternative"));
                a.zip(b).map(|(a, b)| self.common(a, b)).unwrap_or_default()
            }
            "class_literal" => "Class".to_string(),
            "parenthesized_expression" => parts(node).first().map(|n| self.class_of(*n)).unwrap_or_default(),
            "cast_expression" => self.program.part(node, "type").to_string(),
            _ => String::new(),
        }
    }

    /// The type of what may be one or the other: one of the two, or nothing that anything is known
    /// of.
    fn common(&self, a: Node<'t>, b: Node<'t>) -> String {
        let is_null = |n: Node<'t>| inside(n).kind() == "null_literal";
        let (left, right) = (self.class_of(a), self.class_of(b));
        match () {
            () if is_null(a) || self.program.is_a(&left, &right) => right,
            () if is_null(b) || self.program.is_a(&right, &left) => left,
            () => String::new(),
        }
    }

    /// Whether an expression is a truth value, a reference, or forgotten.
    pub fn type_of(&self, node: Node<'t>) -> Type {
        match node.kind() {
            "true" | "false" => Type::Boolean,
            "null_literal" | "this" | "class_literal" => Type::Reference(String::new()),
            "object_creation_expression" => match self.class_of(node) {
                class if FORGOTTEN.contains(&class.as_str()) => Type::Forgotten,
                class => Type::Reference(class),
            },
            "assignment_expression" => {
                node.child_by_field_name("left").map_or(Type::Forgotten, |n| self.type_of(n))
            }
            "ternary_expression" => {
                let side = |name: &str| node.child_by_field_name(name).map(|n| self.type_of(n));
                match (side("consequence"), side("alternative")) {
                    (Some(Type::Reference(_)), Some(Type::Reference(_))) => {
                        Type::Reference(self.class_of(node))
                    }
                    (Some(Type::Boolean), Some(Type::Boolean)) => Type::Boolean,
                    _ => Type::Forgotten,
                }
            }
            "identifier" => {
                let name = self.program.text(node);
                let field = || self.program.find_field(&self.class, name).map(|f| f.ty.clone());
                self.find(name).map(|(_, ty)| ty).or_else(field).unwrap_or(Type::Forgotten)
            }
            "field_access" => {
                let owner = node.child_by_field_name("object").map(|o| self.class_of(o)).unwrap_or_default();
                let field = self.program.find_field(&owner, self.program.part(node, "field"));
                field.map_or(Type::Forgotten, |f| f.ty.clone())
            }
            "method_invocation" => match (self.result_of(node), self.program.part(node, "name")) {
                (Some(result), _) => result,
                (None, "tryLock") => Type::Boolean,
                (None, "newCondition") => Type::Reference("Condition".to_string()),
                (None, _) if self.makes_executor(node) => Type::Reference("ExecutorService".to_string()),
                (None, "awaitTermination") => Type::Boolean,
                (None, "currentThread") if self.is_current_thread(node) => {
                    Type::Reference("Thread".to_string())
                }
                (None, _) if self.atomic(node).is_some() => self.atomic_type(node),
                _ => Type::Forgotten,
            },
            "parenthesized_expression" => parts(node).first().map_or(Type::Forgotten, |n| self.type_of(*n)),
            "unary_expression" if self.program.text(node).starts_with('!') => Type::Boolean,
            "binary_expression" => match self.program.part(node, "operator") {
                "==" | "!=" | "&&" | "||" | "<" | ">" | "<=" | ">=" => Type::Boolean,
                "&" | "|" | "^" if self.are_truths(node) => Type::Boolean,
                _ => Type::Forgotten,
            },
            "instanceof_expression" => Type::Boolean,
            "cast_expression" => self.program.ty(node.child_by_field_name("type")),
            _ => Type::Forgotten,
        }
    }

    /// A reference in a variable, and its static type.
    pub fn operand(&mut self, node: Node<'t>, at: &mut Label) -> (Variable, String) {
        let class = self.class_of(node);
        if matches!(node.kind(), "identifier" | "field_access") && self.type_of(node).is_atomic() {
            self.program.outside(node);
            return (Variable::Null, class);
        }
        let variable = match node.kind() {
            "this" => self.this.clone(),
            "null_literal" => Variable::Null,
            "parenthesized_expression" => {
                let inner = parts(node).last().copied();
                return inner.map_or((Variable::Null, class), |n| self.operand(n, at));
            }
            "cast_expression" => {
                let Some(inner) = node.child_by_field_name("value") else { return (Variable::Null, class) };
                let (value, from) = self.operand(inner, at);
                self.cast(&value, &from, &class, node, at);
                value
            }
            "identifier" => {
                let name = self.program.text(node);
                let value = match self.find(name) {
                    Some((variable, _)) => variable,
                    None => self.read(None, name, node, at),
                };
                self.modelled(value, node)
            }
            "field_access" => {
                let object = node.child_by_field_name("object");
                let name = self.program.part(node, "field");
                let value = self.read(object, name, node, at);
                self.modelled(value, node)
            }
            "object_creation_expression" => self.create(node, at),
            // What is forgotten is not null.
            "method_invocation" => {
                let value = self.invoke(node, at);
                self.modelled(value, node)
            }
            "class_literal" => match parts(node).first().map(|n| self.program.text(*n)) {
                Some(name) if self.is_class(name) => self.class_object(name),
                _ => {
                    self.program.outside(node);
                    Variable::Null
                }
            },
            "ternary_expression" => self.either(node, &class, at),
            // The value of an assignment to a local is what the local is then.
            "assignment_expression" if self.is_local(node.child_by_field_name("left")) => {
                self.effect(node, at);
                let left = node.child_by_field_name("left").unwrap_or(node);
                return self.operand(left, at);
            }
            _ => {
                self.program.outside(node);
                Variable::Null
            }
        };
        (variable, class)
    }

    /// What is forgotten is no reference to follow.
    fn modelled(&mut self, value: Variable, node: Node<'t>) -> Variable {
        match value {
            Variable::Nothing => {
                self.program.outside(node);
                Variable::Null
            }
            value => value,
        }
    }

    /// A cast to a class: what is not of it, or below, is an error. To others of the library it is
    /// not known.
    fn cast(&mut self, value: &Variable, from: &str, to: &str, node: Node<'t>, at: &mut Label) {
        let ours = |c: &str| self.program.classes.contains_key(c) || self.program.interfaces.contains_key(c);
        if to == "Object"
            || from == to
            || self.program.is_a(from, to) && ours(from)
            || *value == Variable::Null
        {
            return;
        }
        if !ours(to) {
            return self.may_throw(&["ClassCastException"], node, at);
        }
        let below = self.program.below(to);
        let is: Vec<Symbol> = below.iter().map(|class| self.instance(class)).collect();
        let good = |draft: &mut Draft| {
            draft.focus(value, None);
            let o = draft.fresh();
            let refers = draft.is(value, o);
            let fits = f::or(is.iter().map(|is| f::atom(*is, &[o])));
            f::not(f::exists(o, f::and([refers, f::not(fits)])))
        };
        let mut bad = self.draft(node).moving(Mover::Yes);
        let fits = good(&mut bad);
        bad.when(f::not(fits));
        self.fails(bad, *at, "class cast", node);
        let mut draft = self.draft(node).moving(Mover::Yes);
        let fits = good(&mut draft);
        draft.when(fits);
        self.then(draft, at, node);
    }

    /// What a local refers to now, if it may get another value before it is used.
    pub fn settled(
        &mut self,
        value: Variable,
        of: Option<Node<'t>>,
        later: &[Node<'t>],
        at: &mut Label,
    ) -> Variable {
        let Some(mut name) = of else { return value };
        while let ("parenthesized_expression", Some(inner)) = (name.kind(), parts(name).first()) {
            name = *inner;
        }
        let changes = |n: &Node<'t>| self.program.assigns(*n, self.program.text(name));
        if !matches!(name.kind(), "identifier" | "assignment_expression" | "cast_expression") {
            return value;
        }
        let changed = match name.kind() {
            "identifier" => later.iter().any(changes),
            _ => later.iter().any(|n| !self.program.is_quiet(*n)),
        };
        if !changed || !matches!(value, Variable::Single(_) | Variable::PerThread(_)) {
            return value;
        }
        let ty = Type::Reference(self.class_of(name));
        let copy = self.local("settled", &ty);
        self.copy(&copy, &value, &ty, name, at);
        copy
    }

    /// What is computed after an object that a call or an assignment works on.
    pub fn later(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let Some(parent) = node.parent() else { return Vec::new() };
        match parent.kind() {
            "method_invocation" => parent.child_by_field_name("arguments").map(parts).unwrap_or_default(),
            "assignment_expression" => parent.child_by_field_name("right").into_iter().collect(),
            _ => Vec::new(),
        }
    }

    pub fn is_local(&self, node: Option<Node<'t>>) -> bool {
        node.is_some_and(|n| n.kind() == "identifier" && self.find(self.program.text(n)).is_some())
    }

    /// `c ? a : b` of references.
    fn either(&mut self, node: Node<'t>, class: &str, at: &mut Label) -> Variable {
        let part = |name: &str| node.child_by_field_name(name);
        let (Some(condition), Some(a), Some(b)) =
            (part("condition"), part("consequence"), part("alternative"))
        else {
            return Variable::Null;
        };
        let ty = Type::Reference(class.to_string());
        let result = self.local("either", &ty);
        let (mut yes, mut no, after) = (self.label(node), self.label(node), self.label(node));
        self.condition(condition, *at, yes, no);
        self.assign_local(&result, &ty, a, node, &mut yes);
        self.assign_local(&result, &ty, b, node, &mut no);
        self.flow.alias(yes, after);
        self.flow.alias(no, after);
        *at = after;
        result
    }

    /// Whether both sides are truth values.
    fn are_truths(&self, node: Node<'t>) -> bool {
        let side = |name: &str| node.child_by_field_name(name).map(|n| self.type_of(n));
        side("left") == Some(Type::Boolean) && side("right") == Some(Type::Boolean)
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

    fn is_class(&self, name: &str) -> bool {
        self.program.classes.contains_key(name) && self.find(name).is_none()
    }

    /// Reads a field into a new variable.
    pub fn read(&mut self, object: Option<Node<'t>>, name: &str, node: Node<'t>, at: &mut Label) -> Variable {
        let (owner, class) = self.owner(object, at);
        let Some((slot, ty)) = self.slot(&class, name) else {
            self.error("E0803", node, format!("no variable or field `{name}`"));
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
            self.touch((&owner, &class), name, false, node, at);
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

    /// A plain `Thread` is known as one wherever it goes: as a `Runnable` it could be given to
    /// another thread, whose run it would be.
    pub fn as_thread(&mut self, ty: &Type, value: Node<'t>) {
        if matches!(ty, Type::Reference(class) if class != "Thread") && self.class_of(value) == "Thread" {
            self.program.outside(value);
        }
    }

    /// `variable = value`.
    pub fn assign_local(
        &mut self,
        variable: &Variable,
        ty: &Type,
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
        object: Option<Node<'t>>,
        name: &str,
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let (owner, class) = self.owner(object, at);
        let Some((slot, ty)) = self.slot(&class, name) else {
            return self.error("E0803", node, format!("no variable or field `{name}`"));
        };
        let owner = self.settled(owner, object, &[value], at);
        if self.loads(&class, name) {
            if ty.is_atomic() {
                return self.program.outside(node);
            }
            return self.give_static((&class, name), (slot, ty), value, node, at);
        }
        let again = || {
            let methods = self.program.classes.values().flat_map(|c| &c.methods);
            methods.filter_map(|m| m.body).any(|body| self.program.assigns(body, name))
        };
        if ty.is_atomic() && (value.kind() != "object_creation_expression" || again()) {
            return self.program.outside(node);
        }
        let full = self.program.find_field(&class, name).map(|f| format!("{}.{}", f.class, f.name));
        self.sharing.given = full.filter(|_| ty.is_atomic());
        self.give_field((&owner, &class, name), (slot, ty), value, node, at);
        self.sharing.given = None;
    }

    /// Whether the use of a field may initialize its class.
    fn loads(&self, class: &str, name: &str) -> bool {
        let field = self.program.find_field(class, name).filter(|f| f.is_static);
        field.is_some_and(|f| self.program.lazy.contains(&f.class) && !self.initing.contains(&f.class))
    }

    /// A static field gets a value: that is computed first, then the class is initialized.
    fn give_static(
        &mut self,
        (class, name): (&str, &str),
        (slot, ty): (Slot, Type),
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let variable = match (&ty, self.interval(value)) {
            (Type::Number(low, high), Some(v)) => {
                let (low, high) = ((*low).min(*v.start()), (*high).max(*v.end()));
                self.local("value", &Type::Number(low, high))
            }
            _ => self.local("value", &ty),
        };
        self.assign_local(&variable, &ty, value, node, at);
        self.loaded(class, name, node, at);
        let owner = Variable::Null;
        match (&slot, &ty) {
            (_, Type::Number(..)) => {
                let Some(cell) = self.cell_of(&owner, class, name, true) else { return };
                self.store_number(&cell, &variable, node, at);
            }
            (Slot::StaticReference(_), _) => {
                self.sharing.known_threads |= self.program.is_thread(&self.class_of(value));
                let mover = self.used(&slot, &owner, true);
                let mut draft = self.draft(node).moving(mover);
                draft.refer(&owner, &slot, &variable);
                self.then(draft, at, node);
            }
            (Slot::StaticFlag(symbol), _) => {
                let mover = self.used(&slot, &owner, true);
                let mut draft = self.draft(node).moving(mover);
                let truth = draft.flag(&variable);
                draft.update(*symbol, &[], truth);
                self.then(draft, at, node);
            }
            _ => self.touch((&owner, class), name, true, node, at),
        }
    }

    /// A field of an owner of some class gets a value.
    fn give_field(
        &mut self,
        (owner, class, name): (&Variable, &str, &str),
        (slot, ty): (Slot, Type),
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        if let Type::Number(..) | Type::AtomicNumber(..) = ty {
            let Some(cell) = self.cell_of(owner, class, name, true) else { return };
            return match (ty, self.first_argument(value)) {
                (Type::Number(..), _) => self.assign_number(&cell, value, node, at),
                (_, Some(first)) => self.assign_number(&cell, first, node, at),
                (_, None) => {}
            };
        }
        if let Type::AtomicReference(_) = ty {
            if let Some(first) = self.first_argument(value) {
                self.assign_reference(owner, &slot, first, node, at);
            }
            return;
        }
        self.as_thread(&ty, value);
        if let Slot::StaticReference(_) | Slot::Reference(_) = slot {
            return self.assign_reference(owner, &slot, value, node, at);
        }
        if let Slot::Forgotten = slot {
            match ty {
                Type::Loose | Type::Boxed => self.effect_boxed(value, at),
                _ => self.effect_inside(value, at),
            }
            return self.touch((owner, class), name, true, node, at);
        }
        let mover = self.used(&slot, owner, true);
        match slot {
            Slot::StaticFlag(symbol) => {
                self.flagged(value, node, at, (mover, None), |draft, truth| draft.update(symbol, &[], truth));
            }
            Slot::Flag(symbol) => {
                self.flagged(value, node, at, (mover, Some(owner)), |draft, truth| {
                    draft.focus(owner, None);
                    let (x, o) = (draft.fresh(), draft.fresh());
                    let (mine, some) = (draft.is(owner, x), draft.is(owner, o));
                    draft.when(f::exists(o, some));
                    draft.update(symbol, &[x], f::choose(mine, truth, f::atom(symbol, &[x])));
                });
            }
            _ => {}
        }
    }

    /// A field gets a new reference.
    pub fn assign_reference(
        &mut self,
        owner: &Variable,
        slot: &Slot,
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

    /// A truth value is computed by branching, then given away.
    fn flagged(
        &mut self,
        value: Node<'t>,
        node: Node<'t>,
        at: &mut Label,
        (mover, owner): (Mover, Option<&Variable>),
        give: impl Fn(&mut Draft, Formula),
    ) {
        let after = self.label(node);
        let constant = match value.kind() {
            "true" => Some(f::TRUE),
            "false" => Some(f::FALSE),
            "object_creation_expression" => {
                // An AtomicBoolean.
                let first = value.child_by_field_name("arguments").and_then(|a| parts(a).first().copied());
                match first.map(|n| self.program.truth(n)) {
                    None | Some(Some(false)) => Some(f::FALSE),
                    Some(Some(true)) => Some(f::TRUE),
                    Some(None) => return self.program.outside(value),
                }
            }
            _ => None,
        };
        let (yes, no) = (self.label(node), self.label(node));
        let cases = match constant {
            Some(truth) => vec![(*at, truth)],
            None => {
                self.condition(value, *at, yes, no);
                vec![(yes, f::TRUE), (no, f::FALSE)]
            }
        };
        for (from, truth) in cases {
            if let Some(owner) = owner {
                self.not_null(owner, node, from);
            }
            let mut draft = self.draft(node).moving(mover);
            give(&mut draft, truth);
            self.flow.add(draft, from, after);
        }
        *at = after;
    }

    /// An expression for what it does: an assignment, a call, a creation.
    pub fn effect(&mut self, node: Node<'t>, at: &mut Label) {
        match node.kind() {
            "assignment_expression" => {
                let (Some(left), Some(right)) =
                    (node.child_by_field_name("left"), node.child_by_field_name("right"))
                else {
                    return;
                };
                if self.program.part(node, "operator") != "=" {
                    return match self.type_of(left) {
                        Type::Number(..) => self.change_number(node, at),
                        ty if ty.is_forgotten() => self.changed(node, left, right, at),
                        _ => self.program.outside(node),
                    };
                }
                match left.kind() {
                    "identifier" => {
                        let name = self.program.text(left);
                        match self.find(name) {
                            Some((variable, ty)) => self.assign_local(&variable, &ty, right, node, at),
                            None => self.assign_field(None, name, right, node, at),
                        }
                    }
                    "field_access" => {
                        let name = self.program.part(left, "field");
                        self.assign_field(left.child_by_field_name("object"), name, right, node, at);
                    }
                    _ => self.program.outside(left),
                }
            }
            "update_expression" if self.interval(node).is_some() => {
                let after = self.label(node);
                for (_, here) in self.compute(node, *at) {
                    self.flow.alias(here, after);
                }
                *at = after;
            }
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

    /// `left += right` and the like, of what is forgotten.
    fn changed(&mut self, node: Node<'t>, left: Node<'t>, right: Node<'t>, at: &mut Label) {
        self.change_forgotten(left, Some(right), node, at);
    }

    /// Branches on a condition.
    pub fn condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) {
        let operator = self.program.part(node, "operator");
        let mut at = from;
        if let Some(Value::Truth(truth)) = self.constant_field(node, &mut at) {
            return self.flow.alias(if truth { yes } else { no }, at);
        }
        match node.kind() {
            "true" => self.flow.alias(yes, from),
            "false" => self.flow.alias(no, from),
            "parenthesized_expression" => {
                if let Some(inner) = parts(node).first() {
                    self.condition(*inner, from, yes, no);
                }
            }
            "unary_expression" if operator == "!" => {
                if let Some(inner) = node.child_by_field_name("operand") {
                    self.condition(inner, from, no, yes);
                }
            }
            "binary_expression" if operator == "&&" || operator == "||" => {
                let (Some(left), Some(right)) =
                    (node.child_by_field_name("left"), node.child_by_field_name("right"))
                else {
                    return;
                };
                let middle = self.label(right);
                match operator {
                    "&&" => self.condition(left, from, middle, no),
                    _ => self.condition(left, from, yes, middle),
                }
                self.condition(right, middle, yes, no);
            }
            "binary_expression" if self.compare_numbers(node, from, yes, no) => {}
            "binary_expression" if (operator == "==" || operator == "!=") && self.compares(node) => {
                let (equal, different) = if operator == "==" { (yes, no) } else { (no, yes) };
                self.comparison(node, from, equal, different);
            }
            "binary_expression"
                if matches!(operator, "==" | "!=" | "^" | "&" | "|") && self.are_truths(node) =>
            {
                self.combine(node, operator, from, yes, no);
            }
            "ternary_expression" if self.type_of(node) == Type::Boolean => {
                let part = |name: &str| node.child_by_field_name(name).unwrap_or(node);
                let (then, otherwise) = (self.label(node), self.label(node));
                self.condition(part("condition"), from, then, otherwise);
                self.condition(part("consequence"), then, yes, no);
                self.condition(part("alternative"), otherwise, yes, no);
            }
            "assignment_expression" if self.is_local(node.child_by_field_name("left")) => {
                let mut at = from;
                self.effect(node, &mut at);
                self.condition(node.child_by_field_name("left").unwrap_or(node), at, yes, no);
            }
            "method_invocation" if self.choices(node).is_empty() && self.atomic(node).is_some() => {
                if !self.atomic_condition(node, from, yes, no) {
                    self.program.outside(node);
                }
            }
            "method_invocation" if self.library_condition(node, from, yes, no) => {}
            "method_invocation" if self.executor_condition(node, from, yes, no) => {}
            "identifier" | "field_access" if self.field_condition(node, from, yes, no) => {}
            "instanceof_expression" => self.guess(node, from, yes, no),
            _ if self.type_of(node) == Type::Boolean && node.kind() != "binary_expression" => {
                let mut at = from;
                let variable = self.truth(node, &mut at);
                for (to, positive) in [(yes, true), (no, false)] {
                    let mut draft = self.draft(node).moving(Mover::Yes);
                    let flag = draft.flag(&variable);
                    draft.when(if positive { flag } else { f::not(flag) });
                    self.flow.add(draft, at, to);
                }
            }
            _ => self.guess(node, from, yes, no),
        }
    }

    /// The value of a field that is a constant variable and not forgotten; an object that it is
    /// named by must be there.
    pub fn constant_field(&mut self, node: Node<'t>, at: &mut Label) -> Option<Value> {
        let field = self.constant_named(node)?;
        let value = self.program.constant_value(&field)?;
        if matches!(value, Value::Text | Value::Number) {
            return None;
        }
        let object = node.child_by_field_name("object").filter(|_| node.kind() == "field_access");
        if object.is_some_and(|o| !field.is_static || !self.program.is_quiet(o)) {
            let (owner, _) = self.owner(object, at);
            if !field.is_static {
                self.must_be(&owner, node, at);
            }
        }
        Some(value)
    }

    /// The field that a name means, if it is a constant variable.
    pub fn constant_named(&self, node: Node<'t>) -> Option<Field<'t>> {
        let (class, name) = match node.kind() {
            "identifier" if self.find(self.program.text(node)).is_none() => {
                (self.class.clone(), self.program.text(node))
            }
            "field_access" => {
                (self.class_of(node.child_by_field_name("object")?), self.program.part(node, "field"))
            }
            _ => return None,
        };
        let field = self.program.find_field(&class, name)?;
        self.program.constant_value(field).map(|_| field.clone())
    }

    /// Two truth values, both of which are computed.
    fn combine(&mut self, node: Node<'t>, operator: &str, from: Label, yes: Label, no: Label) {
        let part = |name: &str| node.child_by_field_name(name).unwrap_or(node);
        let (left, right) = (self.label(node), self.label(node));
        self.condition(part("left"), from, left, right);
        let (left_yes, left_no, right_yes, right_no) = match operator {
            "==" => (yes, no, no, yes),
            "!=" | "^" => (no, yes, yes, no),
            "&" => (yes, no, no, no),
            _ => (yes, yes, yes, no),
        };
        self.condition(part("right"), left, left_yes, left_no);
        self.condition(part("right"), right, right_yes, right_no);
    }

    /// Branches on a boolean field at once; false if it is none.
    fn field_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let (object, name) = match node.kind() {
            "identifier" => (None, self.program.text(node)),
            _ => (node.child_by_field_name("object"), self.program.part(node, "field")),
        };
        if self.type_of(node) != Type::Boolean || object.is_none() && self.find(name).is_some() {
            return false;
        }
        let mut at = from;
        let (owner, class) = self.owner(object, &mut at);
        let Some((slot, _)) = self.slot(&class, name) else { return false };
        self.loaded(&class, name, node, &mut at);
        if matches!(slot, Slot::Flag(_)) {
            self.not_null(&owner, node, at);
        }
        let mover = self.used(&slot, &owner, false);
        for (to, truth) in [(yes, true), (no, false)] {
            let mut draft = self.draft(node).moving(mover);
            let sign = |f: Formula| if truth { f } else { f::not(f) };
            match slot {
                Slot::StaticFlag(symbol) => draft.when(sign(f::atom(symbol, &[]))),
                Slot::Flag(symbol) => {
                    let o = draft.refers(&owner);
                    draft.when(sign(f::atom(symbol, &[o])));
                }
                _ => return false,
            }
            self.flow.add(draft, at, to);
        }
        true
    }

    /// A truth value in a variable.
    fn truth(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        match node.kind() {
            "identifier" => {
                let name = self.program.text(node);
                match self.find(name) {
                    Some((variable, _)) => variable,
                    None => self.read(None, name, node, at),
                }
            }
            "field_access" => {
                self.read(node.child_by_field_name("object"), self.program.part(node, "field"), node, at)
            }
            "method_invocation" => self.invoke(node, at),
            _ => {
                self.program.outside(node);
                Variable::Nothing
            }
        }
    }

    /// Either way: what it depends on is forgotten.
    fn guess(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) {
        let mut at = from;
        self.effect_inside(node, &mut at);
        let meant = std::mem::take(&mut self.any);
        let ends = self.counted.take() == Some(node.id());
        for to in [yes, no] {
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.action.guess = !meant;
            draft.action.eventually = ends && to == no;
            self.flow.add(draft, at, to);
        }
    }

    /// Whether both sides are references.
    fn compares(&self, node: Node<'t>) -> bool {
        let side = |name: &str| node.child_by_field_name(name).map(|n| self.type_of(n));
        let reference = |ty: Option<Type>| matches!(ty, Some(Type::Reference(_)));
        reference(side("left")) && reference(side("right"))
    }

    fn comparison(&mut self, node: Node<'t>, from: Label, equal: Label, different: Label) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        let mut at = from;
        let (a, _) = self.operand(left, &mut at);
        let a = self.settled(a, Some(left), &[right], &mut at);
        let (b, _) = self.operand(right, &mut at);
        for (to, same) in [(equal, true), (different, false)] {
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.focus(&a, None);
            draft.focus(&b, None);
            let o = draft.fresh();
            let (is_a, is_b) = (draft.is(&a, o), draft.is(&b, o));
            let both = f::exists(o, f::and([is_a, is_b]));
            let (no_a, no_b) = (draft.is_null(&a), draft.is_null(&b));
            let agree = f::or([both, f::and([no_a, no_b])]);
            draft.when(if same { agree } else { f::not(agree) });
            self.flow.add(draft, at, to);
        }
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
}
