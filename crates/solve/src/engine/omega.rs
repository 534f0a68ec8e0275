//! Linear arithmetic over integers and reals, decided for good: the Omega test (Pugh 1991) after
//! Fourier and Motzkin's elimination of the reals.
//!
//! Slower than simplex with branching, and complete: the theory comes here when branching does not
//! end. Equations are solved by Euclid's algorithm on their coefficients (a change of variables
//! that is its own inverse over the integers, instead of Pugh's symmetric remainders). A variable
//! is then eliminated from inequalities: exactly if one side of its bounds has coefficients of one;
//! otherwise by the dark shadow, and if that is empty and the real shadow is not, by splinters.
//! Going back, every eliminated variable gets a value between its bounds.

use super::linear::{ArithVar, Linear};
use super::rational::{Rational, content};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Zero,
    /// Not negative.
    AtLeast,
    Positive,
}

#[derive(Clone, Debug)]
pub struct Constraint {
    pub left: Linear,
    pub relation: Relation,
}

pub(crate) type Values = BTreeMap<ArithVar, Rational>;

/// The budget was not enough.
#[derive(Debug, PartialEq, Eq)]
pub struct TooHard;

pub(crate) struct Omega<'a> {
    pub(crate) is_int: &'a dyn Fn(ArithVar) -> bool,
    /// Eliminations that are still allowed.
    pub(crate) budget: usize,
    /// Variables from here on are ours; they are integers.
    pub next: ArithVar,
    first: ArithVar,
}

type Found = Result<Option<Values>, TooHard>;

/// What is left of a constraint that is looked at alone.
enum Reduced {
    True,
    False,
    Open(Constraint),
}

impl<'a> Omega<'a> {
    pub fn new(is_int: &'a dyn Fn(ArithVar) -> bool, next: ArithVar, budget: usize) -> Omega<'a> {
        Omega { is_int, budget, next, first: next }
    }

    fn is_integer(&self, var: ArithVar) -> bool {
        var >= self.first || (self.is_int)(var)
    }

    /// Values that satisfy all constraints, if there are any. Variables that are missing may be
    /// zero.
    pub fn solve(&mut self, constraints: Vec<Constraint>) -> Found {
        self.budget = self.budget.checked_sub(1 + constraints.len() / 16).ok_or(TooHard)?;
        let mut strongest = Strongest::default();
        for constraint in constraints {
            match self.reduce(constraint) {
                Reduced::True => {}
                Reduced::False => return Ok(None),
                Reduced::Open(constraint) => strongest.add(constraint),
            }
        }
        let Some(open) = strongest.constraints() else { return Ok(None) };
        if let Some(at) = open.iter().position(|c| c.relation == Relation::Zero) {
            return self.equation(open, at);
        }
        let variables: BTreeSet<ArithVar> = open.iter().flat_map(|c| c.left.terms.keys().copied()).collect();
        let reals: BTreeSet<ArithVar> =
            variables.iter().copied().filter(|var| !self.is_integer(*var)).collect();
        let first = if reals.is_empty() { variables } else { reals };
        match self.best(&open, &first) {
            None => Ok(Some(Values::new())),
            Some(var) => self.eliminate(open, var),
        }
    }

    /// In lowest terms, tightened if all its variables are integers.
    fn reduce(&self, mut constraint: Constraint) -> Reduced {
        let left = &mut constraint.left;
        if left.terms.is_empty() {
            let holds = match constraint.relation {
                Relation::Zero => left.constant.is_zero(),
                Relation::AtLeast => !left.constant.is_negative(),
                Relation::Positive => left.constant.is_positive(),
            };
            return if holds { Reduced::True } else { Reduced::False };
        }
        left.scale(&content(left.terms.values()).inverse());
        if left.terms.keys().all(|var| self.is_integer(*var)) {
            match constraint.relation {
                Relation::Zero if !left.constant.is_integer() => return Reduced::False,
                Relation::Zero => {}
                Relation::AtLeast => left.constant = left.constant.floor(),
                Relation::Positive => {
                    // e + c > 0 is e + ceil(c) - 1 >= 0.
                    left.constant = &-&(-&left.constant).floor() - &Rational::ONE;
                    constraint.relation = Relation::AtLeast;
                }
            }
        }
        Reduced::Open(constraint)
    }

    /// Solves one equation for a variable and puts the solution into the others.
    fn equation(&mut self, mut constraints: Vec<Constraint>, at: usize) -> Found {
        let equation = constraints.swap_remove(at).left;
        let real = equation.terms.keys().copied().find(|var| !self.is_integer(*var));
        let smallest = || equation.terms.iter().min_by_key(|(_, c)| magnitude(c)).map(|(var, _)| *var);
        let Some(var) = real.or_else(smallest) else { return self.solve(constraints) };
        let coefficient = equation.terms[&var].clone();
        let mut solution = equation.clone();
        solution.terms.remove(&var);
        if real.is_some() || magnitude(&coefficient) == Rational::ONE {
            solution.scale(&-&coefficient.inverse());
        } else {
            // x = t - Σ floor(aᵢ/a) xᵢ - floor(c/a), and the equation stays, with smaller
            // coefficients.
            let inverse = coefficient.inverse();
            solution.scale(&-&inverse);
            let up = |c: &Rational| -&(-c).floor();
            solution.constant = up(&solution.constant);
            solution.terms.values_mut().for_each(|c| *c = up(c));
            solution.terms.retain(|_, c| !c.is_zero());
            solution.add_term(self.next, &Rational::ONE);
            self.next += 1;
            // In front: one equation is solved to the end before the next, or they undo each
            // other's work.
            constraints.insert(0, Constraint { left: equation, relation: Relation::Zero });
        }
        constraints.iter_mut().for_each(|c| put(&mut c.left, var, &solution));
        let values = self.solve(constraints)?;
        Ok(values.map(|mut values| {
            let value = solution.value(|v| values.get(&v).cloned().unwrap_or(Rational::ZERO));
            values.insert(var, value);
            values
        }))
    }

    /// The variable whose elimination is exact, or else makes the fewest constraints.
    fn best(&self, constraints: &[Constraint], variables: &BTreeSet<ArithVar>) -> Option<ArithVar> {
        variables.iter().copied().min_by_key(|var| {
            let coefficients = || constraints.iter().filter_map(|c| c.left.terms.get(var));
            let lower = coefficients().filter(|c| c.is_positive()).count();
            let upper = coefficients().filter(|c| c.is_negative()).count();
            (!is_exact(constraints, *var), lower * upper, *var)
        })
    }

    fn eliminate(&mut self, constraints: Vec<Constraint>, var: ArithVar) -> Found {
        let (bounds, rest): (Vec<_>, Vec<_>) =
            constraints.into_iter().partition(|c| c.left.terms.contains_key(&var));
        let (lower, upper): (Vec<_>, Vec<_>) =
            bounds.into_iter().partition(|c| c.left.terms[&var].is_positive());
        self.budget = self.budget.checked_sub(lower.len() * upper.len() / 4).ok_or(TooHard)?;
        if !self.is_integer(var) {
            let found = self.solve([rest, shadow(&lower, &upper, var, false)].concat())?;
            return Ok(found.map(|values| between(values, &lower, &upper, var, false)));
        }
        let exact = is_exact(&[&lower[..], &upper[..]].concat(), var);
        let dark = self.solve([rest.clone(), shadow(&lower, &upper, var, !exact)].concat())?;
        if let Some(values) = dark {
            return Ok(Some(between(values, &lower, &upper, var, true)));
        }
        if exact || self.solve([rest.clone(), shadow(&lower, &upper, var, false)].concat())?.is_none() {
            return Ok(None);
        }
        self.splinters(&rest, &lower, &upper, var)
    }

    /// A solution outside of the dark shadow lies close above some lower bound.
    fn splinters(
        &mut self,
        rest: &[Constraint],
        lower: &[Constraint],
        upper: &[Constraint],
        var: ArithVar,
    ) -> Found {
        let largest = upper.iter().map(|c| -&c.left.terms[&var]).max().unwrap_or(Rational::ONE);
        for bound in lower {
            let a = &bound.left.terms[&var];
            // a·x + α = i, for i up to (a·b - a - b) / b.
            let last = (&(&(&(a * &largest) - a) - &largest) * &largest.inverse()).floor();
            let mut i = Rational::ZERO;
            while i <= last {
                let mut left = bound.left.clone();
                left.constant = &left.constant - &i;
                let here = Constraint { left, relation: Relation::Zero };
                let all = [rest, lower, upper, &[here]].concat();
                if let Some(values) = self.solve(all)? {
                    return Ok(Some(values));
                }
                i = &i + &Rational::ONE;
            }
        }
        Ok(None)
    }
}

/// Constraints without those that others make superfluous: for the same left sides only the
/// strongest remains.
#[derive(Default)]
struct Strongest {
    equations: Vec<Constraint>,
    bounds: BTreeMap<BTreeMap<ArithVar, Rational>, (Rational, Relation)>,
}

impl Strongest {
    fn add(&mut self, constraint: Constraint) {
        if constraint.relation == Relation::Zero {
            self.equations.push(constraint);
            return;
        }
        let new = (constraint.left.constant, constraint.relation);
        // A smaller constant is stronger; of equal ones the strict.
        let rank =
            |(constant, relation): &(Rational, Relation)| (constant.clone(), *relation == Relation::AtLeast);
        let entry = self.bounds.entry(constraint.left.terms).or_insert_with(|| new.clone());
        if rank(&new) < rank(entry) {
            *entry = new;
        }
    }

    /// None if two of them leave nothing between them; an equation if they leave one value.
    fn constraints(mut self) -> Option<Vec<Constraint>> {
        let mut found = std::mem::take(&mut self.equations);
        for (terms, (constant, relation)) in &self.bounds {
            let opposite: BTreeMap<ArithVar, Rational> = terms.iter().map(|(v, c)| (*v, -c)).collect();
            let left = Linear { constant: constant.clone(), terms: terms.clone() };
            if let Some((other, other_relation)) = self.bounds.get(&opposite) {
                let room = constant + other;
                let strict = [relation, other_relation].contains(&&Relation::Positive);
                if room.is_negative() || (room.is_zero() && strict) {
                    return None;
                }
                if room.is_zero() {
                    found.push(Constraint { left, relation: Relation::Zero });
                    continue;
                }
            }
            found.push(Constraint { left, relation: *relation });
        }
        Some(found)
    }
}

fn magnitude(c: &Rational) -> Rational {
    if c.is_negative() { -c } else { c.clone() }
}

fn is_exact(constraints: &[Constraint], var: ArithVar) -> bool {
    let one = |positive: bool| {
        let mut coefficients =
            constraints.iter().filter_map(|c| c.left.terms.get(&var)).filter(|c| c.is_positive() == positive);
        coefficients.all(|c| magnitude(c) == Rational::ONE)
    };
    one(true) || one(false)
}

/// Puts a solution in the place of a variable.
fn put(left: &mut Linear, var: ArithVar, solution: &Linear) {
    if let Some(coefficient) = left.terms.remove(&var) {
        left.add(&coefficient, solution);
    }
}

/// What lower and upper bounds together say without the variable: a·x + α ≥ 0 and -b·x + β ≥ 0 make
/// a·β + b·α ≥ 0, and in the dark shadow at least (a - 1)(b - 1).
fn shadow(lower: &[Constraint], upper: &[Constraint], var: ArithVar, dark: bool) -> Vec<Constraint> {
    let mut made = Vec::new();
    for low in lower {
        for high in upper {
            let (a, b) = (low.left.terms[&var].clone(), -&high.left.terms[&var]);
            let mut left = Linear::constant(Rational::ZERO);
            left.add(&a, &high.left);
            left.add(&b, &low.left);
            if dark {
                let more = &(&a - &Rational::ONE) * &(&b - &Rational::ONE);
                left.constant = &left.constant - &more;
            }
            let strict = [low, high].iter().any(|c| c.relation == Relation::Positive);
            made.push(Constraint {
                left,
                relation: if strict { Relation::Positive } else { Relation::AtLeast },
            });
        }
    }
    made
}

/// Gives the variable a value between its bounds, which are known to leave one.
fn between(
    mut values: Values,
    lower: &[Constraint],
    upper: &[Constraint],
    var: ArithVar,
    integer: bool,
) -> Values {
    // The bound on the variable that a constraint makes under the values.
    let bound = |c: &Constraint| {
        let mut rest = c.left.clone();
        let coefficient = rest.terms.remove(&var).unwrap_or(Rational::ONE);
        &rest.value(|v| values.get(&v).cloned().unwrap_or(Rational::ZERO)) * &-&coefficient.inverse()
    };
    let low = lower.iter().map(bound).max();
    let high = upper.iter().map(bound).min();
    let value = match (low, high) {
        (Some(low), _) if integer => -&(-&low).floor(),
        (None, Some(high)) if integer => high.floor(),
        // Halfway is inside even if both bounds are strict.
        (Some(low), Some(high)) => &(&low + &high) * &Rational::from(2).inverse(),
        (Some(low), None) => &low + &Rational::ONE,
        (None, Some(high)) => &high - &Rational::ONE,
        (None, None) => Rational::ZERO,
    };
    values.insert(var, value);
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;

    fn next(random: &mut Random) -> i64 {
        random.below(1000) as i64
    }

    fn holds(constraint: &Constraint, values: &dyn Fn(ArithVar) -> Rational) -> bool {
        let value = constraint.left.value(values);
        match constraint.relation {
            Relation::Zero => value.is_zero(),
            Relation::AtLeast => !value.is_negative(),
            Relation::Positive => value.is_positive(),
        }
    }

    /// Inside a box that is part of the problem, trying everything is the definition.
    #[test]
    fn agrees_with_trying_everything_in_a_box() {
        let mut random = Random::new(42);
        let (mut satisfiable, mut unsatisfiable) = (0, 0);
        for _ in 0..600 {
            let mut constraints = Vec::new();
            for var in 0..3 {
                let mut low = Linear::variable(var);
                low.constant = Rational::from(4);
                let mut high = Linear::constant(Rational::from(4));
                high.add_term(var, &Rational::from(-1));
                constraints.push(Constraint { left: low, relation: Relation::AtLeast });
                constraints.push(Constraint { left: high, relation: Relation::AtLeast });
            }
            for _ in 0..3 {
                let mut left = Linear::constant(Rational::from(next(&mut random) % 15 - 7));
                (0..3).for_each(|var| left.add_term(var, &Rational::from(next(&mut random) % 11 - 5)));
                let relation =
                    [Relation::Zero, Relation::AtLeast, Relation::Positive][next(&mut random) as usize % 3];
                constraints.push(Constraint { left, relation });
            }
            let all = (-4..=4).flat_map(|x| (-4..=4).flat_map(move |y| (-4..=4).map(move |z| [x, y, z])));
            let exists = all
                .into_iter()
                .any(|point: [i64; 3]| constraints.iter().all(|c| holds(c, &|v| Rational::from(point[v]))));
            let found = Omega::new(&|_| true, 3, 100_000).solve(constraints.clone()).unwrap();
            assert_eq!(found.is_some(), exists, "{constraints:?}");
            if let Some(values) = found {
                satisfiable += 1;
                let of = |v: ArithVar| values.get(&v).cloned().unwrap_or(Rational::ZERO);
                assert!(constraints.iter().all(|c| holds(c, &of)), "{constraints:?} {values:?}");
                assert!((0..3).all(|v| of(v).is_integer()));
            } else {
                unsatisfiable += 1;
            }
        }
        assert!(satisfiable > 50 && unsatisfiable > 50, "{satisfiable} {unsatisfiable}");
    }

    /// Branching alone never ends on this one: no box, and real solutions everywhere.
    #[test]
    fn parity_without_bounds() {
        let mut left = Linear::constant(Rational::from(-1));
        left.add_term(0, &Rational::from(4));
        left.add_term(1, &Rational::from(-6));
        let constraints = vec![Constraint { left, relation: Relation::Zero }];
        assert_eq!(Omega::new(&|_| true, 2, 1000).solve(constraints.clone()), Ok(None));
        // Over the reals there is a solution.
        let values = Omega::new(&|_| false, 2, 1000).solve(constraints.clone()).unwrap().unwrap();
        assert!(holds(&constraints[0], &|v| values.get(&v).cloned().unwrap_or(Rational::ZERO)));
    }
}
