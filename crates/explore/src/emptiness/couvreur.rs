//! Strongly connected components on the fly, with acceptance reported as soon as it is there.
//!
//! After Couvreur (*On-the-fly verification of linear temporal logic*, 1999), with marks on edges.
//! Depth-first search keeps the states whose component is not complete in `live`, in the order they
//! were entered; a state's place there is its number. The path through them is cut by `roots` into
//! parts known to be strongly connected; with each root go the marks of the edge that led to it
//! and those of edges inside its part. An edge back to a live state merges parts; if the marks of
//! the merged part satisfy the acceptance, pairs and all, the path that takes all edges of the
//! part endlessly counts, and the search ends. When a root is left its component is complete: it is
//! dead, after [`refine`] has looked for a part of it in which requests that have no answer are
//! avoided.
//!
//! Deviations. A state is expanded once, whole, when it is entered; all its successors are stored
//! together, and edges to live states are followed first (Couvreur's "shy" search), so that
//! acceptance shows as early as it can. There is no recursion; a state on the path costs 8 bytes
//! and those of its edges that are not followed yet. 4 bytes a state for its number, 4 more while
//! it is live.

use super::component::Component;
use super::graph::{Graph, Outcome};
use super::lasso;
use super::marks::unite;
use super::meter::Meter;
use super::refine::{Part, accepting_part};
use super::space::Space;
use crate::limits::{Limits, Listener, Progress, Stop};
use crate::store::{StateId, Store};
use std::ops::ControlFlow;

pub(super) fn search<G: Graph>(graph: &mut G, limits: Limits, watch: &mut impl Listener) -> Outcome {
    let mut search = Couvreur::new(Space::new(graph, Store::default()));
    let mut meter = Meter::new(limits, watch);
    let flow = search.run(&mut meter);
    let progress = search.progress();
    let (lasso, stopped) = match flow {
        ControlFlow::Continue(()) => (None, search.truncated.then_some(Stop::Depth)),
        ControlFlow::Break(End::Stopped(stop)) => (None, Some(stop)),
        ControlFlow::Break(End::Found(component, part)) => {
            (Some(lasso::lasso(&mut search.space, &component, &part)), None)
        }
    };
    Outcome::new(lasso, stopped, &progress)
}

enum End {
    Stopped(Stop),
    Found(Component, Part),
}

struct Couvreur<'g, G> {
    space: Space<'g, G, Store>,
    /// For each state: [`NEW`], its place in `live` plus one, or [`DEAD`].
    order: Vec<u32>,
    live: Vec<StateId>,
    /// The numbers of the roots.
    roots: Vec<u32>,
    /// For each root, the marks of the edge to it, then those inside its part.
    root_marks: Vec<u64>,
    path: Vec<Frame>,
    /// Edges not followed yet, those of the last state of the path on top: target and marks.
    pending: Vec<StateId>,
    pending_marks: Vec<u64>,
    depth: usize,
    truncated: bool,
}

struct Frame {
    state: StateId,
    /// How many of its edges are pending.
    pending: u32,
}

const NEW: u32 = 0;
const DEAD: u32 = u32::MAX;

impl<'g, G: Graph> Couvreur<'g, G> {
    fn new(space: Space<'g, G, Store>) -> Self {
        Couvreur {
            space,
            order: Vec::new(),
            live: Vec::new(),
            roots: Vec::new(),
            root_marks: Vec::new(),
            path: Vec::new(),
            pending: Vec::new(),
            pending_marks: Vec::new(),
            depth: 0,
            truncated: false,
        }
    }

    fn run(&mut self, meter: &mut Meter<impl Listener>) -> ControlFlow<End> {
        lift(self.space.initial())?;
        self.order.resize(self.space.states.len(), NEW);
        let unmarked = vec![0; self.space.wanted.words];
        for start in self.space.targets.clone() {
            if self.order[start as usize] == NEW {
                self.enter(start, &unmarked, meter)?;
                self.follow(meter)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Follows pending edges until the path is empty.
    fn follow(&mut self, meter: &mut Meter<impl Listener>) -> ControlFlow<End> {
        let mut marks = Vec::new();
        while let Some(frame) = self.path.last_mut() {
            if frame.pending == 0 {
                self.leave(meter)?;
                continue;
            }
            frame.pending -= 1;
            marks.clear();
            marks.extend(self.pending_marks.drain(self.pending_marks.len() - self.space.wanted.words..));
            let Some(target) = self.pending.pop() else { break };
            match self.order[target as usize] {
                NEW => self.enter(target, &marks, meter)?,
                DEAD => {}
                order => self.merge(order, &mut marks)?,
            }
        }
        ControlFlow::Continue(())
    }

    /// Puts a new state on the path, and its edges among the pending ones but for those that lead
    /// back.
    fn enter(&mut self, state: StateId, into: &[u64], meter: &mut Meter<impl Listener>) -> ControlFlow<End> {
        self.live.push(state);
        self.order[state as usize] = self.live.len() as u32;
        self.roots.push(self.live.len() as u32);
        self.root_marks.extend_from_slice(into);
        self.root_marks.extend(into.iter().map(|_| 0));
        self.path.push(Frame { state, pending: 0 });
        self.depth = self.depth.max(self.path.len() - 1);
        if meter.is_too_deep(self.path.len() - 1) {
            self.truncated = true;
            return ControlFlow::Continue(());
        }
        lift(self.space.expand(state))?;
        self.order.resize(self.space.states.len(), NEW);
        let (states, transitions) = (self.space.states.len(), self.space.transitions);
        lift(meter.look(states, transitions, || self.progress()))?;
        self.sort_edges()
    }

    fn sort_edges(&mut self) -> ControlFlow<End> {
        let before = self.pending.len();
        let mut marks = Vec::new();
        for k in 0..self.space.targets.len() {
            let target = self.space.targets[k];
            match self.order[target as usize] {
                NEW => {
                    self.pending.push(target);
                    self.pending_marks.extend_from_slice(self.space.marks(k));
                }
                DEAD => {}
                order => {
                    marks.clear();
                    marks.extend_from_slice(self.space.marks(k));
                    self.merge(order, &mut marks)?;
                }
            }
        }
        if let Some(frame) = self.path.last_mut() {
            frame.pending = (self.pending.len() - before) as u32;
        }
        ControlFlow::Continue(())
    }

    /// An edge from the last state of the path back to number `order`: all parts from there on
    /// become one. `marks` are those of the edge; they are used up.
    fn merge(&mut self, order: u32, marks: &mut [u64]) -> ControlFlow<End> {
        let words = marks.len();
        while self.roots.last().is_some_and(|root| *root > order) {
            self.roots.pop();
            let at = self.root_marks.len() - 2 * words;
            unite(marks, &self.root_marks[at..at + words]);
            unite(marks, &self.root_marks[at + words..]);
            self.root_marks.truncate(at);
        }
        let at = self.root_marks.len() - words;
        unite(&mut self.root_marks[at..], marks);
        if !self.space.wanted.satisfied(&self.root_marks[at..]) {
            return ControlFlow::Continue(());
        }
        let component = self.component();
        // Edges not followed yet may bring requests without an answer; the part without them is
        // still there.
        let part = accepting_part(&component, &self.space.wanted);
        let part = part.expect("a graph gives the same edges whenever it is asked");
        ControlFlow::Break(End::Found(component, part))
    }

    /// Takes the last state off the path; if it is a root, its component is complete.
    fn leave(&mut self, meter: &mut Meter<impl Listener>) -> ControlFlow<End> {
        let Some(frame) = self.path.pop() else { return ControlFlow::Continue(()) };
        let order = self.order[frame.state as usize];
        if self.roots.last() != Some(&order) {
            return ControlFlow::Continue(());
        }
        self.complete(meter)?;
        self.roots.pop();
        self.root_marks.truncate(self.root_marks.len() - 2 * self.space.wanted.words);
        for state in self.live.drain(order as usize - 1..) {
            self.order[state as usize] = DEAD;
        }
        ControlFlow::Continue(())
    }

    /// Looks for an accepting part of a complete component that does not count as a whole.
    fn complete(&mut self, meter: &mut Meter<impl Listener>) -> ControlFlow<End> {
        let marks = &self.root_marks[self.root_marks.len() - self.space.wanted.words..];
        let wanted = &self.space.wanted;
        if !wanted.recurs(marks) || wanted.satisfied(marks) {
            return ControlFlow::Continue(());
        }
        let component = self.component();
        let mut progress = self.progress();
        progress.memory_bytes += component.memory_bytes();
        lift(meter.show(&progress))?;
        match accepting_part(&component, &self.space.wanted) {
            Some(part) => ControlFlow::Break(End::Found(component, part)),
            None => ControlFlow::Continue(()),
        }
    }

    /// The states of the last part and the edges between them.
    fn component(&mut self) -> Component {
        let root = self.roots.last().copied().unwrap_or(1);
        let states = self.live[root as usize - 1..].to_vec();
        let order = &self.order;
        Component::new(&mut self.space, states, |_, target| {
            let order = order.get(target as usize).copied().unwrap_or(DEAD);
            (order >= root && order != DEAD).then(|| order - root)
        })
    }

    fn progress(&self) -> Progress {
        let words = self.pending_marks.capacity() + self.root_marks.capacity();
        let numbers = self.order.capacity() + self.live.capacity() + self.roots.capacity();
        let own = words * 8 + (numbers + self.pending.capacity()) * 4 + self.path.capacity() * 8;
        Progress {
            states: self.space.states.len() as u64,
            transitions: self.space.transitions,
            depth: self.depth as u64,
            memory_bytes: self.space.states.memory_bytes() + own as u64,
            cache: None,
        }
    }
}

fn lift(flow: ControlFlow<Stop>) -> ControlFlow<End> {
    flow.map_break(End::Stopped)
}
