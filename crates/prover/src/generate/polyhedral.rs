//! Polyhedral invariants: linear inequalities at each location.
//!
//! After Cousot and Halbwachs (1978): for every combination of the threads' locations, a polyhedron
//! over the integer variables that holds all states there; guards cut it, updates map it, a
//! combination that is reached again is widened. The result is the constraints that hold at a
//! location of one thread, whatever the others do, and those that hold everywhere. Programs with
//! too many variables or combinations, or with parameters, are left alone.

use crate::polyhedron::{Constraint, Polyhedron, Vector, unit};
use logic::fol::{Op, Sort, Symbol, Term};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, VecDeque};
use system::fts::{Branch, Fts, Mode};

const VARIABLES: usize = 6;
const COMBINATIONS: usize = 300;
/// A combination reached so often is widened.
const PATIENCE: usize = 3;
/// Steps back from what widening gave.
const DESCENTS: usize = 2;
/// No more disjuncts of a guard are distinguished.
const DISJUNCTS: usize = 8;

type Place = Vec<BigInt>;

pub fn candidates(fts: &Fts) -> Vec<Term> {
    let data: Vec<Symbol> = fts
        .variables
        .iter()
        .filter(|v| v.mode != Mode::Control && v.symbol.sort == Sort::Int)
        .map(|v| v.symbol.clone())
        .collect();
    let replicated = fts.transitions.iter().any(|t| !t.parameters.is_empty());
    if replicated || data.is_empty() || data.len() > VARIABLES || fts.threads.is_empty() {
        return Vec::new();
    }
    let analysis = Analysis { fts, data };
    analysis.run().map_or_else(Vec::new, |reached| analysis.told(&reached))
}

struct Analysis<'a> {
    fts: &'a Fts,
    data: Vec<Symbol>,
}

impl Analysis<'_> {
    /// A polyhedron for each combination of locations; none if there are too many.
    fn run(&self) -> Option<BTreeMap<Place, Polyhedron>> {
        let (place, first) = self.initial()?;
        let mut reached = BTreeMap::from([(place.clone(), first)]);
        let mut visits: BTreeMap<Place, usize> = BTreeMap::new();
        let mut work = VecDeque::from([place]);
        while let Some(place) = work.pop_front() {
            let here = reached[&place].clone();
            for branch in self.fts.transitions.iter().flat_map(|t| &t.branches) {
                let Some((next, image)) = self.step(&place, &here, branch) else { continue };
                let old = reached.get(&next);
                if image.is_empty() || old.is_some_and(|old| old.contains(&image)) {
                    continue;
                }
                let count = visits.entry(next.clone()).or_insert(0);
                *count += 1;
                let new = match old {
                    None => image,
                    Some(old) if *count > PATIENCE => old.widen(&old.join(&image)),
                    Some(old) => old.join(&image),
                };
                reached.insert(next.clone(), new);
                if reached.len() > COMBINATIONS || *count > 50 {
                    return None;
                }
                if !work.contains(&next) {
                    work.push_back(next);
                }
            }
        }
        for _ in 0..DESCENTS {
            reached = self.descended(&reached)?;
        }
        Some(reached)
    }

    /// One step from what is reached, without widening: still everything reachable, and often less
    /// than before.
    fn descended(&self, reached: &BTreeMap<Place, Polyhedron>) -> Option<BTreeMap<Place, Polyhedron>> {
        let mut next: BTreeMap<Place, Polyhedron> = BTreeMap::from([self.initial()?]);
        for (place, here) in reached {
            for branch in self.fts.transitions.iter().flat_map(|t| &t.branches) {
                let Some((to, image)) = self.step(place, here, branch) else { continue };
                if image.is_empty() {
                    continue;
                }
                let joined = next.get(&to).map_or_else(|| image.clone(), |old| old.join(&image));
                next.insert(to, joined);
            }
        }
        Some(next)
    }

    fn initial(&self) -> Option<(Place, Polyhedron)> {
        let conjuncts = self.fts.initial.conjuncts();
        let begins = |control: &Symbol| {
            let told = conjuncts.iter().filter_map(located);
            told.filter(|(s, _)| *s == control).map(|(_, n)| n.clone()).next()
        };
        let place = self.fts.threads.iter().map(|t| begins(&t.control)).collect::<Option<Place>>()?;
        let universe = Polyhedron::universe(self.data.len());
        Some((place, self.restricted(&universe, &self.fts.initial)))
    }

    /// Where a branch leads from a combination of locations.
    fn step(&self, place: &Place, here: &Polyhedron, branch: &Branch) -> Option<(Place, Polyhedron)> {
        let mut data = Vec::new();
        for conjunct in branch.guard.conjuncts() {
            match self.control(&conjunct) {
                Some((thread, number)) if place[thread] != number => return None,
                Some(_) => {}
                None => data.push(conjunct),
            }
        }
        let guard = Term::all(data.into_iter().chain([branch.choice.clone()]));
        let from = self.restricted(here, &guard);
        let updated = |s: &Symbol| branch.updates.iter().find(|(v, _)| v == s).map(|(_, e)| e);
        let mut next = place.clone();
        for (at, thread) in self.fts.threads.iter().enumerate() {
            if let Some(e) = updated(&thread.control) {
                next[at] = number(e)?
            }
        }
        let rows: Vec<Option<Vector>> = self
            .data
            .iter()
            .enumerate()
            .map(|(at, s)| match updated(s) {
                None => Some(unit(self.data.len() + 1, at + 1)),
                Some(e) => self.linear(e),
            })
            .collect();
        Some((next, from.image(&rows)))
    }

    /// `pi = n`: the thread and the number.
    fn control(&self, e: &Term) -> Option<(usize, BigInt)> {
        let (s, n) = located(e)?;
        let thread = self.fts.threads.iter().position(|t| t.control == *s)?;
        Some((thread, n.clone()))
    }

    /// The part of a polyhedron where a formula may hold.
    fn restricted(&self, here: &Polyhedron, formula: &Term) -> Polyhedron {
        let mut all = here.clone();
        for conjunct in formula.conjuncts() {
            let cases = self.cases(&conjunct, false);
            if let Some(cases) = cases.filter(|c| c.len() <= DISJUNCTS) {
                let empty = Polyhedron::of_constraints(
                    self.data.len(),
                    vec![Constraint { vector: scaled(&unit(self.data.len() + 1, 0), -1), equality: false }],
                );
                all = cases.iter().fold(empty, |joined, case| joined.join(&all.meet(case)));
            }
        }
        all
    }

    /// A formula as a disjunction of conjunctions of constraints; none if it says nothing linear.
    fn cases(&self, e: &Term, negated: bool) -> Option<Vec<Vec<Constraint>>> {
        let parts = e.arguments();
        match (e.op(), negated) {
            (Op::True, false) | (Op::False, true) => Some(vec![Vec::new()]),
            (Op::True | Op::False, _) => Some(Vec::new()),
            (Op::Not, _) => self.cases(&parts[0], !negated),
            (Op::Or, false) | (Op::And, true) => {
                let each = parts.iter().map(|p| self.cases(p, negated)).collect::<Option<Vec<_>>>()?;
                Some(each.into_iter().flatten().collect())
            }
            (Op::And, false) | (Op::Or, true) => {
                // What is not linear is left out, which weakens.
                let each = parts.iter().filter_map(|p| self.cases(p, negated));
                let both = |a: Vec<Vec<Constraint>>, b: Vec<Vec<Constraint>>| {
                    a.iter().flat_map(|x| b.iter().map(move |y| [&x[..], &y[..]].concat())).collect()
                };
                Some(each.fold(vec![Vec::new()], both))
            }
            (Op::Implies, _) => {
                let as_or = Term::of(Op::Or, [Term::negation(parts[0].clone()), parts[1].clone()]);
                self.cases(&as_or, negated)
            }
            (Op::LessEqual, false) => self.at_least(&parts[1], &parts[0], 0),
            (Op::Less, false) => self.at_least(&parts[1], &parts[0], 1),
            (Op::LessEqual, true) => self.at_least(&parts[0], &parts[1], 1),
            (Op::Less, true) => self.at_least(&parts[0], &parts[1], 0),
            (Op::Equal, false) => {
                let vector = difference(&self.linear(&parts[0])?, &self.linear(&parts[1])?);
                Some(vec![vec![Constraint { vector, equality: true }]])
            }
            (Op::Equal, true) => {
                let mut more = self.at_least(&parts[0], &parts[1], 1)?;
                more.extend(self.at_least(&parts[1], &parts[0], 1)?);
                Some(more)
            }
            _ => None,
        }
    }

    /// `a >= b + by`, of whole numbers.
    fn at_least(&self, a: &Term, b: &Term, by: i64) -> Option<Vec<Vec<Constraint>>> {
        let mut vector = difference(&self.linear(a)?, &self.linear(b)?);
        vector[0] -= by;
        Some(vec![vec![Constraint { vector, equality: false }]])
    }

    fn linear(&self, e: &Term) -> Option<Vector> {
        linear(e, self.data.len(), &|s| self.data.iter().position(|d| d == s))
    }

    /// What holds everywhere, and at each location of each thread.
    fn told(&self, reached: &BTreeMap<Place, Polyhedron>) -> Vec<Term> {
        let hull = |wanted: &dyn Fn(&Place) -> bool| {
            let parts = reached.iter().filter(|(place, _)| wanted(place)).map(|(_, p)| p.clone());
            parts.reduce(|a, b| a.join(&b))
        };
        let mut found: Vec<Term> = Vec::new();
        if let Some(all) = hull(&|_| true) {
            found.extend(all.constraints().iter().map(|c| self.shown(c)));
        }
        for (at, thread) in self.fts.threads.iter().enumerate() {
            for number in 0..thread.locations.len() {
                let Some(here) = hull(&|place| place[at] == BigInt::from(number)) else { continue };
                let control = Term::eq(thread.control.term(), Term::int(number as i64));
                let told =
                    here.constraints().iter().map(|c| Term::implication(control.clone(), self.shown(c)));
                found.extend(told);
            }
        }
        found
    }

    /// `sum = constant` or `sum >= constant`, positive parts on the left.
    fn shown(&self, c: &Constraint) -> Term {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (factor, symbol) in c.vector[1..].iter().zip(&self.data) {
            let size = factor.abs();
            if size.is_zero() {
                continue;
            }
            let part = if size.is_one() { symbol.term() } else { Term::int(size).times(&symbol.term()) };
            if factor.is_positive() { left.push(part) } else { right.push(part) }
        }
        let constant = &c.vector[0];
        if constant.is_positive() {
            left.push(Term::int(constant.clone()));
        } else if constant.is_negative() {
            right.push(Term::int(-constant));
        }
        let sum = |mut parts: Vec<Term>| match parts.len() {
            0 => Term::int(0),
            1 => parts.remove(0),
            _ => Term::of(Op::Add, parts),
        };
        let (left, right) = (sum(left), sum(right));
        if c.equality { Term::eq(left, right) } else { Term::le(right, left) }
    }
}

/// The symbol and the number of `x = n`.
fn located(e: &Term) -> Option<(&Symbol, &BigInt)> {
    match (e.op(), e.arguments()) {
        (Op::Equal, [a, b]) => match b.op() {
            Op::Int(n) => Some((a.as_symbol()?, n)),
            _ => None,
        },
        _ => None,
    }
}

fn number(e: &Term) -> Option<BigInt> {
    if let Op::Int(n) = e.op() { Some(n.clone()) } else { None }
}

/// An integer term as a linear form: its constant, then the coefficient of each column.
pub(crate) fn linear(e: &Term, columns: usize, column: &dyn Fn(&Symbol) -> Option<usize>) -> Option<Vector> {
    let forms = || e.arguments().iter().map(|p| linear(p, columns, column)).collect::<Option<Vec<Vector>>>();
    let is_number = |v: &Vector| v[1..].iter().all(Zero::is_zero);
    match e.op() {
        Op::Int(n) => Some(unit(columns + 1, 0).iter().map(|x: &BigInt| x * n).collect()),
        Op::Apply(s) if e.arguments().is_empty() => Some(unit(columns + 1, column(s)? + 1)),
        Op::Add => forms()?.into_iter().reduce(|a, b| a.iter().zip(&b).map(|(x, y)| x + y).collect()),
        Op::Subtract => forms().map(|forms| difference(&forms[0], &forms[1])),
        Op::Negate => forms().map(|forms| scaled(&forms[0], -1)),
        Op::Multiply => match &forms()?[..] {
            [number, form] | [form, number] if is_number(number) => {
                Some(form.iter().map(|x| x * &number[0]).collect())
            }
            _ => None,
        },
        _ => None,
    }
}

fn scaled(v: &Vector, by: i64) -> Vector {
    v.iter().map(|x| x * by).collect()
}

fn difference(a: &Vector, b: &Vector) -> Vector {
    a.iter().zip(b).map(|(x, y)| x - y).collect()
}
