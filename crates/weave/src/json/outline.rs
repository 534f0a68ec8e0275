//! The result of `prove --outline`. Places are bytes of the text, the first one and the one behind
//! the last.

use super::VERSION;
use crate::exit::Exit;
use serde_json::{Value, json};
use source::Span;
use workbench::prove::{Named, Outline, Outlined, Part, PartKind};

pub(crate) fn result(outlined: &Outlined, reproduce: &str, exit: Exit) -> Value {
    let property = |(name, formula): &(String, String)| json!({"name": name, "formula": formula});
    json!({
        "event": "result",
        "schema": VERSION,
        "command": "outline",
        "exit_code": exit.code(),
        "diagrams": outlined.diagrams.iter().map(|d| diagram(outlined, d)).collect::<Vec<_>>(),
        "properties": outlined.properties.iter().map(property).collect::<Vec<_>>(),
        "transitions": outlined.transitions,
        "reproduce": reproduce,
    })
}

fn diagram(outlined: &Outlined, d: &Outline) -> Value {
    json!({
        "file": outlined.map.name(d.span.file),
        "name": named(&d.name),
        "kind": named(&d.kind),
        "proves": all(&d.proves),
        "parts": d.parts.iter().map(part).collect::<Vec<_>>(),
        "body": place(d.body),
        "place": place(d.span),
    })
}

fn place(span: Span) -> Value {
    json!([span.start, span.end])
}

fn named(named: &Named) -> Value {
    json!({"name": named.name, "place": place(named.span)})
}

fn all(names: &[Named]) -> Value {
    names.iter().map(named).collect()
}

fn part(part: &Part) -> Value {
    let mut value = match &part.kind {
        PartKind::Node { name, assertion, rank, label } => json!({
            "part": "node", "name": named(name), "assertion": place(*assertion), "rank": rank.map(place),
            "label": label.map(place),
        }),
        PartKind::Compound { name, assertion, parts } => json!({
            "part": "compound", "name": named(name), "assertion": assertion.map(place),
            "parts": parts.iter().map(self::part).collect::<Vec<_>>(),
        }),
        PartKind::Edge { from, to, by } => {
            json!({"part": "edge", "from": all(from), "to": all(to), "by": by.map(place)})
        }
        PartKind::Names { word, lists } => {
            json!({"part": word, "lists": lists.iter().map(|list| all(list)).collect::<Vec<_>>()})
        }
    };
    value["place"] = place(part.span);
    value
}
