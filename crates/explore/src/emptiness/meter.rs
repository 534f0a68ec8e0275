//! Limits held against what a search uses, and the watcher shown its progress, now and then.

use crate::limits::{Limits, Listener, Progress, Stop};
use std::ops::ControlFlow;

pub(super) struct Meter<'a, W> {
    limits: Limits,
    watch: &'a mut W,
    next: u64,
}

/// How many steps lie between two looks at the watch.
const LOOK_EVERY: u64 = 4096;

impl<'a, W: Listener> Meter<'a, W> {
    pub fn new(limits: Limits, watch: &'a mut W) -> Self {
        Meter { limits, watch, next: 0 }
    }

    pub fn is_too_deep(&self, depth: usize) -> bool {
        self.limits.depth.is_some_and(|limit| depth as u64 >= limit)
    }

    /// To be asked after each state that is expanded; `progress` is made only when it is needed.
    pub fn look(
        &mut self,
        states: usize,
        transitions: u64,
        progress: impl FnOnce() -> Progress,
    ) -> ControlFlow<Stop> {
        if self.limits.states.is_some_and(|limit| states as u64 > limit) {
            return ControlFlow::Break(Stop::States);
        }
        if transitions < self.next {
            return ControlFlow::Continue(());
        }
        self.next = transitions + LOOK_EVERY;
        self.show(&progress())
    }

    /// The same, at once and without counting.
    pub fn show(&mut self, progress: &Progress) -> ControlFlow<Stop> {
        self.limits.show(progress, self.watch)
    }
}
