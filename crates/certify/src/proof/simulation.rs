//! Fair simulation: what holds of an abstract program holds of the program that it simulates.
//!
//! A relation gives each abstract variable a value in the concrete state. Each initial state is
//! seen as an initial one; each step of a transition as one of the abstract transition of the
//! same name, or as idling where there is none; idling as idling. Where a fair abstract
//! transition is enabled, the concrete one of its name is enabled and at least as fair. So a
//! fair run is seen as a fair run. A property is carried back if its abstract form has,
//! assertion by assertion, the same truth value in each state.
//!
//! An abstract program may watch numbers (Kesten and Pnueli's augmented abstraction): two truth
//! values say whether the last step made a number smaller, from a value that is not negative, and
//! whether it made it larger. They are no part of the concrete state: they are false at first, and
//! have any value before a step. Idling sets them, too, so it must be an abstract transition then.
//! A whole number that grows finitely often is at last never larger than before, and then it goes
//! down from values that are not negative finitely often. So every run satisfies
//! `[]<>down --> []<>up`, and the abstract property may assume it, for each number.

use super::relation::Way;
use super::replace::{Replacement, replace};
use super::{Case, Certifier, Refused};
use logic::fol::{Sort, Symbol, Term};
use logic::ltl::{Binary, Formula, Unary};
use system::fts::{Branch, Fairness, Fts, Property, Watched};

/// How a concrete state and step are seen by an abstract program.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The abstract program.
    pub of: &'a Fts,
    /// What its variables stand for in a state.
    pub relation: &'a [(Symbol, Term)],
    /// The numbers that it watches.
    pub watched: &'a [Watched],
}

impl Certifier<'_> {
    /// That an abstract program simulates this one.
    pub fn simulated(&self, by: Seen<'_>) -> Result<(), Refused> {
        let plain = self.plain();
        let case = Case { system: &plain, given: &Term::truth(true), rigid: &[] };
        let (of, seen) = (by.of, self.seen(by)?);
        let terms = by.relation.iter().map(|(_, e)| e).chain(by.watched.iter().map(|w| &w.rank));
        self.speak(&case, &terms.cloned().collect::<Vec<_>>())?;
        let families = of.transitions.iter().any(|t| !t.parameters.is_empty());
        if families || !of.rigid.is_empty() || !of.assumptions.is_empty() || !of.axioms.is_empty() {
            return Err(Refused::Form("the abstract program has families, constants or axioms"));
        }
        self.ask("Theta", &plain.initially(), &replace(&of.initial, &initially(by, &seen)))?;
        for way in plain.ways() {
            let found = of.transitions.iter().find(|t| t.name == way.name);
            let idle = [Branch::new(Term::truth(true), Vec::new())];
            let branches = found.map_or(&idle[..], |t| &t.branches[..]);
            let possible =
                branches.iter().filter(|b| b.chosen.is_empty()).map(|b| matched(by, b, &way, &seen));
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

    /// That a formula about the abstract program says what a property says, if the numbers that are
    /// watched do what numbers do.
    pub fn says(&self, property: &Property, formula: &Formula<Term>, by: Seen<'_>) -> Result<(), Refused> {
        if !property.rigid.is_empty() {
            return Err(Refused::Form(
                "the property speaks of values that the abstract program does not have",
            ));
        }
        let mut formula = formula;
        for watched in by.watched {
            let Formula::Binary(Binary::Implies, assumed, then) = formula else {
                return Err(Refused::Form("the abstract property does not assume what numbers do"));
            };
            if **assumed != goes_up_again(watched) {
                return Err(Refused::Form("the abstract property assumes something else"));
            }
            formula = then;
        }
        self.alike(&property.formula, formula, &self.seen(by)?)
    }

    /// What each abstract variable stands for; those of numbers that are watched for themselves.
    fn seen(&self, by: Seen<'_>) -> Result<Replacement, Refused> {
        let flags = || by.watched.iter().flat_map(|w| [&w.down, &w.up]);
        for (at, s) in flags().enumerate() {
            let rigid = self.fts.rigid.iter().any(|r| r.name == s.name);
            let own = by.of.variables.iter().any(|v| v.symbol == *s);
            let twice = flags().take(at).any(|other| other.name == s.name);
            let stands = by.relation.iter().any(|(other, _)| other.name == s.name);
            if rigid || twice || stands || !own || self.fts.variable(&s.name).is_some() {
                return Err(Refused::Form("what is watched needs truth values of its own"));
            }
        }
        if by
            .watched
            .iter()
            .any(|w| w.down.sort != Sort::Bool || w.up.sort != Sort::Bool || *w.rank.sort() != Sort::Int)
        {
            return Err(Refused::Form("what is watched is a whole number, by two truth values"));
        }
        let mut all = seen(by)?;
        all.extend(flags().map(|s| (s.name.clone(), s.term())));
        Ok(all)
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

/// `[]<>down --> []<>up`.
fn goes_up_again(watched: &Watched) -> Formula<Term> {
    let again = |s: &Symbol| {
        Formula::unary(Unary::Always, Formula::unary(Unary::Eventually, Formula::Atom(s.term())))
    };
    Formula::binary(Binary::Implies, again(&watched.down), again(&watched.up))
}

/// What each abstract variable stands for that stands for something in a state.
fn seen(by: Seen<'_>) -> Result<Replacement, Refused> {
    let mut all = Replacement::new();
    let flag = |s: &Symbol| by.watched.iter().any(|w| w.down == *s || w.up == *s);
    for v in by.of.variables.iter().filter(|v| !flag(&v.symbol)) {
        let found = by.relation.iter().find(|(s, _)| *s == v.symbol);
        let (_, value) = found.ok_or(Refused::Form("an abstract variable stands for nothing"))?;
        if *value.sort() != v.symbol.sort {
            return Err(Refused::Form("an abstract variable stands for a value of another type"));
        }
        all.insert(v.symbol.name.clone(), value.clone());
    }
    Ok(all)
}

/// The same before the first step.
fn initially(by: Seen<'_>, seen: &Replacement) -> Replacement {
    let mut all = seen.clone();
    for s in by.watched.iter().flat_map(|w| [&w.down, &w.up]) {
        all.insert(s.name.clone(), Term::truth(false));
    }
    all
}

/// A step is an abstract branch: its guard holds, and each variable has its new value.
fn matched(by: Seen<'_>, branch: &Branch, way: &Way, seen: &Replacement) -> Term {
    let mut all = vec![replace(&branch.guard, seen), replace(&branch.choice, seen)];
    for v in &by.of.variables {
        let new = branch.updates.iter().find(|(s, _)| s.name == v.symbol.name);
        let new = new.map_or_else(|| v.symbol.term(), |(_, e)| e.clone());
        all.push(Term::eq(now(by, &v.symbol, way, seen), replace(&new, seen)));
    }
    Term::all(all)
}

/// The value of an abstract variable after a step.
fn now(by: Seen<'_>, variable: &Symbol, way: &Way, seen: &Replacement) -> Term {
    for watched in by.watched {
        let (down, up) = watched.moved(&way.after(&watched.rank));
        if *variable == watched.down {
            return down;
        }
        if *variable == watched.up {
            return up;
        }
    }
    way.after(&replace(&variable.term(), seen))
}
