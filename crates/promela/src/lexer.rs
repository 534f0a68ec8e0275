//! The tokens of Promela and its operators.
//!
//! After SPIN's spinlex.c, with one deviation: `0..N` is three tokens. SPIN hands the text to the C
//! preprocessor, which takes `0..N` for one number and does not expand `N`.

use logic::Binary;
use source::{FileId, Lexicon, Token};

const LEXICON: Lexicon = Lexicon {
    signs: &[
        "::", "->", "--", "++", "<<", "<=", ">>", ">=", "==", "!=", "!!", "??", "&&", "||", "..", "##", "{",
        "}", "(", ")", "[", "]", ";", ":", ",", ".", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "?",
        "<", ">", "=", "@", "#",
    ],
    comments: &[("//", "\n"), ("/*", "*/")],
    quotes: "\"",
    escapes: true,
    like_c: true,
    ..Lexicon::PLAIN
};

/// All tokens of a text, without a final `End`.
pub fn lex(file: FileId, text: &str) -> Vec<Token> {
    let mut tokens = source::lex(&LEXICON, file, text, 0);
    tokens.pop();
    tokens
}

/// The value of a number as it is written, if it has 64 bits. Hexadecimal numbers are for `#if`
/// alone.
pub(crate) fn number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits.trim_end_matches(['u', 'U', 'l', 'L']), 16).ok(),
        None => text.parse().ok(),
    }
}

/// Binary operators and how strongly they bind, in the order of spin.y; level 5 is for the temporal
/// operators of formulas.
pub(crate) const BINARY: [(&str, u8, Binary); 18] = [
    ("||", 3, Binary::Or),
    ("&&", 4, Binary::And),
    ("|", 6, Binary::BitOr),
    ("^", 7, Binary::BitXor),
    ("&", 8, Binary::BitAnd),
    ("==", 9, Binary::Equal),
    ("!=", 9, Binary::NotEqual),
    ("<", 10, Binary::Less),
    ("<=", 10, Binary::LessEqual),
    (">", 10, Binary::Greater),
    (">=", 10, Binary::GreaterEqual),
    ("<<", 11, Binary::ShiftLeft),
    (">>", 11, Binary::ShiftRight),
    ("+", 12, Binary::Add),
    ("-", 12, Binary::Subtract),
    ("*", 13, Binary::Multiply),
    ("/", 13, Binary::Divide),
    ("%", 13, Binary::Remainder),
];

/// What an operator does and how strongly it binds.
pub(crate) fn binary_operator(word: &str) -> Option<(u8, Binary)> {
    let found = BINARY.iter().find(|(symbol, ..)| *symbol == word)?;
    Some((found.1, found.2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::{Bad, TokenKind};

    fn spellings(text: &str) -> Vec<String> {
        lex(FileId(0), text)
            .iter()
            .map(|token| format!("{}{}", token.spelling(), if token.joint { "_" } else { "" }))
            .collect()
    }

    #[test]
    fn longest_operator_wins_and_ranges_split() {
        assert_eq!(spellings("a->b"), ["a_", "->_", "b"]);
        assert_eq!(spellings("0..N"), ["0_", ".._", "N"]);
        assert_eq!(spellings("[] <-> !!"), ["[_", "]", "<_", "->", "!!"]);
        assert_eq!(spellings("q??<x>"), ["q_", "??_", "<_", "x_", ">"]);
    }

    #[test]
    fn comments_and_joined_lines_vanish() {
        let tokens = lex(FileId(0), "a /* b\n */ c // d \\\n e\nf \\\n g");
        let starts: Vec<_> = tokens.iter().map(|token| (token.spelling(), token.starts_line)).collect();
        let expected = [("a", true), ("c", false), ("f", true), ("g", false)];
        assert_eq!(starts, expected.map(|(text, start)| (text.to_string(), start)));
    }

    #[test]
    fn constants() {
        let kinds: Vec<_> =
            lex(FileId(0), r#"12 'x' '\n' "a\"b""#).into_iter().map(|token| token.kind).collect();
        let (number, text) = (TokenKind::Number("12".into()), TokenKind::Text(r#"a\"b"#.into()));
        assert_eq!(kinds, [number, TokenKind::Character('x'), TokenKind::Character('\n'), text]);
    }

    #[test]
    fn what_cannot_be_read_is_one_bad_token() {
        let kinds = |text| lex(FileId(0), text).into_iter().map(|token| token.kind).collect::<Vec<_>>();
        assert_eq!(kinds("/* a"), [TokenKind::Bad(Bad::Comment("*/"))]);
        assert_eq!(kinds("\"a"), [TokenKind::Bad(Bad::Text)]);
        assert_eq!(kinds("'"), [TokenKind::Bad(Bad::Quote)]);
        assert_eq!(kinds("ü"), [TokenKind::Bad(Bad::Character('ü'))]);
        assert_eq!(kinds("0x1F"), [TokenKind::Number("0x1F".into())]);
        assert_eq!(kinds("\"\\"), [TokenKind::Bad(Bad::Text)]);
    }
}
