//! Characters that Java reads otherwise than the parser does: unicode escapes, which are translated
//! before comments and literals are recognised (JLS 3.3), a carriage return alone, which ends a
//! line (3.4), and characters that identifiers ignore (3.8). Refused.

use source::{Diagnostic, FileId, Span};

/// What is refused in a text, wherever it stands, in comments too.
pub fn refused(text: &str, file: FileId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut backslashes = 0;
    let mut after = text.chars().skip(1);
    for (at, c) in text.char_indices() {
        let next = after.next();
        let (message, help) = match c {
            'u' if backslashes % 2 == 1 => (
                "unicode escapes are not modelled, not even in comments",
                "write the character itself; a backslash before `u` is written twice",
            ),
            '\r' if next != Some('\n') => (
                "a carriage return alone ends a line in Java, which is not modelled",
                "end lines with a line feed",
            ),
            c if is_hidden(c) => ("this character cannot be seen, and Java may ignore it", "remove it"),
            _ => ("", ""),
        };
        backslashes = if c == '\\' { backslashes + 1 } else { 0 };
        if !message.is_empty() {
            let span = Span::new(file, at as u32, (at + c.len_utf8()) as u32);
            found.push(Diagnostic::error("E0801", span, message).help(help));
        }
    }
    found
}

/// Control and format characters that are no white space of Java.
fn is_hidden(c: char) -> bool {
    let format = matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{feff}' | '\u{200b}'..='\u{200f}')
        || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fff9}'..='\u{fffb}')
        || matches!(c, '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{e0001}'..='\u{e007f}');
    format || c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}')
}
