//! A run as a list: one line a step, with only what changed.

use crate::style::{Style, Tone, cut};
use crate::units::plural;
use workbench::report::{Frame, PASSES};
use workbench::{Call, Change, Ending, Location, Report, ReportStep, Statement, Waiting};

/// Of a long run the first and the last steps are shown.
const FIRST: usize = 15;
const LAST: usize = 35;

pub(crate) fn list(report: &Report, style: &Style) -> String {
    let columns = Columns::of(report);
    let mut out = String::new();
    printed(&mut out, &report.printed, style);
    let start: Vec<String> = report.initial.iter().map(|v| format!("{} = {}", v.name, v.value)).collect();
    if !start.is_empty() {
        let indent = columns.step + 2;
        wrapped(&mut out, &format!("{:indent$}initially: ", ""), indent + 2, &start, style.width);
    }
    let gap =
        (!style.full && report.steps.len() > FIRST + LAST + 1).then(|| FIRST..report.steps.len() - LAST);
    for i in 0..report.steps.len() {
        if gap.as_ref().is_some_and(|gap| gap.contains(&i)) {
            if i == FIRST {
                let hidden = plural(report.steps.len() - FIRST - LAST, "step");
                let words = format!("  ... {hidden} left out; --full shows all");
                put_line(&mut out, &style.paint(Tone::Faint, &words));
            }
            continue;
        }
        if report.ending == (Ending::Lasso { loop_start: i }) {
            out.push_str(&format!("  --- {} ---\n", repeated(i, report.steps.len())));
        }
        if style.full || !only_passes(&report.steps[i]) {
            columns.step(&mut out, report, i, style);
        }
    }
    out.push_str(&ending(report, style));
    out
}

/// Whether a step is no statement of the model and changes nothing.
pub(crate) fn only_passes(step: &ReportStep) -> bool {
    let quiet = step.changes.is_empty() && step.ended.is_empty() && step.fault.is_none();
    quiet && !step.statements.is_empty() && step.statements.iter().all(|s| s.text == PASSES)
}

/// Which steps a run repeats.
pub(crate) fn repeated(loop_start: usize, steps: usize) -> String {
    match loop_start + 1 {
        first if first == steps => format!("step {first} repeats forever"),
        first => format!("steps {first}-{steps} repeat forever"),
    }
}

/// What the end of the run means.
fn ending(report: &Report, style: &Style) -> String {
    let mut out = String::new();
    match report.ending {
        Ending::Deadlock => {
            // Of threads and objects only those are known that are blocked: others may go on.
            let words = if report.heaps.is_empty() { "No step is enabled:" } else { "At the end:" };
            put_line(&mut out, &style.paint(Tone::Bad, &format!("  {words}")));
            report.waiting.iter().for_each(|w| out.push_str(&waits(report, w, style)));
        }
        Ending::End => out.push_str("  The run may end here.\n"),
        Ending::Lasso { loop_start } if loop_start == report.steps.len() => {
            out.push_str("  No step is enabled: the run idles here without end.\n");
        }
        Ending::Lasso { loop_start } => {
            out.push_str(&format!("  --- back to step {} ---\n", loop_start + 1));
        }
        Ending::Race if report.failure.is_none() => {
            out.push_str("  Nothing orders the last two steps: a data race.\n")
        }
        Ending::Race | Ending::Fault | Ending::Open => {}
    }
    let race = accesses(report, style);
    out.push_str(&race);
    if (!race.is_empty() || report.steps.is_empty()) && !style.full {
        return out;
    }
    let threads = report.waiting.iter().filter(|w| w.statements.iter().any(|s| s.call.is_some()));
    if report.ending != Ending::Deadlock && threads.clone().next().is_some() {
        out.push_str("  At the end:\n");
        threads.for_each(|w| out.push_str(&stands(report, w, style)));
    }
    out
}

/// The two accesses of a data race in a program, whose steps do not show them: who, where, and the
/// line itself.
fn accesses(report: &Report, style: &Style) -> String {
    if report.race.is_empty() || report.failure.is_none() {
        return String::new();
    }
    let mut out = String::from("  The two accesses, which nothing orders:\n");
    for access in &report.race {
        let place = frames(&access.stack, false).map(|frames| format!(" {frames}")).unwrap_or_default();
        let line = access.stack.first().map(|f| format!(" at {}:{}", file_name(f), f.line));
        let words = format!("    {} {} it{}{place}", access.who, access.access, line.unwrap_or_default());
        put_line(&mut out, &cut(&words, wide(style)));
        let shown = access.source.iter().map(|text| format!("      | {text}"));
        shown.for_each(|text| put_line(&mut out, &cut(&text, wide(style))));
    }
    out
}

/// A process that is blocked.
pub(crate) fn waits(report: &Report, waiting: &Waiting, style: &Style) -> String {
    let who = report.label(waiting.actor);
    if waiting.valid_end {
        return format!("    {who} may stop here\n");
    }
    let next = next(waiting);
    let what = if next.is_empty() { "the younger processes to end" } else { &next };
    let holds = if waiting.holds.is_empty() {
        String::new()
    } else {
        format!(" holds {} and", waiting.holds.join(", "))
    };
    format!("{}\n", cut(&format!("    {who}{holds} waits{} for  {what}", at(waiting)), wide(style)))
}

/// A thread that may go on or not.
fn stands(report: &Report, waiting: &Waiting, style: &Style) -> String {
    let who = report.label(waiting.actor);
    let line = format!("    {who} is{} before  {}", at(waiting), next(waiting));
    format!("{}\n", cut(&line, wide(style)))
}

/// The innermost frames of a program, a few: `in f < line 30 in main`.
fn stack(call: &Call, with_file: bool) -> Option<String> {
    frames(&call.stack, with_file)
}

fn frames(stack: &[Frame], with_file: bool) -> Option<String> {
    const SHOWN: usize = 4;
    let place = |(at, f): (usize, &Frame)| match (at, with_file) {
        (0, _) => format!("in {}", f.function),
        (_, false) => format!("line {} in {}", f.line, f.function),
        (_, true) => format!("{}:{} in {}", file_name(f), f.line, f.function),
    };
    let places: Vec<String> = stack.iter().take(SHOWN).enumerate().map(place).collect();
    (!places.is_empty()).then(|| places.join(" < "))
}

/// The file of a frame, without its folders.
fn file_name(frame: &Frame) -> &str {
    frame.file.rsplit('/').next().unwrap_or(&frame.file)
}

/// What a process could go on with; of a thread, with its callers.
fn next(waiting: &Waiting) -> String {
    let text = |s: &Statement| match s.call.as_ref().and_then(|c| stack(c, false)) {
        Some(stack) => format!("{}  {stack}", s.text),
        None => s.text.clone(),
    };
    waiting.statements.iter().map(text).collect::<Vec<_>>().join("  or  ")
}

fn at(waiting: &Waiting) -> String {
    let place = waiting.statements.iter().find_map(|s| s.location.as_ref());
    place.map(|l| format!(" at {}", place_text(l, false))).unwrap_or_default()
}

/// What a program printed, below the step that printed it.
fn printed(out: &mut String, text: &str, style: &Style) {
    for line in text.lines() {
        put_line(out, &style.paint(Tone::Faint, &cut(&format!("      | {line}"), style.width)));
    }
}

fn wide(style: &Style) -> usize {
    if style.full { usize::MAX } else { style.width }
}

fn place_text(location: &Location, with_file: bool) -> String {
    if with_file { format!("{}:{}", location.file, location.line) } else { format!("line {}", location.line) }
}

/// Widths of the columns.
struct Columns {
    step: usize,
    who: usize,
    place: usize,
    /// Several files take part, so that a line number alone says too little.
    with_file: bool,
}

impl Columns {
    fn of(report: &Report) -> Columns {
        let statements = || report.steps.iter().flat_map(|s| &s.statements);
        let mut files: Vec<&str> =
            statements().filter_map(|s| s.location.as_ref()).map(|l| l.file.as_str()).collect();
        files.sort_unstable();
        files.dedup();
        let with_file = files.len() > 1;
        let places = statements().filter_map(|s| s.location.as_ref()).map(|l| place_text(l, with_file).len());
        Columns {
            step: report.steps.len().to_string().len().max(3),
            who: report.actors.iter().map(|a| a.label().len()).max().unwrap_or(0).min(24),
            place: places.max().unwrap_or(0),
            with_file,
        }
    }

    fn step(&self, out: &mut String, report: &Report, at: usize, style: &Style) {
        let step = &report.steps[at];
        // The variables of the process at work go by their own names.
        let own = step.statements.last().map(|s| format!("{}:", report.label(s.actor))).unwrap_or_default();
        let name = |name: &str| name.strip_prefix(&own).unwrap_or(name).to_string();
        let changes = step.changes.iter().filter(|c| style.full || !is_said(step, c, &own));
        let mut facts: Vec<String> =
            changes.map(|c| format!("{} {} -> {}", name(&c.name), c.before, c.after)).collect();
        let call = step.statements.last().and_then(|s| s.call.as_ref());
        facts.extend(call.and_then(|c| stack(c, self.with_file)));
        facts.extend(step.created.iter().map(|a| format!("{} is created", report.label(*a))));
        facts.extend(step.ended.iter().map(|a| format!("{} ends", report.label(*a))));
        if call.is_none() {
            facts.extend(step.printed.iter().map(|text| format!("prints {}", quoted(text))));
        }
        let (last, earlier) = match step.statements.split_last() {
            Some((last, earlier)) => (Some(last), earlier),
            None => (None, &[][..]),
        };
        let mut label = (at + 1).to_string();
        for statement in earlier {
            put_line(out, &self.line(&label, report, Some(statement), style));
            label.clear();
        }
        let line = self.line(&label, report, last, style);
        self.with_facts(out, line, &facts, style);
        if call.is_some() {
            step.printed.iter().for_each(|text| printed(out, text, style));
        }
        if let Some(fault) = &step.fault {
            let fault = style.paint(Tone::Bad, &format!("!! {fault}"));
            put_line(out, &format!("{:1$}{fault}", "", self.step + 2));
        }
    }

    fn line(&self, number: &str, report: &Report, statement: Option<&Statement>, style: &Style) -> String {
        let (step, who, place) = (self.step, self.who, self.place);
        let Some(statement) = statement else { return format!("{number:>step$}") };
        let label = cut(&report.label(statement.actor), who);
        let at = statement.location.as_ref().map(|l| place_text(l, self.with_file)).unwrap_or_default();
        let head = format!("{number:>step$}  {label:who$}  {at:place$}  ");
        let room = wide(style).saturating_sub(head.chars().count()).max(10);
        format!("{head}{}", cut(&statement.text, room))
    }

    /// Facts stand behind the statement if they fit there, and below it otherwise.
    fn with_facts(&self, out: &mut String, line: String, facts: &[String], style: &Style) {
        let tab = self.step + 2 + self.who + 2 + self.place + 2;
        let behind = format!("{line:0$}  {1}", tab + 24, facts.join(", "));
        if facts.is_empty() {
            put_line(out, line.trim_end());
        } else if behind.chars().count() <= style.width {
            put_line(out, &behind);
        } else {
            put_line(out, line.trim_end());
            wrapped(out, &" ".repeat(tab + 2), tab + 2, facts, style.width);
        }
    }
}

/// Whether the statement says where its process goes: `l1: lock -> l2`.
fn is_said(step: &ReportStep, change: &Change, own: &str) -> bool {
    let goes = change.name.strip_prefix(own) == Some("at");
    goes && step.statements.iter().any(|s| s.text.ends_with(&format!(" -> {}", change.after)))
}

fn put_line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// What was printed, in one line.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\n', "\\n").replace('\t', "\\t"))
}

/// Items with commas between them, broken between items where the line is full.
fn wrapped(out: &mut String, lead: &str, indent: usize, items: &[String], width: usize) {
    let mut line = lead.to_string();
    let mut fresh = true;
    for (i, item) in items.iter().enumerate() {
        let comma = if i + 1 < items.len() { "," } else { "" };
        let item = format!("{item}{comma}");
        if !fresh && line.chars().count() + 1 + item.chars().count() > width {
            put_line(out, line.trim_end());
            line = " ".repeat(indent);
            fresh = true;
        }
        if !fresh {
            line.push(' ');
        }
        line.push_str(&item);
        fresh = false;
    }
    put_line(out, line.trim_end());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::samples::{deadlock, long, plain, talk};
    use expect_test::{Expect, expect};

    /// The first line keeps the indentation of the others, which is part of what is shown.
    fn check(shown: &str, expected: Expect) {
        expected.assert_eq(&format!("on the screen:\n{shown}"));
    }

    #[test]
    fn a_run_with_messages() {
        check(
            &list(&talk(), &plain(80)),
            expect![[r#"
                on the screen:
                  1  A[0]  line 1  x = 1                     x 0 -> 1
                  2  A[0]  line 2  c!x
                     B[1]  line 3  c?y                       y 0 -> 1
                  3  B[1]  line 4  q!7                       q [] -> [7]
                  4  A[0]  line 5  q?x                       x 1 -> 7, q [7] -> []
                  5  A[0]  line 6  assert(x == 1)
                     !! assertion violated
            "#]],
        );
    }

    #[test]
    fn a_deadlock_lists_who_waits() {
        check(
            &list(&deadlock(), &plain(80)),
            expect![[r#"
                on the screen:
                  1  P[0]  line 3  fork[left] = 1            fork[0] 0 -> 1
                  No step is enabled:
                    P[0] waits at line 4 for  !fork[right]
                    Q[1] may stop here
            "#]],
        );
    }

    #[test]
    fn facts_that_do_not_fit_go_below_and_long_runs_are_cut() {
        let narrow = list(&talk(), &plain(46));
        let below = "  4  A[0]  line 5  q?x\n                     x 1 -> 7, q [7] -> []\n";
        assert!(narrow.contains(below), "{narrow}");
        let long = long(100);
        let cut = list(&long, &plain(80));
        assert!(cut.contains("... 50 steps left out; --full shows all"), "{cut}");
        assert_eq!(cut.lines().count(), 51);
        assert_eq!(list(&long, &Style { full: true, ..plain(80) }).lines().count(), 100);
    }
}
