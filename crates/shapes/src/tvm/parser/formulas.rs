//! Formulas, from weak to strong: `? :`, `<->`, `->`, `|`, `&`, `!`, atoms. A quantifier reaches as
//! far as it can.

use super::Parser;
use crate::tvm::ast::{Expr, ExprKind, Name};
use source::{Descent, Parsed, Span};

impl Parser {
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.nested(Self::choice)
    }

    fn choice(&mut self) -> Parsed<Expr> {
        let condition = self.iff()?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.expr()?;
        self.expect(":")?;
        let otherwise = self.expr()?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr { span, kind: ExprKind::Choice(Box::new([condition, then, otherwise])) })
    }

    fn iff(&mut self) -> Parsed<Expr> {
        self.chain(ExprKind::Iff, &["<->"], Self::implies)
    }

    fn implies(&mut self) -> Parsed<Expr> {
        let left = self.or()?;
        match self.after("->", |this| this.nested(Self::implies))? {
            Some(right) => Ok(join(ExprKind::Implies, left, right)),
            None => Ok(left),
        }
    }

    fn or(&mut self) -> Parsed<Expr> {
        self.chain(ExprKind::Or, &["|", "||"], Self::and)
    }

    fn and(&mut self) -> Parsed<Expr> {
        self.chain(ExprKind::And, &["&", "&&"], Self::unary)
    }

    /// Operands with one of these signs between them, the first ones inside.
    fn chain(
        &mut self,
        kind: fn(Box<Expr>, Box<Expr>) -> ExprKind,
        signs: &[&str],
        one: fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let mut left = one(self)?;
        while self.eat_any(signs) {
            left = join(kind, left, one(self)?);
        }
        Ok(left)
    }

    pub(super) fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = if self.eat("!") {
            ExprKind::Not(Box::new(self.nested(Self::unary)?))
        } else if self.is_any(&["exists", "forall"]) {
            let all = self.bump().is("forall");
            let variables = self.list(".", Self::ident)?;
            ExprKind::Quantified { all, variables, body: Box::new(self.expr()?) }
        } else {
            return self.primary(start);
        };
        Ok(Expr { span: self.since(start), kind })
    }

    fn primary(&mut self, start: Span) -> Parsed<Expr> {
        let kind = match self.peek().text() {
            "(" => self.between("(", ")", Self::expr)?.kind,
            _ if self.peek().is_number() => {
                return Ok(Expr { span: start, kind: ExprKind::Value(self.value()?) });
            }
            "any" | "all" if self.ahead(1).is("(") && self.ahead(3).is("in") => self.over_set()?,
            "tc" if self.ahead(1).is("(") => self.closure()?,
            _ => self.atom()?,
        };
        Ok(Expr { span: self.since(start), kind })
    }

    /// `a == b`, `p+(a, b)` or `p(a, b)`.
    fn atom(&mut self) -> Parsed<ExprKind> {
        let name = self.dotted()?;
        if self.is_any(&["==", "!="]) && name.index.is_empty() {
            let different = self.bump().is("!=");
            let other = self.ident()?;
            let span = name.span.to(other.span);
            let equal = ExprKind::Equal(name.base, other);
            return Ok(if different { ExprKind::Not(Box::new(Expr { span, kind: equal })) } else { equal });
        }
        if self.is_any(&["+", "*"]) && self.ahead(1).is("(") {
            let reflexive = self.bump().is("*");
            self.advance();
            let from = self.ident()?;
            self.expect(",")?;
            let to = self.ident()?;
            self.expect(")")?;
            return Ok(ExprKind::Reach { name, reflexive, from, to });
        }
        Ok(ExprKind::Atom(name, self.arguments()?))
    }

    fn over_set(&mut self) -> Parsed<ExprKind> {
        let all = self.bump().is("all");
        self.between("(", ")", |this| {
            let (variable, set) = this.over()?;
            Ok(ExprKind::OverSet { all, variable, set, body: Box::new(this.defined(":")?) })
        })
    }

    fn closure(&mut self) -> Parsed<ExprKind> {
        self.skip(2);
        let from = self.ident()?;
        self.expect(",")?;
        let to = self.ident()?;
        self.expect(")")?;
        self.expect("(")?;
        let x = self.ident()?;
        self.expect(",")?;
        let y = self.ident()?;
        let body = Box::new(self.defined(":")?);
        self.expect(")")?;
        Ok(ExprKind::Closure { from, to, x, y, body })
    }

    /// `Main.v`: points between words without room are part of a name, where a formula names a
    /// predicate.
    fn dotted(&mut self) -> Parsed<Name> {
        let mut name = self.name()?;
        while name.index.is_empty()
            && self.is(".")
            && self.span().start == name.span.end
            && self.peek().joint
            && self.is_name(1)
        {
            self.advance();
            let word = self.ident()?;
            name.base.text = format!("{}.{}", name.base.text, word.text);
            name.span = name.span.to(word.span);
            name.base.span = name.span;
        }
        Ok(name)
    }
}

fn join(kind: fn(Box<Expr>, Box<Expr>) -> ExprKind, a: Expr, b: Expr) -> Expr {
    Expr { span: a.span.to(b.span), kind: kind(Box::new(a), Box::new(b)) }
}
