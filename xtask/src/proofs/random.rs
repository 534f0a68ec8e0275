//! Random systems: each seed has its own mixture, so that every construct of the front end comes
//! up.

use super::model::*;
use crate::generate::rng::Rng;

pub fn system(seed: u64) -> System {
    let mut maker = Maker {
        rng: Rng::new(seed ^ 0x5eed),
        system: System::default(),
        in_family: false,
        depth: 1,
        in_claim: false,
        risk: Risk::All,
    };
    maker.rng.next();
    maker.make();
    maker.system
}

pub(super) struct Maker {
    pub(super) rng: Rng,
    pub(super) system: System,
    /// Whether there is an index.
    pub(super) in_family: bool,
    /// Which index a quantifier binds: in programs the first is that of the process.
    pub(super) depth: usize,
    /// Whether a formula outside of the program is made.
    pub(super) in_claim: bool,
    pub(super) risk: Risk,
}

/// What may have no value. If one mistake alone is in a system, no other hides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Risk {
    /// Anything, anywhere.
    All,
    /// Anything, in formulas outside of the program.
    Claims,
    /// One of these, in the program: an index (or an argument) outside, a divisor that is zero,
    /// a list that is empty, a value outside of its range.
    Index,
    Divisor,
    List,
    Range,
}

impl Maker {
    fn make(&mut self) {
        let risks = [Risk::All, Risk::Claims, Risk::Index, Risk::Divisor, Risk::List, Risk::Range];
        self.risk = risks[self.weighted(&[30, 26, 16, 6, 10, 12])];
        self.variables();
        if self.rng.chance(12) {
            let value = self.rng.between(0, 3);
            let relations = [Relation::Equal, Relation::LessEqual];
            let relation = *self.rng.pick(&relations).unwrap_or(&Relation::Equal);
            let test = Test::Compare(relation, Num::Lit(value), Num::Constant);
            self.system.constant = Some((test, value));
        }
        if self.rng.chance(10) {
            self.system.table = Some([0; 3].map(|_| self.rng.between(-1, 3)));
        }
        if self.rng.chance(40) && !self.has_communication() {
            self.transitions();
        } else {
            self.threads();
        }
        (self.in_family, self.depth, self.in_claim) = (false, 0, true);
        if self.rng.chance(10) {
            self.beginning();
        }
        if self.rng.chance(20) {
            let test = self.assertion(2);
            self.system.axiom = Some(test);
        }
        if self.rng.chance(25) {
            self.functions();
        }
        for _ in 0..3 + self.rng.below(3) {
            let claim = self.claim();
            self.system.claims.push(claim);
        }
        self.system.macros = self.rng.chance(30);
        if self.rng.chance(35) {
            self.labels_in_statements();
        }
    }

    /// Whether something may be without a value here for this reason.
    pub(super) fn dares(&self, risk: Risk) -> bool {
        match self.risk {
            Risk::All => true,
            Risk::Claims => self.in_claim,
            one => one == risk && !self.in_claim,
        }
    }

    fn has_communication(&self) -> bool {
        !self.vars(|k| matches!(k, Kind::Channel(..) | Kind::Channels(..))).is_empty()
    }

    /// A condition on the beginning, about the data alone.
    fn beginning(&mut self) {
        let threads = std::mem::take(&mut self.system.threads);
        self.system.initially = Some(self.test(1));
        self.system.threads = threads;
    }

    /// Axioms about functions of numbers in the state, which may contradict each other in some
    /// reachable state.
    fn functions(&mut self) {
        let integers = self.vars(|kind| matches!(kind, Kind::Range(..) | Kind::Int));
        let name = |v: &Var| self.system.variables[*v].name.clone();
        let names: Vec<String> = integers.iter().map(name).collect();
        for _ in 0..1 + self.rng.below(3) {
            let Some(x) = self.rng.pick(&names).cloned() else { return };
            let y = self.rng.pick(&names).cloned().unwrap_or_else(|| x.clone());
            let (a, b) = (self.rng.between(-1, 2), self.rng.between(-1, 3));
            let axiom = match self.rng.below(9) {
                0 => format!("[](f({x}) = {x})"),
                1 => format!("[]({x} > {a} --> f({x}) = {b})"),
                2 => format!("[](f({x}) >= {x} /\\ f({x}) <= {b})"),
                3 => format!("f({a}) = {b}"),
                4 => format!("Forall n:int. f(n) >= {a}"),
                5 => format!("Forall n:int. n > {a} --> f(n) = n + {b}"),
                6 => format!("[](g({x}, {y}) >= {x} /\\ g({x}, {y}) >= {y})"),
                7 => format!("[](g({x}, {y}) > g({y}, {x}))"),
                _ => format!("[](g({x}, {y}) <= {b})"),
            };
            self.system.functions.push(axiom);
        }
    }

    pub(super) fn weighted(&mut self, weights: &[usize]) -> usize {
        let each = weights.iter().copied().enumerate().map(|(n, w)| (w, n));
        let all: Vec<(usize, usize)> = each.collect();
        self.rng.weighted(&all).unwrap_or(0)
    }

    pub(super) fn vars(&self, fits: impl Fn(&Kind) -> bool) -> Vec<Var> {
        (0..self.system.variables.len()).filter(|v| fits(&self.system.variables[*v].kind)).collect()
    }

    pub(super) fn pick(&mut self, fits: impl Fn(&Kind) -> bool) -> Option<Var> {
        let all = self.vars(fits);
        self.rng.pick(&all).copied()
    }

    pub(super) fn is_number(kind: &Kind) -> bool {
        matches!(kind, Kind::Range(..) | Kind::Int | Kind::Real)
    }

    pub(super) fn is_whole(kind: &Kind) -> bool {
        matches!(kind, Kind::Range(..) | Kind::Int)
    }

    fn claim(&mut self) -> Claim {
        if self.rng.chance(14) {
            // Under a rigid index, which tests speak of as that of a family.
            (self.in_family, self.depth) = (true, 1);
            let claim = self.temporal();
            (self.in_family, self.depth) = (false, 0);
            return Claim::Each(Bounds(0, 1), Box::new(claim));
        }
        self.temporal()
    }

    fn temporal(&mut self) -> Claim {
        let d = 1;
        match self.rng.below(16) {
            0..=6 => Claim::Always(self.assertion(2)),
            7 => Claim::First(self.assertion(d)),
            8 | 9 => {
                let length = 2 + self.rng.below(2);
                Claim::Waits(self.assertion(d), (0..length).map(|_| self.assertion(d)).collect())
            }
            10 => Claim::Leads(self.assertion(d), self.assertion(d)),
            11 => Claim::Comes(self.assertion(d)),
            12 => Claim::Next(self.assertion(d), self.assertion(d)),
            _ => {
                let past = match self.rng.below(6) {
                    0 => Past::Once(self.assertion(d)),
                    1 => Past::Always(self.assertion(d)),
                    2 => Past::Before(self.assertion(d)),
                    3 => Past::WeakBefore(self.assertion(d)),
                    4 => Past::Since(self.assertion(d), self.assertion(d)),
                    _ => Past::BackTo(self.assertion(d), self.assertion(d)),
                };
                Claim::Past(self.assertion(d), past)
            }
        }
    }
}
