//! The string literals of Rust text, as users see them: escapes of quotes and line ends are
//! resolved, and where a line goes on with `\`, the indentation of the next one is dropped.
//!
//! A lexer of five cases, since nothing but strings matters: comments and characters are skipped,
//! as quotes in them begin nothing.

/// A literal, and the line on which each of its lines begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    /// As it is printed.
    pub text: String,
    /// The line in the file of each line of the text, from 1.
    pub lines: Vec<usize>,
}

/// All string literals of a Rust file.
pub(crate) fn literals(text: &str) -> Vec<Literal> {
    let mut reader = Reader { rest: text, line: 1 };
    let mut found = Vec::new();
    while let Some(c) = reader.rest.chars().next() {
        let rest = reader.rest;
        if rest.starts_with("//") {
            reader.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if rest.starts_with("/*") {
            reader.skip(rest.find("*/").map_or(rest.len(), |end| end + 2));
        } else if let Some(length) = character(rest) {
            reader.skip(length);
        } else if let Some(hashes) = raw(rest) {
            reader.skip(hashes + 2);
            found.push(reader.raw(&format!("\"{}", "#".repeat(hashes))));
        } else if c == '"' {
            reader.skip(1);
            found.push(reader.escaped());
        } else {
            reader.word();
        }
    }
    found
}

/// How long a character literal is that begins here; lifetimes are none.
fn character(rest: &str) -> Option<usize> {
    let inside = rest.strip_prefix('\'')?;
    if inside.starts_with('\\') {
        return Some(inside.get(2..)?.find('\'')? + 4);
    }
    let c = inside.chars().next()?;
    inside[c.len_utf8()..].starts_with('\'').then_some(c.len_utf8() + 2)
}

/// How many hashes a raw string has that begins here.
fn raw(rest: &str) -> Option<usize> {
    let marks = rest.strip_prefix('r')?;
    let hashes = marks.len() - marks.trim_start_matches('#').len();
    marks[hashes..].starts_with('"').then_some(hashes)
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
}

impl Reader<'_> {
    fn skip(&mut self, bytes: usize) {
        self.line += self.rest[..bytes].matches('\n').count();
        self.rest = &self.rest[bytes..];
    }

    /// An identifier, so that the `r` at its end begins no raw string; or one character.
    fn word(&mut self) {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let one = self.rest.chars().next().map_or(0, char::len_utf8);
        self.skip(end.max(one));
    }

    fn raw(&mut self, end: &str) -> Literal {
        let length = self.rest.find(end).unwrap_or(self.rest.len());
        let text = self.rest[..length].to_owned();
        let lines = (self.line..).take(text.split('\n').count()).collect();
        self.skip((length + end.len()).min(self.rest.len()));
        Literal { text, lines }
    }

    fn escaped(&mut self) -> Literal {
        let (mut text, mut lines) = (String::new(), vec![self.line]);
        while let Some(c) = self.rest.chars().next() {
            let escape = (c == '\\').then(|| self.rest[1..].chars().next()).flatten();
            self.skip(c.len_utf8() + escape.map_or(0, char::len_utf8));
            match escape {
                Some('\n') => {
                    let indent = self.rest.len() - self.rest.trim_start().len();
                    self.skip(indent);
                }
                Some('n') => text.push('\n'),
                Some(other) => text.push(other),
                None if c == '"' => break,
                None => text.push(c),
            }
            if text.ends_with('\n') && lines.len() < text.split('\n').count() {
                lines.push(self.line);
            }
        }
        Literal { text, lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, Vec<usize>)> {
        literals(text).into_iter().map(|l| (l.text, l.lines)).collect()
    }

    #[test]
    fn strings_are_found_and_nothing_else() {
        let text = "// \"no\"\nlet a: &'a str = \"x\\\"y\"; '\"' '\\'' /* \"no\n\" */ for r in r#\"z\"w\"#";
        assert_eq!(read(text), [("x\"y".into(), vec![2]), ("z\"w".into(), vec![3])]);
        assert_eq!(read("attr\"u\" b\"v\""), [("u".into(), vec![1]), ("v".into(), vec![1])]);
    }

    #[test]
    fn lines_are_those_that_are_printed() {
        assert_eq!(read("\"\\\n   a b \\\n   c\\nd\ne\""), [("a b c\nd\ne".into(), vec![1, 3, 4])]);
        assert_eq!(read("\n r\"a\nb\""), [("a\nb".into(), vec![2, 3])]);
    }
}
