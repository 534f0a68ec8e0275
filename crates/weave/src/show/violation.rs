//! A violation on the screen: the place, the run as a list and as a chart, what usually helps.

use crate::show::remedy::remedy;
use crate::show::{chart, list};
use crate::style::{Style, Tone};
use crate::units::plural;
use source::{Diagnostic, SourceMap, Span, render};
use workbench::report::Statement;
use workbench::{Ending, Kind, Report, ReportStep, Violation};

/// A line with a place and values is no longer than about this.
const WIDE: usize = 92;

/// All violations: the first in full, the others in a line.
pub(crate) fn all(map: &SourceMap, all: &[Violation], style: &Style) -> String {
    let shown = if style.full { all.len() } else { all.len().min(1) };
    let mut out: String = all[..shown].iter().map(|one| violation(map, one, style)).collect();
    out.push_str(&further(all.iter().skip(shown), all.len() - shown));
    out
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
    out.push_str(&style.paint(Tone::Strong, &above_run(violation)));
    out.push('\n');
    out.push_str(&list::list(&violation.trace, style));
    let chart = chart::chart(&violation.trace, style);
    if !chart.is_empty() {
        out.push('\n');
        out.push_str(&style.paint(Tone::Strong, "The run as a chart, time runs downwards:"));
        out.push('\n');
        out.push_str(&chart);
    }
    out.extend(remedy(violation).map(|words| folded(&format!("\nhelp: {words}"), style.width)));
    out
}

/// Words in lines of this width.
fn folded(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut line = 0;
    for word in text.split(' ') {
        let length = word.trim_start().chars().count();
        if line > 0 && line + 1 + length > width {
            out.push_str("\n ");
            line = 1;
        }
        if line > 0 {
            out.push(' ');
            line += 1;
        }
        out.push_str(word);
        line += length;
    }
    out + "\n"
}

/// The line above the list of steps.
fn above_run(violation: &Violation) -> String {
    let steps = plural(violation.trace.steps.len(), "step");
    let shortest = if violation.shortest { ", found breadth-first" } else { "" };
    match (violation.trace.steps.len(), &violation.recording.program) {
        (0, Some(_)) => "The program fails before it performs a visible operation.".to_string(),
        (0, None) => "The run has no steps: it fails in the first state.".to_string(),
        (_, Some(_)) => format!("The run ({steps}{shortest}):"),
        (_, None) => format!("The run ({steps}{shortest}), only what changes:"),
    }
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
    let error = Diagnostic::error(code, span, &*violation.message);
    let steps = &violation.trace.steps;
    let of = |step: &ReportStep| step.statements.iter().rev().find(|s| is_part(span, s)).cloned();
    let executed = steps.last().and_then(of).filter(|_| !of_formula(violation.kind));
    let Some(statement) = executed else { return Some(error.label("the run violates this")) };
    let who = violation.trace.label(statement.actor);
    if violation.kind == Kind::Race {
        let first = steps.iter().rev().nth(1).and_then(|step| step.statements.last());
        let other = first.and_then(|s| Some((s.location.as_ref()?.span, violation.trace.label(s.actor))));
        let error = error.label(format!("{who} is here"));
        return Some(other.into_iter().fold(error, |e, (span, who)| e.also(span, format!("{who} is here"))));
    }
    Some(with_values(error, format!("executed by {who}"), violation))
}

/// Behind the place stand the values that matter; below it, where they would make the line wide.
fn with_values(error: Diagnostic, label: String, violation: &Violation) -> Diagnostic {
    let values = values(violation).join(", ");
    let before = violation.location.as_ref().map_or(0, |l| l.column + (l.span.end - l.span.start));
    let wide = before as usize + label.len() + values.len() > WIDE;
    match values.is_empty() {
        true => error.label(label),
        false if wide => error.label(label).note(format!("with {values}")),
        false => error.label(format!("{label}, with {values}")),
    }
}

/// Whether a property is about whole runs, so that no step of one is at fault.
fn of_formula(kind: Kind) -> bool {
    matches!(kind, Kind::Ltl | Kind::Claim | Kind::Progress)
}

/// What the variables are that the message names, as far as the run tells; a few.
fn values(violation: &Violation) -> Vec<String> {
    const MOST: usize = 4;
    let trace = &violation.trace;
    let mut last: Vec<(&str, &str)> =
        trace.initial.iter().map(|v| (v.name.as_str(), v.value.as_str())).collect();
    for change in trace.steps.iter().flat_map(|s| &s.changes) {
        match last.iter_mut().find(|(name, _)| *name == change.name) {
            Some(known) => known.1 = &change.after,
            None => last.push((&change.name, &change.after)),
        }
    }
    let who = trace.steps.last().and_then(|s| s.statements.last()).map(|s| trace.label(s.actor));
    let own = who.map(|who| format!("{who}:")).unwrap_or_default();
    let named = last.into_iter().map(|(name, value)| (name.strip_prefix(&own).unwrap_or(name), value));
    let named = named.filter(|(name, _)| is_named(&violation.message, name));
    named.take(MOST).map(|(name, value)| format!("{name} = {value}")).collect()
}

/// Whether a text has this name in it, and not as a part of a longer one.
fn is_named(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.match_indices(name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + name.len()..].chars().next();
        !before.is_some_and(word) && !behind.is_some_and(|c| word(c) || c == '[')
    })
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
    let mut out = match many {
        1 => "\n1 more violation; --full shows its run:\n".to_string(),
        _ => format!("\n{many} more violations; --full shows their runs:\n"),
    };
    for violation in others.take(20) {
        // A race has two places, which its message names.
        let place = violation.location.as_ref().filter(|_| violation.kind != Kind::Race);
        let place = place.map(|l| format!(" at {}:{}", l.file, l.line)).unwrap_or_default();
        let steps = plural(violation.trace.steps.len(), "step");
        out.push_str(&format!("  {}: {}{place}, after {steps}\n", violation.kind.name(), violation.message));
    }
    out
}
