//! Satisfiability of clauses modulo theories: conflict-driven clause learning after MiniSat (Eén
//! and Sörensson 2003), with a theory that sees literals as they become true.
//!
//! Two watched literals, first unique implication points, activities with a heap, saved phases,
//! Luby restarts, deletion of learned clauses by activity. The theory is asked after every fixpoint
//! of unit propagation ([`Theory::assign`]) and once everything is assigned ([`Theory::complete`]),
//! where it may add clauses and new variables; the search then starts again from the root with its
//! phases kept. Assumptions are decided first, and a failure tells which of them were used.

mod clauses;
mod learn;
mod literal;
mod propagate;

use super::heap::Heap;
pub use clauses::Clauses;
pub use literal::{Completion, Lit, Outcome, Theory, Var};

type ClauseId = usize;

struct Clause {
    literals: Vec<Lit>,
    learned: bool,
    activity: f64,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseId,
    /// Another literal of the clause; if it is true the clause need not be looked at.
    blocker: Lit,
}

#[derive(Default)]
pub(crate) struct Sat {
    values: Vec<Option<bool>>,
    phases: Vec<bool>,
    clauses: Vec<Option<Clause>>,
    watches: Vec<Vec<Watch>>,
    trail: Vec<Lit>,
    /// Where each decision level begins in the trail.
    levels: Vec<usize>,
    level: Vec<usize>,
    reason: Vec<Option<ClauseId>>,
    propagated: usize,
    /// How much of the trail the theory has seen.
    told: usize,
    order: Heap,
    bump: f64,
    clause_bump: f64,
    learned: usize,
    seen: Vec<bool>,
    contradictory: bool,
    pub conflicts: u64,
}

const RESTART: u64 = 100;
const ROUND: u64 = 25;

impl Sat {
    pub fn new() -> Sat {
        Sat { bump: 1.0, clause_bump: 1.0, ..Sat::default() }
    }

    pub fn value(&self, literal: Lit) -> Option<bool> {
        self.values[literal.var()].map(|value| value == literal.is_positive())
    }

    /// Takes notice of new variables.
    fn grow(&mut self, theory: &impl Theory) {
        let known = self.values.len();
        self.phases.extend(&theory.phases()[known..]);
        let count = self.phases.len();
        self.values.resize(count, None);
        self.watches.resize_with(2 * count, Vec::new);
        self.level.resize(count, 0);
        self.reason.resize(count, None);
        self.seen.resize(count, false);
        self.order.grow(count);
    }

    /// Takes back everything decided, and adds what the theory has to add.
    fn add_all(&mut self, theory: &mut impl Theory) {
        self.backtrack(0, theory);
        let clauses = theory.clauses();
        self.grow(theory);
        clauses.iter().for_each(|clause| self.add(clause));
    }

    fn add(&mut self, literals: &[Lit]) {
        let mut literals = literals.to_vec();
        literals.sort_unstable();
        literals.dedup();
        let tautology = literals.windows(2).any(|pair| pair[0] == !pair[1]);
        if tautology || literals.iter().any(|l| self.value(*l) == Some(true)) {
            return;
        }
        literals.retain(|l| self.value(*l).is_none());
        match literals[..] {
            [] => self.contradictory = true,
            [unit] => self.assign(unit, None),
            _ => drop(self.attach(literals, false)),
        }
    }

    fn attach(&mut self, literals: Vec<Lit>, learned: bool) -> ClauseId {
        let id = self.clauses.len();
        let (first, second) = (literals[0], literals[1]);
        self.watches[first.index()].push(Watch { clause: id, blocker: second });
        self.watches[second.index()].push(Watch { clause: id, blocker: first });
        self.learned += usize::from(learned);
        self.clauses.push(Some(Clause { literals, learned, activity: self.clause_bump }));
        id
    }

    fn assign(&mut self, literal: Lit, reason: Option<ClauseId>) {
        self.values[literal.var()] = Some(literal.is_positive());
        self.level[literal.var()] = self.levels.len();
        self.reason[literal.var()] = reason;
        self.trail.push(literal);
    }

    fn backtrack(&mut self, level: usize, theory: &mut impl Theory) {
        if self.levels.len() <= level {
            return;
        }
        let keep = self.levels[level];
        for literal in self.trail.drain(keep..) {
            self.values[literal.var()] = None;
            self.phases[literal.var()] = literal.is_positive();
            self.order.insert(literal.var());
        }
        self.levels.truncate(level);
        self.propagated = keep;
        if self.told > keep {
            theory.retract(keep);
            self.told = keep;
        }
    }

    /// Searches for an assignment that makes all clauses true and that the theory accepts.
    pub fn solve(
        &mut self,
        assumptions: &[Lit],
        theory: &mut impl Theory,
        may_go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Outcome {
        self.add_all(theory);
        let mut until_restart = RESTART;
        let mut restarts = 0;
        loop {
            if self.contradictory {
                return Outcome::Unsatisfiable(Vec::new());
            }
            if !may_go_on(self.conflicts) {
                return Outcome::Unknown("too many conflicts".to_owned());
            }
            if let Some(conflict) = self.consequences(theory) {
                if !self.resolve(conflict, theory) {
                    return Outcome::Unsatisfiable(Vec::new());
                }
                until_restart = until_restart.saturating_sub(1);
                continue;
            }
            if until_restart == 0 {
                restarts += 1;
                until_restart = RESTART * luby(restarts);
                self.backtrack(0, theory);
                self.forget();
                continue;
            }
            match self.next_decision(assumptions) {
                Next::Decide(literal) => {
                    self.levels.push(self.trail.len());
                    self.assign(literal, None);
                }
                Next::Assumed => self.levels.push(self.trail.len()),
                Next::Failed(literal) => return Outcome::Unsatisfiable(self.core(literal, assumptions)),
                Next::Complete => match theory.complete() {
                    Completion::Model => return Outcome::Satisfiable,
                    Completion::Unknown(reason) => return Outcome::Unknown(reason),
                    Completion::Conflict(literals) => {
                        let clause = literals.iter().map(|l| !*l).collect();
                        if !self.resolve(clause, theory) {
                            return Outcome::Unsatisfiable(Vec::new());
                        }
                    }
                    Completion::More => {
                        // A round costs as much as some conflicts do.
                        self.conflicts += ROUND;
                        self.add_all(theory);
                    }
                },
            }
        }
    }

    /// Propagates in clauses and theory; a clause all of whose literals are false if that fails.
    fn consequences(&mut self, theory: &mut impl Theory) -> Option<Vec<Lit>> {
        if let Some(id) = self.propagate() {
            self.touch(id);
            return self.clauses[id].as_ref().map(|clause| clause.literals.clone());
        }
        let news = &self.trail[self.told..];
        if news.is_empty() {
            return None;
        }
        let consistent = theory.assign(news);
        self.told = self.trail.len();
        consistent.err().map(|literals| literals.iter().map(|l| !*l).collect())
    }

    fn next_decision(&mut self, assumptions: &[Lit]) -> Next {
        if let Some(assumption) = assumptions.get(self.levels.len()) {
            return match self.value(*assumption) {
                None => Next::Decide(*assumption),
                Some(true) => Next::Assumed,
                Some(false) => Next::Failed(*assumption),
            };
        }
        while let Some(var) = self.order.pop() {
            if self.values[var].is_none() {
                return Next::Decide(Lit::new(var, self.phases[var]));
            }
        }
        Next::Complete
    }
}

enum Next {
    Decide(Lit),
    /// The next assumption is true already.
    Assumed,
    Failed(Lit),
    Complete,
}

/// 1, 1, 2, 1, 1, 2, 4, …
fn luby(mut at: u64) -> u64 {
    loop {
        let size = 64 - at.leading_zeros();
        if at == (1 << size) - 1 {
            return 1 << (size - 1);
        }
        at -= (1 << (size - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(clauses: &[Vec<Lit>], assumed: &[Lit], bits: usize) -> bool {
        let is = |l: &Lit| (bits >> l.var() & 1 == 1) == l.is_positive();
        clauses.iter().all(|clause| clause.iter().any(is)) && assumed.iter().all(is)
    }

    /// Trying all assignments is the definition; a core must be enough by itself.
    #[test]
    fn agrees_with_trying_all_assignments() {
        let mut random = logic::random::Random::new(7);
        let mut below = |limit: usize| random.below(limit);
        let mut answers = [0, 0];
        for _ in 0..400 {
            let variables = 4 + below(7);
            let mut literal = |_| Lit::new(below(variables), below(2) == 0);
            let clauses: Vec<Vec<Lit>> =
                (0..4 * variables).map(|_| (0..3).map(&mut literal).collect()).collect();
            let mut sat = Clauses::default();
            let all: Vec<Lit> = (0..variables).map(|_| sat.variable()).collect();
            assert!(all.iter().enumerate().all(|(n, l)| l.var() == n));
            clauses.iter().for_each(|clause| sat.add(clause));
            // The same clauses under several assumptions, one after the other.
            for _ in 0..3 {
                let assumed: Vec<Lit> = (0..3).map(&mut literal).collect();
                let possible = (0..1 << variables).any(|bits| holds(&clauses, &assumed, bits));
                match sat.solve_with(&assumed) {
                    Outcome::Satisfiable => {
                        let bit = |v: Var| usize::from(sat.value(Lit::new(v, true)) == Some(true)) << v;
                        let bits = (0..variables).map(bit).sum();
                        assert!(possible && holds(&clauses, &assumed, bits));
                        answers[0] += 1;
                    }
                    Outcome::Unsatisfiable(core) => {
                        assert!(!possible && core.iter().all(|l| assumed.contains(l)));
                        assert!(!(0..1 << variables).any(|bits| holds(&clauses, &core, bits)));
                        answers[1] += 1;
                    }
                    Outcome::Unknown(reason) => panic!("{reason}"),
                }
            }
        }
        assert!(answers.iter().all(|n| *n > 100), "{answers:?}");
    }

    #[test]
    fn the_sequence_of_restarts() {
        assert_eq!([1, 2, 3, 4, 5, 6, 7, 8].map(luby), [1, 1, 2, 1, 1, 2, 4, 1]);
    }
}
