//! References into variables.

use crate::draft::{Draft, Mover, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::tree::{arguments, child, inside, parts};
use structures::formula as f;
use structures::vocabulary::Symbol;
use tree_sitter::Node;

impl<'t> Lower<'t> {
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
                let Some(inner) = child(node, "value") else { return (Variable::Null, class) };
                let (value, from) = self.operand(inner, at);
                self.cast((&value, &from), &class, node, at);
                value
            }
            "identifier" | "field_access" => {
                let value = self.variable(node, at);
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
            "assignment_expression" if self.is_local(child(node, "left")) => {
                self.effect(node, at);
                let left = child(node, "left").unwrap_or(node);
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
    fn cast(&mut self, (value, from): (&Variable, &str), to: &str, node: Node<'t>, at: &mut Label) {
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
        let Some(name) = of.map(inside) else { return value };
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
        self.copied("settled", (&value, &ty), name, at)
    }

    /// What is computed after an object that a call or an assignment works on.
    pub fn later(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let Some(parent) = node.parent() else { return Vec::new() };
        match parent.kind() {
            "method_invocation" => arguments(parent),
            "assignment_expression" => child(parent, "right").into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// `c ? a : b` of references.
    fn either(&mut self, node: Node<'t>, class: &str, at: &mut Label) -> Variable {
        let part = |name: &str| child(node, name);
        let (Some(condition), Some(a), Some(b)) =
            (part("condition"), part("consequence"), part("alternative"))
        else {
            return Variable::Null;
        };
        let ty = Type::Reference(class.to_string());
        let result = self.local("either", &ty);
        let (mut yes, mut no, after) = (self.label(node), self.label(node), self.label(node));
        self.condition(condition, *at, yes, no);
        self.assign_local((&result, &ty), a, node, &mut yes);
        self.assign_local((&result, &ty), b, node, &mut no);
        self.flow.alias(yes, after);
        self.flow.alias(no, after);
        *at = after;
        result
    }

    /// A plain `Thread` is known as one wherever it goes: as a `Runnable` it could be given to
    /// another thread, whose run it would be.
    pub fn as_thread(&mut self, ty: &Type, value: Node<'t>) {
        if matches!(ty, Type::Reference(class) if class != "Thread") && self.class_of(value) == "Thread" {
            self.program.outside(value);
        }
    }
}
