//! A run as a message sequence chart in plain ASCII: a column for each process, time runs
//! downwards.
//!
//! A handshake is one solid arrow. A message through a buffer is seen twice: where it is sent
//! (`q!7 >>`), and as a dotted arrow from its sender where it is taken out, with the step at which
//! it was sent. Local steps of one process in a row share a line unless everything is asked for.

use crate::show::list::{only_passes, repeated};
use crate::style::{Style, cut};
use crate::units::plural;
use std::collections::BTreeSet;
use workbench::{Ending, Exchange, Report, ReportStep};

/// Of a long chart the first and the last rows are shown.
const FIRST: usize = 10;
const LAST: usize = 30;
/// Columns are never narrower than this, and never wider than that.
const NARROW: usize = 11;
const WIDE: usize = 30;
/// The mark of a step that changes a variable, and of one that does not.
const ACTS: char = '*';
const PASSES: char = '.';
/// Of an operation on something shared: a row of its own.
const CALLS: char = 'o';
/// On the arrow to a process that begins, and to an object that is created.
const RUN: &str = "run";
const NEW: &str = "new";

pub(crate) fn chart(report: &Report, style: &Style) -> String {
    let rows = rows(report, style.full);
    let Some(grid) = Grid::new(report, &rows, style) else { return String::new() };
    let drawn: Vec<&Row> = rows.iter().filter(|row| grid.shows(row)).collect();
    let gap = (!style.full && drawn.len() > FIRST + LAST + 1).then(|| FIRST..drawn.len() - LAST);
    let mut out = grid.header(report);
    let enters = drawn.iter().position(|row| enters(report, row));
    for (i, row) in drawn.iter().enumerate() {
        if enters == Some(i) {
            let first = row.steps.map_or(0, |(first, _)| first - 1);
            out.push_str(&format!(
                "{:>2$} {} ---\n",
                "---",
                repeated(first, report.steps.len()),
                grid.gutter - 1
            ));
        }
        if gap.as_ref().is_none_or(|gap| !gap.contains(&i)) {
            out.push_str(&grid.draw(row));
        } else if i == FIRST {
            let hidden = plural(drawn.len() - FIRST - LAST, "row");
            out.push_str(&format!("  ... {hidden} left out; --full shows all\n"));
        }
    }
    out.push_str(&grid.notes(&rows, report.actors.len()));
    out
}

/// Whether a row begins what the run repeats.
fn enters(report: &Report, row: &Row) -> bool {
    let first = row.steps.map(|(first, _)| first);
    matches!(report.ending, Ending::Lasso { loop_start } if first == Some(loop_start + 1))
}

/// One line of the chart.
struct Row {
    /// First and last step it stands for; none at the end of the run.
    steps: Option<(usize, usize)>,
    shape: Shape,
    /// Which actors have a lifeline.
    alive: BTreeSet<usize>,
}

enum Shape {
    /// Something at each of these lifelines: its mark and a text.
    Local(Vec<(usize, char, String)>),
    Arrow {
        from: usize,
        to: usize,
        label: String,
        dotted: bool,
    },
}

impl Row {
    fn actors(&self) -> Vec<usize> {
        match &self.shape {
            Shape::Local(entries) => entries.iter().map(|e| e.0).collect(),
            Shape::Arrow { from, to, .. } => vec![*from, *to],
        }
    }
}

fn rows(report: &Report, full: bool) -> Vec<Row> {
    let later: BTreeSet<usize> = report.steps.iter().flat_map(|s| &s.created).copied().collect();
    let mut alive: BTreeSet<usize> = (0..report.actors.len()).filter(|a| !later.contains(a)).collect();
    let mut rows: Vec<Row> = Vec::new();
    let birth = if report.heaps.is_empty() { RUN } else { NEW };
    for (i, step) in report.steps.iter().enumerate() {
        alive.extend(&step.created);
        let hidden = !full && only_passes(step);
        for shape in shapes(step, birth).into_iter().filter(|_| !hidden) {
            let row = Row { steps: Some((i + 1, i + 1)), shape, alive: alive.clone() };
            let enters = report.ending == (Ending::Lasso { loop_start: i });
            let merged = !full && !enters && rows.last_mut().is_some_and(|last| merge(last, &row));
            if !merged {
                rows.push(row);
            }
        }
        step.ended.iter().for_each(|a| {
            alive.remove(a);
        });
    }
    if report.ending == Ending::Deadlock {
        let blocked = report.waiting.iter().filter(|w| !w.valid_end);
        let entry = |w: &workbench::Waiting| {
            let texts: Vec<&str> = w.statements.iter().map(|s| s.text.as_str()).collect();
            (w.actor, 'X', texts.join(" | "))
        };
        rows.push(Row { steps: None, shape: Shape::Local(blocked.map(entry).collect()), alive });
    }
    rows
}

/// Local steps of the same process in a row become one, which shows those that change something.
fn merge(last: &mut Row, next: &Row) -> bool {
    let (Shape::Local(old), Shape::Local(new)) = (&mut last.shape, &next.shape) else { return false };
    let ([(a, kind, text)], [(b, more_kind, more)]) = (&mut old[..], &new[..]) else { return false };
    let (Some((first, _)), Some((_, end))) = (last.steps, next.steps) else { return false };
    match (*kind, *more_kind) {
        _ if a != b => return false,
        (ACTS, ACTS) => *text = format!("{text}; {more}"),
        (PASSES, ACTS) => (*kind, *text) = (ACTS, more.clone()),
        (ACTS | PASSES, PASSES) => {}
        _ => return false,
    }
    last.steps = Some((first, end));
    true
}

/// What a step looks like: its messages, creations and deaths, or its statement.
fn shapes(step: &ReportStep, birth: &str) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = step.exchanges.iter().map(exchange).collect();
    let creations = step.created.iter().map(|created| Shape::Arrow {
        from: step.actor,
        to: *created,
        label: birth.to_string(),
        dotted: false,
    });
    shapes.extend(creations);
    shapes.extend(step.ended.iter().map(|a| Shape::Local(vec![(*a, '=', "ends".to_string())])));
    if shapes.is_empty() && step.fault.is_none() {
        let texts: Vec<&str> = step.statements.iter().map(|s| s.text.as_str()).collect();
        let mark = match (step.statements.iter().any(|s| s.call.is_some()), step.changes.is_empty()) {
            (true, _) => CALLS,
            (_, true) => PASSES,
            (_, false) => ACTS,
        };
        shapes.push(Shape::Local(vec![(step.actor, mark, texts.join("; "))]));
    }
    if let Some(fault) = &step.fault {
        let at = step.statements.last().map_or(step.actor, |s| s.actor);
        shapes.push(Shape::Local(vec![(at, 'X', fault.clone())]));
    }
    shapes
}

fn exchange(exchange: &Exchange) -> Shape {
    match exchange {
        Exchange::Handshake { from, to, channel, message } => {
            Shape::Arrow { from: *from, to: *to, label: format!("{channel}!{message}"), dotted: false }
        }
        Exchange::Send { from, channel, message } => {
            Shape::Local(vec![(*from, CALLS, format!("{channel}!{message} >>"))])
        }
        Exchange::Receive { to, channel, message, copy, sent } => {
            let label = if *copy { format!("{channel}?<{message}>") } else { format!("{channel}?{message}") };
            match sent {
                Some((from, step)) if from != to => {
                    Shape::Arrow { from: *from, to: *to, label: format!("{label} ({step})"), dotted: true }
                }
                Some((_, step)) => Shape::Local(vec![(*to, CALLS, format!("{label} ({step})"))]),
                None => Shape::Local(vec![(*to, CALLS, label)]),
            }
        }
    }
}

/// Where the columns stand.
struct Grid {
    /// Before the first lifeline.
    gutter: usize,
    column: usize,
    /// The actors that have a column, in order.
    actors: Vec<usize>,
    /// Of a line.
    width: usize,
    full: bool,
}

impl Grid {
    /// `None` if there is nothing to draw.
    fn new(report: &Report, rows: &[Row], style: &Style) -> Option<Grid> {
        let involved: BTreeSet<usize> = rows.iter().flat_map(Row::actors).collect();
        let mut actors: Vec<usize> = involved.into_iter().filter(|a| *a < report.actors.len()).collect();
        if actors.is_empty() {
            return None;
        }
        let digits = report.steps.len().to_string().len();
        let gutter = (if style.full { digits } else { 2 * digits + 1 }).max(4) + 2;
        let room = style.width.saturating_sub(gutter + 1);
        if !style.full {
            actors.truncate((room / NARROW).max(1));
        }
        let ideal = actors.iter().map(|a| report.label(*a).chars().count() + 2).max().unwrap_or(0);
        let ideal = rows.iter().map(wish).chain([ideal]).max().unwrap_or(0).clamp(NARROW, WIDE);
        let column = if style.full { ideal } else { ideal.min(room / actors.len()).max(NARROW) };
        let width = if style.full { usize::MAX } else { style.width };
        Some(Grid { gutter, column, actors, width, full: style.full })
    }

    fn place(&self, actor: usize) -> Option<usize> {
        self.actors.iter().position(|a| *a == actor).map(|c| self.gutter + c * self.column)
    }

    fn shows(&self, row: &Row) -> bool {
        row.actors().iter().any(|a| self.place(*a).is_some())
    }

    fn header(&self, report: &Report) -> String {
        let mut line = Canvas::new();
        let mut ticks = Canvas::new();
        for actor in &self.actors {
            let x = self.place(*actor).unwrap_or(0);
            line.write(x, &cut(&report.label(*actor), self.column - 1));
            ticks.write(x, if report.steps.iter().any(|s| s.created.contains(actor)) { " " } else { "|" });
        }
        line.text() + &ticks.text()
    }

    fn draw(&self, row: &Row) -> String {
        let mut line = Canvas::new();
        let step = match row.steps {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}-{last}"),
            None => "end".to_string(),
        };
        line.write(0, &format!("{step:>0$}", self.gutter - 2));
        for actor in row.alive.iter().filter_map(|a| self.place(*a)) {
            line.write(actor, "|");
        }
        match &row.shape {
            Shape::Local(entries) => {
                // The last word of a run may be long.
                let alone = entries.len() == 1 && entries[0].1 == 'X';
                entries.iter().for_each(|e| self.local(&mut line, e, alone));
            }
            Shape::Arrow { from, to, label, dotted } => {
                self.arrow(&mut line, (self.place(*from), self.place(*to)), label, *dotted);
            }
        }
        line.text()
    }

    fn local(&self, line: &mut Canvas, (actor, mark, text): &(usize, char, String), alone: bool) {
        let Some(x) = self.place(*actor) else { return };
        let room = if alone { self.width.saturating_sub(x + 2) } else { self.column - 3 };
        line.write(x, &mark.to_string());
        line.write(x + 2, &cut(text, room));
    }

    /// An end without a column is drawn as a short arrow from or to nowhere.
    fn arrow(&self, line: &mut Canvas, ends: (Option<usize>, Option<usize>), label: &str, dotted: bool) {
        let (from, to) = match ends {
            (Some(from), Some(to)) => (from, to),
            (Some(at), None) => (at, at + self.column - 1),
            (None, Some(at)) => (at + self.column - 1, at),
            (None, None) => return,
        };
        let (left, right) = (from.min(to), from.max(to));
        let shaft = if dotted { "." } else { "-" };
        line.write(left + 1, &shaft.repeat(right - left - 1));
        let label = cut(label, (right - left).saturating_sub(5));
        line.write(left + 1 + (right - left - 1 - label.chars().count()) / 2, &label);
        if from < to { line.write(right - 1, ">") } else { line.write(left + 1, "<") }
    }

    fn notes(&self, rows: &[Row], all: usize) -> String {
        let dotted = rows.iter().any(|r| matches!(r.shape, Shape::Arrow { dotted: true, .. }));
        let solid = rows.iter().any(
            |r| matches!(&r.shape, Shape::Arrow { dotted: false, label, .. } if label != RUN && label != NEW),
        );
        let hidden = rows.iter().any(|r| !self.shows(r));
        let mut notes: Vec<String> = Vec::new();
        if solid {
            notes.push("--->  handshake: both move at once".to_string());
        }
        if dotted {
            notes.push("...>  taken from a buffer (sent at that step)".to_string());
        }
        if hidden && !self.full {
            let others = plural(all - self.actors.len(), "process");
            notes.push(format!("{others} left out for want of width; --full shows all"));
        }
        let line = |note: String| cut(&format!("{:1$}{note}", "", self.gutter), self.width) + "\n";
        notes.into_iter().map(line).collect()
    }
}

/// The column width at which a row loses nothing.
fn wish(row: &Row) -> usize {
    match &row.shape {
        Shape::Local(entries) => entries.iter().map(|e| e.2.chars().count() + 4).max().unwrap_or(0),
        Shape::Arrow { label, .. } => label.chars().count() + 6,
    }
}

/// A line that is written at any place.
struct Canvas(Vec<char>);

impl Canvas {
    fn new() -> Canvas {
        Canvas(Vec::new())
    }

    fn write(&mut self, at: usize, text: &str) {
        for (i, c) in text.chars().enumerate() {
            if self.0.len() <= at + i {
                self.0.resize(at + i + 1, ' ');
            }
            self.0[at + i] = c;
        }
    }

    fn text(&self) -> String {
        let line: String = self.0.iter().collect();
        format!("{}\n", line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::samples::{creations, deadlock, long, plain, talk};
    use expect_test::{Expect, expect};

    /// The first line keeps the indentation of the others, which is part of what is shown.
    fn check(shown: &str, expected: Expect) {
        expected.assert_eq(&format!("on the screen:\n{shown}"));
    }

    #[test]
    fn messages_are_arrows() {
        check(
            &chart(&talk(), &plain(80)),
            expect![[r#"
                on the screen:
                      A[0]                  B[1]
                      |                     |
                   1  * x = 1               |
                   2  |---------c!1-------->|
                   3  |                     o q!7 >>
                   4  |<......q?7 (3).......|
                   5  X assertion violated  |
                      --->  handshake: both move at once
                      ...>  taken from a buffer (sent at that step)
            "#]],
        );
    }

    #[test]
    fn creations_ends_and_local_steps_in_a_row() {
        check(
            &chart(&creations(), &plain(80)),
            expect![[r#"
                on the screen:
                      init[0]    W[1]       W[2]
                      |
                   1  |---run--->|
                   2  |---------run-------->|
                 3-5  |          |          * n++
                   6  |          |          = ends
                   7  |          * n++
            "#]],
        );
    }

    #[test]
    fn a_deadlock_ends_with_what_every_process_waits_for() {
        check(
            &chart(&deadlock(), &plain(80)),
            expect![[r#"
                on the screen:
                      P[0]
                      |
                   1  * fork[left] = 1
                 end  X !fork[right]
            "#]],
        );
    }

    #[test]
    fn no_line_exceeds_the_width_and_long_charts_are_cut() {
        for width in [40, 60, 100] {
            for report in [talk(), creations(), deadlock(), long(100)] {
                let chart = chart(&report, &plain(width));
                assert!(chart.lines().all(|l| l.chars().count() <= width), "{width}\n{chart}");
            }
        }
        let cut = chart(&long(100), &plain(80));
        assert!(cut.contains("... 60 rows left out; --full shows all"), "{cut}");
        assert_eq!(chart(&long(100), &Style { full: true, ..plain(80) }).lines().count(), 102);
    }

    #[test]
    fn processes_without_room_are_named_in_a_note() {
        let narrow = chart(&creations(), &plain(30));
        assert!(narrow.contains("1 process left out"), "{narrow}");
    }
}
