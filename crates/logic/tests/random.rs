//! The generators of the tests draw everything, and shrink to the heart of a failure.

#[path = "support/random.rs"]
mod random;

use logic::ltl::semantics::satisfies;
use logic::ltl::{Binary, Formula, Lasso, Unary};
use random::{Random, Shape, formula, lasso, shrink};

#[test]
fn a_seed_is_a_formula_and_a_word() {
    let draw = |seed| {
        let mut random = Random::new(seed);
        (formula(&mut random, &Shape::default()), lasso(&mut random, 3, 3, 3))
    };
    assert_eq!(draw(5), draw(5));
    assert_ne!(draw(5), draw(6));
}

#[test]
fn every_operator_is_drawn() {
    let mut random = Random::new(2);
    let text: String = (0..500).map(|_| format!("{:?}", formula(&mut random, &Shape::default()))).collect();
    let shape = Shape::default();
    assert!(shape.unary.iter().all(|op| text.contains(&format!("Unary({op:?},"))));
    assert!(shape.binary.iter().all(|op| text.contains(&format!("Binary({op:?},"))));
}

#[test]
fn shrinking_ends_at_the_heart_of_the_failure() {
    // "Fails" where G F p differs from F p.
    let always = |f| Formula::unary(Unary::Always, f);
    let start = Formula::binary(Binary::Or, always(always(Formula::Atom(1))), Formula::Atom(2));
    let fails = |f: &Formula<usize>, w: &Lasso<u64>| format!("{f:?}").contains("Always") && !satisfies(w, f);
    let (formula, word) = shrink(start, Lasso::new(vec![1, 0, 2], vec![0, 2]), fails);
    assert_eq!(formula, always(Formula::FALSE));
    assert_eq!(word.stem.len() + word.cycle.len(), 1);
}
