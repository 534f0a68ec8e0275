//! Reports built by hand, for tests.

use crate::style::Style;
use source::{FileId, Look, Span};
use workbench::{Actor, Change, Ending, Exchange, Location, Report, ReportStep, Statement, Waiting};

pub(crate) fn plain(width: usize) -> Style {
    Style { look: Look::Plain, width, full: false }
}

fn text(text: &str) -> String {
    text.to_string()
}

fn statement(actor: usize, line: u32, words: &str) -> Statement {
    let span = Span::new(FileId(0), line * 10, line * 10 + 3);
    Statement {
        actor,
        text: text(words),
        location: Some(Location { file: text("m.pml"), line, column: 1, span }),
        call: None,
    }
}

fn change((name, before, after): &(&str, &str, &str)) -> Change {
    Change { name: text(name), before: text(before), after: text(after) }
}

fn step(actor: usize, line: u32, words: &str, changes: &[(&str, &str, &str)]) -> ReportStep {
    let statements = vec![statement(actor, line, words)];
    ReportStep { actor, statements, changes: changes.iter().map(change).collect(), ..ReportStep::default() }
}

fn actors(names: &[&str]) -> Vec<Actor> {
    names.iter().enumerate().map(|(pid, name)| Actor { pid, name: text(name), process: None }).collect()
}

/// Two processes: a local step, a handshake, a buffered answer, a failed assertion.
pub(crate) fn talk() -> Report {
    let (channel, message) = (text("q"), text("7"));
    let handshake = Exchange::Handshake { from: 0, to: 1, channel: text("c"), message: text("1") };
    let send = Exchange::Send { from: 1, channel: channel.clone(), message: message.clone() };
    let receive = Exchange::Receive { to: 0, channel, message, copy: false, sent: Some((1, 3)) };
    let steps = vec![
        step(0, 1, "x = 1", &[("x", "0", "1")]),
        ReportStep {
            statements: vec![statement(0, 2, "c!x"), statement(1, 3, "c?y")],
            exchanges: vec![handshake],
            ..step(0, 2, "c!x", &[("B[1]:y", "0", "1")])
        },
        ReportStep { exchanges: vec![send], ..step(1, 4, "q!7", &[("q", "[]", "[7]")]) },
        ReportStep { exchanges: vec![receive], ..step(0, 5, "q?x", &[("x", "1", "7"), ("q", "[7]", "[]")]) },
        ReportStep { fault: Some(text("assertion violated")), ..step(0, 6, "assert(x == 1)", &[]) },
    ];
    Report { actors: actors(&["A", "B"]), steps, ending: Ending::Fault, ..Report::default() }
}

/// One process is blocked, one rests.
pub(crate) fn deadlock() -> Report {
    let waits = |actor: usize, line: u32, words: &str, valid_end: bool| Waiting {
        actor,
        statements: vec![statement(actor, line, words)],
        holds: Vec::new(),
        valid_end,
        needs: Vec::new(),
    };
    let waiting = vec![waits(0, 4, "!fork[right]", false), waits(1, 9, "door?x", true)];
    let steps = vec![step(0, 3, "fork[left] = 1", &[("fork[0]", "0", "1")])];
    Report { actors: actors(&["P", "Q"]), steps, ending: Ending::Deadlock, waiting, ..Report::default() }
}

/// Many local steps of two processes in turn.
pub(crate) fn long(steps: usize) -> Report {
    let steps = (0..steps).map(|i| step(i % 2, 1, "n++", &[("n", "0", "1")])).collect();
    Report { actors: actors(&["A", "B"]), steps, ..Report::default() }
}

/// `init` starts two workers, the second of which ends.
pub(crate) fn creations() -> Report {
    let mut trace = Report { actors: actors(&["init", "W", "W"]), ..Report::default() };
    trace.steps = vec![
        ReportStep { created: vec![1], ..step(0, 1, "run W()", &[]) },
        ReportStep { created: vec![2], ..step(0, 2, "run W()", &[]) },
        step(2, 4, "n < 2", &[]),
        step(2, 5, "n++", &[("n", "0", "1")]),
        step(2, 6, "skip", &[]),
        ReportStep { ended: vec![2], ..step(2, 7, "-end-", &[]) },
        step(1, 5, "n++", &[("n", "1", "2")]),
    ];
    trace
}
