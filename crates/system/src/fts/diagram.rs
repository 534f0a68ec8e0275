//! Verification diagrams as plain data: a proof that can be seen (STeP tutorial, section 6).
//!
//! Nodes have assertions, edges may have labels. Compound nodes are gone: their assertions are part
//! of the assertions of the nodes inside, their edges are edges of these. Which conditions follow
//! from a diagram is for the prover to say, and for the certifier to say again.

use super::{Evidence, Helpful};
use logic::fol::{Op, Quantifier, Term};
use source::Span;

/// A diagram, and the property it is to prove.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// By which proofs refer to it.
    pub name: String,
    /// The name of the property.
    pub property: String,
    /// Which conditions it has.
    pub kind: Kind,
    /// In the order of the text.
    pub nodes: Vec<Node>,
    /// At most one from a node to another.
    pub edges: Vec<Edge>,
    /// Where runs begin, for generalized diagrams.
    pub initial: Vec<usize>,
    /// Which infinite paths count, for generalized diagrams.
    pub acceptance: Acceptance,
    /// The compound nodes, for a picture.
    pub compounds: Vec<Compound>,
    /// Where it stands.
    pub span: Span,
}

/// What a diagram shows, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `[] q`.
    Invariance,
    /// `p ==> q_m W … W q_0`.
    WaitFor,
    /// `p ==> <> q` without a cycle.
    Chain,
    /// `p ==> <> q` by ranks.
    Rank,
    /// Any formula.
    Generalized,
}

/// A node: states that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// A name or a number.
    pub name: String,
    /// What holds here, with what the compound nodes around it say.
    pub assertion: Term,
    /// The assertion as the user wrote it, without those of the compound nodes.
    pub text: String,
    /// Whether it is a goal: nothing is asked of steps from here.
    pub terminal: bool,
    /// How far it is still to go, compared lexicographically; empty without a rank.
    pub rank: Vec<Rank>,
    /// What the node says about the property.
    pub label: Option<Term>,
    /// Where it stands.
    pub span: Span,
}

/// An edge: steps may lead along it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The number of the source.
    pub from: usize,
    /// The number of the target.
    pub to: usize,
    /// The helpful transitions of a chain or rank diagram; in others, the transitions that may take
    /// the edge, all of them if there are none.
    pub by: Vec<Helpful>,
    /// Where it stands.
    pub span: Span,
}

/// A compound node: a frame around others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compound {
    /// Its name.
    pub name: String,
    /// The assertion as the user wrote it.
    pub text: String,
    /// All nodes inside.
    pub nodes: Vec<usize>,
    /// How many compound nodes are around it.
    pub depth: usize,
}

/// A part of a rank, from a well-founded domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rank {
    /// A whole number that is never negative.
    Number(Term),
    /// A finite set of numbers, compared by inclusion: `Exists i:[low..high]. p` stands for the set
    /// of those i.
    Set(Term),
}

/// Which infinite paths a generalized diagram accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// By the nodes that are visited again and again.
    Muller {
        /// Exactly these nodes.
        exactly: Vec<Vec<usize>>,
        /// These nodes, and perhaps more.
        containing: Vec<Vec<usize>>,
    },
    /// By the edges that are taken again and again: for each pair, none outside of the first
    /// set, or one of the second.
    Streett(Vec<(Vec<usize>, Vec<usize>)>),
}

/// Why no fair run stays in a part of a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A just transition is enabled in all these nodes and leads out of them.
    Just(Vec<usize>, Helpful),
    /// A compassionate transition leads out of these nodes, and is enabled in some.
    Compassionate {
        /// The part that is left.
        nodes: Vec<usize>,
        /// Where the transition is enabled.
        enabled: Vec<usize>,
        /// The transition.
        helpful: Helpful,
    },
    /// No step along these edges increases the rank, and those along the second ones decrease it.
    WellFounded(Vec<usize>, Vec<usize>),
}

/// A diagram with what was found for it, for the certifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The diagram itself.
    pub diagram: Diagram,
    /// For wait-for diagrams: the interval of each node, as a number from 0, the goal.
    pub intervals: Vec<usize>,
    /// For chains: why a compassionate transition is enabled again and again in a node.
    pub again: Vec<(usize, Helpful, Evidence)>,
    /// For generalized diagrams: why no fair run stays where it is not accepted.
    pub reasons: Vec<Reason>,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 5] = [Kind::Invariance, Kind::WaitFor, Kind::Chain, Kind::Rank, Kind::Generalized];

    /// What it is called in texts.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Invariance => "invariance",
            Kind::WaitFor => "wait-for",
            Kind::Chain => "chain",
            Kind::Rank => "rank",
            Kind::Generalized => "generalized",
        }
    }

    /// Whether labels of edges are transitions that help.
    pub fn has_helpful(self) -> bool {
        matches!(self, Kind::Chain | Kind::Rank)
    }
}

impl Rank {
    /// The term it is made of.
    pub fn term(&self) -> &Term {
        match self {
            Rank::Number(e) | Rank::Set(e) => e,
        }
    }

    /// The rank with something done to its term.
    pub fn map(&self, change: impl Fn(&Term) -> Term) -> Rank {
        match self {
            Rank::Number(e) => Rank::Number(change(e)),
            Rank::Set(e) => Rank::Set(change(e)),
        }
    }

    /// Whether the term is one for such a rank: a whole number, or numbers within bounds.
    pub fn is_well_founded(&self) -> bool {
        match self {
            Rank::Number(e) => *e.sort() == logic::fol::Sort::Int,
            Rank::Set(e) => match e.op() {
                Op::Quantified(Quantifier::Exists, binders) => binders.iter().all(|b| b.range.is_some()),
                _ => false,
            },
        }
    }
}

impl Default for Acceptance {
    fn default() -> Acceptance {
        Acceptance::Muller { exactly: Vec::new(), containing: Vec::new() }
    }
}

impl Diagram {
    /// The number of a node.
    pub fn node(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|n| n.name == name)
    }

    /// The name of a node; empty if there is none.
    pub fn name_of(&self, node: usize) -> &str {
        self.nodes.get(node).map_or("", |n| &n.name)
    }

    /// Nodes as a set in words.
    pub fn set(&self, nodes: &[usize]) -> String {
        let names: Vec<&str> = nodes.iter().map(|n| self.name_of(*n)).collect();
        format!("{{{}}}", names.join(", "))
    }
}
