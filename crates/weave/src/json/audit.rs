//! The result of `check --audit`.

use super::VERSION;
use crate::exit::Exit;
use serde_json::{Value, json};
use workbench::audit::{AuditResult, Complaint, ModeAudit};

pub(crate) fn result(result: &AuditResult, reproduce: &str, exit: Exit) -> Value {
    let mode = |m: &ModeAudit| {
        json!({
            "mode": m.mode, "states": m.states, "reductions": m.reductions, "locals": m.locals,
            "sampled": m.sampled, "pairs": m.pairs, "sets": m.sets, "cut": m.cut, "triples": m.triples,
        })
    };
    let complaint = |c: &Complaint| {
        let run = c.run.as_ref().map(|(_, trace)| super::trace(trace));
        json!({"mode": c.mode, "message": c.message, "trace": run})
    };
    json!({
        "event": "result",
        "schema": VERSION,
        "command": "audit",
        "exit_code": exit.code(),
        "refused": result.refused,
        "modes": result.modes.iter().map(mode).collect::<Vec<_>>(),
        "complaints": result.complaints.iter().map(complaint).collect::<Vec<_>>(),
        "reproduce": reproduce,
    })
}
