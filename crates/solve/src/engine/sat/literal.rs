//! What a search is about: literals, what a theory says of them, and how a search may end.

/// A variable with a sign; the lowest bit says that it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

/// Variables are numbered from 0.
pub type Var = usize;

impl Lit {
    /// The first variable, not negated.
    pub const FIRST: Lit = Lit(0);

    /// The variable, negated unless `positive`.
    pub fn new(var: Var, positive: bool) -> Lit {
        Lit((var as u32) << 1 | u32::from(!positive))
    }

    /// The variable without its sign.
    pub fn var(self) -> Var {
        (self.0 >> 1) as usize
    }

    /// Whether it is not negated.
    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What the theory thinks of a complete assignment.
pub enum Completion {
    /// It is a model.
    Model,
    /// Literals that are all true and contradict each other.
    Conflict(Vec<Lit>),
    /// There are clauses or variables that the assignment does not know yet; [`Theory::clauses`]
    /// has them.
    More,
    /// The theory cannot tell.
    Unknown(String),
}

/// Decides conjunctions of literals for the search; it follows what the search assigns and
/// retracts.
pub trait Theory {
    /// Literals have become true, in this order. An error is literals that are all true and
    /// contradict each other.
    fn assign(&mut self, literals: &[Lit]) -> Result<(), Vec<Lit>>;
    /// Only the first `count` literals that were assigned stay true.
    fn retract(&mut self, count: usize);
    /// Every variable has a value.
    fn complete(&mut self) -> Completion;
    /// Clauses to be added, after everything decided has been retracted.
    fn clauses(&mut self) -> Vec<Vec<Lit>>;
    /// The variables there are, each with the value to try first.
    fn phases(&self) -> &[bool];
}

/// How a search ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The assignment is a model.
    Satisfiable,
    /// With these of the assumptions.
    Unsatisfiable(Vec<Lit>),
    /// A limit was reached, or the theory does not decide.
    Unknown(String),
}
