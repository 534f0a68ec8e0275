//! Which values each part of a state may have, and which bits say so.
//!
//! A scalar is the number of its value in a list, and so is a value of a datatype as a whole;
//! arrays have a scalar for each index, sequences one for their length and one for each place.
//! Lists start with what is declared, or with next to nothing, and grow: when a step from a
//! reachable state leads to a value that is not in a list, the value is admitted and everything
//! starts anew. So bounds need no proof of their own: a search that ends without such a step has
//! seen every state.

use crate::diagram::{Bdd, Bit, NoAnswer, Space};
use crate::term::{Cases, Term};
use logic::fol::{self, Rational, Sort, Value, domain, evaluate};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use oxidd::BooleanFunction;
use std::collections::BTreeMap;
use system::fts;
use system::fts::step::{State, Valuation, all};

/// The values of a part of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Domain {
    Scalar(Vec<Value>),
    Array { elements: BTreeMap<BigInt, Domain>, element: Sort },
    Sequence { slots: Vec<Domain>, element: Sort },
}

/// The way from a variable to a scalar part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Towards {
    Index(BigInt),
    Slot(usize),
    Length,
}

impl Domain {
    /// What is given or declared, where it can be listed.
    pub(crate) fn declared(variable: &fts::Variable, given: &Valuation, most: usize) -> Domain {
        let sort = &variable.symbol.sort;
        if let Some(value) = given.get(&variable.symbol.name) {
            return Domain::only(value);
        }
        declared(sort, variable.range.as_ref(), given, most).unwrap_or_else(|| Domain::least(sort))
    }

    /// The domain of a value that is given, element by element.
    fn only(value: &Value) -> Domain {
        match value {
            Value::Array(array) => {
                let element = match &array.sort {
                    Sort::Array(_, element) => (**element).clone(),
                    sort => sort.clone(),
                };
                let one = |(at, value): (&Value, &Value)| Some((at.as_int()?.clone(), Domain::only(value)));
                Domain::Array { elements: array.entries.iter().filter_map(one).collect(), element }
            }
            value => Domain::Scalar(vec![value.clone()]),
        }
    }

    /// The least domain of a sort: all values if they are finitely many, else the default.
    fn least(sort: &Sort) -> Domain {
        match sort {
            Sort::Array(_, element) => {
                Domain::Array { elements: BTreeMap::new(), element: (**element).clone() }
            }
            Sort::Sequence(element) => Domain::Sequence { slots: Vec::new(), element: (**element).clone() },
            _ => Domain::Scalar(domain(sort, None).unwrap_or_else(|| vec![Value::default_of(sort)])),
        }
    }

    /// Whether a value has its place.
    pub(crate) fn has(&self, way: &[Towards], value: &Value) -> bool {
        match (self, way.split_first()) {
            (Domain::Scalar(values), None) => values.binary_search(value).is_ok(),
            (Domain::Array { elements, .. }, Some((Towards::Index(at), rest))) => {
                elements.get(at).is_some_and(|d| d.has(rest, value))
            }
            (Domain::Sequence { slots, .. }, Some((Towards::Slot(k), rest))) => {
                slots.get(*k).is_some_and(|d| d.has(rest, value))
            }
            (Domain::Sequence { slots, .. }, Some((Towards::Length, _))) => {
                value.as_int().is_some_and(|n| *n <= BigInt::from(slots.len()))
            }
            _ => false,
        }
    }

    /// Lets a value in; numbers take neighbours with them, so that few rounds are needed. Says the
    /// size of what grew.
    pub(crate) fn admit(&mut self, way: &[Towards], value: &Value) -> usize {
        match (self, way.split_first()) {
            (Domain::Scalar(values), None) => {
                extend(values, value);
                values.len()
            }
            (Domain::Array { elements, element }, Some((Towards::Index(at), rest))) => {
                elements.entry(at.clone()).or_insert_with(|| Domain::least(element)).admit(rest, value)
            }
            (Domain::Sequence { slots, .. }, Some((Towards::Slot(_), rest))) => {
                slots.iter_mut().map(|slot| slot.admit(rest, value)).max().unwrap_or(0)
            }
            (Domain::Sequence { slots, element }, Some((Towards::Length, _))) => {
                let wanted = value.as_int().and_then(ToPrimitive::to_usize).unwrap_or(0);
                let template = slots.first().cloned().unwrap_or_else(|| Domain::least(element));
                slots.resize(wanted.max(2 * slots.len()), template);
                slots.len()
            }
            _ => usize::MAX,
        }
    }
}

fn declared(sort: &Sort, within: Option<&fts::Domain>, given: &Valuation, most: usize) -> Option<Domain> {
    let number = |e: &fol::Term| evaluate(e, given)?.as_int().cloned();
    match (sort, within?) {
        (Sort::Data(_), within) => {
            let mut values = all(sort, Some(within), given).filter(|v| v.len() <= most)?;
            values.sort();
            Some(Domain::Scalar(values))
        }
        (Sort::Int, fts::Domain::Range { low, high }) => {
            let values = domain(sort, Some((number(low)?, number(high)?)))?;
            (!values.is_empty() && values.len() <= most).then_some(Domain::Scalar(values))
        }
        (Sort::Array(_, element), fts::Domain::Array { low, high, element: inner }) => {
            let indices = domain(&Sort::Int, Some((number(low)?, number(high)?)))?;
            let one = declared(element, inner.as_deref(), given, most);
            let one = one.unwrap_or_else(|| Domain::least(element));
            let elements = indices.iter().filter_map(|i| Some((i.as_int()?.clone(), one.clone())));
            Some(Domain::Array { elements: elements.collect(), element: (**element).clone() })
        }
        _ => None,
    }
}

/// Adds a value; if it is a number close to the others, as many more on that side as there are
/// already.
fn extend(values: &mut Vec<Value>, with: &Value) {
    let ends = (values.first().and_then(whole), values.last().and_then(whole));
    let size = BigInt::from(values.len());
    let more = match (ends, whole(with)) {
        ((_, Some(high)), Some(n)) if n > high && &n - &high <= size => Some((n, high + &size)),
        ((Some(low), _), Some(n)) if n < low && &low - &n <= size => Some((low - &size, n)),
        _ => None,
    };
    let more = more.and_then(|range| domain(&Sort::Int, Some(range))).unwrap_or_default();
    values.extend(more.into_iter().map(|n| match (n, with) {
        (Value::Int(n), Value::Real(_)) => Value::Real(Rational::from_integer(n)),
        (n, _) => n,
    }));
    values.push(with.clone());
    values.sort();
    values.dedup();
}

/// The integer that a number is, if it is one.
fn whole(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(n) => Some(n.clone()),
        Value::Real(r) if r.is_integer() => Some(r.to_integer()),
        _ => None,
    }
}

/// A scalar part of a state in bits: its values, and the diagrams that say "it is this one", now
/// and after a step.
pub(crate) struct Leaf {
    pub(crate) bits: Vec<Bit>,
    values: Vec<Value>,
    now: Vec<Bdd>,
    next: Vec<Bdd>,
}

/// Where a part of a state lies among the leaves.
enum Place {
    Leaf(usize),
    Array { elements: BTreeMap<BigInt, Place>, element: Sort },
    Sequence { length: usize, slots: Vec<Place>, element: Sort },
}

/// A value that a step leads to and that has no place, and when.
pub(crate) struct OutOfDomain {
    pub(crate) variable: usize,
    pub(crate) way: Vec<Towards>,
    pub(crate) value: Value,
    pub(crate) when: Bdd,
}

/// What a step does to a variable: a relation, the leaves that change, and what has no place.
pub(crate) struct Effect {
    pub(crate) relation: Bdd,
    pub(crate) changed: Vec<usize>,
    pub(crate) out_of_domain: Vec<(Vec<Towards>, Value, Bdd)>,
}

pub(crate) struct Layout {
    pub(crate) leaves: Vec<Leaf>,
    places: Vec<Place>,
    /// The variables as terms over the bits of now.
    pub(crate) terms: Vec<Term>,
}

impl Layout {
    /// Bits for the variables, in an order of them.
    pub(crate) fn new(space: &Space<'_>, domains: &[Domain], order: &[usize]) -> Result<Layout, NoAnswer> {
        let mut layout = Layout { leaves: Vec::new(), places: Vec::new(), terms: Vec::new() };
        let mut placed = Vec::new();
        for variable in order {
            placed.push((*variable, layout.place(space, &domains[*variable])?));
        }
        placed.sort_by_key(|(variable, _)| *variable);
        for (_, place) in placed {
            let term = layout.term(space, &place, false)?;
            layout.places.push(place);
            layout.terms.push(term);
        }
        Ok(layout)
    }

    fn place(&mut self, space: &Space<'_>, domain: &Domain) -> Result<Place, NoAnswer> {
        Ok(match domain {
            Domain::Scalar(values) => Place::Leaf(self.leaf(space, values.clone())?),
            Domain::Array { elements, element } => Place::Array {
                elements: elements
                    .iter()
                    .map(|(at, d)| Ok((at.clone(), self.place(space, d)?)))
                    .collect::<Result<_, NoAnswer>>()?,
                element: element.clone(),
            },
            Domain::Sequence { slots, element } => Place::Sequence {
                length: self.leaf(space, (0..=slots.len()).map(Value::int).collect())?,
                slots: slots.iter().map(|d| self.place(space, d)).collect::<Result<_, _>>()?,
                element: element.clone(),
            },
        })
    }

    fn leaf(&mut self, space: &Space<'_>, values: Vec<Value>) -> Result<usize, NoAnswer> {
        let width = values.len().next_power_of_two().trailing_zeros() as usize;
        let bits = space.bits(width);
        let side = |next: bool| {
            let vars: Vec<_> = bits.iter().map(|b| if next { b.next } else { b.now }).collect();
            (0..values.len()).map(|k| numbered(space, &vars, k)).collect::<Result<Vec<_>, _>>()
        };
        let (now, next) = (side(false)?, side(true)?);
        self.leaves.push(Leaf { bits, values, now, next });
        Ok(self.leaves.len() - 1)
    }

    fn term(&self, space: &Space<'_>, place: &Place, next: bool) -> Result<Term, NoAnswer> {
        let cases = |leaf: usize| -> Cases {
            let leaf = &self.leaves[leaf];
            let side = if next { &leaf.next } else { &leaf.now };
            leaf.values.iter().cloned().zip(side.iter().cloned()).collect()
        };
        Ok(match place {
            Place::Leaf(leaf) => Term::Scalar(cases(*leaf)),
            Place::Array { elements, element } => Term::Array {
                defined: space.constant(true),
                elements: elements
                    .iter()
                    .map(|(at, p)| Ok((at.clone(), self.term(space, p, next)?)))
                    .collect::<Result<_, NoAnswer>>()?,
                element: element.clone(),
            },
            Place::Sequence { length, slots, element } => Term::Sequence {
                length: cases(*length),
                slots: slots.iter().map(|p| self.term(space, p, next)).collect::<Result<_, _>>()?,
                element: element.clone(),
            },
        })
    }

    /// Gives a variable, after the step or now, the value of a term. Where that has none, nothing
    /// is related.
    pub(crate) fn assign(
        &self,
        space: &Space<'_>,
        variable: usize,
        value: &Term,
        next: bool,
    ) -> Result<Effect, NoAnswer> {
        let effect =
            Effect { relation: space.constant(true), changed: Vec::new(), out_of_domain: Vec::new() };
        let mut assigning = Assigning { leaves: &self.leaves, space, next, way: Vec::new(), effect };
        assigning.place(&self.places[variable], value)?;
        Ok(assigning.effect)
    }

    /// The state that an assignment to the bits of now stands for.
    pub(crate) fn state(&self, bits: &[bool]) -> State {
        self.places.iter().map(|place| self.value(place, bits)).collect()
    }

    fn value(&self, place: &Place, bits: &[bool]) -> Value {
        match place {
            Place::Leaf(leaf) => {
                let leaf = &self.leaves[*leaf];
                let number = |(k, bit): (usize, &Bit)| usize::from(bits[bit.now as usize]) << k;
                let number: usize = leaf.bits.iter().enumerate().map(number).sum();
                leaf.values[number.min(leaf.values.len() - 1)].clone()
            }
            Place::Array { elements, element } => {
                let array = Value::default_of(&Sort::array(Sort::Int, element.clone()));
                let store = |array: Value, (at, place): (&BigInt, &Place)| {
                    array.store(&Value::Int(at.clone()), self.value(place, bits)).unwrap_or(array)
                };
                elements.iter().fold(array, store)
            }
            Place::Sequence { length, slots, element } => {
                let length = self.value(&Place::Leaf(*length), bits);
                let length = length.as_int().and_then(ToPrimitive::to_usize).unwrap_or(0);
                let items = slots.iter().take(length).map(|p| self.value(p, bits)).collect();
                Value::Sequence(Sort::sequence(element.clone()), items)
            }
        }
    }
}

/// An assignment in the making, at a part of a variable.
struct Assigning<'a> {
    leaves: &'a [Leaf],
    space: &'a Space<'a>,
    next: bool,
    way: Vec<Towards>,
    effect: Effect,
}

impl Assigning<'_> {
    /// Does something at a part of this one.
    fn at(
        &mut self,
        part: Towards,
        assign: impl FnOnce(&mut Self) -> Result<(), NoAnswer>,
    ) -> Result<(), NoAnswer> {
        self.way.push(part);
        assign(self)?;
        self.way.pop();
        Ok(())
    }

    fn place(&mut self, place: &Place, value: &Term) -> Result<(), NoAnswer> {
        let space = self.space;
        match (place, value) {
            (Place::Leaf(leaf), Term::Scalar(cases)) => self.leaf(*leaf, cases)?,
            (Place::Array { elements, element }, Term::Array { elements: values, .. }) => {
                for (at, part) in elements {
                    let value = value.element(space, at)?;
                    self.at(Towards::Index(at.clone()), |me| me.place(part, &value))?;
                }
                // Elements that have no place may have the value of all that is not listed.
                for (at, part) in values.iter().filter(|(at, _)| !elements.contains_key(at)) {
                    self.at(Towards::Index(at.clone()), |me| me.leave(part, element))?;
                }
            }
            (Place::Sequence { length, slots, .. }, Term::Sequence { length: cases, .. }) => {
                self.at(Towards::Length, |me| me.leaf(*length, cases))?;
                for (k, part) in slots.iter().enumerate() {
                    let value = value.slot(space, k)?;
                    self.at(Towards::Slot(k), |me| me.place(part, &value))?;
                }
            }
            // Without a value nowhere: the caller has said so.
            _ => self.effect.relation = space.constant(false),
        }
        Ok(())
    }

    fn leaf(&mut self, at: usize, cases: &Cases) -> Result<(), NoAnswer> {
        let leaf = &self.leaves[at];
        if self.next && cases.keys().eq(&leaf.values) && cases.values().eq(&leaf.now) {
            return Ok(());
        }
        let mut relation = self.space.constant(false);
        for (value, when) in cases {
            match leaf.values.binary_search(value) {
                Ok(k) => {
                    let is = if self.next { &leaf.next[k] } else { &leaf.now[k] };
                    relation = relation.or(&when.and(is)?)?;
                }
                Err(_) => self.effect.out_of_domain.push((self.way.clone(), value.clone(), when.clone())),
            }
        }
        self.effect.relation = self.effect.relation.and(&relation)?;
        self.effect.changed.push(at);
        Ok(())
    }

    /// Values of a part without a place, but for the default: each is out of domain.
    fn leave(&mut self, part: &Term, sort: &Sort) -> Result<(), NoAnswer> {
        let default = Value::default_of(sort);
        if let Term::Scalar(cases) = part {
            for (value, when) in cases.iter().filter(|(value, _)| **value != default) {
                self.effect.out_of_domain.push((self.way.clone(), value.clone(), when.clone()));
                self.effect.relation = self.effect.relation.and(&when.not()?)?;
            }
            return Ok(());
        }
        let (_, different) = part.equal(self.space, &Term::constant(self.space, &default, sort))?;
        if different.satisfiable() {
            return Err(NoAnswer::Refused("an array of arrays is written outside its bounds".to_string()));
        }
        Ok(())
    }
}

/// "The variables, lowest first, are the number k."
fn numbered(space: &Space<'_>, vars: &[u32], k: usize) -> Result<Bdd, NoAnswer> {
    vars.iter().enumerate().try_fold(space.constant(true), |all, (at, var)| {
        Ok(all.and(&space.literal(*var, k >> at & 1 == 1)?)?)
    })
}
