//! Promises as obligations: does every action keep every promise, in every state that keeps all of them?
//!
//! *In general*. Let a step break a promise that is universal, made of predicates that are not derived, and updated without quantifiers. The
//! individuals that break it, those that take part in the step, and witnesses of the *exists* in the precondition are a bounded number. Take the part of the
//! state that they are: what is universal still holds there, predicates have the same values, the precondition holds if it is of the
//! form *exists … forall*, and the step breaks the promise there too. So trying all states of at most that many individuals, with derived
//! predicates as free relations that obey the universal consequences of their definitions, decides all states of any size.
//!
//! *In small states*. Otherwise all states with one, two and three individuals are tried, derived predicates being exact. If none is found
//! the promise is kept there, and relied on elsewhere; a state that is found need not be reachable, so the promise is relied
//! on too, and that is said.

use crate::action::Action;
use crate::concrete::tuples;
use crate::constraint::Constraint;
use crate::formula::{Formula, and, atom, forall};
use crate::ground::{Ground, Moment, Who, is_free_of};
use crate::model::Model;
use crate::promise::{Promise, promised};
use crate::sat::{Literal, negated};
use crate::vocabulary::{SUMMARY, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// All states with so many individuals are tried.
pub const SMALL: usize = 3;
/// Proofs for all sizes look at no more individuals than this.
const LARGE: usize = 6;

/// How much is known of a promise that is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// Every action keeps it in all states with up to three individuals that keep all promises.
    Small,
    /// This action breaks it in such a state with so many individuals, which may not be reachable.
    Open { action: usize, individuals: usize },
}

struct Duty {
    promise: Promise,
    formula: Formula,
    /// Over all variables of the constraint.
    general: bool,
    variables: usize,
}

/// The promises that are not proved in general, each with how much is known. Worth nothing if it was over on the way.
pub fn examine(model: &Model, over: &dyn Fn() -> bool) -> BTreeMap<Promise, Standing> {
    let duties: Vec<Duty> = promised(model).iter().map(|(p, c)| duty(model, *p, c)).collect();
    let places = places_are_apart(model).filter(|f| keeps_places_apart(model, &duties, f));
    let mut found = BTreeMap::new();
    for (number, action) in model.actions.iter().enumerate().take_while(|_| !over()) {
        let examiner = Examiner { model, action, duties: &duties, places: places.as_ref() };
        let mut open: Vec<usize> = (0..duties.len()).filter(|d| examiner.concerns(&duties[*d])).collect();
        open.retain(|d| !examiner.is_kept_in_general(*d));
        let broken = examiner.broken_in_small(&open);
        for d in open {
            let standing = match broken.get(&d) {
                Some(individuals) => Standing::Open { action: number, individuals: *individuals },
                None => Standing::Small,
            };
            note(&mut found, duties[d].promise, standing);
        }
        for update in action.updates.iter().filter(|u| model.vocabulary.get(u.symbol).definition.is_some()) {
            let standing = match examiner.wrong_update(update.symbol) {
                Some(individuals) => Standing::Open { action: number, individuals },
                None => Standing::Small,
            };
            note(&mut found, Promise::Update(number, update.symbol), standing);
        }
    }
    found
}

fn note(found: &mut BTreeMap<Promise, Standing>, promise: Promise, standing: Standing) {
    let known = found.entry(promise).or_insert(standing);
    *known = (*known).max(standing);
}

fn duty(model: &Model, promise: Promise, c: &Constraint) -> Duty {
    let formula = c.formula();
    let mut symbols = BTreeSet::new();
    formula.symbols(&mut symbols);
    let core = symbols.iter().all(|s| model.vocabulary.get(*s).definition.is_none());
    let variables = quantifiers(&formula);
    Duty { promise, general: core && is_free_of(&formula, true), formula, variables }
}

fn quantifiers(f: &Formula) -> usize {
    match f {
        Formula::Constant(_) | Formula::Atom(..) | Formula::Equal(..) => 0,
        Formula::Not(f) => quantifiers(f),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(quantifiers).sum(),
        Formula::Exists(_, bound) | Formula::Forall(_, bound) => 1 + quantifiers(&bound.body),
        Formula::Closure(c) => 2 + quantifiers(&c.body),
        Formula::If(parts) => parts.iter().map(quantifiers).sum(),
    }
}

/// Nobody is at two places: not promised by anybody, but mostly so.
fn places_are_apart(model: &Model) -> Option<Formula> {
    let places: Vec<Symbol> = model.threads.iter().flat_map(|t| t.places.iter().copied()).collect();
    let mut apart = Vec::new();
    for (at, a) in places.iter().enumerate() {
        for b in &places[at + 1..] {
            apart.push(crate::formula::not(and([atom(*a, &[0]), atom(*b, &[0])])));
        }
    }
    (!apart.is_empty()).then(|| forall(0, and(apart)))
}

/// Whether that is kept by every action, in states of any size: it speaks of one individual at a time.
fn keeps_places_apart(model: &Model, duties: &[Duty], formula: &Formula) -> bool {
    let layout = model.vocabulary.layout();
    let mut who_starts =
        model.initial.iter().flat_map(|i| (0..i.structure.nodes).map(move |u| (&i.structure, u)));
    let apart = who_starts.all(|(s, u)| {
        let places = model.threads.iter().flat_map(|t| &t.places);
        places.filter(|p| s.get(layout, **p, [u, 0]).may()).count() <= 1
    });
    let mut all: Vec<Duty> = duties.iter().map(|d| Duty { formula: d.formula.clone(), ..*d }).collect();
    all.push(Duty {
        promise: Promise::Declared(source::Span::default()),
        formula: formula.clone(),
        general: true,
        variables: 1,
    });
    apart
        && model.actions.iter().all(|action| {
            let examiner = Examiner { model, action, duties: &all, places: Some(formula) };
            !examiner.concerns(&all[duties.len()]) || examiner.is_kept_in_general(duties.len())
        })
}

struct Examiner<'a> {
    model: &'a Model,
    action: &'a Action,
    duties: &'a [Duty],
    places: Option<&'a Formula>,
}

impl Examiner<'_> {
    /// Whether the action can make a difference to a promise at all.
    fn concerns(&self, duty: &Duty) -> bool {
        let mut open = BTreeSet::new();
        duty.formula.symbols(&mut open);
        let mut spoken: BTreeSet<Symbol> = BTreeSet::new();
        while let Some(symbol) = open.pop_first() {
            if spoken.insert(symbol)
                && let Some(definition) = &self.model.vocabulary.get(symbol).definition
            {
                definition.symbols(&mut open);
            }
        }
        let touched = self.action.updates.iter().any(|u| spoken.contains(&u.symbol));
        touched || !self.action.created.is_empty() || self.action.retain.is_some()
    }

    fn is_kept_in_general(&self, d: usize) -> bool {
        let duty = &self.duties[d];
        let mut symbols = BTreeSet::new();
        duty.formula.symbols(&mut symbols);
        let plain = |u: &&crate::action::Update| quantifiers(&u.formula) == 0;
        let updates = self.action.updates.iter().filter(|u| symbols.contains(&u.symbol));
        let Some(witnesses) = leading_exists(&self.action.precondition) else { return false };
        let derived = || {
            let mut read = BTreeSet::new();
            self.action.precondition.symbols(&mut read);
            updates.clone().for_each(|u| u.formula.symbols(&mut read));
            read.iter().any(|s| self.model.vocabulary.get(*s).definition.is_some())
        };
        let size = duty.variables
            + usize::from(self.action.actor.is_some())
            + self.action.parameters.len()
            + witnesses;
        let fits = duty.general
            && updates.clone().all(|u| plain(&u))
            && size <= LARGE
            && (self.action.created.is_empty() || !derived());
        // The part of the state may lack those that cease to be, but not the promise: it is universal.
        fits && (0..=size).all(|n| {
            self.assignments(n).into_iter().all(|who| {
                let (mut ground, after) = self.question(n, who, true, &[d]);
                ground.assume(negated(after[0]));
                !ground.solver.solve()
            })
        })
    }

    /// For each of these promises that is broken, the least number of individuals of a state in which it is.
    fn broken_in_small(&self, open: &[usize]) -> BTreeMap<usize, usize> {
        let mut broken = BTreeMap::new();
        for n in 0..=SMALL {
            for who in self.assignments(n) {
                let rest: Vec<usize> = open.iter().copied().filter(|d| !broken.contains_key(d)).collect();
                if rest.is_empty() {
                    return broken;
                }
                let (mut ground, after) = self.question(n, who, false, &rest);
                let some = ground.or(after.iter().map(|l| negated(*l)).collect());
                ground.assume(some);
                while ground.solver.solve() {
                    let asked = rest.iter().copied().zip(after.iter().copied());
                    let found: Vec<(usize, Literal)> =
                        asked.filter(|(_, l)| ground.solver.value(*l) == Some(false)).collect();
                    ground.solver.restart();
                    for (d, literal) in found {
                        broken.insert(d, n);
                        ground.assume(literal);
                    }
                }
            }
        }
        broken
    }

    /// The least number of individuals with which the update of a derived predicate is not what its definition says.
    fn wrong_update(&self, symbol: Symbol) -> Option<usize> {
        if self.action.retain.is_some() {
            return None;
        }
        (0..=SMALL).find(|n| {
            self.assignments(*n).into_iter().any(|who| {
                let (mut ground, _) = self.question(*n, who, false, &[]);
                let mut wrong = Vec::new();
                for tuple in tuples(symbol, ground.total()) {
                    let said = ground.updated(symbol, tuple, self.action);
                    let meant = ground.atom(symbol, tuple, Moment::After);
                    let (both, none) =
                        (ground.and(vec![said, meant]), ground.and(vec![negated(said), negated(meant)]));
                    wrong.push(ground.and(vec![negated(both), negated(none)]));
                }
                let wrong = ground.or(wrong);
                ground.assume(wrong);
                ground.solver.solve()
            })
        })
    }

    /// A step from a state that keeps all promises; and of each of some promises whether it holds afterwards.
    fn question(&self, n: usize, who: Who, free: bool, asked: &[usize]) -> (Ground<'_>, Vec<Literal>) {
        let mut ground = Ground::new(self.model, self.action, n, who, free);
        let near = self.near(asked);
        let hypotheses = self.duties.iter().map(|d| &d.formula).chain(self.places);
        for f in hypotheses.filter(|f| (!free || is_free_of(f, true)) && speaks_of(f, &near)) {
            let holds = ground.closed(f, Moment::Before);
            ground.assume(holds);
        }
        for symbol in self.action.actor.iter().flatten() {
            let holds = ground.atom(*symbol, [usize::from(who[0]), 0], Moment::Before);
            ground.assume(holds);
        }
        let enabled = ground.closed(&self.action.precondition, Moment::Before);
        ground.assume(enabled);
        let after = asked.iter().map(|d| ground.closed(&self.duties[*d].formula, Moment::After)).collect();
        (ground, after)
    }

    /// The predicates that the question is about; promises about others are left out.
    fn near(&self, asked: &[usize]) -> BTreeSet<Symbol> {
        let mut near: BTreeSet<Symbol> = self.action.actor.iter().flatten().copied().collect();
        asked.iter().for_each(|d| self.duties[*d].formula.symbols(&mut near));
        self.action.precondition.symbols(&mut near);
        let updates = self.action.updates.iter();
        let updates: Vec<_> = updates.filter(|u| asked.is_empty() || near.contains(&u.symbol)).collect();
        updates.into_iter().for_each(|u| u.formula.symbols(&mut near));
        near.remove(&SUMMARY);
        near
    }

    /// Who takes part, but for exchanging individuals: each is one that takes part already, or the next.
    fn assignments(&self, n: usize) -> Vec<Who> {
        let mut all: Vec<(Who, usize)> = vec![([0; 64], 0)];
        for v in self.action.actor.iter().map(|_| 0).chain(self.action.parameters.iter().copied()) {
            all = all
                .into_iter()
                .flat_map(|(who, used)| {
                    (0..n.min(used + 1)).map(move |u| {
                        let mut who = who;
                        who[usize::from(v)] = u as u8;
                        (who, used.max(u + 1))
                    })
                })
                .collect();
        }
        all.into_iter().map(|(who, _)| who).collect()
    }
}

fn speaks_of(f: &Formula, near: &BTreeSet<Symbol>) -> bool {
    let mut symbols = BTreeSet::new();
    f.symbols(&mut symbols);
    !symbols.is_disjoint(near)
}

/// How many *exists* a formula has, if none stands below a *forall*.
fn leading_exists(f: &Formula) -> Option<usize> {
    if is_free_of(f, true) {
        return Some(0);
    }
    match f {
        Formula::Exists(_, bound) => leading_exists(&bound.body).map(|n| n + 1),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().map(leading_exists).sum(),
        Formula::Not(inner) => match &**inner {
            Formula::Not(f) => leading_exists(f),
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().map(|f| leading_exists(&crate::formula::not(f.clone()))).sum()
            }
            Formula::Forall(_, bound) => {
                leading_exists(&crate::formula::not(bound.body.clone())).map(|n| n + 1)
            }
            _ => None,
        },
        _ => None,
    }
}
