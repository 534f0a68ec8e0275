//! A program as Java text, in two versions: as weave reads it, and as the JVM runs it, with a gate
//! before each visible operation. Gates are numbered as `compile` numbers them: by statement, and
//! by the order in which its operations are evaluated.

use super::ast::{
    Catch, Cls, Exc, Expr, Field, FieldId, Kind, Method, Nature, Op, Place, Program, Stmt, Type, gate, local,
};
use super::{print_expr, walk};
use std::collections::BTreeMap;

/// Java text, and the line of each statement.
#[derive(Debug, Clone)]
pub struct Text {
    pub text: String,
    pub lines: BTreeMap<u32, usize>,
}

/// The program as weave reads it.
pub fn for_weave(program: &Program) -> Text {
    print(program, false)
}

/// The program as the JVM runs it.
pub fn for_jvm(program: &Program) -> Text {
    print(program, true)
}

fn print(program: &Program, gated: bool) -> Text {
    let locals = Vec::new();
    let mut printer = Printer {
        program,
        gated,
        out: String::new(),
        line: 1,
        indent: 0,
        lines: BTreeMap::new(),
        statement: 0,
        nth: 0,
        locals,
        may_throw: false,
    };
    printer.file();
    Text { text: printer.out, lines: printer.lines }
}

pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) gated: bool,
    out: String,
    line: usize,
    indent: usize,
    lines: BTreeMap<u32, usize>,
    statement: u32,
    nth: u32,
    pub(super) locals: Vec<Type>,
    /// In `main`, which declares InterruptedException.
    may_throw: bool,
}

const IMPORTS: [(&str, &str); 8] = [
    ("AtomicInteger", "java.util.concurrent.atomic.AtomicInteger"),
    ("AtomicBoolean", "java.util.concurrent.atomic.AtomicBoolean"),
    ("AtomicReference", "java.util.concurrent.atomic.AtomicReference"),
    ("ReentrantLock", "java.util.concurrent.locks.ReentrantLock"),
    ("Condition", "java.util.concurrent.locks.Condition"),
    ("ExecutorService", "java.util.concurrent.ExecutorService"),
    ("ExecutorService", "java.util.concurrent.Executors"),
    ("RejectedExecutionException", "java.util.concurrent.RejectedExecutionException"),
];

impl Printer<'_> {
    pub(super) fn gate(&mut self) -> u32 {
        let number = gate(self.statement, self.nth);
        self.nth += 1;
        number
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.indent));
        self.out.push_str(text);
        self.out.push('\n');
        self.line += 1;
    }

    fn open(&mut self, text: &str) {
        self.put(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self, text: &str) {
        self.indent -= 1;
        self.put(&format!("}}{text}"));
    }

    fn file(&mut self) {
        for import in self.imports() {
            self.put(&format!("import {import};"));
        }
        for (name, low, high) in &self.program.ranges {
            self.put(&format!("//@ range {name} {low}..{high}"));
        }
        self.open(&format!("public class {}", self.program.name));
        self.put("static class Ex extends RuntimeException { }");
        self.fields(0);
        for class in 1..self.program.classes.len() {
            if !self.program.classes[class].hidden {
                self.class(class);
            }
        }
        self.methods(0);
        self.close("");
    }

    fn imports(&self) -> Vec<&'static str> {
        let fields = self.program.classes.iter().flat_map(|c| &c.fields).filter(|f| !f.hidden);
        let types: Vec<String> = fields.map(|f| self.ty(f.ty)).collect();
        let mut rejects = false;
        for class in &self.program.classes {
            walk::statements_of(class, &mut |stmt| {
                if let Kind::Try(_, catches, _) = &stmt.kind {
                    rejects |= catches.iter().any(|(what, _)| *what == Catch::One(Exc::Rejected));
                }
            });
        }
        let used = |name: &str| {
            types.iter().any(|ty| ty.split('<').next() == Some(name))
                || (rejects && name == "RejectedExecutionException")
        };
        IMPORTS.iter().filter(|(name, _)| used(name)).map(|(_, import)| *import).collect()
    }

    fn class(&mut self, number: usize) {
        let class = &self.program.classes[number];
        let head = match (class.nature, class.parent) {
            (Nature::Thread, _) => " extends Thread".to_owned(),
            (Nature::Runnable, _) => " implements Runnable".to_owned(),
            (_, Some(parent)) => format!(" extends {}", self.program.classes[parent].name),
            _ => String::new(),
        };
        self.open(&format!("static class {}{head}", class.name));
        self.fields(number);
        self.constructor(number);
        self.methods(number);
        self.close("");
    }

    fn fields(&mut self, class: usize) {
        for field in self.program.classes[class].fields.iter().filter(|f| !f.hidden) {
            let mut words = String::new();
            for (word, there) in
                [("static ", field.of_class), ("volatile ", field.volatile), ("final ", field.constant)]
            {
                words.push_str(if there { word } else { "" });
            }
            let init = field.init.as_ref().map(|init| {
                self.begin(init);
                match &init.kind {
                    Kind::Do(Expr::Assign(_, value)) => {
                        let value = self.expr(value);
                        format!(" = {}", self.initial(class, field, value))
                    }
                    _ => String::new(),
                }
            });
            let ty = self.ty(field.ty);
            self.put(&format!("{words}{ty} {}{};", field.name, init.unwrap_or_default()));
        }
    }

    /// The write of an initializer is visible where the class is initialized late.
    fn initial(&mut self, class: usize, field: &Field, value: String) -> String {
        if class != 0 && constant(field) {
            // A constant expression that is no literal: reading the field initializes no class all
            // the same.
            return format!("true ? (1 + {value}) - 1 : 0");
        }
        let visible = field.of_class && class != 0 && !constant(field);
        if visible { self.wrap(value) } else { value }
    }

    fn constructor(&mut self, number: usize) {
        let class = &self.program.classes[number];
        if class.constructor.is_empty() {
            return;
        }
        let fields: Vec<_> = class.constructor.iter().map(|&f| &class.fields[f]).collect();
        let params: Vec<_> = fields.iter().map(|f| format!("{} {}", self.ty(f.ty), f.name)).collect();
        self.open(&format!("{}({})", class.name, params.join(", ")));
        for field in fields {
            self.put(&format!("this.{0} = {0};", field.name));
        }
        self.close("");
    }

    fn methods(&mut self, class: usize) {
        for method in self.program.classes[class].methods.iter().filter(|m| !m.hidden) {
            self.method(method);
        }
    }

    fn method(&mut self, method: &Method) {
        self.locals = method.locals.clone();
        self.may_throw = method.name == "main";
        let params: Vec<_> = method
            .params
            .iter()
            .enumerate()
            .map(|(slot, &ty)| format!("{} {}", self.ty(ty), local(slot, ty)))
            .collect();
        let open = matches!(method.name.as_str(), "run" | "toString" | "equals" | "hashCode");
        let head = format!(
            "{}{}{}{} {}({})",
            if open || self.may_throw { "public " } else { "" },
            if method.of_class { "static " } else { "" },
            if method.synced { "synchronized " } else { "" },
            method.result.map_or("void".to_owned(), |ty| self.ty(ty)),
            method.name,
            if self.may_throw { "String[] args".to_owned() } else { params.join(", ") },
        );
        let throws = if self.may_throw { " throws InterruptedException" } else { "" };
        self.open(&format!("{head}{throws}"));
        self.block(&method.body);
        self.close("");
    }

    fn begin(&mut self, stmt: &Stmt) {
        self.lines.insert(stmt.id, self.line);
        self.statement = stmt.id;
        self.nth = 0;
    }

    fn block(&mut self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        self.begin(stmt);
        match &stmt.kind {
            Kind::Local(slot, ty, value) => {
                let value = self.expr(value);
                let name = local(*slot, *ty);
                let ty = self.ty(*ty);
                self.put(&format!("{ty} {name} = {value};"));
            }
            Kind::Do(expr) => {
                let text = self.top(expr);
                self.put(&format!("{text};"));
            }
            Kind::If(test, yes, no) => self.branch(test, yes, no),
            Kind::While(test, body) => self.repeat(test, body),
            Kind::For(slot, times, body) => {
                let i = local(*slot, Type::Int);
                self.open(&format!("for (int {i} = 0; {i} < {times}; {i}++)"));
                self.block(body);
                self.close("");
            }
            Kind::Sync(on, body) => self.synced(on, body),
            Kind::Try(body, catches, last) => {
                self.open("try");
                self.block(body);
                for (what, body) in catches {
                    self.close(&format!(" catch ({} e{}) {{", what.name(), stmt.id));
                    self.indent += 1;
                    self.block(body);
                }
                if let Some(body) = last {
                    self.close(" finally {");
                    self.indent += 1;
                    self.block(body);
                }
                self.close("");
            }
            _ => self.simple(&stmt.kind),
        }
    }

    fn branch(&mut self, test: &Expr, yes: &[Stmt], no: &[Stmt]) {
        let test = self.expr(test);
        self.open(&format!("if ({test})"));
        self.block(yes);
        if !no.is_empty() {
            self.close(" else {");
            self.indent += 1;
            self.block(no);
        }
        self.close("");
    }

    fn repeat(&mut self, test: &Expr, body: &[Stmt]) {
        let number = self.gate();
        let test = self.expr(test);
        let test = if self.gated { format!("Gate.yes({number}) && ({test})") } else { test };
        self.open(&format!("while ({test})"));
        self.block(body);
        self.close("");
    }

    fn synced(&mut self, on: &Expr, body: &[Stmt]) {
        let on = self.expr(on);
        let on = self.wrap(on);
        self.open(&format!("synchronized ({on})"));
        self.block(body);
        self.close("");
    }

    /// The text with a gate behind its evaluation.
    pub(super) fn wrap(&mut self, text: String) -> String {
        let number = self.gate();
        if self.gated { format!("Gate.v({number}, {text})") } else { text }
    }

    fn simple(&mut self, kind: &Kind) {
        let text = match kind {
            Kind::Throw(exc) => format!("throw new {}()", exc.name()),
            Kind::Return(None) => "return".to_owned(),
            Kind::Return(Some(value)) => format!("return {}", self.expr(value)),
            Kind::Break => "break".to_owned(),
            Kind::Assert(test) if self.gated => format!("assert {} : Gate.failed()", self.expr(test)),
            Kind::Assert(test) => format!("assert {}", self.expr(test)),
            Kind::Print(value) => format!("System.out.println({})", self.expr(value)),
            Kind::Wait(on) => self.on(on, "wait"),
            Kind::Notify(on) => self.on(on, "notify"),
            Kind::NotifyAll(on) => self.on(on, "notifyAll"),
            Kind::Lock(on) => self.on(on, "lock"),
            Kind::Unlock(on) => self.on(on, "unlock"),
            Kind::Await(on) => self.on(on, "await"),
            Kind::Signal(on) => self.on(on, "signal"),
            Kind::SignalAll(on) => self.on(on, "signalAll"),
            Kind::Join(on) => self.on(on, "join"),
            Kind::Shutdown(on) => self.on(on, "shutdown"),
            Kind::Start(on) => self.give("start", &[on]),
            Kind::Submit(to, task) => self.give("submit", &[to, task]),
            Kind::Execute(to, task) => self.give("execute", &[to, task]),
            _ => "Thread.sleep(1)".to_owned(),
        };
        let interruptible = matches!(kind, Kind::Wait(_) | Kind::Await(_) | Kind::Join(_) | Kind::Sleep);
        if interruptible && !self.may_throw {
            self.put(&format!("try {{ {text}; }} catch (InterruptedException e) {{ }}"));
        } else {
            self.put(&format!("{text};"));
        }
    }

    fn on(&mut self, on: &Expr, call: &str) -> String {
        let on = self.expr(on);
        format!("{}.{call}()", self.wrap(on))
    }

    /// What begins a thread tells the gates which one.
    fn give(&mut self, call: &str, to: &[&Expr]) -> String {
        let texts: Vec<_> = to.iter().map(|e| self.expr(e)).collect();
        let number = self.gate();
        if self.gated {
            format!("Gate.{call}({number}, {})", texts.join(", "))
        } else {
            format!("{}.{call}({})", texts[0], texts[1..].join(", "))
        }
    }

    pub(super) fn ty(&self, ty: Type) -> String {
        match ty {
            Type::Int => "int".to_owned(),
            Type::Bool => "boolean".to_owned(),
            Type::Str => "String".to_owned(),
            Type::BoxInt => "Integer".to_owned(),
            Type::BoxBool => "Boolean".to_owned(),
            Type::Ref(class) => print_expr::class_name(self.program, class),
        }
    }

    pub(super) fn owner(&self, field: FieldId) -> &str {
        &self.program.classes[field.class].name
    }
}

/// Can a block reach its end? As javac sees it.
pub fn completes(body: &[Stmt]) -> bool {
    body.last().is_none_or(|stmt| match &stmt.kind {
        Kind::Throw(_) | Kind::Return(_) | Kind::Break => false,
        Kind::If(_, _, no) if no.is_empty() => true,
        Kind::If(_, yes, no) => completes(yes) || completes(no),
        Kind::While(test, body) => *test != Expr::Bool(true) || breaks(body),
        Kind::Sync(_, body) => completes(body),
        Kind::Try(body, catches, last) => {
            last.as_ref().is_none_or(|last| completes(last))
                && (completes(body) || catches.iter().any(|(_, body)| completes(body)))
        }
        _ => true,
    })
}

fn breaks(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        Kind::Break => true,
        Kind::If(_, yes, no) => breaks(yes) || breaks(no),
        Kind::Sync(_, body) => breaks(body),
        Kind::Try(body, catches, last) => {
            breaks(body)
                || catches.iter().any(|(_, body)| breaks(body))
                || last.as_ref().is_some_and(|last| breaks(last))
        }
        _ => false,
    })
}

/// Does a first use of the class run code of the program?
pub fn has_initializer(program: &Program, class: usize) -> bool {
    program.classes[class].fields.iter().any(|f| f.of_class && f.init.is_some() && !f.hidden && !constant(f))
}

/// A number that javac puts in the place of its name.
pub fn constant(field: &Field) -> bool {
    let value = field.init.as_ref().map(|init| &init.kind);
    let literal = matches!(value, Some(Kind::Do(Expr::Assign(_, v))) if matches!(**v, Expr::Int(_)));
    field.constant && field.ty == Type::Int && literal
}

/// Is reading the field no step? So it is for final fields of the main class.
pub fn is_settled(program: &Program, field: FieldId) -> bool {
    field.class == 0 && program.field(field).constant
}

pub(super) fn symbol(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "/",
        Op::Rem => "%",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Le => "<=",
        Op::And => "&&",
        Op::Or => "||",
        Op::Both => "&",
        Op::Xor => "^",
    }
}

pub(super) fn is_local(place: &Place) -> bool {
    matches!(place, Place::Local(_))
}

pub(super) fn library(class: Cls) -> Option<&'static str> {
    Some(match class {
        Cls::Own(_) => return None,
        Cls::Object => "Object",
        Cls::Lock => "ReentrantLock",
        Cls::Condition => "Condition",
        Cls::AtomicInt => "AtomicInteger",
        Cls::AtomicBool => "AtomicBoolean",
        Cls::AtomicRef => "AtomicReference<Object>",
        Cls::Thread => "Thread",
        Cls::Executor => "ExecutorService",
    })
}
