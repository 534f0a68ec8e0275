//! The human answer to `weave check`: verdict first, then what went wrong and where, the run, the numbers.

use crate::show::{chart, list};
use crate::style::{Style, Tone};
use crate::units::{count, plural, size};
use source::{Diagnostic, Span, render};
use workbench::{
    Account, CheckResult, Ending, Model, Property, ReductionUsed, Report, Unreached, Verdict, Violation,
};

/// The first line.
pub(crate) fn headline(result: &CheckResult, style: &Style) -> String {
    let (tone, word) = match result.verdict {
        Verdict::Holds => (Tone::Good, "HOLDS"),
        Verdict::Violated => (Tone::Bad, "VIOLATED"),
        Verdict::Unknown => (Tone::Doubtful, "UNKNOWN"),
    };
    let reason = match result.verdict {
        // Nothing had to be searched.
        Verdict::Holds if result.numbers.states == 0 && result.diagrams.is_none() => {
            format!("{}, as the text shows", nothing_found(&result.properties))
        }
        Verdict::Holds => format!("{} in {}", nothing_found(&result.properties), plural_states(result)),
        _ => result.reason.clone(),
    };
    let listed = match result.races.len() {
        0 => String::new(),
        n => format!(", with {} listed", plural(n, "data race")),
    };
    format!("{}{listed}: {reason}\n", style.paint(tone, word))
}

/// Everything.
pub(crate) fn result(model: &Model, result: &CheckResult, reproduce: &str, style: &Style) -> String {
    let mut out = headline(result, style);
    let shown = if style.full { result.violations.len() } else { result.violations.len().min(1) };
    for violation in &result.violations[..shown] {
        out.push_str(&self::violation(model, violation, style));
    }
    let others = result.violations.iter().skip(shown);
    out.push_str(&further(others, result.violations.len() - shown));
    out.push('\n');
    out.push_str(&properties(&result.properties, style));
    out.push_str(&numbers(result));
    out.push_str(&products(&result.properties));
    out.push_str(&unreached(result, style));
    result.races.iter().for_each(|r| out.push_str(&format!("race: {r}\n")));
    result.assumes.iter().for_each(|a| out.push_str(&format!("assumes: {a}\n")));
    out.push_str(&format!("reproduce: {reproduce}\n"));
    out
}

fn plural_states(result: &CheckResult) -> String {
    plural(result.numbers.states as usize, "state")
}

fn nothing_found(properties: &[Property]) -> String {
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
fn violation(model: &Model, violation: &Violation, style: &Style) -> String {
    let mut out = String::from("\n");
    if let Some(diagnostic) = diagnostic(violation) {
        out.push_str(&render(&model.map, &diagnostic, style.look));
        out.push_str("\n\n");
    }
    let steps = plural(violation.trace.steps.len(), "step");
    let shortest = if violation.shortest { ", found breadth-first" } else { "" };
    out.push_str(&style.paint(Tone::Strong, &format!("The run ({steps}{shortest}), only what changes:")));
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
        let mut places = stuck_places(&violation.trace).into_iter();
        let (span, words) = places.next()?;
        let first = Diagnostic::error(code, span, &*violation.message).label(words);
        return Some(places.fold(first, |d, (span, words)| d.also(span, words)));
    }
    let span = violation.location.as_ref()?.span;
    let who = violation.trace.steps.last()?.statements.last().map(|s| violation.trace.label(s.actor))?;
    Some(Diagnostic::error(code, span, &*violation.message).label(format!("executed by {who}")))
}

/// Where processes are stuck, and who is at each place.
fn stuck_places(trace: &Report) -> Vec<(Span, String)> {
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
        let verb = if who.len() == 1 { "waits" } else { "wait" };
        format!("{} {verb} here for ever", who.join(", "))
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
fn properties(properties: &[Property], style: &Style) -> String {
    if properties.iter().all(|p| p.verdict == Verdict::Holds && p.vacuous.is_none()) {
        return String::new();
    }
    let width = properties.iter().map(|p| p.name.chars().count()).max().unwrap_or(0);
    let line = |p: &Property| {
        let tone = match p.verdict {
            Verdict::Holds => Tone::Good,
            Verdict::Violated => Tone::Bad,
            Verdict::Unknown => Tone::Doubtful,
        };
        let vacuous = p.vacuous.as_ref().map(|v| format!(" vacuously ({v})"));
        let reason = p.reason.as_ref().map(|r| format!(" ({r})")).or(vacuous).unwrap_or_default();
        format!("  {:width$}  {}{reason}\n", p.name, style.paint(tone, p.verdict.name()))
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
fn products(properties: &[Property]) -> String {
    let line = |p: &Property| {
        let ((states, transitions), used) = p.product.zip(p.reduction.as_ref())?;
        let (states, transitions) = (count(states), count(transitions));
        Some(format!(
            "{}: {states} states, {transitions} transitions with the property, {}\n",
            p.name,
            reduction(used)
        ))
    };
    properties.iter().filter_map(line).collect()
}

fn numbers(result: &CheckResult) -> String {
    let n = &result.numbers;
    let complete = if result.exhausted { "complete search" } else { "search not complete" };
    let (states, transitions, matched) = (count(n.states), count(n.transitions), count(n.matched));
    let mut out = match result.diagrams {
        None => format!(
            "{states} states, {transitions} transitions ({matched} matched), depth {}; {complete}, {}\n",
            count(n.depth),
            reduction(&result.reduction)
        ),
        Some(d) => format!(
            "{states} states, {transitions} transitions; {complete}, symbolic: {} bits a state, {} nodes\n",
            count(d.bits),
            count(d.nodes)
        ),
    };
    out.push_str(&result.cache.as_ref().map(cache).unwrap_or_default());
    let e = &result.errors;
    if e.deadlock + e.assertion + e.runtime > 0 {
        let kinds = [("deadlock", e.deadlock), ("assertion", e.assertion), ("runtime", e.runtime)];
        let kinds = kinds.iter().filter(|(_, n)| *n > 0).map(|(kind, n)| format!("{kind} {}", count(*n)));
        out.push_str(&format!("violating states: {}\n", kinds.collect::<Vec<_>>().join(", ")));
    }
    out.push_str(&format!(
        "{:.2} s, {} states/s, {} ({:.1} bytes/state)\n",
        n.seconds,
        count(n.states_per_second() as u64),
        size(n.memory_bytes),
        n.bytes_per_state()
    ));
    out
}

/// What became of states in a cache.
fn cache(cache: &Account) -> String {
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
fn unreached(result: &CheckResult, style: &Style) -> String {
    let Some(unreached) = result.unreached.as_ref().filter(|u| !u.is_empty()) else {
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
