//! Which verdict follows from what an engine found, and the answer made of it. The one place where
//! that is decided.
//!
//! Violated beats unknown beats holds. Nothing holds unless everything reachable was seen. Run-time
//! errors are asked for with every safety property, since a run that ends in one says nothing about
//! what would have come after it.

use crate::answer::{Answer, Decided, Errors, Kind, Verdict, Violation};
use crate::failure::Failure;
use crate::headline::headline;
use crate::model::Claim;
use crate::numbers::few;
use crate::question::{Limits, Selection};
use crate::reduction::Plan;
use crate::temporal::Judged;
use explore::{Losses, Stop};
use shapes::answer::{self, Outcome, Seen};

pub const UNDECIDED: &str = "persistent sets without the proviso decide about deadlocks only";

const SAFETY: [Kind; 3] = [Kind::Deadlock, Kind::Assertion, Kind::Runtime];

/// The properties that were asked for, all still open.
pub fn asked(claims: &[Claim], selected: &[Selection]) -> Result<Vec<Claim>, Failure> {
    let safety = |kinds: &[Kind]| -> Vec<Claim> {
        kinds.iter().map(|kind| Claim { name: kind.name().to_string(), kind: *kind }).collect()
    };
    if selected.is_empty() {
        return Ok(safety(&SAFETY).into_iter().chain(claims.iter().cloned()).collect());
    }
    let mut asked: Vec<Claim> = Vec::new();
    for selection in selected {
        let more = match selection {
            Selection::Safety => safety(&SAFETY),
            Selection::Deadlock => safety(&[Kind::Deadlock, Kind::Runtime]),
            Selection::Assertion => safety(&[Kind::Assertion, Kind::Runtime]),
            Selection::Progress => safety(&[Kind::Progress, Kind::Runtime]),
            Selection::Named(name) => {
                known(claims, name)?;
                safety(&[Kind::Runtime])
            }
        };
        // A property of the file may be called like one that every model has: both are meant.
        let namesakes = claims.iter().filter(|c| c.name == selection.word()).cloned();
        for claim in namesakes.chain(more) {
            if !asked.contains(&claim) {
                asked.push(claim);
            }
        }
    }
    Ok(asked)
}

fn known(claims: &[Claim], name: &str) -> Result<(), Failure> {
    if claims.iter().any(|c| c.name == name) {
        return Ok(());
    }
    let known = ["safety", "deadlock", "assertion", "progress"].into_iter();
    let known: Vec<_> = known.chain(claims.iter().map(|c| c.name.as_str())).collect();
    Err(Failure::Request(format!("no property `{name}` in the model; there are: {}", known.join(", "))))
}

/// Whether a property is decided by looking at states and single steps.
pub fn is_safety(kind: Kind) -> bool {
    SAFETY.contains(&kind)
}

/// Whether only properties of whole runs are asked for, and run-time errors because they cut runs
/// short.
pub fn is_about_runs(asked: &[Claim]) -> bool {
    asked.iter().all(|c| !is_safety(c.kind) || c.kind == Kind::Runtime)
}

/// Makes *unknown* of every *holds*, for this reason.
pub(crate) fn make_unknown(properties: &mut [Decided], reason: &str) {
    for property in properties.iter_mut().filter(|p| p.verdict == Verdict::Holds) {
        let (text, proof) = (std::mem::take(&mut property.text), property.proof.take());
        *property = Decided { text, proof, ..Decided::unknown(&property.name, property.kind, reason) };
    }
}

/// The answer that follows from what was found. Engines fill in all but the verdict; a reason only
/// where their own words are better.
pub fn conclude(found: Answer) -> Answer {
    let broken = found.violations.first().map(headline);
    Answer {
        verdict: if broken.is_some() { Verdict::Violated } else { overall(&found.properties) },
        reason: match broken {
            Some(words) => words,
            None if found.reason.is_empty() => reason(&found),
            None => found.reason.clone(),
        },
        ..found
    }
}

/// What is known of each property after a search that was planned like this; `stopped` is why it
/// ended early.
pub fn judge(
    asked: &[Claim],
    errors: &Errors,
    (report, plan): (&explore::Report, &Plan),
    limits: &Limits,
    judged: &[(Claim, Judged)],
) -> Vec<Decided> {
    let of = |claim: &Claim| {
        let (name, kind) = (claim.name.as_str(), claim.kind);
        if let Some((_, j)) = judged.iter().find(|(c, _)| c == claim) {
            return Decided {
                reason: j.reason.clone(),
                vacuous: j.vacuous.clone(),
                product: Some((j.searched.product.states, j.searched.product.transitions)),
                reduction: j.searched.reduction.clone(),
                ..Decided::new(name, kind, j.verdict)
            };
        }
        match report.stopped {
            _ if count(errors, kind) > 0 => Decided::new(name, kind, Verdict::Violated),
            None if !plan.decides(kind) => Decided::unknown(name, kind, UNDECIDED),
            None => match &report.losses {
                None => Decided::new(name, kind, Verdict::Holds),
                Some(losses) => Decided::unknown(name, kind, &lossy(losses)),
            },
            Some(stop) => Decided::unknown(name, kind, &words(stop, limits)),
        }
    };
    asked.iter().map(of).collect()
}

/// Runs end where they fail.
const BEHIND: &str = "a run that fails says nothing of what would come after";

/// What is known of each kind of failure of a program; `open` is why finding nothing does
/// not mean that all is well.
pub fn of_program(asked: &[Kind], failures: &[Violation], open: Option<&str>) -> Vec<Decided> {
    let of = |kind: &Kind| {
        let name = kind.name();
        match open {
            _ if failures.iter().any(|f| f.kind == *kind) => Decided::new(name, *kind, Verdict::Violated),
            Some(why) => Decided::unknown(name, *kind, why),
            None if !failures.is_empty() => Decided::unknown(name, *kind, BEHIND),
            None => Decided::new(name, *kind, Verdict::Holds),
        }
    };
    asked.iter().map(of).collect()
}

/// What is known of a property of structures.
pub fn of_structures(outcome: &Outcome) -> Decided {
    let (verdict, reason) = match &outcome.seen {
        Seen::Nothing => (Verdict::Holds, None),
        Seen::Run(_) => (Verdict::Violated, None),
        Seen::Open { reason, .. } => (Verdict::Unknown, Some(reason.clone())),
    };
    let temporal = matches!(outcome.kind, answer::Kind::Ltl | answer::Kind::Never);
    Decided {
        reason,
        vacuous: outcome.vacuous.clone(),
        product: temporal.then_some((outcome.states, outcome.transitions)),
        ..Decided::new(&outcome.name, outcome.kind.into(), verdict)
    }
}

/// Properties of which nothing is known yet.
pub fn open(asked: &[Claim]) -> Vec<Decided> {
    asked.iter().map(|claim| Decided::new(&claim.name, claim.kind, Verdict::Unknown)).collect()
}

/// The verdict over all properties.
pub fn overall(properties: &[Decided]) -> Verdict {
    properties.iter().map(|p| p.verdict).max().unwrap_or(Verdict::Unknown)
}

/// Why the verdict is what it is, when nothing was violated: reasons with the properties they are
/// about.
fn reason(found: &Answer) -> String {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for property in &found.properties {
        let Some(reason) = property.reason.as_deref() else { continue };
        let name = (!SAFETY.contains(&property.kind)).then_some(property.name.as_str());
        match reasons.iter_mut().find(|(r, _)| *r == reason) {
            Some((_, names)) => names.extend(name),
            None => reasons.push((reason, name.into_iter().collect())),
        }
    }
    let text = |(reason, names): &(&str, Vec<&str>)| match names.is_empty() {
        true => (*reason).to_string(),
        false => format!("{reason} ({})", names.join(", ")),
    };
    let texts: Vec<String> = reasons.iter().map(text).collect();
    match (texts.is_empty(), found.reduction.name.as_str()) {
        (false, _) => texts.join("; "),
        (true, "none") => "every reachable state was searched".to_string(),
        (true, _) => "every order of steps that makes a difference was searched".to_string(),
    }
}

/// One for each property of a kind that is violated, where violating states are not counted.
pub fn errors(properties: &[Decided]) -> Errors {
    let violated =
        |kind: Kind| properties.iter().filter(move |p| p.kind == kind && p.verdict == Verdict::Violated);
    let count = |kind: Kind| violated(kind).count() as u64;
    Errors {
        deadlock: count(Kind::Deadlock),
        assertion: count(Kind::Assertion),
        runtime: count(Kind::Runtime),
    }
}

/// The number of violating states of a kind.
pub fn count(errors: &Errors, kind: Kind) -> u64 {
    match kind {
        Kind::Deadlock => errors.deadlock,
        Kind::Assertion => errors.assertion,
        Kind::Runtime => errors.runtime,
        _ => 0,
    }
}

/// A size as the command line reads it: `100M`, `2G`, or a number of bytes.
pub fn size(bytes: u64) -> String {
    let unit = [(1 << 30, "G"), (1 << 20, "M"), (1 << 10, "K")]
        .into_iter()
        .find(|(n, _): &(u64, _)| bytes.is_multiple_of(*n));
    unit.filter(|_| bytes > 0).map_or_else(|| bytes.to_string(), |(n, unit)| format!("{}{unit}", bytes / n))
}

/// Why a search that found nothing means little if states may be taken for others.
fn lossy(losses: &Losses) -> String {
    let searches = match losses.searches {
        1 => String::new(),
        n => format!(" in the best of {n} searches"),
    };
    match losses.missed {
        None => "states may have been taken for others".to_string(),
        Some(missed) => format!("states may have been taken for others, about {}{searches}", few(missed)),
    }
}

/// Why a search ended early.
pub fn words(stop: Stop, limits: &Limits) -> String {
    let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
    match stop {
        Stop::States if limits.states == Some(1) => "limit of 1 state reached".to_string(),
        Stop::States => format!("limit of {} states reached", number(limits.states)),
        Stop::Depth => format!("depth limit of {} cut the search", number(limits.depth)),
        Stop::Memory => format!("memory limit of {} reached", limits.memory.map(size).unwrap_or_default()),
        Stop::Disk => "no room left on the disk".to_string(),
        Stop::Time => match limits.time {
            Some(time) => format!("time limit of {} s reached", time.as_secs_f64()),
            None => "time limit reached".to_string(),
        },
        Stop::Interrupt => "interrupted".to_string(),
        Stop::Violation => "the search stopped at the first violation".to_string(),
        Stop::Undefined => "an expression is undefined".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_as_they_are_read() {
        let sizes = [1u64, 1000, 1024, 100 << 20, 3 << 30, (2 << 30) + 1];
        assert_eq!(sizes.map(size), ["1", "1000", "1K", "100M", "3G", "2147483649"]);
    }

    /// A formula called like what every model is asked is asked for with it.
    #[test]
    fn a_word_means_every_property_of_that_name() {
        let claims = [Claim { name: "deadlock".into(), kind: Kind::Ltl }];
        let asked = asked(&claims, &[Selection::Deadlock]).unwrap();
        assert!(asked.contains(&claims[0]) && asked.iter().any(|c| c.kind == Kind::Deadlock));
    }

    fn claims() -> Vec<Claim> {
        vec![Claim { name: "p".into(), kind: Kind::Ltl }]
    }

    fn verdict(selected: &[Selection], errors: Errors, stopped: Option<Stop>) -> (Verdict, String) {
        let asked = asked(&claims(), selected).unwrap();
        let open = Judged::refused("too hard".to_string());
        let judged = asked.iter().filter(|c| !is_safety(c.kind)).map(|c| (c.clone(), open.clone()));
        let judged: Vec<_> = judged.collect();
        let (plan, report) = (Plan::default(), explore::Report { stopped, ..explore::Report::default() });
        let properties = judge(&asked, &errors, (&report, &plan), &Limits::default(), &judged);
        let answer = conclude(Answer { properties, ..Answer::default() });
        (answer.verdict, answer.reason)
    }

    #[test]
    fn violated_beats_unknown_beats_holds() {
        let clean = Errors::default();
        let deadlock = Errors { deadlock: 1, ..clean };
        assert_eq!(verdict(&[Selection::Safety], clean, None).0, Verdict::Holds);
        assert_eq!(verdict(&[Selection::Safety], clean, Some(Stop::Interrupt)).0, Verdict::Unknown);
        assert_eq!(verdict(&[Selection::Safety], deadlock, Some(Stop::Violation)).0, Verdict::Violated);
        assert_eq!(verdict(&[], deadlock, None).0, Verdict::Violated);
        let (all, reason) = verdict(&[], clean, None);
        assert_eq!(all, Verdict::Unknown);
        assert_eq!(reason, "too hard (p)");
    }

    #[test]
    fn a_selection_sees_only_its_kinds_and_run_time_errors() {
        let assertion = Errors { assertion: 3, ..Errors::default() };
        assert_eq!(verdict(&[Selection::Deadlock], assertion, None).0, Verdict::Holds);
        assert_eq!(verdict(&[Selection::Assertion], assertion, None).0, Verdict::Violated);
        let runtime = Errors { runtime: 1, ..Errors::default() };
        assert_eq!(verdict(&[Selection::Deadlock], runtime, None).0, Verdict::Violated);
    }

    /// A search that was complete but for its store decides nothing unless it found something.
    #[test]
    fn what_may_be_missed_is_unknown() {
        let losses = Some(Losses { missed: Some(2.5), filled: 0.1, searches: 1 });
        let report = explore::Report { losses, ..explore::Report::default() };
        let asked = asked(&[], &[Selection::Safety]).unwrap();
        let of = |errors| judge(&asked, &errors, (&report, &Plan::default()), &Limits::default(), &[]);
        assert!(of(Errors::default()).iter().all(|p| p.verdict == Verdict::Unknown && p.reason.is_some()));
        let assertion = Errors { assertion: 1, ..Errors::default() };
        assert_eq!(overall(&of(assertion)), Verdict::Violated);
        assert_eq!([0.0, 2.7e-9, 0.25, 12345.6].map(few), ["0", "3e-9", "0.2", "12346"]);
    }

    #[test]
    fn every_stop_leaves_open_properties_unknown_with_a_reason() {
        for stop in [Stop::States, Stop::Depth, Stop::Memory, Stop::Time, Stop::Interrupt, Stop::Violation] {
            let (verdict, reason) = verdict(&[Selection::Safety], Errors::default(), Some(stop));
            assert_eq!(verdict, Verdict::Unknown);
            assert!(!reason.is_empty());
        }
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let Err(Failure::Request(message)) = asked(&claims(), &[Selection::Named("q".into())]) else {
            panic!("accepted");
        };
        assert!(message.contains("`q`") && message.ends_with("progress, p"), "{message}");
        assert!(is_about_runs(&asked(&claims(), &[Selection::Named("p".into())]).unwrap()));
        assert!(!is_about_runs(&asked(&claims(), &[]).unwrap()));
    }
}
