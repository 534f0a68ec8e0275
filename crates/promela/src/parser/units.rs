//! The units of a program: proctypes, init, claims, formulas, typedefs, declarations.

use source::{Diagnostic, Parsed, Token};

use super::{Parser, words};
use crate::ast::*;

impl Parser {
    pub(super) fn program(&mut self) -> Program {
        let mut items = Vec::new();
        while !self.at_end() {
            let before = self.at;
            if self.separators() {
                continue;
            }
            match self.unit() {
                Ok(unit) => items.extend(unit),
                Err(_) => self.skip_unit(before),
            }
        }
        Program { items }
    }

    /// Skips to the next unit, at least one token behind `start`.
    fn skip_unit(&mut self, start: usize) {
        if self.at == start {
            self.advance();
        }
        let mut depth = 0_usize;
        while !self.at_end() {
            let word = self.peek().text();
            let new_unit = words::is_unit(word) || words::is_type(word);
            match word {
                "proctype" | "D_proctype" | "active" | "typedef" | "inline" => return,
                _ if new_unit && depth == 0 => return,
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// One unit; none for an inline definition, which leaves no node.
    fn unit(&mut self) -> Parsed<Option<Item>> {
        let word = self.peek().text().to_string();
        Ok(Some(match word.as_str() {
            "active" | "proctype" | "D_proctype" => Item::Proctype(Box::new(self.proctype()?)),
            "init" => Item::Init(self.init()?),
            "never" => Item::Never(self.never()?),
            "trace" | "notrace" => Item::Trace(self.trace()?),
            "ltl" => Item::Ltl(self.ltl()?),
            "typedef" => Item::Typedef(self.typedef()?),
            "inline" => {
                self.inline_definition()?;
                return Ok(None);
            }
            word if words::is_embedded_c(word) => {
                let _ = self.embedded_c::<()>();
                return Ok(None);
            }
            "mtype" if self.at_mtype_declaration() => Item::Mtype(self.mtype_declaration()?),
            _ if self.at_declaration() => Item::Declaration(self.declaration()?),
            _ => {
                return self.unexpected("a declaration, proctype, init, never claim or ltl formula");
            }
        }))
    }

    fn proctype(&mut self) -> Parsed<Proctype> {
        let start = self.span();
        let active = if self.is("active") { Some(self.active()?) } else { None };
        let deterministic = self.is("D_proctype");
        if !deterministic {
            self.expect("proctype")?;
        } else {
            self.advance();
        }
        let name = self.name("the name of a proctype")?;
        self.proctypes.insert(name.name.clone());
        self.expect("(")?;
        let parameters = self.declarations(")", "the type of a parameter")?;
        let end = self.expect(")")?;
        let priority = self.priority()?;
        let provided = self.provided()?;
        let body = self.body()?;
        let span = start.to(end);
        Ok(Proctype { active, deterministic, name, parameters, priority, provided, body, span })
    }

    fn active(&mut self) -> Parsed<Active> {
        let start = self.advance();
        if !self.eat("[") {
            return Ok(Active { count: None, span: start });
        }
        let count = Some(self.expression()?);
        let end = self.expect("]")?;
        Ok(Active { count, span: start.to(end) })
    }

    /// Declarations separated by `;`, up to a bracket. A `,` may be followed by a new type too.
    fn declarations(&mut self, close: &str, what: &str) -> Parsed<Vec<Declaration>> {
        let mut declarations = Vec::new();
        while self.separators() || !self.is(close) {
            if self.is(close) {
                break;
            }
            if !self.at_declaration() {
                return self.unexpected(what);
            }
            declarations.push(self.declaration()?);
            if !self.is(close) && !self.is(";") {
                return self.unexpected(&format!("`;` or `{close}`"));
            }
        }
        Ok(declarations)
    }

    /// `priority 3`
    pub(super) fn priority(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat("priority") {
            return Ok(None);
        }
        Ok(Some(self.primary()?))
    }

    fn provided(&mut self) -> Parsed<Option<Expr>> {
        if !self.eat("provided") {
            return Ok(None);
        }
        self.expect("(")?;
        let enabler = self.expression()?;
        self.expect(")")?;
        Ok(Some(enabler))
    }

    /// The body of a proctype, init or claim.
    fn body(&mut self) -> Parsed<Sequence> {
        self.separators();
        self.block()
    }

    fn init(&mut self) -> Parsed<Init> {
        let span = self.advance();
        let priority = self.priority()?;
        Ok(Init { priority, body: self.body()?, span })
    }

    fn never(&mut self) -> Parsed<Never> {
        let start = self.advance();
        let name = if self.is("{") { None } else { Some(self.name("the name of a claim")?) };
        let span = name.as_ref().map_or(start, |name| start.to(name.span));
        Ok(Never { name, body: self.body()?, span })
    }

    fn trace(&mut self) -> Parsed<Trace> {
        let word = self.bump();
        Ok(Trace { forbidden: word.is("notrace"), body: self.body()?, span: word.span })
    }

    fn ltl(&mut self) -> Parsed<Ltl> {
        let start = self.advance();
        let name = if self.is("{") { None } else { Some(self.name("the name of a formula")?) };
        self.expect("{")?;
        let first = self.at;
        self.in_formula = true;
        let formula = self.formula();
        self.in_formula = false;
        let formula = formula?.formula;
        let text = self.tokens[first..self.at].iter().map(Token::spelling).collect::<Vec<_>>().join(" ");
        self.separators();
        let end = self.expect("}")?;
        Ok(Ltl { name, formula, text, span: start.to(end) })
    }

    fn typedef(&mut self) -> Parsed<Typedef> {
        let start = self.advance();
        let name = self.name("the name of a type")?;
        self.expect("{")?;
        let fields = self.declarations("}", "a field: a type and a name")?;
        let end = self.expect("}")?;
        if fields.is_empty() {
            let message = format!("typedef `{}` has no fields", name.name);
            self.report(Diagnostic::error("E0205", start.to(end), message));
        }
        Ok(Typedef { name, fields, span: start.to(end) })
    }
}
