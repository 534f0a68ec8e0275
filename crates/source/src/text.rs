//! Named texts and byte spans into them.

use std::fmt;
use std::sync::Arc;

/// Which text of a [`SourceMap`] a span points into.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct FileId(pub u32);

/// A range of bytes in one text. `start <= end` always.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The text that the span is part of.
    pub file: FileId,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset behind its last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`, turned round if the ends are swapped.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start: start.min(end), end: start.max(end) }
    }

    /// The smallest span that covers both. Spans of different texts cannot be joined: the first one
    /// wins.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The empty span right behind this one.
    pub fn after(self) -> Span {
        Span { start: self.end, ..self }
    }
}

/// Short, because spans fill every dump of a syntax tree.
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "@{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A line and a column, both counted from 1; the column counts characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
}

/// One text with its name and the offsets at which its lines start.
#[derive(Clone, Debug)]
pub struct Text {
    /// The path or another name, as messages show it.
    pub name: String,
    /// The whole text.
    pub content: Arc<str>,
    line_starts: Vec<u32>,
}

impl Text {
    fn new(name: String, content: Arc<str>) -> Text {
        let newlines = content.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        Text { name, content, line_starts }
    }

    /// The 1-based line that holds the byte `offset`.
    pub fn line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|start| *start <= offset) as u32
    }

    fn position(&self, offset: u32) -> Position {
        let line = self.line(offset);
        let start = self.line_starts[line as usize - 1] as usize;
        let column = self.content.get(start..offset as usize).map_or(0, |text| text.chars().count());
        Position { line, column: column as u32 + 1 }
    }
}

/// All texts of one run: the file the user named, and those it includes.
#[derive(Clone, Default, Debug)]
pub struct SourceMap {
    texts: Vec<Text>,
}

impl SourceMap {
    /// A map without texts.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text. Texts beyond 4 GiB cannot be pointed into and are cut off there.
    pub fn add(&mut self, name: impl Into<String>, content: impl Into<Arc<str>>) -> FileId {
        let id = FileId(self.texts.len() as u32);
        self.texts.push(Text::new(name.into(), content.into()));
        id
    }

    /// The text with this id, if it belongs to this map.
    pub fn get(&self, file: FileId) -> Option<&Text> {
        self.texts.get(file.0 as usize)
    }

    /// All texts, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Text)> {
        self.texts.iter().enumerate().map(|(id, text)| (FileId(id as u32), text))
    }

    /// The name under which a text was added.
    pub fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("", |text| &text.name)
    }

    /// The words under a span; empty if the span does not fit its text.
    pub fn snippet(&self, span: Span) -> &str {
        self.get(span.file)
            .and_then(|text| text.content.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// The line in which a span begins, without its end; `None` if the span points nowhere.
    pub fn line(&self, span: Span) -> Option<&str> {
        let text = self.get(span.file).filter(|_| span.start < span.end)?;
        let start = *text.line_starts.get((text.line(span.start) - 1) as usize)?;
        text.content.get(start as usize..)?.lines().next()
    }

    /// Line and column of the start of a span.
    pub fn position(&self, span: Span) -> Position {
        self.get(span.file).map_or(Position { line: 0, column: 0 }, |text| text.position(span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let mut map = SourceMap::new();
        let file = map.add("a", "ab\nüx\n");
        let at = |start| map.position(Span::new(file, start, start));
        assert_eq!(at(0), Position { line: 1, column: 1 });
        assert_eq!(at(2), Position { line: 1, column: 3 });
        assert_eq!(at(3), Position { line: 2, column: 1 });
        assert_eq!(at(5), Position { line: 2, column: 2 });
        assert_eq!(at(7), Position { line: 3, column: 1 });
        assert_eq!(map.line(Span::new(file, 4, 6)), Some("üx"));
    }

    #[test]
    fn joining_spans() {
        let span = |file, start, end| Span::new(FileId(file), start, end);
        assert_eq!(span(0, 2, 4).to(span(0, 8, 9)), span(0, 2, 9));
        assert_eq!(span(0, 8, 9).to(span(0, 2, 4)), span(0, 2, 9));
        assert_eq!(span(0, 2, 4).to(span(1, 8, 9)), span(0, 2, 4));
    }

    #[test]
    fn spans_outside_a_text_are_harmless() {
        let mut map = SourceMap::new();
        let file = map.add("a", "ü");
        assert_eq!(map.snippet(Span::new(file, 1, 2)), "");
        assert_eq!(map.line(Span::new(file, 90, 91)), Some("ü"));
        assert_eq!(map.line(Span::new(file, 1, 1)), None);
        assert_eq!(map.snippet(Span::new(FileId(7), 0, 1)), "");
        assert_eq!(map.position(Span::new(file, 90, 91)).line, 1);
    }
}
