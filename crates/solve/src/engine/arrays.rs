//! Arrays with stores: which reads a complete assignment must know.
//!
//! An array and its stores are one component, together with everything the assignment makes equal
//! to them. Inside a component every array is read at every index that any of them is read or
//! stored at: a store agrees with its base at every index but its own. Together with
//! extensionality, stated with each equality, this is complete (Stump, Barrett, Dill and Levitt
//! 2001).

use super::congruence::NodeId;
use super::ground::Ground;
use logic::fol::{Op, Sort, Term};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// States the reads that are missing; whether there were any.
pub(crate) fn saturate(ground: &mut Ground) -> bool {
    let mut components = Components::default();
    let mut arrays = Vec::new();
    let mut reads = Vec::new();
    for (node, term) in ground.terms.iter().enumerate() {
        match (term.op(), term.arguments()) {
            (Op::Store, [base, i, _]) => {
                components.join(ground.closure.class(node), ground.closure.class(ground.nodes[base]));
                arrays.push(node);
                reads.push((node, i.clone()));
            }
            (Op::ConstArray(_), _) => arrays.push(node),
            (Op::Select, [array, i]) => reads.push((ground.nodes[array], i.clone())),
            _ => {}
        }
    }
    // By component, one index for each class of indices.
    let mut indices: HashMap<NodeId, BTreeMap<NodeId, Term>> = HashMap::new();
    for (array, index) in reads {
        let component = components.find(ground.closure.class(array));
        let class = ground.closure.class(ground.nodes[&index]);
        indices.entry(component).or_default().entry(class).or_insert(index);
    }
    let mut lemmas = Vec::new();
    for array in arrays {
        let component = components.find(ground.closure.class(array));
        let term = ground.terms[array].clone();
        let elsewhere = ground.elsewhere(term.sort());
        for index in indices.get(&component).into_iter().flat_map(BTreeMap::values).chain(&elsewhere) {
            lemmas.extend(read(&term, index));
        }
        if let (Op::Store, [_, i, _], Some(elsewhere)) = (term.op(), term.arguments(), &elsewhere) {
            lemmas.push(i.differs(elsewhere));
        }
    }
    let stated: Vec<bool> = lemmas.into_iter().map(|lemma| ground.state(lemma)).collect();
    stated.contains(&true)
}

/// What an array says about one index.
fn read(array: &Term, index: &Term) -> Option<Term> {
    match (array.op(), array.arguments()) {
        (Op::Store, [_, i, _]) if i == index => None,
        (Op::Store, [base, i, _]) => {
            Some(Term::or([i.equals(index), array.select(index).equals(&base.select(index))]))
        }
        (Op::ConstArray(_), [value]) => Some(array.select(index).equals(value)),
        _ => None,
    }
}

impl Ground {
    /// An index that no store of the problem writes to: there is one, since integers and reals do
    /// not end. What an array holds there is what it holds almost everywhere; only constant arrays
    /// make that matter.
    pub(crate) fn elsewhere(&self, array: &Sort) -> Option<Term> {
        match array {
            Sort::Array(index, _)
                if index.is_number() && self.heads.contains_key(&Op::ConstArray(array.clone())) =>
            {
                Some(self.skolem.named("elsewhere", array, index))
            }
            _ => None,
        }
    }
}

/// Classes joined by stores.
#[derive(Default)]
pub struct Components {
    parent: HashMap<NodeId, NodeId>,
}

impl Components {
    pub fn find(&self, mut class: NodeId) -> NodeId {
        while let Some(parent) = self.parent.get(&class) {
            class = *parent;
        }
        class
    }

    pub fn join(&mut self, a: NodeId, b: NodeId) {
        let roots = BTreeSet::from([self.find(a), self.find(b)]);
        if let (Some(low), Some(high), 2) = (roots.first(), roots.last(), roots.len()) {
            self.parent.insert(*high, *low);
        }
    }

    /// The components that the stores of a problem make.
    pub fn of(ground: &Ground) -> Components {
        let mut components = Components::default();
        for (node, term) in ground.terms.iter().enumerate() {
            if let (Op::Store, [base, ..]) = (term.op(), term.arguments()) {
                components.join(ground.closure.class(node), ground.closure.class(ground.nodes[base]));
            }
        }
        components
    }
}
