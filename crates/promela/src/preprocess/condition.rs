//! The value of an `#if` expression: C's integer operators, `defined`, and 0 for every other name.

use source::{Diagnostic, Span};

use super::macros::Macros;
use crate::token::{Bad, Token, TokenKind, binary_operator};
use logic::{Binary, IntType, wrapped_binary};

const MAX_DEPTH: usize = 100;

/// Does the expression behind `#if` or `#elif` hold? A malformed one does not, and is reported.
pub(super) fn holds(
    span: Span,
    tokens: &[Token],
    macros: &mut Macros,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let tokens = macros.expand(without_defined(tokens, macros), diagnostics);
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0, end: span };
    let value = reader.conditional();
    match value {
        Ok(value) if reader.at == tokens.len() => value != 0,
        Ok(_) => {
            diagnostics.push(reader.unexpected());
            false
        }
        Err(diagnostic) => {
            diagnostics.push(*diagnostic);
            false
        }
    }
}

/// Replaces `defined X` and `defined(X)` by 0 or 1, before macros are expanded.
fn without_defined(tokens: &[Token], macros: &Macros) -> Vec<Token> {
    let mut output = Vec::new();
    let mut rest = tokens;
    while let Some(first) = rest.first() {
        let (name, length) = match rest {
            [defined, open, name, close, ..] if defined.is("defined") && open.is("(") && close.is(")") => {
                (name.name(), 4)
            }
            [defined, name, ..] if defined.is("defined") => (name.name(), 2),
            _ => (None, 1),
        };
        match name {
            Some(name) => {
                let value = TokenKind::Number(macros.contains(name).into());
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

type Value = Result<i64, Box<Diagnostic>>;

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    end: Span,
}

impl Reader<'_> {
    fn word(&self) -> &str {
        self.tokens.get(self.at).map_or("", Token::word)
    }

    fn span(&self) -> Span {
        self.tokens.get(self.at).map_or(self.end, |token| token.span)
    }

    fn unexpected(&self) -> Diagnostic {
        let what = self.tokens.get(self.at).map_or("the end of the line".to_string(), Token::describe);
        Diagnostic::error("E0115", self.span(), format!("unexpected {what} in the condition"))
    }

    fn conditional(&mut self) -> Value {
        let condition = self.binary(1)?;
        if self.word() != "?" {
            return Ok(condition);
        }
        self.at += 1;
        let yes = self.deeper(Self::conditional)?;
        self.expect(":")?;
        let no = self.deeper(Self::conditional)?;
        Ok(if condition != 0 { yes } else { no })
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Value) -> Value {
        if self.depth >= MAX_DEPTH {
            return Err(Box::new(Diagnostic::error(
                "E0115",
                self.span(),
                "the condition is nested too deeply",
            )));
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn expect(&mut self, word: &str) -> Result<(), Box<Diagnostic>> {
        if self.word() != word {
            return Err(Box::new(self.unexpected()));
        }
        self.at += 1;
        Ok(())
    }

    fn binary(&mut self, least: u8) -> Value {
        let mut left = self.unary()?;
        while let Some((binding, operator)) = binary_operator(self.word()).filter(|found| found.0 >= least) {
            let span = self.span();
            self.at += 1;
            let right = self.deeper(|this| this.binary(binding + 1))?;
            left = apply(operator, left, right).ok_or_else(|| {
                Box::new(Diagnostic::error("E0115", span, "division by zero in the condition"))
            })?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Value {
        let operator = self.word().to_string();
        match operator.as_str() {
            "!" | "-" | "+" | "~" => {
                self.at += 1;
                let value = self.deeper(Self::unary)?;
                Ok(match operator.as_str() {
                    "!" => (value == 0).into(),
                    "-" => value.wrapping_neg(),
                    "~" => !value,
                    _ => value,
                })
            }
            "(" => {
                self.at += 1;
                let value = self.deeper(Self::conditional)?;
                self.expect(")")?;
                Ok(value)
            }
            _ => self.constant(),
        }
    }

    fn constant(&mut self) -> Value {
        let Some(token) = self.tokens.get(self.at) else {
            return Err(Box::new(self.unexpected()));
        };
        let value = match &token.kind {
            TokenKind::Number(value) | TokenKind::Bad(Bad::Hexadecimal(value)) => *value,
            TokenKind::Char(c) => i64::from(u32::from(*c)),
            TokenKind::Word(_) => 0,
            _ => return Err(Box::new(self.unexpected())),
        };
        self.at += 1;
        let is_number = matches!(token.kind, TokenKind::Number(_));
        if is_number
            && token.joint
            && self.word().trim_matches(['u', 'U', 'l', 'L']).is_empty()
            && self.word() != ""
        {
            self.at += 1;
        }
        Ok(value)
    }
}

/// As C computes in 64 bits; a shift is by the amount modulo 64.
fn apply(operator: Binary, left: i64, right: i64) -> Option<i64> {
    let right = if matches!(operator, Binary::ShiftLeft | Binary::ShiftRight) { right & 63 } else { right };
    wrapped_binary(IntType::signed(64), operator, left, right).ok()
}
