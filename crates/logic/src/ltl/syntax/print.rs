//! Formulas as text, with no bracket more than needed.
//!
//! An operator that a syntax lacks is written by its dual: `p M q` as `!(!p W !q)`, in STeP's
//! `p R q` as `~(~p Until ~q)` and `p T q` as `~(~p Since ~q)`; entailment in SPIN's as
//! `[] (p -> q)`. SPIN's has no past at all.

use super::super::{Binary, Formula, Unary};
use super::choose::{Reading, read_tree};
use super::tree::Node;
use super::{Infix, Operator, Syntax};

use {Binary::*, Unary::*};

/// The syntax has no way to write the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the syntax of SPIN has no past operators")]
pub struct NoPast;

/// A formula in a syntax; `atom` gives the text of an atom in the host's language.
pub fn print<A: Clone>(
    formula: &Formula<A>,
    syntax: Syntax,
    atom: impl Fn(&A) -> String,
) -> Result<String, NoPast> {
    Ok(Printer { syntax, atom }.text(formula)?.text)
}

struct Printer<F> {
    syntax: Syntax,
    atom: F,
}

/// A printed formula and how strongly it holds together.
struct Printed {
    text: String,
    /// The weakest operator outside brackets.
    strength: u8,
}

/// Stronger than any binary operator: an atom of several operands of the host, a prefixed formula,
/// a single word.
const COMPOUND: u8 = 10;
const PREFIXED: u8 = 11;

impl Printed {
    fn at_least(self, strength: u8) -> String {
        if self.strength < strength { format!("({})", self.text) } else { self.text }
    }
}

impl<F> Printer<F> {
    fn text<A: Clone>(&self, formula: &Formula<A>) -> Result<Printed, NoPast>
    where
        F: Fn(&A) -> String,
    {
        match formula {
            Formula::Constant(c) => Ok(Printed { text: c.to_string(), strength: PREFIXED }),
            Formula::Atom(a) => Ok(self.atom_text((self.atom)(a))),
            Formula::Unary(op, a) => self.prefixed(*op, a),
            Formula::Binary(op, a, b) => self.joined(*op, a, b),
        }
    }

    fn prefixed<A: Clone>(&self, op: Unary, a: &Formula<A>) -> Result<Printed, NoPast>
    where
        F: Fn(&A) -> String,
    {
        let word = self.syntax.unary_word(op).ok_or(NoPast)?;
        let operand = self.text(a)?.at_least(PREFIXED);
        // `!p`, but `[] p` and `F p`.
        let space = if op == Not { "" } else { " " };
        Ok(Printed { text: format!("{word}{space}{operand}"), strength: PREFIXED })
    }

    fn joined<A: Clone>(&self, op: Binary, a: &Formula<A>, b: &Formula<A>) -> Result<Printed, NoPast>
    where
        F: Fn(&A) -> String,
    {
        let Some((word, infix, strength)) =
            self.syntax.infixes().iter().find(|(_, infix, _)| *infix == Infix::Plain(op))
        else {
            return self.text(&rewritten(op, a.clone(), b.clone()).ok_or(NoPast)?);
        };
        let Operator { strength, to_the_left, .. } = self.syntax.operator(*infix, *strength);
        let left = self.text(a)?.at_least(strength + u8::from(!to_the_left));
        let right = self.text(b)?.at_least(strength + u8::from(to_the_left));
        Ok(Printed { text: format!("{left} {word} {right}"), strength })
    }

    /// An atom is written so that it is read as one again: between quotes if it would not be.
    fn atom_text(&self, text: String) -> Printed {
        let alone = |text: &str| match read_tree(text, Default::default(), Reading::Only(self.syntax)) {
            Ok((tree, _)) => tree.node == Node::Atom(text.to_owned()),
            Err(_) => false,
        };
        if !alone(&text) {
            return Printed { text: format!("\"{text}\""), strength: PREFIXED };
        }
        let simple = !text.contains(|c: char| c.is_whitespace() || "<>=!+-*/%&|^~".contains(c));
        Printed { text, strength: if simple { PREFIXED } else { COMPOUND } }
    }
}

/// `a op b` without `op`, if there is a dual or a definition.
fn rewritten<A>(op: Binary, a: Formula<A>, b: Formula<A>) -> Option<Formula<A>> {
    let dual = match op {
        Entails => return Some(Formula::unary(Always, Formula::binary(Implies, a, b))),
        Release => Until,
        StrongRelease => WeakUntil,
        Trigger => Since,
        _ => return None,
    };
    let (a, b) = (Formula::negation(a), Formula::negation(b));
    Some(Formula::negation(Formula::binary(dual, a, b)))
}
