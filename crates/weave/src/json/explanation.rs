//! The result of `check --explain-reduction`.

use super::VERSION;
use crate::exit::Exit;
use serde_json::{Value, json};
use workbench::explain::{ChannelAssertion, ChannelUse, ChoiceReport, Explanation, VariableUse};

pub(crate) fn result(e: &Explanation, reproduce: &str, exit: Exit) -> Value {
    let choice = |c: &ChoiceReport| {
        json!({
            "process": c.process, "statement": c.statement, "line": c.line, "enabled": c.enabled,
            "left_out": c.is_left_out(), "in_set": c.is_in_set(), "reason": c.reason,
        })
    };
    let channel = |c: &ChannelUse| json!({"name": c.name, "senders": c.senders, "receivers": c.receivers});
    let variable = |v: &VariableUse| json!({"name": v.name, "readers": v.readers, "writers": v.writers});
    let assertion = |p: &ChannelAssertion| {
        let line = p.location.as_ref().map(|l| l.line);
        json!({"text": p.text, "line": line, "broken_by": p.broken_by})
    };
    json!({
        "event": "result",
        "schema": VERSION,
        "command": "explain-reduction",
        "exit_code": exit.code(),
        "refused": e.refused,
        "way": e.way,
        "whole": e.whole,
        "choices": e.choices.iter().map(choice).collect::<Vec<_>>(),
        "channels": e.channels.iter().map(channel).collect::<Vec<_>>(),
        "variables": e.variables.iter().map(variable).collect::<Vec<_>>(),
        "promises": e.channel_assertions.iter().map(assertion).collect::<Vec<_>>(),
        "reproduce": reproduce,
    })
}
