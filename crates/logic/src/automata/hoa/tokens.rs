//! The words of HOA text.

use source::{Diagnostic, FileId, Span};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `Start:`, without the colon.
    Header(String),
    Word(String),
    /// `@name`, without the sign.
    Alias(String),
    Text(String),
    Number(usize),
    /// One of `[ ] { } ( ) ! & |`.
    Sign(char),
    /// `--BODY--`, without the dashes.
    Mark(String),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub span: Span,
}

/// All tokens, the last one `End`.
pub fn tokens(text: &str, file: FileId) -> Result<Vec<Token>, Box<Diagnostic>> {
    let mut lexer = Lexer { text, at: 0, file };
    let mut tokens = Vec::new();
    loop {
        lexer.skip()?;
        let start = lexer.at;
        let kind = lexer.next()?;
        let end = kind == Kind::End;
        tokens.push(Token { kind, span: lexer.span(start) });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    file: FileId,
}

impl Lexer<'_> {
    fn span(&self, start: usize) -> Span {
        Span::new(self.file, start as u32, self.at as u32)
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Goes on while `keep`, and returns what was passed.
    fn take(&mut self, keep: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let length = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let taken = rest[..length].to_owned();
        self.at += length;
        taken
    }

    /// Passes white space and comments, which may be nested.
    fn skip(&mut self) -> Result<(), Box<Diagnostic>> {
        loop {
            self.take(char::is_whitespace);
            if !self.rest().starts_with("/*") {
                return Ok(());
            }
            let (start, mut depth) = (self.at, 0);
            loop {
                match self.rest() {
                    rest if rest.starts_with("/*") => (depth, self.at) = (depth + 1, self.at + 2),
                    rest if rest.starts_with("*/") => (depth, self.at) = (depth - 1, self.at + 2),
                    rest => match rest.chars().next() {
                        Some(c) => self.at += c.len_utf8(),
                        None => {
                            let span = Span::new(self.file, start as u32, start as u32 + 2);
                            return Err(Diagnostic::error("E0501", span, "comment without an end").into());
                        }
                    },
                }
                if depth == 0 {
                    break;
                }
            }
        }
    }

    fn next(&mut self) -> Result<Kind, Box<Diagnostic>> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Ok(Kind::End);
        };
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        match first {
            '"' => self.quoted(),
            '@' => {
                self.at += 1;
                Ok(Kind::Alias(self.take(in_word)))
            }
            '-' if self.rest().starts_with("--") => {
                Ok(Kind::Mark(self.take(in_word).trim_matches('-').to_owned()))
            }
            '0'..='9' => {
                let digits = self.take(|c| c.is_ascii_digit());
                let large = |_| Diagnostic::error("E0502", self.span(start), "number too large").into();
                digits.parse().map(Kind::Number).map_err(large)
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let word = self.take(in_word);
                if self.rest().starts_with(':') {
                    self.at += 1;
                    return Ok(Kind::Header(word));
                }
                Ok(Kind::Word(word))
            }
            '[' | ']' | '{' | '}' | '(' | ')' | '!' | '&' | '|' => {
                self.at += 1;
                Ok(Kind::Sign(first))
            }
            _ => {
                self.at += first.len_utf8();
                Err(Diagnostic::error("E0501", self.span(start), format!("`{first}` has no meaning here"))
                    .into())
            }
        }
    }

    fn quoted(&mut self) -> Result<Kind, Box<Diagnostic>> {
        let start = self.at;
        let (mut text, mut escaped) = (String::new(), false);
        for (i, c) in self.text[start + 1..].char_indices() {
            match c {
                '"' if !escaped => {
                    self.at = start + 1 + i + 1;
                    return Ok(Kind::Text(text));
                }
                '\\' if !escaped => escaped = true,
                c => {
                    text.push(c);
                    escaped = false;
                }
            }
        }
        let span = Span::new(self.file, start as u32, start as u32 + 1);
        Err(Diagnostic::error("E0501", span, "text without a closing quote").into())
    }
}
