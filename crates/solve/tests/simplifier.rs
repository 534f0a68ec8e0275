//! The simplifier: what it makes is worth the same in every model, and the printed formulas become
//! true.

#[path = "random/generate.rs"]
#[allow(dead_code)]
mod generate;

use generate::DECIDED;
use logic::fol::{Op, Sort, Symbol, Term, Value, evaluate, free_symbols};
use logic::random::Random;
use solve::smtlib::term as term_text;
use solve::{Flags, Model, Rule, Simplifier, Table};
use std::collections::BTreeMap;

fn int(name: &str) -> Term {
    Symbol::constant(name, Sort::Int).term()
}

fn strong() -> Simplifier {
    Simplifier { flags: Flags::STRONG, rules: Vec::new() }
}

#[test]
fn the_printed_formulas_become_true() {
    let (y, next, a, b) = (int("y"), int("y'"), int("a"), int("b"));
    let zero = Term::int(0);
    let f = Symbol::function("f", vec![Sort::Int], Sort::Int);
    let of = |t: &Term| f.apply([t.clone()]);
    let linear = Term::and([zero.less(&y), next.equals(&y.plus(&Term::int(1)))]).implies(&zero.less(&next));
    let functions = Term::and([a.equals(&of(&a)), a.equals(&b)]).implies(&of(&of(&of(&b))).equals(&a));
    let both = Term::and([b.less(&a), a.at_most(&b.plus(&Term::int(1)))])
        .implies(&of(&a.plus(&b)).equals(&of(&Term::int(2).times(&b).plus(&Term::int(1)))));
    for formula in [linear, functions, both] {
        assert!(strong().simplify(&formula).is_true(), "{formula}");
        // Without the decision procedures they stay.
        assert!(!solve::simplify(&formula).is_true(), "{formula}");
    }
}

#[test]
fn identities() {
    let (x, y) = (int("x"), int("y"));
    let p = Symbol::constant("p", Sort::Bool).term();
    let array = Symbol::constant("a", Sort::array(Sort::Int, Sort::Int)).term();
    let one = Term::int(1);
    let cases = [
        (Term::and([p.clone(), Term::truth(true), p.clone()]), "p"),
        (Term::and([p.clone(), Term::or([p.negated(), x.less(&y)])]), "(and p (< x y))"),
        (p.implies(&Term::and([p.clone(), x.equals(&x)])), "true"),
        (x.plus(&one).minus(&x).less(&Term::int(2)), "true"),
        (x.plus(&x).minus(&y.minus(&one)), "(+ (- (* 2 x) y) 1)"),
        (array.store(&x, &y).select(&x), "y"),
        (array.store(&x.plus(&one), &y).select(&x), "(select a x)"),
        (x.less(&y).negated(), "(<= y x)"),
    ];
    for (term, simple) in cases {
        assert_eq!(term_text(&solve::simplify(&term)), simple, "{term}");
    }
}

#[test]
fn rules_match_modulo_and_ask_their_conditions() {
    let [u, v] = ["u", "v"].map(|name| Symbol::constant(name, Sort::Int));
    let f = Symbol::function("f", vec![Sort::Int], Sort::Int);
    let of = |t: Term| f.apply([t]);
    // f(u) + f(v) -> f(u + v), and f(u) -> 0 if u < 0.
    let additive = Rule {
        variables: vec![u.clone(), v.clone()],
        condition: Term::truth(true),
        left: of(u.term()).plus(&of(v.term())),
        right: of(u.term().plus(&v.term())),
    };
    let negative = Rule {
        variables: vec![u.clone()],
        condition: u.term().less(&Term::int(0)),
        left: of(u.term()),
        right: Term::int(0),
    };
    let (x, y) = (int("x"), int("y"));
    let sum = Term::of(Op::Add, [of(x.clone()), y.clone(), of(y.clone())]);
    let with = |rules: &[&Rule], flags: Flags| Simplifier {
        flags,
        rules: rules.iter().map(|r| (*r).clone()).collect(),
    };
    let modulo = Flags { associative_commutative: true, arithmetic: false, ..Flags::FAST };
    assert_eq!(term_text(&with(&[&additive], modulo).simplify(&sum)), "(+ (f (+ x y)) y)");
    assert_eq!(with(&[&additive], Flags { arithmetic: false, ..Flags::FAST }).simplify(&sum), sum);
    let guarded = x.less(&Term::int(-3)).implies(&of(x.clone()).equals(&y));
    assert_eq!(term_text(&with(&[&negative], Flags::STRONG).simplify(&guarded)), "(=> (< x (- 3)) (= 0 y))");
    assert_eq!(with(&[&negative], Flags::FAST).simplify(&guarded), guarded);
}

/// A random value.
fn value(sort: &Sort, random: &mut Random) -> Value {
    let n = random.below(1 << 31) as i64;
    match sort {
        Sort::Bool => Value::Bool(n % 2 == 0),
        Sort::Int => Value::int(n % 7 - 3),
        Sort::Real => Value::Real(logic::fol::Rational::new((n % 7 - 3).into(), (1 + n / 7 % 3).into())),
        Sort::Bits(width) => Value::Bits(((n % (1 << width)) as u32).into(), *width),
        Sort::Opaque(_) => Value::Element(sort.clone(), (n % 3) as usize),
        Sort::Array(index, element) => {
            let entries: BTreeMap<Value, Value> =
                (0..3).map(|_| (value(index, random), value(element, random))).collect();
            let default = value(element, random);
            Value::array(sort.clone(), default, entries, &Model::default())
        }
        Sort::Sequence(element) => {
            Value::Sequence(sort.clone(), (0..n % 4).map(|_| value(element, random)).collect())
        }
        Sort::Data(data) => {
            let at = (n % data.constructors.len() as i64) as usize;
            let fields = (0..data.constructors[at].fields.len()).map(|f| sort.field(at, f).unwrap());
            Value::Data(sort.clone(), at, fields.map(|f| value(&f, random)).collect())
        }
        Sort::Itself | Sort::Unsorted => unreachable!("only in definitions"),
    }
}

#[test]
fn what_is_made_is_worth_the_same_in_every_model() {
    let mut changed = 0;
    for theory in DECIDED.into_iter().chain([generate::Theory::Queues]) {
        for seed in 0..60 {
            let condition = generate::condition(theory, seed);
            for formula in condition.assumptions.iter().map(|a| &a.formula).chain([&condition.goal]) {
                let simple = solve::simplify(formula);
                changed += usize::from(simple != *formula);
                for round in 0..6 {
                    let mut random = Random::new(seed * 1_000 + round);
                    let mut model = Model::default();
                    for symbol in free_symbols(formula) {
                        let sort = symbol.sort.clone();
                        if let Sort::Opaque(_) = sort {
                            model.universes.insert(sort.clone(), 3);
                        }
                        if symbol.arguments.is_empty() {
                            model.constants.insert(symbol, value(&sort, &mut random));
                        } else {
                            let arguments =
                                |r: &mut Random| symbol.arguments.iter().map(|a| value(a, r)).collect();
                            let entries =
                                (0..6).map(|_| (arguments(&mut random), value(&sort, &mut random))).collect();
                            let default = value(&sort, &mut random);
                            model.functions.insert(symbol, Table { entries, default });
                        }
                    }
                    let (before, after) = (evaluate(formula, &model), evaluate(&simple, &model));
                    assert_eq!(before, after, "{formula}\n{simple}\n{model}");
                }
            }
        }
    }
    assert!(changed > 500, "{changed}");
}
