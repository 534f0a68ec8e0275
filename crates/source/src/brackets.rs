//! Which bracket was probably meant to be closed, when one is missing.
//!
//! A parser finds out only at the end of the text, where the outermost bracket is still open; the
//! mistake is somewhere inside. Indentation tells: a bracket that closes at the beginning of a
//! line and stands further left than the line of the bracket that it closes is not its partner.

use crate::{Diagnostic, SourceMap, Span};

/// A bracket that was opened and not closed before this.
struct Open {
    at: usize,
    bracket: char,
    indent: usize,
}

/// Where the bracket stands that was probably not closed; `None` if all are.
///
/// ```
/// let text = "a {\n  b {\n    c\n}\n";
/// assert_eq!(source::unclosed(text, &[('{', '}')]), Some(8));
/// assert_eq!(source::unclosed("a { }", &[('{', '}')]), None);
/// ```
pub fn unclosed(text: &str, pairs: &[(char, char)]) -> Option<usize> {
    let (mut open, mut suspect): (Vec<Open>, Option<usize>) = (Vec::new(), None);
    let (mut indent, mut fresh) = (0, true);
    let mut rest = text.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        let next = rest.peek().map(|(_, c)| *c);
        match c {
            '\n' => (indent, fresh) = (0, true),
            c if c.is_whitespace() => indent += usize::from(fresh),
            '/' if next == Some('/') => while rest.next_if(|(_, c)| *c != '\n').is_some() {},
            '/' if next == Some('*') => {
                let mut last = ' ';
                while let Some((_, c)) = rest.next().filter(|(_, c)| !(last == '*' && *c == '/')) {
                    last = c;
                }
            }
            '"' => {
                while rest.next_if(|(_, c)| *c != '"' && *c != '\n').is_some() {}
                rest.next_if(|(_, c)| *c == '"');
            }
            c => {
                if let Some((bracket, _)) = pairs.iter().find(|(opens, _)| *opens == c) {
                    open.push(Open { at, bracket: *bracket, indent });
                } else if let Some((opens, _)) = pairs.iter().find(|(_, closes)| *closes == c) {
                    let last = open.pop_if(|last| last.bracket == *opens);
                    let outside = last.filter(|last| fresh && indent < last.indent);
                    suspect = suspect.or(outside.map(|last| last.at));
                }
                fresh = false;
            }
        }
    }
    open.last().map(|last| suspect.unwrap_or(last.at))
}

/// Says of each error that misses a closing bracket which one was probably not closed, if the
/// brackets of its text do not match.
pub fn blame_unclosed(map: &SourceMap, diagnostics: &mut [Diagnostic], pairs: &[(char, char)]) {
    for diagnostic in diagnostics.iter_mut().filter(|d| d.is_error()) {
        let missed = |(_, close): &&(char, char)| {
            let begins = format!("expected `{close}`, found ");
            diagnostic.message.starts_with(&begins)
        };
        let file = diagnostic.primary.span.file;
        let Some((text, (open, close))) = map.get(file).zip(pairs.iter().find(missed)) else { continue };
        let before = |at: &usize| *at < diagnostic.primary.span.start as usize;
        let found = unclosed(&text.content, &[(*open, *close)]).filter(before);
        let Some(at) = found else { continue };
        let span = Span::new(file, at as u32, (at + open.len_utf8()) as u32);
        let words = format!("this `{open}` is probably not closed");
        diagnostic.secondary = vec![crate::Label { span, text: words }];
        diagnostic.help.push(format!("write the missing `{close}`"));
    }
}
