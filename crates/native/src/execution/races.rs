//! Data races: accesses to the same memory, one of them a write and one of them plain, that nothing orders.
//!
//! Vector clocks in the manner of FastTrack (Flanagan, Freund, PLDI 2009), over the order that the dependency relation gives to the
//! transitions of the run. That order is more than synchronisation gives (two waits on a semaphore are ordered by it), but every
//! order of dependent transitions is explored, so that accesses which can be adjacent in some run are unordered in one that is seen.
//!
//! **Accesses that are transitions** (atomic ones, and plain ones that were found to race) are in the history like the others. They
//! order what comes behind them, but a plain one is compared before it learns from other plain ones: so the first race of a run is
//! seen whatever is visible.
//!
//! **Handlers of signals** run between transitions here, and anywhere in a program. So a handler is a thread of its own: behind what
//! its signal was sent behind, and behind what it interrupts but for the *part* that came last, since its last transition. What both
//! access becomes visible, so that the handler runs between. In the same way, a process that is killed has surely done all but its
//! last part.

use super::history::{Access, History, Meeting};
use super::ordered::Ordered;
use crate::operation::{Tid, Touch};
use std::collections::BTreeMap;

pub(super) type Clock = Vec<u32>;

pub(super) fn at(clock: &Clock, who: Tid) -> u32 {
    clock.get(who).copied().unwrap_or(0)
}

pub(super) fn join(into: &mut Clock, other: &Clock) {
    if into.len() < other.len() {
        into.resize(other.len(), 0);
    }
    into.iter_mut().zip(other).for_each(|(a, b)| *a = (*a).max(*b));
}

fn tick(clock: &mut Clock, who: Tid) {
    if clock.len() <= who {
        clock.resize(who + 1, 0);
    }
    clock[who] += 1;
}

/// The detector of one run.
#[derive(Debug, Default)]
pub(super) struct Detector {
    threads: BTreeMap<Tid, Clock>,
    /// When the part of a thread before its last transition began, and the one behind it.
    parts: BTreeMap<Tid, [u32; 2]>,
    /// What the last transition came to know.
    learnt: Clock,
    objects: Ordered,
    memory: History,
}

impl Detector {
    pub(super) fn clock(&mut self, who: Tid) -> &mut Clock {
        self.threads.entry(who).or_insert_with(|| {
            let mut clock = Clock::new();
            tick(&mut clock, who);
            clock
        })
    }

    /// What the first thread did so far comes before what the second does from now on.
    pub(super) fn order(&mut self, from: Tid, to: Tid) {
        let earlier = self.clock(from).clone();
        join(self.clock(to), &earlier);
        tick(self.clock(from), from);
    }

    /// A transition: after all that it depends on. If it is an access to memory, the races that it is part of.
    pub(super) fn transition(
        &mut self,
        who: Tid,
        touched: &[Touch],
        access: Option<&Access>,
    ) -> Vec<Meeting> {
        let plain = access.is_some_and(|a| !a.is_atomic());
        let (mut learnt, by_plain) = self.objects.before(touched);
        let mut now = self.clock(who).clone();
        join(&mut now, &learnt);
        let met = access.map(|a| self.memory.access(who, &now, a)).unwrap_or_default();
        join(&mut learnt, &by_plain);
        join(&mut now, &by_plain);
        self.learnt = learnt;
        self.objects.done(touched, plain, &now);
        tick(&mut now, who);
        self.parts.insert(who, [self.part(who)[1], at(&now, who)]);
        *self.clock(who) = now;
        met
    }

    fn part(&self, who: Tid) -> [u32; 2] {
        self.parts.get(&who).copied().unwrap_or([1, 1])
    }

    /// The last transition of a thread lets a handler run, which was sent by the thread itself or not.
    pub(super) fn interrupt(&mut self, who: Tid, handler: Tid, itself: bool) {
        let mut clock = self.clock(who).clone();
        if !itself {
            clock[who] = at(&self.learnt, who).max(self.part(who)[0] - 1);
        }
        let earlier = self.clock(handler).clone();
        join(&mut clock, &earlier);
        tick(&mut clock, handler);
        let now = at(&clock, handler);
        self.parts.insert(handler, [now, now]);
        self.threads.insert(handler, clock);
    }

    /// The handler has returned; whether the thread goes on, or still stands where it stood.
    pub(super) fn resume(&mut self, who: Tid, handler: Tid, runs: bool) {
        let done = self.clock(handler).clone();
        join(self.clock(who), &done);
        tick(self.clock(handler), handler);
        if !runs {
            let part = self.part(who)[0];
            self.parts.insert(who, [part, part]);
        }
    }

    /// As [`Detector::order`], of a thread that was stopped somewhere in its last part.
    pub(super) fn order_killed(&mut self, from: Tid, to: Tid) {
        let mut earlier = self.clock(from).clone();
        earlier[from] = self.part(from)[1] - 1;
        join(self.clock(to), &earlier);
    }

    /// An access that is no transition; the races it is part of.
    pub(super) fn access(&mut self, who: Tid, access: &Access) -> Vec<Meeting> {
        let clock = self.clock(who).clone();
        self.memory.access(who, &clock, access)
    }

    /// A thread gets memory that was in use before: what was done to it concerns only those who do not know that.
    pub(super) fn renew(&mut self, who: Tid, space: u64, start: u64, size: u32) {
        let when = at(self.clock(who), who);
        self.memory.renew((who, when), space, start..start.saturating_add(size.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Class;

    fn plain(pc: u64, write: bool) -> Plain {
        Plain { at: 64, size: 4, write, pc }
    }

    #[test]
    fn unordered_accesses_race_and_ordered_ones_do_not() {
        let lock = [Key::new(Class::Sync, 0, 8).touch(Access::Change)];
        let mut d = Detector::default();
        assert_eq!(d.access(1, 0, 64, &plain(1, true)), []);
        assert_eq!(d.access(2, 0, 64, &plain(2, false)).len(), 1, "a write and a read");
        let mut d = Detector::default();
        d.access(1, 0, 64, &plain(1, false));
        assert_eq!(d.access(2, 0, 64, &plain(2, false)), [], "two reads");
        assert_eq!(d.access(3, 0, 68, &plain(3, true)), [], "beside it");
        assert_eq!(d.access(3, 1, 64, &plain(3, true)), [], "another process");
        let mut d = Detector::default();
        d.transition(1, &lock);
        d.access(1, 0, 64, &plain(1, true));
        d.transition(1, &lock);
        d.transition(2, &lock);
        assert_eq!(d.access(2, 0, 64, &plain(2, true)), [], "under the same lock");
        let mut d = Detector::default();
        d.access(1, 0, 64, &plain(1, true));
        d.order(1, 2);
        assert_eq!(d.access(2, 0, 64, &plain(2, true)), [], "created behind it");
        d.access(1, 0, 64, &plain(3, true));
        assert_eq!(d.access(2, 0, 64, &plain(4, true)).len(), 1, "not ordered by creation");
    }

    #[test]
    fn long_ranges_are_met_at_their_far_end() {
        let (wide, far) = (Plain { at: 0, size: 1 << 20, write: true, pc: 1 }, (1 << 20) - 4);
        let mut d = Detector::default();
        assert_eq!(d.access(1, 0, 0, &wide), []);
        assert_eq!(d.access(2, 0, far, &plain(2, false)).len(), 1, "a short access behind a long one");
        assert_eq!(d.access(2, 0, far + 4, &plain(2, false)), [], "just outside");
        let mut d = Detector::default();
        d.access(2, 0, far, &plain(2, false));
        assert_eq!(d.access(1, 0, 0, &wide).len(), 1, "a long one behind a short one");
        assert_eq!(d.access(3, 0, 64, &Plain { pc: 3, ..wide }).len(), 2, "two long ones, and the short one");
    }

    #[test]
    fn posts_order_what_waits() {
        let semaphore = Key::new(Class::Sync, 0, 8);
        let mut d = Detector::default();
        d.access(1, 0, 64, &plain(1, true));
        d.transition(1, &[semaphore.touch(Access::Post)]);
        d.transition(2, &[semaphore.touch(Access::Post)]);
        assert_eq!(d.access(2, 0, 64, &plain(2, true)).len(), 1, "posts do not order posts");
        d.transition(3, &[semaphore.touch(Access::Change)]);
        let races = d.access(3, 0, 64, &plain(3, true));
        let with: Vec<u64> = races.iter().map(|m| m.race.first).collect();
        assert_eq!(
            with,
            [2],
            "a wait comes after what was done before the posts, not after what came behind"
        );
    }

    #[test]
    fn a_handler_meets_what_came_last() {
        let signal = [Key::new(Class::Sync, 0, 8).touch(Access::Change)];
        let other = [Key::new(Class::Sync, 0, 16).touch(Access::Change)];
        let (thread, handler) = (1, 9);
        let mut d = Detector::default();
        d.access(thread, 0, 64, &plain(1, true));
        d.transition(thread, &other);
        d.access(thread, 0, 72, &plain(2, true));
        d.transition(2, &signal);
        d.transition(thread, &signal);
        d.interrupt(thread, handler, false);
        assert_eq!(d.access(handler, 0, 64, &plain(3, false)), [], "that was before the last transition");
        let met: Vec<Tid> = d.access(handler, 0, 72, &plain(4, false)).iter().map(|m| m.with).collect();
        assert_eq!(met, [thread]);
        d.access(handler, 0, 80, &plain(5, true));
        d.resume(thread, handler, true);
        assert_eq!(d.access(thread, 0, 80, &plain(6, true)), [], "the handler is over");
    }

    #[test]
    fn a_handler_is_behind_what_its_signal_is_sent_behind() {
        let signal = [Key::new(Class::Sync, 0, 8).touch(Access::Change)];
        let mut d = Detector::default();
        d.access(1, 0, 64, &plain(1, true));
        d.transition(1, &signal);
        d.interrupt(1, 9, true);
        assert_eq!(d.access(9, 0, 64, &plain(2, true)), [], "sent by itself");
        let mut d = Detector::default();
        d.access(1, 0, 64, &plain(1, true));
        d.order(1, 2);
        d.transition(2, &signal);
        d.transition(1, &signal);
        d.interrupt(1, 9, false);
        assert_eq!(d.access(9, 0, 64, &plain(2, true)), [], "sent by who was created behind it");
    }

    #[test]
    fn who_is_killed_may_not_have_done_what_came_last() {
        let other = [Key::new(Class::Sync, 0, 16).touch(Access::Change)];
        let mut d = Detector::default();
        d.access(1, 0, 64, &plain(1, true));
        d.transition(1, &other);
        d.access(1, 0, 72, &plain(2, true));
        d.order_killed(1, 2);
        assert_eq!(d.access(2, 0, 64, &plain(3, false)), []);
        assert_eq!(d.access(2, 0, 72, &plain(4, false)).len(), 1);
    }
}
