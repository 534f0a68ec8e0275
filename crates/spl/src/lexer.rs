//! The tokens of SPL. Comments are `(* … *)`, `/* … */`, `// …` and `% …`.

use source::{Bad, Diagnostic, FileId, Lexicon, Token, TokenKind};

const LEXICON: Lexicon = Lexicon {
    signs: &[
        "<==>", "<-->", "==>", "-->", "<->", "[-]", "(-)", "(~)", "::", ":=", "..", "<=", "=>", ">=", "!=",
        "<>", "->", "[]", "()", "/\\", "\\/", "||", "~", "!", "[", "]", "(", ")", "{", "}", "<", ">", "=",
        "+", "-", "*", "/", ",", ";", ":", ".", "'", "#", "|", "&",
    ],
    comments: &[("//", "\n"), ("%", "\n"), ("(*", "*)"), ("/*", "*/")],
    ..Lexicon::PLAIN
};

/// All tokens of a text that can be read; the last is `End`.
pub fn lex(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut tokens = source::lex(&LEXICON, file, text, 0);
    let mut diagnostics = Vec::new();
    for token in &mut tokens {
        if let TokenKind::Bad(Bad::Character(c)) = token.kind
            && let Some(sign) = written(c)
        {
            token.kind = TokenKind::Sign(sign);
        }
    }
    tokens.retain(|token| {
        let TokenKind::Bad(bad) = token.kind else { return true };
        diagnostics.push(match bad {
            Bad::Comment(close) => {
                Diagnostic::error("E0701", token.span, "comment is not closed").help(format!("add `{close}`"))
            }
            _ => Diagnostic::error("E0702", token.span, format!("unexpected character {}", token.describe())),
        });
        false
    });
    (tokens, diagnostics)
}

/// The sign that a character of mathematics stands for.
fn written(character: char) -> Option<&'static str> {
    Some(match character {
        '∧' => "/\\",
        '∨' => "\\/",
        '¬' => "~",
        '→' => "-->",
        '⇒' => "==>",
        '↔' => "<-->",
        '⇔' => "<==>",
        '□' | '◻' => "[]",
        '◇' | '◊' => "<>",
        '○' => "()",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '∥' => "||",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<String> {
        let (tokens, diagnostics) = lex(FileId(0), text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        tokens.iter().map(Token::spelling).filter(|t| !t.is_empty()).collect()
    }

    #[test]
    fn signs_are_as_long_as_they_can_be() {
        assert_eq!(texts("p ==> []<>q <--> (-)r"), ["p", "==>", "[]", "<>", "q", "<-->", "(-)", "r"]);
        assert_eq!(texts("[1..N]"), ["[", "1", "..", "N", "]"]);
        assert_eq!(texts("x<=y /\\ ~(a\\/b)"), ["x", "<=", "y", "/\\", "~", "(", "a", "\\/", "b", ")"]);
    }

    #[test]
    fn signs_of_mathematics_are_read() {
        assert_eq!(texts("□(p ∧ ¬q → ◇r)"), ["[]", "(", "p", "/\\", "~", "q", "-->", "<>", "r", ")"]);
        assert_eq!(texts("x ≤ y ∨ x ≠ 1"), ["x", "<=", "y", "\\/", "x", "!=", "1"]);
    }

    #[test]
    fn comments_vanish() {
        assert_eq!(texts("a (* b /* c *) d // e\n /* f */ g % h\n i"), ["a", "d", "g", "i"]);
        assert_eq!(lex(FileId(0), "(* a").1[0].code, "E0701");
        assert_eq!(lex(FileId(0), "a $ b").1[0].code, "E0702");
    }
}
