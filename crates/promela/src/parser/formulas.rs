//! The formulas of `ltl` blocks.
//!
//! SPIN has one grammar for formulas and expressions: `U`, `W`, `V` bind stronger than `&&` and
//! weaker than `|`, the temporal prefixes as strong as `!`, and all binary operators, also `->`,
//! associate to the left. A formula is split here into its temporal and boolean skeleton with
//! expressions as atoms.

use logic::ltl::syntax::{Infix, Operands, Operator, Syntax, formula};
use logic::ltl::{Binary, Formula, Unary};
use source::{Descent, Diagnostic, Parsed, Span};

use super::Parser;
use crate::ast::*;
use crate::lexer::binary_operator;

/// A formula, where it stands, and how high it is.
pub(super) struct Written {
    pub(super) formula: Formula<Expr>,
    span: Span,
    height: u16,
}

impl Parser {
    pub(super) fn formula(&mut self) -> Parsed<Written> {
        self.nested(|this| formula(this, 0))
    }

    /// The operator here, as the table of operators has it, and how many tokens it is.
    fn sign(&self) -> (usize, &str) {
        let two = |text: &str| self.peek().joint && self.ahead(1).is(text);
        match self.peek().text() {
            "[" if two("]") => (2, "[]"),
            "<" if two(">") => (2, "<>"),
            "<" if two("->") => (2, "<->"),
            "!!" => (usize::from(self.halved == Some(self.at)), "!"),
            text => (1, text),
        }
    }

    fn written(&mut self, formula: Formula<Expr>, span: Span, below: u16) -> Written {
        if below < Expr::MAX_HEIGHT {
            return Written { formula, span, height: below + 1 };
        }
        self.report(Diagnostic::error("E0204", span, "formula is too long"));
        Written { formula: Formula::Atom(Expr::error(span)), span, height: 2 }
    }

    /// A formula as an operand of arithmetic: it must be free of temporal operators.
    fn pure(&mut self, formula: Formula<Expr>, whole: Span, place: Span) -> Parsed<Expr> {
        let kind = match formula {
            Formula::Atom(expr) => return Ok(expr),
            Formula::Unary(Unary::Not, a) => {
                ExprKind::Unary(UnaryOp::Not, Box::new(self.pure(*a, whole, place)?))
            }
            Formula::Binary(operator @ (Binary::And | Binary::Or), a, b) => {
                let operator = if operator == Binary::And { BinaryOp::And } else { BinaryOp::Or };
                let (a, b) = (self.pure(*a, whole, place)?, self.pure(*b, whole, place)?);
                ExprKind::Binary(operator, Box::new(a), Box::new(b))
            }
            _ => {
                let message = "a temporal formula has no value to compute with";
                let help = "prefix operators bind tightly: write `[] (x == 1)`, not `[] x == 1`";
                let diagnostic = Diagnostic::error("E0215", place, message);
                return self.fail(diagnostic.also(whole, "this is a temporal formula").help(help));
            }
        };
        Ok(self.expr(kind, whole))
    }
}

impl Operands for Parser {
    type Tree = Written;

    /// `!!` is two, of which the first has no width.
    fn prefix(&mut self) -> Parsed<Option<(usize, Unary)>> {
        let (length, sign) = self.sign();
        let prefix = Syntax::Spin.prefix(sign).map(|op| (length, op));
        self.halved = (length == 0).then_some(self.at);
        Ok(prefix)
    }

    fn infix(&self) -> Option<(usize, Operator)> {
        let (length, sign) = self.sign();
        let term = |(strength, op)| Operator { infix: Infix::Term(op), strength, to_the_left: true };
        Some((length, Syntax::Spin.infix(sign).or_else(|| binary_operator(sign).map(term))?))
    }

    fn operand(&mut self) -> Parsed<Written> {
        if self.is("(") {
            return self.between("(", ")", Self::formula);
        }
        let expr = self.unary()?;
        let (span, height) = (expr.span, expr.height);
        Ok(self.written(Formula::Atom(expr), span, height))
    }

    fn prefixed(&mut self, op: Unary, start: Span, operand: Written) -> Parsed<Written> {
        let formula = Formula::unary(op, operand.formula);
        Ok(self.written(formula, start.to(operand.span), operand.height))
    }

    fn joined(&mut self, op: Infix, place: Span, [left, right]: [Written; 2]) -> Parsed<Written> {
        let (span, height) = (left.span.to(right.span), left.height.max(right.height));
        let formula = match op {
            Infix::Plain(op) => Formula::binary(op, left.formula, right.formula),
            Infix::Congruent => {
                Formula::unary(Unary::Always, Formula::binary(Binary::Iff, left.formula, right.formula))
            }
            Infix::Term(op) => {
                let left = self.pure(left.formula, left.span, place)?;
                let right = self.pure(right.formula, right.span, place)?;
                let expr = self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)), span);
                let height = expr.height;
                return Ok(self.written(Formula::Atom(expr), span, height));
            }
        };
        Ok(self.written(formula, span, height))
    }
}
