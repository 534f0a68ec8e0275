//! Ranks by Farkas' lemma (Podelski, Rybalchenko: *A complete method for the synthesis of linear
//! ranking functions*; of several steps together, Alias, Darte, Feautrier, Gonnord).
//!
//! What is known where a step is taken is a conjunction of inequalities `g(y) >= 0` over numbers y:
//! guards, and what is known at the vertex. It implies `r(y) >= 0` over the reals exactly if r is a
//! sum of the g, each times a number that is not negative, and of such a number. With the
//! coefficients of the rank and these factors as unknowns, "no step increases it, and one decreases
//! it where it is positive" is linear again; the embedded arithmetic solves it. What it finds is a
//! candidate like any other.
//!
//! Deviation: a variable whose new value is not linear does not occur in the rank of that loop.

use super::graph::{Edge, Graph};
use crate::generate::polyhedral::linear;
use crate::polyhedron::Vector;
use logic::fol::{Op, Rational, Sort, Symbol, Term, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use solve::{Answer, Assumption, Model};

/// Numbers and steps of a loop that are looked at.
const NUMBERS: usize = 14;
const STEPS: usize = 24;

/// An expression that no step between some vertices increases, and that some step decreases while
/// it is positive.
pub(super) fn expression(graph: &Graph<'_>, inner: &[Edge]) -> Option<Term> {
    let columns = columns(graph, inner)?;
    let numbers = columns.iter().filter(|s| graph.judge.fts.variable(&s.name).is_some()).count();
    let mut all = Vec::new();
    for (n, edge) in inner.iter().enumerate() {
        let way = Way::new(graph, edge, &columns);
        all.extend(way.conditions(n, numbers)?);
    }
    all.push(Term::any((0..inner.len()).map(|n| Term::le(number(1), falls(n)))));
    let all: Vec<Assumption> = all.into_iter().map(|e| Assumption::new("", e)).collect();
    let model = match graph.judge.solver.check(&all, &Term::truth(false), graph.judge.options) {
        Answer::Invalid { model } => model,
        _ => return None,
    };
    whole(&model, &columns[..numbers])
}

/// The numbers of a loop: variables that are no control first, then what its steps choose.
fn columns(graph: &Graph<'_>, inner: &[Edge]) -> Option<Vec<Symbol>> {
    let control = |s: &Symbol| graph.vertices.iter().any(|v| v.contains_key(&s.name));
    let variables = graph.judge.fts.variables.iter().map(|v| v.symbol.clone());
    let mut all: Vec<Symbol> = variables.filter(|s| s.sort == Sort::Int && !control(s)).collect();
    for edge in inner {
        let chosen = graph.steps[edge.step].chosen.iter().filter(|s| s.sort == Sort::Int);
        let new: Vec<Symbol> = chosen.filter(|s| !all.contains(s)).cloned().collect();
        all.extend(new);
    }
    (!all.is_empty() && all.len() <= NUMBERS && inner.len() <= STEPS).then_some(all)
}

/// A step between two vertices, as inequalities.
struct Way {
    /// Forms that are not negative where it is taken; whether they are 0.
    known: Vec<(Vector, bool)>,
    /// The new value of each number; none if it is not linear.
    after: Vec<Option<Vector>>,
}

impl Way {
    fn new(graph: &Graph<'_>, edge: &Edge, columns: &[Symbol]) -> Way {
        let step = &graph.steps[edge.step];
        let here = &graph.vertices[edge.from];
        let at = |e: &Term| e.substitute(&|s| here.get(&s.name).map(Value::term));
        let form = |e: &Term| linear(&at(e), columns.len(), &|s| columns.iter().position(|c| c == s));
        let lemmas = graph.background.iter().map(|l| &l.formula);
        let mut known = Vec::new();
        let vertex = graph.at(edge.from);
        for e in [&step.guard, &graph.before, &vertex].into_iter().chain(lemmas) {
            inequalities(&at(e), false, &form, &mut known);
        }
        let new = |s: &Symbol| form(&step.after(&s.term()));
        Way { known, after: columns.iter().map(new).collect() }
    }

    /// That the rank does not go up by this step, and goes down by `falls` from a positive value.
    fn conditions(&self, step: usize, numbers: usize) -> Option<Vec<Term>> {
        let width = self.after.len() + 1;
        let mut all = vec![Term::le(number(0), falls(step))];
        let mut change: Vec<Vec<Term>> = vec![Vec::new(); width];
        let mut rank: Vec<Vec<Term>> = vec![Vec::new(); width];
        for n in 0..numbers {
            rank[n + 1].push(coefficient(n));
            match &self.after[n] {
                None => all.push(Term::eq(coefficient(n), number(0))),
                Some(after) => {
                    for (column, value) in after.iter().enumerate() {
                        let own = BigInt::from(i32::from(column == n + 1));
                        change[column].extend(times(own - value, &coefficient(n)));
                    }
                }
            }
        }
        change[0].push(minus(&falls(step)));
        rank[0].extend([constant(), minus(&falls(step))]);
        all.extend(self.combined(&change, &format!("down!{step}")));
        let idle = Term::eq(falls(step), number(0));
        let bounded = self.combined(&rank, &format!("above!{step}"));
        all.extend(bounded.into_iter().map(|e| Term::any([idle.clone(), e])));
        all.push(Term::any([idle, Term::le(number(1), falls(step))]));
        Some(all)
    }

    /// That a form, given by the terms that make up each of its coefficients, is a sum of what is
    /// known with factors that are not negative.
    fn combined(&self, form: &[Vec<Term>], name: &str) -> Vec<Term> {
        let factor = |n: usize| Symbol::constant(format!("{name}!{n}"), Sort::Real).term();
        let mut all = Vec::new();
        for (n, (_, is_zero)) in self.known.iter().enumerate() {
            if !is_zero {
                all.push(Term::le(number(0), factor(n)));
            }
        }
        let rest = factor(self.known.len());
        all.push(Term::le(number(0), rest.clone()));
        for (column, terms) in form.iter().enumerate() {
            let known = self.known.iter().enumerate();
            let mut sums: Vec<Term> =
                known.filter_map(|(n, (v, _))| times(v[column].clone(), &factor(n))).collect();
            if column == 0 {
                sums.push(rest.clone());
            }
            all.push(Term::eq(sum(terms.clone()), sum(sums)));
        }
        all
    }
}

/// The inequalities that a formula has among its conjuncts.
fn inequalities(
    e: &Term,
    negated: bool,
    form: &dyn Fn(&Term) -> Option<Vector>,
    found: &mut Vec<(Vector, bool)>,
) {
    let least = |a: &Term, b: &Term, by: i64| -> Option<(Vector, bool)> {
        let mut vector: Vector = form(a)?.iter().zip(&form(b)?).map(|(x, y)| x - y).collect();
        vector[0] -= by;
        Some((vector, false))
    };
    let is_int = |e: &Term| *e.sort() == Sort::Int;
    match (e.op(), e.arguments(), negated) {
        (Op::And, parts, false) | (Op::Or, parts, true) => {
            parts.iter().for_each(|part| inequalities(part, negated, form, found));
        }
        (Op::Not, [inner], _) => inequalities(inner, !negated, form, found),
        (Op::Less, [a, b], false) if is_int(a) => found.extend(least(b, a, 1)),
        (Op::LessEqual, [a, b], false) if is_int(a) => found.extend(least(b, a, 0)),
        (Op::Less, [a, b], true) if is_int(a) => found.extend(least(a, b, 0)),
        (Op::LessEqual, [a, b], true) if is_int(a) => found.extend(least(a, b, 1)),
        (Op::Equal, [a, b], false) if is_int(a) => {
            found.extend(least(a, b, 0).map(|(vector, _)| (vector, true)));
        }
        _ => {}
    }
}

/// The rank that a model has, in whole numbers.
fn whole(model: &Model, columns: &[Symbol]) -> Option<Term> {
    let value = |e: &Term| match model.constant(e.as_symbol()?) {
        Value::Real(value) => Some(value),
        _ => None,
    };
    let factors: Vec<Rational> = (0..columns.len()).map(|n| value(&coefficient(n))).collect::<Option<_>>()?;
    let constant = value(&constant())?;
    let common = factors.iter().chain([&constant]).fold(BigInt::one(), |m, q| m.lcm(q.denom()));
    let scaled = |q: &Rational| (q * Rational::from(common.clone())).to_integer();
    let mut rank = Term::int(scaled(&constant));
    for (factor, symbol) in factors.iter().map(scaled).zip(columns) {
        let size = factor.abs();
        let part = if size.is_one() { symbol.term() } else { Term::int(size.clone()).times(&symbol.term()) };
        rank = match (size.is_zero(), factor.is_negative()) {
            (true, _) => rank,
            (_, true) => rank.minus(&part),
            (_, false) => Term::sum(&part, &rank),
        };
    }
    Some(rank)
}

fn number(n: i64) -> Term {
    Term::real(Rational::from(BigInt::from(n)))
}

fn sum(terms: Vec<Term>) -> Term {
    match &terms[..] {
        [] => number(0),
        [one] => one.clone(),
        _ => Term::of(Op::Add, terms),
    }
}

fn times(factor: BigInt, e: &Term) -> Option<Term> {
    match factor.is_zero() {
        true => None,
        false if factor.is_one() => Some(e.clone()),
        false => Some(Term::real(Rational::from(factor)).times(e)),
    }
}

fn minus(e: &Term) -> Term {
    number(-1).times(e)
}

/// The coefficient of a number in the rank.
fn coefficient(n: usize) -> Term {
    Symbol::constant(format!("rank!{n}"), Sort::Real).term()
}

fn constant() -> Term {
    Symbol::constant("rank!", Sort::Real).term()
}

/// By how much a step lets the rank fall.
fn falls(step: usize) -> Term {
    Symbol::constant(format!("falls!{step}"), Sort::Real).term()
}
