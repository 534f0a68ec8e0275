//! What a formula means: its truth at every position of a lasso word.
//!
//! This evaluator is the definition that everything else is tested against, so it is the plainest
//! that can be: the truth of each subformula is a list of booleans, one a position, after Manna and
//! Pnueli (1992).
//!
//! Future operators look along the word and find the cycle again. Past operators are read from the
//! first position on, and may need several rounds of the cycle until they repeat. One round for
//! each past operator inside another is enough: around the cycle, `p S q` and its kin carry over
//! either a constant or what they were before the round, so from the second round on they repeat,
//! one round later than their operands; `Y p` repeats one position later than p. The period never
//! changes. The word is therefore unrolled by as many rounds as past operators nest, and all lists
//! have the same length. Cost: the length of the unrolled word times the size of the formula.

use super::{Binary, Formula, Lasso, Unary};

/// The truth of a formula at each position; behind the last one the positions from `back` on repeat
/// endlessly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The truth at each position, until they repeat.
    pub values: Vec<bool>,
    /// The position that follows the last one.
    pub back: usize,
}

impl Truth {
    /// The truth at any position.
    pub fn at(&self, position: usize) -> bool {
        let round = self.values.len() - self.back;
        let beyond = position.saturating_sub(self.back);
        self.values[position.min(self.back) + beyond % round]
    }
}

/// Is the formula true at the first position? `reads` says whether an atom is true of a letter.
pub fn holds<A, L>(formula: &Formula<A>, word: &Lasso<L>, reads: impl FnMut(&A, &L) -> bool) -> bool {
    truth(formula, word, reads).values[0]
}

/// Is a formula over numbered propositions true at the first position of a word of valuations?
pub fn satisfies(word: &Lasso<u64>, formula: &Formula<usize>) -> bool {
    holds(formula, word, |proposition, letter| letter >> proposition & 1 == 1)
}

/// The truth of a formula at every position.
pub fn truth<A, L>(formula: &Formula<A>, word: &Lasso<L>, mut reads: impl FnMut(&A, &L) -> bool) -> Truth {
    let back = word.stem.len() + word.cycle.len() * past_depth(formula);
    let letters = (0..back + word.cycle.len()).map(|position| word.at(position)).collect();
    let values = Unrolled { letters, back }.values(formula, &mut reads);
    Truth { values, back }
}

/// How many past operators lie inside one another.
pub fn past_depth<A>(formula: &Formula<A>) -> usize {
    use {Binary::*, Unary::*};
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => 0,
        Formula::Unary(op, a) => {
            past_depth(a) + usize::from(matches!(op, Previous | WeakPrevious | Once | Historically))
        }
        Formula::Binary(op, a, b) => {
            past_depth(a).max(past_depth(b)) + usize::from(matches!(op, Since | BackTo | Trigger))
        }
    }
}

/// A word unrolled far enough; behind the last position comes the position `back`.
struct Unrolled<'a, L> {
    letters: Vec<&'a L>,
    back: usize,
}

impl<L> Unrolled<'_, L> {
    fn values<A>(&self, formula: &Formula<A>, reads: &mut impl FnMut(&A, &L) -> bool) -> Vec<bool> {
        match formula {
            Formula::Constant(c) => vec![*c; self.letters.len()],
            Formula::Atom(a) => self.letters.iter().map(|letter| reads(a, letter)).collect(),
            Formula::Unary(op, a) => {
                let a = self.values(a, reads);
                self.unary(*op, a)
            }
            Formula::Binary(op, a, b) => {
                let a = self.values(a, reads);
                let b = self.values(b, reads);
                self.binary(*op, &a, &b)
            }
        }
    }

    fn unary(&self, op: Unary, a: Vec<bool>) -> Vec<bool> {
        let (always, never) = (vec![true; a.len()], vec![false; a.len()]);
        match op {
            Unary::Not => a.iter().map(|a| !a).collect(),
            Unary::Next => (0..a.len()).map(|i| a[self.next(i)]).collect(),
            Unary::Eventually => self.until(&always, &a, false),
            Unary::Always => self.until(&a, &never, true),
            Unary::Previous => (0..a.len()).map(|i| i > 0 && a[i - 1]).collect(),
            Unary::WeakPrevious => (0..a.len()).map(|i| i == 0 || a[i - 1]).collect(),
            Unary::Once => since(&always, &a, false),
            Unary::Historically => since(&a, &never, true),
        }
    }

    fn binary(&self, op: Binary, a: &[bool], b: &[bool]) -> Vec<bool> {
        let both = || pointwise(a, b, |a, b| a && b);
        match op {
            Binary::And => both(),
            Binary::Or => pointwise(a, b, |a, b| a || b),
            Binary::Implies => pointwise(a, b, |a, b| !a || b),
            Binary::Iff => pointwise(a, b, |a, b| a == b),
            Binary::Entails => self.unary(Unary::Always, pointwise(a, b, |a, b| !a || b)),
            Binary::Until => self.until(a, b, false),
            Binary::WeakUntil => self.until(a, b, true),
            Binary::Release => self.until(b, &both(), true),
            Binary::StrongRelease => self.until(b, &both(), false),
            Binary::Since => since(a, b, false),
            Binary::BackTo => since(a, b, true),
            Binary::Trigger => since(b, &both(), true),
        }
    }

    fn next(&self, position: usize) -> usize {
        if position + 1 == self.letters.len() { self.back } else { position + 1 }
    }

    /// At each position: is there a q from here on, with p at every position before it? Where p
    /// stays and q never comes, the answer is `forever`. Backwards: after one round of the cycle
    /// every answer but `forever` is found.
    fn until(&self, p: &[bool], q: &[bool], forever: bool) -> Vec<bool> {
        let mut found = vec![forever; p.len()];
        for round in [self.back..p.len(), 0..p.len()] {
            for i in round.rev() {
                found[i] = q[i] || (p[i] && found[self.next(i)]);
            }
        }
        found
    }
}

/// At each position: is there a q up to here, with p at every position after it? Where p has always
/// been and q never was, the answer is `ever`.
fn since(p: &[bool], q: &[bool], ever: bool) -> Vec<bool> {
    let mut before = ever;
    let step = |(p, q): (&bool, &bool)| {
        before = *q || (*p && before);
        before
    };
    p.iter().zip(q).map(step).collect()
}

fn pointwise(a: &[bool], b: &[bool], op: impl Fn(bool, bool) -> bool) -> Vec<bool> {
    a.iter().zip(b).map(|(a, b)| op(*a, *b)).collect()
}
