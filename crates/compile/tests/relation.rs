//! Terms over values of every kind: the code of a term has the value that `logic::fol::evaluate`
//! gives it, or none where that has none.

use compile::relation::{Asked, Assertion, Relation, packed, unpacked};
use logic::fol::{Binder, Constructor, Op, Quantifier, Rational, Sort, Symbol, Term, Value, evaluate, holds};
use logic::random::Random;
use num_bigint::BigInt;
use space::{Edges, Stepper};
use std::collections::BTreeMap;
use system::fts::step::{In, Valuation};
use system::fts::{Branch, Fairness, Fts, Mode, Transition, Variable};

fn data() -> Sort {
    let none = Constructor { name: "none".into(), fields: Vec::new() };
    let one = Constructor { name: "one".into(), fields: vec![("f".into(), Sort::Int)] };
    Sort::data("d", vec![none, one])
}

fn colours() -> Sort {
    Sort::enumeration("colour", &["red", "blue"])
}

/// A variable of each kind, two of integers.
fn variables() -> Vec<(&'static str, Sort)> {
    let array = |sort| Sort::array(Sort::Int, sort);
    vec![
        ("i", Sort::Int),
        ("j", Sort::Int),
        ("b", Sort::Bool),
        ("r", Sort::Real),
        ("a", array(Sort::Int)),
        ("m", array(array(Sort::Int))),
        ("s", Sort::sequence(Sort::Int)),
        ("d", data()),
        ("c", colours()),
    ]
}

fn integer(random: &mut Random) -> BigInt {
    match random.below(8) {
        0 => BigInt::from(i64::MAX) - random.below(3),
        1 => BigInt::from(i64::MIN) + random.below(3),
        2 => BigInt::from(i64::MAX) * (random.below(5) as i64 - 2),
        _ => BigInt::from(random.below(9) as i64 - 4),
    }
}

fn value(sort: &Sort, random: &mut Random) -> Value {
    match sort {
        Sort::Bool => Value::Bool(random.below(2) == 0),
        Sort::Real => Value::Real(Rational::new(integer(random), BigInt::from(1 + random.below(4)))),
        Sort::Array(_, element) => {
            let mut array = Value::default_of(sort);
            for _ in 0..random.below(4) {
                let element = value(element, random);
                array = array.store(&Value::Int(integer(random)), element).unwrap();
            }
            array
        }
        Sort::Sequence(element) => {
            let items = random.below(4);
            Value::Sequence(sort.clone(), (0..items).map(|_| value(element, random)).collect())
        }
        Sort::Data(data) => {
            let n = random.below(data.constructors.len());
            let fields = &data.constructors[n].fields;
            Value::Data(sort.clone(), n, fields.iter().map(|(_, sort)| value(sort, random)).collect())
        }
        _ => Value::Int(integer(random)),
    }
}

fn any_sort(random: &mut Random) -> Sort {
    let variables = variables();
    variables[random.below(variables.len())].1.clone()
}

/// Makes terms, which may speak of bound variables.
struct Maker<'a> {
    random: &'a mut Random,
    bound: Vec<Symbol>,
}

impl Maker<'_> {
    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    fn leaf(&mut self, sort: &Sort) -> Term {
        let names = variables().into_iter().filter(|(_, of)| of == sort);
        let mut symbols: Vec<Symbol> = names.map(|(name, of)| Symbol::constant(name, of)).collect();
        symbols.extend(self.bound.iter().filter(|s| s.sort == *sort).cloned());
        // What is bound hides what is not, of whatever sort.
        symbols.retain(|s| self.bound.iter().rev().find(|b| b.name == s.name).is_none_or(|b| b == s));
        match self.below(8) {
            0..=4 if !symbols.is_empty() => symbols[self.random.below(symbols.len())].term(),
            5 if *sort == Sort::Int => Symbol::constant(["k", "nothing"][self.below(2)], Sort::Int).term(),
            _ => match sort {
                Sort::Array(..) => symbols.first().map_or_else(|| self.leaf(sort), Symbol::term),
                _ => value(sort, self.random).term(),
            },
        }
    }

    /// An operator over arguments of these sorts.
    fn of(&mut self, op: Op, sorts: &[&Sort], depth: usize) -> Term {
        let arguments: Vec<Term> = sorts.iter().map(|sort| self.term(sort, depth - 1)).collect();
        Term::of(op, arguments)
    }

    fn term(&mut self, sort: &Sort, depth: usize) -> Term {
        if depth == 0 || self.below(8) == 0 {
            return self.leaf(sort);
        }
        if self.below(8) == 0 {
            return self.of(Op::Ite, &[&Sort::Bool, sort, sort], depth);
        }
        let (int, data, array) = (&Sort::Int, &data(), &Sort::array(Sort::Int, Sort::Int));
        match sort {
            Sort::Bool => self.truth(depth),
            Sort::Int => match self.below(7) {
                0 => self.of(Op::Select, &[array, int], depth),
                1 => self.of(Op::Length, &[&Sort::sequence(Sort::Int)], depth),
                2 => self.of(Op::Nth, &[&Sort::sequence(Sort::Int), int], depth),
                3 => self.of(Op::Field(1, 0), &[data], depth),
                4 => {
                    let op = if self.below(2) == 0 { Op::Div } else { Op::Mod };
                    self.of(op, &[int, int], depth)
                }
                5 if self.below(3) == 0 => {
                    let function = Symbol::function("f", vec![Sort::Int], Sort::Int);
                    self.of(Op::Apply(function), &[int], depth)
                }
                _ => self.arithmetic(int, depth),
            },
            Sort::Real => match self.below(3) {
                0 => self.of(Op::Divide, &[sort, sort], depth),
                1 => self.of(Op::ToReal, &[int], depth),
                _ => self.arithmetic(sort, depth),
            },
            Sort::Array(_, element) if **element == Sort::Int && self.below(3) == 0 => {
                self.of(Op::Select, &[&Sort::array(Sort::Int, array.clone()), int], depth)
            }
            Sort::Array(_, element) => self.of(Op::Store, &[sort, int, element], depth),
            Sort::Sequence(element) => match self.below(4) {
                0 => self.of(Op::Append, &[sort, element], depth),
                1 => self.of(Op::Prepend, &[sort, element], depth),
                2 => self.of(Op::Tail, &[sort], depth),
                _ => Term::empty((**element).clone()),
            },
            Sort::Data(made) => {
                let n = self.below(made.constructors.len());
                let fields: Vec<&Sort> = made.constructors[n].fields.iter().map(|(_, sort)| sort).collect();
                self.of(Op::Construct(sort.clone(), n), &fields, depth)
            }
            _ => self.leaf(sort),
        }
    }

    fn arithmetic(&mut self, sort: &Sort, depth: usize) -> Term {
        let several = vec![sort; 2 + self.below(2)];
        match self.below(4) {
            0 => self.of(Op::Negate, &[sort], depth),
            1 => self.of(Op::Subtract, &[sort, sort], depth),
            2 => self.of(Op::Multiply, &several, depth),
            _ => self.of(Op::Add, &several, depth),
        }
    }

    fn truth(&mut self, depth: usize) -> Term {
        let bool = &Sort::Bool;
        let number = &[Sort::Int, Sort::Real][self.below(2)];
        let several = vec![bool; 2 + self.below(2)];
        match self.below(10) {
            0 => self.of(Op::Not, &[bool], depth),
            1 => self.of(Op::And, &several, depth),
            2 => self.of(Op::Or, &several, depth),
            3 => self.of(Op::Implies, &[bool, bool], depth),
            4 | 5 => {
                let sort = any_sort(self.random);
                self.of(Op::Equal, &[&sort, &sort], depth)
            }
            6 => self.of(Op::Less, &[number, number], depth),
            7 => self.of(Op::LessEqual, &[number, number], depth),
            8 => self.of(Op::Is(1), &[&data()], depth),
            _ => self.quantified(depth),
        }
    }

    fn quantified(&mut self, depth: usize) -> Term {
        let sort = [Sort::Int, Sort::Int, Sort::Bool, colours(), data(), Sort::Real][self.below(6)].clone();
        // Names of variables are hidden, too.
        let symbol = Symbol::constant(["x", "y", "i"][self.below(3)], sort.clone());
        let number = |me: &mut Self| Term::int(me.below(6) as i64 - 2);
        let range = match self.below(6) {
            _ if sort != Sort::Int => None,
            0 => None,
            1 => Some((self.term(&sort, depth - 1), self.term(&sort, depth - 1))),
            _ => Some((number(self), number(self))),
        };
        self.bound.push(symbol.clone());
        let body = self.term(&Sort::Bool, depth - 1);
        self.bound.pop();
        let quantifier = [Quantifier::Forall, Quantifier::Exists][self.below(2)];
        Term::quantified(quantifier, vec![Binder { symbol, range }], &body)
    }
}

/// A system whose only step puts the value of a term into its last variable.
fn system(e: &Term) -> Fts {
    let mut all = variables();
    all.push(("result", e.sort().clone()));
    let variable = |(name, sort): &(&str, Sort)| Variable {
        symbol: Symbol::constant(*name, sort.clone()),
        mode: Mode::Local,
        range: None,
        span: Default::default(),
    };
    let result = Symbol::constant("result", e.sort().clone());
    let transition = Transition {
        name: "t".to_string(),
        parameters: Vec::new(),
        branches: vec![Branch::new(Term::truth(true), vec![(result, e.clone())])],
        fairness: Fairness::None,
        text: String::new(),
        span: Default::default(),
    };
    Fts { variables: all.iter().map(variable).collect(), transitions: vec![transition], ..Fts::default() }
}

#[test]
fn terms_have_the_value_that_evaluation_gives_them() {
    let mut random = Random::new(11);
    let given: Valuation = BTreeMap::from([("k".into(), Value::int(7))]);
    let (mut with, mut without) = (0, 0);
    for _ in 0..40_000 {
        let sort = any_sort(&mut random);
        let e = Maker { random: &mut random, bound: Vec::new() }.term(&sort, 4);
        assert_eq!(*e.sort(), sort, "{e}");
        let fts = system(&e);
        let state: Vec<Value> = fts.variables.iter().map(|v| value(&v.symbol.sort, &mut random)).collect();
        let within = In { fts: &fts, given: &given, state: &state, extra: Vec::new() };
        let expected = evaluate(&e, &within);
        let bytes = packed(&state);
        assert_eq!(unpacked(&fts, &bytes), state);
        let mut out = Edges::default();
        Relation::new(&fts, &given, &Asked::default()).expand(&bytes, &mut out);
        let found = out.iter().next().and_then(|next| unpacked(&fts, next).pop());
        assert_eq!(found, expected, "{e} in {state:?}");
        assert_eq!(out.undefined.is_some(), expected.is_none(), "{e} in {state:?}");
        if sort == Sort::Bool {
            let asserted = Assertion::new(&fts, &given, &e).holds(&bytes);
            assert_eq!(asserted, holds(&e, &within), "{e} in {state:?}");
        }
        *(if expected.is_some() { &mut with } else { &mut without }) += 1;
    }
    assert!(with > 10_000 && without > 5_000, "{with} {without}");
}
