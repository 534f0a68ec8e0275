//! Models as solvers print them, read and held against the question.

use crate::answer::{Answer, Assumption};
use crate::model::{Model, Table};
use crate::smtlib::{Expression, ParseError, Script, expression};
use logic::fol::{Op, Sort, Symbol, Term, Value, evaluate, free_symbols};
use std::collections::{BTreeMap, BTreeSet};

/// The answer that a printed model makes.
pub fn read(text: &str, assumptions: &[Assumption], goal: &Term, name: &str) -> Answer {
    let symbols: BTreeSet<Symbol> =
        assumptions.iter().map(|a| &a.formula).chain([goal]).flat_map(free_symbols).collect();
    let mut model = match parse(text, &symbols) {
        Ok(model) => model,
        Err(error) => {
            return Answer::unknown(format!("{name} has a countermodel that is not understood: {error}"));
        }
    };
    match refutes(&model, assumptions, goal) {
        Some(true) => model.confirmed = true,
        Some(false) => return Answer::unknown(format!("{name}'s countermodel does not refute the goal")),
        None => {}
    }
    Answer::Invalid { model: Box::new(model) }
}

/// Whether the model makes every assumption true and the goal false; none if a quantifier has too
/// many values to try.
pub fn refutes(model: &Model, assumptions: &[Assumption], goal: &Term) -> Option<bool> {
    for assumption in assumptions {
        if !evaluate(&assumption.formula, model)?.is_true() {
            return Some(false);
        }
    }
    Some(!evaluate(goal, model)?.is_true())
}

fn parse(text: &str, symbols: &BTreeSet<Symbol>) -> Result<Model, ParseError> {
    let mut script = Script::default();
    let mut model = Model::default();
    // Elements of universes are constants named SORT!val!n; the sorts are known from the symbols.
    script.declare(symbols.iter().cloned());
    let mut definitions = Vec::new();
    for item in expression::parse(text)?.iter().flat_map(|e| e.list().unwrap_or_default()) {
        match item.list().unwrap_or_default() {
            [Expression::Atom(word), Expression::Atom(name), ..] if word == "declare-fun" => {
                script.command(item)?;
                let element = crate::smtlib::read_term(&crate::smtlib::quoted(name), &script)?;
                let n = model.universes.entry(element.sort().clone()).or_insert(0);
                if let Some(symbol) = element.as_symbol() {
                    model.constants.insert(symbol.clone(), Value::Element(element.sort().clone(), *n));
                }
                *n += 1;
            }
            [Expression::Atom(word), ..] if word == "define-fun" => definitions.push(item.clone()),
            _ => {}
        }
    }
    // Definitions may use each other in any order; what cannot be read yet is tried again.
    let mut left = definitions.len() + 1;
    while !definitions.is_empty() && definitions.len() < left {
        left = definitions.len();
        definitions.retain(|item| script.command(item).is_err());
    }
    // z3 defines the names of assumptions, too, in words of its own.
    let wanted = |item: &&Expression| match item.list().unwrap_or_default() {
        [_, Expression::Atom(name), ..] => symbols.iter().any(|s| &*s.name == name),
        _ => true,
    };
    if let Some(item) = definitions.iter().find(wanted) {
        return Err(script.command(item).err().unwrap_or_default());
    }
    let elements = model.clone();
    for symbol in symbols {
        let Some((parameters, body)) = script.macros.get(&*symbol.name) else { continue };
        if parameters.is_empty() {
            let value = evaluate(body, &elements).ok_or_else(|| unreadable(symbol))?;
            model.constants.insert(symbol.clone(), value);
        } else {
            let table = table(parameters, body, &elements).ok_or_else(|| unreadable(symbol))?;
            model.functions.insert(symbol.clone(), table);
        }
    }
    Ok(model)
}

fn unreadable(symbol: &Symbol) -> ParseError {
    ParseError { at: 0, words: format!("the value of `{}` is not a table", &symbol.name) }
}

/// The table of a body such as `(ite (and (= x 1) (= y 2)) 5 7)`.
fn table(parameters: &[Symbol], body: &Term, elements: &Model) -> Option<Table> {
    let mut entries = BTreeMap::new();
    let mut body = body;
    while *body.op() == Op::Ite {
        let [condition, then, otherwise] = body.arguments() else { return None };
        let place = place(parameters, condition, elements)?;
        entries.entry(place).or_insert(closed(then, parameters, elements)?);
        body = otherwise;
    }
    Some(Table { entries, default: closed(body, parameters, elements)? })
}

fn closed(term: &Term, parameters: &[Symbol], elements: &Model) -> Option<Value> {
    let open = free_symbols(term).iter().any(|s| parameters.contains(s));
    if open { None } else { evaluate(term, elements) }
}

fn place(parameters: &[Symbol], condition: &Term, elements: &Model) -> Option<Vec<Value>> {
    let equations =
        if *condition.op() == Op::And { condition.arguments() } else { std::slice::from_ref(condition) };
    let mut found: BTreeMap<Symbol, Value> = BTreeMap::new();
    for equation in equations {
        let (parameter, value) = match (equation.op(), equation.arguments()) {
            (Op::Equal, [a, b]) => match (a.as_symbol(), b.as_symbol()) {
                (Some(s), _) if parameters.contains(s) => (s, b.clone()),
                (_, Some(s)) if parameters.contains(s) => (s, a.clone()),
                _ => return None,
            },
            (Op::Apply(s), []) if s.sort == Sort::Bool => (s, Term::truth(true)),
            (Op::Not, [a]) => (a.as_symbol()?, Term::truth(false)),
            _ => return None,
        };
        found.insert(parameter.clone(), closed(&value, parameters, elements)?);
    }
    parameters.iter().map(|p| found.get(p).cloned()).collect()
}
