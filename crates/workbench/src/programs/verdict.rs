//! Which verdict follows from what was found, and what it rests on.

use super::{ProgramRequest, ProgramResult, Reduction, RunViolation, Subject};
use crate::request::Limits;
use crate::result::Verdict;
use explore::Stop;
use native::execution::Race;
use native::explore::Explored;
use native::symbols::Symbols;

pub(super) fn result(
    subject: &Subject,
    explored: Explored,
    violations: Vec<RunViolation>,
    doubt: Option<String>,
    seconds: f64,
) -> ProgramResult {
    let report = &explored.report;
    let (verdict, reason) = match (violations.first(), doubt) {
        (Some(first), _) => (Verdict::Violated, format!("{}: {}", first.kind, first.message)),
        (None, Some(doubt)) => (Verdict::Unknown, doubt),
        (None, None) => (Verdict::Holds, format!("all {} runs end well", report.runs())),
    };
    ProgramResult {
        verdict,
        reason,
        exhausted: report.exhausted,
        interrupted: false,
        runs: report.runs(),
        terminated: report.terminated,
        deadlocks: report.deadlocks,
        failing: report.failing,
        blocked_runs: report.blocked + report.expired,
        explored: report.explored,
        executed: report.executed,
        depth: report.depth as u64,
        races: races(subject, &explored),
        assumes: assumes(&explored),
        uncontrolled: explored.uncontrolled,
        violations,
        contained: explored.contained,
        seconds,
        coverage: (report.stopped && explored.estimate.is_none()).then_some(report.coverage),
        estimate: explored.estimate,
    }
}

/// Of `--time ordered`.
const ORDERED: &str = "assumed: whoever sleeps is outrun by all who sleep less, which no system promises";

/// Why nothing found is not yet everything well.
pub(super) fn doubt(
    request: &ProgramRequest,
    explored: &Explored,
    unconfirmed: &[String],
    stopped: Option<Stop>,
) -> Option<String> {
    let report = &explored.report;
    if let Some(trouble) = &explored.trouble {
        return Some(trouble.to_string());
    }
    if let Some(unconfirmed) = unconfirmed.first() {
        return Some(format!("nondeterminism: {unconfirmed}"));
    }
    if let Some(stop) = stopped {
        return Some(crate::verdict::words(stop, &limits(request)));
    }
    if !explored.uncontrolled.is_empty() {
        return Some(format!("uncontrolled: {}", explored.uncontrolled.join(", ")));
    }
    if let Some(bound) = &report.bounded {
        let timeout = report.stopped && request.timeout.is_some();
        return Some(if timeout { "timeout".to_string() } else { format!("bounded: {bound}") });
    }
    if request.ordered {
        return Some(ORDERED.to_string());
    }
    if request.livelock.is_some() && request.reduction != Reduction::None {
        return Some("bounded: only --reduction none sees every livelock".to_string());
    }
    if report.runs() == 0 {
        return Some("bounded: no run was followed to its end".to_string());
    }
    (!report.exhausted).then(|| "bounded: not everything was seen".to_string())
}

/// As every command has them.
fn limits(request: &ProgramRequest) -> Limits {
    Limits { memory: Some(request.memory), time: request.timeout, ..Limits::default() }
}

/// Both places of each race, by line, with their callers.
fn races(subject: &Subject, explored: &Explored) -> Vec<String> {
    const SHOWN: usize = 4;
    let symbols = Symbols::new(&subject.program.path, explored.base);
    let access = |pc: u64, write: bool| {
        let mut places = symbols.places(pc);
        let stack = explored.stacks.get(&pc);
        let known: Vec<_> = stack.into_iter().flatten().flat_map(|at| symbols.places(*at)).collect();
        if !known.is_empty() {
            places = known;
        }
        let words = places.iter().take(SHOWN).map(|p| format!("{}:{} in {}", p.file, p.line, p.function));
        let words: Vec<String> = words.collect();
        let place = if words.is_empty() { format!("{pc:#x}") } else { words.join(" < ") };
        format!("{} at {place}", if write { "write" } else { "read" })
    };
    let race =
        |r: &Race| format!("{}, {}", access(r.first, r.first_writes), access(r.second, r.second_writes));
    let mut all: Vec<String> = explored.races.iter().map(race).collect();
    all.sort();
    all.dedup();
    all
}

fn assumes(explored: &Explored) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_string()];
    if !explored.instrumented {
        all.push("no data races: the program is not instrumented".to_string());
    } else {
        all.push("no data races in code that is not instrumented: libraries, inline assembler".to_string());
    }
    all.push("what other calls than those on files tell does not depend on the order".to_string());
    all.extend(explored.assumes.iter().cloned());
    all
}
