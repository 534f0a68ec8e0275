//! The three formulas printed in section 3.3 of the STeP tutorial, with the embedded engine alone,
//! and neighbours of them that are not valid.

use logic::fol::{Sort, Symbol, Term};
use solve::{Answer, Assumption, Embedded, Options, Solver};

fn int(name: &str) -> Term {
    Symbol::constant(name, Sort::Int).term()
}

fn check(assumptions: &[Term], goal: &Term) -> Answer {
    let assumptions: Vec<Assumption> =
        assumptions.iter().enumerate().map(|(n, f)| Assumption::new(n.to_string(), f.clone())).collect();
    Embedded::default().check(&assumptions, goal, &Options::default())
}

fn assert_invalid(assumptions: &[Term], goal: &Term) {
    match check(assumptions, goal) {
        Answer::Invalid { model } => {
            assert!(model.confirmed);
            assert!(
                assumptions.iter().all(|a| logic::fol::evaluate(a, &*model).unwrap().is_true()),
                "{model}"
            );
            assert!(!logic::fol::evaluate(goal, &*model).unwrap().is_true(), "{model}");
        }
        other => panic!("{other:?}"),
    }
}

/// y > 0 and y' = y + 1 imply y' > 0.
#[test]
fn linear_arithmetic() {
    let (y, next) = (int("y"), int("y'"));
    let zero = Term::int(0);
    let step = next.equals(&y.plus(&Term::int(1)));
    assert_eq!(check(&[zero.less(&y), step.clone()], &zero.less(&next)), Answer::Valid { core: vec![0, 1] });
    assert_invalid(&[zero.less(&y), step], &Term::int(2).less(&next));
}

/// a = f(a) and a = b imply f(f(f(b))) = a.
#[test]
fn equality_and_uninterpreted_functions() {
    let sort = Sort::opaque("U");
    let [a, b] = ["a", "b"].map(|name| Symbol::constant(name, sort.clone()).term());
    let f = Symbol::function("f", vec![sort.clone()], sort);
    let of = |t: &Term| f.apply([t.clone()]);
    let goal = of(&of(&of(&b))).equals(&a);
    assert_eq!(check(&[a.equals(&of(&a)), a.equals(&b)], &goal), Answer::Valid { core: vec![0, 1] });
    assert_invalid(&[a.equals(&of(&of(&a))), a.equals(&b)], &goal);
}

/// a > b and b + 1 >= a imply f(a + b) = f(2b + 1), for integers.
#[test]
fn arithmetic_and_functions_together() {
    let (a, b) = (int("a"), int("b"));
    let f = Symbol::function("f", vec![Sort::Int], Sort::Int);
    let goal = f.apply([a.plus(&b)]).equals(&f.apply([Term::int(2).times(&b).plus(&Term::int(1))]));
    let close = a.at_most(&b.plus(&Term::int(1)));
    assert_eq!(check(&[b.less(&a), close.clone()], &goal), Answer::Valid { core: vec![0, 1] });
    assert_invalid(&[b.at_most(&a), close], &goal);
}
