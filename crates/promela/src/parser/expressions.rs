//! Expressions, by the strength of their operators.

use source::{Descent, Diagnostic, Parsed, TokenKind};

use super::{Parser, words};
use crate::ast::*;
use crate::lexer::{binary_operator, number};

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.nested(|this| this.binary(1))
    }

    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some((strength, operator)) =
            binary_operator(self.peek().text()).filter(|found| found.0 >= least)
        {
            self.advance();
            let right = self.nested(|this| this.binary(strength + 1))?;
            let span = left.span.to(right.span);
            left = self.expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), span);
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let operator = match self.peek().text() {
            "!" | "!!" => UnaryOp::Not,
            "-" => UnaryOp::Negate,
            "~" => UnaryOp::Complement,
            _ => return self.primary(),
        };
        let token = self.bump();
        let operand = self.nested(Self::unary)?;
        let span = token.span.to(operand.span);
        let negated = self.expr(ExprKind::Unary(operator, Box::new(operand)), span);
        if !token.is("!!") {
            return Ok(negated);
        }
        Ok(self.expr(ExprKind::Unary(operator, Box::new(negated)), span))
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.peek();
        let span = token.span;
        let kind = match &token.kind {
            TokenKind::Number(text) => {
                let value = number(text).unwrap_or_default();
                ExprKind::Number(self.wrapped(value))
            }
            TokenKind::Character(c) => ExprKind::Number(*c as i32),
            TokenKind::Sign("(") => return self.parenthesised(),
            TokenKind::Word(word) => match &**word {
                "true" | "false" => ExprKind::Bool(&**word == "true"),
                "skip" => ExprKind::Skip,
                "timeout" => ExprKind::Timeout,
                "np_" => ExprKind::NonProgress,
                _ => return self.named(),
            },
            _ => return self.unexpected("an expression"),
        };
        self.advance();
        Ok(self.expr(kind, span))
    }

    /// SPIN reads numbers as 64 bits and keeps the low 32.
    fn wrapped(&mut self, value: i64) -> i32 {
        let wrapped = value as i32;
        if i64::from(wrapped) != value {
            let message = format!("`{value}` does not fit in 32 bits and is read as `{wrapped}`");
            let span = self.span();
            self.report(Diagnostic::warning("W0201", span, message));
        }
        wrapped
    }

    /// `(a)` or `(a -> b : c)`.
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let start = self.advance();
        let mut inside = self.expression()?;
        if !self.in_formula && self.eat("->") {
            let yes = self.expression()?;
            self.expect(":")?;
            let no = self.expression()?;
            let span = start.to(self.span());
            inside = self.expr(ExprKind::Conditional(Box::new(inside), Box::new(yes), Box::new(no)), span);
        }
        self.expect(")")?;
        Ok(inside)
    }

    /// What begins with a word.
    fn named(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let word = self.peek().text().to_string();
        let kind = match word.as_str() {
            "run" => self.run()?,
            "len" => ExprKind::Len(self.channel_argument()?),
            "full" => ExprKind::Probe(Probe::Full, self.channel_argument()?),
            "empty" => ExprKind::Probe(Probe::Empty, self.channel_argument()?),
            "nfull" => ExprKind::Probe(Probe::NotFull, self.channel_argument()?),
            "nempty" => ExprKind::Probe(Probe::NotEmpty, self.channel_argument()?),
            "enabled" => ExprKind::Enabled(self.argument()?),
            "pc_value" => ExprKind::PcValue(self.argument()?),
            "get_priority" => ExprKind::GetPriority(self.argument()?),
            word if words::is_embedded_c(word) => return self.embedded_c(),
            word if words::is_reserved(word) => return self.unexpected("an expression"),
            _ => return self.reference(),
        };
        let span = self.since(start);
        Ok(self.expr(kind, span))
    }

    fn argument(&mut self) -> Parsed<Box<Expr>> {
        self.call(Self::expression).map(Box::new)
    }

    fn channel_argument(&mut self) -> Parsed<VarRef> {
        self.call(Self::variable)
    }

    /// `run P(a, b) priority 3`
    fn run(&mut self) -> Parsed<ExprKind> {
        self.advance();
        let proctype = self.name("the name of a proctype")?;
        self.expect("(")?;
        let arguments = self.list(")", Self::expression)?;
        let priority = self.priority()?.map(Box::new);
        Ok(ExprKind::Run { proctype, arguments, priority })
    }

    /// A variable, a poll `c?[…]`, or a remote reference `P[i]@label`, `P[i]:variable`.
    fn reference(&mut self) -> Parsed<Expr> {
        let variable = self.variable()?;
        let polls = self.is_any(&["?", "??"]) && self.ahead(1).is("[");
        if polls {
            return self.poll(variable);
        }
        let is_process =
            variable.parts.len() == 1 && self.all_proctypes.contains(&variable.parts[0].name.name);
        if self.is("@") || (self.is(":") && is_process) {
            return self.remote(variable);
        }
        let span = variable.span;
        Ok(self.expr(ExprKind::Variable(variable), span))
    }

    fn remote(&mut self, mut process: VarRef) -> Parsed<Expr> {
        let start = process.span;
        let is_label = self.bump().is("@");
        let Some(Part { name: proctype, index: process }) = process.parts.pop() else {
            return self.unexpected("the name of a proctype");
        };
        let kind = if is_label {
            ExprKind::RemoteLabel { proctype, process, label: self.name("a label")? }
        } else {
            ExprKind::RemoteVariable { proctype, process, variable: self.variable()? }
        };
        let span = self.since(start);
        Ok(self.expr(kind, span))
    }
}
