//! Values of terms. Equal values are equal data.

use super::evaluate::{Interpretation, values_of};
use super::sort::{Constructor, Sort};
use super::term::{Op, Rational, Symbol, Term};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;
use std::fmt;

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(BigInt),
    /// A rational number.
    Real(Rational),
    /// A bit-vector: its value as an unsigned number, and its width.
    Bits(BigUint, u32),
    /// The n-th element of an opaque sort.
    Element(Sort, usize),
    /// An array: finitely many entries and a default.
    Array(Box<ArrayValue>),
    /// A sequence: the sort of its elements, then the elements.
    Sequence(Sort, Vec<Value>),
    /// What the n-th constructor made of its fields.
    Data(Sort, usize, Vec<Value>),
}

/// An array that is `default` but for finitely many places, none of which holds the default.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    /// The elements that are listed, by index.
    pub entries: BTreeMap<Value, Value>,
    /// The element at every other index.
    pub default: Value,
    /// The sort of the array.
    pub sort: Sort,
}

impl Value {
    /// An integer.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// Whether it is the truth value *true*.
    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(b) = self { Some(*b) } else { None }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        if let Value::Int(n) = self { Some(n) } else { None }
    }

    /// The sort that the value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Bits(_, width) => Sort::Bits(*width),
            Value::Element(sort, _) | Value::Data(sort, ..) | Value::Sequence(sort, _) => sort.clone(),
            Value::Array(array) => array.sort.clone(),
        }
    }

    /// Some value of the sort: what a symbol has that no formula speaks of.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool | Sort::Unsorted => Value::Bool(false),
            Sort::Int | Sort::Itself => Value::int(0),
            Sort::Real => Value::Real(Rational::from_integer(0.into())),
            Sort::Bits(width) => Value::Bits(0u32.into(), *width),
            Sort::Array(_, element) => Value::constant_array(sort.clone(), Value::default_of(element)),
            Sort::Sequence(_) => Value::Sequence(sort.clone(), Vec::new()),
            Sort::Opaque(_) => Value::Element(sort.clone(), 0),
            Sort::Data(data) => {
                // A constructor that does not need the datatype itself exists, or the sort is
                // empty.
                let finite = |c: &Constructor| c.fields.iter().all(|(_, s)| *s != Sort::Itself);
                let n = data.constructors.iter().position(finite).unwrap_or(0);
                let fields = data.constructors.get(n).map_or(&[][..], |c| &c.fields);
                Value::Data(sort.clone(), n, fields.iter().map(|(_, s)| Value::default_of(s)).collect())
            }
        }
    }

    pub(crate) fn constant_array(sort: Sort, default: Value) -> Value {
        Value::Array(Box::new(ArrayValue { sort, default, entries: BTreeMap::new() }))
    }

    /// The array with these entries, in the one form that equal arrays have.
    pub fn array(
        sort: Sort,
        default: Value,
        entries: BTreeMap<Value, Value>,
        with: &dyn Interpretation,
    ) -> Value {
        let (mut default, mut entries) = (default, entries);
        if let Sort::Array(index, _) = &sort
            && **index != Sort::Int
            && let Some(places) = values_of(index, with)
            && let Some(first) = places.first()
        {
            // Every place can be visited: what the first holds is the default.
            let all = places.iter().map(|at| (at.clone(), entries.get(at).unwrap_or(&default).clone()));
            let all: BTreeMap<Value, Value> = all.collect();
            default = all[first].clone();
            entries = all;
        }
        entries.retain(|_, value| *value != default);
        Value::Array(Box::new(ArrayValue { sort, default, entries }))
    }

    /// The element of an array.
    pub fn select(&self, index: &Value) -> Option<Value> {
        let Value::Array(array) = self else { return None };
        Some(array.entries.get(index).unwrap_or(&array.default).clone())
    }

    /// An array over integers with one element changed.
    pub fn store(&self, index: &Value, value: Value) -> Option<Value> {
        let Value::Array(array) = self else { return None };
        let mut array = array.clone();
        if value == array.default {
            array.entries.remove(index);
        } else {
            array.entries.insert(index.clone(), value);
        }
        Some(Value::Array(array))
    }

    /// The term that has this value; elements of opaque sorts are constants named `SORT!n`.
    pub fn term(&self) -> Term {
        match self {
            Value::Bool(b) => Term::truth(*b),
            Value::Int(n) => Term::int(n.clone()),
            Value::Real(r) => Term::real(r.clone()),
            Value::Bits(bits, width) => Term::of(Op::Bits(bits.clone(), *width), []),
            Value::Element(sort, n) => Symbol::constant(format!("{sort}!{n}"), sort.clone()).term(),
            Value::Array(array) => {
                let base = Term::of(Op::ConstArray(array.sort.clone()), [array.default.term()]);
                array.entries.iter().fold(base, |made, (at, value)| made.store(&at.term(), &value.term()))
            }
            Value::Data(sort, n, fields) => Term::construct(sort, *n, fields.iter().map(Value::term)),
            Value::Sequence(sort, elements) => {
                let element = match sort {
                    Sort::Sequence(element) => (**element).clone(),
                    other => other.clone(),
                };
                let empty = Term::of(Op::Empty(element), []);
                elements.iter().fold(empty, |made, e| made.append(&e.term()))
            }
        }
    }
}

/// For people: `[3: 1, else 0]`, `all 0` of an array, `pair(1, 2)`, `<1, 2>`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Real(r) => write!(f, "{r}"),
            Value::Bits(bits, width) => write!(f, "0b{:0>1$}", bits.to_str_radix(2), *width as usize),
            Value::Element(sort, n) => write!(f, "{sort}!{n}"),
            Value::Array(array) if array.entries.is_empty() => write!(f, "all {}", array.default),
            Value::Array(array) => {
                write!(f, "[")?;
                array.entries.iter().try_for_each(|(at, value)| write!(f, "{at}: {value}, "))?;
                write!(f, "else {}]", array.default)
            }
            Value::Data(sort, n, fields) => {
                let name = sort.datatype().map_or("?", |data| &data.constructors[*n].name);
                if fields.is_empty() { f.write_str(name) } else { write!(f, "{name}({})", list(fields)) }
            }
            Value::Sequence(_, elements) => write!(f, "<{}>", list(elements)),
        }
    }
}
