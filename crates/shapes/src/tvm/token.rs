//! Text to tokens. Comments are `//` to the end of the line and `/* */`.

use source::{FileId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Word,
    Number,
    /// In quotes; the span has them too.
    Text,
    Sign,
    Bad,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    pub span: Span,
}

/// Longest first.
const SIGNS: [&str; 28] = [
    "<->", "->", "=>", ":=", "==", "!=", "&&", "||", "{", "}", "(", ")", "[", "]", ",", ";", ":", ".", "*",
    "+", "&", "|", "!", "?", "=", "/", "<", ">",
];

/// All tokens and a final `End`; the text stands at byte `base` of its file.
pub fn tokens(file: FileId, text: &str, base: u32) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some((start, kind, end)) = next(text, at) {
        let span = Span::new(file, base + start as u32, base + end as u32);
        tokens.push(Token { kind, text: &text[start..end], span });
        at = end;
    }
    let end = base + text.len() as u32;
    tokens.push(Token { kind: Kind::End, text: "", span: Span::new(file, end, end) });
    tokens
}

fn next(text: &str, at: usize) -> Option<(usize, Kind, usize)> {
    let start = skip(text, at);
    let rest = &text[start..];
    let first = rest.chars().next()?;
    let run = |good: fn(char) -> bool| rest.find(|c| !good(c)).unwrap_or(rest.len());
    let (kind, length) = match first {
        'a'..='z' | 'A'..='Z' | '_' => {
            (Kind::Word, run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$'))
        }
        '0'..='9' => (Kind::Number, run(|c| c.is_ascii_digit())),
        '"' => match rest[1..].find(['"', '\n']) {
            Some(end) if rest[1 + end..].starts_with('"') => (Kind::Text, end + 2),
            _ => (Kind::Bad, run(|c| c != '\n')),
        },
        _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => (Kind::Sign, sign.len()),
            None => (Kind::Bad, first.len_utf8()),
        },
    };
    Some((start, kind, start + length))
}

/// Behind white space and comments.
fn skip(text: &str, mut at: usize) -> usize {
    loop {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if let Some(comment) = rest.strip_prefix("/*") {
            at += comment.find("*/").map_or(rest.len(), |end| end + 4);
        } else {
            match rest.chars().next() {
                Some(c) if c.is_whitespace() => at += c.len_utf8(),
                _ => return at,
            }
        }
    }
}
