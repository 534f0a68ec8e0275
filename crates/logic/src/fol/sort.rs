//! Sorts of first-order formulas: truth values, numbers, bit-vectors, arrays, sequences, datatypes,
//! and sorts of which nothing is known.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The kind of value that a term has.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// The unbounded integers.
    Int,
    /// The rational numbers.
    Real,
    /// Bit-vectors of this many bits, at least one.
    Bits(u32),
    /// Total maps from the first sort to the second.
    Array(Arc<Sort>, Arc<Sort>),
    /// Finite sequences: what a channel holds, first come first served; queues, lists.
    Sequence(Arc<Sort>),
    /// Values of a data type, made by its constructors.
    Data(Arc<Datatype>),
    /// A non-empty set of which nothing else is known.
    Opaque(Arc<str>),
    /// The datatype that is being defined; stands only for the sort of a [`Constructor`]'s field.
    Itself,
    /// Of a term whose arguments do not fit its operator. No operator takes it: a formula with such
    /// a part is no formula.
    Unsorted,
}

/// Finite trees. One constructor makes a record, constructors without fields an enumeration, a
/// field of sort [`Sort::Itself`] a list or a tree.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Datatype {
    /// What the data type is called.
    pub name: Arc<str>,
    /// The constructors, by number.
    pub constructors: Vec<Constructor>,
}

/// One way to make a value of a data type.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Constructor {
    /// What the constructor is called.
    pub name: Arc<str>,
    /// The fields, with their names and sorts.
    pub fields: Vec<(Arc<str>, Sort)>,
}

impl Datatype {
    /// Whether its values lie within each other.
    pub fn is_tree(&self) -> bool {
        self.constructors.iter().flat_map(|c| &c.fields).any(|(_, sort)| *sort == Sort::Itself)
    }

    /// Whether its values are names and nothing else.
    pub fn is_enumeration(&self) -> bool {
        self.constructors.iter().all(|c| c.fields.is_empty())
    }
}

/// Names differ where datatypes do, but for accidents.
impl Hash for Datatype {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl Sort {
    /// Arrays from one sort to another.
    pub fn array(index: Sort, element: Sort) -> Sort {
        Sort::Array(Arc::new(index), Arc::new(element))
    }

    /// Finite sequences of elements of a sort.
    pub fn sequence(element: Sort) -> Sort {
        Sort::Sequence(Arc::new(element))
    }

    /// A sort of which nothing but equality is known.
    pub fn opaque(name: &str) -> Sort {
        Sort::Opaque(name.into())
    }

    /// A data type with these constructors.
    pub fn data(name: &str, constructors: Vec<Constructor>) -> Sort {
        Sort::Data(Arc::new(Datatype { name: name.into(), constructors }))
    }

    /// The sort whose only values are these names.
    pub fn enumeration<N: AsRef<str>>(name: &str, values: &[N]) -> Sort {
        let value = |v: &N| Constructor { name: v.as_ref().into(), fields: Vec::new() };
        Sort::data(name, values.iter().map(value).collect())
    }

    /// The sort of tuples with named fields; its one constructor is called `mk-NAME`.
    pub fn record(name: &str, fields: &[(&str, Sort)]) -> Sort {
        let fields = fields.iter().map(|(field, sort)| ((*field).into(), sort.clone())).collect();
        Sort::data(name, vec![Constructor { name: format!("mk-{name}").into(), fields }])
    }

    /// Lists as Lisp has them: `nil`, or `cons` of a `head` and a `tail`. The names carry the
    /// sort's, since SMT-LIB has one space of names for all datatypes.
    pub fn list(name: &str, element: Sort) -> Sort {
        let nil = Constructor { name: format!("nil-{name}").into(), fields: Vec::new() };
        let fields =
            vec![(format!("head-{name}").into(), element), (format!("tail-{name}").into(), Sort::Itself)];
        Sort::data(name, vec![nil, Constructor { name: format!("cons-{name}").into(), fields }])
    }

    /// Whether no constructor has fields.
    pub fn is_enumeration(&self) -> bool {
        self.datatype().is_some_and(|data| data.is_enumeration())
    }

    /// Whether its values are integers or rationals.
    pub fn is_number(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }

    /// The data type, if it is one.
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
