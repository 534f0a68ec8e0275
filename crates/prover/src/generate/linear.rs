//! Linear invariants: equations over arithmetized control and data that hold in every reachable
//! state.
//!
//! After Karr (*Affine relationships among variables of a program*, 1976). Each location of each
//! thread is a variable that is 1 while control is there and 0 otherwise. The affine hull of the
//! reachable states is the least affine space that holds the initial point and is closed under the
//! branches, each an affine map on a subspace; what is not affine may become anything. Spaces are a
//! point and a basis of directions, exact rationals throughout.

use super::polyhedral::linear;
use crate::polyhedron::unit;
use logic::fol::{Op, Sort, Symbol, Term};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Zero};
use system::fts::{Branch, Fts, Mode};

type BigRational = Ratio<BigInt>;
type Vector = Vec<BigRational>;

/// An affine space: a point and independent directions in echelon form.
#[derive(Clone, Debug)]
struct Space {
    point: Vector,
    directions: Vec<Vector>,
}

/// `coefficients · x + constant`.
#[derive(Clone, Debug)]
struct Affine {
    coefficients: Vector,
    constant: BigRational,
}

/// A column: a location of a thread, or a number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Column {
    Location(Symbol, i64),
    Data(Symbol),
}

pub fn candidates(fts: &Fts) -> Vec<Term> {
    if fts.transitions.iter().any(|t| !t.parameters.is_empty()) {
        return Vec::new();
    }
    let columns = columns(fts);
    let Some(mut space) = initial(fts, &columns) else { return Vec::new() };
    let branches: Vec<&Branch> = fts.transitions.iter().flat_map(|t| &t.branches).collect();
    // Each round that changes something adds a dimension, so there are at most as many as columns.
    loop {
        let before = space.directions.len();
        for branch in &branches {
            if let Some(image) = image(&space, branch, &columns) {
                space.join(&image);
            }
        }
        if space.directions.len() == before {
            break;
        }
    }
    equations(&space, &columns)
}

fn columns(fts: &Fts) -> Vec<Column> {
    let locations = fts
        .threads
        .iter()
        .flat_map(|t| (0..t.locations.len()).map(|at| Column::Location(t.control.clone(), at as i64)));
    let data = fts.variables.iter().filter(|v| v.mode != Mode::Control && v.symbol.sort == Sort::Int);
    locations.chain(data.map(|v| Column::Data(v.symbol.clone()))).collect()
}

/// Initial values that conjuncts of Θ give; other numbers may be anything.
fn initial(fts: &Fts, columns: &[Column]) -> Option<Space> {
    let width = columns.len();
    let mut space = Space { point: vec![BigRational::zero(); width], directions: Vec::new() };
    let conjuncts = fts.initial.conjuncts();
    let value = |s: &Symbol| {
        let told = conjuncts.iter().filter_map(told);
        told.filter(|(v, _)| *v == s).map(|(_, n)| n.clone()).next()
    };
    for (at, column) in columns.iter().enumerate() {
        match column {
            Column::Location(control, number) => {
                let begins = value(control)?;
                if begins == BigInt::from(*number) {
                    space.point[at] = BigRational::one();
                }
            }
            Column::Data(s) => match value(s) {
                Some(n) => space.point[at] = BigRational::from(n),
                None => space.add(unit(width, at)),
            },
        }
    }
    Some(space)
}

/// The symbol and the number of an equation between them.
fn told(e: &Term) -> Option<(&Symbol, &BigInt)> {
    let (Op::Equal, [a, b]) = (e.op(), e.arguments()) else { return None };
    match (a.op(), b.op()) {
        (_, Op::Int(n)) => Some((a.as_symbol()?, n)),
        (Op::Int(n), _) => Some((b.as_symbol()?, n)),
        _ => None,
    }
}

/// An integer term as an affine form over the columns.
fn affine(e: &Term, columns: &[Column]) -> Option<Affine> {
    let column = |s: &Symbol| columns.iter().position(|c| *c == Column::Data(s.clone()));
    let mut form = linear(e, columns.len(), &column)?.into_iter().map(BigRational::from);
    let constant = form.next()?;
    Some(Affine { coefficients: form.collect(), constant })
}

/// The states after a branch, from those of the space that its equations allow.
fn image(space: &Space, branch: &Branch, columns: &[Column]) -> Option<Space> {
    let mut from = space.clone();
    for conjunct in branch.guard.conjuncts() {
        let (Op::Equal, parts) = (conjunct.op(), conjunct.arguments()) else { continue };
        let control = told(&conjunct)
            .filter(|(s, _)| columns.iter().any(|c| matches!(c, Column::Location(v, _) if v == *s)));
        if let Some((s, n)) = control {
            for (column, _) in
                columns.iter().enumerate().filter(|(_, c)| matches!(c, Column::Location(v, _) if v == s))
            {
                let here = matches!(&columns[column], Column::Location(_, at) if BigInt::from(*at) == *n);
                let value = if here { BigRational::one() } else { BigRational::zero() };
                let form = Affine { coefficients: unit(columns.len(), column), constant: -value };
                from = from.restrict(&form)?;
            }
        } else if let Some((a, b)) = affine(&parts[0], columns).zip(affine(&parts[1], columns)) {
            let form = Affine {
                coefficients: a.coefficients.iter().zip(&b.coefficients).map(|(x, y)| x - y).collect(),
                constant: a.constant - b.constant,
            };
            from = from.restrict(&form)?;
        }
    }
    Some(from.assign(branch, columns))
}

impl Space {
    fn add(&mut self, direction: Vector) {
        let reduced = self.reduce(direction);
        if let Some(lead) = reduced.iter().position(|x| !x.is_zero()) {
            let scale = reduced[lead].clone();
            self.directions.push(reduced.iter().map(|x| x / &scale).collect());
        }
    }

    /// The direction without what the others already span.
    fn reduce(&self, mut v: Vector) -> Vector {
        for d in &self.directions {
            let Some(lead) = d.iter().position(|x| !x.is_zero()) else { continue };
            let factor = v[lead].clone();
            if !factor.is_zero() {
                v.iter_mut().zip(d).for_each(|(x, y)| *x -= y * &factor);
            }
        }
        v
    }

    /// The least space that holds both.
    fn join(&mut self, other: &Space) {
        let difference = other.point.iter().zip(&self.point).map(|(a, b)| a - b).collect();
        self.add(difference);
        other.directions.iter().cloned().for_each(|d| self.add(d));
    }

    /// The part where the form is zero; none if it is nowhere.
    fn restrict(&self, form: &Affine) -> Option<Space> {
        let dot = |v: &Vector| -> BigRational { v.iter().zip(&form.coefficients).map(|(a, b)| a * b).sum() };
        let value = dot(&self.point) + &form.constant;
        let slopes: Vec<BigRational> = self.directions.iter().map(dot).collect();
        let Some(pivot) = slopes.iter().position(|s| !s.is_zero()) else {
            return value.is_zero().then(|| self.clone());
        };
        let along = |v: &Vector, amount: BigRational| -> Vector {
            v.iter().zip(&self.directions[pivot]).map(|(x, d)| x - d * &amount).collect()
        };
        let mut made = Space { point: along(&self.point, &value / &slopes[pivot]), directions: Vec::new() };
        for (at, direction) in self.directions.iter().enumerate().filter(|(at, _)| *at != pivot) {
            made.add(along(direction, &slopes[at] / &slopes[pivot]));
        }
        Some(made)
    }

    /// The image under the updates of a branch.
    fn assign(&self, branch: &Branch, columns: &[Column]) -> Space {
        let width = columns.len();
        let mut free = Vec::new();
        let forms: Vec<Affine> = columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let same = Affine { coefficients: unit(width, at), constant: BigRational::zero() };
                let updated = |s: &Symbol| branch.updates.iter().find(|(v, _)| v == s).map(|(_, e)| e);
                match column {
                    Column::Data(s) => match updated(s).map(|e| affine(e, columns)) {
                        None => same,
                        Some(Some(form)) => form,
                        Some(None) => {
                            free.push(at);
                            Affine {
                                coefficients: vec![BigRational::zero(); width],
                                constant: BigRational::zero(),
                            }
                        }
                    },
                    Column::Location(control, number) => match updated(control) {
                        Some(e) if matches!(e.op(), Op::Int(_)) => {
                            let here = *e == Term::int(*number);
                            let constant = if here { BigRational::one() } else { BigRational::zero() };
                            Affine { coefficients: vec![BigRational::zero(); width], constant }
                        }
                        Some(_) => {
                            free.push(at);
                            same
                        }
                        None => same,
                    },
                }
            })
            .collect();
        let linear = |v: &Vector, f: &Affine| -> BigRational {
            v.iter().zip(&f.coefficients).map(|(a, b)| a * b).sum()
        };
        let mut made = Space {
            point: forms.iter().map(|f| linear(&self.point, f) + &f.constant).collect(),
            directions: Vec::new(),
        };
        for direction in &self.directions {
            made.add(forms.iter().map(|f| linear(direction, f)).collect());
        }
        free.into_iter().for_each(|at| made.add(unit(width, at)));
        made
    }
}

/// A basis of the equations that hold on a space, with whole coefficients.
fn equations(space: &Space, columns: &[Column]) -> Vec<Term> {
    kernel(&space.directions, columns.len())
        .into_iter()
        .filter_map(|coefficients| {
            let constant: BigRational = coefficients.iter().zip(&space.point).map(|(a, b)| a * b).sum();
            equation(&coefficients, &constant, columns)
        })
        .collect()
}

/// A basis of the vectors orthogonal to all directions.
fn kernel(directions: &[Vector], width: usize) -> Vec<Vector> {
    let mut rows: Vec<Vector> = Vec::new();
    let mut leads: Vec<usize> = Vec::new();
    for direction in directions {
        let mut v = direction.clone();
        for (row, lead) in rows.iter().zip(&leads) {
            let factor = v[*lead].clone();
            v.iter_mut().zip(row).for_each(|(x, y)| *x -= y * &factor);
        }
        let Some(lead) = v.iter().position(|x| !x.is_zero()) else { continue };
        let scale = v[lead].clone();
        v.iter_mut().for_each(|x| *x /= &scale);
        for row in &mut rows {
            let factor = row[lead].clone();
            row.iter_mut().zip(&v).for_each(|(x, y)| *x -= y * &factor);
        }
        rows.push(v);
        leads.push(lead);
    }
    let free = (0..width).filter(|at| !leads.contains(at));
    free.map(|at| {
        let mut v = unit(width, at);
        for (row, lead) in rows.iter().zip(&leads) {
            v[*lead] = -row[at].clone();
        }
        v
    })
    .collect()
}

fn equation(coefficients: &[BigRational], constant: &BigRational, columns: &[Column]) -> Option<Term> {
    let scale = coefficients.iter().chain([constant]).fold(BigInt::one(), |m, r| m.lcm(r.denom()));
    let whole = |r: &BigRational| (r * BigRational::from(scale.clone())).to_integer();
    let mut parts = Vec::new();
    for (coefficient, column) in coefficients.iter().zip(columns) {
        let factor = whole(coefficient);
        if factor.is_zero() {
            continue;
        }
        let value = match column {
            Column::Data(s) => s.term(),
            Column::Location(control, number) => {
                Term::ite(&Term::eq(control.term(), Term::int(*number)), &Term::int(1), &Term::int(0))
            }
        };
        parts.push(if factor.is_one() { value } else { Term::int(factor).times(&value) });
    }
    let sum = match parts.len() {
        0 => return None,
        1 => parts.remove(0),
        _ => Term::of(Op::Add, parts),
    };
    Some(Term::eq(sum, Term::int(whole(constant))))
}
