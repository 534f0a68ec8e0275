//! The graph of control of a system: what its variables with few values do, as long as a goal is
//! not reached.
//!
//! A vertex gives values to locations, truth values, enumerations and small ranges; an edge is a
//! step that may lead from a state of one vertex to a state of another that is not yet the goal.
//! The solver says which steps are possible, from what is known; where it cannot tell, an edge is
//! kept. So the graph has at least the edges of the system.

use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use crate::pdr::steps::{Step, steps};
use logic::fol::{Op, Sort, Term, Value, domain, evaluate, holds};
use num_traits::ToPrimitive;
use solve::Answer;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::step::Valuation;
use system::fts::{Domain, Fts, Mode, Variable};

/// No more vertices than this.
const VERTICES: usize = 160;
/// A range with more values than this is no control.
const VALUES: i64 = 6;

/// A step between vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) step: usize,
}

pub(super) struct Graph<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) background: &'a [Lemma],
    /// What holds wherever the goal is not reached: what is given, and that it is not.
    pub(super) before: Term,
    pub(super) steps: Vec<Step>,
    pub(super) vertices: Vec<Valuation>,
    pub(super) edges: Vec<Edge>,
    control: Vec<Part>,
}

/// A part of a vertex: a variable with few values, or the truth of a formula.
struct Part {
    name: Arc<str>,
    term: Term,
    values: Vec<Value>,
}

impl Part {
    fn of_formula((n, term): (usize, &Term)) -> Part {
        let values = vec![Value::Bool(false), Value::Bool(true)];
        Part { name: format!("truth!{n}").into(), term: term.clone(), values }
    }
}

impl<'a> Graph<'a> {
    /// The graph from the states in which `from` holds and the goal is not reached; its vertices
    /// tell which formulas are true.
    pub(super) fn new(
        judge: &'a Judge<'a>,
        background: &'a [Lemma],
        (from, before): (&Term, Term),
        formulas: &[Term],
    ) -> Result<Graph<'a>, &'static str> {
        let steps = steps(judge.fts).ok_or("the number of processes is not known")?;
        let steps: Vec<Step> = steps.iter().map(|step| step.apart(0)).collect();
        let variables = judge.fts.variables.iter().filter_map(|v| few(judge.fts, v));
        let control = variables.chain(formulas.iter().enumerate().map(Part::of_formula)).collect();
        let (vertices, edges) = (Vec::new(), Vec::new());
        let mut graph = Graph { judge, background, before, steps, vertices, edges, control };
        graph.begin(from)?;
        let mut at = 0;
        while at < graph.vertices.len() {
            for step in 0..graph.steps.len() {
                graph.follow(at, step)?;
            }
            at += 1;
        }
        Ok(graph)
    }

    /// That control is at a vertex.
    pub(super) fn at(&self, vertex: usize) -> Term {
        let values = &self.vertices[vertex];
        let here = |part: &Part| Some(equal(&part.term, values.get(&part.name)?));
        Term::all(self.control.iter().filter_map(here))
    }

    /// Whether an assertion implies another where the goal is not reached.
    pub(super) fn implies(&self, given: Term, goal: Term) -> bool {
        let given = Term::all([self.before.clone(), given]);
        self.judge.is_valid(&Condition::implication("", given, goal, self.background))
    }

    /// The vertices of states in which an assertion holds.
    fn begin(&mut self, from: &Term) -> Result<(), &'static str> {
        let mut elsewhere = Term::all([self.before.clone(), from.clone()]);
        loop {
            let none = Condition::implication("", elsewhere.clone(), Term::truth(false), self.background);
            let model = match self.judge.answer(&none) {
                Answer::Valid { .. } => return Ok(()),
                Answer::Invalid { model } => model,
                Answer::Unknown { .. } => return Err("it is not known where control is initially"),
            };
            let value = |part: &Part| Some((part.name.clone(), evaluate(&part.term, &*model)?));
            let vertex: Option<Valuation> = self.control.iter().map(value).collect();
            let vertex = vertex.ok_or("it is not known where control is initially")?;
            let at = self.vertex(vertex)?;
            elsewhere = Term::all([elsewhere, Term::negation(self.at(at))]);
        }
    }

    fn vertex(&mut self, vertex: Valuation) -> Result<usize, &'static str> {
        if let Some(at) = self.vertices.iter().position(|v| *v == vertex) {
            return Ok(at);
        }
        if self.vertices.len() >= VERTICES || self.judge.is_over() {
            return Err("control can be at too many places");
        }
        self.vertices.push(vertex);
        Ok(self.vertices.len() - 1)
    }

    /// Where a step may lead from a vertex.
    fn follow(&mut self, from: usize, at: usize) -> Result<(), &'static str> {
        let here = self.vertices[from].clone();
        let step = self.steps[at].clone();
        if step.guard.conjuncts().iter().any(|part| holds(part, &here) == Some(false)) {
            return Ok(());
        }
        let open = step.after(&self.before);
        for (to, which) in self.targets(&step, &here) {
            let taken = Term::all([self.at(from), step.guard.clone(), open.clone(), which]);
            if !self.implies(taken, Term::truth(false)) {
                let to = self.vertex(to)?;
                self.edges.push(Edge { from, to, step: at });
            }
        }
        Ok(())
    }

    /// The vertices that a step may lead to, each with when it does.
    fn targets(&self, step: &Step, here: &Valuation) -> Vec<(Valuation, Term)> {
        let mut found = vec![(here.clone(), Term::truth(true))];
        for Part { name, term, values } in &self.control {
            if !term.symbols().keys().any(|name| step.changes(name)) {
                continue;
            }
            let new = &step.after(term);
            let known = evaluate(new, here);
            let possible = known.as_ref().map_or(&values[..], std::slice::from_ref);
            let with = |(vertex, when): &(Valuation, Term)| -> Vec<(Valuation, Term)> {
                let one = |value: &Value| {
                    let mut vertex = vertex.clone();
                    vertex.insert(name.clone(), value.clone());
                    let equal = if known.is_some() { Term::truth(true) } else { equal(new, value) };
                    (vertex, Term::all([when.clone(), equal]))
                };
                possible.iter().map(one).collect()
            };
            found = found.iter().flat_map(with).collect();
        }
        found
    }
}

fn equal(e: &Term, value: &Value) -> Term {
    match value.as_bool() {
        Some(true) => e.clone(),
        Some(false) => Term::negation(e.clone()),
        None => Term::eq(e.clone(), value.term()),
    }
}

/// A variable that has few values, with all of them.
fn few(fts: &Fts, variable: &Variable) -> Option<Part> {
    let symbol = &variable.symbol;
    let values = match (&symbol.sort, &variable.range) {
        (Sort::Int, _) if variable.mode == Mode::Control => {
            let thread = fts.threads.iter().find(|t| t.control == *symbol)?;
            let low = if thread.nested { -1 } else { 0 };
            (low..thread.locations.len() as i64).map(Value::int).collect()
        }
        (Sort::Int, Some(Domain::Range { low, high })) => {
            let number = |e: &Term| evaluate(e, &BTreeMap::new())?.as_int()?.to_i64();
            let (low, high) = (number(low)?, number(high)?);
            if high - low >= VALUES {
                return None;
            }
            (low..=high).map(Value::int).collect()
        }
        (Sort::Bool, _) => domain(&Sort::Bool, None)?,
        (sort, _) if sort.is_enumeration() => domain(sort, None)?,
        _ => return None,
    };
    fts.changes(&symbol.name).then(|| Part { name: symbol.name.clone(), term: symbol.term(), values })
}

/// The comparisons of a formula, as the differences that they are about: positive as long as they
/// hold.
pub(super) fn differences(e: &Term, found: &mut Vec<Term>) {
    match (e.op(), e.arguments()) {
        (Op::Quantified(..), _) => {}
        (Op::Less | Op::LessEqual, [a, b]) if *a.sort() == Sort::Int && *b.sort() == Sort::Int => {
            found.push(b.minus(a));
            found.push(a.minus(b));
        }
        (Op::Equal, [a, b]) if *a.sort() == Sort::Int && *b.sort() == Sort::Int => {
            found.push(b.minus(a));
            found.push(a.minus(b));
        }
        (_, parts) => parts.iter().for_each(|part| differences(part, found)),
    }
}

/// The comparisons in a formula, but for those of truth values and enumerations.
pub(super) fn comparisons(e: &Term, found: &mut Vec<Term>) {
    match (e.op(), e.arguments()) {
        (Op::Quantified(..), _) => {}
        (Op::Less | Op::LessEqual | Op::Equal, [a, _])
            if *a.sort() != Sort::Bool && !a.sort().is_enumeration() =>
        {
            if !found.contains(e) {
                found.push(e.clone());
            }
        }
        (_, parts) => parts.iter().for_each(|part| comparisons(part, found)),
    }
}
