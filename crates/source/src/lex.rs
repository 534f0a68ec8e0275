//! Text to tokens, for every language that has a [`Lexicon`]. White space and comments vanish; what
//! cannot be read becomes a `Bad` token.

use crate::{Bad, FileId, Span, Token, TokenKind};

/// How the tokens of a language look.
#[derive(Clone, Copy)]
pub struct Lexicon {
    /// Longest first.
    pub signs: &'static [&'static str],
    /// What opens a comment, and what closes it. One that ends with its line is closed by `"\n"`.
    pub comments: &'static [(&'static str, &'static str)],
    /// Comments nest.
    pub nested: bool,
    /// Whether a word can begin with this character.
    pub starts_word: fn(char) -> bool,
    /// Whether a word can contain this character behind its first.
    pub in_word: fn(char) -> bool,
    /// What follows the first digit of a number.
    pub in_number: fn(char) -> bool,
    /// Quotes may be behind a word and belong to it.
    pub primes: bool,
    /// What encloses a text.
    pub quotes: &'static str,
    /// In a text, a character behind `\` is part of it.
    pub escapes: bool,
    /// A text may go on in the next line.
    pub texts_span_lines: bool,
    /// As in C: `'c'` is a character, `0x1F` a number, and `\` at the end of a line joins the next.
    pub like_c: bool,
}

impl Lexicon {
    /// Words of ASCII letters, digits and `_`, and decimal numbers. No signs, comments or texts.
    pub const PLAIN: Lexicon = Lexicon {
        signs: &[],
        comments: &[],
        nested: false,
        starts_word: |c| c.is_ascii_alphabetic() || c == '_',
        in_word: |c| c.is_ascii_alphanumeric() || c == '_',
        in_number: |c| c.is_ascii_digit(),
        primes: false,
        quotes: "",
        escapes: false,
        texts_span_lines: false,
        like_c: false,
    };
}

/// All tokens of a text, which stands at byte `base` of its file; the last one is `End`.
pub fn lex(lexicon: &Lexicon, file: FileId, text: &str, base: u32) -> Vec<Token> {
    let mut lexer = Lexer { lexicon, text, at: 0, starts_line: true };
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 4 + 1);
    loop {
        let open = lexer.skip();
        let start = lexer.at;
        let (kind, length) = open.unwrap_or_else(|| lexer.token());
        let end = kind == TokenKind::End;
        lexer.at = if open_comment(&kind) { text.len() } else { start + length };
        let at = |offset: usize| base.saturating_add(offset as u32);
        let mut token = Token::new(kind, Span::new(file, at(start), at(start + length)));
        token.starts_line = std::mem::take(&mut lexer.starts_line);
        if let Some(last) = tokens.last_mut() {
            last.joint = !end && last.span.end == token.span.start;
        }
        tokens.push(token);
        if end {
            return tokens;
        }
    }
}

fn open_comment(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Bad(Bad::Comment(_)))
}

struct Lexer<'a> {
    lexicon: &'a Lexicon,
    text: &'a str,
    at: usize,
    starts_line: bool,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space, joined lines and comments; the result is a comment that does not end.
    fn skip(&mut self) -> Option<(TokenKind, usize)> {
        loop {
            let rest = self.rest();
            let first = rest.chars().next()?;
            if first.is_whitespace() || first == '\u{feff}' {
                self.starts_line |= first == '\n';
                self.at += first.len_utf8();
                continue;
            }
            if self.lexicon.like_c && first == '\\' {
                match &rest.as_bytes()[1..] {
                    [b'\n', ..] => self.at += 2,
                    [b'\r', b'\n', ..] => self.at += 3,
                    _ => return None,
                }
                continue;
            }
            let (open, close) = *self.lexicon.comments.iter().find(|(open, _)| rest.starts_with(open))?;
            match self.comment(rest, open, close) {
                Some(length) => self.at += length,
                None => return Some((TokenKind::Bad(Bad::Comment(close)), open.len())),
            }
        }
    }

    /// The length of the comment that begins here, if it ends.
    fn comment(&self, rest: &str, open: &str, close: &str) -> Option<usize> {
        if close == "\n" {
            return Some(self.line_length(rest));
        }
        let (mut at, mut depth) = (open.len(), 1);
        while depth > 0 {
            let end = at + rest[at..].find(close)?;
            let again = rest[at..end].find(open).filter(|_| self.lexicon.nested);
            (at, depth) = match again {
                Some(inner) => (at + inner + open.len(), depth + 1),
                None => (end + close.len(), depth - 1),
            };
        }
        Some(at)
    }

    /// The length of a line without its end, but with the lines joined to it.
    fn line_length(&self, rest: &str) -> usize {
        let joined = |line: &[u8]| self.lexicon.like_c && (line.ends_with(b"\\") || line.ends_with(b"\\\r"));
        let mut ends = rest.match_indices('\n').map(|(end, _)| end);
        ends.find(|end| !joined(&rest.as_bytes()[..*end])).unwrap_or(rest.len())
    }

    fn token(&self) -> (TokenKind, usize) {
        let (lexicon, rest) = (self.lexicon, self.rest());
        let Some(first) = rest.chars().next() else { return (TokenKind::End, 0) };
        let run = |good: fn(char) -> bool| rest.find(|c| !good(c)).unwrap_or(rest.len());
        if first.is_ascii_digit() {
            let hexadecimal = lexicon.like_c && (rest.starts_with("0x") || rest.starts_with("0X"));
            let length = run(if hexadecimal { |c| c.is_ascii_alphanumeric() } else { lexicon.in_number });
            return (TokenKind::Number(rest[..length].into()), length);
        }
        if (lexicon.starts_word)(first) {
            let mut length = run(lexicon.in_word);
            while lexicon.primes && rest[length..].starts_with('\'') {
                length += 1;
            }
            return (TokenKind::Word(rest[..length].into()), length);
        }
        if lexicon.quotes.contains(first) {
            return self.quoted(rest, first);
        }
        if lexicon.like_c && first == '\'' {
            return character(rest);
        }
        match lexicon.signs.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (TokenKind::Sign(sign), sign.len()),
            None => (TokenKind::Bad(Bad::Character(first)), first.len_utf8()),
        }
    }

    fn quoted(&self, rest: &str, quote: char) -> (TokenKind, usize) {
        let mut inside = rest.char_indices().skip(1);
        while let Some((at, c)) = inside.next() {
            match c {
                '\\' if self.lexicon.escapes => drop(inside.next()),
                '\n' if !self.lexicon.texts_span_lines => break,
                c if c == quote => return (TokenKind::Text(rest[1..at].into()), at + 1),
                _ => {}
            }
        }
        (TokenKind::Bad(Bad::Text), self.line_length(rest))
    }
}

/// A character constant; a lone quote is one bad token, so that an apostrophe does no harm in text
/// that a preprocessor skips.
fn character(rest: &str) -> (TokenKind, usize) {
    let mut chars = rest[1..].chars();
    let (value, length) = match chars.next() {
        Some('\\') => chars.next().map_or((None, 1), |c| (unescape(c), 2 + c.len_utf8())),
        Some(c) if c != '\n' && c != '\'' => (Some(c), 1 + c.len_utf8()),
        _ => (None, 1),
    };
    match value {
        Some(value) if rest[length..].starts_with('\'') => (TokenKind::Character(value), length + 1),
        _ => (TokenKind::Bad(Bad::Quote), 1),
    }
}

fn unescape(c: char) -> Option<char> {
    Some(match c {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'f' => '\x0c',
        '0' => '\0',
        '\n' => return None,
        other => other,
    })
}
