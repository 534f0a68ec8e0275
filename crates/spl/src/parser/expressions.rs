//! Formulas and expressions. From weak to strong: quantifiers (of maximal scope), `==> <==>`,
//! `<-->`, `-->`, the temporal operators with two operands, `\/`, `/\`, prefix operators,
//! comparisons, sums, products, signs.

use super::Parser;
use crate::ast::{Binary, Bound, Expr, ExprKind, Ident, Quantifier, Unary};
use logic::ltl;
use logic::ltl::syntax::{Infix, Operands, Operator, Syntax, formula};
use source::{Descent, Diagnostic, Parsed, Span, Token, TokenKind};

impl Parser {
    pub(super) fn formula(&mut self) -> Parsed<Expr> {
        if self.formulas == 0 {
            self.operators = 0;
        }
        self.formulas += 1;
        let read = self.nested(|this| formula(this, 0));
        self.formulas -= 1;
        read
    }

    fn quantified(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let quantifier = if self.bump().is("Forall") { Quantifier::Forall } else { Quantifier::Exists };
        let mut bounds = vec![self.bound()?];
        while self.eat_any(&[",", ";"]) {
            bounds.push(self.bound()?);
        }
        self.expect(".")?;
        let body = self.formula()?;
        let kind = ExprKind::Quantified(quantifier, bounds, Box::new(body));
        Ok(Expr { kind, span: self.since(start) })
    }

    /// `i, j : [1..N]`. A name without a type of its own takes the type of those behind it.
    fn bound(&mut self) -> Parsed<Bound> {
        let mut names = vec![self.ident()?];
        while self.is(",") && self.is_name(1) && matches!(self.ahead(2).text(), "," | ":" | ".") {
            self.advance();
            names.push(self.ident()?);
        }
        let of = self.after(":", Self::simple_type)?;
        Ok(Bound { names, of })
    }

    /// `a <= b < c` means both.
    fn comparison(&mut self) -> Parsed<Expr> {
        let mut left = self.sum()?;
        let mut middle: Option<Expr> = None;
        loop {
            let op = match self.peek().text() {
                "=" => Binary::Equal,
                "!=" => Binary::NotEqual,
                "<" => Binary::Less,
                "<=" => Binary::LessEqual,
                ">" if self.groups > 0 && !self.starts_expression(1) => return Ok(left),
                ">" => Binary::Greater,
                ">=" => Binary::GreaterEqual,
                // An operator before a formula cannot stand behind one.
                "<>" | "==" => {
                    let (span, sign) = (self.span(), self.peek().text().to_string());
                    let (meant, op) = match &*sign {
                        "<>" => ("`<>` is *eventually*; not equal is `!=`", Binary::NotEqual),
                        _ => ("equal is `=`", Binary::Equal),
                    };
                    let message = format!("`{sign}` does not compare");
                    self.report(Diagnostic::error("E0703", span, message).help(meant));
                    op
                }
                _ => return Ok(left),
            };
            self.advance();
            self.operator()?;
            let right = self.sum()?;
            left = match middle.replace(right.clone()) {
                None => binary(op, left, right),
                Some(middle) => binary(Binary::And, left, binary(op, middle, right)),
            };
        }
    }

    fn starts_expression(&self, distance: usize) -> bool {
        const STARTS: [&str; 9] = ["true", "false", "if", "Forall", "Exists", "(", "-", "~", "!"];
        let token = self.ahead(distance);
        token.is_number() || self.is_name(distance) || STARTS.contains(&token.text())
    }

    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.chain(Self::product, |text| match text {
            "+" => Some(Binary::Add),
            "-" => Some(Binary::Subtract),
            _ => None,
        })
    }

    fn product(&mut self) -> Parsed<Expr> {
        self.chain(Self::signed, |text| match text {
            "*" => Some(Binary::Multiply),
            "div" => Some(Binary::Divide),
            "/" => Some(Binary::Over),
            "mod" => Some(Binary::Modulo),
            _ => None,
        })
    }

    /// Operands with such operators between them, the first ones inside.
    fn chain(&mut self, one: fn(&mut Self) -> Parsed<Expr>, of: fn(&str) -> Option<Binary>) -> Parsed<Expr> {
        let mut left = one(self)?;
        while let Some(op) = of(self.peek().text()) {
            self.advance();
            self.operator()?;
            left = binary(op, left, one(self)?);
        }
        Ok(left)
    }

    fn signed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.eat("-") {
            return self.postfixed();
        }
        let operand = self.nested(Parser::signed)?;
        Ok(Expr { span: start.to(operand.span), kind: ExprKind::Unary(Unary::Negate, Box::new(operand)) })
    }

    /// A primary with indices, fields and arguments behind it.
    pub(super) fn postfixed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut e = self.primary()?;
        // A number has no elements: behind `where x = 0` the program may begin.
        let literal = matches!(e.kind, ExprKind::Number(_) | ExprKind::Decimal(..) | ExprKind::Bool(_));
        loop {
            let kind = match self.peek().text() {
                "[" if !literal => {
                    self.advance();
                    let mut index = self.indexed(e)?;
                    while self.eat(",") {
                        let span = self.span();
                        index = self.indexed(Expr { kind: index, span })?;
                    }
                    self.expect("]")?;
                    index
                }
                "." if self.is_name(1) && self.peek().joint => {
                    self.advance();
                    let field = self.ident()?;
                    ExprKind::Field(Box::new(e), field)
                }
                "(" if matches!(e.kind, ExprKind::Name(_)) => ExprKind::Call(Box::new(e), self.arguments()?),
                _ => return Ok(e),
            };
            e = Expr { kind, span: self.since(start) };
        }
    }

    fn indexed(&mut self, array: Expr) -> Parsed<ExprKind> {
        let index = self.formula()?;
        Ok(ExprKind::Index(Box::new(array), Box::new(index)))
    }

    /// `(a, b)`.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.between("(", ")", |this| this.separated(",", Self::formula))
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let token = self.peek().clone();
        let kind = match &token.kind {
            TokenKind::Number(digits) => {
                self.advance();
                match self.fraction(&token) {
                    Some(fraction) => {
                        ExprKind::Decimal(format!("{digits}{fraction}").into(), fraction.len() as u32)
                    }
                    None => ExprKind::Number(digits.clone()),
                }
            }
            TokenKind::Word(word) if matches!(&**word, "true" | "false") => {
                self.advance();
                ExprKind::Bool(&**word == "true")
            }
            TokenKind::Word(word) if &**word == "if" => return self.nested(Parser::conditional),
            TokenKind::Word(_) if self.is_name(0) => return self.named(),
            TokenKind::Sign("(") => {
                self.advance();
                let groups = std::mem::take(&mut self.groups);
                let inner = self.formula();
                self.groups = groups;
                let inner = inner?;
                self.expect(")")?;
                return Ok(Expr { kind: inner.kind, span: self.since(start) });
            }
            _ => return self.unexpected("an expression"),
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    /// The digits behind the point of a decimal number whose whole part was read.
    fn fraction(&mut self, whole: &Token) -> Option<crate::ast::Name> {
        let point = self.peek();
        let TokenKind::Number(digits) = &self.ahead(1).kind else { return None };
        if !(whole.joint && point.is(".") && point.joint) {
            return None;
        }
        let digits = digits.clone();
        self.skip(2);
        Some(digits)
    }

    fn conditional(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.expect("if")?;
        let condition = self.formula()?;
        self.expect("then")?;
        let then = self.formula()?;
        self.expect("else")?;
        let otherwise = self.formula()?;
        let kind = ExprKind::If(Box::new([condition, then, otherwise]));
        Ok(Expr { kind, span: self.since(start) })
    }

    /// A name, a primed name, or labels in braces: `l{2,3,4}` and `l{2..4}`.
    fn named(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let joint = self.peek().joint;
        let Ident { name, .. } = self.ident()?;
        let kind = if joint && self.is("'") {
            self.advance();
            ExprKind::Primed(name)
        } else if joint && self.is("{") {
            let labels = self.label_numbers(&name)?;
            ExprKind::Labels(name, labels)
        } else {
            ExprKind::Name(name)
        };
        Ok(Expr { kind, span: self.since(start) })
    }

    fn label_numbers(&mut self, stem: &str) -> Parsed<Vec<crate::ast::Name>> {
        let ranges = self.between("{", "}", |this| {
            this.separated(",", |this| {
                let low = this.number()?;
                Ok((low, this.after("..", Self::number)?.unwrap_or(low)))
            })
        })?;
        let labels = ranges.into_iter().flat_map(|(low, high)| low..=high.min(low.saturating_add(1000)));
        Ok(labels.map(|n| format!("{stem}{n}").into()).collect())
    }

    fn number(&mut self) -> Parsed<u32> {
        match self.peek().text().parse() {
            Ok(number) => {
                self.advance();
                Ok(number)
            }
            Err(_) => self.unexpected("the number of a label"),
        }
    }
}

impl Operands for Parser {
    type Tree = Expr;

    fn prefix(&mut self) -> Parsed<Option<(usize, ltl::Unary)>> {
        Ok(Syntax::Step.prefix(self.peek().text()).map(|op| (1, op)))
    }

    fn infix(&self) -> Option<(usize, Operator)> {
        Some((1, Syntax::Step.infix(self.peek().text())?))
    }

    fn operand(&mut self) -> Parsed<Expr> {
        if self.is_any(&["Forall", "Exists"]) { self.nested(Parser::quantified) } else { self.comparison() }
    }

    fn prefixed(&mut self, op: ltl::Unary, start: Span, operand: Expr) -> Parsed<Expr> {
        let op = if op == ltl::Unary::Not { Unary::Not } else { Unary::Temporal(op) };
        Ok(Expr { span: start.to(operand.span), kind: ExprKind::Unary(op, Box::new(operand)) })
    }

    fn joined(&mut self, op: Infix, _: Span, [left, right]: [Expr; 2]) -> Parsed<Expr> {
        self.operator()?;
        let op = match op {
            Infix::Plain(ltl::Binary::And) => Binary::And,
            Infix::Plain(ltl::Binary::Or) => Binary::Or,
            Infix::Plain(ltl::Binary::Implies) => Binary::Implies,
            Infix::Plain(ltl::Binary::Iff) => Binary::Iff,
            Infix::Plain(op) => Binary::Temporal(op),
            Infix::Congruent | Infix::Term(_) => Binary::Congruent,
        };
        Ok(binary(op, left, right))
    }
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    let span: Span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
