//! Tokens of every language. Keywords are plain words here: what is reserved is the parser's to
//! say, and depends on the place.

use crate::Span;
use std::sync::Arc;

/// A name, cheap to copy.
pub type Name = Arc<str>;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Ident {
    /// The name as written.
    pub name: Name,
    /// Where it stands.
    pub span: Span,
}

/// One token, with the place where the user wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is, with its text.
    pub kind: TokenKind,
    /// Where it stands; for a token out of a macro, the place where the macro is used.
    pub span: Span,
    /// For a token out of a macro, its place in the macro's definition.
    pub origin: Option<Span>,
    /// It is the first of its line.
    pub starts_line: bool,
    /// The next token follows without a space.
    pub joint: bool,
    /// A preprocessor has seen it inside its own macro and leaves it alone from now on.
    pub painted: bool,
}

/// The kinds of tokens of all languages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Word(Name),
    /// As it is written.
    Number(Name),
    /// Between quotes, with its escapes as written.
    Text(Name),
    /// A character constant.
    Character(char),
    /// An operator or bracket of the language, the longest that fits.
    Sign(&'static str),
    /// What is no token of the language.
    Bad(Bad),
    /// Behind the last token.
    End,
}

/// What could not be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    /// It begins nothing.
    Character(char),
    /// A comment without its end, which would be this.
    Comment(&'static str),
    /// A text without its end.
    Text,
    /// A lone quote.
    Quote,
}

impl Token {
    /// A token in the middle of a line, not out of a macro.
    pub fn new(kind: TokenKind, span: Span) -> Token {
        Token { kind, span, origin: None, starts_line: false, joint: false, painted: false }
    }

    /// The word, number or sign; empty for all others.
    pub fn text(&self) -> &str {
        match &self.kind {
            TokenKind::Word(text) | TokenKind::Number(text) => text,
            TokenKind::Sign(sign) => sign,
            _ => "",
        }
    }

    /// Is it this word or this sign?
    pub fn is(&self, text: &str) -> bool {
        self.text() == text
    }

    /// A word as a name.
    pub fn name(&self) -> Option<&Name> {
        if let TokenKind::Word(word) = &self.kind { Some(word) } else { None }
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.kind, TokenKind::Number(_))
    }

    /// Whether it is the end of the text.
    pub fn is_end(&self) -> bool {
        self.kind == TokenKind::End
    }

    /// The token as text of its language.
    pub fn spelling(&self) -> String {
        match &self.kind {
            TokenKind::Character(c) => format!("'{}'", c.escape_default()),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Bad(Bad::Character(c)) => c.to_string(),
            _ => self.text().to_string(),
        }
    }

    /// The token as a message names it.
    pub fn describe(&self) -> String {
        match &self.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Bad(Bad::Comment(_)) => "a comment that is not closed".to_string(),
            TokenKind::Bad(Bad::Text | Bad::Quote) => "a quote that is not closed".to_string(),
            _ => format!("`{}`", self.spelling()),
        }
    }
}
