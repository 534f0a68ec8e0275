//! The answer of `check`, `prove` and `run`: what every answer has, and the parts that this one
//! has.

use super::{VERSION, calls, location, proof, trace, why};
use crate::exit::Exit;
use serde_json::{Value, json};
use source::SourceMap;
use workbench::answer::rate;
use workbench::programs::{About, Estimate};
use workbench::{
    Answer, CacheStatistics, Certificate, Decided, DiskNumbers, FullExpansion, Heap, Losses, ReductionUsed,
    RunNumbers, SearchNumbers, Unreached, Verdict, Violation,
};

/// The last event of a command with a verdict. Places are looked up in the map.
pub(crate) fn answer(command: &str, answer: &Answer, map: &SourceMap, reproduce: &str, exit: Exit) -> Value {
    let numbers = &answer.numbers;
    let mut all = json!({
        "event": "result",
        "schema": VERSION,
        "command": command,
        "verdict": answer.verdict.name(),
        "reason": answer.reason,
        "exit_code": exit.code(),
        "properties": answer.properties.iter().map(property).collect::<Vec<_>>(),
        "exhausted": answer.exhausted,
        "interrupted": answer.interrupted,
        "violations": answer.violations.iter().map(violation).collect::<Vec<_>>(),
        "trace": answer.violations.first().map(run),
        "races": answer.races,
        "assumes": answer.assumes,
        "seconds": numbers.seconds,
        "reproduce": reproduce,
    });
    extend(&mut all, numbers.search.as_ref().map(|n| searched(answer, n)));
    extend(&mut all, numbers.runs.as_ref().map(|n| ran(n, &answer.reduction, numbers.seconds)));
    extend(&mut all, numbers.proof.as_ref().map(|n| proof::part(answer, n, map)));
    all
}

/// Adds the keys of a part.
fn extend(all: &mut Value, part: Option<Value>) {
    if let (Value::Object(all), Some(Value::Object(part))) = (all, part) {
        all.extend(part);
    }
}

/// The part of a search of states.
fn searched(answer: &Answer, n: &SearchNumbers) -> Value {
    let (e, diagrams) = (&answer.errors, answer.numbers.diagrams);
    json!({
        "states": n.states,
        "transitions": n.transitions,
        "matched": n.matched(),
        "depth": n.depth,
        "memory_bytes": n.memory_bytes,
        "bytes_per_state": n.bytes_per_state(),
        "states_per_second": answer.numbers.states_per_second(),
        "engine": if diagrams.is_some() { "symbolic" } else { "explicit" },
        "nodes": diagrams.map(|d| d.nodes),
        "bits": diagrams.map(|d| d.bits),
        "reduction": answer.reduction.name,
        "proviso": answer.reduction.proviso,
        "reduction_dropped": answer.reduction.dropped,
        "reduction_off": off(&answer.reduction),
        "cache": answer.numbers.cache.as_ref().map(cache),
        "losses": answer.numbers.losses.as_ref().map(losses),
        "disk": answer.numbers.disk.as_ref().map(disk),
        "errors": {"deadlock": e.deadlock, "assertion": e.assertion, "runtime": e.runtime},
        "unreached": answer.unreached.as_ref().map(|u| u.iter().map(unreached).collect::<Vec<_>>()),
    })
}

/// The part of the exploration of a program.
fn ran(n: &RunNumbers, reduction: &ReductionUsed, seconds: f64) -> Value {
    json!({
        "reduction": reduction.name,
        "runs": n.runs,
        "terminated": n.terminated,
        "deadlocks": n.deadlocks,
        "failing": n.failing,
        "blocked_runs": n.blocked_runs,
        "explored": n.explored,
        "executed": n.executed,
        "depth": n.depth,
        "uncontrolled": n.uncontrolled,
        "unseen": n.unseen,
        "contained": n.contained,
        "coverage": n.coverage,
        "estimate": n.estimate.map(estimate),
        "runs_per_second": rate(n.runs, seconds),
    })
}

fn estimate(e: Estimate) -> Value {
    let about = |a: About| json!({"mean": a.mean, "error": a.error});
    json!({
        "samples": e.samples, "runs": about(e.runs), "transitions": about(e.transitions),
        "classes": about(e.classes),
    })
}

/// States in which nothing was left out.
fn off(used: &ReductionUsed) -> Value {
    let one = |(why, states): (FullExpansion, u64)| json!({"why": why.to_string(), "states": states});
    used.off.iter().map(one).collect()
}

pub(super) fn cache(cache: &CacheStatistics) -> Value {
    json!({
        "room": cache.room, "stored": cache.stored, "cleared": cache.cleared, "most": cache.most,
        "distinct": cache.distinct, "visits_per_state": cache.visits_per_state(), "suffices": cache.suffices(),
    })
}

/// What may have been missed, because states may be taken for others.
fn losses(losses: &Losses) -> Value {
    json!({"missed": losses.missed, "filled": losses.filled, "searches": losses.searches})
}

/// States on disk.
fn disk(disk: &DiskNumbers) -> Value {
    json!({
        "folder": disk.folder.to_string_lossy(), "bytes": disk.bytes, "resumed": disk.resumed,
        "checkpoint": disk.kept,
    })
}

fn property(p: &Decided) -> Value {
    let looked = p.product.is_some() || p.vacuous.is_some();
    let vacuous = (looked && p.verdict == Verdict::Holds).then_some(p.vacuous.is_some());
    let mut all = json!({
        "name": p.name, "kind": p.kind.name(), "verdict": p.verdict.name(),
        "reason": p.reason.as_ref().or(p.vacuous.as_ref()), "vacuous": vacuous,
    });
    let proof = p.proof.as_ref();
    let formula = (proof.is_some() || !p.text.is_empty()).then(|| json!({"formula": p.text}));
    extend(&mut all, formula);
    extend(&mut all, proof.map(|proof| json!({"rules": proof.rules, "invariant": proof.invariant})));
    extend(&mut all, proof.is_none().then(|| product(p)));
    extend(&mut all, p.candidate.as_ref().map(|lines| json!({"candidate": candidate(p, lines)})));
    extend(&mut all, p.certificate.as_ref().map(|c| json!({"certificate": certificate(c)})));
    all
}

/// An abstract run that may violate the property, or not.
fn candidate(p: &Decided, lines: &[String]) -> Value {
    let state = |(title, heap): &(String, Heap)| json!({"title": title, "heap": why::heap(heap)});
    json!({"lines": lines, "states": p.candidate_heaps.iter().map(state).collect::<Vec<_>>()})
}

fn certificate(certificate: &Certificate) -> Value {
    match certificate {
        Certificate::Closed { states } => json!({"kind": "closed", "states": states}),
        Certificate::Levels { levels, states } => {
            json!({"kind": "levels", "states": states, "levels": levels})
        }
        Certificate::Conditions => json!({"kind": "conditions"}),
        Certificate::Embedded => json!({"kind": "embedded"}),
        Certificate::Without(why) => json!({"kind": "none", "why": why}),
    }
}

/// Of a search of its own, if it had one.
fn product(p: &Decided) -> Value {
    let reduction = p.reduction.as_ref();
    json!({
        "states": p.product.map(|p| p.0), "transitions": p.product.map(|p| p.1),
        "reduction": reduction.map(|r| &r.name), "proviso": reduction.map(|r| r.proviso),
        "reduction_dropped": reduction.and_then(|r| r.dropped.as_ref()),
        "reduction_off": reduction.map(off),
    })
}

fn unreached(u: &Unreached) -> Value {
    json!({"process": u.process, "statement": u.statement, "location": u.location.as_ref().map(location)})
}

/// The run of a violation; of a program with what each step calls.
fn run(v: &Violation) -> Value {
    if v.recording.program.is_some() { calls(&v.trace) } else { trace(&v.trace) }
}

fn violation(v: &Violation) -> Value {
    let mut all = json!({
        "kind": v.kind.name(), "property": v.property, "message": v.message,
        "location": v.location.as_ref().map(location), "steps": v.trace.steps.len(), "shortest": v.shortest,
    });
    if !v.at_end.is_empty() {
        all["at_end"] = v.at_end.iter().map(why::valued).collect();
    }
    if let Some(course) = &v.course {
        all["course"] = why::course(course);
    }
    all
}
