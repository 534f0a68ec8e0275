//! Satisfiability of clauses modulo theories: conflict-driven clause learning after MiniSat (Eén and Sörensson 2003),
//! with a theory that sees literals as they become true.
//!
//! Two watched literals, first unique implication points, activities with a heap, saved phases, Luby restarts, deletion
//! of learned clauses by activity. The theory is asked after every fixpoint of unit propagation ([`Theory::assign`])
//! and once everything is assigned ([`Theory::complete`]), where it may add clauses and new variables; the search then
//! starts again from the root with its phases kept. Assumptions are decided first, and a failure tells which
//! of them were used.

use super::heap::Heap;

/// A variable with a sign; the lowest bit says that it is negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(u32);

pub type Var = usize;

impl Lit {
    pub const FIRST: Lit = Lit(0);

    pub fn new(var: Var, positive: bool) -> Lit {
        Lit((var as u32) << 1 | u32::from(!positive))
    }

    pub fn var(self) -> Var {
        (self.0 >> 1) as usize
    }

    pub fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// What the theory thinks of an assignment.
pub enum Verdict {
    Consistent,
    /// These literals are all true and contradict each other.
    Conflict(Vec<Lit>),
}

/// What the theory thinks of a complete assignment.
pub enum Completion {
    /// It is a model.
    Model,
    Conflict(Vec<Lit>),
    /// There are clauses or variables that the assignment does not know yet; [`Theory::clauses`] has them.
    More,
    /// The theory cannot tell.
    Unknown(String),
}

pub trait Theory {
    /// Literals have become true, in this order.
    fn assign(&mut self, literals: &[Lit]) -> Verdict;
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
    Satisfiable,
    /// With these of the assumptions.
    Unsatisfiable(Vec<Lit>),
    Unknown(String),
}

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
pub struct Sat {
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

const DECAY: f64 = 0.95;
const CLAUSE_DECAY: f64 = 0.999;
const RESTART: u64 = 100;
const ROUND: u64 = 25;
const TOO_LARGE: f64 = 1e100;

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

    /// Unit propagation; the clause that became false, if one did.
    fn propagate(&mut self) -> Option<ClauseId> {
        while self.propagated < self.trail.len() {
            let falsified = !self.trail[self.propagated];
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            let mut kept = 0;
            let mut conflict = None;
            let mut at = 0;
            while at < watches.len() {
                let watch = watches[at];
                at += 1;
                if conflict.is_some() || self.value(watch.blocker) == Some(true) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                match self.visit(watch.clause, falsified) {
                    Visit::Gone | Visit::Moved => {}
                    Visit::True(blocker) => {
                        watches[kept] = Watch { blocker, ..watch };
                        kept += 1;
                    }
                    Visit::Unit(literal) => {
                        watches[kept] = watch;
                        kept += 1;
                        match self.value(literal) {
                            None => self.assign(literal, Some(watch.clause)),
                            _ => conflict = Some(watch.clause),
                        }
                    }
                }
            }
            watches.truncate(kept);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// A watched literal of the clause became false.
    fn visit(&mut self, id: ClauseId, falsified: Lit) -> Visit {
        let values = &self.values;
        let value = |l: Lit| values[l.var()].map(|value| value == l.is_positive());
        let Some(clause) = &mut self.clauses[id] else { return Visit::Gone };
        let literals = &mut clause.literals;
        if literals[0] == falsified {
            literals.swap(0, 1);
        }
        let first = literals[0];
        if value(first) == Some(true) {
            return Visit::True(first);
        }
        for at in 2..literals.len() {
            if value(literals[at]) != Some(false) {
                literals.swap(1, at);
                let watched = literals[1];
                self.watches[watched.index()].push(Watch { clause: id, blocker: first });
                return Visit::Moved;
            }
        }
        Visit::Unit(first)
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
            if let Some(conflict) = self.consequences(theory) {
                if !self.resolve(conflict, theory) {
                    return Outcome::Unsatisfiable(Vec::new());
                }
                if !may_go_on(self.conflicts) {
                    return Outcome::Unknown("too many conflicts".to_owned());
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
                    Completion::More if !may_go_on(self.conflicts) => {
                        return Outcome::Unknown("too many conflicts".to_owned());
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
        let verdict = theory.assign(news);
        self.told = self.trail.len();
        match verdict {
            Verdict::Consistent => None,
            Verdict::Conflict(literals) => Some(literals.iter().map(|l| !*l).collect()),
        }
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

    /// Learns from a clause that is false, and goes back; false if there is nowhere to go back to.
    fn resolve(&mut self, conflict: Vec<Lit>, theory: &mut impl Theory) -> bool {
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

    /// The clause of the first unique implication point; its first literal is the one to assert, and the second has
    /// the highest level of the rest.
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
    fn core(&mut self, failed: Lit, assumptions: &[Lit]) -> Vec<Lit> {
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

    fn touch(&mut self, id: ClauseId) {
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
    fn forget(&mut self) {
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

enum Visit {
    Gone,
    True(Lit),
    Moved,
    Unit(Lit),
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

    /// No theory: all clauses at the start, every assignment is a model.
    struct Clauses {
        clauses: Vec<Vec<Lit>>,
        phases: Vec<bool>,
    }

    impl Theory for Clauses {
        fn assign(&mut self, _: &[Lit]) -> Verdict {
            Verdict::Consistent
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

    fn holds(clauses: &[Vec<Lit>], assumed: &[Lit], bits: usize) -> bool {
        let is = |l: &Lit| (bits >> l.var() & 1 == 1) == l.is_positive();
        clauses.iter().all(|clause| clause.iter().any(is)) && assumed.iter().all(is)
    }

    /// Trying all assignments is the definition; a core must be enough by itself.
    #[test]
    fn agrees_with_trying_all_assignments() {
        let mut seed = 7u64;
        let mut below = |limit: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % limit) as usize
        };
        let mut answers = [0, 0];
        for _ in 0..400 {
            let variables = 4 + below(7);
            let mut literal = |_| Lit::new(below(variables as u64), below(2) == 0);
            let clauses: Vec<Vec<Lit>> =
                (0..4 * variables).map(|_| (0..3).map(&mut literal).collect()).collect();
            let mut sat = Sat::new();
            let mut theory = Clauses { clauses: clauses.clone(), phases: vec![false; variables] };
            // The same clauses under several assumptions, one after the other.
            for _ in 0..3 {
                let assumed: Vec<Lit> = (0..3).map(&mut literal).collect();
                let possible = (0..1 << variables).any(|bits| holds(&clauses, &assumed, bits));
                match sat.solve(&assumed, &mut theory, &mut |_| true) {
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
