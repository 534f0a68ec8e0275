//! A fair transition system as a stepper: symbols resolved, values packed.
//!
//! `system::fts::step` says what a step is; this does the same to packed states, and says in the
//! same words what has no value. A transition is taken by every step that its relation allows, so
//! the edges between two states are one, which meets the requirements of all transitions that allow
//! it. Edges come in the order of their targets. A state that breaks an invariant that the search
//! keeps to is not entered.
//!
//! * [`value`]: values. `bytes`: states as bytes. `code`: terms and their values. `lower`: terms to
//!   code. `branch`: the ways to take a transition. `found`: the steps out of a state. `footprint`,
//!   `selective`: what partial-order reduction asks; then edges are not merged.

mod branch;
mod bytes;
mod code;
mod footprint;
mod found;
mod lower;
mod selective;
pub mod value;

use branch::Compiled;
use code::{Code, Frame};
use found::{Found, Packed};
use logic::fol::Term;
use lower::{Bound, Scope};
use selective::Selection;
use space::{Edges, Fairness, Fault, Label, Observer, Requirement, Rest, Step, Stepper, Undefined, Which};
use std::sync::Arc;
use system::fts::step::{self, State, Valuation};
use system::fts::{Fts, Transition};
use value::Value;

/// A fair transition system made for one question.
#[derive(Clone)]
pub struct Relation {
    shared: Arc<Shared>,
    frame: Frame,
    /// The bytes of the state in the frame, and where its values end in them.
    at: Vec<u8>,
    ends: Vec<usize>,
    /// Where invariants of other states are looked at.
    other: Frame,
    found: Found,
    /// If steps are selected: then each has the label of its branch.
    selection: Option<Box<Selection>>,
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
    initial: Result<Vec<Vec<Value>>, Undefined>,
    /// The ways to take each transition, for each value of its parameters.
    ways: Vec<Way>,
    /// Why the values of the parameters of a transition cannot be listed: the first such.
    unlisted: Option<Undefined>,
    atoms: Vec<(Code, String)>,
    invariants: Vec<(Code, String)>,
    requirements: Vec<Requirement>,
}

/// A branch of a transition whose parameters have values.
struct Way {
    branch: Compiled,
    requirement: Option<usize>,
}

impl Relation {
    /// The stepper of a system with these parameters, for these questions.
    pub fn new(fts: &Fts, given: &Valuation, asked: &Asked<'_>) -> Relation {
        let mut scope = Scope { fts, given, bound: Vec::new() };
        let mut named = |e: &Term| (scope.code(e), e.to_string());
        let atoms = asked.atoms.iter().map(&mut named).collect();
        let invariants = asked.invariants.iter().map(&mut named).collect();
        let (mut requirements, mut ways) = (Vec::new(), Vec::new());
        let mut unlisted = None;
        for transition in &fts.transitions {
            let strength = transition.fairness.min(asked.fairness);
            match ways_to_take(transition, strength, &scope, &mut requirements) {
                Ok(more) => ways.extend(more),
                Err(why) => unlisted = unlisted.or(Some(why)),
            }
        }
        let packed = |state: &State| state.iter().map(Value::from).collect();
        let initial = step::initial(fts, given).map(|states| states.iter().map(packed).collect());
        let shared = Arc::new(Shared { initial, ways, unlisted, atoms, invariants, requirements });
        let (frame, other, found) = (Frame::default(), Frame::default(), Found::default());
        Relation { shared, frame, at: Vec::new(), ends: Vec::new(), other, found, selection: None }
    }

    /// One for each fair transition and each value of its parameters.
    pub fn requirements(&self) -> &[Requirement] {
        &self.shared.requirements
    }

    /// Takes a state to the frame.
    fn load(&mut self, state: &[u8]) {
        if self.at != state {
            bytes::read_with_ends(state, &mut self.frame.state, &mut self.ends);
            self.at.clear();
            self.at.extend_from_slice(state);
        }
    }

    /// All steps out of a state, in the order of where they lead.
    fn steps(&mut self, state: &[u8]) -> Result<Found, Undefined> {
        self.load(state);
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        for Way { branch, requirement } in &self.shared.ways {
            found.requirement = *requirement;
            branch.take(&mut self.frame, &mut found)?;
            found.branch += 1;
        }
        found.sort(&self.frame.state);
        self.shared.unlisted.clone().map_or(Ok(found), Err)
    }

    /// Adds an edge to the state that was appended to the bytes of `out`, if it keeps to the
    /// invariants; whether it does.
    fn enter(&mut self, start: usize, label: Label, out: &mut Edges) -> Result<bool, Undefined> {
        if !self.shared.invariants.is_empty() {
            bytes::read(&out.bytes[start..], &mut self.other.state);
        }
        for (invariant, text) in &self.shared.invariants {
            let kept = invariant.holds(&mut self.other);
            if !kept.ok_or_else(|| Undefined(format!("`{text}` is undefined")))? {
                out.bytes.truncate(start);
                out.cut = true;
                return Ok(false);
            }
        }
        out.push(&[], label);
        Ok(true)
    }

    fn edges(&mut self, state: &[u8], out: &mut Edges) -> Result<(), Undefined> {
        let found = self.steps(state)?;
        out.words = self.shared.requirements.len().div_ceil(64);
        let mut k = 0;
        while k < found.len() {
            // Equal states follow each other and are one, unless steps are selected.
            let (same, label) = match &self.selection {
                None => (found.alike(k, &self.frame.state), Label::default()),
                Some(selection) => (1, selection.label(found.branch(k))),
            };
            let start = out.bytes.len();
            found.write(k, &Packed { bytes: state, ends: &self.ends }, &mut out.bytes);
            if self.enter(start, label, out)? && out.wants_fairness {
                set(&mut out.meets, out.words, found.met(k..k + same));
            }
            k += same;
        }
        if out.wants_fairness {
            out.asks.clear();
            set(&mut out.asks, out.words, found.met(0..found.len()));
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

/// The ways to take a transition, for each value of its parameters.
fn ways_to_take(
    transition: &Transition,
    strength: Fairness,
    scope: &Scope<'_>,
    requirements: &mut Vec<Requirement>,
) -> Result<Vec<Way>, Undefined> {
    let mut ways = Vec::new();
    let name: Arc<str> = transition.name.as_str().into();
    for values in step::instances(scope.fts, scope.given, transition)? {
        let requirement = (strength != Fairness::None).then_some(requirements.len());
        if requirement.is_some() {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            requirements.push(Requirement { name: format!("{name}[{}]", values.join(", ")), strength });
        }
        let names = transition.parameters.iter().map(|p| p.symbol.name.clone());
        let bound = names.zip(values.into_iter().map(|n| Bound::Value(Value::integer(n)))).collect();
        let scope = Scope { bound, ..*scope };
        let way = |branch| Way { branch: Compiled::new(&name, branch, &scope), requirement };
        ways.extend(transition.branches.iter().map(way));
    }
    Ok(ways)
}

impl Stepper for Relation {
    fn initial(&mut self, out: &mut Edges) {
        let shared = Arc::clone(&self.shared);
        let entered = match &shared.initial {
            // Nothing would be violated, for the wrong reason.
            Ok(states) if states.is_empty() => Err(Undefined("no state is initial".to_string())),
            Ok(states) => states.iter().try_for_each(|state| {
                let start = out.bytes.len();
                bytes::write(state, &mut out.bytes);
                self.enter(start, Label::default(), out).map(drop)
            }),
            Err(why) => Err(Undefined(format!("{why}; give inputs and constants a value: -D NAME=VALUE"))),
        };
        out.undefined = entered.err();
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        out.undefined = self.edges(state, out).err();
        Rest::MayRest
    }

    /// The number of the target among the states that may follow; idling has none.
    fn explain(&mut self, state: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
        let Which::To { target, .. } = which else { return None };
        let found = self.steps(state).ok()?;
        let from = Packed { bytes: state, ends: &self.ends };
        let distinct = |k: &usize| Some(k + found.alike(*k, &self.frame.state)).filter(|k| *k < found.len());
        let leads_there = |k: usize| {
            let mut bytes = Vec::new();
            found.write(k, &from, &mut bytes);
            bytes == target
        };
        let first = (found.len() > 0).then_some(0);
        let path: Vec<usize> =
            std::iter::successors(first, distinct).position(leads_there).into_iter().collect();
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
            let value = value.ok_or_else(|| Undefined(format!("`{text}` is undefined")))?;
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
    /// Compiles an assertion about states of the system.
    pub fn new(fts: &Fts, given: &Valuation, assertion: &Term) -> Assertion {
        let code = Scope { fts, given, bound: Vec::new() }.code(assertion);
        Assertion { code, frame: Frame::default() }
    }

    /// Whether a state satisfies it; `None` where it is undefined.
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
