//! A model: predicates, constraints, actions, initial structures, properties.

use crate::action::{Action, Update};
use crate::coerce::Coercion;
use crate::constraint::{self, Constraint};
use crate::difference::{self, Updates};
use crate::formula::{Formula, VARIABLES, Var};
use crate::machine::Machine;
use crate::reach;
use crate::structure::Structure;
use crate::vocabulary::{Layout, SUMMARY, Symbol, Vocabulary};
use logic::ltl;
use source::Span;
use std::collections::BTreeSet;

/// A kind of thread and the places it can be in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    pub name: String,
    pub span: Span,
    /// Those where it may rest for ever without that being a deadlock.
    pub ends: Vec<Symbol>,
    pub places: Vec<Symbol>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    pub name: String,
    pub span: Span,
    pub structure: Structure,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub name: String,
    pub span: Span,
    pub claim: Claim,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// A closed formula that holds in every state.
    Invariant(Formula),
    /// Over the atoms `letters`, closed formulas.
    Ltl { formula: ltl::Formula<usize>, letters: Vec<Formula> },
    /// No state is one in which two threads access a variable at the same time, one of them writing. `bad` says that one is; if it is
    /// vague, what counts as one variable is several.
    Race { field: String, bad: Formula, vague: bool },
    /// The runs that the automaton accepts are the bad ones.
    Never { automaton: logic::automata::Automaton, letters: Vec<Formula> },
}

/// What a scheduler promises of a group of actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Fairness {
    pub span: Span,
    pub strong: bool,
    /// Numbers of actions.
    pub actions: Vec<usize>,
    /// Only as taken by individuals of which this holds.
    pub who: Option<Symbol>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    pub vocabulary: Vocabulary,
    /// Declared ones; those of attributes and definitions are generated.
    pub constraints: Vec<Constraint>,
    pub threads: Vec<Thread>,
    pub actions: Vec<Action>,
    pub initial: Vec<Initial>,
    pub properties: Vec<Property>,
    pub fairness: Vec<Fairness>,
    /// Places that are left at once: while somebody is at one, nobody else moves. Set by `reduce`.
    pub passing: BTreeSet<Symbol>,
    /// Who can reach whom, if individuals that nobody reaches do not matter.
    pub roots: Option<Roots>,
    /// What the front end relies on, in words.
    pub assumed: Vec<String>,
    /// Those are forgotten. Set by `reduce`.
    pub collects: bool,
}

/// Where reaching begins: at individuals of which one of `holders` holds. It goes on along all binary predicates that are not derived.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roots {
    pub holders: Vec<Symbol>,
    /// Predicates that never hold of somebody who cannot be reached, or between one who can and one who cannot.
    pub absent: BTreeSet<Symbol>,
}

/// A model made ready to run, with letters.
#[derive(Clone, Debug)]
pub struct Prepared {
    pub vocabulary: Vocabulary,
    pub actions: Vec<Action>,
    pub machine: Machine,
    /// Coerced, with definite letters.
    pub initial: Vec<Structure>,
    /// The predicate of each letter.
    pub letters: Vec<Symbol>,
    pub passing: BTreeSet<Symbol>,
}

impl Model {
    /// Adds what is generated: updates of derived predicates, constraints, and a predicate for each letter.
    pub fn prepare(&self, letters: &[Formula]) -> Prepared {
        let mut vocabulary = self.vocabulary.clone();
        let mut symbols = Vec::new();
        for letter in letters {
            symbols.push(letter_symbol(&mut vocabulary, letter));
        }
        let leaves = self.collects || self.actions.iter().any(|a| a.retain.is_some());
        let eraser = leaves.then(|| eraser(&mut vocabulary));
        let actions = self.actions.iter().map(|a| with_derived(a, &vocabulary)).collect();
        let mut constraints = constraint::generated(&vocabulary);
        constraints.extend(self.constraints.iter().cloned());
        let coercion = Coercion::new(&vocabulary, constraints);
        let mut spelled = symbols.clone();
        spelled.sort();
        spelled.dedup();
        let mut machine = Machine::new(&vocabulary, coercion, spelled);
        machine.eraser = eraser;
        machine.roots = self.roots.clone().filter(|_| self.collects);
        let adapt = |i: &Initial| self.widen(&i.structure, &vocabulary);
        let initial: Vec<Structure> = self.initial.iter().map(adapt).collect();
        let initial = initial.into_iter().flat_map(|s| machine.prepare(s)).collect();
        Prepared { vocabulary, actions, machine, initial, letters: symbols, passing: self.passing.clone() }
    }

    /// An initial structure with room for more predicates, derived ones that are not given being evaluated.
    fn widen(&self, s: &Structure, vocabulary: &Vocabulary) -> Structure {
        let (old, new) = (self.vocabulary.layout(), vocabulary.layout());
        let mut wide = Structure::new(new);
        for _ in 0..s.nodes {
            wide.push_node(new);
        }
        for predicate in &self.vocabulary.predicates {
            crate::machine::for_tuples(predicate.symbol, s.nodes, |tuple| {
                wide.set(new, predicate.symbol, tuple, s.get(old, predicate.symbol, tuple));
            });
        }
        for predicate in &vocabulary.predicates[self.vocabulary.predicates.len()..] {
            let Some(definition) = &predicate.definition else { continue };
            let value = crate::machine::defined(&wide, new, definition, [0, 0]);
            wide.set(new, predicate.symbol, [0, 0], value);
        }
        wide
    }
}

impl Model {
    /// A structure of a prepared model, with the predicates of this one alone.
    pub fn narrow(&self, prepared: Layout, s: &Structure) -> Structure {
        let layout = self.vocabulary.layout();
        let mut narrow = Structure::new(layout);
        for _ in 0..s.nodes {
            narrow.push_node(layout);
        }
        for predicate in &self.vocabulary.predicates {
            crate::machine::for_tuples(predicate.symbol, s.nodes, |tuple| {
                narrow.set(layout, predicate.symbol, tuple, s.get(prepared, predicate.symbol, tuple));
            });
        }
        narrow
    }
}

/// A mark for individuals that cease to be, and how every predicate changes when nothing holds of them any more.
fn eraser(vocabulary: &mut Vocabulary) -> (Symbol, Vec<Update>) {
    use crate::formula::{and, atom, not};
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

/// The nullary predicate that has the value of a closed formula; a new one unless the formula is one already.
fn letter_symbol(vocabulary: &mut Vocabulary, letter: &Formula) -> Symbol {
    if let Formula::Atom(symbol @ Symbol::Nullary(_), _) = letter {
        return *symbol;
    }
    let known = vocabulary.predicates.iter().find(|p| p.definition.as_ref() == Some(letter));
    if let Some(known) = known.filter(|p| p.symbol.arity() == 0) {
        return known.symbol;
    }
    let name = letter.text(vocabulary);
    let symbol = vocabulary.declare(&name, 0, Span::default());
    if let Some(predicate) = vocabulary.predicates.last_mut() {
        predicate.definition = Some(letter.clone());
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
    Update { formula: crate::formula::UNKNOWN, ..update }
}

impl Model {
    /// Nobody who is not at rest can do anything but wait: true in deadlocks. Its parts: whether some action that is progress can be
    /// taken, and whether somebody is where it may not rest.
    pub fn deadlock(&self) -> (Vec<Formula>, Formula) {
        use crate::formula::{atom, exists, or};
        let can = self.actions.iter().filter(|a| !a.idle).map(Action::enabled).collect();
        let restless = self.threads.iter().flat_map(|t| t.places.iter().filter(|p| !t.ends.contains(p)));
        let v: Var = 0;
        let waits = exists(v, or(restless.map(|place| atom(*place, &[v]))));
        (can, waits)
    }
}
