//! Calls: of methods of the program, and of what Java itself provides.

use crate::dispatch::Inputs;
use crate::draft::Variable;
use crate::flow::Label;
use crate::lower::Lower;
use crate::program::Type;
use crate::tree::{arguments, child};
use tree_sitter::Node;

/// Calls that change nothing that is modelled.
pub const HARMLESS: [&str; 6] = ["println", "print", "printf", "sleep", "yield", "onSpinWait"];

/// What is called on threads, monitors, locks and conditions, and with how many arguments.
const KNOWN: [(&str, usize); 11] = [
    ("wait", 0),
    ("notify", 0),
    ("notifyAll", 0),
    ("await", 0),
    ("signal", 0),
    ("signalAll", 0),
    ("lock", 0),
    ("unlock", 0),
    ("newCondition", 0),
    ("start", 0),
    ("join", 0),
];

impl<'t> Lower<'t> {
    /// A call; the result is a variable.
    pub fn invoke(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        let name = self.program.part(node, "name");
        let object = child(node, "object");
        let nodes = arguments(node);
        let choices = self.choices(node);
        if !choices.is_empty() {
            let is_static = choices.iter().any(|(m, _)| m.is_static);
            let this = match object {
                None => self.this.clone(),
                Some(o) if is_static => {
                    if !self.program.is_quiet(o) {
                        self.operand(o, at);
                    }
                    Variable::Null
                }
                Some(o) => {
                    let (value, _) = self.operand(o, at);
                    self.settled(value, object, &nodes, at)
                }
            };
            let arguments = self.arguments(&nodes, at);
            if let Some((method, _)) = choices.first().filter(|_| is_static) {
                let class = method.class.clone();
                self.ensure(&class, node, at);
            }
            if object.is_some() && !is_static {
                self.must_be(&this, node, at);
            }
            return self.dispatch(choices, Inputs { this, arguments }, node, at);
        }
        if self.is_harmless(node) {
            match name.starts_with("print") {
                true => self.printed(node, &nodes, at),
                false => self.slept(node, &nodes, at),
            }
            if name == "sleep" {
                self.interruption(None, node, *at);
                if self.reading.interrupts {
                    // A place of its own: what comes next cannot be interrupted.
                    let draft = self.draft(node);
                    self.then(draft, at, node);
                }
            }
            return Variable::Nothing;
        }
        if self.is_current_thread(node) {
            self.sharing.known_threads = true;
            return Variable::Myself;
        }
        if let Some(value) = self.atomic_reference(node, at) {
            return value;
        }
        if self.atomic(node).is_some() {
            if !self.atomic_effect(node, at) {
                self.program.outside(node);
            }
            return Variable::Nothing;
        }
        if let Some(result) = self.executor_call(node, at) {
            return result;
        }
        let known = KNOWN.contains(&(name, nodes.len()));
        if !known || object.is_none() && self.this == Variable::Null {
            self.effect_inside(node, at);
            return Variable::Nothing;
        }
        let (on, class) = match object {
            Some(o) => self.operand(o, at),
            None => (self.this.clone(), self.class.clone()),
        };
        self.fits(name, &class, node);
        match (name, nodes.len()) {
            ("wait", 0) | ("await", 0) => self.wait(&on, name == "await", node, at),
            ("notify" | "signal", 0) => self.notify(&on, node, at),
            ("notifyAll" | "signalAll", 0) => self.notify_all(&on, node, at),
            ("lock", 0) => self.explicit_lock(&on, node, at),
            ("unlock", 0) => self.explicit_unlock(&on, node, at),
            ("newCondition", 0) => return self.condition_of(&on, node, at),
            ("start", 0) => self.start(&on, node, at),
            ("join", 0) => self.join(&on, node, at),
            _ => self.program.outside(node),
        }
        Variable::Nothing
    }

    pub fn arguments(&mut self, nodes: &[Node<'t>], at: &mut Label) -> Vec<Variable> {
        let one = |(n, node): (usize, &Node<'t>)| match self.type_of(*node) {
            Type::Reference(_) => {
                let (value, _) = self.operand(*node, at);
                self.settled(value, Some(*node), &nodes[n + 1..], at)
            }
            Type::Loose | Type::Boxed => {
                self.effect_boxed(*node, at);
                Variable::Nothing
            }
            Type::Boolean => {
                let variable = self.local("b", &Type::Boolean);
                self.assign_local((&variable, &Type::Boolean), *node, *node, at);
                variable
            }
            ty if ty.is_atomic() => {
                self.program.outside(*node);
                Variable::Nothing
            }
            _ if self.is_exact(*node) => self.number(*node, at),
            _ => {
                self.effect_inside(*node, at);
                Variable::Nothing
            }
        };
        nodes.iter().enumerate().map(one).collect()
    }

    /// Printing, and calls that only take time.
    pub fn is_harmless(&self, node: Node<'t>) -> bool {
        let name = self.program.part(node, "name");
        let on = child(node, "object").map(|o| self.program.text(o));
        match name {
            "println" | "print" | "printf" => matches!(on, Some("System.out" | "System.err")),
            "sleep" | "yield" | "onSpinWait" => {
                on == Some("Thread") || on.is_none() && self.program.is_thread(&self.class)
            }
            _ => false,
        }
    }

    pub fn is_current_thread(&self, node: Node<'t>) -> bool {
        let on = child(node, "object").map(|o| self.program.text(o));
        self.program.part(node, "name") == "currentThread" && on == Some("Thread")
    }

    /// Tells if an operation does not belong to the class of what it is called on.
    fn fits(&mut self, name: &str, class: &str, node: Node<'t>) {
        match name {
            "wait" | "notify" | "notifyAll" => {
                self.is_monitor(class, node);
                self.uses_monitor(class, child(node, "object"));
                self.sharing.wakes_one |= name == "notify" && self.may_be_thread(class);
            }
            "await" | "signal" | "signalAll" if class != "Condition" => self.program.outside(node),
            "lock" | "unlock" | "newCondition" if !matches!(class, "ReentrantLock" | "Lock") => {
                self.program.outside(node);
            }
            "start" | "join" if !self.program.is_thread(class) => self.program.outside(node),
            _ => {}
        }
    }
}
