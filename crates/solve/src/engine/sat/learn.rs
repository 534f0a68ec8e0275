//! What a conflict teaches: the clause of the first unique implication point, which assumptions
//! were used, what is active and what may be forgotten.

use super::{Clause, ClauseId, Lit, Sat, Theory, Var};

const DECAY: f64 = 0.95;
const CLAUSE_DECAY: f64 = 0.999;
const TOO_LARGE: f64 = 1e100;

impl Sat {
    /// Learns from a clause that is false, and goes back; false if there is nowhere to go back to.
    pub(super) fn resolve(&mut self, conflict: Vec<Lit>, theory: &mut impl Theory) -> bool {
        self.conflicts += 1;
        let highest = conflict.iter().map(|l| self.level[l.var()]).max().unwrap_or(0);
        if highest == 0 {
            self.contradictory = true;
            return false;
        }
        self.backtrack(highest, theory);
        let learned = self.analyse(conflict);
        let back = learned[1..].iter().map(|l| self.level[l.var()]).max().unwrap_or(0);
        self.backtrack(back, theory);
        let first = learned[0];
        if learned.len() == 1 {
            self.assign(first, None);
        } else {
            let id = self.attach(learned, true);
            self.assign(first, Some(id));
        }
        self.bump /= DECAY;
        self.clause_bump /= CLAUSE_DECAY;
        true
    }

    /// The clause of the first unique implication point; its first literal is the one to assert,
    /// and the second has the highest level of the rest.
    fn analyse(&mut self, conflict: Vec<Lit>) -> Vec<Lit> {
        let here = self.levels.len();
        let mut learned = vec![conflict[0]];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut clause = conflict;
        let asserting = loop {
            for literal in clause {
                let var = literal.var();
                if !self.seen[var] && self.level[var] > 0 {
                    self.seen[var] = true;
                    self.raise(var);
                    if self.level[var] == here { open += 1 } else { learned.push(literal) }
                }
            }
            while !self.seen[self.trail[at - 1].var()] {
                at -= 1;
            }
            at -= 1;
            let literal = self.trail[at];
            self.seen[literal.var()] = false;
            open -= 1;
            if open == 0 {
                break !literal;
            }
            let reason = self.reason[literal.var()];
            clause = match reason {
                Some(id) => {
                    self.touch(id);
                    self.clauses[id].as_ref().map_or_else(Vec::new, |c| c.literals.clone())
                }
                None => Vec::new(),
            };
            clause.retain(|l| *l != literal);
        };
        learned[0] = asserting;
        let all: Vec<Var> = learned[1..].iter().map(|l| l.var()).collect();
        let mut kept: Vec<Lit> = learned[1..].iter().copied().filter(|l| !self.is_implied(*l)).collect();
        all.iter().for_each(|var| self.seen[*var] = false);
        kept.sort_by_key(|l| std::cmp::Reverse(self.level[l.var()]));
        kept.insert(0, asserting);
        kept
    }

    /// Whether the other literals of the learned clause (those `seen`) already force this one.
    fn is_implied(&self, literal: Lit) -> bool {
        let Some(id) = self.reason[literal.var()] else { return false };
        let Some(clause) = &self.clauses[id] else { return false };
        clause
            .literals
            .iter()
            .all(|l| l.var() == literal.var() || self.seen[l.var()] || self.level[l.var()] == 0)
    }

    /// The assumptions that made this one false.
    pub(super) fn core(&mut self, failed: Lit, assumptions: &[Lit]) -> Vec<Lit> {
        let mut needed = vec![false; self.level.len()];
        needed[failed.var()] = true;
        let mut core = vec![failed];
        for at in (0..self.trail.len()).rev() {
            let literal = self.trail[at];
            if !needed[literal.var()] || self.level[literal.var()] == 0 {
                continue;
            }
            match self.reason[literal.var()] {
                Some(id) => {
                    let literals = self.clauses[id].iter().flat_map(|c| &c.literals);
                    literals.for_each(|l| needed[l.var()] = true);
                }
                None if assumptions.contains(&literal) && literal != failed => core.push(literal),
                None => {}
            }
        }
        core
    }

    fn raise(&mut self, var: Var) {
        if self.order.raise(var, self.bump) > TOO_LARGE {
            self.order.scale(1.0 / TOO_LARGE);
            self.bump /= TOO_LARGE;
        }
    }

    pub(super) fn touch(&mut self, id: ClauseId) {
        let bump = self.clause_bump;
        if let Some(clause) = &mut self.clauses[id] {
            clause.activity += bump;
            if clause.activity > TOO_LARGE {
                self.clauses.iter_mut().flatten().for_each(|c| c.activity /= TOO_LARGE);
                self.clause_bump /= TOO_LARGE;
            }
        }
    }

    /// At the root, drops the less active half of the learned clauses, if there are too many.
    pub(super) fn forget(&mut self) {
        let given = self.clauses.len() - self.learned;
        if self.learned < 1000 + given / 2 {
            return;
        }
        let is_old = |c: &Clause| c.learned && c.literals.len() > 2;
        let mut activities: Vec<f64> =
            self.clauses.iter().flatten().filter(|c| is_old(c)).map(|c| c.activity).collect();
        activities.sort_by(f64::total_cmp);
        let Some(median) = activities.get(activities.len() / 2).copied() else { return };
        for id in 0..self.clauses.len() {
            let old = self.clauses[id].as_ref().is_some_and(|c| is_old(c) && c.activity < median);
            if old && !self.trail.iter().any(|l| self.reason[l.var()] == Some(id)) {
                self.clauses[id] = None;
                self.learned -= 1;
            }
        }
    }
}
