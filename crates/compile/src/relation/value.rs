//! Values of fair transition systems, small ones without memory of their own, and as bytes.
//!
//! Each value has one form, so equal values are equal bytes: an integer is [`Value::Big`] only if
//! 64 bits do not hold it, a fraction is never whole, an array lists in order what differs from its
//! default. The order is that of [`logic::fol::Value`].

use logic::fol::{ArrayValue, Rational, Sort, Value as Plain};
use num_bigint::{BigInt, Sign};
use num_traits::ToPrimitive;
use std::cmp::Ordering;
use std::sync::Arc;

/// A value as steps compute with it: small integers are not boxed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of 64 bits.
    Int(i64),
    /// A larger integer.
    Big(Arc<BigInt>),
    /// A rational number that is no integer.
    Fraction(Arc<Rational>),
    /// A constructor without fields, by its number.
    Constant(usize),
    /// An array.
    Array(Arc<Array>),
    /// A finite sequence.
    Sequence(Arc<Vec<Value>>),
    /// A constructor, by its number, with its fields.
    Data(usize, Arc<Vec<Value>>),
}

/// What differs from `default`, by index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// What is listed, sorted by index.
    pub entries: Vec<(Value, Value)>,
    /// The element at every other index.
    pub default: Value,
}

impl Array {
    /// Where an index is among the entries, or where it would be.
    #[inline]
    pub fn find(&self, index: &Value) -> Result<usize, usize> {
        // Indices mostly follow each other.
        if let (Value::Int(n), Some((Value::Int(first), _))) = (index, self.entries.first())
            && let Some(at) = n.checked_sub(*first).and_then(|at| usize::try_from(at).ok())
            && self.entries.get(at).is_some_and(|(found, _)| found.is(index))
        {
            return Ok(at);
        }
        self.entries.binary_search_by(|(at, _)| at.cmp(index))
    }

    /// The element at an index; `None` if the index is no integer.
    #[inline]
    pub fn element(&self, index: &Value) -> Option<&Value> {
        if !index.is_integer() {
            return None;
        }
        Some(self.find(index).map_or(&self.default, |at| &self.entries[at].1))
    }
}

impl Value {
    /// The integer, as small as it can be kept.
    pub fn integer(n: BigInt) -> Value {
        n.to_i64().map_or_else(|| Value::Big(Arc::new(n)), Value::Int)
    }

    /// The number, as an integer if it is one.
    pub fn number(r: Rational) -> Value {
        if r.is_integer() { Value::integer(r.to_integer()) } else { Value::Fraction(Arc::new(r)) }
    }

    /// The truth value, if it is one.
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

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        matches!(self, Value::Int(_) | Value::Big(_))
    }

    /// The integer, if it is one.
    pub fn to_integer(&self) -> Option<BigInt> {
        match self {
            Value::Int(n) => Some(BigInt::from(*n)),
            Value::Big(n) => Some((**n).clone()),
            _ => None,
        }
    }

    /// The number as a fraction, if it is one.
    pub fn to_ratio(&self) -> Option<Rational> {
        match self {
            Value::Fraction(r) => Some((**r).clone()),
            other => other.to_integer().map(Rational::from_integer),
        }
    }

    /// The kinds in their order.
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) | Value::Big(_) | Value::Fraction(_) => 1,
            Value::Array(_) => 2,
            Value::Sequence(_) => 3,
            Value::Constant(_) | Value::Data(..) => 4,
        }
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            _ => self.cmp_of_any_kind(other),
        }
    }
}

impl Value {
    fn cmp_of_any_kind(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
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
            (Value::Fraction(_), _) | (_, Value::Fraction(_)) if self.rank() == other.rank() => {
                self.to_ratio().cmp(&other.to_ratio())
            }
            (Value::Constant(a), Value::Constant(b)) => a.cmp(b),
            (Value::Array(a), Value::Array(b)) if Arc::ptr_eq(a, b) => Ordering::Equal,
            (Value::Array(a), Value::Array(b)) => {
                a.entries.cmp(&b.entries).then_with(|| a.default.cmp(&b.default))
            }
            (Value::Sequence(a), Value::Sequence(b)) => a.cmp(b),
            (Value::Data(m, a), Value::Data(n, b)) => m.cmp(n).then_with(|| a.cmp(b)),
            (Value::Constant(m), Value::Data(n, _)) | (Value::Data(m, _), Value::Constant(n)) => m.cmp(n),
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
            Plain::Real(r) => Value::number(r.clone()),
            Plain::Bits(bits, _) => Value::integer(bits.clone().into()),
            Plain::Element(_, n) => Value::Constant(*n),
            Plain::Array(array) => {
                let entries = array.entries.iter().map(|(at, v)| (at.into(), v.into())).collect();
                Value::Array(Arc::new(Array { entries, default: (&array.default).into() }))
            }
            Plain::Sequence(_, items) => Value::Sequence(all(items)),
            Plain::Data(_, n, fields) if fields.is_empty() => Value::Constant(*n),
            Plain::Data(_, n, fields) => Value::Data(*n, all(fields)),
        }
    }
}

impl Value {
    /// The plain value of a sort.
    pub fn plain(&self, sort: &Sort) -> Plain {
        let whole = sort.clone();
        match (self, sort) {
            (Value::Bool(b), _) => Plain::Bool(*b),
            (Value::Int(_) | Value::Big(_) | Value::Fraction(_), Sort::Real) => {
                Plain::Real(self.to_ratio().unwrap_or_default())
            }
            (Value::Int(n), _) => Plain::int(*n),
            (Value::Big(n), _) => Plain::Int((**n).clone()),
            (Value::Fraction(r), _) => Plain::Real((**r).clone()),
            (Value::Constant(n), Sort::Opaque(_)) => Plain::Element(whole, *n),
            (Value::Constant(n), _) => Plain::Data(whole, *n, Vec::new()),
            (Value::Array(array), Sort::Array(index, element)) => {
                let entry = |(at, v): &(Value, Value)| (at.plain(index), v.plain(element));
                let entries = array.entries.iter().map(entry).collect();
                let default = array.default.plain(element);
                Plain::Array(Box::new(ArrayValue { entries, default, sort: whole }))
            }
            (Value::Sequence(items), Sort::Sequence(element)) => {
                Plain::Sequence(whole, items.iter().map(|item| item.plain(element)).collect())
            }
            (Value::Data(n, fields), _) => {
                let field = |(at, v): (usize, &Value)| Some(v.plain(&sort.field(*n, at)?));
                Plain::Data(whole, *n, fields.iter().enumerate().filter_map(field).collect())
            }
            // A state holds values of the sorts of its variables.
            (Value::Array(_) | Value::Sequence(_), _) => Plain::default_of(sort),
        }
    }
}
