//! The part of an answer that is about proofs.

use serde_json::{Map, Value, json};
use source::SourceMap;
use workbench::prove::{self, Drawn};
use workbench::{
    Abstraction, Answer, Countermodel, Decided, Derived, Location, Obligation, Place, ProofNumbers, Status,
};

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
        "abstraction": n.abstraction.as_ref().map(abstraction),
        "derived": n.derived.iter().map(derived).collect::<Vec<_>>(),
        "diagrams": prove::drawn(answer).iter().map(diagram).collect::<Vec<_>>(),
    })
}

fn abstraction(made: &Abstraction) -> Value {
    let basis = made.basis.iter().map(|(name, assertion)| json!({"name": name, "assertion": assertion}));
    let statements = made.statements.iter().map(|(name, statement, fairness)| {
        json!({"transition": name, "statement": statement, "fairness": fairness})
    });
    let watched = made.watched.iter().map(|(down, up, e)| json!({"down": down, "up": up, "number": e}));
    json!({
        "basis": basis.collect::<Vec<_>>(),
        "watched": watched.collect::<Vec<_>>(),
        "statements": statements.collect::<Vec<_>>(),
        "text": made.text,
    })
}

/// A diagram that was derived, as text, or why there is none.
fn derived(d: &Derived) -> Value {
    json!({"property": d.property, "text": d.text.as_ref().ok(), "reason": d.text.as_ref().err()})
}

/// A diagram for an editor: what became of each node and edge.
fn diagram(d: &Drawn) -> Value {
    let node = |n: &prove::DrawnNode| {
        json!({
            "name": n.name, "assertion": n.assertion, "rank": n.rank, "label": n.label,
            "initial": n.initial, "terminal": n.terminal, "status": n.status,
        })
    };
    let edge = |e: &prove::DrawnEdge| json!({"from": e.from, "to": e.to, "by": e.by, "status": e.status});
    let compound = |(name, assertion, nodes): &(String, String, Vec<String>)| json!({"name": name, "assertion": assertion, "nodes": nodes});
    json!({
        "name": d.name,
        "property": d.property,
        "kind": d.kind,
        "status": d.status,
        "nodes": d.nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": d.edges.iter().map(edge).collect::<Vec<_>>(),
        "compounds": d.compounds.iter().map(compound).collect::<Vec<_>>(),
        "accept": d.accept.iter().map(|(nodes, more)| json!({"nodes": nodes, "more": more})).collect::<Vec<_>>(),
    })
}

/// Where a condition stands in a diagram.
fn place(place: &Place) -> Value {
    json!({
        "diagram": place.diagram,
        "part": place.part.name(),
        "node": place.node,
        "edge": place.edge.as_ref().map(|(from, to)| json!([from, to])),
        "transition": place.transition,
        "missing": place.missing.as_ref().map(|(from, to)| json!([from, to])),
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
        "place": o.place.as_ref().map(place),
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
