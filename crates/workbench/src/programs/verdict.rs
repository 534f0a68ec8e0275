//! Which verdict follows from what was found, and what it rests on.

use super::shown::{Shown, uncertain_race};
use super::{ProgramRequest, Subject, Unrepeated, reduction};
use crate::answer::{Answer, Kind, Numbers, ReductionUsed, RunNumbers};
use crate::question::Question;
use crate::reduction::{ReductionKind, name};
use explore::Stop;
use explore::stateless::{self, Race, Spot};
use native::compile::is_source;
use native::explore::Explored;
use native::symbols::Symbols;
use std::path::Path;

/// What was found, for the answer.
pub(super) fn found(
    (request, question): (&ProgramRequest, &Question),
    subject: &Subject,
    explored: Explored,
    Shown { violations, unrepeated }: Shown,
    unknown: Option<String>,
) -> Answer {
    let report = &explored.report;
    let properties = crate::verdict::of_program(&asked(request), &violations, unknown.as_deref());
    let holds = violations.is_empty() && unknown.is_none();
    let races = races(subject, &explored);
    Answer {
        reason: unknown.unwrap_or_else(|| well(&explored)),
        errors: crate::verdict::errors(&properties),
        properties,
        exhausted: report.exhausted,
        reduction: ReductionUsed { name: name(reduction(question)).to_string(), ..ReductionUsed::default() },
        violations,
        races,
        assumes: assumes(&explored, holds),
        numbers: Numbers {
            runs: Some(RunNumbers {
                runs: report.runs(),
                terminated: report.terminated,
                deadlocks: report.deadlocks,
                failing: report.failing,
                blocked_runs: report.blocked + report.expired,
                explored: report.explored,
                executed: report.executed,
                depth: report.depth as u64,
                unseen: unseen(&explored, is_source(&request.program)),
                unrepeated,
                contained: explored.contained,
                coverage: (report.stopped && explored.estimate.is_none()).then_some(report.coverage),
                estimate: explored.estimate,
                uncontrolled: explored.uncontrolled,
            }),
            ..Numbers::default()
        },
        ..Answer::default()
    }
}

/// The kinds of failure that are looked for.
fn asked(request: &ProgramRequest) -> Vec<Kind> {
    let usual = [Kind::Deadlock, Kind::Assertion, Kind::Crash, Kind::Divergence, Kind::Misuse];
    let races = request.races_matter.then_some(Kind::Race);
    let livelock = request.livelock.map(|_| Kind::Livelock);
    let exit = request.exit_matters.then_some(Kind::Exit);
    usual.into_iter().chain(races).chain(livelock).chain(exit).collect()
}

fn well(explored: &Explored) -> String {
    let runs = explored.report.runs();
    match (runs, explored.report.explored) {
        (1, 0) => "its only run ends well; nothing concurrent was seen in it".to_string(),
        (1, _) => "its only run ends well".to_string(),
        (2, _) => "both runs end well".to_string(),
        _ => format!("all {runs} runs end well"),
    }
}

/// Memory is shared, and code accesses it that is not instrumented.
fn is_unseen(explored: &Explored) -> bool {
    explored.shares.any() && explored.unseen.any()
}

/// Which code, with the functions that are the likely reason; and the way out.
fn unseen(explored: &Explored, source: bool) -> Vec<String> {
    const SHOWN: usize = 4;
    let mut lines = calls(explored);
    if !is_unseen(explored) {
        return lines;
    }
    lines.push(format!("not instrumented: {}", explored.unseen.modules.join(", ")));
    let functions = &explored.unseen.functions;
    if !functions.is_empty() {
        let names = listed(functions, SHOWN.min(explored.unseen.likely.max(1)));
        lines.push(format!("atomic instructions or futexes are used in {names}"));
    }
    let unreported = &explored.unseen.unreported;
    if !unreported.is_empty() {
        let why = "structures given or returned by value, assembler, no_sanitize";
        let names = listed(unreported, SHOWN);
        lines.push(format!("accesses that the compiler did not instrument ({why}): {names}"));
    }
    let way_out = match source {
        true => "copy such values to local variables, or give pointers to them",
        false => "build all of it with `weave cc`",
    };
    lines.push(format!("{way_out}, or say `--assume unseen-memory`"));
    lines
}

/// Library functions that are not in the table, and the way out.
fn calls(explored: &Explored) -> Vec<String> {
    const SHOWN: usize = 6;
    let unlisted = &explored.unseen.unlisted;
    if unlisted.is_empty() {
        return Vec::new();
    }
    vec![
        format!("library functions that are not modelled: {}", listed(unlisted, SHOWN)),
        "if threads share nothing through them, say `--assume library-calls`".to_string(),
    ]
}

/// Some functions by their names, and how many more there are.
fn listed(functions: &[String], shown: usize) -> String {
    let names = functions.iter().take(shown).map(|f| format!("`{}`", short(f)));
    let more = (functions.len() > shown).then(|| format!("{} more", functions.len() - shown));
    names.chain(more).collect::<Vec<_>>().join(", ")
}

/// Names of instantiated process types are long.
fn short(name: &str) -> String {
    const MOST: usize = 60;
    match name.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}..", &name[..at]),
        None => name.to_string(),
    }
}

/// Of `--time ordered`.
const ORDERED: &str = "assumed: threads that sleep less come first, which no system promises";

/// Why finding nothing does not mean that all is well.
pub(super) fn why_unknown(
    (request, question): (&ProgramRequest, &Question),
    (subject, explored): (&Subject, &Explored),
    unrepeated: &[Unrepeated],
    stopped: Option<Stop>,
) -> Option<String> {
    let report = &explored.report;
    if let Some(trouble) = &explored.trouble {
        return Some(trouble.to_string());
    }
    if let Some(unrepeated) = unrepeated.first() {
        return Some(format!("nondeterminism: {}", unrepeated.why));
    }
    let shown = report.violations.iter().any(|v| v.failure.kind == stateless::Kind::Race);
    if request.races_matter && !explored.races.is_empty() && !shown && explored.uncontrolled.is_empty() {
        return Some("nondeterminism: race was not seen again".to_string());
    }
    let symbols = Symbols::new(&subject.program.path, explored.base);
    let uncertain = |v: &stateless::Violation<_, _>| uncertain_race(request, explored, &symbols, &v.failure);
    if let Some(why) = report.violations.iter().find_map(uncertain) {
        return Some(why);
    }
    if let Some(stop) = stopped {
        return Some(crate::verdict::words(stop, &question.limits));
    }
    if !explored.uncontrolled.is_empty() {
        return Some(format!("uncontrolled: {}", explored.uncontrolled.join(", ")));
    }
    if let Some(bound) = &report.bounded {
        let timeout = report.stopped && question.limits.time.is_some();
        return Some(if timeout { "timeout".to_string() } else { format!("bounded: {bound}") });
    }
    if request.ordered {
        return Some(ORDERED.to_string());
    }
    if request.livelock.is_some() && reduction(question) != ReductionKind::None {
        return Some("bounded: only --reduction none sees every livelock".to_string());
    }
    if report.runs() == 0 {
        return Some("bounded: no run was followed to its end".to_string());
    }
    if !report.exhausted {
        return Some("bounded: not everything was seen".to_string());
    }
    let (runs, who) = (report.runs(), explored.shares.who());
    let runs = if runs == 1 { "1 run".to_string() } else { format!("{runs} runs") };
    let seen = format!("complete for the operations seen: {runs}, no violation");
    if is_unseen(explored) && !request.assume_unseen {
        return Some(format!("{seen}; the memory that {who} share is not seen"));
    }
    let unlisted = &explored.unseen.unlisted;
    (!unlisted.is_empty() && !request.assume_calls).then(|| {
        let more = if unlisted.len() > 1 { " and others" } else { "" };
        format!("{seen}; what `{}`{more} of a library does is not modelled", short(&unlisted[0]))
    })
}

/// Both places of each race, by line, with their callers.
fn races(subject: &Subject, explored: &Explored) -> Vec<String> {
    const SHOWN: usize = 4;
    let symbols = Symbols::new(&subject.program.path, explored.base);
    let access = |spot: &Spot| {
        let mut places = symbols.places(spot.pc);
        let stack = explored.stacks.get(&spot.pc);
        let known: Vec<_> = stack.into_iter().flatten().flat_map(|at| symbols.places(*at)).collect();
        if !known.is_empty() {
            places = known;
        }
        let here = std::env::current_dir().unwrap_or_default();
        let file = |file: &str| match Path::new(file).strip_prefix(&here) {
            Ok(inside) => inside.to_string_lossy().into_owned(),
            Err(_) => file.to_string(),
        };
        let shown = places.iter().take(SHOWN);
        let words = shown.map(|p| format!("{}:{} in {}", file(&p.file), p.line, p.function));
        let words: Vec<String> = words.collect();
        let place = if words.is_empty() { format!("{:#x}", spot.pc) } else { words.join(" < ") };
        format!("{} at {place}", spot.name())
    };
    // In whatever order they came.
    let race = |r: &Race| {
        let mut both = [access(&r.first), access(&r.second)];
        both.sort();
        both.join(", ")
    };
    let mut all: Vec<String> = explored.races.iter().map(race).collect();
    all.sort();
    all.dedup();
    all
}

const NOT_SEEN: &str = "no data races in code that is not instrumented: libraries, inline assembler, \
                        accesses that the optimiser removes";

fn assumes(explored: &Explored, holds: bool) -> Vec<String> {
    let mut all = vec!["sequential consistency".to_string()];
    if !explored.instrumented {
        all.push("no data races: the program is not instrumented".to_string());
    } else {
        all.push(NOT_SEEN.to_string());
    }
    if is_unseen(explored) && holds {
        let who = explored.shares.who();
        all.push(format!(
            "unseen memory: what {who} share is ordered by the operations seen, and carries no other information"
        ));
    }
    if !explored.unseen.unlisted.is_empty() && holds {
        let names = explored.unseen.unlisted.iter().map(|f| short(f)).collect::<Vec<_>>().join(", ");
        all.push(format!("library calls: threads share nothing through {names}"));
    }
    all.push("what calls other than those on files return does not depend on the order".to_string());
    all.extend(explored.assumes.iter().cloned());
    all
}
