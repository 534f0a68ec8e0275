//! A pending operation is executed: what it does to the objects, and what that brings about for
//! threads and processes.

use super::history::{Access, Sort};
use super::listen::MANY;
use super::{Execution, State};
use crate::objects::process::Op as Life;
use crate::objects::signal::Op as Signal;
use crate::objects::{BEFORE, CANCEL, Effect, INSIDE, all_sent_by};
use crate::objects::{cancel, futex, memory, mutex, rwlock, semaphore, timer};
use crate::operation::{Footprint, Key, Operation, Outcome, Pending, SideEffects, Tid};
use crate::protocol as p;
use crate::small::Set;
use explore::stateless::{Failure, Kind, Way};
use objects::Object;

const EXITS: &str = "an exit status other than 0, or an end by a signal, is no failure (with --exit it is)";

const GONE: &str = "a process that is killed is gone at once: it does nothing more meanwhile";

const OPTIONAL: &str = "a thread that is cancelled when it uses a stream: \
                        POSIX leaves open whether it ends there";

const LOST: &str = "a call that is cancelled has done nothing, as POSIX demands: \
                    the GNU C library before 2.41 may lose what it has read or written";

impl Execution {
    /// Executes a pending operation, as a transition or not; whether the thread then runs.
    pub(super) fn execute(&mut self, who: Tid, outcome: Outcome, transition: bool) -> bool {
        let state = std::mem::replace(&mut self.thread(who).state, State::Running);
        let State::Pending(op) = state else { return false };
        if self.looks_for_races() {
            self.enter(who, &op, outcome, transition);
        }
        if transition {
            self.pass_clock(who, &op, outcome);
        }
        if let Operation::Content(content) = &op.operation {
            content.touched.iter().for_each(|touch| self.heed_number(touch.key));
        }
        let ends = self.before_ends(who, &op, outcome);
        let mut effect = self.model.perform(who, &op, outcome);
        if let Operation::Signal(Signal::Mask(mask) | Signal::Suspend(mask)) = op.operation {
            self.detector.open(self.runner(who), !mask);
        }
        if let Some(ends) = ends {
            self.after_ends(who, (&op, outcome), ends, &effect);
        }
        if let Some(what) = &effect.misuse {
            self.fail(Failure::new(Kind::Misuse, format!("{}: {what}", self.called(who))));
        }
        self.unmodelled = self.unmodelled.or(effect.unmodelled);
        if op.operation.is_optional_point() && self.model.cancelled.contains(&who) {
            self.uncontrolled.insert(OPTIONAL.to_string());
        }
        if outcome == CANCEL && does_input(&op.operation) {
            self.assumes.insert(LOST.to_string());
        }
        for released in &effect.released {
            self.order(who, *released);
        }
        if matches!(op.operation, Operation::Life(Life::Fork)) && effect.resume.is_none() && !effect.dies {
            return self.forks(who);
        }
        if self.ends(who, &op, outcome, &mut effect) {
            return false;
        }
        if effect.dies {
            self.end_by_signal(who, op.process);
            self.let_go(who, effect.result, &effect.data);
            return false;
        }
        if let Some(resume) = effect.resume {
            let kills = matches!(op.operation, Operation::Signal(Signal::Kill(_)));
            let itself = kills && all_sent_by(&effect.data, who);
            self.interrupt(who, resume, itself, effect.nesting);
        }
        if let Some(next) = effect.next {
            let next = Pending { side_effects: SideEffects::default(), ..next };
            self.thread(who).state = State::Pending(Box::new(next));
            return false;
        }
        self.let_go(who, effect.result, &effect.data);
        true
    }

    /// Looks for races with it. What is no transition has no place among those that touch the same
    /// objects: only which thread waits for which orders it.
    fn enter(&mut self, who: Tid, op: &Pending, outcome: Outcome, transition: bool) {
        let mut touched = if transition { self.model.touches(who, op, outcome) } else { Footprint::new() };
        if self.fails_to_take(who, op, outcome) {
            // It learns nothing from who has what it tried to take.
            touched.retain(|t| t.key != op.key());
        }
        let access = (outcome == 0).then(|| access_of(op)).flatten();
        let uses = if matches!(outcome, BEFORE | INSIDE | CANCEL) { Vec::new() } else { uses_of(op) };
        let access = access.or_else(|| uses.first().copied());
        let runner = self.runner(who);
        if matches!(outcome, BEFORE | INSIDE) {
            return self.detector.take(runner, &touched);
        }
        let mut met = self.detector.transition(runner, &touched, access.as_ref());
        met.extend(uses.iter().skip(1).flat_map(|other| self.detector.besides(runner, other)));
        let compares = matches!(
            op.operation,
            Operation::Memory(memory::Op { does: memory::Does::Update { compares: true }, .. })
        );
        if (compares || !met.is_empty()) && !op.stack.is_empty() {
            // How it was reached here, not elsewhere.
            self.stacks.insert(op.pc, op.stack.clone());
        }
        self.heed_races(who, access.map_or_else(|| op.key().space, |a| a.space), &met);
    }

    /// A lock or a semaphore that is not to be had, at once or in time; or only looked at.
    fn fails_to_take(&self, who: Tid, op: &Pending, outcome: Outcome) -> bool {
        let (tries, takes, looks) = match op.operation {
            Operation::Mutex(op) => (op.does == mutex::Does::TryLock, op.does == mutex::Does::Lock, false),
            Operation::Semaphore(op) => {
                let looks = op.does == semaphore::Does::GetValue;
                (op.does == semaphore::Does::TryWait, op.does == semaphore::Does::Wait, looks)
            }
            Operation::RwLock(op) => {
                let tries = matches!(op.does, rwlock::Does::TryRead | rwlock::Does::TryWrite);
                (tries, matches!(op.does, rwlock::Does::Read | rwlock::Does::Write), false)
            }
            _ => return false,
        };
        let result = || self.model.clone().perform(who, op, outcome).result.abs();
        let failures = [libc::EBUSY, libc::EAGAIN, libc::ETIMEDOUT].map(i64::from);
        looks || (tries || takes && op.late) && failures.contains(&result())
    }

    /// A fork that is a transition; whether its thread runs on.
    fn forks(&mut self, who: Tid) -> bool {
        let child = self.create(who, true);
        match child {
            Some(child) => self.let_go(who, child as i64, &[]),
            None => self.unmodelled = Some(MANY),
        }
        child.is_some()
    }

    /// What becomes of threads and processes; whether the thread that did it runs no more.
    fn ends(&mut self, who: Tid, op: &Pending, outcome: Outcome, effect: &mut Effect) -> bool {
        let handled = effect.resume.is_some();
        match &op.operation {
            Operation::Cancel(cancel::Op::Cancel { thread }) => self.check_named(who, *thread),
            Operation::Choice(choice) if outcome == 1 && choice.is_spurious() => {
                let thread = self.thread(who);
                thread.spurious = thread.spurious.saturating_sub(1);
            }
            Operation::Life(Life::Join { thread } | Life::TryJoin { thread })
                if !handled && effect.result == 0 =>
            {
                self.learn(who, &[*thread]);
                self.identity_of_joined(who);
                self.check_joinable(who, *thread);
            }
            Operation::Life(Life::Wait(wait)) if outcome >= 0 => {
                let child = outcome as u64;
                if !wait.keeps {
                    self.number_goes(who, child);
                }
                let ended: Vec<Tid> =
                    self.threads.iter().filter(|(_, t)| t.process == child).map(|(id, _)| *id).collect();
                self.learn(who, &ended);
            }
            Operation::Life(Life::Exit { status }) if !handled => {
                self.end_process(who, op.process, *status);
                if !self.thread(who).unreal {
                    self.let_go(who, 0, &[]);
                }
                return true;
            }
            Operation::Life(Life::ExitThread { .. }) => {
                self.thread(who).state = State::Ended;
                self.end_of_threads(who);
                return true;
            }
            Operation::Timer(timer::Op::Set { .. }) if effect.result >= 0 && !handled => {
                self.start_timer(who, op);
            }
            Operation::Timer(timer::Op::Fire { .. }) => {
                self.fired(who, Box::new(op.clone()), effect.reported, effect.result == 1);
                return true;
            }
            Operation::Signal(Signal::Kill(kill)) if effect.result == 1 && !handled => {
                if kill.process == op.process {
                    self.end_by_signal(who, op.process);
                    self.let_go(who, effect.result, &[]);
                    return true;
                }
                self.assumes.insert(GONE.to_string());
                if !self.die(who, kill.process, kill.sent.signal) {
                    self.distorted = true;
                    effect.result = p::KILL;
                }
            }
            _ => {}
        }
        false
    }

    /// The call of join may come behind the detachment, which came in any case before the end of
    /// the thread.
    fn check_joinable(&mut self, who: Tid, joined: Tid) {
        if self.thread(joined).detached {
            let what = format!("{}: join of thread {joined}, which is detached", self.called(who));
            self.fail(Failure::fatal(Kind::Misuse, what));
        }
    }

    /// The handle of a detached thread names nothing from its end on.
    fn check_named(&mut self, who: Tid, named: Tid) {
        if named != who && self.threads.get(&named).is_some_and(|t| t.detached && t.has_ended()) {
            let called = self.called(who);
            let what = format!("{called}: pthread_cancel of thread {named}, which is detached and has ended");
            self.fail(Failure::fatal(Kind::Misuse, what));
        }
    }

    /// A thread knows that others have ended, and all that they knew.
    pub(super) fn learn(&mut self, who: Tid, ended: &[Tid]) {
        for &other in ended {
            let (known, time) = (self.thread(other).ended.clone(), self.thread(other).time);
            self.thread(other).joined = true;
            self.order_ended(other, who);
            let mine = self.thread(who);
            mine.time = mine.time.max(time);
            mine.ended.extend(known.iter().copied());
            mine.ended.insert(other);
        }
    }

    /// A process ends, with a status or, killed, without.
    fn end_process(&mut self, who: Tid, process: u64, status: i64) {
        for thread in self.threads.values_mut().filter(|t| t.process == process) {
            thread.state = match std::mem::replace(&mut thread.state, State::Ended) {
                State::Pending(undone) => State::Killed(undone),
                _ => State::Ended,
            };
        }
        let ended: Set<Tid> =
            self.threads.iter().filter(|(_, t)| t.process == process).map(|(id, _)| *id).collect();
        self.cut_off(who, process, &ended);
        self.change(who, move |m| m.orphan(|owner| ended.contains(&owner)));
        if self.model.lives.get(&process).is_some_and(|l| l.reaped) {
            self.number_goes(who, process); // no wait is needed
        }
        if status != 0 && self.options.exit_matters {
            self.fail(Failure::new(Kind::Exit, format!("process {process} ends with status {status}")));
        } else if status != 0 {
            self.assumes.insert(EXITS.to_string());
        }
    }

    /// The end of a process stops its threads wherever they are, but for the one that ends it, and
    /// those that this one knows to have ended before.
    fn cut_off(&mut self, who: Tid, process: u64, threads: &Set<Tid>) {
        let (known, unreal) = (self.thread(who).ended.clone(), self.thread(who).unreal);
        if unreal && self.thread(who).process == process {
            return; // its threads have all ended
        }
        let by = self.runner(who);
        for &other in threads.iter() {
            let cut = other != who && !known.contains(&other);
            self.thread(other).cut = cut;
            let runners = self.runners(other);
            for runner in runners.iter().take(runners.len() - usize::from(!cut)) {
                self.detector.cut(*runner, by);
            }
        }
    }

    /// A process is killed. Of the first one its caller would see that as a status.
    pub(super) fn end_by_signal(&mut self, who: Tid, process: u64) {
        self.end_process(who, process, 0);
        if self.threads.get(&0).is_none_or(|first| first.process != process) {
            return;
        }
        if self.options.exit_matters {
            self.fail(Failure::new(Kind::Exit, "the program is killed by a signal"));
        } else {
            self.assumes.insert(EXITS.to_string());
        }
    }
}

/// The memory of objects that an operation uses.
fn uses_of(op: &Pending) -> Vec<Access> {
    let one = |(key, size): (Key, u32)| Access {
        space: key.space,
        start: key.at,
        size,
        way: Way::Use,
        pc: op.pc,
        sort: Sort::Atomic,
        updates: false,
    };
    op.memory_of_objects().map(one).collect()
}

/// The access to memory that an operation is. A comparison reads; if it writes, the program reports
/// that behind it.
fn access_of(pending: &Pending) -> Option<Access> {
    let (at, size, way) = match pending.operation {
        Operation::Futex(futex::Op { does: futex::Does::Look { word, size }, .. }) => (word, size, Way::Read),
        Operation::Memory(memory::Op { at, size, does }) => {
            let way = match does {
                memory::Does::Load { .. } | memory::Does::Update { compares: true } => Way::Read,
                memory::Does::Store { .. } | memory::Does::Update { compares: false } => Way::Write,
                memory::Does::Free => Way::Free,
            };
            (at, size, way)
        }
        _ => return None,
    };
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let sort = if pending.operation.is_plain_access() { Sort::Visible } else { Sort::Atomic };
    let updates = matches!(pending.operation, Operation::Memory(op) if op.updates());
    Some(Access { space: at.space, start: at.at, size, way, pc: pending.pc, sort, updates })
}

/// Calls whose system call may be done when the thread is asked to end.
fn does_input(operation: &Operation) -> bool {
    use Operation::{Fifo, File, FileLock, Queue};
    matches!(operation, File(_) | FileLock(_) | Fifo(_) | Queue(_))
}
