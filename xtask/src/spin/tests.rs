//! The chain on models small enough to count by hand.

use super::report::Kind;
use super::*;

fn searched(model: &str) -> Search {
    match search_text(model, &Settings::small(Compiler::quickest())).unwrap() {
        Outcome::Searched(search) => search,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_straight_line_has_one_state_a_statement() {
    let search = searched("byte x; init { x = 1; x = 2 }");
    assert_eq!((search.stored, search.transitions, search.errors.len()), (4, 4, 0));
    assert!(search.complete);
}

#[test]
fn errors_are_counted_by_kind() {
    let search = searched("byte x; active [2] proctype P() { x++; assert(x == 1); false }");
    assert_eq!(search.kinds(), [Kind::Deadlock, Kind::Assertion]);
    assert_eq!(search.errors_of(Kind::Deadlock), 1);
}

#[test]
fn each_refusal_names_its_stage() {
    let settings = Settings::small(Compiler::quickest());
    let outcome = search_text("init { x = 1 }", &settings).unwrap();
    assert!(matches!(outcome, Outcome::Rejected(Stage::Spin, _)), "{outcome:?}");
    let outcome = search_text("init { do :: skip od }", &settings).unwrap();
    assert!(matches!(outcome, Outcome::Rejected(Stage::Pan, _)), "{outcome:?}");
}

#[test]
fn an_endless_atomic_loop_is_incomplete() {
    let search = searched("byte x; init { atomic { do :: x = 1 - x od } }");
    assert!(!search.complete);
}

#[test]
fn a_fatal_error_is_incomplete() {
    let search = searched("byte x; init { d_step { x = 1; x == 2 } }");
    assert_eq!(search.kinds(), [Kind::Runtime]);
    assert!(!search.complete);
}

#[test]
fn answers_survive_in_the_cache() {
    let scratch = Scratch::new("cache").unwrap();
    let cache = cache::Cache::new(Some(scratch.path()));
    let settings = Settings::small(Compiler::quickest());
    let model = "byte x; active [2] proctype P() { x++; assert(x == 1) }";
    let first = cache.search(model, &settings).unwrap();
    assert_eq!(cache.search(model, &settings).unwrap(), first);
}

#[test]
fn a_model_pan_cannot_undo_is_no_oracle() {
    let lost = "chan c = [1] of { byte, byte }; byte x; active proctype A() { c!0, 1 } \
                active [2] proctype B() { c?eval(x), x; c!x, 2 } active proctype C() { c!1, 1; x = 1 }";
    assert_eq!(search_both_orders(lost, Compiler::quickest()).unwrap(), None);
    let fine = "byte x; active [2] proctype P() { x++; x == 2 }";
    assert!(search_both_orders(fine, Compiler::quickest()).unwrap().is_some());
}
