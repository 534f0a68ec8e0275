//! Declarations and types.

use super::Parser;
use crate::ast::{Declaration, Ident, Macro, Mode, Type, TypeDefinition, TypeKind};
use source::{Descent, Parsed};

const STARTS: [&str; 4] = ["in", "local", "out", "value"];

impl Parser {
    /// Declarations as long as there are any; separators between them may be left out.
    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut found = Vec::new();
        while self.is_any(&STARTS) && !self.at_end() {
            match self.declaration() {
                Ok(declaration) => found.push(declaration),
                Err(_) => self.skip_to(&["in", "local", "out", "value", ";", "[", "AXIOM", "PROPERTY"]),
            }
            self.eat(";");
        }
        found
    }

    fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let mode = match self.bump().text() {
            "in" => Mode::In,
            "out" => Mode::Out,
            "value" => Mode::Value,
            _ => Mode::Local,
        };
        let names = self.idents()?;
        self.expect(":")?;
        let of = self.any_type()?;
        let initially = self.after("where", |this| this.separated(",", Self::formula))?.unwrap_or_default();
        Ok(Declaration { mode, names, of, initially, span: self.since(start) })
    }

    pub(super) fn type_definition(&mut self) -> Parsed<TypeDefinition> {
        self.expect("type")?;
        let name = self.ident()?;
        let definition = self.after("=", Self::any_type)?;
        self.eat(";");
        Ok(TypeDefinition { name, definition })
    }

    /// A macro for expressions; one for statements is kept by the parser.
    pub(super) fn macro_definition(&mut self) -> Parsed<Option<Macro>> {
        self.expect("macro")?;
        let name = self.ident()?;
        let parameters = if self.is("(") { self.between("(", ")", Self::idents)? } else { Vec::new() };
        if self.is("do") {
            self.procedure(name, parameters)?;
            return Ok(None);
        }
        self.expect("=")?;
        let body = self.formula()?;
        self.eat(";");
        Ok(Some(Macro { name, parameters, body }))
    }

    /// A type, with `-->` and `*` for functions.
    fn any_type(&mut self) -> Parsed<Type> {
        let start = self.span();
        let mut arguments = self.separated("*", Self::simple_type)?;
        if self.eat("-->") {
            let result = self.nested(Parser::any_type)?;
            return Ok(Type {
                kind: TypeKind::Function(arguments, Box::new(result)),
                span: self.since(start),
            });
        }
        match arguments.len() {
            1 => Ok(arguments.remove(0)),
            _ => self.unexpected("`-->`"),
        }
    }

    pub(super) fn simple_type(&mut self) -> Parsed<Type> {
        self.nested(Parser::type_itself)
    }

    fn type_itself(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.peek().text() {
            "bool" | "boolean" => self.simple(TypeKind::Bool),
            "int" | "integer" => self.simple(TypeKind::Int),
            "rat" | "real" => self.simple(TypeKind::Real),
            "[" => {
                let (low, high) = self.between("[", "]", Self::range)?;
                TypeKind::Range(Box::new(low), Box::new(high))
            }
            "{" => TypeKind::Enumeration(self.between("{", "}", Self::elements)?),
            "(" => return self.between("(", ")", Self::any_type),
            "array" => {
                self.advance();
                let (low, high) = self.between("[", "]", Self::range)?;
                self.expect("of")?;
                let element = self.simple_type()?;
                TypeKind::Array(Box::new(low), Box::new(high), Box::new(element))
            }
            "record" => self.record()?,
            "channel" => self.channel()?,
            "list" | "queue" if self.ahead(1).is("of") => {
                self.skip(2);
                TypeKind::Sequence(Box::new(self.simple_type()?))
            }
            "data" if self.ahead(1).is("{") => self.data()?,
            _ if self.is_name(0) => TypeKind::Named(self.ident()?.name),
            _ => return self.unexpected("a type"),
        };
        Ok(Type { kind, span: self.since(start) })
    }

    /// The elements of an enumeration. Reserved words among them are reported, and read over.
    fn elements(&mut self) -> Parsed<Vec<Ident>> {
        let element = |this: &mut Self| {
            let reserved = this.peek().name().is_some() && !this.is_name(0);
            let read = this.ident();
            if read.is_err() && reserved {
                this.advance();
                return Ok(None);
            }
            read.map(Some)
        };
        let all: Vec<Option<Ident>> = self.separated(",", element)?;
        if all.iter().any(Option::is_none) {
            // Each use of such a name would be wrong again.
            self.stop();
        }
        Ok(all.into_iter().flatten().collect())
    }

    fn simple(&mut self, kind: TypeKind) -> TypeKind {
        self.advance();
        kind
    }

    fn record(&mut self) -> Parsed<TypeKind> {
        self.expect("record")?;
        self.expect("{")?;
        Ok(TypeKind::Record(self.fields("}")?))
    }

    /// `a, b : T; c : U` up to a closing sign.
    fn fields(&mut self, close: &str) -> Parsed<Vec<(Ident, Type)>> {
        let mut fields = Vec::new();
        loop {
            let names = self.idents()?;
            self.expect(":")?;
            let of = self.simple_type()?;
            fields.extend(names.into_iter().map(|name| (name, of.clone())));
            let more = self.eat_any(&[";", ","]);
            if self.eat(close) {
                return Ok(fields);
            }
            if !more {
                return self.unexpected(&format!("`;` or `{close}`"));
            }
        }
    }

    /// `data {leaf | node(left, right : tree; key : int)}`.
    fn data(&mut self) -> Parsed<TypeKind> {
        self.expect("data")?;
        self.expect("{")?;
        let mut constructors = Vec::new();
        loop {
            let name = self.ident()?;
            let fields = if self.eat("(") { self.fields(")")? } else { Vec::new() };
            constructors.push((name, fields));
            if self.eat("}") {
                return Ok(TypeKind::Data(constructors));
            }
            if !self.eat("|") {
                return self.unexpected("`|` or `}`");
            }
        }
    }

    fn channel(&mut self) -> Parsed<TypeKind> {
        self.expect("channel")?;
        let mut capacity = None;
        let mut buffered = false;
        if self.eat("[") {
            buffered = true;
            self.formula()?;
            self.expect("..")?;
            if !self.is("]") {
                capacity = Some(Box::new(self.sum()?));
            }
            self.expect("]")?;
        }
        self.expect("of")?;
        let element = Box::new(self.simple_type()?);
        Ok(if buffered { TypeKind::Asynchronous(capacity, element) } else { TypeKind::Synchronous(element) })
    }
}
