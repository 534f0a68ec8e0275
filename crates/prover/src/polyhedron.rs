//! Convex polyhedra over the rationals, in both descriptions: constraints and generators.
//!
//! The double description method (Motzkin, Raiffa, Thompson, Thrall; Chernikova's form with lines).
//! A polyhedron in d dimensions is a cone in d + 1: a vector (h, x) with h > 0 is the point x/h,
//! with h = 0 a direction. One algorithm turns constraints into generators; by duality the same
//! turns generators into constraints. Vectors are whole numbers without common factor. The cost may
//! be exponential in the dimension; callers keep it small.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

pub type Vector = Vec<BigInt>;

/// `v · (1, x) >= 0`, or `= 0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Constraint {
    pub vector: Vector,
    pub equality: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cone {
    lines: Vec<Vector>,
    rays: Vec<Vector>,
}

#[derive(Clone, Debug)]
pub struct Polyhedron {
    dimension: usize,
    constraints: Vec<Constraint>,
    generators: Cone,
}

impl Polyhedron {
    /// All of space.
    pub fn universe(dimension: usize) -> Polyhedron {
        Polyhedron::of_constraints(dimension, Vec::new())
    }

    pub fn of_constraints(dimension: usize, constraints: Vec<Constraint>) -> Polyhedron {
        let mut homogeneous = unit(dimension + 1, 0);
        homogeneous[0] = BigInt::one();
        let infinity = Constraint { vector: homogeneous, equality: false };
        let all: Vec<Constraint> = std::iter::once(infinity).chain(constraints).collect();
        let generators = dual(dimension + 1, &all);
        Polyhedron::of_generators(dimension, generators)
    }

    fn of_generators(dimension: usize, generators: Cone) -> Polyhedron {
        // An empty polyhedron is a cone without points; it keeps no generators at all.
        let generators =
            if generators.rays.iter().any(|r| r[0].is_positive()) { generators } else { Cone::default() };
        let lines = generators.lines.iter().map(|v| Constraint { vector: v.clone(), equality: true });
        let rays = generators.rays.iter().map(|v| Constraint { vector: v.clone(), equality: false });
        let all: Vec<Constraint> = lines.chain(rays).collect();
        let described = dual(dimension + 1, &all);
        let equalities = described.lines.into_iter().map(|vector| Constraint { vector, equality: true });
        let inequalities = described.rays.into_iter().map(|vector| Constraint { vector, equality: false });
        let mut constraints: Vec<Constraint> = equalities.chain(inequalities).collect();
        // That 1 >= 0 says nothing.
        constraints.retain(|c| c.vector[1..].iter().any(|x| !x.is_zero()));
        constraints.sort();
        Polyhedron { dimension, constraints, generators }
    }

    pub fn is_empty(&self) -> bool {
        self.generators.rays.is_empty()
    }

    /// None of them is implied by the others, but for the choice of equalities.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    pub fn meet(&self, constraints: &[Constraint]) -> Polyhedron {
        if self.is_empty() || constraints.is_empty() {
            return self.clone();
        }
        let all = self.constraints.iter().chain(constraints).cloned().collect();
        Polyhedron::of_constraints(self.dimension, all)
    }

    /// The least polyhedron that holds both.
    pub fn join(&self, other: &Polyhedron) -> Polyhedron {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self.clone();
        }
        let both = |a: &[Vector], b: &[Vector]| a.iter().chain(b).cloned().collect();
        let generators = Cone {
            lines: both(&self.generators.lines, &other.generators.lines),
            rays: both(&self.generators.rays, &other.generators.rays),
        };
        Polyhedron::of_generators(self.dimension, generators)
    }

    /// The image under `x := M (1, x)`, all at once; a row of none forgets its variable.
    pub fn image(&self, rows: &[Option<Vector>]) -> Polyhedron {
        let map = |v: &Vector| -> Vector {
            let mut image = vec![v[0].clone()];
            for row in rows {
                let value = row.as_ref().map_or_else(BigInt::zero, |row| dot(row, v));
                image.push(value);
            }
            image
        };
        let mut generators = Cone {
            lines: self.generators.lines.iter().map(map).filter(|v| !is_zero(v)).collect(),
            rays: self.generators.rays.iter().map(map).filter(|v| !is_zero(v)).collect(),
        };
        if !self.is_empty() {
            let forgotten = rows.iter().enumerate().filter(|(_, row)| row.is_none());
            generators.lines.extend(forgotten.map(|(at, _)| unit(self.dimension + 1, at + 1)));
        }
        Polyhedron::of_generators(self.dimension, generators)
    }

    pub fn contains(&self, other: &Polyhedron) -> bool {
        if other.is_empty() {
            return true;
        }
        !self.is_empty()
            && self.constraints.iter().all(|c| {
                other.generators.lines.iter().all(|l| dot(&c.vector, l).is_zero())
                    && other.generators.rays.iter().all(|r| satisfied(c, r))
            })
    }

    /// Cousot and Halbwachs' widening: the constraints of the old that the new keeps. Equalities
    /// count as two inequalities.
    pub fn widen(&self, new: &Polyhedron) -> Polyhedron {
        if self.is_empty() {
            return new.clone();
        }
        let halves = self.constraints.iter().flat_map(|c| {
            let negated = || Constraint { vector: c.vector.iter().map(|x| -x).collect(), equality: false };
            let first = Constraint { vector: c.vector.clone(), equality: false };
            std::iter::once(first).chain(c.equality.then(negated))
        });
        let kept = halves.filter(|c| {
            new.generators.lines.iter().all(|l| dot(&c.vector, l).is_zero())
                && new.generators.rays.iter().all(|r| satisfied(c, r))
        });
        Polyhedron::of_constraints(self.dimension, kept.collect())
    }
}

fn satisfied(c: &Constraint, v: &Vector) -> bool {
    let value = dot(&c.vector, v);
    if c.equality { value.is_zero() } else { !value.is_negative() }
}

/// 1 at one place, 0 elsewhere.
pub fn unit<T: Clone + Zero + One>(width: usize, at: usize) -> Vec<T> {
    let mut v = vec![T::zero(); width];
    v[at] = T::one();
    v
}

fn dot(a: &[BigInt], b: &[BigInt]) -> BigInt {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn is_zero(v: &Vector) -> bool {
    v.iter().all(Zero::is_zero)
}

/// Without common factor.
fn reduced(mut v: Vector) -> Vector {
    let factor = v.iter().fold(BigInt::zero(), |a, b| a.gcd(b));
    if !factor.is_zero() && !factor.is_one() {
        v.iter_mut().for_each(|x| *x /= &factor);
    }
    v
}

/// `a v - b w`, reduced.
fn combined(a: &BigInt, v: &Vector, b: &BigInt, w: &Vector) -> Vector {
    reduced(v.iter().zip(w).map(|(x, y)| a * x - b * y).collect())
}

/// The cone of all vectors that satisfy homogeneous constraints, by its generators.
fn dual(width: usize, constraints: &[Constraint]) -> Cone {
    let mut cone = Cone { lines: (0..width).map(|at| unit(width, at)).collect(), rays: Vec::new() };
    // Which constraints so far each ray makes equal.
    let mut tight: Vec<Vec<bool>> = Vec::new();
    for (at, constraint) in constraints.iter().enumerate() {
        let a = &constraint.vector;
        if let Some(pivot) = cone.lines.iter().position(|l| !dot(a, l).is_zero()) {
            let mut line = cone.lines.remove(pivot);
            if dot(a, &line).is_negative() {
                line.iter_mut().for_each(|x| *x = -&*x);
            }
            let slope = dot(a, &line);
            let onto = |v: &Vector| combined(&slope, v, &dot(a, v), &line);
            cone.lines = cone.lines.iter().map(onto).collect();
            cone.rays = cone.rays.iter().map(onto).collect();
            tight.iter_mut().for_each(|t| t.push(true));
            if !constraint.equality {
                let mut of_line = vec![true; at];
                of_line.push(false);
                cone.rays.push(reduced(line));
                tight.push(of_line);
            }
            continue;
        }
        (cone.rays, tight) = cut(&cone.rays, &tight, constraint);
    }
    cone
}

/// The rays on the right side of a constraint, with new ones between adjacent rays on both sides.
fn cut(rays: &[Vector], tight: &[Vec<bool>], constraint: &Constraint) -> (Vec<Vector>, Vec<Vec<bool>>) {
    let values: Vec<BigInt> = rays.iter().map(|r| dot(&constraint.vector, r)).collect();
    let (mut kept, mut kept_tight) = (Vec::new(), Vec::new());
    for ((ray, t), value) in rays.iter().zip(tight).zip(&values) {
        let keep = if constraint.equality { value.is_zero() } else { !value.is_negative() };
        if keep {
            let mut t = t.clone();
            t.push(value.is_zero());
            kept.push(ray.clone());
            kept_tight.push(t);
        }
    }
    for (p, positive) in values.iter().enumerate().filter(|(_, v)| v.is_positive()) {
        for (n, negative) in values.iter().enumerate().filter(|(_, v)| v.is_negative()) {
            let common: Vec<bool> = tight[p].iter().zip(&tight[n]).map(|(a, b)| *a && *b).collect();
            let covers = |t: &Vec<bool>| common.iter().zip(t).all(|(c, t)| !c || *t);
            let adjacent = (0..rays.len()).all(|other| other == p || other == n || !covers(&tight[other]));
            if adjacent {
                let mut t = common;
                t.push(true);
                kept.push(combined(positive, &rays[n], negative, &rays[p]));
                kept_tight.push(t);
            }
        }
    }
    (kept, kept_tight)
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::random::Random;

    fn constraint(numbers: &[i64], equality: bool) -> Constraint {
        Constraint { vector: numbers.iter().map(|n| BigInt::from(*n)).collect(), equality }
    }

    fn holds(p: &Polyhedron, x: &[i64]) -> bool {
        let point: Vector = std::iter::once(&1).chain(x).map(|n| BigInt::from(*n)).collect();
        !p.is_empty() && p.constraints.iter().all(|c| satisfied(c, &point))
    }

    struct Dice(Random);

    impl Dice {
        fn number(&mut self, low: i64, high: i64) -> i64 {
            low + self.0.below((high - low + 1) as usize) as i64
        }

        fn constraints(&mut self, dimension: usize, count: usize) -> Vec<Constraint> {
            let some = |dice: &mut Dice| {
                let numbers: Vec<i64> = (0..=dimension)
                    .map(|at| if at == 0 { dice.number(-6, 6) } else { dice.number(-2, 2) })
                    .collect();
                constraint(&numbers, dice.number(0, 9) == 0)
            };
            (0..count).map(|_| some(self)).collect()
        }
    }

    fn grid(dimension: usize) -> Vec<Vec<i64>> {
        let mut points = vec![Vec::new()];
        for _ in 0..dimension {
            points = points.iter().flat_map(|p| (-4..=4).map(move |n| [&p[..], &[n]].concat())).collect();
        }
        points
    }

    #[test]
    fn constraints_survive_the_way_through_generators() {
        let mut dice = Dice(Random::new(1));
        let (mut empty, mut full) = (0, 0);
        for round in 0..300 {
            let dimension = 1 + round % 3;
            let count = dice.number(0, 5) as usize;
            let given = dice.constraints(dimension, count);
            let p = Polyhedron::of_constraints(dimension, given.clone());
            for x in grid(dimension) {
                let point: Vector = std::iter::once(&1).chain(&x).map(|n| BigInt::from(*n)).collect();
                let expected = given.iter().all(|c| satisfied(c, &point));
                assert_eq!(holds(&p, &x), expected, "{given:?} at {x:?}");
            }
            if p.is_empty() { empty += 1 } else { full += 1 }
        }
        assert!(empty > 10 && full > 100);
    }

    #[test]
    fn the_hull_holds_both_and_nothing_that_a_common_constraint_forbids() {
        let mut dice = Dice(Random::new(2));
        for _ in 0..150 {
            let [a, b] = [3, 3].map(|n| Polyhedron::of_constraints(2, dice.constraints(2, n)));
            let hull = a.join(&b);
            assert!(hull.contains(&a) && hull.contains(&b));
            for x in grid(2) {
                assert!(!(holds(&a, &x) || holds(&b, &x)) || holds(&hull, &x));
            }
            // Least: every half-plane with small coefficients that holds both holds the hull.
            for c0 in -3..=3 {
                for c1 in -1..=1 {
                    for c2 in -1..=1 {
                        let half = Polyhedron::of_constraints(2, vec![constraint(&[c0, c1, c2], false)]);
                        if half.contains(&a) && half.contains(&b) {
                            assert!(half.contains(&hull));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn images_are_those_of_points() {
        let mut dice = Dice(Random::new(3));
        for _ in 0..150 {
            let p = Polyhedron::of_constraints(2, dice.constraints(2, 3));
            let row = |dice: &mut Dice| -> Vec<i64> { (0..3).map(|_| dice.number(-2, 2)).collect() };
            let rows = [row(&mut dice), row(&mut dice)];
            let big = |r: &Vec<i64>| Some(r.iter().map(|n| BigInt::from(*n)).collect::<Vector>());
            let image = p.image(&[big(&rows[0]), big(&rows[1])]);
            let forgotten = p.image(&[big(&rows[0]), None]);
            for x in grid(2).into_iter().filter(|x| holds(&p, x)) {
                let y: Vec<i64> = rows.iter().map(|r| r[0] + r[1] * x[0] + r[2] * x[1]).collect();
                assert!(holds(&image, &y));
                assert!(holds(&forgotten, &[y[0], 99]));
            }
            assert_eq!(image.is_empty(), p.is_empty());
        }
    }

    #[test]
    fn widening_ends_and_is_above_both() {
        let mut dice = Dice(Random::new(4));
        for _ in 0..40 {
            let mut p = Polyhedron::of_constraints(2, dice.constraints(2, 4));
            for _ in 0..60 {
                let next = p.join(&Polyhedron::of_constraints(2, dice.constraints(2, 4)));
                if p.contains(&next) {
                    continue;
                }
                let wide = p.widen(&next);
                assert!(wide.contains(&p) && wide.contains(&next));
                assert!(p.is_empty() || wide.constraints.len() <= 2 * p.constraints.len());
                p = wide;
            }
            assert!(p.constraints.len() <= 4);
        }
    }
}
