//! Cheap, incomplete tests on formulas in negation normal form: does one imply another at every
//! position, and does its truth only spread to earlier or to later positions?
//!
//! The rules are the syntactic implications of Etessami and Holzmann (2000) and of Somenzi and
//! Bloem (2000), and the pure eventualities and universalities of the former, with their mirrors in
//! the past. "No" means only that no rule says yes.

use super::normal::negated;
use super::{Binary, Formula, Unary};

use {Binary::*, Formula as F, Unary::*};

/// How many pairs of subformulas one question may look at.
const FUEL: u32 = 2000;

/// Wherever `a` is true, so is `b`, by some rule.
pub fn implies<A: PartialEq>(a: &Formula<A>, b: &Formula<A>) -> bool {
    Search { fuel: FUEL }.implies(a, b)
}

/// `a` and `b` are nowhere true together, by some rule.
pub fn excludes<A: Clone + PartialEq>(a: &Formula<A>, b: &Formula<A>) -> bool {
    implies(a, &negated(b)) || implies(b, &negated(a))
}

/// One of `a` and `b` is true everywhere, by some rule.
pub fn covers<A: Clone + PartialEq>(a: &Formula<A>, b: &Formula<A>) -> bool {
    implies(&negated(a), b) || implies(&negated(b), a)
}

/// If it is true somewhere, it is true at every earlier position: `F p`, `H p`.
pub(crate) fn is_eventual<A>(formula: &Formula<A>) -> bool {
    match formula {
        F::Constant(_) | F::Unary(Eventually | Historically, _) => true,
        F::Atom(_) | F::Unary(Not | Previous, _) => false,
        F::Unary(Next | Always | WeakPrevious | Once, a) => is_eventual(a),
        F::Binary(Until | Trigger, _, b) if is_eventual(b) => true,
        F::Binary(And | Or | Until | WeakUntil | Release | StrongRelease, a, b) => {
            is_eventual(a) && is_eventual(b)
        }
        F::Binary(..) => false,
    }
}

/// If it is true somewhere, it is true at every later position: `G p`, `O p`.
pub(crate) fn is_universal<A>(formula: &Formula<A>) -> bool {
    match formula {
        F::Constant(_) | F::Unary(Always | Once, _) => true,
        F::Atom(_) | F::Unary(Not | WeakPrevious, _) => false,
        F::Unary(Next | Eventually | Previous | Historically, a) => is_universal(a),
        F::Binary(Release | Since, _, b) if is_universal(b) => true,
        F::Binary(And | Or | Until | WeakUntil | Release | StrongRelease, a, b) => {
            is_universal(a) && is_universal(b)
        }
        F::Binary(..) => false,
    }
}

/// It has the same truth at all positions of a word: `G F p`.
pub(crate) fn is_timeless<A>(formula: &Formula<A>) -> bool {
    is_eventual(formula) && is_universal(formula)
}

struct Search {
    fuel: u32,
}

impl Search {
    fn implies<A: PartialEq>(&mut self, a: &F<A>, b: &F<A>) -> bool {
        if a == b || *a == F::FALSE || *b == F::TRUE {
            return true;
        }
        if self.fuel == 0 {
            return false;
        }
        self.fuel -= 1;
        match (a, b) {
            (F::Binary(Or, x, y), _) => self.implies(x, b) && self.implies(y, b),
            (_, F::Binary(And, x, y)) => self.implies(a, x) && self.implies(a, y),
            _ => self.weaken(a, b) || self.strengthen(a, b) || self.together(a, b),
        }
    }

    /// Something that follows from `a` implies `b`.
    fn weaken<A: PartialEq>(&mut self, a: &F<A>, b: &F<A>) -> bool {
        match a {
            F::Binary(And, x, y) => self.implies(x, b) || self.implies(y, b),
            F::Unary(Always | Historically, x) => self.implies(x, b),
            F::Unary(Eventually | Next, x) => is_eventual(b) && self.implies(x, b),
            F::Unary(Once | Previous, x) => is_universal(b) && self.implies(x, b),
            F::Binary(op @ (Until | WeakUntil | Since | BackTo), x, y) => {
                let comes = match op {
                    Until => is_eventual(b),
                    Since => is_universal(b),
                    _ => false,
                };
                self.implies(y, b) && (comes || self.implies(x, b))
            }
            F::Binary(StrongRelease, x, y) => self.implies(y, b) || is_eventual(b) && self.implies(x, b),
            F::Binary(Release | Trigger, _, y) => self.implies(y, b),
            _ => false,
        }
    }

    /// `a` implies something from which `b` follows.
    fn strengthen<A: PartialEq>(&mut self, a: &F<A>, b: &F<A>) -> bool {
        match b {
            F::Binary(Or, x, y) => self.implies(a, x) || self.implies(a, y),
            F::Unary(Eventually | Once, x) => self.implies(a, x),
            F::Unary(Always | Next, x) => is_universal(a) && self.implies(a, x),
            F::Unary(Historically | WeakPrevious, x) => is_eventual(a) && self.implies(a, x),
            F::Binary(op @ (Until | WeakUntil | Since | BackTo), x, y) => {
                let stays = match op {
                    WeakUntil => is_universal(a),
                    BackTo => is_eventual(a),
                    _ => false,
                };
                self.implies(a, y) || stays && self.implies(a, x)
            }
            F::Binary(op @ (Release | StrongRelease | Trigger), x, y) => {
                let stays = match op {
                    Release => is_universal(a),
                    Trigger => is_eventual(a),
                    _ => false,
                };
                self.implies(a, y) && (stays || self.implies(a, x))
            }
            _ => false,
        }
    }

    /// Both are of one kind, and their operands imply each other.
    fn together<A: PartialEq>(&mut self, a: &F<A>, b: &F<A>) -> bool {
        match (a, b) {
            (F::Unary(Next, x), F::Unary(Next, y))
            | (F::Unary(Previous, x), F::Unary(Previous | WeakPrevious, y))
            | (F::Unary(WeakPrevious, x), F::Unary(WeakPrevious, y)) => self.implies(x, y),
            _ => match (Wait::of(a), Wait::of(b)) {
                (Some(a), Some(b)) => self.waits(&a, &b),
                _ => false,
            },
        }
    }

    fn waits<A: PartialEq>(&mut self, a: &Wait<A>, b: &Wait<A>) -> bool {
        (a.past == b.past)
            && (a.strong || !b.strong)
            && self.implies(a.hold, b.hold)
            && b.goal.iter().all(|goal| a.goal.iter().any(|mine| self.implies(mine, goal)))
    }
}

/// What U, W, R, M, S, B, T have in common: something holds until (since) a goal, which must come
/// if the wait is strong. The goal is a conjunction.
struct Wait<'a, A> {
    past: bool,
    strong: bool,
    hold: &'a F<A>,
    goal: Vec<&'a F<A>>,
}

impl<'a, A> Wait<'a, A> {
    fn of(formula: &'a F<A>) -> Option<Wait<'a, A>> {
        let F::Binary(op, x, y) = formula else { return None };
        let (hold, goal): (&F<A>, Vec<&F<A>>) = match op {
            Until | WeakUntil | Since | BackTo => (x, vec![y]),
            Release | StrongRelease | Trigger => (y, vec![x, y]),
            And | Or | Implies | Iff | Entails => return None,
        };
        let past = matches!(op, Since | BackTo | Trigger);
        Some(Wait { past, strong: matches!(op, Until | StrongRelease | Since), hold, goal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ltl::normal::normal_form;
    use crate::ltl::random::{self, Random, Shape};
    use crate::ltl::semantics::truth;

    fn values(formula: &F<usize>, word: &crate::ltl::Lasso<u64>) -> Vec<bool> {
        let truth = truth(formula, word, |p, letter| letter >> p & 1 == 1);
        (0..40).map(|position| truth.at(position)).collect()
    }

    /// Small formulas over few atoms, so that many pairs are related.
    #[test]
    fn what_is_said_to_follow_follows() {
        let mut random = Random::new(11);
        let shape = Shape { size: 6, propositions: 2, ..Shape::default() };
        let (mut yes, mut excluded, mut covered) = (0, 0, 0);
        for _ in 0..60_000 {
            let a = normal_form(&random::formula(&mut random, &shape));
            let b = normal_form(&random::formula(&mut random, &shape));
            let word = random::lasso(&mut random, 2, 3, 3);
            let (va, vb) = (values(&a, &word), values(&b, &word));
            let mut pairs = va.iter().zip(&vb);
            if implies(&a, &b) {
                yes += 1;
                assert!(pairs.clone().all(|(a, b)| !a || *b), "{a:?} -> {b:?} on {word:?}");
            }
            if excludes(&a, &b) {
                excluded += 1;
                assert!(pairs.clone().all(|(a, b)| !a || !b), "{a:?} excludes {b:?} on {word:?}");
            }
            if covers(&a, &b) {
                covered += 1;
                assert!(pairs.all(|(a, b)| *a || *b), "{a:?} covers {b:?} on {word:?}");
            }
        }
        assert!(yes > 3000 && excluded > 3000 && covered > 3000, "{yes} {excluded} {covered}");
    }

    #[test]
    fn truth_spreads_as_said() {
        let mut random = Random::new(12);
        let shape = Shape { size: 6, propositions: 2, ..Shape::default() };
        let (mut eventual, mut universal) = (0, 0);
        for _ in 0..30_000 {
            let a = normal_form(&random::formula(&mut random, &shape));
            let values = values(&a, &random::lasso(&mut random, 2, 3, 3));
            if is_eventual(&a) {
                eventual += 1;
                assert!(values.windows(2).all(|pair| pair[0] || !pair[1]), "{a:?}");
            }
            if is_universal(&a) {
                universal += 1;
                assert!(values.windows(2).all(|pair| !pair[0] || pair[1]), "{a:?}");
            }
        }
        assert!(eventual > 3000 && universal > 3000, "{eventual} {universal}");
    }
}
