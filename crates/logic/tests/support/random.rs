//! Random formulas and lasso words from a seed, and smaller ones to try after a failure. Each test
//! takes what it needs.

#![allow(dead_code)]

use logic::ltl::{Binary, Formula, Lasso, Unary};

pub use logic::random::Random;

use {Binary::*, Unary::*};

/// Which formulas are drawn.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The most operators, atoms and constants.
    pub size: usize,
    /// Atoms are the numbers below this, which is not 0.
    pub propositions: usize,
    pub unary: Vec<Unary>,
    pub binary: Vec<Binary>,
}

impl Default for Shape {
    /// Every operator, three propositions.
    fn default() -> Shape {
        let (mut unary, mut binary) = (FUTURE_UNARY.to_vec(), FUTURE_BINARY.to_vec());
        unary.extend([Previous, WeakPrevious, Once, Historically]);
        binary.extend([Since, BackTo, Trigger]);
        Shape { size: 14, propositions: 3, unary, binary }
    }
}

const FUTURE_UNARY: [Unary; 4] = [Not, Next, Eventually, Always];
const FUTURE_BINARY: [Binary; 9] = [And, Or, Implies, Iff, Entails, Until, WeakUntil, Release, StrongRelease];

impl Shape {
    /// Operators of the future only.
    pub fn future() -> Shape {
        Shape { unary: FUTURE_UNARY.to_vec(), binary: FUTURE_BINARY.to_vec(), ..Shape::default() }
    }

    /// Operators of the future without X: formulas that cannot count steps.
    pub fn stuttering() -> Shape {
        let mut shape = Shape::future();
        shape.unary.retain(|op| *op != Next);
        shape
    }
}

/// A formula of this shape.
pub fn formula(random: &mut Random, shape: &Shape) -> Formula<usize> {
    let size = 1 + random.below(shape.size);
    of_size(random, shape, size)
}

fn of_size(random: &mut Random, shape: &Shape, size: usize) -> Formula<usize> {
    match size {
        0 | 1 if random.below(12) == 0 => Formula::Constant(random.below(2) == 0),
        0 | 1 => Formula::Atom(random.below(shape.propositions)),
        _ if size == 2 || random.below(3) == 0 => {
            let op = shape.unary[random.below(shape.unary.len())];
            Formula::unary(op, of_size(random, shape, size - 1))
        }
        _ => {
            let op = shape.binary[random.below(shape.binary.len())];
            let left = 1 + random.below(size - 2);
            let a = of_size(random, shape, left);
            Formula::binary(op, a, of_size(random, shape, size - 1 - left))
        }
    }
}

/// A word over `propositions`, with a stem and a cycle of at most these lengths. Letters come from
/// a few, so that they repeat.
pub fn lasso(random: &mut Random, propositions: usize, stem: usize, cycle: usize) -> Lasso<u64> {
    let few = 1 + random.below(1 << propositions.min(4));
    let alphabet: Vec<u64> = (0..few).map(|_| random.number() & ((1 << propositions) - 1)).collect();
    let letters = |random: &mut Random, length| (0..length).map(|_| alphabet[random.below(few)]).collect();
    let (stem, cycle) = (random.below(stem + 1), 1 + random.below(cycle));
    Lasso::new(letters(random, stem), letters(random, cycle))
}

/// The formulas one step smaller: an operand instead of the whole, or one operand made smaller.
pub fn smaller(formula: &Formula<usize>) -> Vec<Formula<usize>> {
    match formula {
        Formula::Constant(_) => vec![],
        Formula::Atom(_) => vec![Formula::TRUE, Formula::FALSE],
        Formula::Unary(op, a) => {
            let inside = smaller(a).into_iter().map(|a| Formula::unary(*op, a));
            std::iter::once((**a).clone()).chain(inside).collect()
        }
        Formula::Binary(op, a, b) => {
            let left = smaller(a).into_iter().map(|a| Formula::binary(*op, a, (**b).clone()));
            let right = smaller(b).into_iter().map(|b| Formula::binary(*op, (**a).clone(), b));
            [(**a).clone(), (**b).clone()].into_iter().chain(left).chain(right).collect()
        }
    }
}

/// The words one step smaller: one letter less.
pub fn shorter(word: &Lasso<u64>) -> Vec<Lasso<u64>> {
    let without = |letters: &[u64], at: usize| [&letters[..at], &letters[at + 1..]].concat();
    let stems = (0..word.stem.len()).map(|at| Lasso::new(without(&word.stem, at), word.cycle.clone()));
    let cycles = (0..word.cycle.len())
        .filter(|_| word.cycle.len() > 1)
        .map(|at| Lasso::new(word.stem.clone(), without(&word.cycle, at)));
    stems.chain(cycles).collect()
}

/// Walks from a failing formula and word to small ones that still fail.
pub fn shrink(
    mut formula: Formula<usize>,
    mut word: Lasso<u64>,
    fails: impl Fn(&Formula<usize>, &Lasso<u64>) -> bool,
) -> (Formula<usize>, Lasso<u64>) {
    loop {
        if let Some(found) = smaller(&formula).into_iter().find(|f| fails(f, &word)) {
            formula = found;
        } else if let Some(found) = shorter(&word).into_iter().find(|w| fails(&formula, w)) {
            word = found;
        } else {
            return (formula, word);
        }
    }
}
