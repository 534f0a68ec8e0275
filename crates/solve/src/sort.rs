//! Sorts of first-order formulas: truth values, numbers, bit-vectors, arrays, queues, datatypes, and sorts of which
//! nothing is known.

use std::fmt;
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    Bool,
    /// The unbounded integers.
    Int,
    Real,
    /// Bit-vectors of so many bits, at least one.
    Bits(u32),
    /// Total maps from the first sort to the second.
    Array(Arc<Sort>, Arc<Sort>),
    /// Finite sequences: what a channel holds, first come first served.
    Queue(Arc<Sort>),
    Data(Arc<Datatype>),
    /// A non-empty set of which nothing else is known.
    Uninterpreted(Arc<str>),
    /// The datatype that is being defined; stands only for the sort of a [`Constructor`]'s field.
    Itself,
}

/// Finite trees. One constructor makes a record, constructors without fields an enumeration, a field of sort
/// [`Sort::Itself`] a list or a tree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Datatype {
    pub name: String,
    pub constructors: Vec<Constructor>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constructor {
    pub name: String,
    pub fields: Vec<(String, Sort)>,
}

impl Sort {
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(index), Arc::new(element))
    }

    pub fn queue(element: Sort) -> Sort {
        Sort::Queue(Arc::new(element))
    }

    pub fn uninterpreted(name: &str) -> Sort {
        Sort::Uninterpreted(name.into())
    }

    pub fn data(name: &str, constructors: Vec<Constructor>) -> Sort {
        Sort::Data(Arc::new(Datatype { name: name.to_owned(), constructors }))
    }

    /// The sort whose only values are these names.
    pub fn enumeration(name: &str, values: &[&str]) -> Sort {
        let value = |v: &&str| Constructor { name: (*v).to_owned(), fields: Vec::new() };
        Sort::data(name, values.iter().map(value).collect())
    }

    /// The sort of tuples with named fields; its one constructor is called `mk-NAME`.
    pub fn record(name: &str, fields: &[(&str, Sort)]) -> Sort {
        let fields = fields.iter().map(|(field, sort)| ((*field).to_owned(), sort.clone())).collect();
        Sort::data(name, vec![Constructor { name: format!("mk-{name}"), fields }])
    }

    /// Lists as Lisp has them: `nil`, or `cons` of a `head` and a `tail`. The names carry the sort's, since SMT-LIB
    /// has one space of names for all datatypes.
    pub fn list(name: &str, element: Sort) -> Sort {
        let nil = Constructor { name: format!("nil-{name}"), fields: Vec::new() };
        let fields = vec![(format!("head-{name}"), element), (format!("tail-{name}"), Sort::Itself)];
        Sort::data(name, vec![nil, Constructor { name: format!("cons-{name}"), fields }])
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }

    pub fn datatype(&self) -> Option<&Arc<Datatype>> {
        match self {
            Sort::Data(data) => Some(data),
            _ => None,
        }
    }

    /// The sort of a field, with the datatype itself in the place of [`Sort::Itself`].
    pub fn field(&self, constructor: usize, field: usize) -> Option<Sort> {
        let (_, sort) = self.datatype()?.constructors.get(constructor)?.fields.get(field)?;
        Some(if *sort == Sort::Itself { self.clone() } else { sort.clone() })
    }
}

/// As SMT-LIB writes it.
impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Real => f.write_str("Real"),
            Sort::Bits(width) => write!(f, "(_ BitVec {width})"),
            Sort::Array(index, element) => write!(f, "(Array {index} {element})"),
            Sort::Queue(element) => write!(f, "(Seq {element})"),
            Sort::Data(data) => f.write_str(&crate::smtlib::quoted(&data.name)),
            Sort::Uninterpreted(name) => f.write_str(&crate::smtlib::quoted(name)),
            Sort::Itself => f.write_str("Itself"),
        }
    }
}
