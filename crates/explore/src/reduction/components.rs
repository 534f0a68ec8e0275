//! Terminal maximal strongly connected components of what has been explored (thesis, section 6.5),
//! after Tarjan.
//!
//! For the proviso of Definition 6.15: a component that nothing leaves, and from none of whose
//! states some enabled transition was executed, ignores that transition. Labels tell
//! transitions apart, although a process number may be used again: as long as a transition is put
//! off its process does not move, so its number is its own.

use crate::store::StateId;
use space::Label;

#[derive(Default)]
pub(super) struct Components {
    /// By state: the order of its visit, from 1 on; 0 before it, `CLOSED` when its component is
    /// complete.
    order: Vec<u32>,
    count: u32,
    /// States whose component is not complete, in the order of their visits.
    open: Vec<StateId>,
    /// The labels executed from them, in the order of execution.
    executed: Vec<Label>,
    /// The states on the stack of the search.
    path: Vec<Frame>,
}

struct Frame {
    /// The earliest state of its component that is known.
    low: u32,
    order: u32,
    /// Something leads out of its component.
    is_left: bool,
    open: usize,
    executed: usize,
    /// How many of the labels from `executed` on were its own when it was visited.
    own: usize,
    /// Its labels that were taken up later.
    taken_up: Vec<Label>,
}

/// The root of a terminal component, and what was executed there.
#[derive(Debug, PartialEq)]
pub(super) struct Terminal<'a> {
    first: &'a [Label],
    taken_up: &'a [Label],
    /// The labels executed anywhere in the component.
    pub all: &'a [Label],
}

impl Terminal<'_> {
    /// Whether the label was executed from the root itself.
    pub fn is_own(&self, label: Label) -> bool {
        self.first.contains(&label) || self.taken_up.contains(&label)
    }
}

const CLOSED: u32 = u32::MAX;

impl Components {
    /// A state is visited, for the first time, and these labels are executed from it.
    pub fn enter(&mut self, id: StateId, labels: impl Iterator<Item = Label>) {
        if self.order.len() <= id as usize {
            self.order.resize(id as usize + 1, 0);
        }
        self.count += 1;
        let order = self.count;
        self.order[id as usize] = order;
        let (open, executed) = (self.open.len(), self.executed.len());
        self.open.push(id);
        self.executed.extend(labels);
        let own = self.executed.len() - executed;
        let taken_up = Vec::new();
        self.path.push(Frame { low: order, order, is_left: false, open, executed, own, taken_up });
    }

    /// More is executed from the state on top.
    pub fn execute(&mut self, labels: impl Iterator<Item = Label>) {
        if let Some(top) = self.path.last_mut() {
            let before = top.taken_up.len();
            top.taken_up.extend(labels);
            self.executed.extend(&top.taken_up[before..]);
        }
    }

    /// An edge of the state on top leads to a state visited before.
    pub fn meet(&mut self, id: StateId) {
        let order = self.order[id as usize];
        if let Some(top) = self.path.last_mut() {
            match order {
                CLOSED => top.is_left = true,
                order => top.low = top.low.min(order),
            }
        }
    }

    /// If the state on top, of which all edges have been taken, is the root of a terminal
    /// component: what was executed from it, and in the component.
    pub fn terminal(&self) -> Option<Terminal<'_>> {
        let top = self.path.last()?;
        let all = &self.executed[top.executed..];
        let terminal = Terminal { first: &all[..top.own], taken_up: &top.taken_up, all };
        (top.low == top.order && !top.is_left).then_some(terminal)
    }

    /// The state on top is backtracked.
    pub fn leave(&mut self) {
        let Some(top) = self.path.pop() else { return };
        let is_root = top.low == top.order;
        if is_root {
            for id in self.open.drain(top.open..) {
                self.order[id as usize] = CLOSED;
            }
            self.executed.truncate(top.executed);
        }
        if let Some(below) = self.path.last_mut() {
            below.is_left |= is_root || top.is_left;
            below.low = below.low.min(if is_root { below.low } else { top.low });
        }
    }

    pub fn memory_bytes(&self) -> u64 {
        let words = self.order.capacity() + self.open.capacity() + 2 * self.executed.capacity();
        (4 * words + self.path.capacity() * size_of::<Frame>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(k: usize) -> Label {
        Label(k as u64)
    }

    /// 0 → 1 → 2 → 1, and 0 → 3: {1, 2} and {3} are terminal, {0} is not.
    #[test]
    fn a_component_that_nothing_leaves_is_terminal() {
        let mut c = Components::default();
        c.enter(0, [label(1), label(3)].into_iter());
        c.enter(1, [label(2)].into_iter());
        c.enter(2, [label(1)].into_iter());
        c.meet(1);
        assert_eq!(c.terminal(), None);
        c.leave();
        let (first, all) = (&[label(2)][..], &[label(2), label(1)][..]);
        assert_eq!(c.terminal(), Some(Terminal { first, taken_up: &[], all }));
        c.leave();
        c.enter(3, std::iter::empty());
        assert_eq!(c.terminal(), Some(Terminal { first: &[], taken_up: &[], all: &[] }));
        c.leave();
        assert_eq!(c.terminal(), None);
    }

    /// What is taken up is the root's own, and is not taken up again (0 → 1 → 0, then 0 → 0).
    #[test]
    fn what_is_taken_up_is_executed() {
        let mut c = Components::default();
        c.enter(0, [label(1)].into_iter());
        c.enter(1, [label(2)].into_iter());
        c.meet(0);
        c.leave();
        assert!(!c.terminal().expect("{0, 1} is terminal").is_own(label(3)));
        c.execute([label(3)].into_iter());
        c.meet(0);
        let terminal = c.terminal().expect("it still is");
        assert!(terminal.is_own(label(1)) && terminal.is_own(label(3)));
        assert!(!terminal.is_own(label(2)) && terminal.all.contains(&label(2)));
    }

    /// What leads to a component that is complete leaves its own.
    #[test]
    fn an_edge_to_a_complete_component_leaves() {
        let mut c = Components::default();
        c.enter(0, [label(1), label(2)].into_iter());
        c.enter(1, std::iter::empty());
        c.leave();
        c.enter(2, [label(1)].into_iter());
        c.meet(1);
        assert_eq!(c.terminal(), None);
    }
}
