//! `weave check --audit`: weave held against itself on a model.

use crate::cli::CheckArgs;
use crate::exit::Exit;
use crate::output::{line, out};
use crate::{json, reproduce, trace_file};
use workbench::audit::{AuditRequest, AuditResult, audit};
use workbench::{Failure, Model};

/// States in which claims are tried, unless a number is given.
const SAMPLE: usize = 1_000;
/// States of the largest full search that reductions are compared with, unless `--max-states` is
/// given.
const STATES: u64 = 50_000;

pub(crate) fn run(args: &CheckArgs, sample: Option<usize>) -> Result<Exit, Failure> {
    crate::interrupt::phase("reading the model");
    let model = Model::read(&args.model.request())?;
    let request = AuditRequest {
        sample: sample.unwrap_or(SAMPLE),
        states: args.question.limits.max_states.unwrap_or(STATES),
    };
    crate::interrupt::phase("auditing");
    let result = audit(&model, &request)?;
    let exit = if result.complaints.is_empty() { Exit::Good } else { Exit::Bug };
    let run = result.complaints.iter().find_map(|c| c.run.as_ref());
    let reproduce = reproduce::command();
    match args.output.json() {
        true => line(&json::audit::result(&result, &reproduce, exit).to_string()),
        false => out(&text(&result, &reproduce, args.output.quiet)),
    }
    let written = match (&args.question.trace, run) {
        (Some(path), Some((recording, trace))) => trace_file::write(path, recording, trace),
        _ => Ok(()),
    };
    if let Err(failure) = written {
        crate::output::complain(&format!("weave: {}", failure.message()));
    }
    Ok(exit)
}

fn text(result: &AuditResult, reproduce: &str, quiet: bool) -> String {
    let mut out = match (&result.refused, result.complaints.len()) {
        (Some(why), _) => format!("AUDIT  nothing to audit: {why}\n"),
        (None, 0) => "AUDIT  nothing is wrong\n".to_string(),
        (None, 1) => "AUDIT  one thing is wrong: a bug in weave\n".to_string(),
        (None, many) => format!("AUDIT  {many} things are wrong: a bug in weave\n"),
    };
    if quiet {
        return out;
    }
    for done in &result.modes {
        let compared = match done.states {
            Some(states) => format!(
                "{} reductions agree with the full search of {states} states ({} local states) or are listed below",
                done.reductions, done.locals
            ),
            None => "too many states to compare reductions with the full search (--max-states)".to_string(),
        };
        out.push_str(&format!("\n{}: {compared}\n", done.mode));
        out.push_str(&format!(
            "  in {} states: {} independent pairs executed in both orders,\n  {} persistent sets watched ({} to a limit), {} triples\n",
            done.sampled, done.pairs, done.sets, done.cut, done.triples
        ));
    }
    for complaint in &result.complaints {
        out.push_str(&format!("\n{}: {}\n", complaint.mode, complaint.message));
        if let Some((_, trace)) = &complaint.run {
            let steps = trace.steps.iter().flat_map(|s| &s.statements).map(|s| s.text.as_str());
            out.push_str(&format!("  reached by: {}\n", steps.collect::<Vec<_>>().join("; ")));
        }
    }
    out.push_str(&format!("\nreproduce: {reproduce}\n"));
    out
}
