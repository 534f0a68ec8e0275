//! A fair transition system as a stepper: symbols resolved, values packed.
//!
//! `system::fts::step` says what a step is; this does the same to packed states, and says in the same words what has no value. A
//! transition is taken by every step that its relation allows, so the edges between two states are one, which meets the
//! requirements of all transitions that allow it. Edges come in the order of their targets. A state that breaks an
//! invariant that the search keeps to is not entered.
//!
//! * [`value`]: values. `bytes`: states as bytes. `code`: terms and their values. `lower`: terms to code. `branch`: the ways to
//!   take a transition.

mod branch;
mod bytes;
mod code;
mod lower;
pub mod value;

use branch::Compiled;
use code::{Code, Frame};
use logic::fol::Term;
use lower::Scope;
use space::{Edges, Fairness, Fault, Label, Observer, Requirement, Rest, Step, Stepper, Undefined, Which};
use std::sync::Arc;
use system::fts::step::{self, Given, State};
use system::fts::{Fts, Transition};
use value::Value;

/// A fair transition system made for one question.
#[derive(Clone)]
pub struct Relation {
    shared: Arc<Shared>,
    frame: Frame,
    /// The bytes of the state in the frame.
    at: Vec<u8>,
    found: Found,
}

/// The steps out of a state: the next states one behind the other, and for each its number and the requirement that it meets.
#[derive(Clone, Debug, Default)]
struct Found {
    values: Vec<Value>,
    steps: Vec<(usize, Option<usize>)>,
}

impl Found {
    /// The k-th step in order: where it leads, and the requirement that it meets.
    fn get(&self, k: usize, width: usize) -> (&[Value], Option<usize>) {
        let (number, requirement) = self.steps[k];
        (&self.values[number * width..(number + 1) * width], requirement)
    }

    fn sort(&mut self, width: usize) {
        let Found { values, steps } = self;
        let state = |number: usize| &values[number * width..(number + 1) * width];
        steps.sort_by(|(a, _), (b, _)| state(*a).cmp(state(*b)));
    }
}

/// What is asked of the states and runs of a system.
#[derive(Clone, Debug, Default)]
pub struct Asked<'a> {
    /// The propositions of the question.
    pub atoms: &'a [Term],
    /// States that break one of these are not entered.
    pub invariants: &'a [Term],
    /// Runs need be no fairer than this to any transition.
    pub fairness: Fairness,
}

struct Shared {
    /// How many variables a state has.
    width: usize,
    initial: Result<Vec<Vec<Value>>, String>,
    transitions: Vec<Family>,
    atoms: Vec<(Code, String)>,
    invariants: Vec<(Code, String)>,
    requirements: Vec<Requirement>,
}

/// A transition with the values that its parameters may have.
struct Family {
    transition: Transition,
    branches: Vec<Compiled>,
    instances: Result<Vec<Vec<Value>>, String>,
    /// The requirement of the first instance; the others follow it.
    requirement: Option<usize>,
}

impl Relation {
    pub fn new(fts: &Fts, given: &Given, asked: &Asked<'_>) -> Relation {
        let mut scope = Scope { fts, given, locals: Vec::new() };
        let mut named = |e: &Term| (scope.code(e), e.to_string());
        let atoms = asked.atoms.iter().map(&mut named).collect();
        let invariants = asked.invariants.iter().map(&mut named).collect();
        let mut requirements = Vec::new();
        let family =
            |transition: &Transition| family(fts, given, transition, asked.fairness, &mut requirements);
        let transitions = fts.transitions.iter().map(family).collect();
        let packed = |state: &State| state.iter().map(Value::from).collect();
        let initial = step::initial(fts, given).map(|states| states.iter().map(packed).collect());
        let width = fts.variables.len();
        let shared = Shared { width, initial, transitions, atoms, invariants, requirements };
        let (frame, at, found) = (Frame::default(), Vec::new(), Found::default());
        Relation { shared: Arc::new(shared), frame, at, found }
    }

    /// One for each fair transition and each value of its parameters.
    pub fn requirements(&self) -> &[Requirement] {
        &self.shared.requirements
    }

    /// Takes a state to the frame.
    fn load(&mut self, state: &[u8]) {
        if self.at != state {
            bytes::read(state, &mut self.frame.state);
            self.at.clear();
            self.at.extend_from_slice(state);
        }
    }

    /// All steps out of a state, in the order of where they lead.
    fn steps(&mut self, state: &[u8]) -> Result<Found, String> {
        self.load(state);
        let mut found = std::mem::take(&mut self.found);
        found.values.clear();
        found.steps.clear();
        let shared = &self.shared;
        for family in &shared.transitions {
            for (number, parameters) in family.instances.as_ref().map_err(Clone::clone)?.iter().enumerate() {
                let requirement = family.requirement.map(|first| first + number);
                parameters.iter().enumerate().for_each(|(slot, p)| self.frame.set(slot, p.clone()));
                for branch in &family.branches {
                    branch.take(&family.transition, &mut self.frame, &mut found.values)?;
                    let count = found.values.len() / shared.width.max(1);
                    found.steps.extend((found.steps.len()..count).map(|number| (number, requirement)));
                }
            }
        }
        found.sort(shared.width);
        Ok(found)
    }

    /// Whether a state keeps to the invariants.
    fn keeps(&mut self, state: &[Value]) -> Result<bool, String> {
        if self.shared.invariants.is_empty() {
            return Ok(true);
        }
        self.at.clear();
        self.frame.state.clear();
        self.frame.state.extend_from_slice(state);
        let shared = Arc::clone(&self.shared);
        let mut kept = Ok(true);
        for (invariant, text) in &shared.invariants {
            kept = invariant.holds(&mut self.frame).ok_or_else(|| format!("`{text}` cannot be evaluated"));
            if kept != Ok(true) {
                break;
            }
        }
        kept
    }

    /// Adds an edge to a state, if it may be entered; whether it may.
    fn enter(&mut self, state: &[Value], out: &mut Edges) -> Result<bool, String> {
        let kept = self.keeps(state)?;
        out.cut |= !kept;
        if kept {
            bytes::write(state, &mut out.bytes);
            out.push(&[], Label::default());
        }
        Ok(kept)
    }

    fn edges(&mut self, state: &[u8], out: &mut Edges) -> Result<(), String> {
        let found = self.steps(state)?;
        let width = self.shared.width;
        out.words = self.shared.requirements.len().div_ceil(64);
        let mut k = 0;
        while k < found.steps.len() {
            // Equal states follow each other and are one.
            let target = found.get(k, width).0;
            let same = (k..found.steps.len()).take_while(|at| found.get(*at, width).0 == target).count();
            if self.enter(target, out)? && out.wants_fairness {
                set(&mut out.meets, out.words, found.steps[k..k + same].iter().filter_map(|(_, r)| *r));
            }
            k += same;
        }
        if out.wants_fairness {
            out.asks.clear();
            set(&mut out.asks, out.words, found.steps.iter().filter_map(|(_, r)| *r));
        }
        self.found = found;
        Ok(())
    }
}

/// Appends a row of bits.
fn set(rows: &mut Vec<u64>, words: usize, bits: impl Iterator<Item = usize>) {
    let first = rows.len();
    rows.resize(first + words, 0);
    bits.for_each(|bit| rows[first + bit / 64] |= 1 << (bit % 64));
}

fn family(
    fts: &Fts,
    given: &Given,
    transition: &Transition,
    fairness: Fairness,
    requirements: &mut Vec<Requirement>,
) -> Family {
    let names = transition.parameters.iter().map(|p| p.symbol.name.clone());
    let scope = Scope { fts, given, locals: names.collect() };
    let instances = step::instances(fts, given, transition);
    let strength = transition.fairness.min(fairness);
    let first = requirements.len();
    if strength != Fairness::None {
        for parameters in instances.iter().flatten() {
            let named: Vec<String> = parameters.iter().map(ToString::to_string).collect();
            let name = format!("{}[{}]", transition.name, named.join(", "));
            requirements.push(Requirement { name, strength });
        }
    }
    let values = |all: &Vec<_>| all.iter().map(|n: &num_bigint::BigInt| Value::integer(n.clone())).collect();
    Family {
        transition: transition.clone(),
        branches: transition.branches.iter().map(|branch| Compiled::new(branch, &scope)).collect(),
        instances: instances.map(|all| all.iter().map(values).collect()),
        requirement: (strength != Fairness::None).then_some(first),
    }
}

impl Stepper for Relation {
    fn initial(&mut self, out: &mut Edges) {
        let shared = Arc::clone(&self.shared);
        let entered = match &shared.initial {
            // Nothing would be violated, for the wrong reason.
            Ok(states) if states.is_empty() => Err("no state is initial".to_string()),
            Ok(states) => states.iter().try_for_each(|state| self.enter(state, out).map(drop)),
            Err(why) => Err(format!("{why}; give inputs and constants a value: -D NAME=VALUE")),
        };
        out.undefined = entered.err().map(Undefined);
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        out.undefined = self.edges(state, out).err().map(Undefined);
        Rest::MayRest
    }

    /// The number of the target among the states that may follow; idling has none.
    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        let Which::To { target, .. } = which else { return None };
        let found = self.steps(state).ok()?;
        let mut wanted = Vec::new();
        bytes::read(target, &mut wanted);
        let states: Vec<&[Value]> =
            (0..found.steps.len()).map(|k| found.get(k, self.shared.width).0).collect();
        let number = states.chunk_by(|a, b| a == b).position(|same| same[0] == wanted);
        let path: Vec<usize> = number.into_iter().collect();
        let idles = path.is_empty() && state == target;
        (!path.is_empty() || idles).then(|| vec![Step { path, ..Step::IDLE }])
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}

impl Observer for Relation {
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined> {
        self.load(state);
        let mut letter = 0;
        for (at, (atom, text)) in self.shared.atoms.iter().enumerate() {
            let value = atom.holds(&mut self.frame);
            let value = value.ok_or_else(|| Undefined(format!("`{text}` cannot be evaluated")))?;
            letter |= u64::from(value) << at;
        }
        Ok(letter)
    }
}

/// An assertion about packed states.
pub struct Assertion {
    code: Code,
    frame: Frame,
}

impl Assertion {
    pub fn new(fts: &Fts, given: &Given, assertion: &Term) -> Assertion {
        let code = Scope { fts, given, locals: Vec::new() }.code(assertion);
        Assertion { code, frame: Frame::default() }
    }

    pub fn holds(&mut self, state: &[u8]) -> Option<bool> {
        bytes::read(state, &mut self.frame.state);
        self.code.holds(&mut self.frame)
    }
}

/// A state as bytes.
pub fn packed(state: &State) -> Vec<u8> {
    let values: Vec<Value> = state.iter().map(Value::from).collect();
    let mut out = Vec::new();
    bytes::write(&values, &mut out);
    out
}

/// A packed state of a system with plain values.
pub fn unpacked(fts: &Fts, state: &[u8]) -> State {
    let mut values = Vec::new();
    bytes::read(state, &mut values);
    values.iter().zip(&fts.variables).map(|(value, v)| value.plain(&v.symbol.sort)).collect()
}
