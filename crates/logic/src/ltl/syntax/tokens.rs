//! The tokens of a formula: just enough to find operators and balanced brackets; the rest is the
//! host's.

use source::{Diagnostic, FileId, Span};

/// The longest text that is read.
pub(super) const MAX_LENGTH: usize = 1 << 20;

/// What is read, or what is wrong.
pub(super) type Parsed<T> = Result<T, Vec<Diagnostic>>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    /// An atom between double quotes.
    Quoted,
    Symbol,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    pub(super) start: usize,
    /// No space before it.
    pub(super) joint: bool,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// A text, its tokens, and which brackets belong together.
pub(super) struct Tokens<'a> {
    pub(super) text: &'a str,
    /// Where the text begins in its file.
    pub(super) place: Span,
    /// The last one is the end.
    pub(super) all: Vec<Token<'a>>,
    /// For each opening bracket, its closing one.
    pub(super) closing: Vec<usize>,
}

/// Symbols of more than one character, longer ones first.
const SYMBOLS: [&str; 31] = [
    "<-->", "<==>", "-->", "==>", "<->", "[-]", "(-)", "(~)", "()", "[]", "<>", "/\\", "\\/", "&&", "||",
    "->", "==", "!=", "<=", ">=", "=>", "=<", "<<", ">>", "::", "..", "??", "++", "--", ":=", "/=",
];

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str, place: Span) -> Parsed<Tokens<'a>> {
        let mut tokens = Tokens { text, place, all: Vec::new(), closing: Vec::new() };
        if text.len() > MAX_LENGTH {
            let problem = Diagnostic::error("E0404", place, "the formula is too long");
            return Err(vec![problem.note(format!("it has {} bytes; {MAX_LENGTH} are read", text.len()))]);
        }
        tokens.split()?;
        tokens.match_brackets()?;
        Ok(tokens)
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let at = |offset: usize| self.place.start.saturating_add(offset as u32);
        Span::new(FileId(self.place.file.0), at(start), at(end))
    }

    /// The span of a token; of the end, the last place of the text.
    pub(super) fn span_of(&self, at: usize) -> Span {
        self.span(self.all[at].start, self.all[at].end())
    }

    fn split(&mut self) -> Parsed<()> {
        let mut at = 0;
        loop {
            let rest = &self.text[at..];
            let skipped = rest.len() - rest.trim_start().len();
            at += skipped;
            let (kind, length) = self.token(at)?;
            let text = &self.text[at..at + length];
            self.all.push(Token { kind, text, start: at, joint: skipped == 0 && at > 0 });
            if kind == Kind::End {
                return Ok(());
            }
            at += length;
        }
    }

    /// The token that begins at a byte.
    fn token(&self, at: usize) -> Parsed<(Kind, usize)> {
        let rest = &self.text[at..];
        let Some(first) = rest.chars().next() else { return Ok((Kind::End, 0)) };
        let while_in = |pattern: fn(char) -> bool| rest.find(|c| !pattern(c)).unwrap_or(rest.len());
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        if first == '"' {
            let Some(length) = rest[1..].find('"') else {
                let problem = Diagnostic::error("E0401", self.span(at, at + 1), "the quoted atom has no end");
                return Err(vec![problem.label("opened here")]);
            };
            return Ok((Kind::Quoted, length + 2));
        }
        if first.is_ascii_digit() {
            return Ok((Kind::Number, while_in(inside)));
        }
        if first.is_alphabetic() || first == '_' {
            // A prime belongs to the name.
            let name = while_in(inside);
            let primes = rest[name..].find(|c| c != '\'').unwrap_or(rest.len() - name);
            return Ok((Kind::Word, name + primes));
        }
        let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
        Ok((Kind::Symbol, symbol.map_or(first.len_utf8(), |symbol| symbol.len())))
    }

    fn match_brackets(&mut self) -> Parsed<()> {
        let mut open: Vec<usize> = Vec::new();
        self.closing = vec![0; self.all.len()];
        for at in 0..self.all.len() {
            match (self.all[at].kind, self.all[at].text) {
                (Kind::Symbol, "(" | "[" | "{") => open.push(at),
                (Kind::Symbol, close @ (")" | "]" | "}")) => {
                    let Some(opening) = open.pop() else {
                        let diagnostic = Diagnostic::error("E0402", self.span_of(at), "nothing to close");
                        return Err(vec![diagnostic.label(format!("`{close}` without its opening bracket"))]);
                    };
                    if !matches!((self.all[opening].text, close), ("(", ")") | ("[", "]") | ("{", "}")) {
                        let diagnostic =
                            Diagnostic::error("E0402", self.span_of(at), "brackets do not match");
                        return Err(vec![diagnostic.also(self.span_of(opening), "opened here")]);
                    }
                    self.closing[opening] = at;
                }
                _ => {}
            }
        }
        match open.pop() {
            None => Ok(()),
            Some(opening) => {
                let diagnostic = Diagnostic::error("E0402", self.span_of(opening), "a bracket is not closed");
                Err(vec![diagnostic.label("opened here")])
            }
        }
    }
}
