//! What a search has found so far: violations counted per state, and a run for the first of each
//! kind and place.

use crate::limits::Stop;
use crate::report::{Report, Violation};
use crate::search::Options;
use space::{Edges, Ending, Fault, FaultAt, Rest, Run, Start, Step, Stepper, Undefined, Which};
use std::collections::HashSet;
use std::ops::ControlFlow;

pub(crate) struct Findings<'a> {
    options: &'a Options,
    pub report: Report,
    /// Violations reported already: kind and place.
    pub reported: HashSet<Reported>,
}

/// What a run was reported for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reported {
    Deadlock,
    Fault(Fault, u64),
}

impl Reported {
    fn of(fault: &FaultAt) -> Reported {
        Reported::Fault(fault.fault, fault.place)
    }
}

impl<'a> Findings<'a> {
    pub fn new(options: &'a Options) -> Self {
        Findings { options, report: Report::default(), reported: HashSet::new() }
    }

    /// There is no initial state, because of this.
    pub fn no_initial_state(mut self, fault: Fault) -> Report {
        self.report.faults = 1;
        let run = Run::new(Vec::new(), Ending::Fault(fault));
        self.report.violations.push(Violation { run, shortest: true });
        self.report
    }

    /// What has no value in an initial state.
    pub fn undefined(mut self, undefined: Undefined) -> Report {
        self.report.undefined = Some(undefined);
        self.report.stopped = Some(Stop::Undefined);
        self.report
    }

    /// Whether a run would be reported for what is wrong with a state.
    pub fn is_new(&self, rest: Rest, faults: &[FaultAt]) -> bool {
        let deadlock = rest == Rest::Deadlock && self.options.deadlocks;
        let wanted = |f: &&FaultAt| self.options.looks_for(Rest::Enabled, std::slice::from_ref(*f));
        deadlock && !self.reported.contains(&Reported::Deadlock)
            || faults.iter().filter(wanted).any(|f| !self.reported.contains(&Reported::of(f)))
    }

    /// Counts what is wrong with a state: one out of which faults happen counts once for each kind.
    /// `path` gives the states on the path to it, itself last.
    pub fn note<P: AsRef<[u8]>>(
        &mut self,
        stepper: &mut impl Stepper,
        rest: Rest,
        faults: &[FaultAt],
        path: impl Fn() -> Vec<P>,
    ) -> ControlFlow<Stop> {
        if rest == Rest::Deadlock && self.options.deadlocks {
            self.report.deadlocks += 1;
            self.report_run(stepper, &path, None)?;
        }
        if faults.is_empty() {
            return ControlFlow::Continue(());
        }
        let (failed, fatal): (Vec<&FaultAt>, Vec<&FaultAt>) =
            faults.iter().partition(|f| f.fault == Fault::Assertion);
        if self.options.assertions && !failed.is_empty() {
            self.report.assertions += 1;
            failed.iter().try_for_each(|f| self.report_run(stepper, &path, Some(**f)))?;
        }
        if self.options.faults && !fatal.is_empty() {
            self.report.faults += 1;
            fatal.iter().try_for_each(|f| self.report_run(stepper, &path, Some(**f)))?;
        }
        ControlFlow::Continue(())
    }

    /// Keeps the run to a violation, the first of its kind and place.
    fn report_run<P: AsRef<[u8]>>(
        &mut self,
        stepper: &mut impl Stepper,
        path: &impl Fn() -> Vec<P>,
        fault: Option<FaultAt>,
    ) -> ControlFlow<Stop> {
        let key = fault.as_ref().map_or(Reported::Deadlock, Reported::of);
        if self.reported.insert(key) {
            // A stepper that cannot explain itself is broken: the certifier refuses the empty run.
            let ending = fault.map_or(Ending::Deadlock, |f| Ending::Fault(f.fault));
            let path = path();
            let steps = run_along(stepper, &path, fault).unwrap_or_default();
            let start = path.first().map_or(Start::Number(0), |first| start_at(stepper, first.as_ref()));
            self.report.violations.push(Violation { run: Run { start, steps, ending }, shortest: false });
        }
        if self.options.keep_going { ControlFlow::Continue(()) } else { ControlFlow::Break(Stop::Violation) }
    }
}

/// Which initial state this is.
fn start_at(stepper: &mut impl Stepper, state: &[u8]) -> Start {
    let mut initial = Edges::default();
    stepper.initial(&mut initial);
    Start::Number(initial.iter().position(|first| first == state).unwrap_or(0))
}

fn run_along(
    stepper: &mut impl Stepper,
    path: &[impl AsRef<[u8]>],
    fault: Option<FaultAt>,
) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = Vec::new();
    for pair in path.windows(2) {
        steps.extend(stepper.explain(pair[0].as_ref(), Which::to(pair[1].as_ref()))?);
    }
    if let (Some(at), Some(last)) = (fault, path.last()) {
        steps.extend(stepper.explain(last.as_ref(), Which::Fault(at))?);
    }
    Some(steps)
}
