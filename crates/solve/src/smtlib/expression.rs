//! S-expressions.

use source::{FileId, Lexicon, TokenKind, lex};

/// An S-expression of SMT-LIB 2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A symbol, keyword or number; quotes are gone.
    Atom(String),
    /// The text between double quotes.
    Text(String),
    /// Between parentheses.
    List(Vec<Expression>),
}

/// Where reading ended, in bytes, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {words}")]
pub struct ParseError {
    /// The offset into the text, in bytes.
    pub at: usize,
    /// What was expected or is not supported.
    pub words: String,
}

/// Deeper nesting is refused, so that no text can exhaust the stack.
const DEEPEST: usize = 1_000;

impl Expression {
    /// The text, if it is an atom.
    pub fn atom(&self) -> Option<&str> {
        match self {
            Expression::Atom(text) => Some(text),
            _ => None,
        }
    }

    /// The elements, if it is a list.
    pub fn list(&self) -> Option<&[Expression]> {
        match self {
            Expression::List(items) => Some(items),
            _ => None,
        }
    }
}

const LEXICON: Lexicon = Lexicon {
    signs: &["(", ")"],
    comments: &[(";", "\n")],
    starts_word: is_plain,
    in_word: is_plain,
    in_number: is_plain,
    quotes: "\"|",
    texts_span_lines: true,
    ..Lexicon::PLAIN
};

fn is_plain(c: char) -> bool {
    !c.is_whitespace() && !"();\"|".contains(c)
}

/// All expressions of a text.
pub fn parse(text: &str) -> Result<Vec<Expression>, ParseError> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    for token in lex(&LEXICON, FileId::default(), text, 0) {
        let at = token.span.start as usize;
        let error = |words: &str| Err(ParseError { at, words: words.to_owned() });
        let done = match token.kind {
            TokenKind::Sign("(") if open.len() > DEEPEST => return error("nested too deep"),
            TokenKind::Sign("(") => {
                open.push(Vec::new());
                continue;
            }
            TokenKind::Sign(_) => match open.pop().filter(|_| !open.is_empty()) {
                Some(items) => Expression::List(items),
                None => return error("`)` closes nothing"),
            },
            TokenKind::Bad(_) => return error("a quote is not closed"),
            TokenKind::End if open.len() > 1 => return error("`(` is not closed"),
            TokenKind::End => break,
            TokenKind::Text(inside) if text[at..].starts_with('"') => Expression::Text(inside.to_string()),
            TokenKind::Text(inside) => Expression::Atom(inside.to_string()),
            _ => Expression::Atom(token.text().to_owned()),
        };
        if let Some(into) = open.last_mut() {
            into.push(done);
        }
    }
    Ok(open.swap_remove(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nesting_quotes_and_comments() {
        let text = "(a |b c| ; (\n \"x\" (1))";
        let atom = |s: &str| Expression::Atom(s.to_owned());
        let inner = Expression::List(vec![atom("1")]);
        let all = vec![atom("a"), atom("b c"), Expression::Text("x".to_owned()), inner];
        assert_eq!(parse(text), Ok(vec![Expression::List(all)]));
    }

    #[test]
    fn what_is_not_balanced_is_refused() {
        assert_eq!(parse("(a"), Err(ParseError { at: 2, words: "`(` is not closed".to_owned() }));
        assert_eq!(parse("a)").unwrap_err().at, 1);
        assert_eq!(parse("|a").unwrap_err().at, 0);
        assert!(parse(&"(".repeat(100_000)).is_err());
    }
}
