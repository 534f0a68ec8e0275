//! Sends and receives, in all their forms.

use super::Parser;
use crate::ast::*;
use source::{Descent, Parsed, TokenKind};

impl Parser {
    /// `c!a,b`, `c!a(b)`, `c!!a,b`
    pub(super) fn send(&mut self, channel: VarRef) -> Parsed<StatementKind> {
        let sorted = self.bump().is("!!");
        let mut message = self.separated(",", Self::expression)?;
        if message.len() == 1 && self.is("(") {
            message.extend(self.between("(", ")", |this| this.separated(",", Self::expression))?);
        }
        Ok(StatementKind::Send { channel, sorted, message })
    }

    /// `c?a,b`, `c?a(b)`, `c?(a,b)`, `c??a`, `c?<a>`, `c??<a>`; and `c?[a]`, which is a guard.
    pub(super) fn receive(&mut self, channel: VarRef) -> Parsed<StatementKind> {
        let random = self.bump().is("??");
        let keep = self.eat("<");
        let pattern = self.patterns()?;
        if keep {
            self.expect(">")?;
        }
        Ok(StatementKind::Receive { channel, mode: ReceiveMode { random, keep }, pattern })
    }

    /// `c?[a,b]`, with the cursor at the question mark.
    pub(super) fn poll(&mut self, channel: VarRef) -> Parsed<Expr> {
        let random = self.bump().is("??");
        let pattern = self.between("[", "]", Self::patterns)?;
        let span = self.since(channel.span);
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
            if !self.eat(",") {
                return Ok(());
            }
        }
    }

    fn pattern_group(&mut self, patterns: &mut Vec<Pattern>) -> Parsed<()> {
        self.nested(|this| this.between("(", ")", |this| this.more_patterns(patterns)))
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let constant = matches!(self.peek().kind, TokenKind::Number(_) | TokenKind::Character(_));
        if constant || self.is_any(&["-", "true", "false", "skip"]) {
            return Ok(Pattern::Constant(self.unary()?));
        }
        if !self.is("eval") {
            return Ok(Pattern::Variable(self.variable()?));
        }
        let start = self.span();
        let value = self.call(Self::expression)?;
        Ok(Pattern::Eval { value, span: self.since(start) })
    }
}
