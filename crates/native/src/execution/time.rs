//! Time. Clocks never go back for threads that know of each other, and sleeping orders nothing.
//!
//! Time that orders (`--time ordered`): what a thread does takes no time, sleeping takes as long as
//! it says, and no thread goes on that would come later than another can.
//!
//! So a run is a sequence of moments. In each, those who are ready by then go on, in every order,
//! until none of them can; then time passes until the next who is ready can. Each moment is a
//! system of its own for the reductions: a thread that is not ready takes no part in it, and what
//! is blocked at its end could have gone on earlier in it, which is what races are reversed for
//! ([`explore::stateless`]). Timed operations give up when their time is up: the choice not to time
//! out leads nowhere beyond that moment.
//!
//! Real schedulers promise nothing of this. Every run here is a run of the program, but not every
//! run of the program is one here.

use super::{Execution, State};
use crate::objects::{choice, timer};
use crate::operation::{Access, Footprint, Key, ObjectAccess, Operation, Outcome, Pending, Tid};
use crate::protocol::Request;
use objects::Object;
use std::collections::BTreeMap;

impl Execution {
    /// What the clock of a thread shows; if sleeping orders: how long it has slept so far.
    pub(super) fn note_time(&mut self, who: Tid, request: &Request) {
        let thread = self.thread(who);
        thread.time = thread.time.max(request.time);
        thread.limit = request.until;
    }

    /// A clock shows at least what others showed that its thread comes behind. If sleeping orders,
    /// moments do that.
    pub(super) fn order_clocks(&mut self, from: Tid, to: Tid) {
        let time = self.threads.get(&from).map_or(0, |t| t.time);
        if !self.options.ordered && time > 0 {
            let to = self.thread(to);
            to.time = to.time.max(time);
        }
    }

    /// A transition comes behind others that it depends on, and so does its clock. That of an
    /// operation that has timed out has come to its limit.
    pub(super) fn pass_clock(&mut self, who: Tid, op: &Pending, outcome: Outcome) {
        if self.options.ordered {
            return;
        }
        let timed = matches!(&op.operation,
            Operation::Choice(choice @ choice::Op::Before(_)) if !choice.is_spurious());
        let times_out = timed && outcome == 1;
        let thread = self.thread(who);
        if times_out {
            thread.time = thread.time.max(thread.limit);
        }
        let time = thread.time;
        if time == 0 && self.shown.is_empty() {
            return;
        }
        let touched = self.model.touches(who, op, outcome);
        let time = time.max(self.shown.before(&touched));
        self.shown.enter(&touched, time);
        let thread = self.thread(who);
        // A timer runs from when it is set, which others may have made later.
        if matches!(op.operation, Operation::Timer(timer::Op::Set { .. })) {
            thread.limit += time - thread.time;
        }
        thread.time = time;
    }

    /// The outcomes of an operation as soon as its thread is ready.
    pub(super) fn outcomes_some_time(&self, who: Tid, op: &Pending) -> Vec<Outcome> {
        if op.ready <= self.model.now {
            return self.model.outcomes(who, op);
        }
        self.model.outcomes(who, &Pending { ready: 0, ..op.clone() })
    }

    /// If no thread that is ready can go on: to the moment when one can, unless the time of a
    /// waiting operation is up before.
    pub(super) fn pass_time(&mut self) {
        if !self.options.ordered {
            return;
        }
        let waiting = self.threads.iter().filter_map(|(who, t)| match &t.state {
            State::Pending(op) if self.counts(*who, op) => Some((*who, &**op)),
            _ => None,
        });
        let (mut next, mut limit) = (u64::MAX, u64::MAX);
        for (who, op) in waiting {
            if !self.outcomes_some_time(who, op).is_empty() {
                next = next.min(op.ready);
            } else if op.expires && op.until > 0 {
                limit = limit.min(op.until);
            }
        }
        if next != u64::MAX && next <= limit {
            self.model.now = self.model.now.max(next);
        }
    }
}

/// What clocks showed at most when objects were touched, by the way they were.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// By where an object begins and how long it is.
    all: BTreeMap<(Key, u64), [u64; 3]>,
    longest: u64,
}

impl Shown {
    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// What they showed at touches that these depend on.
    fn before(&self, touched: &Footprint) -> u64 {
        let of_one = |touch: &ObjectAccess| {
            let (start, end) = range(touch);
            let from = Key { at: start.saturating_sub(self.longest), ..touch.key };
            let near = self.all.range((from, 0)..(Key { at: end, ..touch.key }, 0));
            let met = near.filter(|((key, length), _)| key.at.saturating_add(*length) > start);
            met.map(|(_, times)| depends(touch.access, times)).max().unwrap_or(0)
        };
        touched.iter().map(of_one).max().unwrap_or(0)
    }

    fn enter(&mut self, touched: &Footprint, time: u64) {
        for touch in touched {
            let (start, end) = range(touch);
            self.longest = self.longest.max(end - start);
            let times = self.all.entry((touch.key, end - start)).or_default();
            let at = &mut times[way(touch.access)];
            *at = time.max(*at);
        }
    }
}

fn range(touch: &ObjectAccess) -> (u64, u64) {
    (touch.key.at, touch.key.at.saturating_add(u64::from(touch.length).max(1)))
}

fn way(access: Access) -> usize {
    match access {
        Access::Read => 0,
        Access::Post => 1,
        Access::Change => 2,
    }
}

/// Two reads do not depend on each other, nor do two posts.
fn depends(access: Access, times: &[u64; 3]) -> u64 {
    let others = (0..3).filter(|other| access == Access::Change || *other != way(access));
    others.map(|other| times[other]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Class;

    fn touch(at: u64, length: u32, access: Access) -> Footprint {
        vec![ObjectAccess { key: Key::new(Class::Memory, 7, at), length, access }]
    }

    #[test]
    fn clocks_pass_along_what_depends() {
        let mut shown = Shown::default();
        shown.enter(&touch(0, 8, Access::Change), 5);
        shown.enter(&touch(16, 4, Access::Read), 9);
        assert_eq!(shown.before(&touch(7, 1, Access::Read)), 5);
        assert_eq!(shown.before(&touch(8, 8, Access::Change)), 0);
        assert_eq!(shown.before(&touch(18, 8, Access::Read)), 0);
        assert_eq!(shown.before(&touch(0, 32, Access::Change)), 9);
    }
}
