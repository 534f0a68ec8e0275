//! Text to tokens. Comments and joined lines (`\` before a line end) vanish here; what cannot be
//! read becomes a `Bad` token.
//!
//! After SPIN's spinlex.c, with one deviation: `0..N` is three tokens. SPIN hands the text to the C
//! preprocessor, which takes `0..N` for one number and does not expand `N`.

use source::{FileId, Span};

use crate::token::{Bad, Token, TokenKind};

/// Longest first.
const PUNCTUATION: &[&str] = &[
    "::", "->", "--", "++", "<<", "<=", ">>", ">=", "==", "!=", "!!", "??", "&&", "||", "..", "##", "{", "}",
    "(", ")", "[", "]", ";", ":", ",", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?", "<", ">",
    "=", "@", "#",
];

/// All tokens of a text, without a final `End`.
pub fn lex(file: FileId, text: &str) -> Vec<Token> {
    let mut lexer = Lexer { file, text, at: 0, line_start: true };
    let mut tokens: Vec<Token> = Vec::new();
    while let Some(token) = lexer.token() {
        if let Some(last) = tokens.last_mut() {
            last.joint = last.span.end == token.span.start;
        }
        tokens.push(token);
    }
    tokens
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    line_start: bool,
}

impl Lexer<'_> {
    fn token(&mut self) -> Option<Token> {
        if let Some(bad) = self.skip_space() {
            return Some(bad);
        }
        let start = self.at;
        let first = self.rest().chars().next()?;
        let kind = match first {
            'a'..='z' | 'A'..='Z' | '_' => self.word(),
            '0'..='9' => self.number(),
            '"' => self.string(),
            '\'' => self.character(),
            _ => self.punctuation(first),
        };
        let mut token = Token::new(kind, self.span(start));
        token.starts_line = std::mem::take(&mut self.line_start);
        Some(token)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    /// Skips white space, joined lines and comments; the result is a comment that does not end.
    fn skip_space(&mut self) -> Option<Token> {
        loop {
            let rest = self.rest();
            if rest.starts_with('\n') {
                self.line_start = true;
                self.at += 1;
            } else if rest.starts_with([' ', '\t', '\r', '\x0c', '\x0b', '\u{feff}']) {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            } else if rest.starts_with("\\\n") {
                self.at += 2;
            } else if rest.starts_with("\\\r\n") {
                self.at += 3;
            } else if rest.starts_with("//") {
                self.at += line_length(rest);
            } else if let Some(comment) = rest.strip_prefix("/*") {
                let start = self.at;
                match comment.find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        self.at = self.text.len();
                        let span = Span::new(self.file, start as u32, start as u32 + 2);
                        return Some(Token::new(TokenKind::Bad(Bad::Comment), span));
                    }
                }
            } else {
                return None;
            }
        }
    }

    fn take(&mut self, length: usize) -> &str {
        let start = self.at;
        self.at += length;
        &self.text[start..self.at]
    }

    fn word(&mut self) -> TokenKind {
        let rest = self.rest();
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        TokenKind::Word(self.take(length).into())
    }

    /// Decimal digits. Hexadecimal numbers are read too, for `#if`, and refused elsewhere.
    fn number(&mut self) -> TokenKind {
        let rest = self.rest();
        if rest.starts_with("0x") || rest.starts_with("0X") {
            let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
            let digits = &self.take(length)[2..];
            let value = i64::from_str_radix(digits.trim_end_matches(['u', 'U', 'l', 'L']), 16);
            return TokenKind::Bad(value.map_or(Bad::Number, Bad::Hexadecimal));
        }
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.take(length).parse().map_or(TokenKind::Bad(Bad::Number), TokenKind::Number)
    }

    fn string(&mut self) -> TokenKind {
        match quoted_length(self.rest(), b'"') {
            Some(length) => {
                let text = self.take(length);
                TokenKind::Text(text[1..length - 1].into())
            }
            None => {
                let length = line_length(self.rest());
                self.take(length);
                TokenKind::Bad(Bad::Text)
            }
        }
    }

    /// A character constant; a lone quote is one bad token, so that an apostrophe does no harm in
    /// text that `#if` skips.
    fn character(&mut self) -> TokenKind {
        let mut chars = self.rest()[1..].chars();
        let (value, length) = match chars.next() {
            Some('\\') => match chars.next() {
                Some(c) => (unescape(c), 2 + c.len_utf8()),
                None => (None, 1),
            },
            Some(c) if c != '\n' && c != '\'' => (Some(c), 1 + c.len_utf8()),
            _ => (None, 1),
        };
        match value {
            Some(value) if self.rest()[length..].starts_with('\'') => {
                self.take(length + 1);
                TokenKind::Char(value)
            }
            _ => {
                self.take(1);
                TokenKind::Bad(Bad::Char)
            }
        }
    }

    fn punctuation(&mut self, first: char) -> TokenKind {
        match PUNCTUATION.iter().find(|punct| self.rest().starts_with(**punct)) {
            Some(punct) => {
                self.take(punct.len());
                TokenKind::Punct(punct)
            }
            None => {
                self.take(first.len_utf8());
                TokenKind::Bad(Bad::Character(first))
            }
        }
    }
}

/// Length of a line without its end, but with the lines joined to it.
fn line_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let joined = |at: usize| bytes[..at].ends_with(b"\\") || bytes[..at].ends_with(b"\\\r");
    (0..bytes.len()).find(|at| bytes[*at] == b'\n' && !joined(*at)).unwrap_or(bytes.len())
}

/// Length of a string constant with both its quotes, if it ends on its (joined) line.
fn quoted_length(text: &str, quote: u8) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(text: &str) -> Vec<String> {
        lex(FileId(0), text)
            .iter()
            .map(|token| format!("{}{}", token.spelling(), if token.joint { "_" } else { "" }))
            .collect()
    }

    #[test]
    fn longest_operator_wins_and_ranges_split() {
        assert_eq!(spellings("a->b"), ["a_", "->_", "b"]);
        assert_eq!(spellings("0..N"), ["0_", ".._", "N"]);
        assert_eq!(spellings("[] <-> !!"), ["[_", "]", "<_", "->", "!!"]);
        assert_eq!(spellings("q??<x>"), ["q_", "??_", "<_", "x_", ">"]);
    }

    #[test]
    fn comments_and_joined_lines_vanish() {
        let tokens = lex(FileId(0), "a /* b\n */ c // d \\\n e\nf \\\n g");
        let starts: Vec<_> = tokens.iter().map(|token| (token.spelling(), token.starts_line)).collect();
        let expected = [("a", true), ("c", false), ("f", true), ("g", false)];
        assert_eq!(starts, expected.map(|(text, start)| (text.to_string(), start)));
    }

    #[test]
    fn constants() {
        let kinds: Vec<_> =
            lex(FileId(0), r#"12 'x' '\n' "a\"b""#).into_iter().map(|token| token.kind).collect();
        let text = TokenKind::Text(r#"a\"b"#.into());
        assert_eq!(kinds, [TokenKind::Number(12), TokenKind::Char('x'), TokenKind::Char('\n'), text]);
    }

    #[test]
    fn what_cannot_be_read_is_one_bad_token() {
        let kinds = |text| lex(FileId(0), text).into_iter().map(|token| token.kind).collect::<Vec<_>>();
        assert_eq!(kinds("/* a"), [TokenKind::Bad(Bad::Comment)]);
        assert_eq!(kinds("\"a"), [TokenKind::Bad(Bad::Text)]);
        assert_eq!(kinds("'"), [TokenKind::Bad(Bad::Char)]);
        assert_eq!(kinds("ü"), [TokenKind::Bad(Bad::Character('ü'))]);
        assert_eq!(kinds("0x1F"), [TokenKind::Bad(Bad::Hexadecimal(31))]);
        assert_eq!(kinds("99999999999999999999"), [TokenKind::Bad(Bad::Number)]);
        assert_eq!(kinds("\"\\"), [TokenKind::Bad(Bad::Text)]);
    }
}
