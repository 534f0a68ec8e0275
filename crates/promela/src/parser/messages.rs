//! Sends and receives, in all their forms.

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;

impl Parser {
    /// `c!a,b`, `c!a(b)`, `c!!a,b`
    pub(super) fn send(&mut self, channel: VarRef) -> Parsed<StatementKind> {
        let sorted = self.bump().is("!!");
        let mut message = vec![self.expression()?];
        if self.accept("(") {
            message.push(self.expression()?);
            self.more_values(&mut message)?;
            self.expect(")")?;
        } else {
            self.more_values(&mut message)?;
        }
        Ok(StatementKind::Send { channel, sorted, message })
    }

    fn more_values(&mut self, values: &mut Vec<Expr>) -> Parsed<()> {
        while self.accept(",") {
            values.push(self.expression()?);
        }
        Ok(())
    }

    /// `c?a,b`, `c?a(b)`, `c?(a,b)`, `c??a`, `c?<a>`, `c??<a>`; and `c?[a]`, which is a guard.
    pub(super) fn receive(&mut self, channel: VarRef) -> Parsed<StatementKind> {
        let random = self.bump().is("??");
        let keep = self.accept("<");
        let pattern = self.patterns()?;
        if keep {
            self.expect(">")?;
        }
        Ok(StatementKind::Receive { channel, mode: ReceiveMode { random, keep }, pattern })
    }

    /// `c?[a,b]`, with the cursor at the question mark.
    pub(super) fn poll(&mut self, channel: VarRef) -> Parsed<Expr> {
        let random = self.bump().is("??");
        self.expect("[")?;
        let pattern = self.patterns()?;
        let end = self.expect("]")?;
        let span = channel.span.to(end);
        Ok(self.expr(ExprKind::Poll { channel, random, pattern }, span))
    }

    fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = Vec::new();
        self.more_patterns(&mut patterns)?;
        Ok(patterns)
    }

    fn more_patterns(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        loop {
            if self.is("(") {
                return self.pattern_group(patterns);
            }
            patterns.push(self.pattern()?);
            if self.is("(") {
                return self.pattern_group(patterns);
            }
            if !self.accept(",") {
                return Ok(());
            }
        }
    }

    fn pattern_group(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        self.nested(|this| {
            this.bump();
            this.more_patterns(patterns)?;
            this.expect(")")?;
            Ok(())
        })
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let constant = matches!(self.peek().kind, TokenKind::Number(_) | TokenKind::Char(_));
        if constant || self.is_any(&["-", "true", "false", "skip"]) {
            return Ok(Pattern::Constant(self.unary()?));
        }
        if !self.is("eval") {
            return Ok(Pattern::Variable(self.variable()?));
        }
        let start = self.bump().span;
        self.expect("(")?;
        let value = self.expression()?;
        let end = self.expect(")")?;
        Ok(Pattern::Eval { value, span: start.to(end) })
    }
}
