//! Tokens to syntax tree: a recursive-descent parser after the grammar of SPIN 6.5.2 (spin.y).
//!
//! It never fails: what it cannot read becomes a diagnostic and an `Error` node, and it goes on
//! behind the next separator or with the next unit. Nesting is bounded, so that no input exhausts
//! the stack.

mod declarations;
mod expressions;
mod formulas;
mod hints;
mod inlines;
mod messages;
mod statements;
mod units;
pub(crate) mod words;

use std::collections::{HashMap, HashSet};

use source::{Abandoned, Cursor, Diagnostic, Language, Name, Parsed, Recorder, Span, Token, TokenKind};

use crate::ast::{Expr, ExprKind, Program};
use inlines::{Active, Inline};

/// What is said of mistakes; and how deep blocks, parentheses and inline calls may nest in each
/// other.
const LANGUAGE: Language = Language {
    unexpected: "E0201",
    reserved: words::RESERVED,
    misnamed: Some("E0202"),
    too_deep: "E0203",
    levels: MAX_NESTING,
    hint: hints::hint,
    ..Language::PLAIN
};

pub const MAX_NESTING: usize = 220;

/// The syntax tree of a preprocessed text that ends with an `End` token, and the inlines.
pub fn parse(tokens: Vec<Token>) -> (Program, Vec<Diagnostic>, Recorder) {
    let (tokens, diagnostics) = crate::separators::complete(tokens);
    let mut parser = Parser::new(tokens);
    parser.diagnostics = diagnostics;
    let program = parser.program();
    (program, parser.cursor.diagnostics, parser.names)
}

struct Parser {
    /// In the program, or in the body of an inline.
    cursor: Cursor,
    inlines: HashMap<Name, Inline>,
    /// Inlines, and which are called where.
    names: Recorder,
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
    /// The `!!` whose first half is read.
    halved: Option<usize>,
}

source::reads_tokens!(Parser);

impl Parser {
    fn new(tokens: Vec<Token>) -> Parser {
        let pairs = tokens.windows(2).filter(|pair| pair[0].is("proctype") || pair[0].is("D_proctype"));
        let all_proctypes = pairs.filter_map(|pair| pair[1].name().cloned()).collect();
        Parser {
            cursor: Cursor::new(tokens, &LANGUAGE),
            inlines: HashMap::new(),
            names: Recorder::default(),
            active: vec![],
            inline_budget: 1_000_000,
            proctypes: HashSet::new(),
            all_proctypes,
            in_formula: false,
            halved: None,
        }
    }

    /// Skips separators; true if there was one.
    fn separators(&mut self) -> bool {
        let before = self.at;
        while self.eat_any(&[";", "->"]) {}
        self.at > before
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
        while !self.at_end() {
            match self.peek().text() {
                "{" | "(" | "[" | "if" | "do" => open += 1,
                "}" | "fi" | "od" | "::" | ";" | "->" if open == 0 => return,
                "}" | ")" | "]" | "fi" | "od" => open = open.saturating_sub(1),
                "proctype" | "D_proctype" | "init" | "never" => return,
                _ => {}
            }
            self.advance();
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
            self.advance();
        }
        Err(Abandoned)
    }
}

#[cfg(test)]
mod tests;
