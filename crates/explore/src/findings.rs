//! What a search has found so far: violations counted per state, and a run for the first of each kind and place.

use crate::limits::Stop;
use crate::report::{Report, Violation};
use crate::search::Options;
use crate::store::{Keeper, StateId};
use std::collections::HashSet;
use std::ops::ControlFlow;
use system::stepper::{FaultAt, Goal, Rest, Stepper};
use system::{Ending, Fault, Run, Step};

pub(crate) struct Findings<'a> {
    options: &'a Options,
    pub report: Report,
    /// Violations told already: kind and place.
    told: HashSet<Told>,
}

#[derive(PartialEq, Eq, Hash)]
enum Told {
    Deadlock,
    Fault(Fault, usize, usize),
}

impl<'a> Findings<'a> {
    pub fn new(options: &'a Options) -> Self {
        Findings { options, report: Report::default(), told: HashSet::new() }
    }

    /// There is no initial state.
    pub fn stillborn(mut self, fault: Fault) -> Report {
        self.report.faults = 1;
        let run = Run { steps: Vec::new(), ending: Ending::Fault(fault) };
        self.report.violations.push(Violation { run, shortest: true });
        self.report
    }

    /// Counts what is wrong with the last state of `path`: a state out of which faults happen counts once for each kind.
    pub fn note(
        &mut self,
        stepper: &mut impl Stepper,
        store: &impl Keeper,
        path: &[StateId],
        rest: Rest,
        faults: &[FaultAt],
    ) -> ControlFlow<Stop> {
        if rest == Rest::Deadlock && self.options.deadlocks {
            self.report.deadlocks += 1;
            self.tell(stepper, store, path, None)?;
        }
        if faults.is_empty() {
            return ControlFlow::Continue(());
        }
        let (fatal, failed): (Vec<&FaultAt>, Vec<&FaultAt>) = faults.iter().partition(|f| f.fault.is_fatal());
        if self.options.assertions && !failed.is_empty() {
            self.report.assertions += 1;
            failed.iter().try_for_each(|f| self.tell(stepper, store, path, Some(**f)))?;
        }
        if self.options.faults && !fatal.is_empty() {
            self.report.faults += 1;
            fatal.iter().try_for_each(|f| self.tell(stepper, store, path, Some(**f)))?;
        }
        ControlFlow::Continue(())
    }

    /// Keeps the run to a violation, the first of its kind and place.
    fn tell(
        &mut self,
        stepper: &mut impl Stepper,
        store: &impl Keeper,
        path: &[StateId],
        fault: Option<FaultAt>,
    ) -> ControlFlow<Stop> {
        let key = fault.map_or(Told::Deadlock, |f| Told::Fault(f.fault, f.template, f.transition));
        if self.told.insert(key) {
            // A stepper that cannot explain itself is broken: the empty run will be refused by whoever checks it.
            let ending = fault.map_or(Ending::Deadlock, |f| Ending::Fault(f.fault));
            let steps = run_along(stepper, store, path, fault).unwrap_or_default();
            self.report.violations.push(Violation { run: Run { steps, ending }, shortest: false });
        }
        if self.options.keep_going { ControlFlow::Continue(()) } else { ControlFlow::Break(Stop::Violation) }
    }
}

fn run_along(
    stepper: &mut impl Stepper,
    store: &impl Keeper,
    path: &[StateId],
    fault: Option<FaultAt>,
) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    for pair in path.windows(2) {
        steps.extend(stepper.explain(store.get(pair[0]), Goal::State(store.get(pair[1])))?);
    }
    if let (Some(at), Some(last)) = (fault, path.last()) {
        steps.extend(stepper.explain(store.get(*last), Goal::Fault(at))?);
    }
    Some(steps)
}
