//! Whether a run of a fair transition system breaks a formula: every step is taken again by the reference stepper of such systems,
//! the loop is held against the definitions of justice and compassion, the word against the definition of truth.

use crate::safety::safety_part;
use logic::fol::{Term, holds};
use logic::ltl::{Formula, Lasso, semantics};
use num_bigint::BigInt;
use system::fts::step::{Given, In, State, instances, is_enabled, successors};
use system::fts::{Fairness, Fts, Transition};

/// A run: states, and the one that the last goes back to. The same state twice in a row is idling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FairRun {
    pub states: Vec<State>,
    pub loop_start: usize,
}

/// What is known when a run is checked.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub fts: &'a Fts,
    /// Rigid symbols, and the rigid values that the formula speaks of.
    pub given: &'a Given,
    /// Runs need be no fairer than this to any transition.
    pub fairness: Fairness,
}

/// Checks that the run exists, is fair, and breaks the formula; otherwise says why not.
pub fn breaks(context: Context<'_>, formula: &Formula<Term>, run: &FairRun) -> Result<(), String> {
    exists(context, &run.states)?;
    let (Some(last), Some(back)) = (run.states.last(), run.states.get(run.loop_start)) else {
        return Err("the loop is empty".to_string());
    };
    step(context, last, back)?;
    let cycle = &run.states[run.loop_start..];
    is_fair(context, cycle)?;
    is_false(context, formula, &Lasso { stem: run.states[..run.loop_start].to_vec(), cycle: cycle.to_vec() })
}

/// Checks that states are a run from an initial state after which a formula is broken, whatever comes.
///
/// What the formula says about finite runs (`safety_part`) is read on the run that idles after the last state. That run need not be
/// fair; but a safety formula that is false of it is false because of finitely many states, and every finite run goes on to a fair one.
pub fn breaks_safety(context: Context<'_>, formula: &Formula<Term>, states: &[State]) -> Result<(), String> {
    exists(context, states)?;
    let Some((last, stem)) = states.split_last() else { return Err("there is no state".to_string()) };
    let Some(formula) = safety_part(formula) else {
        return Err("no finite run breaks such a formula".to_string());
    };
    is_false(context, &formula, &Lasso { stem: stem.to_vec(), cycle: vec![last.clone()] })
}

fn is_false(context: Context<'_>, formula: &Formula<Term>, word: &Lasso<State>) -> Result<(), String> {
    let mut missing = None;
    let reads = |e: &Term, state: &State| {
        let value = truth(context, e, state);
        missing = missing.take().or_else(|| value.is_none().then(|| e.to_string()));
        value == Some(true)
    };
    let holds = semantics::holds(formula, word, reads);
    match (missing, holds) {
        (Some(e), _) => Err(format!("`{e}` has no value")),
        (None, true) => Err("the run satisfies the formula".to_string()),
        (None, false) => Ok(()),
    }
}

/// Checks that states are a run from an initial state.
pub fn exists(context: Context<'_>, states: &[State]) -> Result<(), String> {
    let first = states.first().ok_or("there is no state")?;
    if truth(context, &context.fts.initial, first) != Some(true) {
        return Err("the first state is not initial".to_string());
    }
    states.windows(2).try_for_each(|pair| step(context, &pair[0], &pair[1]))
}

fn truth(context: Context<'_>, e: &Term, state: &State) -> Option<bool> {
    holds(e, &In { fts: context.fts, given: context.given, state, extra: Vec::new() })
}

fn step(context: Context<'_>, from: &State, to: &State) -> Result<(), String> {
    if from == to {
        return Ok(());
    }
    let possible = successors(context.fts, context.given, from)?;
    if possible.iter().any(|(_, next)| next == to) {
        Ok(())
    } else {
        Err("a step is not possible".to_string())
    }
}

fn is_fair(context: Context<'_>, cycle: &[State]) -> Result<(), String> {
    for transition in &context.fts.transitions {
        if transition.fairness.min(context.fairness) == Fairness::None {
            continue;
        }
        for parameters in instances(context.fts, context.given, transition)? {
            is_fair_to(context, transition, &parameters, cycle)?;
        }
    }
    Ok(())
}

fn is_fair_to(
    context: Context<'_>,
    transition: &Transition,
    parameters: &[BigInt],
    cycle: &[State],
) -> Result<(), String> {
    let (mut enabled, mut taken) = (0, false);
    for (at, state) in cycle.iter().enumerate() {
        let next = &cycle[(at + 1) % cycle.len()];
        enabled += usize::from(is_enabled(context.fts, context.given, state, transition, parameters)?);
        let ways = successors(context.fts, context.given, state)?;
        taken |= ways.iter().any(|(how, to)| {
            to == next
                && how.parameters == parameters
                && context.fts.transitions.get(how.transition).is_some_and(|t| t.name == transition.name)
        });
    }
    let compassionate = transition.fairness.min(context.fairness) == Fairness::Strong;
    let demanded = if compassionate { enabled > 0 } else { enabled == cycle.len() };
    if demanded && !taken {
        return Err(format!("the run is not fair to `{}`", transition.name));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::fol::{Sort, Symbol, Value};
    use logic::ltl::{Binary, Unary};
    use system::fts::{Branch, Mode, Variable};

    /// A door that swings, and somebody who goes in when it is open.
    fn door(enter: Fairness) -> Fts {
        let open = Symbol::constant("open", Sort::Bool);
        let inside = Symbol::constant("inside", Sort::Bool);
        let variable = |symbol: &Symbol| Variable {
            symbol: symbol.clone(),
            mode: Mode::Local,
            range: None,
            span: source::Span::default(),
        };
        let transition = |name: &str, fairness: Fairness, branch: Branch| Transition {
            name: name.to_string(),
            parameters: Vec::new(),
            branches: vec![branch],
            fairness,
            text: name.to_string(),
            span: source::Span::default(),
        };
        let swing = Branch::new(Term::truth(true), vec![(open.clone(), Term::negation(open.term()))]);
        let guard = Term::all([open.term(), Term::negation(inside.term())]);
        let goes_in = Branch::new(guard, vec![(inside.clone(), Term::truth(true))]);
        Fts {
            variables: vec![variable(&open), variable(&inside)],
            initial: Term::all([Term::negation(open.term()), Term::negation(inside.term())]),
            transitions: vec![
                transition("swing", Fairness::Weak, swing),
                transition("enter", enter, goes_in),
            ],
            ..Fts::default()
        }
    }

    fn states(values: &[(bool, bool)]) -> Vec<State> {
        values.iter().map(|(a, b)| vec![Value::Bool(*a), Value::Bool(*b)]).collect()
    }

    fn judged(
        enter: Fairness,
        most: Fairness,
        run: &[(bool, bool)],
        loop_start: usize,
    ) -> Result<(), String> {
        let fts = door(enter);
        let inside = fts.variables[1].symbol.term();
        let goal = Formula::unary(Unary::Eventually, Formula::Atom(inside));
        let given = Given::new();
        let context = Context { fts: &fts, given: &given, fairness: most };
        breaks(context, &goal, &FairRun { states: states(run), loop_start })
    }

    #[test]
    fn only_fair_runs_that_break_the_formula_count() {
        let swinging = [(false, false), (true, false)];
        assert_eq!(judged(Fairness::Weak, Fairness::Strong, &swinging, 0), Ok(()));
        assert!(
            judged(Fairness::Strong, Fairness::Strong, &swinging, 0).unwrap_err().contains("fair to `enter`")
        );
        assert_eq!(judged(Fairness::Strong, Fairness::Weak, &swinging, 0), Ok(()));
        // Without fairness, idling for ever counts.
        assert_eq!(judged(Fairness::Weak, Fairness::None, &[(false, false)], 0), Ok(()));
        // Idling for ever is not fair to a just transition that is always possible.
        assert!(
            judged(Fairness::Weak, Fairness::Strong, &[(false, false)], 0)
                .unwrap_err()
                .contains("fair to `swing`")
        );
    }

    /// The run that idles is unfair: only what finitely many states break is broken by it.
    #[test]
    fn a_finite_run_breaks_safety_alone() {
        let fts = door(Fairness::Weak);
        let atom = |at: usize| Formula::Atom(fts.variables[at].symbol.term());
        let not = |f: Formula<Term>| Formula::unary(Unary::Not, f);
        let given = Given::new();
        let context = Context { fts: &fts, given: &given, fairness: Fairness::Strong };
        let broken = |f: &Formula<Term>| breaks_safety(context, f, &states(&[(false, false), (true, false)]));
        let closed = Formula::unary(Unary::Always, not(atom(0)));
        let enters = Formula::unary(Unary::Eventually, atom(1));
        assert_eq!(broken(&closed), Ok(()));
        assert!(broken(&enters).unwrap_err().contains("no finite run"));
        assert!(
            broken(&not(Formula::unary(Unary::Always, not(atom(1))))).unwrap_err().contains("no finite run")
        );
        // Of a conjunction the promise is left out; what is left decides.
        assert_eq!(broken(&Formula::binary(Binary::And, enters.clone(), closed)), Ok(()));
        let harmless = Formula::unary(Unary::Always, not(atom(1)));
        assert!(broken(&Formula::binary(Binary::And, enters, harmless)).unwrap_err().contains("satisfies"));
        let once = Formula::unary(Unary::Always, Formula::unary(Unary::Historically, not(atom(0))));
        assert_eq!(broken(&once), Ok(()));
    }

    #[test]
    fn runs_that_do_not_exist_are_refused() {
        assert!(
            judged(Fairness::Weak, Fairness::Strong, &[(true, false)], 0)
                .unwrap_err()
                .contains("not initial")
        );
        let jump = [(false, false), (true, true)];
        assert!(judged(Fairness::Weak, Fairness::Strong, &jump, 0).unwrap_err().contains("not possible"));
        let satisfied = [(false, false), (true, false), (true, true), (false, true)];
        assert!(judged(Fairness::Weak, Fairness::Strong, &satisfied, 2).unwrap_err().contains("satisfies"));
    }
}
