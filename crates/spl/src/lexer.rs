//! Text to tokens. Comments are `(* … *)`, `/* … */`, `// …` and `% …`.

use source::{Diagnostic, FileId, Span};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Word(Arc<str>),
    Number(Arc<str>),
    Sign(&'static str),
    End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// Nothing stands between this token and the next.
    pub joint: bool,
}

/// Longest first.
const SIGNS: &[&str] = &[
    "<==>", "<-->", "==>", "-->", "<->", "[-]", "(-)", "(~)", "::", ":=", "..", "<=", "=>", ">=", "!=", "<>",
    "[]", "()", "/\\", "\\/", "||", "~", "!", "[", "]", "(", ")", "{", "}", "<", ">", "=", "+", "-", "*",
    "/", ",", ";", ":", ".", "'", "#", "|", "&",
];

impl Token {
    /// The text of a word or a sign; empty for numbers and the end.
    pub fn text(&self) -> &str {
        match &self.kind {
            TokenKind::Word(word) => word,
            TokenKind::Sign(sign) => sign,
            TokenKind::Number(_) | TokenKind::End => "",
        }
    }

    pub fn word(&self) -> Option<&Arc<str>> {
        if let TokenKind::Word(word) = &self.kind { Some(word) } else { None }
    }
}

/// All tokens of a text; the last is `End`.
pub fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens: Vec<Token> = Vec::new();
    let mut diagnostics = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let start = at;
        let span = |end: usize| Span::new(file, start as u32, end as u32);
        if let Some(length) = space(rest) {
            at += length;
            continue;
        }
        if let Some(closing) = opens_comment(rest) {
            match rest[2..].find(closing) {
                Some(found) => at += 2 + found + 2,
                None => {
                    diagnostics.push(
                        Diagnostic::error("E0701", span(start + 2), "comment is not closed")
                            .help(format!("add `{closing}`")),
                    );
                    at = text.len();
                }
            }
            continue;
        }
        let (kind, length) = match token(rest) {
            Some(found) => found,
            None => {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                let shown = &rest[..length];
                diagnostics.push(Diagnostic::error(
                    "E0702",
                    span(start + length),
                    format!("unexpected character `{shown}`"),
                ));
                at += length;
                continue;
            }
        };
        at += length;
        if let Some(last) = tokens.last_mut() {
            last.joint = last.span.end == start as u32;
        }
        tokens.push(Token { kind, span: span(at), joint: false });
    }
    let end = text.len() as u32;
    tokens.push(Token { kind: TokenKind::End, span: Span::new(file, end, end), joint: false });
    (tokens, diagnostics)
}

/// The length of white space or of a comment to the end of the line.
fn space(rest: &str) -> Option<usize> {
    let first = rest.chars().next()?;
    if first.is_whitespace() || first == '\u{feff}' {
        return Some(first.len_utf8());
    }
    let line = first == '%' || rest.starts_with("//");
    line.then(|| rest.find('\n').unwrap_or(rest.len()))
}

/// What closes the comment that begins here.
fn opens_comment(rest: &str) -> Option<&'static str> {
    if rest.starts_with("(*") {
        Some("*)")
    } else if rest.starts_with("/*") {
        Some("*/")
    } else {
        None
    }
}

fn token(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    let run = |good: fn(char) -> bool| rest.find(|c| !good(c)).unwrap_or(rest.len());
    if first.is_ascii_alphabetic() || first == '_' {
        let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
        return Some((TokenKind::Word(rest[..length].into()), length));
    }
    if first.is_ascii_digit() {
        let length = run(|c| c.is_ascii_digit());
        return Some((TokenKind::Number(rest[..length].into()), length));
    }
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
    Some((TokenKind::Sign(sign), sign.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let (tokens, diagnostics) = lex(FileId(0), text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let shown = |t: &Token| match &t.kind {
            TokenKind::Number(digits) => digits.to_string(),
            _ => t.text().to_string(),
        };
        tokens.iter().map(shown).filter(|t| !t.is_empty()).collect()
    }

    #[test]
    fn signs_are_as_long_as_they_can_be() {
        assert_eq!(texts("p ==> []<>q <--> (-)r"), ["p", "==>", "[]", "<>", "q", "<-->", "(-)", "r"]);
        assert_eq!(texts("[1..N]"), ["[", "1", "..", "N", "]"]);
        assert_eq!(texts("x<=y /\\ ~(a\\/b)"), ["x", "<=", "y", "/\\", "~", "(", "a", "\\/", "b", ")"]);
    }

    #[test]
    fn comments_vanish() {
        assert_eq!(texts("a (* b /* c *) d // e\n /* f */ g % h\n i"), ["a", "d", "g", "i"]);
        assert_eq!(lex(FileId(0), "(* a").1[0].code, "E0701");
        assert_eq!(lex(FileId(0), "a $ b").1[0].code, "E0702");
    }
}
