//! Sequences, steps and statements.

use source::{Abandoned, Descent, Diagnostic, Parsed, TokenKind};

use super::{Parser, words};
use crate::ast::*;
use crate::lexer::number;

impl Parser {
    /// `{ steps }`
    pub(super) fn block(&mut self) -> Parsed<Sequence> {
        self.nested(|this| {
            let start = this.span();
            let steps = this.between("{", "}", |this| Ok(this.steps()))?;
            let span = this.since(start);
            this.not_empty(Sequence { steps, span })
        })
    }

    fn not_empty(&mut self, sequence: Sequence) -> Parsed<Sequence> {
        if sequence.steps.is_empty() {
            let diagnostic =
                Diagnostic::error("E0205", sequence.span, "a sequence needs at least one statement");
            self.report(diagnostic.help("write `skip` for a statement that does nothing"));
        }
        Ok(sequence)
    }

    /// Steps up to the word that closes them. Broken ones are reported and left out.
    fn steps(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        loop {
            self.separators();
            if self.at_end() || self.is_any(&["}", "::", "fi", "od"]) {
                return steps;
            }
            let before = self.at;
            let step = self.step().and_then(|step| {
                steps.push(step);
                self.end_of_step()
            });
            if step.is_err() {
                self.skip_statement();
                let span = self.tokens[before].span.to(self.last);
                steps.push(Step::Statement(Statement { labels: vec![], kind: StatementKind::Error, span }));
                if self.is_any(words::UNITS_IN_BODY) || (self.at == before && self.at_end()) {
                    return steps;
                }
                if self.at == before {
                    self.advance();
                }
            }
        }
    }

    fn end_of_step(&mut self) -> Parsed<()> {
        let closed = self.tokens[..self.at].last().is_some_and(|last| last.is("}"));
        if closed || self.at_end() || self.is_any(&[";", "->", "}", "::", "fi", "od"]) {
            return Ok(());
        }
        self.unexpected("`;` or `->` between statements")
    }

    fn step(&mut self) -> Parsed<Step> {
        if self.at_mtype_declaration() {
            let declaration = self.mtype_declaration()?;
            let message = "mtype constants must be declared outside of proctypes";
            return self.fail(Diagnostic::error("E0217", declaration.span, message));
        }
        if self.is("typedef") {
            let (span, message) = (self.span(), "types must be declared outside of proctypes");
            return self.fail(Diagnostic::error("E0217", span, message));
        }
        if self.at_declaration() {
            return Ok(Step::Declaration(self.declaration()?));
        }
        if self.is_any(&["xr", "xs"]) {
            return Ok(Step::Exclusive(self.exclusive()?));
        }
        let main = self.statement()?;
        if !self.eat("unless") {
            return Ok(Step::Statement(main));
        }
        let escape = self.statement()?;
        let span = main.span.to(escape.span);
        Ok(Step::Unless { main: Box::new(main), escape: Box::new(escape), span })
    }

    fn exclusive(&mut self) -> Parsed<Exclusive> {
        let word = self.bump();
        let direction = if word.is("xr") { Direction::Receive } else { Direction::Send };
        let channels = self.separated(",", Self::variable)?;
        Ok(Exclusive { direction, channels, span: word.span.to(self.last) })
    }

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let labels = self.labels()?;
        let start = self.span();
        let alone = self.at_end() || self.is_any(&[";", "->", "}", "::", "fi", "od", "unless"]);
        let kind = match labels.last() {
            Some(label) if alone => StatementKind::Guard(self.expr(ExprKind::Skip, label.span)),
            _ => self.statement_kind()?,
        };
        // What a label alone marks stands where the label does.
        let start = labels.last().filter(|_| alone).map_or(start, |label| label.span);
        Ok(Statement { labels, kind, span: start.to(self.last) })
    }

    fn labels(&mut self) -> Parsed<Vec<Ident>> {
        let mut labels = Vec::new();
        while self.is_name(0) && self.ahead(1).is(":") && !self.proctypes.contains(self.peek().text()) {
            labels.push(self.name("a label")?);
            self.advance();
        }
        match labels.last() {
            Some(label) if self.at_declaration() || self.is_any(&["xr", "xs"]) => {
                let message = format!("label `{}` stands before a declaration", label.name);
                let diagnostic = Diagnostic::error("E0206", label.span, message);
                self.report(diagnostic.help("put the label before a statement, for example before `skip`"));
                Err(Abandoned)
            }
            _ => Ok(labels),
        }
    }

    /// Compound statements are kept apart from the others: they nest, so their stack frames must
    /// stay small.
    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        match self.peek().text() {
            "if" => self.options("fi").map(StatementKind::If),
            "do" => self.options("od").map(StatementKind::Do),
            "atomic" => self.word_block().map(StatementKind::Atomic),
            "d_step" => self.word_block().map(StatementKind::DStep),
            "{" => self.block().map(|body| StatementKind::Block { body, inlined: None }),
            "for" => self.for_loop(),
            _ if self.is_name(0) && self.ahead(1).is("(") => self.inline_call(None),
            _ => self.basic_statement(),
        }
    }

    fn word_block(&mut self) -> Parsed<Sequence> {
        self.advance();
        self.block()
    }

    fn basic_statement(&mut self) -> Parsed<StatementKind> {
        let word = self.peek().text().to_string();
        match word.as_str() {
            "select" => self.select(),
            "goto" => {
                self.advance();
                Ok(StatementKind::Goto(self.name("a label")?))
            }
            "break" | "else" => {
                self.advance();
                Ok(if word == "break" { StatementKind::Break } else { StatementKind::Else })
            }
            "assert" => {
                self.advance();
                Ok(StatementKind::Assert(self.expression()?))
            }
            "printf" => self.printf(),
            "printm" => self.call(|this| Ok(StatementKind::Printm(this.expression()?))),
            "set_priority" => self.call(|this| {
                let process = Box::new(this.expression()?);
                this.expect(",")?;
                Ok(StatementKind::SetPriority { process, priority: Box::new(this.expression()?) })
            }),
            "return" => self.inline_return(),
            word if words::is_embedded_c(word) && word != "c_expr" => self.embedded_c(),
            _ => self.simple_statement(),
        }
    }

    /// `word ( … )`
    pub(super) fn call<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.advance();
        self.between("(", ")", inside)
    }

    /// What begins with a variable or an expression.
    fn simple_statement(&mut self) -> Parsed<StatementKind> {
        let left = self.expression()?;
        let Expr { kind: ExprKind::Variable(variable), .. } = left else {
            return Ok(StatementKind::Guard(left));
        };
        let word = self.peek().text().to_string();
        match word.as_str() {
            "=" => self.assignment(variable),
            "++" | "--" => {
                self.advance();
                Ok(StatementKind::Count { variable, up: word == "++" })
            }
            "!" | "!!" => self.send(variable),
            "?" | "??" => self.receive(variable),
            _ => {
                let span = variable.span;
                Ok(StatementKind::Guard(self.expr(ExprKind::Variable(variable), span)))
            }
        }
    }

    fn assignment(&mut self, to: VarRef) -> Parsed<StatementKind> {
        self.advance();
        if self.is_name(0) && self.ahead(1).is("(") {
            return self.inline_call(Some(to));
        }
        Ok(StatementKind::Assign { to, value: self.expression()? })
    }

    /// `if :: … :: … fi` or `do … od`.
    fn options(&mut self, close: &str) -> Parsed<Vec<Sequence>> {
        self.nested(|this| {
            let opened = this.advance();
            this.separators();
            let mut options = Vec::new();
            while this.is("::") {
                options.push(this.option()?);
            }
            if options.is_empty() {
                return this.unexpected("`::`");
            }
            this.close(close, opened)?;
            Ok(options)
        })
    }

    fn option(&mut self) -> Parsed<Sequence> {
        let start = self.advance();
        let steps = self.steps();
        self.not_empty(Sequence { steps, span: start.to(self.last) })
    }

    fn printf(&mut self) -> Parsed<StatementKind> {
        self.call(|this| {
            let TokenKind::Text(value) = this.peek().kind.clone() else {
                return this.unexpected("a string");
            };
            let format = Text { value, span: this.advance() };
            let mut arguments = Vec::new();
            while this.eat(",") {
                arguments.push(this.expression()?);
            }
            Ok(StatementKind::Printf { format, arguments })
        })
    }

    /// `for (i : 1 .. n) { … }`, `for (i in array) { … }`
    fn for_loop(&mut self) -> Parsed<StatementKind> {
        let start = self.at;
        let head = self.call(|this| {
            let index = this.variable()?;
            if this.eat("in") {
                return Ok((index, Range::In(this.variable()?)));
            }
            this.expect(":")?;
            let from = this.expression()?;
            this.expect("..")?;
            Ok((index, Range::Between(from, this.expression()?)))
        });
        if head.is_err() && self.tokens.get(start + 1).is_some_and(|token| token.is("(")) {
            // What stands in the brackets has semicolons if it is C.
            self.at = start + 1;
            self.skip_group("(", ")");
        }
        let (index, range) = head?;
        self.separators();
        Ok(StatementKind::For(Box::new(For { index, range, body: self.block()? })))
    }

    fn select(&mut self) -> Parsed<StatementKind> {
        let start = self.at;
        self.call(|this| {
            let index = this.variable()?;
            this.expect(":")?;
            let from = this.expression()?;
            this.expect("..")?;
            let to = this.expression()?;
            let form = this.select_form(start);
            Ok(StatementKind::Select(Box::new(Select { index, from, to, form })))
        })
    }

    /// SPIN's lexer reads `select ( name : number .. number )` itself if it stands on one line,
    /// outside of an inline, and the name has no underscore.
    fn select_form(&self, start: usize) -> SelectForm {
        let tokens = &self.tokens[start..(self.at + 1).min(self.tokens.len())];
        let [_, _, name, colon, from, dots, to, close] = tokens else {
            return SelectForm::Loop;
        };
        let one_line = [name, colon, from, dots, to, close].iter().all(|token| !token.starts_line);
        let choice = match (&from.kind, &to.kind) {
            (TokenKind::Number(from), TokenKind::Number(to)) => {
                number(to).zip(number(from)).is_some_and(|(to, from)| to.saturating_sub(from) <= 32)
            }
            _ => false,
        };
        let plain = !name.text().contains('_') && self.active.is_empty();
        if one_line && choice && plain { SelectForm::Choice } else { SelectForm::Loop }
    }

    pub(super) fn variable(&mut self) -> Parsed<VarRef> {
        let mut parts = vec![self.part()?];
        while self.eat(".") {
            parts.push(self.part()?);
            if parts.len() > Expr::MAX_HEIGHT as usize {
                let span = self.last;
                return self.fail(Diagnostic::error("E0204", span, "expression is too long"));
            }
        }
        let span = parts[0].name.span.to(self.last);
        Ok(VarRef { parts, span })
    }

    fn part(&mut self) -> Parsed<Part> {
        let name = self.name("a variable")?;
        if name.name.as_ref() == "STDIN" {
            let message = "STDIN is not supported: a model cannot read input";
            let help = "use `select` for a value chosen by the environment";
            return self.fail(Diagnostic::error("E0208", name.span, message).help(help));
        }
        Ok(Part { name, index: self.index()?.map(Box::new) })
    }

    /// `[e]`, if it is there.
    pub(super) fn index(&mut self) -> Parsed<Option<Expr>> {
        let there = self.is("[");
        there.then(|| self.between("[", "]", Self::expression)).transpose()
    }
}
