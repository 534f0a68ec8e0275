//! What became of the diagrams of an answer, as pictures and as plain data.

use crate::answer::{Answer, Decided};
use prover::Obligation;
use prover::diagram::picture::{Mark, Picture};
use system::fts::Diagram;
use system::fts::diagram::{Acceptance, Edge};

/// A diagram with what became of each part.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Its name.
    pub name: String,
    /// The property it is for.
    pub property: String,
    /// Its kind in a word.
    pub kind: &'static str,
    /// What became of the whole, in a word.
    pub status: &'static str,
    /// In the order of the text.
    pub nodes: Vec<DrawnNode>,
    /// By the names of their ends.
    pub edges: Vec<DrawnEdge>,
    /// Compound nodes: name, assertion, the nodes inside.
    pub compounds: Vec<(String, String, Vec<String>)>,
    /// Sets of nodes that are accepted, and whether more may be visited, too.
    pub accept: Vec<(Vec<String>, bool)>,
    /// In Graphviz's language.
    pub dot: String,
    /// As scalable vector graphics.
    pub svg: String,
}

/// A node of such a diagram.
#[derive(Clone, Debug)]
pub struct DrawnNode {
    /// Its name.
    pub name: String,
    /// As the user wrote it.
    pub assertion: String,
    /// The parts of its rank.
    pub rank: Vec<String>,
    /// What it says about the property.
    pub label: Option<String>,
    /// Whether runs begin here.
    pub initial: bool,
    /// Whether it is a goal.
    pub terminal: bool,
    /// What became of it, in a word.
    pub status: &'static str,
}

/// An edge of such a diagram.
#[derive(Clone, Debug)]
pub struct DrawnEdge {
    /// The source.
    pub from: String,
    /// The target.
    pub to: String,
    /// Its labels.
    pub by: Vec<String>,
    /// What became of it, in a word.
    pub status: &'static str,
}

/// The diagrams that belong to properties of an answer.
pub fn drawn(answer: &Answer) -> Vec<Drawn> {
    let diagrams = answer.numbers.proof.iter().flat_map(|n| &n.diagrams);
    let asked = diagrams.filter_map(|d| Some((d, answer.properties.iter().find(|p| p.name == d.property)?)));
    let of = |p: &Decided| p.proof.as_ref().map(|proof| proof.obligations.clone()).unwrap_or_default();
    asked.map(|(d, property)| one(d, &of(property))).collect()
}

fn one(d: &Diagram, obligations: &[Obligation]) -> Drawn {
    let picture = Picture { diagram: d, obligations };
    let node = |n: usize| DrawnNode {
        name: d.nodes[n].name.clone(),
        assertion: d.nodes[n].text.clone(),
        rank: d.nodes[n].rank.iter().map(|r| r.term().to_string()).collect(),
        label: d.nodes[n].label.as_ref().map(ToString::to_string),
        initial: d.initial.contains(&n),
        terminal: d.nodes[n].terminal,
        status: picture.node(n).name(),
    };
    let edge = |e: &Edge| DrawnEdge {
        from: d.name_of(e.from).to_string(),
        to: d.name_of(e.to).to_string(),
        by: e.by.iter().map(|h| h.name.clone()).collect(),
        status: picture.edge(e).name(),
    };
    let names = |set: &Vec<usize>| -> Vec<String> { set.iter().map(|n| d.name_of(*n).to_string()).collect() };
    let accept = match &d.acceptance {
        Acceptance::Muller { exactly, containing } => {
            let exactly = exactly.iter().map(|set| (names(set), false));
            exactly.chain(containing.iter().map(|set| (names(set), true))).collect()
        }
        Acceptance::Streett(_) => Vec::new(),
    };
    Drawn {
        name: d.name.clone(),
        property: d.property.clone(),
        kind: d.kind.name(),
        status: if picture.whole() == Mark::Plain { "open" } else { picture.whole().name() },
        nodes: (0..d.nodes.len()).map(node).collect(),
        edges: d.edges.iter().map(edge).collect(),
        compounds: d.compounds.iter().map(|c| (c.name.clone(), c.text.clone(), names(&c.nodes))).collect(),
        accept,
        dot: picture.dot(),
        svg: picture.svg(),
    }
}
