//! External solvers through the one interface: answers, cores, countermodels.

use logic::fol::{Sort, Symbol, Term};
use solve::{Answer, Assumption, External, Options, Solver};

fn int(name: &str) -> Term {
    Symbol::constant(name, Sort::Int).term()
}

/// z3, and cvc5 where it is found.
fn engines() -> impl Iterator<Item = External> {
    let z3 = External::z3().expect("z3 is installed by ./test");
    std::iter::once(z3).chain(External::cvc5())
}

#[test]
fn a_core_names_what_was_used() {
    let (x, y) = (int("x"), int("y"));
    let assumptions = [("a", y.less(&Term::int(7))), ("b", Term::int(0).less(&x)), ("c", x.less(&y))];
    let assumptions = assumptions.map(|(name, formula)| Assumption::new(name, formula));
    for engine in engines() {
        let answer = engine.check(&assumptions, &Term::int(1).less(&y), &Options::default());
        assert_eq!(answer, Answer::Valid { core: vec![1, 2] }, "{}", engine.name());
    }
}

#[test]
fn a_countermodel_is_read_and_confirmed() {
    let array = Symbol::constant("a", Sort::array(Sort::Int, Sort::Int)).term();
    let f = Symbol::function("f", vec![Sort::Int], Sort::Int);
    let (i, j) = (int("i"), int("j"));
    let goal = array.store(&i, &f.apply([j.clone()])).select(&j).equals(&f.apply([i.clone()]));
    for engine in engines() {
        match engine.check(&[], &goal, &Options::default()) {
            Answer::Invalid { model } => assert!(model.confirmed, "{}: {model}", engine.name()),
            other => panic!("{}: {other:?}", engine.name()),
        }
    }
}

#[test]
fn a_limit_on_time_ends_in_unknown() {
    let x = int("x");
    let cubes = |n: &str| {
        let v = int(n);
        v.times(&v).times(&v)
    };
    let goal = cubes("a").plus(&cubes("b")).plus(&cubes("c")).differs(&Term::int(114));
    let options = Options { milliseconds: 300, ..Options::default() };
    for engine in engines() {
        let answer = engine.check(&[Assumption::new("x", x.equals(&x))], &goal, &options);
        assert!(matches!(answer, Answer::Unknown { .. }), "{}: {answer:?}", engine.name());
    }
}
