//! Acceptance of a generalized diagram: every fair run has a path that is accepted.
//!
//! For each strongly connected subgraph that is not accepted the tutorial (section 6.6) asks for a
//! just exit, a compassionate exit, or a rank with a cut-set. Here a reason is looked for from the
//! largest subgraphs inwards. A just exit of S is one of every part of S, so S is done. A
//! compassionate exit leaves the parts where the transition is disabled. A rank leaves the parts
//! without the edges that decrease it; these edges, the cut-set, are found by trying each. Below an
//! accepted subgraph the largest parts that may not be accepted are looked at. So subgraphs are not
//! enumerated, and usual shapes need few steps.
//!
//! Where assertions overlap, a run has several paths. Exits say that one leads out; the path that
//! takes the exit of the largest subgraph first is accepted (docs/internals/diagrams.md).

use super::graph::{Edges, Graph};
use super::order::{bounded, comparable, equal, lower};
use super::{Part, Place, Posed, Question};
use crate::condition::{Condition, moves};
use crate::discharge::Obligation;
use crate::rules::{self, Helped, NotApplicable, Stage};
use logic::fol::{Sort, Term};
use std::collections::BTreeMap;
use system::fts::diagram::{Rank, Reason};
use system::fts::{Branch, Fairness, Helpful, Transition};

/// Subgraphs that one proof looks at.
const SUBGRAPHS: usize = 2_000;

/// What settles a subgraph: reasons, and the conditions of each.
type Settled = Vec<Found>;

/// A reason with its conditions.
type Found = (Reason, Vec<Posed>);

/// Why a part of the graph is open.
#[derive(Clone, Debug, thiserror::Error)]
enum Unsettled {
    #[error("{}", crate::discharge::OUT_OF_TIME)]
    OutOfTime,
    #[error("more than {SUBGRAPHS} strongly connected subgraphs are to be looked at")]
    TooMany,
    #[error("{nodes} is not accepted, has no fair exit, and no rank goes down in it{missing}")]
    NoReason {
        nodes: String,
        /// Which fairness would settle it; empty if none would.
        missing: String,
    },
}

struct Search<'a, 'q> {
    question: &'a Question<'q>,
    graph: &'a Graph,
    /// The fair transitions, of families those of the processes that the property speaks of.
    fair: Vec<(Transition, Helpful)>,
    /// What came of subgraphs so far.
    known: BTreeMap<Edges, Result<Settled, Unsettled>>,
}

impl Question<'_> {
    /// Reasons for all subgraphs that are not accepted, with what is asked about them.
    pub(super) fn settled(&self, graph: &Graph) -> Result<(Vec<Obligation>, Vec<Reason>), NotApplicable> {
        let fair = self.fair();
        let mut search = Search { question: self, graph, fair, known: BTreeMap::new() };
        let (mut obligations, mut reasons): (Vec<Obligation>, Vec<Reason>) = (Vec::new(), Vec::new());
        for part in graph.components(&graph.all()) {
            let name = format!("acceptance {}", self.diagram.set(&graph.touched(&part)));
            let nodes = graph.touched(&part);
            let place = match &nodes[..] {
                [one] => self.at_node(Part::Acceptance, *one),
                _ => self.place(Part::Acceptance),
            };
            match search.settle(&part) {
                Ok(found) => {
                    for (reason, posed) in found {
                        if !reasons.contains(&reason) {
                            obligations.extend(self.judged(&posed));
                            reasons.push(reason);
                        }
                    }
                    obligations.push(self.said(place, name, None));
                }
                Err(why) => obligations.push(self.said(place, name, Some(why.to_string()))),
            }
        }
        Ok((obligations, reasons))
    }

    fn fair(&self) -> Vec<(Transition, Helpful)> {
        let fts = self.judge.fts;
        let all = [self.given].into_iter().chain(self.diagram.nodes.iter().map(|n| &n.assertion));
        let rigid = |name: &str| fts.variable(name).is_none();
        let mut values: Vec<Term> = Vec::new();
        for symbol in all.flat_map(|e| e.symbols().into_values()) {
            let fits = symbol.sort == Sort::Int && symbol.arguments.is_empty() && rigid(&symbol.name);
            if fits && !values.contains(&symbol.term()) {
                values.push(symbol.term());
            }
        }
        let mut found = Vec::new();
        for t in fts.transitions.iter().filter(|t| t.fairness != Fairness::None) {
            let mut tuples: Vec<Vec<Term>> = vec![Vec::new()];
            for _ in &t.parameters {
                let longer = |tuple: &Vec<Term>| -> Vec<Vec<Term>> {
                    values.iter().map(|v| [&tuple[..], std::slice::from_ref(v)].concat()).collect()
                };
                tuples = tuples.iter().flat_map(longer).collect();
            }
            found.extend(
                tuples
                    .into_iter()
                    .map(|parameters| (t.clone(), Helpful { name: t.name.clone(), parameters })),
            );
        }
        found
    }
}

impl Search<'_, '_> {
    /// Reasons why no fair run stays in a part of a strongly connected subgraph that is not
    /// accepted.
    fn settle(&mut self, part: &Edges) -> Result<Settled, Unsettled> {
        if let Some(known) = self.known.get(part) {
            return known.clone();
        }
        if self.known.len() > SUBGRAPHS {
            return Err(Unsettled::TooMany);
        }
        let found = self.reason(part);
        self.known.insert(part.clone(), found.clone());
        found
    }

    fn all(&mut self, parts: &[Edges]) -> Result<Settled, Unsettled> {
        let mut found = Vec::new();
        for part in parts.iter().flat_map(|edges| self.graph.components(edges)) {
            found.extend(self.settle(&part)?);
        }
        Ok(found)
    }

    fn reason(&mut self, part: &Edges) -> Result<Settled, Unsettled> {
        let nodes = self.graph.touched(part);
        if self.question.judge.is_over() {
            return Err(Unsettled::OutOfTime);
        }
        if self.graph.accepts(part) {
            return self.all(&self.graph.smaller(part));
        }
        if let Some(found) = self.just(&nodes) {
            return Ok(vec![found]);
        }
        let name = self.question.diagram.set(&nodes);
        let mut why = Unsettled::NoReason { nodes: name, missing: String::new() };
        if let Some((found, rest)) = self.well_founded(part, &nodes) {
            match self.all(&[rest]) {
                Ok(more) => return Ok(std::iter::once(found).chain(more).collect()),
                Err(inner) => why = inner,
            }
        }
        for at in 0..self.fair.len() {
            let Some((found, enabled)) = self.compassionate(at, &nodes) else { continue };
            match self.all(&[self.graph.without(part, &enabled)]) {
                Ok(more) => return Ok(std::iter::once(found).chain(more).collect()),
                Err(inner) => why = inner,
            }
        }
        if let Unsettled::NoReason { missing, .. } = &mut why
            && missing.is_empty()
        {
            *missing = self.unfair(&nodes);
        }
        Err(why)
    }

    /// A transition that would be an exit if it were fair, or just instead of compassionate.
    fn unfair(&self, nodes: &[usize]) -> String {
        let fts = self.question.judge.fts;
        for t in fts.transitions.iter().filter(|t| t.fairness == Fairness::None && t.parameters.is_empty()) {
            let helpful = Helpful { name: t.name.clone(), parameters: Vec::new() };
            let fair = Transition { fairness: Fairness::Weak, ..t.clone() };
            let enabled = |n: &usize| {
                let from = self.question.at(*n);
                self.is_valid(&Condition::implication("", from, fair.enabled(), self.question.background))
            };
            let leaves = |n: &usize| self.is_valid(&self.leaving(*n, nodes, &fair, &helpful).condition);
            if nodes.iter().all(enabled) && nodes.iter().all(leaves) {
                return format!("; `{}` would be an exit, but it is not fair", t.name);
            }
        }
        String::new()
    }

    fn is_valid(&self, condition: &Condition) -> bool {
        self.question.judge.is_valid(condition)
    }

    fn helped<'s>(&self, stage: &'s Stage, fairness: Fairness) -> Option<Helped<'s>> {
        let one = rules::helped(self.question.judge.fts, stage, fairness).ok()?;
        (one.phi == stage.phi).then_some(one)
    }

    fn stage(&self, node: usize, helpful: &Helpful) -> Stage {
        Stage { phi: self.question.at(node), helpful: helpful.clone(), rank: Vec::new() }
    }

    /// A just transition that is enabled everywhere and leads out.
    fn just(&self, nodes: &[usize]) -> Option<Found> {
        for (t, helpful) in self.fair.iter().filter(|(t, _)| t.fairness == Fairness::Weak) {
            let posed: Option<Vec<Posed>> = nodes.iter().map(|n| self.enabled(*n, helpful)).collect();
            let Some(mut posed) = posed.filter(|all| all.iter().all(|p| self.is_valid(&p.condition))) else {
                continue;
            };
            let leaving: Vec<Posed> = nodes.iter().map(|n| self.leaving(*n, nodes, t, helpful)).collect();
            if leaving.iter().all(|p| self.is_valid(&p.condition)) {
                posed.extend(leaving);
                return Some((Reason::Just(nodes.to_vec(), helpful.clone()), posed));
            }
        }
        None
    }

    /// A compassionate transition that leads out where it is enabled, and is enabled somewhere.
    fn compassionate(&self, at: usize, nodes: &[usize]) -> Option<(Found, Vec<usize>)> {
        let (t, helpful) = &self.fair[at];
        if t.fairness != Fairness::Strong {
            return None;
        }
        let (mut posed, mut enabled) = (Vec::new(), Vec::new());
        for n in nodes {
            let disabled = self.disabled(*n, helpful)?;
            if self.is_valid(&disabled.condition) {
                posed.push(disabled);
                continue;
            }
            let leaving = self.leaving(*n, nodes, t, helpful);
            if !self.is_valid(&leaving.condition) {
                return None;
            }
            let here = self.enabled(*n, helpful)?;
            if self.is_valid(&here.condition) {
                enabled.push(*n);
                posed.push(here);
            }
            posed.push(leaving);
        }
        let (nodes, helpful) = (nodes.to_vec(), helpful.clone());
        let reason = Reason::Compassionate { nodes, enabled: enabled.clone(), helpful };
        (!enabled.is_empty()).then_some(((reason, posed), enabled))
    }

    fn exit(&self, node: usize, what: &str, name: &str) -> (Place, String) {
        let q = self.question;
        let place = Place { transition: Some(name.to_string()), ..q.at_node(Part::Exit, node) };
        (place, format!("{} {what} {name}", q.diagram.name_of(node)))
    }

    fn enabled(&self, node: usize, helpful: &Helpful) -> Option<Posed> {
        let stage = self.stage(node, helpful);
        let one = self.helped(&stage, Fairness::Strong)?;
        let (place, name) = self.exit(node, "enables", &one.name());
        Some(self.question.implication(place, name, stage.phi.clone(), one.enabled()))
    }

    fn disabled(&self, node: usize, helpful: &Helpful) -> Option<Posed> {
        let stage = self.stage(node, helpful);
        let one = self.helped(&stage, Fairness::Strong)?;
        let (place, name) = self.exit(node, "disables", &one.name());
        Some(self.question.implication(place, name, stage.phi.clone(), Term::negation(one.enabled())))
    }

    /// A transition leads from a node out of some nodes.
    fn leaving(&self, node: usize, nodes: &[usize], t: &Transition, helpful: &Helpful) -> Posed {
        let q = self.question;
        let outside = q.successors(node, t).into_iter().filter(|n| !nodes.contains(n));
        let target = Term::any(outside.map(|n| q.diagram.nodes[n].assertion.clone()).collect::<Vec<_>>());
        let stage = self.stage(node, helpful);
        let one = self.helped(&stage, Fairness::Strong);
        let name = one.as_ref().map_or_else(|| t.name.clone(), Helped::name);
        let taken = one.as_ref().map_or(t, |one| &one.helping);
        let triple = Condition::triple(&stage.phi, taken, &target, q.background);
        let (place, name) = self.exit(node, "leaves by", &name);
        Posed { place, condition: triple.named(name) }
    }

    /// A rank that no inner edge increases, and the edges that decrease it.
    fn well_founded(&self, part: &Edges, nodes: &[usize]) -> Option<(Found, Edges)> {
        let d = self.question.diagram;
        let ranks: Vec<&[Rank]> = nodes.iter().map(|n| &d.nodes[*n].rank[..]).collect();
        if !ranks.iter().all(|r| !r.is_empty() && comparable(r, ranks[0])) {
            return None;
        }
        let (mut posed, mut cut) = (Vec::new(), Vec::new());
        for n in nodes {
            let (place, name) =
                (self.question.at_node(Part::Domain, *n), format!("{} domain", d.name_of(*n)));
            let bounds = bounded(&d.nodes[*n].rank);
            posed.push(self.question.implication(place, name, self.question.at(*n), bounds));
        }
        if !posed.iter().all(|p| self.is_valid(&p.condition)) {
            return None;
        }
        for e in part {
            let strictly = self.descents(*e, true);
            if strictly.iter().all(|p| self.is_valid(&p.condition)) {
                cut.push(*e);
                posed.extend(strictly);
                continue;
            }
            let weakly = self.descents(*e, false);
            if !weakly.iter().all(|p| self.is_valid(&p.condition)) {
                return None;
            }
            posed.extend(weakly);
        }
        if cut.is_empty() {
            return None;
        }
        let rest = part.iter().filter(|e| !cut.contains(e)).copied().collect();
        Some(((Reason::WellFounded(part.iter().copied().collect(), cut), posed), rest))
    }

    /// Each step along an edge decreases the rank, or does not increase it.
    fn descents(&self, edge: usize, strictly: bool) -> Vec<Posed> {
        let (q, ends) = (self.question, self.graph.edges[edge]);
        let d = q.diagram;
        let by = &d.edges[edge].by;
        let (from, to) = (&d.nodes[ends.0], &d.nodes[ends.1]);
        let each = |t: &Transition| {
            let both = |b: &Branch| {
                let after: Vec<Rank> = to.rank.iter().map(|r| r.map(|e| b.after(e))).collect();
                let down = lower(&after, &from.rank);
                let falls = if strictly { down } else { Term::any([down, equal(&after, &from.rank)]) };
                Term::implication(b.after(&to.assertion), falls)
            };
            let mut mentions: Vec<&Term> = vec![&to.assertion];
            mentions.extend(from.rank.iter().chain(&to.rank).map(Rank::term));
            let condition = Condition::step(&q.at(ends.0), t, &mentions, both, q.background);
            let sign = if strictly { ">" } else { ">=" };
            let name = format!("{} -> {} {sign} {}", from.name, to.name, t.name);
            let place = Place { transition: Some(t.name.clone()), ..q.at_edge(Part::Descent, ends) };
            Posed { place, condition: condition.named(name) }
        };
        let allowed = |t: &Transition| by.is_empty() || by.iter().any(|h| h.name == t.name);
        // Idling changes no rank, and says most quickly that an edge to itself is not in a cut-set.
        let mut all: Vec<Posed> = moves(q.judge.fts).iter().filter(|t| allowed(t)).map(each).collect();
        all.reverse();
        all
    }
}
