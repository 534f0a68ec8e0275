//! The front-end kit: what every lexer and every parser relies on.

use source::{
    Bad, Cursor, Descent, Diagnostic, FileId, Language, Lexicon, Parsed, Span, Token, TokenKind, lex,
};

const LEXICON: Lexicon = Lexicon {
    signs: &["->", "(", ")", "{", "}", ",", ";", "+", "-"],
    comments: &[("//", "\n"), ("/*", "*/")],
    quotes: "\"",
    ..Lexicon::PLAIN
};

const LANGUAGE: Language = Language {
    unexpected: "E0001",
    reserved: &["end"],
    misnamed: Some("E0002"),
    too_deep: "E0003",
    errors: 3,
    ..Language::PLAIN
};

struct Parser {
    cursor: Cursor,
}

source::reads_tokens!(Parser);

fn tokens(text: &str) -> Vec<Token> {
    lex(&LEXICON, FileId(0), text, 100)
}

fn parser(text: &str) -> Parser {
    Parser { cursor: Cursor::new(tokens(text), &LANGUAGE) }
}

impl Parser {
    /// `name` or `(group)`; the number of names.
    fn group(&mut self) -> Parsed<usize> {
        if !self.is("(") {
            return self.name("a name").map(|_| 1);
        }
        let read = |this: &mut Self| this.between("(", ")", |this| this.separated(",", Self::group));
        Ok(self.nested(read)?.into_iter().sum())
    }

    fn codes(&self) -> Vec<&str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }
}

#[test]
fn tokens_know_their_place_and_their_neighbours() {
    let all = tokens("a->b // c\n 12");
    let shown: Vec<_> = all.iter().map(|t| (t.spelling(), t.joint, t.starts_line)).collect();
    let expected = [
        ("a", true, true),
        ("->", true, false),
        ("b", false, false),
        ("12", false, true),
        ("", false, false),
    ];
    assert_eq!(shown, expected.map(|(text, joint, starts)| (text.to_string(), joint, starts)));
    assert_eq!(all[1].span, Span::new(FileId(0), 101, 103));
    assert_eq!(all[4].span, Span::new(FileId(0), 113, 113));
}

#[test]
fn what_cannot_be_read_is_a_token() {
    let kinds = |text| tokens(text).into_iter().map(|token| token.kind).collect::<Vec<_>>();
    assert_eq!(kinds("/* a"), [TokenKind::Bad(Bad::Comment("*/")), TokenKind::End]);
    assert_eq!(kinds("ü"), [TokenKind::Bad(Bad::Character('ü')), TokenKind::End]);
    assert_eq!(kinds("\"a\n")[0], TokenKind::Bad(Bad::Text));
    assert_eq!(kinds("'a")[0], TokenKind::Bad(Bad::Character('\'')), "no characters here");
}

#[test]
fn comments_may_nest() {
    let nested = Lexicon { nested: true, ..LEXICON };
    let count = |lexicon: &Lexicon, text| lex(lexicon, FileId(0), text, 0).len();
    assert_eq!(count(&nested, "/* a /* b */ c */ d"), 2);
    assert_eq!(count(&LEXICON, "/* a /* b */ c"), 2);
}

#[test]
fn names_lists_and_words_that_are_taken() {
    let mut good = parser("(a, (b, c))");
    assert_eq!(good.group().ok(), Some(3));
    assert!(good.at_end() && good.diagnostics.is_empty());
    let mut bad = parser("(a, end)");
    assert!(bad.group().is_err());
    assert_eq!(bad.codes(), ["E0002"]);
    let mut open = parser("(a");
    assert!(open.group().is_err());
    assert_eq!(open.diagnostics[0].message, "expected `)`, found the end of the file");
}

#[test]
fn nesting_and_errors_are_bounded() {
    let mut deep = parser(&"(".repeat(100_000));
    assert!(deep.group().is_err());
    assert_eq!(deep.codes(), ["E0003"]);
    assert!(deep.at_end(), "the rest is not read");
    let mut many = parser("; ; ; ; ;");
    while !many.at_end() {
        let _ = many.group();
        many.advance();
    }
    assert_eq!(many.codes(), ["E0001"; 3]);
}

#[test]
fn one_error_for_one_place_and_any_number_of_warnings() {
    let mut parser = parser("a");
    let span = parser.span();
    parser.report(Diagnostic::warning("W0001", span, "a warning"));
    parser.report(Diagnostic::error("E0001", span, "an error"));
    parser.report(Diagnostic::error("E0002", span, "another"));
    parser.report(Diagnostic::warning("W0002", span, "another warning"));
    assert_eq!(parser.codes(), ["W0001", "E0001", "W0002"]);
}

#[test]
fn groups_are_skipped_as_a_whole() {
    let mut parser = parser("{ a { b } } c");
    assert!(parser.skip_group("{", "}"));
    assert!(parser.is("c"));
    assert!(!parser.skip_group("{", "}"));
    assert!(parser.is("c"));
}
