//! Integrity constraints as obligations: does every action keep every constraint, in every state
//! that keeps all of them?
//!
//! *In general*. Derived predicates that are not closures are written out. Let a step break a
//! constraint; that it does is a formula about the state before it, with the updates put in for
//! what they update. If this formula and the precondition are of the form *exists … forall* (the
//! class of Bernays and Schönfinkel), take the part of the state that consists of the witnesses of
//! their *exists* and of those who take part in the step: a bounded number. What is universal still
//! holds there, predicates have the same values, and the step violates the constraint there too. So
//! trying all states of at most that many individuals, with derived predicates in the precondition
//! and the updates as free relations that obey the universal consequences of their definitions,
//! decides all states of any size. An update of a derived predicate by hand is proved likewise:
//! that it differs from the definition for some tuple is such a formula.
//!
//! *In small states*. Otherwise all states with one, two and three individuals are tried, derived
//! predicates being exact. If none is found the constraint is kept there, and relied on elsewhere;
//! a state that is found need not be reachable, so the constraint is relied on too, and that is
//! said.

use crate::fragment::{is_free_of, leading_exists, written_out};
use crate::ground::{Ground, Moment, Who};
use crate::integrity::{Integrity, constraints};
use solve::sat::Lit;
use std::collections::{BTreeMap, BTreeSet};
use structures::action::{Action, Update};
use structures::constraint::Constraint;
use structures::formula::{Formula, VARIABLES, Var, and, atom, forall, not};
use structures::model::Model;
use structures::vocabulary::{SUMMARY, Symbol};

/// All states with up to this many individuals are tried.
pub const SMALL: usize = 3;
/// Proofs for all sizes look at no more individuals than this.
const LARGE: usize = 6;

/// How much is known of a constraint that is not proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// Every action keeps it in all states with up to three individuals that keep all constraints.
    Small,
    /// This action breaks it in such a state with this many individuals, which may not be
    /// reachable.
    Open {
        /// Its index in the model.
        action: usize,
        /// Of the state in which it breaks the constraint.
        individuals: usize,
    },
}

struct Obligation {
    constraint: Integrity,
    formula: Formula,
    /// The same over predicates that are not derived, if that can be.
    written_out: Option<Formula>,
}

/// The constraints that are not proved in general, each with how much is known. Worth nothing if it
/// was over on the way.
pub fn examine(model: &Model, over: &dyn Fn() -> bool) -> BTreeMap<Integrity, Evidence> {
    let obligations: Vec<Obligation> =
        constraints(model).iter().map(|(p, c)| obligation(model, *p, c)).collect();
    let places = places_are_apart(model).filter(|f| keeps_places_apart(model, &obligations, f));
    let mut found = BTreeMap::new();
    for (number, action) in model.actions.iter().enumerate().take_while(|_| !over()) {
        let examiner = Examiner { model, action, obligations: &obligations, places: places.as_ref() };
        let mut open: Vec<usize> =
            (0..obligations.len()).filter(|d| examiner.concerns(&obligations[*d])).collect();
        open.retain(|d| !examiner.is_kept_in_general(*d));
        let broken = examiner.broken_in_small(&open);
        for d in open {
            let evidence = match broken.get(&d) {
                Some(individuals) => Evidence::Open { action: number, individuals: *individuals },
                None => Evidence::Small,
            };
            note(&mut found, obligations[d].constraint, evidence);
        }
        for update in action.updates.iter().filter(|u| model.vocabulary.get(u.symbol).definition.is_some()) {
            let evidence = match examiner.wrong_update(update.symbol) {
                Some(individuals) => Evidence::Open { action: number, individuals },
                None if examiner.is_right_in_general(update) => continue,
                None => Evidence::Small,
            };
            note(&mut found, Integrity::Update(number, update.symbol), evidence);
        }
    }
    found
}

fn note(found: &mut BTreeMap<Integrity, Evidence>, constraint: Integrity, evidence: Evidence) {
    let known = found.entry(constraint).or_insert(evidence);
    *known = (*known).max(evidence);
}

fn obligation(model: &Model, constraint: Integrity, c: &Constraint) -> Obligation {
    let formula = c.formula();
    Obligation { constraint, written_out: written_out(model, &formula), formula }
}

/// No individual is at two places: not a constraint, but mostly so.
fn places_are_apart(model: &Model) -> Option<Formula> {
    let places: Vec<Symbol> = model.threads.iter().flat_map(|t| t.places.iter().copied()).collect();
    let mut apart = Vec::new();
    for (at, a) in places.iter().enumerate() {
        for b in &places[at + 1..] {
            apart.push(not(and([atom(*a, &[0]), atom(*b, &[0])])));
        }
    }
    (!apart.is_empty()).then(|| forall(0, and(apart)))
}

/// Whether that is kept by every action, in states of any size: it speaks of one individual at a
/// time.
fn keeps_places_apart(model: &Model, obligations: &[Obligation], formula: &Formula) -> bool {
    let layout = model.vocabulary.layout();
    let mut who_starts =
        model.initial.iter().flat_map(|i| (0..i.structure.nodes).map(move |u| (&i.structure, u)));
    let apart = who_starts.all(|(s, u)| {
        let places = model.threads.iter().flat_map(|t| &t.places);
        places.filter(|p| s.get(layout, **p, [u, 0]).may()).count() <= 1
    });
    let copy = |d: &Obligation| Obligation {
        constraint: d.constraint,
        formula: d.formula.clone(),
        written_out: d.written_out.clone(),
    };
    let mut all: Vec<Obligation> = obligations.iter().map(copy).collect();
    all.push(Obligation {
        constraint: Integrity::Declared(source::Span::default()),
        formula: formula.clone(),
        written_out: Some(formula.clone()),
    });
    apart
        && model.actions.iter().all(|action| {
            let examiner = Examiner { model, action, obligations: &all, places: Some(formula) };
            !examiner.concerns(&all[obligations.len()]) || examiner.is_kept_in_general(obligations.len())
        })
}

struct Examiner<'a> {
    model: &'a Model,
    action: &'a Action,
    obligations: &'a [Obligation],
    places: Option<&'a Formula>,
}

impl Examiner<'_> {
    /// Whether the action can make a difference to a constraint at all.
    fn concerns(&self, obligation: &Obligation) -> bool {
        let mut open = BTreeSet::new();
        obligation.formula.symbols(&mut open);
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
        let Some(constraint) = &self.obligations[d].written_out else { return false };
        self.ways().into_iter().any(|condition| {
            if let Some(broken) = self.newly_broken(constraint) {
                let Some(size) = self.size(&broken, &condition) else { return false };
                return (0..=size).all(|n| {
                    self.assignments(n).into_iter().all(|who| {
                        let (mut ground, _) = self.question(n, who, Some(&condition), &[d]);
                        let broken = ground.closed(&broken, Moment::Before);
                        ground.assume(broken);
                        !ground.solver.solve()
                    })
                });
            }
            let Some(size) = self.enough(&not(constraint.clone()), &condition) else { return false };
            (0..=size).all(|n| {
                self.assignments(n).into_iter().all(|who| {
                    let (mut ground, _) = self.question(n, who, Some(&condition), &[d]);
                    let after = ground.closed(constraint, Moment::After);
                    ground.assume(!after);
                    !ground.solver.solve()
                })
            })
        })
    }

    /// That some individuals keep a constraint before the step and do not keep it after it, as a
    /// formula about the state before; `None` if others come into being or cease to be.
    fn newly_broken(&self, constraint: &Formula) -> Option<Formula> {
        if !self.action.created.is_empty() || self.action.retain.is_some() {
            return None;
        }
        // Above all variables of the action, so that nothing is caught.
        let constraint = constraint.rename(&|v| v, self.action.above());
        let (mut inner, mut bound) = (&constraint, Vec::new());
        while let Formula::Forall(v, below) = inner {
            bound.push(*v);
            inner = &below.body;
        }
        let after = self.put_in(inner);
        let fits = usize::from(after.above()) < VARIABLES;
        let both = and([inner.clone(), not(after)]);
        fits.then(|| bound.into_iter().rev().fold(both, |f, v| structures::formula::exists(v, f)))
    }

    /// What must hold before the step for a formula to hold after it.
    fn put_in(&self, f: &Formula) -> Formula {
        let next = self.action.above().max(f.above());
        f.replace(&|v| v, next, &mut |symbol, arguments, next| match self
            .action
            .updates
            .iter()
            .find(|u| u.symbol == symbol)
        {
            Some(update) => update.value_for(arguments, next),
            None => atom(symbol, arguments),
        })
    }

    /// The precondition, and the precondition with what it means written out beside it: more is
    /// known then, of more individuals.
    fn ways(&self) -> Vec<Formula> {
        let plain = &self.action.precondition;
        let rich = written_out(self.model, plain).filter(|f| f != plain);
        [plain.clone()].into_iter().chain(rich.map(|f| and([plain.clone(), f]))).collect()
    }

    /// How many individuals are enough for a step after which this holds, if there is one; `None`
    /// if no number is known to be. `bad` is made of predicates that are not derived.
    fn enough(&self, bad: &Formula, condition: &Formula) -> Option<usize> {
        let mut symbols = BTreeSet::new();
        bad.symbols(&mut symbols);
        let updates: Vec<&Update> =
            self.action.updates.iter().filter(|u| symbols.contains(&u.symbol)).collect();
        let mut read = BTreeSet::new();
        self.action.precondition.symbols(&mut read);
        updates.iter().for_each(|u| u.formula.symbols(&mut read));
        let derived = read.iter().any(|s| self.model.vocabulary.get(*s).definition.is_some());
        if derived && !self.action.created.is_empty() {
            return None;
        }
        // Who stays must be known of every individual without looking at others.
        let settled = |(_, f): &(Var, Formula)| is_free_of(f, true) && is_free_of(f, false);
        if !self.action.retain.iter().all(settled) {
            return None;
        }
        self.size(&self.put_in(bad), condition)
    }

    /// How many individuals are enough for a state before a step of which this holds.
    fn size(&self, before: &Formula, condition: &Formula) -> Option<usize> {
        let witnesses = leading_exists(before)? + leading_exists(condition)?;
        let size = witnesses + usize::from(self.action.actor.is_some()) + self.action.parameters.len();
        (size <= LARGE).then_some(size)
    }

    /// Whether an update of a derived predicate by hand is what its definition says, in states of
    /// any size.
    fn is_right_in_general(&self, update: &Update) -> bool {
        if self.action.retain.is_some() || !self.action.created.is_empty() {
            return false;
        }
        let variables: Vec<Var> = (0..update.symbol.arity() as Var).collect();
        let out = |f: &Formula| written_out(self.model, f);
        let (Some(meant), Some(said)) = (out(&atom(update.symbol, &variables)), out(&update.formula)) else {
            return false;
        };
        // What holds before, of what is said, does not change by the step; so its witnesses are
        // counted apart.
        let (said_out, meant_out) = (said.clone(), meant.clone());
        let condition = self.ways().pop().unwrap_or_default();
        let sizes = [meant.clone(), not(meant)].map(|f| self.enough(&f, &condition));
        let said = [said.clone(), not(said)].map(|f| leading_exists(&f));
        let [Some(yes), Some(no)] = sizes else { return false };
        let [Some(says), Some(denies)] = said else { return false };
        let size = (yes + denies).max(no + says) + variables.len();
        let differs = |n: usize, who: Who| {
            let (ground, _) = self.question(n, who, Some(&condition), &[]);
            may_differ(ground, update, [&said_out, &meant_out])
        };
        size <= LARGE && (0..=size).all(|n| self.assignments(n).into_iter().all(|who| !differs(n, who)))
    }

    /// For each of these constraints that is violated, the least number of individuals of a state
    /// in which it is.
    fn broken_in_small(&self, open: &[usize]) -> BTreeMap<usize, usize> {
        let mut broken = BTreeMap::new();
        for n in 0..=SMALL {
            for who in self.assignments(n) {
                let rest: Vec<usize> = open.iter().copied().filter(|d| !broken.contains_key(d)).collect();
                if rest.is_empty() {
                    return broken;
                }
                let (mut ground, after) = self.question(n, who, None, &rest);
                let some = ground.or(after.iter().map(|l| !*l).collect());
                ground.assume(some);
                while ground.solver.solve() {
                    let asked = rest.iter().copied().zip(after.iter().copied());
                    let found: Vec<(usize, Lit)> =
                        asked.filter(|(_, l)| ground.solver.value(*l) == Some(false)).collect();
                    for (d, literal) in found {
                        broken.insert(d, n);
                        ground.assume(literal);
                    }
                }
            }
        }
        broken
    }

    /// The least number of individuals with which the update of a derived predicate is not what its
    /// definition says.
    fn wrong_update(&self, symbol: Symbol) -> Option<usize> {
        if self.action.retain.is_some() {
            return None;
        }
        (0..=SMALL).find(|n| {
            self.assignments(*n).into_iter().any(|who| {
                let (mut ground, _) = self.question(*n, who, None, &[]);
                let mut wrong = Vec::new();
                for tuple in symbol.tuples(ground.total()) {
                    let said = ground.updated(symbol, tuple, self.action);
                    let meant = ground.atom(symbol, tuple, Moment::After);
                    wrong.push(ground.differ(said, meant));
                }
                ground.allows_one_of(wrong)
            })
        })
    }

    /// A step from a state that keeps all constraints; and of each of some constraints whether it
    /// holds afterwards. For a proof in general, derived predicates are free, of the constraints
    /// only the universal ones are assumed, and the precondition is given.
    fn question(
        &self,
        n: usize,
        who: Who,
        general: Option<&Formula>,
        asked: &[usize],
    ) -> (Ground<'_>, Vec<Lit>) {
        let free = general.is_some();
        let mut ground = Ground::new(self.model, self.action, n, who, free);
        let near = self.near(asked);
        let hypotheses = self.obligations.iter().map(|d| &d.formula).chain(self.places);
        for f in hypotheses.filter(|f| (!free || is_free_of(f, true)) && speaks_of(f, &near)) {
            let holds = ground.closed(f, Moment::Before);
            ground.assume(holds);
        }
        for symbol in self.action.actor.iter().flatten() {
            let holds = ground.atom(*symbol, [usize::from(who[0]), 0], Moment::Before);
            ground.assume(holds);
        }
        let enabled = ground.closed(general.unwrap_or(&self.action.precondition), Moment::Before);
        ground.assume(enabled);
        let after = match free {
            true => Vec::new(),
            false => {
                asked.iter().map(|d| ground.closed(&self.obligations[*d].formula, Moment::After)).collect()
            }
        };
        (ground, after)
    }

    /// The predicates that the question is about; constraints about others are left out.
    fn near(&self, asked: &[usize]) -> BTreeSet<Symbol> {
        let mut near: BTreeSet<Symbol> = self.action.actor.iter().flatten().copied().collect();
        asked.iter().for_each(|d| self.obligations[*d].formula.symbols(&mut near));
        self.action.precondition.symbols(&mut near);
        let updates = self.action.updates.iter();
        let updates: Vec<_> = updates.filter(|u| asked.is_empty() || near.contains(&u.symbol)).collect();
        updates.into_iter().for_each(|u| u.formula.symbols(&mut near));
        near.remove(&SUMMARY);
        near
    }

    /// Who takes part, but for exchanging individuals: each is one that takes part already, or the
    /// next.
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

/// Whether what an update says and what is meant may differ for some tuple, derived predicates
/// elsewhere being free.
fn may_differ(mut ground: Ground<'_>, update: &Update, [said, meant]: [&Formula; 2]) -> bool {
    let mut wrong = Vec::new();
    for tuple in update.symbol.tuples(ground.total()) {
        let mut here = ground.who;
        update.bind(tuple, &mut here);
        let said = ground.literal(said, &mut here, Moment::Wide);
        let mut there = [0; VARIABLES];
        (there[0], there[1]) = (tuple[0] as u8, tuple[1] as u8);
        let meant = ground.literal(meant, &mut there, Moment::After);
        wrong.push(ground.differ(said, meant));
    }
    ground.allows_one_of(wrong)
}
