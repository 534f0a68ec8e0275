//! What a diagram lacks: the edge that would allow a step.
//!
//! A consecution condition fails where a step leads from a node to none of its successors. The same
//! condition is posed again with one more edge, to each other node in turn. If it is valid then,
//! that edge is proposed. Whether the step may be allowed is for the reader to decide: the
//! assertion of the node may also be too weak.

use super::{Part, Place, Question};
use crate::condition::{Condition, moves};
use crate::discharge::{Obligation, Status};
use source::Span;
use system::fts::diagram::{Edge, Kind};

impl Question<'_> {
    /// Says of each failed consecution condition which edge would make it valid, if one would.
    pub(super) fn propose(&self, obligations: &mut [Obligation]) {
        let failed = |o: &&mut Obligation| o.status == Status::Failed && o.reason.is_none();
        for obligation in obligations.iter_mut().filter(failed) {
            let Some(place) = &mut obligation.place else { continue };
            let name = |n: usize| self.diagram.name_of(n).to_string();
            place.missing = self.missing(place).map(|(from, to)| (name(from), name(to)));
            obligation.reason =
                place.missing.as_ref().map(|(from, to)| format!("an edge {from} -> {to} would allow it"));
        }
    }

    fn missing(&self, place: &Place) -> Option<(usize, usize)> {
        if place.part != Part::Consecution {
            return None;
        }
        let nodes = &self.diagram.nodes;
        let from = nodes.iter().position(|n| place.node.as_ref() == Some(&n.name))?;
        let transition = place.transition.as_deref()?;
        let is_new = |to: &usize| *to != from && !self.has_edge(from, *to);
        (0..nodes.len()).filter(is_new).find(|to| self.would_do(from, *to, transition)).map(|to| (from, to))
    }

    fn has_edge(&self, from: usize, to: usize) -> bool {
        self.diagram.edges.iter().any(|e| (e.from, e.to) == (from, to))
    }

    /// Whether the step is allowed with one more edge, in a diagram that still has its form.
    fn would_do(&self, from: usize, to: usize, transition: &str) -> bool {
        let mut diagram = self.diagram.clone();
        diagram.edges.push(Edge { from, to, by: Vec::new(), span: Span::default() });
        let more = Question { diagram: &diagram, ..*self };
        let has_form = diagram.kind == Kind::Generalized || more.has_form().is_ok();
        has_form
            && !self.judge.is_over()
            && more.leads_on(from, transition).is_some_and(|c| self.judge.is_valid(&c))
    }

    /// The consecution condition of a node and a transition.
    fn leads_on(&self, node: usize, transition: &str) -> Option<Condition> {
        if !self.diagram.kind.has_helpful() {
            let taken = moves(self.judge.fts).into_iter().find(|t| t.name == transition)?;
            return Some(self.consecution(node, &taken).condition);
        }
        let mut all = Vec::new();
        self.node_conditions(node, &mut all).ok()?;
        let is_it = |place: &Place| {
            place.part == Part::Consecution && place.transition.as_deref() == Some(transition)
        };
        all.into_iter().find(|posed| is_it(&posed.place)).map(|posed| posed.condition)
    }
}
