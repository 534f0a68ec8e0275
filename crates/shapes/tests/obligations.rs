//! Integrity constraints as obligations, held against trying every state with few individuals by
//! the plain interpreter.

mod support;

use shapes::answer::{Request, answer};
use shapes::concrete::{Concrete, State};
use shapes::integrity::{Integrity, constraints};
use shapes::obligation::{Evidence, examine};
use std::collections::BTreeSet;
use structures::model::Model;
use support::{model_text, text, variant};

/// The constraints that some action violates in some state with up to three individuals that keeps
/// all of them and has no individual at two places.
fn broken(model: &Model) -> BTreeSet<Integrity> {
    let concrete = Concrete::new(&model.vocabulary);
    let constraints: Vec<_> = constraints(model).into_iter().map(|(p, c)| (p, c.formula())).collect();
    let core: Vec<_> =
        model.vocabulary.predicates.iter().filter(|p| p.definition.is_none() && !p.hidden).collect();
    let mut found = BTreeSet::new();
    for n in 0..=3 {
        let places: Vec<_> = core.iter().flat_map(|p| p.symbol.tuples(n).map(|t| (p.symbol, t))).collect();
        for bits in 0_u64..1 << places.len() {
            let mut state: State = concrete.empty(n);
            for (at, (symbol, tuple)) in places.iter().enumerate() {
                concrete.set(&mut state, *symbol, *tuple, bits >> at & 1 == 1);
            }
            concrete.derive(&mut state);
            let at = |u: usize| {
                model.threads[0].places.iter().filter(|p| concrete.get(&state, **p, [u, 0])).count()
            };
            if (0..n).any(|u| at(u) > 1) || !constraints.iter().all(|(_, f)| concrete.holds(&state, f)) {
                continue;
            }
            for (number, action) in model.actions.iter().enumerate() {
                for (_, next) in concrete.steps(&state, number, action) {
                    let bad = constraints.iter().filter(|(_, f)| !concrete.holds(&next, f));
                    found.extend(bad.map(|(constraint, _)| *constraint));
                }
            }
        }
    }
    found
}

#[test]
fn agrees_with_trying_everything() {
    let actions = [
        "choose n; p(x) := x == n",
        "choose n; p(x) := p(x) | x == n",
        "choose n; when !some; p(x) := x == n | p(x)",
        "choose n; when !has(n); r(x, y) := r(x, y) | x == n & y == self",
        "choose n; r(x, y) := r(x, y) | x == n & y == self",
        "choose n; r(x, y) := (x == n ? p(y) : r(x, y))",
        "p(x) := exists y. p(y) & r(y, x)",
        "new n; p(x) := p(x) | x == n",
        "new n; r(x, y) := (x == self ? y == n : r(x, y))",
        "when p(self); p(x) := 0; r(x, y) := r(x, y) & x != self",
        "r(x, y) := r(y, x)",
    ];
    for action in actions {
        let body = action.replace("; ", "\n  ");
        let model = model_text(&format!(
            "predicate p(x) unique\npredicate r(x, y) function\nderived some = exists x. p(x)\n\
             derived has(x) = exists y. r(x, y)\nconstraint p(x) & r(y, x) => p(y)\n\
             action a {{\n  {body}\n}}\nthread t {{\n  l0: a -> l0\n}}\ninitial {{\n  node t: at[l0]\n}}\n"
        ));
        let expected = broken(&model);
        let evidence = examine(&model, &|| false);
        let open: BTreeSet<Integrity> =
            evidence.iter().filter(|(_, s)| matches!(s, Evidence::Open { .. })).map(|(p, _)| *p).collect();
        assert_eq!(open, expected, "{action}");
    }
}

#[test]
fn a_lock_without_a_test_is_open_and_refused() {
    let broken = variant(&text("mutex.tvm"), &[("& (!is_acquired(l) | held_by(l, self))", "")]);
    let model = model_text(&broken);
    let held = model.vocabulary.symbol("held_by");
    let open = examine(&model, &|| false).into_iter().any(|(p, s)| {
        matches!((p, s), (Integrity::Attribute(symbol, _), Evidence::Open { .. }) if Some(symbol) == held)
    });
    assert!(open);
    let answer = answer(&model, &Request::default(), &mut explore::NoListener);
    assert!(!answer.tried.broken.is_empty() && answer.properties.is_empty());
}

/// Nothing is left to be believed of a monitor in Java.
#[test]
fn a_monitor_is_proved() {
    let mut map = source::SourceMap::new();
    let file = map.add("Mutex.java", text("Mutex.java"));
    let (model, _) = java::read(&map, file);
    assert_eq!(examine(&model.unwrap(), &|| false), Default::default());
}

/// What is of the form *exists … forall* is proved for all sizes: quantified updates, constraints
/// about derived predicates, and updates of derived predicates by hand.
#[test]
fn small_models_are_enough() {
    let proved = |action: &str| {
        let body = action.replace("; ", "\n  ");
        let model = model_text(&format!(
            "predicate p(x) unique\npredicate r(x, y) function\nderived some = exists x. p(x)\n\
             derived has(x) = exists y. r(x, y)\nconstraint p(x) => has(x)\n\
             action a {{\n  {body}\n}}\nthread t {{\n  l0: a -> l0\n}}\ninitial {{\n  node t: at[l0]\n}}\n"
        ));
        examine(&model, &|| false).into_keys().collect::<BTreeSet<Integrity>>()
    };
    assert!(proved("choose n; when has(n); p(x) := x == n").is_empty());
    assert!(proved("choose n; p(x) := x == n & (exists y. r(n, y))").is_empty());
    assert!(proved("when !some; r(x, y) := (x == self ? (exists z. p(z) & r(z, y)) : r(x, y))").is_empty());
    assert!(proved("p(x) := 0; some := 0").is_empty());
    assert!(proved("p(x) := p(x) & x != self; some := some & !p(self)").is_empty());
    assert_eq!(proved("p(x) := 0; some := some").len(), 1);
}
