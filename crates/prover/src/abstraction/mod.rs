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

mod boolean;
mod refine;
mod text;

pub use refine::{refinement, translated};
pub use text::{as_fts, statement};

use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use crate::rules::NotApplicable;
use boolean::Function;
use logic::fol::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use system::fts::{Branch, Fairness, Fts, Mode, Transition, Variable};

/// Assertions of one basis.
const MOST: usize = 10;

/// The assertions that stand for data, each with the name of its truth value.
pub type Basis = Vec<(Symbol, Term)>;

/// An abstract program, and what its variables stand for.
#[derive(Clone, Debug)]
pub struct Abstracted {
    /// The program: control and the truth values of the basis.
    pub fts: Fts,
    /// What each of its variables is in the concrete program.
    pub relation: Basis,
    /// Valuations of the basis that some state has.
    pub feasible: Vec<u64>,
}

/// Pairs of valuations, from the state before to those after.
type Steps = BTreeMap<u64, BTreeSet<u64>>;

struct Builder<'a> {
    judge: &'a Judge<'a>,
    basis: Basis,
    background: &'a [Lemma],
    feasible: Vec<u64>,
}

/// The abstraction of a program by a basis; its truth values are those of the basis, and the
/// program's own.
pub fn abstracted(
    judge: &Judge<'_>,
    basis: &Basis,
    background: &[Lemma],
) -> Result<Abstracted, NotApplicable> {
    let fts = judge.fts;
    if let Some(t) = fts.transitions.iter().find(|t| !t.parameters.is_empty()) {
        let message = format!(
            "`{}` is a family of transitions: only programs with a fixed number of processes are abstracted",
            t.name
        );
        return Err(NotApplicable(message));
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
    let mut builder = Builder { judge, basis, background, feasible: Vec::new() };
    builder.feasible = builder
        .valuations(&Term::truth(true), &builder.basis.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>());
    builder.whole()
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
        let named = self.basis.iter().map(|(symbol, _)| Variable {
            symbol: symbol.clone(),
            mode: Mode::Local,
            range: None,
            span: source::Span::default(),
        });
        let variables: Vec<Variable> = kept.chain(named).collect();
        let mut transitions = Vec::new();
        for t in &fts.transitions {
            transitions.push(self.transition(t)?);
        }
        let first =
            self.valuations(&fts.initial, &self.basis.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>());
        let control = fts.initial.conjuncts().into_iter().filter(|e| is_control(fts, e));
        let data = self.term(&first.iter().copied().collect(), &self.feasible);
        let abstracted = Fts {
            name: format!("{} (abstract)", fts.name),
            variables,
            initial: Term::all(control.chain([data])),
            transitions,
            threads: fts.threads.clone(),
            ..Fts::default()
        };
        let control = fts.variables.iter().filter(|v| v.mode == Mode::Control);
        let same = control.map(|v| (v.symbol.clone(), v.symbol.term()));
        let relation = same.chain(self.basis.iter().cloned()).collect();
        Ok(Abstracted { fts: abstracted, relation, feasible: self.feasible.clone() })
    }

    fn transition(&self, t: &Transition) -> Result<Transition, NotApplicable> {
        let mut branches = Vec::new();
        for branch in &t.branches {
            branches.extend(self.branch(t, branch)?);
        }
        let mut made = Transition { branches, ..t.clone() };
        if t.fairness != Fairness::None {
            let enabled = self.concrete(&made.enabled());
            let everywhere = Condition::implication("", enabled, t.enabled(), self.background);
            if !self.judge.is_valid(&everywhere) {
                made.fairness = Fairness::None;
            }
        }
        Ok(made)
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
        let steps = self.steps(branch);
        // What no state has where control is here is free.
        let before: Vec<Term> = self.basis.iter().map(|(_, e)| e.clone()).collect();
        let feasible = self.valuations(&control, &before);
        let made = |data: Term, updates: Vec<(Symbol, Term)>| {
            let guard = Term::all([control.clone(), data]);
            Branch::new(guard, moved.iter().cloned().chain(updates).collect())
        };
        if steps.values().all(|after| after.len() == 1) {
            let guard = self.term(&steps.keys().copied().collect(), &feasible);
            let only: BTreeMap<u64, u64> =
                steps.iter().map(|(b, after)| (*b, after.iter().copied().sum())).collect();
            return Ok(vec![made(guard, self.updates(&only))]);
        }
        let targets: BTreeSet<u64> = steps.values().flatten().copied().collect();
        let each = targets.iter().map(|target| {
            let from: BTreeSet<u64> =
                steps.iter().filter(|(_, a)| a.contains(target)).map(|(b, _)| *b).collect();
            let only = from.iter().map(|b| (*b, *target)).collect();
            made(self.term(&from, &feasible), self.updates(&only))
        });
        Ok(each.collect())
    }

    /// All pairs of valuations that a step of a branch may relate.
    fn steps(&self, branch: &Branch) -> Steps {
        let taken = Term::all([branch.guard.clone(), branch.choice.clone()]);
        let before: Vec<Term> = self.basis.iter().map(|(_, e)| e.clone()).collect();
        let after: Vec<Term> = before.iter().map(|e| branch.after(e)).collect();
        let mut steps = Steps::new();
        for from in self.valuations(&taken, &before) {
            let known = Term::all([taken.clone(), literals(&before, from)]);
            let changed: Vec<usize> = (0..before.len()).filter(|at| before[*at] != after[*at]).collect();
            let terms: Vec<Term> = changed.iter().map(|at| after[*at].clone()).collect();
            for values in self.valuations(&known, &terms) {
                let mut to = from;
                for (n, at) in changed.iter().enumerate() {
                    to = to & !(1 << at) | (values >> n & 1) << at;
                }
                steps.entry(from).or_default().insert(to);
            }
        }
        steps
    }

    /// All valuations of assertions that are possible under one; *unknown* is possible.
    fn valuations(&self, under: &Term, of: &[Term]) -> Vec<u64> {
        let mut open = vec![(0usize, 0u64, under.clone())];
        let mut all = Vec::new();
        while let Some((at, valuation, known)) = open.pop() {
            let none = Condition::implication("", known.clone(), Term::truth(false), self.background);
            if self.judge.is_valid(&none) {
                continue;
            }
            match of.get(at) {
                None => all.push(valuation),
                Some(e) => {
                    open.push((at + 1, valuation, Term::all([known.clone(), Term::negation(e.clone())])));
                    open.push((at + 1, valuation | 1 << at, Term::all([known, e.clone()])));
                }
            }
        }
        all.sort_unstable();
        all
    }

    /// The valuations as an assertion, as short as the feasible ones allow.
    fn term(&self, on: &BTreeSet<u64>, feasible: &[u64]) -> Term {
        let off = feasible.iter().filter(|v| !on.contains(v)).copied().collect();
        self.function(on.clone(), off)
    }

    fn function(&self, on: BTreeSet<u64>, off: BTreeSet<u64>) -> Term {
        let names: Vec<Term> = self.basis.iter().map(|(s, _)| s.term()).collect();
        Function { width: names.len(), on, off }.term(&names)
    }

    /// New truth values as functions of the old ones; those that stay have none.
    fn updates(&self, steps: &BTreeMap<u64, u64>) -> Vec<(Symbol, Term)> {
        let mut all = Vec::new();
        for (at, (symbol, _)) in self.basis.iter().enumerate() {
            let is = |value: &u64| value >> at & 1 == 1;
            if steps.iter().all(|(before, after)| is(before) == is(after)) {
                continue;
            }
            let (on, off): (Vec<_>, Vec<_>) = steps.iter().partition(|(_, after)| is(after));
            let from = |of: Vec<(&u64, &u64)>| of.into_iter().map(|(before, _)| *before).collect();
            all.push((symbol.clone(), self.function(from(on), from(off))));
        }
        all
    }
}

/// The literals of a valuation.
fn literals(of: &[Term], valuation: u64) -> Term {
    let literal = |(at, e): (usize, &Term)| match valuation >> at & 1 {
        1 => e.clone(),
        _ => Term::negation(e.clone()),
    };
    Term::all(of.iter().enumerate().map(literal).collect::<Vec<_>>())
}
