//! Lives of threads and processes: who is whose child, who has ended, who was waited for.

use super::signal::{Sent, about_children};
use super::{By, Effect, Family, Model, process_key, when};
use crate::operation::{Access, Class, Footprint, Key, ObjectAccess, Operation, Outcome, Tid};
use crate::protocol as p;
use std::mem::discriminant;

/// Something about the lives of threads and processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Fork,
    /// A thread is about to end: here handlers may still run.
    Last,
    Join {
        thread: Tid,
    },
    TryJoin {
        thread: Tid,
    },
    ExitThread {
        thread: Tid,
    },
    Exit {
        status: i64,
    },
    /// Whether the process that made this one has ended.
    Parent {
        process: u64,
    },
    Wait(Wait),
}

/// A wait for a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Below 0: any.
    pub child: i64,
    /// WNOHANG.
    pub at_once: bool,
    /// WNOWAIT: it can be waited for again.
    pub keeps: bool,
}

impl Op {
    /// The thread it is about.
    fn thread(&self) -> Option<Tid> {
        match *self {
            Op::Join { thread } | Op::TryJoin { thread } | Op::ExitThread { thread } => Some(thread),
            _ => None,
        }
    }
}

impl Family for Op {
    fn key(&self, process: u64) -> Key {
        match *self {
            Op::Parent { process } => process_key(process),
            _ => self.thread().map_or(process_key(process), |t| Key::new(Class::Thread, 0, t as u64)),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Op::Fork => "fork",
            Op::Last => "return of a thread",
            Op::Join { .. } => "pthread_join",
            Op::TryJoin { .. } => "pthread_tryjoin",
            Op::ExitThread { .. } => "thread exit",
            Op::Exit { .. } => "exit",
            Op::Parent { .. } => "getppid",
            Op::Wait(_) => "wait",
        }
    }

    fn same(&self, other: &Operation) -> bool {
        matches!(other, Operation::Life(o)
            if discriminant(o) == discriminant(self) && o.thread() == self.thread())
    }

    fn outcomes(&self, model: &Model, by: By<'_>) -> Vec<Outcome> {
        match *self {
            // A fork that a signal interrupts is begun anew.
            Op::Fork => model.take_outcomes(by),
            Op::Join { thread } => when(!model.has_thread(thread)),
            Op::Wait(wait) => model.wait_outcomes(by.process(), wait),
            _ => vec![0],
        }
    }

    fn touches(&self, model: &Model, by: By<'_>, outcome: Outcome) -> Footprint {
        let children = Key::new(Class::Children, by.process(), 0);
        match *self {
            Op::Fork => {
                // The child gets all that other threads of its process have done by then.
                let own = process_key(by.process()).touch(Access::Change);
                let taken = model.take_touches(by).into_iter();
                taken.chain([children.touch(Access::Post), own]).collect()
            }
            Op::Last => Footprint::new(),
            Op::Join { thread } | Op::TryJoin { thread } => vec![thread_key(thread).touch(Access::Read)],
            Op::ExitThread { .. } => model.end_touches(by.who),
            Op::Exit { .. } => model.exit_touches(by.process()),
            Op::Parent { process } => vec![process_key(process).touch(Access::Read)],
            Op::Wait(wait) => {
                let reaped = u64::try_from(outcome).ok().filter(|_| !wait.keeps);
                let gone = reaped.map(gone).into_iter().flatten();
                std::iter::once(children.touch(Access::Change)).chain(gone).collect()
            }
        }
    }

    fn held(&self, _: &Model, _: By<'_>) -> Vec<(Key, Vec<Tid>)> {
        match *self {
            Op::Join { thread } => vec![(thread_key(thread), vec![thread])],
            _ => Vec::new(),
        }
    }

    fn perform(&self, model: &mut Model, by: By<'_>, outcome: Outcome) -> Effect {
        match *self {
            Op::TryJoin { thread } if model.has_thread(thread) => return Effect::of(libc::EBUSY),
            Op::Fork | Op::Last | Op::Join { .. } | Op::TryJoin { .. } => {}
            Op::ExitThread { .. } => {
                model.orphan(|owner| owner == by.who);
                model.end_thread(by.who);
            }
            Op::Exit { status } => model.end_process(by.process(), status),
            Op::Parent { process } => {
                return Effect::of(model.lives.get(&process).is_none_or(|l| l.ended).into());
            }
            Op::Wait(wait) => return model.reap(wait, outcome),
        }
        Effect::default()
    }
}

/// A number that names no process any more.
fn gone(process: u64) -> [ObjectAccess; 2] {
    [being(process).touch(Access::Change), beings().touch(Access::Post)]
}

pub(super) fn thread_key(who: Tid) -> Key {
    Key::new(Class::Thread, who as u64, 0)
}

/// Whether a process can be named by its number: until it is waited for. Calls that do, and are not
/// modelled, touch it like a file that processes share.
pub fn being(process: u64) -> Key {
    Key::new(Class::Content, u64::from(p::PART_LIST) << 48 | STATES | (BEING + process), 0)
}

/// All that can be named by numbers.
pub fn beings() -> Key {
    being(p::LIM_SLOTS as u64)
}

/// The process of which this is the being.
pub fn process_number(key: Key) -> Option<u64> {
    let first = being(0).space;
    (key.class == Class::Content && (first..first + p::LIM_SLOTS as u64).contains(&key.space))
        .then(|| key.space - first)
}

/// As in preload/files.h and content.c.
const STATES: u64 = 1 << 46;
const BEING: u64 = 1 << 20;

/// No child; no waiter.
pub const NONE: Outcome = -1;
/// WNOHANG: there are children, but none has ended.
pub const NOT_YET: Outcome = -2;

/// A process, by its first thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    pub parent: u64,
    pub ended: bool,
    pub reaped: bool,
}

impl Model {
    fn children(&self, parent: u64) -> impl Iterator<Item = (u64, &Life)> {
        self.lives.iter().filter(move |(_, l)| l.parent == parent && !l.reaped).map(|(id, l)| (*id, l))
    }

    fn wait_outcomes(&self, process: u64, wait: Wait) -> Vec<Outcome> {
        let wanted = |id: u64| wait.child < 0 || wait.child as u64 == id;
        let ended = self.children(process).filter(|(id, l)| l.ended && wanted(*id));
        let ended: Vec<Outcome> = ended.map(|(id, _)| id as Outcome).collect();
        let some = self.children(process).any(|(id, _)| wanted(id));
        match (ended.is_empty(), some, wait.at_once) {
            (false, ..) => ended,
            (true, false, _) => vec![NONE],
            (true, true, false) => Vec::new(),
            (true, true, true) => vec![NOT_YET],
        }
    }

    fn reap(&mut self, wait: Wait, outcome: Outcome) -> Effect {
        if let Some(life) = u64::try_from(outcome).ok().and_then(|id| self.lives.get_mut(&id)) {
            life.reaped = !wait.keeps;
        }
        Effect { result: outcome, ..Effect::default() }
    }

    /// Whether others can see that a process ends: it gives something back, or holds an end of a
    /// channel.
    pub fn end_is_seen(&self, process: u64) -> bool {
        !self.owed(process).is_empty() || !self.robust(process).is_empty() || self.files.end_is_seen(process)
    }

    /// `status` is that of `exit`, or 0x100 and the signal that killed it.
    pub(super) fn end_process(&mut self, process: u64, status: i64) {
        self.take_back(process);
        self.files.end_process(process);
        self.end_threads(process);
        let Some(life) = self.lives.get_mut(&process) else { return };
        life.ended = true;
        let parent = life.parent;
        let by_signal = status & 0x100 != 0;
        let code = if by_signal { libc::CLD_KILLED } else { libc::CLD_EXITED };
        let signal = libc::SIGCHLD.into();
        let sent = Sent { signal, code: code.into(), from: process, value: status & 0xff };
        if self.tell_parent(parent, sent)
            && let Some(life) = self.lives.get_mut(&process)
        {
            life.reaped = true;
        }
    }

    /// The end of a thread: who joins it, and who waits for what it holds.
    fn end_touches(&self, who: Tid) -> Footprint {
        let held = self.robust_of(who).into_iter().map(|k| k.touch(Access::Change));
        let gives_back = self.gives_back(who).map(|process| process_key(process).touch(Access::Change));
        held.chain([thread_key(who).touch(Access::Change)]).chain(gives_back).collect()
    }

    /// Its own threads, its parent, and processes that share what it gives back.
    pub(super) fn exit_touches(&self, process: u64) -> Footprint {
        let own = process_key(process).touch(Access::Change);
        let parent = self.lives.get(&process).map(|l| Key::new(Class::Children, l.parent, 0));
        let reported = self.lives.get(&process).map(|l| l.parent).filter(|p| self.minds_children(*p));
        let reported = reported.map(process_key);
        let owed = self.owed(process).into_iter().chain(self.robust(process));
        let changed = parent.into_iter().chain(reported).chain(owed).map(|k| k.touch(Access::Change));
        let looked_at = self.lives.get(&process).map(|l| about_children(l.parent).touch(Access::Read));
        let files = self.files.exit_touches(process);
        let parent = self.lives.get(&process).map_or(u64::MAX, |l| l.parent);
        let unwaited = self.acts_on_children(parent).then(|| gone(process)).into_iter().flatten();
        let files = files.into_iter().chain(unwaited);
        std::iter::once(own).chain(looked_at).chain(changed).chain(files).collect()
    }
}
