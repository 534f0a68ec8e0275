//! Tokens. Keywords are plain identifiers here: a macro may be named like one, and what is reserved
//! depends on the place.

use std::sync::Arc;

use logic::Binary;
use source::Span;

/// A name, cheap to copy.
pub type Name = Arc<str>;

/// One token, with the place where the user wrote it.
#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    pub kind: TokenKind,
    /// Where it stands; for a token out of a macro, the place where the macro is used.
    pub span: Span,
    /// For a token out of a macro, its place in the macro's definition.
    pub origin: Option<Span>,
    /// It is the first of its line. Promela ends statements at some line ends.
    pub starts_line: bool,
    /// The next token follows without a space: `[` `]` is one operator in a formula only if the
    /// bracket is joint.
    pub joint: bool,
    /// The preprocessor has seen it inside its own macro and leaves it alone from now on.
    pub painted: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TokenKind {
    /// A name or a keyword.
    Word(Name),
    /// A number, not yet cut to 32 bits.
    Number(i64),
    /// A character constant.
    Char(char),
    /// A string with its escapes as written, without the quotes.
    Text(Name),
    Punct(&'static str),
    Bad(Bad),
    End,
}

/// What the lexer could not read. It is reported only if the token survives `#if`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bad {
    Character(char),
    Comment,
    Text,
    Char,
    /// Too large for 64 bits.
    Number,
    /// Hexadecimal: fine in `#if`, not in Promela.
    Hexadecimal(i64),
}

/// Binary operators and how strongly they bind, in the order of spin.y; level 3 is for the temporal
/// operators of formulas.
pub(crate) const BINARY: [(&str, u8, Binary); 18] = [
    ("||", 1, Binary::Or),
    ("&&", 2, Binary::And),
    ("|", 4, Binary::BitOr),
    ("^", 5, Binary::BitXor),
    ("&", 6, Binary::BitAnd),
    ("==", 7, Binary::Equal),
    ("!=", 7, Binary::NotEqual),
    ("<", 8, Binary::Less),
    ("<=", 8, Binary::LessEqual),
    (">", 8, Binary::Greater),
    (">=", 8, Binary::GreaterEqual),
    ("<<", 9, Binary::ShiftLeft),
    (">>", 9, Binary::ShiftRight),
    ("+", 10, Binary::Add),
    ("-", 10, Binary::Subtract),
    ("*", 11, Binary::Multiply),
    ("/", 11, Binary::Divide),
    ("%", 11, Binary::Remainder),
];

/// What an operator does and how strongly it binds.
pub(crate) fn binary_operator(word: &str) -> Option<(u8, Binary)> {
    let found = BINARY.iter().find(|(symbol, ..)| *symbol == word)?;
    Some((found.1, found.2))
}

impl Token {
    pub fn new(kind: TokenKind, span: Span) -> Token {
        Token { kind, span, origin: None, starts_line: false, joint: false, painted: false }
    }

    /// Is it this keyword or this punctuation?
    pub fn is(&self, text: &str) -> bool {
        match &self.kind {
            TokenKind::Word(word) => &**word == text,
            TokenKind::Punct(punct) => *punct == text,
            _ => false,
        }
    }

    /// The keyword, name or punctuation; empty for all others.
    pub fn word(&self) -> &str {
        match &self.kind {
            TokenKind::Word(word) => word,
            TokenKind::Punct(punct) => punct,
            _ => "",
        }
    }

    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            TokenKind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub fn is_end(&self) -> bool {
        self.kind == TokenKind::End
    }

    /// The token as Promela text.
    pub fn spelling(&self) -> String {
        match &self.kind {
            TokenKind::Word(word) => word.to_string(),
            TokenKind::Number(number) => number.to_string(),
            TokenKind::Char(c) => format!("'{}'", c.escape_default()),
            TokenKind::Text(text) => format!("\"{text}\""),
            TokenKind::Punct(punct) => punct.to_string(),
            TokenKind::Bad(Bad::Character(c)) => c.to_string(),
            TokenKind::Bad(_) => String::new(),
            TokenKind::End => String::new(),
        }
    }

    /// The token as a message names it.
    pub fn describe(&self) -> String {
        match &self.kind {
            TokenKind::End => "the end of the file".to_string(),
            TokenKind::Bad(_) => "an unreadable token".to_string(),
            _ => format!("`{}`", self.spelling()),
        }
    }
}
