//! Tokens to syntax tree: a recursive-descent parser after the grammar of SPIN 6.5.2 (spin.y).
//!
//! It never fails: what it cannot read becomes a diagnostic and an `Error` node, and it goes on
//! behind the next separator or with the next unit. Nesting is bounded, so that no input exhausts
//! the stack.

mod declarations;
mod expressions;
mod formulas;
mod inlines;
mod messages;
mod statements;
mod units;
pub(crate) mod words;

use std::collections::{HashMap, HashSet};

use source::{Diagnostic, Span};

use crate::ast::{Expr, ExprKind, Ident, Program};
use crate::token::{Name, Token, TokenKind};
use inlines::{Active, Inline};

/// How deep blocks, parentheses and inline calls may nest in each other.
pub const MAX_NESTING: usize = 220;
/// After this many errors the rest is not read.
const MAX_ERRORS: usize = 40;

/// The syntax tree of a preprocessed text that ends with an `End` token.
pub fn parse(tokens: Vec<Token>) -> (Program, Vec<Diagnostic>) {
    let (tokens, diagnostics) = crate::separators::complete(tokens);
    let mut parser = Parser::new(tokens, diagnostics);
    let program = parser.program();
    (program, parser.diagnostics)
}

/// The error has been reported; go on somewhere else.
struct Abandoned;

type Parsed<T> = Result<T, Abandoned>;

struct Parser {
    /// The text being read: the program, or the body of an inline. Ends with `End`.
    tokens: Vec<Token>,
    at: usize,
    last: Span,
    nesting: usize,
    diagnostics: Vec<Diagnostic>,
    gave_up: bool,
    inlines: HashMap<Name, Inline>,
    /// The inlines being read, outermost first.
    active: Vec<Active>,
    /// How many tokens inlines may still expand to.
    inline_budget: usize,
    /// Proctypes met so far: at the start of a statement `P:` is a remote reference if `P` is one,
    /// else a label.
    proctypes: HashSet<Name>,
    /// All proctypes: inside an expression `P:` can only be a remote reference.
    all_proctypes: HashSet<Name>,
    in_formula: bool,
}

impl Parser {
    fn new(mut tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Parser {
        if !tokens.last().is_some_and(Token::is_end) {
            let nowhere = Span::new(source::FileId(0), 0, 0);
            let end = tokens.last().map_or(nowhere, |last| last.span.after());
            tokens.push(Token::new(TokenKind::End, end));
        }
        let pairs = tokens.windows(2).filter(|pair| pair[0].is("proctype") || pair[0].is("D_proctype"));
        let all_proctypes = pairs.filter_map(|pair| pair[1].name().cloned()).collect();
        Parser {
            last: tokens[0].span,
            tokens,
            at: 0,
            nesting: 0,
            diagnostics,
            gave_up: false,
            inlines: HashMap::new(),
            active: vec![],
            inline_budget: 1_000_000,
            proctypes: HashSet::new(),
            all_proctypes,
            in_formula: false,
        }
    }

    // The cursor. Reading past the end gives `End` again and again.

    fn peek(&self) -> &Token {
        self.ahead(0)
    }

    fn ahead(&self, distance: usize) -> &Token {
        &self.tokens[(self.at + distance).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.peek().span
    }

    fn is(&self, word: &str) -> bool {
        self.peek().is(word)
    }

    fn is_any(&self, words: &[&str]) -> bool {
        words.contains(&self.peek().word())
    }

    fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        self.last = token.span;
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn accept(&mut self, word: &str) -> bool {
        let found = self.is(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, word: &str) -> Parsed<Span> {
        if self.is(word) {
            return Ok(self.bump().span);
        }
        self.unexpected(&format!("`{word}`"))
    }

    fn is_name(&self, distance: usize) -> bool {
        self.ahead(distance).name().is_some_and(|name| !words::is_reserved(name))
    }

    fn name(&mut self, what: &str) -> Parsed<Ident> {
        match self.peek().name() {
            Some(name) if !words::is_reserved(name) => {
                let name = name.clone();
                Ok(Ident { name, span: self.bump().span })
            }
            Some(name) => {
                let message = format!("`{name}` is a reserved word and cannot be {what}");
                self.fail(Diagnostic::error("E0202", self.span(), message))
            }
            None => self.unexpected(what),
        }
    }

    /// Skips separators; true if there was one.
    fn separators(&mut self) -> bool {
        let before = self.at;
        while self.is_any(&[";", "->"]) {
            self.bump();
        }
        self.at > before
    }

    // Errors.

    /// Reports an error, unless one was reported at the same place before.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.gave_up {
            return;
        }
        let same = |other: &Diagnostic| other.is_error() && other.primary.span == diagnostic.primary.span;
        if diagnostic.is_error() && self.diagnostics.last().is_some_and(same) {
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count() >= MAX_ERRORS {
            self.gave_up = true;
            self.at = self.tokens.len() - 1;
        }
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parsed<T> {
        self.report(diagnostic);
        Err(Abandoned)
    }

    fn unexpected<T>(&mut self, expected: &str) -> Parsed<T> {
        let token = self.peek();
        let understood = token.is(";") && token.span.start == token.span.end;
        let found = if understood { "the end of the statement".to_string() } else { token.describe() };
        let mut diagnostic =
            Diagnostic::error("E0201", token.span, format!("expected {expected}, found {found}"));
        if let Some(origin) = token.origin {
            diagnostic = diagnostic.also(origin, "comes from this macro");
        }
        if let Some(Active { call, name, .. }) = self.active.last() {
            diagnostic =
                diagnostic.also(*call, format!("while reading the body of inline `{name}`, called here"));
        }
        self.fail(diagnostic)
    }

    /// Runs a part of the parser one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting >= MAX_NESTING {
            let message = format!("nested too deeply (more than {MAX_NESTING} levels)");
            return self.fail(Diagnostic::error("E0203", self.span(), message));
        }
        self.nesting += 1;
        let result = read(self);
        self.nesting -= 1;
        result
    }

    /// Makes an expression; one that is too high becomes an error.
    fn expr(&mut self, kind: ExprKind, span: Span) -> Expr {
        Expr::new(kind, span).unwrap_or_else(|| {
            self.report(Diagnostic::error("E0204", span, "expression is too long"));
            Expr::error(span)
        })
    }

    /// Skips to the end of the broken statement: a separator or closing word at the same level, or
    /// the next unit.
    fn skip_statement(&mut self) {
        let mut open = 0_usize;
        while !self.peek().is_end() {
            match self.peek().word() {
                "{" | "(" | "[" | "if" | "do" => open += 1,
                "}" | "fi" | "od" | "::" | ";" | "->" if open == 0 => return,
                "}" | ")" | "]" | "fi" | "od" => open = open.saturating_sub(1),
                "proctype" | "D_proctype" | "init" | "never" => return,
                _ => {}
            }
            self.bump();
        }
    }

    /// Skips `open … close`, if it stands here.
    fn skip_group(&mut self, open: &str, close: &str) {
        if !self.is(open) {
            return;
        }
        let mut depth = 0_usize;
        while !self.peek().is_end() {
            let token = self.bump();
            depth += usize::from(token.is(open));
            depth -= usize::from(token.is(close));
            if depth == 0 {
                return;
            }
        }
    }

    /// `c_code { … }` and its kin: one diagnostic, then on.
    fn embedded_c<T>(&mut self) -> Parsed<T> {
        let word = self.bump();
        let message = format!("embedded C is not supported: {}", word.describe());
        let diagnostic = Diagnostic::error("E0207", word.span, message);
        let help = "express the computation in Promela: `d_step` makes several statements one step";
        self.report(diagnostic.label("C code cannot be checked exhaustively").help(help));
        self.skip_group("[", "]");
        self.skip_group("{", "}");
        while matches!(self.peek().kind, TokenKind::Text(_)) {
            self.bump();
        }
        Err(Abandoned)
    }
}

#[cfg(test)]
mod tests;
