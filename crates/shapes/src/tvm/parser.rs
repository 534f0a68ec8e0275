//! Tokens to syntax tree. Never fails: errors are reported, and reading goes on at the next
//! item.

use crate::kleene::Kleene;
use crate::tvm::ast::{ActionDef, Call, Clause, Expr, ExprKind, Fact, Ident, Item, Name, Transition};
use crate::tvm::token::{Kind, Token, tokens};
use source::{Diagnostic, FileId, Span};

/// Words that begin an item.
const ITEMS: [&str; 14] = [
    "set",
    "foreach",
    "predicate",
    "derived",
    "constraint",
    "action",
    "thread",
    "procedure",
    "environment",
    "initial",
    "invariant",
    "ltl",
    "never",
    "fair",
];

/// Nothing is nested deeper than this.
const DEPTH: usize = 200;

pub struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: usize,
    pub diagnostics: Vec<Diagnostic>,
}

/// A syntax error was told; the caller gives up.
struct Told;

type Parsed<T> = Result<T, Told>;

/// All items of a text.
pub fn parse(file: FileId, text: &str) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut parser = Parser { tokens: tokens(file, text, 0), at: 0, depth: 0, diagnostics: Vec::new() };
    let items = parser.items();
    (items, parser.diagnostics)
}

/// Items that were not written by the user; all of them stand where this begins.
pub fn parse_at(text: &str, place: Span) -> Vec<Item> {
    let place = Span::new(place.file, place.start, place.start);
    let mut tokens = tokens(place.file, text, 0);
    tokens.iter_mut().for_each(|token| token.span = place);
    Parser { tokens, at: 0, depth: 0, diagnostics: Vec::new() }.items()
}

/// One formula, which stands at byte `base` of its file.
pub fn parse_formula(file: FileId, text: &str, base: u32) -> (Expr, Vec<Diagnostic>) {
    let mut parser = Parser { tokens: tokens(file, text, base), at: 0, depth: 0, diagnostics: Vec::new() };
    let expr = match parser.expr() {
        Ok(expr) if parser.peek().kind == Kind::End => expr,
        Ok(expr) => {
            let _ = parser.unexpected::<()>("the end of the formula");
            expr
        }
        Err(Told) => Expr { span: Span::default(), kind: ExprKind::Bad },
    };
    (expr, parser.diagnostics)
}

impl<'a> Parser<'a> {
    fn items(&mut self) -> Vec<Item> {
        let mut items = Vec::new();
        while self.peek().kind != Kind::End && !self.is("}") {
            let start = self.at;
            match self.item() {
                Ok(item) => items.push(item),
                Err(Told) => self.recover(start),
            }
        }
        if self.depth == 0 && self.is("}") {
            let _ = self.unexpected::<()>("an item");
            self.at += 1;
            items.extend(self.items());
        }
        items
    }

    /// Goes on at the next word that begins an item.
    fn recover(&mut self, start: usize) {
        self.at = self.at.max(start + 1);
        while self.peek().kind != Kind::End && !ITEMS.contains(&self.peek().text) {
            self.at += 1;
        }
    }

    fn item(&mut self) -> Parsed<Item> {
        let start = self.peek().span;
        match self.peek().text {
            "set" => {
                self.at += 1;
                let name = self.ident()?;
                self.sign("=")?;
                self.sign("{")?;
                let members = self.idents("}")?;
                self.sign("}")?;
                Ok(Item::Set { name, members })
            }
            "foreach" => {
                self.at += 1;
                let (variable, set) = self.over()?;
                self.sign("{")?;
                self.depth += 1;
                let items = self.items();
                self.depth -= 1;
                self.sign("}")?;
                Ok(Item::Foreach { variable, set, items })
            }
            "predicate" | "derived" => self.predicate(),
            "constraint" => {
                self.at += 1;
                let body = self.expr()?;
                self.sign("=>")?;
                let head = self.expr()?;
                Ok(Item::Constraint { span: start.to(head.span), body, head })
            }
            "action" => self.action(),
            "thread" => self.thread(),
            "procedure" => self.procedure(),
            "environment" => {
                self.at += 1;
                self.sign("{")?;
                let mut calls = Vec::new();
                while !self.is("}") {
                    calls.push(Call { name: self.name()? });
                    self.separator();
                }
                self.sign("}")?;
                Ok(Item::Environment { calls })
            }
            "initial" => self.initial(),
            "invariant" => {
                self.at += 1;
                let name = self.ident()?;
                self.sign("=")?;
                Ok(Item::Invariant { name, body: self.expr()? })
            }
            "ltl" => {
                self.at += 1;
                let name = self.ident()?;
                Ok(Item::Ltl { name, text: self.braced()? })
            }
            "never" => {
                self.at += 1;
                let name = self.ident()?;
                Ok(Item::Never { name, text: self.braced()? })
            }
            "fair" => self.fair(),
            _ => self.unexpected("an item, such as `predicate`, `action`, `thread`, `initial` or `ltl`"),
        }
    }

    /// The text between braces, which has a language of its own.
    fn braced(&mut self) -> Parsed<Span> {
        let open = self.sign("{")?;
        let mut depth = 0;
        while self.peek().kind != Kind::End && !(depth == 0 && self.is("}")) {
            depth += i32::from(self.is("{")) - i32::from(self.is("}"));
            self.at += 1;
        }
        let close = self.sign("}")?;
        Ok(Span::new(open.file, open.end, close.start))
    }

    fn predicate(&mut self) -> Parsed<Item> {
        let derived = self.peek().text == "derived";
        self.at += 1;
        let name = self.name()?;
        let mut parameters = Vec::new();
        if self.eat("(") {
            parameters = self.idents(")")?;
            self.sign(")")?;
        }
        let mut attributes = Vec::new();
        while self.peek().kind == Kind::Word && !ITEMS.contains(&self.peek().text) {
            attributes.push(self.ident()?);
        }
        let definition = if derived {
            self.sign("=")?;
            Some(self.expr()?)
        } else {
            None
        };
        Ok(Item::Predicate { name, parameters, attributes, definition })
    }

    fn action(&mut self) -> Parsed<Item> {
        self.at += 1;
        let name = self.ident()?;
        let mut parameters = Vec::new();
        if self.eat("[") {
            parameters = self.idents("]")?;
            self.sign("]")?;
        }
        let clauses = self.clauses()?;
        Ok(Item::Action(ActionDef { name, parameters, clauses }))
    }

    fn clauses(&mut self) -> Parsed<Vec<Clause>> {
        self.sign("{")?;
        let mut clauses = Vec::new();
        while !self.is("}") {
            clauses.push(self.clause()?);
            self.separator();
        }
        self.sign("}")?;
        Ok(clauses)
    }

    fn clause(&mut self) -> Parsed<Clause> {
        match self.peek().text {
            "focus" => {
                self.at += 1;
                let mut literals = vec![self.unary()?];
                while self.eat("&") || self.eat("&&") {
                    literals.push(self.unary()?);
                }
                Ok(Clause::Focus(literals))
            }
            "choose" => {
                self.at += 1;
                Ok(Clause::Choose(self.idents("")?))
            }
            "when" => {
                self.at += 1;
                Ok(Clause::When(self.expr()?))
            }
            "new" => {
                self.at += 1;
                Ok(Clause::New(self.idents("")?))
            }
            "retain" => {
                self.at += 1;
                let variable = self.ident()?;
                self.sign(":")?;
                Ok(Clause::Retain { variable, body: self.expr()? })
            }
            "foreach" => {
                self.at += 1;
                let (variable, set) = self.over()?;
                Ok(Clause::Foreach { variable, set, clauses: self.clauses()? })
            }
            "idle" => {
                self.at += 1;
                Ok(Clause::Idle)
            }
            "error" => {
                self.at += 1;
                let token = self.peek();
                if token.kind != Kind::Text {
                    return self.unexpected("a message in quotes");
                }
                self.at += 1;
                Ok(Clause::Error(Ident { text: token.text.trim_matches('"').to_string(), span: token.span }))
            }
            _ => {
                let name = self.name()?;
                let mut parameters = Vec::new();
                if self.eat("(") {
                    parameters = self.idents(")")?;
                    self.sign(")")?;
                }
                self.sign(":=")?;
                Ok(Clause::Update { name, parameters, value: self.expr()? })
            }
        }
    }

    fn thread(&mut self) -> Parsed<Item> {
        self.at += 1;
        let name = self.ident()?;
        let mut guard = Vec::new();
        if self.eat("when") {
            guard.push(self.name()?);
            while self.eat(",") {
                guard.push(self.name()?);
            }
        }
        self.sign("{")?;
        let (mut ends, mut transitions) = (Vec::new(), Vec::new());
        while !self.is("}") {
            if self.is("end") && !self.is_at(1, ":") {
                self.at += 1;
                ends.extend(self.idents("")?);
            } else {
                transitions.push(self.transition()?);
            }
            self.separator();
        }
        self.sign("}")?;
        Ok(Item::Thread { name, guard, ends, transitions })
    }

    fn procedure(&mut self) -> Parsed<Item> {
        self.at += 1;
        let name = self.ident()?;
        self.sign("{")?;
        let (mut returns, mut raises, mut transitions) = (Vec::new(), Vec::new(), Vec::new());
        while !self.is("}") {
            let places = match self.peek().text {
                "return" if !self.is_at(1, ":") => Some(&mut returns),
                "raise" if !self.is_at(1, ":") => Some(&mut raises),
                _ => None,
            };
            match places {
                Some(places) => {
                    self.at += 1;
                    places.extend(self.idents("")?);
                }
                None => transitions.push(self.transition()?),
            }
            self.separator();
        }
        self.sign("}")?;
        Ok(Item::Procedure { name, transitions, returns, raises })
    }

    fn transition(&mut self) -> Parsed<Transition> {
        let from = self.ident()?;
        self.sign(":")?;
        let calls = self.is("call") && !self.is_at(1, "->") && !self.is_at(1, "[");
        self.at += usize::from(calls);
        let call = Call { name: self.name()? };
        self.sign("->")?;
        let to = self.ident()?;
        let otherwise = if calls && self.eat("else") { Some(self.ident()?) } else { None };
        Ok(Transition { span: from.span.to(to.span), from, call, to, calls, otherwise })
    }

    fn initial(&mut self) -> Parsed<Item> {
        let start = self.peek().span;
        self.at += 1;
        let name = if self.is("{") { None } else { Some(self.ident()?) };
        let span = start.to(name.as_ref().map_or(start, |n| n.span));
        self.sign("{")?;
        let mut facts = Vec::new();
        while !self.is("}") {
            facts.push(self.fact()?);
            self.separator();
        }
        self.sign("}")?;
        Ok(Item::Initial { name, span, facts })
    }

    fn fact(&mut self) -> Parsed<Fact> {
        if self.is("node") {
            self.at += 1;
            let name = self.ident()?;
            let summary = self.eat("*");
            let mut holds = Vec::new();
            if self.eat(":") {
                loop {
                    let name = self.name()?;
                    holds.push((name, self.given()?));
                    if !self.eat(",") {
                        break;
                    }
                }
            }
            return Ok(Fact::Node { name, summary, holds });
        }
        let name = self.name()?;
        let mut arguments = Vec::new();
        if self.eat("(") {
            arguments = self.idents(")")?;
            self.sign(")")?;
        }
        Ok(Fact::Value { name, arguments, value: self.given()? })
    }

    /// `= VALUE`, or 1 if nothing is said.
    fn given(&mut self) -> Parsed<Kleene> {
        if self.eat("=") { self.value() } else { Ok(Kleene::True) }
    }

    fn fair(&mut self) -> Parsed<Item> {
        let start = self.peek().span;
        self.at += 1;
        let strong = self.eat("strong");
        if !strong && !self.eat("weak") {
            return self.unexpected("`weak` or `strong`");
        }
        let mut actions = vec![self.name()?];
        while self.eat(",") {
            actions.push(self.name()?);
        }
        let who = if self.eat("by") { Some(self.name()?) } else { None };
        let last = self.tokens[self.at - 1].span;
        Ok(Item::Fair { span: start.to(last), strong, actions, who })
    }

    fn value(&mut self) -> Parsed<Kleene> {
        match self.peek().text {
            "0" => {
                self.at += 1;
                Ok(Kleene::False)
            }
            "1" => {
                self.at += 1;
                if self.is("/") && self.is_at(1, "2") {
                    self.at += 2;
                    return Ok(Kleene::Half);
                }
                Ok(Kleene::True)
            }
            _ => self.unexpected("0, 1 or 1/2"),
        }
    }

    /// `(x in S)`, or without brackets.
    fn over(&mut self) -> Parsed<(Ident, Ident)> {
        let bracket = self.eat("(");
        let variable = self.ident()?;
        if !self.eat("in") {
            return self.unexpected("`in`");
        }
        let set = self.ident()?;
        if bracket {
            self.sign(")")?;
        }
        Ok((variable, set))
    }

    // Formulas, from weak to strong: <-> -> | & ! atoms. A quantifier reaches as far as it can.

    fn expr(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEPTH {
            self.depth -= 1;
            return self.unexpected("a formula that is not nested so deeply");
        }
        let result = self.choice();
        self.depth -= 1;
        result
    }

    fn choice(&mut self) -> Parsed<Expr> {
        let condition = self.iff()?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let then = self.expr()?;
        self.sign(":")?;
        let otherwise = self.expr()?;
        let span = condition.span.to(otherwise.span);
        Ok(Expr { span, kind: ExprKind::Choice(Box::new([condition, then, otherwise])) })
    }

    fn iff(&mut self) -> Parsed<Expr> {
        let mut left = self.implies()?;
        while self.eat("<->") {
            left = join(ExprKind::Iff, left, self.implies()?);
        }
        Ok(left)
    }

    fn implies(&mut self) -> Parsed<Expr> {
        let left = self.or()?;
        if self.eat("->") { Ok(join(ExprKind::Implies, left, self.implies()?)) } else { Ok(left) }
    }

    fn or(&mut self) -> Parsed<Expr> {
        let mut left = self.and()?;
        while self.eat("|") || self.eat("||") {
            left = join(ExprKind::Or, left, self.and()?);
        }
        Ok(left)
    }

    fn and(&mut self) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while self.eat("&") || self.eat("&&") {
            left = join(ExprKind::And, left, self.unary()?);
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.peek().span;
        if self.eat("!") {
            self.depth += 1;
            let inner = if self.depth > DEPTH { self.unexpected("a shorter formula") } else { self.unary() };
            self.depth -= 1;
            let inner = inner?;
            return Ok(Expr { span: start.to(inner.span), kind: ExprKind::Not(Box::new(inner)) });
        }
        if self.is("exists") || self.is("forall") {
            let all = self.is("forall");
            self.at += 1;
            let variables = self.idents(".")?;
            self.sign(".")?;
            let body = Box::new(self.expr()?);
            return Ok(Expr {
                span: start.to(body.span),
                kind: ExprKind::Quantified { all, variables, body },
            });
        }
        self.primary(start)
    }

    fn primary(&mut self, start: Span) -> Parsed<Expr> {
        if self.eat("(") {
            let inner = self.expr()?;
            let end = self.sign(")")?;
            return Ok(Expr { span: start.to(end), kind: inner.kind });
        }
        if self.peek().kind == Kind::Number {
            let value = self.value()?;
            return Ok(Expr { span: start, kind: ExprKind::Value(value) });
        }
        if (self.is("any") || self.is("all")) && self.is_at(1, "(") && self.is_at(3, "in") {
            return self.over_set(start);
        }
        if self.is("tc") && self.is_at(1, "(") {
            return self.closure(start);
        }
        let name = self.dotted()?;
        let equality = self.is("==") || self.is("!=");
        if equality && name.index.is_empty() {
            let different = self.is("!=");
            self.at += 1;
            let other = self.ident()?;
            let span = start.to(other.span);
            let equal = Expr { span, kind: ExprKind::Equal(name.base, other) };
            let different = different.then(|| ExprKind::Not(Box::new(equal.clone())));
            return Ok(Expr { span, kind: different.unwrap_or(equal.kind) });
        }
        if (self.is("+") || self.is("*")) && self.is_at(1, "(") {
            let reflexive = self.is("*");
            self.at += 2;
            let from = self.ident()?;
            self.sign(",")?;
            let to = self.ident()?;
            let end = self.sign(")")?;
            return Ok(Expr { span: start.to(end), kind: ExprKind::Reach { name, reflexive, from, to } });
        }
        let mut arguments = Vec::new();
        let mut span = name.span;
        if self.eat("(") {
            arguments = self.idents(")")?;
            span = span.to(self.sign(")")?);
        }
        Ok(Expr { span, kind: ExprKind::Atom(name, arguments) })
    }

    fn over_set(&mut self, start: Span) -> Parsed<Expr> {
        let all = self.is("all");
        self.at += 2;
        let variable = self.ident()?;
        self.at += 1;
        let set = self.ident()?;
        self.sign(":")?;
        let body = Box::new(self.expr()?);
        let end = self.sign(")")?;
        Ok(Expr { span: start.to(end), kind: ExprKind::OverSet { all, variable, set, body } })
    }

    fn closure(&mut self, start: Span) -> Parsed<Expr> {
        self.at += 2;
        let from = self.ident()?;
        self.sign(",")?;
        let to = self.ident()?;
        self.sign(")")?;
        self.sign("(")?;
        let x = self.ident()?;
        self.sign(",")?;
        let y = self.ident()?;
        self.sign(":")?;
        let body = Box::new(self.expr()?);
        let end = self.sign(")")?;
        Ok(Expr { span: start.to(end), kind: ExprKind::Closure { from, to, x, y, body } })
    }

    // Small things.

    /// `Main.v`: points between words without room are part of a name, where a formula names a
    /// predicate.
    fn dotted(&mut self) -> Parsed<Name> {
        let mut name = self.name()?;
        let beside = |a: Span, b: Span| a.end == b.start;
        while let Some([point, word]) = self.tokens.get(self.at..self.at + 2)
            && point.text == "."
            && word.kind == Kind::Word
            && name.index.is_empty()
            && beside(name.span, point.span)
            && beside(point.span, word.span)
        {
            name.base.text = format!("{}.{}", name.base.text, word.text);
            name.span = name.span.to(word.span);
            name.base.span = name.span;
            self.at += 2;
        }
        Ok(name)
    }

    fn name(&mut self) -> Parsed<Name> {
        let base = self.ident()?;
        let mut span = base.span;
        let mut index = Vec::new();
        if self.is("[") && self.peek().span.start == base.span.end {
            self.at += 1;
            index = self.idents("]")?;
            span = span.to(self.sign("]")?);
        }
        Ok(Name { base, index, span })
    }

    /// Names with commas between them; none if `end` comes at once.
    fn idents(&mut self, end: &str) -> Parsed<Vec<Ident>> {
        let mut all = Vec::new();
        if !end.is_empty() && self.is(end) {
            return Ok(all);
        }
        loop {
            all.push(self.ident()?);
            if !self.eat(",") {
                return Ok(all);
            }
        }
    }

    fn ident(&mut self) -> Parsed<Ident> {
        let token = self.peek();
        if token.kind != Kind::Word {
            return self.unexpected("a name");
        }
        self.at += 1;
        Ok(Ident { text: token.text.to_string(), span: token.span })
    }

    fn sign(&mut self, sign: &str) -> Parsed<Span> {
        let span = self.peek().span;
        if self.eat(sign) { Ok(span) } else { self.unexpected(&format!("`{sign}`")) }
    }

    fn separator(&mut self) {
        while self.eat(";") {}
    }

    fn eat(&mut self, text: &str) -> bool {
        let eaten = self.is(text);
        self.at += usize::from(eaten);
        eaten
    }

    fn is(&self, text: &str) -> bool {
        self.is_at(0, text)
    }

    fn is_at(&self, ahead: usize, text: &str) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|t| t.text == text && t.kind != Kind::Text)
    }

    fn peek(&self) -> Token<'a> {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let token = self.tokens[self.at.min(self.tokens.len() - 1)];
        let found = if token.kind == Kind::End {
            "the end of the file".to_string()
        } else {
            format!("`{}`", token.text)
        };
        let message = format!("expected {wanted}, found {found}");
        self.diagnostics.push(Diagnostic::error("E0901", token.span, message).label("here"));
        Err(Told)
    }
}

fn join(kind: fn(Box<Expr>, Box<Expr>) -> ExprKind, a: Expr, b: Expr) -> Expr {
    Expr { span: a.span.to(b.span), kind: kind(Box::new(a), Box::new(b)) }
}
