//! Simplified formulas mean the same, at every position, and are never larger.

use logic::ltl::normal::{normal_form, size};
use logic::ltl::random::{self, Random, Shape};
use logic::ltl::semantics::{satisfies, truth};
use logic::ltl::simplify::{simplify, simplify_at_start};
use logic::ltl::{Formula, Lasso};

/// The first position where a formula and its simplification differ.
fn difference(formula: &Formula<usize>, word: &Lasso<u64>) -> Option<usize> {
    let reads = |p: &usize, letter: &u64| letter >> p & 1 == 1;
    let (before, after) = (truth(formula, word, reads), truth(&simplify(formula), word, reads));
    (0..60).find(|position| before.at(*position) != after.at(*position))
}

fn check(seed: u64, rounds: usize, shape: &Shape) {
    let mut random = Random::new(seed);
    for _ in 0..rounds {
        let formula = random::formula(&mut random, shape);
        for _ in 0..3 {
            let word = random::lasso(&mut random, shape.propositions, 4, 4);
            if difference(&formula, &word).is_some() {
                let (formula, word) = random::shrink(formula, word, |f, w| difference(f, w).is_some());
                panic!("{formula:?} is not {:?} on {word:?}", simplify(&formula));
            }
            let start = simplify_at_start(&formula);
            assert_eq!(
                satisfies(&word, &start),
                satisfies(&word, &formula),
                "{formula:?} at the start {start:?}"
            );
        }
        let (normal, simple) = (normal_form(&formula), simplify(&formula));
        assert!(simple.size() <= normal.size(), "{normal:?} grows to {simple:?}");
        assert_eq!(simplify(&simple), simple, "{formula:?} is not simplified to the end");
    }
}

#[test]
fn formulas_of_every_kind() {
    check(21, 5000, &Shape::default());
}

#[test]
fn small_formulas_over_one_proposition() {
    check(22, 20_000, &Shape { size: 7, propositions: 1, ..Shape::default() });
}

#[test]
fn small_formulas_over_two_propositions() {
    check(23, 20_000, &Shape { size: 8, propositions: 2, ..Shape::default() });
}

#[test]
fn formulas_of_the_future() {
    check(24, 5000, &Shape { size: 20, propositions: 2, ..Shape::future() });
}

/// Nothing explodes on large formulas, and much goes.
#[test]
fn large_formulas() {
    let mut random = Random::new(25);
    let shape = Shape { size: 400, propositions: 8, ..Shape::default() };
    let (mut before, mut after) = (0, 0);
    for _ in 0..60 {
        let formula = random::formula(&mut random, &shape);
        if size(&formula) < 2000 {
            before += size(&formula);
            after += simplify(&formula).size() as u64;
        }
    }
    assert!(before > 20_000 && after < before / 2, "{before} {after}");
}
