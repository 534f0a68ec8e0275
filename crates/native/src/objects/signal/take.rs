//! Taking: when a thread may take what is pending, what then becomes of the operation before which
//! it stands, and waiting for signals.

use super::{BEFORE, INSIDE, Sent, Taken, Target, about_children, bit};
use crate::objects::files::Call;
use crate::objects::process::Op as Life;
use crate::objects::signal::Op as Signal;
use crate::objects::timer::Op as Timer;
use crate::objects::{By, Effect, Model, check, files, futex, process_key, queue, semaphore, sysv};
use crate::operation::{Access, Footprint, Operation, Outcome, Pending, Tid};
use crate::protocol as p;

/// The signal kills.
const FATAL: i64 = 256;

impl Model {
    fn alarms(&self, by: By<'_>) -> bool {
        !self.signals.pending.is_empty()
            && !matches!(by.pending.operation, Operation::Life(Life::ExitThread { .. }))
            && self.has_thread(by.who)
            && self.signals.next_for(by.who, by.process(), self.signals.mask_in(by.who, by.pending)).is_some()
    }

    /// Whether more signals come to a thread on its way out of the kernel.
    pub fn takes_more(&self, who: Tid, process: u64) -> bool {
        self.signals.next_for(who, process, self.signals.mask(who)).is_some()
    }

    pub fn is_alarmed(&self, who: Tid, pending: &Pending) -> bool {
        self.alarms(By { who, pending })
    }

    /// Whether signals come first, whatever the operation.
    pub(in crate::objects) fn must_take(&self, by: By<'_>) -> bool {
        self.alarms(by)
            && self.signals.comes_back(by.who, by.process(), self.signals.mask_in(by.who, by.pending))
    }

    /// A thread leaves a signal to others.
    pub(super) fn leave(&mut self, by: By<'_>) {
        let mask = self.signals.mask(by.who);
        if let Some((Target::Process(of), sent)) = self.signals.next_for(by.who, by.process(), mask) {
            self.signals.left.insert((of, sent.signal, by.who));
        }
    }

    /// Whether this signal is among those that a thread would take now.
    pub(in crate::objects) fn would_take(&self, who: Tid, pending: &Pending, signal: i64) -> bool {
        let taken = self.clone().take_now(By { who, pending });
        taken.handled.iter().any(|sent| sent.signal == signal)
    }

    fn take_now(&mut self, by: By<'_>) -> Taken {
        let mask = self.signals.mask_in(by.who, by.pending);
        self.signals.take_all(by.who, by.process(), mask)
    }

    /// The outcomes that a pending signal adds to those of an operation.
    pub(in crate::objects) fn alarmed(&self, by: By<'_>, possible: &[Outcome]) -> Vec<Outcome> {
        let operation = &by.pending.operation;
        let takes = matches!(operation, Operation::Signal(Signal::Take { .. }) | Operation::Life(Life::Fork));
        if takes || !self.alarms(by) {
            return Vec::new();
        }
        let taken = self.clone().take_now(by);
        let waits = possible.is_empty() || matches!(operation, Operation::Timer(Timer::Sleep));
        let fails = waits && taken.fatal.is_none() && fails_with(by.pending, taken.restarts).is_some();
        let before = (!(fails && is_inside(operation))).then_some(BEFORE);
        before.into_iter().chain(fails.then_some(INSIDE)).collect()
    }

    pub(in crate::objects) fn take_touches(&self, by: By<'_>) -> Footprint {
        let taken = self.clone().take_now(by);
        let access = if taken.shared { Access::Change } else { Access::Read };
        match taken.fatal {
            Some(_) => self.exit_touches(by.process()),
            None => {
                let own = process_key(by.process()).touch(access);
                let about = taken.about_children.then(|| about_children(by.process()).touch(Access::Change));
                [own].into_iter().chain(about).collect()
            }
        }
    }

    pub(in crate::objects) fn take(&mut self, by: By<'_>, outcome: Outcome) -> Effect {
        let taken = self.take_now(by);
        if let Some(fatal) = taken.fatal {
            self.end_process(by.process(), 0x100 | fatal.signal);
            return Effect {
                dies: true,
                data: self::fatal(fatal.signal),
                result: p::SIGNAL,
                ..Effect::default()
            };
        }
        let resume = match (&by.pending.operation, outcome) {
            (Operation::Signal(Signal::Take { result, data, .. }), _) => Resume::With(*result, data.clone()),
            // Once more round.
            (Operation::Check(check::Op::BusyWait { .. }), _) => Resume::With(0, Vec::new()),
            (operation, INSIDE) => {
                self.waiting.values_mut().for_each(|w| w.retain(|w| *w != by.who));
                match operation {
                    Operation::Fifo(op) if op.waits.is_some() => self.files.open_no_more(op),
                    Operation::FileLock(op) if op.waits => self.files.wait_no_more(by.process()),
                    _ => {}
                }
                Resume::With(fails_with(by.pending, taken.restarts).unwrap_or(0), Vec::new())
            }
            _ => Resume::Again(Box::new(by.pending.clone())),
        };
        let suspended = by.pending.operation == Operation::Signal(Signal::Suspended);
        let result = if suspended { p::SUSPENDED } else { p::SIGNAL };
        let (nesting, data) = (taken.nesting, encode(&taken.handled));
        Effect { resume: Some(resume), nesting, data, result, ..Effect::default() }
    }

    /// Behind an operation that needs the kernel.
    pub(in crate::objects) fn and_then_take(&self, by: By<'_>, effect: Effect) -> Effect {
        let ended = self.lives.get(&by.process()).is_some_and(|l| l.ended);
        if effect.next.is_some() || ended || !enters_kernel(&by.pending.operation) || !self.alarms(by) {
            return effect;
        }
        let (result, data, on) = (effect.result, effect.data.clone(), by.pending.key());
        let next = by.pending.then(Operation::Signal(Signal::Take { result, data, on }));
        Effect { next: Some(next), ..effect }
    }

    /// The next of these that a thread waits for.
    pub(super) fn awaited(&self, by: By<'_>, set: u64) -> Option<(Target, Sent)> {
        self.signals.next_in(by.who, by.process(), set)
    }

    pub(super) fn await_touches(&self, by: By<'_>, set: u64) -> Footprint {
        let shared = matches!(self.awaited(by, set), Some((Target::Process(_), _)));
        vec![process_key(by.process()).touch(if shared { Access::Change } else { Access::Read })]
    }

    pub(super) fn take_awaited(&mut self, by: By<'_>, set: u64) -> Effect {
        let Some((target, sent)) = self.awaited(by, set) else { return Effect::of(-libc::EAGAIN) };
        self.signals.remove(target, sent);
        Effect { result: sent.signal, data: encode(&[sent]), ..Effect::default() }
    }

    /// What is pending for a thread.
    pub(super) fn pending_signals(&self, by: By<'_>) -> Effect {
        let lists = [Target::Thread(by.who), Target::Process(by.process())];
        let all = lists.iter().filter_map(|t| self.signals.pending.get(t)).flatten();
        Effect { result: all.fold(0, |set, s| set | bit(s.signal)) as i64, ..Effect::default() }
    }
}

/// How a thread goes on behind its handlers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resume {
    Again(Box<Pending>),
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

/// Who sent the signals of this number that a message tells of.
pub(in crate::objects) fn senders(message: &[u8], signal: i64) -> Vec<u64> {
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, i64::from_le_bytes);
    let told = message.chunks_exact(32).filter(|one| word(&one[..8]) == signal);
    told.map(|one| word(&one[16..24]) as u64).collect()
}

fn encode(signals: &[Sent]) -> Vec<u8> {
    let one = |s: &Sent| [s.signal, s.code, s.from as i64, s.value].map(i64::to_le_bytes).concat();
    signals.iter().flat_map(one).chain([0; 8]).collect() // and an end
}

/// The answer of an operation that a handler interrupts, after signal(7). A futex with a time limit
/// is never restarted by Linux, whatever signal(7) says of `sem_timedwait`.
fn fails_with(pending: &Pending, restarts: bool) -> Option<i64> {
    let error = i64::from(libc::EINTR);
    let unless = |restarted: bool, answer: i64| (!restarted).then_some(answer);
    match &pending.operation {
        Operation::Semaphore(op) if op.does == semaphore::Does::Wait => {
            unless(restarts && !pending.expires, error)
        }
        Operation::Futex(op) if op.does == futex::Does::Sleep => unless(restarts && !pending.expires, error),
        Operation::File(op) => match op.call {
            Call::Read { .. } | Call::Write { .. } | Call::Send { .. } | Call::Receive { .. } => {
                unless(restarts, -error)
            }
            Call::Poll { .. } | Call::EpollWait { .. } => Some(-error),
            _ => None,
        },
        Operation::Life(Life::Wait(_)) | Operation::FileLock(_) => unless(restarts, -error),
        Operation::Fifo(files::fifo::Op { waits: Some(_), .. }) => unless(restarts, -error),
        Operation::SysV(sysv::Op { does: sysv::Does::Operate(_), .. }) => Some(-error),
        Operation::Queue(op) => match op.does {
            queue::Does::Send { .. } | queue::Does::Receive(_) => Some(-error),
            _ => None,
        },
        Operation::Signal(Signal::Wait { .. } | Signal::Pause | Signal::Suspended) => Some(-error),
        Operation::Timer(Timer::Sleep) => Some(-error),
        _ => None,
    }
}

/// Whether a thread that waits in it is in the kernel already.
fn is_inside(operation: &Operation) -> bool {
    match operation {
        Operation::Signal(op) => *op == Signal::Suspended,
        Operation::Futex(op) => op.does == futex::Does::Sleep,
        Operation::FileLock(op) => op.waits,
        Operation::Fifo(op) => op.waits.is_some(),
        _ => false,
    }
}

/// Operations after which the thread returns from the kernel, and so takes what is pending.
fn enters_kernel(operation: &Operation) -> bool {
    match operation {
        Operation::Timer(op) => !matches!(op, Timer::Fire { .. }),
        Operation::Signal(op) => match op {
            Signal::Kill(_) | Signal::Action { .. } | Signal::Mask(_) => true,
            Signal::Wait { .. } | Signal::Pending => true,
            Signal::Suspend(_) | Signal::Suspended | Signal::Pause | Signal::Take { .. } => false,
        },
        Operation::Life(op) => matches!(op, Life::Wait(_)),
        Operation::SysV(_) | Operation::Queue(_) | Operation::Name(_) => true,
        Operation::File(_) | Operation::FileLock(_) | Operation::Fifo(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::commute::op;
    use crate::objects::condition::{Does, Ends, Wait};
    use crate::objects::files::locks::{How, Op as Lock, Range};
    use crate::objects::{barrier, condition, mutex, rwlock};
    use crate::operation::{Class, Key};

    const KEY: Key = Key { class: Class::Sync, space: 0, at: 8 };

    fn call(call: Call) -> Operation {
        Operation::File(files::Op { descriptor: KEY, call })
    }

    fn semaphore() -> Operation {
        let does = semaphore::Does::Wait;
        Operation::Semaphore(semaphore::Op { semaphore: KEY, value: 0, does })
    }

    fn sleep() -> Operation {
        Operation::Futex(futex::Op { queue: KEY, does: futex::Does::Sleep })
    }

    /// signal(7): what a handler with SA_RESTART ends.
    #[test]
    fn what_is_never_restarted() {
        let send = queue::Does::Send { kind: 1, waits: true, text: Vec::new() };
        let room = queue::Receive { kind: 0, waits: true, cuts: false, except: false, room: 8 };
        let queue = |does| Operation::Queue(queue::Op { queue: 1, does });
        let never = [
            (Operation::Signal(Signal::Pause), "pause"),
            (Operation::Signal(Signal::Suspended), "sigsuspend"),
            (Operation::Signal(Signal::Wait { set: 0, at_once: false }), "sigtimedwait, sigwaitinfo"),
            (call(Call::Poll { entries: Vec::new(), forever: true }), "poll, select"),
            (call(Call::EpollWait { places: 1, forever: true }), "epoll_wait"),
            (queue(send), "msgsnd"),
            (queue(queue::Does::Receive(room)), "msgrcv"),
            (Operation::SysV(sysv::Op { set: 1, does: sysv::Does::Operate(Vec::new()) }), "semop"),
            (Operation::Timer(Timer::Sleep), "nanosleep, clock_nanosleep, usleep"),
        ];
        for (operation, name) in never {
            assert!(fails_with(&op(operation), true).is_some(), "{name}");
        }
    }

    /// What goes on behind a handler with SA_RESTART.
    #[test]
    fn what_is_restarted() {
        let range = Range { first: 0, last: 0, family: 0 };
        let lock = Lock { descriptor: KEY, how: How::Shared, at_once: false, range, waits: true };
        let fifo = files::fifo::Op { descriptor: KEY, flags: 0, fifo: 1, id: 2, waits: Some(0) };
        let wait = crate::objects::process::Wait { child: -1, at_once: false, keeps: false };
        let restarted = [
            (call(Call::Read { most: 1, flags: 0 }), "read"),
            (call(Call::Write { data: Vec::new(), flags: 0 }), "write"),
            (Operation::Fifo(fifo), "open of a FIFO"),
            (Operation::Life(Life::Wait(wait)), "wait, waitpid, waitid"),
            (Operation::FileLock(lock), "flock, fcntl"),
            (call(Call::Send { priority: 0, text: Vec::new(), flags: 0 }), "mq_send, mq_timedsend"),
            (call(Call::Receive { room: 1, flags: 0 }), "mq_receive, mq_timedreceive"),
            (sleep(), "futex"),
            (semaphore(), "sem_wait"),
        ];
        for (operation, name) in restarted {
            assert_eq!(fails_with(&op(operation.clone()), true), None, "{name}");
            assert!(fails_with(&op(operation), false).is_some(), "{name} without SA_RESTART");
        }
        for operation in [sleep(), semaphore()] {
            let timed = Pending { expires: true, ..op(operation) };
            assert!(fails_with(&timed, true).is_some(), "Linux does not restart a futex with a limit");
        }
    }

    /// The C library begins these anew by itself.
    #[test]
    fn what_is_always_restarted() {
        let lock = |does| Operation::RwLock(rwlock::Op { lock: KEY, prefers_writers: false, does });
        let relock = Does::Relock(Wait { mutex: KEY, kind: 0, ends: Ends::Woken });
        let always = [
            Operation::Mutex(mutex::Op { mutex: KEY, kind: 0, does: mutex::Does::Lock }),
            lock(rwlock::Does::Read),
            lock(rwlock::Does::Write),
            Operation::Condition(condition::Op { condition: KEY, does: relock }),
            Operation::Life(Life::Join { thread: 1 }),
            Operation::Barrier(barrier::Op { barrier: KEY, count: 2, does: barrier::Does::Leave }),
        ];
        for operation in always {
            assert_eq!(fails_with(&op(operation), false), None);
        }
    }
}
