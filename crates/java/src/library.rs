//! What Java itself provides: creation, threads, monitors, locks and conditions.

use crate::flow::{Draft, Label, Monitor, Mover, SELF, Variable};
use crate::lower::{HELD, Lower, Undo, Wish};
use crate::program::{Class, Method, Type, parts};
use source::Span;
use std::collections::BTreeMap;
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::{Attribute, Symbol};
use tree_sitter::Node;

/// A lambda that is the body of a thread.
#[derive(Clone, Debug)]
pub struct Lambda<'t> {
    pub name: String,
    pub class: String,
    pub body: Node<'t>,
    pub scope: BTreeMap<String, (Variable, Type)>,
    pub this: Variable,
}

/// Calls that change nothing that is modelled.
pub const HARMLESS: [&str; 6] = ["println", "print", "printf", "sleep", "yield", "onSpinWait"];

/// Classes whose objects are locks of their own kind, apart from their monitors.
const LOCKS: [&str; 3] = ["ReentrantLock", "Lock", "Condition"];

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
    pub fn held(&self) -> Symbol {
        self.vocabulary.symbol(HELD).unwrap_or(Symbol::Binary(0))
    }

    fn is_free(&self, l: Var) -> Formula {
        let acquired = self.vocabulary.symbol("is_acquired").unwrap_or(Symbol::Unary(0));
        f::not(f::atom(acquired, &[l]))
    }

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

    pub fn target(&mut self) -> Symbol {
        self.symbol("target", 2, &[Attribute::Function])
    }

    /// That a thread runs the `run` of an object of a class.
    pub fn runs(&mut self, class: &str) -> Symbol {
        self.symbol(&format!("runs[{class}]"), 1, &[])
    }

    pub fn instance(&mut self, class: &str) -> Symbol {
        self.symbol(&format!("is[{class}]"), 1, &[])
    }

    /// `new C(…)` into a variable.
    pub fn create(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        let class = self.class_of(node);
        let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
        let known = ["Object", "ReentrantLock", "Thread"].contains(&class.as_str());
        if !known && !self.program.classes.contains_key(&class) || node.child_by_field_name("body").is_some()
        {
            self.program.outside(node);
            return Variable::Null;
        }
        if class == "Thread" {
            let Some(argument) = arguments.first() else {
                self.program.outside(node);
                return Variable::Null;
            };
            let thread = self.thread_that_runs(*argument, node, at);
            arguments[1..].iter().for_each(|n| self.effect_inside(*n, at));
            return thread;
        }
        if self.program.is_thread(&class) {
            self.kind(&class);
        }
        let making = format!("new {class}");
        if self.calls.contains(&making) {
            self.error("E0804", node, format!("creating a `{class}` creates another one"));
            return Variable::Null;
        }
        self.ensure_above(&class, node, at);
        let inputs = self.arguments(&arguments, at);
        let result = self.local("new", &Type::Reference(class.clone()));
        let is = self.instance(&class);
        let mut draft = self.draft(node).moving(Mover::Yes);
        let n = draft.create();
        draft.add(is, n);
        draft.assign(&result, |_, o| f::equal(o, n));
        self.then(draft, at, node);
        self.calls.push(making);
        self.initialise(&class, &result, inputs, node, at);
        self.calls.pop();
        result
    }

    /// `new Thread(argument)`: a lambda, or an object with `run`.
    pub fn thread_that_runs(&mut self, argument: Node<'t>, node: Node<'t>, at: &mut Label) -> Variable {
        if argument.kind() == "lambda_expression" {
            return self.thread_of(argument, node, at);
        }
        let (runnable, kind) = self.operand(argument, at);
        // Whatever it is, one below its static type.
        let below = self.program.below(&kind);
        if self.program.is_thread(&kind) || below.iter().any(|c| self.program.is_thread(c)) {
            self.program.outside(argument);
        }
        if below.is_empty() || below.iter().any(|c| self.program.find_method(c, "run", 0).is_none()) {
            let what = if kind.is_empty() { "this".to_string() } else { format!("`{kind}`") };
            self.error("E0803", argument, format!("{what} has no `run` in this file"));
        }
        below.iter().for_each(|class| self.kind(class));
        let result = self.local("new", &Type::Reference("Thread".to_string()));
        let (is, target) = (self.instance("Thread"), self.target());
        let mut draft = self.draft(node).moving(Mover::Yes);
        let n = draft.create();
        draft.add(is, n);
        draft.assign(&result, |_, o| f::equal(o, n));
        draft.focus(&runnable, None);
        let (t, r) = (draft.fresh(), draft.fresh());
        let given = draft.is(&runnable, r);
        for class in &below {
            // Which `run` is known of the thread itself, whatever becomes of the objects.
            let (runs, is) = (self.runs(class), self.instance(class));
            let of_class = f::exists(r, f::and([given.clone(), f::atom(is, &[r])]));
            draft.update(runs, &[t], f::or([f::atom(runs, &[t]), f::and([f::equal(t, n), of_class])]));
        }
        self.runs_nothing(&runnable, node, *at);
        let some = draft.is_null(&runnable);
        draft.when(f::not(some));
        draft.update(target, &[t, r], f::or([f::atom(target, &[t, r]), f::and([f::equal(t, n), given])]));
        self.then(draft, at, node);
        result
    }

    /// A thread that is given null does nothing, which is not followed.
    fn runs_nothing(&mut self, runnable: &Variable, node: Node<'t>, at: Label) {
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.beyond = Some(format!("a thread gets null to run (line {})", self.program.line(node)));
        draft.focus(runnable, None);
        let null = draft.is_null(runnable);
        draft.when(null);
        self.flow.add(draft, at, self.flow.exit);
    }

    pub fn kind(&mut self, class: &str) {
        if !self.kinds.iter().any(|k| k == class) {
            self.kinds.push(class.to_string());
        }
    }

    /// Values of fields, then the constructor.
    fn initialise(
        &mut self,
        class: &str,
        this: &Variable,
        inputs: Vec<Variable>,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let Some(class) = self.program.classes.get(class).cloned() else { return };
        let calm = self.program.is_calm_class(&class);
        let fresh = std::mem::replace(&mut self.sharing.fresh, calm.then(|| this.clone()));
        if let Some(parent) = class.parent.as_deref().filter(|p| self.program.classes.contains_key(*p)) {
            let parent = parent.to_string();
            self.initialise(&parent, this, Vec::new(), node, at);
        }
        self.sharing.fresh = calm.then(|| this.clone());
        let outer = (
            std::mem::replace(&mut self.this, this.clone()),
            std::mem::replace(&mut self.class, class.name.clone()),
        );
        let scopes = std::mem::replace(&mut self.scopes, vec![BTreeMap::new()]);
        for field in class.fields.iter().filter(|f| !f.is_static) {
            if let Some(value) = field.value.filter(|_| self.program.constant_value(field).is_none()) {
                self.assign_field(None, &field.name, value, value, at);
            }
        }
        self.scopes = scopes;
        (self.this, self.class) = outer;
        if let Some(constructor) = &class.constructor {
            let method = Method { result: Type::Void, ..constructor.clone() };
            self.call(&method, this.clone(), inputs, node, at);
        }
        self.sharing.fresh = fresh;
    }

    /// `new Thread(() -> …)`: what the lambda captures goes with the thread.
    fn thread_of(&mut self, lambda: Node<'t>, node: Node<'t>, at: &mut Label) -> Variable {
        let Some(body) = lambda.child_by_field_name("body") else { return Variable::Null };
        let mut name = format!("lambda{}", self.program.line(lambda));
        if self.lambdas.iter().any(|l| l.name == name && l.body.id() != body.id()) {
            name = format!("{name}.{}", lambda.start_position().column);
        }
        let is = self.instance(&name);
        let result = self.local("new", &Type::Reference("Thread".to_string()));
        let mut draft = self.draft(node).moving(Mover::Yes);
        let n = draft.create();
        draft.add(is, n);
        draft.assign(&result, |_, o| f::equal(o, n));
        let mut captured: Vec<(String, Variable, Type)> = Vec::new();
        let text = self.program.text(body);
        let mentions = |name: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == name);
        for scope in &self.scopes {
            for (name, (variable, ty)) in scope.iter().filter(|(name, _)| mentions(name)) {
                captured.push((name.clone(), variable.clone(), ty.clone()));
            }
        }
        captured.push(("this".to_string(), self.this.clone(), Type::Reference(self.class.clone())));
        let mut scope = BTreeMap::new();
        let mut this = Variable::Null;
        for (word, variable, ty) in captured {
            if let Some(own) = self.captured_values(&mut draft, n, &format!("{name}.{word}"), &variable) {
                scope.insert(word, (own, ty));
                continue;
            }
            if !matches!(variable, Variable::Single(_) | Variable::PerThread(_) | Variable::Myself) {
                if word != "this" {
                    scope.insert(word, (variable, ty));
                }
                continue;
            }
            let known = matches!(&ty, Type::Reference(class) if self.program.is_thread(class));
            self.sharing.known_threads |= known || variable == Variable::Myself;
            let symbol = self.symbol(&format!("{name}.{word}"), 2, &[Attribute::Function]);
            draft.focus(&variable, None);
            let (t, p) = (draft.fresh(), draft.fresh());
            let value = draft.is(&variable, p);
            draft.update(symbol, &[t, p], f::or([f::atom(symbol, &[t, p]), f::and([f::equal(t, n), value])]));
            match word.as_str() {
                "this" => this = Variable::PerThread(symbol),
                _ => drop(scope.insert(word, (Variable::PerThread(symbol), ty))),
            }
        }
        if !self.lambdas.iter().any(|l| l.name == name) {
            self.lambdas.push(Lambda { name, class: self.class.clone(), body, scope, this });
        }
        self.then(draft, at, node);
        result
    }

    /// Truth values and numbers that a lambda captures; `None` for references.
    fn captured_values(
        &mut self,
        draft: &mut Draft,
        n: Var,
        name: &str,
        variable: &Variable,
    ) -> Option<Variable> {
        let mut give = |lower: &mut Self, name: &str, of: Symbol| {
            let symbol = lower.symbol(name, 1, &[]);
            let t = draft.fresh();
            let value = f::atom(of, &[SELF][..of.arity()]);
            draft.uses.insert(of);
            draft.update(symbol, &[t], f::or([f::atom(symbol, &[t]), f::and([f::equal(t, n), value])]));
            symbol
        };
        match variable {
            Variable::SingleFlag(of) | Variable::ThreadFlag(of) => {
                Some(Variable::ThreadFlag(give(self, name, *of)))
            }
            Variable::Number(symbols) => {
                let one = |(v, of): &(i64, Symbol)| (*v, give(self, &format!("{name}={v}"), *of));
                Some(Variable::Number(symbols.iter().map(one).collect()))
            }
            Variable::Nothing => Some(Variable::Nothing),
            _ => None,
        }
    }

    /// What the text shows of the monitor that a call is about.
    fn monitor_of(&self, node: Node<'t>) -> Monitor {
        let Some(object) = node.child_by_field_name("object") else {
            return Monitor::Class(self.class.clone());
        };
        let class = self.class_of(object);
        let (owner, name) = match object.kind() {
            "identifier" if self.find(self.program.text(object)).is_none() => {
                (self.class.clone(), self.program.text(object))
            }
            "field_access" => (
                object.child_by_field_name("object").map(|o| self.class_of(o)).unwrap_or_default(),
                self.program.part(object, "field"),
            ),
            _ => return Monitor::Class(class),
        };
        match self.program.find_field(&owner, name).filter(|f| self.program.has_own_object(f)) {
            Some(field) => Monitor::Field(format!("{}.{}", field.class, field.name), class),
            None => Monitor::Class(class),
        }
    }

    fn arguments(&mut self, nodes: &[Node<'t>], at: &mut Label) -> Vec<Variable> {
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
                self.assign_local(&variable, &Type::Boolean, *node, *node, at);
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

    /// A call; the result is a variable.
    pub fn invoke(&mut self, node: Node<'t>, at: &mut Label) -> Variable {
        let name = self.program.part(node, "name");
        let object = node.child_by_field_name("object");
        let nodes = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
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
            return self.dispatch(choices, this, arguments, node, at);
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

    /// Printing, and calls that only take time.
    pub fn is_harmless(&self, node: Node<'t>) -> bool {
        let name = self.program.part(node, "name");
        let on = node.child_by_field_name("object").map(|o| self.program.text(o));
        match name {
            "println" | "print" | "printf" => matches!(on, Some("System.out" | "System.err")),
            "sleep" | "yield" | "onSpinWait" => {
                on == Some("Thread") || on.is_none() && self.program.is_thread(&self.class)
            }
            _ => false,
        }
    }

    pub fn is_current_thread(&self, node: Node<'t>) -> bool {
        let on = node.child_by_field_name("object").map(|o| self.program.text(o));
        self.program.part(node, "name") == "currentThread" && on == Some("Thread")
    }

    /// Tells if an operation does not belong to the class of what it is called on.
    fn fits(&mut self, name: &str, class: &str, node: Node<'t>) {
        match name {
            "wait" | "notify" | "notifyAll" => {
                self.is_monitor(class, node);
                self.uses_monitor(class, node.child_by_field_name("object"));
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

    /// The monitor of a lock is another thing than the lock; the two are not told apart, so the
    /// first is not used.
    pub fn is_monitor(&mut self, class: &str, node: Node<'t>) {
        let none = self.program.is_own(class) || self.program.is_thread(class);
        let open = !none && !matches!(class, "Class" | "Runnable");
        let may_be_lock = open && self.program.text.contains("ReentrantLock");
        if LOCKS.contains(&class) || may_be_lock {
            self.error("E0802", node, "the monitor of what may be a ReentrantLock is not modelled");
        }
    }

    /// Whether the program names the object of a class: `C.class`.
    pub fn is_monitored(&self, class: &str) -> bool {
        self.program.text.contains(&format!("{class}.class"))
    }

    /// The object of a class, which static synchronized methods lock.
    pub fn class_object(&mut self, class: &str) -> Variable {
        Variable::Single(self.symbol(&format!("{class}.class"), 1, &[Attribute::Unique]))
    }

    /// Class objects are there before main begins.
    pub fn create_class_object(&mut self, class: &Class<'t>, at: &mut Label) {
        let Variable::Single(symbol) = self.class_object(&class.name) else { return };
        let Some(node) =
            class.methods.iter().find_map(|m| m.body).or(class.fields.iter().find_map(|f| f.value))
        else {
            return;
        };
        let mut draft = self.draft(node).moving(Mover::Yes);
        draft.action.name = format!("load class {}", class.name);
        let (n, o) = (draft.create(), draft.fresh());
        draft.update(symbol, &[o], f::equal(o, n));
        self.then(draft, at, node);
    }

    /// Conditions that Java provides: `tryLock`.
    pub fn library_condition(&mut self, node: Node<'t>, from: Label, yes: Label, no: Label) -> bool {
        let arguments = node.child_by_field_name("arguments").map_or(0, |a| parts(a).len());
        if !self.choices(node).is_empty() || self.program.part(node, "name") != "tryLock" || arguments > 0 {
            return false;
        }
        let Some(object) = node.child_by_field_name("object") else { return false };
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

    /// That a `ReentrantLock` is held twice, and three times.
    fn levels(&mut self) -> [Symbol; 2] {
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
    fn explicit_lock(&mut self, lock: &Variable, node: Node<'t>, at: &mut Label) {
        let from = *at;
        self.acquire(lock, None, node, at);
        self.locked_again(lock, node, from, *at);
    }

    /// `unlock()`: as often as it was taken.
    fn explicit_unlock(&mut self, lock: &Variable, node: Node<'t>, at: &mut Label) {
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

    pub fn release(
        &mut self,
        lock: &Variable,
        flag: Option<&Variable>,
        span: Span,
        node: Node<'t>,
        at: &mut Label,
    ) {
        let held = self.held();
        let to = self.label(node);
        let mut draft = self.draft(node).moving(Mover::Unlock);
        draft.action.name = "unlock".to_string();
        draft.action.span = span;
        let mut kept = draft.clone();
        let l = draft.refers(lock);
        draft.when(f::atom(held, &[l, SELF]));
        draft.give_back(held, l);
        if let Some(flag) = flag {
            let again = kept.flag(flag);
            kept.when(again);
            self.flow.add(kept, *at, to);
            let again = draft.flag(flag);
            draft.when(f::not(again));
        }
        self.flow.add(draft, *at, to);
        *at = to;
    }

    /// Adds the error that a monitor is used by who does not hold it, unless the text shows that it
    /// does.
    fn must_hold(&mut self, lock: &Variable, node: Node<'t>, at: Label) {
        self.not_null(lock, node, at);
        if self.undo.iter().any(|(_, u)| matches!(u, Undo::Unlock(held, ..) if held == lock)) {
            return;
        }
        let held = self.held();
        let mut draft = self.draft(node).moving(Mover::Yes);
        let l = draft.refers(lock);
        draft.when(f::not(f::atom(held, &[l, SELF])));
        self.fails(draft, at, "monitor is not held", node);
    }

    /// `wait` and `await`: gives the lock back and waits; woken, takes the lock again.
    fn wait(&mut self, on: &Variable, condition: bool, node: Node<'t>, at: &mut Label) {
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
            often.action.beyond = Some(format!("who waits has taken its lock more than once (line {line})"));
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

    fn notify(&mut self, on: &Variable, node: Node<'t>, at: &mut Label) {
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

    fn notify_all(&mut self, on: &Variable, node: Node<'t>, at: &mut Label) {
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

    fn condition_of(&mut self, lock: &Variable, node: Node<'t>, at: &mut Label) -> Variable {
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

    fn start(&mut self, thread: &Variable, node: Node<'t>, at: &mut Label) {
        self.not_null(thread, node, *at);
        let started = self.symbol("started", 1, &[]);
        let mut twice = self.draft(node).moving(Mover::Start);
        let x = twice.refers(thread);
        twice.when(f::atom(started, &[x]));
        self.fails(twice, *at, "started twice", node);
        let mut draft = self.draft(node).moving(Mover::Start);
        let x = draft.refers(thread);
        draft.when(f::not(f::atom(started, &[x])));
        draft.add(started, x);
        draft.starts = Some(x);
        self.then(draft, at, node);
    }

    /// `join` takes the monitor of the thread and waits on it: it must be free, unless who joins
    /// holds it, which is not followed.
    fn join(&mut self, thread: &Variable, node: Node<'t>, at: &mut Label) {
        self.not_null(thread, node, *at);
        self.interruption(None, node, *at);
        self.joins.push((self.number, *at, thread.clone()));
        let held = self.held();
        let mut draft = self.draft(node);
        let x = draft.refers(thread);
        let mut own = draft.clone();
        own.when(f::atom(held, &[x, SELF]));
        let line = self.program.line(node);
        own.action.beyond = Some(format!("a thread is joined by who holds its monitor (line {line})"));
        draft.when(self.is_free(x));
        draft.joins = Some(x);
        let to = self.label(node);
        self.flow.add(own, *at, to);
        self.flow.add(draft, *at, to);
        *at = to;
    }

    /// Whether an object of this static type may be a thread.
    pub fn may_be_thread(&self, class: &str) -> bool {
        // A type variable, or one of the library.
        let open = !self.program.is_own(class) && !LOCKS.contains(&class) && class != "Class";
        open || self.program.classes.keys().any(|c| self.program.is_thread(c) && self.program.is_a(c, class))
    }

    /// Notes that the monitor of a thread may be used: what the expression names, if it has an
    /// object of its own, is none.
    pub fn uses_monitor(&mut self, class: &str, lock: Option<Node<'t>>) {
        let owner = |o: Node<'t>| match o.kind() {
            "identifier" if self.find(self.program.text(o)).is_none() => {
                Some((self.class.clone(), self.program.text(o)))
            }
            "field_access" => {
                Some((self.class_of(o.child_by_field_name("object")?), self.program.part(o, "field")))
            }
            _ => None,
        };
        let field =
            lock.and_then(owner).and_then(|(class, name)| self.program.find_field(&class, name).cloned());
        let made = field.filter(|f| self.program.has_own_object(f)).and_then(|f| f.value);
        let class = made.map_or(class.to_string(), |v| self.class_of(v));
        let plain = made.is_some() && class == "Object";
        if !plain && self.may_be_thread(&class) {
            self.sharing.thread_monitors = true;
        }
    }
}
