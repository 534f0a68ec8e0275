//! Evidence for proofs is held against the system: wrong evidence is refused, whatever the solver
//! thinks of other formulas.

use certify::proof::{Certifier, Refused};
use logic::fol::{Sort, Symbol, Term, Value, holds};
use logic::ltl::{Formula, Unary};
use std::collections::BTreeMap;
use system::fts::{Branch, Evidence, Fairness, Fts, KInductive, Mode, Property, Transition, Variable};

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

/// Two numbers, each the sum of those before it: (a, b) := (b, a + b), up to 5.
fn sums() -> Fts {
    let (a, b) = (int("a"), int("b"));
    let span = source::Span::default();
    let sum = a.term().plus(&b.term());
    let branch = Branch {
        guard: Term::le(b.term(), Term::int(5)),
        chosen: Vec::new(),
        choice: Term::truth(true),
        updates: vec![(a.clone(), b.term()), (b.clone(), sum)],
    };
    let variable =
        |symbol: &Symbol| Variable { symbol: symbol.clone(), mode: Mode::Local, range: None, span };
    let one = |s: &Symbol| Term::eq(s.term(), Term::int(1));
    Fts {
        variables: vec![variable(&a), variable(&b)],
        initial: Term::all([one(&a), one(&b)]),
        transitions: vec![Transition { branches: vec![branch], ..counter().transitions[0].clone() }],
        ..Fts::default()
    }
}

fn k_inductive(fts: &Fts, p: Term, found: KInductive) -> Result<(), Refused> {
    let property = Property {
        name: "p".to_string(),
        rigid: Vec::new(),
        given: Term::truth(true),
        formula: Formula::unary(Unary::Always, Formula::Atom(p)),
        text: String::new(),
        span: source::Span::default(),
    };
    Certifier::new(fts, &tried).property(&property, &Evidence::KInductive(found), &[])
}

#[test]
fn k_induction_needs_enough_states_before_and_at_the_beginning() {
    let fts = sums();
    let found = |states: usize| KInductive { states, distinct: false, using: Vec::new() };
    let positive = Term::le(Term::int(0), int("a").term());
    let open = |name: &str| Err(Refused::Open(name.to_string()));
    assert_eq!(k_inductive(&fts, positive.clone(), found(1)), open("t"));
    assert_eq!(k_inductive(&fts, positive.clone(), found(2)), Ok(()));
    assert!(matches!(k_inductive(&fts, positive, found(0)), Err(Refused::Form(_))));
    // False after one step from the beginning.
    let first = Term::lt(int("x").term(), Term::int(1));
    assert_eq!(k_inductive(&counter(), first, found(2)), open("Theta"));
}

#[test]
fn what_is_used_of_earlier_states_must_be_known() {
    let fts = sums();
    let using = vec![Term::le(Term::int(0), int("b").term())];
    let positive = Term::le(Term::int(0), int("a").term());
    let found = KInductive { states: 2, distinct: true, using };
    assert!(matches!(k_inductive(&fts, positive, found), Err(Refused::Form(_))));
}

/// What a step chooses is no value of the next one.
#[test]
fn choices_of_two_steps_are_two() {
    let found = |states: usize| KInductive { states, distinct: true, using: Vec::new() };
    let fts = counter();
    let p = |n: i64| Term::lt(int("x").term(), Term::int(n));
    assert_eq!(k_inductive(&fts, p(3), found(2)), Err(Refused::Open("t".to_string())));
    let low = Term::le(Term::int(0), int("x").term());
    assert_eq!(k_inductive(&fts, low, found(2)), Ok(()));
}
