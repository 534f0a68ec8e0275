//! Expressions as diagrams, by cases: which value under which condition.
//!
//! A scalar is a list of disjoint cases; where none applies it has no value, just as the reference
//! evaluator has none there (a division by zero, the first message of an empty channel). Arrays and
//! sequences are kept element by element, so that their size adds up and does not multiply. Places
//! of a sequence behind its end hold a fixed value: equal sequences look equal.

use crate::diagram::{Bdd, NoAnswer, Space, meets, without};
use logic::fol::{Sort, Value};
use num_bigint::BigInt;
use oxidd::BooleanFunction;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) type Cases = BTreeMap<Value, Bdd>;

/// Why a value is not computed with.
pub(crate) const PLAIN: &str =
    "a datatype with lists or arrays in it: only the explicit engine computes with such values";

/// More values than this are not computed with.
const MAX_CASES: usize = 20_000;

#[derive(Clone)]
pub(crate) enum Term {
    Scalar(Cases),
    /// What is not listed has the default value of the sort.
    Array {
        defined: Bdd,
        elements: BTreeMap<BigInt, Term>,
        element: Sort,
    },
    Sequence {
        length: Cases,
        slots: Vec<Term>,
        element: Sort,
    },
}

impl Term {
    /// Nowhere a value.
    pub(crate) const UNDEFINED: Term = Term::Scalar(Cases::new());

    pub(crate) fn constant(space: &Space<'_>, value: &Value, sort: &Sort) -> Term {
        let always = || space.constant(true);
        match (value, sort) {
            (Value::Array(array), Sort::Array(_, element)) => {
                let entry = |(at, v): (&Value, &Value)| {
                    Some((at.as_int()?.clone(), Term::constant(space, v, element)))
                };
                Term::Array {
                    defined: always(),
                    elements: array.entries.iter().filter_map(entry).collect(),
                    element: (**element).clone(),
                }
            }
            (Value::Sequence(_, items), Sort::Sequence(element)) => Term::Sequence {
                length: Cases::from([(Value::Int(items.len().into()), always())]),
                slots: items.iter().map(|v| Term::constant(space, v, element)).collect(),
                element: (**element).clone(),
            },
            _ => Term::Scalar(Cases::from([(value.clone(), always())])),
        }
    }

    /// A truth value: where it is true, and where it is false.
    pub(crate) fn truth(yes: Bdd, no: Bdd) -> Term {
        let cases = [(Value::Bool(true), yes), (Value::Bool(false), no)];
        Term::Scalar(cases.into_iter().filter(|(_, when)| when.satisfiable()).collect())
    }

    /// Where it is true, and where it is false.
    pub(crate) fn as_truth(&self, space: &Space<'_>) -> (Bdd, Bdd) {
        let when = |value| match self {
            Term::Scalar(cases) => cases.get(&Value::Bool(value)).cloned(),
            _ => None,
        };
        let never = || space.constant(false);
        (when(true).unwrap_or_else(never), when(false).unwrap_or_else(never))
    }

    pub(crate) fn scalar(&self) -> Cases {
        if let Term::Scalar(cases) = self { cases.clone() } else { Cases::new() }
    }

    /// Where it has a value.
    pub(crate) fn defined(&self, space: &Space<'_>) -> Result<Bdd, NoAnswer> {
        match self {
            Term::Scalar(cases) | Term::Sequence { length: cases, .. } => space.any(cases.values()),
            Term::Array { defined, .. } => Ok(defined.clone()),
        }
    }

    /// The same value, under a condition only.
    pub(crate) fn restrict(&self, to: &Bdd) -> Result<Term, NoAnswer> {
        Ok(match self {
            Term::Scalar(cases) => Term::Scalar(restrict(cases, to)?),
            Term::Array { defined, elements, element } => Term::Array {
                defined: defined.and(to)?,
                elements: elements.iter().map(|(at, e)| Ok((at.clone(), e.restrict(to)?))).collect::<Result<
                    _,
                    NoAnswer,
                >>(
                )?,
                element: element.clone(),
            },
            Term::Sequence { length, slots, element } => Term::Sequence {
                length: restrict(length, to)?,
                slots: slots.iter().map(|s| s.restrict(to)).collect::<Result<_, _>>()?,
                element: element.clone(),
            },
        })
    }

    /// One or the other, whichever has a value; no two have one at once.
    pub(crate) fn join(space: &Space<'_>, a: Term, b: Term) -> Result<Term, NoAnswer> {
        match (a, b) {
            (Term::Scalar(a), b) if a.is_empty() => Ok(b),
            (a, Term::Scalar(b)) if b.is_empty() => Ok(a),
            (Term::Scalar(a), Term::Scalar(b)) => Ok(Term::Scalar(join(a, b)?)),
            (a @ Term::Array { .. }, b @ Term::Array { .. }) => {
                let defined = a.defined(space)?.or(&b.defined(space)?)?;
                let indices: BTreeSet<BigInt> = a.indices().chain(b.indices()).cloned().collect();
                let Term::Array { ref element, .. } = a else { return Ok(Term::UNDEFINED) };
                let mut elements = BTreeMap::new();
                for at in indices {
                    let joined = Term::join(space, a.element(space, &at)?, b.element(space, &at)?)?;
                    elements.insert(at, joined);
                }
                Ok(Term::Array { defined, elements, element: element.clone() })
            }
            (a @ Term::Sequence { .. }, b @ Term::Sequence { .. }) => {
                let places = a.places().max(b.places());
                let slot = |k| Term::join(space, a.slot(space, k)?, b.slot(space, k)?);
                let slots = (0..places).map(slot).collect::<Result<_, _>>()?;
                let (Term::Sequence { length: la, element, .. }, Term::Sequence { length: lb, .. }) = (a, b)
                else {
                    return Ok(Term::UNDEFINED);
                };
                Ok(Term::Sequence { length: join(la, lb)?, slots, element })
            }
            _ => Ok(Term::UNDEFINED),
        }
    }

    pub(crate) fn ite(space: &Space<'_>, condition: &Term, a: &Term, b: &Term) -> Result<Term, NoAnswer> {
        let (yes, no) = condition.as_truth(space);
        Term::join(space, a.restrict(&yes)?, b.restrict(&no)?)
    }

    fn indices(&self) -> impl Iterator<Item = &BigInt> {
        let elements = if let Term::Array { elements, .. } = self { Some(elements) } else { None };
        elements.into_iter().flat_map(|e| e.keys())
    }

    /// The element of an array at an index that is known.
    pub(crate) fn element(&self, space: &Space<'_>, at: &BigInt) -> Result<Term, NoAnswer> {
        let Term::Array { defined, elements, element } = self else { return Ok(Term::UNDEFINED) };
        match elements.get(at) {
            Some(found) => Ok(found.clone()),
            None => Term::constant(space, &Value::default_of(element), element).restrict(defined),
        }
    }

    fn places(&self) -> usize {
        if let Term::Sequence { slots, .. } = self { slots.len() } else { 0 }
    }

    pub(crate) fn slot(&self, space: &Space<'_>, k: usize) -> Result<Term, NoAnswer> {
        let Term::Sequence { slots, element, .. } = self else { return Ok(Term::UNDEFINED) };
        match slots.get(k) {
            Some(slot) => Ok(slot.clone()),
            None => {
                let empty = Term::constant(space, &Value::default_of(element), element);
                empty.restrict(&self.defined(space)?)
            }
        }
    }

    pub(crate) fn select(&self, space: &Space<'_>, index: &Term) -> Result<Term, NoAnswer> {
        let mut found = Term::UNDEFINED;
        for (at, when) in index.scalar() {
            if let Value::Int(at) = at {
                found = Term::join(space, found, self.element(space, &at)?.restrict(&when)?)?;
            }
        }
        Ok(found)
    }

    pub(crate) fn store(&self, space: &Space<'_>, index: &Term, value: &Term) -> Result<Term, NoAnswer> {
        let Term::Array { defined, element, .. } = self else { return Ok(Term::UNDEFINED) };
        let defined = defined.and(&index.defined(space)?)?.and(&value.defined(space)?)?;
        let cases = index.scalar();
        let stored = cases.keys().filter_map(Value::as_int);
        let indices: BTreeSet<BigInt> = self.indices().chain(stored).cloned().collect();
        let mut elements = BTreeMap::new();
        for at in indices {
            let old = self.element(space, &at)?;
            let new = match cases.get(&Value::Int(at.clone())) {
                None => old,
                Some(here) => Term::join(space, value.restrict(here)?, old.restrict(&here.not()?)?)?,
            };
            elements.insert(at, new.restrict(&defined)?);
        }
        Ok(Term::Array { defined, elements, element: element.clone() })
    }

    pub(crate) fn append(&self, space: &Space<'_>, item: &Term) -> Result<Term, NoAnswer> {
        let Term::Sequence { length, element, .. } = self else { return Ok(Term::UNDEFINED) };
        let defined = self.defined(space)?.and(&item.defined(space)?)?;
        let longer = restrict(&shifted(length, 1), &defined)?;
        let mut slots = Vec::new();
        for k in 0..=self.places() {
            let old = self.slot(space, k)?;
            let new = match length.get(&Value::int(k as i64)) {
                None => old,
                Some(end) => Term::join(space, item.restrict(end)?, old.restrict(&end.not()?)?)?,
            };
            slots.push(new.restrict(&defined)?);
        }
        Ok(Term::Sequence { length: longer, slots, element: element.clone() })
    }

    pub(crate) fn prepend(&self, space: &Space<'_>, item: &Term) -> Result<Term, NoAnswer> {
        let Term::Sequence { length, element, .. } = self else { return Ok(Term::UNDEFINED) };
        let defined = self.defined(space)?.and(&item.defined(space)?)?;
        let longer = restrict(&shifted(length, 1), &defined)?;
        let mut slots = vec![item.restrict(&defined)?];
        for k in 0..self.places() {
            slots.push(self.slot(space, k)?.restrict(&defined)?);
        }
        Ok(Term::Sequence { length: longer, slots, element: element.clone() })
    }

    /// The element at a place, counted from 0; no value outside.
    pub(crate) fn nth(&self, space: &Space<'_>, places: &Cases) -> Result<Term, NoAnswer> {
        let Term::Sequence { length, .. } = self else { return Ok(Term::UNDEFINED) };
        let mut found = Term::UNDEFINED;
        for k in 0..self.places() {
            let place = Value::int(k);
            let Some(here) = places.get(&place) else { continue };
            let inside = space.any(length.iter().filter(|(n, _)| **n > place).map(|(_, when)| when))?;
            found = Term::join(space, found, self.slot(space, k)?.restrict(&here.and(&inside)?)?)?;
        }
        Ok(found)
    }

    /// A field of what one constructor made; no value if another did.
    pub(crate) fn field(&self, constructor: usize, field: usize) -> Result<Term, NoAnswer> {
        let mut found = Cases::new();
        for (value, when) in self.scalar() {
            let Value::Data(_, made, fields) = value else { continue };
            match fields.get(field) {
                _ if made != constructor => {}
                Some(Value::Array(_) | Value::Sequence(..)) | None => {
                    return Err(NoAnswer::Refused(PLAIN.to_string()));
                }
                Some(part) => add(&mut found, part.clone(), &when)?,
            }
        }
        Ok(Term::Scalar(found))
    }

    pub(crate) fn rest(&self, space: &Space<'_>) -> Result<Term, NoAnswer> {
        let Term::Sequence { length, element, .. } = self else { return Ok(Term::UNDEFINED) };
        let some = self.not_empty(space)?;
        let slots = (0..self.places().saturating_sub(1)).map(|k| self.slot(space, k + 1)?.restrict(&some));
        Ok(Term::Sequence {
            length: shifted(&restrict(length, &some)?, -1),
            slots: slots.collect::<Result<_, _>>()?,
            element: element.clone(),
        })
    }

    fn not_empty(&self, space: &Space<'_>) -> Result<Bdd, NoAnswer> {
        let Term::Sequence { length, .. } = self else { return Ok(space.constant(false)) };
        space.any(length.iter().filter(|(n, _)| **n != Value::int(0)).map(|(_, when)| when))
    }

    pub(crate) fn length(&self) -> Term {
        if let Term::Sequence { length, .. } = self { Term::Scalar(length.clone()) } else { Term::UNDEFINED }
    }

    /// Where two terms have the same value, and where they have different ones.
    pub(crate) fn equal(&self, space: &Space<'_>, other: &Term) -> Result<(Bdd, Bdd), NoAnswer> {
        let defined = self.defined(space)?.and(&other.defined(space)?)?;
        let mut same = defined.clone();
        match (self, other) {
            (Term::Scalar(a), Term::Scalar(b)) => same = overlap(space, a, b)?,
            (Term::Array { .. }, Term::Array { .. }) => {
                let indices: BTreeSet<&BigInt> = self.indices().chain(other.indices()).collect();
                for at in indices {
                    let (equal, _) = self.element(space, at)?.equal(space, &other.element(space, at)?)?;
                    same = same.and(&equal)?;
                }
            }
            (Term::Sequence { length: a, .. }, Term::Sequence { length: b, .. }) => {
                same = overlap(space, a, b)?;
                for k in 0..self.places().max(other.places()) {
                    let (equal, _) = self.slot(space, k)?.equal(space, &other.slot(space, k)?)?;
                    same = same.and(&equal)?;
                }
            }
            _ => same = space.constant(false),
        }
        let different = without(&defined, &same)?;
        Ok((same, different))
    }
}

/// Numbers and truth values combined value by value; no value where `with` has none.
pub(crate) fn combine(
    a: &Cases,
    b: &Cases,
    with: impl Fn(&Value, &Value) -> Option<Value>,
) -> Result<Cases, NoAnswer> {
    let mut found = Cases::new();
    for (x, when_x) in a {
        for (y, when_y) in b {
            let Some(value) = with(x, y) else { continue };
            let when = when_x.and(when_y)?;
            if when.satisfiable() {
                add(&mut found, value, &when)?;
            }
        }
        if found.len() > MAX_CASES {
            return Err(NoAnswer::Refused("an expression has too many values to compute with".to_string()));
        }
    }
    Ok(found)
}

/// Where the first number is less than the second, or equal if that is allowed; and where it is
/// not.
pub(crate) fn less(space: &Space<'_>, a: &Cases, b: &Cases, or_equal: bool) -> Result<(Bdd, Bdd), NoAnswer> {
    let mut greater = b.iter().rev().peekable();
    let (mut above, mut yes) = (space.constant(false), space.constant(false));
    for (x, when) in a.iter().rev() {
        while let Some((y, case)) = greater.peek() {
            if *y > x || (or_equal && *y == x) {
                above = above.or(case)?;
                greater.next();
            } else {
                break;
            }
        }
        yes = yes.or(&when.and(&above)?)?;
    }
    let defined = space.any(a.values())?.and(&space.any(b.values())?)?;
    let no = without(&defined, &yes)?;
    Ok((yes, no))
}

fn overlap(space: &Space<'_>, a: &Cases, b: &Cases) -> Result<Bdd, NoAnswer> {
    let mut same = space.constant(false);
    for (value, when) in a {
        if let Some(other) = b.get(value) {
            same = same.or(&when.and(other)?)?;
        }
    }
    Ok(same)
}

fn restrict(cases: &Cases, to: &Bdd) -> Result<Cases, NoAnswer> {
    let mut kept = Cases::new();
    for (value, when) in cases {
        if meets(when, to)? {
            kept.insert(value.clone(), when.and(to)?);
        }
    }
    Ok(kept)
}

fn join(mut a: Cases, b: Cases) -> Result<Cases, NoAnswer> {
    for (value, when) in b {
        add(&mut a, value, &when)?;
    }
    Ok(a)
}

fn add(cases: &mut Cases, value: Value, when: &Bdd) -> Result<(), NoAnswer> {
    let joined = match cases.get(&value) {
        Some(before) => before.or(when)?,
        None => when.clone(),
    };
    cases.insert(value, joined);
    Ok(())
}

fn shifted(length: &Cases, by: i64) -> Cases {
    let shift = |n: &Value| n.as_int().map(|n| Value::Int(n + by));
    length.iter().filter_map(|(n, when)| Some((shift(n)?, when.clone()))).collect()
}
