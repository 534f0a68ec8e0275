//! Objects that were not made for several processes, and that two of them use: undefined by POSIX,
//! and on Linux who waits in one process is not woken by another.
//!
//! Only what lies in memory that both see: the child of a fork has copies of the rest.

use super::Execution;
use super::names::SHARED;
use crate::operation::{Key, Pending, Tid};
use crate::protocol::{self as p, Request};
use explore::stateless::{Failure, Kind};

const ATTRIBUTE: &str = "no PTHREAD_PROCESS_SHARED";

/// What an operation is on, and what makes that private.
pub(super) fn object(op: u32) -> Option<(&'static str, &'static str)> {
    match op {
        p::OP_MUTEX_INIT..=p::OP_MUTEX_CONSISTENT => Some(("mutex", ATTRIBUTE)),
        p::OP_COND_INIT..=p::OP_COND_BROADCAST => Some(("condition variable", ATTRIBUTE)),
        p::OP_SEM_INIT..=p::OP_SEM_GETVALUE => Some(("semaphore", "sem_init with pshared 0")),
        p::OP_RW_INIT..=p::OP_RW_UNLOCK => Some(("read-write lock", ATTRIBUTE)),
        p::OP_BARRIER_INIT..=p::OP_BARRIER_WAIT => Some(("barrier", ATTRIBUTE)),
        p::OP_ONCE => Some(("once control", "as all of them are")),
        _ => None,
    }
}

pub(super) fn begins_or_ends(op: u32) -> bool {
    let begins = [p::OP_MUTEX_INIT, p::OP_COND_INIT, p::OP_SEM_INIT, p::OP_RW_INIT, p::OP_BARRIER_INIT];
    let ends =
        [p::OP_MUTEX_DESTROY, p::OP_COND_DESTROY, p::OP_SEM_DESTROY, p::OP_RW_DESTROY, p::OP_BARRIER_DESTROY];
    begins.contains(&op) || ends.contains(&op)
}

impl Execution {
    /// A thread comes to an operation, on one object or two.
    pub(super) fn check_private(&mut self, who: Tid, request: &Request, op: &Pending) {
        let Some(first) = object(request.op) else { return };
        if begins_or_ends(request.op) {
            self.private.remove(&op.key());
            return;
        }
        let mutex = op.second().and_then(|key| Some((key, object(p::OP_MUTEX_LOCK)?)));
        let all = [(1, Some((op.key(), first))), (2, mutex)];
        for (twice, object) in all {
            let Some((key, named)) = object.filter(|(key, _)| key.space & SHARED != 0) else { continue };
            if request.c & (twice * p::FRESH) != 0 {
                self.private.remove(&key);
            }
            if request.c & (twice * p::PRIVATE) != 0 {
                self.use_private(who, key, named);
            }
        }
    }

    fn use_private(&mut self, who: Tid, key: Key, (name, why): (&str, &str)) {
        let process = self.process_of(who);
        let owner = *self.private.entry(key).or_insert(process);
        if owner != process {
            let what = format!(
                "{}: a {name} that is private to one process ({why}), and process {owner} uses it too",
                self.called(who)
            );
            self.fail(Failure::new(Kind::Misuse, what));
        }
    }
}
