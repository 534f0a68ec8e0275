//! Time that orders (`--time ordered`): what a thread does takes no time, sleeping takes as long as
//! it says, and no thread goes on that would come later than another can.
//!
//! So a run is a sequence of moments. In each, those who are ready by then go on, in every order,
//! until none of them can; then time passes until the next who is ready can. Each moment is a
//! system of its own for the reductions: a thread that is not ready takes no part in it, and what
//! is blocked at its end could have gone on earlier in it, which is what races are reversed for
//! ([`crate::search`]). Timed operations give up when their time is up: the choice not to time out
//! leads nowhere beyond that moment.
//!
//! Real schedulers promise nothing of this. Every run here is a run of the program, but not every
//! run of the program is one here.

use super::{Execution, State};
use crate::operation::{Op, Outcome, Tid};
use crate::protocol::Request;
use crate::search::Semantics;

impl Execution {
    /// How long the thread has slept so far.
    pub(super) fn note_time(&mut self, who: Tid, request: &Request) {
        if self.options.ordered {
            let thread = self.thread(who);
            thread.time = thread.time.max(request.time);
        }
    }

    /// The outcomes of an operation as soon as its thread is ready.
    pub(super) fn outcomes_some_time(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        if op.ready <= self.model.now {
            return self.model.outcomes(who, op);
        }
        self.model.outcomes(who, &Op { ready: 0, ..op.clone() })
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
