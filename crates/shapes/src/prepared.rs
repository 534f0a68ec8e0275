//! A model made ready for the abstract machine: what follows from definitions and attributes is
//! written down.

use crate::coerce::Coercion;
use crate::difference::{self, Updates};
use crate::machine::Machine;
use crate::reach;
use source::Span;
use std::collections::BTreeSet;
use structures::action::{Action, Update};
use structures::constraint;
use structures::evaluate::widened;
use structures::formula::{Formula, VARIABLES, Var};
use structures::model::{Initial, Model};
use structures::structure::Structure;
use structures::vocabulary::{Layout, SUMMARY, Symbol, Vocabulary};

/// A model made ready to run, with letters.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// With the predicates that are generated.
    pub vocabulary: Vocabulary,
    /// With the updates of derived predicates.
    pub actions: Vec<Action>,
    /// Makes abstract steps of the actions.
    pub machine: Machine,
    /// Coerced, with definite letters.
    pub initial: Vec<Structure>,
    /// The predicate of each letter.
    pub letters: Vec<Symbol>,
    /// Transient locations: while a thread is at one, no other moves.
    pub transient: BTreeSet<Symbol>,
}

/// Adds what is generated: updates of derived predicates, constraints, and a predicate for each
/// letter.
pub fn prepare(model: &Model, letters: &[Formula]) -> Prepared {
    let mut vocabulary = model.vocabulary.clone();
    let mut symbols = Vec::new();
    for letter in letters {
        symbols.push(letter_symbol(&mut vocabulary, letter));
    }
    let leaves = model.collects || model.actions.iter().any(|a| a.retain.is_some());
    let eraser = leaves.then(|| eraser(&mut vocabulary));
    let actions = model.actions.iter().map(|a| with_derived(a, &vocabulary)).collect();
    let mut constraints = constraint::generated(&vocabulary);
    constraints.extend(model.constraints.iter().cloned());
    let coercion = Coercion::new(&vocabulary, constraints);
    let mut spelled = symbols.clone();
    spelled.sort();
    spelled.dedup();
    let mut machine = Machine::new(&vocabulary, coercion, spelled);
    machine.eraser = eraser;
    machine.roots = model.roots.clone().filter(|_| model.collects);
    let adapt = |i: &Initial| widened(&i.structure, &model.vocabulary, &vocabulary);
    let initial: Vec<Structure> = model.initial.iter().map(adapt).collect();
    let initial = initial.into_iter().flat_map(|s| machine.prepare(s)).collect();
    Prepared { vocabulary, actions, machine, initial, letters: symbols, transient: model.transient.clone() }
}

/// A structure of a prepared model, with the predicates of the model alone.
pub fn narrow(model: &Model, prepared: Layout, s: &Structure) -> Structure {
    s.laid_out(&model.vocabulary.predicates, prepared, model.vocabulary.layout())
}

/// A mark for individuals that cease to be, and how every predicate changes when nothing holds of
/// them any more.
fn eraser(vocabulary: &mut Vocabulary) -> (Symbol, Vec<Update>) {
    use structures::formula::{and, atom, not};
    let mark = vocabulary.declare("ceases", 1, Span::default());
    if let Some(predicate) = vocabulary.predicates.last_mut() {
        (predicate.abstraction, predicate.hidden) = (false, true);
    }
    let core = vocabulary.predicates.iter().filter(|p| p.definition.is_none() && p.symbol.arity() > 0);
    let core = core.map(|p| p.symbol).filter(|s| *s != mark && *s != SUMMARY);
    let erased = |symbol: Symbol| {
        let variables: Vec<Var> = (0..symbol.arity() as Var).collect();
        let stay = variables.iter().map(|v| not(atom(mark, &[*v])));
        let formula = and([atom(symbol, &variables)].into_iter().chain(stay));
        Update { symbol, parameters: [0, 1], formula }
    };
    let action = Action { updates: core.map(erased).collect(), ..Action::default() };
    (mark, with_derived(&action, vocabulary).updates)
}

/// The nullary predicate that has the value of a closed formula; a new one unless the formula is
/// one already.
fn letter_symbol(vocabulary: &mut Vocabulary, letter: &Formula) -> Symbol {
    if let Formula::Atom(symbol @ Symbol::Nullary(_), _) = letter {
        return *symbol;
    }
    let known = vocabulary.predicates.iter().find(|p| p.definition.as_ref() == Some(letter));
    if let Some(known) = known.filter(|p| p.symbol.arity() == 0) {
        return known.symbol;
    }
    let name = letter.text(vocabulary);
    let symbol = vocabulary.derive(&name, 0, Span::default(), letter.clone());
    if let Some(predicate) = vocabulary.predicates.last_mut() {
        predicate.hidden = true;
    }
    symbol
}

/// The action with updates of the derived predicates it does not update itself.
fn with_derived(action: &Action, vocabulary: &Vocabulary) -> Action {
    let mut action = action.clone();
    let mut updates: Updates = action.updates.iter().map(|u| (u.symbol, u.clone())).collect();
    for (predicate, definition) in vocabulary.derived() {
        if updates.contains_key(&predicate.symbol) {
            continue;
        }
        let (symbol, next) = (predicate.symbol, action.above());
        let reach = || reach::update(symbol, definition, &updates, vocabulary, next);
        let fits = |update: &Update| usize::from(update.formula.above()) < VARIABLES;
        let Some(update) =
            reach().filter(fits).or_else(|| difference::update(symbol, definition, &updates, next))
        else {
            continue;
        };
        let update = if fits(&update) { update } else { anew(update) };
        updates.insert(predicate.symbol, update.clone());
        action.updates.push(update);
    }
    action.finish()
}

/// An update too large to be written down says nothing; coerce finds what the definition says.
fn anew(update: Update) -> Update {
    Update { formula: structures::formula::UNKNOWN, ..update }
}
