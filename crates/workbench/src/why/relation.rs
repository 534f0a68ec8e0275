//! Assertions of a fair transition system with their values in a state, and a formula along a run.

use super::course::{Course, Letters};
use crate::report::Valued;
use logic::fol::{Binder, Interpretation, Op, Quantifier, Sort, Symbol, Term, Value, domain, evaluate_under};
use logic::ltl::{Formula, Syntax};
use num_bigint::BigInt;
use space::{Path, Reference as _};
use system::fts::step::{In, State, Valuation};
use system::fts::{Fairness, Fts, Reference};

/// A formula along a run that breaks it.
pub(crate) fn course(
    fts: &Fts,
    given: &Valuation,
    formula: &Formula<Term>,
    path: &Path<State>,
) -> Option<Course> {
    let (formula, atoms) = formula.clone().numbered();
    let first = path.states.first();
    let reference = Reference { fts, given, fairness: Fairness::None, atoms: &atoms, first };
    let back = path.loop_start.and_then(|at| path.states.get(at));
    let states = path.states.iter().chain(back);
    let letters = states.map(|state| reference.letter(state).map(Some)).collect::<Result<_, _>>().ok()?;
    let text = |atom: usize| worded(fts, &atoms[atom]).to_string();
    Letters { letters, loop_start: path.loop_start }.course(&formula, Syntax::Step, &text)
}

/// The assertions of a formula in the last state of a run that is only a beginning.
pub(crate) fn at_end(
    fts: &Fts,
    given: &Valuation,
    formula: &Formula<Term>,
    path: &Path<State>,
) -> Vec<Valued> {
    let (Some(state), None) = (path.states.last(), path.loop_start) else { return Vec::new() };
    let with = In { fts, given, state, extra: Vec::new() };
    let (_, atoms) = formula.clone().numbered();
    let valued = |atom: &Term| Explained { fts, with: &with, bound: Vec::new() }.valued(atom);
    atoms.iter().filter_map(valued).collect()
}

/// A term in the words of the program: that a thread is at a location is the name of the location.
fn worded(fts: &Fts, term: &Term) -> Term {
    location(fts, term).unwrap_or_else(|| {
        let parts = term.arguments().iter().map(|part| worded(fts, part));
        Term::of(term.op().clone(), parts)
    })
}

/// The location that a comparison of control with a number is about.
fn location(fts: &Fts, term: &Term) -> Option<Term> {
    let (Op::Equal, [control, number]) = (term.op(), term.arguments()) else { return None };
    let (variable, replica) = match (control.op(), control.arguments()) {
        (Op::Select, [array, replica]) => (array, Some(replica)),
        _ => (control, None),
    };
    let thread = fts.threads.iter().find(|t| Some(&t.control) == variable.as_symbol())?;
    let Op::Int(number) = number.op() else { return None };
    let label = thread.locations.get(usize::try_from(number).ok()?)?.labels.first()?;
    let sorts = replica.iter().map(|r| r.sort().clone()).collect();
    let symbol = Symbol::function(label.as_str(), sorts, Sort::Bool);
    Some(symbol.apply(replica.cloned()))
}

/// Explains the values of terms; bound variables have the values of the instance that decides.
struct Explained<'a> {
    fts: &'a Fts,
    with: &'a dyn Interpretation,
    bound: Vec<(Symbol, Value)>,
}

impl Explained<'_> {
    fn value(&self, term: &Term) -> Option<Value> {
        evaluate_under(term, self.with, self.bound.clone())
    }

    fn is(&self, term: &Term, truth: bool) -> bool {
        self.value(term).and_then(|value| value.as_bool()) == Some(truth)
    }

    fn valued(&self, term: &Term) -> Option<Valued> {
        let value = self.value(term)?;
        let text = worded(self.fts, term).to_string();
        Some(Valued { text, value: value.to_string(), parts: self.parts(term, &value) })
    }

    /// The parts that make the value what it is.
    fn parts(&self, term: &Term, value: &Value) -> Vec<Valued> {
        let arguments = term.arguments();
        let those = |truth: bool| {
            let found = arguments.iter().filter(|part| self.is(part, truth));
            found.filter_map(|part| self.valued(part)).collect()
        };
        if location(self.fts, term).is_some() {
            return Vec::new();
        }
        match (term.op(), value.as_bool()) {
            (Op::And, Some(false)) => those(false),
            (Op::Or, Some(true)) => those(true),
            (Op::And | Op::Or | Op::Implies | Op::Not | Op::Ite, _) => {
                arguments.iter().filter_map(|part| self.valued(part)).collect()
            }
            (Op::Quantified(quantifier, binders), Some(truth)) => {
                let decided = (*quantifier == Quantifier::Exists) == truth;
                let body = arguments.first().filter(|_| decided);
                body.and_then(|body| self.instance(binders, body, truth)).unwrap_or_default()
            }
            (Op::Quantified(..) | Op::Apply(_) | Op::Select, _) => Vec::new(),
            _ => self.read(term),
        }
    }

    /// Values of the bound variables with which the body has this truth, and why it has.
    fn instance(&self, binders: &[Binder], body: &Term, truth: bool) -> Option<Vec<Valued>> {
        let Some((binder, rest)) = binders.split_first() else {
            return self.is(body, truth).then(|| self.valued(body).into_iter().collect());
        };
        let range = match &binder.range {
            Some((low, high)) => Some((self.number(low)?, self.number(high)?)),
            None => None,
        };
        domain(&binder.symbol.sort, range)?.into_iter().find_map(|value| {
            let mut bound = self.bound.clone();
            bound.push((binder.symbol.clone(), value.clone()));
            let mut found =
                Explained { fts: self.fts, with: self.with, bound }.instance(rest, body, truth)?;
            let name = binder.symbol.name.to_string();
            found.insert(0, Valued { text: name, value: value.to_string(), parts: Vec::new() });
            Some(found)
        })
    }

    fn number(&self, term: &Term) -> Option<BigInt> {
        match self.value(term)? {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// The variables that a term reads, each once.
    fn read(&self, term: &Term) -> Vec<Valued> {
        let mut found: Vec<Term> = Vec::new();
        variables(term, &mut found);
        found.iter().filter_map(|variable| self.valued(variable)).collect()
    }
}

/// Variables, and elements of arrays, from left to right.
fn variables(term: &Term, found: &mut Vec<Term>) {
    let whole = matches!(term.op(), Op::Apply(_) | Op::Select);
    if whole && !found.contains(term) {
        found.push(term.clone());
    }
    if !whole {
        term.arguments().iter().for_each(|part| variables(part, found));
    }
}
