//! Predicate abstraction: a program over assertions instead of data (STeP tutorial, section 7;
//! after Colón and Uribe, *Generating finite-state abstractions of reactive systems using
//! decision procedures*).
//!
//! Control is kept; each assertion of a basis becomes a truth value. Branch by branch of each
//! transition all pairs of valuations are found that some step relates, as far as the invariants
//! that are known allow; *unknown* is taken for possible. An abstract transition is as fair as the
//! concrete one if it is enabled only where every concrete state enables the concrete one; else it
//! has no fairness. That the result simulates the program is not trusted: `refine` poses the
//! conditions, and the certifier poses them again.
//!
//! Numbers may be watched: after each step two truth values say whether it made a number smaller,
//! from a value that is not negative, or larger. What numbers do is then a premise of the property
//! (Kesten and Pnueli's augmented abstraction, with the compassion as a formula).
//!
//! Of the valuations before a step only those assertions are looked at that share a variable with
//! the guard or with what the branch changes; the others stay as they are. If that is too coarse
//! (an invariant may relate them all), all are looked at.

mod basis;
mod boolean;
mod refine;
mod spurious;
mod text;

pub use basis::{Found, first, watches};
pub use refine::{assuming, refinement, translated};
pub use spurious::{Lesson, Spurious};
pub use text::{as_fts, statement};

use crate::condition::{Condition, Lemma};
use crate::discharge::{Judge, OUT_OF_TIME};
use crate::rules::NotApplicable;
use boolean::Function;
use logic::fol::{Sort, Symbol, Term, holds};
use solve::Answer;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use system::fts::{Branch, Fairness, Fts, Mode, Transition, Variable, Watched};

/// Assertions of one basis.
pub const MOST: usize = 16;

/// The assertions that stand for data, each with the name of its truth value.
pub type Basis = Vec<(Symbol, Term)>;

/// An abstract program, and what its variables stand for.
#[derive(Clone, Debug)]
pub struct Abstracted {
    /// The program: control and the truth values of the basis.
    pub fts: Fts,
    /// What each of its variables is in the concrete program.
    pub relation: Basis,
    /// The numbers that it watches.
    pub watched: Vec<Watched>,
    /// Valuations of the basis that some state has.
    pub feasible: Vec<u64>,
    /// For each transition and each of its branches, the branch of the program that it is of.
    pub origins: Vec<Vec<usize>>,
}

/// Pairs of valuations, from the state before to those after.
type Steps = BTreeMap<u64, BTreeSet<u64>>;

struct Builder<'a> {
    judge: &'a Judge<'a>,
    basis: Basis,
    watched: &'a [Watched],
    /// Whether all assertions are looked at for each step.
    wide: bool,
    background: &'a [Lemma],
}

/// The abstraction of a program by a basis; its truth values are those of the basis, and the
/// program's own.
pub fn abstracted(
    judge: &Judge<'_>,
    found: &Found,
    background: &[Lemma],
) -> Result<Abstracted, NotApplicable> {
    let (fts, Found { basis, watched, wide }) = (judge.fts, found);
    if let Some(t) = fts.transitions.iter().find(|t| !t.parameters.is_empty()) {
        let message = format!(
            "`{}` is a family of transitions: only programs with a fixed number of processes are abstracted",
            t.name
        );
        return Err(NotApplicable(message));
    }
    if fts.transitions.iter().any(|t| t.name == Fts::idle().name) {
        let message = "a transition has the name of the idling one, `Idle`: call it something else";
        return Err(NotApplicable(message.to_string()));
    }
    let own = fts.variables.iter().filter(|v| v.symbol.sort == Sort::Bool);
    let own = own.map(|v| (v.symbol.clone(), v.symbol.term()));
    let basis: Basis = basis.iter().cloned().chain(own).collect();
    if basis.len() > MOST {
        return Err(NotApplicable(format!(
            "a basis has at most {MOST} assertions, those of truth values included"
        )));
    }
    for (at, (name, _)) in basis.iter().enumerate() {
        let twice = basis[..at].iter().any(|(other, _)| other.name == name.name);
        let taken = fts.variable(&name.name).is_some_and(|v| v.symbol.sort != Sort::Bool);
        if twice || taken {
            return Err(NotApplicable(format!("`{}` names two things", name.name)));
        }
    }
    Builder { judge, basis, watched, wide: *wide, background }.whole()
}

/// Whether a symbol is kept as it is: control.
fn is_kept(fts: &Fts, name: &str) -> bool {
    fts.variable(name).is_some_and(|v| v.mode == Mode::Control)
}

fn is_control(fts: &Fts, e: &Term) -> bool {
    e.symbols().keys().all(|name| is_kept(fts, name))
}

impl Builder<'_> {
    fn whole(&self) -> Result<Abstracted, NotApplicable> {
        let fts = self.judge.fts;
        let kept = fts.variables.iter().filter(|v| v.mode == Mode::Control).cloned();
        let named = self.symbols().into_iter().map(|symbol| Variable {
            symbol,
            mode: Mode::Local,
            range: None,
            span: source::Span::default(),
        });
        let variables: Vec<Variable> = kept.chain(named).collect();
        let (mut transitions, mut origins) = (Vec::new(), Vec::new());
        for t in &fts.transitions {
            let (made, of) = self.transition(t)?;
            transitions.push(made);
            origins.push(of);
        }
        if !self.watched.is_empty() {
            transitions.push(self.idle());
        }
        let abstracted = Fts {
            name: format!("{} (abstract)", fts.name),
            variables,
            initial: self.initial(),
            transitions,
            threads: fts.threads.clone(),
            ..Fts::default()
        };
        let control = fts.variables.iter().filter(|v| v.mode == Mode::Control);
        let same = control.map(|v| (v.symbol.clone(), v.symbol.term()));
        let relation = same.chain(self.basis.iter().cloned()).collect();
        let (watched, feasible) =
            (self.watched.to_vec(), self.valuations(&Term::truth(true), &self.before()));
        Ok(Abstracted { fts: abstracted, relation, watched, feasible, origins })
    }

    /// What the truth values of the basis stand for.
    fn before(&self) -> Vec<Term> {
        self.basis.iter().map(|(_, e)| e.clone()).collect()
    }

    /// All truth values: those of the basis, then two for each number that is watched.
    fn symbols(&self) -> Vec<Symbol> {
        let flags = self.watched.iter().flat_map(|w| [w.down.clone(), w.up.clone()]);
        self.basis.iter().map(|(s, _)| s.clone()).chain(flags).collect()
    }

    fn initial(&self) -> Term {
        let fts = self.judge.fts;
        let first = self.valuations(&fts.initial, &self.before());
        let control = fts.initial.conjuncts().into_iter().filter(|e| is_control(fts, e));
        // Nothing is left free here: what no state has would be a beginning of the abstraction.
        let names: Vec<Term> = self.basis.iter().map(|(s, _)| s.term()).collect();
        let data = Term::any(first.iter().map(|v| literals(&names, *v)).collect::<Vec<_>>());
        let flags = self.watched.iter().flat_map(|w| [w.down.term(), w.up.term()]);
        Term::all(control.chain([data]).chain(flags.map(Term::negation)))
    }

    /// Idling moves no number.
    fn idle(&self) -> Transition {
        let flags = self.watched.iter().flat_map(|w| [w.down.clone(), w.up.clone()]);
        let still = flags.map(|s| (s, Term::truth(false))).collect();
        Transition { branches: vec![Branch::new(Term::truth(true), still)], ..Fts::idle() }
    }

    fn transition(&self, t: &Transition) -> Result<(Transition, Vec<usize>), NotApplicable> {
        let (mut branches, mut origins) = (Vec::new(), Vec::new());
        for (at, branch) in t.branches.iter().enumerate() {
            let made = self.branch(t, branch)?;
            origins.extend(made.iter().map(|_| at));
            branches.extend(made);
        }
        let mut made = Transition { branches, ..t.clone() };
        if t.fairness != Fairness::None {
            let enabled = self.concrete(&made.enabled());
            let everywhere = Condition::implication("", enabled, t.enabled(), self.background);
            if !self.judge.is_valid(&everywhere) {
                made.fairness = Fairness::None;
            }
        }
        Ok((made, origins))
    }

    /// An abstract assertion with what it stands for.
    fn concrete(&self, e: &Term) -> Term {
        e.substitute(&|s| self.basis.iter().find(|(b, _)| b.name == s.name).map(|(_, e)| e.clone()))
    }

    fn branch(&self, t: &Transition, branch: &Branch) -> Result<Vec<Branch>, NotApplicable> {
        let fts = self.judge.fts;
        let conjuncts = branch.guard.conjuncts();
        let (control, _): (Vec<Term>, Vec<Term>) = conjuncts.into_iter().partition(|e| is_control(fts, e));
        let control = Term::all(control);
        let moved: Vec<(Symbol, Term)> =
            branch.updates.iter().filter(|(s, _)| is_kept(fts, &s.name)).cloned().collect();
        if let Some((s, _)) = moved.iter().find(|(_, e)| !is_control(fts, e)) {
            return Err(NotApplicable(format!("`{}` moves `{}` by data", t.name, s.name)));
        }
        if self.judge.is_over() {
            return Err(NotApplicable(OUT_OF_TIME.to_string()));
        }
        let near = self.near(branch);
        let steps = self.steps(t, branch, &near);
        // What no state has where control is here is free.
        let before: Vec<Term> = near.iter().map(|at| self.basis[*at].1.clone()).collect();
        let feasible = self.valuations(&control, &before);
        let feasible: Vec<u64> = feasible.into_iter().map(|v| spread(v, &near)).collect();
        let made = |data: Term, updates: Vec<(Symbol, Term)>| {
            let guard = Term::all([control.clone(), data]);
            Branch::new(guard, moved.iter().cloned().chain(updates).collect())
        };
        if steps.values().all(|after| after.len() == 1) {
            let guard = self.term(&steps.keys().copied().collect(), &feasible);
            let only: BTreeMap<u64, u64> =
                steps.iter().map(|(b, after)| (*b, after.iter().copied().sum())).collect();
            return Ok(vec![made(guard, self.updates(branch, &only))]);
        }
        let targets: BTreeSet<u64> = steps.values().flatten().copied().collect();
        let each = targets.iter().map(|target| {
            let from: BTreeSet<u64> =
                steps.iter().filter(|(_, a)| a.contains(target)).map(|(b, _)| *b).collect();
            let only = from.iter().map(|b| (*b, *target)).collect();
            made(self.term(&from, &feasible), self.updates(branch, &only))
        });
        Ok(each.collect())
    }

    /// The assertions that a branch changes.
    fn changed(&self, branch: &Branch) -> Vec<usize> {
        (0..self.basis.len()).filter(|at| branch.after(&self.basis[*at].1) != self.basis[*at].1).collect()
    }

    /// The assertions that say something about whether a branch can be taken and what it changes.
    fn near(&self, branch: &Branch) -> Vec<usize> {
        if self.wide {
            return (0..self.basis.len()).collect();
        }
        let changed = self.changed(branch);
        let ranks = self.watched.iter().map(|w| &w.rank).filter(|e| branch.after(e) != **e);
        let looked_at = ranks.chain(changed.iter().map(|at| &self.basis[*at].1));
        let both = looked_at.flat_map(|e| [e.clone(), branch.after(e)]);
        let all = both.chain([branch.guard.clone(), branch.choice.clone()]);
        let names: BTreeSet<Arc<str>> = all.flat_map(|e| e.symbols().into_keys()).collect();
        let names: BTreeSet<Arc<str>> =
            names.into_iter().filter(|name| !is_kept(self.judge.fts, name)).collect();
        let shares = |at: &usize| self.basis[*at].1.symbols().keys().any(|name| names.contains(name));
        (0..self.basis.len()).filter(|at| changed.contains(at) || shares(at)).collect()
    }

    /// All pairs of valuations that a step of a branch may relate; of the first those of `near`, of
    /// the second what the branch changes and what is watched.
    fn steps(&self, t: &Transition, branch: &Branch, near: &[usize]) -> Steps {
        let taken = Term::all([branch.guard.clone(), branch.choice.clone()]);
        let changed = self.changed(branch);
        let new = changed.iter().map(|at| branch.after(&self.basis[*at].1));
        let moved = self.watched.iter().flat_map(|w| <[Term; 2]>::from(w.moved(&branch.after(&w.rank))));
        let after: Vec<Term> = new.chain(moved).collect();
        let places: Vec<usize> = changed.iter().copied().chain(self.flags()).collect();
        let before: Vec<Term> = near.iter().map(|at| self.basis[*at].1.clone()).collect();
        let mut steps = Steps::new();
        let both: Vec<Term> = before.iter().chain(&after).cloned().collect();
        for values in self.all(&taken, &both, Some(t)) {
            let low = values & ((1 << before.len()) - 1);
            let to = spread(values >> before.len(), &places);
            steps.entry(spread(low, near)).or_default().insert(to);
        }
        steps
    }

    /// The places of the truth values of numbers that are watched.
    fn flags(&self) -> std::ops::Range<usize> {
        self.basis.len()..self.basis.len() + 2 * self.watched.len()
    }

    fn valuations(&self, under: &Term, of: &[Term]) -> Vec<u64> {
        self.all(under, of, None)
    }

    /// All valuations of assertions that are possible under one; *unknown* is possible. `by` is the
    /// transition whose chosen values they may speak of.
    fn all(&self, under: &Term, of: &[Term], by: Option<&Transition>) -> Vec<u64> {
        let by = by.filter(|t| t.branches.iter().any(|b| !b.chosen.is_empty()));
        let none = |known: Term| {
            let none = Condition::implication("", known, Term::truth(false), self.background);
            self.judge.answer(&Condition { transition: by.cloned(), ..none })
        };
        // As long as there are models, each query brings a valuation.
        let mut all: BTreeSet<u64> = BTreeSet::new();
        let mut elsewhere = vec![under.clone()];
        loop {
            let model = match none(Term::all(elsewhere.clone())) {
                Answer::Valid { .. } => return all.into_iter().collect(),
                Answer::Unknown { .. } => break,
                Answer::Invalid { model } => model,
            };
            let values: Option<Vec<bool>> = of.iter().map(|e| holds(e, &*model)).collect();
            let Some(values) = values else { break };
            let valuation = values.iter().enumerate().map(|(at, v)| u64::from(*v) << at).sum();
            if !all.insert(valuation) {
                break;
            }
            elsewhere.push(Term::negation(literals(of, valuation)));
        }
        // Else one assertion after the other is split.
        let mut open = vec![(0usize, 0u64, under.clone())];
        while let Some((at, valuation, known)) = open.pop() {
            if none(known.clone()).is_valid() {
                continue;
            }
            match of.get(at) {
                None => {
                    all.insert(valuation);
                }
                Some(e) => {
                    open.push((at + 1, valuation, Term::all([known.clone(), Term::negation(e.clone())])));
                    open.push((at + 1, valuation | 1 << at, Term::all([known, e.clone()])));
                }
            }
        }
        all.into_iter().collect()
    }

    /// The valuations as an assertion, as short as the feasible ones allow.
    fn term(&self, on: &BTreeSet<u64>, feasible: &[u64]) -> Term {
        let off = feasible.iter().filter(|v| !on.contains(v)).copied().collect();
        self.function(on.clone(), off)
    }

    fn function(&self, on: BTreeSet<u64>, off: BTreeSet<u64>) -> Term {
        let names: Vec<Term> = self.symbols().iter().map(Symbol::term).collect();
        Function { width: names.len(), on, off }.term(&names)
    }

    /// New truth values as functions of the old ones; those that stay have none.
    fn updates(&self, branch: &Branch, steps: &BTreeMap<u64, u64>) -> Vec<(Symbol, Term)> {
        let mut all = Vec::new();
        let symbols = self.symbols();
        for at in self.changed(branch).into_iter().chain(self.flags()) {
            let is = |value: &u64| value >> at & 1 == 1;
            let stays = at < self.basis.len();
            if stays && steps.iter().all(|(before, after)| is(before) == is(after)) {
                continue;
            }
            let (on, off): (Vec<_>, Vec<_>) = steps.iter().partition(|(_, after)| is(after));
            let from = |of: Vec<(&u64, &u64)>| of.into_iter().map(|(before, _)| *before).collect();
            all.push((symbols[at].clone(), self.function(from(on), from(off))));
        }
        all
    }
}

/// The lowest bits at these places.
fn spread(values: u64, places: &[usize]) -> u64 {
    places.iter().enumerate().map(|(n, at)| (values >> n & 1) << at).sum()
}

/// The literals of a valuation.
fn literals(of: &[Term], valuation: u64) -> Term {
    let literal = |(at, e): (usize, &Term)| match valuation >> at & 1 {
        1 => e.clone(),
        _ => Term::negation(e.clone()),
    };
    Term::all(of.iter().enumerate().map(literal).collect::<Vec<_>>())
}
