//! The conditions of invariance, wait-for, chain and rank diagrams (STeP tutorial, 6.1 to 6.5).
//!
//! Every node is its own successor. A helpful transition must lead along the edges that it labels;
//! in a rank diagram it must lower the rank there as well, which the tutorial does not say: where
//! assertions overlap, a step could else stay where it is and still end on such an edge. For a
//! compassionate transition, `φ → enabled(τ)` is replaced by a response, which the tutorial leaves
//! out: φ ==> <>(¬φ ∨ enabled(τ)), so a run that stays in the node finds τ enabled again and again.

use super::order::{bounded, comparable, equal, lower};
use super::{Part, Place, Question, rule};
use crate::condition::{Condition, moves};
use crate::discharge::{Obligation, Status};
use crate::rules::Target;
use crate::rules::{self, Helped, NotApplicable, Stage};
use crate::shape::{Shape, shape};
use crate::strengthen::Attempt;
use crate::{rank, respond};
use logic::fol::Term;
use logic::ltl::Formula;
use system::fts::diagram::{Kind, Proven, Rank};
use system::fts::{Branch, Evidence, Fairness, Helpful, Transition};

/// A condition and where it stands.
#[derive(Clone, Debug)]
pub struct Posed {
    /// What it is about.
    pub place: Place,
    /// The condition.
    pub condition: Condition,
}

/// What a property asks of a diagram.
struct Asked {
    /// From where.
    from: Term,
    /// The assertions of intervals, the goal last; one for an invariance.
    says: Vec<Term>,
}

impl Question<'_> {
    /// Proves a property by a diagram that is not generalized.
    pub(super) fn by_stages(&self, formula: &Formula<Term>) -> Result<Attempt, NotApplicable> {
        let (posed, intervals) = self.linear(formula)?;
        let mut obligations = self.judged(&posed);
        self.propose(&mut obligations);
        let again = self.again(&mut obligations)?;
        let (diagram, reasons) = (self.diagram.clone(), Vec::new());
        let evidence = Proven { diagram, intervals, again, reasons };
        Ok(Attempt::of(obligations).by(Evidence::Diagram(Box::new(evidence))))
    }

    /// All conditions but those about compassion, and the interval of each node.
    pub(super) fn linear(&self, formula: &Formula<Term>) -> Result<(Vec<Posed>, Vec<usize>), NotApplicable> {
        let asked = self.asked(formula)?;
        self.has_form()?;
        let d = self.diagram;
        let somewhere = Term::any(d.nodes.iter().map(|n| n.assertion.clone()));
        let covered = self.implication(self.place(Part::Cover), "cover".to_string(), asked.from, somewhere);
        let (mut all, mut intervals) = (vec![covered], Vec::new());
        if d.kind == Kind::WaitFor {
            intervals = self.intervals(&asked.says)?;
        }
        for (n, node) in d.nodes.iter().enumerate() {
            let said = match d.kind {
                Kind::WaitFor => Some(asked.says[asked.says.len() - 1 - intervals[n]].clone()),
                Kind::Invariance => asked.says.first().cloned(),
                _ => asked.says.last().filter(|_| node.terminal).cloned(),
            };
            if let Some(said) = said {
                let name = format!("{} goal", node.name);
                all.push(self.implication(self.at_node(Part::Goal, n), name, self.at(n), said));
            }
            if !node.terminal {
                self.node_conditions(n, &mut all)?;
            }
        }
        Ok((all, intervals))
    }

    fn asked(&self, formula: &Formula<Term>) -> Result<Asked, NotApplicable> {
        let initial = || self.judge.fts.initial.clone();
        let found = shape(formula);
        let (from, says) = match (self.diagram.kind, &found) {
            (Kind::Invariance, Some(Shape::Invariance(q))) => (initial(), vec![q.clone()]),
            (Kind::WaitFor, Some(Shape::WaitFor(p, q))) => (p.clone(), q.clone()),
            (Kind::Chain | Kind::Rank, Some(Shape::Response(p, q))) => (p.clone(), vec![q.clone()]),
            (Kind::Chain | Kind::Rank, Some(Shape::Guarantee(q))) => (initial(), vec![q.clone()]),
            (kind, _) => {
                let wanted = match kind {
                    Kind::Invariance => "[] p",
                    Kind::WaitFor => "p ==> q Awaits … Awaits r",
                    _ => "p ==> <>q or <>q",
                };
                let kind = kind.name();
                return Err(NotApplicable(format!(
                    "a {kind} diagram proves {wanted}; take a generalized one"
                )));
            }
        };
        Ok(Asked { from: Term::all([self.given.clone(), from]), says })
    }

    /// What the graph must be like.
    pub(super) fn has_form(&self) -> Result<(), NotApplicable> {
        let d = self.diagram;
        let name = |n: usize| d.name_of(n);
        if d.kind == Kind::Invariance {
            return Ok(());
        }
        if let Some(e) = d.edges.iter().find(|e| d.nodes[e.from].terminal) {
            let message = format!("an edge leaves the terminal node {}", name(e.from));
            return Err(NotApplicable(message));
        }
        if d.kind != Kind::Rank
            && let Some(circle) = self.circle()
        {
            let names: Vec<&str> = circle.iter().map(|n| name(*n)).collect();
            let message = format!("the edges form a cycle, {}: only ranks allow that", names.join(" -> "));
            return Err(NotApplicable(message));
        }
        if !d.kind.has_helpful() {
            return Ok(());
        }
        if !d.nodes.iter().any(|n| n.terminal) {
            return Err(NotApplicable("there is no terminal node, the goal".to_string()));
        }
        for (n, node) in d.nodes.iter().enumerate().filter(|(_, node)| !node.terminal) {
            if self.helpful(n).is_empty() {
                let message = format!("no edge from node {} has a helpful transition (by …)", node.name);
                return Err(NotApplicable(message));
            }
        }
        if d.kind == Kind::Chain && d.edges.iter().any(|e| e.from == e.to && !e.by.is_empty()) {
            return Err(NotApplicable("a helpful transition leads from a node to itself".to_string()));
        }
        if d.kind == Kind::Rank {
            let ranked: Vec<&[Rank]> = d.nodes.iter().filter(|n| !n.terminal).map(|n| &n.rank[..]).collect();
            let fits = |r: &&[Rank]| !r.is_empty() && comparable(r, ranked[0]);
            let ends = d.nodes.iter().filter(|n| n.terminal).map(|n| &n.rank[..]);
            if !ranked.iter().all(fits) || ends.into_iter().any(|r| !r.is_empty() && !fits(&r)) {
                return Err(NotApplicable("every node needs a rank, all of one length and kind".to_string()));
            }
        }
        Ok(())
    }

    /// A circle of edges between different nodes.
    fn circle(&self) -> Option<Vec<usize>> {
        let d = self.diagram;
        let next = |n: usize| d.edges.iter().filter(move |e| e.from == n && e.to != n).map(|e| e.to);
        let found = logic::Components::new(d.nodes.len(), |n, at| next(n).nth(at));
        let mut circle = found.members.into_iter().find(|c| c.len() > 1)?;
        circle.sort_unstable();
        circle.push(circle[0]);
        Some(circle)
    }

    /// The helpful transitions of a node.
    fn helpful(&self, node: usize) -> Vec<Helpful> {
        let mut all: Vec<Helpful> = Vec::new();
        for by in self.diagram.edges.iter().filter(|e| e.from == node).flat_map(|e| &e.by) {
            if !all.contains(by) {
                all.push(by.clone());
            }
        }
        all
    }

    pub(super) fn node_conditions(&self, n: usize, all: &mut Vec<Posed>) -> Result<(), NotApplicable> {
        let d = self.diagram;
        let (fts, node) = (self.judge.fts, &d.nodes[n]);
        if !d.kind.has_helpful() {
            all.extend(moves(fts).iter().map(|t| self.consecution(n, t)));
            return Ok(());
        }
        let helpful = self.helpful(n);
        let stages: Vec<Stage> = helpful.iter().map(|h| self.stage(n, h)).collect();
        let helped = stages.iter().map(|s| rules::helped(fts, s, Fairness::Strong));
        let helped: Vec<Helped<'_>> = helped.collect::<Result<_, _>>()?;
        // The parameters of the one that helps have names of their own.
        let phi = match &helped[..] {
            [one] => one.phi.clone(),
            many if many.iter().all(|h| h.phi == self.at(n)) => self.at(n),
            _ => {
                let message = format!("two transitions that depend on the state help in node {}", node.name);
                return Err(NotApplicable(message));
            }
        };
        for t in moves(fts) {
            all.push(self.step(Part::Consecution, n, &t, self.moved(n, &phi, &t, None)));
        }
        for (one, helpful) in helped.iter().zip(&helpful) {
            let place = Place { transition: Some(one.name()), ..self.at_node(Part::Helpful, n) };
            let name = format!("{} helpful {}", node.name, one.name());
            let condition = self.moved(n, &phi, &one.helping, Some(helpful)).named(name);
            all.push(Posed { place, condition });
            if one.helping.fairness == Fairness::Weak {
                let place = Place { transition: Some(one.name()), ..self.at_node(Part::Enabled, n) };
                let name = format!("{} enabled {}", node.name, one.name());
                all.push(self.implication(place, name, phi.clone(), one.enabled()));
            }
        }
        if d.kind == Kind::Rank {
            let name = format!("{} domain", node.name);
            let place = self.at_node(Part::Domain, n);
            all.push(self.implication(place, name, self.at(n), bounded(&node.rank)));
        }
        Ok(())
    }

    fn stage(&self, node: usize, helpful: &Helpful) -> Stage {
        Stage { phi: self.at(node), helpful: helpful.clone(), rank: Vec::new() }
    }

    /// A step of a chain or rank diagram: to the same node and rank, or on; a helpful one only
    /// along its own edges.
    fn moved(&self, n: usize, phi: &Term, t: &Transition, helps: Option<&Helpful>) -> Condition {
        let d = self.diagram;
        let edges = d.edges.iter().filter(|e| e.from == n && helps.is_none_or(|h| e.by.contains(h)));
        let to: Vec<usize> = edges.map(|e| e.to).collect();
        let (rank, ranked) = (&d.nodes[n].rank, d.kind == Kind::Rank);
        let both = |b: &Branch| {
            let after = |rank: &[Rank]| -> Vec<Rank> { rank.iter().map(|r| r.map(|e| b.after(e))).collect() };
            let stays =
                Term::all([b.after(phi), if ranked { equal(&after(rank), rank) } else { Term::truth(true) }]);
            let onward = to.iter().filter(|m| ranked || **m != n).map(|m| {
                let node = &d.nodes[*m];
                let falls = ranked && !(node.terminal && node.rank.is_empty());
                let down = if falls { lower(&after(&node.rank), rank) } else { Term::truth(true) };
                Term::all([b.after(&node.assertion), down])
            });
            Term::any(onward.chain(helps.is_none().then_some(stays)).collect::<Vec<_>>())
        };
        let mut mentions: Vec<&Term> = d.nodes.iter().map(|n| &n.assertion).collect();
        mentions.extend(d.nodes.iter().flat_map(|n| &n.rank).map(Rank::term));
        Condition::step(phi, t, &mentions, both, self.background)
    }

    /// The interval of each node: the lowest one that it implies, not below those it leads to.
    fn intervals(&self, says: &[Term]) -> Result<Vec<usize>, NotApplicable> {
        let d = self.diagram;
        let mut of = vec![None; d.nodes.len()];
        while let Some(n) = (0..d.nodes.len()).find(|n| of[*n].is_none() && self.next_known(*n, &of)) {
            let next = d.edges.iter().filter(|e| e.from == n && e.to != n).filter_map(|e| of[e.to]);
            let least = next.max().unwrap_or(0).max(usize::from(!d.nodes[n].terminal && says.len() > 1));
            let implies = |i: &usize| {
                let said = says[says.len() - 1 - i].clone();
                self.judge.is_valid(&Condition::implication("", self.at(n), said, self.background))
            };
            let most = if d.nodes[n].terminal { 0 } else { says.len() - 1 };
            of[n] = Some((least..=most).find(implies).unwrap_or(least));
        }
        let all: Option<Vec<usize>> = of.into_iter().collect();
        all.ok_or_else(|| NotApplicable("the edges form a cycle".to_string()))
    }

    fn next_known(&self, node: usize, of: &[Option<usize>]) -> bool {
        self.diagram.edges.iter().all(|e| e.from != node || e.to == node || of[e.to].is_some())
    }

    /// For each compassionate helpful transition: it is enabled all the time, or a response says
    /// that it is enabled again and again.
    fn again(
        &self,
        obligations: &mut Vec<Obligation>,
    ) -> Result<Vec<(usize, Helpful, Evidence)>, NotApplicable> {
        let mut found = Vec::new();
        if !self.diagram.kind.has_helpful() {
            return Ok(found);
        }
        for n in (0..self.diagram.nodes.len()).filter(|n| !self.diagram.nodes[*n].terminal) {
            for helpful in self.helpful(n) {
                let stage = self.stage(n, &helpful);
                let one = rules::helped(self.judge.fts, &stage, Fairness::Strong)?;
                if one.helping.fairness != Fairness::Strong {
                    continue;
                }
                let place = Place { transition: Some(one.name()), ..self.at_node(Part::Again, n) };
                let name = format!("{} again {}", self.diagram.name_of(n), one.name());
                let always =
                    Condition::implication(name.clone(), one.phi.clone(), one.enabled(), self.background);
                if self.judge.is_valid(&always) {
                    let judged = self.judge.judge(rule(self.diagram.kind), &always);
                    obligations.push(Obligation { place: Some(place), ..judged });
                    continue;
                }
                let (more, evidence) = self.response(n, &one, &name);
                obligations.extend(more.into_iter().map(|o| Obligation { place: Some(place.clone()), ..o }));
                found.extend(evidence.map(|evidence| (n, helpful.clone(), evidence)));
            }
        }
        Ok(found)
    }

    /// From a node a run leaves it, or comes where the transition is enabled.
    fn response(&self, n: usize, one: &Helped<'_>, name: &str) -> (Vec<Obligation>, Option<Evidence>) {
        let rule = rule(self.diagram.kind);
        if one.phi != self.at(n) {
            let open = Obligation::new(name, rule, Status::Unknown);
            let reason = "the compassionate transition depends on the state".to_string();
            return (vec![Obligation { reason: Some(reason), ..open }], None);
        }
        let goal = Term::any([Term::negation(one.phi.clone()), one.enabled()]);
        let first = respond::respond(self.judge, &one.phi, &goal, self.given, self.background);
        let attempt = match first.proved {
            true => first,
            false => {
                let target = Target { from: &one.phi, goal: &goal, again: &[] };
                rank::ranked(self.judge, target, self.given, self.background)
            }
        };
        if attempt.proved {
            let named = |o: Obligation| Obligation { name: format!("{name}: {}", o.name), rule, ..o };
            return (attempt.obligations.into_iter().map(named).collect(), attempt.evidence);
        }
        let why = attempt.reason.unwrap_or_else(|| "no proof is found".to_string());
        let reason = format!("it is not shown that `{}` is enabled again and again: {why}", one.name());
        let open = Obligation::new(name, rule, Status::Unknown);
        (vec![Obligation { reason: Some(reason), ..open }], None)
    }
}
