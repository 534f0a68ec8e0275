//! Simplified formulas mean the same, at every position, and are never larger.

#[path = "support/random.rs"]
mod random;

use logic::ltl::normal::{normal_form, size};
use logic::ltl::semantics::{satisfies, truth};
use logic::ltl::simplify::{simplify, simplify_at_start};
use logic::ltl::syntax::{Reading, print, read};
use logic::ltl::{Formula, Lasso, Syntax};
use random::{Random, Shape};
use source::Span;

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

/// What each rule is there for.
#[test]
fn known_forms() {
    let read_formula = |text: &str| {
        let atom = |text: &str, _| Ok(text.to_owned());
        read(text, Span::default(), Reading::Only(Syntax::Common), atom).unwrap().0
    };
    for (before, after) in [
        ("p & p", "p"),
        ("p & !p", "false"),
        ("p | (p & q)", "p"),
        ("p & (!p | q)", "p & q"),
        ("G G p", "G p"),
        ("F F p", "F p"),
        ("G F G p", "F G p"),
        ("F G F p", "G F p"),
        ("G F X p", "G F p"),
        ("X G F p", "G F p"),
        ("G F (p U q)", "G F q"),
        ("F G (p R q)", "F G q"),
        ("F (p U q)", "F q"),
        ("G (p W q)", "G (p | q)"),
        ("G p & G q", "G (p & q)"),
        ("F p | F q", "F (p | q)"),
        ("G F p | G F q", "G F (p | q)"),
        ("X p & X q", "X (p & q)"),
        ("F X p", "X F p"),
        ("X p U X q", "X (p U q)"),
        ("true U p", "F p"),
        ("p W false", "G p"),
        ("p U (p U q)", "p U q"),
        ("(p U q) U q", "p U q"),
        ("(p & q) U q", "q"),
        ("p U F q", "F q"),
        ("G p W q", "G p | q"),
        ("p W q & F q", "p U q"),
        ("p U q | G p", "p W q"),
        ("q U (p & q)", "p M q"),
        ("p U r & q U r", "(p & q) U r"),
        ("F (p & G F q)", "G F q & F p"),
        ("p & F p", "p"),
        ("G p & F p", "G p"),
        ("X Y p", "p"),
        ("O O p", "O p"),
        ("O Z p", "true"),
        ("H Y p", "false"),
        ("p S O q", "O q"),
        ("H p & H q", "H (p & q)"),
        ("O Y p", "Y O p"),
        ("p B q & O q", "p S q"),
        ("G O p", "O p"),
        ("F H p", "H p"),
        ("Y p & Z q", "Y (p & q)"),
        ("!(G (p -> F q))", "F (p & G !q)"),
    ] {
        let simple = simplify(&read_formula(before));
        assert_eq!(print(&simple, Syntax::Common, String::clone).unwrap(), after, "{before}");
    }
    for (before, after) in [("O p & H q", "p & q"), ("Y p | X O q", "X O q"), ("p B (q S r)", "p | r")] {
        let simple = simplify_at_start(&read_formula(before));
        assert_eq!(print(&simple, Syntax::Common, String::clone).unwrap(), after, "{before}");
    }
}
