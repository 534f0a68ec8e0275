//! What one branch of a transition reads and writes: the footprints that partial-order reduction
//! compares.
//!
//! A place is a variable, or one element of an array if its index is a constant. An update
//! `a := store(a, i, e)` writes the element alone and does not read the others. Two branches
//! conflict if one writes a place that the other reads or writes, unless their guards exclude each
//! other: each asks another constant of one place (`pi = 3` and `pi = 5`).
//!
//! A guard is false if a conjunct is, whatever has no value in the others. So a branch whose guard
//! is false becomes enabled, or undefined, only after a step that writes what a false conjunct
//! reads.

use super::branch::Compiled;
use super::code::{Code, Over};
use super::value::Value;
use logic::fol::Op;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    variable: usize,
    /// The whole variable if none.
    element: Option<Value>,
}

impl Place {
    fn whole(variable: usize) -> Place {
        Place { variable, element: None }
    }

    /// Whether they have something in common.
    fn meets(&self, other: &Place) -> bool {
        let apart = |(a, b): (&Value, &Value)| a != b;
        self.variable == other.variable && !self.element.iter().zip(&other.element).any(apart)
    }
}

#[derive(Clone, Debug)]
struct Write {
    place: Place,
    /// The value, if it is known.
    value: Option<Value>,
}

/// A conjunct of a guard.
#[derive(Clone, Debug)]
pub struct Conjunct {
    pub code: Code,
    reads: Vec<Place>,
    /// The constant that it asks of a place, if that is what it does.
    asks: Option<(Place, Value)>,
}

#[derive(Clone, Debug, Default)]
pub struct Footprint {
    pub conjuncts: Vec<Conjunct>,
    /// What it reads to know among which values it chooses.
    choice: Vec<Place>,
    reads: Vec<Place>,
    writes: Vec<Write>,
}

impl Footprint {
    pub fn of(branch: &Compiled) -> Footprint {
        let mut footprint = Footprint::default();
        conjuncts(&branch.whole_guard, &mut footprint.conjuncts);
        branch.choosing().for_each(|code| reads(code, &mut footprint.choice));
        for (variable, value) in &branch.updates {
            match variable {
                Some(variable) => footprint.update(*variable, value),
                None => reads(value, &mut footprint.reads),
            }
        }
        let Footprint { conjuncts, choice, reads, .. } = &mut footprint;
        reads.extend(conjuncts.iter().flat_map(|c| &c.reads).chain(choice.iter()).cloned());
        footprint
    }

    /// Adds what it means that a variable gets a value.
    fn update(&mut self, variable: usize, value: &Code) {
        match value {
            Code::Variable(same) if *same == variable => {}
            Code::Constant(known) => self.write(Place::whole(variable), Some(known.clone())),
            Code::Apply(op, parts) => match (op, &**parts) {
                (Op::Store, [array, index, element]) => {
                    reads(index, &mut self.reads);
                    reads(element, &mut self.reads);
                    self.write(element_of(variable, index), constant(element));
                    self.update(variable, array);
                }
                (Op::Ite, [test, yes, no]) => {
                    reads(test, &mut self.reads);
                    self.update(variable, yes);
                    self.update(variable, no);
                }
                _ => self.compute(variable, value),
            },
            _ => self.compute(variable, value),
        }
    }

    fn compute(&mut self, variable: usize, value: &Code) {
        reads(value, &mut self.reads);
        self.write(Place::whole(variable), None);
    }

    fn write(&mut self, place: Place, value: Option<Value>) {
        self.writes.push(Write { place, value });
    }

    /// Whether the order of steps of the two may matter where both are enabled.
    pub fn conflicts(&self, other: &Footprint) -> bool {
        let disturbs = |a: &Footprint, b: &Footprint| {
            let touched = |place: &Place| a.writes.iter().any(|w| w.place.meets(place));
            b.reads.iter().any(touched) || b.writes.iter().any(|w| touched(&w.place))
        };
        (disturbs(self, other) || disturbs(other, self)) && !self.excludes(other)
    }

    /// Whether the guards ask different constants of one place.
    fn excludes(&self, other: &Footprint) -> bool {
        let asks = |footprint: &'_ Footprint| -> Vec<(Place, Value)> {
            footprint.conjuncts.iter().filter_map(|c| c.asks.clone()).collect()
        };
        let theirs = asks(other);
        asks(self).iter().any(|(place, value)| theirs.iter().any(|(p, v)| p == place && !v.is(value)))
    }

    /// Whether a step may change one of these places.
    pub fn changes(&self, places: &[Place]) -> bool {
        self.writes.iter().any(|write| places.iter().any(|place| write.place.meets(place)))
    }

    /// Whether a step may make a conjunct true that is false, or take its value.
    pub fn may_satisfy(&self, conjunct: &Conjunct) -> bool {
        match &conjunct.asks {
            None => self.changes(&conjunct.reads),
            Some((place, wanted)) => self.writes.iter().any(|write| {
                let other = write.value.as_ref().is_some_and(|value| !value.is(wanted));
                write.place.meets(place) && !(other && write.place == *place)
            }),
        }
    }

    /// Whether a step may change among which values this one chooses.
    pub fn changes_choice(&self, other: &Footprint) -> bool {
        self.changes(&other.choice)
    }

    /// The place of which a constant is asked first: where control is, if it is a statement.
    pub fn control(&self) -> Option<&Place> {
        self.conjuncts.iter().find_map(|c| c.asks.as_ref()).map(|(place, _)| place)
    }
}

/// The places that code reads.
pub fn reads(code: &Code, out: &mut Vec<Place>) {
    match code {
        Code::Constant(_) | Code::Nothing | Code::Local(_) => {}
        Code::Variable(at) => out.push(Place::whole(*at)),
        Code::Element(pair) => element(&pair[0], &pair[1], out),
        Code::Apply(op, parts) => match (op, &**parts) {
            (Op::Select, [array, index]) => element(array, index, out),
            (_, parts) => parts.iter().for_each(|part| reads(part, out)),
        },
        Code::Quantified(quantified) => {
            if let Over::Between(low, high) = &quantified.over {
                reads(low, out);
                reads(high, out);
            }
            reads(&quantified.body, out);
        }
    }
}

fn element(array: &Code, index: &Code, out: &mut Vec<Place>) {
    reads(index, out);
    match array {
        Code::Variable(at) => out.push(element_of(*at, index)),
        array => reads(array, out),
    }
}

/// An element of an array; all of it if the index is not known.
fn element_of(variable: usize, index: &Code) -> Place {
    Place { variable, element: constant(index) }
}

fn constant(code: &Code) -> Option<Value> {
    match code {
        Code::Constant(value) => Some(value.clone()),
        _ => None,
    }
}

fn conjuncts(guard: &Code, out: &mut Vec<Conjunct>) {
    if let Code::Apply(Op::And, parts) = guard {
        return parts.iter().for_each(|part| conjuncts(part, out));
    }
    let mut places = Vec::new();
    reads(guard, &mut places);
    out.push(Conjunct { code: guard.clone(), reads: places, asks: asked(guard) });
}

/// `place = constant`.
fn asked(conjunct: &Code) -> Option<(Place, Value)> {
    let Code::Apply(Op::Equal, parts) = conjunct else { return None };
    let [a, b] = &**parts else { return None };
    let (place, value) = constant(b).map(|value| (a, value)).or_else(|| Some((b, constant(a)?)))?;
    let place = match place {
        Code::Variable(at) => Place::whole(*at),
        Code::Element(pair) => match &**pair {
            [Code::Variable(at), Code::Constant(index)] => {
                Place { variable: *at, element: Some(index.clone()) }
            }
            _ => return None,
        },
        _ => return None,
    };
    Some((place, value))
}
