//! A model: predicates, constraints, actions, initial structures, properties.

use crate::action::Action;
use crate::constraint::Constraint;
use crate::formula::{Formula, Var};
use crate::structure::Structure;
use crate::vocabulary::{Symbol, Vocabulary};
use logic::ltl;
use source::Span;
pub use space::Fairness;
use std::collections::BTreeSet;

/// A kind of thread and the places it can be in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    /// By which the file refers to it.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// Valid ends: those where it may rest without that being a deadlock.
    pub ends: Vec<Symbol>,
    /// The unary predicates that say where a thread is.
    pub places: Vec<Symbol>,
}

/// A three-valued structure with which runs begin.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// By which reports refer to it.
    pub name: String,
    /// Its declaration.
    pub span: Span,
    /// The states that it represents are initial.
    pub structure: Structure,
}

/// What is to be checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// By which reports refer to it.
    pub name: String,
    /// As it is written; empty if no file states it.
    pub text: String,
    /// Its declaration.
    pub span: Span,
    /// What holds of the model if it is true.
    pub claim: Claim,
}

/// The kinds of properties.
#[derive(Clone, Debug, PartialEq)]
pub enum Claim {
    /// A closed formula that holds in every state.
    Invariant(Formula),
    /// Over the atoms `letters`, closed formulas.
    Ltl {
        /// Its atoms are indices into `letters`.
        formula: ltl::Formula<usize>,
        /// Closed formulas.
        letters: Vec<Formula>,
    },
    /// In no state two threads access a variable at the same time, one of them writing.
    Race {
        /// The variable, as the program calls it.
        field: String,
        /// That two threads access it at the same time, one of them writing.
        bad: Formula,
        /// The name stands for several places in memory, which are taken for one.
        vague: bool,
    },
    /// The runs that the automaton accepts are the bad ones.
    Never {
        /// Its propositions are indices into `letters`.
        automaton: logic::automata::Automaton,
        /// Closed formulas.
        letters: Vec<Formula>,
    },
}

/// A group of actions that a fair scheduler does not neglect.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Where it is required.
    pub span: Span,
    /// Weak or strong.
    pub strength: Fairness,
    /// Numbers of actions.
    pub actions: Vec<usize>,
    /// Only as taken by individuals of which this holds.
    pub who: Option<Symbol>,
}

/// A system with any number of threads and objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Its predicates.
    pub vocabulary: Vocabulary,
    /// Declared ones; those of attributes and definitions are generated.
    pub constraints: Vec<Constraint>,
    /// The kinds of threads.
    pub threads: Vec<Thread>,
    /// The steps of threads and of the environment, by number.
    pub actions: Vec<Action>,
    /// At least one.
    pub initial: Vec<Initial>,
    /// In the order of the file.
    pub properties: Vec<Property>,
    /// What the scheduler guarantees.
    pub fairness: Vec<Group>,
    /// Places that are left at once: while a thread is at one, no other moves. Set by `reduce`.
    pub transient: BTreeSet<Symbol>,
    /// Which individual can reach which, if unreachable ones do not matter.
    pub roots: Option<Roots>,
    /// What the front end relies on, in words.
    pub assumed: Vec<String>,
    /// Those are forgotten. Set by `reduce`.
    pub collects: bool,
}

/// Where reaching begins: at individuals of which one of `holders` holds. It goes on along all
/// binary predicates that are not derived.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Roots {
    /// Unary predicates that mark the roots.
    pub holders: Vec<Symbol>,
    /// Predicates that never hold of an unreachable individual, or between a reachable and an
    /// unreachable one.
    pub absent: BTreeSet<Symbol>,
}

impl Roots {
    /// Whether an individual with these unary predicates is one to begin from.
    pub fn begins(&self, holds: impl Fn(Symbol) -> bool) -> bool {
        self.holders.iter().any(|s| holds(*s))
    }
}

impl Group {
    /// Whether one of its actions is enabled: a formula without free variables.
    pub fn enabled(&self, model: &Model) -> Formula {
        let one = |number: &usize| {
            let mut action = model.actions[*number].clone();
            action.actor.iter_mut().for_each(|guard| guard.extend(self.who));
            action.enabled()
        };
        crate::formula::or(self.actions.iter().map(one))
    }
}

impl Model {
    /// No thread that is not at rest can do anything but wait: true in deadlocks. Its parts:
    /// whether some action that is progress can be taken, and whether a thread is not at a valid
    /// end.
    pub fn deadlock(&self) -> (Vec<Formula>, Formula) {
        use crate::formula::{atom, exists, or};
        let can = self.actions.iter().filter(|a| !a.idle).map(Action::enabled).collect();
        let v: Var = 0;
        let waits = exists(v, or(self.restless().map(|place| atom(place, &[v]))));
        (can, waits)
    }

    /// The locations where a thread may not rest.
    pub fn restless(&self) -> impl Iterator<Item = Symbol> {
        self.threads.iter().flat_map(|t| t.places.iter().filter(|p| !t.ends.contains(p))).copied()
    }
}
