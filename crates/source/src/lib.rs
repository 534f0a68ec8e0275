//! Texts, spans and diagnostics.
//!
//! A [`SourceMap`] holds the texts of one run, a [`Span`] points into one of them, a [`Diagnostic`]
//! says what is wrong there, and a [`CodeTable`] holds the long explanation of each diagnostic
//! code. Every language has its own table, its own [`Lexicon`] for [`lex`], and a parser over a
//! [`Cursor`]. Its checker fills a [`Recorder`] with what names mean; editors read the [`Index`].
//!
//! ```
//! use source::{Diagnostic, Look, SourceMap, Span, render};
//!
//! let mut map = SourceMap::new();
//! let file = map.add("door.pml", "byte x = 300;");
//! let wrong = Diagnostic::error("E0001", Span::new(file, 9, 12), "300 does not fit in a byte");
//! let shown = render(&map, &wrong.help("a byte has 0 to 255"), Look::Plain);
//! assert!(shown.contains("door.pml:1:10") && shown.contains("^^^"));
//! ```

#![warn(missing_docs)]

mod brackets;
mod codes;
mod cursor;
mod descent;
mod diagnostic;
mod index;
mod lex;
mod nearest;
mod recovered;
mod render;
mod text;
mod token;

pub use brackets::{blame_unclosed, unclosed};
pub use codes::{Code, CodeTable};
pub use cursor::{Abandoned, Cursor, Language, Parsed};
pub use descent::Descent;
pub use diagnostic::{Diagnostic, Label, Severity};
pub use index::{Definition, Index, NameKind, Recorder};
pub use lex::{Lexicon, lex};
pub use nearest::nearest;
pub use recovered::certain;
pub use render::{Look, render};
pub use text::{FileId, Position, SourceMap, Span, Text};
pub use token::{Bad, Ident, Name, Token, TokenKind};
