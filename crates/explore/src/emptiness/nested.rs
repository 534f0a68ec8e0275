//! Nested depth-first search: is there a cycle with the one mark that must recur?
//!
//! After Schwoon and Esparza (*A note on on-the-fly verification algorithms*, 2005). The outer search colours the
//! states on its path cyan, those it has left blue. When it goes back over a marked arrow it starts the inner search at
//! the arrow's target; that one colours red whatever it sees, and a cyan state closes a cycle through the arrow. Red is
//! never taken back, so each state is expanded at most twice, and a byte a state is all that is kept.
//!
//! Deviation: the mark is on arrows, not on states. Think of a state in the middle of each marked arrow; then this is
//! the published algorithm, and the middle state need not be stored: the outer search passes it once for each time it takes the
//! arrow, and the inner search meets it only through the arrow's source, which is cyan as long as the middle is. A marked
//! arrow to a cyan state is a cycle at once. A state is expanded whole when it is entered, as in `couvreur`.

use super::component::Component;
use super::graph::{Graph, Outcome};
use super::marks::has;
use super::meter::Meter;
use super::refine::{Part, accepting_part};
use super::space::{NOWHERE, Space};
use super::{Options, lasso};
use crate::limits::{Progress, Stop, Watch};
use crate::store::{StateId, Store};
use std::ops::ControlFlow;

/// The one recurrent mark is `mark`, and there are no pairs.
pub(super) fn search<G: Graph>(
    graph: &mut G,
    mark: usize,
    options: &Options,
    watch: &mut impl Watch,
) -> Outcome {
    let mut search = Nested::new(Space::new(graph, Store::default()), mark);
    let mut meter = Meter::new(options.limits, watch);
    let flow = search.run(&mut meter);
    let progress = search.progress();
    let (lasso, stopped) = match flow {
        ControlFlow::Continue(()) => (None, search.truncated.then_some(Stop::Depth)),
        ControlFlow::Break(End::Stopped(stop)) => (None, Some(stop)),
        ControlFlow::Break(End::Closed(state)) => {
            let (component, part) = search.closed(state);
            (Some(lasso::lasso(&mut search.space, &component, &part)), None)
        }
    };
    Outcome {
        lasso,
        stopped,
        states: progress.states,
        transitions: progress.transitions,
        depth: progress.depth,
        memory_bytes: progress.memory_bytes,
    }
}

enum End {
    Stopped(Stop),
    /// A cycle through this cyan state, the end of the path, and the path of the inner search.
    Closed(StateId),
}

struct Nested<'g, G> {
    space: Space<'g, G, Store>,
    mark: usize,
    /// A set of colours for each state.
    colours: Vec<u8>,
    path: Vec<Frame>,
    /// Arrows not followed yet, those of the last state of the path on top: target, and whether marked.
    pending: Vec<(StateId, bool)>,
    inner_path: Vec<Frame>,
    inner_pending: Vec<StateId>,
    depth: usize,
    truncated: bool,
}

struct Frame {
    state: StateId,
    /// How many of its arrows are pending.
    pending: u32,
    /// Was the arrow to it marked?
    marked: bool,
}

const CYAN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 4;

impl<'g, G: Graph> Nested<'g, G> {
    fn new(space: Space<'g, G, Store>, mark: usize) -> Self {
        Nested {
            space,
            mark,
            colours: Vec::new(),
            path: Vec::new(),
            pending: Vec::new(),
            inner_path: Vec::new(),
            inner_pending: Vec::new(),
            depth: 0,
            truncated: false,
        }
    }

    fn run(&mut self, meter: &mut Meter<impl Watch>) -> ControlFlow<End> {
        self.space.initial().map_break(End::Stopped)?;
        self.colours.resize(self.space.states.len(), 0);
        for start in self.space.targets.clone() {
            if self.colours[start as usize] == 0 {
                self.enter(start, false, meter)?;
                self.outer(meter)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn outer(&mut self, meter: &mut Meter<impl Watch>) -> ControlFlow<End> {
        while let Some(frame) = self.path.last_mut() {
            if frame.pending == 0 {
                self.leave(meter)?;
                continue;
            }
            frame.pending -= 1;
            let Some((target, marked)) = self.pending.pop() else { break };
            match self.colours[target as usize] {
                0 => self.enter(target, marked, meter)?,
                _ if !marked => {}
                colours if colours & CYAN != 0 => return ControlFlow::Break(End::Closed(target)),
                _ => self.inner(target, meter)?,
            }
        }
        ControlFlow::Continue(())
    }

    fn enter(&mut self, state: StateId, marked: bool, meter: &mut Meter<impl Watch>) -> ControlFlow<End> {
        self.colours[state as usize] = CYAN;
        self.depth = self.depth.max(self.path.len());
        let before = self.pending.len();
        if meter.is_too_deep(self.path.len()) {
            self.truncated = true;
            self.path.push(Frame { state, pending: 0, marked });
            return ControlFlow::Continue(());
        }
        self.space.expand(state).map_break(End::Stopped)?;
        self.colours.resize(self.space.states.len(), 0);
        let (states, transitions) = (self.space.states.len(), self.space.transitions);
        meter.look(states, transitions, || self.progress()).map_break(End::Stopped)?;
        let mut closed = None;
        for (k, target) in self.space.targets.iter().enumerate() {
            let marked = has(self.space.marks(k), self.mark);
            match self.colours[*target as usize] {
                0 => self.pending.push((*target, marked)),
                _ if !marked => {}
                colours if colours & CYAN != 0 => closed = Some(*target),
                colours if colours & RED != 0 => {}
                _ => self.pending.push((*target, marked)),
            }
        }
        self.path.push(Frame { state, pending: (self.pending.len() - before) as u32, marked });
        closed.map_or(ControlFlow::Continue(()), |target| ControlFlow::Break(End::Closed(target)))
    }

    fn leave(&mut self, meter: &mut Meter<impl Watch>) -> ControlFlow<End> {
        let Some(frame) = self.path.pop() else { return ControlFlow::Continue(()) };
        let colours = &mut self.colours[frame.state as usize];
        *colours = *colours & !CYAN | BLUE;
        if frame.marked { self.inner(frame.state, meter) } else { ControlFlow::Continue(()) }
    }

    /// Looks for a cyan state from the target of a marked arrow that starts from the last state of the path.
    fn inner(&mut self, start: StateId, meter: &mut Meter<impl Watch>) -> ControlFlow<End> {
        if self.colours[start as usize] & RED != 0 {
            return ControlFlow::Continue(());
        }
        self.redden(start, meter)?;
        while let Some(frame) = self.inner_path.last_mut() {
            if frame.pending == 0 {
                self.inner_path.pop();
                continue;
            }
            frame.pending -= 1;
            let Some(target) = self.inner_pending.pop() else { break };
            if self.colours[target as usize] & RED == 0 {
                self.redden(target, meter)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn redden(&mut self, state: StateId, meter: &mut Meter<impl Watch>) -> ControlFlow<End> {
        self.colours[state as usize] |= RED;
        self.space.revisit(state);
        self.space.transitions += self.space.targets.len() as u64;
        let (states, transitions) = (self.space.states.len(), self.space.transitions);
        meter.look(states, transitions, || self.progress()).map_break(End::Stopped)?;
        let before = self.inner_pending.len();
        let mut closed = None;
        for target in &self.space.targets {
            // What lies behind a depth limit has no colour, or is not stored.
            match self.colours.get(*target as usize).copied().unwrap_or(0) {
                colours if colours & CYAN != 0 => closed = Some(*target),
                BLUE => self.inner_pending.push(*target),
                _ => {}
            }
        }
        let pending = (self.inner_pending.len() - before) as u32;
        self.inner_path.push(Frame { state, pending, marked: false });
        closed.map_or(ControlFlow::Continue(()), |target| ControlFlow::Break(End::Closed(target)))
    }

    /// The states of the cycle found, and the arrows between them.
    fn closed(&mut self, state: StateId) -> (Component, Part) {
        let from = self.path.iter().rposition(|frame| frame.state == state).unwrap_or(0);
        let frames = self.path[from..].iter().chain(&self.inner_path);
        let states: Vec<StateId> = frames.map(|frame| frame.state).collect();
        let mut local = vec![NOWHERE; self.space.states.len()];
        states.iter().zip(0..).for_each(|(state, k)| local[*state as usize] = k);
        let component = Component::new(&mut self.space, states, |_, target| {
            local.get(target as usize).copied().filter(|local| *local != NOWHERE)
        });
        let part = accepting_part(&component, &self.space.wanted);
        (component, part.expect("a graph gives the same arrows whenever it is asked"))
    }

    fn progress(&self) -> Progress {
        let frames = (self.path.capacity() + self.inner_path.capacity()) * size_of::<Frame>();
        let own = self.colours.capacity() + self.pending.capacity() * 8 + self.inner_pending.capacity() * 4;
        Progress {
            states: self.space.states.len() as u64,
            transitions: self.space.transitions,
            depth: self.depth as u64,
            memory_bytes: self.space.states.memory_bytes() + (frames + own) as u64,
            cache: None,
        }
    }
}
