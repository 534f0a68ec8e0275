//! Fair simulation: what holds of an abstract program holds of the program that it simulates.
//!
//! A relation gives each abstract variable a value in the concrete state. Each initial state is
//! seen as an initial one; each step of a transition as one of the abstract transition of the
//! same name, or as idling where there is none; idling as idling. Where a fair abstract
//! transition is enabled, the concrete one of its name is enabled and at least as fair. So a
//! fair run is seen as a fair run. A property is carried back if its abstract form has,
//! assertion by assertion, the same truth value in each state.

use super::relation::Way;
use super::replace::{Replacement, replace};
use super::{Case, Certifier, Refused};
use logic::fol::{Symbol, Term};
use logic::ltl::Formula;
use system::fts::{Branch, Fairness, Fts, Property};

impl Certifier<'_> {
    /// An abstract program, and what its variables stand for.
    pub fn simulated(&self, of: &Fts, relation: &[(Symbol, Term)]) -> Result<(), Refused> {
        let plain = self.plain();
        let case = Case { system: &plain, given: &Term::truth(true), rigid: &[] };
        let seen = seen(of, relation)?;
        self.speak(&case, &relation.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>())?;
        let families = of.transitions.iter().any(|t| !t.parameters.is_empty());
        if families || !of.rigid.is_empty() || !of.assumptions.is_empty() || !of.axioms.is_empty() {
            return Err(Refused::Form("the abstract program has families, constants or axioms"));
        }
        self.ask("Theta", &plain.initially(), &replace(&of.initial, &seen))?;
        for way in plain.ways() {
            let found = of.transitions.iter().find(|t| t.name == way.name);
            let idle = [Branch::new(Term::truth(true), Vec::new())];
            let branches = found.map_or(&idle[..], |t| &t.branches[..]);
            let possible =
                branches.iter().filter(|b| b.chosen.is_empty()).map(|b| matched(of, b, &way, &seen));
            let goal = Term::any(possible.collect::<Vec<_>>());
            self.ask(&way.name, &way.taken, &goal)?;
        }
        for t in of.transitions.iter().filter(|t| t.fairness != Fairness::None) {
            let concrete = self.fts.transitions.iter().find(|c| c.name == t.name && c.parameters.is_empty());
            let concrete = concrete.ok_or(Refused::Form("a fair transition is not in the program"))?;
            if concrete.fairness < t.fairness {
                return Err(Refused::Form("a transition is fairer than in the program"));
            }
            let enabled = replace(&t.enabled(), &seen);
            self.ask("fair", &[enabled], &plain.enabled(concrete, &[]))?;
        }
        Ok(())
    }

    /// That a formula about the abstract program says what a property says.
    pub fn says(
        &self,
        property: &Property,
        formula: &Formula<Term>,
        (of, relation): (&Fts, &[(Symbol, Term)]),
    ) -> Result<(), Refused> {
        if !property.rigid.is_empty() {
            return Err(Refused::Form("the property speaks of values that the abstract program has not"));
        }
        self.alike(&property.formula, formula, &seen(of, relation)?)
    }

    fn alike(&self, a: &Formula<Term>, b: &Formula<Term>, seen: &Replacement) -> Result<(), Refused> {
        match (a, b) {
            (Formula::Constant(a), Formula::Constant(b)) if a == b => Ok(()),
            (Formula::Atom(a), Formula::Atom(b)) => {
                self.ask("assertion", &[], &Term::eq(a.clone(), replace(b, seen)))
            }
            (Formula::Unary(f, a), Formula::Unary(g, b)) if f == g => self.alike(a, b, seen),
            (Formula::Binary(f, a, c), Formula::Binary(g, b, d)) if f == g => {
                self.alike(a, b, seen)?;
                self.alike(c, d, seen)
            }
            _ => Err(Refused::Form("the abstract property is another formula")),
        }
    }
}

/// What each abstract variable stands for.
fn seen(of: &Fts, relation: &[(Symbol, Term)]) -> Result<Replacement, Refused> {
    let mut all = Replacement::new();
    for v in &of.variables {
        let found = relation.iter().find(|(s, _)| *s == v.symbol);
        let (_, value) = found.ok_or(Refused::Form("an abstract variable stands for nothing"))?;
        if *value.sort() != v.symbol.sort {
            return Err(Refused::Form("an abstract variable stands for a value of another type"));
        }
        all.insert(v.symbol.name.clone(), value.clone());
    }
    Ok(all)
}

/// A step is an abstract branch: its guard holds, and each variable has its new value.
fn matched(of: &Fts, branch: &Branch, way: &Way, seen: &Replacement) -> Term {
    let mut all = vec![replace(&branch.guard, seen), replace(&branch.choice, seen)];
    for v in &of.variables {
        let new = branch.updates.iter().find(|(s, _)| s.name == v.symbol.name);
        let new = new.map_or_else(|| v.symbol.term(), |(_, e)| e.clone());
        let now = replace(&v.symbol.term(), seen);
        all.push(Term::eq(way.after(&now), replace(&new, seen)));
    }
    Term::all(all)
}
