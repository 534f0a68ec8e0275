//! S-expressions.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A symbol, keyword or number; quotes are gone.
    Atom(String),
    /// The text between double quotes.
    Text(String),
    List(Vec<Expression>),
}

/// Where reading ended, in bytes, and why.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParseError {
    pub at: usize,
    pub words: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.at, self.words)
    }
}

impl std::error::Error for ParseError {}

/// Deeper nesting is refused, so that no text can exhaust the stack.
const DEEPEST: usize = 1_000;

impl Expression {
    pub fn atom(&self) -> Option<&str> {
        match self {
            Expression::Atom(text) => Some(text),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Expression]> {
        match self {
            Expression::List(items) => Some(items),
            _ => None,
        }
    }
}

/// All expressions of a text.
pub fn parse(text: &str) -> Result<Vec<Expression>, ParseError> {
    let mut open: Vec<Vec<Expression>> = vec![Vec::new()];
    let mut rest = text;
    let error = |rest: &str, words: &str| ParseError { at: text.len() - rest.len(), words: words.to_owned() };
    while let Some(c) = rest.chars().next() {
        let done = match c {
            '(' if open.len() > DEEPEST => return Err(error(rest, "nested too deep")),
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                None
            }
            ')' => {
                let Some(items) = open.pop().filter(|_| !open.is_empty()) else {
                    return Err(error(rest, "`)` closes nothing"));
                };
                rest = &rest[1..];
                Some(Expression::List(items))
            }
            ';' => {
                rest = rest.split_once('\n').map_or("", |(_, after)| after);
                None
            }
            c if c.is_whitespace() => {
                rest = rest.trim_start();
                None
            }
            '|' | '"' => {
                let Some((inside, after)) = rest[1..].split_once(c) else {
                    return Err(error(rest, "a quote is not closed"));
                };
                rest = after;
                let inside = inside.to_owned();
                Some(if c == '|' { Expression::Atom(inside) } else { Expression::Text(inside) })
            }
            _ => {
                let end =
                    rest.find(|c: char| c.is_whitespace() || "();\"|".contains(c)).unwrap_or(rest.len());
                let (word, after) = rest.split_at(end);
                rest = after;
                Some(Expression::Atom(word.to_owned()))
            }
        };
        if let (Some(done), Some(into)) = (done, open.last_mut()) {
            into.push(done);
        }
    }
    match (open.len(), open.pop()) {
        (1, Some(all)) => Ok(all),
        _ => Err(error("", "`(` is not closed")),
    }
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
