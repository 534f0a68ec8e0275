//! Puts in the semicolons that Promela leaves to the reader.
//!
//! SPIN does this in its lexer (spinlex.c): a `;` is understood after every `}`, after `else`, and
//! inside a body or typedef at the end of a line that ends like a statement, outside parentheses.
//! We leave it out where the next token cannot begin a statement, so that `x = a` with `+ b` on the
//! next line is one statement; SPIN calls that a syntax error. A next line that begins with `-`
//! begins a statement, as in SPIN; that surprises, so it is a warning.

use source::{Diagnostic, Token, TokenKind};

use crate::parser::words;

/// Tokens that continue or close what stands before them.
const NOT_A_BEGINNING: &[&str] = &[
    ";", "->", "::", "}", ")", "]", "[", ",", "=", "==", "!=", "<=", ">=", "<", ">", "&&", "||", "&", "|",
    "^", "+", "*", "/", "%", "<<", ">>", "++", "--", "?", "??", "!!", ".", "..", ":", "@", "of", "in",
    "unless", "priority", "provided",
];

/// The tokens with a `;` of no width wherever one is understood.
pub fn complete(tokens: Vec<Token>) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut output: Vec<Token> = Vec::with_capacity(tokens.len() * 5 / 4);
    let mut diagnostics = Vec::new();
    let mut place = Place::default();
    for token in tokens {
        if let Some(last) = output.last()
            && place.understands_separator(last, &token)
        {
            if token.is("-") {
                diagnostics.push(surprise(last, &token));
            }
            output.push(Token::new(TokenKind::Sign(";"), last.span.after()));
        }
        place.enter(&token);
        output.push(token);
    }
    (output, diagnostics)
}

fn surprise(last: &Token, token: &Token) -> Diagnostic {
    let message = "this line begins a new statement";
    let warning =
        Diagnostic::warning("W0202", token.span, message).label("not subtracted from the line above");
    warning
        .also(last.span, "the statement ends here")
        .help("put the `-` at the end of the line above to subtract")
}

/// Where in the program a token stands.
#[derive(Default)]
struct Place {
    braces: usize,
    parentheses: usize,
    /// The unit being read has statements or fields in its braces.
    in_sequence: bool,
}

impl Place {
    fn understands_separator(&self, last: &Token, next: &Token) -> bool {
        if next.is_end() || NOT_A_BEGINNING.contains(&next.text()) {
            return false;
        }
        let at_line_end = next.starts_line && self.in_sequence && self.braces > 0 && self.parentheses == 0;
        last.is("}") || (last.is("else") && !next.is("fi")) || (at_line_end && ends_statement(last))
    }

    fn enter(&mut self, token: &Token) {
        match token.text() {
            "(" => self.parentheses += 1,
            ")" => self.parentheses = self.parentheses.saturating_sub(1),
            "{" => (self.braces, self.parentheses) = (self.braces + 1, 0),
            "}" => (self.braces, self.parentheses) = (self.braces.saturating_sub(1), 0),
            word if self.braces == 0 && self.parentheses == 0 => self.enter_unit(word),
            _ => {}
        }
    }

    fn enter_unit(&mut self, word: &str) {
        match word {
            "proctype" | "D_proctype" | "init" | "never" | "trace" | "notrace" | "typedef" | "inline" => {
                self.in_sequence = true;
            }
            "ltl" | "hidden" | "show" | "local" => self.in_sequence = false,
            _ if words::is_type(word) => self.in_sequence = false,
            _ => {}
        }
    }
}

fn ends_statement(token: &Token) -> bool {
    match &token.kind {
        TokenKind::Number(_) | TokenKind::Character(_) => true,
        TokenKind::Word(word) => words::ends_statement(word),
        TokenKind::Sign(punct) => ["}", ")", "]", "++", "--"].contains(punct),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[track_caller]
    fn gives(text: &str, expected: &str) {
        let (tokens, _) = complete(crate::lexer::lex(FileId(0), text));
        let words: Vec<_> = tokens.iter().map(Token::spelling).collect();
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn at_line_ends_inside_bodies_only() {
        gives("init { x = 1\ny = (2\n+ 3)\nz++\n}", "init { x = 1 ; y = ( 2 + 3 ) ; z ++ }");
        gives("typedef T { byte a\nbyte b }", "typedef T { byte a ; byte b }");
        gives("mtype = { a\nb }\nbyte x", "mtype = { a b } ; byte x");
        gives("ltl { a\n&& b }", "ltl { a && b }");
    }

    #[test]
    fn after_braces_and_else() {
        gives("init { atomic { a } b }", "init { atomic { a } ; b }");
        gives("init { if :: else x fi }", "init { if :: else ; x fi }");
        gives("init { { a }\nunless { b } }", "init { { a } unless { b } }");
    }

    #[test]
    fn lines_that_cannot_begin_a_statement_continue() {
        gives("init { x = a\n+ b }", "init { x = a + b }");
        gives("init { x = a\n- b }", "init { x = a ; - b }");
    }
}
