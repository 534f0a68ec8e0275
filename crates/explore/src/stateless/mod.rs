//! Stateless search: every run is the program executed anew; what is kept is a tree of what is
//! left to do.
//!
//! Godefroid's Algorithm 2 (VeriSoft, POPL 1997) with its parts switched on or off, and optimal
//! dynamic reduction (Abdulla, Aronis, Jonsson, Sagonas, JACM 2017: source sets with wake-up
//! trees). One loop serves all: a node of the `tree` has a list of entries, and the reductions
//! differ in which entries a new node gets (`run`), whether what was explored goes to sleep, and
//! whether races of a run add entries above (`races`).
//!
//! A *transition* is a thread with an outcome (the number tossed, the waiter woken); two outcomes
//! of one thread are different transitions that depend on each other. Where we deviate from the
//! paper on dynamic reduction: operations that block. A race may be reversed if the later operation
//! is possible before the earlier one and after all that does not depend on it, which is asked of
//! the model of the objects; pairs that are not adjacent (lock, unlock, lock) count; and the
//! operations on which threads are blocked at the end of a run race too.
//!
//! Runs are executed in rounds (`rounds`): a fixed number of entries is taken from the tree,
//! executed by however many workers there are, and put back in order. So nothing that is found
//! depends on the number of workers.

mod clocks;
mod failure;
mod persistent;
mod race;
mod races;
mod report;
mod rounds;
mod run;
pub mod sample;
mod shorten;
mod tree;
mod wakeup;

pub use crate::limits::Limits;
pub use failure::{Ending, Failure, Kind, Trouble};
use independence::Set;
use objects::{Footprint, Object, Outcome, Tid};
pub use race::{Clash, Race, Spot, Way};
pub use report::{Report, Violation};
pub use rounds::{Searched, Workers, search};
pub use shorten::shorten;

/// The model of the objects, as far as the search needs it.
pub trait Semantics: Object<Op: Clone + Send + Sync> + Send + Sync {
    /// The objects behind an operation, with all that came of it when it was executed.
    fn advance(&mut self, who: Tid, op: &Self::Op, outcome: Outcome) {
        self.perform(who, op, outcome);
    }

    /// What else may let a waiting operation go on, besides what it touches: others tell it over
    /// another object.
    fn woken_over(&self, _op: &Self::Op) -> Footprint {
        Footprint::new()
    }

    /// Whether an operation that waits may be on other objects in other states: a number of a
    /// descriptor that is closed and given out again, an epoll that watches others.
    fn shifts(&self, _op: &Self::Op) -> bool {
        false
    }

    /// The moment, if time orders: a later one comes only when no thread can go on in this one.
    fn now(&self) -> u64 {
        0
    }

    /// Whether the process of this operation has not ended: what an operation touches is not known
    /// behind its end.
    fn lives(&self, _op: &Self::Op) -> bool {
        true
    }
}

/// A program that can be executed again and again.
pub trait World: Sized {
    /// The objects of the program, and which of their operations depend on each other.
    type Semantics: Semantics;

    /// What is known about the program besides its tree of runs: names, what is visible, what was
    /// noticed. It only grows.
    type Discovered: Clone + PartialEq + Send + Sync;

    /// What has to be known to execute a run again: how its threads were named, and what was
    /// visible in it.
    type Known: Clone + Default + Send;

    /// From the beginning to the first global state.
    fn restart(&mut self) -> Result<Progress, Trouble>;

    /// The same, on the way to these transitions, which a world may use to be quicker.
    /// [`Trouble::Unforeseen`] if that went wrong.
    fn restart_towards(
        &mut self,
        _way: &mut dyn Iterator<Item = (Tid, Outcome)>,
    ) -> Result<Progress, Trouble> {
        self.restart()
    }

    /// The run is over. What [`World::restart_towards`] has put off must have happened now.
    fn finish(&mut self) -> Result<(), Trouble> {
        Ok(())
    }

    /// One transition: a visible operation, and everything invisible behind it.
    fn step(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble>;

    /// The objects as they are now.
    fn semantics(&self) -> &Self::Semantics;

    /// The next operation of each thread that has one, by thread.
    fn pending(&self) -> Vec<(Tid, <Self::Semantics as Object>::Op)>;

    /// The next operation of one thread.
    fn next_of(&self, who: Tid) -> Option<<Self::Semantics as Object>::Op> {
        self.pending().into_iter().find(|(thread, _)| *thread == who).map(|(_, op)| op)
    }

    /// Those, and the operations of threads that were killed before they came to them.
    fn unexecuted(&self) -> Vec<(Tid, <Self::Semantics as Object>::Op)> {
        self.pending()
    }

    /// Whether a replayed operation is what it was.
    fn same(a: &<Self::Semantics as Object>::Op, b: &<Self::Semantics as Object>::Op) -> bool;

    /// How a run ends in which no thread can move.
    fn ending(&self) -> Ending;

    /// What is known about the program so far.
    fn discovered(&self) -> Self::Discovered;

    /// Adds what another world has discovered.
    fn inform(&mut self, discovered: &Self::Discovered);

    /// Whether more turned out to be visible, so that what was seen so far is not everything.
    fn is_stale(&self) -> bool {
        false
    }

    /// What is needed to execute the run that is just over again.
    fn knowledge(&self) -> Self::Known {
        Self::Known::default()
    }

    /// Whether a failure of the last run may be none once more is visible.
    fn doubts(&self, failure: &Failure) -> bool {
        failure.kind == Kind::Divergence
    }

    /// Executes a failing run again, as it will be shown; nothing if it does not fail again.
    fn repeat(&mut self, violation: &ViolationOf<Self>) -> Option<ViolationOf<Self>> {
        Some(violation.clone())
    }

    /// Which of the pending operations belong to threads that may do something, now or later, that
    /// depends on the member's next one; or, if the member cannot move, may let it. All others, if
    /// nothing is known.
    fn matter_to(&self, member: usize, pending: &[(Tid, OpOf<Self>)], _can_move: bool) -> Set {
        (0..pending.len()).filter(|at| *at != member).fold(0, |set, at| set | 1 << at)
    }
}

/// An operation of a world.
pub type OpOf<W> = <<W as World>::Semantics as Object>::Op;
/// A violation in a world.
pub type ViolationOf<W> = Violation<OpOf<W>, <W as World>::Known>;
/// A report about a world.
pub type ReportOf<W> = Report<OpOf<W>, <W as World>::Known>;

/// How many failing runs that do not fail again are kept.
const UNREPEATED: usize = 8;

/// A failing run is entered among those that were found, and so is a race in it, if they are seen
/// again. One that may fail only because not everything is visible yet ends the search, which
/// begins anew. `ran` is the whole run.
fn enter<W: World>(world: &mut W, report: &mut ReportOf<W>, at: usize, ran: ViolationOf<W>) {
    let doubted = |failure: &Failure| world.is_stale() && world.doubts(failure);
    let race = ran.failure.beside.as_deref().filter(|race| !doubted(race)).cloned();
    let race = race.map(|failure| Violation { failure, ..ran.clone() });
    let (doubted, mut found) = (doubted(&ran.failure), ran);
    found.schedule.truncate(at);
    found.edges.truncate(at);
    if doubted && !is_known(report, &found.failure) {
        report.violations.push(found);
    } else if !doubted {
        enter_repeated(world, report, found);
    }
    race.into_iter().for_each(|race| enter_repeated(world, report, race));
}

fn enter_repeated<W: World>(world: &mut W, report: &mut ReportOf<W>, found: ViolationOf<W>) {
    if is_known(report, &found.failure) {
        return;
    }
    match world.repeat(&found) {
        // Several races may be one when they are executed again: the first of the run counts.
        Some(again) if is_known(report, &again.failure) => {}
        Some(again) => report.violations.push(again),
        None if report.unrepeated.len() < UNREPEATED => report.unrepeated.push(found),
        None => {}
    }
}

fn is_known<Op, Known>(report: &Report<Op, Known>, failure: &Failure) -> bool {
    report.violations.iter().any(|v| v.failure.is_like(failure))
}

/// What happened besides the operation.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Order between threads that came with it.
    pub edges: Edges,
    /// What failed, if something did.
    pub failure: Option<Failure>,
}

/// What the first thread did so far comes before what the second does from now on: creation, join.
pub type Edges = Vec<(Tid, Tid)>;

/// Which runs are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Every interleaving.
    None,
    /// Sleep sets.
    Sleep,
    /// Persistent sets.
    Persistent,
    /// Persistent and sleep sets.
    PersistentSleep,
    /// Dynamic partial-order reduction.
    Dpor,
}

impl Reduction {
    fn sleeps(self) -> bool {
        !matches!(self, Reduction::None | Reduction::Persistent)
    }
}

/// Which runs are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Depth and runs count here; the others are for who watches the search.
    pub limits: Limits,
    /// Do not stop at the first violation.
    pub keep_going: bool,
    /// Successive states in which a thread cannot move, to be called livelock.
    pub livelock: Option<usize>,
    /// How often a thread that could go on may be put aside for another.
    pub preemptions: Option<usize>,
}

/// A transition: of which thread, with which outcome, and what it touches.
#[derive(Clone, Debug)]
pub struct Transition<Op> {
    /// The thread.
    pub who: Tid,
    /// Which of the results that the operation may have.
    pub outcome: Outcome,
    /// The operation.
    pub op: Op,
    /// What it touches.
    pub touched: Footprint,
}
