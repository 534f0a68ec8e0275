//! A pending operation is executed: what it does to the objects, and what that brings about for
//! threads and processes.

use super::history::{Access, Sort};
use super::listen::MANY;
use super::{Execution, State};
use crate::objects::{BEFORE, CANCEL, Effect, INSIDE, all_sent_by};
use crate::operation::{COMPARES, FIRE, FREES, Footprint, Key, Op, Outcome, SideEffects, Tid};
use crate::protocol as p;
use crate::small::Set;
use explore::stateless::{Failure, Kind, Semantics, Way};

const EXITS: &str = "an exit status other than 0, or an end by a signal, is no failure (with --exit it is)";

const OPTIONAL: &str = "a thread that is cancelled when it uses a stream: \
                        POSIX leaves open whether it ends there";

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
        let effect = self.model.apply(who, &op, outcome);
        if let Some(what) = &effect.misuse {
            self.fail(Failure::new(Kind::Misuse, format!("{}: {what}", self.called(who))));
        }
        self.unmodelled = self.unmodelled.or(effect.unmodelled);
        if op.is_optional_point() && self.model.cancelled.contains(&who) {
            self.uncontrolled.insert(OPTIONAL.to_string());
        }
        for released in &effect.released {
            self.order(who, *released);
        }
        if op.kind == p::OP_CREATE && effect.resume.is_none() && !effect.dies {
            return self.forks(who);
        }
        if self.ends(who, &op, outcome, &effect) {
            return false;
        }
        if effect.dies {
            self.end_by_signal(who, &op);
            self.let_go(who, effect.result, &effect.data);
            return false;
        }
        if let Some(resume) = effect.resume {
            let itself = op.kind == p::OP_KILL && all_sent_by(&effect.data, who);
            self.interrupt(who, resume, itself);
        }
        if let Some(next) = effect.next {
            let next = Op { aftermath: SideEffects::default(), ..next };
            self.thread(who).state = State::Pending(Box::new(next));
            return false;
        }
        self.let_go(who, effect.result, &effect.data);
        true
    }

    /// Looks for races with it. What is no transition has no place among those that touch the same
    /// objects: only which thread waits for which orders it.
    fn enter(&mut self, who: Tid, op: &Op, outcome: Outcome, transition: bool) {
        let mut touched = if transition { self.model.footprint(who, op, outcome) } else { Footprint::new() };
        if self.fails_to_take(who, op, outcome) {
            // It learns nothing from who has what it tried to take.
            touched.retain(|t| t.key != op.key);
        }
        let access = (outcome == 0).then(|| access_of(op)).flatten();
        let uses = if matches!(outcome, BEFORE | INSIDE | CANCEL) { Vec::new() } else { uses_of(op) };
        let access = access.or_else(|| uses.first().copied());
        let runner = self.runner(who);
        let mut met = self.detector.transition(runner, &touched, access.as_ref());
        met.extend(uses.iter().skip(1).flat_map(|other| self.detector.besides(runner, other)));
        let compares = op.kind == p::OP_UPDATE && op.b == COMPARES;
        if (compares || !met.is_empty()) && !op.stack.is_empty() {
            // How it was reached here, not elsewhere.
            self.stacks.insert(op.pc, op.stack.clone());
        }
        self.heed_races(who, access.map_or(op.key.space, |a| a.space), &met);
    }

    /// A lock or a semaphore that is not to be had, at once or in time; or only looked at.
    fn fails_to_take(&self, who: Tid, op: &Op, outcome: Outcome) -> bool {
        let tries =
            matches!(op.kind, p::OP_MUTEX_TRYLOCK | p::OP_SEM_TRYWAIT | p::OP_RW_TRYREAD | p::OP_RW_TRYWRITE);
        let takes = matches!(op.kind, p::OP_MUTEX_LOCK | p::OP_SEM_WAIT | p::OP_RW_READ | p::OP_RW_WRITE);
        let result = || self.model.clone().apply(who, op, outcome).result.abs();
        let failures = [libc::EBUSY, libc::EAGAIN, libc::ETIMEDOUT].map(i64::from);
        op.kind == p::OP_SEM_GETVALUE || (tries || takes && op.late) && failures.contains(&result())
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
    fn ends(&mut self, who: Tid, op: &Op, outcome: Outcome, effect: &Effect) -> bool {
        match op.kind {
            p::OP_TOSS if outcome == 1 && op.behind.as_ref().is_some_and(|b| b.is_spurious()) => {
                let thread = self.thread(who);
                thread.spurious = thread.spurious.saturating_sub(1);
            }
            p::OP_JOIN | p::OP_TRYJOIN if effect.resume.is_none() && effect.result == 0 => {
                self.learn(who, &[op.key.at as Tid]);
                self.check_joinable(who, op.key.at as Tid);
            }
            p::OP_WAIT if outcome >= 0 => {
                let child = outcome as u64;
                let ended: Vec<Tid> =
                    self.threads.iter().filter(|(_, t)| t.process == child).map(|(id, _)| *id).collect();
                self.learn(who, &ended);
            }
            p::OP_EXIT_PROCESS if effect.resume.is_none() => {
                self.end_process(who, op);
                if !self.thread(who).unreal {
                    self.let_go(who, 0, &[]);
                }
                return true;
            }
            p::OP_EXIT_THREAD => {
                self.thread(who).state = State::Ended;
                self.end_of_threads(who);
                return true;
            }
            p::OP_TIMER if effect.result >= 0 && effect.resume.is_none() => self.start_timer(who, op),
            FIRE => {
                self.fired(who, Box::new(op.clone()), effect.told, effect.result == 1);
                return true;
            }
            p::OP_KILL if effect.result == 1 && effect.resume.is_none() => {
                if op.key.space == op.process {
                    self.end_by_signal(who, op);
                    self.let_go(who, effect.result, &[]);
                    return true;
                }
                self.die(who, op, op.key.space, op.a);
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

    pub(super) fn end_process(&mut self, who: Tid, op: &Op) {
        for thread in self.threads.values_mut().filter(|t| t.process == op.process) {
            thread.state = match std::mem::replace(&mut thread.state, State::Ended) {
                State::Pending(undone) => State::Killed(undone),
                _ => State::Ended,
            };
        }
        let ended: Set<Tid> =
            self.threads.iter().filter(|(_, t)| t.process == op.process).map(|(id, _)| *id).collect();
        self.cut_off(who, op, &ended);
        self.change(who, move |m| m.orphan(|owner| ended.contains(&owner)));
        if op.a != 0 && self.options.exit_matters {
            self.fail(Failure::new(Kind::Exit, format!("process {} ends with status {}", op.process, op.a)));
        } else if op.a != 0 {
            self.assumes.insert(EXITS.to_string());
        }
    }

    /// The end of a process stops its threads wherever they are, but for the one that ends it, and
    /// those that this one knows to have ended before.
    fn cut_off(&mut self, who: Tid, op: &Op, threads: &Set<Tid>) {
        let (known, unreal) = (self.thread(who).ended.clone(), self.thread(who).unreal);
        if unreal && op.kind == p::OP_EXIT_PROCESS {
            return; // its threads have all ended
        }
        let by = self.runner(who);
        for &other in threads.iter() {
            let cut = other != who && !known.contains(&other);
            let thread = self.thread(other);
            thread.cut = cut;
            for depth in 0..thread.interrupted.len() + usize::from(cut) {
                self.detector.cut(other + p::LIM_SLOTS * depth, by);
            }
        }
    }

    /// A process is killed. Of the first one its caller would see that as a status.
    pub(super) fn end_by_signal(&mut self, who: Tid, op: &Op) {
        self.end_process(who, &Op { a: 0, ..op.clone() });
        if self.threads.get(&0).is_none_or(|first| first.process != op.process) {
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
fn uses_of(op: &Op) -> Vec<Access> {
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
fn access_of(op: &Op) -> Option<Access> {
    let way = match op.kind {
        p::OP_LOAD | p::OP_FUTEX_WAIT => Way::Read,
        p::OP_UPDATE if op.b == COMPARES => Way::Read,
        p::OP_STORE if op.b == FREES => Way::Free,
        p::OP_STORE | p::OP_UPDATE => Way::Write,
        _ => return None,
    };
    let size = u32::try_from(op.a).unwrap_or(u32::MAX);
    let sort = if op.is_plain_access() { Sort::Visible } else { Sort::Atomic };
    let updates = op.kind == p::OP_UPDATE;
    let Key { space, at: start, .. } = op.with.filter(|_| op.kind == p::OP_FUTEX_WAIT).unwrap_or(op.key);
    Some(Access { space, start, size, way, pc: op.pc, sort, updates })
}
