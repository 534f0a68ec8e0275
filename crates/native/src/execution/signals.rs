//! Signals, timers and ends of threads in a run: what is visible of them, and what has to happen in
//! the program.

use super::names::{ALL_PROCESSES, CANCELS, LOCKS};
use super::{Execution, Interrupted, Plain, State, Thread};
use crate::objects::process::Op as Life;
use crate::objects::signal::{Action, Does, Kill, Op as Signal};
use crate::objects::timer::Op as Timer;
use crate::objects::{Nesting, Resume, cancel, check, fatal};
use crate::operation::{Class, Key, Operation, Pending, SideEffects, Tid};
use crate::protocol::{self as p, Request};
use explore::stateless::Trouble;
use objects::Object;

/// Functions that are not safe in handlers, in the order of `protocol.h`.
const UNSAFE: [&str; 4] = ["malloc", "free", "a call on a stream", "exit"];

/// How many handlers of a thread that may nest are told apart.
const MANY_HANDLERS: usize = 32;

/// How many accesses of a loop are looked at.
const LOOP: usize = 64;

/// Names of what is no thread: the end of a process, and its timers from here on.
const END: u64 = 1 << 40;

impl Execution {
    /// What a process does about a signal, or a thread blocks, while no signal is sent.
    pub(super) fn set_signals(&mut self, who: Tid, request: &Request) -> Result<(), Trouble> {
        let op = self.decode(who, request)?;
        if let Some(process) = self.to_watch(who, &op) {
            return Err(self.known.watch(process));
        }
        self.change(who, move |m| drop(m.perform(who, &op, 0)));
        Ok(())
    }

    /// What has to be watched from now on, if it is not: an operation makes signals, or ends of
    /// threads, something that others see.
    pub(super) fn to_watch(&self, who: Tid, op: &Pending) -> Option<u64> {
        let child = i64::from(libc::SIGCHLD);
        let (everybody, children) = match &op.operation {
            Operation::Signal(Signal::Action { signal, action: Some(action) }) => {
                let Action { does, flags, .. } = *action;
                let acts = does != Does::Usual || flags != 0 || self.model.acts_on_children(op.process);
                (*signal == child && acts, *signal == child && acts)
            }
            Operation::Signal(Signal::Pending) => {
                let blocks = self.model.blocks_children(op.process);
                (blocks, blocks)
            }
            Operation::Signal(Signal::Wait { set, .. }) => {
                let waits = set >> (child - 1) & 1 != 0;
                (waits, waits)
            }
            Operation::Cancel(cancel::Op::Cancel { .. }) if !self.known.watched.contains(&CANCELS) => {
                return Some(CANCELS);
            }
            Operation::Cancel(cancel::Op::Cancel { .. }) | Operation::Life(Life::TryJoin { .. }) => {
                (true, false)
            }
            Operation::Timer(Timer::Set { .. }) => (true, false),
            Operation::Signal(Signal::Kill(kill)) => (!self.is_for_itself(who, op, kill), false),
            Operation::FileLock(lock) if !lock.waits && !self.known.watched.contains(&LOCKS) => {
                return Some(LOCKS);
            }
            _ => (false, false),
        };
        // Its own end may then come before a signal or behind it: with another status, or not.
        let changed_end = children || matches!(op.operation, Operation::Timer(Timer::Set { .. }));
        let parent = self.model.lives.get(&op.process).map(|l| l.parent).filter(|_| changed_end);
        let mut wanted = [everybody.then_some(ALL_PROCESSES), children.then_some(op.process), parent];
        if op.operation.exits() {
            let [everybody, children] = self.told_of_end(op.process);
            wanted = [everybody, children, None];
        }
        wanted.into_iter().flatten().find(|process| !self.known.watched.contains(process))
    }

    /// What the end of a process makes visible: its parent does something about it, which it may
    /// have from its own parent.
    fn told_of_end(&self, process: u64) -> [Option<u64>; 2] {
        let parent = self.model.lives.get(&process).map(|l| l.parent);
        let parent = parent.filter(|p| self.model.acts_on_children(*p));
        [parent.map(|_| ALL_PROCESSES), parent]
    }

    /// A signal that only the thread that sends it can take, and about which no other thread
    /// decides.
    fn is_for_itself(&self, who: Tid, op: &Pending, kill: &Kill) -> bool {
        let itself = kill.thread.map_or(kill.process == op.process, |thread| thread == who);
        itself && !self.has_company(who)
    }

    /// A thread runs its handlers, of signals that it sent itself or not.
    pub(super) fn interrupt(&mut self, who: Tid, resume: Resume, itself: bool, nesting: Nesting) {
        let running = self.runners(who);
        let runner = self.detector.name(&running, nesting.signals);
        if runner / p::LIM_SLOTS > MANY_HANDLERS {
            self.uncontrolled.insert("many handlers that may interrupt each other".to_string());
        }
        self.thread(who).interrupted.push(Interrupted { resume, runner });
        if self.looks_for_races() {
            let before = running.last().copied().unwrap_or(who);
            self.detector.interrupt(before, runner, itself, nesting);
        } else {
            self.assumes
                .insert("handlers of signals share no plain memory with what they interrupt".to_string());
        }
    }

    /// What a handler does at the same time as what it interrupts: whether that is a function that
    /// is not safe there, which is no access. A copy that is half done is not explored.
    pub(super) fn is_unsafe(&mut self, start: u64, torn: bool) -> bool {
        let function = start.checked_sub(p::UNSAFE).map(|at| at % p::UNSAFE_ROOM / 8);
        if let Some(function) = function {
            let name = UNSAFE.get(function as usize).unwrap_or(&"such a function");
            self.uncontrolled.insert(format!("{name} in a signal handler, which may interrupt its like"));
        } else if torn {
            self.uncontrolled.insert("a copy that a signal handler may find half done".to_string());
        }
        function.is_some()
    }

    /// A loop without an end may be one that waits for a handler: then what it accesses is visible,
    /// and the handler can come.
    pub(super) fn expect_handlers(&mut self, who: Tid, accesses: &[Plain]) {
        if self.known.alert() && self.model.has_handlers(self.process_of(who)) {
            for place in accesses.iter().map(|a| a.pc).take(LOOP) {
                self.more_races |= self.known.racing.insert(place);
            }
        }
    }

    /// What an ended thread has done comes before what another does. One that was cut off may not
    /// have done what came last, nor what a handler interrupted that ended the process.
    pub(super) fn order_ended(&mut self, ended: Tid, who: Tid) {
        let thread = self.thread(ended);
        let cut = thread.cut;
        match cut {
            true => {
                self.edges.push((ended, who));
                self.order_clocks(ended, who);
                self.ends.order(ended, who);
            }
            false => self.order(ended, who),
        }
        let to = self.runner(who);
        let runners = self.runners(ended);
        for (depth, runner) in runners.iter().take(runners.len() - usize::from(!cut)).enumerate() {
            self.detector.order_killed(*runner, to, runners.get(depth + 1).copied());
        }
    }

    /// A close of a file, while no file is locked.
    pub(super) fn closes_plainly(&mut self, who: Tid, request: &Request) -> bool {
        let process = self.thread(who).process;
        !self.known.watched.contains(&LOCKS)
            && !self.is_inherited(who)
            && self.model.files.is_plain(process, request.object)
    }

    /// Behind its handlers a thread gets the answer to what they interrupted, or goes on waiting;
    /// whether it runs.
    pub(super) fn resume(&mut self, who: Tid) -> bool {
        let handler = self.runner(who);
        let resume = self.thread(who).interrupted.pop().map(|i| i.resume);
        let runs = self.goes_on_with(who, resume);
        if self.looks_for_races() {
            self.detector.resume(self.runner(who), handler, runs);
        }
        runs
    }

    fn goes_on_with(&mut self, who: Tid, resume: Option<Resume>) -> bool {
        match resume {
            Some(Resume::Again(op)) => {
                let before = std::mem::take(&mut self.thread(who).before);
                let side_effects = SideEffects::after(before);
                self.thread(who).state = State::Pending(Box::new(Pending { side_effects, ..*op }));
                false
            }
            Some(Resume::With(result, data)) => match self.model.takes_more(who, self.process_of(who)) {
                // What its handlers blocked comes now.
                true => {
                    let on = Key::new(Class::Sync, self.process_of(who), 0);
                    let take = Operation::Signal(Signal::Take { result, data, on });
                    let pending = self.stands_before(who, &Request::default(), take);
                    self.thread(who).state = State::Pending(Box::new(pending));
                    false
                }
                false => {
                    self.let_go(who, result, &data);
                    true
                }
            },
            None => {
                self.let_go(who, 0, &[]);
                true
            }
        }
    }

    /// A thread has ended by itself. That is visible only if others may see it.
    pub(super) fn exit_thread(&mut self, who: Tid, request: &Request) -> Result<(), Trouble> {
        let observer = request.a == 1;
        if request.a == 2 {
            self.handles_exit.insert(self.process_of(who));
        }
        let alone = self.threads.iter().all(|(other, t)| *other == who || t.has_ended());
        let seen = self.known.alert() || !self.model.robust_of(who).is_empty();
        if seen && !observer && !alone {
            let op = self.decode(who, request)?;
            let before = std::mem::take(&mut self.thread(who).before);
            let side_effects = SideEffects::after(before);
            self.thread(who).state = State::Pending(Box::new(Pending { side_effects, ..op }));
            return Ok(());
        }
        self.thread(who).state = State::Ended;
        self.change(who, move |m| {
            m.orphan(|owner| owner == who);
            m.end_thread(who);
        });
        self.end_of_threads(who);
        Ok(())
    }

    /// A thread has ended by itself; if it was the last of its process, so does the process. If
    /// others can see that, it is an operation behind those of all its threads, and of none of
    /// them. Otherwise the last thread to end ends it, which is another thread in another order of
    /// the same operations.
    pub(super) fn end_of_threads(&mut self, who: Tid) {
        let process = self.thread(who).process;
        let Ok(op) = self.decode(who, &Request { op: p::OP_EXIT_PROCESS, ..Request::default() }) else {
            return;
        };
        let reported: Vec<u64> = self.told_of_end(process).into_iter().flatten().collect();
        if !self.threads.values().any(|t| t.process == process && t.lives()) {
            reported.into_iter().for_each(|what| self.suspicion |= self.known.watched.insert(what));
        }
        let watched = self.is_watched(process);
        let seen = watched || self.model.end_is_seen(process);
        let last = op.clone();
        self.change(who, move |m| {
            if !watched && !m.has_threads(process) && !m.end_is_seen(process) {
                m.perform(who, &last, 0);
            }
        });
        let threads: Vec<Tid> =
            self.threads.iter().filter(|(_, t)| t.process == process).map(|(id, _)| *id).collect();
        if self.threads.values().any(|t| t.process == process && t.lives()) {
            return;
        }
        if self.handles_exit.contains(&process) {
            self.uncontrolled.insert("what exit does behind the last thread".to_string());
            (self.loose, self.distorted) = (true, true);
        }
        if !seen {
            return;
        }
        let Some(end) = self.known.thread(process as Tid, END) else { return };
        let state = State::Pending(Box::new(op));
        self.threads.insert(end, Thread { state, unreal: true, ..Thread::new(process) });
        for thread in threads {
            self.order(thread, end);
        }
    }

    /// From now on the timer may fire: a thread that does nothing else. It begins when it is set
    /// for the first time; later settings only depend on its firing, which may come before them.
    pub(super) fn start_timer(&mut self, who: Tid, op: &Pending) {
        let Operation::Timer(Timer::Set { timer: key, sends: Some(_), repeats }) = op.operation else {
            return;
        };
        if repeats {
            self.uncontrolled.insert("a timer that fires again and again".to_string());
            self.loose = true; // who waits for the next time waits for more than one
        }
        let Some(timer) = self.known.thread(op.process as Tid, END + 1 + key.at) else { return };
        let fires = op.then(Operation::Timer(Timer::Fire { timer: key }));
        let fires = Pending { point: false, side_effects: SideEffects::default(), ..fires };
        let state = State::Pending(Box::new(fires));
        let process = u64::MAX - timer as u64;
        let time = if self.options.ordered { 0 } else { self.thread(who).limit };
        let begins = !self.threads.contains_key(&timer);
        self.threads.insert(timer, Thread { state, unreal: true, time, ..Thread::new(process) });
        if begins {
            self.order(who, timer);
        }
    }

    /// A timer has fired.
    pub(super) fn fired(&mut self, who: Tid, op: Box<Pending>, signal: i64, dies: bool) {
        if dies {
            self.die(who, op.process, signal);
        }
        self.thread(who).state = State::Pending(op);
    }

    /// A process dies of a signal: one of its threads ends it. They all wait, but for one that
    /// computes without an end; one that has failed waits where it did. Whether there is one.
    pub(super) fn die(&mut self, who: Tid, process: u64, signal: i64) -> bool {
        let looping = self.looping;
        let waits = |(id, t): &(&Tid, &Thread)| {
            let waits = matches!(t.state, State::Pending(_) | State::Stopped) && looping != Some(**id);
            t.process == process && !t.unreal && waits
        };
        let victim = self.threads.iter().find(waits).map(|(id, _)| *id);
        self.end_by_signal(who, process);
        if let Some(victim) = victim {
            self.let_go(victim, p::SIGNAL, &fatal(signal));
        }
        victim.is_some()
    }

    /// Whether a pending operation is a transition. A join happens by itself as soon as it can; who
    /// goes round in a circle goes on in other runs; unless signals make a difference to them.
    pub(super) fn counts(&self, who: Tid, op: &Pending) -> bool {
        match op.operation {
            Operation::Life(Life::Join { .. }) => self.known.alert(),
            Operation::Check(check::Op::BusyWait { .. }) => self.model.is_alarmed(who, op),
            _ => true,
        }
    }
}
