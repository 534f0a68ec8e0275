//! Values of fair transition systems, small ones without memory of their own, and as bytes.
//!
//! Each value has one form, so equal values are equal bytes: an integer is [`Value::Big`] only if 64 bits do not hold it, a
//! fraction is never whole, an array lists in order what differs from its default. The order is that of
//! [`system::fts::Value`].

use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::sync::Arc;
use system::fts::Value as Plain;
use system::fts::evaluate::Ratio;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Bool(bool),
    Int(i64),
    Big(Arc<BigInt>),
    Fraction(Arc<Ratio>),
    Constant(usize),
    Array(Arc<Array>),
    Sequence(Arc<Vec<Value>>),
    Data(usize, Arc<Vec<Value>>),
}

/// What differs from `default`, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    pub entries: Vec<(Value, Value)>,
    pub default: Value,
}

impl Value {
    pub fn integer(n: BigInt) -> Value {
        n.to_i64().map_or_else(|| Value::Big(Arc::new(n)), Value::Int)
    }

    pub fn number(r: Ratio) -> Value {
        if r.is_integer() { Value::integer(r.to_integer()) } else { Value::Fraction(Arc::new(r)) }
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    /// Equality, with what is most frequent first.
    #[inline]
    pub fn is(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            _ => self == other,
        }
    }

    pub fn is_integer(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Big(_))
    }

    pub fn to_integer(&self) -> Option<BigInt> {
        match self {
            Value::Int(n) => Some(BigInt::from(*n)),
            Value::Big(n) => Some((**n).clone()),
            _ => None,
        }
    }

    pub fn to_ratio(&self) -> Option<Ratio> {
        match self {
            Value::Fraction(r) => Some((**r).clone()),
            other => other.to_integer().map(Ratio::from_integer),
        }
    }

    /// The kinds in their order.
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) | Value::Big(_) => 1,
            Value::Fraction(_) => 2,
            Value::Constant(_) => 3,
            Value::Array(_) => 4,
            Value::Sequence(_) => 5,
            Value::Data(..) => 6,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Big(a), Value::Big(b)) => a.cmp(b),
            // What 64 bits do not hold lies beyond all that they do.
            (Value::Int(_), Value::Big(b)) => {
                if b.sign() == Sign::Minus {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            (Value::Big(_), Value::Int(_)) => other.cmp(self).reverse(),
            (Value::Fraction(a), Value::Fraction(b)) => a.cmp(b),
            (Value::Constant(a), Value::Constant(b)) => a.cmp(b),
            (Value::Array(a), Value::Array(b)) => {
                a.entries.cmp(&b.entries).then_with(|| a.default.cmp(&b.default))
            }
            (Value::Sequence(a), Value::Sequence(b)) => a.cmp(b),
            (Value::Data(m, a), Value::Data(n, b)) => m.cmp(n).then_with(|| a.cmp(b)),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl From<&Plain> for Value {
    fn from(value: &Plain) -> Value {
        let all = |items: &[Plain]| Arc::new(items.iter().map(Value::from).collect());
        match value {
            Plain::Bool(b) => Value::Bool(*b),
            Plain::Int(n) => Value::integer(n.clone()),
            Plain::Fraction(r) => Value::number(r.clone()),
            Plain::Constant(at) => Value::Constant(*at),
            Plain::Array { entries, default } => {
                let entries = entries.iter().map(|(at, v)| (Value::integer(at.clone()), v.into())).collect();
                Value::Array(Arc::new(Array { entries, default: (&**default).into() }))
            }
            Plain::Sequence(items) => Value::Sequence(all(items)),
            Plain::Data(n, fields) => Value::Data(*n, all(fields)),
        }
    }
}

impl From<&Value> for Plain {
    fn from(value: &Value) -> Plain {
        let all = |items: &[Value]| items.iter().map(Plain::from).collect();
        match value {
            Value::Bool(b) => Plain::Bool(*b),
            Value::Int(n) => Plain::int(*n),
            Value::Big(n) => Plain::Int((**n).clone()),
            Value::Fraction(r) => Plain::Fraction((**r).clone()),
            Value::Constant(at) => Plain::Constant(*at),
            Value::Array(array) => {
                let entry = |(at, v): &(Value, Value)| Some((at.to_integer()?, v.into()));
                let entries = array.entries.iter().filter_map(entry).collect();
                Plain::Array { entries, default: Box::new((&array.default).into()) }
            }
            Value::Sequence(items) => Plain::Sequence(all(items)),
            Value::Data(n, fields) => Plain::Data(*n, all(fields)),
        }
    }
}
