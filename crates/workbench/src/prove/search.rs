//! What no rule proves of a program with finitely many states is decided by looking at all of them:
//! the explicit engine of `weave check`, for a short time. A search that is not complete says
//! nothing.

use super::Source;
use crate::answer::{Answer, Decided, Kind, Verdict, Violation};
use crate::listener::Interrupt;
use crate::question::{Limits, Question, Selection};
use prover::{Findings, Obligation, Outcome, Status};
use std::time::Duration;

/// How many states are looked at, and for how long.
const STATES: u64 = 20_000;
const TIME: Duration = Duration::from_secs(10);

/// Settles open type checks, and open properties that have no proof in the file. Says which runs
/// break some of them, and which hold for nothing.
pub(super) fn settle(
    source: &Source,
    request: &Question,
    findings: &mut Findings,
    left: Option<Duration>,
    interrupt: &Interrupt,
) -> (Vec<Violation>, Vec<(String, String)>) {
    let scripted = |name: &str| !request.proofs.auto && source.fts.proofs.iter().any(|p| p.property == name);
    let is_open = |o: &Outcome| !o.proved && o.run.is_none() && !scripted(&o.name);
    let names: Vec<String> =
        findings.outcomes.iter().filter(|o| is_open(o)).map(|o| o.name.clone()).collect();
    let time = left.map_or(TIME, |left| left.min(TIME));
    let types = source.asked.is_empty() && findings.types.iter().any(|o| o.status != Status::Proved);
    if request.proofs.rules_only || (names.is_empty() && !types) || time.is_zero() || interrupt.is_raised() {
        return Default::default();
    }
    let asked = asked(request, &names, types, time);
    let Ok(answer) = crate::transition::check(source, &asked, interrupt, &mut |_| {}) else {
        return Default::default();
    };
    let vacuous = answer.properties.iter().filter_map(|p| Some((p.name.clone(), p.vacuous.clone()?)));
    let vacuous = vacuous.collect();
    for outcome in findings.outcomes.iter_mut().filter(|o| names.contains(&o.name)) {
        let holds = |p: &&Decided| p.name == outcome.name && p.verdict == Verdict::Holds;
        if answer.properties.iter().any(|p| holds(&p)) {
            outcome.proved = true;
            outcome.reason = None;
            outcome.obligations = vec![looked_at(&answer)];
        }
    }
    let safe = |p: &Decided| p.kind == Kind::Runtime && p.verdict == Verdict::Holds;
    if types && answer.properties.iter().any(safe) {
        for check in findings.types.iter_mut().filter(|o| o.status != Status::Proved) {
            *check = Obligation { name: check.name.clone(), ..looked_at(&answer) };
        }
    }
    // Axioms that are assumed may exclude a run; then it breaks nothing.
    let wanted = |v: &Violation| v.kind == Kind::Runtime || names.contains(&v.property);
    let broken = answer.violations.into_iter().filter(wanted);
    (if findings.axioms.assumed.is_empty() { broken.collect() } else { Vec::new() }, vacuous)
}

fn asked(request: &Question, names: &[String], types: bool, time: Duration) -> Question {
    let limits = &request.limits;
    let named = names.iter().cloned().map(Selection::Named);
    Question {
        selected: named.chain(types.then_some(Selection::Safety)).collect(),
        keep_going: true,
        threads: request.threads,
        limits: Limits { states: limits.states.or(Some(STATES)), time: Some(time), ..*limits },
        ..Question::default()
    }
}

fn looked_at(answer: &Answer) -> Obligation {
    let name = format!("all {} reachable states", answer.searched().states);
    let milliseconds = (answer.numbers.seconds * 1000.0) as u64;
    Obligation { milliseconds, ..Obligation::new(name, "Model-Check", Status::Proved) }
}
