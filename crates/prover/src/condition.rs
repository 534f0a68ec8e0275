//! Verification conditions: what must be valid, and from what.
//!
//! `{φ} τ {ψ}` is `φ ∧ ρτ → ψ'` (STeP tutorial, section 2.3). A transition is guards and
//! simultaneous updates, so ψ' is ψ with the updates substituted, and the condition speaks of the
//! state before alone: no primed variables, no quantifiers but those of the program. Background
//! properties are assumed of the state before.

use logic::fol::{Binder, Symbol, Term};
use system::fts::{Branch, Fts, Parameter, Transition};

/// A formula known to hold in every reachable state, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lemma {
    /// Under which proofs and reports refer to it.
    pub name: String,
    /// An assertion over the variables of the system.
    pub formula: Term,
}

/// A verification condition: `given` and what is known imply `goal`.
#[derive(Clone, Debug)]
pub struct Condition {
    /// What it is about: `Theta`, the name of a transition, `N2 1`.
    pub name: String,
    /// What the rule assumes: φ, the bounds of parameters.
    pub given: Term,
    /// What is to be shown valid; primed symbols are values after the step.
    pub goal: Term,
    /// The transition taken, for showing a countermodel.
    pub transition: Option<Transition>,
    /// What must hold after the transition, as it was before the updates were put into it.
    pub after: Option<Term>,
    /// Assumed besides `given`; which of them were used is reported.
    pub background: Vec<Lemma>,
}

/// A symbol that no assertion may speak of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is chosen by a transition and is not a part of the state", self.0.name)]
pub struct Foreign(pub Symbol);

impl Lemma {
    /// The formula under this name.
    pub fn new(name: impl Into<String>, formula: Term) -> Lemma {
        Lemma { name: name.into(), formula }
    }
}

impl Condition {
    /// `given → goal`, about one state.
    pub fn implication(name: impl Into<String>, given: Term, goal: Term, background: &[Lemma]) -> Condition {
        let (transition, after) = (None, None);
        Condition { name: name.into(), given, goal, transition, after, background: background.to_vec() }
    }

    /// `{φ} τ {ψ}`.
    pub fn triple(before: &Term, transition: &Transition, after: &Term, background: &[Lemma]) -> Condition {
        let taken = apart(transition, &[before, after], background);
        Condition {
            name: transition.name.clone(),
            given: Term::all([before.clone(), taken.bounds()]),
            goal: precondition(&taken, after),
            transition: Some(taken),
            after: Some(after.clone()),
            background: background.to_vec(),
        }
    }

    /// `φ ∧ ρτ → ψ`, where ψ compares both states: it is made for each way to take τ. `mentions`
    /// are the terms that it is made of.
    pub(crate) fn step(
        before: &Term,
        transition: &Transition,
        mentions: &[&Term],
        both: impl Fn(&Branch) -> Term,
        background: &[Lemma],
    ) -> Condition {
        let all: Vec<&Term> = std::iter::once(before).chain(mentions.iter().copied()).collect();
        let taken = apart(transition, &all, background);
        let each = taken.branches.iter().map(|branch| {
            let possible = Term::all([branch.guard.clone(), branch.choice.clone()]);
            Term::implication(possible, both(branch))
        });
        Condition {
            name: transition.name.clone(),
            given: Term::all([before.clone(), taken.bounds()]),
            goal: Term::all(each.collect::<Vec<_>>()),
            transition: Some(taken),
            after: None,
            background: background.to_vec(),
        }
    }

    /// What the condition speaks of that is neither state nor rigid: a value that some transition
    /// chooses, outside of the transition that is taken. Such a condition is refused; it would say
    /// something of a value that is gone.
    pub(crate) fn foreign(&self, fts: &Fts) -> Option<Foreign> {
        let chosen: Vec<&Symbol> =
            fts.transitions.iter().flat_map(|t| &t.branches).flat_map(|b| &b.chosen).collect();
        if chosen.is_empty() {
            return None;
        }
        let taken = self.transition.iter().flat_map(|t| &t.branches).flat_map(|b| &b.chosen);
        let own: Vec<&Symbol> = taken.collect();
        let formulas =
            [&self.given, &self.goal].into_iter().chain(self.background.iter().map(|l| &l.formula));
        let mut names = formulas.flat_map(|e| e.symbols().into_values());
        names.find(|s| chosen.contains(&s) && !own.contains(&s)).map(Foreign)
    }

    pub(crate) fn named(mut self, name: impl Into<String>) -> Condition {
        self.name = name.into();
        self
    }
}

/// What a state must satisfy so that every way to take the transition, with its parameters, leads
/// to ψ.
fn precondition(transition: &Transition, after: &Term) -> Term {
    Term::all(transition.branches.iter().map(|branch| {
        let taken = Term::all([branch.guard.clone(), branch.choice.clone()]);
        Term::implication(taken, branch.after(after))
    }))
}

/// wlpc(τ, ψ): every way to take τ, with any parameters, leads to ψ.
pub fn wlpc(transition: &Transition, after: &Term) -> Term {
    let taken = apart(transition, &[after], &[]);
    let parameters: Vec<Binder> = taken.parameters.iter().map(Parameter::binder).collect();
    let each = taken.branches.iter().map(|branch| {
        let reached = Term::implication(branch.choice.clone(), branch.after(after));
        let chosen = branch.chosen.iter().cloned().map(Binder::free).collect();
        Term::implication(branch.guard.clone(), Term::every(chosen, reached))
    });
    let all = Term::all(each.collect::<Vec<_>>());
    if parameters.is_empty() { all } else { Term::every(parameters, all) }
}

/// The transition with names that no formula mentions for all that it binds, parameters and chosen
/// values: they are other values than those of the property.
fn apart(transition: &Transition, formulas: &[&Term], background: &[Lemma]) -> Transition {
    let bound = |t: &Transition| -> Vec<Symbol> {
        let parameters = t.parameters.iter().map(|p| p.symbol.clone());
        parameters.chain(t.branches.iter().flat_map(|b| b.chosen.clone())).collect()
    };
    let mut mentioned = std::collections::BTreeSet::new();
    let all = formulas.iter().copied().chain(background.iter().map(|l| &l.formula));
    let names = bound(transition);
    if !names.is_empty() {
        all.for_each(|e| mentioned.extend(e.symbols().into_keys()));
    }
    let mut renamed = transition.clone();
    for old in names {
        // Two branches may have chosen under one name.
        if !mentioned.contains(&old.name) || !bound(&renamed).contains(&old) {
            continue;
        }
        let taken = |name: &str| mentioned.contains(name) || bound(&renamed).iter().any(|s| &*s.name == name);
        // No program has such names, so that nothing of the transition itself is caught.
        let mut names = (1..).map(|n| format!("{}!{n}", old.name));
        let Some(name) = names.find(|n| !taken(n)) else { continue };
        rename(&mut renamed, &old, &Symbol::constant(name, old.sort.clone()));
    }
    renamed
}

fn rename(transition: &mut Transition, old: &Symbol, new: &Symbol) {
    let replace = |e: &Term| e.substitute(&|s| (s == old).then(|| new.term()));
    let named = |s: &mut Symbol| {
        if s == old {
            *s = new.clone();
        }
    };
    for parameter in &mut transition.parameters {
        parameter.low = replace(&parameter.low);
        parameter.high = replace(&parameter.high);
        named(&mut parameter.symbol);
    }
    for branch in &mut transition.branches {
        *branch = branch.map(replace);
        branch.chosen.iter_mut().for_each(named);
    }
}

/// All transitions, the idling one last; auxiliary variables may have made it explicit.
pub fn moves(fts: &Fts) -> Vec<Transition> {
    let mut all = fts.transitions.clone();
    let idle = Fts::idle();
    if all.iter().all(|t| t.name != idle.name) {
        all.push(idle);
    }
    all
}

/// `{φ} τ {ψ}` for every transition, the idling one last.
pub fn triples(fts: &Fts, before: &Term, after: &Term, background: &[Lemma]) -> Vec<Condition> {
    moves(fts).iter().map(|t| Condition::triple(before, t, after, background)).collect()
}
