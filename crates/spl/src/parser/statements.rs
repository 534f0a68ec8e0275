//! Statements. `or` binds more strongly than `;`, and `;` more strongly than `||`.

use super::{Abandoned, Parsed, Parser};
use crate::ast::{Expr, ExprKind, Ident, Statement, StatementKind};
use source::Span;

const STOPS: [&str; 8] = [";", "]", "||", "or", "AXIOM", "PROPERTY", "PROOF", "SPEC"];

impl Parser {
    /// Components with `||` between them.
    pub(super) fn parallel(&mut self) -> Statement {
        let start = self.span();
        let mut parts = vec![self.sequence()];
        while self.is("||") && !self.at_end() {
            self.bump();
            parts.push(self.sequence());
        }
        self.collected(parts, start, StatementKind::Parallel)
    }

    fn sequence(&mut self) -> Statement {
        let start = self.span();
        let mut parts = vec![self.choice()];
        while self.accept(";") {
            if self.is_any(&STOPS) || self.at_end() || (self.groups > 0 && self.is(">")) {
                break;
            }
            parts.push(self.choice());
        }
        self.collected(parts, start, StatementKind::Sequence)
    }

    fn choice(&mut self) -> Statement {
        let start = self.span();
        let mut parts = vec![self.statement_or_error()];
        while self.accept("or") {
            parts.push(self.statement_or_error());
        }
        self.collected(parts, start, StatementKind::Or)
    }

    fn collected(
        &mut self,
        mut parts: Vec<Statement>,
        start: Span,
        kind: fn(Vec<Statement>) -> StatementKind,
    ) -> Statement {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        Statement { labels: Vec::new(), after: Vec::new(), kind: kind(parts), span: self.since(start) }
    }

    fn statement_or_error(&mut self) -> Statement {
        let start = self.span();
        match self.deeper(Parser::statement) {
            Ok(statement) => statement,
            Err(Abandoned) => {
                self.skip_to(&STOPS);
                let span = self.since(start);
                Statement { labels: Vec::new(), after: Vec::new(), kind: StatementKind::Error, span }
            }
        }
    }

    /// `label: … statement :label`.
    fn statement(&mut self) -> Parsed<Statement> {
        let mut statement = self.labelled()?;
        while self.is(":") && self.is_ident(1) {
            self.bump();
            statement.after.push(self.ident()?);
            self.accept(":");
        }
        Ok(statement)
    }

    /// A statement whose end is not its own to name: the label behind a body is that of the whole
    /// loop.
    fn labelled(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let mut labels = Vec::new();
        while self.is_ident(0) && self.ahead(1).text() == ":" {
            labels.push(self.ident()?);
            self.bump();
        }
        let kind = self.kind()?;
        Ok(Statement { labels, after: Vec::new(), kind, span: self.since(start) })
    }

    fn kind(&mut self) -> Parsed<StatementKind> {
        match self.peek().text() {
            "skip" => Ok(self.word(StatementKind::Skip)),
            "noncritical" => Ok(self.word(StatementKind::Noncritical)),
            "critical" => Ok(self.word(StatementKind::Critical)),
            "idle" => Ok(self.word(StatementKind::Idle)),
            "await" => self.with(StatementKind::Await, Parser::formula),
            "produce" => self.with(StatementKind::Produce, Parser::postfixed),
            "consume" => self.with(StatementKind::Consume, Parser::postfixed),
            "choose" => self.with(StatementKind::Choose, Parser::postfixed),
            "request" => self.with(StatementKind::Request, Parser::postfixed),
            "release" => self.with(StatementKind::Release, Parser::postfixed),
            "if" => self.conditional_statement(),
            "when" => {
                self.bump();
                let condition = self.formula()?;
                self.expect("do")?;
                Ok(StatementKind::When(condition, self.inner()?))
            }
            "while" => {
                self.bump();
                let condition = self.formula()?;
                self.expect("do")?;
                Ok(StatementKind::While(condition, self.inner()?))
            }
            "loop" => {
                self.bump();
                self.expect("forever")?;
                self.expect("do")?;
                Ok(StatementKind::Loop(self.inner()?))
            }
            "[" => self.block(),
            "<" => self.group(),
            "||" => self.replicated(),
            "(" => self.assignments(),
            _ if self.is_process() => self.process(),
            _ if self.is_ident(0) => self.single(),
            _ => Err(self.expected("a statement")),
        }
    }

    fn word(&mut self, kind: StatementKind) -> StatementKind {
        self.bump();
        kind
    }

    fn with(
        &mut self,
        kind: fn(Expr) -> StatementKind,
        read: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<StatementKind> {
        self.bump();
        Ok(kind(read(self)?))
    }

    fn inner(&mut self) -> Parsed<Box<Statement>> {
        Ok(Box::new(self.deeper(Parser::labelled)?))
    }

    fn conditional_statement(&mut self) -> Parsed<StatementKind> {
        self.expect("if")?;
        let condition = self.formula()?;
        self.expect("then")?;
        let then = self.inner()?;
        let otherwise = if self.accept("else") { Some(self.inner()?) } else { None };
        Ok(StatementKind::If(condition, then, otherwise))
    }

    /// `[ declarations body ]`.
    fn block(&mut self) -> Parsed<StatementKind> {
        self.expect("[")?;
        let groups = std::mem::take(&mut self.groups);
        let declarations = self.declarations();
        let body = self.parallel();
        self.groups = groups;
        self.expect("]")?;
        Ok(StatementKind::Block(declarations, Box::new(body)))
    }

    fn group(&mut self) -> Parsed<StatementKind> {
        self.expect("<")?;
        self.groups += 1;
        let body = self.sequence();
        self.groups -= 1;
        self.expect(">")?;
        Ok(StatementKind::Group(Box::new(body)))
    }

    /// `||[i:1..N] S`; the brackets of the range may be written too: `||[i:[1..N]] S`.
    fn replicated(&mut self) -> Parsed<StatementKind> {
        self.expect("||")?;
        self.expect("[")?;
        let index = self.ident()?;
        self.expect(":")?;
        let bracket = self.accept("[");
        let low = self.sum()?;
        self.expect("..")?;
        let high = self.sum()?;
        if bracket {
            self.expect("]")?;
        }
        self.expect("]")?;
        Ok(StatementKind::Replicated(index, low, high, self.inner()?))
    }

    /// `P::` or `P[i]::`.
    fn is_process(&self) -> bool {
        let indexed = self.ahead(1).text() == "["
            && self.is_ident(2)
            && self.ahead(3).text() == "]"
            && self.ahead(4).text() == "::";
        self.is_ident(0) && (self.ahead(1).text() == "::" || indexed)
    }

    fn process(&mut self) -> Parsed<StatementKind> {
        let name = self.ident()?;
        if self.accept("[") {
            self.ident()?;
            self.expect("]")?;
        }
        self.expect("::")?;
        Ok(StatementKind::Process(name, self.inner()?))
    }

    /// `(u, v) := (d, e)`.
    fn assignments(&mut self) -> Parsed<StatementKind> {
        let targets = self.list()?;
        self.expect(":=")?;
        let values = if self.is("(") && targets.len() > 1 { self.list()? } else { vec![self.formula()?] };
        Ok(StatementKind::Assign(targets, values))
    }

    fn list(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(")?;
        let mut list = vec![self.formula()?];
        while self.accept(",") {
            list.push(self.formula()?);
        }
        self.expect(")")?;
        Ok(list)
    }

    /// An assignment, a send or a receive.
    fn single(&mut self) -> Parsed<StatementKind> {
        let place = self.postfixed()?;
        match self.peek().text() {
            ":=" => {
                self.bump();
                if self.peek().word().is_some_and(|w| &**w == "any") {
                    self.bump();
                    return Ok(StatementKind::Choose(place));
                }
                Ok(StatementKind::Assign(vec![place], vec![self.formula()?]))
            }
            "<=" => {
                self.bump();
                Ok(StatementKind::Send(place, self.formula()?))
            }
            "=>" => {
                self.bump();
                Ok(StatementKind::Receive(place, self.postfixed()?))
            }
            _ => Err(self.expected("`:=`, `<=` or `=>`")),
        }
    }
}

impl Statement {
    /// Labels, with those of what the statement begins with.
    pub fn first_label(&self) -> Option<&Ident> {
        self.labels.first().or_else(|| match &self.kind {
            StatementKind::Sequence(parts) | StatementKind::Or(parts) => parts.first()?.first_label(),
            StatementKind::Block(_, inner)
            | StatementKind::Process(_, inner)
            | StatementKind::Loop(inner) => inner.first_label(),
            _ => None,
        })
    }
}

impl Expr {
    /// The variable that a place is a part of.
    pub fn root(&self) -> Option<&crate::ast::Name> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => inner.root(),
            _ => None,
        }
    }
}
