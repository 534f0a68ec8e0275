//! Why a property holds, as plain data: what a search or a user found, for the certifier to hold
//! against the system itself.
//!
//! The engine that finds it need not be trusted, and nothing here says which conditions follow from
//! it.

use super::Helpful;
use logic::fol::{Symbol, Term};
use logic::ltl::{Binary, Unary};
use num_bigint::BigInt;

/// Why a property holds, in a form that can be checked apart from its search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// For `[] p`: assertions, each inductive relative to those before it, that imply p together
    /// with what is known.
    Inductive(Vec<Term>),
    /// For `[] p`, and for a wait-for formula: k-induction.
    KInductive(KInductive),
    /// For an assertion about the initial states: they imply it.
    Initial,
    /// For `p ==> q_m W … W q_0`: one assertion for each interval, φ_m first.
    Waiting(Vec<Term>),
    /// For the same: inductive assertions that speak of the stage of the promise too, the variable
    /// [`STAGE`].
    Staged(Vec<Term>),
    /// For `p ==> <> q` or `<> q`: stages, from the goal backwards.
    Progress(Vec<Helped>),
    /// For the same: stages with ranks that go down.
    Ranked(Vec<Helped>),
    /// For a goal that comes where others recur: this one of them leads to it by itself.
    Again(usize, Box<Evidence>),
    /// From a property of the same form, by its name.
    Follows(String),
    /// For any formula: a diagram.
    Diagram(Box<super::diagram::Proven>),
    /// For a conjunction: one for each part.
    All(Vec<Evidence>),
}

/// What is claimed is true in the first states of every run, and after as many states in a
/// row in which it is true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KInductive {
    /// How many states: k.
    pub states: usize,
    /// Whether it is enough to look at states that all differ.
    pub distinct: bool,
    /// What is known, and used of the states before the last step.
    pub using: Vec<Term>,
}

/// Why axioms that are assumed have a model together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistent {
    /// The solver finds one of them all.
    Model,
    /// Their functions can be chosen for each tuple of arguments by itself, with this value of a
    /// constant if there is one.
    ByValue(Option<(Symbol, i64)>),
}

/// The name of what leads on from a stage in which something is false that recurs; its parameter is
/// the number of that.
pub const RECURS: &str = "[]<>";

/// The name of the variable that says how far a promise has come.
///
/// 0 if nothing is promised, the number of the interval that the oldest promise is in, or one more
/// than there are: broken.
pub const STAGE: &str = "stage!";

/// A stage on the way to a goal, and the fair transition that leads on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Helped {
    /// What holds while the stage lasts.
    pub phi: Term,
    /// The transition that leads on.
    pub helpful: Helpful,
    /// How far it is still to go: a tuple that goes down lexicographically; empty without ranks.
    pub rank: Vec<Term>,
    /// For a compassionate transition: why it is possible again and again, by stages of its own.
    pub again: Option<Vec<Helped>>,
}

/// An auxiliary variable that is true where a formula about the past is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// The auxiliary variable, of sort Bool.
    pub symbol: Symbol,
    /// The formula that it follows.
    pub past: Past,
}

/// A past operator over assertions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Past {
    /// An operator with one argument, such as *once*.
    Unary(Unary, Term),
    /// An operator with two arguments, such as *since*.
    Binary(Binary, Term, Term),
}

/// A loop that can be repeated without end, although perhaps no state comes back: wherever
/// `invariant` is true, its steps can be taken, and then `invariant` is true again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// The state of a run, by its number, in which the loop begins.
    pub start: usize,
    /// The steps, in order.
    pub steps: Vec<Repetition>,
    /// What is true whenever the loop begins.
    pub invariant: Term,
}

/// One step of a loop; idling if there is no transition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repetition {
    /// The transition and its branch, by their numbers.
    pub taken: Option<(usize, usize)>,
    /// One value for each parameter of the family.
    pub parameters: Vec<BigInt>,
    /// What is chosen, as a term over the state before the step.
    pub chosen: Vec<(Symbol, Term)>,
}

/// A number that an abstract program watches, and what it remembers of the last step in two truth
/// values. From states where the number is not negative it cannot go down again and again unless it
/// goes up again and again; after Kesten and Pnueli, *Verification by augmented finitary
/// abstraction*.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The number went down, from a value that is not negative.
    pub down: Symbol,
    /// It went up.
    pub up: Symbol,
    /// A whole number of the concrete program.
    pub rank: Term,
}

impl Watched {
    /// What a step to the value `after` makes of the two truth values.
    pub fn moved(&self, after: &Term) -> (Term, Term) {
        let (zero, rank) = (Term::int(0), &self.rank);
        let down = Term::all([Term::le(zero, rank.clone()), Term::lt(after.clone(), rank.clone())]);
        (down, Term::lt(rank.clone(), after.clone()))
    }
}
