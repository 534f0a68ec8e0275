//! Signals: what a process does about each, which threads block it, which were sent and not yet taken.
//!
//! A signal that kills ends the process as part of the operation that sends it. One that is handled or blocked becomes *pending*.
//! A thread that does not block it may take it at any of its visible operations: before the operation (`BEFORE`), or while it waits
//! in it (`INSIDE`), and then the operation ends with EINTR if it is one that does and the handler does not restart it. Between a
//! call into the kernel and the return from it a pending signal is always taken (`TAKE`), unless another thread may take it;
//! locks, atomics and semaphores need no kernel, so a thread may go through many of them before it learns of the signal.
//!
//! What touches what: every operation reads the life of its process; sending, taking what was sent to the whole process and
//! changing what is done about a signal change it. So they depend on everything that the process does.

use super::{Effect, Model};
use crate::operation::{
    Access, Class, FIFO_WAITS, Footprint, Key, LEAVE, LOCK_WAITS, Op, Outcome, RELOCK, SUSPENDED, TAKE, Tid,
};
use crate::protocol as p;
use std::collections::BTreeMap;

/// A handler runs before the operation.
pub const BEFORE: Outcome = -4;
/// A handler runs while the thread waits in the operation, which ends with an error.
pub const INSIDE: Outcome = -5;

const NODEFER: i64 = 2;
const RESETHAND: i64 = 4;
const NOCLDWAIT: i64 = 8;
const RESTART: i64 = 1;
/// The signal kills.
const FATAL: i64 = 256;

/// A signal on its way. `from` is a process, `value` what it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sent {
    pub signal: i64,
    pub code: i64,
    pub from: u64,
    pub value: i64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Does {
    #[default]
    Usual,
    Ignores,
    Handles,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Action {
    does: Does,
    flags: i64,
    mask: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Thread(Tid),
    Process(u64),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Process and signal.
    actions: BTreeMap<(u64, i64), Action>,
    /// The threads that live: their process, and what they block.
    threads: BTreeMap<Tid, (u64, u64)>,
    /// No list is empty.
    pending: BTreeMap<Target, Vec<Sent>>,
}

pub(super) fn bit(signal: i64) -> u64 {
    1u64.checked_shl(u32::try_from(signal - 1).unwrap_or(64)).unwrap_or(0)
}

/// What becomes of a thread that takes what is pending.
struct Taken {
    handled: Vec<Sent>,
    /// The process dies of this one.
    fatal: Option<Sent>,
    /// The operation that the first handler interrupts goes on.
    restarts: bool,
    /// It was meant for the whole process, or what is done about it has changed.
    shared: bool,
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
    fn next_in(&self, who: Tid, op: &Op) -> Option<(Target, Sent)> {
        self.next_of(who, op.process, |s| op.a as u64 & bit(s.signal) != 0)
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
        let mut taken = Taken { handled: Vec::new(), fatal: None, restarts: true, shared: false };
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
            mask |= action.mask | if action.flags & NODEFER != 0 { 0 } else { bit(sent.signal) };
            if action.flags & RESETHAND != 0 {
                self.actions.remove(&(process, sent.signal));
                taken.shared = true;
            }
        }
        taken
    }

    fn mask(&self, who: Tid) -> u64 {
        self.threads.get(&who).map_or(0, |t| t.1)
    }

    /// What a thread would not take now, given what it is about to do.
    fn mask_in(&self, who: Tid, op: &Op) -> u64 {
        self.mask(who) | if op.kind == p::OP_SIGWAIT { op.a as u64 } else { 0 }
    }

    /// Whether another thread may take a signal for the process.
    fn others_may(&self, who: Tid, process: u64, sent: Sent) -> bool {
        let may = |(other, (of, mask)): (&Tid, &(u64, u64))| {
            *other != who && *of == process && mask & bit(sent.signal) == 0
        };
        self.threads.iter().any(may)
    }
}

/// The threads of a process, and what they and it do about signals.
impl Model {
    /// A thread is there; it blocks what its creator does.
    pub fn begin_thread(&mut self, who: Tid, process: u64, creator: Tid) {
        let mask = self.signals.mask(creator);
        self.signals.threads.insert(who, (process, mask));
    }

    pub fn end_thread(&mut self, who: Tid) {
        self.signals.threads.remove(&who);
        self.signals.pending.remove(&Target::Thread(who));
    }

    pub(super) fn end_threads(&mut self, process: u64) {
        self.signals.threads.retain(|_, (of, _)| *of != process);
        self.signals.pending.remove(&Target::Process(process));
    }

    pub fn has_thread(&self, who: Tid) -> bool {
        self.signals.threads.contains_key(&who)
    }

    /// What a thread blocks from now on. What is ignored, and was kept only because it was blocked, is forgotten.
    pub fn set_mask(&mut self, who: Tid, mask: u64) {
        let Some((process, known)) = self.signals.threads.get_mut(&who) else { return };
        *known = mask;
        if self.signals.pending.is_empty() {
            return;
        }
        let process = *process;
        let mut pending = std::mem::take(&mut self.signals.pending);
        for target in [Target::Thread(who), Target::Process(process)] {
            if let Some(list) = pending.get_mut(&target) {
                list.retain(|s| mask & bit(s.signal) != 0 || !self.signals.ignores(process, s.signal));
            }
        }
        pending.retain(|_, list| !list.is_empty());
        self.signals.pending = pending;
    }

    pub(super) fn mask_touches(&self, op: &Op) -> Footprint {
        let shared = self.signals.pending.contains_key(&Target::Process(op.process));
        let access = if shared { Access::Change } else { Access::Read };
        vec![Key::new(Class::Process, op.process, 0).touch(access)]
    }

    pub(super) fn copy_actions(&mut self, from: u64, to: u64) {
        let copies: Vec<_> = self.signals.actions.range((from, 0)..=(from, i64::MAX)).collect();
        let copies: Vec<_> = copies.into_iter().map(|((_, s), a)| ((to, *s), *a)).collect();
        self.signals.actions.extend(copies);
    }

    /// What a process does about a signal from now on; what is ignored is forgotten.
    pub fn set_action(&mut self, op: &Op) {
        let does = match op.b & 3 {
            1 => Does::Ignores,
            2 => Does::Handles,
            _ => Does::Usual,
        };
        let mask = op.data.get(..8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes);
        let signals = &mut self.signals;
        signals.actions.insert((op.process, op.a), Action { does, flags: op.b >> 2, mask });
        if signals.ignores(op.process, op.a) {
            let threads = signals.threads.iter().filter(|(_, (of, _))| *of == op.process);
            let targets: Vec<Target> = threads.map(|(who, _)| Target::Thread(*who)).collect();
            for target in targets.into_iter().chain([Target::Process(op.process)]) {
                if let Some(list) = signals.pending.get_mut(&target) {
                    list.retain(|s| s.signal != op.a);
                }
            }
            signals.pending.retain(|_, list| !list.is_empty());
        }
    }

    /// Whether a process handles some signal.
    pub fn has_handlers(&self, process: u64) -> bool {
        let actions = self.signals.actions.range((process, 0)..=(process, i64::MAX));
        actions.into_iter().any(|(_, action)| action.does == Does::Handles)
    }

    /// Whether nothing is on its way.
    pub fn is_quiet(&self) -> bool {
        self.signals.pending.is_empty()
    }

    /// A child of this process has ended: it is told, if it handles or blocks that; whether it need not wait for it.
    pub(super) fn tell_parent(&mut self, parent: u64, sent: Sent) -> bool {
        let target = Target::Process(parent);
        let action = self.signals.action(parent, sent.signal);
        if action.does == Does::Handles || self.signals.blocks(target, sent.signal) {
            self.signals.send(target, sent);
        }
        action.does == Does::Ignores || action.flags & NOCLDWAIT != 0
    }

    /// Whether the end of a child makes a difference to this process by itself.
    pub(super) fn minds_children(&self, parent: u64) -> bool {
        let child = i64::from(libc::SIGCHLD);
        self.signals.action(parent, child).does != Does::Usual
            || self.signals.blocks(Target::Process(parent), child)
    }
}

/// Sending.
impl Model {
    fn kills(&self, process: u64, op: &Op) -> bool {
        let action = self.signals.action(process, op.a).does;
        let blocked = self.signals.blocks(target(op), op.a);
        let never = op.a == 0 || self.signals.ignores(process, op.a) || stops(op.a);
        i64::from(libc::SIGKILL) == op.a || !never && !blocked && action == Does::Usual
    }

    pub(super) fn kill_touches(&self, op: &Op) -> Footprint {
        let process = op.key.space;
        if self.kills(process, op) {
            return self.exit_touches(&Op { process, ..op.clone() });
        }
        // Whether the process is still there, its parent decides.
        let parent = self.lives.get(&process).map(|l| Key::new(Class::Children, l.parent, 0));
        let looked_at = parent.map(|k| k.touch(Access::Read));
        let access = if op.a == 0 { Access::Read } else { Access::Change };
        let own = Key::new(Class::Process, process, 0).touch(access);
        looked_at.into_iter().chain([own]).collect()
    }

    /// The result is 1 if the process ends of it.
    pub(super) fn kill(&mut self, op: &Op) -> Effect {
        let process = op.key.space;
        match self.lives.get(&process) {
            None => return Effect::of(-libc::ESRCH),
            Some(life) if life.reaped => return Effect::of(-libc::ESRCH),
            Some(life) if life.ended || op.a == 0 => return Effect::default(),
            Some(_) => {}
        }
        if self.kills(process, op) {
            self.end_process(&Op { process, a: 0x100 | op.a, ..op.clone() });
            return Effect::of(1);
        }
        if stops(op.a) && self.signals.action(process, op.a).does == Does::Usual {
            return Effect { unmodelled: Some("a signal that stops a process"), ..Effect::default() };
        }
        let target = target(op);
        if !self.signals.ignores(process, op.a) || self.signals.blocks(target, op.a) {
            self.signals.send(target, sent(op));
        }
        Effect::default()
    }
}

fn stops(signal: i64) -> bool {
    [libc::SIGSTOP, libc::SIGTSTP, libc::SIGTTIN, libc::SIGTTOU].iter().any(|s| i64::from(*s) == signal)
}

/// `key`: the process, and the thread plus one if it is meant alone.
fn target(op: &Op) -> Target {
    if op.key.at > 0 { Target::Thread(op.key.at as Tid - 1) } else { Target::Process(op.key.space) }
}

/// `data`: the code and the value.
fn sent(op: &Op) -> Sent {
    let word =
        |at: usize| op.data.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, i64::from_le_bytes);
    Sent { signal: op.a, code: word(0), from: op.process, value: word(8) }
}

/// Taking.
impl Model {
    pub(super) fn alarms(&self, who: Tid, op: &Op) -> bool {
        !self.signals.pending.is_empty()
            && op.kind != p::OP_EXIT_THREAD
            && self.has_thread(who)
            && self.signals.next_for(who, op.process, self.signals.mask_in(who, op)).is_some()
    }

    /// Whether more signals come to a thread on its way out of the kernel.
    pub fn takes_more(&self, who: Tid, process: u64) -> bool {
        self.signals.next_for(who, process, self.signals.mask(who)).is_some()
    }

    pub fn is_alarmed(&self, who: Tid, op: &Op) -> bool {
        self.alarms(who, op)
    }

    fn take_now(&mut self, who: Tid, op: &Op) -> Taken {
        let mask = self.signals.mask_in(who, op);
        self.signals.take_all(who, op.process, mask)
    }

    /// The outcomes that a pending signal adds to those of an operation.
    pub(super) fn alarmed(&self, who: Tid, op: &Op, possible: &[Outcome]) -> Vec<Outcome> {
        if op.kind == TAKE || !self.alarms(who, op) {
            return Vec::new();
        }
        let taken = self.clone().take_now(who, op);
        let waits = possible.is_empty() || op.kind == p::OP_SLEEP;
        let fails = waits && taken.fatal.is_none() && fails_with(op, taken.restarts).is_some();
        // It is in there already.
        let entered = fails && matches!(op.kind, SUSPENDED | p::OP_FUTEX_SLEEP | LOCK_WAITS | FIFO_WAITS);
        let before = (!entered).then_some(BEFORE);
        before.into_iter().chain(fails.then_some(INSIDE)).collect()
    }

    /// On the way out of the kernel.
    pub(super) fn take_outcomes(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        let next = self.signals.next_for(who, op.process, self.signals.mask(who));
        match next {
            None => vec![0],
            Some((Target::Process(process), sent)) if self.signals.others_may(who, process, sent) => {
                vec![0, BEFORE]
            }
            Some(_) => vec![BEFORE],
        }
    }

    pub(super) fn take_touches(&self, who: Tid, op: &Op) -> Footprint {
        let taken = self.clone().take_now(who, op);
        let access = if taken.shared { Access::Change } else { Access::Read };
        match taken.fatal {
            Some(_) => self.exit_touches(op),
            None => vec![Key::new(Class::Process, op.process, 0).touch(access)],
        }
    }

    pub(super) fn take(&mut self, who: Tid, op: &Op, outcome: Outcome) -> Effect {
        let taken = self.take_now(who, op);
        if let Some(fatal) = taken.fatal {
            self.end_process(&Op { a: 0x100 | fatal.signal, ..op.clone() });
            return Effect {
                dies: true,
                data: self::fatal(fatal.signal),
                result: p::SIGNAL,
                ..Effect::default()
            };
        }
        let resume = match (op.kind, outcome) {
            (TAKE, _) => Resume::With(op.b, op.data.clone()),
            (p::OP_CIRCLE, _) => Resume::With(0, Vec::new()), // once more round
            (_, INSIDE) => {
                self.waiting.values_mut().for_each(|w| w.retain(|w| *w != who));
                self.files.stop_waiting(op);
                Resume::With(fails_with(op, taken.restarts).unwrap_or(0), Vec::new())
            }
            _ => Resume::Again(Box::new(op.clone())),
        };
        Effect { resume: Some(resume), data: encode(&taken.handled), result: p::SIGNAL, ..Effect::default() }
    }

    /// Behind an operation that needs the kernel.
    pub(super) fn and_then_take(&self, who: Tid, op: &Op, effect: Effect) -> Effect {
        let ended = self.lives.get(&op.process).is_some_and(|l| l.ended);
        if effect.next.is_some() || ended || !enters_kernel(op.kind) || !self.alarms(who, op) {
            return effect;
        }
        let data = effect.data.clone();
        Effect { next: Some(Op { kind: TAKE, b: effect.result, data, ..op.clone() }), ..effect }
    }

    /// A wait for one of the signals in `op.a`.
    pub(super) fn awaited(&self, who: Tid, op: &Op) -> bool {
        self.signals.next_in(who, op).is_some()
    }

    pub(super) fn await_touches(&self, who: Tid, op: &Op) -> Footprint {
        let shared = matches!(self.signals.next_in(who, op), Some((Target::Process(_), _)));
        let access = if shared { Access::Change } else { Access::Read };
        vec![Key::new(Class::Process, op.process, 0).touch(access)]
    }

    pub(super) fn take_awaited(&mut self, who: Tid, op: &Op) -> Effect {
        let Some((target, sent)) = self.signals.next_in(who, op) else {
            return Effect::of(-libc::EAGAIN);
        };
        self.signals.remove(target, sent);
        Effect { result: sent.signal, data: encode(&[sent]), ..Effect::default() }
    }

    /// What is pending for a thread.
    pub(super) fn pending_signals(&self, who: Tid, op: &Op) -> Effect {
        let lists = [Target::Thread(who), Target::Process(op.process)];
        let all = lists.iter().filter_map(|t| self.signals.pending.get(t)).flatten();
        Effect { result: all.fold(0, |set, s| set | bit(s.signal)) as i64, ..Effect::default() }
    }
}

/// How a thread goes on behind its handlers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    Again(Box<Op>),
    With(i64, Vec<u8>),
}

/// The message that a thread is to die of a signal.
pub fn fatal(signal: i64) -> Vec<u8> {
    encode(&[Sent { signal: signal | FATAL, code: 0, from: 0, value: 0 }])
}

/// Whether this message tells of signals that the thread has sent itself, and of no others.
pub fn all_sent_by(message: &[u8], who: Tid) -> bool {
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, i64::from_le_bytes);
    message.chunks_exact(32).all(|one| word(&one[16..24]) == who as i64)
}

fn encode(signals: &[Sent]) -> Vec<u8> {
    let one = |s: &Sent| [s.signal, s.code, s.from as i64, s.value].map(i64::to_le_bytes).concat();
    signals.iter().flat_map(one).chain([0; 8]).collect() // and an end
}

/// The answer of an operation that a handler interrupts, after signal(7).
fn fails_with(op: &Op, restarts: bool) -> Option<i64> {
    let error = i64::from(libc::EINTR);
    match op.kind {
        p::OP_SEM_WAIT | p::OP_FUTEX_SLEEP => (!restarts).then_some(error),
        p::OP_FD_READ | p::OP_FD_WRITE | p::OP_MQ_SEND | p::OP_MQ_RECEIVE | p::OP_WAIT => {
            (!restarts).then_some(-error)
        }
        LOCK_WAITS | FIFO_WAITS | p::OP_FILE_LOCK => (!restarts).then_some(-error),
        p::OP_FD_POLL | p::OP_EPOLL_WAIT | p::OP_SYSV_OP | p::OP_MSG_SEND | p::OP_MSG_RECEIVE => Some(-error),
        p::OP_SIGWAIT | p::OP_PAUSE | p::OP_SLEEP | SUSPENDED => Some(-error),
        _ => None,
    }
}

/// Operations after which the thread returns from the kernel, and so takes what is pending.
fn enters_kernel(kind: u32) -> bool {
    match kind {
        p::OP_TIMER
        | p::OP_SLEEP
        | p::OP_KILL
        | p::OP_SIGMASK
        | p::OP_SIGACTION
        | p::OP_SIGPENDING
        | p::OP_SIGWAIT
        | p::OP_WAIT => true,
        p::OP_SYSV_GET..=p::OP_NAME => true,
        RELOCK | LEAVE => false,
        LOCK_WAITS | FIFO_WAITS => true,
        kind => (p::OP_FD_READ..=p::OP_FIFO_OPEN).contains(&kind),
    }
}
