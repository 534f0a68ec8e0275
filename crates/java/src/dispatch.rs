//! Which method a call means: by the class of the object, which may be one below the static type.

use crate::draft::{Mover, Variable};
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::{Method, Type};
use crate::tree::{arguments, child};
use structures::formula as f;
use tree_sitter::Node;

/// A method and the classes whose objects answer with it.
type Choice<'t> = (Method<'t>, Vec<String>);

/// What a method is called on, and what it is given.
#[derive(Clone)]
pub struct Inputs {
    pub this: Variable,
    pub arguments: Vec<Variable>,
}

impl<'t> Lower<'t> {
    /// Our own methods that a call may mean; empty if it is none of ours.
    pub fn choices(&self, node: Node<'t>) -> Vec<Choice<'t>> {
        let object = child(node, "object");
        let class = object.map_or_else(|| self.class.clone(), |o| self.class_of(o));
        let name = self.program.part(node, "name");
        let arguments = arguments(node).len();
        let mut choices: Vec<Choice<'t>> = Vec::new();
        let exact = self.program.find_method(&class, name, arguments);
        if let Some(method) = exact.filter(|m| m.is_static || m.is_private) {
            return vec![(method.clone(), vec![class])];
        }
        // Objects of a class of the library would have nothing to answer with.
        if !self.program.classes.contains_key(&class) && !self.program.interfaces.contains_key(&class) {
            return choices;
        }
        for below in self.program.below(&class) {
            let Some(method) = self.program.find_method(&below, name, arguments) else { return Vec::new() };
            match choices.iter_mut().find(|(m, _)| m.span == method.span) {
                Some((_, classes)) => classes.push(below),
                None => choices.push((method.clone(), vec![below])),
            }
        }
        // No object can be of an abstract class without others below it.
        if choices.is_empty() {
            exact.map(|m| (m.clone(), vec![class])).into_iter().collect()
        } else {
            choices
        }
    }

    /// What a call of ours results in.
    pub fn result_of(&self, node: Node<'t>) -> Option<Type> {
        self.choices(node).first().map(|(method, _)| method.result.clone())
    }

    /// Calls a method of ours on an object; the result is a variable.
    pub fn dispatch(
        &mut self,
        choices: Vec<Choice<'t>>,
        inputs: Inputs,
        node: Node<'t>,
        at: &mut Label,
    ) -> Variable {
        let atomic = |(m, _): &Choice<'t>| m.parameters.iter().any(|(_, ty)| ty.is_atomic());
        let types = |m: &Method<'t>| m.parameters.iter().map(|(_, ty)| ty.clone()).collect::<Vec<_>>();
        let differ =
            |c: &Choice<'t>| c.0.result != choices[0].0.result || types(&c.0) != types(&choices[0].0);
        if choices.iter().any(|c| atomic(c) || differ(c)) {
            self.program.outside(node);
            return Variable::Nothing;
        }
        if let [(method, _)] = &choices[..] {
            return self.call(method, inputs, node, at);
        }
        let result = self.local("result", &choices[0].0.result);
        let after = self.label(node);
        for (method, classes) in choices {
            let mut here = self.label(node);
            let is: Vec<_> = classes.iter().map(|class| self.instance(class)).collect();
            let mut draft = self.draft(node).moving(Mover::Yes);
            draft.action.name = format!("{}: {}", method.class, draft.action.name);
            draft.focus(&inputs.this, None);
            let o = draft.choose();
            let refers = draft.is(&inputs.this, o);
            draft.when(f::and([refers, f::or(is.iter().map(|is| f::atom(*is, &[o])))]));
            self.flow.add(draft, *at, here);
            let value = self.call(&method, inputs.clone(), node, &mut here);
            self.copy([&result, &value], &method.result, node, &mut here);
            self.flow.alias(here, after);
        }
        *at = after;
        result
    }

    /// A new local with the value that a variable has now.
    pub fn copied(
        &mut self,
        name: &str,
        (value, ty): (&Variable, &Type),
        node: Node<'t>,
        at: &mut Label,
    ) -> Variable {
        let own = self.local(name, ty);
        self.copy([&own, value], ty, node, at);
        own
    }

    /// One variable into another of the same type.
    pub fn copy(&mut self, [to, from]: [&Variable; 2], ty: &Type, node: Node<'t>, at: &mut Label) {
        if matches!(ty, Type::Number(..)) {
            return self.copy_number(to, from, node, at);
        }
        let mut draft = self.draft(node).moving(Mover::Yes);
        match ty {
            Type::Reference(_) => {
                draft.focus(from, None);
                draft.assign(to, |draft, o| draft.is(from, o));
            }
            Type::Boolean => {
                let value = draft.flag(from);
                draft.assign_flag(to, value);
            }
            _ => return,
        }
        self.then(draft, at, node);
    }
}
