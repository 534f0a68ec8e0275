//! Updates of derived predicates, reachability above all, held against the definition: in every
//! small state, evaluated by the plain interpreter.

mod support;

use shapes::concrete::{Concrete, State, Step};
use shapes::prepared::{Prepared, prepare};
use structures::evaluate::Evaluator;
use structures::kleene::Kleene;
use structures::model::Model;
use structures::structure::Structure;
use structures::vocabulary::Symbol;
use support::model_text;

/// A concrete state as a structure in which nothing is 1/2.
fn structure(model: &Prepared, concrete: &Concrete<'_>, state: &State) -> Structure {
    let layout = model.vocabulary.layout();
    let mut s = Structure::new(layout);
    for _ in 0..state.individuals {
        s.push_node(layout);
    }
    for predicate in &model.vocabulary.predicates {
        for tuple in predicate.symbol.tuples(state.individuals) {
            s.set(
                layout,
                predicate.symbol,
                tuple,
                Kleene::from(concrete.get(state, predicate.symbol, tuple)),
            );
        }
    }
    s
}

/// All states with `n` individuals that keep the constraints.
fn states(model: &Model, prepared: &Prepared, concrete: &Concrete<'_>, n: usize) -> Vec<State> {
    let everywhere = &model.threads[0].places;
    let core = model.vocabulary.predicates.iter().filter(|p| p.definition.is_none() && !p.hidden);
    let core = core.filter(|p| !everywhere.contains(&p.symbol));
    let places: Vec<(Symbol, [usize; 2])> =
        core.flat_map(|p| p.symbol.tuples(n).map(|t| (p.symbol, t))).collect();
    let mut found = Vec::new();
    for bits in 0_u64..1 << places.len() {
        let mut state = concrete.empty(n);
        for (at, (symbol, tuple)) in places.iter().enumerate() {
            concrete.set(&mut state, *symbol, *tuple, bits >> at & 1 == 1);
        }
        (0..n).for_each(|u| concrete.set(&mut state, everywhere[0], [u, 0], true));
        concrete.derive(&mut state);
        let keeps = |c: &structures::constraint::Constraint| concrete.holds(&state, &c.formula());
        if prepared.machine.coercion.constraints.iter().all(keeps) {
            found.push(state);
        }
    }
    found
}

/// The value that an update gives to a tuple, in the structure of the old state.
fn updated(
    prepared: &Prepared,
    s: &Structure,
    step: &Step,
    symbol: Symbol,
    tuple: [usize; 2],
) -> Option<bool> {
    let update = prepared.actions[step.action].updates.iter().find(|u| u.symbol == symbol)?;
    let mut nodes = [0; 64];
    step.part.iter().for_each(|(v, u)| nodes[usize::from(*v)] = *u as u8);
    for (parameter, u) in update.parameters.iter().zip(tuple).take(symbol.arity()) {
        nodes[usize::from(*parameter)] = u as u8;
    }
    let value =
        Evaluator { structure: s, layout: prepared.vocabulary.layout() }.value(&update.formula, &mut nodes);
    assert_ne!(value, Kleene::Half);
    Some(value == Kleene::True)
}

/// A model with this one action; the edges are required to have the attributes.
fn with_action(attributes: &str, action: &str) -> Model {
    let body = action.replace("; ", "\n  ");
    model_text(&format!(
        "predicate z(x) unique\npredicate p(x)\npredicate next(x, y) {attributes}\n\
         derived reached(v) = exists u. z(u) & next*(u, v)\nderived way(x, y) = next*(x, y)\n\
         derived steps(x, y) = next+(x, y)\nderived some = exists x. p(x) & reached(x)\n\
         action a {{\n  {body}\n}}\nthread t {{\n  l0: a -> l0\n}}\ninitial {{\n  node t: at[l0]\n}}\n"
    ))
}

/// Holds the updates of actions against the definitions in all states with at most this many
/// individuals; how many values were compared.
fn compare(attributes: &str, most: usize, actions: &[&str]) -> usize {
    let mut compared = 0;
    // The same for all actions.
    let mut all: Vec<State> = Vec::new();
    for action in actions {
        let model = with_action(attributes, action);
        let prepared = prepare(&model, &[]);
        let concrete = Concrete::new(&prepared.vocabulary);
        if all.is_empty() {
            all = (1..=most).flat_map(|n| states(&model, &prepared, &concrete, n)).collect();
        }
        for state in &all {
            let s = structure(&prepared, &concrete, state);
            for (step, next) in concrete.steps(state, 0, &model.actions[0]) {
                // Only states that keep the constraints matter.
                let keeps = |c: &structures::constraint::Constraint| concrete.holds(&next, &c.formula());
                if !prepared.machine.coercion.constraints.iter().all(keeps) {
                    continue;
                }
                for (predicate, _) in prepared.vocabulary.derived() {
                    for tuple in predicate.symbol.tuples(state.individuals) {
                        let expected = concrete.get(&next, predicate.symbol, tuple);
                        let old = concrete.get(state, predicate.symbol, tuple);
                        let found = updated(&prepared, &s, &step, predicate.symbol, tuple).unwrap_or(old);
                        assert_eq!(found, expected, "{action}: {} {tuple:?} in {state:?}", predicate.name);
                        compared += 1;
                    }
                }
            }
        }
    }
    compared
}

#[test]
fn updates_say_what_the_definitions_say() {
    let actions = [
        "choose s, d; next(x, y) := next(x, y) | x == s & y == d",
        "choose s; next(x, y) := next(x, y) & x != s",
        "choose s, d; when p(d); next(x, y) := next(x, y) & !(x == s & y == d)",
        "choose s, d; next(x, y) := (x == s ? y == d : next(x, y))",
        "choose s, d; next(x, y) := (x == s ? y == d & p(y) : next(x, y))",
        "choose d; next(x, y) := (x == self ? y == d : next(x, y))",
        "choose s; next(x, y) := next(x, y) & (x != s | p(y))",
        "p(x) := !p(x)",
        "next(x, y) := next(y, x)",
        "choose d; z(x) := x == d",
        "choose d; z(x) := exists h. z(h) & next(h, x)",
    ];
    let compared = compare("function acyclic", 3, &actions);
    assert!(compared > 10_000, "{compared}");
}

/// An equation that names no individual of the action leaves that end of the edge open.
#[test]
fn an_edge_has_two_ends_that_take_part() {
    let added = [
        "next(x, y) := next(x, y) | x == self & y == y",
        "next(x, y) := next(x, y) | x == x & y == self",
        "next(x, y) := next(x, y) | x == x & y == y",
        "next(x, y) := next(x, y) | x == y",
        "next(x, y) := next(x, y) | x == self & y == x",
        "next(x, y) := next(x, y) | y == self & y == x",
        "choose d; next(x, y) := next(x, y) | x == self & y == y & y == d",
        "choose d; next(x, y) := next(x, y) | x == self & self == d",
        "choose d; next(x, y) := next(x, y) | x == self & y == d & x == y",
        "choose d; next(x, y) := (x == self ? y == y : next(x, y))",
        "choose d; next(x, y) := (x == x ? y == d : next(x, y))",
    ];
    let compared = compare("", 2, &added);
    assert!(compared > 10_000, "{compared}");
    let taken = [
        "next(x, y) := next(x, y) & x != x",
        "next(x, y) := next(x, y) & y != y",
        "next(x, y) := next(x, y) & x != y",
        "choose d; next(x, y) := next(x, y) & !(x == x & y == d)",
        "choose d; next(x, y) := next(x, y) & !(x == self & y == y & p(d))",
        "choose d; next(x, y) := (x == x ? y == d & p(x) & x != y : next(x, y))",
    ];
    let compared = compare("function acyclic", 3, &taken);
    assert!(compared > 10_000, "{compared}");
}
