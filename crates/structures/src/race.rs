//! Data races as states: two threads are about to access the same variable, and one of them to
//! write it.
//!
//! A program has a data race, two conflicting accesses that happens-before does not order, exactly
//! if a run in which steps are taken one after the other leads to such a state: leave out of the
//! run everything that happens before neither access, and both come next. What is left is still a
//! run, because whatever a thread observes by a lock, a volatile variable, a start or a join
//! happens before what it does next; observations without such an edge are weak actions (see
//! `Action::weak`). A program without such a state behaves under the Java memory model as in the
//! runs that are searched. The argument in full is in docs/internals/shapes/races.md.

use crate::action::{Action, VariableAccess};
use crate::concrete::{Concrete, State, Step};
use crate::formula::{self as f, Formula, Var};
use crate::model::{Claim, Model, Property};
use crate::vocabulary::{Symbol, Vocabulary};
use source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The name that data races are asked for by.
pub const RACE: &str = "race";

/// Asks for the data races of a program: of each variable that may have one, or only whether there
/// is any.
pub fn ask(model: &mut Model, vocabulary: &Vocabulary) {
    let mut fields: BTreeMap<&str, Vec<(&Action, &VariableAccess)>> = BTreeMap::new();
    for (action, touch) in model.actions.iter().filter_map(|a| Some((a, a.touch.as_ref()?))) {
        fields.entry(&touch.field).or_default().push((action, touch));
    }
    let property = |field: &str, bad: Formula, vague: bool| {
        let name = if field.is_empty() { RACE.to_string() } else { format!("{RACE} on {field}") };
        let claim = Claim::Race { field: field.to_string(), bad, vague };
        Property { name, text: String::new(), span: Span::default(), claim }
    };
    let mut asked: Vec<Property> = fields
        .iter()
        .map(|(field, all)| property(field, bad(all, vocabulary), all.iter().any(|(_, touch)| touch.vague)))
        .collect();
    if asked.is_empty() {
        asked.push(property("", f::FALSE, false));
    }
    model.properties.extend(asked);
}

/// The accesses of a variable through one reference.
type Through<'a> = (Option<&'a Formula>, Vec<(&'a Action, &'a VariableAccess)>);

/// Two threads, one of them about to write what the other is about to access.
fn bad(all: &[(&Action, &VariableAccess)], vocabulary: &Vocabulary) -> Formula {
    let (t, u, o): (Var, Var, Var) = (2, 3, 1);
    let mut ways: Vec<Through<'_>> = Vec::new();
    for (action, touch) in all {
        let owner = touch.owner.as_ref();
        match ways.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, accesses)) => accesses.push((action, touch)),
            None => ways.push((owner, vec![(action, touch)])),
        }
    }
    let about = |who: Var, (owner, accesses): &Through<'_>, wanted: &dyn Fn(&VariableAccess) -> bool| {
        let places: BTreeSet<Symbol> = accesses
            .iter()
            .filter(|(_, touch)| wanted(touch))
            .filter_map(|(action, _)| action.from)
            .collect();
        let here = f::or(places.into_iter().map(|place| f::atom(place, &[who])));
        f::and([here].into_iter().chain(owner.map(|owner| of_thread(owner, who))))
    };
    let mut pairs = Vec::new();
    for one in &ways {
        for other in &ways {
            let (writes, any) = (about(t, one, &|touch| touch.writes), about(u, other, &|_| true));
            pairs.push(f::and([writes, any].into_iter().chain(meeting(one.0, other.0, o, vocabulary))));
        }
    }
    let two = f::and([f::differ(t, u), f::or(pairs)]);
    let two = if all.iter().any(|(_, touch)| touch.owner.is_some()) { f::exists(o, two) } else { two };
    f::exists(t, f::exists(u, two))
}

/// What follows for the object if two threads refer to it, one in each of these ways: it says
/// nothing new, but abstract states know it.
fn meeting(one: Option<&Formula>, other: Option<&Formula>, o: Var, vocabulary: &Vocabulary) -> Vec<Formula> {
    let known = |word: &str, owner: Option<&Formula>| match owner {
        Some(Formula::Atom(symbol, _)) if symbol.arity() == 2 => {
            let derived = vocabulary.symbol(&format!("{word}[{}]", vocabulary.name(*symbol)));
            derived.map(|symbol| f::atom(symbol, &[o]))
        }
        _ => None,
    };
    match (one, other) {
        // Of two threads only one is the object.
        (Some(Formula::Equal(..)), Some(Formula::Equal(..))) => vec![f::FALSE],
        _ if one == other => known("shared", one).into_iter().collect(),
        _ => known("by", one).into_iter().chain(known("by", other)).collect(),
    }
}

/// An owner of variable 0's access, for another thread.
fn of_thread(owner: &Formula, who: Var) -> Formula {
    match owner {
        Formula::Atom(symbol, [0, o]) if symbol.arity() == 2 => f::atom(*symbol, &[who, *o]),
        Formula::Equal(0, o) => f::equal(who, *o),
        other => other.clone(),
    }
}

/// Both accesses, one after the other: two steps from a state in which they race, and the state
/// after each.
pub fn both(model: &Model, c: &Concrete<'_>, state: &State, field: &str) -> Option<[(Step, State); 2]> {
    let access = |state: &State| -> Vec<(usize, bool, Step, State)> {
        let mut found = Vec::new();
        for (number, action) in model.actions.iter().enumerate() {
            let Some(touch) = action.touch.as_ref().filter(|t| t.field == field) else { continue };
            for (step, next) in c.steps(state, number, action) {
                let who = step.part.get(&0).copied().unwrap_or(0);
                found.push((who, touch.writes, step, next));
            }
        }
        found
    };
    let object = |state: &State, who: usize, step: &Step| -> Option<usize> {
        let owner = model.actions[step.action].touch.as_ref()?.owner.as_ref()?;
        (0..state.individuals).find(|o| c.holds_of(state, owner, &[(0, who), (1, *o)]))
    };
    for (t, writes, first, between) in access(state) {
        for (u, also, second, after) in access(&between) {
            let same = object(state, t, &first) == object(state, u, &second);
            if t != u && (writes || also) && same {
                return Some([(first, between), (second, after)]);
            }
        }
    }
    None
}

/// Whether the last two steps of a run are accesses that race.
pub fn ends_in_race(model: &Model, c: &Concrete<'_>, states: &[State], steps: &[Step]) -> bool {
    let ([.., first, second], Some(at)) = (steps, steps.len().checked_sub(2)) else { return false };
    let touch = |step: &Step| model.actions.get(step.action).and_then(|a| a.touch.as_ref());
    let field = touch(first).map(|t| t.field.clone());
    let same = touch(second).map(|t| t.field.clone()) == field;
    let Some(field) = field.filter(|_| same) else { return false };
    let is = |p: &Property| matches!(&p.claim, Claim::Race { field: of, .. } if *of == field);
    let bad = model.properties.iter().find(|p| is(p)).map(|p| &p.claim);
    matches!(bad, Some(Claim::Race { bad, .. }) if c.holds(&states[at], bad))
}

/// What is there only for data races cannot be done.
pub fn without_weak(model: &mut Model) {
    for action in model.actions.iter_mut().filter(|a| a.weak) {
        action.precondition = f::FALSE;
        *action = std::mem::take(action).finish();
    }
}
