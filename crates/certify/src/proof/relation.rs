//! The steps of a system as the definition has them: ∃ parameters, chosen values: bounds ∧ guard ∧
//! choice, and every variable has a new value. All that a step binds gets names of its own,
//! `name#step`, which no program and no assertion can have.

use super::replace::{Replacement, replace};
use logic::fol::{Sort, Symbol, Term};
use logic::ltl::{Binary, Unary};
use std::sync::Arc;
use system::fts::evidence::STAGE;
use system::fts::{Branch, Fts, Helpful, Past, Remembered, Transition};

/// One way to take a transition: what is true before, and the new value of everything that has one.
pub(super) struct Way {
    pub(super) name: String,
    pub(super) taken: Vec<Term>,
    pub(super) new: Replacement,
}

impl Way {
    /// An assertion about the state after, as one about the state before.
    pub(super) fn after(&self, e: &Term) -> Term {
        replace(e, &self.new)
    }
}

/// A waiting-for formula `q_m W … W q_0` after p, followed in a variable.
#[derive(Clone)]
pub(super) struct WaitingFor {
    pub(super) p: Term,
    /// From m down to 0.
    pub(super) q: Vec<Term>,
}

/// The system with what is remembered beside its state.
pub(super) struct Extended<'a> {
    pub(super) fts: &'a Fts,
    pub(super) remembered: &'a [Remembered],
    pub(super) waiting_for: Option<WaitingFor>,
}

impl Extended<'_> {
    /// What is true at the beginning.
    pub(super) fn initially(&self) -> Vec<Term> {
        let mut all = vec![self.fts.initial.clone()];
        let first = |r: &Remembered| Term::eq(r.symbol.term(), first(&r.past));
        all.extend(self.remembered.iter().map(first));
        if let Some(waiting_for) = &self.waiting_for {
            let now = |e: &Term| e.clone();
            all.push(Term::eq(stage(), moved(waiting_for, None, &now)));
        }
        all
    }

    /// Every way to take every transition; idling where something notices it.
    pub(super) fn ways(&self) -> Vec<Way> {
        let mut all: Vec<Way> = self.fts.transitions.iter().flat_map(|t| self.of(t, None)).collect();
        let idle = Branch::new(Term::truth(true), Vec::new());
        all.push(self.way("Idle", Vec::new(), &idle, &Replacement::new()));
        all
    }

    /// The ways to take one transition; of a family the one with these parameters.
    pub(super) fn of(&self, transition: &Transition, at: Option<&[Term]>) -> Vec<Way> {
        let mut bound = Replacement::new();
        for (n, p) in transition.parameters.iter().enumerate() {
            let value = at.and_then(|at| at.get(n)).cloned();
            bound.insert(p.symbol.name.clone(), value.unwrap_or_else(|| own(&p.symbol).term()));
        }
        let mut bounds = Vec::new();
        for p in &transition.parameters {
            let index = replace(&p.symbol.term(), &bound);
            bounds.push(Term::le(replace(&p.low, &bound), index.clone()));
            bounds.push(Term::le(index, replace(&p.high, &bound)));
        }
        let each = |b: &Branch| self.way(&transition.name, bounds.clone(), b, &bound);
        transition.branches.iter().map(each).collect()
    }

    fn way(&self, name: &str, bounds: Vec<Term>, branch: &Branch, bound: &Replacement) -> Way {
        let mut bound = bound.clone();
        bound.extend(branch.chosen.iter().map(|s| (s.name.clone(), own(s).term())));
        let mut taken = bounds;
        taken.extend([replace(&branch.guard, &bound), replace(&branch.choice, &bound)]);
        let values = branch.updates.iter().map(|(s, e)| (s.name.clone(), replace(e, &bound)));
        let mut new: Replacement = values.collect();
        for r in self.remembered {
            let value = next(r, &new);
            new.insert(r.symbol.name.clone(), value);
        }
        if let Some(waiting_for) = &self.waiting_for {
            let value = moved(waiting_for, Some(stage()), &|e: &Term| replace(e, &new));
            new.insert(STAGE.into(), value);
        }
        Way { name: name.to_string(), taken, new }
    }

    /// When a transition with these parameters can be taken.
    pub(super) fn enabled(&self, transition: &Transition, at: &[Term]) -> Term {
        let names = transition.parameters.iter().map(|p| p.symbol.name.clone());
        let by: Replacement = names.zip(at.iter().cloned()).collect();
        let bounds = transition.parameters.iter().zip(at).flat_map(|(p, value)| {
            let (low, high) = (replace(&p.low, &by), replace(&p.high, &by));
            [Term::le(low, value.clone()), Term::le(value.clone(), high)]
        });
        let branch = |b: &Branch| {
            let binders = b.chosen.iter().map(|s| logic::fol::Binder::free(own(s))).collect();
            let mut inner = by.clone();
            inner.extend(b.chosen.iter().map(|s| (s.name.clone(), own(s).term())));
            let possible = [replace(&b.guard, &inner), replace(&b.choice, &inner)];
            Term::some(binders, Term::all(possible))
        };
        let ways = Term::any(transition.branches.iter().map(branch).collect::<Vec<_>>());
        Term::all(bounds.chain([ways]).collect::<Vec<_>>())
    }

    pub(super) fn transition(&self, helpful: &Helpful) -> Option<&Transition> {
        let found = self.fts.transitions.iter().find(|t| t.name == helpful.name)?;
        (found.parameters.len() == helpful.parameters.len()).then_some(found)
    }
}

/// A name of its own for what a step binds.
fn own(symbol: &Symbol) -> Symbol {
    let name: Arc<str> = format!("{}#step", symbol.name).into();
    Symbol::constant(name, symbol.sort.clone())
}

pub(super) fn stage() -> Term {
    Symbol::constant(STAGE, Sort::Int).term()
}

/// The truth of a past formula in the first state.
fn first(past: &Past) -> Term {
    match past {
        Past::Unary(Unary::Previous, _) => Term::truth(false),
        Past::Unary(Unary::WeakPrevious, _) => Term::truth(true),
        Past::Unary(_, p) => p.clone(),
        Past::Binary(Binary::BackTo, p, q) => Term::any([q.clone(), p.clone()]),
        Past::Binary(_, _, q) => q.clone(),
    }
}

/// The truth of a past formula after a step, from its truth before and the new values of what
/// stands in it.
fn next(r: &Remembered, new: &Replacement) -> Term {
    let (before, after) = (r.symbol.term(), |e: &Term| replace(e, new));
    match &r.past {
        Past::Unary(Unary::Previous | Unary::WeakPrevious, p) => p.clone(),
        Past::Unary(Unary::Once, p) => Term::any([after(p), before]),
        Past::Unary(_, p) => Term::all([after(p), before]),
        // p Trigger q: q up to now, from where p was on; the dual of Since.
        Past::Binary(Binary::Trigger, p, q) => Term::all([after(q), Term::any([after(p), before])]),
        Past::Binary(_, p, q) => Term::any([after(q), Term::all([after(p), before])]),
    }
}

/// Where the oldest waiting-for formula is in a state, from where it was before: f_i = q_i W
/// f_(i-1) is the weaker the larger i, so a formula stays in the highest interval it may be in, a
/// new one begins in the highest of all, and q_0 fulfils every one.
fn moved(waiting_for: &WaitingFor, from: Option<Term>, reads: &dyn Fn(&Term) -> Term) -> Term {
    let m = waiting_for.q.len() - 1;
    let number = |n: usize| Term::int(n as i64);
    let broken = number(m + 1);
    let interval = |at: Option<&Term>| {
        (1..=m).fold(broken.clone(), |otherwise, i| {
            let below = at.map_or(Term::truth(true), |at| Term::le(number(i), at.clone()));
            Term::ite(&Term::all([below, reads(&waiting_for.q[m - i])]), &number(i), &otherwise)
        })
    };
    let begun = Term::ite(&reads(&waiting_for.p), &interval(None), &number(0));
    let waiting = match &from {
        None => begun,
        Some(at) => Term::ite(&Term::eq(at.clone(), number(0)), &begun, &interval(Some(at))),
    };
    let fulfilled = Term::ite(&reads(&waiting_for.q[m]), &number(0), &waiting);
    match from {
        None => fulfilled,
        Some(at) => Term::ite(&Term::eq(at, broken.clone()), &broken, &fulfilled),
    }
}
