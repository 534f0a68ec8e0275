//! Acceptance conditions: which of them are generalized Büchi.
//!
//! A condition built of `Inf` with and and or is a conjunction of disjunctions, and
//! `Inf(a) | Inf(b)` says that the union of a and b is met infinitely often. `Inf(!a)` is about the
//! complement of a.

use super::read::Reader;
use source::{Descent, Diagnostic, Parsed};

/// A union of sets and of complements of sets, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Union {
    pub sets: u64,
    pub(crate) complements: u64,
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

impl Reader {
    /// Reads a condition over `count` sets.
    pub(super) fn condition(&mut self, count: usize) -> Parsed<Condition> {
        let mut found = self.all_of(count)?;
        while self.eat("|") {
            found = found.or(self.all_of(count)?);
            self.bounded(&found)?;
        }
        Ok(found)
    }

    fn all_of(&mut self, count: usize) -> Parsed<Condition> {
        let mut found = self.one_of(count)?;
        while self.eat("&") {
            found = found.and(self.one_of(count)?);
            self.bounded(&found)?;
        }
        Ok(found)
    }

    fn bounded(&mut self, condition: &Condition) -> Parsed<()> {
        if condition.0.len() <= 64 {
            return Ok(());
        }
        let span = self.span();
        self.fail(Diagnostic::error("E0502", span, "the condition needs more than 64 sets"))
    }

    fn one_of(&mut self, count: usize) -> Parsed<Condition> {
        match self.peek().text() {
            "t" | "f" => {
                let always = self.bump().is("t");
                Ok(Condition(if always { Vec::new() } else { vec![Union::default()] }))
            }
            "Inf" => {
                self.advance();
                self.between("(", ")", |this| {
                    let complement = this.eat("!");
                    let bit = 1 << this.set(count)?;
                    let (sets, complements) = if complement { (0, bit) } else { (bit, 0) };
                    Ok(Condition(vec![Union { sets, complements }]))
                })
            }
            "Fin" => {
                let kind = self.acceptance_name();
                let message =
                    format!("the acceptance condition{kind} asks for sets to be met finitely often");
                let problem = Diagnostic::error("E0504", self.span(), message);
                let help =
                    "turn it into a generalized Büchi automaton first, for example with `autfilt --gba`";
                self.fail(problem.label("only conditions without Fin are read").help(help))
            }
            "(" => self.nested(|this| this.between("(", ")", |this| this.condition(count))),
            _ => self.unexpected("an acceptance condition"),
        }
    }
}
