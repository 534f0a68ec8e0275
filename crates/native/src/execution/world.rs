//! Runs as the search sees them: begun, continued by a step, and what is pending in between.

use super::content::Contents;
use super::ends::Ends;
use super::races::Detector;
use super::{Execution, Known, Shares, State, Thread, Time, names};
use crate::explore::Violation;
use crate::objects::check;
use crate::objects::{Life, Model};
use crate::operation::{Operation, Outcome, Pending, Tid};
use crate::small::Map;
use explore::stateless::{Ending, Failure, Kind, Progress, Race, Trouble, World};
use independence::Set;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const UNSEEN: &str = "a loop that waits for memory which is accessed by code that is not instrumented";

const EARLY: &str = "a thread was created before main, by a library of the program";

/// What a search knows about a program besides its runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discovered {
    known: Known,
    races: BTreeSet<Race>,
    uncontrolled: BTreeSet<String>,
    shares: Shares,
    assumes: BTreeSet<String>,
    stacks: BTreeMap<u64, Vec<u64>>,
    time: Time,
    outliving: BTreeMap<u64, (bool, bool)>,
}

impl World for Execution {
    type Semantics = Model;
    type Discovered = Discovered;
    type Known = Known;

    fn discovered(&self) -> Discovered {
        Discovered {
            known: self.known.clone(),
            races: self.races.clone(),
            uncontrolled: self.uncontrolled.clone(),
            shares: self.shares.clone(),
            assumes: self.assumes.clone(),
            stacks: self.stacks.clone(),
            time: self.time,
            outliving: self.outliving.clone(),
        }
    }

    fn inform(&mut self, discovered: &Discovered) {
        let Discovered { known, races, uncontrolled, shares, assumes, stacks, time, outliving } =
            discovered.clone();
        if known != self.known {
            self.marks.clear(); // threads may get other names
        }
        (self.known, self.races, self.uncontrolled, self.assumes) = (known, races, uncontrolled, assumes);
        (self.stacks, self.time, self.outliving) = (stacks, time, outliving);
        self.shares = shares;
        self.more_races = false;
    }

    fn is_stale(&self) -> bool {
        self.more_races
    }

    fn knowledge(&self) -> Known {
        let Known { threads, sets, .. } = self.known.clone();
        Known { threads, sets, ..self.visible.clone() }
    }

    fn doubts(&self, failure: &Failure) -> bool {
        match failure.kind {
            // A loop that reads what others write is endless only as long as no other thread
            // interleaves them.
            Kind::Divergence => true,
            // Calls on files order accesses once they are visible.
            Kind::Race => self.races_uncertain,
            _ => false,
        }
    }

    fn repeat(&mut self, violation: &Violation) -> Option<Violation> {
        self.fails_again(violation)
    }

    fn restart(&mut self) -> Result<Progress, Trouble> {
        self.begin(None)
    }

    fn restart_towards(
        &mut self,
        way: &mut dyn Iterator<Item = (Tid, Outcome)>,
    ) -> Result<Progress, Trouble> {
        let same = self.taken.iter().zip(way).take_while(|(a, b)| *a == b).count();
        let keep = self.marks.get(same.min(self.marks.len().saturating_sub(1))).copied().unwrap_or(0);
        self.begin(Some(keep))
    }

    fn finish(&mut self) -> Result<(), Trouble> {
        self.machine.catch_up()?;
        self.look_at_loop()
    }

    fn step(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble> {
        self.running.clear();
        self.running.insert(who);
        self.behind = match &self.thread(who).state {
            State::Pending(op) => Some(op.side_effects.clone()),
            _ => None,
        };
        self.taken.push((who, outcome));
        if self.next_of(who).is_some_and(|op| op.operation.exits()) {
            self.look_at_loop()?;
        }
        let running = self.execute(who, outcome, true).then_some(who);
        self.settle(running)?;
        self.pass_time();
        self.mark();
        self.look_at_busy_waits()?;
        Ok(self.progress())
    }

    fn semantics(&self) -> &Model {
        &self.model
    }

    fn pending(&self) -> Vec<(Tid, Pending)> {
        // A join is no transition: it happens by itself as soon as it can. Who goes round in a
        // circle goes on in other runs.
        let now = |op: &Pending| op.ready <= self.model.now;
        let mut all: Vec<_> =
            self.blocked().into_iter().filter(|(who, op)| self.counts(*who, op) && now(op)).collect();
        if self.looping.is_some() {
            // The others show whether it waits for them; so nothing is ended before they did what
            // they can.
            all.sort_by_key(|(_, op)| op.operation.exits());
        }
        all
    }

    fn next_of(&self, who: Tid) -> Option<Pending> {
        match &self.threads.get(&who)?.state {
            State::Pending(op) if self.counts(who, op) && op.ready <= self.model.now => Some((**op).clone()),
            _ => None,
        }
    }

    fn unexecuted(&self) -> Vec<(Tid, Pending)> {
        let killed = self.threads.iter().filter_map(|(who, t)| match &t.state {
            State::Killed(op) if !op.operation.joins() || self.known.alert() => Some((*who, (**op).clone())),
            _ => None,
        });
        self.blocked().into_iter().filter(|(who, op)| self.counts(*who, op)).chain(killed).collect()
    }

    fn same(a: &Pending, b: &Pending) -> bool {
        a.same(b)
    }

    fn ending(&self) -> Ending {
        let blocked: Vec<(Tid, Pending)> =
            self.blocked().into_iter().filter(|(_, op)| !op.operation.fires()).collect();
        let busy_waiting = blocked
            .iter()
            .any(|(_, op)| matches!(op.operation, Operation::Check(check::Op::BusyWait { .. })));
        if busy_waiting && !self.endless || blocked.iter().any(|(_, op)| op.expires) {
            return Ending::Expired;
        }
        if blocked.is_empty() {
            return Ending::Terminated;
        }
        if self.loose {
            return Ending::Expired; // the verdict is at most unknown
        }
        let words = blocked.iter().map(|(who, op)| format!("{} in {}", self.called(*who), op.call()));
        Ending::Deadlock(format!("no thread can move: {}", words.collect::<Vec<_>>().join(", ")))
    }

    fn matter_to(&self, member: usize, pending: &[(Tid, Pending)], can_move: bool) -> Set {
        Execution::matter_to(self, member, pending, can_move)
    }
}

impl Execution {
    /// Who stands before an operation, joins included.
    pub fn blocked(&self) -> Vec<(Tid, Pending)> {
        let pending = self.threads.iter().filter_map(|(who, t)| match &t.state {
            State::Pending(op) => Some((*who, (**op).clone())),
            _ => None,
        });
        pending.collect()
    }

    /// The process of a thread.
    pub(crate) fn process_of(&self, who: Tid) -> u64 {
        self.threads.get(&who).map_or(0, |t| t.process)
    }

    /// A new run, that begins with `keep` events of the last one.
    fn begin(&mut self, keep: Option<usize>) -> Result<Progress, Trouble> {
        if self.machine.began_early() {
            return Err(Trouble::Uncontrolled(EARLY.to_string()));
        }
        if !self.machine.set_places(&self.known.racing, &self.known.waiting) {
            return Err(Trouble::Uncontrolled(
                "too many code locations with data races or busy-wait loops".to_string(),
            ));
        }
        let unknown = self.known.places().any(|place| !self.stacks.contains_key(&place));
        self.machine.want_stacks(self.tells_stacks || unknown);
        self.machine.order_time(self.options.ordered);
        self.machine.heed_cancels(self.known.watched.contains(&names::CANCELS));
        let same = self.known.shows_as_much(&self.visible);
        let keep = keep.filter(|_| same && !self.tells_stacks && !unknown);
        if !same {
            self.visible = self.known.clone();
        }
        self.taken.clear();
        self.marks.clear();
        self.new_races.clear();
        self.races_uncertain = false;
        self.detector = Detector::default();
        self.contents = Contents::default();
        self.ends = Ends::default();
        self.shown = super::time::Shown::default();
        self.model = Model::default();
        self.model.lives.insert(0, Life { parent: u64::MAX, ended: false, reaped: false });
        self.model.begin_thread(0, 0, 0);
        let first = Thread { spurious: self.options.spurious, ..Thread::new(0) };
        self.threads = Map::default();
        self.threads.insert(0, first);
        self.spaces = Map::default();
        self.spaces.insert(0, names::Space::default());
        self.newborn = VecDeque::from([0]);
        self.edges.clear();
        self.regions = Map::default();
        self.behind = None;
        self.running.clear();
        self.failure = None;
        self.loose = false;
        self.distorted = false;
        self.looping = None;
        self.handles_exit.clear();
        self.private.clear();
        self.objects.clear();
        match keep {
            Some(keep) => self.machine.restart_as_before(keep)?,
            None => self.machine.restart()?,
        }
        self.settle(None)?;
        self.pass_time();
        self.mark();
        self.look_at_busy_waits()?;
        Ok(self.progress())
    }

    /// A thread that seemed to loop without an end, and went on when others had: it waited for
    /// something that they did unseen. If that was seen, it is visible in the next search.
    fn look_at_loop(&mut self) -> Result<(), Trouble> {
        match self.looping {
            Some(who) if !self.more_races && self.machine.asks_after_all(who) => {
                Err(Trouble::Uncontrolled(UNSEEN.to_string()))
            }
            _ => Ok(()),
        }
    }

    /// All events of the transition are on the tape.
    fn mark(&mut self) {
        self.marks.extend(self.machine.recorded());
    }

    pub(super) fn progress(&mut self) -> Progress {
        Progress { edges: std::mem::take(&mut self.edges), failure: self.failure.take() }
    }
}
