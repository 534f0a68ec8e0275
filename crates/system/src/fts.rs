//! Fair transition systems: the symbolic side of the waist, for programs with unboundedly many
//! states or processes.
//!
//! After Manna and Pnueli, as the STeP tutorial has them (section 2.1): typed variables, an initial
//! condition, transitions that are just, compassionate or neither. Guards and updates are formulas
//! ([`Term`]), so a prover reads them by substitution; a [`Transition`] may have parameters, so
//! that N processes are one set of transitions over arrays. Control is in ordinary variables
//! (`pi0`, `pi1`, …). The idling transition belongs to every system and is not listed.
//!
//! It stands beside [`System`](crate::System), which has finitely many processes with control
//! points of their own: a parameterized program is no such thing. [`step`] executes a system whose
//! constants are known, state by state.

pub mod diagram;
pub mod evidence;
pub mod reference;
pub mod step;

pub use diagram::Diagram;
pub use evidence::{
    Consistent, Evidence, Helped, KInductive, Past, Remembered, Repeated, Repetition, Watched,
};
pub use reference::Reference;
pub use space::Fairness;

use logic::fol::{Binder, Op, Sort, Symbol, Term};
use logic::ltl;
use source::Span;
use std::sync::Arc;

/// A fair transition system after Manna and Pnueli, with what is stated and proved about it.
#[derive(Clone, Debug, Default)]
pub struct Fts {
    /// That of the program.
    pub name: String,
    /// The state: one value for each, in this order.
    pub variables: Vec<Variable>,
    /// Rigid symbols: constants, and functions if they have arguments.
    pub rigid: Vec<Rigid>,
    /// Facts about values that never change, such as the bounds of rigid constants; assumed in
    /// every condition.
    pub assumptions: Vec<Term>,
    /// Which states are initial; an assertion.
    pub initial: Term,
    /// By index, which runs refer to.
    pub transitions: Vec<Transition>,
    /// Threads of control and their locations.
    pub threads: Vec<Thread>,
    /// Stated without proof.
    pub axioms: Vec<Property>,
    /// To be checked or proved.
    pub properties: Vec<Property>,
    /// What must hold for the program to be well typed at run time: indices within bounds, divisors
    /// that are not zero.
    pub type_checks: Vec<TypeCheck>,
    /// The proofs that the file proposes.
    pub proofs: Vec<Proof>,
    /// The diagrams that proofs refer to.
    pub diagrams: Vec<Diagram>,
    /// Auxiliary variables with what they remember, in the order they were added; none in a system
    /// that was just read.
    pub remembered: Vec<Remembered>,
}

/// How a property is to be proved: the rule, what it needs, and which background it may use (all
/// that is active if none).
#[derive(Clone, Debug)]
pub struct Proof {
    /// The name of the property.
    pub property: String,
    /// The name of the proof rule, such as `B-INV`.
    pub rule: String,
    /// Intermediate assertions, as the rule takes them.
    pub steps: Vec<ProofStep>,
    /// The names of the background properties it may use; all that are active if none.
    pub using: Option<Vec<String>>,
    /// Where the proof stands.
    pub span: Span,
}

/// An assertion of a proof, with its helpful transitions and its rank.
#[derive(Clone, Debug)]
pub struct ProofStep {
    /// The assertion.
    pub formula: Term,
    /// The transitions that lead on from it.
    pub by: Vec<Helpful>,
    /// A tuple that decreases lexicographically; empty without ranks.
    pub rank: Vec<Term>,
    /// As the user wrote it.
    pub text: String,
}

/// A transition that helps; of a family the one with these parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helpful {
    /// The name of the transition.
    pub name: String,
    /// One value for each parameter of the family.
    pub parameters: Vec<Term>,
}

/// A component of the state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name and sort.
    pub symbol: Symbol,
    /// What it is for.
    pub mode: Mode,
    /// The values it may take, for sorts that have more: an assertion over the variable.
    pub range: Option<Domain>,
    /// Its declaration.
    pub span: Span,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// An input: it belongs to the environment.
    In,
    /// Neither input nor output.
    Local,
    /// What the program computes.
    Out,
    /// The location of a thread, as a number.
    Control,
}

/// How a value is bounded; for an array, each element between its bounds; for a value that a
/// constructor made, its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Integers between two bounds, both included.
    Range {
        /// The least value.
        low: Term,
        /// The greatest value.
        high: Term,
    },
    /// An array.
    Array {
        /// The least index.
        low: Term,
        /// The greatest index.
        high: Term,
        /// The bounds of each element, if it has any.
        element: Option<Box<Domain>>,
    },
    /// Each element.
    Sequence(Box<Domain>),
    /// The fields of each constructor.
    Data(Vec<Vec<Option<Domain>>>),
}

/// A symbol that keeps its meaning during a run.
#[derive(Clone, Debug)]
pub struct Rigid {
    /// Its name.
    pub name: Arc<str>,
    /// The sorts of the arguments; empty for a constant.
    pub arguments: Vec<Sort>,
    /// The sort of its value.
    pub result: Sort,
    /// Its declaration.
    pub span: Span,
}

/// A transition, or a family of them if it has parameters. Its relation is the disjunction of its
/// branches.
#[derive(Clone, Debug)]
pub struct Transition {
    /// By which properties and proofs refer to it.
    pub name: String,
    /// Indices of a family; empty for a single transition.
    pub parameters: Vec<Parameter>,
    /// The ways to take it.
    pub branches: Vec<Branch>,
    /// What runs owe to it.
    pub fairness: Fairness,
    /// The statement as the user wrote it, in one line.
    pub text: String,
    /// The statement.
    pub span: Span,
}

/// An index that ranges over `low..=high`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// By which guards and updates refer to it.
    pub symbol: Symbol,
    /// The least value.
    pub low: Term,
    /// The greatest value.
    pub high: Term,
}

/// One way to take a transition: possible if `guard` holds and some values of `chosen` satisfy
/// `choice`; all updates happen at once, and variables without one keep their value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Over the values before the step.
    pub guard: Term,
    /// Values that the step picks, such as those of a relation.
    pub chosen: Vec<Symbol>,
    /// Restricts what is picked; `true` if nothing is.
    pub choice: Term,
    /// New values, over those before the step.
    pub updates: Vec<(Symbol, Term)>,
}

/// A thread of control: its variable, and the labels of each location.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The variable with the number of the location.
    pub control: Symbol,
    /// The name of the process in the source.
    pub process: String,
    /// By number.
    pub locations: Vec<Location>,
    /// The number of replicas, if the control variable is an array.
    pub replicated: Option<Parameter>,
    /// Whether the thread may be asleep (-1): a component of a nested parallel statement.
    pub nested: bool,
}

/// Where control can be between two steps.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// All labels that stand for it.
    pub labels: Vec<String>,
    /// The statement that begins there.
    pub span: Span,
}

/// A temporal formula over assertions. `rigid` are values it speaks of universally, each within its
/// bounds.
#[derive(Clone, Debug)]
pub struct Property {
    /// By which proofs refer to it.
    pub name: String,
    /// Universally quantified outside of the formula.
    pub rigid: Vec<Symbol>,
    /// What is known of `rigid`.
    pub given: Term,
    /// Its atoms are assertions over the variables and `rigid`.
    pub formula: ltl::Formula<Term>,
    /// As the user wrote it.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// Whenever the transition's guard is evaluated, `condition` must hold.
#[derive(Clone, Debug)]
pub struct TypeCheck {
    /// What must hold, in words that follow *that*.
    pub what: String,
    /// Indices of the transition that it is about.
    pub parameters: Vec<Parameter>,
    /// An assertion over the state and the parameters.
    pub condition: Term,
    /// The expression that is checked.
    pub span: Span,
}

impl Domain {
    /// That a value lies in the domain.
    pub fn contains(&self, e: &Term) -> Term {
        self.contains_at(e, 0)
    }

    /// Bound variables are named by how deep they stand.
    fn contains_at(&self, e: &Term, depth: usize) -> Term {
        let index = Symbol::constant(format!("i!{depth}"), Sort::Int);
        let each = |low: Term, high: Term, inner: Term| {
            if inner.is_true() {
                return inner;
            }
            Term::every(vec![Binder { symbol: index.clone(), range: Some((low, high)) }], inner)
        };
        match self {
            Domain::Range { low, high } => {
                Term::all([Term::le(low.clone(), e.clone()), Term::le(e.clone(), high.clone())])
            }
            Domain::Array { element: None, .. } => Term::truth(true),
            Domain::Array { low, high, element: Some(element) } => {
                let inner = element.contains_at(&e.select(&index.term()), depth + 1);
                each(low.clone(), high.clone(), inner)
            }
            Domain::Sequence(element) => {
                // Users count from 1, terms from 0.
                let item = Term::of(Op::Nth, [e.clone(), index.term().minus(&Term::int(1))]);
                each(Term::int(1), e.length(), element.contains_at(&item, depth + 1))
            }
            Domain::Data(constructors) => {
                let of = |n: usize, at: usize, domain: &Domain| {
                    Term::implication(Term::made_by(e, n), domain.contains_at(&e.field(n, at), depth))
                };
                let mut all = Vec::new();
                for (n, fields) in constructors.iter().enumerate() {
                    let bounded = fields.iter().enumerate();
                    all.extend(bounded.filter_map(|(at, domain)| Some(of(n, at, domain.as_ref()?))));
                }
                Term::all(all)
            }
        }
    }
}

impl TypeCheck {
    /// The condition, for all values of its parameters.
    pub fn everywhere(&self) -> Term {
        Term::every(self.parameters.iter().map(Parameter::binder).collect(), self.condition.clone())
    }
}

impl Parameter {
    /// `low <= i /\ i <= high`.
    pub fn bounds(&self) -> Term {
        let index = self.symbol.term();
        Term::all([Term::le(self.low.clone(), index.clone()), Term::le(index, self.high.clone())])
    }

    /// The parameter as the bound variable of a quantifier, with its bounds.
    pub fn binder(&self) -> Binder {
        Binder { symbol: self.symbol.clone(), range: Some((self.low.clone(), self.high.clone())) }
    }
}

impl Branch {
    /// A branch that chooses nothing.
    pub fn new(guard: Term, updates: Vec<(Symbol, Term)>) -> Branch {
        Branch { guard, chosen: Vec::new(), choice: Term::truth(true), updates }
    }

    /// The branch with something done to all its terms.
    pub fn map(&self, change: impl Fn(&Term) -> Term) -> Branch {
        Branch {
            guard: change(&self.guard),
            chosen: self.chosen.clone(),
            choice: change(&self.choice),
            updates: self.updates.iter().map(|(s, e)| (s.clone(), change(e))).collect(),
        }
    }

    /// The value of `e` after the branch, as a formula over the state before it.
    pub fn after(&self, e: &Term) -> Term {
        e.substitute(&|s| self.updates.iter().find(|(v, _)| v.name == s.name).map(|(_, value)| value.clone()))
    }

    /// When the branch can be taken.
    pub fn enabled(&self) -> Term {
        let binders = self.chosen.iter().cloned().map(Binder::free).collect();
        Term::all([self.guard.clone(), Term::some(binders, self.choice.clone())])
    }
}

impl Transition {
    /// The parameters within their bounds.
    pub fn bounds(&self) -> Term {
        Term::all(self.parameters.iter().map(Parameter::bounds))
    }

    /// When the transition with these parameters can be taken.
    pub fn enabled(&self) -> Term {
        Term::any(self.branches.iter().map(Branch::enabled))
    }
}

impl Fts {
    /// The variable of this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|v| &*v.symbol.name == name)
    }

    /// Whether some step changes a variable.
    pub fn changes(&self, name: &str) -> bool {
        let branches = self.transitions.iter().flat_map(|t| &t.branches);
        branches.flat_map(|b| &b.updates).any(|(s, _)| &*s.name == name)
    }

    /// Whether a name is that of a variable that is not an input which every step leaves alone.
    pub fn is_flexible(&self, name: &str) -> bool {
        self.variable(name).is_some_and(|v| v.mode != Mode::In || self.changes(name))
    }

    /// The location a label stands at: the thread and the number of the location.
    pub fn label(&self, label: &str) -> Option<(&Thread, usize)> {
        self.threads.iter().find_map(|thread| {
            let at = thread.locations.iter().position(|l| l.labels.iter().any(|name| name == label))?;
            Some((thread, at))
        })
    }

    /// A transition that does nothing and is always possible.
    pub fn idle() -> Transition {
        Transition {
            name: "Idle".to_string(),
            parameters: Vec::new(),
            branches: vec![Branch::new(Term::truth(true), Vec::new())],
            fairness: Fairness::None,
            text: "idle".to_string(),
            span: Span::default(),
        }
    }
}
