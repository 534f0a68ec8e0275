//! Taking: when a thread may take what is pending, what then becomes of the operation before which
//! it stands, and waiting for signals.

use super::{BEFORE, INSIDE, Sent, Taken, Target, about_children, bit};
use crate::objects::{Effect, Model};
use crate::operation::{
    Access, Class, FIFO_WAITS, Footprint, Key, LEAVE, LOCK_WAITS, Op, Outcome, RELOCK, SUSPENDED, TAKE, Tid,
};
use crate::protocol as p;

/// The signal kills.
const FATAL: i64 = 256;

impl Model {
    pub(in crate::objects) fn alarms(&self, who: Tid, op: &Op) -> bool {
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
    pub(in crate::objects) fn alarmed(&self, who: Tid, op: &Op, possible: &[Outcome]) -> Vec<Outcome> {
        if matches!(op.kind, TAKE | p::OP_CREATE) || !self.alarms(who, op) {
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
    pub(in crate::objects) fn take_outcomes(&self, who: Tid, op: &Op) -> Vec<Outcome> {
        let next = self.signals.next_for(who, op.process, self.signals.mask(who));
        match next {
            None => vec![0],
            Some((Target::Process(process), sent)) if self.signals.others_may(who, process, sent) => {
                vec![0, BEFORE]
            }
            Some(_) => vec![BEFORE],
        }
    }

    pub(in crate::objects) fn take_touches(&self, who: Tid, op: &Op) -> Footprint {
        let taken = self.clone().take_now(who, op);
        let access = if taken.shared { Access::Change } else { Access::Read };
        match taken.fatal {
            Some(_) => self.exit_touches(op),
            None => {
                let own = Key::new(Class::Process, op.process, 0).touch(access);
                let about = taken.about_children.then(|| about_children(op.process).touch(Access::Change));
                [own].into_iter().chain(about).collect()
            }
        }
    }

    pub(in crate::objects) fn take(&mut self, who: Tid, op: &Op, outcome: Outcome) -> Effect {
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
    pub(in crate::objects) fn and_then_take(&self, who: Tid, op: &Op, effect: Effect) -> Effect {
        let ended = self.lives.get(&op.process).is_some_and(|l| l.ended);
        if effect.next.is_some() || ended || !enters_kernel(op.kind) || !self.alarms(who, op) {
            return effect;
        }
        let data = effect.data.clone();
        Effect { next: Some(Op { kind: TAKE, b: effect.result, data, ..op.clone() }), ..effect }
    }

    /// A wait for one of the signals in `op.a`.
    pub(in crate::objects) fn awaited(&self, who: Tid, op: &Op) -> bool {
        self.signals.next_in(who, op).is_some()
    }

    pub(in crate::objects) fn await_touches(&self, who: Tid, op: &Op) -> Footprint {
        let shared = matches!(self.signals.next_in(who, op), Some((Target::Process(_), _)));
        let access = if shared { Access::Change } else { Access::Read };
        vec![Key::new(Class::Process, op.process, 0).touch(access)]
    }

    pub(in crate::objects) fn take_awaited(&mut self, who: Tid, op: &Op) -> Effect {
        let Some((target, sent)) = self.signals.next_in(who, op) else {
            return Effect::of(-libc::EAGAIN);
        };
        self.signals.remove(target, sent);
        Effect { result: sent.signal, data: encode(&[sent]), ..Effect::default() }
    }

    /// What is pending for a thread.
    pub(in crate::objects) fn pending_signals(&self, who: Tid, op: &Op) -> Effect {
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

/// The answer of an operation that a handler interrupts, after signal(7). A futex with a time limit
/// is never restarted by Linux, whatever signal(7) says of `sem_timedwait`.
fn fails_with(op: &Op, restarts: bool) -> Option<i64> {
    let error = i64::from(libc::EINTR);
    match op.kind {
        p::OP_SEM_WAIT | p::OP_FUTEX_SLEEP => (!restarts || op.expires).then_some(error),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::commute::op;

    /// signal(7): what a handler with SA_RESTART ends, and what goes on behind it.
    #[test]
    fn what_is_restarted() {
        let key = Key::new(Class::Sync, 0, 8);
        let never = [
            (p::OP_PAUSE, "pause"),
            (SUSPENDED, "sigsuspend"),
            (p::OP_SIGWAIT, "sigtimedwait, sigwaitinfo"),
            (p::OP_FD_POLL, "poll, select"),
            (p::OP_EPOLL_WAIT, "epoll_wait"),
            (p::OP_MSG_SEND, "msgsnd"),
            (p::OP_MSG_RECEIVE, "msgrcv"),
            (p::OP_SYSV_OP, "semop, semtimedop"),
            (p::OP_SLEEP, "nanosleep, clock_nanosleep, usleep"),
        ];
        let restarted = [
            (p::OP_FD_READ, "read"),
            (p::OP_FD_WRITE, "write"),
            (FIFO_WAITS, "open of a FIFO"),
            (p::OP_WAIT, "wait, waitpid, waitid"),
            (LOCK_WAITS, "flock, fcntl"),
            (p::OP_MQ_SEND, "mq_send, mq_timedsend"),
            (p::OP_MQ_RECEIVE, "mq_receive, mq_timedreceive"),
            (p::OP_FUTEX_SLEEP, "futex"),
            (p::OP_SEM_WAIT, "sem_wait"),
        ];
        // The C library begins these anew by itself.
        let always = [p::OP_MUTEX_LOCK, p::OP_RW_READ, p::OP_RW_WRITE, RELOCK, p::OP_JOIN, LEAVE];
        for (kind, name) in never {
            assert!(fails_with(&op(kind, key, 0, 0), true).is_some(), "{name}");
        }
        for (kind, name) in restarted {
            assert_eq!(fails_with(&op(kind, key, 0, 0), true), None, "{name}");
            assert!(fails_with(&op(kind, key, 0, 0), false).is_some(), "{name} without SA_RESTART");
        }
        for kind in [p::OP_FUTEX_SLEEP, p::OP_SEM_WAIT] {
            let timed = Op { expires: true, ..op(kind, key, 0, 0) };
            assert!(fails_with(&timed, true).is_some(), "Linux does not restart a futex with a limit");
        }
        for kind in always {
            assert_eq!(fails_with(&op(kind, key, 0, 0), false), None);
        }
    }
}
