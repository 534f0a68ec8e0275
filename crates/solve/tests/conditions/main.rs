//! Verification conditions of the bakery algorithms, with the answers z3 and cvc5 agree on: a
//! sample of 1,585, all invalid ones among it. The embedded engine decides each, and never
//! otherwise. `cargo xtask solve` takes a folder of them.

use logic::fol::Term;
use solve::{Answer, Embedded, Options, Simplifier, Solver, smtlib};

/// Name and text of each condition.
fn sample() -> Vec<(&'static str, &'static str)> {
    let all = include_str!("sample.smt2").split("; ").skip(1);
    all.map(|part| part.split_once('\n').expect("a name and a text")).collect()
}

#[test]
fn the_embedded_engine_decides_each() {
    let mut answers = [0, 0];
    for (name, text) in sample() {
        let script = smtlib::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let answer = Embedded::default().check(&script.assertions, &Term::truth(false), &Options::default());
        match (script.status.as_deref(), &answer) {
            (Some("unsat"), Answer::Valid { .. }) => answers[0] += 1,
            (Some("sat"), Answer::Invalid { model }) if model.confirmed => answers[1] += 1,
            (status, answer) => panic!("{name}: {status:?}, but {answer:?}"),
        }
    }
    assert_eq!(answers, [190, 30]);
}

/// A core is enough, and with `minimal_core` nothing can be taken out of it.
#[test]
fn cores_are_enough_and_minimal() {
    let options = Options { minimal_core: true, ..Options::default() };
    let mut checked = 0;
    for (name, text) in sample().into_iter().step_by(5) {
        let script = smtlib::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let solve = |at: &[usize], options: &Options| {
            let chosen: Vec<_> = at.iter().map(|n| script.assertions[*n].clone()).collect();
            Embedded::default().check(&chosen, &Term::truth(false), options)
        };
        let everything: Vec<usize> = (0..script.assertions.len()).collect();
        let Answer::Valid { core } = solve(&everything, &options) else { continue };
        assert!(solve(&core, &Options::default()).is_valid(), "{name}: {core:?} is not enough");
        for at in 0..core.len() {
            let mut fewer = core.clone();
            fewer.remove(at);
            assert!(!solve(&fewer, &Options::default()).is_valid(), "{name}: {core:?} has too much");
        }
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}

/// Simplified assertions have the same answer.
#[test]
fn simplification_changes_no_answer() {
    let simplifier = Simplifier::default();
    for (name, text) in sample().into_iter().step_by(3) {
        let script = smtlib::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let simple: Vec<_> = script
            .assertions
            .iter()
            .map(|a| solve::Assumption::new(a.name.clone(), simplifier.simplify(&a.formula)))
            .collect();
        let answer = Embedded::default().check(&simple, &Term::truth(false), &Options::default());
        assert_eq!(answer.is_valid(), script.status.as_deref() == Some("unsat"), "{name}: {answer:?}");
        assert!(!matches!(answer, Answer::Unknown { .. }), "{name}: {answer:?}");
    }
}

/// What is printed and read again is the same.
#[test]
fn printing_and_reading_are_inverse() {
    for (name, text) in sample() {
        let script = smtlib::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for assertion in &script.assertions {
            let again = smtlib::read_term(&smtlib::term(&assertion.formula), &script);
            assert_eq!(again.as_ref(), Ok(&assertion.formula), "{name}");
        }
    }
}
