//! A failing run is executed again, with what was visible then. Only what fails again is a
//! violation.
//!
//! **A race** is shown with both accesses as steps of the run: the places in the code that race are
//! made visible for it. They are taken as soon as a thread stands before them, the thread that ran
//! last first, as they came in the run that was found.

use super::Execution;
use super::names::Known;
use crate::explore::Violation;
use crate::operation::{Outcome, Pending, Tid};
use explore::stateless::{Edges, Failure, Kind, Progress, Transition, Trouble, World};
use objects::Object;
use std::collections::BTreeSet;

/// A run in the making.
#[derive(Default)]
struct Made {
    schedule: Vec<Transition<Pending>>,
    beginning: Edges,
    edges: Vec<Edges>,
    failure: Option<Failure>,
}

impl Execution {
    /// The run again, as it is to be shown; nothing if it does not fail again.
    pub(super) fn fails_again(&mut self, found: &Violation) -> Option<Violation> {
        if found.failure.kind == Kind::Livelock {
            return Some(found.clone());
        }
        let (known, stale) = (self.known.clone(), self.more_races);
        let again = self.with_accesses(found).or_else(|| {
            self.known = found.known.clone();
            let again = self.follow(found, &BTreeSet::new()).ok()?;
            again.shows(found.failure.kind).then(|| found.clone())
        });
        (self.known, self.more_races) = (known, stale);
        again
    }

    /// The run of a race, with the accesses as steps.
    fn with_accesses(&mut self, found: &Violation) -> Option<Violation> {
        let race = found.failure.race?.race;
        let spots = [race.first, race.second];
        let places: BTreeSet<u64> = spots.iter().filter(|s| !s.atomic).map(|s| s.pc).collect();
        self.known = found.known.clone();
        self.known.racing.extend(&places);
        let known = self.known.clone();
        let made = self.follow(found, &places).ok()?;
        let failure = made.failure.as_ref()?.of_kind(Kind::Race)?.clone();
        let Made { schedule, beginning, edges, .. } = made;
        let known = Known { threads: self.known.threads.clone(), sets: self.known.sets.clone(), ..known };
        Some(Violation { failure, schedule, beginning, edges, known })
    }

    /// Takes the steps of a run, and accesses from these places between them; up to the failure.
    fn follow(&mut self, found: &Violation, places: &BTreeSet<u64>) -> Result<Made, Trouble> {
        let begun = self.restart_on()?;
        let mut made = Made { beginning: begun.edges, failure: begun.failure, ..Made::default() };
        self.take_accesses(&mut made, places)?;
        for (at, step) in found.schedule.iter().enumerate() {
            if made.shows(found.failure.kind) {
                break;
            }
            let op = self.next_of(step.who).filter(|op| op.same(&step.op));
            let op = op.filter(|op| self.model.outcomes(step.who, op).contains(&step.outcome));
            self.take(&mut made, step.who, step.outcome, op.ok_or(Trouble::Nondeterminism(at))?)?;
            self.take_accesses(&mut made, places)?;
        }
        if found.failure.kind != Kind::Divergence && made.shows(found.failure.kind) {
            return Ok(made);
        }
        self.finish()?;
        let blocked = |(who, op): &(Tid, Pending)| self.model.outcomes(*who, op).is_empty();
        if made.failure.is_none() && self.pending().iter().all(blocked) {
            made.failure = self.ending().failure();
        }
        Ok(made)
    }

    fn take(&mut self, made: &mut Made, who: Tid, outcome: Outcome, op: Pending) -> Result<(), Trouble> {
        let touched = self.model.touches(who, &op, outcome);
        let progress = self.step_on(who, outcome)?;
        made.schedule.push(Transition { who, outcome, op, touched });
        made.edges.push(progress.edges);
        made.failure = Failure::first(made.failure.take(), progress.failure);
        Ok(())
    }

    /// A step. What has gone wrong in it counts, also if the run cannot go on.
    pub fn step_on(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble> {
        let done = self.step(who, outcome);
        self.or_failure(done)
    }

    /// The beginning of a run, in the same way.
    pub fn restart_on(&mut self) -> Result<Progress, Trouble> {
        let done = self.restart();
        self.or_failure(done)
    }

    fn or_failure(&mut self, done: Result<Progress, Trouble>) -> Result<Progress, Trouble> {
        done.or_else(|trouble| {
            self.failure = self.failure.take().and_then(Failure::for_certain);
            if self.failure.is_some() { Ok(self.progress()) } else { Err(trouble) }
        })
    }

    /// Takes accesses from these places, as long as a thread stands before one.
    fn take_accesses(&mut self, made: &mut Made, places: &BTreeSet<u64>) -> Result<(), Trouble> {
        while !made.shows(Kind::Race) {
            let stands = |(_, op): &(Tid, Pending)| op.operation.is_plain_access() && places.contains(&op.pc);
            let mut ready: Vec<(Tid, Pending)> = self.pending().into_iter().filter(stands).collect();
            let last = made.schedule.last().map(|t| t.who);
            ready.sort_by_key(|(who, _)| (Some(*who) != last, *who));
            let Some((who, op)) = ready.into_iter().next() else { break };
            self.take(made, who, 0, op)?;
        }
        Ok(())
    }
}

impl Made {
    /// Whether this went wrong so far, whatever comes of the run besides.
    fn shows(&self, kind: Kind) -> bool {
        self.failure.as_ref().is_some_and(|f| f.of_kind(kind).is_some())
    }
}
