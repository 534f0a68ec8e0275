//! The value of a formula when the values of its symbols are known.
//!
//! Quantifiers are evaluated where their variables range over finitely many values; otherwise, and where a symbol has no
//! value, there is no answer. Division follows SMT-LIB; division by zero has no value, nor has the head of an empty list, a
//! field of another constructor, or a number of more than 16,384 bits.

use super::{Binder, Expr, Op, Quantifier, Sort, Symbol};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    /// A real number that is no integer: those that are integers are [`Value::Int`], so that equal numbers look equal.
    Fraction(Ratio),
    /// A value of an enumeration or of an opaque sort, by its number.
    Constant(usize),
    /// What differs from `default`, by index.
    Array {
        entries: BTreeMap<BigInt, Value>,
        default: Box<Value>,
    },
    Sequence(Vec<Value>),
    /// The number of the constructor, and the fields.
    Data(usize, Vec<Value>),
}

pub type Ratio = num_rational::Ratio<BigInt>;

/// No more values than this are tried for one quantifier.
const MAX_RANGE: i64 = 10_000;

/// What symbols and functions stand for.
pub trait Interpretation {
    fn symbol(&self, symbol: &Symbol) -> Option<Value>;

    fn call(&self, _function: &Symbol, _arguments: &[Value]) -> Option<Value> {
        None
    }
}

impl Interpretation for BTreeMap<std::sync::Arc<str>, Value> {
    fn symbol(&self, symbol: &Symbol) -> Option<Value> {
        self.get(&symbol.name).cloned()
    }
}

/// An interpretation with one symbol more.
struct With<'a> {
    outer: &'a dyn Interpretation,
    symbol: &'a Symbol,
    value: Value,
}

impl Interpretation for With<'_> {
    fn symbol(&self, symbol: &Symbol) -> Option<Value> {
        if symbol.name == self.symbol.name { Some(self.value.clone()) } else { self.outer.symbol(symbol) }
    }

    fn call(&self, function: &Symbol, arguments: &[Value]) -> Option<Value> {
        self.outer.call(function, arguments)
    }
}

impl Value {
    pub fn int(value: i64) -> Value {
        Value::Int(BigInt::from(value))
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    pub fn as_int(&self) -> Option<&BigInt> {
        if let Value::Int(n) = self { Some(n) } else { None }
    }

    /// A real number.
    pub fn number(value: Ratio) -> Value {
        if value.is_integer() { Value::Int(value.to_integer()) } else { Value::Fraction(value) }
    }

    pub fn as_ratio(&self) -> Option<Ratio> {
        match self {
            Value::Int(n) => Some(Ratio::from_integer(n.clone())),
            Value::Fraction(r) => Some(r.clone()),
            _ => None,
        }
    }

    /// The element of an array.
    pub fn select(&self, index: &BigInt) -> Option<Value> {
        match self {
            Value::Array { entries, default } => Some(entries.get(index).unwrap_or(default).clone()),
            _ => None,
        }
    }

    /// An array with one element changed; equal arrays look equal.
    pub fn store(&self, index: &BigInt, value: Value) -> Option<Value> {
        let Value::Array { entries, default } = self else { return None };
        let mut entries = entries.clone();
        if value == **default {
            entries.remove(index);
        } else {
            entries.insert(index.clone(), value);
        }
        Some(Value::Array { entries, default: default.clone() })
    }

    /// Some value of a sort.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Real => Value::int(0),
            Sort::Enumeration(..) | Sort::Opaque(_) | Sort::Itself => Value::Constant(0),
            Sort::Data(data) => {
                // The first constructor that does not need what is being made; the lowering refuses types without one.
                let ends = |c: &super::Constructor| c.fields.iter().all(|(_, sort)| *sort != Sort::Itself);
                let at = data.constructors.iter().position(ends).unwrap_or(0);
                let fields = data.constructors.get(at).map_or(&[][..], |c| &c.fields);
                Value::Data(at, fields.iter().map(|(_, sort)| Value::default_of(sort)).collect())
            }
            Sort::Array(element) => {
                Value::Array { entries: BTreeMap::new(), default: Box::new(Value::default_of(element)) }
            }
            Sort::Sequence(_) => Value::Sequence(Vec::new()),
        }
    }
}

/// The value of a formula, if it has one.
pub fn evaluate(e: &Expr, with: &dyn Interpretation) -> Option<Value> {
    match e {
        Expr::Bool(b) => Some(Value::Bool(*b)),
        Expr::Int(n) => Some(Value::Int(n.clone())),
        Expr::Constant(Sort::Data(_), at) => Some(Value::Data(*at, Vec::new())),
        Expr::Constant(_, at) => Some(Value::Constant(*at)),
        Expr::Empty(_) => Some(Value::Sequence(Vec::new())),
        Expr::Symbol(symbol) => with.symbol(symbol),
        Expr::Call(function, parts) => {
            let arguments = parts.iter().map(|p| evaluate(p, with)).collect::<Option<Vec<_>>>()?;
            with.call(function, &arguments)
        }
        Expr::Quantified(quantifier, binders, body) => quantified(*quantifier, binders, body, with),
        Expr::Apply(op, parts) => apply(*op, parts, with),
    }
}

/// Whether a formula is true; none if that is not known.
pub fn holds(e: &Expr, with: &dyn Interpretation) -> Option<bool> {
    evaluate(e, with)?.as_bool()
}

fn quantified(
    quantifier: Quantifier,
    binders: &[Binder],
    body: &Expr,
    with: &dyn Interpretation,
) -> Option<Value> {
    let Some((binder, rest)) = binders.split_first() else { return evaluate(body, with) };
    let decisive = quantifier == Quantifier::Exists;
    let mut unknown = false;
    for value in values(binder, with)? {
        let inner = With { outer: with, symbol: &binder.symbol, value };
        match quantified(quantifier, rest, body, &inner).and_then(|v| v.as_bool()) {
            Some(b) if b == decisive => return Some(Value::Bool(b)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(Value::Bool(!decisive))
}

/// The values a bound variable ranges over.
fn values(binder: &Binder, with: &dyn Interpretation) -> Option<Vec<Value>> {
    let range = match binder.range.as_deref() {
        None => None,
        Some((low, high)) => {
            Some((evaluate(low, with)?.as_int()?.clone(), evaluate(high, with)?.as_int()?.clone()))
        }
    };
    domain(&binder.symbol.sort, range)
}

/// All values of a sort, between bounds if there are any; none if there are too many to try.
pub fn domain(sort: &Sort, range: Option<(BigInt, BigInt)>) -> Option<Vec<Value>> {
    match (sort, range) {
        (Sort::Bool, _) => Some(vec![Value::Bool(false), Value::Bool(true)]),
        (Sort::Enumeration(_, names), _) => Some((0..names.len()).map(Value::Constant).collect()),
        (Sort::Int, Some((low, high))) => {
            if &high - &low > BigInt::from(MAX_RANGE) {
                return None;
            }
            let mut found = Vec::new();
            let mut at = low;
            while at <= high {
                found.push(Value::Int(at.clone()));
                at += 1;
            }
            Some(found)
        }
        (Sort::Data(data), None) => {
            let mut found = Vec::new();
            for (n, constructor) in data.constructors.iter().enumerate() {
                let fields = constructor.fields.iter().map(|(_, sort)| domain(sort, None));
                found.extend(constructed(n, &fields.collect::<Option<Vec<_>>>()?)?);
            }
            Some(found)
        }
        _ => None,
    }
}

/// What a constructor makes of all combinations of fields; none if there are too many.
pub fn constructed(constructor: usize, fields: &[Vec<Value>]) -> Option<Vec<Value>> {
    let mut tuples = vec![Vec::new()];
    for choices in fields {
        if tuples.len() * choices.len() > MAX_RANGE as usize {
            return None;
        }
        let longer = |tuple: &Vec<Value>, v: &Value| [&tuple[..], std::slice::from_ref(v)].concat();
        tuples = tuples.iter().flat_map(|t| choices.iter().map(|v| longer(t, v))).collect();
    }
    Some(tuples.into_iter().map(|fields| Value::Data(constructor, fields)).collect())
}

fn apply(op: Op, parts: &[Expr], with: &dyn Interpretation) -> Option<Value> {
    let value = |at: usize| evaluate(parts.get(at)?, with);
    let int = |at: usize| value(at)?.as_int().cloned();
    let truth = |b: bool| Some(Value::Bool(b));
    match op {
        Op::Not => truth(!value(0)?.as_bool()?),
        Op::And => junction(parts, false, with),
        Op::Or => junction(parts, true, with),
        Op::Implies => match (value(0).and_then(|v| v.as_bool()), value(1).and_then(|v| v.as_bool())) {
            (Some(false), _) | (_, Some(true)) => truth(true),
            (Some(true), Some(false)) => truth(false),
            _ => None,
        },
        Op::Iff => truth(value(0)?.as_bool()? == value(1)?.as_bool()?),
        Op::Ite => value(if value(0)?.as_bool()? { 1 } else { 2 }),
        Op::Equal => truth(value(0)? == value(1)?),
        Op::Less => truth(compare(&value(0)?, &value(1)?)?.is_lt()),
        Op::LessEqual => truth(compare(&value(0)?, &value(1)?)?.is_le()),
        Op::Add => fold(parts, with, |a, b| a + b, |a, b| a + b),
        Op::Multiply => fold(parts, with, |a, b| a * b, |a, b| a * b),
        Op::Subtract => fold(parts, with, |a, b| a - b, |a, b| a - b),
        Op::Negate => match value(0)? {
            Value::Int(n) => Some(Value::Int(-n)),
            other => Some(Value::number(-other.as_ratio()?)),
        },
        Op::Over => {
            let divisor = value(1)?.as_ratio().filter(|r| !r.is_zero())?;
            moderate(Value::number(value(0)?.as_ratio()? / divisor))
        }
        Op::Divide => Some(Value::Int(divide(&int(0)?, &int(1)?)?.0)),
        Op::Modulo => Some(Value::Int(divide(&int(0)?, &int(1)?)?.1)),
        Op::Select => value(0)?.select(&int(1)?),
        Op::Store => value(0)?.store(&int(1)?, value(2)?),
        Op::Construct => match value(0)? {
            Value::Data(n, _) => {
                let fields = parts[1..].iter().map(|p| evaluate(p, with));
                Some(Value::Data(n, fields.collect::<Option<_>>()?))
            }
            _ => None,
        },
        Op::Is(n) => match value(0)? {
            Value::Data(made, _) => truth(made == n),
            _ => None,
        },
        Op::Field(n, at) => match value(0)? {
            Value::Data(made, fields) if made == n => fields.get(at).cloned(),
            _ => None,
        },
        Op::Append | Op::Prepend | Op::First | Op::Rest | Op::Length | Op::Nth => {
            let Value::Sequence(mut items) = value(0)? else { return None };
            match op {
                Op::Append => items.push(value(1)?),
                Op::Prepend => items.insert(0, value(1)?),
                Op::Nth => return items.get(int(1)?.to_usize()?.checked_sub(1)?).cloned(),
                Op::First => return items.into_iter().next(),
                Op::Length => return Some(Value::Int(BigInt::from(items.len()))),
                _ if items.is_empty() => return None,
                _ => drop(items.remove(0)),
            }
            Some(Value::Sequence(items))
        }
    }
}

fn junction(parts: &[Expr], decisive: bool, with: &dyn Interpretation) -> Option<Value> {
    let mut unknown = false;
    for part in parts {
        match holds(part, with) {
            Some(b) if b == decisive => return Some(Value::Bool(b)),
            Some(_) => {}
            None => unknown = true,
        }
    }
    (!unknown).then_some(Value::Bool(!decisive))
}

/// Combines numbers from the first to the last: integers as such, fractions as fractions.
fn fold(
    parts: &[Expr],
    with: &dyn Interpretation,
    ints: impl Fn(&BigInt, &BigInt) -> BigInt,
    ratios: impl Fn(Ratio, Ratio) -> Ratio,
) -> Option<Value> {
    let (first, rest) = parts.split_first()?;
    rest.iter().try_fold(evaluate(first, with)?, |sum, part| {
        let value = match (&sum, &evaluate(part, with)?) {
            (Value::Int(a), Value::Int(b)) => Value::Int(ints(a, b)),
            (a, b) => Value::number(ratios(a.as_ratio()?, b.as_ratio()?)),
        };
        moderate(value)
    })
}

/// Numbers with more bits than this have no value here: a product in a loop would fill the memory.
const BITS: u64 = 1 << 14;

fn moderate(value: Value) -> Option<Value> {
    let bits = match &value {
        Value::Int(n) => n.bits(),
        Value::Fraction(r) => r.numer().bits().max(r.denom().bits()),
        _ => 0,
    };
    (bits <= BITS).then_some(value)
}

/// The order of numbers.
fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        _ => Some(a.as_ratio()?.cmp(&b.as_ratio()?)),
    }
}

/// Quotient and remainder with 0 <= remainder < |divisor|.
fn divide(a: &BigInt, b: &BigInt) -> Option<(BigInt, BigInt)> {
    if b.is_zero() {
        return None;
    }
    let remainder = ((a % b) + b.abs()) % b.abs();
    Some(((a - &remainder) / b, remainder))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Fraction(r) => write!(f, "{r}"),
            Value::Constant(at) => write!(f, "#{at}"),
            Value::Data(n, fields) => {
                write!(f, "#{n}")?;
                if !fields.is_empty() {
                    f.write_str("(")?;
                    listed(fields, f)?;
                    f.write_str(")")?;
                }
                Ok(())
            }
            Value::Array { entries, default } => {
                f.write_str("[")?;
                entries.iter().try_for_each(|(index, value)| write!(f, "{index}: {value}, "))?;
                write!(f, "else {default}]")
            }
            Value::Sequence(items) => {
                f.write_str("<")?;
                listed(items, f)?;
                f.write_str(">")
            }
        }
    }
}

fn listed(items: &[Value], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut each = items.iter().enumerate();
    each.try_for_each(|(at, item)| write!(f, "{}{item}", if at > 0 { ", " } else { "" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_has_a_remainder_that_is_not_negative() {
        for a in -20i64..20 {
            for b in (-7i64..7).filter(|b| *b != 0) {
                let (q, r) = divide(&BigInt::from(a), &BigInt::from(b)).unwrap();
                assert_eq!(&q * BigInt::from(b) + &r, BigInt::from(a));
                assert!(r >= BigInt::zero() && r < BigInt::from(b.abs()), "{a} {b}");
            }
        }
    }

    #[test]
    fn equal_arrays_look_equal() {
        let zero = Value::default_of(&Sort::Array(Box::new(Sort::Int)));
        let one = zero.store(&BigInt::from(3), Value::int(1)).unwrap();
        assert_ne!(one, zero);
        assert_eq!(one.store(&BigInt::from(3), Value::int(0)).unwrap(), zero);
        assert_eq!(one.select(&BigInt::from(3)), Some(Value::int(1)));
    }
}
