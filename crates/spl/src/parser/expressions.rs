//! Formulas and expressions. From weak to strong: quantifiers (of maximal scope), `==> <==>`,
//! `<-->`, `-->`, the temporal operators with two operands, `\/`, `/\`, prefix operators,
//! comparisons, sums, products, signs.

use super::{Abandoned, Parsed, Parser};
use crate::ast::{Binary, Bound, Expr, ExprKind, Ident, Quantifier, Unary};
use crate::lexer::TokenKind;
use logic::ltl;
use source::Span;

impl Parser {
    pub(super) fn formula(&mut self) -> Parsed<Expr> {
        if self.formulas == 0 {
            self.operators = 0;
        }
        self.formulas += 1;
        let read = self.deeper(Parser::entailment);
        self.formulas -= 1;
        read
    }

    fn entailment(&mut self) -> Parsed<Expr> {
        let left = self.equivalence()?;
        let op = match self.peek().text() {
            "==>" => Binary::Temporal(ltl::Binary::Entails),
            "<==>" => Binary::Congruent,
            _ => return Ok(left),
        };
        self.bump();
        let right = self.deeper(Parser::entailment)?;
        Ok(binary(op, left, right))
    }

    fn equivalence(&mut self) -> Parsed<Expr> {
        let mut left = self.implication()?;
        while self.accept("<-->") {
            self.operator()?;
            let right = self.implication()?;
            left = binary(Binary::Iff, left, right);
        }
        Ok(left)
    }

    fn implication(&mut self) -> Parsed<Expr> {
        let left = self.waiting()?;
        if !self.accept("-->") {
            return Ok(left);
        }
        let right = self.deeper(Parser::implication)?;
        Ok(binary(Binary::Implies, left, right))
    }

    /// `Until`, `Awaits` and their kin associate to the right.
    fn waiting(&mut self) -> Parsed<Expr> {
        let left = self.disjunction()?;
        let op = match self.peek().text() {
            "Until" => ltl::Binary::Until,
            "Awaits" | "Unless" => ltl::Binary::WeakUntil,
            "Since" => ltl::Binary::Since,
            "Backto" => ltl::Binary::BackTo,
            _ => return Ok(left),
        };
        self.bump();
        let right = self.deeper(Parser::waiting)?;
        Ok(binary(Binary::Temporal(op), left, right))
    }

    fn disjunction(&mut self) -> Parsed<Expr> {
        let mut left = self.conjunction()?;
        while self.accept("\\/") {
            self.operator()?;
            let right = self.conjunction()?;
            left = binary(Binary::Or, left, right);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parsed<Expr> {
        let mut left = self.prefixed()?;
        while self.accept("/\\") {
            self.operator()?;
            let right = self.prefixed()?;
            left = binary(Binary::And, left, right);
        }
        Ok(left)
    }

    fn prefixed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.peek().text() {
            "~" | "!" => Unary::Not,
            "[]" => Unary::Temporal(ltl::Unary::Always),
            "<>" => Unary::Temporal(ltl::Unary::Eventually),
            "()" => Unary::Temporal(ltl::Unary::Next),
            "[-]" => Unary::Temporal(ltl::Unary::Historically),
            "<->" => Unary::Temporal(ltl::Unary::Once),
            "(-)" => Unary::Temporal(ltl::Unary::Previous),
            "(~)" => Unary::Temporal(ltl::Unary::WeakPrevious),
            "Forall" | "Exists" => return self.deeper(Parser::quantified),
            _ => return self.comparison(),
        };
        self.bump();
        let operand = self.deeper(Parser::prefixed)?;
        Ok(Expr { span: start.to(operand.span), kind: ExprKind::Unary(op, Box::new(operand)) })
    }

    fn quantified(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let quantifier = if self.bump().text() == "Forall" { Quantifier::Forall } else { Quantifier::Exists };
        let mut bounds = vec![self.bound()?];
        while self.accept(",") || self.accept(";") {
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
        while self.is(",") && self.is_ident(1) && matches!(self.ahead(2).text(), "," | ":" | ".") {
            self.bump();
            names.push(self.ident()?);
        }
        let of = if self.accept(":") { Some(self.simple_type()?) } else { None };
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
                _ => return Ok(left),
            };
            self.bump();
            self.operator()?;
            let right = self.sum()?;
            left = match middle.replace(right.clone()) {
                None => binary(op, left, right),
                Some(middle) => binary(Binary::And, left, binary(op, middle, right)),
            };
        }
    }

    fn starts_expression(&self, distance: usize) -> bool {
        let token = self.ahead(distance);
        match &token.kind {
            TokenKind::Number(_) => true,
            TokenKind::Word(word) => {
                self.is_ident(distance) || matches!(&**word, "true" | "false" | "if" | "Forall" | "Exists")
            }
            TokenKind::Sign(sign) => matches!(*sign, "(" | "-" | "~" | "!"),
            TokenKind::End => false,
        }
    }

    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek().text() {
                "+" => Binary::Add,
                "-" => Binary::Subtract,
                _ => return Ok(left),
            };
            self.bump();
            self.operator()?;
            let right = self.product()?;
            left = binary(op, left, right);
        }
    }

    fn product(&mut self) -> Parsed<Expr> {
        let mut left = self.signed()?;
        loop {
            let op = match self.peek().text() {
                "*" => Binary::Multiply,
                "div" => Binary::Divide,
                "/" => Binary::Over,
                "mod" => Binary::Modulo,
                _ => return Ok(left),
            };
            self.bump();
            self.operator()?;
            let right = self.signed()?;
            left = binary(op, left, right);
        }
    }

    fn signed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if !self.accept("-") {
            return self.postfixed();
        }
        let operand = self.deeper(Parser::signed)?;
        Ok(Expr { span: start.to(operand.span), kind: ExprKind::Unary(Unary::Negate, Box::new(operand)) })
    }

    /// A primary with indices, fields and arguments behind it.
    pub(super) fn postfixed(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let mut e = self.primary()?;
        loop {
            let kind = match self.peek().text() {
                "[" => {
                    self.bump();
                    let mut index = self.indexed(e)?;
                    while self.accept(",") {
                        index = self.indexed_again(index)?;
                    }
                    self.expect("]")?;
                    index
                }
                "." if self.is_ident(1) && self.peek().joint => {
                    self.bump();
                    let field = self.ident()?;
                    ExprKind::Field(Box::new(e), field)
                }
                "(" if matches!(e.kind, ExprKind::Name(_)) => {
                    self.bump();
                    let mut arguments = vec![self.formula()?];
                    while self.accept(",") {
                        arguments.push(self.formula()?);
                    }
                    self.expect(")")?;
                    ExprKind::Call(Box::new(e), arguments)
                }
                _ => return Ok(e),
            };
            e = Expr { kind, span: self.since(start) };
        }
    }

    fn indexed(&mut self, array: Expr) -> Parsed<ExprKind> {
        let index = self.formula()?;
        Ok(ExprKind::Index(Box::new(array), Box::new(index)))
    }

    fn indexed_again(&mut self, inner: ExprKind) -> Parsed<ExprKind> {
        let span = self.span();
        self.indexed(Expr { kind: inner, span })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let token = self.peek().clone();
        let kind = match &token.kind {
            TokenKind::Number(digits) => {
                self.bump();
                ExprKind::Number(digits.clone())
            }
            TokenKind::Word(word) if matches!(&**word, "true" | "false") => {
                self.bump();
                ExprKind::Bool(&**word == "true")
            }
            TokenKind::Word(word) if &**word == "if" => return self.deeper(Parser::conditional),
            TokenKind::Word(_) if self.is_ident(0) => return self.name(),
            TokenKind::Sign("(") => {
                self.bump();
                let groups = std::mem::take(&mut self.groups);
                let inner = self.formula();
                self.groups = groups;
                let inner = inner?;
                self.expect(")")?;
                return Ok(Expr { kind: inner.kind, span: self.since(start) });
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, span: self.since(start) })
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
    fn name(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let joint = self.peek().joint;
        let Ident { name, .. } = self.ident()?;
        let kind = if joint && self.is("'") {
            self.bump();
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
        self.expect("{")?;
        let mut labels = Vec::new();
        loop {
            let low = self.number()?;
            let high = if self.accept("..") { self.number()? } else { low };
            labels.extend((low..=high.min(low + 1000)).map(|n| format!("{stem}{n}").into()));
            if !self.accept(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(labels)
    }

    fn number(&mut self) -> Parsed<u32> {
        let digits = match &self.peek().kind {
            TokenKind::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        match digits {
            Some(number) => {
                self.bump();
                Ok(number)
            }
            None => Err::<u32, Abandoned>(self.expected("the number of a label")),
        }
    }
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    let span: Span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
