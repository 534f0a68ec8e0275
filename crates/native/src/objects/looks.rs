//! Calls that tell whether a process has given something back, without waiting for it; and what a
//! process gives back when it ends. See [`crate::execution`], `ends.rs`.

use super::files::Call;
use super::signal::Op as Signal;
use super::{Effect, Model, files, mutex, sysv};
use crate::operation::{Key, Operation, Pending};
use files::locks::How;

impl Model {
    /// What a process gives back when it ends, one after the other; and whether that makes some
    /// semaphore smaller.
    pub(crate) fn given_back(&self, process: u64) -> (Vec<Key>, bool) {
        let mut all = self.owed(process);
        all.extend(self.robust(process));
        all.extend(self.files.given_back(process));
        all.sort_unstable();
        all.dedup();
        (all, self.owes_posts(process))
    }

    /// Whether something that an end has given back is back: others may have it, too.
    pub(crate) fn is_back(&self, key: &Key) -> bool {
        self.files.is_given_back(*key)
    }

    /// Whether a call that touches something of the end of a process would have another answer
    /// before that end, instead of waiting for it. `takes`: that end makes a semaphore smaller.
    pub(crate) fn looks(&self, pending: &Pending, effect: &Effect, takes: bool) -> bool {
        match &pending.operation {
            Operation::Mutex(op) => match op.does {
                mutex::Does::TryLock => true,
                mutex::Does::Lock => pending.late,
                _ => false,
            },
            Operation::Condition(_) => pending.late,
            Operation::SysV(op) => match &op.does {
                sysv::Does::Operate(all) => {
                    pending.late || takes || !all.iter().all(sysv::Buffer::only_waits)
                }
                sysv::Does::Remove | sysv::Does::Query { .. } => false,
                _ => true,
            },
            Operation::File(op) => match &op.call {
                Call::Read { .. } => effect.result <= 0 && (pending.late || !self.files.waits_in(op)),
                Call::Write { .. } => effect.result < 0,
                Call::Poll { forever, .. } | Call::EpollWait { forever, .. } => {
                    !forever || pending.late || effect.result > 1
                }
                _ => false,
            },
            Operation::FileLock(op) => match op.how {
                How::Query { .. } => true,
                How::Unlock => false,
                How::Shared | How::Exclusive => op.at_once || pending.late,
            },
            Operation::Fifo(_) | Operation::Name(_) => true,
            _ => false,
        }
    }

    /// Whether a call that touches something of the end of a process tells that it was given back.
    pub(crate) fn learns(&self, pending: &Pending, effect: &Effect) -> bool {
        match &pending.operation {
            Operation::File(op) => match &op.call {
                Call::Read { .. } => effect.result <= 0,
                Call::Write { .. } => effect.result < 0,
                Call::Poll { .. } | Call::EpollWait { .. } => true,
                _ => false,
            },
            Operation::FileLock(op) => op.how != How::Unlock,
            Operation::Mutex(_) | Operation::Condition(_) | Operation::SysV(_) => true,
            Operation::Fifo(_) | Operation::Name(_) => true,
            _ => false,
        }
    }

    /// Whether a thread that takes what is pending takes SIGCHLD.
    pub(crate) fn takes_child(&self, who: crate::operation::Tid, pending: &Pending) -> bool {
        !self.is_quiet() && self.would_take(who, pending, libc::SIGCHLD.into())
    }
}

impl Effect {
    /// The processes of whose ends signals tell that are taken.
    pub(crate) fn told_of(&self, operation: &Operation) -> Vec<u64> {
        let waits = matches!(operation, Operation::Signal(Signal::Wait { .. }));
        if self.resume.is_none() && !waits {
            return Vec::new();
        }
        super::signal::senders(&self.data, libc::SIGCHLD.into())
    }
}
