//! The identities of logic and of the theories, one step at the root of a term whose arguments are
//! simple already.

use crate::model::Model;
use logic::fol::{Binder, Op, Quantifier, Rational, Sort, Term, evaluate, free_symbols};
use num_traits::{One, Signed, Zero};
use std::collections::BTreeMap;

pub fn step(term: &Term, arithmetic: bool) -> Term {
    let arguments = term.arguments();
    match (term.op(), arguments) {
        (Op::Not, [a]) => negation(a),
        (Op::And, parts) => flat(Op::And, parts),
        (Op::Or, parts) => flat(Op::Or, parts),
        (Op::Implies, [a, b]) => implication(a, b),
        (Op::Equal, [a, b]) => equality(term, a, b, arithmetic),
        (Op::Distinct, [a, b]) => step(&negation(&a.equals(b)), arithmetic),
        (Op::Ite, [c, a, b]) => conditional(term, c, a, b),
        (Op::Select, [array, index]) => select(term, array, index),
        (Op::Store, [array, index, value]) if *value == array.select(index) => array.clone(),
        (Op::Field(n, at), [whole]) => match whole.op() {
            Op::Construct(_, made) if made == n => whole.arguments()[*at].clone(),
            _ => term.clone(),
        },
        (Op::Is(n), [whole]) => match whole.op() {
            Op::Construct(_, made) => Term::truth(made == n),
            _ if whole.sort().datatype().is_some_and(|data| data.constructors.len() == 1) => {
                Term::truth(true)
            }
            _ => term.clone(),
        },
        (Op::Length, [queue]) => match (queue.op(), queue.arguments()) {
            (Op::Empty(_), _) => Term::int(0),
            (Op::Append | Op::Prepend, [before, _]) => sum(&before.length().plus(&Term::int(1))),
            _ => term.clone(),
        },
        (Op::Tail, [queue]) => match (queue.op(), queue.arguments()) {
            (Op::Prepend, [before, _]) => before.clone(),
            _ => term.clone(),
        },
        (Op::Nth, [queue, place]) => match (queue.op(), queue.arguments()) {
            (Op::Prepend, [_, element]) if *place == Term::int(0) => element.clone(),
            _ => term.clone(),
        },
        (Op::Quantified(quantifier, binders), [body]) => quantified(term, *quantifier, binders, body),
        (Op::Add | Op::Subtract | Op::Negate | Op::Multiply, _) if arithmetic => sum(term),
        (Op::Less | Op::LessEqual, [a, b]) if arithmetic => comparison(term, a, b),
        (_, [_, ..]) => constant(term),
        _ => term.clone(),
    }
}

/// Everything that is written out is computed, unless the theory leaves its value open.
fn constant(term: &Term) -> Term {
    let written = |t: &Term| matches!(t.op(), Op::Int(_) | Op::Real(_) | Op::Bits(..) | Op::True | Op::False);
    let zero = term.arguments().last().is_some_and(|t| match t.op() {
        Op::Int(n) => n.is_zero(),
        Op::Real(r) => r.is_zero(),
        _ => false,
    });
    let open = zero && matches!(term.op(), Op::Div | Op::Mod | Op::Divide);
    let named = matches!(term.op(), Op::Apply(_) | Op::Construct(..) | Op::ConstArray(_));
    if named || open || !term.arguments().iter().all(written) {
        return term.clone();
    }
    evaluate(term, &Model::default()).map_or_else(|| term.clone(), |value| value.term())
}

fn negation(a: &Term) -> Term {
    match (a.op(), a.arguments()) {
        (Op::True, _) => Term::truth(false),
        (Op::False, _) => Term::truth(true),
        (Op::Not, [inner]) => inner.clone(),
        (Op::Less, [x, y]) => y.at_most(x),
        (Op::LessEqual, [x, y]) => y.less(x),
        _ => a.negated(),
    }
}

/// Nested, repeated, neutral and contradictory parts.
fn flat(op: Op, parts: &[Term]) -> Term {
    let (neutral, absorbing) = if op == Op::And { (true, false) } else { (false, true) };
    let mut kept: Vec<Term> = Vec::new();
    let inner =
        parts.iter().flat_map(|p| if *p.op() == op { p.arguments() } else { std::slice::from_ref(p) });
    for part in inner {
        if *part == Term::truth(absorbing) || kept.contains(&negation(part)) {
            return Term::truth(absorbing);
        }
        if *part != Term::truth(neutral) && !kept.contains(part) {
            kept.push(part.clone());
        }
    }
    if op == Op::And { Term::and(kept) } else { Term::or(kept) }
}

fn implication(a: &Term, b: &Term) -> Term {
    if a.is_true() {
        b.clone()
    } else if a.is_false() || b.is_true() || a == b {
        Term::truth(true)
    } else if b.is_false() {
        negation(a)
    } else {
        a.implies(b)
    }
}

fn equality(term: &Term, a: &Term, b: &Term, arithmetic: bool) -> Term {
    if a == b {
        return Term::truth(true);
    }
    match a.sort() {
        Sort::Bool => match (a, b) {
            (x, y) | (y, x) if y.is_true() => x.clone(),
            (x, y) | (y, x) if y.is_false() => negation(x),
            _ if negation(a) == *b => Term::truth(false),
            _ => term.clone(),
        },
        Sort::Int | Sort::Real if arithmetic => match difference(a, b) {
            Some(constant) => Term::truth(constant.is_zero()),
            None => term.clone(),
        },
        Sort::Data(_) => match (a.op(), b.op()) {
            (Op::Construct(_, m), Op::Construct(_, n)) if m != n => Term::truth(false),
            (Op::Construct(..), Op::Construct(..)) => {
                let pairs = a.arguments().iter().zip(b.arguments());
                flat(Op::And, &pairs.map(|(x, y)| step(&x.equals(y), arithmetic)).collect::<Vec<_>>())
            }
            _ => term.clone(),
        },
        _ => constant(term),
    }
}

fn conditional(term: &Term, c: &Term, a: &Term, b: &Term) -> Term {
    match (c.op(), c.arguments()) {
        _ if c.is_true() || a == b => a.clone(),
        _ if c.is_false() => b.clone(),
        (Op::Not, [inner]) => Term::ite(inner, b, a),
        _ if a.is_true() && b.is_false() => c.clone(),
        _ if a.is_false() && b.is_true() => negation(c),
        _ => term.clone(),
    }
}

/// Reads over stores whose indices are known to be equal or different.
fn select(term: &Term, array: &Term, index: &Term) -> Term {
    match (array.op(), array.arguments()) {
        (Op::ConstArray(_), [value]) => value.clone(),
        (Op::Store, [_, i, value]) if i == index => value.clone(),
        (Op::Store, [base, i, _]) => {
            let apart = match index.sort() {
                Sort::Int | Sort::Real => difference(i, index).is_some_and(|d| !d.is_zero()),
                _ => constant(&i.equals(index)).is_false(),
            };
            if apart { select(&base.select(index), base, index) } else { term.clone() }
        }
        _ => term.clone(),
    }
}

/// Variables that the body does not mention.
fn quantified(term: &Term, quantifier: Quantifier, binders: &[Binder], body: &Term) -> Term {
    let free = free_symbols(body);
    let used: Vec<Binder> = binders.iter().filter(|b| free.contains(&b.symbol)).cloned().collect();
    if used.len() == binders.len() { term.clone() } else { Term::quantified(quantifier, used, body) }
}

type Polynomial = BTreeMap<Term, Rational>;

/// Coefficients of the parts of a sum; the constant stands at the number one.
fn polynomial(term: &Term) -> Polynomial {
    let mut sum = Polynomial::new();
    collect(term, &Rational::one(), &mut sum);
    sum.retain(|_, c| !c.is_zero());
    sum
}

fn collect(term: &Term, factor: &Rational, sum: &mut Polynomial) {
    let arguments = term.arguments();
    match term.op() {
        Op::Int(n) => *sum.entry(Term::int(1)).or_default() += factor * Rational::from_integer(n.clone()),
        Op::Real(r) => *sum.entry(Term::int(1)).or_default() += factor * r,
        Op::Add => arguments.iter().for_each(|a| collect(a, factor, sum)),
        Op::Subtract => {
            collect(&arguments[0], factor, sum);
            collect(&arguments[1], &-factor, sum);
        }
        Op::Negate => collect(&arguments[0], &-factor, sum),
        Op::Multiply => {
            let number = |t: &Term| match t.op() {
                Op::Int(n) => Some(Rational::from_integer(n.clone())),
                Op::Real(r) => Some(r.clone()),
                _ => None,
            };
            let constant: Rational = arguments.iter().filter_map(number).fold(Rational::one(), |p, n| p * n);
            let factors: Vec<Term> = arguments.iter().filter(|a| number(a).is_none()).cloned().collect();
            match &factors[..] {
                [] => *sum.entry(Term::int(1)).or_default() += factor * constant,
                [one] => collect(one, &(factor * constant), sum),
                _ => *sum.entry(Term::of(Op::Multiply, factors)).or_default() += factor * constant,
            }
        }
        _ => *sum.entry(term.clone()).or_default() += factor,
    }
}

/// The difference of two sums, if it is a number.
fn difference(a: &Term, b: &Term) -> Option<Rational> {
    let sum = polynomial(&a.minus(b));
    match sum.len() {
        0 => Some(Rational::zero()),
        1 => sum.get(&Term::int(1)).cloned(),
        _ => None,
    }
}

/// The sum with its parts collected; the term itself if that changes nothing but the order.
fn sum(term: &Term) -> Term {
    let collected = polynomial(term);
    let number = |c: &Rational| match term.sort() {
        Sort::Int => Term::int(c.to_integer()),
        _ => Term::real(c.clone()),
    };
    let mut made: Option<Term> = None;
    // Parts first, the number last; a part with a negative coefficient is subtracted.
    let one = Term::int(1);
    let parts = collected.iter().filter(|(part, _)| **part != one).chain(collected.get_key_value(&one));
    for (part, coefficient) in parts {
        let size = coefficient.abs();
        let scaled = match *part == one {
            true => number(&size),
            false if size.is_one() => part.clone(),
            false => number(&size).times(part),
        };
        made = Some(match made {
            None if coefficient.is_negative() && *part == one => number(coefficient),
            None if coefficient.is_negative() => number(coefficient).times(part),
            None => scaled,
            Some(before) if coefficient.is_negative() => before.minus(&scaled),
            Some(before) => before.plus(&scaled),
        });
    }
    made.unwrap_or_else(|| number(&Rational::zero()))
}

fn comparison(term: &Term, a: &Term, b: &Term) -> Term {
    match difference(a, b) {
        Some(constant) if *term.op() == Op::Less => Term::truth(constant.is_negative()),
        Some(constant) => Term::truth(!constant.is_positive()),
        None => term.clone(),
    }
}
