//! `weave ltl`: what a formula of temporal logic says, without a model.

use crate::cli::{Claim, LtlArgs};
use crate::exit::Exit;
use crate::output::{line, out};
use crate::reproduce;
use crate::show::formula;
use crate::style::Style;
use workbench::Failure;
use workbench::ltl::{Analysis, Class, FormulaRequest, analyse, convert};

pub(crate) fn run(args: &LtlArgs) -> Result<Exit, Failure> {
    let request = FormulaRequest {
        text: formula(&args.formula)?,
        equivalent: args.equivalent.clone(),
        syntax: args.syntax,
    };
    crate::interrupt::phase("translating the formula");
    if let Some(target) = args.to {
        out(&convert(&request, target.target())?);
        return Ok(Exit::Good);
    }
    crate::interrupt::phase("asking the automata of the formula");
    let analysis = analyse(&request)?;
    let claims: Vec<(Claim, Option<bool>)> =
        args.claims.iter().map(|claim| (*claim, answer(&analysis, *claim))).collect();
    let exit = exit(&analysis, &claims);
    let reproduce = reproduce::command();
    if args.output.json() {
        line(&formula::json(&analysis, &claims, &reproduce, exit).to_string());
    } else if args.output.quiet {
        line(&formula::headline(&analysis, &claims));
    } else {
        out(&formula::answer(&analysis, &claims, &reproduce, &Style::of_stdout(args.output.full)));
    }
    Ok(exit)
}

/// The formula that was typed, or stands on standard input.
fn formula(typed: &str) -> Result<String, Failure> {
    match typed {
        workbench::input::NAME => workbench::model::read_text(typed.as_ref()),
        typed => Ok(typed.to_string()),
    }
}

/// Is it so? None if that is not known.
fn answer(analysis: &Analysis, claim: Claim) -> Option<bool> {
    let facts = analysis.facts.as_ref().ok()?;
    let class = |class| facts.class.as_ref().ok().map(|found| found.is_within(class));
    match claim {
        Claim::Valid => Some(facts.counterexample.is_none()),
        Claim::Satisfiable => Some(facts.witness.is_some()),
        Claim::Unsatisfiable => Some(facts.witness.is_none()),
        Claim::Safety => class(Class::Safety),
        Claim::Guarantee => class(Class::Guarantee),
        Claim::Obligation => class(Class::Obligation),
        Claim::Recurrence => class(Class::Recurrence),
        Claim::Persistence => class(Class::Persistence),
        Claim::Liveness => facts.liveness.ok(),
        Claim::StutterInvariant => facts.stutter_invariant.ok(),
    }
}

/// What was asked decides; without a question, whether there is an answer at all.
fn exit(analysis: &Analysis, claims: &[(Claim, Option<bool>)]) -> Exit {
    let equivalent = analysis.comparison.as_ref().map(|c| c.as_ref().ok().map(|c| c.difference.is_none()));
    let known = (claims.is_empty() && equivalent.is_none()).then(|| analysis.facts.is_ok().then_some(true));
    Exit::of_answers(claims.iter().map(|(_, answer)| *answer).chain(equivalent).chain(known))
}
