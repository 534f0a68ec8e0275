//! Runs that break properties of systems with infinitely many states: instances with small values
//! are searched state by state.
//!
//! An instance gives a small value to each input and each constant, and lets free choices and
//! initial values that nothing determines range over few values. Its steps are steps of the system,
//! so a finite run of it is one of the system; whether an infinite one is fair is judged in the
//! system itself. Nothing is shown that the certifier has not replayed there, and nothing is said
//! to hold.

use super::Source;
use super::jobs::Job;
use super::schedule::Scheduler;
use super::slice::Budget;
use super::tasks::Engine;
use crate::answer::Violation;
use crate::executor::relation::Broken;
use crate::failure::Failure;
use crate::question::{Define, Limits, Question};
use crate::transition::certified::Context;
use logic::fol::{Sort, Value};
use prover::small;
use space::Path;
use std::time::{Duration, Instant};
use system::fts::step::{State, Valuation};
use system::fts::{Fairness, Fts, Property};

/// Searches instances for runs that break open properties; whether a larger search may find more.
pub(super) fn instances(scheduler: &Scheduler<'_>, budget: &Budget) -> bool {
    let source = scheduler.source;
    // Axioms that are assumed may exclude a run.
    let valuations = small::valuations(&source.fts);
    if !scheduler.axioms.assumed.is_empty() || (valuations.len() == 1 && !small::is_free(&source.fts)) {
        return false;
    }
    let end = Instant::now() + scheduler.time(budget);
    let each = scheduler.time(budget) / 4;
    let mut searched = 0;
    for given in &valuations {
        let open = open(scheduler);
        if open.is_empty() || Instant::now() >= end {
            break;
        }
        searched += 1;
        let Some(fts) = small::instance(&source.fts, given) else { continue };
        let instance = Source { fts, ..source.clone() };
        for (at, run) in runs(scheduler, &instance, given, &open, (budget.states, each)) {
            let violation = replayed(source, &open[at].1, &run);
            if let Ok(violation) = violation {
                let outcome = scheduler.lock().jobs[open[at].0].outcome.clone();
                scheduler.violated(open[at].0, Some(violation), outcome);
            }
        }
    }
    note(scheduler, &format!("no run with {searched} of {} valuations of the inputs", valuations.len()));
    true
}

/// A run of an instance, with the values of rigid symbols.
struct Found {
    given: Valuation,
    path: Path<State>,
}

fn open(scheduler: &Scheduler<'_>) -> Vec<(usize, Property)> {
    let state = scheduler.lock();
    let wanted = |job: &Job| job.is_open() && !job.scripted && !job.is_check;
    let jobs = state.jobs.iter().enumerate().filter(|(_, job)| wanted(job));
    jobs.map(|(at, job)| (at, job.property.clone())).collect()
}

fn note(scheduler: &Scheduler<'_>, words: &str) {
    let mut state = scheduler.lock();
    let wanted = |job: &&mut Job| job.is_open() && !job.scripted && !job.is_check;
    for job in state.jobs.iter_mut().filter(wanted) {
        job.note_words(Engine::Instances.place(), Engine::Instances.name(), words);
    }
}

fn runs(
    scheduler: &Scheduler<'_>,
    instance: &Source,
    given: &Valuation,
    open: &[(usize, Property)],
    (states, time): (u64, Duration),
) -> Vec<(usize, Found)> {
    let limits = Limits { states: Some(states), time: Some(time), ..scheduler.request.limits };
    let request = Question { keep_going: true, threads: 1, limits, ..Question::default() };
    let properties: Vec<Property> = open.iter().map(|(_, property)| property.clone()).collect();
    let found = crate::transition::runs(instance, &request, given, &properties, &scheduler.interrupt.apart());
    found.into_iter().map(|(at, given, path)| (at, Found { given, path })).collect()
}

/// The run before the certifier, in the system itself.
fn replayed(source: &Source, property: &Property, run: &Found) -> Result<Violation, Failure> {
    let given = with_choices(&run.given, &run.path);
    let context = Context { fts: &source.fts, given: &given, fairness: Fairness::Strong };
    context.counts(&run.path).map_err(|why| Failure::Request(why.to_string()))?;
    let confirmed = context.broken(&property.formula, &run.path);
    let confirmed = confirmed.map_err(|why| Failure::Request(why.to_string()))?;
    let defines = defines(&source.fts, &given);
    Broken::of(property).violation(source, &given, &defines, (&run.path, confirmed))
}

/// Free choices on a run are among the values that occur in its states.
pub(super) fn with_choices(given: &Valuation, path: &Path<State>) -> Valuation {
    let mut values: Vec<Value> = path.states.iter().flatten().flat_map(parts).collect();
    // By how much a clock goes on is seen from its values.
    let steps = path.states.windows(2).flat_map(|pair| pair[0].iter().zip(&pair[1]));
    values.extend(steps.filter_map(|(a, b)| difference(a, b)));
    let mut given = given.clone();
    small::add_choices(&mut given, values);
    given
}

fn difference(before: &Value, after: &Value) -> Option<Value> {
    match (before, after) {
        (Value::Int(a), Value::Int(b)) => Some(Value::Int(b - a)),
        (Value::Real(a), Value::Real(b)) => Some(Value::Real(b - a)),
        _ => None,
    }
}

/// A value and what it is made of.
fn parts(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(array) => array.entries.values().chain([&array.default]).cloned().collect(),
        Value::Sequence(_, items) => items.clone(),
        other => vec![other.clone()],
    }
}

pub(super) fn defines(fts: &Fts, given: &Valuation) -> Vec<Define> {
    let numbers = small::inputs(fts).into_iter().filter(|(_, sort)| !matches!(sort, Sort::Sequence(_)));
    let named = numbers.filter_map(|(name, _)| {
        let value = given.get(&name)?.to_string();
        Some(Define { name: name.to_string(), value: Some(value) })
    });
    named.collect()
}
