//! Universal formulas: instances that the values at hand break, and the proof that there are none.
//!
//! First the paper's "trivial instantiations": a variable is tried with the terms that stand where
//! it stands (under the same function, at the index of the same sort of array, in a comparison with
//! it), or with what makes a sum that it is part of such a term (for `q[k + 1]` and `q[i]`: i - 1);
//! only instances that are false in the model are stated. When all of these hold, the formula is
//! asked whether it holds in the model for *all* values, with the model put into it: a question
//! without functions and arrays, for an engine of its own. Its counterexample, if there is one,
//! makes the next instance; if there is none, the model is one of the quantified formula, too
//! (model-based instantiation, Ge and de Moura 2009).

use super::ground::{Ground, Wanted};
use super::sat::Lit;
use crate::answer::{Answer, Assumption, Options, Solver};
use crate::model::Model;
use logic::fol::{Op, Quantifier, Sort, Symbol, Term, Value, evaluate_under, free_symbols, values_of};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::Ordering;

pub(crate) enum Instances {
    /// All universal formulas hold in the model.
    None,
    Made,
    Unknown(String),
}

/// Instances of one formula in one round.
const AT_ONCE: usize = 40;

/// Combinations of terms that are tried in one round.
const TRIED: usize = 4_000;

pub(crate) fn instantiate(ground: &mut Ground) -> Instances {
    let active: Vec<(Lit, Term)> =
        ground.universals.iter().filter(|(l, _)| ground.value(*l) == Some(true)).cloned().collect();
    let mut made = 0;
    for (literal, formula) in &active {
        let Some(variables) = universal(formula) else {
            return Instances::Unknown(Undecided::Inside.to_string());
        };
        if ground.limits.cancel.load(Ordering::Relaxed) {
            return Instances::Unknown("cancelled".to_owned());
        }
        made += broken_instances(ground, *literal, formula, &variables);
    }
    if made == 0 {
        for (literal, formula) in &active {
            match counterexample(ground, formula) {
                Ok(None) => {}
                Ok(Some(terms)) if state(ground, *literal, formula, terms.clone()) => made += 1,
                Ok(Some(_)) => return Instances::Unknown("an instance did not help".to_owned()),
                Err(why) => return Instances::Unknown(why.to_string()),
            }
        }
        if made == 0 {
            return Instances::None;
        }
    }
    match ground.limits.instances.checked_sub(made) {
        Some(left) => ground.limits.instances = left,
        None => return Instances::Unknown("too many instances of quantified formulas".to_owned()),
    }
    Instances::Made
}

/// The variables of a universal formula.
fn universal(formula: &Term) -> Option<Vec<Symbol>> {
    match formula.op() {
        Op::Quantified(Quantifier::Forall, binders) => {
            Some(binders.iter().map(|b| b.symbol.clone()).collect())
        }
        _ => None,
    }
}

fn state(ground: &mut Ground, literal: Lit, formula: &Term, terms: Vec<Term>) -> bool {
    let new = ground.instances.insert((formula.clone(), terms.clone()));
    if new {
        ground.wanted.push(Wanted::Instance(literal, formula.clone(), terms));
    }
    new
}

/// States instances over terms at hand that are false in the model; how many.
fn broken_instances(ground: &mut Ground, literal: Lit, formula: &Term, variables: &[Symbol]) -> usize {
    let body = &formula.arguments()[0];
    let candidates: Vec<Vec<(Value, Term)>> =
        variables.iter().map(|v| candidates(ground, v, variables, body)).collect();
    let combinations: usize = candidates.iter().map(Vec::len).product();
    let mut made = 0;
    for n in 0..combinations.min(TRIED) {
        if ground.limits.cancel.load(Ordering::Relaxed) {
            break;
        }
        let mut rest = n;
        let mut choice = Vec::new();
        for list in &candidates {
            choice.push(&list[rest % list.len()]);
            rest /= list.len();
        }
        let bound = variables.iter().cloned().zip(choice.iter().map(|(value, _)| value.clone())).collect();
        let holds = evaluate_under(body, &ground.model, bound).is_some_and(|value| value.is_true());
        if !holds {
            let terms = choice.iter().map(|(_, term)| term.clone()).collect();
            made += usize::from(state(ground, literal, formula, terms));
            if made >= AT_ONCE {
                break;
            }
        }
    }
    made
}

/// Terms for a variable, one for each value.
fn candidates(ground: &Ground, variable: &Symbol, variables: &[Symbol], body: &Term) -> Vec<(Value, Term)> {
    let sort = &variable.sort;
    let mut found: BTreeMap<Value, Term> = BTreeMap::new();
    let mut offer = |term: &Term| {
        let closed = free_symbols(term).iter().all(|s| !variables.contains(s));
        if closed && let Some(value) = logic::fol::evaluate(term, &ground.model) {
            found.entry(value).or_insert_with(|| term.clone());
        }
    };
    let mut seen = Occurrences::default();
    occurrences(variable, body, &mut seen);
    let Occurrences { places, sums, compared } = seen;
    compared.iter().for_each(&mut offer);
    let everything = matches!(sort, Sort::Opaque(_) | Sort::Data(_) | Sort::Bits(_));
    for term in &ground.terms {
        if everything && term.sort() == sort {
            offer(term);
        }
        for (at, argument) in term.arguments().iter().enumerate() {
            if argument.sort() != sort {
                continue;
            }
            let here = place(term, at);
            if places.contains(&here) {
                offer(argument);
            }
            for (_, sum) in sums.iter().filter(|(place, _)| *place == here) {
                if let Some(solved) = solved(sum, variable, argument.clone()) {
                    offer(&crate::simplify(&solved));
                }
            }
        }
    }
    if *sort == Sort::Bool {
        [true, false].into_iter().for_each(|b| offer(&Term::truth(b)));
    }
    if found.is_empty() {
        found.insert(Value::default_of(sort), Value::default_of(sort).term());
        if let Sort::Opaque(_) = sort {
            // The sort is not empty, so a constant of it may be taken.
            let some = ground.skolem.named("some", sort, sort);
            found = BTreeMap::from([(Value::default_of(sort), some)]);
        }
    }
    found.into_iter().collect()
}

/// Where an argument stands: under which operator, at which place; arrays by their sort.
type Place = (Op, usize, Option<Sort>);

fn place(term: &Term, at: usize) -> Place {
    match (term.op(), at) {
        // A store and a read have their index at the same place.
        (Op::Select | Op::Store, 1) => (Op::Select, 1, Some(term.arguments()[0].sort().clone())),
        (op, at) => (op.clone(), at, None),
    }
}

/// Where a variable stands, where sums stand that it is part of, and the terms it is compared with.
#[derive(Default)]
struct Occurrences {
    places: BTreeSet<Place>,
    sums: Vec<(Place, Term)>,
    compared: Vec<Term>,
}

fn occurrences(variable: &Symbol, term: &Term, seen: &mut Occurrences) {
    let is_variable = |t: &Term| t.as_symbol() == Some(variable);
    let arithmetic = |op: &Op| matches!(op, Op::Add | Op::Subtract | Op::Negate | Op::Multiply);
    let comparison = |op: &Op| matches!(op, Op::Equal | Op::Less | Op::LessEqual | Op::Distinct);
    for (at, argument) in term.arguments().iter().enumerate() {
        if is_variable(argument) && !comparison(term.op()) {
            seen.places.insert(place(term, at));
        }
        let sum = arithmetic(argument.op()) && free_symbols(argument).contains(variable);
        if sum && !arithmetic(term.op()) && !comparison(term.op()) {
            seen.sums.push((place(term, at), argument.clone()));
        }
        occurrences(variable, argument, seen);
    }
    let compared = &mut seen.compared;
    if let (Op::Equal | Op::Less | Op::LessEqual | Op::Distinct, arguments) = (term.op(), term.arguments())
        && arguments.iter().any(is_variable)
    {
        compared.extend(arguments.iter().filter(|a| !is_variable(a)).cloned());
    }
}

/// The value of a variable that makes a sum equal to a term, if the variable stands in it once.
fn solved(sum: &Term, variable: &Symbol, equals: Term) -> Option<Term> {
    if sum.as_symbol() == Some(variable) {
        return Some(equals);
    }
    let depends = |t: &Term| free_symbols(t).contains(variable);
    let arguments = sum.arguments();
    let at = arguments.iter().position(depends)?;
    let others = arguments.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, a)| a);
    if others.clone().any(depends) {
        return None;
    }
    let (inner, minus) = (&arguments[at], |t: &Term| Term::of(Op::Negate, [t.clone()]));
    match (sum.op(), at) {
        (Op::Add, _) => solved(inner, variable, others.fold(equals, |left, other| left.minus(other))),
        (Op::Subtract, 0) => solved(inner, variable, equals.plus(&arguments[1])),
        (Op::Subtract, _) => solved(inner, variable, arguments[0].minus(&equals)),
        (Op::Negate, _) => solved(inner, variable, minus(&equals)),
        (Op::Multiply, _) if arguments.len() == 2 && arguments[1 - at] == Term::int(-1) => {
            solved(inner, variable, minus(&equals))
        }
        _ => None,
    }
}

/// Why a quantified formula is not decided.
#[derive(Debug, thiserror::Error)]
enum Undecided {
    #[error("a quantifier inside a term")]
    Inside,
    #[error("quantifiers nest too deep")]
    Nesting,
    #[error("too many elements of uninterpreted sorts")]
    Elements,
    #[error("{0}")]
    Unknown(String),
}

/// Terms for which the formula is false in the model, looked for among all values; none if it
/// holds.
fn counterexample(ground: &Ground, formula: &Term) -> Result<Option<Vec<Term>>, Undecided> {
    let (Some(variables), [body]) = (universal(formula), formula.arguments()) else {
        return Err(Undecided::Inside);
    };
    let Some(nesting) = ground.limits.nesting.checked_sub(1) else {
        return Err(Undecided::Nesting);
    };
    let opaque = |v: &&Symbol| matches!(v.sort, Sort::Opaque(_));
    let named: Vec<&Symbol> = variables.iter().filter(opaque).collect();
    let mut choices: Vec<HashMap<Symbol, Value>> = vec![HashMap::new()];
    for variable in &named {
        let values = values_of(&variable.sort, &ground.model).unwrap_or_default();
        let with = |map: &HashMap<Symbol, Value>, value: &Value| {
            let mut map = map.clone();
            map.insert((*variable).clone(), value.clone());
            map
        };
        choices = choices.iter().flat_map(|map| values.iter().map(move |v| with(map, v))).collect();
        if choices.len() > TRIED {
            return Err(Undecided::Elements);
        }
    }
    let elements = distinct_elements(&ground.model);
    for choice in choices {
        let mut model = ground.model.clone();
        model.constants.extend(choice.clone());
        let open: Vec<Symbol> = variables.iter().filter(|v| !named.contains(v)).cloned().collect();
        let goal = specialize(body, &open, &model);
        let options = Options {
            conflicts: 5_000,
            instances: ground.limits.instances / 4,
            cancel: ground.limits.cancel.clone(),
            ..Options::default()
        };
        match (super::Embedded { nesting }).check(&elements, &goal, &options) {
            Answer::Valid { .. } => {}
            Answer::Unknown { reason } => return Err(Undecided::Unknown(reason)),
            Answer::Invalid { model: witness } => {
                let value = |v: &Symbol| choice.get(v).cloned().unwrap_or_else(|| witness.constant(v));
                let terms = variables.iter().map(|v| ground.term_with(&value(v)));
                return Ok(Some(terms.collect()));
            }
        }
    }
    Ok(None)
}

/// Elements of uninterpreted sorts are constants in what the model is put into, and no two of them
/// are equal.
fn distinct_elements(model: &Model) -> Vec<Assumption> {
    let several = model.universes.iter().filter(|(_, size)| **size > 1);
    let distinct = |(sort, size): (&Sort, &usize)| {
        Term::distinct((0..*size).map(|n| Value::Element(sort.clone(), n).term()))
    };
    several.map(distinct).map(|formula| Assumption::new("elements", formula)).collect()
}

/// The term with what the model says in the place of everything that does not depend on the open
/// variables.
fn specialize(term: &Term, open: &[Symbol], model: &Model) -> Term {
    let depends = free_symbols(term).iter().any(|s| open.contains(s));
    if !depends && let Some(value) = logic::fol::evaluate(term, model) {
        return value.term();
    }
    if let Op::Quantified(_, binders) = term.op() {
        let inner = binders.iter().map(|b| b.symbol.clone());
        let open: Vec<Symbol> = open.iter().cloned().chain(inner).collect();
        return logic::fol::rebuild(term, |a| specialize(a, &open, model));
    }
    let arguments: Vec<Term> = term.arguments().iter().map(|a| specialize(a, open, model)).collect();
    match (term.op(), &arguments[..]) {
        (Op::Select, [array, at]) => match logic::fol::evaluate(array, &Model::default()) {
            Some(Value::Array(array)) if free_symbols(&arguments[0]).is_empty() => {
                let entries = array.entries.iter().rev();
                entries.fold(array.default.term(), |rest, (index, value)| {
                    Term::ite(&at.equals(&index.term()), &value.term(), &rest)
                })
            }
            _ => Term::of(Op::Select, arguments),
        },
        (Op::Apply(symbol), [_, ..]) => match model.functions.get(symbol) {
            Some(table) => table.entries.iter().rev().fold(table.default.term(), |rest, (place, value)| {
                let equations = arguments.iter().zip(place).map(|(a, v)| a.equals(&v.term()));
                Term::ite(&Term::and(equations), &value.term(), &rest)
            }),
            None => Value::default_of(&symbol.sort).term(),
        },
        (op, _) => Term::of(op.clone(), arguments),
    }
}

impl Ground {
    /// A term at hand with this value, or the value itself.
    fn term_with(&self, value: &Value) -> Term {
        let sort = value.sort();
        let fits = |term: &&Term| {
            *term.sort() == sort && logic::fol::evaluate(term, &self.model).as_ref() == Some(value)
        };
        self.terms.iter().find(fits).cloned().unwrap_or_else(|| value.term())
    }
}
