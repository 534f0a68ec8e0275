//! Syntax tree to Promela text. Reading the text again gives the same tree, up to places.

#![allow(dead_code)]

use logic::ltl::{self, Syntax};
use promela::ast::*;
use promela::print::{expression, operand, statement, variable};

/// A whole model as text.
pub fn program(program: &Program) -> String {
    let mut printer = Printer::default();
    program.items.iter().for_each(|item| printer.item(item));
    printer.text
}

#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
}

impl Printer {
    fn line(&mut self, line: &str) {
        self.text += &"  ".repeat(self.indent);
        self.text += line;
        self.text.push('\n');
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Declaration(declared) => self.line(&(declaration(declared) + ";")),
            Item::Mtype(mtype) => self.line(&mtype_declaration(mtype)),
            Item::Typedef(typedef) => {
                self.line(&format!("typedef {} {{", typedef.name.name));
                self.indent += 1;
                typedef.fields.iter().for_each(|field| self.line(&(declaration(field) + ";")));
                self.indent -= 1;
                self.line("};");
            }
            Item::Proctype(proctype) => self.body(&header(proctype), &proctype.body, ""),
            Item::Init(init) => self.body(&format!("init{}", priority(&init.priority)), &init.body, ""),
            Item::Never(never) => {
                let name = never.name.as_ref().map_or(String::new(), |name| format!(" {}", name.name));
                self.body(&format!("never{name}"), &never.body, "");
            }
            Item::Trace(trace) => {
                self.body(if trace.forbidden { "notrace" } else { "trace" }, &trace.body, "")
            }
            Item::Ltl(ltl) => {
                let name = ltl.name.as_ref().map_or(String::new(), |name| format!(" {}", name.name));
                self.line(&format!("ltl{name} {{ {} }}", formula(&ltl.formula)));
            }
        }
    }

    /// `head { … } tail`
    fn body(&mut self, head: &str, body: &Sequence, tail: &str) {
        self.line(&format!("{head} {{"));
        self.steps(body);
        self.line(&format!("}}{tail}"));
    }

    fn steps(&mut self, sequence: &Sequence) {
        self.indent += 1;
        sequence.steps.iter().for_each(|step| self.step(step));
        self.indent -= 1;
    }

    fn step(&mut self, step: &Step) {
        match step {
            Step::Declaration(declared) => self.line(&(declaration(declared) + ";")),
            Step::Exclusive(exclusive) => {
                let word = if exclusive.direction == Direction::Receive { "xr" } else { "xs" };
                let channels: Vec<_> = exclusive.channels.iter().map(variable).collect();
                self.line(&format!("{word} {};", channels.join(", ")));
            }
            Step::Statement(statement) => self.statement(statement, ";"),
            Step::Unless { main, escape, .. } => {
                self.statement(main, "");
                self.line("unless");
                self.statement(escape, ";");
            }
        }
    }

    fn statement(&mut self, labelled: &Statement, tail: &str) {
        let labels: String = labelled.labels.iter().map(|label| format!("{}: ", label.name)).collect();
        let head = statement(&labelled.kind);
        match &labelled.kind {
            StatementKind::If(options) => self.options(&labels, "if", options, &format!("fi{tail}")),
            StatementKind::Do(options) => self.options(&labels, "do", options, &format!("od{tail}")),
            StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block { body, .. } => {
                self.body(format!("{labels}{head}").trim_end(), body, tail);
            }
            StatementKind::For(of) => self.body(&format!("{labels}{head}"), &of.body, tail),
            _ => self.line(&format!("{labels}{head}{tail}")),
        }
    }

    fn options(&mut self, labels: &str, open: &str, options: &[Sequence], close: &str) {
        self.line(&format!("{labels}{open}"));
        for option in options {
            self.line("::");
            self.steps(option);
        }
        self.line(close);
    }
}

fn header(proctype: &Proctype) -> String {
    let active = match &proctype.active {
        Some(Active { count: Some(count), .. }) => format!("active [{}] ", expression(count)),
        Some(_) => "active ".to_string(),
        None => String::new(),
    };
    let word = if proctype.deterministic { "D_proctype" } else { "proctype" };
    let parameters: Vec<_> = proctype.parameters.iter().map(declaration).collect();
    let provided =
        proctype.provided.as_ref().map_or(String::new(), |e| format!(" provided ({})", expression(e)));
    let name = &proctype.name.name;
    format!("{active}{word} {name}({}){}{provided}", parameters.join("; "), priority(&proctype.priority))
}

fn priority(priority: &Option<Expr>) -> String {
    priority.as_ref().map_or(String::new(), |value| format!(" priority {}", operand(value)))
}

fn mtype_declaration(mtype: &MtypeDeclaration) -> String {
    let set = mtype.set.as_ref().map_or(String::new(), |set| format!(":{}", set.name));
    let names: Vec<_> = mtype.names.iter().map(|name| &*name.name).collect();
    format!("mtype{set} = {{ {} }};", names.join(", "))
}

fn declaration(declaration: &Declaration) -> String {
    let visibility = match declaration.visibility {
        Some(Visibility::Hidden) => "hidden ",
        Some(Visibility::Show) => "show ",
        Some(Visibility::Local) => "local ",
        None => "",
    };
    let variables: Vec<_> = declaration.variables.iter().map(declarator).collect();
    format!("{visibility}{} {}", ty(&declaration.ty), variables.join(", "))
}

fn ty(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Bit => "bit".to_string(),
        TypeKind::Bool => "bool".to_string(),
        TypeKind::Byte => "byte".to_string(),
        TypeKind::Pid => "pid".to_string(),
        TypeKind::Short => "short".to_string(),
        TypeKind::Int => "int".to_string(),
        TypeKind::Unsigned => "unsigned".to_string(),
        TypeKind::Mtype(None) => "mtype".to_string(),
        TypeKind::Mtype(Some(set)) => format!("mtype:{}", set.name),
        TypeKind::Chan => "chan".to_string(),
        TypeKind::Record(name) => name.to_string(),
    }
}

fn declarator(declarator: &Declarator) -> String {
    let width = declarator.width.as_ref().map_or(String::new(), |width| format!(" : {}", operand(width)));
    let length =
        declarator.length.as_ref().map_or(String::new(), |length| format!("[{}]", expression(length)));
    let initial = match &declarator.initial {
        None => String::new(),
        Some(Initial::Value(value)) => format!(" = {}", expression(value)),
        Some(Initial::List(values)) => {
            let values: Vec<_> = values.iter().map(expression).collect();
            format!(" = {{ {} }}", values.join(", "))
        }
        Some(Initial::Channel { capacity, fields, .. }) => {
            let fields: Vec<_> = fields.iter().map(ty).collect();
            format!(" = [{}] of {{ {} }}", expression(capacity), fields.join(", "))
        }
    };
    format!("{}{width}{length}{initial}", declarator.name.name)
}

/// A formula as text.
pub fn formula(whole: &ltl::Formula<Expr>) -> String {
    match whole {
        ltl::Formula::Constant(value) => value.to_string(),
        ltl::Formula::Atom(expr) => expression(expr),
        ltl::Formula::Unary(operator, a) => {
            let space = if *operator == ltl::Unary::Not { "" } else { " " };
            format!("{}{space}{}", Syntax::Spin.unary_word(*operator).unwrap_or_default(), formula_operand(a))
        }
        ltl::Formula::Binary(operator, a, b) => {
            format!(
                "{} {} {}",
                formula_operand(a),
                Syntax::Spin.binary_word(*operator).unwrap_or_default(),
                formula_operand(b)
            )
        }
    }
}

fn formula_operand(whole: &ltl::Formula<Expr>) -> String {
    match whole {
        ltl::Formula::Atom(expr) => operand(expr),
        _ => format!("({})", formula(whole)),
    }
}
