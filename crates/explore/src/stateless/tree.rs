//! The tree of runs: states with something left to do, and the entries that lead on from them.
//!
//! Entries of a state are in order, and an entry's runs have all earlier ones asleep, whether these
//! are finished or not: which run stands for a class of equivalent ones depends on the tree alone,
//! not on when its parts are explored. What finds its way into the tree (a reversed race) goes
//! below the first entry it agrees with: if that one was begun without a guide, its runs will cover
//! it anyway; else it is put in there, or kept until the state behind it is known. So an entry with
//! a guide is over only when all earlier ones are, which could still find something for it: the
//! paper explores them first, here they are explored at the same time.

use super::run::{Job, PREEMPTED, Past, Ran, Reached, UNFORESEEN, still_asleep};
use super::wakeup::{Branch, behind, chain, insert, weak_initial};
use super::{Edges, Reduction, Semantics, Transition};
use objects::Tid;

pub(super) struct Node<S: Semantics> {
    /// The objects then, if races are to be reversed.
    pub(super) before: Option<S>,
    sleep: Vec<Transition<S::Op>>,
    entries: Vec<Entry<S::Op>>,
    blocked: Vec<Tid>,
    running: Option<Tid>,
    above: Option<Place>,
}

struct Entry<Op> {
    taken: Transition<Op>,
    edges: Edges,
    state: State<Op>,
}

impl<S: Semantics> Node<S> {
    fn is_over(&self) -> bool {
        self.entries.iter().all(Entry::is_over)
    }
}

impl<Op> Entry<Op> {
    fn is_over(&self) -> bool {
        matches!(self.state, State::Done | State::Void)
    }
}

enum State<Op> {
    Waiting {
        guide: Vec<Branch<Op>>,
    },
    /// Given out; sequences that came meanwhile.
    Running {
        fresh: bool,
        late: Vec<Vec<Transition<Op>>>,
    },
    Open {
        node: usize,
        fresh: bool,
    },
    Done,
    /// It was not possible after all, and is not asleep for the others.
    Void,
}

/// An entry of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) node: usize,
    pub(super) entry: usize,
}

pub(super) struct Tree<S: Semantics> {
    nodes: Vec<Option<Node<S>>>,
    free: Vec<usize>,
    root: Option<usize>,
    begun: bool,
    reduction: Reduction,
    /// How often a run may put a thread aside that could go on.
    preemptions: Option<usize>,
    /// Why something was left out.
    pub(super) bounded: Option<&'static str>,
}

impl<S: Semantics> Tree<S> {
    pub(super) fn new(reduction: Reduction, preemptions: Option<usize>) -> Tree<S> {
        let (nodes, free) = (Vec::new(), Vec::new());
        Tree { nodes, free, root: None, begun: false, reduction, preemptions, bounded: None }
    }

    pub(super) fn get(&self, node: usize) -> Option<&Node<S>> {
        self.nodes.get(node)?.as_ref()
    }

    /// The transitions of a path, and the order between threads that came with each.
    pub(super) fn happened(&self, path: &[Place]) -> Vec<(Transition<S::Op>, Edges)> {
        let entries = path.iter().filter_map(|at| self.get(at.node)?.entries.get(at.entry));
        entries.map(|e| (e.taken.clone(), e.edges.clone())).collect()
    }

    fn node(&mut self, node: usize) -> Option<&mut Node<S>> {
        self.nodes.get_mut(node)?.as_mut()
    }

    fn entry(&mut self, at: Place) -> Option<&mut Entry<S::Op>> {
        self.node(at.node)?.entries.get_mut(at.entry)
    }

    /// Up to this many entries that wait, deepest first, in order; and what is to be executed for
    /// each. The first run of all has no entry.
    pub(super) fn give_out(&mut self, most: usize) -> Vec<(Option<Place>, Job<S::Op>)> {
        if !std::mem::replace(&mut self.begun, true) {
            return vec![(None, Job { way: Vec::new(), sleep: Vec::new(), guide: Vec::new() })];
        }
        let mut jobs = Vec::new();
        while jobs.is_empty() {
            let waiting = self.waiting(most);
            if waiting.is_empty() {
                break;
            }
            for place in waiting {
                match self.allowed(place).and_then(|()| self.job(place).ok_or(UNFORESEEN)) {
                    Ok(job) => jobs.push((Some(place), job)),
                    Err(why) => {
                        self.bounded = Some(why);
                        self.finish(place, State::Void);
                    }
                }
            }
        }
        jobs
    }

    /// A reversed race may need more preemptions than runs may have.
    fn allowed(&self, place: Place) -> Result<(), &'static str> {
        let Some(most) = self.preemptions else { return Ok(()) };
        let way = self.path(Some(place)).into_iter().filter_map(|at| self.past(at));
        if way.filter(|past| past.preempts).count() > most { Err(PREEMPTED) } else { Ok(()) }
    }

    fn waiting(&self, most: usize) -> Vec<Place> {
        let mut found = Vec::new();
        // A node is left when all open entries below it were visited.
        let mut stack: Vec<(usize, usize)> = self.root.map(|root| (root, 0)).into_iter().collect();
        while let Some((node, from)) = stack.pop() {
            let Some(here) = self.get(node) else { continue };
            let open = |(at, e): (usize, &Entry<S::Op>)| match e.state {
                State::Open { node, .. } => Some((at, node)),
                _ => None,
            };
            if let Some((at, below)) = here.entries.iter().enumerate().skip(from).find_map(open) {
                stack.push((node, at + 1));
                stack.push((below, 0));
                continue;
            }
            for (entry, e) in here.entries.iter().enumerate() {
                if found.len() == most {
                    return found;
                }
                if matches!(e.state, State::Waiting { .. }) {
                    found.push(Place { node, entry });
                }
            }
        }
        found
    }

    /// What is to be executed for an entry; none if it is not possible.
    fn job(&mut self, place: Place) -> Option<Job<S::Op>> {
        let sleeps = self.reduction.sleeps();
        let node = self.node(place.node)?;
        let taken = node.entries[place.entry].taken.clone();
        // A reversed race has come here from elsewhere.
        let taken = match &node.before {
            None => taken,
            Some(before) if before.outcomes(taken.who, &taken.op).contains(&taken.outcome) => {
                let touched = before.touches(taken.who, &taken.op, taken.outcome);
                Transition { touched, ..taken }
            }
            Some(_) => return None,
        };
        let earlier = node.entries[..place.entry].iter().filter(|e| !matches!(e.state, State::Void));
        let all: Vec<_> = node.sleep.iter().chain(earlier.map(|e| &e.taken)).cloned().collect();
        let sleep = if sleeps { still_asleep(&all, &taken) } else { Vec::new() };
        let entry = &mut node.entries[place.entry];
        entry.taken = taken;
        let state = std::mem::replace(&mut entry.state, State::Done);
        let State::Waiting { guide } = state else { return None };
        entry.state = State::Running { fresh: guide.is_empty(), late: Vec::new() };
        let way = self.path(Some(place)).into_iter().filter_map(|at| self.past(at)).collect();
        Some(Job { way, sleep, guide })
    }

    fn past(&self, at: Place) -> Option<Past<S::Op>> {
        let node = self.get(at.node)?;
        let taken = node.entries.get(at.entry)?.taken.clone();
        let preempts = node.running.is_some_and(|who| who != taken.who);
        Some(Past { taken, blocked: node.blocked.clone(), preempts })
    }

    /// The entries from the root to one.
    fn path(&self, mut place: Option<Place>) -> Vec<Place> {
        let mut path = Vec::new();
        while let Some(at) = place {
            path.push(at);
            place = self.get(at.node).and_then(|n| n.above);
        }
        path.reverse();
        path
    }

    /// Puts what a run has reached behind its entry; the path of the run.
    pub(super) fn attach<Known>(&mut self, place: Option<Place>, ran: &mut Ran<S, Known>) -> Vec<Place> {
        let mut path = self.path(place);
        let mut ops = std::mem::take(&mut ran.ops).into_iter();
        for (at, edges) in path.iter().zip(std::mem::take(&mut ran.edges)) {
            let op = ops.next();
            let Some(entry) = self.entry(*at) else { continue };
            entry.edges = edges;
            if let Some(op) = op {
                entry.taken.op = op;
            }
        }
        let mut above = place;
        for reached in std::mem::take(&mut ran.reached) {
            let node = self.add(reached, above);
            self.open(above, node);
            let here = Place { node, entry: 0 };
            path.push(here);
            above = Some(here);
        }
        path
    }

    fn add(&mut self, reached: Reached<S>, above: Option<Place>) -> usize {
        let Reached { before, taken, fresh, others, sleep, edges, blocked, running } = reached;
        let state = State::Running { fresh, late: Vec::new() };
        let first = Entry { taken, edges, state };
        let entries = std::iter::once(first).chain(others.into_iter().map(waiting)).collect();
        let node = Node { before, sleep, entries, blocked, running, above };
        match self.free.pop() {
            Some(at) => {
                self.nodes[at] = Some(node);
                at
            }
            None => {
                self.nodes.push(Some(node));
                self.nodes.len() - 1
            }
        }
    }

    /// The state behind an entry is known; what came for it meanwhile is put in.
    fn open(&mut self, above: Option<Place>, node: usize) {
        let Some(entry) = above.and_then(|at| self.entry(at)) else {
            self.root = Some(node);
            return;
        };
        let state = std::mem::replace(&mut entry.state, State::Done);
        let State::Running { fresh, late } = state else { return };
        entry.state = State::Open { node, fresh };
        for sequence in late {
            self.insert(node, sequence);
        }
    }

    /// A sequence that is to be explored from a state, unless that happens anyway.
    pub(super) fn insert(&mut self, mut node: usize, mut sequence: Vec<Transition<S::Op>>) {
        while let Some(here) = self.node(node) {
            let done = here.entries.iter().filter(|e| matches!(e.state, State::Done)).map(|e| &e.taken);
            if here.sleep.iter().chain(done).any(|s| weak_initial(s, &sequence)) {
                return;
            }
            let mut below = None;
            for entry in here.entries.iter_mut().filter(|e| !matches!(e.state, State::Done | State::Void)) {
                match behind(&entry.taken, sequence) {
                    Err(same) => sequence = same,
                    Ok(rest) => {
                        below = Some((entry, rest));
                        sequence = Vec::new();
                        break;
                    }
                }
            }
            let Some((entry, rest)) = below else {
                here.entries.extend(chain(sequence).map(waiting));
                return;
            };
            if rest.is_empty() {
                return;
            }
            match &mut entry.state {
                State::Waiting { guide } if !guide.is_empty() => return insert(guide, rest),
                State::Running { fresh: false, late } => return late.push(rest),
                State::Open { node: next, fresh: false } => (node, sequence) = (*next, rest),
                _ => return,
            }
        }
    }

    /// The run of an entry is over and everything about it is in the tree.
    pub(super) fn done(&mut self, path: &[Place]) {
        if let Some(last) = path.last() {
            self.finish(*last, State::Done);
        }
    }

    /// Removes states in which nothing is left to do.
    fn finish(&mut self, mut place: Place, state: State<S::Op>) {
        if let Some(entry) = self.entry(place) {
            entry.state = state;
        }
        loop {
            self.close_later(place);
            let Some(node) = self.get(place.node) else { return };
            let above = node.above;
            if !node.is_over() || above.is_some_and(|above| self.may_get_more(above)) {
                return;
            }
            self.remove(place.node);
            let Some(above) = above else {
                self.root = None;
                return;
            };
            if let Some(entry) = self.entry(above) {
                entry.state = State::Done;
            }
            place = above;
        }
    }

    /// Whether a sequence may still come to what is behind an entry: if it was begun with a guide,
    /// then from runs of earlier entries of its state, which are not over, and in the same way from
    /// above. Such an entry does not cover what begins like it, not yet.
    fn may_get_more(&self, mut place: Place) -> bool {
        while let Some(node) = self.get(place.node) {
            if matches!(node.entries[place.entry].state, State::Open { fresh: true, .. }) {
                return false;
            }
            if !node.entries[..place.entry].iter().all(Entry::is_over) {
                return true;
            }
            match node.above {
                Some(above) => place = above,
                None => return false,
            }
        }
        false
    }

    /// An entry is over, which later ones of its state may have waited for.
    fn close_later(&mut self, place: Place) {
        let entries = self.get(place.node).map_or(0, |n| n.entries.len());
        for entry in place.entry + 1..entries {
            self.close(Place { entry, ..place });
        }
    }

    /// An entry that was begun with a guide: is over if everything behind it is, and nothing more
    /// can come.
    fn close(&mut self, place: Place) {
        let Some(entry) = self.get(place.node).map(|n| &n.entries[place.entry]) else { return };
        let State::Open { node, fresh: false } = entry.state else { return };
        let entries = self.get(node).map_or(0, |n| n.entries.len());
        (0..entries).for_each(|entry| self.close(Place { node, entry }));
        if self.get(node).is_some_and(Node::is_over) && !self.may_get_more(place) {
            self.remove(node);
            if let Some(entry) = self.entry(place) {
                entry.state = State::Done;
            }
        }
    }

    fn remove(&mut self, node: usize) {
        self.nodes[node] = None;
        self.free.push(node);
    }

    /// Which part of the tree is finished, if all entries of a state are of one size.
    pub(super) fn coverage(&self) -> f64 {
        let Some(root) = self.root else { return if self.begun { 1.0 } else { 0.0 } };
        let mut covered = 0.0;
        let mut stack = vec![(root, 1.0)];
        while let Some((node, weight)) = stack.pop() {
            let Some(here) = self.get(node) else { continue };
            let share = weight / here.entries.len().max(1) as f64;
            for entry in &here.entries {
                match entry.state {
                    State::Done => covered += share,
                    State::Open { node, .. } => stack.push((node, share)),
                    _ => {}
                }
            }
        }
        covered
    }
}

fn waiting<Op>(branch: Branch<Op>) -> Entry<Op> {
    let Branch { transition, children } = branch;
    Entry { taken: transition, edges: Edges::new(), state: State::Waiting { guide: children } }
}
