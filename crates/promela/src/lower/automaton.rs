//! From control flow to the locations and transitions of a process.
//!
//! After SPIN 6.5.2's pangen2.c and the `retrans` of its verifier: each statement is a state with
//! one transition; a choice or a block is a state that borrows the transitions of its parts
//! (choices in choices flattened, in order); then the transitions of escapes are put in front of
//! those of every state they are attached to. What a choice borrows passes its labels on to where
//! the borrowed transition leads. [`super::numbering`] makes points of the states.

use super::flow::{Action, El, Flow, Node, Seq};
use super::numbering::Points;
use logic::Term;
use std::collections::HashMap;
use system::{ProcessRules, ProcessType};

/// A transition of a state, before points are numbered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    /// The element whose action it executes.
    pub(crate) from: El,
    /// `None` if it leads nowhere.
    pub(crate) to: Option<El>,
    pub(crate) atomic: bool,
    pub(crate) otherwise: bool,
    /// The state whose escape it is.
    pub(crate) escape: Option<El>,
}

#[derive(Clone, Debug)]
enum State {
    Step(Edge),
    /// Borrows from these states.
    Choice(Vec<El>),
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    pub(crate) end: bool,
    pub(crate) progress: bool,
    pub(crate) accept: bool,
}

/// The states of one process.
pub(super) struct Automaton<'a> {
    pub(crate) flow: &'a mut Flow,
    states: Vec<Option<State>>,
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) marks: Vec<Marks>,
    done: Vec<bool>,
}

/// Builds the points and transitions of a process type, and the rules that go with them.
///
/// `names` are the label names by label; `watched` the labels that others refer to, which get a
/// point in any case.
pub(crate) fn build(
    flow: &mut Flow,
    body: Seq,
    names: &[String],
    watched: &[usize],
    process_type: &mut ProcessType,
) -> (ProcessRules, HashMap<usize, usize>) {
    flow.tie_loose_ends();
    let marks = marks(flow, names);
    let count = flow.elements.len();
    let mut automaton = Automaton {
        flow,
        states: vec![None; count],
        edges: vec![Vec::new(); count],
        marks,
        done: vec![false; count],
    };
    automaton.put_sequence(body);
    automaton.share_ends();
    automaton.flatten();
    automaton.borrow();
    automaton.prepend_escapes();
    let mut points = Points::new(&automaton);
    let start = automaton.flow.sequences[body].first;
    let start = start.map(|first| automaton.flow.hunt(first, automaton.flow.elements[first].atomic));
    let rules = points.collect(start.unwrap_or(0), watched, names, process_type);
    let labelled = watched.iter().filter_map(|label| {
        let el = automaton.flow.labels[*label]?;
        Some((*label, points.number_of(el)?))
    });
    (rules, labelled.collect())
}

fn marks(flow: &Flow, names: &[String]) -> Vec<Marks> {
    let mut marks = vec![Marks::default(); flow.elements.len()];
    for (label, el) in flow.labels.iter().enumerate() {
        if let Some(el) = el {
            marks[*el].end |= names[label].starts_with("end");
            marks[*el].progress |= names[label].starts_with("progress");
            marks[*el].accept |= names[label].starts_with("accept");
        }
    }
    for (el, element) in flow.elements.iter().enumerate() {
        marks[el].end |= matches!(element.node, Node::End(_));
    }
    marks
}

impl Automaton<'_> {
    fn put_sequence(&mut self, seq: Seq) {
        let last = self.flow.sequences[seq].last;
        let mut at = self.flow.sequences[seq].first;
        let mut steps = 0;
        while let Some(el) = at {
            if !self.done[el] {
                self.done[el] = true;
                self.put(el);
            }
            steps += 1;
            if at == last || steps > self.flow.elements.len() {
                break;
            }
            at = self.flow.elements[el].next;
        }
    }

    fn put(&mut self, el: El) {
        match self.flow.elements[el].node {
            Node::Unless => self.put_sequence(self.flow.elements[el].sub[0]),
            Node::If | Node::Do => {
                let options = self.flow.elements[el].sub.clone();
                let starts = options.iter().filter_map(|o| self.flow.sequences[*o].first);
                let starts: Vec<El> = starts.map(|first| self.flow.hunt_start(first)).collect();
                let alive = starts.into_iter().filter(|s| !self.is_dead(*s)).collect();
                self.states[el] = Some(State::Choice(alive));
                options.into_iter().for_each(|option| self.put_sequence(option));
            }
            Node::Atomic(inner) | Node::Block(inner) => {
                self.patch_jumps(inner);
                let first = self.flow.sequences[inner].first.map(|first| self.flow.hunt_start(first));
                self.tie(el, inner);
                self.states[el] = Some(State::Choice(first.into_iter().collect()));
                self.put_sequence(inner);
            }
            Node::Step(inner) => {
                self.patch_jumps(inner);
                self.tie(el, inner);
                self.put_step(el);
            }
            _ => self.put_step(el),
        }
    }

    fn tie(&mut self, el: El, inner: Seq) {
        if let Some(last) = self.flow.sequences[inner].last {
            self.flow.elements[last].next = self.flow.elements[el].next;
        }
    }

    /// An option that begins with `false` is not there.
    fn is_dead(&self, el: El) -> bool {
        matches!(self.flow.elements[el].node, Node::Never(_)) && self.flow.elements[el].escapes.is_empty()
    }

    fn put_step(&mut self, el: El) {
        let element = &self.flow.elements[el];
        let onward = match &element.node {
            Node::Goto { to, .. } => self.flow.target(*to),
            _ => element.next,
        };
        let to = onward.map(|next| self.flow.hunt(next, element.atomic));
        let otherwise = matches!(element.node, Node::Else(_));
        self.states[el] =
            Some(State::Step(Edge { from: el, to, atomic: element.atomic, otherwise, escape: None }));
        if !matches!(element.node, Node::Join) {
            for escape in element.escapes.clone() {
                self.put_sequence(escape);
            }
        }
    }

    /// A jump out of an atomic sequence ends it; a jump into another one goes on in that.
    fn patch_jumps(&mut self, seq: Seq) {
        let extent = self.flow.sequences[seq].extent;
        let mut at = self.flow.sequences[seq].first;
        let mut steps = 0;
        while let Some(el) = at {
            if let Node::Goto { to, .. } = &self.flow.elements[el].node {
                let target = self.flow.target(*to).map(|t| &self.flow.elements[t]);
                let inside = target.is_some_and(|t| t.atomic || t.last_atomic);
                let element = &mut self.flow.elements[el];
                if element.atomic || element.last_atomic {
                    element.atomic = inside;
                    element.last_atomic = !inside;
                }
            } else {
                for option in self.flow.elements[el].sub.clone() {
                    self.patch_jumps(option);
                }
            }
            steps += 1;
            if at == extent || steps > self.flow.elements.len() {
                break;
            }
            at = self.flow.elements[el].next;
        }
    }

    /// Passes marks (but not that of an end) of a state that is not stopped at on to where its
    /// transitions lead.
    fn pass_marks(&mut self, from: El, to: Option<El>) {
        if let Some(to) = to {
            let passed = self.marks[from];
            let marks = &mut self.marks[to];
            marks.progress |= passed.progress;
            marks.accept |= passed.accept;
        }
    }

    /// Who stands at a block or a choice stands at the statements it begins with: where they may
    /// rest forever, so may it. SPIN passes the mark of such a label on to where the statement
    /// leads instead, and so takes deadlocks there for ends.
    fn share_ends(&mut self) {
        let mut changed = true;
        while changed {
            changed = false;
            for el in 0..self.states.len() {
                let Some(State::Choice(targets)) = &self.states[el] else { continue };
                if !self.marks[el].end && targets.iter().any(|t| self.marks[*t].end) {
                    self.marks[el].end = true;
                    changed = true;
                }
            }
        }
    }

    /// Choices in choices become one choice, in order.
    fn flatten(&mut self) {
        for _ in 0..=self.flow.elements.len() {
            let mut changed = false;
            for el in 0..self.states.len() {
                let Some(State::Choice(targets)) = self.states[el].clone() else { continue };
                let inner = |t: &El| matches!(self.states[*t], Some(State::Choice(_)));
                if !targets.iter().any(inner) {
                    continue;
                }
                let mut flat = Vec::new();
                for target in targets {
                    match self.states[target].clone() {
                        Some(State::Choice(parts)) => {
                            for part in parts {
                                self.pass_marks(target, Some(part));
                                flat.push(part);
                            }
                        }
                        _ => flat.push(target),
                    }
                }
                self.states[el] = Some(State::Choice(flat));
                changed = true;
            }
            if !changed {
                return;
            }
        }
    }

    /// Gives each state its list of transitions.
    fn borrow(&mut self) {
        for el in 0..self.states.len() {
            match self.states[el].clone() {
                None => {}
                Some(State::Step(edge)) => self.edges[el] = vec![edge],
                Some(State::Choice(targets)) => {
                    for target in targets {
                        if let Some(State::Step(edge)) = self.states[target].clone() {
                            self.pass_marks(target, edge.to);
                            self.edges[el].push(edge);
                        }
                    }
                }
            }
        }
    }

    /// Puts the transitions of escapes in front, later ones before earlier ones, none twice.
    fn prepend_escapes(&mut self) {
        let deepest = self.flow.elements.iter().map(|e| e.escapes.len()).max().unwrap_or(0);
        for el in 0..self.edges.len() {
            for edge in self.edges[el].clone() {
                for k in (0..deepest).rev() {
                    if let Some(state) = self.escape_state(edge.from, k) {
                        self.prepend(el, state);
                    }
                }
            }
        }
    }

    /// The state at which the k-th escape of an element begins.
    fn escape_state(&self, el: El, k: usize) -> Option<El> {
        let element = &self.flow.elements[el];
        if matches!(element.node, Node::Join) {
            return None;
        }
        let first = self.flow.sequences[*element.escapes.get(k)?].first?;
        Some(self.flow.hunt(first, element.atomic))
    }

    fn prepend(&mut self, el: El, state: El) {
        for edge in self.edges[state].clone() {
            if self.edges[el].iter().any(|e| e.from == edge.from) {
                continue;
            }
            self.edges[el].insert(0, Edge { escape: Some(state), ..edge });
        }
    }

    pub(crate) fn action(&self, el: El) -> Action {
        let element = &self.flow.elements[el];
        let plain = |text: &str| Action {
            guard: Term::TRUE,
            command: Vec::new(),
            text: text.to_string(),
            span: element.span,
        };
        match &element.node {
            Node::Action(a) | Node::Skip(a) | Node::Never(a) | Node::End(a) => a.clone(),
            Node::Else(span) => Action { span: *span, ..plain("else") },
            Node::Goto { text, span, .. } => Action { span: *span, ..plain(text) },
            Node::Exit => plain("break"),
            _ => plain("skip"),
        }
    }
}
