//! What is asked of a solver, and what it answers.

use crate::model::Model;
use logic::fol::{Sort, Term, guarded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A formula that may be used, under a name to be told when it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assumption {
    /// Under which a core refers to it.
    pub name: String,
    /// A term of sort Bool.
    pub formula: Term,
}

impl Assumption {
    /// The formula under this name.
    pub fn new(name: impl Into<String>, formula: Term) -> Assumption {
        Assumption { name: name.into(), formula }
    }
}

/// Whether the goal follows from the assumptions.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It follows, and already from the assumptions with these numbers, in rising order.
    Valid {
        /// Indices of assumptions, in rising order.
        core: Vec<usize>,
    },
    /// It does not: in this model the assumptions are true and the goal is false.
    Invalid {
        /// A countermodel; symbols it does not have are arbitrary.
        model: Box<Model>,
    },
    /// Neither was found.
    Unknown {
        /// Which limit was reached, or what the engine does not support.
        reason: String,
    },
}

impl Answer {
    /// Whether the goal follows.
    pub fn is_valid(&self) -> bool {
        matches!(self, Answer::Valid { .. })
    }

    /// Whether a countermodel was found.
    pub fn is_invalid(&self) -> bool {
        matches!(self, Answer::Invalid { .. })
    }

    /// Neither, for this reason.
    pub fn unknown(reason: impl Into<String>) -> Answer {
        Answer::Unknown { reason: reason.into() }
    }
}

/// How hard to try. The same options give the same answer, but for `milliseconds`, which only
/// external engines look at.
#[derive(Clone, Debug)]
pub struct Options {
    /// Conflicts of the embedded search, all rounds of instantiation together.
    pub conflicts: u64,
    /// Instances of quantified formulas.
    pub instances: usize,
    /// Whether a core is wanted that no assumption can be taken out of; otherwise it may be too
    /// large.
    pub minimal_core: bool,
    /// For an external engine, each query.
    pub milliseconds: u64,
    /// Set from outside to end the search with *unknown*.
    pub cancel: Arc<AtomicBool>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            conflicts: 50_000,
            instances: 20_000,
            minimal_core: false,
            milliseconds: 10_000,
            cancel: Arc::default(),
        }
    }
}

impl Options {
    /// Whether the caller has asked to end the search.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// A question as the engines take it: bounds are guards. None if something in it is no formula.
pub(crate) fn taken_in(assumptions: &[Assumption], goal: &Term) -> Option<(Vec<Assumption>, Term)> {
    let formula = |term: &Term| (*term.sort() == Sort::Bool).then(|| guarded(term));
    let assumption = |a: &Assumption| Some(Assumption::new(a.name.clone(), formula(&a.formula)?));
    Some((assumptions.iter().map(assumption).collect::<Option<_>>()?, formula(goal)?))
}

/// The reason of the answer to a question that has no sort.
pub(crate) const UNSORTED: &str = "a formula applies an operator to what it cannot be applied to";

/// An engine that decides validity.
pub trait Solver: Sync {
    /// The name in reports: `embedded`, `z3`, `cvc5`.
    fn name(&self) -> &str;

    /// Whether `goal` is true wherever all assumptions are. Never wrong; *unknown* if it cannot
    /// tell.
    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer;
}
