//! The abstract against the concrete: a plain two-valued interpreter runs every model with few
//! individuals, and each of its states must be one that an abstract state stands for.

mod support;

use shapes::abstracted::{Join, Wish, explore};
use shapes::concrete::{Bounds, Runs, State, Stepper};
use shapes::crosscheck::{crosscheck, each_population};
use shapes::prepared::prepare;
use space::{Reference, Stepper as _};
use structures::embed::Embedding;
use support::head::Head;
use support::{model, names, text};

const BOUNDS: Bounds = Bounds { states: 1_500, individuals: 8 };

#[test]
fn every_concrete_state_of_every_model_is_covered() {
    // Programs in Java are looked at when they are reduced (tests/reduction.rs); the queue of many
    // has thousands of structures, and the one without a lock, whose search ends at its first
    // violation, many more.
    let large = |name: &str| name.contains("_queue_many") || name.contains("_queue_broken");
    for name in names().into_iter().filter(|n| n.ends_with(".tvm") && !large(n)) {
        let model = model(&name);
        // A model that asks for partial join has too many states without it.
        let partial = text(&name).contains("--join partial");
        let joins = if partial { &[Join::Partial][..] } else { &[Join::Relational, Join::Partial] };
        let (most, bounds) = if partial { (2, Bounds { states: 40, ..BOUNDS }) } else { (5, BOUNDS) };
        for join in joins.iter().copied() {
            let prepared = prepare(&model, &[]);
            let space = explore(&prepared, &Wish { join, ..Wish::default() }, &mut explore::NoListener);
            // A model with a false constraint must be refused, and this is how one sees that it is
            // false.
            let refused = Head::of(&text(&name)).expected() == [("", "rejected")];
            match crosscheck(&model, &prepared, &space, most, bounds) {
                Ok(checked) => assert!(checked.states > 0 && !refused, "{name}: nothing to look at"),
                Err(uncovered) => assert!(refused, "{name} {join:?}: {uncovered:?}"),
            }
        }
    }
}

/// Who ceases to be takes its tuples along: a constraint that they would violate is kept.
#[test]
fn who_leaves_violates_no_constraint() {
    let text = "predicate top(t, f) function\npredicate pr(f, g) function\nconstraint top(t, f) => !pr(g, f)\n\
        action push {\n  focus top(self, f)\n  new n\n  top(t, x) := (t == self ? x == n : top(t, x))\n  \
        pr(x, y) := pr(x, y) | x == n & top(self, y)\n}\n\
        action pop {\n  focus top(self, f) & pr(f, g)\n  when exists f. top(self, f)\n  \
        top(t, x) := (t == self ? (exists f. top(self, f) & pr(f, x)) : top(t, x))\n  retain x: !top(self, x)\n}\n\
        thread t {\n  l0: push -> l0\n  l0: pop -> l1\n  l1: pop -> l2\n}\ninitial {\n  node t: at[l0]\n}\n";
    let model = support::model_text(text);
    let prepared = prepare(&model, &[]);
    let space = explore(&prepared, &Wish::default(), &mut explore::NoListener);
    assert!(space.is_complete() && space.taken.iter().all(|taken| *taken));
    let checked = crosscheck(&model, &prepared, &space, 1, BOUNDS);
    assert!(checked.is_ok_and(|c| c.states > 5));
}

/// 1 to 5 threads have 4, 11, 21, 34 and 50 states but for their order, and each of the 41
/// structures stands for one of them.
#[test]
fn every_structure_of_mutex_is_real() {
    let model = model("mutex.tvm");
    let prepared = prepare(&model, &[]);
    let space = explore(&prepared, &Wish::default(), &mut explore::NoListener);
    let mut sizes = Vec::new();
    let mut real = vec![false; space.len()];
    let layout = prepared.vocabulary.layout();
    each_population(&model, &prepared, 5, BOUNDS, &mut |runs| {
        assert!(runs.complete());
        sizes.push(runs.len());
        let embedding = Embedding { concrete: runs.concrete(), layout };
        for (real, s) in real.iter_mut().zip(space.states()) {
            *real |= runs.states().any(|state| embedding.covers(&s, &state));
        }
        false
    });
    assert_eq!(sizes, [4, 11, 21, 34, 50]);
    assert!(real.iter().all(|real| *real));
}

/// The stepper over packed states has the edges of the reference, and explains each by a step of
/// it.
#[test]
fn the_concrete_stepper_is_the_reference() {
    let mut all = 0;
    for name in ["mutex.tvm", "buffer_notify.tvm", "recursion.tvm", "exceptions.tvm", "fan_out.tvm"] {
        let model = model(name);
        let prepared = prepare(&model, &[]);
        let few = Bounds { states: 60, ..BOUNDS };
        let mut looked = 0;
        each_population(&model, &prepared, 3, few, &mut |runs| {
            let Runs { meaning, recorded } = *runs;
            let mut stepper = Stepper::new(meaning, BOUNDS.individuals);
            for packed in recorded.states() {
                let state = meaning.concrete.unpack(packed);
                let mut edges = space::Edges::default();
                let rest = stepper.expand(packed, &mut edges);
                let moves = meaning.moves(&state).unwrap();
                let targets = edges.iter().map(|target| meaning.concrete.unpack(target));
                let fits = |next: &&State| next.individuals <= BOUNDS.individuals;
                let next = moves.iter().filter_map(|m| m.next.as_ref()).filter(fits);
                let expected = next.map(|next| meaning.canonical(next));
                assert!(targets.eq(expected), "{name}");
                assert_eq!(rest, meaning.rest(&state).unwrap(), "{name}");
                for target in edges.iter() {
                    let steps = stepper.explain(packed, space::Which::to(target)).unwrap();
                    assert!(moves.iter().any(|m| [m.step.clone()] == steps[..]), "{name}");
                }
                looked += edges.len();
            }
            false
        });
        assert!(looked > 0, "{name}");
        all += looked;
    }
    assert!(all > 60, "{all} edges");
}
