//! Where a real number is expected: there `/` is exact, elsewhere it is the Euclidean quotient of
//! integers, as `div` is everywhere.
//!
//! A real number is expected of what is assigned to a real place, sent, stored or handed to a
//! function as one, and of what is added to, multiplied with, divided by or compared with one. The
//! operands are read first as they come; if one of them turns out to be real and the other is an
//! integer with a `/` in it, that one is read again.

use super::Lowering;
use super::expressions::Check;
use super::scope::Entry;
use super::types::{Ty, Typed};
use crate::ast::{self, Binary, ExprKind};
use logic::fol::{Op, Sort, Term};

impl Lowering<'_> {
    /// Reads something whose value is expected to be a real number, or is not.
    pub(crate) fn expecting<T>(&mut self, exact: bool, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.exact, exact);
        let result = read(self);
        self.exact = outer;
        result
    }

    /// A value for a place of a type.
    pub(crate) fn value_for(&mut self, ty: &Ty, e: &ast::Expr) -> Typed {
        self.expecting(*ty == Ty::Real, |me| me.expression(e))
    }

    /// Two values that meet: where one is real the other is expected to be.
    pub(crate) fn meeting(&mut self, a: &ast::Expr, b: &ast::Expr) -> (Typed, Typed) {
        let (left, first) = self.checked(|me| me.expression(a));
        let (right, second) = self.checked(|me| me.expression(b));
        let (left, first) = self.again(a, (left, first), &right);
        let (right, second) = self.again(b, (right, second), &left);
        self.checks.extend(first.into_iter().chain(second));
        (left, right)
    }

    /// A value read again as a real number, if it meets one.
    fn again(&mut self, e: &ast::Expr, read: (Typed, Vec<Check>), other: &Typed) -> (Typed, Vec<Check>) {
        let meets = other.ty == Ty::Real && matches!(read.0.ty, Ty::Int(_)) && !self.exact;
        if !meets || !self.has_quotient(e, 0) {
            return read;
        }
        self.checked(|me| me.expecting(true, |me| me.expression(e)))
    }

    /// Whether it makes a difference what is expected. Macros are followed to the depth that they
    /// are expanded to.
    pub(crate) fn has_quotient(&self, e: &ast::Expr, depth: usize) -> bool {
        let inside = |e: &ast::Expr| self.has_quotient(e, depth);
        let body = |at: usize| {
            let body = self.file.macros.get(at).map(|m| &m.body);
            depth < 50 && body.is_some_and(|body| self.has_quotient(body, depth + 1))
        };
        match &e.kind {
            ExprKind::Binary(Binary::Over, ..) => true,
            ExprKind::Binary(Binary::Add | Binary::Subtract | Binary::Multiply, a, b) => {
                inside(a) || inside(b)
            }
            ExprKind::Unary(ast::Unary::Negate, a) => inside(a),
            ExprKind::If(parts) => inside(&parts[1]) || inside(&parts[2]),
            ExprKind::Name(name) => match self.scopes.find(name) {
                Some(Entry::Macro(at)) => body(*at),
                Some(Entry::Argument { value, exact }) => value.ty != exact.ty,
                _ => false,
            },
            ExprKind::Call(function, arguments) => match &function.kind {
                ExprKind::Name(name) => match self.scopes.find(name) {
                    Some(Entry::Macro(at)) => arguments.iter().any(inside) || body(*at),
                    _ => false,
                },
                _ => false,
            },
            _ => false,
        }
    }
}

/// An integer as a real number, for places where sorts must be the same.
pub(crate) fn real(e: Term) -> Term {
    if *e.sort() == Sort::Int { Term::of(Op::ToReal, [e]) } else { e }
}

/// A value for a place of a sort.
pub(crate) fn as_sort(e: Term, sort: &Sort) -> Term {
    if *sort == Sort::Real { real(e) } else { e }
}

/// Two values of one sort, if one of them is real.
pub(crate) fn both(a: Term, b: Term) -> (Term, Term) {
    let (first, second) = (a.sort().clone(), b.sort().clone());
    (as_sort(a, &second), as_sort(b, &first))
}
