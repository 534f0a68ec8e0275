//! Diagnostics on the screen, in the look of rustc.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::{Diagnostic, FileId, Label, Severity, SourceMap, Span};

/// Whether terminal colours may be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// Characters alone, for files and pipes.
    Plain,
    /// With escape sequences for colours, for terminals.
    Coloured,
}

/// One diagnostic as text, without a final newline.
pub fn render(map: &SourceMap, diagnostic: &Diagnostic, look: Look) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&*diagnostic.message).id(diagnostic.code);
    let mut group = Group::with_title(title);
    for file in files(diagnostic) {
        if let Some(snippet) = snippet(map, file, diagnostic) {
            group = group.element(snippet);
        }
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(&**note));
    }
    for help in &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer(look).render(&[group])
}

fn renderer(look: Look) -> Renderer {
    match look {
        Look::Plain => Renderer::plain(),
        Look::Coloured => Renderer::styled(),
    }
}

/// The texts a diagnostic points into, the primary one first.
fn files(diagnostic: &Diagnostic) -> Vec<FileId> {
    let mut files = vec![diagnostic.primary.span.file];
    for label in &diagnostic.secondary {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    files
}

fn snippet<'a>(
    map: &'a SourceMap,
    file: FileId,
    diagnostic: &'a Diagnostic,
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let text = map.get(file)?;
    let annotation = |kind: AnnotationKind, label: &'a Label| {
        let words = (!label.text.is_empty()).then_some(&*label.text);
        kind.span(fit(&text.content, label.span)).label(words)
    };
    let primary = std::iter::once(&diagnostic.primary).map(|label| (AnnotationKind::Primary, label));
    let secondary = diagnostic.secondary.iter().map(|label| (AnnotationKind::Context, label));
    let annotations = primary.chain(secondary).filter(|(_, label)| label.span.file == file);
    let annotations = annotations.map(|(kind, label)| annotation(kind, label));
    Some(Snippet::source(&*text.content).path(&*text.name).annotations(annotations))
}

/// A span as a range that lies in the text and between characters.
fn fit(text: &str, span: Span) -> Range<usize> {
    let start = boundary(text, span.start as usize);
    start..boundary(text, span.end as usize).max(start)
}

fn boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(map: &SourceMap, diagnostic: &Diagnostic, expected: Expect) {
        expected.assert_eq(&(render(map, diagnostic, Look::Plain) + "\n"));
    }

    fn two_files() -> (SourceMap, FileId, FileId) {
        let mut map = SourceMap::new();
        let main = map.add("main.pml", "init {\n  x = 1\n}\n");
        let included = map.add("defs.h", "byte y;\n");
        (map, main, included)
    }

    #[test]
    fn shows_code_place_labels_notes_and_help() {
        let (map, main, included) = two_files();
        let diagnostic = Diagnostic::error("E0301", Span::new(main, 9, 10), "no variable `x`")
            .label("not declared")
            .also(Span::new(included, 5, 6), "a similar name")
            .note("names are case-sensitive")
            .help("declare it: `byte x;`");
        check(
            &map,
            &diagnostic,
            expect![[r#"
            error[E0301]: no variable `x`
             --> main.pml:2:3
              |
            2 |   x = 1
              |   ^ not declared
              |
             ::: defs.h:1:6
              |
            1 | byte y;
              |      - a similar name
              |
              = note: names are case-sensitive
              = help: declare it: `byte x;`
        "#]],
        );
    }

    #[test]
    fn colours_only_when_asked() {
        let (map, main, _) = two_files();
        let diagnostic = Diagnostic::warning("W0301", Span::new(main, 9, 10), "hm");
        assert!(!render(&map, &diagnostic, Look::Plain).contains('\u{1b}'));
        assert!(render(&map, &diagnostic, Look::Coloured).contains('\u{1b}'));
    }

    #[test]
    fn any_span_renders() {
        let mut map = SourceMap::new();
        let file = map.add("a", "ü\r\n\tx");
        for (start, end) in [(0, 0), (1, 1), (0, 1), (1, 9), (6, 6), (90, 91)] {
            let span = Span::new(file, start, end);
            let text =
                render(&map, &Diagnostic::error("E0001", span, "m").label("l").also(span, "s"), Look::Plain);
            assert!(text.contains("error[E0001]: m"));
        }
        render(&map, &Diagnostic::error("E0001", Span::new(FileId(9), 0, 1), "m"), Look::Plain);
    }
}
