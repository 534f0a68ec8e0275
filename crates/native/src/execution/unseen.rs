//! What happens by itself, without being a transition: joins, waits for a given child, ends that
//! no thread sees, and everything that is done while no other thread exists.

use super::{Execution, State, Thread};
use crate::objects::barrier::{self, Does};
use crate::objects::process::{Op as Life, Wait};
use crate::objects::signal::{Kill, Op as Signal};
use crate::operation::{Operation, Outcome, Pending, Tid};
use explore::stateless::Trouble;
use objects::Object;

impl Execution {
    /// Something that happens without being a transition.
    pub(super) fn by_itself(&mut self) -> Result<Option<(Tid, Outcome)>, Trouble> {
        for (&who, thread) in &self.threads {
            let State::Pending(op) = &thread.state else { continue };
            let alert = self.known.alert();
            if let Some(process) = self.to_watch(who, op) {
                return Err(self.known.watch(process));
            }
            let unseen = match op.operation {
                Operation::Life(Life::Join { .. }) if alert => false,
                Operation::Life(Life::Join { thread }) => {
                    self.threads.get(&thread).is_none_or(|t| t.has_ended())
                }
                Operation::Life(Life::Wait(Wait { child, at_once, .. })) => {
                    let outcomes = self.outcomes_some_time(who, op);
                    // Another thread may wait for the same child, or make one.
                    // Or a handler may end the wait before the child ends.
                    let any = (child < 0 || at_once) && outcomes != [crate::objects::NONE]
                        || self.has_company(who)
                        || self.is_named(&outcomes)
                        || alert && self.model.has_handlers(op.process);
                    if any && self.known.watched.insert(op.process) {
                        return Err(Trouble::Restart);
                    }
                    !any && !alert && !outcomes.is_empty()
                }
                Operation::Barrier(barrier::Op { does: Does::Leave, .. }) => {
                    self.outcomes_some_time(who, op) == [0]
                }
                // Whether it comes before the end of the process makes a difference: that end is
                // visible.
                Operation::Signal(Signal::Kill(Kill { process, .. }))
                | Operation::Life(Life::Parent { process }) => {
                    let parent = self.model.lives.get(&process).map(|l| l.parent);
                    if parent.is_some_and(|p| self.known.watched.insert(p)) {
                        return Err(Trouble::Restart);
                    }
                    false
                }
                Operation::Life(Life::Exit { .. }) => self.exit_unseen(who, op),
                Operation::Choice(_) => false,
                _ if op.operation.fires() => false,
                _ => self.is_alone(who) && self.outcomes_some_time(who, op).len() == 1,
            };
            if unseen {
                let outcomes = self.outcomes_some_time(who, op);
                return Ok(Some((who, outcomes.first().copied().unwrap_or(0))));
            }
        }
        Ok(None)
    }

    /// Whether all others have ended, and this thread knows. How much one has done that was cut off
    /// is not known: that is still looked for.
    pub(super) fn is_alone(&self, who: Tid) -> bool {
        let Some(known) = self.threads.get(&who).map(|t| &t.ended) else { return false };
        let is_past = |t: &Thread| t.has_ended() && !t.cut && t.interrupted.is_empty();
        self.threads.iter().all(|(other, t)| *other == who || is_past(t) && known.contains(other))
    }

    /// Whether the end of a process is no transition. It is one if it may come before something
    /// that another of its threads does, unless there is no other process to see that.
    pub(super) fn exit_unseen(&self, who: Tid, op: &Pending) -> bool {
        let living = self.threads.values().filter(|t| t.process == op.process && t.lives()).count();
        let only = self.threads.values().all(|t| t.unreal || t.process == op.process);
        let real = self.threads.get(&who).is_some_and(|t| !t.unreal);
        let cuts_off = living > 1 || real && !only && self.has_company(who);
        !cuts_off && !self.is_watched(op.process) && !self.model.end_is_seen(op.process)
    }

    /// Whether its parent waits for any child.
    pub(super) fn is_watched(&self, process: u64) -> bool {
        let parent = self.model.lives.get(&process).map(|l| l.parent);
        parent.is_some_and(|p| self.known.watched.contains(&p))
    }

    /// Executes an operation that is no transition; whether the thread then runs.
    pub(super) fn happens(&mut self, who: Tid, outcome: Outcome) -> bool {
        if let State::Pending(op) = &self.thread(who).state {
            let op = op.clone();
            let environment_move = self.environment_move(who, move |m| drop(m.perform(who, &op, outcome)));
            self.model.happened.insert(environment_move.id);
        }
        self.execute(who, outcome, false)
    }
}
