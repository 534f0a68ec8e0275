//! The one parser of temporal formulas: operators by their strength, over the operands of a
//! language.
//!
//! `ltl` blocks of Promela, the formulas of SPL, and formulas on their own are read here. They
//! differ in what an operand is, in the tree they make, and in the words that they have.

use super::{Infix, Operator};
use crate::ltl::Unary;
use source::{Cursor, Descent, Parsed, Span};
use std::ops::DerefMut;

/// A parser that reads the operands of formulas.
pub trait Operands: DerefMut<Target = Cursor> + Sized {
    /// What a parsed formula is.
    type Tree;

    /// The prefix operator here, and how many tokens it is.
    fn prefix(&mut self) -> Parsed<Option<(usize, Unary)>>;

    /// The binary operator here, and how many tokens it is.
    fn infix(&self) -> Option<(usize, Operator)>;

    /// Reads an operand.
    fn operand(&mut self) -> Parsed<Self::Tree>;

    /// A prefix operator before its operand; `start` is where the operator stands.
    fn prefixed(&mut self, op: Unary, start: Span, operand: Self::Tree) -> Parsed<Self::Tree>;

    /// Operands with an operator between them, which stands at `place`.
    fn joined(&mut self, op: Infix, place: Span, operands: [Self::Tree; 2]) -> Parsed<Self::Tree>;
}

/// Operands joined by operators of at least this strength.
pub fn formula<P: Operands>(parser: &mut P, least: u8) -> Parsed<P::Tree> {
    let mut left = unary(parser)?;
    while let Some((length, operator)) = parser.infix().filter(|(_, op)| op.strength >= least) {
        let place = parser.span();
        parser.skip(length);
        let above = operator.strength + u8::from(operator.to_the_left);
        let right = parser.nested(|parser| formula(parser, above))?;
        left = parser.joined(operator.infix, place, [left, right])?;
    }
    Ok(left)
}

fn unary<P: Operands>(parser: &mut P) -> Parsed<P::Tree> {
    let start = parser.span();
    let Some((length, op)) = parser.prefix()? else { return parser.operand() };
    parser.skip(length);
    let operand = parser.nested(unary)?;
    parser.prefixed(op, start, operand)
}
