//! One run: the way to an entry of the tree executed again, and from there on to the end.

use super::persistent::persistent;
use super::wakeup::Branch;
use super::{Bounds, Edges, Ending, Failure, Kind, OpOf, Progress, Reduction};
use super::{Semantics, Transition, Trouble, World};
use crate::reduction::sleep;
use objects::{Object, Tid, dependent};

/// A transition on the way, which threads were blocked in the state before it, and whether an
/// enabled one was put aside for it.
#[derive(Clone, Debug)]
pub(super) struct Past<Op> {
    pub(super) taken: Transition<Op>,
    pub(super) blocked: Vec<Tid>,
    pub(super) preempts: bool,
}

/// What is to be executed.
#[derive(Clone)]
pub(super) struct Job<Op> {
    pub(super) way: Vec<Past<Op>>,
    /// What sleeps behind the way.
    pub(super) sleep: Vec<Transition<Op>>,
    /// What the wake-up tree says about going on.
    pub(super) guide: Vec<Branch<Op>>,
}

/// A state that was reached for the first time, the transition taken from it, and what is left to
/// do there.
pub(super) struct Reached<S: Semantics> {
    /// The objects then, if races are to be reversed.
    pub(super) before: Option<S>,
    pub(super) taken: Transition<S::Op>,
    /// Whether the wake-up tree said nothing about going on behind it.
    pub(super) fresh: bool,
    pub(super) others: Vec<Branch<S::Op>>,
    pub(super) sleep: Vec<Transition<S::Op>>,
    pub(super) edges: Edges,
    pub(super) blocked: Vec<Tid>,
    /// Who came here, if he could go on.
    pub(super) running: Option<Tid>,
}

/// How a run came to an end.
#[derive(Debug)]
pub(super) enum End {
    Complete(Ending),
    /// Everything possible is asleep.
    Blocked,
    /// Something went wrong that ends everything.
    Cut,
    TooDeep,
}

/// What came of a job.
pub(super) struct Ran<S: Semantics, Known> {
    /// Order between threads before the first transition, and that which came with each one of the
    /// way.
    pub(super) beginning: Edges,
    pub(super) edges: Vec<Edges>,
    /// If races are to be reversed: the operations of the way, which know what came of them this
    /// time.
    pub(super) ops: Vec<S::Op>,
    pub(super) reached: Vec<Reached<S>>,
    pub(super) end: End,
    /// The first failure, and after how many transitions.
    pub(super) failure: Option<(Failure, usize)>,
    /// If races are to be reversed: who stands before which operation at the end, and the objects
    /// then.
    pub(super) pending: Vec<(Tid, S::Op)>,
    pub(super) last: Option<S>,
    /// Why something was left out.
    pub(super) bounded: Option<&'static str>,
    /// If it failed, or no thread could move at its end: what has to be known to execute it again.
    pub(super) known: Option<Known>,
    /// Why it could not go on.
    pub(super) trouble: Option<Trouble>,
}

pub(super) type RanOf<W> = Ran<<W as World>::Semantics, <W as World>::Known>;

impl<S: Semantics, Known> Ran<S, Known> {
    fn new(beginning: Edges, failure: Option<(Failure, usize)>) -> Ran<S, Known> {
        Ran {
            beginning,
            edges: Vec::new(),
            ops: Vec::new(),
            reached: Vec::new(),
            end: End::Blocked,
            failure,
            pending: Vec::new(),
            last: None,
            bounded: None,
            known: None,
            trouble: None,
        }
    }
}

pub(super) const UNFORESEEN: &str = "a run that reverses a race did not go as predicted";
pub(super) const PREEMPTED: &str = "runs with more preemptions were left out";

/// All that is possible in a state, and who cannot move.
pub(super) struct Possible<Op> {
    pub(super) transitions: Vec<Transition<Op>>,
    pub(super) blocked: Vec<Tid>,
}

pub(super) fn possible<W: World>(world: &W) -> Possible<OpOf<W>> {
    let semantics = world.semantics();
    let (mut transitions, mut blocked) = (Vec::new(), Vec::new());
    for (who, op) in world.pending() {
        let outcomes = semantics.outcomes(who, &op);
        if outcomes.is_empty() {
            blocked.push(who);
        }
        for outcome in outcomes {
            let touched = semantics.touches(who, &op, outcome);
            transitions.push(Transition { who, outcome, op: op.clone(), touched });
        }
    }
    Possible { transitions, blocked }
}

/// What sleeps behind a transition: what slept before it and does not depend on it.
pub(super) fn still_asleep<Op: Clone>(
    before: &[Transition<Op>],
    taken: &Transition<Op>,
) -> Vec<Transition<Op>> {
    let independent = |s: &Transition<Op>| s.who != taken.who && !dependent(&s.touched, &taken.touched);
    sleep::still_asleep(before, independent).cloned().collect()
}

/// A run in the making.
pub(super) struct Runner<'w, W: World> {
    world: &'w mut W,
    reduction: Reduction,
    bounds: Bounds,
    way: Vec<Past<OpOf<W>>>,
    ran: RanOf<W>,
}

impl<'w, W: World> Runner<'w, W> {
    /// Executes the way to an entry, quickly if that can be done, and on to the end.
    pub(super) fn run(
        world: &'w mut W,
        reduction: Reduction,
        bounds: Bounds,
        job: Job<OpOf<W>>,
    ) -> Result<RanOf<W>, Trouble> {
        let ran = Ran::new(Edges::new(), None);
        let mut runner = Runner { world, reduction, bounds, way: Vec::new(), ran };
        let mut way = job.way.iter().map(|past| (past.taken.who, past.taken.outcome));
        let begun = runner.world.restart_towards(&mut way);
        let (length, sleep, guide) = (job.way.len(), job.sleep.clone(), job.guide.clone());
        runner.way = job.way;
        match begun.and_then(|begun| runner.complete(begun, job.sleep, job.guide)) {
            Err(Trouble::Unforeseen) => {
                let begun = runner.world.restart()?;
                runner.way.truncate(length);
                let done = runner.complete(begun, sleep, guide);
                runner.ended(done)?;
            }
            done => runner.ended(done)?,
        }
        Ok(runner.ran)
    }

    /// Of a run that cannot go on, what has gone wrong before counts.
    fn ended(&mut self, done: Result<(), Trouble>) -> Result<(), Trouble> {
        let Err(Trouble::Uncontrolled(why)) = done else { return done };
        let replayed = self.ran.edges.len() + self.ran.reached.len() == self.way.len();
        let failure = self.ran.failure.take().filter(|_| replayed);
        self.ran.failure = failure.and_then(|(failure, at)| Some((failure.for_certain()?, at)));
        let trouble = Trouble::Uncontrolled(why);
        if self.ran.failure.is_none() {
            return Err(trouble);
        }
        self.ran.end = End::Cut;
        self.ran.known = Some(self.world.knowledge());
        self.ran.trouble = Some(trouble);
        Ok(())
    }

    /// From the beginning, along the way, to the end.
    fn complete(
        &mut self,
        begun: Progress,
        sleep: Vec<Transition<OpOf<W>>>,
        guide: Vec<Branch<OpOf<W>>>,
    ) -> Result<(), Trouble> {
        let failure = begun.failure.map(|f| (f, 0));
        self.ran = Ran::new(begun.edges, failure);
        self.replay()?;
        self.ran.end = self.extend(sleep, guide)?;
        self.world.finish()?;
        let blocked = matches!(self.ran.end, End::Complete(Ending::Deadlock(_) | Ending::Failed(_)));
        if blocked || self.ran.failure.is_some() {
            self.ran.known = Some(self.world.knowledge());
        }
        if self.reduction == Reduction::Dpor {
            self.ran.pending = self.world.unexecuted();
            self.ran.last = Some(self.world.semantics().clone());
        }
        Ok(())
    }

    fn failed(&mut self, failure: Option<Failure>, at: usize) {
        let Some(failure) = failure else { return };
        self.ran.failure = Failure::first_at(self.ran.failure.take(), (failure, at));
    }

    /// Executes the way again. What a thread is about to do must be what it was about to do before.
    fn replay(&mut self) -> Result<(), Trouble> {
        for at in 0..self.way.len() {
            let taken = &mut self.way[at].taken;
            match self.world.next_of(taken.who) {
                Some(op) if W::same(&op, &taken.op) => taken.op = op,
                _ => {
                    // Unless this was only foreseen, and wrongly.
                    self.world.finish()?;
                    return Err(Trouble::Nondeterminism(at));
                }
            }
            if self.reduction == Reduction::Dpor {
                self.ran.ops.push(taken.op.clone());
            }
            let progress = self.world.step(taken.who, taken.outcome)?;
            self.ran.edges.push(progress.edges);
            self.failed(progress.failure, at + 1);
        }
        Ok(())
    }

    /// Goes on to the end of the run.
    fn extend(
        &mut self,
        mut sleep: Vec<Transition<OpOf<W>>>,
        mut guide: Vec<Branch<OpOf<W>>>,
    ) -> Result<End, Trouble> {
        loop {
            if self.ran.failure.as_ref().is_some_and(|(f, _)| f.fatal) {
                return Ok(End::Cut);
            }
            let possible = possible(self.world);
            if possible.transitions.is_empty() {
                return Ok(End::Complete(self.world.ending()));
            }
            if let Some(livelock) = self.livelock(&possible.blocked) {
                let at = self.way.len();
                self.failed(Some(livelock), at);
                return Ok(End::Cut);
            }
            if self.bounds.limits.depth.is_some_and(|most| self.way.len() as u64 >= most) {
                return Ok(End::TooDeep);
            }
            let last = self.way.last().map(|p| p.taken.who);
            let running = last.filter(|who| possible.transitions.iter().any(|t| t.who == *who));
            let mut branches = self.plan(&possible, running, &sleep, guide);
            if branches.is_empty() {
                return Ok(End::Blocked);
            }
            let before = (self.reduction == Reduction::Dpor).then(|| self.world.semantics().clone());
            let Branch { transition: mut taken, children } = branches.remove(0);
            // The operation as it stands now: it will know what comes of it here.
            if let Some(now) = possible.transitions.iter().find(|t| t.who == taken.who) {
                taken.op = now.op.clone();
            }
            let progress = self.world.step(taken.who, taken.outcome)?;
            let preempts = running.is_some_and(|who| who != taken.who);
            self.way.push(Past { taken: taken.clone(), blocked: possible.blocked.clone(), preempts });
            let at = self.way.len();
            self.failed(progress.failure, at);
            let next = if self.reduction.sleeps() { still_asleep(&sleep, &taken) } else { Vec::new() };
            let (edges, blocked) = (progress.edges, possible.blocked);
            let fresh = children.is_empty();
            self.ran.reached.push(Reached {
                before,
                taken,
                fresh,
                others: branches,
                sleep,
                edges,
                blocked,
                running,
            });
            (sleep, guide) = (next, children);
        }
    }

    /// What is to be explored from a new state.
    fn plan(
        &mut self,
        possible: &Possible<OpOf<W>>,
        running: Option<Tid>,
        sleep: &[Transition<OpOf<W>>],
        guide: Vec<Branch<OpOf<W>>>,
    ) -> Vec<Branch<OpOf<W>>> {
        let transitions = &possible.transitions;
        if !guide.is_empty() {
            let as_foreseen = |b: &Branch<OpOf<W>>| {
                let mut here = transitions.iter().filter(|t| t.who == b.transition.who);
                here.any(|t| t.outcome == b.transition.outcome && W::same(&t.op, &b.transition.op))
            };
            if guide.iter().any(|b| !as_foreseen(b)) {
                self.ran.bounded = Some(UNFORESEEN);
            }
            let guide = guide.into_iter().filter(as_foreseen).collect();
            return self.within_preemptions(running, guide);
        }
        let awake = |t: &&Transition<_>| !sleep.iter().any(|s| s.who == t.who && s.outcome == t.outcome);
        let wanted: Vec<Tid> = match self.reduction {
            Reduction::None | Reduction::Sleep => transitions.iter().map(|t| t.who).collect(),
            Reduction::Persistent | Reduction::PersistentSleep => persistent(self.world, possible),
            Reduction::Dpor => {
                let bounded = self.bounds.preemptions.is_some();
                let same = transitions.iter().filter(|t| bounded && Some(t.who) == running).find(awake);
                same.or(transitions.iter().find(awake)).map(|t| t.who).into_iter().collect()
            }
        };
        let chosen = transitions.iter().filter(|t| wanted.contains(&t.who)).filter(awake);
        let chosen = chosen.map(|t| Branch { transition: t.clone(), children: Vec::new() }).collect();
        self.within_preemptions(running, chosen)
    }

    /// Leaves out what would put one thread too many aside for another.
    fn within_preemptions(
        &mut self,
        running: Option<Tid>,
        mut branches: Vec<Branch<OpOf<W>>>,
    ) -> Vec<Branch<OpOf<W>>> {
        let (Some(most), Some(running)) = (self.bounds.preemptions, running) else { return branches };
        if self.way.iter().filter(|p| p.preempts).count() < most {
            return branches;
        }
        let all = branches.len();
        branches.retain(|b| b.transition.who == running);
        if branches.len() < all {
            self.ran.bounded = Some(PREEMPTED);
        }
        branches
    }

    /// A thread that could not move in many successive states.
    fn livelock(&self, blocked: &[Tid]) -> Option<Failure> {
        let most = self.bounds.livelock?;
        let long =
            |who: &&Tid| self.way.iter().rev().take_while(|p| p.blocked.contains(who)).count() + 1 >= most;
        let who = blocked.iter().find(long)?;
        Some(Failure::fatal(
            Kind::Livelock,
            format!("thread {who} could not move in {most} successive states"),
        ))
    }
}
