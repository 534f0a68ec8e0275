//! A small satisfiability solver: clause learning, the first unique implication point, two watched literals.
//!
//! The questions asked here have some hundreds of variables; there are no restarts and no clause is ever forgotten.

/// A variable and its sign: `2 * variable`, plus one if negated.
pub type Literal = u32;

#[derive(Clone, Debug, Default)]
pub struct Solver {
    clauses: Vec<Vec<Literal>>,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<u32>>,
    /// By variable.
    values: Vec<Option<bool>>,
    levels: Vec<u32>,
    reasons: Vec<Option<u32>>,
    activity: Vec<f64>,
    bump: f64,
    trail: Vec<Literal>,
    heights: Vec<usize>,
    head: usize,
    contradiction: bool,
}

pub fn negated(literal: Literal) -> Literal {
    literal ^ 1
}

impl Solver {
    pub fn variable(&mut self) -> Literal {
        let variable = self.values.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.values.push(None);
        self.levels.push(0);
        self.reasons.push(None);
        self.activity.push(0.0);
        2 * variable
    }

    pub fn value(&self, literal: Literal) -> Option<bool> {
        self.values[literal as usize / 2].map(|value| value != (literal & 1 == 1))
    }

    /// Adds a clause, before anything is decided.
    pub fn clause(&mut self, literals: &[Literal]) {
        let mut clause: Vec<Literal> = literals.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let tautology = clause.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if tautology || clause.iter().any(|l| self.value(*l) == Some(true)) {
            return;
        }
        clause.retain(|l| self.value(*l).is_none());
        match clause[..] {
            [] => self.contradiction = true,
            [only] => {
                self.assign(only, None);
                self.contradiction |= self.propagate().is_some();
            }
            _ => {
                self.attach(clause);
            }
        }
    }

    fn attach(&mut self, clause: Vec<Literal>) -> u32 {
        let number = self.clauses.len() as u32;
        for literal in &clause[..2] {
            self.watches[*literal as usize].push(number);
        }
        self.clauses.push(clause);
        number
    }

    fn assign(&mut self, literal: Literal, reason: Option<u32>) {
        let variable = literal as usize / 2;
        self.values[variable] = Some(literal & 1 == 0);
        self.levels[variable] = self.heights.len() as u32;
        self.reasons[variable] = reason;
        self.trail.push(literal);
    }

    /// Follows what is forced; a clause that is false.
    fn propagate(&mut self) -> Option<u32> {
        while let Some(literal) = self.trail.get(self.head).copied() {
            self.head += 1;
            let wrong = negated(literal);
            let mut kept = Vec::new();
            let mut watching = std::mem::take(&mut self.watches[wrong as usize]).into_iter();
            let mut conflict = None;
            for number in watching.by_ref() {
                if self.visit(number, wrong) {
                    continue;
                }
                kept.push(number);
                let first = self.clauses[number as usize][0];
                match self.value(first) {
                    None => self.assign(first, Some(number)),
                    Some(true) => {}
                    Some(false) => {
                        conflict = Some(number);
                        break;
                    }
                }
            }
            kept.extend(watching);
            self.watches[wrong as usize].extend(kept);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Lets a clause watch another literal than the one that became false; false if it has none.
    fn visit(&mut self, number: u32, wrong: Literal) -> bool {
        let clause = &mut self.clauses[number as usize];
        if clause[0] == wrong {
            clause.swap(0, 1);
        }
        let values = &self.values;
        let is = |l: Literal| values[l as usize / 2].map(|value| value != (l & 1 == 1));
        if is(clause[0]) == Some(true) {
            return false;
        }
        match (2..clause.len()).find(|at| is(clause[*at]) != Some(false)) {
            Some(at) => {
                clause.swap(1, at);
                self.watches[clause[1] as usize].push(number);
                true
            }
            None => false,
        }
    }

    /// Whether all clauses can be true; then `value` tells how.
    pub fn solve(&mut self) -> bool {
        self.bump = 1.0;
        while !self.contradiction {
            match self.propagate() {
                Some(_) if self.heights.is_empty() => return false,
                Some(conflict) => self.learn(conflict),
                None => {
                    let open = (0..self.values.len()).filter(|v| self.values[*v].is_none());
                    let best = open.max_by(|a, b| self.activity[*a].total_cmp(&self.activity[*b]));
                    let Some(variable) = best else { return true };
                    self.heights.push(self.trail.len());
                    self.assign(2 * variable as u32 + 1, None);
                }
            }
        }
        false
    }

    fn learn(&mut self, conflict: u32) {
        let level = self.heights.len() as u32;
        let mut seen = vec![false; self.values.len()];
        let mut learnt: Vec<Literal> = Vec::new();
        let mut open = 0;
        let mut clause = conflict;
        let mut at = self.trail.len();
        let pivot = loop {
            for literal in self.clauses[clause as usize].clone() {
                let variable = literal as usize / 2;
                if seen[variable] || self.levels[variable] == 0 || self.value(literal) == Some(true) {
                    continue;
                }
                seen[variable] = true;
                self.activity[variable] += self.bump;
                if self.levels[variable] == level {
                    open += 1;
                } else {
                    learnt.push(literal);
                }
            }
            loop {
                at -= 1;
                if seen[self.trail[at] as usize / 2] {
                    break;
                }
            }
            open -= 1;
            let literal = self.trail[at];
            match self.reasons[literal as usize / 2] {
                Some(reason) if open > 0 => clause = reason,
                _ => break literal,
            }
        };
        self.bump *= 1.05;
        if self.bump > 1e100 {
            self.activity.iter_mut().for_each(|a| *a *= 1e-100);
            self.bump *= 1e-100;
        }
        learnt.sort_by_key(|l| std::cmp::Reverse(self.levels[*l as usize / 2]));
        let back = learnt.first().map_or(0, |l| self.levels[*l as usize / 2]);
        self.undo(back as usize);
        learnt.insert(0, negated(pivot));
        let reason = if learnt.len() > 1 { Some(self.attach(learnt)) } else { None };
        self.assign(negated(pivot), reason);
    }

    /// Takes back all decisions, so that clauses can be added.
    pub fn restart(&mut self) {
        if !self.heights.is_empty() {
            self.undo(0);
        }
    }

    fn undo(&mut self, level: usize) {
        let height = self.heights[level];
        for literal in self.trail.drain(height..) {
            self.values[literal as usize / 2] = None;
        }
        self.heights.truncate(level);
        self.head = height;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All clause sets of a simple generator over six variables, against trying all assignments.
    #[test]
    fn agrees_with_trying_everything() {
        let mut seed = 1_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2_000 {
            let count = 5 + random(26);
            let clauses: Vec<Vec<Literal>> =
                (0..count).map(|_| (0..1 + random(3)).map(|_| random(12) as Literal).collect()).collect();
            let holds = |assignment: u32| {
                let is = |l: &Literal| (assignment >> (l / 2) & 1 == 1) != (l & 1 == 1);
                clauses.iter().all(|clause| clause.iter().any(is))
            };
            let expected = (0..64).any(holds);
            let mut solver = Solver::default();
            for _ in 0..6 {
                solver.variable();
            }
            clauses.iter().for_each(|clause| solver.clause(clause));
            assert_eq!(solver.solve(), expected, "{clauses:?}");
            if expected {
                let found = (0..6).filter(|v| solver.value(2 * v) == Some(true)).fold(0, |a, v| a | 1 << v);
                assert!(holds(found), "{clauses:?}");
            }
        }
    }
}
