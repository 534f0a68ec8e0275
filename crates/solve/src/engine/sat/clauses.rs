//! Clauses alone, without a theory: variables, clauses, and whether all clauses can be true.

use super::{Completion, Lit, Outcome, Sat, Theory};

/// A set of clauses that grows between questions.
pub struct Clauses {
    sat: Sat,
    open: Open,
}

/// Variables and clauses that the search has not seen yet; every assignment is a model.
#[derive(Default)]
struct Open {
    clauses: Vec<Vec<Lit>>,
    phases: Vec<bool>,
}

impl Theory for Open {
    fn assign(&mut self, _: &[Lit]) -> Result<(), Vec<Lit>> {
        Ok(())
    }

    fn retract(&mut self, _: usize) {}

    fn complete(&mut self) -> Completion {
        Completion::Model
    }

    fn clauses(&mut self) -> Vec<Vec<Lit>> {
        std::mem::take(&mut self.clauses)
    }

    fn phases(&self) -> &[bool] {
        &self.phases
    }
}

impl Default for Clauses {
    fn default() -> Clauses {
        Clauses { sat: Sat::new(), open: Open::default() }
    }
}

impl Clauses {
    /// A new variable; it is tried false first.
    pub fn variable(&mut self) -> Lit {
        self.open.phases.push(false);
        Lit::new(self.open.phases.len() - 1, true)
    }

    /// One of these literals is true.
    pub fn add(&mut self, literals: &[Lit]) {
        self.open.clauses.push(literals.to_vec());
    }

    /// Whether all clauses can be true; then [`Clauses::value`] says how, until the next question.
    pub fn solve(&mut self) -> bool {
        self.solve_with(&[]) == Outcome::Satisfiable
    }

    /// The same while these literals are true.
    pub(crate) fn solve_with(&mut self, assumed: &[Lit]) -> Outcome {
        self.sat.solve(assumed, &mut self.open, &mut |_| true)
    }

    /// The value of a literal in the present assignment; none if it has none.
    pub fn value(&self, literal: Lit) -> Option<bool> {
        self.sat.value(literal)
    }
}
