//! The tokens of a formula: just enough to find operators and balanced brackets; the rest is the
//! host's.

use source::{Bad, Diagnostic, Lexicon, Span, Token, TokenKind};

/// The longest text that is read.
pub(super) const MAX_LENGTH: usize = 1 << 20;

/// What is read, or what is wrong.
pub(super) type Read<T> = Result<T, Vec<Diagnostic>>;

const LEXICON: Lexicon = Lexicon {
    signs: &[
        "<-->", "<==>", "-->", "==>", "<->", "[-]", "(-)", "(~)", "()", "[]", "<>", "/\\", "\\/", "&&", "||",
        "->", "==", "!=", "<=", ">=", "=>", "=<", "<<", ">>", "::", "..", "??", "++", "--", ":=", "/=", "(",
        ")", "[", "]", "{", "}", "!", "~", "&", "|", "<", ">", "=", "+", "-", "*", "/", "%", "^", "@", "#",
        "$", ".", ",", ";", ":", "?", "'", "\\", "`",
    ],
    starts_word: |c| c.is_alphabetic() || c == '_',
    in_word: |c| c.is_alphanumeric() || c == '_',
    in_number: |c| c.is_alphanumeric() || c == '_',
    primes: true,
    quotes: "\"",
    texts_span_lines: true,
    ..Lexicon::PLAIN
};

/// A text, its tokens, and which brackets belong together.
pub(super) struct Tokens<'a> {
    text: &'a str,
    /// Where the text begins in its file.
    place: Span,
    /// The last one is the end.
    pub(super) all: Vec<Token>,
    /// For each opening bracket, its closing one.
    pub(super) closing: Vec<usize>,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, place: Span) -> Read<Tokens<'a>> {
        if text.len() > MAX_LENGTH {
            let problem = Diagnostic::error("E0404", place, "the formula is too long");
            return Err(vec![problem.note(format!("it has {} bytes; {MAX_LENGTH} are read", text.len()))]);
        }
        let all = source::lex(&LEXICON, place.file, text, place.start);
        if let Some(open) = all.iter().find(|token| token.kind == TokenKind::Bad(Bad::Text)) {
            let quote = Span { end: open.span.start.saturating_add(1), ..open.span };
            let problem = Diagnostic::error("E0401", quote, "the quoted atom has no end");
            return Err(vec![problem.label("opened here")]);
        }
        let mut tokens = Tokens { text, place, closing: vec![0; all.len()], all };
        tokens.match_brackets()?;
        Ok(tokens)
    }

    /// What is written at a place.
    pub(super) fn words(&self, span: Span) -> &'a str {
        let at = |offset: u32| (offset - self.place.start) as usize;
        self.text.get(at(span.start)..at(span.end)).unwrap_or_default()
    }

    fn match_brackets(&mut self) -> Read<()> {
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.all.len() {
            match self.all[at].text() {
                "(" | "[" | "{" => open.push(at),
                close @ (")" | "]" | "}") => {
                    let Some(opening) = open.pop() else {
                        let diagnostic = Diagnostic::error("E0402", self.all[at].span, "nothing to close");
                        return Err(vec![diagnostic.label(format!("`{close}` without its opening bracket"))]);
                    };
                    if !matches!((self.all[opening].text(), close), ("(", ")") | ("[", "]") | ("{", "}")) {
                        let diagnostic =
                            Diagnostic::error("E0402", self.all[at].span, "brackets do not match");
                        return Err(vec![diagnostic.also(self.all[opening].span, "opened here")]);
                    }
                    self.closing[opening] = at;
                }
                _ => {}
            }
        }
        match open.pop() {
            None => Ok(()),
            Some(opening) => {
                let diagnostic =
                    Diagnostic::error("E0402", self.all[opening].span, "a bracket is not closed");
                Err(vec![diagnostic.label("opened here")])
            }
        }
    }
}
