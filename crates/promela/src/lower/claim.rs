//! Never claims as automata.
//!
//! A claim moves once for each state of the system: it reads the state and goes to its next control
//! point. It accepts a run if it comes to its end, or visits accept labels infinitely often. So its
//! locations are the states of a Büchi automaton and its guards the labels; a claim that ends
//! goes to a state that accepts everything. An assertion that fails is such an end. What has no
//! meaning for an automaton, variables of its own and effects, is refused.

use super::properties::{Propositions, Uncheckable};
use logic::automata::{Automaton, Cube, Edge, Label};
use logic::ltl::{Binary, Formula, Unary};
use std::collections::HashSet;
use system::{Choice, Expr, LocationId, Operation, ProcessRules, ProcessType};

/// The automaton of the runs that the claim accepts.
pub(crate) fn automaton(
    process_type: &ProcessType,
    rules: &ProcessRules,
    propositions: &mut Propositions,
) -> Result<Automaton, Uncheckable> {
    let mut claim = Claim { process_type, rules, propositions, edges: Vec::new() };
    let end = process_type.points.len();
    let mut states = Vec::new();
    for point in 0..end {
        claim.edges.clear();
        claim.moves(point, &Label::truth(), &mut HashSet::new())?;
        let sets = u64::from(process_type.points[point].accept);
        states.push(claim.edges.drain(..).map(|(label, to)| Edge { label, to, sets }).collect());
    }
    states.push(vec![Edge { label: Label::truth(), to: end, sets: 1 }]);
    let initial = claim.arrives(process_type.entry);
    let propositions = claim.propositions.count();
    Ok(Automaton { propositions, sets: 1, initial, states })
}

struct Claim<'a> {
    process_type: &'a ProcessType,
    rules: &'a ProcessRules,
    propositions: &'a mut Propositions,
    /// Out of the point at work.
    edges: Vec<(Label, usize)>,
}

impl Claim<'_> {
    /// The state for a point: the end of the claim is the one that accepts everything.
    fn arrives(&self, point: LocationId) -> usize {
        let mut own = self.process_type.transitions.iter().filter(|t| t.pre == point);
        let ends = own.any(|t| t.command.contains(&Operation::Stop));
        if ends { self.process_type.points.len() } else { point }
    }

    /// Collects the edges of a point, under a condition on the letter.
    fn moves(
        &mut self,
        point: LocationId,
        condition: &Label,
        passed: &mut HashSet<LocationId>,
    ) -> Result<(), Uncheckable> {
        if self.arrives(point) != point {
            return Ok(());
        }
        let mut open = condition.clone();
        for tier in self.rules.points[point].tiers.clone() {
            let mut none = open.clone();
            for choice in &tier.choices {
                let taken = match choice.otherwise {
                    true => none.clone(),
                    false => {
                        let guard =
                            self.label(&self.process_type.transitions[choice.transition].guard.clone())?;
                        none = none.and(&guard.negated());
                        open.and(&guard)
                    }
                };
                self.take(choice, taken, passed)?;
            }
            open = none;
        }
        Ok(())
    }

    /// Executes a transition under a condition on the letter.
    fn take(
        &mut self,
        choice: &Choice,
        mut label: Label,
        passed: &mut HashSet<LocationId>,
    ) -> Result<(), Uncheckable> {
        let transition = &self.process_type.transitions[choice.transition];
        for operation in &transition.command {
            match operation {
                Operation::Print { .. } => {}
                Operation::Assert { condition } => {
                    let holds = self.label(condition)?;
                    self.edge(label.and(&holds.negated()), self.process_type.points.len());
                    label = label.and(&holds);
                }
                _ => return Err(Uncheckable::Effect(transition.text.clone())),
            }
        }
        let goes_on = self.rules.keeps[choice.transition] || self.rules.points[transition.post].deterministic;
        if !goes_on || self.arrives(transition.post) != transition.post {
            self.edge(label, self.arrives(transition.post));
            return Ok(());
        }
        if !self.passes(transition.post) || !passed.insert(transition.post) {
            return Err(Uncheckable::StopsInside(transition.text.clone()));
        }
        self.moves(transition.post, &label, passed)
    }

    /// Whether nothing is waited for at a point inside an atomic sequence.
    fn passes(&self, point: LocationId) -> bool {
        let mut choices = self.rules.points[point].tiers.iter().flat_map(|tier| &tier.choices);
        choices.all(|c| c.otherwise || self.process_type.transitions[c.transition].guard.is_true())
    }

    fn edge(&mut self, label: Label, to: usize) {
        if !label.cubes.is_empty() {
            self.edges.push((label, to));
        }
    }

    fn label(&mut self, guard: &Expr) -> Result<Label, Uncheckable> {
        if self.process_type.objects.iter().any(|o| !o.is_channel()) && reads_locals(guard) {
            return Err(Uncheckable::OwnVariables);
        }
        let label = disjunction(&self.propositions.boolean(guard, self.process_type.span), true);
        if self.propositions.count() > system::property::MAX_PROPOSITIONS {
            return Err(Uncheckable::Propositions);
        }
        Ok(label)
    }
}

fn reads_locals(term: &Expr) -> bool {
    let mut found = false;
    term.atoms(&mut |read| {
        found |= matches!(read, system::Read::Place(p) if matches!(p.root, system::Root::Local(_)));
    });
    found
}

/// A boolean formula, or its negation, as a disjunction of cubes.
fn disjunction(formula: &Formula<usize>, positive: bool) -> Label {
    match formula {
        Formula::Constant(c) if *c == positive => Label::truth(),
        Formula::Constant(_) => Label::default(),
        Formula::Atom(p) if positive => Label { cubes: vec![Cube { positive: 1 << p, negative: 0 }] },
        Formula::Atom(p) => Label { cubes: vec![Cube { positive: 0, negative: 1 << p }] },
        Formula::Unary(Unary::Not, a) => disjunction(a, !positive),
        Formula::Binary(op, a, b) => {
            let (a, b) = (disjunction(a, positive), disjunction(b, positive));
            if (*op == Binary::And) == positive { a.and(&b) } else { a.or(&b) }
        }
        // Guards have no temporal operators.
        Formula::Unary(..) => Label::default(),
    }
}
