//! Verification diagrams: a proof as a graph (STeP tutorial, section 6).
//!
//! A diagram is data ([`system::fts::diagram`]); this makes its conditions, has them discharged and
//! says where each one stands. `linear` has those of invariance, wait-for, chain and rank diagrams.
//! A generalized diagram has consecution conditions; then `settle` looks for a reason why no fair
//! run stays where the diagram does not accept, and `inclusion` compares the paths that are left
//! with the property, by automata. `propose` says which edge is missing; `derive` writes a
//! diagram from an abstraction.

mod derive;
pub mod graph;
mod inclusion;
mod linear;
mod order;
pub mod picture;
mod propose;
mod settle;

pub use derive::{Derivation, first};
pub use inclusion::{Letters, shares_word};
pub use linear::Posed;

use crate::condition::{Condition, Lemma, moves};
use crate::discharge::{Judge, Obligation, Status};
use crate::rules::NotApplicable;
use crate::session::Session;
use crate::strengthen::Attempt;
use graph::Graph;
use logic::fol::Term;
use logic::ltl::Formula;
use system::fts::diagram::{Diagram, Kind, Proven};
use system::fts::{Evidence, Proof, Property, Transition};

/// What a condition of a diagram is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What the property speaks of is in the diagram: Θ or p implies some node.
    Cover,
    /// A node implies what the property says there.
    Goal,
    /// A step from a node leads to one of its successors.
    Consecution,
    /// A helpful transition is enabled in its node.
    Enabled,
    /// A helpful transition leads on.
    Helpful,
    /// A compassionate transition is enabled again and again.
    Again,
    /// Ranks are from a well-founded domain.
    Domain,
    /// The beginning is in an initial node.
    Initiality,
    /// A node implies its label.
    Proposition,
    /// A fair transition leads out of a part of the diagram, or is disabled there.
    Exit,
    /// A step along an edge does not increase the rank, or decreases it.
    Descent,
    /// A strongly connected subgraph that is accepted, or left.
    Acceptance,
    /// The words of accepted paths satisfy the property.
    Inclusion,
}

/// Where a condition stands in a diagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the diagram.
    pub diagram: String,
    /// What it is about.
    pub part: Part,
    /// The node it belongs to.
    pub node: Option<String>,
    /// The edge it belongs to, by its ends.
    pub edge: Option<(String, String)>,
    /// The transition that is taken.
    pub transition: Option<String>,
    /// The edge that would allow the step, by its ends, if one would.
    pub missing: Option<(String, String)>,
}

impl Part {
    /// One word for it.
    pub fn name(self) -> &'static str {
        match self {
            Part::Cover => "cover",
            Part::Goal => "goal",
            Part::Consecution => "consecution",
            Part::Enabled => "enabled",
            Part::Helpful => "helpful",
            Part::Again => "again",
            Part::Domain => "domain",
            Part::Initiality => "initiality",
            Part::Proposition => "proposition",
            Part::Exit => "exit",
            Part::Descent => "descent",
            Part::Acceptance => "acceptance",
            Part::Inclusion => "inclusion",
        }
    }
}

/// A diagram against a system: what all its conditions have in common.
pub struct Question<'a> {
    /// The solver, and the system.
    pub judge: &'a Judge<'a>,
    /// The diagram.
    pub diagram: &'a Diagram,
    /// What is known of the rigid values of the property.
    pub given: &'a Term,
    /// Assumed of the state before each step.
    pub background: &'a [Lemma],
}

impl<'a> Question<'a> {
    /// The conditions that can be posed without looking for reasons.
    pub fn posed(&self, formula: &Formula<Term>) -> Result<Vec<Posed>, NotApplicable> {
        match self.diagram.kind {
            Kind::Generalized => Ok(self.flow()),
            _ => Ok(self.linear(formula)?.0),
        }
    }

    /// Proves a property by the diagram.
    pub fn prove(&self, formula: &Formula<Term>) -> Result<Attempt, NotApplicable> {
        match self.diagram.kind {
            Kind::Generalized => self.generalized(formula),
            _ => self.by_stages(formula),
        }
    }

    /// Asks about conditions; each obligation has its place.
    pub fn judged(&self, posed: &[Posed]) -> Vec<Obligation> {
        let one = |p: &Posed| Obligation {
            place: Some(p.place.clone()),
            ..self.judge.judge(rule(self.diagram.kind), &p.condition)
        };
        posed.iter().map(one).collect()
    }

    fn place(&self, part: Part) -> Place {
        Place {
            diagram: self.diagram.name.clone(),
            part,
            node: None,
            edge: None,
            transition: None,
            missing: None,
        }
    }

    fn at_node(&self, part: Part, node: usize) -> Place {
        Place { node: Some(self.diagram.name_of(node).to_string()), ..self.place(part) }
    }

    fn at_edge(&self, part: Part, (from, to): (usize, usize)) -> Place {
        let edge = (self.diagram.name_of(from).to_string(), self.diagram.name_of(to).to_string());
        Place { edge: Some(edge), ..self.place(part) }
    }

    /// An assertion about a node, with what is known of rigid values.
    fn at(&self, node: usize) -> Term {
        Term::all([self.given.clone(), self.diagram.nodes[node].assertion.clone()])
    }

    fn implication(&self, place: Place, name: String, from: Term, to: Term) -> Posed {
        Posed { place, condition: Condition::implication(name, from, to, self.background) }
    }

    /// Where a transition may lead from a node.
    fn successors(&self, node: usize, transition: &Transition) -> Vec<usize> {
        let d = self.diagram;
        let allows = |e: &&system::fts::diagram::Edge| {
            let any = d.kind.has_helpful() || e.by.is_empty();
            e.from == node && (any || e.by.iter().any(|h| h.name == transition.name))
        };
        let mut all: Vec<usize> = d.edges.iter().filter(allows).map(|e| e.to).collect();
        if d.kind != Kind::Generalized && !all.contains(&node) {
            all.push(node);
        }
        all
    }

    /// Initiality, consecution and propositions of a generalized diagram.
    fn flow(&self) -> Vec<Posed> {
        let (d, fts) = (self.diagram, self.judge.fts);
        let first: Vec<usize> =
            if d.initial.is_empty() { (0..d.nodes.len()).collect() } else { d.initial.clone() };
        let somewhere = Term::any(first.iter().map(|n| d.nodes[*n].assertion.clone()));
        let from = Term::all([self.given.clone(), fts.initial.clone()]);
        let place = self.place(Part::Initiality);
        let mut all = vec![self.implication(place, "initiality".to_string(), from, somewhere)];
        for (n, node) in d.nodes.iter().enumerate() {
            for transition in moves(fts) {
                all.push(self.consecution(n, &transition));
            }
            if let Some(label) = &node.label {
                let name = format!("{} proposition", node.name);
                all.push(self.implication(
                    self.at_node(Part::Proposition, n),
                    name,
                    self.at(n),
                    label.clone(),
                ));
            }
        }
        all
    }

    /// `{φ} τ {φ's successors}`.
    fn consecution(&self, node: usize, transition: &Transition) -> Posed {
        let next = self.successors(node, transition);
        let target = Term::any(next.iter().map(|n| self.diagram.nodes[*n].assertion.clone()));
        let triple = Condition::triple(&self.at(node), transition, &target, self.background);
        self.step(Part::Consecution, node, transition, triple)
    }

    fn step(&self, part: Part, node: usize, transition: &Transition, condition: Condition) -> Posed {
        let name = match part {
            Part::Consecution => format!("{} {}", self.diagram.name_of(node), transition.name),
            part => format!("{} {} {}", self.diagram.name_of(node), part.name(), transition.name),
        };
        let place = Place { transition: Some(transition.name.clone()), ..self.at_node(part, node) };
        Posed { place, condition: condition.named(name) }
    }

    fn generalized(&self, formula: &Formula<Term>) -> Result<Attempt, NotApplicable> {
        let mut obligations = self.judged(&self.flow());
        self.propose(&mut obligations);
        let graph = Graph::of(self.diagram);
        let (more, reasons) = self.settled(&graph)?;
        obligations.extend(more);
        obligations.push(self.included(&graph, formula)?);
        let evidence =
            Proven { diagram: self.diagram.clone(), intervals: Vec::new(), again: Vec::new(), reasons };
        Ok(Attempt::of(obligations).by(Evidence::Diagram(Box::new(evidence))))
    }

    /// What is said of a part of the diagram without asking the solver.
    fn said(&self, place: Place, name: String, refused: Option<String>) -> Obligation {
        let status = if refused.is_some() { Status::Failed } else { Status::Proved };
        let plain = Obligation::new(name, rule(self.diagram.kind), status);
        Obligation { reason: refused, place: Some(place), ..plain }
    }
}

/// The rule that obligations name.
fn rule(kind: Kind) -> &'static str {
    match kind {
        Kind::Invariance => "invariance diagram",
        Kind::WaitFor => "wait-for diagram",
        Kind::Chain => "chain diagram",
        Kind::Rank => "rank diagram",
        Kind::Generalized => "generalized diagram",
    }
}

impl Session<'_> {
    /// A property by the diagram that a proof names.
    pub(crate) fn by_diagram(
        &self,
        property: &Property,
        proof: &Proof,
        background: &[Lemma],
    ) -> Result<Attempt, NotApplicable> {
        let name = proof.steps.first().map(|s| s.text.clone()).unwrap_or_default();
        let mut all = self.judge.fts.diagrams.iter().filter(|d| d.name == name).peekable();
        let other = all.peek().map(|d| d.property.clone());
        let Some(diagram) = all.find(|d| d.property == property.name) else {
            let why = match other {
                Some(other) => format!("diagram `{name}` is for property `{other}`"),
                None => format!("no diagram `{name}`"),
            };
            return Err(NotApplicable(why));
        };
        let question = Question { judge: &self.judge, diagram, given: &property.given, background };
        question.prove(&property.formula)
    }
}
