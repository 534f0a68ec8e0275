//! Ends that are seen in part.
//!
//! In the model a process ends in one step. Linux gives back one thing after the other: robust
//! locks, SEM_UNDO, descriptors with their locks; then its children get another parent, it can be
//! waited for, and SIGCHLD is sent. A killed process does all that some time behind the signal.
//!
//! A run with a gap between two of these *parts* is one of the model with the end in one step,
//! unless a thread knows one part and then finds that another is not there yet: if nothing leads
//! from the first to the second, the operations commute to either side of the end. And who waits
//! for the second part waits: that is what a thread does that is not scheduled. What remains is a
//! *look*: a call that does not wait and tells whether that part is there (WNOHANG, a lock that is
//! only tried, a read without waiting, `getppid`, a handler of SIGCHLD that may come later).
//!
//! So each thread has a clock of the parts that it knows, by itself or from others: what depends on
//! each other, in the dependency relation of the search, teaches. A look at a part of an end of
//! which another part is known, and not this one, is not explored: the verdict is *unknown*. To
//! have waited for a process is to know that all of its end is over. Ends of threads that hold
//! robust locks are treated in the same way.

use super::Execution;
use super::ordered::Ordered;
use super::races::{Clock, at, join};
use crate::objects::process::{Op as Life, Wait};
use crate::objects::signal::Op as Signal;
use crate::objects::timer::Op as Timer;
use crate::objects::{BEFORE, CANCEL, Effect, INSIDE, NONE, process_number};
use crate::operation::{Class, Footprint, Key, ObjectAccess, Operation, Outcome, Pending, Tid};
use objects::Object;
use std::collections::BTreeMap;

const GAP: &str = "a look at a process that is ending: it gives back one thing after the other";

const THREADS: &str = "all threads of a process that ends stop at once";

/// Parts of every end: it was begun by a signal; the children have another parent; it is over.
const BEGUN: usize = 0;
const ORPHANS: usize = 1;
const OVER: usize = 2;
const KEYS: usize = 3;

/// What ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Process(u64),
    Thread(Tid),
}

#[derive(Debug)]
struct End {
    who: Who,
    /// Of a process.
    parent: u64,
    /// What is given back, and whether that takes from a semaphore.
    parts: Vec<Key>,
    takes: bool,
    /// Where its parts begin in the clocks.
    first: usize,
}

impl End {
    fn knows(&self, clock: &Clock, part: usize) -> bool {
        at(clock, self.first + part) > 0
    }

    /// Some of it is known, and not that it is over.
    fn is_known_in_part(&self, clock: &Clock) -> bool {
        let some = (0..KEYS + self.parts.len()).any(|part| self.knows(clock, part));
        some && !self.knows(clock, OVER)
    }

    fn is_of(&self, process: u64) -> bool {
        self.who == Who::Process(process)
    }
}

/// The ends of a run, and who knows what of them.
#[derive(Debug, Default)]
pub(super) struct Ends {
    all: Vec<End>,
    known: BTreeMap<Tid, Clock>,
    objects: Ordered,
}

impl Ends {
    /// What the first thread knows, the second one does.
    pub(super) fn order(&mut self, from: Tid, to: Tid) {
        if let Some(known) = self.known.get(&from).cloned() {
            join(self.known.entry(to).or_default(), &known);
        }
    }

    fn teach(&mut self, who: Tid, part: usize) {
        let clock = self.known.entry(who).or_default();
        if clock.len() <= part {
            clock.resize(part + 1, 0);
        }
        clock[part] = 1;
    }

    fn begin(&mut self, who: Who, parent: u64, (parts, takes): (Vec<Key>, bool)) -> usize {
        let first = self.all.last().map_or(0, |e| e.first + KEYS + e.parts.len());
        self.all.push(End { who, parent, parts, takes, first });
        first
    }
}

fn covers(touch: &ObjectAccess, key: &Key) -> bool {
    let range = touch.key.at..touch.key.at.saturating_add(u64::from(touch.length).max(1));
    (touch.key.class, touch.key.space) == (key.class, key.space) && range.contains(&key.at)
}

/// What is to be known of an operation before it is executed.
pub(super) struct Before {
    touched: Footprint,
    /// What it may end, and what that gives back.
    ending: Option<(Who, (Vec<Key>, bool))>,
    /// A handler of SIGCHLD runs that might as well come later.
    hears: bool,
}

impl Execution {
    /// None if no end has to do with it.
    pub(super) fn before_ends(&self, who: Tid, op: &Pending, outcome: Outcome) -> Option<Before> {
        let ending = self.may_end(who, op, outcome);
        if ending.is_none() && self.ends.all.is_empty() {
            return None;
        }
        let takes = matches!(outcome, BEFORE | INSIDE) && self.model.takes_child(who, op);
        let heard = |outcome: &Outcome| matches!(*outcome, BEFORE | INSIDE);
        let waits = outcome == INSIDE || takes && self.model.outcomes(who, op).iter().all(heard);
        let now =
            matches!(op.operation, Operation::Signal(Signal::Take { .. }) | Operation::Life(Life::Fork));
        let hears = takes && (now || !waits);
        Some(Before { touched: self.model.touches(who, op, outcome), ending, hears })
    }

    fn may_end(&self, who: Tid, op: &Pending, outcome: Outcome) -> Option<(Who, (Vec<Key>, bool))> {
        let process = match &op.operation {
            Operation::Life(Life::ExitThread { .. }) => {
                let held = self.model.robust_of(who);
                return (!held.is_empty()).then_some((Who::Thread(who), (held, false)));
            }
            Operation::Signal(Signal::Kill(kill)) if outcome >= 0 => kill.process,
            Operation::Life(Life::Exit { .. }) | Operation::Timer(Timer::Fire { .. }) => op.process,
            _ if matches!(outcome, BEFORE | INSIDE) => op.process,
            _ => return None,
        };
        let lives = self.model.lives.get(&process).is_some_and(|l| !l.ended);
        lives.then(|| (Who::Process(process), self.model.given_back(process)))
    }

    /// An operation was executed: whether it looked at an end of which its thread knows a part, and
    /// what is known now.
    pub(super) fn after_ends(
        &mut self,
        who: Tid,
        (op, outcome): (&Pending, Outcome),
        before: Before,
        effect: &Effect,
    ) {
        let Before { touched, ending, hears } = before;
        if !self.ends.all.is_empty() {
            let learnt = self.ends.objects.before_all(&touched);
            join(self.ends.known.entry(who).or_default(), &learnt);
            if self.looks_into_gap(who, (op, outcome, hears), &touched, effect) {
                self.uncontrolled.insert(GAP.to_string());
            }
            self.learn_parts(who, (op, outcome), &touched, effect);
            if let Some(known) = self.ends.known.get(&who).filter(|known| !known.is_empty()) {
                self.ends.objects.done_all(&touched, &known.clone());
            }
        }
        let Some((ended, parts)) = ending else { return };
        let (happened, parent) = match ended {
            Who::Thread(_) => (true, u64::MAX),
            Who::Process(process) => {
                self.model.lives.get(&process).map_or((false, 0), |l| (l.ended, l.parent))
            }
        };
        if happened {
            self.assume_threads_stop(ended, &parts.0);
            let first = self.ends.begin(ended, parent, parts);
            let kills =
                matches!(op.operation, Operation::Signal(Signal::Kill(kill)) if kill.process != op.process);
            if kills {
                self.ends.teach(who, first + BEGUN);
            }
        }
    }

    /// What one thread holds is given back while others of its process still run.
    fn assume_threads_stop(&mut self, ended: Who, parts: &[Key]) {
        let Who::Process(process) = ended else { return };
        let several = self.threads.values().filter(|t| t.process == process && t.lives()).count() > 1;
        if several && parts.iter().any(|key| key.class == Class::Sync) {
            self.assumes.insert(THREADS.to_string());
        }
    }

    fn looks_into_gap(
        &self,
        who: Tid,
        (op, outcome, hears): (&Pending, Outcome, bool),
        touched: &Footprint,
        effect: &Effect,
    ) -> bool {
        let Some(known) = self.ends.known.get(&who) else { return false };
        let done = !matches!(outcome, BEFORE | INSIDE | CANCEL);
        let touches = |key: &Key| touched.iter().any(|t| covers(t, key)) && self.model.is_back(key);
        self.ends.all.iter().filter(|end| end.is_known_in_part(known)).any(|end| {
            let unknown = |(nth, key): (usize, &Key)| !end.knows(known, KEYS + nth) && touches(key);
            let at_part = done && end.parts.iter().enumerate().any(unknown);
            at_part && self.model.looks(op, effect, end.takes)
                || hears && end.parent == op.process
                || done && self.looks_whether_over(op, outcome, (end, known))
        })
    }

    /// Whether a call does not wait and tells whether an end is over.
    fn looks_whether_over(&self, op: &Pending, outcome: Outcome, (end, known): (&End, &Clock)) -> bool {
        let Who::Process(process) = end.who else {
            return matches!(op.operation, Operation::Life(Life::TryJoin { thread }) if end.who == Who::Thread(thread));
        };
        // Without having been waited for, if its parent wants to know nothing of it.
        let gone = self.model.lives.get(&process).is_some_and(|l| l.reaped);
        let own = end.parent == op.process;
        let child = 1u64 << (libc::SIGCHLD - 1);
        match &op.operation {
            Operation::Life(Life::Wait(Wait { at_once: true, .. })) => {
                own && (outcome == process as Outcome || outcome == NONE && gone)
            }
            Operation::Life(Life::Parent { process }) => end.is_of(*process) && !end.knows(known, ORPHANS),
            Operation::Signal(Signal::Kill(kill)) => end.is_of(kill.process) && gone,
            Operation::Signal(Signal::Action { signal, action: Some(_) }) => {
                own && *signal == i64::from(libc::SIGCHLD)
            }
            Operation::Signal(Signal::Mask(mask) | Signal::Suspend(mask)) => {
                own && mask & child != 0 && !self.model.acts_on_children(op.process)
            }
            Operation::Signal(Signal::Wait { set, at_once }) => {
                own && set & child != 0 && (*at_once || op.late)
            }
            Operation::Signal(Signal::Pending) => own,
            Operation::Content(content) => {
                gone && content.touched.iter().any(|t| process_number(t.key) == Some(process))
            }
            _ => false,
        }
    }

    fn learn_parts(
        &mut self,
        who: Tid,
        (op, outcome): (&Pending, Outcome),
        touched: &Footprint,
        effect: &Effect,
    ) {
        let done = !matches!(outcome, BEFORE | INSIDE | CANCEL);
        let children = effect.told_of(&op.operation);
        let touches = |key: &Key| touched.iter().any(|t| covers(t, key)) && self.model.is_back(key);
        let mut learnt = Vec::new();
        for end in &self.ends.all {
            if done && self.model.learns(op, effect) {
                let parts = end.parts.iter().enumerate();
                let seen = parts.filter(|(_, key)| touches(key));
                learnt.extend(seen.map(|(nth, _)| end.first + KEYS + nth));
            }
            let over = match (&op.operation, end.who) {
                _ if children.iter().any(|child| end.is_of(*child)) => true,
                _ if !done => false,
                (Operation::Life(Life::Wait(_)), Who::Process(process)) => outcome == process as Outcome,
                (Operation::Life(Life::Join { thread } | Life::TryJoin { thread }), Who::Thread(ended)) => {
                    effect.result == 0 && *thread == ended
                }
                _ => false,
            };
            let orphaned = matches!(op.operation, Operation::Life(Life::Parent { process })
                if end.is_of(process) && effect.result == 1);
            learnt.extend(over.then_some(end.first + OVER));
            learnt.extend((done && orphaned).then_some(end.first + ORPHANS));
        }
        learnt.into_iter().for_each(|part| self.ends.teach(who, part));
    }
}
