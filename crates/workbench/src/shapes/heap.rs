//! The objects of a state as a picture, in the words of the text.
//!
//! What the reader of Java names for its own needs is said as the program says it: `at[Flow:12]` is
//! *line 12*, `Stack.top` between two objects is the field `top`, a local variable loses the thread
//! and the number that tell it from others. A node has its class or thread for a name.

use crate::report::{Heap, HeapEdge, HeapNode, Mark};
use structures::kleene::Kleene;
use structures::model::Model;
use structures::structure::Structure;
use structures::vocabulary::{Predicate, SUMMARY};

/// The objects of a structure; `names` has one for each node.
pub(crate) fn heap(model: &Model, s: &Structure, names: &[String]) -> Heap {
    let layout = model.vocabulary.layout();
    let java = is_java(model);
    let shown = |arity: usize| {
        let all = model.vocabulary.predicates.iter();
        all.filter(move |p| p.symbol.arity() == arity && p.symbol != SUMMARY && !p.hidden)
            .filter(move |p| !java || p.definition.is_none())
    };
    let mark = |p: &Predicate, value: Kleene| {
        let name = if java { in_java(&p.name, p.symbol.arity())? } else { p.name.clone() };
        (value != Kleene::False).then_some(Mark { name, half: value == Kleene::Half })
    };
    let node = |u: usize| {
        let places = model.threads.iter().flat_map(|t| &t.places);
        let marks = shown(1).filter_map(|p| mark(p, s.get(layout, p.symbol, [u, 0])));
        HeapNode {
            name: names.get(u).cloned().unwrap_or_default(),
            thread: places.into_iter().any(|p| s.get(layout, *p, [u, 0]) != Kleene::False),
            summary: s.is_summary(layout, u),
            marks: marks.collect(),
        }
    };
    let mut edges = Vec::new();
    for p in shown(2) {
        for (from, to) in (0..s.nodes).flat_map(|u| (0..s.nodes).map(move |v| (u, v))) {
            let found = mark(p, s.get(layout, p.symbol, [from, to]));
            edges.extend(found.map(|mark| HeapEdge { from, to, mark }));
        }
    }
    let facts = shown(0).filter_map(|p| mark(p, s.get(layout, p.symbol, [0, 0])));
    Heap { nodes: (0..s.nodes).map(node).collect(), edges, facts: facts.collect() }
}

/// Names of the nodes of an abstract structure: a thread or the class of an object, and a number.
pub(crate) fn names(model: &Model, s: &Structure) -> Vec<String> {
    let layout = model.vocabulary.layout();
    let holds = |p: &&Predicate, u: usize| {
        p.symbol.arity() == 1
            && p.symbol != SUMMARY
            && !p.hidden
            && s.get(layout, p.symbol, [u, 0]) == Kleene::True
    };
    let name = |u: usize| {
        let at = |t: &&structures::model::Thread| {
            t.places.iter().any(|p| s.get(layout, *p, [u, 0]) != Kleene::False)
        };
        let thread = model.threads.iter().find(at).map(|t| t.name.clone());
        let held: Vec<&str> =
            model.vocabulary.predicates.iter().filter(|p| holds(p, u)).map(|p| p.name.as_str()).collect();
        let class = held.iter().find_map(|name| within(name, "is["));
        let any = || class.or(held.first().copied()).unwrap_or("object").to_string();
        format!("{}[{u}]", thread.unwrap_or_else(any))
    };
    (0..s.nodes).map(name).collect()
}

/// Whether the model was read from Java: its predicates are named by the reader.
fn is_java(model: &Model) -> bool {
    model.vocabulary.find("started").is_some() && model.vocabulary.find("held_by").is_some()
}

/// `name` of `prefix[name]`.
fn within<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.strip_prefix(prefix)?.strip_suffix(']')
}

/// A predicate in Java's words; `None` if a name says it already.
fn in_java(name: &str, arity: usize) -> Option<String> {
    if name == "started" || within(name, "is[").is_some() || within(name, "runs[").is_some() {
        return None;
    }
    if let Some(place) = within(name, "at[") {
        return Some(at(place));
    }
    if let Some((_, local)) = name.rsplit_once(':') {
        return Some(local.trim_end_matches(|c: char| c.is_ascii_digit()).to_string());
    }
    let named = match name {
        "held_by" => "locked by",
        "waits_on" => "waits on",
        // A static field is one for all objects, so its class stands before it.
        name if arity == 2 => name.rsplit_once('.').map_or(name, |(_, field)| field),
        name => name,
    };
    Some(named.replace('_', " ").replace('=', " = "))
}

/// A place in the code: `Flow:12`, `Flow:12.2` or `Flow.end`.
fn at(place: &str) -> String {
    match place.rsplit_once(':') {
        Some((_, line)) => format!("line {}", line.split('.').next().unwrap_or(line)),
        None if place.ends_with(".end") => "has ended".to_string(),
        None => place.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::in_java;

    #[test]
    fn predicates_are_said_as_java_has_them() {
        let said = |name: &str, arity: usize| in_java(name, arity).unwrap_or_default();
        assert_eq!(said("is[Node]", 1), "");
        assert_eq!(said("at[User:23.2]", 1), "line 23");
        assert_eq!(said("at[User.end]", 1), "has ended");
        assert_eq!(said("User:node3", 2), "node");
        assert_eq!(said("Node.next", 2), "next");
        assert_eq!(said("User.stack", 1), "User.stack");
        assert_eq!(said("held_by", 2), "locked by");
        assert_eq!(said("Buffer.count=2", 1), "Buffer.count = 2");
    }
}
