//! Runs that hold what they claim, and runs that were tampered with.

#[path = "../../system/tests/support/thesis.rs"]
mod thesis;

use certify::{Because, Rejection, Replayed};
use logic::Term;
use space::{Ending, Run, Step};
use system::*;
use thesis::{Builder, equals, example_6_1, section_2_3, set};

fn step(process: Pid, transition: TransitionId) -> Step {
    Step { actor: process, path: vec![transition], partner: None }
}

fn deadlock() -> Run {
    Run::new(vec![step(0, 0), step(1, 0)], Ending::Deadlock)
}

fn replay(system: &System, run: &Run) -> Result<Replayed<State>, Rejection> {
    certify::replay(&Reference::new(system), run)
}

#[track_caller]
fn refused(system: &System, run: &Run) -> Rejection {
    let refusal = replay(system, run).unwrap_err();
    assert!(!refusal.to_string().is_empty());
    refusal
}

#[test]
fn a_deadlock_is_replayed() {
    let system = section_2_3().system;
    let replayed = replay(&system, &deadlock()).unwrap();
    assert_eq!(replayed.states.len(), 3);
    assert!(replayed.states[2].processes.iter().all(|p| p.point == 1));
}

#[test]
fn tampered_steps_are_refused() {
    let system = section_2_3().system;
    let tampered = |step: Step| Run { steps: vec![deadlock().steps[0].clone(), step], ..deadlock() };
    let other_process = refused(&system, &tampered(step(0, 0)));
    assert_eq!(other_process.step, 1);
    let Because::NoSuchMove { claimed, moves } = other_process.because else { panic!("{other_process:?}") };
    assert_eq!(claimed, step(0, 0));
    assert_eq!(moves, [step(0, 1), step(1, 0)]);
    let other_transition = refused(&system, &tampered(step(1, 2)));
    assert!(matches!(other_transition, Rejection { step: 1, because: Because::NoSuchMove { .. } }));
    for nonsense in [
        step(7, 0),
        step(1, 99),
        Step { path: vec![], ..step(1, 0) },
        Step { path: vec![0, 1], ..step(1, 0) },
        Step { partner: Some((0, vec![1])), ..step(1, 0) },
    ] {
        assert_eq!(refused(&system, &tampered(nonsense)).step, 1);
    }
}

#[test]
fn there_is_one_initial_state() {
    let elsewhere = Run { start: space::Start::Number(1), ..deadlock() };
    assert_eq!(refused(&section_2_3().system, &elsewhere).because, Because::NoSuchStart);
}

#[test]
fn endings_are_checked() {
    let system = section_2_3().system;
    let ending = |ending| Run { ending, ..deadlock() };
    let because = |run| refused(&system, &run).because;
    let truncated = Run { steps: deadlock().steps[..1].to_vec(), ..deadlock() };
    assert!(matches!(because(truncated), Because::NoDeadlock { moves } if moves.len() == 2));
    let claimed = space::Fault::Assertion;
    assert_eq!(because(ending(Ending::Fault(claimed))), Because::NoSuchFault { claimed, found: None });
    assert_eq!(because(ending(Ending::Lasso { loop_start: 0 })), Because::LoopDoesNotClose);
    assert_eq!(because(ending(Ending::Lasso { loop_start: 3 })), Because::EmptyLoop);
    assert!(
        replay(&system, &ending(Ending::Lasso { loop_start: 2 })).is_ok(),
        "no process can move: the run stutters"
    );
    let early = Run::new(deadlock().steps[..1].to_vec(), Ending::Lasso { loop_start: 1 });
    assert!(matches!(because(early), Because::NoRest { moves } if moves.len() == 2));
    assert!(replay(&system, &ending(Ending::Open)).is_ok());
}

#[test]
fn resting_where_one_may_is_no_deadlock() {
    let mut system = section_2_3().system;
    system.process_types.iter_mut().for_each(|t| t.points[1].valid_end = true);
    assert_eq!(refused(&system, &deadlock()).because, Because::ValidEnd);
}

#[test]
fn a_lasso_closes_whoever_moved_last() {
    let system = example_6_1().system;
    let steps = vec![step(1, 0), step(0, 0), step(0, 1)];
    let lasso = |loop_start| Run::new(steps.clone(), Ending::Lasso { loop_start });
    assert!(replay(&system, &lasso(1)).is_ok(), "B moved last before the loop, A after it");
    assert_eq!(refused(&system, &lasso(0)).because, Because::LoopDoesNotClose);
    assert_eq!(refused(&system, &lasso(2)).because, Because::LoopDoesNotClose);
}

#[test]
fn a_lasso_does_not_close_if_somebody_asks_who_moved_last() {
    let mut system = example_6_1().system;
    system.process_types[1].transitions[0].guard =
        Term::binary(logic::Binary::GreaterEqual, Term::Atom(Read::Last), Term::Constant(0));
    let steps = vec![step(1, 0), step(0, 0), step(0, 1), step(0, 0), step(0, 1)];
    let lasso = |loop_start| Run::new(steps.clone(), Ending::Lasso { loop_start });
    assert_eq!(refused(&system, &lasso(1)).because, Because::LoopDoesNotClose);
    assert!(replay(&system, &lasso(3)).is_ok());
}

/// One process that fails an assertion, prints, and divides by zero.
fn faulty() -> System {
    let mut b = Builder::new("faulty");
    let x = b.boolean("x");
    let assertion = Operation::Assert { condition: equals(x, 1) };
    let print = Operation::Print { format: "x = %d".into(), arguments: vec![Place::global(x).read()] };
    let divide = Term::binary(logic::Binary::Divide, Term::Constant(1), Place::global(x).read());
    let divide = Operation::Assign { target: Place::global(x), value: divide };
    let arrows = vec![
        ("assert", 0, Term::TRUE, vec![assertion, print], 1),
        ("divide", 1, Term::TRUE, vec![divide], 2),
        ("set", 2, Term::TRUE, set(x, 1), 0),
    ];
    b.process("P", arrows);
    b.build().system
}

#[test]
fn faults_are_at_the_last_step() {
    let system = faulty();
    let run = |length, ending| Run::new(vec![step(0, 0), step(0, 1)][..length].to_vec(), ending);
    let replayed = replay(&system, &run(1, Ending::Fault(Fault::Assertion.into()))).unwrap();
    assert_eq!(replayed.moves[0].as_ref().unwrap().printed, ["x = 0"]);
    assert_eq!(replayed.states.len(), 2);
    let replayed = replay(&system, &run(2, Ending::Fault(Fault::DivisionByZero.into()))).unwrap();
    assert_eq!((replayed.states.len(), replayed.moves.len()), (2, 2));
    let wrong = refused(&system, &run(1, Ending::Fault(Fault::DivisionByZero.into())));
    let found = Some(Fault::Assertion.into());
    let claimed = Fault::DivisionByZero.into();
    assert_eq!(wrong.because, Because::NoSuchFault { claimed, found });
    let open = refused(&system, &run(2, Ending::Open));
    assert_eq!(open.because, Because::EndsInFault(Some(Fault::DivisionByZero.into())));
    let longer = vec![step(0, 0), step(0, 1), step(0, 2)];
    let beyond = refused(&system, &Run::new(longer, Ending::Open));
    assert_eq!(beyond.step, 2);
    assert_eq!(beyond.because, Because::GoesOnAfter(Some(Fault::DivisionByZero.into())));
}

#[test]
fn the_beginning_may_be_the_fault() {
    let mut system = faulty();
    let divide = Term::binary(logic::Binary::Divide, Term::Constant(1), Term::Constant(0));
    let object = Object::variable("y", logic::Sort::Integer, Initial::Term(divide));
    system.globals.push(object);
    let run = Run::new;
    assert!(replay(&system, &run(vec![], Ending::Fault(Fault::DivisionByZero.into()))).is_ok());
    let open = refused(&system, &run(vec![], Ending::Open));
    assert_eq!(open.because, Because::NoInitialState(Fault::DivisionByZero.into()));
    let stepping = refused(&system, &run(vec![step(0, 0)], Ending::Fault(Fault::DivisionByZero.into())));
    assert_eq!(stepping.because, Because::NoInitialState(Fault::DivisionByZero.into()));
}
