//! Places as the protocol counts them, from lines and columns to bytes and back.

use serde::Deserialize;
use serde_json::{Value, json};

/// What a column counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Encoding {
    Utf8,
    /// What every client knows.
    #[default]
    Utf16,
}

impl Encoding {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
        }
    }

    fn width(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        }
    }
}

/// A line and a column, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// From one place to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    starts: Vec<usize>,
    encoding: Encoding,
}

impl Lines {
    /// A line ends with a line feed, a carriage return, or both.
    pub(crate) fn of(text: &str, encoding: Encoding) -> Lines {
        let bytes = text.as_bytes();
        let ends = |at: &usize| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|at| at + 1));
        Lines { starts: starts.collect(), encoding }
    }

    /// The byte at a place; behind the end of a line there is its end, behind the text its end.
    pub(crate) fn offset(&self, text: &str, at: Position) -> usize {
        let Some(start) = self.starts.get(at.line as usize) else { return text.len() };
        let end = self.starts.get(at.line as usize + 1).copied().unwrap_or(text.len());
        let line = text[*start..end].trim_end_matches(['\n', '\r']);
        let mut left = at.character as usize;
        for (offset, c) in line.char_indices() {
            let width = self.encoding.width(c);
            if left < width {
                return start + offset;
            }
            left -= width;
        }
        start + line.len()
    }

    /// The place of a byte; of one inside a character, that of the character.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Value {
        let offset = (0..=offset.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &text[self.starts[line]..offset];
        let character: usize = before.chars().map(|c| self.encoding.width(c)).sum();
        json!({"line": line, "character": character})
    }

    pub(crate) fn range(&self, text: &str, start: usize, end: usize) -> Value {
        json!({"start": self.position(text, start), "end": self.position(text, end)})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_was_agreed() {
        let text = "aö𝒳b\r\nc\rd\n";
        for (encoding, columns) in [(Encoding::Utf16, [0, 1, 2, 4, 5]), (Encoding::Utf8, [0, 1, 3, 7, 8])] {
            let lines = Lines::of(text, encoding);
            for (column, offset) in columns.into_iter().zip([0, 1, 3, 7, 8]) {
                let position = Position { line: 0, character: column };
                assert_eq!(lines.offset(text, position), offset);
                assert_eq!(lines.position(text, offset), json!({"line": 0, "character": column}));
            }
            assert_eq!(lines.position(text, 12), json!({"line": 2, "character": 0}));
        }
    }

    #[test]
    fn places_that_are_nowhere_are_near() {
        let text = "ab\n𝒳";
        let lines = Lines::of(text, Encoding::Utf16);
        let offset = |line, character| lines.offset(text, Position { line, character });
        assert_eq!((offset(0, 99), offset(9, 0), offset(1, 1)), (2, 7, 3));
        assert_eq!(lines.position(text, 5), json!({"line": 1, "character": 0}));
        assert_eq!(lines.position(text, 99), json!({"line": 1, "character": 2}));
    }
}
