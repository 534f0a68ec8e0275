//! Numbers the locations of a process that can be reached, and writes their transitions.
//!
//! A state of the automaton becomes a point with its transitions in tiers. A d_step is one
//! transition of the automaton; here the places inside it become points too, which are left in the
//! step that reaches them.

use super::automaton::{Automaton, Edge};
use super::flow::{Action, El, Node, Seq};
use logic::Term;
use std::collections::HashMap;
use system::{Choice, Location, LocationRules, ProcessRules, ProcessType, Tier, Transition};

/// A location: a state, or a place inside the d_step of an element.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Outside(El),
    Inside { step: El, at: El },
}

/// Numbers the points that can be reached and writes their transitions.
pub(crate) struct Points<'a> {
    automaton: &'a Automaton<'a>,
    numbers: HashMap<Place, usize>,
    queue: Vec<Place>,
    transitions: Vec<Transition>,
    /// By transition: whether it ends inside an atomic sequence.
    keeps: Vec<bool>,
}

impl<'a> Points<'a> {
    pub(crate) fn new(automaton: &'a Automaton<'a>) -> Self {
        let (numbers, queue) = (HashMap::new(), Vec::new());
        Points { automaton, numbers, queue, transitions: Vec::new(), keeps: Vec::new() }
    }

    /// The point of a state, if it has one.
    pub(crate) fn number_of(&self, el: El) -> Option<usize> {
        self.numbers.get(&Place::Outside(el)).copied()
    }

    pub(crate) fn collect(
        &mut self,
        start: El,
        watched: &[usize],
        names: &[String],
        process_type: &mut ProcessType,
    ) -> ProcessRules {
        let mut rules = ProcessRules::default();
        process_type.entry = self.number(Place::Outside(start));
        for label in watched {
            if let Some(el) = self.automaton.flow.labels[*label] {
                self.number(Place::Outside(el));
            }
        }
        let mut next = 0;
        while next < self.queue.len() {
            let place = self.queue[next];
            next += 1;
            process_type.points.push(self.point(place, names));
            rules.points.push(match place {
                Place::Outside(el) => self.outside(el),
                Place::Inside { step, at } => self.inside(step, at),
            });
        }
        process_type.transitions = std::mem::take(&mut self.transitions);
        rules.keeps = std::mem::take(&mut self.keeps);
        rules
    }

    fn number(&mut self, place: Place) -> usize {
        *self.numbers.entry(place).or_insert_with(|| {
            self.queue.push(place);
            self.queue.len() - 1
        })
    }

    fn point(&self, place: Place, names: &[String]) -> Location {
        let Place::Outside(el) = place else { return Location::default() };
        let flow = &self.automaton.flow;
        let here = flow.labels.iter().enumerate().filter(|(_, at)| **at == Some(el));
        let marks = self.automaton.marks[el];
        Location {
            labels: here.map(|(label, _)| names[label].clone()).collect(),
            valid_end: marks.end,
            progress: marks.progress,
            accept: marks.accept,
            span: flow.elements[el].span,
        }
    }

    /// The transitions of a state, in tiers by escape.
    fn outside(&mut self, el: El) -> LocationRules {
        let pre = self.numbers[&Place::Outside(el)];
        let mut tiers: Vec<(Option<El>, Tier)> = Vec::new();
        for edge in self.automaton.edges[el].clone() {
            let Some(transition) = self.transition(pre, edge) else { continue };
            if tiers.last().is_none_or(|(escape, _)| *escape != edge.escape) {
                tiers.push((edge.escape, Tier::default()));
            }
            if let Some((_, tier)) = tiers.last_mut() {
                tier.choices.push(Choice { transition, otherwise: edge.otherwise });
            }
        }
        LocationRules { tiers: tiers.into_iter().map(|(_, tier)| tier).collect(), deterministic: false }
    }

    fn transition(&mut self, pre: usize, edge: Edge) -> Option<usize> {
        if let Node::Step(inner) = self.automaton.flow.elements[edge.from].node {
            return self.enter_step(pre, edge.from, inner);
        }
        let post = edge.to.map_or(pre, |to| self.number(Place::Outside(to)));
        Some(self.push(pre, self.automaton.action(edge.from), post, edge.atomic))
    }

    /// The way into a d_step: its first statement, or the test that some option of its first choice
    /// can go on.
    fn enter_step(&mut self, pre: usize, step: El, inner: Seq) -> Option<usize> {
        let automaton = self.automaton;
        let first = self.rest_inside(step, automaton.flow.sequences[inner].first?);
        let Place::Inside { at, .. } = first else { return None };
        let keep = automaton.flow.elements[step].atomic;
        if !matches!(automaton.flow.elements[at].node, Node::If | Node::Do) {
            let post = self.after_inside(step, at);
            return Some(self.push(pre, automaton.action(at), post, keep));
        }
        let options = self.options_inside(at);
        let guards = options.iter().map(|option| super::guard::executable(&automaton.action(*option)));
        let guard = guards.reduce(|a, b| Term::binary(logic::Binary::Or, a, b)).unwrap_or(Term::FALSE);
        let span = automaton.flow.elements[step].span;
        let action = Action { guard, command: Vec::new(), text: "d_step".into(), span };
        let post = self.number(first);
        Some(self.push(pre, action, post, keep))
    }

    /// The transitions of a place inside a d_step, in the order in which they are tried.
    fn inside(&mut self, step: El, at: El) -> LocationRules {
        let pre = self.numbers[&Place::Inside { step, at }];
        let keep = self.automaton.flow.elements[step].atomic;
        let mut tier = Tier::default();
        for option in self.options_inside(at) {
            let post = self.after_inside(step, option);
            let action = self.automaton.action(option);
            let otherwise = matches!(self.automaton.flow.elements[option].node, Node::Else(_));
            let transition = self.push(pre, action, post, keep);
            tier.choices.push(Choice { transition, otherwise });
        }
        LocationRules { tiers: vec![tier], deterministic: true }
    }

    fn push(&mut self, pre: usize, action: Action, post: usize, keep: bool) -> usize {
        let Action { guard, command, text, span } = action;
        self.transitions.push(Transition { pre, guard, command, post, text, span });
        self.keeps.push(keep);
        self.transitions.len() - 1
    }

    /// The statements with which a place inside a d_step can go on.
    fn options_inside(&self, at: El) -> Vec<El> {
        let flow = &self.automaton.flow;
        if !matches!(flow.elements[at].node, Node::If | Node::Do) {
            return vec![at];
        }
        let firsts = flow.elements[at].sub.iter().filter_map(|option| flow.sequences[*option].first);
        firsts.flat_map(|first| self.options_inside(self.start_inside(first))).collect()
    }

    /// The element that an option inside a d_step begins with. A jump is one: the option can be
    /// taken whatever comes after it.
    fn start_inside(&self, first: El) -> El {
        let flow = &self.automaton.flow;
        let mut at = first;
        for _ in 0..=flow.elements.len() {
            let onward = match &flow.elements[at].node {
                Node::Join => flow.elements[at].next,
                Node::Block(inner) | Node::Atomic(inner) => flow.sequences[*inner].first,
                Node::Unless => flow.sequences[flow.elements[at].sub[0]].first,
                _ => None,
            };
            match onward {
                Some(next) if flow.elements[next].in_step => at = next,
                _ => return at,
            }
        }
        first
    }

    /// The point reached behind a statement inside a d_step.
    fn after_inside(&mut self, step: El, at: El) -> usize {
        let flow = &self.automaton.flow;
        let onward = match &flow.elements[at].node {
            Node::Goto { to, .. } => flow.target(*to),
            _ => flow.elements[at].next,
        };
        match onward {
            Some(next) => {
                let place = self.rest_inside(step, next);
                self.number(place)
            }
            None => self.leave_step(step),
        }
    }

    fn leave_step(&mut self, step: El) -> usize {
        let flow = &self.automaton.flow;
        let element = &flow.elements[step];
        let to = element.next.map_or(step, |next| flow.hunt(next, element.atomic));
        self.number(Place::Outside(to))
    }

    /// Where going on at `el` inside a d_step comes to rest, inside or outside of it.
    fn rest_inside(&self, step: El, el: El) -> Place {
        let flow = &self.automaton.flow;
        let at = self.pass_inside(el);
        if flow.elements[at].in_step {
            return Place::Inside { step, at };
        }
        let element = &flow.elements[step];
        Place::Outside(element.next.map_or(step, |next| flow.hunt(next, element.atomic)))
    }

    /// Passes joins, exits, jumps and blocks as long as they lie inside a d_step.
    fn pass_inside(&self, el: El) -> El {
        let flow = &self.automaton.flow;
        let mut at = el;
        for _ in 0..=flow.elements.len() {
            let element = &flow.elements[at];
            if !element.in_step {
                return at;
            }
            let onward = match &element.node {
                Node::Goto { to, .. } => flow.target(*to),
                Node::Join | Node::Exit => element.next,
                Node::Block(inner) | Node::Atomic(inner) => flow.sequences[*inner].first,
                Node::Unless => flow.sequences[element.sub[0]].first,
                _ => None,
            };
            match onward {
                Some(next) if next != at => at = next,
                _ => return at,
            }
        }
        el
    }
}
