//! Programs with finitely many states are decided by looking at all of them: the search of `weave
//! check`, bounded by the number of states. A search that is not complete says nothing of what
//! holds; what it finds broken is broken.

use super::jobs::Job;
use super::schedule::Scheduler;
use super::slice::Budget;
use super::tasks::Engine;
use crate::answer::{Answer, Decided, Kind, Verdict, Violation};
use crate::question::{Limits, Question, Selection};
use prover::{Obligation, Outcome, Status};
use std::time::{Duration, Instant};

/// Searches the states of the system for all open jobs that have no proof in the file; whether a
/// larger search may decide more.
pub(super) fn explicit(scheduler: &Scheduler<'_>, budget: &Budget) -> bool {
    let (names, checks) = wanted(scheduler);
    let time = scheduler.time(budget);
    let Some(asked) = asked(scheduler.request, (names, checks), budget.states, time) else { return false };
    let started = Instant::now();
    match crate::transition::search(scheduler.source, &asked, scheduler.interrupt, &mut |_| {}) {
        Ok(answer) => {
            take_over(scheduler, &answer);
            let states = asked.limits.states.unwrap_or(u64::MAX);
            let cut = answer.searched().states >= states || started.elapsed() >= time;
            cut && scheduler.request.limits.states.is_none()
        }
        Err(why) => {
            note(scheduler, &why.message());
            false
        }
    }
}

/// The open properties that have no proof in the file, and whether type checks are open.
pub(super) fn wanted(scheduler: &Scheduler<'_>) -> (Vec<String>, bool) {
    let state = scheduler.lock();
    let open = || state.jobs.iter().filter(|job| job.is_open() && !job.scripted);
    let names = open().filter(|job| !job.is_check).map(|job| job.property.name.clone()).collect();
    let checks = scheduler.source.asked.is_empty() && open().any(|job| job.is_check);
    (names, checks)
}

/// What is asked of a search; `None` if nothing is.
fn asked(
    request: &Question,
    (names, checks): (Vec<String>, bool),
    states: u64,
    time: Duration,
) -> Option<Question> {
    if names.is_empty() && !checks {
        return None;
    }
    let limits = &request.limits;
    let named = names.into_iter().map(Selection::Named);
    Some(Question {
        selected: named.chain(checks.then_some(Selection::Safety)).collect(),
        keep_going: true,
        threads: 1,
        limits: Limits { states: limits.states.or(Some(states)), time: Some(time), ..*limits },
        certify: request.certify,
        ..Question::default()
    })
}

fn take_over(scheduler: &Scheduler<'_>, answer: &Answer) {
    let mut state = scheduler.lock();
    let of = |job: &Job, p: &Decided| match job.is_check {
        true => p.kind == Kind::Runtime,
        false => p.kind == Kind::Ltl && p.name == job.property.name,
    };
    for job in state.jobs.iter_mut().filter(|job| job.is_open() && !job.scripted) {
        let Some(found) = answer.properties.iter().find(|p| of(job, p)) else { continue };
        match found.verdict {
            Verdict::Holds => {
                let obligations = vec![looked_at(answer)];
                job.outcome = Outcome {
                    name: job.property.name.clone(),
                    proved: true,
                    obligations,
                    ..Outcome::default()
                };
                (job.verdict, job.certificate) = (Verdict::Holds, found.certificate.clone());
                job.vacuous.clone_from(&found.vacuous);
            }
            // Axioms that are assumed may exclude a run; then it breaks nothing.
            Verdict::Violated if scheduler.axioms.assumed.is_empty() => {
                let run = answer.violations.iter().find(|v| breaks(v, job));
                if let Some(run) = run {
                    (job.verdict, job.violation) = (Verdict::Violated, Some(run.clone()));
                }
            }
            _ => {
                let words = found.reason.clone().unwrap_or_else(|| "the search is not complete".to_string());
                job.note_words(Engine::Explicit.place(), Engine::Explicit.name(), &words);
            }
        }
    }
}

/// Whether a run is one that breaks this.
fn breaks(violation: &Violation, job: &Job) -> bool {
    match job.is_check {
        true => violation.kind == Kind::Runtime && violation.message.ends_with(&job.property.name),
        false => violation.kind == Kind::Ltl && violation.property == job.property.name,
    }
}

fn note(scheduler: &Scheduler<'_>, why: &str) {
    let mut state = scheduler.lock();
    for job in state.jobs.iter_mut().filter(|job| job.is_open() && !job.scripted) {
        job.note_words(Engine::Explicit.place(), Engine::Explicit.name(), why);
    }
}

fn looked_at(answer: &Answer) -> Obligation {
    let name = format!("all {} reachable states", answer.searched().states);
    let milliseconds = (answer.numbers.seconds * 1000.0) as u64;
    Obligation { milliseconds, ..Obligation::new(name, "Model-Check", Status::Proved) }
}
