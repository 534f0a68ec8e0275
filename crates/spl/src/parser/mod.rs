//! Tokens to syntax tree, by recursive descent.
//!
//! It never fails: what it cannot read becomes a diagnostic and an `Error` node, and it goes on
//! behind the next separator. Nesting is bounded, so that no input exhausts the stack.

mod declarations;
mod diagrams;
mod expressions;
mod files;
mod hints;
mod macros;
mod proofs;
mod statements;
mod transitions;

use crate::ast::{Claim, Expr, ExprKind, File, Ident};
use source::{Cursor, Descent, Diagnostic, Language, Parsed, Token};

/// Operators of one formula: `a + b + c` is as deep as it is long.
const MAX_OPERATORS: usize = 20_000;

const LANGUAGE: Language = Language {
    unexpected: "E0703",
    label: |what| format!("{what} expected here"),
    end: "the end of the text",
    reserved: RESERVED,
    misnamed: Some("E0703"),
    too_deep: "E0704",
    hint: hints::hint,
    ..Language::PLAIN
};

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
    let mut parser = Parser::new(tokens, diagnostics);
    let file = parser.file();
    (file, parser.cursor.diagnostics)
}

/// The syntax tree of one formula, and nothing behind it.
pub fn parse_formula(tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> (Expr, Vec<Diagnostic>) {
    let mut parser = Parser::new(tokens, diagnostics);
    let start = parser.span();
    let read = parser.formula();
    let formula = read.unwrap_or_else(|_| Expr { kind: ExprKind::Error, span: parser.since(start) });
    if !parser.at_end() && parser.diagnostics.is_empty() {
        let _ = parser.unexpected::<()>("the end of the formula");
    }
    (formula, parser.cursor.diagnostics)
}

/// Names with formulas: `b1: y1 = 0, b2: y2 = 0`.
pub fn parse_basis(tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> (Vec<Claim>, Vec<Diagnostic>) {
    let mut parser = Parser::new(tokens, diagnostics);
    let read = parser.separated(",", |this| {
        let name = this.ident()?;
        this.expect(":")?;
        Ok(Claim { name, formula: this.formula()? })
    });
    if read.is_ok() && !parser.at_end() {
        let _ = parser.unexpected::<()>("`,` and another assertion");
    }
    (read.unwrap_or_default(), parser.cursor.diagnostics)
}

struct Parser {
    cursor: Cursor,
    /// How many operators the formula being read has so far, and how many formulas are open inside
    /// each other.
    operators: usize,
    formulas: usize,
    /// How many grouped statements are open: in them `>` may close.
    groups: usize,
    /// The statement macros so far, and how many statements their calls stand for.
    procedures: Vec<macros::Procedure>,
    expanded: usize,
}

source::reads_tokens!(Parser);

impl Parser {
    fn new(tokens: Vec<Token>, diagnostics: Vec<Diagnostic>) -> Parser {
        let mut cursor = Cursor::new(tokens, &LANGUAGE);
        cursor.diagnostics = diagnostics;
        Parser { cursor, operators: 0, formulas: 0, groups: 0, procedures: Vec::new(), expanded: 0 }
    }

    fn ident(&mut self) -> Parsed<Ident> {
        self.name("a name")
    }

    /// Names with commas between them.
    fn idents(&mut self) -> Parsed<Vec<Ident>> {
        self.separated(",", Self::ident)
    }

    /// `low..high`.
    fn range(&mut self) -> Parsed<(Expr, Expr)> {
        let low = self.sum()?;
        self.expect("..")?;
        Ok((low, self.sum()?))
    }

    /// `i:[low..high]`; the brackets may be left out.
    fn replica(&mut self) -> Parsed<(Ident, Expr, Expr)> {
        let index = self.ident()?;
        self.expect(":")?;
        let (low, high) = if self.is("[") { self.between("[", "]", Self::range)? } else { self.range()? };
        Ok((index, low, high))
    }

    /// Counts an operator of the formula being read.
    fn operator(&mut self) -> Parsed<()> {
        self.operators += 1;
        if self.operators <= MAX_OPERATORS {
            return Ok(());
        }
        let message = format!("a formula with more than {MAX_OPERATORS} operators");
        let span = self.span();
        self.report(Diagnostic::error("E0704", span, message));
        self.stop();
        Err(source::Abandoned)
    }
}
