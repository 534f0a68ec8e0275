//! `weave diff-spin`: the same model under SPIN and under weave, side by side.

use crate::cli::DiffSpinArgs;
use crate::exit::Exit;
use crate::output::line;
use crate::units::count;
use crate::{interrupt, json};
use workbench::spin::{self, Outcome, Page};
use workbench::{
    Answer, Failure, Limits, Model, Question, ReductionKind, ReductionRequest, Selection, check,
};

pub(crate) fn run(args: &DiffSpinArgs) -> Result<Exit, Failure> {
    let interrupt = interrupt::listen();
    let read = args.model.request();
    let request = Question {
        raw: true,
        keep_going: true,
        selected: vec![Selection::Safety],
        limits: Limits { time: Some(args.timeout), ..Limits::default() },
        reduction: ReductionRequest { kind: Some(ReductionKind::None), ..ReductionRequest::default() },
        ..Question::default()
    };
    let model = Model::read(&read)?;
    let ours = check(&model, &request, &interrupt, &mut |_| {})?;
    let theirs = spin::search(&read, args.timeout, &interrupt)?;
    let agree = compare(&ours, &theirs);
    let exit = match agree {
        _ if interrupt.is_interrupted() => Exit::Interrupted,
        Some(true) => Exit::Good,
        Some(false) => Exit::Violated,
        None => Exit::Unknown,
    };
    if args.json {
        line(&json::comparison(&ours, &theirs, agree, exit).to_string());
    } else {
        show(&ours, &theirs, agree);
    }
    Ok(exit)
}

/// Whether both say the same; `None` if one of them has no complete answer.
fn compare(ours: &Answer, theirs: &Outcome) -> Option<bool> {
    let Outcome::Searched(page) = theirs else { return None };
    if !ours.exhausted || !page.exhausted {
        return None;
    }
    let n = ours.searched();
    let counts = (n.states, n.transitions) == (page.states, page.transitions);
    Some(counts && kinds(ours) == [page.deadlock, page.assertion, page.runtime])
}

fn kinds(ours: &Answer) -> [bool; 3] {
    let e = &ours.errors;
    [e.deadlock > 0, e.assertion > 0, e.runtime > 0]
}

fn show(ours: &Answer, theirs: &Outcome, agree: Option<bool>) {
    line(match agree {
        Some(true) => "AGREE: same states, transitions and kinds of error",
        Some(false) => "DIFFER",
        None => "UNKNOWN: one of the two has no complete answer",
    });
    match theirs {
        Outcome::Searched(page) => table(ours, page),
        Outcome::Failed { tool, message } => line(&format!("{tool} failed: {message}")),
        Outcome::Timeout => line("SPIN was stopped at the time limit"),
    }
}

fn table(ours: &Answer, page: &Page) {
    let words = |kinds: [bool; 3]| {
        let names =
            ["deadlock", "assertion", "runtime"].into_iter().zip(kinds).filter(|(_, k)| *k).map(|(n, _)| n);
        let names: Vec<_> = names.collect();
        if names.is_empty() { "none".to_string() } else { names.join(" ") }
    };
    let n = ours.searched();
    let row = |name: &str, weave: String, spin: String| {
        let mark = if weave == spin { " " } else { "*" };
        line(&format!("{mark} {name:12} {weave:>20} {spin:>20}"));
    };
    line(&format!("  {:12} {:>20} {:>20}", "", "weave", "SPIN"));
    row("states", count(n.states), count(page.states));
    row("transitions", count(n.transitions), count(page.transitions));
    row("matched", count(n.matched()), count(page.matched));
    row("errors", words(kinds(ours)), words([page.deadlock, page.assertion, page.runtime]));
    line(&format!("  {:12} {:>20} {:>20}", "depth", count(n.depth), count(page.depth)));
    line(&format!("  {:12} {:>18.2} s {:>18.2} s", "search", ours.numbers.seconds, page.seconds));
}
