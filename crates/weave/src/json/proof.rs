//! The answer of `weave prove` as JSON.

use super::VERSION;
use crate::exit::Exit;
use serde_json::{Map, Value, json};
use workbench::prove::{Countermodel, Obligation, ProveResult, Proved, Source, Status};

pub(crate) fn result(source: &Source, result: &ProveResult, reproduce: &str, exit: Exit) -> Value {
    let all = result.properties.iter();
    let of_properties = all.flat_map(|p| p.obligations.iter().map(|o| obligation(source, Some(&p.name), o)));
    let of_types = result.types.iter().map(|o| obligation(source, None, o));
    let generated = result.generated.iter();
    json!({
        "event": "result",
        "schema": VERSION,
        "command": "prove",
        "verdict": result.verdict.name(),
        "reason": result.reason,
        "exit_code": exit.code(),
        "properties": result.properties.iter().map(property).collect::<Vec<_>>(),
        "obligations": of_properties.chain(of_types).collect::<Vec<_>>(),
        "generated": generated.map(|(kind, f)| json!({"kind": kind, "formula": f})).collect::<Vec<_>>(),
        "assumes": result.assumes,
        "violations": result.violations.iter().map(super::violation).collect::<Vec<_>>(),
        "trace": result.violations.first().map(|v| super::trace(&v.trace)),
        "solver": result.solver,
        "seconds": result.seconds,
        "reproduce": reproduce,
    })
}

fn property(p: &Proved) -> Value {
    json!({
        "name": p.name,
        "kind": "ltl",
        "formula": p.formula,
        "verdict": p.verdict.name(),
        "reason": p.reason.as_ref().or(p.vacuous.as_ref()),
        "vacuous": p.vacuous.as_ref().map(|_| true),
        "rules": p.rules,
        "invariant": p.invariant,
    })
}

fn obligation(source: &Source, property: Option<&str>, o: &Obligation) -> Value {
    let status = match o.status {
        Status::Proved => "proved",
        Status::Failed => "failed",
        Status::Unknown => "unknown",
    };
    json!({
        "name": o.name,
        "property": property,
        "rule": o.rule,
        "status": status,
        "lemmas": o.lemmas,
        "countermodel": o.countermodel.as_ref().map(|m| countermodel(source, m)),
        "reason": o.reason,
        "milliseconds": o.milliseconds,
    })
}

fn countermodel(source: &Source, m: &Countermodel) -> Value {
    let values = |values: &[(String, String)]| -> Value {
        Value::Object(values.iter().map(|(n, v)| (n.clone(), json!(v))).collect::<Map<_, _>>())
    };
    let location = source.location(m.span);
    json!({
        "before": values(&m.before),
        "after": values(&m.after),
        "transition": m.transition.as_ref().map(|(name, _)| name),
        "statement": m.transition.as_ref().map(|(_, text)| text),
        "location": location.map(|l| json!({"file": l.file, "line": l.line, "column": l.column})),
    })
}
