//! The formulas of `ltl` blocks.
//!
//! SPIN has one grammar for formulas and expressions: `U`, `W`, `V` bind stronger than `&&` and
//! weaker than `|`, the temporal prefixes as strong as `!`, and all binary operators, also `->`,
//! associate to the left. A formula is split here into its temporal and boolean skeleton with
//! expressions as atoms.

use logic::ltl::{Binary, Unary};
use source::{Diagnostic, Span};

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::binary_operator;

/// An operator between formulas, or between expressions inside an atom.
enum Operator {
    Formula(Binary),
    Expression(BinaryOp),
}

impl Parser {
    pub(super) fn formula(&mut self) -> Parsed<Formula> {
        self.nested(|this| this.formula_binary(0))
    }

    fn formula_binary(&mut self, least: u8) -> Parsed<Formula> {
        let mut left = self.formula_unary()?;
        while let Some((strength, length, operator)) =
            self.formula_operator().filter(|found| found.0 >= least)
        {
            let place = self.span();
            (0..length).for_each(|_| drop(self.bump()));
            let right = self.nested(|this| this.formula_binary(strength + 1))?;
            left = self.combine(operator, place, left, right)?;
        }
        Ok(left)
    }

    /// The operator here: its strength, how many tokens it is, and what it makes.
    fn formula_operator(&self) -> Option<(u8, usize, Operator)> {
        let temporal = |strength, operator| Some((strength, 1, Operator::Formula(operator)));
        match self.peek().word() {
            "<" if self.peek().joint && self.ahead(1).is("->") => {
                Some((0, 2, Operator::Formula(Binary::Iff)))
            }
            "->" | "implies" => temporal(0, Binary::Implies),
            "equivalent" => temporal(0, Binary::Iff),
            "||" => temporal(1, Binary::Or),
            "&&" => temporal(2, Binary::And),
            "U" | "until" | "stronguntil" => temporal(3, Binary::Until),
            "W" | "weakuntil" => temporal(3, Binary::WeakUntil),
            "V" | "release" => temporal(3, Binary::Release),
            word => binary_operator(word)
                .map(|(strength, operator)| (strength, 1, Operator::Expression(operator))),
        }
    }

    fn combine(&mut self, operator: Operator, place: Span, left: Formula, right: Formula) -> Parsed<Formula> {
        let span = left.span.to(right.span);
        let kind = match operator {
            Operator::Formula(operator) => FormulaKind::Binary(operator, Box::new(left), Box::new(right)),
            Operator::Expression(operator) => {
                let (left, right) = (self.pure(left, place)?, self.pure(right, place)?);
                FormulaKind::Atom(
                    self.expr(ExprKind::Binary(operator, Box::new(left), Box::new(right)), span),
                )
            }
        };
        Ok(self.formula_node(kind, span))
    }

    fn formula_node(&mut self, kind: FormulaKind, span: Span) -> Formula {
        Formula::new(kind, span).unwrap_or_else(|| {
            self.report(Diagnostic::error("E0204", span, "formula is too long"));
            Formula::error(span)
        })
    }

    fn formula_unary(&mut self) -> Parsed<Formula> {
        let start = self.span();
        let Some((length, prefix)) = self.formula_prefix() else {
            return self.formula_primary();
        };
        let double = self.is("!!");
        (0..length).for_each(|_| drop(self.bump()));
        let operand = self.nested(Self::formula_unary)?;
        let span = start.to(operand.span);
        let formula = self.formula_node(FormulaKind::Unary(prefix, Box::new(operand)), span);
        if !double {
            return Ok(formula);
        }
        Ok(self.formula_node(FormulaKind::Unary(prefix, Box::new(formula)), span))
    }

    fn formula_prefix(&self) -> Option<(usize, Unary)> {
        let two = |word: &str| self.peek().joint && self.ahead(1).is(word);
        Some(match self.peek().word() {
            "!" | "!!" => (1, Unary::Not),
            "X" | "next" => (1, Unary::Next),
            "always" => (1, Unary::Always),
            "eventually" => (1, Unary::Eventually),
            "[" if two("]") => (2, Unary::Always),
            "<" if two(">") => (2, Unary::Eventually),
            _ => return None,
        })
    }

    fn formula_primary(&mut self) -> Parsed<Formula> {
        if self.is("(") {
            self.bump();
            let formula = self.formula()?;
            self.expect(")")?;
            return Ok(formula);
        }
        let expr = self.unary()?;
        let span = expr.span;
        Ok(self.formula_node(FormulaKind::Atom(expr), span))
    }

    /// A formula as an operand of arithmetic: it must be free of temporal operators.
    fn pure(&mut self, formula: Formula, place: Span) -> Parsed<Expr> {
        let span = formula.span;
        let kind = match formula.kind {
            FormulaKind::Atom(expr) => return Ok(expr),
            FormulaKind::Unary(Unary::Not, a) => {
                ExprKind::Unary(UnaryOp::Not, Box::new(self.pure(*a, place)?))
            }
            FormulaKind::Binary(operator @ (Binary::And | Binary::Or), a, b) => {
                let operator = if operator == Binary::And { BinaryOp::And } else { BinaryOp::Or };
                let (a, b) = (self.pure(*a, place)?, self.pure(*b, place)?);
                ExprKind::Binary(operator, Box::new(a), Box::new(b))
            }
            _ => {
                let message = "a temporal formula has no value to compute with";
                let diagnostic =
                    Diagnostic::error("E0215", place, message).also(span, "this is a temporal formula");
                return self.fail(
                    diagnostic.help("prefix operators bind tightly: write `[] (x == 1)`, not `[] x == 1`"),
                );
            }
        };
        Ok(self.expr(kind, span))
    }
}
