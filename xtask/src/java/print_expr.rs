//! Expressions as Java text; in the version for the JVM each visible operation waits at its gate
//! just before it happens.

use super::ast::{Atomic, Cls, Expr, MethodId, Place, Program, Type, local};
use super::print::{Printer, has_initializer, is_local, is_settled, library, symbol};

pub(super) fn class_name(program: &Program, class: Cls) -> String {
    match class {
        Cls::Own(own) => program.classes[own].name.clone(),
        _ => library(class).unwrap_or_default().to_owned(),
    }
}

impl Printer<'_> {
    /// An expression as a statement: no parentheses around it.
    pub(super) fn top(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Assign(place, value) => self.assign(place, value),
            Expr::Compound(op, place, value) => {
                let place = self.twice(place);
                let value = self.expr(value);
                let value = if place.1 { self.wrap(value) } else { value };
                format!("{} {}= {value}", place.0, symbol(*op))
            }
            Expr::Step { place, up, prefix } => self.step(place, *up, *prefix, true),
            _ => self.expr(expr),
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> String {
        match expr {
            Expr::Null => "null".to_owned(),
            Expr::Int(i) if *i < 0 => format!("({i})"),
            Expr::Int(i) => i.to_string(),
            Expr::Bool(b) => b.to_string(),
            Expr::Str(s) => format!("\"{s}\""),
            Expr::This => "this".to_owned(),
            Expr::Read(place) => self.read(place),
            Expr::Constant(field, _) => {
                format!("{}.{}", self.owner(*field), self.program.field(*field).name)
            }
            Expr::New(class, args) => self.create(*class, args),
            Expr::Bin(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                format!("({a} {} {b})", symbol(*op))
            }
            Expr::Not(a) => format!("!{}", self.expr(a)),
            Expr::Neg(a) => format!("(-{})", self.expr(a)),
            Expr::Choose(test, yes, no) => {
                let (test, yes, no) = (self.expr(test), self.expr(yes), self.expr(no));
                format!("({test} ? {yes} : {no})")
            }
            Expr::Assign(..) | Expr::Compound(..) => format!("({})", self.top(expr)),
            Expr::Step { place, up, prefix } => format!("({})", self.step(place, *up, *prefix, false)),
            Expr::Static(method, args) => self.static_call(*method, args),
            Expr::Call(on, method, args) => self.call(on, *method, args),
            Expr::Cast(class, a) => {
                format!("(({}) {})", class_name(self.program, *class), self.expr(a))
            }
            Expr::InstanceOf(a, class) => {
                format!("({} instanceof {})", self.expr(a), class_name(self.program, *class))
            }
            Expr::Box(a) => self.expr(a),
            Expr::Unbox { of, to, written } => {
                let text = self.expr(of);
                match (written, to) {
                    (false, _) => text,
                    (true, Type::Int) => format!("{text}.intValue()"),
                    (true, _) => format!("{text}.booleanValue()"),
                }
            }
            Expr::Concat(a, b) => format!("({} + {})", self.expr(a), self.expr(b)),
            Expr::Length(a) => format!("{}.length()", self.expr(a)),
            Expr::Equals(a, b) => format!("{}.equals({})", self.expr(a), self.expr(b)),
            Expr::ToString(a) => format!("{}.toString()", self.expr(a)),
            Expr::Atomic(what, on, args) => {
                let on = self.expr(on);
                let args = args.iter().map(|a| self.expr(a)).collect();
                self.gated_call(on, atomic(*what), args, true)
            }
            Expr::TryLock(on) => {
                let on = self.expr(on);
                self.gated_call(on, "tryLock", Vec::new(), true)
            }
        }
    }

    /// A call whose entry is visible: the gate is behind the last argument, or behind the receiver.
    fn gated_call(&mut self, on: String, name: &str, mut args: Vec<String>, visible: bool) -> String {
        match args.pop() {
            Some(last) => {
                args.push(if visible { self.wrap(last) } else { last });
                format!("{on}.{name}({})", args.join(", "))
            }
            None if visible => format!("{}.{name}()", self.wrap(on)),
            None => format!("{on}.{name}()"),
        }
    }

    fn static_call(&mut self, id: MethodId, args: &[Expr]) -> String {
        let method = self.program.method(id);
        let class = self.program.classes[id.class].name.clone();
        let visible = method.synced || (id.class != 0 && has_initializer(self.program, id.class));
        let args: Vec<String> = args.iter().map(|a| self.expr(a)).collect();
        if args.is_empty() && visible {
            let on = self.class_gate(&class);
            return format!("{on}.{}()", method.name);
        }
        self.gated_call(class, &method.name, args, visible)
    }

    fn call(&mut self, on: &Expr, id: MethodId, args: &[Expr]) -> String {
        let method = self.program.method(id);
        let on = self.expr(on);
        let args = args.iter().map(|a| self.expr(a)).collect();
        self.gated_call(on, &method.name, args, method.synced)
    }

    /// The name of a class, with a gate before what follows it.
    fn class_gate(&mut self, class: &str) -> String {
        let number = self.gate();
        if self.gated { format!("(({class}) Gate.at({number}))") } else { class.to_owned() }
    }

    fn create(&mut self, class: Cls, args: &[Expr]) -> String {
        let visible = matches!(class, Cls::Own(own) if has_initializer(self.program, own));
        let number = if visible { self.gate() } else { 0 };
        let args: Vec<_> = args.iter().map(|a| self.expr(a)).collect();
        let text = match class {
            Cls::Condition => format!("{}.newCondition()", args.join(", ")),
            Cls::Executor => "Executors.newCachedThreadPool()".to_owned(),
            Cls::AtomicRef => format!("new AtomicReference<>({})", args.join(", ")),
            _ => format!("new {}({})", class_name(self.program, class), args.join(", ")),
        };
        if visible && self.gated { format!("(Gate.yes({number}) ? {text} : null)") } else { text }
    }

    fn read(&mut self, place: &Place) -> String {
        match place {
            Place::Local(slot) => local(*slot, self.locals[*slot]),
            Place::Static(field) if is_settled(self.program, *field) => {
                format!("{}.{}", self.owner(*field), self.program.field(*field).name)
            }
            _ => self.twice(place).0,
        }
    }

    /// A place with a gate before it is read; is it shared?
    fn twice(&mut self, place: &Place) -> (String, bool) {
        match place {
            Place::Local(_) => (self.read(place), false),
            Place::Static(field) => {
                let owner = self.owner(*field).to_owned();
                let on = self.class_gate(&owner);
                (format!("{on}.{}", self.program.field(*field).name), true)
            }
            Place::Field(on, field) => {
                let on = self.expr(on);
                (format!("{}.{}", self.wrap(on), self.program.field(*field).name), true)
            }
        }
    }

    fn assign(&mut self, place: &Place, value: &Expr) -> String {
        let to = match place {
            Place::Local(slot) => local(*slot, self.locals[*slot]),
            Place::Static(field) => {
                format!("{}.{}", self.owner(*field), self.program.field(*field).name)
            }
            Place::Field(on, field) => {
                format!("{}.{}", self.expr(on), self.program.field(*field).name)
            }
        };
        let value = self.expr(value);
        let value = if is_local(place) { value } else { self.wrap(value) };
        format!("{to} = {value}")
    }

    fn step(&mut self, place: &Place, up: bool, prefix: bool, unused: bool) -> String {
        let (text, shared) = self.twice(place);
        let sign = if up { "+" } else { "-" };
        if !self.gated || !shared {
            // The write has a gate of its own, whatever is printed.
            if shared {
                self.gate();
            }
            return if prefix { format!("{sign}{sign}{text}") } else { format!("{text}{sign}{sign}") };
        }
        let one = self.wrap("1".to_owned());
        let text = format!("{text} {sign}= {one}");
        match (unused || prefix, up) {
            (true, _) => text,
            (false, true) => format!("({text}) - 1"),
            (false, false) => format!("({text}) + 1"),
        }
    }
}

fn atomic(what: Atomic) -> &'static str {
    match what {
        Atomic::Get => "get",
        Atomic::Set => "set",
        Atomic::CompareAndSet => "compareAndSet",
        Atomic::GetAndIncrement => "getAndIncrement",
        Atomic::IncrementAndGet => "incrementAndGet",
        Atomic::DecrementAndGet => "decrementAndGet",
        Atomic::GetAndSet => "getAndSet",
    }
}
