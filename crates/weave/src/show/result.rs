//! An answer on the screen: the verdict first, then what went wrong and where, the run, the
//! numbers; the parts that there are.

use crate::shell::quote;
use crate::show::{certified, chart, list, program, proof};
use crate::style::{Style, Tone};
use crate::units::{count, plural, size};
use source::{Diagnostic, SourceMap, Span, render};
use workbench::answer::few;
use workbench::report::Statement;
use workbench::{
    Answer, CacheStatistics, Decided, DiskNumbers, Ending, Kind, Losses, ReductionUsed, Report, RunNumbers,
    SearchNumbers, Unreached, Verdict, Violation,
};

/// The first line.
pub(crate) fn headline(answer: &Answer, style: &Style) -> String {
    let word = answer.verdict.name().to_uppercase();
    let reason = match (answer.verdict, answer.numbers.search) {
        // Nothing had to be searched.
        (Verdict::Holds, Some(n)) if n.states == 0 && answer.numbers.diagrams.is_none() => {
            format!("{}, as the text shows", nothing_found(&answer.properties))
        }
        (Verdict::Holds, Some(n)) => {
            format!("{} in {}", nothing_found(&answer.properties), plural(n.states as usize, "state"))
        }
        _ => answer.reason.clone(),
    };
    let violations = answer.properties.iter().any(|p| p.kind == Kind::Race && p.verdict == Verdict::Violated);
    let listed = match answer.races.len() {
        1.. if !violations => format!(", with {} listed", plural(answer.races.len(), "data race")),
        _ => String::new(),
    };
    format!("{}{listed}: {reason}\n", style.paint(answer.verdict.into(), &word))
}

/// Everything.
pub(crate) fn result(map: &SourceMap, answer: &Answer, reproduce: &str, style: &Style) -> String {
    let numbers = &answer.numbers;
    let mut out = headline(answer, style);
    match &numbers.proof {
        Some(found) => out.push_str(&proof::part(map, answer, found, style)),
        None => {
            out.push_str(&violations(map, &answer.violations, style));
            out.push('\n');
        }
    }
    if let Some(n) = &numbers.search {
        out.push_str(&properties(&answer.properties, style));
        out.push_str(&searched(answer, n));
        out.push_str(&products(&answer.properties));
        out.push_str(&unreached(answer, style));
    }
    out.push_str(&numbers.runs.as_ref().map(|n| program::numbers(answer, n)).unwrap_or_default());
    out.push_str(&lines("race", &answer.races));
    out.push_str(&numbers.runs.as_ref().map(unsure).unwrap_or_default());
    out.push_str(&lines("assumes", &answer.assumes));
    out.push_str(&certified::line(&answer.properties));
    out.push_str(&numbers.runs.as_ref().map(|n| lines("uncontrolled", &n.uncontrolled)).unwrap_or_default());
    out.push_str(&candidates(answer, style.full));
    out.push_str(&format!("reproduce: {reproduce}\n"));
    out
}

fn lines(word: &str, all: &[String]) -> String {
    all.iter().map(|line| format!("{word}: {line}\n")).collect()
}

fn violations(map: &SourceMap, all: &[Violation], style: &Style) -> String {
    let shown = if style.full { all.len() } else { all.len().min(1) };
    let mut out: String = all[..shown].iter().map(|one| violation(map, one, style)).collect();
    out.push_str(&further(all.iter().skip(shown), all.len() - shown));
    out
}

/// Runs of a program that did not fail again, and what was not seen.
fn unsure(n: &RunNumbers) -> String {
    let mut out = String::new();
    for once in &n.unrepeated {
        let steps = plural(once.recording.steps.len(), "step");
        out.push_str(&format!("failed once: {} ({steps}; --trace FILE records it)\n", once.why));
    }
    out + &lines("unseen", &n.unseen)
}

/// Abstract runs that may be bad, and what the cross-check saw.
fn candidates(answer: &Answer, full: bool) -> String {
    let mut out = String::new();
    for property in &answer.properties {
        let Some(lines) = &property.candidate else { continue };
        let name = &property.name;
        match property.proof {
            Some(_) => out.push_str(&format!("a run of the abstraction that violates {name}:\n")),
            None => {
                let marks = "`*` marks summary nodes, `?` is 1/2";
                out.push_str(&format!("an abstract run that may violate {name}; {marks}:\n"));
            }
        }
        let shown = if full { lines.len() } else { lines.len().min(24) };
        lines[..shown].iter().for_each(|l| out.push_str(&format!("  {l}\n")));
        if shown < lines.len() {
            out.push_str(&format!("  ... {} more lines; --full shows all\n", lines.len() - shown));
        }
    }
    out + &answer.cross_check.iter().map(|words| format!("cross-check: {words}\n")).collect::<String>()
}

fn nothing_found(properties: &[Decided]) -> String {
    let words = properties.iter().map(|p| match p.name.as_str() {
        "deadlock" => "no deadlock".to_string(),
        "assertion" => "no failed assertion".to_string(),
        "runtime" => "no run-time error".to_string(),
        "race" => "no data race".to_string(),
        name => format!("{name} holds"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// What went wrong and where, the run as list and as chart.
fn violation(map: &SourceMap, violation: &Violation, style: &Style) -> String {
    let mut out = String::from("\n");
    // The texts of a program are not read.
    let of_program = violation.recording.program.is_some();
    if let Some(diagnostic) = diagnostic(violation).filter(|_| !of_program) {
        out.push_str(&render(map, &diagnostic, style.look));
        out.push_str("\n\n");
    }
    let steps = plural(violation.trace.steps.len(), "step");
    let shortest = if violation.shortest { ", found breadth-first" } else { "" };
    let what = if of_program { "" } else { ", only what changes" };
    out.push_str(&style.paint(Tone::Strong, &format!("The run ({steps}{shortest}){what}:")));
    out.push('\n');
    out.push_str(&list::list(&violation.trace, style));
    let chart = chart::chart(&violation.trace, style);
    if !chart.is_empty() {
        out.push('\n');
        out.push_str(&style.paint(Tone::Strong, "The run as a chart, time runs downwards:"));
        out.push('\n');
        out.push_str(&chart);
    }
    out
}

/// The place in the model, in rustc's look; `None` if the violation has no place.
fn diagnostic(violation: &Violation) -> Option<Diagnostic> {
    let code = violation.kind.name();
    if violation.trace.ending == Ending::Deadlock {
        let mut places = blocked_places(&violation.trace).into_iter();
        let (span, words) = places.next()?;
        let first = Diagnostic::error(code, span, &*violation.message).label(words);
        return Some(places.fold(first, |d, (span, words)| d.also(span, words)));
    }
    let span = violation.location.as_ref()?.span;
    let last = &violation.trace.steps.last()?.statements;
    let words = match last.iter().rev().find(|s| is_part(span, s)) {
        Some(statement) => format!("executed by {}", violation.trace.label(statement.actor)),
        None => "the run violates this".to_string(),
    };
    Some(Diagnostic::error(code, span, &*violation.message).label(words))
}

/// Whether a place is in a statement, or a statement at it.
fn is_part(span: Span, statement: &Statement) -> bool {
    let meets = |other: Span| span.file == other.file && span.start < other.end && other.start < span.end;
    statement.location.as_ref().is_some_and(|l| meets(l.span))
}

/// Where processes are blocked, and who is at each place.
fn blocked_places(trace: &Report) -> Vec<(Span, String)> {
    let mut places: Vec<(Span, Vec<String>)> = Vec::new();
    for waiting in trace.waiting.iter().filter(|w| !w.valid_end) {
        let Some(location) = waiting.statements.iter().find_map(|s| s.location.as_ref()) else { continue };
        let label = trace.label(waiting.actor);
        match places.iter_mut().find(|(span, _)| *span == location.span) {
            Some((_, who)) => who.push(label),
            None => places.push((location.span, vec![label])),
        }
    }
    let words = |who: Vec<String>| {
        let verb = if who.len() == 1 { "is" } else { "are" };
        format!("{} {verb} blocked here", who.join(", "))
    };
    places.into_iter().map(|(span, who)| (span, words(who))).collect()
}

fn further<'a>(others: impl Iterator<Item = &'a Violation>, many: usize) -> String {
    if many == 0 {
        return String::new();
    }
    let mut out = format!("\n{} more; --full shows their runs:\n", plural(many, "violation"));
    for violation in others.take(20) {
        let place =
            violation.location.as_ref().map(|l| format!(" at {}:{}", l.file, l.line)).unwrap_or_default();
        let steps = plural(violation.trace.steps.len(), "step");
        out.push_str(&format!("  {}: {}{place}, after {steps}\n", violation.kind.name(), violation.message));
    }
    out
}

/// One line for each property, when they do not all say the same.
fn properties(properties: &[Decided], style: &Style) -> String {
    if properties.iter().all(|p| p.verdict == Verdict::Holds && p.vacuous.is_none()) {
        return String::new();
    }
    let width = properties.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    let line = |p: &Decided| {
        let vacuous = p.vacuous.as_ref().map(|v| format!(" vacuously ({v})"));
        let reason = p.reason.as_ref().map(|r| format!(" ({r})")).or(vacuous).unwrap_or_default();
        format!("  {:width$}  {}{reason}\n", p.name, style.paint(p.verdict.into(), p.verdict.name()))
    };
    format!("properties:\n{}", properties.iter().map(line).collect::<String>())
}

fn reduction(used: &ReductionUsed) -> String {
    let name = match used.name.as_str() {
        "none" => "no reduction".to_string(),
        name => format!("reduction {name}{}", if used.proviso { " with proviso" } else { "" }),
    };
    let off =
        used.off.iter().map(|(why, states)| format!(", off in {}: {why}", plural(states as usize, "state")));
    let name = name + &off.collect::<String>();
    used.dropped.as_ref().map_or(name.clone(), |why| format!("{name}: {why}"))
}

/// What the searches of runs cost, and what they left out.
fn products(properties: &[Decided]) -> String {
    let line = |p: &Decided| {
        let ((states, transitions), used) = p.product.zip(p.reduction.as_ref())?;
        let (states, transitions) =
            (plural(states as usize, "state"), plural(transitions as usize, "transition"));
        Some(format!("{}: {states}, {transitions} with the property, {}\n", p.name, reduction(used)))
    };
    properties.iter().filter_map(line).collect()
}

fn searched(answer: &Answer, n: &SearchNumbers) -> String {
    let complete = if answer.exhausted { "complete search" } else { "search not complete" };
    let (states, transitions, matched) = (
        plural(n.states as usize, "state"),
        plural(n.transitions as usize, "transition"),
        count(n.matched()),
    );
    let mut out = match answer.numbers.diagrams {
        None => format!(
            "{states}, {transitions} ({matched} matched), depth {}; {complete}, {}\n",
            count(n.depth),
            reduction(&answer.reduction)
        ),
        Some(d) => format!(
            "{states}, {transitions}; {complete}, symbolic: {} a state, {}\n",
            plural(d.bits as usize, "bit"),
            plural(d.nodes as usize, "node")
        ),
    };
    out.push_str(&answer.numbers.cache.as_ref().map(cache).unwrap_or_default());
    out.push_str(&answer.numbers.losses.as_ref().map(losses).unwrap_or_default());
    out.push_str(&answer.numbers.disk.as_ref().map(|d| disk(d, n)).unwrap_or_default());
    let e = &answer.errors;
    if e.deadlock + e.assertion + e.runtime > 0 {
        let kinds = [("deadlock", e.deadlock), ("assertion", e.assertion), ("runtime", e.runtime)];
        let kinds = kinds.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{kind} {}", count(*n)));
        out.push_str(&format!("violating states: {}\n", kinds.collect::<Vec<_>>().join(", ")));
    }
    out.push_str(&format!(
        "{:.2} s, {} states/s, {} ({:.1} bytes/state)\n",
        answer.numbers.seconds,
        count(answer.numbers.states_per_second() as u64),
        size(n.memory_bytes),
        n.bytes_per_state()
    ));
    out
}

/// What may have been missed, because states may be taken for others.
fn losses(losses: &Losses) -> String {
    let about = losses.missed.map(|missed| format!("about {} states taken for others", few(missed)));
    let about = about.unwrap_or_else(|| "no search ran to its end".to_string());
    match losses.searches {
        1 => format!("lossy store: {about}; {:.2} % full\n", 100.0 * losses.filled),
        n => format!("swarm of {n} searches: {about} in the best, {:.2} % full\n", 100.0 * losses.filled),
    }
}

/// States on disk, and what was there already.
fn disk(disk: &DiskNumbers, n: &SearchNumbers) -> String {
    let each = if n.states == 0 { 0.0 } else { disk.bytes as f64 / n.states as f64 };
    let mut out = format!("disk: {} of files ({each:.1} bytes/state)", size(disk.bytes));
    if let Some(states) = disk.resumed {
        out.push_str(&format!("; went on from a checkpoint of {}", plural(states as usize, "state")));
    }
    if disk.kept {
        let folder = quote(&disk.folder.to_string_lossy());
        out.push_str(&format!("; there is a checkpoint in {folder}: the same command goes on from it"));
    }
    out + "\n"
}

/// What became of states in a cache.
fn cache(cache: &CacheStatistics) -> String {
    let grown = if cache.most > cache.room {
        format!(", grown to {} for states that must be kept", count(cache.most))
    } else {
        String::new()
    };
    format!(
        "cache for {}{grown}: {} stored, {} cleared; about {} distinct states, {:.2} visits each\n",
        count(cache.room),
        count(cache.stored),
        count(cache.cleared),
        count(cache.distinct.round() as u64),
        cache.visits_per_state()
    )
}

/// Statements that no run executes, by process type.
fn unreached(answer: &Answer, style: &Style) -> String {
    let Some(unreached) = answer.unreached.as_ref().filter(|u| !u.is_empty()) else {
        return String::new();
    };
    let mut out = format!("unreached: {}\n", plural(unreached.len(), "statement"));
    let shown = if style.full { unreached.len() } else { 12 };
    let mut last = "";
    for entry in unreached.iter().take(shown) {
        if entry.process != last {
            out.push_str(&format!("  in {}\n", entry.process));
            last = &entry.process;
        }
        out.push_str(&unreached_line(entry));
    }
    if unreached.len() > shown {
        out.push_str(&format!("    ... {} more; --full shows all\n", unreached.len() - shown));
    }
    out
}

fn unreached_line(entry: &Unreached) -> String {
    let place = entry.location.as_ref().map(|l| format!("line {:<4} ", l.line)).unwrap_or_default();
    format!("    {place} {}\n", entry.statement)
}
