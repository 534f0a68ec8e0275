//! Types, and values of them as trees of terms.
//!
//! A record is as many variables as it has fields, an array of records a record of arrays, a
//! channel of records a record of channels: terms know no records. Lists and queues are sequences;
//! the fields of a datatype's constructor are terms, a record among them as many as it has fields.

use super::Lowering;
use crate::ast::{self, Name, TypeKind};
use logic::fol::{Sort, Term};
use source::Diagnostic;
use std::sync::Arc;
use system::fts::Domain;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ty {
    Bool,
    Int(Option<Box<(Term, Term)>>),
    Real,
    Enumeration(Sort),
    Opaque(Sort),
    Array {
        low: Term,
        high: Term,
        element: Box<Ty>,
    },
    Record(Vec<(Name, Ty)>),
    /// Messages are handed over; there is nothing to store.
    Synchronous(Box<Ty>),
    Asynchronous {
        capacity: Option<Term>,
        element: Box<Ty>,
    },
    /// Lists and queues.
    Sequence(Box<Ty>),
    /// `nil`, before it is known of which type.
    Empty,
    Data(Arc<Data>),
    /// The datatype being defined.
    Itself,
    Function(Vec<Ty>, Box<Ty>),
    /// An error was reported.
    Error,
}

/// A datatype: the fields of each constructor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Data {
    pub(crate) sort: Sort,
    pub(crate) constructors: Vec<(Name, Vec<(Name, Ty)>)>,
}

/// A value: one term, or one for each field.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Term(Term),
    Record(Vec<(Name, Typed)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Typed {
    pub(crate) ty: Ty,
    pub(crate) tree: Tree,
}

impl Ty {
    pub(crate) const INT: Ty = Ty::Int(None);

    /// The sort of a value that is one term.
    pub(crate) fn sort(&self) -> Sort {
        match self {
            Ty::Bool => Sort::Bool,
            Ty::Real => Sort::Real,
            Ty::Enumeration(sort) | Ty::Opaque(sort) => sort.clone(),
            Ty::Array { element, .. } => Sort::array(Sort::Int, element.sort()),
            Ty::Asynchronous { element, .. } | Ty::Sequence(element) => Sort::sequence(element.sort()),
            Ty::Empty => Sort::sequence(Sort::Int),
            Ty::Data(data) => data.sort.clone(),
            Ty::Itself => Sort::Itself,
            Ty::Int(_) | Ty::Record(_) | Ty::Synchronous(_) | Ty::Function(..) | Ty::Error => Sort::Int,
        }
    }

    /// The type of a plain value of a sort.
    pub(crate) fn of(sort: &Sort) -> Ty {
        match sort {
            Sort::Bool => Ty::Bool,
            Sort::Real => Ty::Real,
            Sort::Data(data) if data.is_enumeration() => Ty::Enumeration(sort.clone()),
            Sort::Opaque(_) => Ty::Opaque(sort.clone()),
            _ => Ty::INT,
        }
    }

    /// What the values are bounded by.
    pub(crate) fn domain(&self) -> Option<Domain> {
        match self {
            Ty::Int(Some(range)) => Some(Domain::Range { low: range.0.clone(), high: range.1.clone() }),
            Ty::Array { low, high, element } => Some(Domain::Array {
                low: low.clone(),
                high: high.clone(),
                element: element.domain().map(Box::new),
            }),
            Ty::Asynchronous { element, .. } | Ty::Sequence(element) => {
                element.domain().map(|domain| Domain::Sequence(Box::new(domain)))
            }
            Ty::Data(data) => data.domain(),
            _ => None,
        }
    }

    fn is_storable(&self) -> bool {
        match self {
            Ty::Record(fields) => fields.iter().all(|(_, ty)| ty.is_storable()),
            Ty::Synchronous(_) | Ty::Asynchronous { .. } | Ty::Function(..) => false,
            Ty::Array { element, .. } | Ty::Sequence(element) => element.is_storable(),
            _ => true,
        }
    }

    /// What a channel carries; a record if it is a record of channels.
    pub(crate) fn carried(&self) -> Option<Ty> {
        match self {
            Ty::Asynchronous { element, .. } | Ty::Sequence(element) => Some((**element).clone()),
            Ty::Record(fields) if !fields.is_empty() => {
                let each = fields.iter().map(|(name, ty)| Some((name.clone(), ty.carried()?)));
                Some(Ty::Record(each.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }

    /// The types of the terms that a value is made of.
    pub(crate) fn leaves(&self) -> Vec<Ty> {
        match self {
            Ty::Record(fields) => fields.iter().flat_map(|(_, ty)| ty.leaves()).collect(),
            ty => vec![ty.clone()],
        }
    }

    pub(crate) fn is_number(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Real | Ty::Error)
    }

    /// Whether a place of this type can hold a value of the other: as [`Ty::agrees`], but no
    /// fraction is an integer.
    pub(crate) fn accepts(&self, value: &Ty) -> bool {
        match (self, value) {
            (Ty::Int(_), Ty::Real) => false,
            (Ty::Record(a), Ty::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0 && x.1.accepts(&y.1))
            }
            _ => self.agrees(value),
        }
    }

    /// Whether a value of one type may stand for one of the other.
    pub(crate) fn agrees(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Error, _) | (_, Ty::Error) => true,
            (a, b) if a.is_number() && b.is_number() => true,
            (Ty::Record(a), Ty::Record(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0 && x.1.agrees(&y.1))
            }
            (Ty::Record(_), _) | (_, Ty::Record(_)) => false,
            (Ty::Empty, Ty::Sequence(_) | Ty::Asynchronous { .. } | Ty::Empty) => true,
            (Ty::Sequence(_) | Ty::Asynchronous { .. }, Ty::Empty) => true,
            (Ty::Synchronous(_) | Ty::Function(..), _) | (_, Ty::Synchronous(_) | Ty::Function(..)) => false,
            (a, b) => a.sort() == b.sort(),
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Ty::Int(Some(range)) => format!("[{}..{}]", range.0, range.1),
            Ty::Record(fields) => {
                let fields: Vec<_> =
                    fields.iter().map(|(name, ty)| format!("{name}: {}", ty.name())).collect();
                format!("record {{{}}}", fields.join("; "))
            }
            Ty::Synchronous(element) => format!("channel of {}", element.name()),
            Ty::Asynchronous { element, .. } => format!("channel [1..] of {}", element.name()),
            Ty::Sequence(element) => format!("list of {}", element.name()),
            Ty::Empty => "the empty list".to_string(),
            Ty::Function(..) => "function".to_string(),
            other => other.sort().to_string(),
        }
    }
}

impl Typed {
    pub(crate) fn term(ty: Ty, e: Term) -> Typed {
        Typed { ty, tree: Tree::Term(e) }
    }

    /// A value of a type made of terms, in order.
    pub(crate) fn of(ty: &Ty, terms: &mut dyn Iterator<Item = Term>) -> Typed {
        let tree = match ty {
            Ty::Record(fields) => {
                Tree::Record(fields.iter().map(|(name, ty)| (name.clone(), Typed::of(ty, terms))).collect())
            }
            _ => Tree::Term(terms.next().unwrap_or(Term::truth(true))),
        };
        Typed { ty: ty.clone(), tree }
    }

    /// The terms that a value is made of, with their types.
    pub(crate) fn leaves(&self) -> Vec<(Term, Ty)> {
        match &self.tree {
            Tree::Term(e) => vec![(e.clone(), self.ty.clone())],
            Tree::Record(fields) => fields.iter().flat_map(|(_, field)| field.leaves()).collect(),
        }
    }

    /// The value as one of a type, if it is the empty list and the type has one.
    pub(crate) fn adapted(self, to: &Ty) -> Typed {
        match (&self.ty, to) {
            (Ty::Empty, Ty::Sequence(element) | Ty::Asynchronous { element, .. }) => {
                Typed::term(to.clone(), Term::empty(element.sort()))
            }
            (Ty::Empty, Ty::Record(fields)) => {
                let field = |(name, ty): &(Name, Ty)| (name.clone(), self.clone().adapted(ty));
                let fields: Vec<_> = fields.iter().map(field).collect();
                if fields.iter().any(|(_, f)| f.ty == Ty::Empty) {
                    return self;
                }
                Typed { ty: to.clone(), tree: Tree::Record(fields) }
            }
            _ => self,
        }
    }

    pub(crate) fn error() -> Typed {
        Typed::term(Ty::Error, Term::truth(true))
    }
}

impl Lowering<'_> {
    pub(crate) fn resolve(&mut self, t: &ast::Type) -> Ty {
        match &t.kind {
            TypeKind::Bool => Ty::Bool,
            TypeKind::Int => Ty::INT,
            TypeKind::Real => Ty::Real,
            TypeKind::Error => Ty::Error,
            TypeKind::Named(name) => match self.types.get(name) {
                Some(ty) => {
                    let defined = self.file.types.iter().find(|d| d.name.name == *name);
                    defined.iter().for_each(|d| self.names.mean_at(name, t.span, d.name.span));
                    ty.clone()
                }
                None if self.defining.as_ref() == Some(name) => {
                    self.report(
                        Diagnostic::error(
                            "E0715",
                            t.span,
                            format!("`{name}` inside another type inside itself"),
                        )
                        .help("a datatype contains itself only as a field of a constructor"),
                    );
                    Ty::Error
                }
                None => {
                    let help = match &*name.to_ascii_lowercase() {
                        "nat" | "natural" => "write `x : int where x >= 0`, or a range `[0..9]`".to_string(),
                        "boolean" => "truth values are `bool`".to_string(),
                        "float" | "double" => "numbers with fractions are `real`".to_string(),
                        _ => format!("define it, before it is used: type {name} = …"),
                    };
                    let error = Diagnostic::error("E0711", t.span, format!("no type `{name}`"));
                    let known = self.types.keys().map(|known| &**known);
                    let error = error.meant(name, known.chain(["bool", "int", "real"]));
                    self.report(error.help(help));
                    Ty::Error
                }
            },
            TypeKind::Range(low, high) => {
                let (low, high) = (self.integer(low), self.integer(high));
                Ty::Int(Some(Box::new((low, high))))
            }
            TypeKind::Enumeration(values) => {
                let name: Name = format!("enumeration{}", self.types.len()).into();
                self.enumeration(name, values)
            }
            TypeKind::Array(low, high, element) => {
                let (low, high) = (self.integer(low), self.integer(high));
                let element = self.resolve(element);
                array_of(low, high, element)
            }
            TypeKind::Record(fields) => {
                Ty::Record(fields.iter().map(|(name, ty)| (name.name.clone(), self.resolve(ty))).collect())
            }
            TypeKind::Sequence(element) => {
                let element = self.message(element);
                sequence_of(element)
            }
            TypeKind::Data(_) => {
                self.report(
                    Diagnostic::error("E0715", t.span, "a datatype needs a name")
                        .help("type tree = data {leaf | node(left, right : tree)}"),
                );
                Ty::Error
            }
            TypeKind::Synchronous(element) => Ty::Synchronous(Box::new(self.message(element))),
            TypeKind::Asynchronous(capacity, element) => {
                let capacity = capacity.as_ref().map(|k| self.integer(k));
                let element = self.message(element);
                channel_of(capacity, element)
            }
            TypeKind::Function(arguments, result) => {
                let arguments = arguments.iter().map(|a| self.resolve(a)).collect();
                Ty::Function(arguments, Box::new(self.resolve(result)))
            }
        }
    }

    /// The type of messages: values and records of them, no channels.
    pub(crate) fn message(&mut self, t: &ast::Type) -> Ty {
        let ty = self.resolve(t);
        if ty.is_storable() {
            return ty;
        }
        self.report(
            Diagnostic::error("E0712", t.span, "a message is a value, or a record of values")
                .help("channels and functions cannot be sent"),
        );
        Ty::Error
    }

    pub(crate) fn enumeration(&mut self, name: Name, values: &[ast::Ident]) -> Ty {
        let names: Vec<&Name> = values.iter().map(|v| &v.name).collect();
        let sort = Sort::enumeration(&name, &names);
        for (at, value) in values.iter().enumerate() {
            let constant = Typed::term(Ty::Enumeration(sort.clone()), Term::construct(&sort, at, []));
            self.declare(&value.name, value.span, super::scope::Entry::Value(constant));
        }
        Ty::Enumeration(sort)
    }
}

/// A list of records is a record of lists, which are always equally long.
pub(crate) fn sequence_of(element: Ty) -> Ty {
    match element {
        Ty::Record(fields) => {
            Ty::Record(fields.into_iter().map(|(name, ty)| (name, sequence_of(ty))).collect())
        }
        element => Ty::Sequence(Box::new(element)),
    }
}

/// Arrays of records are records of arrays.
pub(crate) fn array_of(low: Term, high: Term, element: Ty) -> Ty {
    match element {
        Ty::Record(fields) => Ty::Record(
            fields.into_iter().map(|(name, ty)| (name, array_of(low.clone(), high.clone(), ty))).collect(),
        ),
        element => Ty::Array { low, high, element: Box::new(element) },
    }
}

/// A channel of records is a record of channels, which are always equally full.
fn channel_of(capacity: Option<Term>, element: Ty) -> Ty {
    match element {
        Ty::Record(fields) => Ty::Record(
            fields.into_iter().map(|(name, ty)| (name, channel_of(capacity.clone(), ty))).collect(),
        ),
        element => Ty::Asynchronous { capacity, element: Box::new(element) },
    }
}
