//! Violations by loops that are repeated without end although no state comes back: searched in
//! folded systems, confirmed in the system itself by the certifier.

use super::Source;
use super::certified;
use super::refute::{defines, with_choices};
use super::schedule::Scheduler;
use super::slice::{Budget, Slice};
use crate::answer::Violation;
use crate::executor::relation::Broken;
use crate::question::{Limits, Question};
use crate::transition::certified::Context;
use certify::proof::Repeats;
use prover::clauses::Seen;
use prover::repeat::{self, Fold};
use prover::{Judge, small};
use space::Path;
use std::time::Instant;
use system::fts::step::{State, Valuation};
use system::fts::{Fairness, Property};

/// How numbers are folded, in this order.
const FOLDS: [Fold; 3] = [Fold::Stay(3), Fold::Wrap(4), Fold::Wrap(6)];
/// Instances that are looked at.
const INSTANCES: usize = 3;

/// Looks for loops that violate open properties; whether a larger search may find more.
pub(super) fn loops(scheduler: &Scheduler<'_>, budget: &Budget) -> bool {
    if !scheduler.axioms.assumed.is_empty() {
        return false;
    }
    let source = scheduler.source;
    let time = scheduler.time(budget);
    let end = Instant::now() + time;
    for given in small::valuations(&source.fts).iter().take(INSTANCES) {
        let Some(fts) = small::instance(&source.fts, given) else { continue };
        let instance = Source { fts, ..source.clone() };
        for fold in FOLDS {
            let open = open(scheduler);
            if open.is_empty() || Instant::now() >= end {
                return !open.is_empty();
            }
            let folded = Source { fts: repeat::folded(&instance.fts, fold), ..instance.clone() };
            let limits =
                Limits { states: Some(budget.states), time: Some(time / 4), ..scheduler.request.limits };
            let request = Question { keep_going: true, threads: 1, limits, ..Question::default() };
            let properties: Vec<Property> = open.iter().map(|(_, p)| p.clone()).collect();
            let runs =
                crate::transition::runs(&folded, &request, given, &properties, &scheduler.interrupt.apart());
            for (at, given, path) in runs {
                let lasso = Lasso { instance: &instance, given: &given, fold, path: &path };
                if let Some(violation) = lasso.violation(scheduler, budget, &properties[at]) {
                    let outcome = scheduler.lock().jobs[open[at].0].outcome.clone();
                    scheduler.violated(open[at].0, Some(violation), outcome);
                }
            }
        }
    }
    true
}

fn open(scheduler: &Scheduler<'_>) -> Vec<(usize, Property)> {
    let state = scheduler.lock();
    let jobs = state.jobs.iter().enumerate();
    let wanted = jobs.filter(|(_, job)| job.is_open() && !job.scripted && job.is_liveness());
    wanted.map(|(at, job)| (at, job.property.clone())).collect()
}

/// A lasso of a folded instance.
struct Lasso<'a> {
    instance: &'a Source,
    given: &'a Valuation,
    fold: Fold,
    path: &'a Path<State>,
}

impl Lasso<'_> {
    fn violation(
        &self,
        scheduler: &Scheduler<'_>,
        budget: &Budget,
        property: &Property,
    ) -> Option<Violation> {
        let slice = Slice::new(scheduler.solvers, budget);
        let options = slice.options(scheduler.options, budget);
        let started = Instant::now();
        let clock = || started.elapsed().as_millis() as u64;
        let until = scheduler.time(budget).as_millis() as u64;
        let (fts, seen) = (&self.instance.fts, &Seen::default());
        let judge = Judge { fts, solver: &slice, options: &options, clock: &clock, until, seen };
        let found = repeat::found(&judge, self.given, self.fold, self.path)?;
        let source = scheduler.source;
        let judge = Judge { fts: &source.fts, ..judge };
        let valid = certified::valid(&judge);
        let path = Path::to(found.states);
        let given = with_choices(self.given, &path);
        let fairness = Fairness::Strong;
        Context { fts: &source.fts, given: &given, fairness }.counts(&path).ok()?;
        let (fts, states, loops) = (&source.fts, &path.states[..], &found.loops);
        let repeats = Repeats { fts, given: &given, valid: &valid, states, loops };
        let run = repeats.violates(&property.formula).ok()?;
        let mut broken = Broken::of(property);
        let steps = found.loops.steps.len();
        let end = path.states.len().saturating_sub(1);
        broken.how = Some(match steps {
            1 => format!("step {end} can be repeated forever"),
            _ => format!("steps {}-{end} can be repeated forever", (end + 1).saturating_sub(steps)),
        });
        broken.violation(source, &given, &defines(&source.fts, &given), (&path, run)).ok()
    }
}
