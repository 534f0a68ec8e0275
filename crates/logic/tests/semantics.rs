//! The evaluator of formulas against the definition of each operator: quantifiers over the
//! positions of a long word.

#[path = "support/random.rs"]
mod random;

use logic::ltl::semantics::{past_depth, satisfies, truth};
use logic::ltl::{Binary, Formula, Lasso, Unary};
use random::{Random, Shape};

/// The definitions of Manna and Pnueli at a position, word for word. On a lasso, what is to come
/// within `horizon` positions is all that will ever come, if that many positions go through the
/// cycle often enough.
struct Definition<'a> {
    word: &'a Lasso<u64>,
    horizon: usize,
}

impl Definition<'_> {
    fn holds(&self, formula: &Formula<usize>, i: usize) -> bool {
        match formula {
            Formula::Constant(c) => *c,
            Formula::Atom(a) => self.word.at(i) >> a & 1 == 1,
            Formula::Unary(op, p) => {
                let p = |j: usize| self.holds(p, j);
                match op {
                    Unary::Not => !p(i),
                    Unary::Next => p(i + 1),
                    Unary::Eventually => (i..i + self.horizon).any(p),
                    Unary::Always => (i..i + self.horizon).all(p),
                    Unary::Previous => i != 0 && p(i - 1),
                    Unary::WeakPrevious => i == 0 || p(i - 1),
                    Unary::Once => (0..=i).any(p),
                    Unary::Historically => (0..=i).all(p),
                }
            }
            Formula::Binary(op, p, q) => {
                let p = |j: usize| self.holds(p, j);
                let q = |j: usize| self.holds(q, j);
                let later = i..i + self.horizon;
                match op {
                    Binary::And => p(i) && q(i),
                    Binary::Or => p(i) || q(i),
                    Binary::Implies => !p(i) || q(i),
                    Binary::Iff => p(i) == q(i),
                    Binary::Entails => later.clone().all(|j| !p(j) || q(j)),
                    Binary::Until => later.clone().any(|k| q(k) && (i..k).all(p)),
                    Binary::WeakUntil => later.clone().any(|k| q(k) && (i..k).all(p)) || later.clone().all(p),
                    Binary::Release => later.clone().all(|k| q(k) || (i..k).any(p)),
                    Binary::StrongRelease => {
                        later.clone().all(|k| q(k) || (i..k).any(p)) && later.clone().any(p)
                    }
                    Binary::Since => (0..=i).any(|k| q(k) && (k + 1..=i).all(p)),
                    Binary::BackTo => (0..=i).any(|k| q(k) && (k + 1..=i).all(p)) || (0..=i).all(p),
                    Binary::Trigger => (0..=i).all(|k| q(k) || (k + 1..=i).any(p)),
                }
            }
        }
    }
}

/// Enough to go through every pattern of truth that can still come: the stem, the rounds in which
/// the past settles, and one more.
fn horizon(word: &Lasso<u64>, formula: &Formula<usize>) -> usize {
    word.stem.len() + word.cycle.len() * (past_depth(formula) + 2)
}

fn agree(formula: &Formula<usize>, word: &Lasso<u64>) {
    let definition = Definition { word, horizon: horizon(word, formula) };
    let truth = truth(formula, word, |proposition, letter| letter >> proposition & 1 == 1);
    for position in 0..horizon(word, formula) + word.cycle.len() {
        assert_eq!(
            truth.at(position),
            definition.holds(formula, position),
            "{formula:?} on {word:?} at {position}"
        );
    }
}

/// All words of at most this many letters over two propositions.
fn words(most: usize) -> Vec<Lasso<u64>> {
    let mut words = Vec::new();
    for length in 1..=most {
        for code in 0..1_u64 << (2 * length) {
            let letters: Vec<u64> = (0..length).map(|at| code >> (2 * at) & 3).collect();
            let splits = (0..length).map(|at| Lasso::new(letters[..at].to_vec(), letters[at..].to_vec()));
            words.extend(splits);
        }
    }
    words
}

#[test]
fn each_operator_is_its_definition_on_all_small_words() {
    let (p, q) = (Formula::Atom(0), Formula::Atom(1));
    let shape = Shape::default();
    let words = words(4);
    assert_eq!(words.len(), 4 + 2 * 16 + 3 * 64 + 4 * 256);
    for word in &words {
        shape.unary.iter().for_each(|op| agree(&Formula::unary(*op, p.clone()), word));
        shape.binary.iter().for_each(|op| agree(&Formula::binary(*op, p.clone(), q.clone()), word));
    }
}

#[test]
fn each_pair_of_operators_is_its_definition() {
    let shape = Shape::default();
    let mut random = Random::new(3);
    let atom = |random: &mut Random| Formula::Atom(random.below(2));
    let layer = |random: &mut Random, at: usize, p: Formula<usize>| match shape.unary.get(at) {
        Some(op) => Formula::unary(*op, p),
        None if random.below(2) == 0 => {
            Formula::binary(shape.binary[at - shape.unary.len()], p, atom(random))
        }
        None => Formula::binary(shape.binary[at - shape.unary.len()], atom(random), p),
    };
    let operators = shape.unary.len() + shape.binary.len();
    for _ in 0..10 {
        for outer in 0..operators {
            for inner in 0..operators {
                let p = Formula::Atom(random.below(2));
                let p = layer(&mut random, inner, p);
                let formula = layer(&mut random, outer, p);
                agree(&formula, &random::lasso(&mut random, 2, 3, 4));
            }
        }
    }
}

#[test]
fn random_formulas_are_their_definition() {
    let mut random = Random::new(4);
    let shape = Shape { size: 7, ..Shape::default() };
    for _ in 0..2000 {
        let formula = random::formula(&mut random, &shape);
        agree(&formula, &random::lasso(&mut random, 3, 2, 3));
    }
}

/// A word may be written in many ways; none of them matters.
#[test]
fn the_description_of_a_word_does_not_matter() {
    let mut random = Random::new(5);
    for _ in 0..5000 {
        let formula = random::formula(&mut random, &Shape::default());
        let word = random::lasso(&mut random, 3, 3, 3);
        let expected = satisfies(&word, &formula);
        let twice = Lasso::new(word.stem.clone(), word.cycle.repeat(2));
        let longer = Lasso::new([&word.stem[..], &word.cycle].concat(), word.cycle.clone());
        let mut turned = Lasso::new([&word.stem[..], &word.cycle[..1]].concat(), word.cycle.clone());
        turned.cycle.rotate_left(1);
        for same in [twice, longer, turned] {
            assert_eq!(satisfies(&same, &formula), expected, "{formula:?} {word:?} {same:?}");
        }
    }
}
