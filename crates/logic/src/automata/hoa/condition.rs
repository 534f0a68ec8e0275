//! Acceptance conditions: which of them are generalized Büchi.
//!
//! A condition built of `Inf` with and and or is a conjunction of disjunctions, and
//! `Inf(a) | Inf(b)` says that the union of a and b is met infinitely often. `Inf(!a)` is about the
//! complement of a.

use super::tokens::{Kind, Token};
use source::Diagnostic;

/// A union of sets and of complements of sets, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Union {
    pub sets: u64,
    pub complements: u64,
}

/// Each union must be met infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition(pub Vec<Union>);

impl Condition {
    /// The unions that an edge in `sets` is in, as bits.
    pub fn translate(&self, sets: u64) -> u64 {
        let meets = |union: &Union| sets & union.sets != 0 || !sets & union.complements != 0;
        self.0.iter().enumerate().filter(|(_, union)| meets(union)).fold(0, |bits, (i, _)| bits | 1 << i)
    }

    fn and(mut self, other: Condition) -> Condition {
        self.0.extend(other.0);
        self.0.dedup();
        self
    }

    fn or(self, other: Condition) -> Condition {
        let union = |a: &Union, b: &Union| Union {
            sets: a.sets | b.sets,
            complements: a.complements | b.complements,
        };
        Condition(self.0.iter().flat_map(|a| other.0.iter().map(move |b| union(a, b))).collect())
    }
}

/// Reads a condition over `count` sets, with at most `depth` brackets in one another.
pub fn condition(
    tokens: &mut &[Token],
    count: usize,
    name: Option<&str>,
    depth: usize,
) -> Result<Condition, Box<Diagnostic>> {
    let mut found = conjunction(tokens, count, name, depth)?;
    while eat(tokens, '|') {
        found = bounded(found.or(conjunction(tokens, count, name, depth)?), tokens)?;
    }
    Ok(found)
}

fn conjunction(
    tokens: &mut &[Token],
    count: usize,
    name: Option<&str>,
    depth: usize,
) -> Result<Condition, Box<Diagnostic>> {
    let mut found = atom(tokens, count, name, depth)?;
    while eat(tokens, '&') {
        found = bounded(found.and(atom(tokens, count, name, depth)?), tokens)?;
    }
    Ok(found)
}

fn bounded(condition: Condition, tokens: &[Token]) -> Result<Condition, Box<Diagnostic>> {
    match condition.0.len() {
        0..=64 => Ok(condition),
        _ => Err(Diagnostic::error("E0502", tokens[0].span, "the condition needs more than 64 sets").into()),
    }
}

fn atom(
    tokens: &mut &[Token],
    count: usize,
    name: Option<&str>,
    depth: usize,
) -> Result<Condition, Box<Diagnostic>> {
    let token = tokens[0].clone();
    match &token.kind {
        Kind::Word(word) if word == "t" => {
            advance(tokens);
            Ok(Condition(Vec::new()))
        }
        Kind::Word(word) if word == "f" => {
            advance(tokens);
            Ok(Condition(vec![Union::default()]))
        }
        Kind::Word(word) if word == "Inf" => {
            advance(tokens);
            expect(tokens, '(')?;
            let complement = eat(tokens, '!');
            let Kind::Number(set) = tokens[0].kind else {
                return Err(wrong(tokens, "the number of a set"));
            };
            if set >= count {
                return Err(
                    Diagnostic::error("E0503", tokens[0].span, format!("there is no set {set}")).into()
                );
            }
            advance(tokens);
            expect(tokens, ')')?;
            let union = match complement {
                false => Union { sets: 1 << set, complements: 0 },
                true => Union { sets: 0, complements: 1 << set },
            };
            Ok(Condition(vec![union]))
        }
        Kind::Word(word) if word == "Fin" => {
            let kind = name.map_or(String::new(), |name| format!(" ({name})"));
            let message = format!("the acceptance condition{kind} asks for sets to be met finitely often");
            Err(Diagnostic::error("E0504", token.span, message)
                .label("only conditions without Fin are read")
                .help("turn it into a generalized Büchi automaton first, for example with `autfilt --gba`")
                .into())
        }
        Kind::Sign('(') if depth == 0 => {
            Err(Diagnostic::error("E0502", token.span, "brackets are nested too deeply").into())
        }
        Kind::Sign('(') => {
            advance(tokens);
            let inner = condition(tokens, count, name, depth - 1)?;
            expect(tokens, ')')?;
            Ok(inner)
        }
        _ => Err(wrong(tokens, "an acceptance condition")),
    }
}

fn advance(tokens: &mut &[Token]) {
    *tokens = &tokens[1..];
}

fn eat(tokens: &mut &[Token], sign: char) -> bool {
    let found = tokens[0].kind == Kind::Sign(sign);
    if found {
        advance(tokens);
    }
    found
}

fn expect(tokens: &mut &[Token], sign: char) -> Result<(), Box<Diagnostic>> {
    if eat(tokens, sign) { Ok(()) } else { Err(wrong(tokens, &format!("`{sign}`"))) }
}

fn wrong(tokens: &[Token], expected: &str) -> Box<Diagnostic> {
    Diagnostic::error("E0501", tokens[0].span, format!("expected {expected}")).into()
}
