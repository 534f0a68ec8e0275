//! What happened before what in a run: vector clocks over the dependency relation and the order of
//! creation and join.

use super::{Edges, Transition};
use objects::{Tid, dependent};

/// For each thread, how many of its transitions have happened before.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Vec<u32>);

impl Clock {
    pub(super) fn get(&self, who: Tid) -> u32 {
        self.0.get(who).copied().unwrap_or(0)
    }

    fn set(&mut self, who: Tid, value: u32) {
        if self.0.len() <= who {
            self.0.resize(who + 1, 0);
        }
        self.0[who] = value;
    }

    fn join(&mut self, other: &Clock) {
        for (who, value) in other.0.iter().enumerate() {
            if *value > self.get(who) {
                self.set(who, *value);
            }
        }
    }
}

/// The clocks of a run.
pub(super) struct Clocks {
    /// Before a transition: program order, creation and join alone.
    pub(super) before: Vec<Clock>,
    pub(super) after: Vec<Clock>,
    /// The place of a transition among those of its thread, from 1.
    pub(super) number: Vec<u32>,
    /// Of each thread at the end.
    pub(super) last: Vec<Clock>,
}

fn follow(threads: &mut Vec<Clock>, edges: &[(Tid, Tid)]) {
    for &(from, to) in edges {
        let earlier = at(threads, from).clone();
        at(threads, to).join(&earlier);
    }
}

fn at(threads: &mut Vec<Clock>, who: Tid) -> &mut Clock {
    if threads.len() <= who {
        threads.resize(who + 1, Clock::default());
    }
    &mut threads[who]
}

/// A transition of a run, and the order between threads that came with it.
pub(super) type Happened<'a, Op> = (&'a Transition<Op>, &'a Edges);

pub(super) fn clocks<Op>(beginning: &[(Tid, Tid)], path: &[Happened<'_, Op>]) -> Clocks {
    let mut threads: Vec<Clock> = Vec::new();
    let mut clocks = Clocks { before: Vec::new(), after: Vec::new(), number: Vec::new(), last: Vec::new() };
    follow(&mut threads, beginning);
    for (index, (taken, edges)) in path.iter().enumerate() {
        let who = taken.who;
        let before = at(&mut threads, who).clone();
        let mut now = before.clone();
        for earlier in (0..index).rev() {
            let other = path[earlier].0;
            let known = now.get(other.who) >= clocks.number[earlier];
            if !known && other.who != who && dependent(&other.touched, &taken.touched) {
                now.join(&clocks.after[earlier]);
            }
        }
        let number = before.get(who) + 1;
        now.set(who, number);
        *at(&mut threads, who) = now.clone();
        clocks.before.push(before);
        clocks.after.push(now);
        clocks.number.push(number);
        follow(&mut threads, edges);
    }
    clocks.last = threads;
    clocks
}

impl Clocks {
    /// Whether one transition happened before (or is) another.
    pub(super) fn ordered(&self, who: Tid, earlier: usize, later: usize) -> bool {
        self.after[later].get(who) >= self.number[earlier]
    }
}
