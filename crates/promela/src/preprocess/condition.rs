//! The value of an `#if` expression: C's integer operators, `defined`, and 0 for every other name.

use super::macros::Macros;
use crate::lexer::{binary_operator, number};
use logic::{Binary, IntType, wrapped_binary};
use source::{Cursor, Descent, Diagnostic, Language, Parsed, Span, Token, TokenKind};

/// Does the expression behind `#if` or `#elif` hold? A malformed one does not, and is reported.
pub(super) fn holds(
    span: Span,
    tokens: &[Token],
    macros: &mut Macros,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let known = without_defined(tokens, macros);
    let mut tokens = macros.expand(known, diagnostics);
    tokens.push(Token::new(TokenKind::End, span));
    let mut reader = Reader { cursor: Cursor::new(tokens, &LANGUAGE) };
    let mut value = reader.conditional();
    if value.is_ok() && !reader.at_end() {
        value = reader.unexpected("the end of the condition");
    }
    diagnostics.append(&mut reader.cursor.diagnostics);
    value.is_ok_and(|value| value != 0)
}

/// Replaces `defined X` and `defined(X)` by 0 or 1, before macros are expanded.
fn without_defined(tokens: &[Token], macros: &mut Macros) -> Vec<Token> {
    let mut output = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        let (name, length) = match rest {
            [defined, open, name, close, ..] if defined.is("defined") && open.is("(") && close.is(")") => {
                (name.name().map(|word| (word, name.span)), 4)
            }
            [defined, name, ..] if defined.is("defined") => (name.name().map(|word| (word, name.span)), 2),
            _ => (None, 1),
        };
        match name {
            Some((name, place)) => {
                macros.named(name, place);
                let value = TokenKind::Number(if macros.contains(name) { "1" } else { "0" }.into());
                output.push(Token::new(value, first.span));
                rest = &rest[length..];
            }
            None => {
                output.push(first.clone());
                rest = &rest[1..];
            }
        }
    }
    output
}

const LANGUAGE: Language = Language {
    unexpected: "E0115",
    end: "the end of the line",
    too_deep: "E0115",
    levels: 100,
    ..Language::PLAIN
};

struct Reader {
    cursor: Cursor,
}

source::reads_tokens!(Reader);

impl Reader {
    fn conditional(&mut self) -> Parsed<i64> {
        let condition = self.binary(1)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.nested(Self::conditional)?;
        self.expect(":")?;
        let no = self.nested(Self::conditional)?;
        Ok(if condition != 0 { yes } else { no })
    }

    fn binary(&mut self, least: u8) -> Parsed<i64> {
        let mut left = self.unary()?;
        while let Some((strength, operator)) = binary_operator(self.peek().text()).filter(|o| o.0 >= least) {
            let span = self.advance();
            let right = self.nested(|this| this.binary(strength + 1))?;
            left = match apply(operator, left, right) {
                Some(value) => value,
                None => {
                    return self.fail(Diagnostic::error("E0115", span, "division by zero in the condition"));
                }
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<i64> {
        if self.is("(") {
            return self.between("(", ")", |this| this.nested(Self::conditional));
        }
        if !self.is_any(&["!", "-", "+", "~"]) {
            return self.constant();
        }
        let operator = self.bump();
        let value = self.nested(Self::unary)?;
        Ok(match operator.text() {
            "!" => (value == 0).into(),
            "-" => value.wrapping_neg(),
            "~" => !value,
            _ => value,
        })
    }

    fn constant(&mut self) -> Parsed<i64> {
        let token = self.peek().clone();
        let value = match &token.kind {
            TokenKind::Number(text) => number(text),
            TokenKind::Character(c) => Some(i64::from(u32::from(*c))),
            TokenKind::Word(_) => Some(0),
            _ => None,
        };
        let Some(value) = value else { return self.unexpected("a value in the condition") };
        self.advance();
        let suffix = self.peek().text();
        if token.is_number() && token.joint && !suffix.is_empty() && suffix.trim_matches(SUFFIX).is_empty() {
            self.advance();
        }
        Ok(value)
    }
}

/// What may be behind a number in C.
const SUFFIX: [char; 4] = ['u', 'U', 'l', 'L'];

/// As C computes in 64 bits; a shift is by the amount modulo 64.
fn apply(operator: Binary, left: i64, right: i64) -> Option<i64> {
    let right = if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) { right & 63 } else { right };
    wrapped_binary(IntType::signed(64), operator, left, right).ok()
}
