//! Auxiliary variables are what they stand for: on random runs, at every position, against the
//! definition of truth.

use crate::support::{Program, breaks, program};
use logic::fol::{Term, holds};
use logic::ltl::{Binary, Formula, Lasso, Unary, semantics};
use logic::random::Random;
use prover::history;
use prover::shape::assertion;
use prover::{Effort, Session};
use system::fts::Fts;
use system::fts::step::{In, State, Valuation, initial, successors};

const PROGRAM: &str = "local x : [0..3] where x = 0
     local b : bool where ~b
     P1:: [ loop forever do [ l0: x := (x + 1) mod 4; l1: await b; l2: b := false ] ]
     || P2:: [ loop forever do [ m0: noncritical; m1: b := true ] ]";

fn atoms(p: &Program) -> Vec<Term> {
    ["x = 0", "x <= 2", "b", "l0", "l2 \\/ m1", "x = 3 /\\ ~b"].iter().map(|t| p.assertion(t)).collect()
}

fn past(dice: &mut Random, atoms: &[Term], depth: usize) -> Formula<Term> {
    let atom = |dice: &mut Random| Formula::Atom(atoms[dice.below(atoms.len())].clone());
    if depth == 0 {
        return atom(dice);
    }
    let unary = [Unary::Not, Unary::Previous, Unary::WeakPrevious, Unary::Once, Unary::Historically];
    let binary = [Binary::And, Binary::Implies, Binary::Since, Binary::BackTo, Binary::Trigger];
    match dice.below(11) {
        n @ 0..=4 => Formula::unary(unary[n], past(dice, atoms, depth - 1)),
        n @ 5..=9 => {
            let (a, b) = (past(dice, atoms, depth - 1), past(dice, atoms, depth - 1));
            Formula::binary(binary[n - 5], a, b)
        }
        _ => atom(dice),
    }
}

/// A random run of a system; idling, explicit or not, is among its steps.
fn run(fts: &Fts, dice: &mut Random, steps: usize) -> Vec<State> {
    let given = Valuation::new();
    let mut states = initial(fts, &given).unwrap();
    states.truncate(1);
    let explicit = fts.transitions.iter().any(|t| t.name == "Idle");
    for _ in 0..steps {
        let last = states.last().unwrap().clone();
        let next = successors(fts, &given, &last).unwrap();
        let choice = dice.below(next.len() + usize::from(!explicit));
        states.push(next.get(choice).map_or(last, |(_, state)| state.clone()));
    }
    states
}

fn truth(fts: &Fts, e: &Term, state: &State) -> bool {
    holds(e, &In { fts, given: &Valuation::new(), state, extra: Vec::new() }).unwrap()
}

#[test]
fn a_past_formula_is_its_variable() {
    let p = program(PROGRAM);
    let atoms = atoms(&p);
    for seed in 0..300 {
        let mut dice = Random::new(seed);
        let formula = past(&mut dice, &atoms, 3);
        let mut fts = p.fts.clone();
        let state_formula = assertion(&history::without_past(&mut fts, &formula).unwrap()).unwrap();
        let states = run(&fts, &mut dice, 25);
        let word = Lasso { stem: states[..24].to_vec(), cycle: states[24..].to_vec() };
        let expected = semantics::truth(&formula, &word, |e, s| truth(&fts, e, s));
        for (at, state) in states.iter().enumerate().take(24) {
            assert_eq!(truth(&fts, &state_formula, state), expected.at(at), "seed {seed}, {at}: {formula:?}");
        }
    }
}

#[test]
fn the_stage_says_whether_a_promise_was_broken() {
    let p = program(PROGRAM);
    let atoms = atoms(&p);
    let (mut kept, mut broken) = (0, 0);
    for seed in 0..600 {
        let mut dice = Random::new(seed + 1000);
        let mut pick = |n: usize| (0..n).map(|_| atoms[dice.below(atoms.len())].clone()).collect::<Vec<_>>();
        let (from, q) = (pick(1).remove(0), pick(2 + seed as usize % 3));
        let (fts, goal) = history::stages(&p.fts, &from, &q);
        let states = run(&fts, &mut dice, 15);
        let waits = q.iter().rev().cloned().map(Formula::Atom);
        let waits = waits.reduce(|rest, q| Formula::binary(Binary::WeakUntil, q, rest)).unwrap();
        let formula = Formula::binary(Binary::Entails, Formula::Atom(from), waits);
        let (last, stem) = states.split_last().unwrap();
        let word = Lasso { stem: stem.to_vec(), cycle: vec![last.clone()] };
        let expected = semantics::holds(&formula, &word, |e, s| truth(&fts, e, s));
        assert_eq!(truth(&fts, &goal, last), expected, "seed {seed}: {formula:?}");
        if expected { kept += 1 } else { broken += 1 }
    }
    assert!(kept > 50 && broken > 50, "{kept} kept, {broken} broken");
}

#[test]
fn past_formulas_are_proved_and_refuted() {
    let p = program(
        "local y1, y2 : int where y1 = 0, y2 = 0
         P1:: [ loop forever do [ l0: noncritical; l1: y1 := y2 + 1; l2: await (y2 = 0 \\/ y1 <= y2); l3: critical; l4: y1 := 0 ] ]
         || P2:: [ loop forever do [ m0: noncritical; m1: y2 := y1 + 1; m2: await (y1 = 0 \\/ y2 < y1); m3: critical; m4: y2 := 0 ] ]
         PROPERTY knocked : l3 ==> <->l1
         PROPERTY since : l4 ==> (~l1) Since l3
         PROPERTY inside : l3 ==> (l3 \\/ l2) Since l2
         PROPERTY beginning : []((~)false --> l0)
         PROPERTY never : l3 ==> [-](y1 = 0)
         PROPERTY before : l3 ==> (-)l2",
    );
    let findings = Session::new(p.judge(), Effort::default()).run(&p.fts.properties);
    let found: Vec<_> = findings.outcomes.iter().map(|o| (&o.name[..], o.proved, o.run.is_some())).collect();
    let expected = [
        ("knocked", true, false),
        ("since", true, false),
        ("inside", true, false),
        ("beginning", true, false),
        ("never", false, true),
        // Idling at l3 makes the previous state one at l3.
        ("before", false, true),
    ];
    assert_eq!(found, expected);
    for (property, outcome) in p.fts.properties.iter().zip(&findings.outcomes) {
        if let Some(run) = &outcome.run {
            breaks(&p.fts, &run.given, &property.formula, &run.path);
        }
    }
}
