//! Answers as JSON, one object a line. The shape is fixed by docs/schema/weave-v1.schema.json.

mod answer;
pub(crate) mod audit;
pub(crate) mod explanation;
mod proof;

pub(crate) use answer::answer;

use crate::exit::Exit;
use serde_json::{Map, Value, json};
use source::{Diagnostic, Label, Severity, SourceMap};
use workbench::programs::{RunRecording, Scenario, Scene};
use workbench::spin::{Outcome, Page};
use workbench::{
    Answer, Cut, Ending, Exchange, Failure, Location, Progress, Statement, Stop, Trace, TraceStep, Variable,
    Waiting,
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

/// The result of `simulate` and `replay`: a run, no verdict.
pub(crate) fn run(
    command: &str,
    run: &Trace,
    state: Option<&[Variable]>,
    reproduce: &str,
    exit: Exit,
) -> Value {
    let state = state.map(variables);
    json!({
        "event": "result", "schema": VERSION, "command": command, "exit_code": exit.code(), "trace": trace(run),
        "state": state, "reproduce": reproduce,
    })
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
        "verdict": ours.verdict.name(), "states": n.states, "transitions": n.transitions, "matched": n.matched,
        "depth": n.depth, "deadlock": e.deadlock > 0, "assertion": e.assertion > 0, "runtime": e.runtime > 0,
        "exhausted": ours.exhausted, "seconds": ours.numbers.seconds,
    });
    json!({
        "event": "result", "schema": VERSION, "command": "diff-spin", "agree": agree, "weave": weave, "spin": spin,
        "exit_code": exit.code(),
    })
}

/// The result of `replay` of a program's run.
pub(crate) fn replayed(recording: &RunRecording, again: &Scenario, exit: Exit) -> Value {
    json!({
        "event": "result", "schema": VERSION, "command": "replay-run", "program": recording.program,
        "exit_code": exit.code(), "trace": scenario(again),
    })
}

/// The result of `simulate` of a program: the run so far, and how it could go on.
pub(crate) fn simulated(
    recording: &RunRecording,
    (so_far, before): (&Scenario, &str),
    moves: &[Scene],
    reproduce: &str,
    exit: Exit,
) -> Value {
    let mut trace = scenario(so_far);
    if recording.kind != "none" {
        trace["ending"] = json!({"kind": recording.kind, "message": recording.message});
    }
    json!({
        "event": "result", "schema": VERSION, "command": "simulate-run", "program": recording.program,
        "exit_code": exit.code(), "printed": before, "trace": trace, "moves": moves.iter().map(scene).collect::<Vec<_>>(),
        "reproduce": reproduce,
    })
}

fn scenario(s: &Scenario) -> Value {
    let failure = s.failure.as_ref().map(|f| json!({"kind": f.kind.name(), "message": f.message}));
    json!({
        "steps": s.steps.iter().map(scene).collect::<Vec<_>>(),
        "waiting": s.waiting.iter().map(scene).collect::<Vec<_>>(),
        "ending": failure,
        "printed": s.printed,
    })
}

fn scene(s: &Scene) -> Value {
    let stack = s.stack.iter().map(|p| json!({"function": p.function, "file": p.file, "line": p.line}));
    json!({
        "process": s.process, "thread": s.who, "operation": s.operation, "object": s.object, "outcome": s.outcome,
        "stack": stack.collect::<Vec<_>>(), "printed": s.output,
    })
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

pub(crate) fn trace(t: &Trace) -> Value {
    json!({
        "actors": t.actors.iter().map(|a| json!({"pid": a.pid, "name": a.name})).collect::<Vec<_>>(),
        "initial": variables(&t.initial),
        "steps": t.steps.iter().map(step).collect::<Vec<_>>(),
        "ending": ending(t.ending),
        "waiting": t.waiting.iter().map(waiting).collect::<Vec<_>>(),
    })
}

pub(crate) fn ending(ending: Ending) -> Value {
    match ending {
        Ending::Fault => json!({"kind": "fault"}),
        Ending::Deadlock => json!({"kind": "deadlock"}),
        Ending::Race => json!({"kind": "race"}),
        Ending::Lasso { loop_start } => json!({"kind": "lasso", "loop_start": loop_start}),
        Ending::End => json!({"kind": "end"}),
        Ending::Open => json!({"kind": "open"}),
    }
}

fn variables(variables: &[Variable]) -> Value {
    Value::Object(variables.iter().map(|v| (v.name.clone(), json!(v.value))).collect::<Map<_, _>>())
}

fn step(s: &TraceStep) -> Value {
    let changes = s.changes.iter().map(|c| json!({"name": c.name, "before": c.before, "after": c.after}));
    json!({
        "actor": s.actor,
        "statements": s.statements.iter().map(statement).collect::<Vec<_>>(),
        "exchanges": s.exchanges.iter().map(exchange).collect::<Vec<_>>(),
        "born": s.born,
        "ended": s.ended,
        "changes": changes.collect::<Vec<_>>(),
        "printed": s.printed,
        "fault": s.fault,
        "atomic": s.atomic,
    })
}

fn statement(s: &Statement) -> Value {
    json!({"actor": s.actor, "text": s.text, "location": s.location.as_ref().map(location)})
}

fn waiting(w: &Waiting) -> Value {
    let statements: Vec<Value> = w.statements.iter().map(statement).collect();
    json!({"actor": w.actor, "statements": statements, "valid_end": w.valid_end})
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
