//! Program expressions as terms: the one bridge from [`logic::Term`](crate::Term) to [`Term`].
//!
//! A program expression is C's: truth is a number, division rounds towards zero, some parts are
//! evaluated only if others ask for them, and it may have no value. A term is total. So an
//! expression becomes a value together with the conditions under which it has none, one for each
//! reason; the conditions exclude each other, since the first fault in the order of evaluation is
//! the one that happens. Where there is a fault, the value means nothing.
//!
//! Bits of numbers are quotients and remainders, as many as the numbers have; where that is not
//! known there is no term.

use super::term::{Op, Symbol, Term};
use crate::{ArithmeticError, Binary, IntType, Unary, apply_binary, apply_unary};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive, Zero};
use std::fmt;

/// What an expression is worth, and where it has no value.
#[derive(Clone, Debug)]
pub struct Defined<F> {
    value: Value,
    /// Conditions that exclude each other, each with the fault that happens there.
    pub faults: Vec<(Term, F)>,
}

#[derive(Clone, Debug)]
enum Value {
    Number(Term),
    /// A number that is 1 or 0.
    Truth(Term),
}

/// An operator that has no term over integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoTerm(pub Binary);

impl fmt::Display for NoTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Binary::ShiftLeft | Binary::ShiftRight => "a shift by an amount that is not constant",
            _ => "an operation on the bits of large numbers",
        })
    }
}

/// The least and the greatest value that a symbol may have, if they are known.
type Known<'a> = &'a dyn Fn(&Symbol) -> Option<(BigInt, BigInt)>;

/// What the atoms of an expression are worth.
pub trait Reads<V> {
    /// What can go wrong where an expression is evaluated.
    type Fault: Clone + From<ArithmeticError>;
    /// Why there is no term for an expression.
    type Unsupported: From<NoTerm>;

    /// The value of an atom as a term, and where it is undefined.
    fn read(&mut self, atom: &V) -> Result<Defined<Self::Fault>, Self::Unsupported>;

    /// The least and the greatest value that a symbol may have, if they are known.
    fn range(&self, _symbol: &Symbol) -> Option<(BigInt, BigInt)> {
        None
    }
}

impl<F: Clone> Defined<F> {
    /// A number that is always defined.
    pub fn number(term: Term) -> Defined<F> {
        Defined { value: Value::Number(term), faults: Vec::new() }
    }

    /// A truth value that is always defined.
    pub fn truth(term: Term) -> Defined<F> {
        Defined { value: Value::Truth(term), faults: Vec::new() }
    }

    /// The value as a number.
    pub fn as_number(&self) -> Term {
        match &self.value {
            Value::Number(term) => term.clone(),
            Value::Truth(term) => Term::bit(term),
        }
    }

    /// Whether the value is not zero.
    pub fn as_truth(&self) -> Term {
        match &self.value {
            Value::Number(term) => Term::negation(Term::same(term, &Term::int(0))),
            Value::Truth(term) => term.clone(),
        }
    }

    /// Where there is a value.
    pub fn when(&self) -> Term {
        Term::all(self.faults.iter().map(|(when, _)| Term::negation(when.clone())))
    }

    /// With the faults of what is evaluated after it, under a condition.
    pub fn then(mut self, condition: &Term, later: &[(Term, F)]) -> Defined<F> {
        let asked = Term::all([self.when(), condition.clone()]);
        let under = |(when, fault): &(Term, F)| {
            let when = Term::all([asked.clone(), when.clone()]);
            (!when.is_false()).then(|| (when, fault.clone()))
        };
        self.faults.extend(later.iter().filter_map(under));
        self
    }

    /// With a fault of its own where a condition holds.
    pub fn fails(self, condition: &Term, fault: F) -> Defined<F> {
        self.then(&Term::truth(true), &[(condition.clone(), fault)])
    }

    /// The same faults, another value.
    pub fn with(self, number: Term) -> Defined<F> {
        Defined { value: Value::Number(number), ..self }
    }

    /// The same faults, a truth value.
    pub fn with_truth(self, truth: Term) -> Defined<F> {
        Defined { value: Value::Truth(truth), ..self }
    }
}

/// An expression as a term, as far as there is one.
pub fn defined<V, R: Reads<V>>(
    term: &crate::Term<V>,
    reads: &mut R,
) -> Result<Defined<R::Fault>, R::Unsupported> {
    Ok(match term {
        crate::Term::Constant(c) => Defined::number(Term::int(*c)),
        crate::Term::Atom(atom) => reads.read(atom)?,
        crate::Term::Unary(op, a) => unary(*op, defined(a, reads)?),
        crate::Term::Wrap(int, a) => {
            let a = defined(a, reads)?;
            let wrapped = wrapped(*int, &a.as_number(), &|s| reads.range(s));
            a.with(wrapped)
        }
        crate::Term::Conditional(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            let condition = defined(condition, reads)?;
            let (then, otherwise) = (defined(then, reads)?, defined(otherwise, reads)?);
            let asked = condition.as_truth();
            let value = Term::choice(&asked, &then.as_number(), &otherwise.as_number());
            let all = condition.then(&asked, &then.faults);
            all.then(&Term::negation(asked), &otherwise.faults).with(value)
        }
        crate::Term::Binary(op, a, b) => {
            let (a, b) = (defined(a, reads)?, defined(b, reads)?);
            binary(*op, a, &b, &|s| reads.range(s))?
        }
    })
}

fn unary<F: Clone>(op: Unary, a: Defined<F>) -> Defined<F> {
    let number = a.as_number();
    match (op, number.as_number()) {
        (Unary::Not, _) => {
            let truth = Term::negation(a.as_truth());
            a.with_truth(truth)
        }
        (_, Some(n)) => a.with(Term::int(apply_unary(op, n))),
        (Unary::Negate, None) => a.with(Term::difference(&Term::int(0), &number)),
        (Unary::Complement, None) => a.with(Term::difference(&Term::int(-1), &number)),
    }
}

fn binary<F: Clone + From<ArithmeticError>>(
    op: Binary,
    a: Defined<F>,
    b: &Defined<F>,
    known: Known<'_>,
) -> Result<Defined<F>, NoTerm> {
    let truths = [a.as_truth(), b.as_truth()];
    match op {
        Binary::And => Ok(a.then(&truths[0], &b.faults).with_truth(Term::all(truths))),
        Binary::Or => {
            let asked = Term::negation(truths[0].clone());
            Ok(a.then(&asked, &b.faults).with_truth(Term::any(truths)))
        }
        _ => {
            let sides = [a.as_number(), b.as_number()];
            computed(op, sides, a.then(&Term::truth(true), &b.faults), known)
        }
    }
}

/// An operator that evaluates both sides; `sides` has their faults.
fn computed<F: Clone + From<ArithmeticError>>(
    op: Binary,
    [a, b]: [Term; 2],
    sides: Defined<F>,
    known: Known<'_>,
) -> Result<Defined<F>, NoTerm> {
    if let (Some(x), Some(y)) = (a.as_number(), b.as_number()) {
        return Ok(match apply_binary(op, x, y) {
            Ok(n) => sides.with(Term::int(n)),
            Err(error) => sides.fails(&Term::truth(true), error.into()).with(Term::int(0)),
        });
    }
    Ok(match op {
        Binary::Add => sides.with(Term::sum(&a, &b)),
        Binary::Subtract => sides.with(Term::difference(&a, &b)),
        Binary::Multiply => sides.with(Term::product(&a, &b)),
        Binary::Divide | Binary::Remainder => {
            let none = Term::same(&b, &Term::int(0));
            let term = if op == Binary::Divide { Op::Div } else { Op::Mod };
            sides.fails(&none, ArithmeticError::DivisionByZero.into()).with(towards_zero(&term, &a, &b))
        }
        Binary::Less => sides.with_truth(Term::lt(a, b)),
        Binary::LessEqual => sides.with_truth(Term::le(a, b)),
        Binary::Greater => sides.with_truth(Term::lt(b, a)),
        Binary::GreaterEqual => sides.with_truth(Term::le(b, a)),
        Binary::Equal => sides.with_truth(Term::same(&a, &b)),
        Binary::NotEqual => sides.with_truth(Term::negation(Term::same(&a, &b))),
        Binary::ShiftLeft | Binary::ShiftRight => match b.as_number() {
            Some(by) => shifted(op, &a, by, sides),
            None => sides.with(shifted_by(op, &a, &b, known).ok_or(NoTerm(op))?),
        },
        _ => sides.with(bitwise(op, &a, &b, known).ok_or(NoTerm(op))?),
    })
}

/// C's quotient or remainder by means of those whose remainder is not negative.
fn towards_zero(op: &Op, a: &Term, b: &Term) -> Term {
    let of = |a: &Term| Term::of(op.clone(), [a.clone(), b.clone()]);
    let zero = Term::int(0);
    let below = Term::difference(&zero, &of(&Term::difference(&zero, a)));
    Term::choice(&Term::le(zero, a.clone()), &of(a), &below)
}

fn shifted<F: Clone + From<ArithmeticError>>(
    op: Binary,
    a: &Term,
    by: &BigInt,
    sides: Defined<F>,
) -> Defined<F> {
    // What a shift by so much is worth is said in one place: of 1, whether it has a value at all.
    let Some(by) = by.to_usize().filter(|_| apply_binary(op, &BigInt::one(), by).is_ok()) else {
        return sides.fails(&Term::truth(true), ArithmeticError::BadShift.into()).with(Term::int(0));
    };
    sides.with(by_power(op, a, by))
}

fn by_power(op: Binary, a: &Term, by: usize) -> Term {
    let power = Term::int(BigInt::one() << by);
    match op {
        Binary::ShiftLeft => Term::product(a, &power),
        _ => Term::of(Op::Div, [a.clone(), power]),
    }
}

/// No number with more bits than this is taken apart.
const MAX_BITS: usize = 33;

/// A shift by an amount that is known to be one of a few.
fn shifted_by(op: Binary, a: &Term, by: &Term, known: Known<'_>) -> Option<Term> {
    let (least, most) = bounds(by, known, DEEP)?;
    let most = most.to_usize().filter(|most| *most < 1 << 8 && least >= BigInt::zero())?;
    let case = |rest, n: usize| Term::choice(&Term::same(by, &Term::int(n)), &by_power(op, a, n), &rest);
    Some((0..most).rev().fold(by_power(op, a, most), case))
}

/// An operation on bits, as the sum of what it makes of each; numbers are two's complements.
fn bitwise(op: Binary, a: &Term, b: &Term, known: Known<'_>) -> Option<Term> {
    // Under a mask that is not negative, no higher bits count.
    let mask = [a, b].into_iter().filter_map(|t| t.as_number()).find(|n| **n >= BigInt::zero());
    let width = match mask.filter(|_| op == Binary::BitAnd) {
        Some(mask) => mask.bits() as usize + 1,
        None => {
            let width = |t: &Term| {
                let (least, most) = bounds(t, known, DEEP)?;
                Some(least.bits().max(most.bits()) as usize + 1)
            };
            width(a)?.max(width(b)?)
        }
    };
    let bit = |t: &Term, k: usize| match t.as_number() {
        Some(n) => Term::truth((n >> k) & BigInt::one() == BigInt::one()),
        None => {
            let shifted = if k == 0 { t.clone() } else { by_power(Binary::ShiftRight, t, k) };
            Term::same(&Term::of(Op::Mod, [shifted, Term::int(2)]), &Term::int(1))
        }
    };
    let one = |k: usize| {
        let (x, y) = (bit(a, k), bit(b, k));
        let truth = match op {
            Binary::BitAnd => Term::all([x, y]),
            Binary::BitOr => Term::any([x, y]),
            _ => Term::any([
                Term::all([x.clone(), Term::negation(y.clone())]),
                Term::all([Term::negation(x), y]),
            ]),
        };
        let weight = BigInt::one() << k;
        let weight = if k + 1 == width { -weight } else { weight };
        Term::choice(&truth, &Term::int(weight), &Term::int(0))
    };
    (width <= MAX_BITS).then(|| (0..width).fold(Term::int(0), |sum, k| Term::sum(&sum, &one(k))))
}

/// The residue of a number in a machine type; the number itself if what is known of symbols says
/// that it is one of the type.
pub fn wrapped(int: IntType, a: &Term, known: Known<'_>) -> Term {
    if let Some(n) = a.as_number() {
        return Term::int(int.wrap(n));
    }
    let (low, high) = int.range();
    if bounds(a, known, DEEP).is_some_and(|(least, most)| low <= least && most <= high) {
        return a.clone();
    }
    let size = Term::int(&high - &low + 1);
    let from_low = Term::difference(a, &Term::int(low.clone()));
    let residue = Term::sum(&Term::of(Op::Mod, [from_low, size]), &Term::int(low.clone()));
    let fits = Term::all([Term::le(Term::int(low), a.clone()), Term::le(a.clone(), Term::int(high))]);
    Term::choice(&fits, a, &residue)
}

/// Terms are not looked into deeper than this for bounds.
const DEEP: usize = 12;

/// Numbers that a term lies between.
fn bounds(a: &Term, known: Known<'_>, deep: usize) -> Option<(BigInt, BigInt)> {
    let deep = deep.checked_sub(1)?;
    let of = |t: &Term| bounds(t, known, deep);
    match (a.op(), a.arguments()) {
        (Op::Int(n), _) => Some((n.clone(), n.clone())),
        (Op::Apply(symbol), []) => known(symbol),
        (Op::Ite, [_, x, y]) => {
            let ((a, b), (c, d)) = (of(x)?, of(y)?);
            Some((a.min(c), b.max(d)))
        }
        (Op::Add, [x, y]) => {
            let ((a, b), (c, d)) = (of(x)?, of(y)?);
            Some((a + c, b + d))
        }
        (Op::Subtract, [x, y]) => {
            let ((a, b), (c, d)) = (of(x)?, of(y)?);
            Some((a - d, b - c))
        }
        (Op::Multiply, [x, y]) => {
            let ((a, b), (c, d)) = (of(x)?, of(y)?);
            let all = [&a * &c, &a * &d, &b * &c, &b * &d];
            Some((all.iter().min()?.clone(), all.into_iter().max()?))
        }
        (Op::Mod, [_, by]) => {
            let by = by.as_number().filter(|n| **n > BigInt::zero())?;
            Some((BigInt::zero(), by - 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fol::{Sort, Value, evaluate};
    use crate::random::Random;
    use std::collections::BTreeMap;
    use std::sync::Arc;

    struct Names;

    impl Reads<&'static str> for Names {
        type Fault = ArithmeticError;
        type Unsupported = NoTerm;

        fn read(&mut self, atom: &&'static str) -> Result<Defined<ArithmeticError>, NoTerm> {
            Ok(Defined::number(Symbol::constant(*atom, Sort::Int).term()))
        }

        fn range(&self, _: &Symbol) -> Option<(BigInt, BigInt)> {
            Some((BigInt::from(-9), BigInt::from(9)))
        }
    }

    fn run(term: &crate::Term<&'static str>, x: i64, y: i64) -> Result<BigInt, ArithmeticError> {
        let of = |t: &crate::Term<&'static str>| run(t, x, y);
        Ok(match term {
            crate::Term::Constant(c) => BigInt::from(*c),
            crate::Term::Atom(name) => BigInt::from(if *name == "x" { x } else { y }),
            crate::Term::Unary(op, a) => apply_unary(*op, &of(a)?),
            crate::Term::Wrap(int, a) => int.wrap(&of(a)?),
            crate::Term::Conditional(parts) => {
                if of(&parts[0])?.is_zero() {
                    of(&parts[2])?
                } else {
                    of(&parts[1])?
                }
            }
            crate::Term::Binary(op, a, b) => {
                let left = of(a)?;
                match op {
                    Binary::And if left.is_zero() => BigInt::zero(),
                    Binary::Or if !left.is_zero() => BigInt::one(),
                    _ => apply_binary(*op, &left, &of(b)?)?,
                }
            }
        })
    }

    fn expression(random: &mut Random, deep: usize) -> crate::Term<&'static str> {
        use Binary::*;
        let ops = [Add, Subtract, Multiply, Divide, Remainder, Less, LessEqual, Greater, GreaterEqual];
        let more = [Equal, NotEqual, And, Or, BitAnd, BitOr, BitXor, ShiftLeft, ShiftRight];
        let all: Vec<Binary> = ops.into_iter().chain(more).collect();
        let below = |random: &mut Random, n: usize| random.below(n);
        match below(random, if deep == 0 { 3 } else { 9 }) {
            0 => crate::Term::Atom("x"),
            1 => crate::Term::Atom("y"),
            2 => crate::Term::Constant(below(random, 8) as i64 - 3),
            3 => crate::Term::unary(
                [Unary::Negate, Unary::Not, Unary::Complement][below(random, 3)],
                expression(random, deep - 1),
            ),
            4 => crate::Term::wrap(
                [IntType::BIT, IntType::BYTE, IntType::signed(3)][below(random, 3)],
                expression(random, deep - 1),
            ),
            5 => {
                let [a, b, c] = [(); 3].map(|()| expression(random, deep - 1));
                crate::Term::conditional(a, b, c)
            }
            _ => {
                let op = all[below(random, all.len())];
                crate::Term::binary(op, expression(random, deep - 1), expression(random, deep - 1))
            }
        }
    }

    #[test]
    fn terms_are_worth_what_expressions_are() {
        let mut random = Random::new(7);
        let mut compared = 0;
        for _ in 0..3000 {
            let program = expression(&mut random, 3);
            let Ok(made) = defined(&program, &mut Names) else { continue };
            for (x, y) in [(0, 0), (1, 0), (-1, 2), (5, -3), (-7, -2), (9, 4)] {
                let names = [("x", x), ("y", y)].map(|(n, v)| (Arc::from(n), Value::int(v)));
                let known: BTreeMap<Arc<str>, Value> = names.into_iter().collect();
                let truth = |t: &Term| evaluate(t, &known).and_then(|v| v.as_bool());
                let faults: Vec<_> =
                    made.faults.iter().filter(|(when, _)| truth(when) == Some(true)).collect();
                match run(&program, x, y) {
                    Err(error) => assert_eq!(faults.len(), 1, "{program:?} {x} {y} {error:?}"),
                    Ok(n) => {
                        assert!(faults.is_empty(), "{program:?} {x} {y}");
                        assert_eq!(evaluate(&made.as_number(), &known), Some(Value::Int(n.clone())));
                        assert_eq!(truth(&made.as_truth()), Some(!n.is_zero()));
                    }
                }
                compared += 1;
            }
        }
        assert!(compared > 9000, "{compared}");
    }
}
