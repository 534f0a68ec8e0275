//! A path of steps, executed: either a run with values, or predicates that tell why there is none.

use super::{GaveUp, Search};
use crate::translate;
use solve::{Model, Value as Solved};
use std::collections::BTreeMap;
use system::fts::evaluate::evaluate;
use system::fts::step::{Given, In, State};
use system::fts::{Expr, Fts, Symbol, Value};

/// A run from an initial state: states, and the transition between each two.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// Rigid symbols, and what the property speaks of.
    pub given: Given,
    pub states: Vec<State>,
    pub transitions: Vec<usize>,
}

/// Preconditions with more operators and symbols than this are not followed any further: a product in a loop doubles them each time.
const LARGE: usize = 2_000_000;

impl Search<'_> {
    /// Takes some steps from an initial state to a bad one. If that is impossible, the comparisons that its preconditions are
    /// made of become predicates: then every cube on the way tells whether the rest of it can be gone.
    pub(super) fn execute(&mut self, path: &[usize]) -> Result<Option<Run>, GaveUp> {
        let steps: Vec<_> = path.iter().enumerate().map(|(n, at)| self.steps[*at].apart(n)).collect();
        let mut precondition = self.bad.clone();
        let mut preconditions = vec![precondition.clone()];
        for step in steps.iter().rev() {
            precondition = Expr::and([step.guard.clone(), step.after(&precondition)]);
            if precondition.size() > LARGE {
                return Err(GaveUp("a precondition becomes too large".to_string()));
            }
            preconditions.push(precondition.clone());
        }
        let term = translate::term(&precondition).map_err(|error| GaveUp(error.0))?;
        let initial = self.initial.clone();
        if let Ok(model) = self.consistent(&[initial, term])? {
            let run = self.run_of(&model, &steps);
            return run
                .map(Some)
                .ok_or_else(|| GaveUp("a run that breaks it has no values to show".to_string()));
        }
        if !path.is_empty() {
            self.refine(&preconditions, &steps)?;
        }
        Ok(None)
    }

    fn refine(&mut self, preconditions: &[Expr], steps: &[super::Step]) -> Result<(), GaveUp> {
        let chosen = |name: &str| steps.iter().flat_map(|s| &s.chosen).any(|c| &*c.name == name);
        let new: usize = preconditions.iter().map(|e| self.predicates.add_atoms(e, &chosen)).sum();
        if new == 0 {
            return Err(GaveUp("no predicate is left that would tell".to_string()));
        }
        if self.predicates.all.len() > self.effort.predicates {
            return Err(GaveUp("too many predicates".to_string()));
        }
        Ok(())
    }

    fn run_of(&self, model: &Model, steps: &[super::Step]) -> Option<Run> {
        let fts = self.judge.fts;
        let known: BTreeMap<&str, &Solved> = model.constants.iter().map(|(s, v)| (s.name(), v)).collect();
        let given = known.iter().filter(|(name, _)| fts.variable(name).is_none());
        let mut given: Given = given.filter_map(|(name, v)| Some(((*name).into(), value(v)?))).collect();
        for rigid in fts.rigid.iter().filter(|r| r.arguments.is_empty()) {
            given.entry(rigid.name.clone()).or_insert_with(|| Value::default_of(&rigid.result));
        }
        let first = fts.variables.iter().map(|v| initial_value(&v.symbol, &known));
        let mut states = vec![first.collect::<Option<State>>()?];
        for step in steps {
            let next = {
                let within = In { fts, given: &given, state: states.last()?, extra: Vec::new() };
                updated(fts, step, &within)?
            };
            states.push(next);
        }
        Some(Run { given, states, transitions: steps.iter().map(|s| s.transition).collect() })
    }
}

fn updated(fts: &Fts, step: &super::Step, within: &In<'_>) -> Option<State> {
    let mut next = within.state.to_vec();
    for (symbol, e) in &step.updates {
        let at = fts.variables.iter().position(|v| v.symbol.name == symbol.name)?;
        next[at] = evaluate(e, within)?;
    }
    Some(next)
}

/// The value of a variable at the beginning; any value will do if no formula speaks of it.
fn initial_value(symbol: &Symbol, known: &BTreeMap<&str, &Solved>) -> Option<Value> {
    match known.get(&*symbol.name) {
        Some(v) => value(v),
        None => Some(Value::default_of(&symbol.sort)),
    }
}

/// Enumerations of systems are datatypes without fields to the solver, and no other datatype is.
fn is_enumeration(sort: &solve::Sort) -> bool {
    sort.datatype().is_some_and(|data| data.constructors.iter().all(|c| c.fields.is_empty()))
}

/// A value of the solver as one of systems.
fn value(solved: &Solved) -> Option<Value> {
    Some(match solved {
        Solved::Bool(b) => Value::Bool(*b),
        Solved::Int(n) => Value::Int(n.clone()),
        Solved::Data(sort, n, fields) => {
            let fields = fields.iter().map(value).collect::<Option<Vec<_>>>()?;
            if is_enumeration(sort) { Value::Constant(*n) } else { Value::Data(*n, fields) }
        }
        Solved::Element(_, n) => Value::Constant(*n),
        Solved::Array(array) => {
            let entry = |(at, v): (&Solved, &Solved)| match at {
                Solved::Int(n) => Some((n.clone(), value(v)?)),
                _ => None,
            };
            let entries = array.entries.iter().map(entry).collect::<Option<_>>()?;
            Value::Array { entries, default: Box::new(value(&array.default)?) }
        }
        Solved::Queue(_, items) => Value::Sequence(items.iter().map(value).collect::<Option<_>>()?),
        Solved::Real(r) => Value::number(r.clone()),
        Solved::Bits(..) => return None,
    })
}
