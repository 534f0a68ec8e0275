//! Bounded model checking on a property: runs of growing length, each question to the solver
//! within a slice. What is found is executed by the certifier before it is shown; a run that it
//! does not confirm is no violation, and the search goes on with longer ones.
//!
//! Where the number of processes is not known, systems with few are searched. A search that is cut
//! off goes on where it ended.

use super::refute::defines;
use super::schedule::Scheduler;
use super::slice::{Budget, Slice};
use super::tasks::Engine;
use super::{Source, refute};
use crate::answer::Violation;
use crate::executor::relation::Broken;
use crate::failure::Failure;
use crate::transition::certified::Context;
use prover::clauses::Seen;
use prover::pdr::Counterexample;
use prover::{Judge, bounded, small};
use std::time::Instant;
use system::fts::{Fairness, Property};

/// Longer runs are not looked for.
const STEPS: usize = 60;

/// Looks for a run that violates a property; whether a larger slice may find more.
pub(super) fn runs(scheduler: &Scheduler<'_>, job: usize, budget: &Budget) -> bool {
    let (property, mut from) = {
        let state = scheduler.lock();
        (state.jobs[job].property.clone(), state.jobs[job].steps.clone())
    };
    let systems = small::with_processes(&scheduler.source.fts, &property);
    from.resize(systems.len(), 0);
    let mut more = false;
    let mut far = Vec::new();
    for (number, (fts, asked)) in systems.iter().enumerate() {
        let slice = Slice::new(scheduler.solvers, budget);
        let options = slice.options(scheduler.options, budget);
        let started = Instant::now();
        let clock = || started.elapsed().as_millis() as u64;
        let until = scheduler.time(budget).as_millis() as u64 / systems.len() as u64;
        let seen = &Seen::default();
        let judge = Judge { fts, solver: &slice, options: &options, clock: &clock, until, seen };
        let mut refused = None;
        while from[number] <= STEPS {
            let found = bounded::search(&judge, asked, &scheduler.axioms.assumed, (from[number], STEPS));
            from[number] = found.steps;
            let Some(run) = found.run else {
                more |= found.reason.is_some();
                far.push(words(found.steps, refused.or(found.reason)));
                break;
            };
            match replayed(scheduler.source, &property, &run) {
                Ok(violation) => {
                    let outcome = scheduler.lock().jobs[job].outcome.clone();
                    scheduler.violated(job, Some(violation), outcome);
                    return false;
                }
                Err(why) => refused = Some(format!("a run cannot be replayed: {}", why.message())),
            }
            from[number] += 1;
        }
    }
    let mut state = scheduler.lock();
    let job = &mut state.jobs[job];
    job.steps = from;
    let engine = Engine::Bounded;
    job.note_words(engine.place(), engine.name(), &far.join(", "));
    more
}

fn words(steps: usize, reason: Option<String>) -> String {
    let far = match steps {
        0 => "no run was looked at".to_string(),
        steps => format!("no run of up to {} steps", steps - 1),
    };
    match reason {
        Some(reason) => format!("{far} ({reason})"),
        None => far,
    }
}

/// The run before the certifier, in the system itself.
fn replayed(source: &Source, property: &Property, run: &Counterexample) -> Result<Violation, Failure> {
    let given = refute::with_choices(&run.given, &run.path);
    let context = Context { fts: &source.fts, given: &given, fairness: Fairness::Strong };
    let refused = |why: String| Failure::Request(why);
    context.counts(&run.path).map_err(|why| refused(why.to_string()))?;
    let confirmed = context.broken(&property.formula, &run.path).map_err(|why| refused(why.to_string()))?;
    let defines = defines(&source.fts, &given);
    Broken::of(property).violation(source, &given, &defines, (&run.path, confirmed))
}
