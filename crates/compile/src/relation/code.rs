//! Terms with their symbols resolved to slots, and their values.
//!
//! What has no value here has none in `logic::fol::evaluate`, which says what each operator means;
//! the tests hold the two against each other. Numbers that fit in 64 bits are computed with as
//! such.

use super::value::Value;
use logic::fol::{BITS, Op, junction};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::cmp::Ordering;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub enum Code {
    Constant(Value),
    /// It has no value: an unknown symbol, a function without a definition.
    Nothing,
    Variable(usize),
    Local(usize),
    /// An element of an array, both of which lie somewhere.
    Element(Box<[Code; 2]>),
    Apply(Op, Box<[Code]>),
    Quantified(Box<Quantified>),
}

/// A quantifier over one variable.
#[derive(Clone, Debug)]
pub struct Quantified {
    pub exists: bool,
    pub slot: usize,
    pub over: Over,
    pub body: Code,
}

/// What a bound variable ranges over.
#[derive(Clone, Debug)]
pub enum Over {
    Listed(Vec<Value>),
    /// The integers from one to another.
    Between(Code, Code),
    /// More than can be tried.
    Unlisted,
}

/// No more values than this are tried for one quantifier or choice, as [`logic::fol::domain`] has
/// it.
pub const MAX_RANGE: i64 = 10_000;

/// Where a term is evaluated.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub state: Vec<Value>,
    /// Parameters, chosen values, bound variables.
    pub locals: Vec<Value>,
}

impl Frame {
    pub fn set(&mut self, slot: usize, value: Value) {
        if self.locals.len() <= slot {
            self.locals.resize(slot + 1, Value::Bool(false));
        }
        self.locals[slot] = value;
    }
}

impl Code {
    /// Whether a formula is true; none if that is not known. Truth values are not made into values
    /// on the way.
    #[inline]
    pub fn holds(&self, frame: &mut Frame) -> Option<bool> {
        if self.is_true() { Some(true) } else { self.truth(frame) }
    }

    fn truth(&self, frame: &mut Frame) -> Option<bool> {
        match self {
            Code::Quantified(quantified) => quantified.holds(frame),
            Code::Apply(op, parts) => match (op, &**parts) {
                (Op::Not, [a]) => a.holds(frame).map(|a| !a),
                (Op::And, parts) => junction(parts.iter().map(|part| part.holds(frame)), false),
                (Op::Or, parts) => junction(parts.iter().map(|part| part.holds(frame)), true),
                (Op::Implies, [a, b]) => match a.holds(frame) {
                    Some(false) => Some(true),
                    Some(true) => b.holds(frame),
                    None => b.holds(frame).filter(|b| *b),
                },
                (Op::Ite, [a, b, c]) => {
                    if a.holds(frame)? {
                        b.holds(frame)
                    } else {
                        c.holds(frame)
                    }
                }
                (Op::Equal, [a, b]) => both(a, b, frame, Value::is),
                (Op::Less, [a, b]) => both(a, b, frame, compare)?.map(Ordering::is_lt),
                (Op::LessEqual, [a, b]) => both(a, b, frame, compare)?.map(Ordering::is_le),
                _ => self.computed(frame)?.as_bool(),
            },
            place => place.place(frame)?.as_bool(),
        }
    }

    pub fn value(&self, frame: &mut Frame) -> Option<Value> {
        match self {
            Code::Apply(..) | Code::Quantified(_) => self.computed(frame),
            place => place.place(frame).cloned(),
        }
    }

    fn computed(&self, frame: &mut Frame) -> Option<Value> {
        match self {
            Code::Apply(op, parts) => apply(op, parts, self, frame),
            _ => self.holds(frame).map(Value::Bool),
        }
    }

    /// The value where it lies, if it is not computed.
    #[inline]
    pub fn place<'a>(&'a self, frame: &'a Frame) -> Option<&'a Value> {
        match self {
            Code::Constant(value) => Some(value),
            Code::Variable(at) => frame.state.get(*at),
            _ => self.other_place(frame),
        }
    }

    fn other_place<'a>(&'a self, frame: &'a Frame) -> Option<&'a Value> {
        match self {
            Code::Local(at) => frame.locals.get(*at),
            Code::Element(pair) => match (pair[0].place(frame)?, pair[1].place(frame)?) {
                (Value::Array(array), index) => array.element(index),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn is_true(&self) -> bool {
        matches!(self, Code::Constant(Value::Bool(true)))
    }

    pub fn is_computed(&self) -> bool {
        matches!(self, Code::Apply(..) | Code::Quantified(_))
    }
}

/// What a function makes of two values, which are copied only if they are computed.
fn both<R>(a: &Code, b: &Code, frame: &mut Frame, f: impl FnOnce(&Value, &Value) -> R) -> Option<R> {
    let first = if a.is_computed() { Some(a.computed(frame)?) } else { None };
    let second = if b.is_computed() { Some(b.computed(frame)?) } else { None };
    let first = first.as_ref().or_else(|| a.place(frame))?;
    let second = second.as_ref().or_else(|| b.place(frame))?;
    Some(f(first, second))
}

impl Quantified {
    fn holds(&self, frame: &mut Frame) -> Option<bool> {
        match &self.over {
            Over::Unlisted => None,
            Over::Between(low, high) => {
                let between = between(low.value(frame)?, high.value(frame)?)?;
                self.any(between, frame)
            }
            Over::Listed(values) => self.any(values.iter().cloned(), frame),
        }
    }

    fn any(&self, values: impl IntoIterator<Item = Value>, frame: &mut Frame) -> Option<bool> {
        let truth = |value| {
            frame.set(self.slot, value);
            self.body.holds(frame)
        };
        junction(values.into_iter().map(truth), self.exists)
    }
}

/// The integers from one to another; none if there are too many.
pub fn between(low: Value, high: Value) -> Option<Vec<Value>> {
    if let (Value::Int(low), Value::Int(high)) = (&low, &high) {
        let few = high.checked_sub(*low).is_some_and(|n| n <= MAX_RANGE);
        return (few || high < low).then(|| (*low..=*high).map(Value::Int).collect());
    }
    let (low, high) = (low.to_integer()?, high.to_integer()?);
    if &high - &low > BigInt::from(MAX_RANGE) {
        return None;
    }
    let numbers = std::iter::successors(Some(low), |n| Some(n + 1)).take_while(|n| *n <= high);
    Some(numbers.map(Value::integer).collect())
}

fn apply(op: &Op, parts: &[Code], whole: &Code, frame: &mut Frame) -> Option<Value> {
    let mut value = |at: usize| parts.get(at)?.value(frame);
    let truth = |b: bool| Some(Value::Bool(b));
    match op {
        Op::Ite => {
            let at = if parts.first()?.holds(frame)? { 1 } else { 2 };
            parts.get(at)?.value(frame)
        }
        Op::Not | Op::And | Op::Or | Op::Implies | Op::Equal | Op::Less | Op::LessEqual => {
            whole.holds(frame).map(Value::Bool)
        }
        Op::Add | Op::Multiply | Op::Subtract => fold(op, parts, frame),
        Op::Negate => match value(0)? {
            Value::Int(n) if n > i64::MIN => Some(Value::Int(-n)),
            other => Some(Value::number(-other.to_ratio()?)),
        },
        Op::Divide => {
            let divisor = value(1)?.to_ratio().filter(|r| !r.is_zero())?;
            moderate(Value::number(value(0)?.to_ratio()? / divisor))
        }
        Op::Div => divide(&value(0)?, &value(1)?).map(|(quotient, _)| quotient),
        Op::Mod => divide(&value(0)?, &value(1)?).map(|(_, remainder)| remainder),
        Op::Select => select(&parts[0], &parts[1], frame),
        Op::Store => store(value(0)?, value(1)?, value(2)?),
        Op::Construct(_, n) => {
            let fields = (0..parts.len()).map(value).collect::<Option<_>>()?;
            Some(Value::Data(*n, Arc::new(fields)))
        }
        Op::Is(n) => match value(0)? {
            Value::Constant(made) | Value::Data(made, _) => truth(made == *n),
            _ => None,
        },
        Op::Field(n, at) => match value(0)? {
            Value::Data(made, fields) if made == *n => fields.get(*at).cloned(),
            _ => None,
        },
        Op::Append | Op::Prepend | Op::Tail | Op::Length | Op::Nth => {
            let Value::Sequence(items) = value(0)? else { return None };
            let other = if parts.len() > 1 { Some(value(1)?) } else { None };
            sequence(op, items, other)
        }
        // Programs have no more.
        _ => None,
    }
}

/// Combines numbers from the first to the last.
fn fold(op: &Op, parts: &[Code], frame: &mut Frame) -> Option<Value> {
    let [first, second, rest @ ..] = parts else { return parts.first()?.value(frame) };
    let mut sum = both(first, second, frame, |a, b| combine(op, a, b))??;
    for part in rest {
        sum = combine(op, &sum, &part.value(frame)?)?;
    }
    Some(sum)
}

fn combine(op: &Op, a: &Value, b: &Value) -> Option<Value> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let small = match op {
            Op::Add => a.checked_add(*b),
            Op::Multiply => a.checked_mul(*b),
            _ => a.checked_sub(*b),
        };
        if let Some(n) = small {
            return Some(Value::Int(n));
        }
    }
    let (a, b) = (a.to_ratio()?, b.to_ratio()?);
    moderate(Value::number(match op {
        Op::Add => a + b,
        Op::Multiply => a * b,
        _ => a - b,
    }))
}

fn moderate(value: Value) -> Option<Value> {
    let bits = match &value {
        Value::Big(n) => n.bits(),
        Value::Fraction(r) => r.numer().bits().max(r.denom().bits()),
        _ => 0,
    };
    (bits <= BITS).then_some(value)
}

/// The order of numbers.
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        _ => Some(a.to_ratio()?.cmp(&b.to_ratio()?)),
    }
}

/// Quotient and remainder with 0 <= remainder < |divisor|.
fn divide(a: &Value, b: &Value) -> Option<(Value, Value)> {
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && *b != 0
        && let Some(quotient) = a.checked_div_euclid(*b)
    {
        return Some((Value::Int(quotient), Value::Int(a.rem_euclid(*b))));
    }
    let (a, b) = (a.to_integer()?, b.to_integer()?);
    if b.is_zero() {
        return None;
    }
    let remainder = ((&a % &b) + b.abs()) % b.abs();
    Some((Value::integer((a - &remainder) / b), Value::integer(remainder)))
}

fn select(array: &Code, index: &Code, frame: &mut Frame) -> Option<Value> {
    let element = |array: &Value, index: &Value| match array {
        Value::Array(array) => array.element(index).cloned(),
        _ => None,
    };
    both(array, index, frame, element)?
}

/// An array with one element changed.
fn store(array: Value, index: Value, value: Value) -> Option<Value> {
    let Value::Array(mut array) = array else { return None };
    if !index.is_integer() {
        return None;
    }
    let changed = Arc::make_mut(&mut array);
    let place = changed.find(&index);
    match (place, value == changed.default) {
        (Ok(at), true) => drop(changed.entries.remove(at)),
        (Ok(at), false) => changed.entries[at].1 = value,
        (Err(_), true) => {}
        (Err(at), false) => changed.entries.insert(at, (index, value)),
    }
    Some(Value::Array(array))
}

fn sequence(op: &Op, mut items: Arc<Vec<Value>>, other: Option<Value>) -> Option<Value> {
    match op {
        Op::Length => return Some(Value::Int(items.len() as i64)),
        Op::Nth => match other? {
            Value::Int(n) => return items.get(usize::try_from(n).ok()?).cloned(),
            _ => return None,
        },
        Op::Append => Arc::make_mut(&mut items).push(other?),
        Op::Prepend => Arc::make_mut(&mut items).insert(0, other?),
        _ if items.is_empty() => return None,
        _ => drop(Arc::make_mut(&mut items).remove(0)),
    }
    Some(Value::Sequence(items))
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::fol::Rational;

    #[test]
    fn numbers_beyond_64_bits_are_computed_too() {
        let big = combine(&Op::Multiply, &Value::Int(i64::MAX), &Value::Int(4)).unwrap();
        assert_eq!(big, Value::integer(BigInt::from(i64::MAX) * 4));
        assert_eq!(combine(&Op::Subtract, &big, &big), Some(Value::Int(0)));
        let (quotient, remainder) = divide(&Value::Int(i64::MIN), &Value::Int(-1)).unwrap();
        assert_eq!(quotient, Value::integer(-BigInt::from(i64::MIN)));
        assert_eq!(remainder, Value::Int(0));
        assert_eq!(divide(&big, &Value::Int(0)), None);
        let half = Value::number(Rational::new(1.into(), 2.into()));
        assert_eq!(combine(&Op::Add, &half, &half), Some(Value::Int(1)));
    }
}
