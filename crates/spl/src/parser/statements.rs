//! Statements. `or` binds more strongly than `;`, and `;` more strongly than `||`.

use super::Parser;
use super::hints::foreign;
use crate::ast::{Expr, ExprKind, Ident, Statement, StatementKind};
use source::{Descent, Diagnostic, Parsed, Span};

const STOPS: [&str; 8] = [";", "]", "||", "or", "AXIOM", "PROPERTY", "PROOF", "SPEC"];

impl Parser {
    /// Components with `||` between them.
    pub(super) fn parallel(&mut self) -> Statement {
        let start = self.span();
        let mut parts = vec![self.sequence()];
        while self.eat("||") {
            parts.push(self.sequence());
        }
        self.collected(parts, start, StatementKind::Parallel)
    }

    fn sequence(&mut self) -> Statement {
        let start = self.span();
        let mut parts = vec![self.choice()];
        while self.eat(";") {
            if let Some(last) = parts.last_mut()
                && self.is_end_label()
            {
                self.end_labels(&mut last.after);
                break;
            }
            if self.is_any(&STOPS) || self.at_end() || (self.groups > 0 && self.is(">")) {
                break;
            }
            parts.push(self.choice());
        }
        self.collected(parts, start, StatementKind::Sequence)
    }

    /// Whether labels follow, and nothing behind them: `[ l0: S; l1: ]`.
    fn is_end_label(&self) -> bool {
        let mut at = 0;
        while self.is_name(at) && self.ahead(at + 1).text() == ":" {
            at += 2;
        }
        let next = self.ahead(at);
        at > 0 && (STOPS[1..].contains(&next.text()) || next.is_end())
    }

    /// Labels of the location behind a statement.
    fn end_labels(&mut self, labels: &mut Vec<Ident>) {
        while self.is_name(0) {
            labels.extend(self.ident());
            self.advance();
        }
    }

    fn choice(&mut self) -> Statement {
        let start = self.span();
        let mut parts = vec![self.statement_or_error()];
        while self.eat("or") {
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
        match self.nested(Parser::statement) {
            Ok(statement) => statement,
            Err(_) => {
                self.skip_to(&STOPS);
                let span = self.since(start);
                Statement { labels: Vec::new(), after: Vec::new(), kind: StatementKind::Error, span }
            }
        }
    }

    /// `label: … statement :label`.
    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let mut statement = self.labelled()?;
        while self.is(":") && self.is_name(1) {
            self.advance();
            statement.after.push(self.ident()?);
            self.eat(":");
        }
        Ok(statement)
    }

    /// A statement whose end is not its own to name: the label behind a body is that of the whole
    /// loop.
    fn labelled(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let mut labels = Vec::new();
        while self.is_name(0) && self.ahead(1).text() == ":" {
            labels.push(self.ident()?);
            self.advance();
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
                let (condition, body) = self.guarded()?;
                Ok(StatementKind::When(condition, body))
            }
            "while" => {
                let (condition, body) = self.guarded()?;
                Ok(StatementKind::While(condition, body))
            }
            "loop" => {
                self.advance();
                self.expect("forever")?;
                self.expect("do")?;
                Ok(StatementKind::Loop(self.inner()?))
            }
            "[" => self.block(),
            "<" => self.group(),
            "||" => self.replicated(),
            "(" => self.assignments(),
            _ if self.is_process() => self.process(),
            _ if self.is_call() => self.call(),
            word if self.is_foreign() => {
                let help = foreign(word).unwrap_or_default();
                self.of_another_language(help)
            }
            _ if self.is_name(0) => self.single(),
            _ => self.unexpected("a statement"),
        }
    }

    /// Whether a statement of another language begins here. A variable may have such a name.
    fn is_foreign(&self) -> bool {
        let next = self.ahead(1).text();
        foreign(self.peek().text()).is_some() && ![":=", "<=", "=>", ":", "[", "."].contains(&next)
    }

    /// A word of other languages: one error with what to write, and nothing more, as the rest of
    /// the statement would not be understood either.
    pub(super) fn of_another_language<T>(&mut self, help: &str) -> Parsed<T> {
        let (span, word) = (self.span(), self.peek().text().to_string());
        self.report(Diagnostic::error("E0703", span, format!("SPL has no `{word}`")).help(help));
        self.stop();
        Err(source::Abandoned)
    }

    /// `when c do S`.
    fn guarded(&mut self) -> Parsed<(Expr, Box<Statement>)> {
        self.advance();
        let condition = self.formula()?;
        self.expect("do")?;
        Ok((condition, self.inner()?))
    }

    fn word(&mut self, kind: StatementKind) -> StatementKind {
        self.advance();
        kind
    }

    fn with(
        &mut self,
        kind: fn(Expr) -> StatementKind,
        read: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<StatementKind> {
        self.advance();
        Ok(kind(read(self)?))
    }

    fn inner(&mut self) -> Parsed<Box<Statement>> {
        Ok(Box::new(self.nested(Parser::labelled)?))
    }

    fn conditional_statement(&mut self) -> Parsed<StatementKind> {
        self.expect("if")?;
        let condition = self.formula()?;
        self.expect("then")?;
        let then = self.inner()?;
        if ["elsif", "elseif", "elif"].contains(&self.peek().text()) {
            return self.of_another_language("write `else if`");
        }
        let otherwise = self.after("else", Self::inner)?;
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
        let (index, low, high) = self.between("[", "]", Self::replica)?;
        Ok(StatementKind::Replicated(index, low, high, self.inner()?))
    }

    /// `P::` or `P[i]::`.
    fn is_process(&self) -> bool {
        let texts = |at: &[usize]| at.iter().map(|at| self.ahead(*at).text()).collect::<String>();
        self.is_name(0) && (self.ahead(1).is("::") || texts(&[1, 3, 4]) == "[]::" && self.is_name(2))
    }

    fn process(&mut self) -> Parsed<StatementKind> {
        let name = self.ident()?;
        if self.eat("[") {
            self.ident()?;
            self.expect("]")?;
        }
        self.expect("::")?;
        Ok(StatementKind::Process(name, self.inner()?))
    }

    /// `(u, v) := (d, e)`.
    fn assignments(&mut self) -> Parsed<StatementKind> {
        let targets = self.arguments()?;
        self.expect(":=")?;
        let several = self.is("(") && targets.len() > 1;
        let values = if several { self.arguments()? } else { vec![self.formula()?] };
        Ok(StatementKind::Assign(targets, values))
    }

    /// An assignment, a send or a receive.
    fn single(&mut self) -> Parsed<StatementKind> {
        let place = self.postfixed()?;
        match self.peek().text() {
            ":=" => {
                self.advance();
                if self.eat("any") {
                    return Ok(StatementKind::Choose(place));
                }
                Ok(StatementKind::Assign(vec![place], vec![self.formula()?]))
            }
            "<=" => {
                self.advance();
                Ok(StatementKind::Send(place, self.formula()?))
            }
            "=>" => {
                self.advance();
                Ok(StatementKind::Receive(place, self.postfixed()?))
            }
            _ => self.unexpected("`:=`, `<=` or `=>`"),
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
        self.root_at().map(|(name, _)| name)
    }

    /// As [`Self::root`], with its place.
    pub fn root_at(&self) -> Option<(&crate::ast::Name, Span)> {
        match &self.kind {
            ExprKind::Name(name) => Some((name, self.span)),
            ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => inner.root_at(),
            _ => None,
        }
    }
}
