//! A basis that is found: at first what the guards of the program and the property compare, then
//! what runs of the abstraction alone teach (`spurious`). And numbers that may be watched.

use super::{Basis, is_control};
use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use logic::fol::{Op, Sort, Symbol, Term};
use logic::ltl::Formula;
use system::fts::{Fts, Mode, Watched};

/// Numbers that are tried.
const NUMBERS: usize = 60;

/// Assertions and numbers, as far as they were found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The assertions with their names.
    pub basis: Basis,
    /// The numbers.
    pub watched: Vec<Watched>,
    /// Whether each step of the abstraction looks at all assertions, not only at those that share
    /// a variable with it.
    pub wide: bool,
}

/// What the guards and some formulas compare.
pub fn first(judge: &Judge<'_>, formula: &Formula<Term>, background: &[Lemma]) -> Found {
    let mut found = Found::default();
    let branches = judge.fts.transitions.iter().flat_map(|t| &t.branches);
    branches.for_each(|b| found.add(judge, &b.enabled(), background));
    found.state(judge, formula, background);
    found
}

impl Found {
    /// Adds what a formula is about, as it is written there.
    pub fn state(&mut self, judge: &Judge<'_>, formula: &Formula<Term>, background: &[Lemma]) {
        let mut all = Vec::new();
        formula.clone().map(&mut |e: Term| all.push(e));
        all.iter().for_each(|e| self.add(judge, e, background));
    }

    /// Adds the comparisons of an assertion that are neither known nor there.
    pub fn add(&mut self, judge: &Judge<'_>, e: &Term, background: &[Lemma]) {
        let mut all = Vec::new();
        atoms(judge.fts, e, &mut all);
        for e in all {
            if !self.is_there(judge, &e, background) {
                let name = self.name(judge.fts, "b", self.basis.len());
                self.basis.push((Symbol::constant(name, Sort::Bool), e));
            }
        }
    }

    /// Watches a number more.
    pub fn watch(&mut self, fts: &Fts, rank: Term) {
        let at = self.watched.len();
        let flag = |kind: &str| Symbol::constant(self.name(fts, kind, at), Sort::Bool);
        let (down, up) = (flag("down"), flag("up"));
        self.watched.push(Watched { down, up, rank });
    }

    /// A name that nothing else has.
    fn name(&self, fts: &Fts, kind: &str, at: usize) -> String {
        let taken = |name: &str| {
            fts.variable(name).is_some()
                || fts.rigid.iter().any(|r| &*r.name == name)
                || self.basis.iter().any(|(s, _)| &*s.name == name)
        };
        let mut names = (at + 1..).map(|n| format!("{kind}{n}"));
        names.find(|name| !taken(name)).unwrap_or_default()
    }

    fn is_there(&self, judge: &Judge<'_>, e: &Term, background: &[Lemma]) -> bool {
        let valid =
            |goal: Term| judge.is_valid(&Condition::implication("", Term::truth(true), goal, background));
        let not = Term::negation(e.clone());
        let names = e.symbols();
        let like = |b: &Term| b.symbols().keys().any(|name| names.contains_key(name));
        let same = |b: &Term| {
            like(b) && (valid(Term::eq(b.clone(), e.clone())) || valid(Term::eq(b.clone(), not.clone())))
        };
        valid(e.clone()) || valid(not.clone()) || self.basis.iter().any(|(_, b)| same(b))
    }
}

/// The comparisons that an assertion is made of; none that control alone decides, none of chosen
/// values.
fn atoms(fts: &Fts, e: &Term, found: &mut Vec<Term>) {
    let parts = e.arguments();
    let truth = |e: &Term| *e.sort() == Sort::Bool;
    match e.op() {
        Op::True | Op::False => {}
        Op::And | Op::Or | Op::Not | Op::Implies => parts.iter().for_each(|p| atoms(fts, p, found)),
        Op::Ite => parts.iter().for_each(|p| atoms(fts, p, found)),
        Op::Equal if truth(&parts[0]) => parts.iter().for_each(|p| atoms(fts, p, found)),
        op => {
            if let Some(at) = parts.iter().position(|p| *p.op() == Op::Ite) {
                let choice = parts[at].arguments();
                atoms(fts, &choice[0], found);
                for value in &choice[1..] {
                    let mut parts = parts.to_vec();
                    parts[at] = value.clone();
                    atoms(fts, &Term::tidied(op.clone(), parts), found);
                }
                return;
            }
            let names = e.symbols();
            let state =
                |name: &str| fts.variable(name).is_some() || fts.rigid.iter().any(|r| &*r.name == name);
            let own = e.as_symbol().is_some_and(|s| fts.variable(&s.name).is_some());
            if !own && !is_control(fts, e) && names.keys().all(|name| state(name)) && !found.contains(e) {
                found.push(e.clone());
            }
        }
    }
}

/// Numbers that may go down: variables, lengths, and what guards compare.
pub fn watches(fts: &Fts) -> Vec<Term> {
    let mut found: Vec<Term> = Vec::new();
    for symbol in fts.variables.iter().filter(|v| v.mode != Mode::Control).map(|v| &v.symbol) {
        match &symbol.sort {
            Sort::Int => found.push(symbol.term()),
            Sort::Sequence(_) => found.push(symbol.term().length()),
            _ => {}
        }
    }
    let numbers = found.clone();
    for branch in fts.transitions.iter().flat_map(|t| &t.branches) {
        differences(&branch.guard, &mut found);
    }
    for (at, a) in numbers.iter().enumerate() {
        found.push(Term::int(0).minus(a));
        found.extend(numbers[at + 1..].iter().flat_map(|b| [a.plus(b), a.minus(b), b.minus(a)]));
    }
    let moves = |e: &Term| e.symbols().keys().any(|name| fts.changes(name));
    let known = |e: &Term| {
        e.symbols().keys().all(|n| fts.variable(n).is_some() || fts.rigid.iter().any(|r| r.name == *n))
    };
    let mut kept: Vec<Term> = Vec::new();
    for e in found.into_iter().filter(|e| moves(e) && known(e) && !is_control(fts, e)) {
        if !kept.contains(&e) {
            kept.push(e);
        }
    }
    kept.truncate(NUMBERS);
    kept
}

fn differences(e: &Term, found: &mut Vec<Term>) {
    match (e.op(), e.arguments()) {
        (Op::Quantified(..), _) => {}
        (Op::Less | Op::LessEqual | Op::Equal, [a, b])
            if *a.sort() == Sort::Int && *b.sort() == Sort::Int =>
        {
            found.extend([b.minus(a), a.minus(b)]);
        }
        (_, parts) => parts.iter().for_each(|part| differences(part, found)),
    }
}
