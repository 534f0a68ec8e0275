//! Answers as JSON, one object a line. The shape is fixed by docs/schema/weave-v1.schema.json.

mod answer;
pub(crate) mod audit;
pub(crate) mod explanation;
pub(crate) mod observed;
pub(crate) mod outline;
mod proof;
mod why;

pub(crate) use answer::answer;

use crate::exit::Exit;
use serde_json::{Map, Value, json};
use source::{Diagnostic, Label, Severity, SourceMap};
use workbench::executor::{Offer, RunStatus};
use workbench::neighbourhood::{Edge, Near, Neighbourhood};
use workbench::spin::{Outcome, Page};
use workbench::{
    Answer, Board, Change, Choice, Cut, Ending, Exchange, Failure, Location, Progress, Recording, Report,
    ReportStep, Session, Statement, Stop, Variable, Verdict, Waiting,
};

/// The version of the schema.
pub(crate) const VERSION: u32 = 1;

pub(crate) fn progress(p: &Progress) -> Value {
    if let Some(runs) = &p.runs {
        return json!({
            "event": "progress", "runs": runs.runs, "explored": runs.explored, "depth": p.depth, "seconds": p.seconds,
        });
    }
    json!({
        "event": "progress", "states": p.states, "transitions": p.transitions, "depth": p.depth,
        "memory_bytes": p.memory_bytes, "seconds": p.seconds, "states_per_second": p.states_per_second(),
        "cache": p.cache.as_ref().map(answer::cache),
    })
}

/// What is proved now, and how many of the properties are decided.
pub(crate) fn proving(board: &Board, seconds: f64) -> Value {
    let decided = board.properties.iter().filter(|p| p.verdict != Verdict::Unknown).count();
    json!({
        "event": "proving", "phase": board.phase, "trying": board.trying, "decided": decided,
        "properties": board.properties.len(), "seconds": seconds,
    })
}

pub(crate) fn diagnostic(map: &SourceMap, d: &Diagnostic) -> Value {
    let label = |label: &Label| {
        let position = map.position(label.span);
        json!({
            "file": map.name(label.span.file), "line": position.line, "column": position.column,
            "start": label.span.start, "end": label.span.end, "text": label.text,
        })
    };
    let labels: Vec<Value> = std::iter::once(&d.primary).chain(&d.secondary).map(label).collect();
    let severity = match d.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    json!({
        "event": "diagnostic", "severity": severity, "code": d.code, "message": d.message, "labels": labels,
        "notes": d.notes, "help": d.help,
    })
}

/// The last event when there is no verdict.
pub(crate) fn failure(failure: &Failure, exit: Exit) -> Value {
    json!({
        "event": "result", "schema": VERSION, "verdict": null, "reason": failure.message(), "exit_code": exit.code(),
    })
}

/// The last event of a command without a verdict that was cut off by a limit or a signal.
pub(crate) fn stopped(command: &str, reason: &str, cut: &Cut, exit: Exit) -> Value {
    json!({
        "event": "result", "schema": VERSION, "command": command, "verdict": "unknown", "reason": reason,
        "exit_code": exit.code(), "interrupted": cut.stop == Stop::Interrupt, "memory_bytes": cut.memory_bytes,
        "seconds": cut.seconds, "stopped": true,
    })
}

/// What `simulate` and `replay` show: a run, no verdict.
pub(crate) struct Shown<'a> {
    pub(crate) command: &'a str,
    pub(crate) recording: &'a Recording,
    pub(crate) report: &'a Report,
    /// Every variable, of a model.
    pub(crate) state: Option<&'a [Variable]>,
    /// How it could go on.
    pub(crate) moves: Option<&'a [Offer]>,
    pub(crate) reproduce: &'a str,
    pub(crate) exit: Exit,
}

/// The result of `simulate` and `replay`.
pub(crate) fn run(shown: &Shown<'_>) -> Value {
    let Shown { command, recording, report, reproduce, .. } = shown;
    let mut value = json!({
        "event": "result", "schema": VERSION, "command": command, "exit_code": shown.exit.code(),
        "trace": trace(report), "reproduce": reproduce,
    });
    if recording.program.is_some() {
        value["command"] = json!(format!("{command}-run"));
        value["program"] = json!(recording.file);
        value["printed"] = json!(report.printed);
        value["trace"] = calls(report);
    } else {
        value["state"] = json!(shown.state.map(variables));
    }
    if let Some(moves) = shown.moves {
        value["moves"] = moves.iter().map(offer).collect();
    }
    value
}

fn status(status: RunStatus) -> &'static str {
    match status {
        RunStatus::Enabled => "enabled",
        RunStatus::Terminated => "terminated",
        RunStatus::Deadlock => "deadlock",
        RunStatus::Failed => "failed",
    }
}

/// The states around one; null if what runs has none.
pub(crate) fn graph(found: Option<&Neighbourhood>) -> Value {
    let Some(found) = found else { return json!({"event": "graph", "states": null}) };
    let state = |s: &Near| {
        json!({
            "path": s.path, "status": status(s.status), "expanded": s.expanded, "state": variables(&s.variables),
        })
    };
    let edge = |e: &Edge| json!({"from": e.from, "to": e.to, "who": e.who, "text": e.text});
    json!({
        "event": "graph", "whole": found.is_whole(), "states": found.states.iter().map(state).collect::<Vec<_>>(),
        "edges": found.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}

/// Where an interactive run stands, and why it stayed there.
pub(crate) fn standing(session: &Session<'_>, refused: Option<&str>) -> Value {
    let with_changes = |o: &Offer| {
        let mut value = offer(o);
        value["changes"] = o.changes.iter().map(change).collect();
        value
    };
    json!({
        "event": "state", "steps": session.steps(), "starts": session.starts(), "status": status(session.status()),
        "refused": refused, "state": variables(&session.variables()),
        "moves": session.offers().iter().map(with_changes).collect::<Vec<_>>(),
    })
}

/// Adds every variable at the beginning, and what could have been chosen at each step.
pub(crate) fn add_choices(result: &mut Value, beginning: &[Variable], choices: &[Choice]) {
    let choice = |c: &Choice| json!({"enabled": c.enabled, "taken": c.taken});
    result["beginning"] = variables(beginning);
    result["choices"] = choices.iter().map(choice).collect();
}

fn change(c: &Change) -> Value {
    json!({"name": c.name, "before": c.before, "after": c.after})
}

fn offer(o: &Offer) -> Value {
    let mut value = json!({
        "who": o.who, "statements": o.statements.iter().map(statement).collect::<Vec<_>>(), "fault": o.fault,
    });
    with_call(&mut value, o.statements.first(), &[]);
    value
}

/// The result of `diff-spin`.
pub(crate) fn comparison(ours: &Answer, spin: &Outcome, agree: Option<bool>, exit: Exit) -> Value {
    let spin = match spin {
        Outcome::Searched(page) => spin_page(page),
        Outcome::Failed { tool, message } => json!({"failed": tool, "message": message}),
        Outcome::Timeout => json!({"failed": "spin", "message": "timeout"}),
    };
    let n = ours.searched();
    let e = &ours.errors;
    let weave = json!({
        "verdict": ours.verdict.name(), "states": n.states, "transitions": n.transitions, "matched": n.matched(),
        "depth": n.depth, "deadlock": e.deadlock > 0, "assertion": e.assertion > 0, "runtime": e.runtime > 0,
        "exhausted": ours.exhausted, "seconds": ours.numbers.seconds,
    });
    json!({
        "event": "result", "schema": VERSION, "command": "diff-spin", "agree": agree, "weave": weave, "spin": spin,
        "exit_code": exit.code(),
    })
}

/// The run of a program: as every run, with what each step calls, and with what went wrong as its
/// ending.
fn calls(t: &Report) -> Value {
    let mut value = trace(t);
    value["ending"] = json!(t.failure.as_ref().map(|f| json!({"kind": f.kind, "message": f.message})));
    value["printed"] = json!(t.printed);
    value
}

/// Adds what a program calls.
fn with_call(value: &mut Value, statement: Option<&Statement>, printed: &[String]) {
    let Some(call) = statement.and_then(|s| s.call.as_ref()) else { return };
    let stack = call.stack.iter().map(|f| json!({"function": f.function, "file": f.file, "line": f.line}));
    value["process"] = json!(call.process);
    value["thread"] = json!(call.thread);
    value["operation"] = json!(call.operation);
    value["object"] = json!(call.object);
    value["outcome"] = json!(call.outcome);
    value["stack"] = stack.collect();
    value["printed"] = json!(printed.concat());
}

fn spin_page(page: &Page) -> Value {
    json!({
        "states": page.states, "transitions": page.transitions, "matched": page.matched, "depth": page.depth,
        "deadlock": page.deadlock, "assertion": page.assertion, "runtime": page.runtime,
        "exhausted": page.exhausted, "seconds": page.seconds,
    })
}

fn location(l: &Location) -> Value {
    json!({"file": l.file, "line": l.line, "column": l.column})
}

pub(crate) fn trace(t: &Report) -> Value {
    let mut value = json!({
        "actors": t.actors.iter().map(|a| json!({"pid": a.pid, "name": a.name})).collect::<Vec<_>>(),
        "initial": variables(&t.initial),
        "steps": t.steps.iter().map(step).collect::<Vec<_>>(),
        "ending": ending(t.ending),
        "waiting": t.waiting.iter().map(waiting).collect::<Vec<_>>(),
    });
    if !t.race.is_empty() {
        value["race"] = t.race.iter().map(why::side).collect();
    }
    if !t.heaps.is_empty() {
        value["heaps"] = t.heaps.iter().map(why::heap).collect();
    }
    value
}

pub(crate) fn ending(ending: Ending) -> Value {
    match ending {
        Ending::Lasso { loop_start } => json!({"kind": ending.name(), "loop_start": loop_start}),
        _ => json!({"kind": ending.name()}),
    }
}

fn variables(variables: &[Variable]) -> Value {
    Value::Object(variables.iter().map(|v| (v.name.clone(), json!(v.value))).collect::<Map<_, _>>())
}

fn step(s: &ReportStep) -> Value {
    let mut value = json!({
        "actor": s.actor,
        "statements": s.statements.iter().map(statement).collect::<Vec<_>>(),
        "exchanges": s.exchanges.iter().map(exchange).collect::<Vec<_>>(),
        "born": s.created,
        "ended": s.ended,
        "changes": s.changes.iter().map(change).collect::<Vec<_>>(),
        "printed": s.printed,
        "fault": s.fault,
        "atomic": s.atomic,
    });
    if let Some(condition) = &s.why {
        value["why"] = why::valued(condition);
    }
    with_call(&mut value, s.statements.first(), &s.printed);
    value
}

fn statement(s: &Statement) -> Value {
    json!({"actor": s.actor, "text": s.text, "location": s.location.as_ref().map(location)})
}

fn waiting(w: &Waiting) -> Value {
    let statements: Vec<Value> = w.statements.iter().map(statement).collect();
    let needs: Vec<Value> = w.needs.iter().map(why::need).collect();
    let mut value =
        json!({"actor": w.actor, "statements": statements, "valid_end": w.valid_end, "needs": needs});
    with_call(&mut value, w.statements.first(), &[]);
    value
}

fn exchange(e: &Exchange) -> Value {
    match e {
        Exchange::Handshake { from, to, channel, message } => {
            json!({"kind": "handshake", "from": from, "to": to, "channel": channel, "message": message})
        }
        Exchange::Send { from, channel, message } => {
            json!({"kind": "send", "from": from, "channel": channel, "message": message})
        }
        Exchange::Receive { to, channel, message, copy, sent } => {
            let kind = if *copy { "copy" } else { "receive" };
            let (from, at) = sent.map_or((None, None), |(from, at)| (Some(from), Some(at)));
            json!({
                "kind": kind, "to": to, "channel": channel, "message": message, "from": from, "sent_at": at,
            })
        }
    }
}
