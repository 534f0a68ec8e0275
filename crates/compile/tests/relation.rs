//! Terms over values of every kind: the code of a term has the value that `system::fts::evaluate` gives it, or none where that has
//! none. Terms are random and need not be well sorted.

use compile::relation::{Asked, Assertion, Relation, packed, unpacked};
use logic::random::Random;
use num_bigint::BigInt;
use space::{Edges, Stepper};
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::evaluate::{Ratio, evaluate, holds};
use system::fts::step::{Given, In};
use system::fts::{
    Binder, Branch, Constructor, Datatype, Expr, Fairness, Fts, Mode, Op, Quantifier, Sort, Symbol,
    Transition, Value, Variable,
};

const OPS: [Op; 27] = [
    Op::Not,
    Op::And,
    Op::Or,
    Op::Implies,
    Op::Iff,
    Op::Ite,
    Op::Equal,
    Op::Less,
    Op::LessEqual,
    Op::Add,
    Op::Subtract,
    Op::Negate,
    Op::Multiply,
    Op::Divide,
    Op::Modulo,
    Op::Over,
    Op::Select,
    Op::Store,
    Op::Append,
    Op::Prepend,
    Op::First,
    Op::Rest,
    Op::Length,
    Op::Nth,
    Op::Construct,
    Op::Is(1),
    Op::Field(1, 0),
];

fn arity(op: Op, random: &mut Random) -> usize {
    match op {
        Op::Not | Op::Negate | Op::First | Op::Rest | Op::Length | Op::Is(_) | Op::Field(..) => 1,
        Op::And | Op::Or | Op::Add | Op::Subtract | Op::Multiply => 2 + random.below(2),
        Op::Ite | Op::Store => 3,
        Op::Construct => 1 + random.below(2),
        _ => 2,
    }
}

fn data() -> Sort {
    let field = ("f".into(), Sort::Int);
    let constructors = vec![
        Constructor { name: "none".into(), fields: Vec::new() },
        Constructor { name: "one".into(), fields: vec![field] },
    ];
    Sort::Data(Arc::new(Datatype { name: "d".into(), constructors }))
}

fn colours() -> Sort {
    Sort::Enumeration("colour".into(), Arc::from([Arc::from("red"), Arc::from("blue")]))
}

/// A variable of each kind.
fn variables() -> Vec<(&'static str, Sort)> {
    let array = |sort| Sort::Array(Box::new(sort));
    vec![
        ("i", Sort::Int),
        ("j", Sort::Int),
        ("b", Sort::Bool),
        ("r", Sort::Real),
        ("a", array(Sort::Int)),
        ("m", array(array(Sort::Int))),
        ("s", Sort::Sequence(Box::new(Sort::Int))),
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
        Sort::Real => Value::number(Ratio::new(integer(random), BigInt::from(1 + random.below(4)))),
        Sort::Array(element) => {
            let mut array = Value::default_of(sort);
            for _ in 0..random.below(4) {
                let element = value(element, random);
                array = array.store(&integer(random), element).unwrap();
            }
            array
        }
        Sort::Sequence(element) => {
            let items = random.below(4);
            Value::Sequence((0..items).map(|_| value(element, random)).collect())
        }
        Sort::Data(_) if random.below(2) == 0 => Value::Data(0, Vec::new()),
        Sort::Data(_) => Value::Data(1, vec![Value::Int(integer(random))]),
        Sort::Enumeration(..) => Value::Constant(random.below(2)),
        _ => Value::Int(integer(random)),
    }
}

fn term(random: &mut Random, depth: usize, bound: &[Symbol]) -> Expr {
    let variables = variables();
    match random.below(if depth == 0 { 8 } else { 24 }) {
        0 => Expr::Bool(random.below(2) == 0),
        1 => Expr::Int(integer(random)),
        2 => Expr::Constant(if random.below(2) == 0 { data() } else { colours() }, random.below(2)),
        3 => Expr::Empty(Sort::Int),
        4 if !bound.is_empty() => bound[random.below(bound.len())].expr(),
        4 => Symbol::new(["k", "nothing"][random.below(2)], Sort::Int).expr(),
        5..=7 => {
            let (name, sort) = variables[random.below(variables.len())].clone();
            Symbol::new(name, sort).expr()
        }
        8 => Expr::Call(Symbol::new("f", Sort::Int), vec![term(random, depth - 1, bound)]),
        9 | 10 => quantified(random, depth, bound),
        _ => {
            let op = OPS[random.below(OPS.len())];
            let parts = (0..arity(op, random)).map(|_| term(random, depth - 1, bound)).collect();
            Expr::Apply(op, parts)
        }
    }
}

fn quantified(random: &mut Random, depth: usize, bound: &[Symbol]) -> Expr {
    let sort = [Sort::Int, Sort::Bool, colours(), data(), Sort::Real][random.below(5)].clone();
    // Names of variables are hidden, too.
    let symbol = Symbol::new(["x", "y", "i"][random.below(3)], sort);
    let number = |random: &mut Random| Expr::int(random.below(6) as i64 - 2);
    let range = match random.below(4) {
        0 => None,
        1 => Some(Box::new((term(random, depth - 1, bound), term(random, depth - 1, bound)))),
        _ => Some(Box::new((number(random), number(random)))),
    };
    let mut inner = bound.to_vec();
    inner.push(symbol.clone());
    let body = term(random, depth - 1, &inner);
    let quantifier = [Quantifier::Forall, Quantifier::Exists][random.below(2)];
    Expr::Quantified(quantifier, vec![Binder { symbol, range }], Box::new(body))
}

/// A system whose only step puts the value of a term into its last variable.
fn system(e: &Expr) -> Fts {
    let mut all = variables();
    all.push(("result", Sort::Bool));
    let variable = |(name, sort): &(&str, Sort)| Variable {
        symbol: Symbol::new(*name, sort.clone()),
        mode: Mode::Local,
        range: None,
        span: Default::default(),
    };
    let result = Symbol::new("result", Sort::Bool);
    let transition = Transition {
        name: "t".to_string(),
        parameters: Vec::new(),
        branches: vec![Branch::new(Expr::TRUE, vec![(result, e.clone())])],
        fairness: Fairness::None,
        text: String::new(),
        span: Default::default(),
    };
    Fts { variables: all.iter().map(variable).collect(), transitions: vec![transition], ..Fts::default() }
}

#[test]
fn terms_have_the_value_that_evaluation_gives_them() {
    let mut random = Random::new(11);
    let given: Given = BTreeMap::from([("k".into(), Value::int(7))]);
    let (mut with, mut without) = (0, 0);
    for _ in 0..60_000 {
        let e = term(&mut random, 4, &[]);
        let fts = system(&e);
        let state: Vec<Value> = fts.variables.iter().map(|v| value(&v.symbol.sort, &mut random)).collect();
        let within = In { fts: &fts, given: &given, state: &state, extra: Vec::new() };
        let expected = evaluate(&e, &within);
        let bytes = packed(&state);
        assert_eq!(unpacked(&bytes), state);
        let mut out = Edges::default();
        Relation::new(&fts, &given, &Asked::default()).expand(&bytes, &mut out);
        let found = out.iter().next().and_then(|next| unpacked(next).pop());
        assert_eq!(found, expected, "{e} in {state:?}");
        assert_eq!(out.undefined.is_some(), expected.is_none(), "{e} in {state:?}");
        assert_eq!(Assertion::new(&fts, &given, &e).holds(&bytes), holds(&e, &within), "{e} in {state:?}");
        *(if expected.is_some() { &mut with } else { &mut without }) += 1;
    }
    assert!(with > 10_000 && without > 10_000, "{with} {without}");
}
