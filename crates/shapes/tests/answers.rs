//! Answers: what holds, what is violated and by which concrete run, what is refused.

mod support;

use shapes::abstracted::Join;
use shapes::answer::{Found, Outcome, Request, Seen, answer};
use shapes::integrity::Integrity;
use structures::vocabulary::Attribute;
use support::{model_text, text, variant};

fn ask(text: &str) -> Found {
    answer(&model_text(text), &Request::default(), &mut explore::NoListener)
}

fn get<'a>(answer: &'a Found, name: &str) -> &'a Outcome {
    answer.properties.iter().find(|p| p.name == name).unwrap_or_else(|| panic!("no {name}"))
}

/// The number of steps of a violation, and where it loops.
fn violated(answered: &Outcome) -> (usize, Option<usize>) {
    match &answered.seen {
        Seen::Run(witness) => match witness.run.ending {
            space::Ending::Lasso { loop_start } => (witness.run.steps.len(), Some(loop_start)),
            _ => (witness.run.steps.len(), None),
        },
        other => panic!("{}: {other:?}", answered.name),
    }
}

fn holds(answered: &Outcome) {
    assert!(matches!(answered.seen, Seen::Nothing), "{}: {:?}", answered.name, answered.seen);
}

#[test]
fn mutual_exclusion_holds_without_deadlock() {
    let answer = ask(&text("mutex.tvm"));
    holds(get(&answer, "mutex"));
    holds(get(&answer, "deadlock"));
}

/// Three threads suffice, and the shortest way has seven steps; the abstract way has six, which no
/// concrete run has.
#[test]
fn notify_loses_a_wake_up() {
    let answer = ask(&text("buffer_notify.tvm"));
    assert_eq!(violated(get(&answer, "deadlock")), (7, None));
    let Seen::Run(witness) = &get(&answer, "deadlock").seen else { unreachable!() };
    assert!(matches!(&witness.run.start, space::Start::Text(first) if first.starts_with("3; ")));
    holds(get(&ask(&text("buffer_notify_all.tvm")), "deadlock"));
}

#[test]
fn two_groups_meet_in_the_critical_section() {
    let answer = ask(&text("mutex_two_groups.tvm"));
    assert_eq!(violated(get(&answer, "mutex")), (2, None));
}

#[test]
fn a_broken_lock_is_refused_if_it_is_required_to_work_and_violated_if_not() {
    let broken = ("& (!is_acquired(l) | held_by(l, self))", "");
    let required = variant(&text("mutex.tvm"), &[broken]);
    let answer = ask(&required);
    let [refused] = &answer.tried.broken[..] else { panic!("{:?}", answer.tried.broken) };
    assert!(matches!(refused.constraint, Integrity::Attribute(_, Attribute::Function)));
    assert_eq!(refused.steps.len(), 2);
    assert!(answer.properties.is_empty());
    let honest = variant(&required, &[("held_by(l, t) function", "held_by(l, t)")]);
    assert_eq!(violated(get(&ask(&honest), "mutex")), (2, None));
}

#[test]
fn an_update_that_is_not_what_the_definition_says_is_refused() {
    let wrong =
        ("held_by(a, b) := held_by(a, b) & !(a == l & b == self)", "$0\n  is_acquired(a) := is_acquired(a)");
    let wrong = (wrong.0, wrong.1.replace("$0", wrong.0));
    let answer = ask(&variant(&text("mutex.tvm"), &[(wrong.0, &wrong.1)]));
    assert!(matches!(answer.tried.broken[0].constraint, Integrity::Update(..)));
}

#[test]
fn a_claim_that_nobody_ever_acquires_the_lock_is_refuted_by_a_run() {
    let claim = "ltl idle { G !\"exists l, t. is_lock(l) & held_by(l, t)\" }\n";
    let answer = ask(&(text("mutex.tvm") + claim));
    let (steps, loop_start) = violated(get(&answer, "idle"));
    assert!(steps >= 2 && loop_start.is_some());
}

#[test]
fn a_constraint_that_is_kept_from_the_beginning_is_vacuous() {
    let claim = "ltl covered { F \"forall o. rg[head](o) & !rg[curr](o) -> handled(o)\" }\n";
    let answer = ask(&(text("request_queue.tvm") + claim));
    holds(get(&answer, "covered"));
    assert_eq!(get(&answer, "covered").vacuous.as_deref(), Some("it is true from the beginning"));
}

#[test]
fn partial_join_proves_the_same() {
    for name in ["mutex.tvm", "request_queue_three.tvm"] {
        let request = Request { join: Join::Partial, ..Request::default() };
        let answer = answer(&model_text(&text(name)), &request, &mut explore::NoListener);
        answer.properties.iter().for_each(holds);
    }
}

/// Says after this many looks that the time is over.
struct Patience(usize);

impl explore::Listener for Patience {
    fn look(&mut self, _: &explore::Progress) -> std::ops::ControlFlow<explore::Stop> {
        if self.0 == 0 {
            return std::ops::ControlFlow::Break(explore::Stop::Time);
        }
        self.0 -= 1;
        std::ops::ControlFlow::Continue(())
    }
}

#[test]
fn wherever_the_time_is_over_the_answer_is_unknown_or_the_whole_one() {
    let model = model_text(&text("mutex.tvm"));
    let whole = answer(&model, &Request::default(), &mut explore::NoListener);
    assert!(whole.properties.iter().all(|p| matches!(p.seen, Seen::Nothing)), "{:?}", whole.properties);
    for looks in [0, 1, 10, 100, 1_000, 3_000] {
        let cut = answer(&model, &Request::default(), &mut Patience(looks));
        assert!(cut.tried.broken.is_empty() && !cut.tried.nothing);
        assert_eq!(cut.properties.len(), whole.properties.len());
        for property in &cut.properties {
            match &property.seen {
                Seen::Nothing => assert_eq!(cut.relied_on, whole.relied_on),
                Seen::Open { reason, .. } => assert_eq!(reason, "time limit reached"),
                Seen::Run(_) => panic!("{property:?}"),
            }
        }
        let unknown = cut.properties.iter().any(|p| !matches!(p.seen, Seen::Nothing));
        assert!(unknown || looks > 100, "{looks}");
    }
}
