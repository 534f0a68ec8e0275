//! Signals: what a process does about each, which threads block it, which were sent and not yet
//! taken.
//!
//! A signal that kills ends the process as part of the operation that sends it. One that is handled
//! or blocked becomes *pending*. A thread that does not block it may take it at any of its visible
//! operations: before the operation (`BEFORE`), or while it waits in it (`INSIDE`), and then the
//! operation ends with EINTR if it is one that does and the handler does not restart it. Between a
//! call into the kernel and the return from it a pending signal is always taken (`TAKE`), unless
//! another thread may take it; locks, atomics and semaphores need no kernel, so a thread may go
//! through many of them before it learns of the signal. If the others end without taking it, Linux
//! gives it to the one that left it to them, before anybody can know that they have ended.
//!
//! What touches what: every operation reads the life of its process; sending, taking what was sent
//! to the whole process and changing what is done about a signal change it. So they depend on
//! everything that the process does.
//!
//! The end of a child is the exception: what its parent does about SIGCHLD decides whether it
//! becomes a zombie and whether a signal is sent, but most parents do nothing about it, and then
//! the end should not depend on all that they do. So there is an object for it, `about_children`:
//! the end of a child reads it; what changes what is done about SIGCHLD, or blocks it, changes it.
//! An end that sends a signal, or may, changes the life of the parent besides.

mod actions;
mod operation;
mod send;
mod take;

use crate::operation::{Operation, Outcome, Pending, Tid};
use crate::small::{Map, Set};
pub(super) use actions::about_children;
pub use operation::{Kill, Op};
pub(super) use take::senders;
pub use take::{Resume, all_sent_by, fatal};

/// A handler runs before the operation.
pub const BEFORE: Outcome = -4;
/// A handler runs while the thread waits in the operation, which ends with an error.
pub const INSIDE: Outcome = -5;

const NODEFER: i64 = 2;
const RESETHAND: i64 = 4;
const NOCLDWAIT: i64 = 8;
const RESTART: i64 = 1;
/// A signal on its way. `from` is a process, `value` what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub signal: i64,
    pub code: i64,
    pub from: u64,
    pub value: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Does {
    #[default]
    Usual,
    Ignores,
    Handles,
}

/// What a process does about a signal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Action {
    pub does: Does,
    /// SA_RESTART, SA_NODEFER, SA_RESETHAND, SA_NOCLDWAIT, as here.
    pub flags: i64,
    pub mask: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Thread(Tid),
    Process(u64),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Process and signal.
    actions: Map<(u64, i64), Action>,
    /// The threads that live: their process, and what they block.
    threads: Map<Tid, (u64, u64)>,
    /// No list is empty.
    pending: Map<Target, Vec<Sent>>,
    /// Process, signal, and a thread of it that has left that to another.
    left: Set<(u64, i64, Tid)>,
    /// Processes of which some thread has blocked SIGCHLD, or does in a handler.
    block_children: Set<u64>,
}

const CHILD: i64 = libc::SIGCHLD as i64;

pub(super) fn bit(signal: i64) -> u64 {
    1u64.checked_shl(u32::try_from(signal - 1).unwrap_or(64)).unwrap_or(0)
}

/// The signals of handlers that begin, and those that may interrupt them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nesting {
    pub signals: u64,
    pub open: u64,
}

/// What becomes of a thread that takes what is pending.
struct Taken {
    handled: Vec<Sent>,
    nesting: Nesting,
    /// The process dies of this one.
    fatal: Option<Sent>,
    /// The operation that the first handler interrupts goes on.
    restarts: bool,
    /// It was meant for the whole process, or what is done about it has changed.
    shared: bool,
    /// What is done about children that end has changed.
    about_children: bool,
}

impl Signals {
    fn action(&self, process: u64, signal: i64) -> Action {
        self.actions.get(&(process, signal)).copied().unwrap_or_default()
    }

    fn ignores(&self, process: u64, signal: i64) -> bool {
        match self.action(process, signal).does {
            Does::Handles => false,
            Does::Ignores => signal != i64::from(libc::SIGKILL) && signal != i64::from(libc::SIGSTOP),
            Does::Usual => {
                let harmless = [libc::SIGCHLD, libc::SIGURG, libc::SIGWINCH, libc::SIGCONT];
                harmless.iter().any(|s| i64::from(*s) == signal)
            }
        }
    }

    /// Whether this thread, or for a process each of its threads, blocks a signal.
    fn blocks(&self, target: Target, signal: i64) -> bool {
        if signal == i64::from(libc::SIGKILL) {
            return false;
        }
        let mut asked = self.threads.iter().filter(|(who, (process, _))| match target {
            Target::Thread(one) => **who == one,
            Target::Process(one) => *process == one,
        });
        let none = asked.clone().next().is_none();
        !none && asked.all(|(_, (_, mask))| mask & bit(signal) != 0)
    }

    fn send(&mut self, target: Target, sent: Sent) {
        if let Target::Process(process) = target {
            self.left.retain(|(of, signal, _)| (*of, *signal) != (process, sent.signal));
        }
        let list = self.pending.entry(target).or_default();
        // Those of real time queue up, the others are there or not.
        if sent.signal >= 32 || list.iter().all(|s| s.signal != sent.signal) {
            list.push(sent);
        }
    }

    /// What a thread with this mask would take next: its own first, and the lowest number.
    fn next_for(&self, who: Tid, process: u64, mask: u64) -> Option<(Target, Sent)> {
        self.next_of(who, process, |s| mask & bit(s.signal) == 0 && !self.ignores(process, s.signal))
    }

    /// The next of a set that a thread waits for, whatever else is done about it.
    fn next_in(&self, who: Tid, process: u64, set: u64) -> Option<(Target, Sent)> {
        self.next_of(who, process, |s| set & bit(s.signal) != 0)
    }

    fn next_of(&self, who: Tid, process: u64, open: impl Fn(&Sent) -> bool) -> Option<(Target, Sent)> {
        [Target::Thread(who), Target::Process(process)].into_iter().find_map(|target| {
            let list = self.pending.get(&target)?;
            let lowest = list.iter().filter(|s| open(s)).map(|s| s.signal).min()?;
            list.iter().find(|s| s.signal == lowest).map(|sent| (target, *sent))
        })
    }

    fn remove(&mut self, target: Target, sent: Sent) {
        let Some(list) = self.pending.get_mut(&target) else { return };
        if let Some(at) = list.iter().position(|s| *s == sent) {
            list.remove(at);
        }
        if list.is_empty() {
            self.pending.remove(&target);
        }
    }

    /// All that the kernel would bring to a thread at once, in its order.
    fn take_all(&mut self, who: Tid, process: u64, mut mask: u64) -> Taken {
        let (handled, fatal) = (Vec::new(), None);
        let nesting = Nesting::default();
        let mut taken =
            Taken { handled, nesting, fatal, restarts: true, shared: false, about_children: false };
        let before = self.mask(who);
        while let Some((target, sent)) = self.next_for(who, process, mask) {
            self.remove(target, sent);
            let action = self.action(process, sent.signal);
            taken.shared |= matches!(target, Target::Process(_));
            if action.does != Does::Handles {
                taken.fatal = Some(sent);
                break;
            }
            if taken.handled.is_empty() {
                taken.restarts = action.flags & RESTART != 0;
            }
            taken.handled.push(sent);
            let meanwhile = action.mask | if action.flags & NODEFER != 0 { 0 } else { bit(sent.signal) };
            mask |= meanwhile;
            taken.nesting.signals |= bit(sent.signal);
            taken.nesting.open |= !(before | meanwhile);
            if action.flags & RESETHAND != 0 {
                self.actions.remove(&(process, sent.signal));
                taken.shared = true;
                taken.about_children |= sent.signal == CHILD;
            }
        }
        taken
    }

    fn mask(&self, who: Tid) -> u64 {
        self.threads.get(&who).map_or(0, |t| t.1)
    }

    /// What a thread would not take now, given what it is about to do.
    fn mask_in(&self, who: Tid, pending: &Pending) -> u64 {
        match pending.operation {
            Operation::Signal(Op::Wait { set, .. }) => self.mask(who) | set,
            _ => self.mask(who),
        }
    }

    /// Whether a thread has left this signal to others, which have all ended or block it by now:
    /// then it is given to this one, before those are known to have ended.
    fn comes_back(&self, who: Tid, process: u64, mask: u64) -> bool {
        let next = self.next_for(who, process, mask);
        next.is_some_and(|(target, sent)| {
            matches!(target, Target::Process(_))
                && self.left.contains(&(process, sent.signal, who))
                && !self.others_may(who, process, sent)
        })
    }

    /// Whether another thread may take a signal for the process.
    fn others_may(&self, who: Tid, process: u64, sent: Sent) -> bool {
        let may = |(other, (of, mask)): (&Tid, &(u64, u64))| {
            *other != who && *of == process && mask & bit(sent.signal) == 0
        };
        self.threads.iter().any(may)
    }
}
