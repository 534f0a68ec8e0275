//! Datatypes: every value has a constructor, and none lies within itself.

use super::axioms::rebuilt;
use super::congruence::NodeId;
use super::ground::Ground;
use super::sat::Lit;
use logic::fol::{Op, Term};
use std::collections::{BTreeMap, HashMap};

/// What a complete assignment lacks.
pub(crate) enum Missing {
    Nothing,
    Stated,
    /// Literals that make a value part of itself.
    Cycle(Vec<Lit>),
}

/// Writes every value whose constructor is known as that constructor of its fields, then looks for
/// cycles.
pub(crate) fn saturate(ground: &mut Ground) -> Missing {
    let built = constructions(ground);
    let mut lemmas = Vec::new();
    for (node, term) in ground.terms.iter().enumerate() {
        let Some(data) = term.sort().datatype() else { continue };
        if built.contains_key(&ground.closure.class(node)) {
            continue;
        }
        for n in 0..data.constructors.len() {
            let tester = term.is(n);
            let literal = ground.literals.get(&tester);
            if literal.is_some_and(|l| ground.value(*l) == Some(true)) {
                lemmas.push(tester.implies(&term.equals(&rebuilt(term, n))));
            }
        }
    }
    let stated: Vec<bool> = lemmas.into_iter().map(|lemma| ground.state(lemma)).collect();
    if stated.contains(&true) {
        return Missing::Stated;
    }
    cycle(ground, &built).map_or(Missing::Nothing, Missing::Cycle)
}

/// For each class a node that a constructor made.
pub(crate) fn constructions(ground: &Ground) -> BTreeMap<NodeId, NodeId> {
    let made = |(node, term): (usize, &Term)| {
        matches!(term.op(), Op::Construct(..)).then(|| (ground.closure.class(node), node))
    };
    // The first one wins; any will do.
    ground.terms.iter().enumerate().rev().filter_map(made).collect()
}

/// Depth-first search for a class below itself; why it is there.
fn cycle(ground: &Ground, built: &BTreeMap<NodeId, NodeId>) -> Option<Vec<Lit>> {
    let mut state: HashMap<NodeId, bool> = HashMap::new();
    for class in built.keys() {
        let mut path = Vec::new();
        if let Some(why) = descend(ground, built, *class, &mut path, &mut state) {
            return Some(why);
        }
    }
    None
}

/// `path`: classes on the way, each with the argument through which it is left. `state`: false on
/// the way, true done.
fn descend(
    ground: &Ground,
    built: &BTreeMap<NodeId, NodeId>,
    class: NodeId,
    path: &mut Vec<(NodeId, NodeId)>,
    state: &mut HashMap<NodeId, bool>,
) -> Option<Vec<Lit>> {
    match state.get(&class) {
        Some(true) => return None,
        Some(false) => {
            let start = path.iter().position(|(on_way, _)| *on_way == class)?;
            let hops = path[start..].iter().enumerate().map(|(at, (_, argument))| {
                let next = path[start..].get(at + 1).map_or(class, |(class, _)| *class);
                ground.closure.explain(*argument, built[&next])
            });
            let mut why: Vec<Lit> = hops.flatten().collect();
            why.sort_unstable();
            why.dedup();
            return Some(why);
        }
        None => {}
    }
    let node = *built.get(&class)?;
    state.insert(class, false);
    for argument in ground.terms[node].arguments() {
        let argument = ground.nodes[argument];
        path.push((class, argument));
        let found = descend(ground, built, ground.closure.class(argument), path, state);
        path.pop();
        if found.is_some() {
            return found;
        }
    }
    state.insert(class, true);
    None
}
