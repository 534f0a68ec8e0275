//! That axioms which are assumed exclude no run: together they have a model, whatever the variables
//! that steps change are.
//!
//! Either a model of all of them closed, or a choice of their functions for each tuple of arguments
//! by itself: every call in an axiom has exactly the variables of the axiom as its arguments, all
//! axioms call a function with their variables in one order, and for all arguments some values make
//! all of them true.

use super::replace::{Replacement, replace};
use super::{Refused, Satisfiable, Valid};
use logic::fol::{Binder, Op, Quantifier, Symbol, Term};
use std::collections::BTreeMap;
use std::sync::Arc;
use system::fts::{Consistent, Fts};

/// Those who answer.
pub(super) struct Asked<'a> {
    pub(super) valid: &'a Valid<'a>,
    pub(super) satisfiable: &'a Satisfiable<'a>,
}

pub(super) fn together(
    fts: &Fts,
    axioms: &[Term],
    why: &Consistent,
    asked: &Asked<'_>,
) -> Result<(), Refused> {
    let open = || Refused::Open("axioms".to_string());
    match why {
        Consistent::Model => {
            let closed = axioms.iter().map(|axiom| {
                let binders = changing(fts, axiom).into_iter().map(Binder::free).collect();
                Term::every(binders, axiom.clone())
            });
            let all: Vec<Term> = closed.chain([fts.initial.clone()]).collect();
            if (asked.satisfiable)(&all) { Ok(()) } else { Err(open()) }
        }
        Consistent::ByValue(constant) => {
            let (pure, choice) = chosen(fts, axioms)?;
            let fixed = constant.iter().map(|(s, value)| Term::eq(s.term(), Term::int(*value)));
            let by: Replacement =
                constant.iter().map(|(s, value)| (s.name.clone(), Term::int(*value))).collect();
            let pure: Vec<Term> = pure.into_iter().chain([fts.initial.clone()]).collect();
            let given: Vec<Term> = fixed.chain(pure.iter().map(|e| replace(e, &by))).collect();
            let lasting = |e: &&Term| e.symbols().keys().all(|name| !fts.changes(name));
            let said: Vec<Term> = given.iter().flat_map(Term::conjuncts).filter(|e| lasting(&e)).collect();
            let shown = (asked.valid)(&[], &said, &replace(&choice, &by)) && (asked.satisfiable)(&given);
            if shown { Ok(()) } else { Err(open()) }
        }
    }
}

fn changing(fts: &Fts, e: &Term) -> Vec<Symbol> {
    e.symbols().into_values().filter(|s| fts.changes(&s.name)).collect()
}

/// What axioms say of constants, and that there are values of their functions.
fn chosen(fts: &Fts, axioms: &[Term]) -> Result<(Vec<Term>, Term), Refused> {
    let (mut pure, mut rest) = (Vec::new(), Vec::new());
    let mut places: BTreeMap<Symbol, Vec<Term>> = BTreeMap::new();
    for axiom in axioms {
        let mut walk = Walk::default();
        let valued = walk.valued(axiom);
        if walk.calls.is_empty() {
            pure.push(axiom.clone());
            continue;
        }
        // What does not change but is an argument is taken for any value, too: more than is needed.
        let argument = |s: &Symbol| walk.calls.iter().any(|(_, arguments)| arguments.contains(&s.term()));
        let lasting = |s: &Symbol| fts.variable(&s.name).is_some() && argument(s);
        let free = axiom.symbols().into_values().filter(|s| fts.changes(&s.name) || lasting(s));
        let (mut variables, mut body) = (free.collect::<Vec<_>>(), valued);
        let free = variables.len();
        while let (Op::Quantified(Quantifier::Forall, binders), [inner]) = (body.op(), body.arguments()) {
            if binders.iter().any(|b| b.range.is_some() || variables.iter().any(|v| v.name == b.symbol.name))
            {
                break;
            }
            variables.extend(binders.iter().map(|b| b.symbol.clone()));
            body = inner.clone();
        }
        // A name that is bound again inside is another value there.
        let bound = |v: &Symbol| walk.bound.iter().filter(|name| **name == v.name).count();
        if variables.iter().enumerate().any(|(at, v)| bound(v) != usize::from(at >= free)) {
            return Err(Refused::Form("a variable of an axiom is bound inside of it"));
        }
        rest.push(aligned(&variables, &body, &walk.calls, &mut places)?);
    }
    let mut walk = Walk::default();
    walk.valued(&fts.initial);
    if !walk.calls.is_empty() {
        return Err(Refused::Form("the initial condition applies a function"));
    }
    let values = places.keys().map(|f| Binder::free(value(f))).collect();
    Ok((pure, Term::some(values, Term::all(rest))))
}

/// The body with the variables that the functions called have in other axioms.
fn aligned(
    variables: &[Symbol],
    body: &Term,
    calls: &[(Symbol, Vec<Term>)],
    places: &mut BTreeMap<Symbol, Vec<Term>>,
) -> Result<Term, Refused> {
    let differ = Refused::Form("calls of a function in axioms differ");
    for (_, arguments) in calls {
        let named = variables.iter().filter(|v| arguments.contains(&v.term())).count();
        if arguments.len() != variables.len() || named != variables.len() {
            return Err(differ);
        }
    }
    let known = calls.iter().find_map(|(f, arguments)| Some((arguments, places.get(f)?.clone())));
    let fresh = |at: usize, v: &Term| {
        Symbol::constant(format!("argument!{}!{at}", places.len()), v.sort().clone()).term()
    };
    let (from, to) = match (known, calls) {
        (Some(known), _) => known,
        (None, [(_, first), ..]) => {
            let to = first.iter().enumerate().map(|(at, v)| fresh(at, v)).collect();
            (first, to)
        }
        (None, []) => return Err(differ),
    };
    let name = |(old, new): (&Term, &Term)| Some((old.as_symbol()?.name.clone(), new.clone()));
    let names = from.iter().zip(&to).filter_map(name);
    let by: Replacement = names.collect();
    for (f, arguments) in calls {
        let arguments: Vec<Term> = arguments.iter().map(|e| replace(e, &by)).collect();
        if *places.entry(f.clone()).or_insert_with(|| arguments.clone()) != arguments {
            return Err(differ);
        }
    }
    Ok(replace(body, &by))
}

fn value(function: &Symbol) -> Symbol {
    Symbol::constant(format!("value!{}", function.name), function.sort.clone())
}

/// Takes the calls out of a formula.
#[derive(Default)]
struct Walk {
    calls: Vec<(Symbol, Vec<Term>)>,
    bound: Vec<Arc<str>>,
}

impl Walk {
    fn valued(&mut self, e: &Term) -> Term {
        match (e.op(), e.arguments()) {
            (Op::Apply(f), arguments @ [_, ..]) => {
                arguments.iter().for_each(|a| drop(self.valued(a)));
                self.calls.push((f.clone(), arguments.to_vec()));
                value(f).term()
            }
            (Op::Quantified(quantifier, binders), [body]) => {
                let mut bounded = Vec::new();
                for b in binders {
                    self.bound.push(b.symbol.name.clone());
                    let range = b.range.as_ref().map(|(l, h)| (self.valued(l), self.valued(h)));
                    bounded.push(Binder { symbol: b.symbol.clone(), range });
                }
                let body = self.valued(body);
                Term::quantified(*quantifier, bounded, &body)
            }
            (op, parts) => Term::tidied(op.clone(), parts.iter().map(|p| self.valued(p)).collect()),
        }
    }
}
