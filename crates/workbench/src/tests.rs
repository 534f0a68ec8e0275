//! Checking, following, recording and simulating small systems.

use crate::executor::RunStatus;
use crate::executor::system::SystemExecutor;
use crate::samples::{blocked, talk};
use crate::*;
use logic::random::Random;
use std::time::Duration;

fn run(model: &Model, request: &Question) -> Answer {
    check(model, request, &Interrupt::default(), &mut |_| {}).unwrap()
}

#[test]
fn a_system_without_errors_holds() {
    let result = run(&talk(false), &Question::default());
    assert_eq!(result.verdict, Verdict::Holds, "{}", result.reason);
    assert!(result.exhausted && result.violations.is_empty());
    let numbers = result.searched();
    assert_eq!(numbers.transitions, numbers.states + numbers.matched());
    assert_eq!(result.unreached.as_deref(), Some(&[][..]));
}

#[test]
fn a_failed_assertion_is_shown_with_its_messages_and_changes() {
    let result = run(&talk(true), &Question::default());
    assert_eq!(result.verdict, Verdict::Violated);
    assert_eq!(result.reason, "assertion: assert(x == 1) fails at line 6, after 5 steps");
    let violation = &result.violations[0];
    assert_eq!(violation.location.as_ref().map(|l| (l.line, l.column)), Some((6, 1)));
    let trace = &violation.trace;
    assert_eq!(trace.ending, Ending::Fault);
    let names: Vec<_> = trace.actors.iter().map(Actor::label).collect();
    assert_eq!(names, ["A[0]", "B[1]"]);
    let exchanges: Vec<_> = trace.steps.iter().flat_map(|s| &s.exchanges).cloned().collect();
    let text = |t: &str| t.to_string();
    assert_eq!(
        exchanges,
        [
            Exchange::Handshake { from: 0, to: 1, channel: text("c"), message: text("1") },
            Exchange::Send { from: 1, channel: text("q"), message: text("7") },
            Exchange::Receive {
                to: 0,
                channel: text("q"),
                message: text("7"),
                copy: false,
                sent: Some((1, 3))
            },
        ]
    );
    let changes: Vec<_> =
        trace.steps[1].changes.iter().map(|c| (c.name.as_str(), c.after.as_str())).collect();
    assert_eq!(changes, [("B[1]:y", "1")]);
    assert_eq!(trace.steps[2].changes[0].after, "[7]");
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let result = run(&blocked(), &Question::default());
    let reason = &result.reason;
    assert!(
        reason.starts_with("deadlock: ") && reason.ends_with(" for `q?x`, in the first state"),
        "{reason}"
    );
    let waiting = &result.violations[0].trace.waiting;
    assert_eq!(waiting[0].statements[0].text, "q?x");
    let unknown = result.properties.iter().filter(|p| p.verdict == Verdict::Unknown).count();
    assert_eq!(unknown, 2, "the search stopped before the others were decided");
}

#[test]
fn properties_not_asked_for_do_not_count() {
    let request = Question { selected: vec![Selection::Deadlock], ..Question::default() };
    let result = run(&talk(true), &request);
    assert_eq!(result.verdict, Verdict::Holds);
    assert!(result.violations.is_empty() && result.exhausted);
}

#[test]
fn limits_and_interrupts_end_in_unknown() {
    let limits = Limits { states: Some(2), ..Limits::default() };
    let result = run(&talk(false), &Question { limits, ..Question::default() });
    assert_eq!((result.verdict, result.exhausted), (Verdict::Unknown, false));
    assert_eq!(result.reason, "limit of 2 states reached");
    assert_eq!(result.unreached, None);
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    let result = run(&talk(false), &Question { limits, ..Question::default() });
    assert_eq!(result.reason, "time limit of 0 s reached");
    let interrupt = Interrupt::default();
    interrupt.raise();
    let result = check(&talk(false), &Question::default(), &interrupt, &mut |_| {}).unwrap();
    assert!(result.interrupted && result.verdict == Verdict::Unknown);
}

fn session(model: &Model) -> Session<'_> {
    Session::new(executor(model)).unwrap()
}

fn executor(model: &Model) -> Box<dyn Executor + '_> {
    Box::new(SystemExecutor::new(model))
}

#[test]
fn a_recording_replays_on_its_model_and_is_refused_on_another() {
    let model = talk(true);
    let violation = run(&model, &Question::default()).violations.remove(0);
    let recording = violation.recording;
    let mut replayed = Session::replay(executor(&model), &recording).unwrap();
    assert_eq!(replayed.report(), violation.trace);
    let refused = |model: &Model, recording: &Recording| {
        Session::replay(executor(model), recording).err().map(|failure| failure.message())
    };
    let changed = Model { fingerprint: "g".to_string(), ..model.clone() };
    assert!(refused(&changed, &recording).unwrap().contains("another version"));
    let mut broken = recording.clone();
    broken.steps.remove(0);
    assert!(refused(&model, &broken).is_some());
    assert!(replayed.back_to(2).unwrap());
    let values = replayed.variables();
    assert!(values.contains(&Variable { name: "B[1]:y".to_string(), value: "1".to_string() }), "{values:?}");
    assert!(!replayed.back_to(99).unwrap());
}

#[test]
fn a_session_goes_forth_and_back() {
    let model = talk(true);
    let mut session = session(&model);
    assert_eq!(session.offers().len(), 1);
    assert!(session.take(0).unwrap() && !session.take(5).unwrap());
    let offers = session.offers();
    assert_eq!(offers[0].who, "A[0] -> B[1]");
    assert_eq!(offers[0].statements.iter().map(|s| s.text.as_str()).collect::<Vec<_>>(), ["c!x", "c?y"]);
    session.wander(&mut Random::new(1), 100, &|| true).unwrap();
    assert_eq!((session.status(), session.steps()), (RunStatus::Failed, 5));
    let recording = session.recording();
    assert!(session.back_to(1).unwrap() && !session.back_to(3).unwrap());
    assert_eq!((session.status(), session.steps()), (RunStatus::Enabled, 1));
    let mut guided = self::session(&model);
    guided.guide(&recording).unwrap();
    assert_eq!(guided.steps(), 5);
}

#[test]
fn a_seed_means_one_run() {
    let model = talk(true);
    let report = |seed| {
        let mut session = session(&model);
        session.wander(&mut Random::new(seed), 4, &|| true).unwrap();
        session.report()
    };
    assert_eq!(report(3), report(3));
}
