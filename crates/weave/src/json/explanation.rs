//! The result of `check --explain-reduction`.

use super::{VERSION, status, variables};
use crate::exit::Exit;
use serde_json::{Value, json};
use workbench::explain::{
    ChannelAssertion, ChannelUse, ChoiceReport, Explanation, Explored, Graph, GraphEdge, VariableUse,
};

pub(crate) fn result(e: &Explanation, reproduce: &str, exit: Exit) -> Value {
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
        "graph": e.graph.as_ref().and_then(|graph| graph.as_ref().ok()).map(graph),
        "graph_refused": e.graph.as_ref().and_then(|graph| graph.as_ref().err()),
        "reproduce": reproduce,
    })
}

fn choice(c: &ChoiceReport) -> Value {
    json!({
        "process": c.process, "statement": c.statement, "line": c.line, "enabled": c.enabled,
        "left_out": c.is_left_out(), "in_set": c.is_in_set(), "reason": c.reason,
    })
}

/// All states of a small model, and what is explored of them.
fn graph(graph: &Graph) -> Value {
    let state = |s: &Explored| {
        json!({
            "state": variables(&s.variables), "status": status(s.status), "explored": s.explored,
            "whole": s.whole, "choices": s.choices.iter().map(choice).collect::<Vec<_>>(),
        })
    };
    let edge = |e: &GraphEdge| json!({"from": e.from, "to": e.to, "who": e.who, "text": e.text, "explored": e.explored});
    json!({
        "states": graph.states.iter().map(state).collect::<Vec<_>>(),
        "edges": graph.edges.iter().map(edge).collect::<Vec<_>>(),
    })
}
