//! The part of an answer that is about proofs.

use serde_json::{Map, Value, json};
use source::SourceMap;
use workbench::{Answer, Countermodel, Decided, Location, Obligation, ProofNumbers, Status};

pub(super) fn part(answer: &Answer, n: &ProofNumbers, map: &SourceMap) -> Value {
    let of_property = |p: &Decided| {
        let all = p.proof.iter().flat_map(|proof| &proof.obligations);
        all.map(|o| obligation(map, Some(&p.name), o)).collect::<Vec<_>>()
    };
    let of_properties = answer.properties.iter().flat_map(of_property);
    let of_types = n.types.iter().map(|o| obligation(map, None, o));
    let generated = n.generated.iter().map(|(kind, f)| json!({"kind": kind, "formula": f}));
    json!({
        "obligations": of_properties.chain(of_types).collect::<Vec<_>>(),
        "generated": generated.collect::<Vec<_>>(),
        "solver": n.solver,
    })
}

fn obligation(map: &SourceMap, property: Option<&str>, o: &Obligation) -> Value {
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
        "countermodel": o.countermodel.as_ref().map(|m| countermodel(map, m)),
        "condition": o.asked.as_ref().map(|asked| asked.statement()),
        "simplified": o.asked.as_ref().map(|asked| asked.simplified()),
        "reason": o.reason,
        "milliseconds": o.milliseconds,
    })
}

fn countermodel(map: &SourceMap, m: &Countermodel) -> Value {
    let values = |values: &[(String, String)]| -> Value {
        Value::Object(values.iter().map(|(n, v)| (n.clone(), json!(v))).collect::<Map<_, _>>())
    };
    json!({
        "before": values(&m.before),
        "after": values(&m.after),
        "transition": m.transition.as_ref().map(|(name, _)| name),
        "statement": m.transition.as_ref().map(|(_, text)| text),
        "location": Location::of(map, m.span).as_ref().map(super::location),
        "fails": m.fails,
    })
}
