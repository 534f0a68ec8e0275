//! Sets of states of an abstraction as assertions that a reader understands: labels for control,
//! the assertions of the basis for data.
//!
//! A set is covered by products, each a set of locations for each thread and a value for some truth
//! values, as large as the states outside allow (two-level minimization with many values, after
//! Rudell and Sangiovanni-Vincentelli, 1987; the expansion alone, in two orders). What all products
//! have in common is written once.

use super::space::{Point, Space};
use crate::rules::NotApplicable;
use logic::fol::{Op, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use system::fts::{Fts, Mode, Thread};

/// Products of control with valuations that are looked at.
const MOST: usize = 50_000;

/// The values that each coordinate may have.
type Product = Vec<BTreeSet<i64>>;

/// Writes sets of states.
pub(super) struct Writer<'a> {
    space: &'a Space<'a>,
    /// All values of each coordinate.
    domains: Product,
    /// The states that an assertion keeps out.
    others: Vec<Point>,
}

impl<'a> Writer<'a> {
    /// `exact`: an assertion keeps out all other states that may exist, not only those that are
    /// reached.
    pub(super) fn new(space: &'a Space<'a>, exact: bool) -> Result<Writer<'a>, NotApplicable> {
        let fts = space.judge.fts;
        let domain = |thread: &Thread| {
            let first = if thread.nested { -1 } else { 0 };
            (first..thread.locations.len() as i64).collect()
        };
        let mut domains = Product::new();
        for v in space.made.fts.variables.iter().take(space.threads()) {
            let thread = thread(fts, &v.symbol)?;
            domains.push(domain(thread));
        }
        domains.resize(space.kept(), BTreeSet::from([0, 1]));
        let others = if exact { all(space, &domains)? } else { space.points.clone() };
        Ok(Writer { space, domains, others })
    }

    /// A set of states as an assertion.
    pub(super) fn text(&self, states: impl Iterator<Item = usize>) -> Result<String, NotApplicable> {
        let on: BTreeSet<&Point> = states.map(|at| &self.space.points[at]).collect();
        let off: Vec<&Point> = self.others.iter().filter(|p| !on.contains(p)).collect();
        let products = self.cover(&on, &off);
        let common: Vec<usize> = (0..self.domains.len())
            .filter(|at| products.iter().all(|p| p[*at] == products[0][*at]))
            .collect();
        let rest = |product: &Product| -> Result<Term, NotApplicable> {
            let parts = (0..self.domains.len()).filter(|at| !common.contains(at));
            Ok(Term::all(parts.map(|at| self.literal(at, &product[at])).collect::<Result<Vec<_>, _>>()?))
        };
        let first = products.first().ok_or_else(|| NotApplicable("a node has no state".to_string()))?;
        let shared = common.iter().map(|at| self.literal(*at, &first[*at]));
        let mut parts = shared.collect::<Result<Vec<_>, _>>()?;
        parts.push(Term::any(products.iter().map(rest).collect::<Result<Vec<_>, _>>()?));
        Ok(Term::all(parts).to_string())
    }

    fn cover(&self, on: &BTreeSet<&Point>, off: &[&Point]) -> Vec<Product> {
        let mut found: Vec<Product> = Vec::new();
        for point in on {
            if found.iter().any(|product| contains(product, point)) {
                continue;
            }
            let orders = [(0..self.domains.len()).collect(), (0..self.domains.len()).rev().collect()];
            let large = orders.into_iter().map(|order: Vec<usize>| self.largest(point, &order, off));
            let covers = |p: &Product| on.iter().filter(|point| contains(p, point)).count();
            found.extend(large.max_by_key(covers));
        }
        let needed = |at: usize, kept: &[Product]| {
            let others = || kept.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, p)| p);
            on.iter().any(|point| !others().any(|p| contains(p, point)))
        };
        let mut at = 0;
        while at < found.len() {
            if needed(at, &found) {
                at += 1;
            } else {
                found.remove(at);
            }
        }
        found
    }

    /// A product around a point: coordinate by coordinate, as many values as fit.
    fn largest(&self, point: &Point, order: &[usize], off: &[&Point]) -> Product {
        let mut product: Product = point.iter().map(|value| BTreeSet::from([*value])).collect();
        for at in order {
            for value in &self.domains[*at] {
                if product[*at].insert(*value) && off.iter().any(|p| contains(&product, p)) {
                    product[*at].remove(value);
                }
            }
        }
        product
    }

    /// That a coordinate has one of these values.
    fn literal(&self, at: usize, values: &BTreeSet<i64>) -> Result<Term, NotApplicable> {
        let made = self.space.made;
        if *values == self.domains[at] {
            return Ok(Term::truth(true));
        }
        let symbol = &made.fts.variables[at].symbol;
        if made.fts.variables[at].mode == Mode::Control {
            return located(self.space.judge.fts, symbol, &self.domains[at], values);
        }
        let stands = made.relation.iter().find(|(name, _)| name.name == symbol.name);
        let e = stands.map_or_else(|| symbol.term(), |(_, e)| e.clone());
        Ok(if values.contains(&1) { e } else { denied(e) })
    }
}

/// Not `e`: the other way round where it compares.
fn denied(e: Term) -> Term {
    match (e.op(), e.arguments()) {
        (Op::LessEqual, [a, b]) => Term::lt(b.clone(), a.clone()),
        (Op::Less, [a, b]) => Term::le(b.clone(), a.clone()),
        _ => Term::negation(e),
    }
}

fn contains(product: &Product, point: &Point) -> bool {
    product.iter().zip(point).all(|(values, value)| values.contains(value))
}

fn thread<'a>(fts: &'a Fts, control: &Symbol) -> Result<&'a Thread, NotApplicable> {
    let found = fts.threads.iter().find(|t| t.control.name == control.name);
    found.ok_or_else(|| NotApplicable(format!("`{}` has no locations", control.name)))
}

/// Each combination of locations with each valuation that some state has.
fn all(space: &Space<'_>, domains: &Product) -> Result<Vec<Point>, NotApplicable> {
    let (threads, kept) = (space.threads(), space.kept());
    let size = domains[..threads].iter().fold(space.made.feasible.len(), |n, d| n.saturating_mul(d.len()));
    if size > MOST {
        return Err(NotApplicable("the abstraction has too many states".to_string()));
    }
    let mut found: Vec<Point> = vec![Point::new()];
    for domain in &domains[..threads] {
        let longer = |p: &Point| -> Vec<Point> {
            domain.iter().map(|value| p.iter().copied().chain([*value]).collect()).collect()
        };
        found = found.iter().flat_map(longer).collect();
    }
    let bits = |valuation: u64| (0..kept - threads).map(move |at| (valuation >> at & 1) as i64);
    let with = |p: &Point| -> Vec<Point> {
        space.made.feasible.iter().map(|v| p.iter().copied().chain(bits(*v)).collect()).collect()
    };
    Ok(found.iter().flat_map(with).collect())
}

/// That control is at one of these locations: by their labels, or not at any of the others.
fn located(
    fts: &Fts,
    control: &Symbol,
    domain: &BTreeSet<i64>,
    values: &BTreeSet<i64>,
) -> Result<Term, NotApplicable> {
    let others: BTreeSet<i64> = domain.difference(values).copied().collect();
    if let Some(labels) = labels(fts, control, values) {
        return Ok(Term::any(grouped(&labels)));
    }
    let Some(labels) = labels(fts, control, &others) else {
        let message = format!("a location of `{}` has no label", control.name);
        return Err(NotApplicable(message));
    };
    Ok(Term::all(grouped(&labels).into_iter().map(Term::negation)))
}

/// One label for each location.
fn labels(fts: &Fts, control: &Symbol, values: &BTreeSet<i64>) -> Option<Vec<String>> {
    let thread = fts.threads.iter().find(|t| t.control.name == control.name)?;
    let label = |value: &i64| {
        let at = usize::try_from(*value).ok()?;
        let of = |name: &&String| fts.label(name).is_some_and(|(t, n)| t.control == *control && n == at);
        thread.locations.get(at)?.labels.iter().find(of).cloned()
    };
    values.iter().map(label).collect()
}

/// `l2`, `l{0, 1}`: labels that differ in their numbers stand together.
fn grouped(labels: &[String]) -> Vec<Term> {
    let mut families: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for label in labels {
        let name = label.trim_end_matches(|c: char| c.is_ascii_digit());
        families.entry(name).or_default().push(&label[name.len()..]);
    }
    let one = |(name, numbers): (&str, Vec<&str>)| {
        let together = numbers.len() > 1 && !name.is_empty() && numbers.iter().all(|n| !n.is_empty());
        match together {
            true => vec![format!("{name}{{{}}}", numbers.join(","))],
            false => numbers.iter().map(|n| format!("{name}{n}")).collect(),
        }
    };
    let texts = families.into_iter().flat_map(one);
    texts.map(|text| Symbol::constant(text, Sort::Bool).term()).collect()
}
