//! The assertions that states are distinguished by: locations and small ranges as intervals,
//! booleans, the comparisons of the program and of the property, and templates: every number
//! against the constants of the program and against every other number.

use super::steps::Step;
use crate::discharge::Judge;
use logic::fol::{Op, Sort, Term, holds};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use solve::Model;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use system::fts::{Domain, Mode, Variable};

/// A predicate, and whether it is true.
pub(crate) type Literal = (usize, bool);

/// A set of states: those in which all literals are true. In rising order.
pub type Cube = Vec<Literal>;

/// Ranges up to this size are distinguished value by value.
const SMALL: i64 = 40;
/// No more constants, and pairs of no more variables, than this.
const CONSTANTS: usize = 4;
const PAIRS: usize = 6;

#[derive(Clone, Debug)]
pub struct Predicate {
    pub formula: Term,
    pub symbols: BTreeSet<Arc<str>>,
    /// Of the numbers at most so much: the ladder it stands on, and its place.
    ladder: Option<(usize, usize)>,
}

#[derive(Default)]
pub(crate) struct Predicates {
    pub all: Vec<Predicate>,
    known: HashMap<Term, usize>,
    /// For a number between bounds: `x <= low - 1`, `x <= low`, … `x <= high`.
    ladders: Vec<Vec<usize>>,
    climbed: HashSet<Term>,
    /// Each predicate after each step, as far as it was asked for.
    after: HashMap<(usize, usize), Term>,
}

impl Predicates {
    pub(crate) fn new(judge: &Judge<'_>, steps: &[Step], property: &Term) -> Predicates {
        let mut made = Predicates::default();
        let fts = judge.fts;
        let mut numbers = Vec::new();
        for variable in &fts.variables {
            for (of, sort, range) in elements(variable) {
                match (&sort, range) {
                    (Sort::Int, Some((low, high))) if high - low <= SMALL => made.ladder(&of, low, high),
                    (Sort::Int, _) if variable.mode != Mode::Control => numbers.push(of),
                    (Sort::Bool, _) => made.add(of),
                    (Sort::Data(data), _) if data.is_enumeration() => {
                        let each = |at| Term::eq(of.clone(), Term::construct(&sort, at, []));
                        (0..data.constructors.len()).for_each(|at| made.add(each(at)));
                    }
                    (Sort::Sequence(_), _) => numbers.push(of.length()),
                    (Sort::Data(data), _) => {
                        (0..data.constructors.len()).for_each(|n| made.add(Term::made_by(&of, n)));
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
                made.add(Term::le(of.clone(), Term::int(constant.clone())));
                made.add(Term::le(Term::int(constant.clone()), of.clone()));
            }
        }
        for (at, a) in numbers.iter().enumerate().take(PAIRS) {
            for b in numbers.iter().take(PAIRS).skip(at + 1) {
                made.add(Term::le(a.clone(), b.clone()));
                made.add(Term::le(b.clone(), a.clone()));
            }
        }
        made
    }

    fn ladder(&mut self, of: &Term, low: i64, high: i64) {
        let at = self.ladders.len();
        self.ladders.push(Vec::new());
        // One rung below and one above: that the value stays within its bounds is for the search to
        // show.
        for value in low - 1..=high {
            self.add(Term::le(of.clone(), Term::int(value)));
            let Some(last) = self.all.last_mut() else { continue };
            last.ladder = Some((at, self.ladders[at].len()));
            self.ladders[at].push(self.all.len() - 1);
        }
        self.climbed.insert(of.clone());
    }

    /// Adds the comparisons of a formula, except those with symbols that are no part of the state.
    /// Says how many are new.
    pub(crate) fn add_atoms(&mut self, formula: &Term, foreign: &dyn Fn(&str) -> bool) -> usize {
        let before = self.all.len();
        atoms(formula, &mut |atom| {
            if !atom.symbols().keys().any(|name| foreign(name)) {
                self.add(atom);
            }
        });
        self.all.len() - before
    }

    fn add(&mut self, formula: Term) {
        // a < b is the negation of b <= a.
        let formula = match (formula.op(), formula.arguments()) {
            (Op::Less, [a, b]) => Term::le(b.clone(), a.clone()),
            (Op::Not, [a]) => return self.add(a.clone()),
            _ => formula,
        };
        let constant = *formula.sort() != Sort::Bool || formula.symbols().is_empty();
        if constant || self.known.contains_key(&formula) || self.on_a_ladder(&formula) {
            return;
        }
        let symbols = formula.symbols().into_keys().collect();
        self.known.insert(formula.clone(), self.all.len());
        self.all.push(Predicate { formula, symbols, ladder: None });
    }

    /// Whether a comparison with a constant is covered by a ladder.
    fn on_a_ladder(&self, formula: &Term) -> bool {
        let (Op::LessEqual, [a, b]) = (formula.op(), formula.arguments()) else { return false };
        let constant = |e: &Term| matches!(e.op(), Op::Int(_));
        constant(a) && self.climbed.contains(b) || constant(b) && self.climbed.contains(a)
    }

    /// The predicates of a model that tell the most: of a ladder only the two rungs around the
    /// value, of several equalities only the true one.
    pub(crate) fn cube(&self, model: &Model) -> Cube {
        let values: Vec<Option<bool>> = self.all.iter().map(|p| holds(&p.formula, model)).collect();
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

    pub fn formula(&self, (at, value): Literal) -> Term {
        let formula = self.all[at].formula.clone();
        if value { formula } else { Term::negation(formula) }
    }

    /// What must hold before a step so that the literal holds after it.
    pub(crate) fn literal_after(&mut self, number: usize, step: &Step, (at, value): Literal) -> Term {
        let formula = &self.all[at].formula;
        let after = self.after.entry((number, at)).or_insert_with(|| step.after(formula)).clone();
        if value { after } else { Term::negation(after) }
    }

    /// 0 and the constants that numbers are compared with or set to, small ones first; those of
    /// ladders do not count.
    fn constants(&self, steps: &[Step], initial: &Term, property: &Term) -> Vec<BigInt> {
        let mut found = BTreeSet::from([BigInt::from(0)]);
        let mut sides = |e: &Term| {
            atoms(e, &mut |atom| {
                let parts = atom.arguments();
                if !parts.iter().any(|p| self.climbed.contains(p)) {
                    found.extend(parts.iter().filter_map(number));
                }
            });
        };
        sides(property);
        sides(initial);
        steps.iter().for_each(|s| sides(&s.guard));
        let set = steps.iter().flat_map(|s| &s.updates).filter(|(s, _)| !self.climbed.contains(&s.term()));
        found.extend(set.filter_map(|(_, value)| number(value)));
        let mut found: Vec<BigInt> = found.into_iter().collect();
        found.sort_by_key(|n| n.magnitude().clone());
        found.truncate(CONSTANTS);
        found
    }
}

fn number(e: &Term) -> Option<BigInt> {
    if let Op::Int(n) = e.unwidened().op() { Some(n.clone()) } else { None }
}

/// Something with a value: how it is read, its sort, and the least and greatest value if they are
/// known.
type Element = (Term, Sort, Option<(i64, i64)>);

/// The parts of a variable that have a value of their own: itself, or the elements of an array with
/// known bounds.
fn elements(variable: &Variable) -> Vec<Element> {
    let range = |domain: Option<&Domain>| match domain {
        Some(Domain::Range { low, high }) => number(low)?.to_i64().zip(number(high)?.to_i64()),
        _ => None,
    };
    match (&variable.symbol.sort, &variable.range) {
        (Sort::Array(_, element), Some(Domain::Array { low, high, element: inner })) => {
            let bounds = number(low).zip(number(high));
            let bounds = bounds.and_then(|(low, high)| low.to_i64().zip(high.to_i64()));
            let Some((low, high)) = bounds.filter(|(low, high)| high - low <= SMALL) else {
                return Vec::new();
            };
            let at = |i: i64| variable.symbol.term().select(&Term::int(i));
            (low..=high).map(|i| (at(i), (**element).clone(), range(inner.as_deref()))).collect()
        }
        (sort, domain) => vec![(variable.symbol.term(), sort.clone(), range(domain.as_ref()))],
    }
}

/// The largest parts of a formula that no connective makes; an equation between numbers as two
/// comparisons.
pub fn atoms(e: &Term, found: &mut dyn FnMut(Term)) {
    let parts = e.arguments();
    match e.op() {
        Op::Not | Op::And | Op::Or | Op::Implies | Op::Ite => parts.iter().for_each(|p| atoms(p, found)),
        Op::Equal if *parts[0].sort() == Sort::Bool => parts.iter().for_each(|p| atoms(p, found)),
        op @ (Op::Equal | Op::Less | Op::LessEqual) => {
            if let Some((condition, then, otherwise)) = split(op, parts) {
                [condition, then, otherwise].iter().for_each(|p| atoms(p, found));
            } else if *op == Op::Equal && matches!(parts[0].sort(), Sort::Int | Sort::Real) {
                found(Term::le(parts[0].clone(), parts[1].clone()));
                found(Term::le(parts[1].clone(), parts[0].clone()));
            } else {
                found(e.clone());
            }
        }
        // What quantifiers say is not seen by the predicates.
        Op::Quantified(..) | Op::True | Op::False => {}
        _ => found(e.clone()),
    }
}

/// A comparison whose side is a choice: the condition, and the comparison with each of the two.
fn split(op: &Op, parts: &[Term]) -> Option<(Term, Term, Term)> {
    let at = parts.iter().position(|p| *p.op() == Op::Ite)?;
    let choice = parts[at].arguments();
    let with = |value: &Term| {
        let mut parts = parts.to_vec();
        parts[at] = value.clone();
        Term::tidied(op.clone(), parts)
    };
    Some((choice[0].clone(), with(&choice[1]), with(&choice[2])))
}
