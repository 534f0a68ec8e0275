//! Identities that the C library and the kernel give out: addresses of blocks, mappings and
//! streams, handles and numbers of threads, processes and timers.
//!
//! Which one a call gets depends on what other threads got and gave back before. Such calls are
//! not dependent to the search: two orders are one run. A program may nevertheless compare what it
//! got (a pointer that comes back in a lock-free list, the lower of two process numbers). So it is
//! found out whether two calls of one class, at least one of which gets something, have no order.
//! If so, the answer says what it assumes.
//!
//! Of each thread the last call of each sort suffices: what is unordered with an earlier one is
//! unordered with the last one.

use super::Execution;
use super::races::{Clock, at};
use crate::operation::Tid;
use std::collections::BTreeMap;

/// What the answer then assumes.
const IDENTITIES: &str = "no decision depends on which addresses, handles, process, thread or timer \
                          numbers the system gives out: threads get them in no order";

/// Handles of threads, in each process. The classes below are those of `enum weave_identity`.
const THREADS: u64 = 100;
/// Numbers of threads and processes, one class for all.
const NUMBERS: u64 = 101;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// The call hands out an identity.
    Gets,
    /// The call gives an identity back, which may be handed out again.
    GivesBack,
}

/// Of which process and class identities are, and who called.
type Caller = (u64, u64, Tid);

/// When each thread last called.
#[derive(Debug, Default)]
pub(super) struct Identities {
    got: BTreeMap<Caller, u32>,
    gave: BTreeMap<Caller, u32>,
}

impl Identities {
    /// A thread with this clock gets or gives back an identity; whether a call of another thread
    /// has no order with it, and their order decides about identities.
    pub(super) fn call(&mut self, (process, class, who): Caller, clock: &Clock, call: Call) -> bool {
        let unordered = |calls: &BTreeMap<Caller, u32>| {
            let of_others = calls.range((process, class, 0)..=(process, class, Tid::MAX));
            of_others.into_iter().any(|((.., other), when)| *other != who && at(clock, *other) < *when)
        };
        let met = unordered(&self.got) || call == Call::Gets && unordered(&self.gave);
        let calls = if call == Call::Gets { &mut self.got } else { &mut self.gave };
        calls.insert((process, class, who), at(clock, who));
        met
    }
}

impl Execution {
    /// A thread gets or gives back an identity of its process.
    pub(super) fn identity(&mut self, who: Tid, class: u64, call: Call) {
        let process = if class == NUMBERS { 0 } else { self.process_of(who) };
        if self.detector.identity(process, class, self.runner(who), call) {
            self.assumes.insert(IDENTITIES.to_string());
        }
    }

    /// A thread makes a thread, or a process.
    pub(super) fn identity_of_child(&mut self, who: Tid, forked: bool) {
        self.identity(who, NUMBERS, Call::Gets);
        if !forked {
            self.identity(who, THREADS, Call::Gets);
        }
    }

    /// A thread joins another, whose handle may be given out again.
    pub(super) fn identity_of_joined(&mut self, who: Tid) {
        self.identity(who, THREADS, Call::GivesBack);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_calls_without_an_order_meet_if_one_gets_something() {
        for (first, second, meet) in [
            (Call::Gets, Call::Gets, true),
            (Call::Gets, Call::GivesBack, true),
            (Call::GivesBack, Call::Gets, true),
            (Call::GivesBack, Call::GivesBack, false),
        ] {
            let mut all = Identities::default();
            assert!(!all.call((0, 0, 1), &vec![0, 3, 0], first));
            assert!(!all.call((0, 0, 2), &vec![0, 3, 1], second), "it comes behind");
            assert!(!all.call((9, 0, 2), &vec![0, 0, 1], second), "another process");
            assert!(!all.call((0, 1, 2), &vec![0, 0, 1], second), "another class");
            assert_eq!(all.call((0, 0, 3), &vec![0, 2, 1, 1], second), meet, "{first:?}, {second:?}");
        }
    }
}
