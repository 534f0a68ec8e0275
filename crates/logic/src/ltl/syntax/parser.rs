//! The operands of formulas in all three syntaxes: everything that is no operator goes into atoms.

use source::{Abandoned, Cursor, Descent, Diagnostic, Language, Parsed, Span, Token, TokenKind};

use super::super::{Binary, Unary};
use super::operands::{Operands, formula};
use super::tokens::{Read, Tokens};
use super::tree::{MAX_HEIGHT, Node, Tree};
use super::{Infix, Operator, Syntax};

/// Brackets, prefixes and right operands inside one another are bounded.
const LANGUAGE: Language = Language { too_deep: "E0404", ..Language::PLAIN };

/// Reads a whole text in one syntax.
pub(super) fn parse(tokens: &Tokens, syntax: Syntax) -> Read<Tree> {
    let mut parser = Parser { cursor: Cursor::new(tokens.all.clone(), &LANGUAGE), tokens, syntax };
    let tree = formula(&mut parser, 0);
    match tree {
        Ok(tree) if parser.at_end() => return Ok(tree),
        Ok(_) => drop(parser.not_here::<()>("an operator, or the end")),
        Err(Abandoned) => {}
    }
    Err(parser.cursor.diagnostics)
}

struct Parser<'a> {
    cursor: Cursor,
    tokens: &'a Tokens<'a>,
    syntax: Syntax,
}

source::reads_tokens!(Parser<'_>);

/// An atom that was found, not read yet.
struct Extent {
    /// The token behind it.
    end: usize,
    /// It has an operator of the host in it, other than before or behind a single operand.
    compound: bool,
}

/// What was looked for, or why it is not there.
type Found<T> = Result<T, Box<Diagnostic>>;

/// Also one that no syntax knows.
fn is_sign(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Sign(_) | TokenKind::Bad(_))
}

impl Parser<'_> {
    fn token(&self, at: usize) -> &Token {
        &self.tokens.all[at.min(self.tokens.all.len() - 1)]
    }

    fn wrong<T>(&self, code: &'static str, at: usize, message: impl Into<String>, label: &str) -> Found<T> {
        Err(Diagnostic::error(code, self.token(at).span, message).label(label).into())
    }

    fn not_here<T>(&mut self, wanted: &str) -> Parsed<T> {
        let message = format!("{} is not expected here", self.peek().describe());
        self.found(|this| this.wrong("E0403", this.at, message, wanted))
    }

    /// What is not found is reported.
    fn found<T>(&mut self, look: impl FnOnce(&Self) -> Found<T>) -> Parsed<T> {
        look(self).or_else(|problem| self.fail(*problem))
    }

    fn node(&mut self, node: Node, span: Span) -> Parsed<Tree> {
        Tree::new(node, span).ok_or(Abandoned).or_else(|_| {
            let message = format!("more than {MAX_HEIGHT} operators in a row");
            self.fail(Diagnostic::error("E0404", span, message))
        })
    }

    fn infix_at(&self, at: usize) -> Option<Operator> {
        self.syntax.infix(self.token(at).text())
    }

    /// The prefix operator here, if it is one.
    fn prefix_here(&self) -> Found<Option<Unary>> {
        let text = self.peek().text();
        let op = self.syntax.prefix(text);
        let word = self.peek().name().is_some();
        if word && !self.works_on_something(self.at) {
            return Ok(None);
        }
        if op.is_none() && word {
            return self.foreign(text);
        }
        // `!x == 1` compares `!x`, as in C. In a row of negations the first one has looked already.
        let first = self.at == 0 || !self.token(self.at - 1).is("!");
        if text == "!" && first && self.extent(self.at).is_ok_and(|extent| extent.compound) {
            return Ok(None);
        }
        Ok(op)
    }

    /// Does an operand follow this word, so that it can be an operator? `X > 1` is about a
    /// variable X.
    fn works_on_something(&self, at: usize) -> bool {
        let next = self.token(at + 1);
        match &next.kind {
            TokenKind::Number(_) | TokenKind::Text(_) => true,
            // In `X U p` the variable is X. A longer word is never a name.
            TokenKind::Word(_) => self.token(at).text().len() > 1 || self.infix_at(at + 1).is_none(),
            TokenKind::Sign("[") => !self.token(at).joint,
            TokenKind::Sign("(" | "~") => true,
            TokenKind::Sign(sign) => {
                let prefix = |syntax: &Syntax| syntax.prefix(sign).is_some();
                Syntax::ALL.iter().any(prefix) && self.syntax.infix(sign).is_none()
            }
            _ => false,
        }
    }

    /// A prefix operator of another syntax only.
    fn foreign(&self, word: &str) -> Found<Option<Unary>> {
        match Syntax::ALL.iter().find(|syntax| syntax.prefix(word).is_some()) {
            None => Ok(None),
            Some(other) => {
                let message = format!("`{word}` is not an operator in the {} syntax", self.syntax.name());
                let label = format!("it is one in the {} syntax", other.name());
                self.wrong("E0405", self.at, message, &label)
            }
        }
    }

    /// Can nothing of the host follow an operand that ends before this token?
    fn ends_operand(&self, at: usize) -> bool {
        let token = self.token(at);
        token.is_end() || self.infix_at(at).is_some() || matches!(token.text(), ")" | "]" | "}")
    }

    /// How far the atom that begins here reaches: operands of the host and its operators between
    /// them.
    fn extent(&self, start: usize) -> Found<Extent> {
        let (mut at, mut operand, mut compound) = (start, true, false);
        loop {
            let token = self.token(at);
            let text = token.text();
            if !operand && self.ends_operand(at) {
                return Ok(Extent { end: at, compound });
            }
            match token.kind {
                TokenKind::End => {
                    return self.wrong("E0403", at, "the formula ends too early", "an operand is missing");
                }
                _ if operand && (self.joins(at) || matches!(text, ")" | "]" | "}")) => {
                    return self.wrong(
                        "E0403",
                        at,
                        format!("`{text}` is not expected here"),
                        "an operand is missing",
                    );
                }
                _ if matches!(text, "(" | "[" | "{") => {
                    at = self.tokens.closing[at];
                    operand = false;
                }
                _ if matches!(text, "()" | "[]") && !operand => {}
                _ if operand && at > start && self.is_temporal(at) => {
                    let message = "a temporal formula has no value to compute with";
                    return self.wrong("E0406", at, message, "an operand of the host language is expected");
                }
                _ if is_sign(token) && operand => self.symbol_before_operand(at, text)?,
                _ if is_sign(token) => {
                    self.refuse(at, text)?;
                    compound |= !matches!(text, "." | "@" | ":" | "?" | "??");
                    operand = true;
                }
                TokenKind::Word(_) if !operand && matches!(text, "mod" | "div" | "rem" | "in") => {
                    compound = true;
                    operand = true;
                }
                _ if operand => operand = false,
                _ => return self.side_by_side(at),
            }
            at += 1;
        }
    }

    /// Is this a binary operator where an operand should be? A letter is a name there if it goes on
    /// as one: `B@L`, `M == 0`.
    fn joins(&self, at: usize) -> bool {
        let letter = self.token(at).name().is_some() && self.token(at).text().len() == 1;
        let goes_on =
            is_sign(self.token(at + 1)) && !self.works_on_something(at) && !self.ends_operand(at + 1);
        self.infix_at(at).is_some() && !(letter && goes_on)
    }

    /// Is there a temporal prefix operator here?
    fn is_temporal(&self, at: usize) -> bool {
        let token = self.token(at);
        let found = |syntax: &Syntax| syntax.prefix(token.text()).is_some_and(|op| op != Unary::Not);
        match token.kind {
            TokenKind::Sign(_) => Syntax::ALL.iter().any(found),
            TokenKind::Word(_) => found(&self.syntax) && self.works_on_something(at),
            _ => false,
        }
    }

    /// Signs and negations of the host may stand before its operands; operators of other syntaxes
    /// may not.
    fn symbol_before_operand(&self, at: usize, text: &str) -> Found<()> {
        match text {
            "[]" | "<>" | "()" | "(-)" | "(~)" | "[-]" | "<->" => {
                let message = format!("`{text}` is not an operator in the {} syntax", self.syntax.name());
                self.wrong("E0405", at, message, "an operand is expected")
            }
            "," | ";" => {
                self.wrong("E0403", at, format!("`{text}` is not expected here"), "an operand is missing")
            }
            "!" | "~" => Ok(()),
            _ => self.refuse(at, text),
        }
    }

    /// Symbols that are operators of another syntax, or could be two.
    fn refuse(&self, at: usize, text: &str) -> Found<()> {
        if text == "=>" {
            let message = "`=>` means implication to some and entailment to others";
            let span = self.token(at).span;
            let diagnostic = Diagnostic::error("E0405", span, message);
            return Err(diagnostic.help("write `->` for implication and `==>` for entailment").into());
        }
        if matches!(text, "," | ";" | "!" | "~" | "<>") {
            return self.wrong("E0403", at, format!("`{text}` is not expected here"), "between two operands");
        }
        let bitwise = matches!(text, "&" | "|");
        match Syntax::ALL.iter().find(|syntax| !bitwise && syntax.infix(text).is_some()) {
            None => Ok(()),
            Some(other) => {
                let message = format!("`{text}` is not an operator in the {} syntax", self.syntax.name());
                let label = format!("it is one in the {} syntax", other.name());
                self.wrong("E0405", at, message, &label)
            }
        }
    }

    /// Two operands without an operator: perhaps one of them is an operator elsewhere.
    fn side_by_side<T>(&self, at: usize) -> Found<T> {
        let foreign = |at: usize, is: fn(Syntax, &str) -> bool| {
            let text = self.token(at).text();
            Syntax::ALL.iter().find(|syntax| is(**syntax, text)).map(|syntax| (at, text, syntax.name()))
        };
        let before =
            at.checked_sub(1).and_then(|at| foreign(at, |syntax, text| syntax.prefix(text).is_some()));
        match before.or(foreign(at, |syntax, text| syntax.infix(text).is_some())) {
            None => {
                let message = format!("an operator is missing before `{}`", self.token(at).text());
                self.wrong("E0403", at, message, "two operands side by side")
            }
            Some((at, text, other)) => {
                let message = format!("`{text}` is not an operator in the {} syntax", self.syntax.name());
                self.wrong("E0405", at, message, &format!("it is one in the {other} syntax"))
            }
        }
    }

    fn quantifier(&self) -> Option<bool> {
        let named = self.ahead(1).name().is_some();
        match self.peek().text() {
            "Forall" if self.syntax == Syntax::Step && named => Some(true),
            "Exists" if self.syntax == Syntax::Step && named => Some(false),
            _ => None,
        }
    }

    /// `Forall i:[1..N]. body`, where the body reaches as far as it can.
    fn quantified(&mut self, forall: bool) -> Parsed<Tree> {
        let start = self.at;
        let dot = self.found(|this| this.dot(start))?;
        let bound = self.token(start + 1).span.to(self.token(dot - 1).span);
        let binder = self.tokens.words(bound).to_owned();
        self.skip(dot + 1 - start);
        let body = formula(self, 0)?;
        let span = self.since(self.token(start).span);
        let node = match body.temporal {
            true => Node::Quantified { forall, binder, body: Box::new(body) },
            false => Node::Atom(self.tokens.words(span).to_owned()),
        };
        self.node(node, span)
    }

    /// The point behind what a quantifier binds.
    fn dot(&self, start: usize) -> Found<usize> {
        let mut dot = start + 1;
        while !self.token(dot).is(".") {
            if self.ends_operand(dot) {
                let help = "`Forall i:[1..N]. p` is one";
                return self.wrong("E0407", start, "the quantifier has no body", help);
            }
            dot = dot.max(self.tokens.closing[dot]) + 1;
        }
        Ok(dot)
    }

    /// A group that is a formula, not the beginning of an atom.
    fn group(&mut self) -> Parsed<Option<Tree>> {
        let close = self.tokens.closing[self.at];
        if !self.is("(") || !self.ends_operand(close + 1) {
            return Ok(None);
        }
        self.advance();
        let tree = self.nested(|this| formula(this, 0))?;
        if self.at != close {
            return self.not_here("an operator, or the closing bracket");
        }
        self.advance();
        Ok(Some(tree))
    }
}

impl Operands for Parser<'_> {
    type Tree = Tree;

    fn prefix(&mut self) -> Parsed<Option<(usize, Unary)>> {
        Ok(self.found(Self::prefix_here)?.map(|op| (1, op)))
    }

    fn infix(&self) -> Option<(usize, Operator)> {
        Some((1, self.infix_at(self.at)?))
    }

    fn operand(&mut self) -> Parsed<Tree> {
        if let Some(forall) = self.quantifier() {
            return self.nested(|this| this.quantified(forall));
        }
        if let Some(tree) = self.group()? {
            return Ok(tree);
        }
        let first = self.peek().clone();
        let start = self.at;
        let extent = self.found(|this| this.extent(start))?;
        self.skip(extent.end - start);
        let span = self.since(first.span);
        let node = match (self.tokens.words(span), first.kind) {
            ("true" | "1", _) => Node::Constant(true),
            ("false" | "0", _) => Node::Constant(false),
            (_, TokenKind::Text(text)) if extent.end == start + 1 => Node::Atom(text.trim().to_owned()),
            (words, _) => Node::Atom(words.to_owned()),
        };
        self.node(node, span)
    }

    fn prefixed(&mut self, op: Unary, start: Span, operand: Tree) -> Parsed<Tree> {
        let span = start.to(operand.span);
        self.node(Node::Unary(op, Box::new(operand)), span)
    }

    fn joined(&mut self, op: Infix, _: Span, [left, right]: [Tree; 2]) -> Parsed<Tree> {
        let span = left.span.to(right.span);
        let binary = |op| Node::Binary(op, Box::new(left), Box::new(right));
        match op {
            Infix::Plain(op) => self.node(binary(op), span),
            Infix::Congruent | Infix::Term(_) => {
                let iff = self.node(binary(Binary::Iff), span)?;
                self.node(Node::Unary(Unary::Always, Box::new(iff)), span)
            }
        }
    }
}
