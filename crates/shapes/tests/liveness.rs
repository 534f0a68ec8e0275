//! The table of temporal properties: plain, with population fairness, and with the scheduler's
//! constraints too.

mod support;

use explore::recorded::{Noted, accepted};
use logic::automata::translate;
use logic::ltl::Formula as Ltl;
use shapes::abstracted::{Infinite, Wish, explore};
use shapes::prepared::prepare;
use structures::model::{Claim, Model};
use structures::reference::requirements;
use structures::syntax::Meaning;
use structures::syntax::temporal;
use support::{model_text, text, variant};

const HOLDS: bool = true;
const LASSO: bool = false;

/// Whether no bad run is found: plain, +population, +population+scheduler.
fn row(model: &Model, formula: &str) -> [bool; 3] {
    let claim = temporal(&model.vocabulary, &Meaning::default(), formula, source::Span::default());
    let Ok((Claim::Ltl { formula, letters }, _)) = claim else { panic!("{claim:?}") };
    let bad = translate(&Ltl::negation(formula)).unwrap();
    let prepared = prepare(model, &letters);
    let wish = Wish { edges: true, infinite: Some(Infinite::of(model)), ..Wish::default() };
    let space = explore(&prepared, &wish, &mut explore::NoListener);
    [(false, false), (true, false), (true, true)].map(|(population, scheduler)| {
        let noted = if population { space.population(&prepared) } else { Noted::default() };
        let finished = space.finished(&noted);
        let own = if scheduler { requirements(model) } else { Vec::new() };
        let found = accepted(finished, &bad, &finished.requirements(&own), &mut explore::NoListener);
        assert!(found.stopped.is_none());
        found.lasso.is_none()
    })
}

const VIOL: &str = "\"exists a, b. at[l2](a) & at[l2](b) & a != b\"";
const ACQ: &str = "\"exists l, t. is_lock(l) & held_by(l, t)\"";

#[test]
fn mutex_of_a_fixed_population() {
    let model = model_text(&(text("mutex.tvm") + "fair weak critical, unlock\n"));
    assert_eq!(row(&model, &format!("G !{VIOL}")), [HOLDS, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("G !{ACQ}")), [LASSO, LASSO, LASSO]);
    assert_eq!(row(&model, &format!("F {ACQ}")), [HOLDS, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("G F {ACQ}")), [LASSO, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("G F !{ACQ}")), [LASSO, LASSO, HOLDS]);
}

#[test]
fn mutex_of_threads_created_for_ever() {
    let model = model_text(&(text("mutex_created.tvm") + "fair weak critical, unlock\nfair weak worker\n"));
    assert_eq!(row(&model, &format!("G !{VIOL}")), [HOLDS, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("G !{ACQ}")), [LASSO, LASSO, LASSO]);
    assert_eq!(row(&model, &format!("F {ACQ}")), [LASSO, LASSO, HOLDS]);
    assert_eq!(row(&model, &format!("G F {ACQ}")), [LASSO, LASSO, HOLDS]);
    assert_eq!(row(&model, &format!("G F !{ACQ}")), [LASSO, LASSO, HOLDS]);
}

const RC: &str = "\"forall o. rg[head](o) & !rg[curr](o) -> handled(o)\"";
const AT_END: &str = "\"exists c. curr(c) & tail(c)\"";

#[test]
fn request_queue() {
    let model = model_text(&text("request_queue.tvm"));
    assert_eq!(row(&model, &format!("F {RC}")), [HOLDS, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("G {RC}")), [LASSO, LASSO, LASSO]);
    assert_eq!(row(&model, &format!("G F {RC}")), [HOLDS, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("F G {RC}")), [LASSO, HOLDS, HOLDS]);
    assert_eq!(row(&model, &format!("F {AT_END}")), [LASSO, HOLDS, HOLDS]);
}

/// Figure 7: a request before curr that is not handled.
#[test]
fn request_queue_with_a_forgotten_request() {
    let forgotten = variant(
        &text("request_queue.tvm"),
        &[("node a: head, curr,", "node q: head, rg[head]\n  next(q, a)\n  node a: curr,")],
    );
    let model = model_text(&forgotten);
    assert_eq!(row(&model, &format!("F {RC}")), [LASSO, LASSO, LASSO]);
}

/// With two cells only one request is ever taken, before there is anyone to starve main.
#[test]
fn request_queue_with_handlers_at_work() {
    for (name, starved) in [("request_queue_two.tvm", HOLDS), ("request_queue_three.tvm", LASSO)] {
        let model = model_text(&(text(name) + "fair weak main\n"));
        assert_eq!(row(&model, &format!("G !{VIOL}")), [HOLDS, HOLDS, HOLDS], "{name}");
        assert_eq!(row(&model, &format!("F {RC}")), [HOLDS, HOLDS, HOLDS], "{name}");
        assert_eq!(row(&model, &format!("G {RC}")), [LASSO, LASSO, LASSO], "{name}");
        assert_eq!(row(&model, &format!("G F {RC}")), [starved, starved, HOLDS], "{name}");
        assert_eq!(row(&model, &format!("F {AT_END}")), [starved, starved, HOLDS], "{name}");
    }
}
