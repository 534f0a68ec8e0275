//! Declarations of variables and of mtype constants.

use super::{Parsed, Parser, words};
use crate::ast::*;

impl Parser {
    /// Does a declaration begin here: a visibility, a type, or two names in a row?
    pub(super) fn at_declaration(&self) -> bool {
        let word = self.peek().word();
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
        let start = self.bump().span;
        let set = if self.accept(":") { Some(self.name("the name of a set of mtypes")?) } else { None };
        self.accept("=");
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.is("}") {
            names.push(self.name("an mtype constant")?);
            while self.accept(",") {}
        }
        let end = self.expect("}")?;
        Ok(MtypeDeclaration { set, names, span: start.to(end) })
    }

    pub(super) fn declaration(&mut self) -> Parsed<Declaration> {
        let start = self.span();
        let visibility = self.visibility();
        let ty = self.ty()?;
        let mut variables = vec![self.declarator()?];
        while self.accept(",") {
            variables.push(self.declarator()?);
        }
        Ok(Declaration { visibility, ty, variables, span: start.to(self.last) })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.peek().word() {
            "hidden" => Visibility::Hidden,
            "show" => Visibility::Show,
            "local" => Visibility::Local,
            _ => return None,
        };
        self.bump();
        Some(visibility)
    }

    fn ty(&mut self) -> Parsed<Type> {
        let span = self.span();
        let kind = match self.peek().word() {
            "bit" => TypeKind::Bit,
            "bool" => TypeKind::Bool,
            "byte" => TypeKind::Byte,
            "pid" => TypeKind::Pid,
            "short" => TypeKind::Short,
            "int" => TypeKind::Int,
            "unsigned" => TypeKind::Unsigned,
            "chan" => TypeKind::Chan,
            "mtype" => {
                self.bump();
                let set =
                    if self.accept(":") { Some(self.name("the name of a set of mtypes")?) } else { None };
                return Ok(Type { kind: TypeKind::Mtype(set), span: span.to(self.last) });
            }
            _ => TypeKind::Record(self.name("a type")?.name),
        };
        if !matches!(kind, TypeKind::Record(_)) {
            self.bump();
        }
        Ok(Type { kind, span })
    }

    fn declarator(&mut self) -> Parsed<Declarator> {
        let name = self.name("the name of a variable")?;
        let start = name.span;
        let width = if self.accept(":") { Some(self.primary()?) } else { None };
        let mut length = None;
        if self.accept("[") {
            length = Some(self.expression()?);
            self.expect("]")?;
        }
        let initial = if self.accept("=") { Some(self.initial()?) } else { None };
        Ok(Declarator { name, width, length, initial, span: start.to(self.last) })
    }

    fn initial(&mut self) -> Parsed<Initial> {
        match self.peek().word() {
            "[" => self.channel(),
            "{" => {
                self.bump();
                let mut values = vec![self.expression()?];
                while self.accept(",") {
                    values.push(self.expression()?);
                }
                self.separators();
                self.expect("}")?;
                Ok(Initial::List(values))
            }
            _ => Ok(Initial::Value(self.expression()?)),
        }
    }

    /// `[capacity] of { fields }`
    fn channel(&mut self) -> Parsed<Initial> {
        let start = self.bump().span;
        let capacity = self.expression()?;
        self.expect("]")?;
        self.expect("of")?;
        self.expect("{")?;
        let mut fields = vec![self.ty()?];
        while self.accept(",") {
            fields.push(self.ty()?);
        }
        self.separators();
        let end = self.expect("}")?;
        Ok(Initial::Channel { capacity, fields, span: start.to(end) })
    }
}
