//! The parser of all three syntaxes: operators by strength, everything else into atoms.

use source::{Diagnostic, Span};

use super::super::{Binary, Unary};
use super::tokens::{Kind, Parsed, Token, Tokens};
use super::tree::{MAX_HEIGHT, Node, Tree};
use super::{Infix, Syntax};

/// Brackets, prefixes and right operands inside one another.
const MAX_NESTING: usize = 200;

/// Reads a whole text in one syntax.
pub(super) fn parse(tokens: &Tokens, syntax: Syntax) -> Parsed<Tree> {
    let mut parser = Parser { tokens, syntax, at: 0, nesting: 0 };
    let tree = parser.formula(0)?;
    match parser.peek().kind {
        Kind::End => Ok(tree),
        _ => {
            let found = parser.peek().text;
            parser.fail(
                "E0403",
                parser.at,
                format!("`{found}` is not expected here"),
                "an operator, or the end",
            )
        }
    }
}

struct Parser<'a> {
    tokens: &'a Tokens<'a>,
    syntax: Syntax,
    at: usize,
    nesting: usize,
}

/// An atom that was found, not read yet.
struct Extent {
    /// The token behind it.
    end: usize,
    /// It has an operator of the host in it, other than before or behind a single operand.
    compound: bool,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens.all[self.at]
    }

    fn token(&self, at: usize) -> Token<'a> {
        self.tokens.all[at.min(self.tokens.all.len() - 1)]
    }

    fn fail<T>(&self, code: &'static str, at: usize, message: impl Into<String>, label: &str) -> Parsed<T> {
        Err(vec![Diagnostic::error(code, self.tokens.span_of(at), message).label(label)])
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Tree>) -> Parsed<Tree> {
        if self.nesting >= MAX_NESTING {
            let message = format!("nested too deeply (more than {MAX_NESTING} levels)");
            return self.fail("E0404", self.at, message, "here");
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    fn node(&self, node: Node, span: Span) -> Parsed<Tree> {
        Tree::new(node, span).ok_or_else(|| {
            let message = format!("more than {MAX_HEIGHT} operators in a row");
            vec![Diagnostic::error("E0404", span, message)]
        })
    }

    /// Operands joined by operators of at least this strength.
    fn formula(&mut self, least: u8) -> Parsed<Tree> {
        let mut left = self.prefixed()?;
        while let Some(operator) = self.infix(self.at).filter(|operator| operator.strength >= least) {
            self.at += 1;
            let above = operator.strength + u8::from(operator.to_the_left);
            let right = self.nested(|this| this.formula(above))?;
            let span = left.span.to(right.span);
            let binary = |op| Node::Binary(op, Box::new(left), Box::new(right));
            left = match operator.infix {
                Infix::Plain(op) => self.node(binary(op), span)?,
                Infix::Congruent => {
                    let iff = self.node(binary(Binary::Iff), span)?;
                    self.node(Node::Unary(Unary::Always, Box::new(iff)), span)?
                }
            };
        }
        Ok(left)
    }

    fn infix(&self, at: usize) -> Option<super::Operator> {
        let token = self.token(at);
        matches!(token.kind, Kind::Word | Kind::Symbol).then(|| self.syntax.infix(token.text))?
    }

    fn prefixed(&mut self) -> Parsed<Tree> {
        let start = self.at;
        let Some(op) = self.prefix()? else { return self.operand() };
        self.at += 1;
        let operand = self.nested(Self::prefixed)?;
        let span = self.tokens.span_of(start).to(operand.span);
        self.node(Node::Unary(op, Box::new(operand)), span)
    }

    /// The prefix operator here, if it is one.
    fn prefix(&self) -> Parsed<Option<Unary>> {
        let Token { kind, text, .. } = self.peek();
        let op = self.syntax.prefix(text).filter(|_| matches!(kind, Kind::Word | Kind::Symbol));
        if kind == Kind::Word && !self.works_on_something(self.at) {
            return Ok(None);
        }
        if op.is_none() && kind == Kind::Word {
            return self.foreign(text);
        }
        // `!x == 1` compares `!x`, as in C. In a row of negations the first one has looked already.
        let first = self.at == 0 || self.token(self.at - 1).text != "!";
        if text == "!" && first && self.extent(self.at).is_ok_and(|extent| extent.compound) {
            return Ok(None);
        }
        Ok(op)
    }

    /// Does an operand follow this word, so that it can be an operator? `X > 1` is about a
    /// variable X.
    fn works_on_something(&self, at: usize) -> bool {
        let next = self.token(at + 1);
        match next.kind {
            Kind::Number | Kind::Quoted => true,
            // In `X U p` the variable is X. A longer word is never a name.
            Kind::Word => self.token(at).text.len() > 1 || self.infix(at + 1).is_none(),
            Kind::Symbol if next.text == "[" => !next.joint,
            Kind::Symbol => {
                next.text == "("
                    || next.text == "~"
                    || Syntax::ALL.iter().any(|syntax| {
                        syntax.prefix(next.text).is_some() && self.syntax.infix(next.text).is_none()
                    })
            }
            Kind::End => false,
        }
    }

    /// A prefix operator of another syntax only.
    fn foreign(&self, word: &str) -> Parsed<Option<Unary>> {
        match Syntax::ALL.iter().find(|syntax| syntax.prefix(word).is_some()) {
            None => Ok(None),
            Some(other) => {
                let message = format!("`{word}` is no operator in the {} syntax", self.syntax.name());
                let label = format!("it is one in the {} syntax", other.name());
                self.fail("E0405", self.at, message, &label)
            }
        }
    }

    fn operand(&mut self) -> Parsed<Tree> {
        let start = self.at;
        let token = self.peek();
        if let Some(forall) = self.quantifier() {
            return self.nested(|this| this.quantified(forall));
        }
        if token.kind == Kind::Symbol && token.text == "(" {
            let close = self.tokens.closing[start];
            if self.ends_operand(close + 1) {
                self.at += 1;
                let tree = self.nested(|this| this.formula(0))?;
                if self.at != close {
                    let found = self.peek().text;
                    let message = format!("`{found}` is not expected here");
                    return self.fail("E0403", self.at, message, "an operator, or the closing bracket");
                }
                self.at += 1;
                return Ok(tree);
            }
        }
        let extent = self.extent(start)?;
        self.at = extent.end;
        let end = self.token(extent.end - 1).end();
        let text = self.tokens.text[token.start..end].trim();
        let node = match text {
            "true" | "1" => Node::Constant(true),
            "false" | "0" => Node::Constant(false),
            _ if token.kind == Kind::Quoted && extent.end == start + 1 => {
                Node::Atom(text.trim_matches('"').trim().to_owned())
            }
            _ => Node::Atom(text.to_owned()),
        };
        self.node(node, self.tokens.span(token.start, end))
    }

    /// Can nothing of the host follow an operand that ends before this token?
    fn ends_operand(&self, at: usize) -> bool {
        let token = self.token(at);
        token.kind == Kind::End
            || self.infix(at).is_some()
            || token.kind == Kind::Symbol && matches!(token.text, ")" | "]" | "}")
    }

    /// How far the atom that begins here reaches: operands of the host and its operators between
    /// them.
    fn extent(&self, start: usize) -> Parsed<Extent> {
        let (mut at, mut operand, mut compound) = (start, true, false);
        loop {
            let Token { kind, text, .. } = self.token(at);
            let group = kind == Kind::Symbol && matches!(text, "(" | "[" | "{");
            let empty = kind == Kind::Symbol && matches!(text, "()" | "[]");
            if !operand && self.ends_operand(at) {
                return Ok(Extent { end: at, compound });
            }
            match kind {
                Kind::End => {
                    return self.fail("E0403", at, "the formula ends too early", "an operand is missing");
                }
                _ if operand && (self.infix(at).is_some() || matches!(text, ")" | "]" | "}")) => {
                    return self.fail(
                        "E0403",
                        at,
                        format!("`{text}` is not expected here"),
                        "an operand is missing",
                    );
                }
                _ if group => {
                    at = self.tokens.closing[at];
                    operand = false;
                }
                _ if empty && !operand => {}
                _ if operand && at > start && self.is_temporal(at) => {
                    let message = "a temporal formula has no value to compute with";
                    return self.fail("E0406", at, message, "an operand of the host language is expected");
                }
                Kind::Symbol if operand => self.symbol_before_operand(at, text)?,
                Kind::Symbol => {
                    self.refuse(at, text)?;
                    compound |= !matches!(text, "." | "@" | ":" | "?" | "??");
                    operand = true;
                }
                Kind::Word if !operand && matches!(text, "mod" | "div" | "rem" | "in") => {
                    compound = true;
                    operand = true;
                }
                _ if operand => operand = false,
                _ => return self.side_by_side(at),
            }
            at += 1;
        }
    }

    /// Is there a temporal prefix operator here?
    fn is_temporal(&self, at: usize) -> bool {
        let Token { kind, text, .. } = self.token(at);
        let found = |syntax: &Syntax| syntax.prefix(text).is_some_and(|op| op != Unary::Not);
        match kind {
            Kind::Symbol => Syntax::ALL.iter().any(found),
            Kind::Word => found(&self.syntax) && self.works_on_something(at),
            _ => false,
        }
    }

    /// Signs and negations of the host may stand before its operands; operators of other syntaxes
    /// may not.
    fn symbol_before_operand(&self, at: usize, text: &str) -> Parsed<()> {
        match text {
            "[]" | "<>" | "()" | "(-)" | "(~)" | "[-]" | "<->" => {
                let message = format!("`{text}` is no operator in the {} syntax", self.syntax.name());
                self.fail("E0405", at, message, "an operand is expected")
            }
            "," | ";" => {
                self.fail("E0403", at, format!("`{text}` is not expected here"), "an operand is missing")
            }
            "!" | "~" => Ok(()),
            _ => self.refuse(at, text),
        }
    }

    /// Symbols that are operators of another syntax, or could be two.
    fn refuse(&self, at: usize, text: &str) -> Parsed<()> {
        if text == "=>" {
            let message = "`=>` means implication to some and entailment to others";
            let span = self.tokens.span_of(at);
            let diagnostic = Diagnostic::error("E0405", span, message);
            return Err(vec![diagnostic.help("write `->` for implication and `==>` for entailment")]);
        }
        if matches!(text, "," | ";" | "!" | "~" | "<>") {
            return self.fail("E0403", at, format!("`{text}` is not expected here"), "between two operands");
        }
        let bitwise = matches!(text, "&" | "|");
        match Syntax::ALL.iter().find(|syntax| !bitwise && syntax.infix(text).is_some()) {
            None => Ok(()),
            Some(other) => {
                let message = format!("`{text}` is no operator in the {} syntax", self.syntax.name());
                let label = format!("it is one in the {} syntax", other.name());
                self.fail("E0405", at, message, &label)
            }
        }
    }

    /// Two operands without an operator: perhaps one of them is an operator elsewhere.
    fn side_by_side<T>(&self, at: usize) -> Parsed<T> {
        let foreign = |at: usize, is: fn(Syntax, &str) -> bool| {
            let text = self.token(at).text;
            Syntax::ALL.iter().find(|syntax| is(**syntax, text)).map(|syntax| (at, text, syntax.name()))
        };
        let before =
            at.checked_sub(1).and_then(|at| foreign(at, |syntax, text| syntax.prefix(text).is_some()));
        match before.or(foreign(at, |syntax, text| syntax.infix(text).is_some())) {
            None => {
                let message = format!("an operator is missing before `{}`", self.token(at).text);
                self.fail("E0403", at, message, "two operands side by side")
            }
            Some((at, text, other)) => {
                let message = format!("`{text}` is no operator in the {} syntax", self.syntax.name());
                self.fail("E0405", at, message, &format!("it is one in the {other} syntax"))
            }
        }
    }

    fn quantifier(&self) -> Option<bool> {
        let named = self.token(self.at + 1).kind == Kind::Word;
        match self.peek().text {
            "Forall" if self.syntax == Syntax::Step && named => Some(true),
            "Exists" if self.syntax == Syntax::Step && named => Some(false),
            _ => None,
        }
    }

    /// `Forall i:[1..N]. body`, where the body reaches as far as it can.
    fn quantified(&mut self, forall: bool) -> Parsed<Tree> {
        let start = self.at;
        let mut dot = start + 1;
        while self.token(dot).text != "." {
            if self.ends_operand(dot) {
                return self.fail(
                    "E0407",
                    start,
                    "the quantifier has no body",
                    "`Forall i:[1..N]. p` is one",
                );
            }
            dot = if self.tokens.closing[dot] > dot { self.tokens.closing[dot] + 1 } else { dot + 1 };
        }
        let binder = self.tokens.text[self.token(start + 1).start..self.token(dot).start].trim().to_owned();
        self.at = dot + 1;
        let body = self.formula(0)?;
        let (from, to) = (self.peek_start(start), self.token(self.at - 1).end());
        let span = self.tokens.span(from, to);
        let node = match body.temporal {
            true => Node::Quantified { forall, binder, body: Box::new(body) },
            false => Node::Atom(self.tokens.text[from..to].to_owned()),
        };
        self.node(node, span)
    }

    fn peek_start(&self, at: usize) -> usize {
        self.token(at).start
    }
}
