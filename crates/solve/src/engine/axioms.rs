//! What the theories say about one term, as formulas: stated as soon as the term is met.
//!
//! Axioms about pairs of terms (a store and an index, two queues) are stated when a complete
//! assignment needs them: [`super::arrays`], [`super::data`], [`super::queues`].

use logic::fol::{Datatype, Op, Sort, Term};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};

pub fn axioms(term: &Term) -> Vec<Term> {
    let arguments = term.arguments();
    let mut found = match (term.op(), arguments) {
        (Op::Ite, [c, a, b]) if *term.sort() != Sort::Bool => {
            vec![c.implies(&term.equals(a)), Term::or([c.clone(), term.equals(b)])]
        }
        (Op::Store, [_, i, value]) => vec![term.select(i).equals(value)],
        (Op::Div, [x, divisor]) => division(term, x, divisor),
        (Op::Mod, [x, divisor]) if constant(divisor).is_none() => remainder(term, x, divisor),
        (Op::ToInt, [x]) => {
            let floor = Term::of(Op::ToReal, [term.clone()]);
            let one = Term::real(logic::fol::Rational::from_integer(1.into()));
            vec![floor.at_most(x), x.less(&floor.plus(&one))]
        }
        (Op::Multiply, [a, b]) => product(term, a, b),
        _ => Vec::new(),
    };
    match term.sort() {
        Sort::Data(data) => found.extend(constructors(term, data)),
        Sort::Sequence(_) => found.extend(super::queues::axioms(term)),
        _ => {}
    }
    found
}

fn constant(term: &Term) -> Option<BigInt> {
    match (term.op(), term.arguments()) {
        (Op::Int(n), _) => Some(n.clone()),
        (Op::Negate, [a]) => constant(a).map(|n| -n),
        _ => None,
    }
}

/// `divisor · quotient <= x < divisor · quotient + |divisor|`, for a divisor that is a number.
fn division(quotient: &Term, x: &Term, divisor: &Term) -> Vec<Term> {
    let Some(number) = constant(divisor) else { return unknown_divisor(quotient, x, divisor) };
    if number.is_zero() {
        return Vec::new();
    }
    let multiple = Term::int(number.clone()).times(quotient);
    vec![multiple.at_most(x), x.less(&multiple.plus(&Term::int(number.abs())))]
}

/// What is linear about a quotient by a positive number that is not known.
fn unknown_divisor(quotient: &Term, x: &Term, divisor: &Term) -> Vec<Term> {
    let zero = Term::int(0);
    let multiple = divisor.times(quotient);
    let bounds = Term::and([multiple.at_most(x), x.less(&multiple.plus(divisor))]);
    let of_natural = Term::and([zero.at_most(quotient), quotient.at_most(x)]);
    let positive = |more: Term, goal: Term| Term::and([zero.less(divisor), more]).implies(&goal);
    vec![
        zero.less(divisor).implies(&bounds),
        positive(zero.at_most(x), of_natural),
        positive(x.less(divisor), quotient.at_most(&zero)),
    ]
}

/// What is linear about a remainder by a positive number that is not known; it is what the quotient
/// leaves over.
fn remainder(rest: &Term, x: &Term, divisor: &Term) -> Vec<Term> {
    let zero = Term::int(0);
    let positive = |more: Term, goal: Term| Term::and([zero.less(divisor), more]).implies(&goal);
    let twice = divisor.plus(divisor);
    let quotient = Term::of(Op::Div, [x.clone(), divisor.clone()]);
    let whole = rest.equals(&x.minus(&divisor.times(&quotient)));
    vec![
        zero.less(divisor).implies(&Term::and([zero.at_most(rest), rest.less(divisor)])),
        positive(Term::and([zero.at_most(x), x.less(divisor)]), rest.equals(x)),
        positive(Term::and([divisor.at_most(x), x.less(&twice)]), rest.equals(&x.minus(divisor))),
        positive(zero.at_most(x), rest.at_most(x)),
        zero.less(divisor).implies(&whole),
    ]
}

/// The signs of a product that is not linear. This decides little, and refutes what it can.
fn product(product: &Term, a: &Term, b: &Term) -> Vec<Term> {
    if [a, b].iter().any(|t| constant(t).is_some() || matches!(t.op(), Op::Real(_))) {
        return Vec::new();
    }
    let zero = match product.sort() {
        Sort::Int => Term::int(0),
        _ => Term::real(logic::fol::Rational::zero()),
    };
    let vanishes = Term::or([a.equals(&zero), b.equals(&zero)]);
    let positive = |t: &Term| zero.less(t);
    let negative = |t: &Term| t.less(&zero);
    let same = Term::or([Term::and([positive(a), positive(b)]), Term::and([negative(a), negative(b)])]);
    let mut all = vec![
        vanishes.implies(&product.equals(&zero)),
        same.implies(&positive(product)),
        Term::or([vanishes, same, negative(product)]),
    ];
    if *product.sort() == Sort::Int {
        let one = Term::int(1);
        all.push(a.equals(&one).implies(&product.equals(b)));
        all.push(b.equals(&one).implies(&product.equals(a)));
    }
    all
}

/// A product and a quotient of one of its factors, `q = b div c`: `b = c · q + k` implies `a · b =
/// c · a · q + k · a`. None if they have nothing to do with each other.
pub(crate) fn halved(product: &Term, quotient: &Term) -> Vec<Term> {
    let (Op::Multiply, [x, y], Op::Div, [b, divisor]) =
        (product.op(), product.arguments(), quotient.op(), quotient.arguments())
    else {
        return Vec::new();
    };
    let small = constant(divisor).filter(|n| *n == BigInt::from(2) || *n == BigInt::from(3));
    let other = if x == b { Some(y) } else { Some(x).filter(|_| y == b) };
    let (Some(number), Some(a)) = (small, other) else { return Vec::new() };
    let each = |k: i64| {
        let by = Term::int(number.clone());
        let is = b.equals(&by.times(quotient).plus(&Term::int(k)));
        let then = product.equals(&by.times(&a.times(quotient)).plus(&Term::int(k).times(a)));
        is.implies(&then)
    };
    (0..3).filter(|k| BigInt::from(*k) < number).map(each).collect()
}

fn constructors(term: &Term, data: &Datatype) -> Vec<Term> {
    let count = data.constructors.len();
    if let Op::Construct(_, n) = term.op() {
        let fields = term.arguments().iter().enumerate().map(|(at, value)| term.field(*n, at).equals(value));
        let testers = (0..count).map(|m| if m == *n { term.is(m) } else { term.is(m).negated() });
        return if count > 1 { fields.chain(testers).collect() } else { fields.collect() };
    }
    if count == 1 {
        return vec![term.equals(&rebuilt(term, 0))];
    }
    let mut found = vec![Term::or((0..count).map(|n| term.is(n)))];
    for n in 0..count {
        found.extend((0..n).map(|m| Term::or([term.is(n).negated(), term.is(m).negated()])));
    }
    found
}

/// The constructor applied to the fields that the term has.
pub(crate) fn rebuilt(term: &Term, constructor: usize) -> Term {
    let arity = term.sort().datatype().map_or(0, |data| data.constructors[constructor].fields.len());
    Term::construct(term.sort(), constructor, (0..arity).map(|at| term.field(constructor, at)))
}
