//! Why a run is a counterexample: values of conditions, what processes wait for, both sides of a
//! race, formulas along the run, and pictures of objects.

use serde_json::{Value, json};
use workbench::why::{Course, Row};
use workbench::{Heap, HeapNode, Mark, Need, RaceSide, Valued};

/// A condition with its value, and the parts that decide it.
pub(super) fn valued(v: &Valued) -> Value {
    json!({"text": v.text, "value": v.value, "parts": v.parts.iter().map(valued).collect::<Vec<_>>()})
}

/// What a blocked process waits for.
pub(super) fn need(n: &Need) -> Value {
    json!({"what": n.what.name(), "object": n.object, "value": n.value, "actors": n.actors, "tie": n.tie.name()})
}

/// One of the accesses of a race.
pub(super) fn side(s: &RaceSide) -> Value {
    let frame =
        |f: &workbench::report::Frame| json!({"function": f.function, "file": f.file, "line": f.line});
    json!({
        "actor": s.actor, "who": s.who, "access": s.access, "object": s.object,
        "stack": s.stack.iter().map(frame).collect::<Vec<_>>(), "source": s.source,
    })
}

/// A formula and its parts along a run; a letter for each state: `1`, `0`, or `-` if not known.
pub(super) fn course(c: &Course) -> Value {
    let letter = |truth: &Option<bool>| match truth {
        Some(true) => '1',
        Some(false) => '0',
        None => '-',
    };
    let row = |row: &Row| {
        let truth: String = row.truth.iter().map(letter).collect();
        json!({"text": row.text, "depth": row.depth, "truth": truth})
    };
    c.rows.iter().map(row).collect()
}

/// The objects of a state.
pub(super) fn heap(h: &Heap) -> Value {
    let marks = |marks: &[Mark]| marks.iter().map(mark).collect::<Vec<_>>();
    let node = |n: &HeapNode| json!({"name": n.name, "thread": n.thread, "summary": n.summary, "marks": marks(&n.marks)});
    let edges =
        h.edges.iter().map(|e| json!({"from": e.from, "to": e.to, "name": e.mark.name, "half": e.mark.half}));
    json!({
        "nodes": h.nodes.iter().map(node).collect::<Vec<_>>(), "edges": edges.collect::<Vec<_>>(),
        "facts": marks(&h.facts),
    })
}

fn mark(m: &Mark) -> Value {
    json!({"name": m.name, "half": m.half})
}
