//! Do two automata accept words that differ only in how often letters are repeated?
//!
//! After Michaud and Duret-Lutz, "Practical stutter-invariance checks for ω-regular languages"
//! (SPIN 2015): two words are stutter-equivalent if and only if both can be stretched, by repeating
//! letters finitely often, to a common word. So each automaton is made to accept the stretched
//! words of its words, and the product of both is searched. To repeat a letter a state must
//! remember it; since only the labels tell letters apart, the classes of letters that no label
//! separates stand for them.

use super::bdd::{Bdd, FALSE, Manager, TRUE};
use super::components::{Components, prune};
use super::degeneralize::On;
use super::graph::{self, Arc, Graph};
use super::hash::Map;
use super::translate::NODES;
use super::words::product;
use super::{Automaton, TooLarge};

/// More states are not made.
const STATES: usize = 1 << 16;

/// Is there a word of `a` and a word of `b` that are stutter-equivalent?
pub(crate) fn meet_by_stuttering(a: &Automaton, b: &Automaton) -> Result<bool, TooLarge> {
    let mut bdd = Manager::new(NODES);
    let a = prune(graph::open(a, &mut bdd), On::Edges);
    let b = prune(graph::open(b, &mut bdd), On::Edges);
    let letters = classes(&[&a, &b], &mut bdd)?;
    let (a, b) = (stretched(&a, &letters, &mut bdd)?, stretched(&b, &letters, &mut bdd)?);
    let product = product(&a, &b, &mut bdd)?;
    Ok(Components::of(&product).accepting.contains(&true))
}

/// The classes of letters that no label separates.
fn classes(graphs: &[&Graph], bdd: &mut Manager) -> Result<Vec<Bdd>, TooLarge> {
    let mut classes = vec![TRUE];
    let mut labels: Vec<Bdd> =
        graphs.iter().flat_map(|g| g.states.iter().flatten()).map(|arc| arc.label).collect();
    labels.sort_unstable();
    labels.dedup();
    for label in labels {
        let mut finer = Vec::new();
        for class in classes {
            finer
                .extend([bdd.and(class, label), bdd.minus(class, label)].into_iter().filter(|f| *f != FALSE));
        }
        classes = finer;
        if bdd.full || classes.len() > STATES {
            return Err(TooLarge::Labels);
        }
    }
    Ok(classes)
}

/// The automaton of the stretched words: a state may read the letter that led to it again, but not
/// endlessly.
fn stretched(graph: &Graph, letters: &[Bdd], bdd: &mut Manager) -> Result<Graph, TooLarge> {
    let start = (graph.initial, None);
    let (mut numbers, mut seen) = (Map::from_iter([(start, 0)]), vec![start]);
    let mut states: Vec<Vec<Arc>> = Vec::new();
    while let Some(&(state, last)) = seen.get(states.len()) {
        let repeat = last.map(|letter: usize| Arc { label: letters[letter], to: states.len(), sets: 0 });
        let mut arcs: Vec<Arc> = repeat.into_iter().collect();
        for arc in &graph.states[state] {
            for (letter, &class) in letters.iter().enumerate() {
                if bdd.and(class, arc.label) != FALSE {
                    let target = (arc.to, Some(letter));
                    let to = *numbers.entry(target).or_insert_with(|| {
                        seen.push(target);
                        seen.len() - 1
                    });
                    arcs.push(Arc { label: class, to, sets: if graph.sets == 0 { 1 } else { arc.sets } });
                }
            }
        }
        states.push(arcs);
        if bdd.full || seen.len() > STATES {
            return Err(TooLarge::States);
        }
    }
    Ok(Graph { sets: graph.sets.max(1), initial: 0, states })
}
