//! Tokens to syntax tree, by recursive descent.
//!
//! It never fails: what it cannot read becomes a diagnostic and an `Error` node, and it goes on
//! behind the next separator. Nesting is bounded, so that no input exhausts the stack.

mod declarations;
mod expressions;
mod files;
mod proofs;
mod statements;
mod transitions;

use crate::ast::{Expr, ExprKind, File, Ident};
use crate::lexer::{Token, TokenKind};
use source::{Diagnostic, Span};

const MAX_NESTING: usize = 200;
/// Operators of one formula: `a + b + c` is as deep as it is long.
const MAX_OPERATORS: usize = 20_000;
/// After this many errors the rest is not read.
const MAX_ERRORS: usize = 40;

/// Words that name nothing.
const RESERVED: &[&str] = &[
    "in",
    "local",
    "out",
    "value",
    "where",
    "if",
    "then",
    "else",
    "while",
    "do",
    "loop",
    "forever",
    "when",
    "or",
    "await",
    "request",
    "release",
    "produce",
    "consume",
    "choose",
    "skip",
    "noncritical",
    "critical",
    "idle",
    "array",
    "of",
    "channel",
    "record",
    "Forall",
    "Exists",
    "true",
    "false",
    "div",
    "mod",
    "Until",
    "Awaits",
    "Unless",
    "Since",
    "Backto",
    "AXIOM",
    "PROPERTY",
    "PROOF",
    "SPEC",
    "type",
    "macro",
    "Transition",
    "Initially",
    "by",
    "rank",
    "using",
];

/// The syntax tree of a text that ends with an `End` token.
pub fn parse(tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> (File, Vec<Diagnostic>) {
    let mut parser = Parser {
        tokens,
        at: 0,
        nesting: 0,
        operators: 0,
        formulas: 0,
        groups: 0,
        diagnostics,
        gave_up: false,
    };
    let file = parser.file();
    (file, parser.diagnostics)
}

/// The syntax tree of one formula, and nothing behind it.
pub fn parse_formula(tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> (Expr, Vec<Diagnostic>) {
    let mut parser = Parser {
        tokens,
        at: 0,
        nesting: 0,
        operators: 0,
        formulas: 0,
        groups: 0,
        diagnostics,
        gave_up: false,
    };
    let formula = parser.formula_or_error();
    if !parser.at_end() && parser.diagnostics.is_empty() {
        parser.expected("the end of the formula");
    }
    (formula, parser.diagnostics)
}

/// The error has been reported; go on somewhere else.
struct Abandoned;

type Parsed<T> = Result<T, Abandoned>;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
    /// How many operators the formula being read has so far, and how many formulas are open inside
    /// each other.
    operators: usize,
    formulas: usize,
    /// How many grouped statements are open: in them `>` may close.
    groups: usize,
    diagnostics: Vec<Diagnostic>,
    gave_up: bool,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> &Token {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.peek().span
    }

    /// The span of what was read since `start`.
    fn since(&self, start: Span) -> Span {
        if self.at == 0 { start } else { start.to(self.tokens[self.at - 1].span) }
    }

    fn is(&self, text: &str) -> bool {
        self.peek().text() == text
    }

    fn is_any(&self, texts: &[&str]) -> bool {
        texts.contains(&self.peek().text())
    }

    fn at_end(&self) -> bool {
        self.gave_up || self.peek().kind == TokenKind::End
    }

    fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.is(text);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, text: &str) -> Parsed<Span> {
        if self.is(text) { Ok(self.bump().span) } else { Err(self.expected(&format!("`{text}`"))) }
    }

    fn ident(&mut self) -> Parsed<Ident> {
        match self.peek().word() {
            Some(word) if !RESERVED.contains(&&**word) => {
                let name = word.clone();
                Ok(Ident { name, span: self.bump().span })
            }
            _ => Err(self.expected("a name")),
        }
    }

    fn is_ident(&self, distance: usize) -> bool {
        self.ahead(distance).word().is_some_and(|word| !RESERVED.contains(&&**word))
    }

    /// Names with commas between them.
    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = vec![self.ident()?];
        while self.accept(",") {
            names.push(self.ident()?);
        }
        Ok(names)
    }

    fn expected(&mut self, what: &str) -> Abandoned {
        let found = match &self.peek().kind {
            TokenKind::End => "the end of the text".to_string(),
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Number(digits) => format!("`{digits}`"),
            TokenKind::Sign(sign) => format!("`{sign}`"),
        };
        let diagnostic = Diagnostic::error("E0703", self.span(), format!("expected {what}, found {found}"));
        self.report(diagnostic.label(format!("{what} expected here")))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Abandoned {
        // One error for one place.
        if !self.diagnostics.iter().any(|d| d.primary.span == diagnostic.primary.span) {
            self.diagnostics.push(diagnostic);
        }
        self.gave_up |= self.diagnostics.len() >= MAX_ERRORS;
        Abandoned
    }

    /// Reads something one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let span = self.span();
            self.gave_up = true;
            return Err(self.report(Diagnostic::error("E0704", span, "nested too deeply")));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Counts an operator of the formula being read.
    fn operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators > MAX_OPERATORS {
            let span = self.span();
            self.gave_up = true;
            let message = format!("a formula with more than {MAX_OPERATORS} operators");
            return Err(self.report(Diagnostic::error("E0704", span, message)));
        }
        Ok(())
    }

    /// Skips to the next of these, which is left to be read.
    fn skip_to(&mut self, stops: &[&str]) {
        while !self.at_end() && !self.is_any(stops) {
            self.bump();
        }
    }

    fn formula_or_error(&mut self) -> Expr {
        let start = self.span();
        let read = self.formula();
        read.unwrap_or_else(|Abandoned| Expr { kind: ExprKind::Error, span: self.since(start) })
    }
}
