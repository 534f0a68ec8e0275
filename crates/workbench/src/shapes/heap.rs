//! The objects of a state as a picture, in the words of the text.
//!
//! Of a Java program, predicates are said as the program says them, and those that stand nowhere in
//! it are left out. A node has its class or thread for a name.

use super::java_meaning::said;
use crate::report::{Heap, HeapEdge, HeapNode, Mark};
use structures::kleene::Kleene;
use structures::model::Model;
use structures::structure::Structure;
use structures::vocabulary::{Predicate, SUMMARY};

/// The objects of a structure; `names` has one for each node. What Java's reader names for its own
/// needs is said in Java's words.
pub(crate) fn heap(model: &Model, s: &Structure, names: &[String], java: bool) -> Heap {
    let layout = model.vocabulary.layout();
    let shown = |arity: usize| {
        let all = model.vocabulary.predicates.iter();
        all.filter(move |p| p.symbol.arity() == arity && p.symbol != SUMMARY && !p.hidden)
            .filter(move |p| !java || p.definition.is_none())
    };
    let mark = |p: &Predicate, value: Kleene| {
        let name = if java { said(model, p)? } else { p.name.clone() };
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
        let class = held.iter().find_map(|name| name.strip_prefix("is[")?.strip_suffix(']'));
        let any = || class.or(held.first().copied()).unwrap_or("object").to_string();
        format!("{}[{u}]", thread.unwrap_or_else(any))
    };
    (0..s.nodes).map(name).collect()
}
