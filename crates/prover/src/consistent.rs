//! Whether axioms that are to be assumed have a model together: rigid values and functions that
//! make each of them true in every state.
//!
//! A function that axioms speak of is the same in every state of a run, so `[] (f(x) = x)` says
//! something of `f` at every value that `x` takes. Each axiom is therefore closed: for all values
//! of the variables that change. A closed set with a model excludes no run, only values of rigid
//! symbols. A model is found by the solver, or *value by value*: where each function is called with
//! the same variables everywhere, and with all that its axioms speak of, it can be chosen for each
//! tuple of arguments by itself.

use crate::condition::{Condition, Lemma};
use crate::discharge::Judge;
use crate::instance;
use logic::fol::{Binder, Op, Quantifier, Symbol, Term};
use solve::Answer;
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::{Consistent, Fts};

/// Numbers of processes for which a model is looked for.
const SMALL: [i64; 3] = [1, 2, 3];

/// What is known of a set of axioms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// They have a model, by this evidence.
    Shown(Consistent),
    /// No model, or none for some values of constants.
    Refuted,
    /// Neither a model nor a contradiction was found.
    Unknown,
}

/// Whether axioms have a model together in which the system has a beginning.
pub fn together(judge: &Judge<'_>, axioms: &[Term]) -> Consistency {
    if axioms.is_empty() {
        return Consistency::Shown(Consistent::Model);
    }
    let parts = Parts::of(judge.fts, axioms);
    let about_states = axioms.iter().any(|e| e.symbols().keys().any(|name| judge.fts.changes(name)));
    if about_states && parts.as_ref().is_some_and(|parts| parts.is_refuted(judge)) {
        return Consistency::Refuted;
    }
    if let Some(shown @ Consistency::Shown(_)) = parts.as_ref().map(|parts| parts.somewhere(judge)) {
        return shown;
    }
    let closed: Vec<Lemma> = axioms.iter().map(|e| Lemma::new("axiom", closed(judge.fts, e))).collect();
    let none = Condition::implication("", judge.fts.initial.clone(), Term::truth(false), &closed);
    match judge.answer(&none) {
        Answer::Invalid { .. } => Consistency::Shown(Consistent::Model),
        Answer::Valid { .. } => Consistency::Refuted,
        _ => Consistency::Unknown,
    }
}

/// An axiom for all values of what changes.
fn closed(fts: &Fts, axiom: &Term) -> Term {
    let changing = axiom.symbols().into_values().filter(|s| fts.changes(&s.name));
    Term::every(changing.map(Binder::free).collect(), axiom.clone())
}

/// Axioms whose functions can be chosen value by value.
struct Parts {
    /// What the axioms say of constants.
    pure: Term,
    /// For all arguments there are values.
    choice: Term,
}

impl Parts {
    fn of(fts: &Fts, axioms: &[Term]) -> Option<Parts> {
        let mut calls = BTreeMap::new();
        let (mut pure, mut bodies) = (Vec::new(), Vec::new());
        for (at, axiom) in axioms.iter().enumerate() {
            if called(axiom).is_empty() {
                pure.push(closed(fts, axiom));
            } else {
                let (variables, body) = opened(fts, axiom, at);
                bodies.push(aligned(&variables, &body, &mut calls)?);
            }
        }
        if !called(&fts.initial).is_empty() {
            return None;
        }
        let values = calls.keys().map(|f| Binder::free(value_of(f))).collect();
        let chosen = bodies.iter().map(valued);
        Some(Parts { pure: Term::all(pure), choice: Term::some(values, Term::all(chosen)) })
    }

    /// Whether there are no values in some state, for some constants.
    fn is_refuted(&self, judge: &Judge<'_>) -> bool {
        let some = Condition::implication("", self.given(judge), self.choice.clone(), &[]);
        match &instance::bounding(&some, &judge.fts.assumptions)[..] {
            [bound] => SMALL.iter().any(|value| judge.at(&some, bound, *value).is_invalid()),
            _ => judge.answer(&some).is_invalid(),
        }
    }

    /// Whether there are values for some constants.
    fn somewhere(&self, judge: &Judge<'_>) -> Consistency {
        let some = Condition::implication("", self.given(judge), self.choice.clone(), &[]);
        let given = Term::all([self.pure.clone(), judge.fts.initial.clone()]);
        let none = Condition::implication("", given, Term::truth(false), &[]);
        let bounding = instance::bounding(&some, &judge.fts.assumptions);
        let [bound] = &bounding[..] else {
            let shown = judge.is_valid(&some) && judge.refutes(&none);
            return if shown { Consistency::Shown(Consistent::ByValue(None)) } else { Consistency::Unknown };
        };
        let fits = |value: &i64| {
            let at = |c: &Condition| judge.at(c, bound, *value);
            at(&some).is_valid() && at(&none).is_invalid()
        };
        match SMALL.into_iter().find(fits) {
            Some(value) => Consistency::Shown(Consistent::ByValue(Some((bound.clone(), value)))),
            None => Consistency::Unknown,
        }
    }

    /// What is said of constants, by axioms and by the beginning.
    fn given(&self, judge: &Judge<'_>) -> Term {
        let first = judge.fts.initial.conjuncts().into_iter();
        let lasting = first.filter(|e| e.symbols().keys().all(|name| !judge.fts.changes(name)));
        Term::all(lasting.chain([self.pure.clone()]))
    }
}

/// What an axiom is said for all values of, under names of its own, and the rest of it.
fn opened(fts: &Fts, axiom: &Term, at: usize) -> (Vec<Symbol>, Term) {
    let fresh = |s: &Symbol| Symbol::constant(format!("{}!{at}", s.name), s.sort.clone());
    let mut variables = Vec::new();
    let mut body = axiom.clone();
    // Of a variable that does not change, where it is an argument, the axiom may as well be true
    // for all values.
    let arguments: Vec<Term> = called(axiom).into_iter().flat_map(|(_, arguments)| arguments).collect();
    let universal = |s: &Symbol| {
        fts.changes(&s.name) || (fts.variable(&s.name).is_some() && arguments.contains(&s.term()))
    };
    for old in axiom.symbols().into_values().filter(universal) {
        let new = fresh(&old);
        body = body.substitute(&|s| (*s == old).then(|| new.term()));
        variables.push(new);
    }
    while let (Op::Quantified(Quantifier::Forall, binders), [inner]) = (body.op(), body.arguments()) {
        if binders.iter().any(|b| b.range.is_some()) {
            break;
        }
        let news: Vec<Symbol> = binders.iter().map(|b| fresh(&b.symbol)).collect();
        if news.iter().any(|new| variables.contains(new)) {
            break;
        }
        let old = |s: &Symbol| binders.iter().position(|b| b.symbol == *s);
        let next = inner.substitute(&|s| old(s).map(|at| news[at].term()));
        variables.extend(news);
        body = next;
    }
    (variables, body)
}

type Calls = BTreeMap<Symbol, Vec<Term>>;

/// The axiom with the same variables in its calls as the axioms before it; none if calls of one
/// function differ, or one has not all of the axiom's variables as its arguments.
fn aligned(variables: &[Symbol], body: &Term, calls: &mut Calls) -> Option<Term> {
    let found = called(body);
    for (_, arguments) in &found {
        let once = |s: &Symbol| arguments.iter().filter(|e| **e == s.term()).count() == 1;
        if arguments.len() != variables.len() || !variables.iter().all(once) {
            return None;
        }
    }
    let known = found.iter().find_map(|(f, arguments)| Some((arguments, calls.get(f)?)));
    let renamed: Vec<(Term, Term)> = match known {
        Some((arguments, before)) => arguments.iter().cloned().zip(before.iter().cloned()).collect(),
        None => Vec::new(),
    };
    let new = |s: &Symbol| renamed.iter().find(|(old, _)| *old == s.term()).map(|(_, new)| new.clone());
    let body = body.substitute(&new);
    for (f, arguments) in called(&body) {
        if *calls.entry(f).or_insert_with(|| arguments.clone()) != arguments {
            return None;
        }
    }
    Some(body)
}

/// All calls in a formula.
pub(crate) fn called(e: &Term) -> Vec<(Symbol, Vec<Term>)> {
    let mut found = Vec::new();
    collect(e, &mut found);
    found
}

fn collect(e: &Term, calls: &mut Vec<(Symbol, Vec<Term>)>) {
    match (e.op(), e.arguments()) {
        (Op::Apply(f), parts @ [_, ..]) => calls.push((f.clone(), parts.to_vec())),
        (Op::Quantified(_, binders), _) => {
            for (low, high) in binders.iter().filter_map(|b| b.range.as_ref()) {
                collect(low, calls);
                collect(high, calls);
            }
        }
        _ => {}
    }
    e.arguments().iter().for_each(|part| collect(part, calls));
}

fn value_of(function: &Symbol) -> Symbol {
    let name: Arc<str> = format!("{}!value", function.name).into();
    Symbol::constant(name, function.sort.clone())
}

/// A formula with one symbol for the value of each function.
fn valued(e: &Term) -> Term {
    match (e.op(), e.arguments()) {
        (Op::Apply(f), [_, ..]) => value_of(f).term(),
        (Op::Quantified(quantifier, binders), [body]) => {
            let range = |b: &Binder| b.range.as_ref().map(|(l, h)| (valued(l), valued(h)));
            let binders = binders.iter().map(|b| Binder { symbol: b.symbol.clone(), range: range(b) });
            Term::quantified(*quantifier, binders.collect(), &valued(body))
        }
        (op, parts) => Term::tidied(op.clone(), parts.iter().map(valued).collect()),
    }
}
