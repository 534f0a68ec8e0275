//! Text to tree. Formulas, from weak to strong: `? :`, `<->`, `->`, `|`, `&`, `!`, atoms. A
//! quantifier reaches as far as it can.
//!
//! Every parser over a cursor of this [`LEXICON`] reads formulas, by the trait [`Formulas`].

use super::tree::{Expr, ExprKind, Ident, Name};
use crate::kleene::Kleene;
use source::{Cursor, Descent, Diagnostic, FileId, Language, Lexicon, Parsed, Span};

/// The tokens of formulas.
pub const LEXICON: Lexicon = Lexicon {
    signs: &[
        "<->", "->", "=>", ":=", "==", "!=", "&&", "||", "{", "}", "(", ")", "[", "]", ",", ";", ":", ".",
        "*", "+", "&", "|", "!", "?", "=", "/", "<", ">",
    ],
    comments: &[("//", "\n"), ("/*", "*/")],
    in_word: |c| c.is_ascii_alphanumeric() || c == '_' || c == '$',
    quotes: "\"",
    ..Lexicon::PLAIN
};

/// How mistakes in formulas are reported.
pub const LANGUAGE: Language = Language {
    unexpected: "E0901",
    label: |_| "here".to_string(),
    too_deep: "E0901",
    hint: |at, _| match at.peek().text() {
        "&&" | "and" => Some("*and* is `&`"),
        "||" | "or" => Some("*or* is `|`"),
        "=" => Some("that two individuals are the same is `==`; an update is `:=`"),
        "not" => Some("*not* is `!`"),
        _ => None,
    },
    ..Language::PLAIN
};

/// One formula, which stands at byte `base` of its file.
pub fn parse_formula(file: FileId, text: &str, base: u32) -> (Expr, Vec<Diagnostic>) {
    let mut parser = Box::new(Cursor::new(source::lex(&LEXICON, file, text, base), &LANGUAGE));
    let expr = parser.expr();
    if expr.is_ok() && !parser.at_end() {
        let _ = parser.unexpected::<()>("the end of the formula");
    }
    let expr = expr.unwrap_or(Expr { span: Span::default(), kind: ExprKind::Bad });
    (expr, parser.diagnostics)
}

/// Formulas, and what they are made of.
pub trait Formulas: Descent {
    /// A formula.
    fn expr(&mut self) -> Parsed<Expr> {
        self.nested(choice)
    }

    /// A formula behind a sign.
    fn defined(&mut self, sign: &str) -> Parsed<Expr> {
        self.expect(sign)?;
        self.expr()
    }

    /// A formula without binary operators outside of brackets.
    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let kind = if self.eat("!") {
            ExprKind::Not(Box::new(self.nested(Self::unary)?))
        } else if self.is_any(&["exists", "forall"]) {
            let all = self.bump().is("forall");
            let variables = self.list(".", Self::ident)?;
            ExprKind::Quantified { all, variables, body: Box::new(self.expr()?) }
        } else {
            return primary(self, start);
        };
        Ok(Expr { span: self.since(start), kind })
    }

    /// `0`, `1/2` or `1`.
    fn value(&mut self) -> Parsed<Kleene> {
        let (length, value) = match self.peek().text() {
            "0" => (1, Kleene::False),
            "1" if self.ahead(1).is("/") && self.ahead(2).is("2") => (3, Kleene::Half),
            "1" => (1, Kleene::True),
            _ => return self.unexpected("0, 1 or 1/2"),
        };
        self.skip(length);
        Ok(value)
    }

    /// `(x in S)`, or without brackets.
    fn over(&mut self) -> Parsed<(Ident, Ident)> {
        let bracket = self.eat("(");
        let variable = self.ident()?;
        self.expect("in")?;
        let set = self.ident()?;
        if bracket {
            self.expect(")")?;
        }
        Ok((variable, set))
    }

    /// A name with its indices; the bracket follows without a space.
    fn name(&mut self) -> Parsed<Name> {
        let base = self.ident()?;
        let touches = self.span().start == base.span.end;
        let index = if touches && self.eat("[") { self.list("]", Self::ident)? } else { Vec::new() };
        Ok(Name { span: self.since(base.span), base, index })
    }

    /// `(x, y)`, if it is there.
    fn arguments(&mut self) -> Parsed<Vec<Ident>> {
        if self.eat("(") { self.list(")", Self::ident) } else { Ok(Vec::new()) }
    }

    /// A name without indices.
    fn ident(&mut self) -> Parsed<Ident> {
        let source::Ident { name, span } = Cursor::name(self, "a name")?;
        Ok(Ident { text: name.to_string(), span })
    }
}

impl<P: Descent> Formulas for P {}

fn choice<P: Formulas>(p: &mut P) -> Parsed<Expr> {
    let condition = iff(p)?;
    if !p.eat("?") {
        return Ok(condition);
    }
    let then = p.expr()?;
    let otherwise = p.defined(":")?;
    let span = condition.span.to(otherwise.span);
    Ok(Expr { span, kind: ExprKind::Choice(Box::new([condition, then, otherwise])) })
}

fn iff<P: Formulas>(p: &mut P) -> Parsed<Expr> {
    chain(p, ExprKind::Iff, &["<->"], implies)
}

fn implies<P: Formulas>(p: &mut P) -> Parsed<Expr> {
    let left = or(p)?;
    match p.after("->", |p| p.nested(implies))? {
        Some(right) => Ok(join(ExprKind::Implies, left, right)),
        None => Ok(left),
    }
}

fn or<P: Formulas>(p: &mut P) -> Parsed<Expr> {
    chain(p, ExprKind::Or, &["|", "||"], and)
}

fn and<P: Formulas>(p: &mut P) -> Parsed<Expr> {
    chain(p, ExprKind::And, &["&", "&&"], P::unary)
}

/// Operands with one of these signs between them, the first ones inside.
fn chain<P: Formulas>(
    p: &mut P,
    kind: fn(Box<Expr>, Box<Expr>) -> ExprKind,
    signs: &[&str],
    one: fn(&mut P) -> Parsed<Expr>,
) -> Parsed<Expr> {
    let mut left = one(p)?;
    while p.eat_any(signs) {
        left = join(kind, left, one(p)?);
    }
    Ok(left)
}

fn join(kind: fn(Box<Expr>, Box<Expr>) -> ExprKind, a: Expr, b: Expr) -> Expr {
    Expr { span: a.span.to(b.span), kind: kind(Box::new(a), Box::new(b)) }
}

fn primary<P: Formulas>(p: &mut P, start: Span) -> Parsed<Expr> {
    let kind = match p.peek().text() {
        "(" => p.between("(", ")", P::expr)?.kind,
        _ if p.peek().is_number() => return Ok(Expr { span: start, kind: ExprKind::Value(p.value()?) }),
        "any" | "all" if p.ahead(1).is("(") && p.ahead(3).is("in") => over_set(p)?,
        "tc" if p.ahead(1).is("(") => closure(p)?,
        _ => atom(p)?,
    };
    Ok(Expr { span: p.since(start), kind })
}

/// `a == b`, `p+(a, b)` or `p(a, b)`.
fn atom<P: Formulas>(p: &mut P) -> Parsed<ExprKind> {
    let name = dotted(p)?;
    if p.is_any(&["==", "!="]) && name.index.is_empty() {
        let different = p.bump().is("!=");
        let other = p.ident()?;
        let span = name.span.to(other.span);
        let equal = ExprKind::Equal(name.base, other);
        return Ok(if different { ExprKind::Not(Box::new(Expr { span, kind: equal })) } else { equal });
    }
    if p.is_any(&["+", "*"]) && p.ahead(1).is("(") {
        let reflexive = p.bump().is("*");
        p.advance();
        let (from, to) = pair(p)?;
        p.expect(")")?;
        return Ok(ExprKind::Reach { name, reflexive, from, to });
    }
    Ok(ExprKind::Atom(name, p.arguments()?))
}

fn over_set<P: Formulas>(p: &mut P) -> Parsed<ExprKind> {
    let all = p.bump().is("all");
    p.between("(", ")", |p| {
        let (variable, set) = p.over()?;
        Ok(ExprKind::OverSet { all, variable, set, body: Box::new(p.defined(":")?) })
    })
}

/// `tc(a, b)(x, y: f)`.
fn closure<P: Formulas>(p: &mut P) -> Parsed<ExprKind> {
    p.skip(2);
    let (from, to) = pair(p)?;
    p.expect(")")?;
    p.expect("(")?;
    let (x, y) = pair(p)?;
    let body = Box::new(p.defined(":")?);
    p.expect(")")?;
    Ok(ExprKind::Closure { from, to, x, y, body })
}

fn pair<P: Formulas>(p: &mut P) -> Parsed<(Ident, Ident)> {
    let first = p.ident()?;
    p.expect(",")?;
    Ok((first, p.ident()?))
}

/// `Main.v`: points between words without room are part of a name, where a formula names a
/// predicate.
fn dotted<P: Formulas>(p: &mut P) -> Parsed<Name> {
    let mut name = p.name()?;
    while name.index.is_empty()
        && p.is(".")
        && p.span().start == name.span.end
        && p.peek().joint
        && p.is_name(1)
    {
        p.advance();
        let word = p.ident()?;
        name.base.text = format!("{}.{}", name.base.text, word.text);
        name.span = name.span.to(word.span);
        name.base.span = name.span;
    }
    Ok(name)
}
