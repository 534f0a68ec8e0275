//! The assertions that states are told apart by: locations and small ranges as intervals, booleans, the comparisons of the program
//! and of the property, and templates: every number against the constants of the program and against every other number.

use super::steps::Step;
use crate::discharge::Judge;
use crate::translate;
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use solve::{Model, Term, evaluate};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use system::fts::{Domain, Expr, Mode, Op, Sort, Variable};

/// A predicate, and whether it is true.
pub type Literal = (usize, bool);

/// A set of states: those in which all literals are true. In rising order.
pub type Cube = Vec<Literal>;

/// Ranges up to this size are told apart value by value.
const SMALL: i64 = 40;
/// No more constants, and pairs of no more variables, than this.
const CONSTANTS: usize = 4;
const PAIRS: usize = 6;

#[derive(Clone, Debug)]
pub struct Predicate {
    pub formula: Expr,
    pub term: Term,
    pub symbols: BTreeSet<Arc<str>>,
    /// Of the numbers at most so much: the ladder it stands on, and its place.
    ladder: Option<(usize, usize)>,
}

#[derive(Default)]
pub struct Predicates {
    pub all: Vec<Predicate>,
    known: HashMap<Expr, usize>,
    /// For a number between bounds: `x <= low - 1`, `x <= low`, … `x <= high`.
    ladders: Vec<Vec<usize>>,
    climbed: HashSet<Expr>,
    /// Each predicate after each step, as far as it was asked for.
    after: HashMap<(usize, usize), (Expr, Term)>,
}

impl Predicates {
    pub fn new(judge: &Judge<'_>, steps: &[Step], property: &Expr) -> Predicates {
        let mut made = Predicates::default();
        let fts = judge.fts;
        let mut numbers = Vec::new();
        for variable in &fts.variables {
            for (of, sort, range) in elements(variable) {
                match (&sort, range) {
                    (Sort::Int, Some((low, high))) if high - low <= SMALL => made.ladder(&of, low, high),
                    (Sort::Int, _) if variable.mode != Mode::Control => numbers.push(of),
                    (Sort::Bool, _) => made.add(of),
                    (Sort::Enumeration(_, values), _) => {
                        let each = |at| Expr::eq(of.clone(), Expr::Constant(sort.clone(), at));
                        (0..values.len()).for_each(|at| made.add(each(at)));
                    }
                    (Sort::Sequence(_), _) => numbers.push(Expr::Apply(Op::Length, vec![of])),
                    (Sort::Data(data), _) => {
                        (0..data.constructors.len()).for_each(|n| made.add(Expr::is(of.clone(), n)));
                    }
                    _ => {}
                }
            }
        }
        // What a step chooses is no part of the state.
        let chosen = |name: &str| steps.iter().flat_map(|s| &s.chosen).any(|c| &*c.name == name);
        for formula in steps.iter().map(|s| &s.guard).chain([property, &fts.initial]) {
            made.add_atoms(formula, &chosen);
        }
        for constant in made.constants(steps, &fts.initial, property) {
            for of in &numbers {
                made.add(Expr::le(of.clone(), Expr::Int(constant.clone())));
                made.add(Expr::le(Expr::Int(constant.clone()), of.clone()));
            }
        }
        for (at, a) in numbers.iter().enumerate().take(PAIRS) {
            for b in numbers.iter().take(PAIRS).skip(at + 1) {
                made.add(Expr::le(a.clone(), b.clone()));
                made.add(Expr::le(b.clone(), a.clone()));
            }
        }
        made
    }

    fn ladder(&mut self, of: &Expr, low: i64, high: i64) {
        let at = self.ladders.len();
        self.ladders.push(Vec::new());
        // One rung below and one above: that the value stays within its bounds is for the search to show.
        for value in low - 1..=high {
            self.add(Expr::le(of.clone(), Expr::int(value)));
            let Some(last) = self.all.last_mut() else { continue };
            last.ladder = Some((at, self.ladders[at].len()));
            self.ladders[at].push(self.all.len() - 1);
        }
        self.climbed.insert(of.clone());
    }

    /// Adds the comparisons of a formula, except those with symbols that are no part of the state. Says how many are new.
    pub fn add_atoms(&mut self, formula: &Expr, foreign: &dyn Fn(&str) -> bool) -> usize {
        let before = self.all.len();
        atoms(formula, &mut |atom| {
            if !atom.symbols().keys().any(|name| foreign(name)) {
                self.add(atom);
            }
        });
        self.all.len() - before
    }

    fn add(&mut self, formula: Expr) {
        // a < b is the negation of b <= a.
        let formula = match formula {
            Expr::Apply(Op::Less, parts) => Expr::le(parts[1].clone(), parts[0].clone()),
            Expr::Apply(Op::Not, parts) => return parts.into_iter().for_each(|p| self.add(p)),
            other => other,
        };
        let constant = matches!(formula, Expr::Bool(_)) || formula.symbols().is_empty();
        if constant || self.known.contains_key(&formula) || self.on_a_ladder(&formula) {
            return;
        }
        let Ok(term) = translate::term(&formula) else { return };
        let symbols = formula.symbols().into_keys().collect();
        self.known.insert(formula.clone(), self.all.len());
        self.all.push(Predicate { formula, term, symbols, ladder: None });
    }

    /// Whether a comparison with a constant is told by a ladder.
    fn on_a_ladder(&self, formula: &Expr) -> bool {
        let Expr::Apply(Op::LessEqual, parts) = formula else { return false };
        let constant = |e: &Expr| matches!(e, Expr::Int(_));
        constant(&parts[0]) && self.climbed.contains(&parts[1])
            || constant(&parts[1]) && self.climbed.contains(&parts[0])
    }

    /// The predicates of a model that tell the most: of a ladder only the two rungs around the value, of several
    /// equalities only the true one.
    pub fn cube(&self, model: &Model) -> Cube {
        let values: Vec<Option<bool>> =
            self.all.iter().map(|p| evaluate(&p.term, model).ok().map(|v| v.is_true())).collect();
        let telling = |at: usize, value: bool| match self.all[at].ladder {
            Some((ladder, rung)) if value => {
                rung == 0 || values[self.ladders[ladder][rung - 1]] == Some(false)
            }
            Some((ladder, rung)) => {
                self.ladders[ladder].get(rung + 1).is_none_or(|next| values[*next] == Some(true))
            }
            None => true,
        };
        let known = values.iter().enumerate().filter_map(|(at, v)| Some((at, (*v)?)));
        known.filter(|(at, value)| telling(*at, *value)).collect()
    }

    pub fn literal(&self, (at, value): Literal) -> Term {
        let term = &self.all[at].term;
        if value { term.clone() } else { term.negated() }
    }

    pub fn formula(&self, (at, value): Literal) -> Expr {
        let formula = self.all[at].formula.clone();
        if value { formula } else { Expr::negation(formula) }
    }

    /// What must hold before a step so that the literal holds after it.
    pub fn literal_after(
        &mut self,
        number: usize,
        step: &Step,
        (at, value): Literal,
    ) -> Option<(Expr, Term)> {
        if !self.after.contains_key(&(number, at)) {
            let formula = step.after(&self.all[at].formula);
            let term = translate::term(&formula).ok()?;
            self.after.insert((number, at), (formula, term));
        }
        let (formula, term) = &self.after[&(number, at)];
        Some(match value {
            true => (formula.clone(), term.clone()),
            false => (Expr::negation(formula.clone()), term.negated()),
        })
    }

    /// 0 and the constants that numbers are compared with or set to, small ones first; those of ladders do not count.
    fn constants(&self, steps: &[Step], initial: &Expr, property: &Expr) -> Vec<BigInt> {
        let mut found = BTreeSet::from([BigInt::from(0)]);
        let mut sides = |e: &Expr| {
            atoms(e, &mut |atom| {
                if let Expr::Apply(_, parts) = &atom
                    && !parts.iter().any(|p| self.climbed.contains(p))
                {
                    found.extend(parts.iter().filter_map(number));
                }
            });
        };
        sides(property);
        sides(initial);
        steps.iter().for_each(|s| sides(&s.guard));
        let set = steps.iter().flat_map(|s| &s.updates).filter(|(s, _)| !self.climbed.contains(&s.expr()));
        found.extend(set.filter_map(|(_, value)| number(value)));
        let mut found: Vec<BigInt> = found.into_iter().collect();
        found.sort_by_key(|n| n.magnitude().clone());
        found.truncate(CONSTANTS);
        found
    }
}

fn number(e: &Expr) -> Option<BigInt> {
    if let Expr::Int(n) = e { Some(n.clone()) } else { None }
}

/// Something with a value: how it is read, its sort, and the least and greatest value if they are known.
type Element = (Expr, Sort, Option<(i64, i64)>);

/// The parts of a variable that have a value of their own: itself, or the elements of an array with known bounds.
fn elements(variable: &Variable) -> Vec<Element> {
    let range = |domain: Option<&Domain>| match domain {
        Some(Domain::Range { low: Expr::Int(low), high: Expr::Int(high) }) => low.to_i64().zip(high.to_i64()),
        _ => None,
    };
    match (&variable.symbol.sort, &variable.range) {
        (
            Sort::Array(element),
            Some(Domain::Array { low: Expr::Int(low), high: Expr::Int(high), element: inner }),
        ) => {
            let bounds = low.to_i64().zip(high.to_i64());
            let Some((low, high)) = bounds.filter(|(low, high)| high - low <= SMALL) else {
                return Vec::new();
            };
            let at = |i: i64| Expr::select(variable.symbol.expr(), Expr::int(i));
            (low..=high).map(|i| (at(i), (**element).clone(), range(inner.as_deref()))).collect()
        }
        (sort, domain) => vec![(variable.symbol.expr(), sort.clone(), range(domain.as_ref()))],
    }
}

/// The largest parts of a formula that no connective makes; an equation between numbers as two comparisons.
pub fn atoms(e: &Expr, found: &mut dyn FnMut(Expr)) {
    match e {
        Expr::Apply(Op::Not | Op::And | Op::Or | Op::Implies | Op::Iff, parts) => {
            parts.iter().for_each(|p| atoms(p, found));
        }
        Expr::Apply(Op::Ite, parts) if parts[1].sort() == Sort::Bool => {
            parts.iter().for_each(|p| atoms(p, found))
        }
        Expr::Apply(Op::Equal, parts) if parts[0].sort() == Sort::Bool => {
            parts.iter().for_each(|p| atoms(p, found))
        }
        Expr::Apply(op @ (Op::Equal | Op::Less | Op::LessEqual), parts) => {
            if let Some((condition, then, otherwise)) = split(*op, parts) {
                [condition, then, otherwise].iter().for_each(|p| atoms(p, found));
            } else if *op == Op::Equal && matches!(parts[0].sort(), Sort::Int | Sort::Real) {
                found(Expr::le(parts[0].clone(), parts[1].clone()));
                found(Expr::le(parts[1].clone(), parts[0].clone()));
            } else {
                found(e.clone());
            }
        }
        // What quantifiers say is not seen by the predicates.
        Expr::Quantified(..) | Expr::Bool(_) => {}
        e => found(e.clone()),
    }
}

/// A comparison whose side is a choice: the condition, and the comparison with each of the two.
fn split(op: Op, parts: &[Expr]) -> Option<(Expr, Expr, Expr)> {
    let at = parts.iter().position(|p| matches!(p, Expr::Apply(Op::Ite, _)))?;
    let Expr::Apply(_, choice) = &parts[at] else { return None };
    let with = |value: &Expr| {
        let mut parts = parts.to_vec();
        parts[at] = value.clone();
        Expr::rebuild(op, parts)
    };
    Some((choice[0].clone(), with(&choice[1]), with(&choice[2])))
}
