//! The program as Promela text: one statement a line, so that a difference can be read and a line
//! be named.

use super::{Braces, Decl, Expr, Field, Init, Place, Process, Program, Stmt, Type};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.defines {
            writeln!(f, "#define {name} {value}")?;
        }
        for mtype in &self.mtypes {
            let subtype = mtype.subtype.as_ref().map_or(String::new(), |name| format!(":{name}"));
            writeln!(f, "mtype{subtype} = {{ {} }};", mtype.members.join(", "))?;
        }
        for record in &self.records {
            writeln!(f, "typedef {} {{ {} }};", record.name, list(&record.fields, "; "))?;
        }
        for global in &self.globals {
            writeln!(f, "{global};")?;
        }
        for inline in &self.inlines {
            writeln!(f, "inline {}({}) {{", inline.name, inline.parameters.join(", "))?;
            sequence(f, &inline.body, 1)?;
            writeln!(f, "}}")?;
        }
        self.processes.iter().try_for_each(|process| write!(f, "{process}"))
    }
}

impl Display for Process {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.name.as_str(), self.active) {
            ("init", _) => write!(f, "init")?,
            (name, 0) => write!(f, "proctype {name}({})", list(&self.parameters, "; "))?,
            (name, 1) => write!(f, "active proctype {name}({})", list(&self.parameters, "; "))?,
            (name, n) => write!(f, "active [{n}] proctype {name}({})", list(&self.parameters, "; "))?,
        }
        if let Some(priority) = self.priority {
            write!(f, " priority {priority}")?;
        }
        if let Some(provided) = &self.provided {
            write!(f, " provided ({provided})")?;
        }
        writeln!(f, " {{")?;
        sequence(f, &self.body, 1)?;
        writeln!(f, "}}")
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Bit => write!(f, "bit"),
            Type::Bool => write!(f, "bool"),
            Type::Byte => write!(f, "byte"),
            Type::Pid => write!(f, "pid"),
            Type::Short => write!(f, "short"),
            Type::Int => write!(f, "int"),
            Type::Unsigned(_) => write!(f, "unsigned"),
            Type::Mtype(None) => write!(f, "mtype"),
            Type::Mtype(Some(subtype)) => write!(f, "mtype:{subtype}"),
            Type::Chan => write!(f, "chan"),
            Type::Record(name) => write!(f, "{name}"),
        }
    }
}

impl Display for Decl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let hidden = if self.hidden { "hidden " } else { "" };
        write!(f, "{hidden}{} {}", self.ty, self.name)?;
        if let Type::Unsigned(bits) = self.ty {
            write!(f, " : {bits}")?;
        }
        if let Some(size) = self.size {
            write!(f, "[{size}]")?;
        }
        match &self.init {
            Init::None => Ok(()),
            Init::Value(value) => write!(f, " = {value}"),
            Init::List(values) => write!(f, " = {{ {} }}", list(values, ", ")),
            Init::Channel(capacity, fields) => {
                write!(f, " = [{capacity}] of {{ {} }}", list(fields, ", "))
            }
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name)?;
        if let Some(index) = &self.index {
            write!(f, "[{index}]")?;
        }
        self.field.as_ref().map_or(Ok(()), |field| write!(f, ".{field}"))
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Number(n) => write!(f, "{n}"),
            Expr::Word(word) => write!(f, "{word}"),
            Expr::Read(place) => write!(f, "{place}"),
            Expr::Unary(operator, e) => write!(f, "{operator}({e})"),
            Expr::Binary(operator, l, r) => write!(f, "({l} {operator} {r})"),
            Expr::Choice(c, a, b) => write!(f, "({c} -> {a} : {b})"),
            Expr::Probe(probe, channel) => write!(f, "{probe}({channel})"),
            Expr::Poll(channel, random, fields) => {
                write!(f, "{channel}{}[{}]", if *random { "??" } else { "?" }, list(fields, ", "))
            }
            Expr::Run(name, arguments, priority) => {
                write!(f, "run {name}({})", list(arguments, ", "))?;
                priority.map_or(Ok(()), |priority| write!(f, " priority {priority}"))
            }
            Expr::At(process, pid, label) => write!(f, "{process}[{pid}]@{label}"),
            Expr::Remote(process, pid, variable) => write!(f, "{process}[{pid}]:{variable}"),
            Expr::Call(function, e) => write!(f, "{function}({e})"),
        }
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Field::Into(place) => write!(f, "{place}"),
            Field::Match(value) => write!(f, "{value}"),
            Field::Eval(value) => write!(f, "eval({value})"),
            Field::Ignore => write!(f, "_"),
        }
    }
}

fn list<T: Display>(items: &[T], separator: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}

fn pad(f: &mut Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_char('\t'))
}

/// An empty sequence is printed as `skip`: Promela has none.
fn sequence(f: &mut Formatter<'_>, body: &[Stmt], depth: usize) -> fmt::Result {
    if !body.iter().any(|statement| !matches!(statement, Stmt::Declare(_) | Stmt::Exclusive(..))) {
        for declaration in body {
            line(f, declaration, depth, ";\n")?;
        }
        return line(f, &Stmt::Skip, depth, "\n");
    }
    for (position, statement) in body.iter().enumerate() {
        line(f, statement, depth, if position + 1 < body.len() { ";\n" } else { "\n" })?;
    }
    Ok(())
}

fn line(f: &mut Formatter<'_>, statement: &Stmt, depth: usize, end: &str) -> fmt::Result {
    pad(f, depth)?;
    write_statement(f, statement, depth)?;
    f.write_str(end)
}

fn braced(f: &mut Formatter<'_>, head: &str, body: &[Stmt], depth: usize) -> fmt::Result {
    writeln!(f, "{head}{{")?;
    sequence(f, body, depth + 1)?;
    pad(f, depth)?;
    f.write_str("}")
}

fn options(
    f: &mut Formatter<'_>,
    open: &str,
    options: &[Vec<Stmt>],
    close: &str,
    depth: usize,
) -> fmt::Result {
    writeln!(f, "{open}")?;
    for option in options {
        pad(f, depth)?;
        writeln!(f, "::")?;
        sequence(f, option, depth + 1)?;
    }
    pad(f, depth)?;
    f.write_str(close)
}

fn write_statement(f: &mut Formatter<'_>, statement: &Stmt, depth: usize) -> fmt::Result {
    match statement {
        Stmt::Declare(declaration) => write!(f, "{declaration}"),
        Stmt::Label(name, inner) => {
            write!(f, "{name}: ")?;
            write_statement(f, inner, depth)
        }
        Stmt::Assign(place, value) => write!(f, "{place} = {value}"),
        Stmt::Count(place, up) => write!(f, "{place}{}", if *up { "++" } else { "--" }),
        Stmt::Guard(condition) => write!(f, "{condition}"),
        Stmt::Skip => f.write_str("skip"),
        Stmt::Else => f.write_str("else"),
        Stmt::If(branches) => options(f, "if", branches, "fi", depth),
        Stmt::Do(branches) => options(f, "do", branches, "od", depth),
        Stmt::Block(Braces::Plain, body) => braced(f, "", body, depth),
        Stmt::Block(Braces::Atomic, body) => braced(f, "atomic ", body, depth),
        Stmt::Block(Braces::DStep, body) => braced(f, "d_step ", body, depth),
        Stmt::Unless(main, escape) => {
            braced(f, "", main, depth)?;
            braced(f, " unless ", escape, depth)
        }
        Stmt::For(variable, from, to, body) => {
            braced(f, &format!("for ({variable} : {from} .. {to}) "), body, depth)
        }
        Stmt::ForIn(variable, array, body) => {
            braced(f, &format!("for ({variable} in {array}) "), body, depth)
        }
        Stmt::Select(variable, from, to) => write!(f, "select ({variable} : {from} .. {to})"),
        Stmt::Break => f.write_str("break"),
        Stmt::Goto(label) => write!(f, "goto {label}"),
        Stmt::Send(channel, sorted, arguments, tagged) => send(f, channel, *sorted, arguments, *tagged),
        Stmt::Receive(channel, form, fields) => {
            let (open, close) = if form.copy { ("<", ">") } else { ("", "") };
            let mark = if form.random { "??" } else { "?" };
            write!(f, "{channel}{mark}{open}{}{close}", list(fields, ", "))
        }
        Stmt::Assert(condition) => write!(f, "assert({condition})"),
        Stmt::Printf(format, arguments) => {
            write!(f, "printf(\"{format}\"")?;
            arguments.iter().try_for_each(|argument| write!(f, ", {argument}"))?;
            f.write_str(")")
        }
        Stmt::Call(inline, arguments) => write!(f, "{inline}({})", list(arguments, ", ")),
        Stmt::Exclusive(claim, channel) => write!(f, "{claim} {channel}"),
        Stmt::SetPriority(pid, value) => write!(f, "set_priority({pid}, {value})"),
    }
}

fn send(
    f: &mut Formatter<'_>,
    channel: &Place,
    sorted: bool,
    arguments: &[Expr],
    tagged: bool,
) -> fmt::Result {
    write!(f, "{channel}{}", if sorted { "!!" } else { "!" })?;
    match arguments {
        [tag, rest @ ..] if tagged && !rest.is_empty() => write!(f, "{tag}({})", list(rest, ", ")),
        _ => write!(f, "{}", list(arguments, ", ")),
    }
}
