//! Values, and models: which values the symbols of a formula have.

use crate::sort::Sort;
use crate::term::{Op, Rational, Symbol, Term};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;
use std::fmt;

/// A value of some sort. Equal values are equal data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    Real(Rational),
    Bits(BigUint, u32),
    /// The n-th element of an uninterpreted sort.
    Element(Sort, usize),
    Array(Box<ArrayValue>),
    Data(Sort, usize, Vec<Value>),
    Queue(Sort, Vec<Value>),
}

/// An array that is `default` but for finitely many places, none of which holds the default.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArrayValue {
    pub sort: Sort,
    pub default: Value,
    pub entries: BTreeMap<Value, Value>,
}

impl Value {
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    pub fn is_true(&self) -> bool {
        *self == Value::Bool(true)
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Bits(_, width) => Sort::Bits(*width),
            Value::Element(sort, _) | Value::Data(sort, ..) | Value::Queue(sort, _) => sort.clone(),
            Value::Array(array) => array.sort.clone(),
        }
    }

    /// Some value of the sort: what a symbol has that no formula speaks of.
    pub fn default_of(sort: &Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int | Sort::Itself => Value::int(0),
            Sort::Real => Value::Real(Rational::from_integer(0.into())),
            Sort::Bits(width) => Value::Bits(0u32.into(), *width),
            Sort::Array(_, element) => Value::constant_array(sort.clone(), Value::default_of(element)),
            Sort::Queue(_) => Value::Queue(sort.clone(), Vec::new()),
            Sort::Uninterpreted(_) => Value::Element(sort.clone(), 0),
            Sort::Data(data) => {
                // A constructor that does not need the datatype itself exists, or the sort is empty.
                let finite = |c: &crate::sort::Constructor| c.fields.iter().all(|(_, s)| *s != Sort::Itself);
                let n = data.constructors.iter().position(finite).unwrap_or(0);
                let fields = data.constructors.get(n).map_or(&[][..], |c| &c.fields);
                Value::Data(sort.clone(), n, fields.iter().map(|(_, s)| Value::default_of(s)).collect())
            }
        }
    }

    pub fn constant_array(sort: Sort, default: Value) -> Value {
        Value::Array(Box::new(ArrayValue { sort, default, entries: BTreeMap::new() }))
    }

    /// The term that has this value; elements of uninterpreted sorts are constants named `SORT!n`.
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
            Value::Queue(sort, elements) => {
                let element = match sort {
                    Sort::Queue(element) => (**element).clone(),
                    other => other.clone(),
                };
                let empty = Term::of(Op::EmptyQueue(element), []);
                elements.iter().fold(empty, |made, e| made.append(&e.term()))
            }
        }
    }
}

/// For people: `[0 else, 3: 1]`, `(mk-pair 1 2)`, `<1, 2>`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |values: &[Value]| values.iter().map(Value::to_string).collect::<Vec<_>>().join(", ");
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(n) => write!(f, "{n}"),
            Value::Real(r) => write!(f, "{r}"),
            Value::Bits(bits, width) => write!(f, "0b{:0>1$}", bits.to_str_radix(2), *width as usize),
            Value::Element(sort, n) => write!(f, "{sort}!{n}"),
            Value::Array(array) => {
                write!(f, "[")?;
                array.entries.iter().try_for_each(|(at, value)| write!(f, "{at}: {value}, "))?;
                write!(f, "else {}]", array.default)
            }
            Value::Data(sort, n, fields) => {
                let name = sort.datatype().map_or("?", |data| data.constructors[*n].name.as_str());
                if fields.is_empty() { f.write_str(name) } else { write!(f, "{name}({})", list(fields)) }
            }
            Value::Queue(_, elements) => write!(f, "<{}>", list(elements)),
        }
    }
}

/// A function by its finitely many exceptions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    pub entries: BTreeMap<Vec<Value>, Value>,
    pub default: Value,
}

impl Table {
    pub fn get(&self, arguments: &[Value]) -> &Value {
        self.entries.get(arguments).unwrap_or(&self.default)
    }
}

/// What the symbols mean. Symbols that are missing may be anything; [`Value::default_of`] their sort will do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    pub constants: BTreeMap<Symbol, Value>,
    pub functions: BTreeMap<Symbol, Table>,
    /// Values that the theories leave open, by operator and first sort: division by zero, the head of an empty queue.
    pub open: BTreeMap<(Op, Sort), Table>,
    /// How many elements each uninterpreted sort has; one if it is missing.
    pub universes: BTreeMap<Sort, usize>,
    /// Whether our own evaluator found all assumptions true and the goal false. Models of embedded engines always are;
    /// those of external engines may not be, if formulas have quantifiers over infinite sorts.
    pub confirmed: bool,
}

impl Model {
    pub fn constant(&self, symbol: &Symbol) -> Value {
        self.constants.get(symbol).cloned().unwrap_or_else(|| Value::default_of(symbol.result()))
    }

    pub fn apply(&self, symbol: &Symbol, arguments: &[Value]) -> Value {
        match self.functions.get(symbol) {
            Some(table) => table.get(arguments).clone(),
            None => Value::default_of(symbol.result()),
        }
    }
}

/// One symbol a line.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (symbol, value) in &self.constants {
            writeln!(f, "{} = {value}", symbol.name())?;
        }
        for (symbol, table) in &self.functions {
            for (arguments, value) in &table.entries {
                let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
                writeln!(f, "{}({}) = {value}", symbol.name(), arguments.join(", "))?;
            }
            writeln!(f, "{}(…) = {} otherwise", symbol.name(), table.default)?;
        }
        Ok(())
    }
}
