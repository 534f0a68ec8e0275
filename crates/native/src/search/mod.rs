//! State-less search: every run is the program executed anew; what is kept is the path and what is left to do along it.
//!
//! Godefroid's Algorithm 2 (VeriSoft, POPL 1997) with its parts switched on or off, and optimal dynamic reduction (Abdulla,
//! Aronis, Jonsson, Sagonas, JACM 2017: source sets with wake-up trees). One loop serves all: a `Node` has a list of
//! branches, and the reductions differ in which branches a new node gets (`plan`), whether what was explored goes to
//! sleep, and whether races of a run add branches above (`races`).
//!
//! A *transition* is a thread with an outcome (the number tossed, the waiter woken); two outcomes of one thread are different
//! transitions that depend on each other. Where we deviate from the paper on dynamic reduction: operations that block. A race
//! may be reversed if the later operation is possible before the earlier one and after all that does not depend on it, which
//! is asked of the model of the objects; pairs that are not adjacent (lock, unlock, lock) count; and the operations on which
//! threads are stuck at the end of a run race too.

mod clocks;
mod persistent;
mod races;
mod wakeup;

use crate::operation::{Footprint, Outcome, Tid, dependent};
use crate::report::{Ending, Failure, Kind, Report, Trouble};
pub use persistent::Use;
use wakeup::Branch;

/// The model of the objects, as far as the search needs it.
pub trait Semantics: Clone {
    type Op: Clone;

    /// In which ways the operation can be executed now; none if it blocks.
    fn outcomes(&self, who: Tid, op: &Self::Op) -> Vec<Outcome>;

    fn footprint(&self, who: Tid, op: &Self::Op, outcome: Outcome) -> Footprint;

    fn advance(&mut self, who: Tid, op: &Self::Op, outcome: Outcome);
}

/// A program that can be executed again and again.
pub trait World {
    type Semantics: Semantics;

    /// From the beginning to the first global state.
    fn restart(&mut self) -> Result<Progress, Trouble>;

    /// One transition: a visible operation, and everything invisible behind it.
    fn step(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble>;

    fn semantics(&self) -> &Self::Semantics;

    /// The next operation of each thread that has one, by thread.
    fn pending(&self) -> Vec<(Tid, <Self::Semantics as Semantics>::Op)>;

    /// Whether a replayed operation is what it was.
    fn same(a: &<Self::Semantics as Semantics>::Op, b: &<Self::Semantics as Semantics>::Op) -> bool;

    /// How a run ends in which nobody can move.
    fn ending(&self) -> Ending;

    /// What a thread has declared to use from now on.
    fn uses(&self, _who: Tid) -> Option<Vec<Use>> {
        None
    }
}

/// What happened besides the operation.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// What the first thread did so far comes before what the second does from now on: creation, join.
    pub edges: Vec<(Tid, Tid)>,
    pub failure: Option<Failure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    None,
    Sleep,
    Persistent,
    PersistentSleep,
    Dpor,
}

impl Reduction {
    fn sleeps(self) -> bool {
        !matches!(self, Reduction::None | Reduction::Persistent)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub depth: Option<usize>,
    pub runs: Option<u64>,
    pub keep_going: bool,
    /// Successive states in which a thread cannot move, to be called livelock.
    pub livelock: Option<usize>,
}

/// A transition: of whom, with which outcome, and what it touches.
#[derive(Clone, Debug)]
pub struct Transition<Op> {
    pub who: Tid,
    pub outcome: Outcome,
    pub op: Op,
    pub touched: Footprint,
}

/// A state on the path, the transition taken from it, and what is left to do there.
struct Node<S: Semantics> {
    before: S,
    taken: Transition<S::Op>,
    /// What the wake-up tree says about the way on from here.
    guide: Vec<Branch<S::Op>>,
    branches: Vec<Branch<S::Op>>,
    sleep: Vec<Transition<S::Op>>,
    /// Order between threads that came with the transition.
    edges: Vec<(Tid, Tid)>,
    /// Who could not move.
    stuck: Vec<Tid>,
}

/// One state-less search of a world.
pub struct Search<'w, W: World> {
    world: &'w mut W,
    reduction: Reduction,
    bounds: Bounds,
    path: Vec<Node<W::Semantics>>,
    /// Order between threads before the first transition.
    beginning: Vec<(Tid, Tid)>,
    report: Report<OpOf<W>>,
}

type OpOf<W> = <<W as World>::Semantics as Semantics>::Op;

/// How a run came to an end.
enum End {
    Complete(Ending),
    /// Everything possible is asleep.
    Blocked,
    /// Something went wrong that ends everything.
    Cut(Failure),
    TooDeep,
}

/// All that is possible in a state, and who cannot move.
struct Possible<Op> {
    transitions: Vec<Transition<Op>>,
    stuck: Vec<Tid>,
}

impl<'w, W: World> Search<'w, W> {
    pub fn new(world: &'w mut W, reduction: Reduction, bounds: Bounds) -> Self {
        Search {
            world,
            reduction,
            bounds,
            path: Vec::new(),
            beginning: Vec::new(),
            report: Report::default(),
        }
    }

    /// Searches until everything is seen, a bound is met, or `go_on` says no after a run.
    pub fn run(
        mut self,
        go_on: &mut dyn FnMut(&Report<OpOf<W>>) -> bool,
    ) -> Result<Report<OpOf<W>>, Trouble> {
        loop {
            let mut failure = self.replay()?;
            let end = self.extend(&mut failure)?;
            if self.reduction == Reduction::Dpor && !matches!(end, End::Blocked) {
                self.reverse_races();
            }
            self.count(end, failure);
            if !self.report.violations.is_empty() && !self.bounds.keep_going {
                return Ok(self.report);
            }
            if !self.backtrack() {
                self.report.exhausted = self.report.bounded.is_none() && self.report.cut == 0;
                return Ok(self.report);
            }
            if self.bounds.runs.is_some_and(|most| self.report.all_runs() >= most) {
                self.report.bound(format!("after {} runs", self.report.all_runs()));
                return Ok(self.report);
            }
            if !go_on(&self.report) {
                self.report.stopped = true;
                self.report.bound("stopped".to_string());
                return Ok(self.report);
            }
        }
    }

    /// Executes the path again. What a thread is about to do must be what it was about to do before.
    fn replay(&mut self) -> Result<Option<Failure>, Trouble> {
        let begun = self.world.restart()?;
        self.beginning = begun.edges;
        let mut failure = begun.failure;
        let last = self.path.len().saturating_sub(1);
        for (at, node) in self.path.iter_mut().enumerate() {
            let pending = self.world.pending().into_iter().find(|(who, _)| *who == node.taken.who);
            match pending {
                Some((_, op)) if W::same(&op, &node.taken.op) => node.taken.op = op,
                _ => return Err(Trouble::Nondeterminism(at)),
            }
            let progress = self.world.step(node.taken.who, node.taken.outcome)?;
            node.edges = progress.edges;
            failure = failure.or(progress.failure);
            self.report.executed += 1;
            self.report.explored += u64::from(at == last);
        }
        Ok(failure)
    }

    /// Goes on to the end of the run.
    fn extend(&mut self, failure: &mut Option<Failure>) -> Result<End, Trouble> {
        loop {
            if let Some(fatal) = failure.take_if(|f| f.fatal) {
                return Ok(End::Cut(fatal));
            }
            let semantics = self.world.semantics().clone();
            let possible = self.possible(&semantics);
            if possible.transitions.is_empty() {
                return Ok(End::Complete(self.world.ending()));
            }
            if let Some(livelock) = self.livelock(&possible.stuck) {
                return Ok(End::Cut(livelock));
            }
            if self.bounds.depth.is_some_and(|most| self.path.len() >= most) {
                return Ok(End::TooDeep);
            }
            let sleep = self.asleep();
            let mut branches = self.plan(&semantics, &possible, &sleep);
            if branches.is_empty() {
                return Ok(End::Blocked);
            }
            let Branch { transition: mut taken, children: guide } = branches.remove(0);
            // The operation as it stands now: it will know what comes of it here.
            if let Some(now) = possible.transitions.iter().find(|t| t.who == taken.who) {
                taken.op = now.op.clone();
            }
            let progress = self.world.step(taken.who, taken.outcome)?;
            *failure = failure.take().or(progress.failure);
            let (edges, stuck) = (progress.edges, possible.stuck);
            self.path.push(Node { before: semantics, taken, guide, branches, sleep, edges, stuck });
            self.report.executed += 1;
            self.report.explored += 1;
            self.report.depth = self.report.depth.max(self.path.len());
        }
    }

    fn possible(&self, semantics: &W::Semantics) -> Possible<OpOf<W>> {
        let mut transitions = Vec::new();
        let mut stuck = Vec::new();
        for (who, op) in self.world.pending() {
            let outcomes = semantics.outcomes(who, &op);
            if outcomes.is_empty() {
                stuck.push(who);
            }
            for outcome in outcomes {
                let touched = semantics.footprint(who, &op, outcome);
                transitions.push(Transition { who, outcome, op: op.clone(), touched });
            }
        }
        Possible { transitions, stuck }
    }

    /// Who sleeps in the state behind the path: what slept before and does not depend on what was done.
    fn asleep(&self) -> Vec<Transition<OpOf<W>>> {
        let Some(node) = self.path.last().filter(|_| self.reduction.sleeps()) else { return Vec::new() };
        let taken = &node.taken;
        let stays = |s: &&Transition<_>| s.who != taken.who && !dependent(&s.touched, &taken.touched);
        node.sleep.iter().filter(stays).cloned().collect()
    }

    /// What is to be explored from a new state.
    fn plan(
        &mut self,
        semantics: &W::Semantics,
        possible: &Possible<OpOf<W>>,
        sleep: &[Transition<OpOf<W>>],
    ) -> Vec<Branch<OpOf<W>>> {
        let awake = |t: &&Transition<_>| !sleep.iter().any(|s| s.who == t.who && s.outcome == t.outcome);
        let guide = self.path.last_mut().map(|n| std::mem::take(&mut n.guide)).unwrap_or_default();
        if !guide.is_empty() {
            let as_foreseen = |b: &Branch<OpOf<W>>| {
                let mut here = possible.transitions.iter().filter(|t| t.who == b.transition.who);
                here.any(|t| t.outcome == b.transition.outcome && W::same(&t.op, &b.transition.op))
            };
            if guide.iter().any(|b| !as_foreseen(b)) {
                self.report.bound("a reversed race did not come out as foreseen".to_string());
            }
            return guide.into_iter().filter(as_foreseen).collect();
        }
        let transitions = &possible.transitions;
        let wanted: Vec<Tid> = match self.reduction {
            Reduction::None | Reduction::Sleep => transitions.iter().map(|t| t.who).collect(),
            Reduction::Persistent | Reduction::PersistentSleep => self.persistent(semantics, possible),
            Reduction::Dpor => transitions.iter().find(awake).map(|t| t.who).into_iter().collect(),
        };
        let chosen = transitions.iter().filter(|t| wanted.contains(&t.who)).filter(awake);
        chosen.map(|t| Branch { transition: t.clone(), children: Vec::new() }).collect()
    }

    /// To the deepest state where something is left to do; false if there is none.
    fn backtrack(&mut self) -> bool {
        while let Some(node) = self.path.last_mut() {
            if self.reduction.sleeps() {
                node.sleep.push(node.taken.clone());
            }
            while !node.branches.is_empty() {
                let Branch { mut transition, children } = node.branches.remove(0);
                if node.before.outcomes(transition.who, &transition.op).contains(&transition.outcome) {
                    transition.touched =
                        node.before.footprint(transition.who, &transition.op, transition.outcome);
                    node.taken = transition;
                    node.guide = children;
                    return true;
                }
                self.report.bound("a reversed race did not come out as foreseen".to_string());
            }
            self.path.pop();
        }
        false
    }

    /// A thread that could not move in so many successive states.
    fn livelock(&self, stuck: &[Tid]) -> Option<Failure> {
        let most = self.bounds.livelock?;
        let long =
            |who: &&Tid| self.path.iter().rev().take_while(|n| n.stuck.contains(who)).count() + 1 >= most;
        let who = stuck.iter().find(long)?;
        Some(Failure::fatal(
            Kind::Livelock,
            format!("thread {who} could not move in {most} successive states"),
        ))
    }

    fn count(&mut self, end: End, failure: Option<Failure>) {
        let report = &mut self.report;
        let ending = match end {
            End::Blocked => {
                report.blocked += 1;
                return;
            }
            End::TooDeep => {
                report.too_deep += 1;
                report.bound("some runs are longer than the depth".to_string());
                // What was found on the way counts.
                failure.map_or(Ending::Expired, Ending::Failed)
            }
            End::Cut(failure) => {
                report.cut += 1;
                Ending::Failed(failure)
            }
            End::Complete(ending) => failure.map_or(ending, Ending::Failed),
        };
        match &ending {
            Ending::Terminated => report.terminated += 1,
            Ending::Deadlock(_) => report.deadlocks += 1,
            Ending::Expired => report.expired += 1,
            Ending::Failed(_) => report.failing += 1,
        }
        if let Some(failure) = ending.failure() {
            let schedule = || self.path.iter().map(|n| n.taken.clone()).collect();
            report.violation(failure, schedule);
        }
    }
}
