//! Evidence for proofs is held against the system: wrong evidence is refused, whatever the solver
//! thinks of other formulas.

use certify::proof::{Certifier, Refused};
use logic::fol::{Sort, Symbol, Term, Value, holds};
use logic::ltl::{Formula, Unary};
use std::collections::BTreeMap;
use system::fts::{Branch, Evidence, Fairness, Fts, Mode, Property, Transition, Variable};

fn int(name: &str) -> Symbol {
    Symbol::constant(name, Sort::Int)
}

/// x' is chosen above x and below x + 2.
fn counter() -> Fts {
    let (x, next) = (int("x"), int("x'"));
    let below = Term::lt(next.term(), x.term().plus(&Term::int(2)));
    let branch = Branch {
        guard: Term::truth(true),
        chosen: vec![next.clone()],
        choice: Term::all([Term::lt(x.term(), next.term()), below]),
        updates: vec![(x.clone(), next.term())],
    };
    let span = source::Span::default();
    Fts {
        variables: vec![Variable { symbol: x.clone(), mode: Mode::Local, range: None, span }],
        initial: Term::eq(x.term(), Term::int(0)),
        transitions: vec![Transition {
            name: "t".to_string(),
            parameters: Vec::new(),
            branches: vec![branch],
            fairness: Fairness::None,
            text: String::new(),
            span,
        }],
        ..Fts::default()
    }
}

/// Valid in all small states: enough of a solver for these formulas.
fn tried(known: &[Term], given: &[Term], goal: &Term) -> bool {
    let whole = Term::implication(Term::all(known.iter().chain(given).cloned()), goal.clone());
    let names: Vec<_> = whole.symbols().into_keys().collect();
    let mut all: Vec<BTreeMap<std::sync::Arc<str>, Value>> = vec![BTreeMap::new()];
    for name in names {
        let with = |m: &BTreeMap<_, _>| {
            (-3..8)
                .map(|n| m.clone().into_iter().chain([(name.clone(), Value::int(n))]).collect())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all.iter().all(|values| holds(&whole, values) == Some(true))
}

fn claimed(p: Term, evidence: &Evidence) -> Result<(), Refused> {
    let fts = counter();
    let property = Property {
        name: "p".to_string(),
        rigid: Vec::new(),
        given: Term::truth(true),
        formula: Formula::unary(Unary::Always, Formula::Atom(p)),
        text: String::new(),
        span: source::Span::default(),
    };
    Certifier::new(&fts, &tried).property(&property, evidence, &[])
}

#[test]
fn what_is_inductive_is_confirmed() {
    let p = Term::le(Term::int(0), int("x").term());
    assert_eq!(claimed(p.clone(), &Evidence::Inductive(vec![p])), Ok(()));
}

#[test]
fn an_invariant_over_what_a_step_chooses_is_refused() {
    let (x, next) = (int("x").term(), int("x'").term());
    let p = Term::lt(x.clone(), Term::int(3));
    let leak = Term::any([Term::le(x.clone(), Term::int(1)), Term::le(next, x)]);
    let evidence = Evidence::Inductive(vec![Term::all([p.clone(), leak])]);
    assert_eq!(claimed(p, &evidence), Err(Refused::Foreign("x'".to_string())));
}

#[test]
fn what_a_step_breaks_is_refused() {
    let p = Term::lt(int("x").term(), Term::int(3));
    assert_eq!(
        claimed(p.clone(), &Evidence::Inductive(vec![p.clone()])),
        Err(Refused::Open("t".to_string()))
    );
    assert_eq!(claimed(p.clone(), &Evidence::Inductive(Vec::new())), Err(Refused::Open("goal".to_string())));
    assert!(matches!(claimed(p, &Evidence::Initial), Err(Refused::Form(_))));
}
