//! `weave prove`: invariants, rules and proof scripts for SPL programs and transition systems.

use super::answer;
use crate::cli::ProveArgs;
use crate::exit::Exit;
use crate::show;
use workbench::{Engine, Failure, ProofOptions, Question, SubjectRequest};

pub(crate) fn run(args: &ProveArgs) -> Result<Exit, Failure> {
    let subject = SubjectRequest {
        files: args.files.clone(),
        formulas: args.question.ltl.clone(),
        ..SubjectRequest::default()
    };
    let (subject, answer) = answer::ask(&subject, &question(args), args.output)?;
    let exit = answer::show("prove", &answer, &subject.map, args.output);
    Ok(show::written(answer::write(args.question.trace.as_deref(), &answer), exit))
}

fn question(args: &ProveArgs) -> Question {
    Question {
        engine: Engine::Prove,
        proofs: ProofOptions {
            auto: args.auto,
            rules_only: args.rules_only,
            solver: args.solver,
            condition_time: args.condition_timeout,
        },
        ..args.question.question()
    }
}
