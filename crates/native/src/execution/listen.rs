//! What a thread does until its next visible operation, and what is heard of it on the way: threads
//! and processes that it makes, notices, plain accesses, failures.

use super::history::{Access, Meeting, Notice, Plain, Sort};
use super::names::{FORKS, SHARED};
use super::table::QUERY;
use super::{Execution, State, Thread};
use crate::machine::{Patience, Silence};
use crate::objects::{Life, cancel, signal};
use crate::operation::{Class, Operation, Pending, Tid};
use crate::protocol::{self as p, Request};
use explore::stateless::{Clash, Failure, Kind, Trouble, Way};
use objects::Object;

impl Execution {
    /// Lets a thread run to its next operation, then its children, then whatever can happen by
    /// itself.
    pub(super) fn settle(&mut self, mut running: Option<Tid>) -> Result<(), Trouble> {
        loop {
            if self.machine.is_unforeseen() {
                return Err(Trouble::Unforeseen);
            }
            if let Some(what) = self.unmodelled.take() {
                return Err(Trouble::Uncontrolled(what.to_string()));
            }
            if let Some(who) = running.take() {
                self.listen(who)?;
            }
            if std::mem::take(&mut self.suspicion) {
                return Err(Trouble::Restart);
            }
            if self.failure.as_ref().is_some_and(|f| f.fatal) {
                break;
            }
            if let Some(child) = self.newborn.pop_front() {
                if let Some(request) = self.hear(child)? {
                    debug_assert!(request.op == p::OP_START || request.op == p::OP_CRASH);
                    self.let_go(child, 0, &[]);
                    running = Some(child);
                }
            } else if let Some((who, outcome)) = self.by_itself()? {
                running = self.happens(who, outcome).then_some(who);
            } else {
                break;
            }
        }
        Ok(())
    }

    /// The next request of a thread that runs; none if it will never come.
    fn hear(&mut self, who: Tid) -> Result<Option<Request>, Trouble> {
        let request = self.machine.request(who);
        for (from, note) in self.machine.notes() {
            self.take_note(from, &note);
        }
        let accesses = self.machine.accesses(who);
        for plain in &accesses {
            self.look_for_races(who, plain);
        }
        match request {
            Ok(request) => {
                self.note_time(who, &request);
                return Ok(Some(request));
            }
            Err(Silence::Trouble(trouble)) => return Err(trouble),
            Err(Silence::Diverges) => {
                self.diverges(who, &accesses);
                return Ok(None);
            }
            // What is not modelled may have ended it.
            Err(Silence::Died) if self.loose => {
                let what = format!("process {} ended in a way that is not modelled", self.process_of(who));
                return Err(Trouble::Uncontrolled(what));
            }
            Err(Silence::Died) => {
                self.fail(Failure::fatal(
                    Kind::Crash,
                    format!("process {} was killed", self.process_of(who)),
                ));
            }
        }
        self.thread(who).state = State::Stopped;
        Ok(None)
    }

    /// Others go on: they may write what it reads, and then it only waits, in a way that races.
    fn diverges(&mut self, who: Tid, accesses: &[Plain]) -> bool {
        let limit = self.machine.divergence;
        let what = format!("{} computes for {limit:?} without a visible operation", self.called(who));
        self.expect_handlers(who, accesses);
        self.looping.get_or_insert(who);
        self.stop(who, Failure::new(Kind::Divergence, what))
    }

    /// Follows a thread to its next visible operation.
    fn listen(&mut self, who: Tid) -> Result<(), Trouble> {
        let mut patience = Patience::default();
        while let Some(request) = self.hear(who)? {
            let goes_on = match request.op {
                // It only tells what it has accessed.
                p::OP_NONE if self.machine.is_tired(&mut patience, who)? => self.diverges(who, &[]),
                p::OP_ASSERT => self.stop(who, Failure::new(Kind::Assertion, request.text())),
                p::OP_CRASH => {
                    let what = format!("{} is killed by {}", self.called(who), signal_name(request.a));
                    self.stop(who, Failure::new(Kind::Crash, what))
                }
                p::OP_EXIT_THREAD => {
                    self.exit_thread(who, &request)?;
                    false
                }
                p::OP_RESUME => self.resume(who),
                _ => match self.heed(who, &request)? {
                    Some(answer) => {
                        self.let_go(who, answer, &[]);
                        true
                    }
                    None => {
                        self.stand_before(who, &request)?;
                        false
                    }
                },
            };
            if !goes_on {
                break;
            }
        }
        Ok(())
    }

    /// The thread has failed, and goes no further.
    fn stop(&mut self, who: Tid, failure: Failure) -> bool {
        self.fail(failure);
        self.thread(who).state = State::Stopped;
        false
    }

    /// What is no operation that others see: the thread goes on at once, with this answer.
    fn heed(&mut self, who: Tid, request: &Request) -> Result<Option<i64>, Trouble> {
        match request.op {
            p::OP_CREATE if request.a == 1 && self.has_company(who) && self.known.watched.insert(FORKS) => {
                return Err(Trouble::Restart);
            }
            p::OP_CREATE if !self.forks_visibly(who, request) => {
                let child = self.create(who, request.a == 1);
                if let Some(child) = child {
                    self.thread(child).detached = request.b == 1;
                }
                return child.map(|c| Some(c as i64)).ok_or_else(|| Trouble::Uncontrolled(MANY.to_string()));
            }
            p::OP_UNBORN => self.unborn(who, request.object as Tid % p::LIM_SLOTS),
            p::OP_INPUT => self.assumes.extend(self.machine.fill_input()?.map(str::to_string)),
            p::OP_LOADED if request.a == 1 => drop(self.shares.called.insert(request.text())),
            p::OP_LOADED => drop(self.shares.loaded.insert(request.text())),
            p::OP_UNCONTROLLED => {
                self.uncontrolled.insert(request.text());
                self.loose = true;
                self.distorted |= request.a == p::OTHERWISE;
                if request.a == 1 {
                    return Err(Trouble::Uncontrolled(request.text()));
                }
            }
            p::OP_ASSUME => drop(self.assumes.insert(request.text())),
            p::OP_FD_NEW => self.new_file(who, request),
            p::OP_FD_DUP => {
                let process = self.thread(who).process;
                let (old, new) = (request.object, request.a as u64);
                self.change(who, move |m| m.files.duplicate(process, old, new));
            }
            p::OP_SYSV_GET | p::OP_MSG_GET if request.a == 0 => {
                return Ok(Some(self.get_private(who, request)));
            }
            p::OP_MISUSE => self.fail(Failure::new(Kind::Misuse, request.text())),
            p::OP_FD_CLOSE if self.closes_plainly(who, request) => {
                let op = self.decode(who, request)?;
                self.change(who, move |m| drop(m.perform(who, &op, 0)));
            }
            p::OP_SIGACTION if request.b == QUERY && !self.known.alert() => {}
            p::OP_SIGACTION if self.is_inherited(who) => return Ok(None),
            p::OP_SIGACTION | p::OP_SIGMASK if !self.known.alert() && self.model.is_quiet() => {
                self.set_signals(who, request)?;
            }
            p::OP_LAST if !self.known.alert() => {}
            p::OP_NONE | p::OP_START => {}
            _ => return Ok(None),
        }
        Ok(Some(0))
    }

    /// A visible operation.
    fn stand_before(&mut self, who: Tid, request: &Request) -> Result<(), Trouble> {
        let mut op = self.decode(who, request)?;
        op.side_effects.before = std::mem::take(&mut self.thread(who).before);
        if !op.stack.is_empty() && self.known.racing.contains(&op.pc) {
            self.stacks.entry(op.pc).or_insert_with(|| op.stack.clone());
        }
        self.check_declared(who, &op);
        self.check_private(who, request, &op);
        self.thread(who).state = State::Pending(Box::new(op));
        Ok(())
    }

    fn unborn(&mut self, who: Tid, child: Tid) {
        self.uncontrolled.insert("a thread or process that could not be created".to_string());
        self.threads.remove(&child);
        self.change(who, move |m| {
            m.lives.retain(|id, _| *id != child as u64);
            m.end_thread(child);
        });
        self.newborn.retain(|c| *c != child);
    }

    /// A fork of a thread that may be killed before it, or run a handler: there is a child or not,
    /// and it has what the handler wrote or not; and another thread may wait for any child. What
    /// creates a thread needs no such care, since that ends with its process.
    fn forks_visibly(&self, who: Tid, request: &Request) -> bool {
        request.a == 1 && (self.known.alert() || self.has_company(who))
    }

    /// Whether another thread may fork before what this one does, or behind it.
    pub(super) fn is_inherited(&self, who: Tid) -> bool {
        self.known.watched.contains(&FORKS) && self.has_company(who)
    }

    /// Whether other threads of its process live, or have ended and it does not know.
    pub(super) fn has_company(&self, who: Tid) -> bool {
        let Some(me) = self.threads.get(&who) else { return false };
        let past = |other: &Tid, t: &Thread| t.has_ended() && me.ended.contains(other);
        self.threads.iter().any(|(other, t)| *other != who && t.process == me.process && !past(other, t))
    }

    /// A thread or a process is born, if there is room.
    pub(super) fn create(&mut self, who: Tid, forked: bool) -> Option<Tid> {
        let parent = self.thread(who);
        parent.children += 1;
        let (nth, process, uses, time) = (parent.children, parent.process, parent.uses.clone(), parent.time);
        let child = self.known.thread(who, nth)?;
        let space = if forked { child as u64 } else { process };
        if forked {
            self.change(who, move |m| m.copy_space(who, process, space));
            self.detector.fork(self.runner(who), process, space);
            let copy = self.spaces.get(&process).cloned().unwrap_or_default();
            self.spaces.insert(space, copy);
            self.copy_objects(process, space);
            let life = Life { parent: process, ended: false, reaped: false };
            self.change(who, move |m| m.lives.extend([(space, life)]));
        }
        self.change(who, move |m| m.begin_thread(child, space, who));
        let spurious = self.options.spurious;
        self.threads.insert(child, Thread { uses, spurious, time, ..Thread::new(space) });
        if self.running.contains(&who) {
            self.running.insert(child);
        }
        self.thread(child).before = self.thread(who).before.clone();
        self.order(who, child);
        self.newborn.push_back(child);
        self.identity_of_child(who, forked);
        self.share_with(child, forked);
        Some(child)
    }

    fn look_for_races(&mut self, who: Tid, plain: &Plain) {
        let process = self.thread(who).process;
        let place = self.spaces.get(&process).map(|s| s.place(process, plain.at));
        let (space, start) = place.unwrap_or((process, plain.at));
        let Plain { size, way, pc, .. } = *plain;
        let runner = self.runner(who);
        let access = Access { space, start, size, way, pc, sort: Sort::Hidden, updates: false };
        let met = match plain.reported {
            Notice::Renewal => return self.detector.renew(runner, space, start, size),
            Notice::Identity(call) => return self.identity(who, plain.at, call),
            Notice::Plain => self.detector.access(runner, &access),
            Notice::Found => self.detector.found(runner, &Access { sort: Sort::Atomic, ..access }),
        };
        self.heed_races(who, space, &met);
    }

    /// Calls on a file turned out to order something: what raced in this run may be ordered in the
    /// next.
    pub(super) fn forget_new_races(&mut self) {
        self.races_uncertain = true;
        for race in std::mem::take(&mut self.new_races) {
            self.races.remove(&race);
        }
    }

    /// What is part of a race becomes visible.
    pub(super) fn heed_races(&mut self, who: Tid, space: u64, met: &[Meeting]) {
        if self.races_uncertain {
            return;
        }
        for Meeting { with, race, start, hidden, dead, inherited, torn } in met {
            let with = with % p::LIM_SLOTS;
            if with == who && self.is_unsafe(*start, *torn && !inherited) {
                continue;
            }
            if with == who && race.first.way == Way::Free && race.second.way != Way::Init {
                let what = format!("{}: a handler uses memory that was freed before", self.called(who));
                self.fail(Failure::new(Kind::Misuse, what));
                continue;
            }
            let ends = [race.first, race.second].iter().any(|spot| spot.way == Way::Free);
            if ends && space & SHARED != 0 && self.process_of(with) != self.process_of(who) {
                continue; // the memory is still there for the other process
            }
            // A handler may do that to what it interrupts, and so may who finds what a killed
            // process left.
            if with != who && !dead && !inherited {
                if self.races.insert(*race) {
                    self.new_races.push(*race);
                }
                if self.options.races_matter {
                    let clash = Clash { race: *race, threads: [with, who], space, at: *start };
                    self.fail(Failure::race(clash));
                }
            }
            let spots = [race.first, race.second].into_iter().zip(hidden);
            for (spot, _) in spots.filter(|(spot, hidden)| **hidden && spot.way != Way::Init) {
                self.more_races |= self.known.racing.insert(spot.pc);
            }
        }
    }

    /// An operation must be among those that the thread declared, if it did. To end other threads
    /// cannot be declared.
    fn check_declared(&mut self, who: Tid, op: &Pending) {
        let Some(uses) = self.thread(who).uses.clone() else { return };
        let outcome = self.model.outcomes(who, op).first().copied().unwrap_or(-1);
        let op = &Pending { heeds_memory: false, ..op.clone() };
        let touched = self.model.touches(who, op, outcome);
        let counts = |class: Class| {
            matches!(
                class,
                Class::Sync | Class::Sysv | Class::Memory | Class::Channel | Class::Queue | Class::Content
            )
        };
        let mut objects = touched.iter().filter(|t| counts(t.key.class));
        let others = self.threads.values().filter(|t| t.process == op.process && t.lives()).count() > 1;
        let ends_others = match op.operation {
            Operation::Cancel(cancel::Op::Cancel { .. }) | Operation::Signal(signal::Op::Kill(_)) => true,
            _ => others && op.operation.exits(),
        };
        if ends_others || objects.any(|t| !uses.iter().any(|u| u.covers(t))) {
            let what = format!("{}: {} on an object it has not declared", self.called(who), op.name());
            self.fail(Failure::fatal(Kind::Misuse, what));
        }
    }
}

/// What is said of a thread that has no slot.
pub(super) const MANY: &str = "more than 1024 threads";

fn signal_name(number: i64) -> String {
    let name = match number as i32 {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGSYS => "SIGSYS",
        other => return format!("signal {other}"),
    };
    name.to_string()
}
