//! k-induction: what is claimed is true in the first k states of every run, and after every k
//! states in a row in which it is true (Sheeran, Singh, Stålmarck).
//!
//! States before the last are numbered backwards, `x#1`, `x#2`, …; a step between two of them is a
//! disjunction of all ways to take one, each with names of its own for what it binds. Idling is no
//! step here where it is shown to change nothing: then every state is reached without it. Of the
//! shortest run to a state, all states differ.

use super::relation::{Extended, Way, stage};
use super::replace::{Replacement, replace};
use super::{Case, Certifier, Refused};
use logic::fol::{Symbol, Term};
use std::collections::BTreeSet;
use std::sync::Arc;
use system::fts::KInductive;

/// The steps of a system, and what they change.
struct Copies {
    ways: Vec<Way>,
    changed: Vec<Symbol>,
}

impl Certifier<'_> {
    /// What is claimed of every state, by k-induction.
    pub(super) fn successive(
        &self,
        case: &Case<'_>,
        claim: &Term,
        found: &KInductive,
    ) -> Result<(), Refused> {
        let KInductive { states, distinct, using } = found;
        if *states == 0 {
            return Err(Refused::Form("k-induction needs at least one state"));
        }
        if using.iter().any(|e| !self.known.contains(e)) {
            return Err(Refused::Form("what is used of earlier states is not known"));
        }
        let copies = Copies::of(case.system, self.moving(case)?)?;
        for steps in 0..*states {
            let mut given = copies.before(steps, claim, using);
            let initially = case.system.initially();
            given.extend(initially.iter().map(|e| copies.at(e, steps)));
            self.ask("Theta", &given, claim)?;
        }
        let mut given = copies.before(states - 1, claim, using);
        given.push(claim.clone());
        if *distinct {
            for a in 1..*states {
                given.extend((0..a).map(|b| copies.differ(a, b)));
            }
        }
        copies.ways.iter().try_for_each(|way| self.leads(way, &given, claim))
    }

    /// All ways to take a step; idling is none if it changes nothing, neither at the beginning nor
    /// after another step.
    fn moving(&self, case: &Case<'_>) -> Result<Vec<Way>, Refused> {
        let mut ways = case.system.ways();
        let Some(idle) = ways.pop() else { return Ok(ways) };
        let same = |name: &Arc<str>, e: &Term| {
            let symbol = symbol(case.system, name)?;
            let now = symbol.term();
            let first = self.ask("Idle", &case.system.initially(), &Term::eq(now.clone(), e.clone()));
            let after = |way: &Way| {
                let unchanged = Term::eq(way.after(&now), way.after(e));
                self.ask("Idle", &way.taken, &unchanged)
            };
            first.and_then(|()| ways.iter().try_for_each(after))
        };
        if idle.new.iter().try_for_each(|(name, e)| same(name, e)).is_err() {
            ways.push(idle);
        }
        Ok(ways)
    }
}

/// What a name stands for in a state.
fn symbol(system: &Extended<'_>, name: &str) -> Result<Symbol, Refused> {
    let of_state = system.fts.variable(name).map(|v| v.symbol.clone());
    let remembered = || system.remembered.iter().map(|r| &r.symbol).find(|s| &*s.name == name).cloned();
    let promised = || stage().as_symbol().filter(|s| &*s.name == name).cloned();
    let found = of_state.or_else(remembered).or_else(promised);
    found.ok_or_else(|| Refused::Foreign(name.to_string()))
}

impl Copies {
    fn of(system: &Extended<'_>, ways: Vec<Way>) -> Result<Copies, Refused> {
        let names: BTreeSet<&Arc<str>> = ways.iter().flat_map(|w| w.new.keys()).collect();
        let changed = names.into_iter().map(|name| symbol(system, name)).collect::<Result<_, _>>()?;
        Ok(Copies { ways, changed })
    }

    /// The values of the state that lies some steps back.
    fn back(&self, steps: usize) -> Replacement {
        let named = |s: &Symbol| Symbol::constant(format!("{}#{steps}", s.name), s.sort.clone()).term();
        let all = self.changed.iter().filter(|_| steps > 0);
        all.map(|s| (s.name.clone(), named(s))).collect()
    }

    fn at(&self, e: &Term, steps: usize) -> Term {
        replace(e, &self.back(steps))
    }

    /// That a state is reached from the one some steps back, that the claim is true from there on
    /// up to the state before this one, and so is what is known.
    fn before(&self, steps: usize, claim: &Term, using: &[Term]) -> Vec<Term> {
        let mut all = Vec::new();
        for from in (1..=steps).rev() {
            all.push(Term::any((0..self.ways.len()).map(|way| self.step(way, from)).collect::<Vec<_>>()));
            all.push(self.at(claim, from));
            all.extend(using.iter().map(|e| self.at(e, from)));
        }
        all
    }

    /// That one way leads from the state some steps back to the one after it.
    fn step(&self, way: usize, from: usize) -> Term {
        let taken = &self.ways[way];
        let mut by = self.back(from);
        let terms = taken.taken.iter().chain(taken.new.values());
        for (name, symbol) in terms.flat_map(|e| e.symbols()).filter(|(name, _)| name.ends_with("#step")) {
            let own = Symbol::constant(format!("{name}#{from}#{way}"), symbol.sort.clone());
            by.insert(name, own.term());
        }
        let mut all: Vec<Term> = taken.taken.iter().map(|e| replace(e, &by)).collect();
        let next = self.back(from - 1);
        for symbol in &self.changed {
            let value = taken.new.get(&symbol.name).cloned().unwrap_or_else(|| symbol.term());
            all.push(Term::eq(replace(&symbol.term(), &next), replace(&value, &by)));
        }
        Term::all(all)
    }

    fn differ(&self, a: usize, b: usize) -> Term {
        let one = |s: &Symbol| Term::negation(Term::eq(self.at(&s.term(), a), self.at(&s.term(), b)));
        Term::any(self.changed.iter().map(one).collect::<Vec<_>>())
    }
}
