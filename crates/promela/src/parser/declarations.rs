//! Declarations of variables and of mtype constants.

use super::{Parser, words};
use crate::ast::*;
use source::{Descent, Parsed};

impl Parser {
    /// Does a declaration begin here: a visibility, a type, or two names in a row?
    pub(super) fn at_declaration(&self) -> bool {
        let word = self.peek().text();
        words::is_type(word)
            || matches!(word, "hidden" | "show" | "local")
            || (self.is_name(0) && self.is_name(1))
    }

    /// `mtype =`, `mtype {`, `mtype : name =` or `mtype : name {`.
    pub(super) fn at_mtype_declaration(&self) -> bool {
        let begins = |distance| self.ahead(distance).is("=") || self.ahead(distance).is("{");
        self.is("mtype") && (begins(1) || (self.ahead(1).is(":") && begins(3)))
    }

    pub(super) fn mtype_declaration(&mut self) -> Parsed<MtypeDeclaration> {
        let start = self.advance();
        let set = self.mtype_set()?;
        self.eat("=");
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.is("}") {
            names.push(self.name("an mtype constant")?);
            while self.eat(",") {}
        }
        let end = self.expect("}")?;
        Ok(MtypeDeclaration { set, names, span: start.to(end) })
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let visibility = self.visibility();
        let ty = self.ty()?;
        let variables = self.separated(",", Self::declarator)?;
        Ok(Declaration { visibility, ty, variables, span: start.to(self.last) })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.peek().text() {
            "hidden" => Visibility::Hidden,
            "show" => Visibility::Show,
            "local" => Visibility::Local,
            _ => return None,
        };
        self.advance();
        Some(visibility)
    }

    fn ty(&mut self) -> Parsed<Type> {
        let span = self.span();
        let kind = match self.peek().text() {
            "bit" => TypeKind::Bit,
            "bool" => TypeKind::Bool,
            "byte" => TypeKind::Byte,
            "pid" => TypeKind::Pid,
            "short" => TypeKind::Short,
            "int" => TypeKind::Int,
            "unsigned" => TypeKind::Unsigned,
            "chan" => TypeKind::Chan,
            "mtype" => {
                self.advance();
                return Ok(Type { kind: TypeKind::Mtype(self.mtype_set()?), span: self.since(span) });
            }
            _ => TypeKind::Record(self.name("a type")?.name),
        };
        if !matches!(kind, TypeKind::Record(_)) {
            self.advance();
        }
        Ok(Type { kind, span })
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        let start = name.span;
        let width = self.after(":", Self::primary)?;
        let length = self.index()?;
        let initial = self.after("=", Self::initial)?;
        Ok(Declarator { name, width, length, initial, span: start.to(self.last) })
    }

    fn initial(&mut self) -> Parsed<Initial> {
        match self.peek().text() {
            "[" => self.channel(),
            "{" => self.braced(Self::expression).map(Initial::List),
            _ => Ok(Initial::Value(self.expression()?)),
        }
    }

    /// `[capacity] of { fields }`
    fn channel(&mut self) -> Parsed<Initial> {
        let start = self.span();
        let capacity = self.between("[", "]", Self::expression)?;
        self.expect("of")?;
        let fields = match self.is("{") {
            true => self.braced(Self::ty)?,
            false => {
                // Reported, and read as if the braces were there.
                let _ = self.unexpected::<()>("`{`");
                self.separated(",", Self::ty)?
            }
        };
        Ok(Initial::Channel { capacity, fields, span: self.since(start) })
    }

    fn braced<T>(&mut self, one: fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.between("{", "}", |this| {
            let all = this.separated(",", one)?;
            this.separators();
            Ok(all)
        })
    }

    fn mtype_set(&mut self) -> Parsed<Option<Ident>> {
        self.after(":", |this| this.name("the name of a set of mtypes"))
    }
}
