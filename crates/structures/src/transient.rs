//! Transient locations: those that a thread leaves at once.
//!
//! After Lipton. A description marks actions that are *left movers*: whatever others did just
//! before such an action could be done just after it, to the same effect. A location is *transient*
//! if everything done there is a left mover, cannot be seen by the formulas that matter, does not
//! lead round a cycle of transient locations, and is always possible. Then a thread that has come
//! to a transient location may as well go on at once: every run can be reordered into one in which
//! no other thread moves while one is at a transient location, and the two differ only in steps
//! that no property sees. The argument in full is in docs/internals/shapes/reduction.md.
//!
//! The engine reduces by it; a language asks it where locals need no predicates of their own.

use crate::action::Action;
use crate::formula::Formula;
use crate::kleene::Kleene;
use crate::model::Model;
use crate::newcomer::Newcomer;
use crate::structure::Structure;
use crate::vocabulary::Symbol;
use std::collections::BTreeSet;

/// Derived predicates that say that a thread is at one of some places.
pub fn groups(model: &Model) -> Vec<(Symbol, BTreeSet<Symbol>)> {
    let places: BTreeSet<Symbol> = model.threads.iter().flat_map(|t| t.places.iter().copied()).collect();
    let place = |f: &Formula| match f {
        Formula::Atom(symbol, [0, _]) if places.contains(symbol) => Some(*symbol),
        _ => None,
    };
    let of = |definition: &Formula| match definition {
        Formula::Or(parts) => parts.iter().map(place).collect::<Option<BTreeSet<Symbol>>>(),
        other => place(other).map(|p| BTreeSet::from([p])),
    };
    model.vocabulary.derived().filter_map(|(p, definition)| Some((p.symbol, of(definition)?))).collect()
}

/// What a property can see: predicates, and for groups of places only whether a thread is in it.
struct Sight {
    symbols: BTreeSet<Symbol>,
    groups: Vec<BTreeSet<Symbol>>,
}

impl Sight {
    fn new(model: &Model, seen: &[Formula]) -> Sight {
        let known = groups(model);
        let mut open = BTreeSet::new();
        seen.iter().for_each(|f| f.symbols(&mut open));
        let mut sight = Sight { symbols: BTreeSet::new(), groups: Vec::new() };
        let mut done = BTreeSet::new();
        while let Some(symbol) = open.pop_first() {
            if !done.insert(symbol) {
                continue;
            }
            if let Some((_, group)) = known.iter().find(|(p, _)| *p == symbol) {
                sight.groups.push(group.clone());
                continue;
            }
            match &model.vocabulary.get(symbol).definition {
                Some(definition) => definition.symbols(&mut open),
                None => drop(sight.symbols.insert(symbol)),
            }
        }
        sight
    }

    /// Whether an action changes nothing that can be seen. Predicates are those of the file,
    /// without the derived ones.
    fn misses(&self, action: &Action) -> bool {
        let own = [action.from, action.to];
        let others = action.updates.iter().map(|u| u.symbol).filter(|s| !own.contains(&Some(*s)));
        let unseen = |s: Symbol| !self.symbols.contains(&s) && self.groups.iter().all(|g| !g.contains(&s));
        let inside = |g: &BTreeSet<Symbol>, place: Option<Symbol>| place.is_some_and(|p| g.contains(&p));
        others.into_iter().all(unseen)
            && own.iter().flatten().all(|place| !self.symbols.contains(place))
            && self.groups.iter().all(|g| inside(g, action.from) == inside(g, action.to))
    }
}

/// The transient locations if these formulas are looked at.
pub fn locations(model: &Model, seen: &[Formula]) -> BTreeSet<Symbol> {
    let sight = Sight::new(model, seen);
    let layout = model.vocabulary.layout();
    let begins = |place: &Symbol| {
        let start = |s: &Structure| (0..s.nodes).any(|u| s.get(layout, *place, [u, 0]) != Kleene::False);
        let sent = |a: &Action| {
            a.from != Some(*place) && a.to != Some(*place) && a.updates.iter().any(|u| u.symbol == *place)
        };
        model.initial.iter().any(|i| start(&i.structure)) || model.actions.iter().any(sent)
    };
    let groups = groups(model);
    let absent = |s: Symbol| {
        model.vocabulary.get(s).definition.is_none() || groups.iter().any(|(group, _)| *group == s)
    };
    let newcomers = seen.iter().all(|f| Newcomer { absent: &absent, steady: &absent }.is_ignored(f));
    let unseen = |a: &Action| sight.misses(a) && (a.created.is_empty() || newcomers);
    let leads_on = |place: &Symbol| {
        let mut from =
            model.actions.iter().filter(|a| a.actor.iter().flatten().any(|g| g == place)).peekable();
        from.peek().is_some() && from.all(|a| a.mover && a.from == Some(*place) && unseen(a))
    };
    let places = model.threads.iter().flat_map(|t| t.places.iter().copied());
    let candidates = places.filter(|p| leads_on(p) && !begins(p)).collect();
    acyclic(model, candidates)
}

/// Takes places away until no circle is left.
fn acyclic(model: &Model, mut places: BTreeSet<Symbol>) -> BTreeSet<Symbol> {
    let mut done: BTreeSet<Symbol> = BTreeSet::new();
    while let Some(start) = places.iter().copied().find(|p| !done.contains(p)) {
        let mut path = vec![(start, targets(model, start))];
        while let Some((place, open)) = path.last_mut() {
            let place = *place;
            let Some(next) = open.pop() else {
                done.insert(place);
                path.pop();
                continue;
            };
            if path.iter().any(|(p, _)| *p == next) {
                places.remove(&next);
            } else if places.contains(&next) && !done.contains(&next) {
                path.push((next, targets(model, next)));
            }
        }
    }
    places
}

fn targets(model: &Model, place: Symbol) -> Vec<Symbol> {
    model.actions.iter().filter(|a| a.from == Some(place)).filter_map(|a| a.to).collect()
}
