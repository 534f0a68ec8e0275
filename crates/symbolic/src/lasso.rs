//! A fair run out of the states that fair runs start from: a stem, and a loop that meets every
//! requirement.
//!
//! From a state of the set, move on to one that cannot come back, as long as there is one; the last
//! one lies in a strongly connected component that cannot be left. Round it, each requirement is
//! visited on a shortest way.

use crate::diagram::{Bdd, NoAnswer, meets, pick, without};
use crate::feasible::taken;
use crate::machine::Fair;
use crate::product::{By, Product};
use oxidd::BooleanFunction;
use space::Path;

/// One state: its assignment and its diagram.
#[derive(Clone)]
struct Point {
    bits: Vec<bool>,
    set: Bdd,
}

/// A fair run: its states as assignments to variables.
pub(crate) fn lasso(product: &Product<'_>, fair: &Bdd) -> Result<Path<Vec<bool>>, NoAnswer> {
    let explorer = Explorer { product };
    let mut stem = explorer.way(&product.initial, fair, None)?;
    let mut last = stem.pop().ok_or_else(lost)?;
    // Into a component that cannot be left.
    let component = loop {
        let ahead = explorer.ahead(&last, fair)?;
        let back = product.leads_to(&ahead, &last.set)?;
        let away = without(&ahead, &back)?;
        if !away.satisfiable() {
            break ahead;
        }
        let more = explorer.way(&last.set, &away, Some(fair))?;
        stem.extend(more);
        last = stem.pop().ok_or_else(lost)?;
    };
    let cycle = explorer.cycle(last, &component)?;
    let loop_start = Some(stem.len());
    Ok(Path { states: stem.into_iter().chain(cycle).map(|p| p.bits).collect(), loop_start })
}

/// A shortest run to some states.
pub(crate) fn way(product: &Product<'_>, to: &Bdd) -> Result<Path<Vec<bool>>, NoAnswer> {
    let way = Explorer { product }.way(&product.initial, to, None)?;
    Ok(Path::to(way).map(|p| p.bits))
}

fn lost() -> NoAnswer {
    NoAnswer::Refused("a run that must be there was not found".to_string())
}

struct Explorer<'a> {
    product: &'a Product<'a>,
}

impl Explorer<'_> {
    fn point(&self, of: &Bdd) -> Result<Point, NoAnswer> {
        let bits = pick(of).ok_or_else(lost)?;
        let space = self.product.space;
        let mut set = space.constant(true);
        for bit in self.product.bits().iter().rev() {
            set = set.and(&space.literal(bit.now, bits[bit.now as usize])?)?;
        }
        Ok(Point { bits, set })
    }

    /// All that a state leads to within a set.
    fn ahead(&self, from: &Point, within: &Bdd) -> Result<Bdd, NoAnswer> {
        let mut found = from.set.clone();
        let mut new = found.clone();
        while new.satisfiable() {
            new = without(&self.product.image(&new, By::Any)?.and(within)?, &found)?;
            found = found.or(&new)?;
        }
        Ok(found)
    }

    /// The states of a shortest way from one set to another, both ends included.
    fn way(&self, from: &Bdd, to: &Bdd, within: Option<&Bdd>) -> Result<Vec<Point>, NoAnswer> {
        let mut rings = vec![from.clone()];
        let mut found = from.clone();
        while let Some(ring) = rings.last() {
            if meets(ring, to)? {
                break;
            }
            let mut new = without(&self.product.image(ring, By::Any)?, &found)?;
            if let Some(within) = within {
                new = new.and(within)?;
            }
            if !new.satisfiable() {
                return Err(lost());
            }
            found = found.or(&new)?;
            rings.push(new);
        }
        let mut wanted = to.clone();
        let mut way = Vec::new();
        for ring in rings.iter().rev() {
            let point = self.point(&ring.and(&wanted)?)?;
            wanted = self.product.preimage(&point.set, By::Any)?;
            way.push(point);
        }
        way.reverse();
        Ok(way)
    }

    /// A loop round a component through every requirement, from one of its states.
    fn cycle(&self, from: Point, component: &Bdd) -> Result<Vec<Point>, NoAnswer> {
        let mut cycle = vec![from];
        for justice in &self.product.tester.justice {
            let visited = self.any(&cycle, |p| meets(&p.set, justice))?;
            if !visited {
                self.extend(&mut cycle, &component.and(justice)?, component)?;
            }
        }
        for fair in &self.product.machine.fair {
            let idle = without(component, &fair.enabled)?;
            let demanded = if fair.compassionate { meets(component, &fair.enabled)? } else { true };
            let rests = !fair.compassionate && self.any(&cycle, |p| meets(&p.set, &idle))?;
            if !demanded || rests || self.is_taken(fair, &cycle)? {
                continue;
            }
            if !fair.compassionate && idle.satisfiable() {
                self.extend(&mut cycle, &idle, component)?;
                continue;
            }
            self.extend(&mut cycle, &taken(self.product, fair, component)?, component)?;
            let last = cycle.last().ok_or_else(lost)?;
            let next = self.product.image(&last.set, By::Parts(&fair.parts))?.and(component)?;
            cycle.push(self.point(&next)?);
        }
        self.close(cycle, component)
    }

    fn any(
        &self,
        cycle: &[Point],
        test: impl Fn(&Point) -> Result<bool, NoAnswer>,
    ) -> Result<bool, NoAnswer> {
        for point in cycle {
            if test(point)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_taken(&self, fair: &Fair, cycle: &[Point]) -> Result<bool, NoAnswer> {
        for pair in cycle.windows(2) {
            if meets(&pair[0].set, &self.product.preimage(&pair[1].set, By::Parts(&fair.parts))?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn extend(&self, cycle: &mut Vec<Point>, to: &Bdd, component: &Bdd) -> Result<(), NoAnswer> {
        let last = cycle.last().ok_or_else(lost)?.set.clone();
        let way = self.way(&last, to, Some(component))?;
        cycle.extend(way.into_iter().skip(1));
        Ok(())
    }

    /// Back to the first state, by one step at least; the first state is not repeated.
    fn close(&self, mut cycle: Vec<Point>, component: &Bdd) -> Result<Vec<Point>, NoAnswer> {
        let first = cycle.first().ok_or_else(lost)?.set.clone();
        let last = cycle.last().ok_or_else(lost)?.set.clone();
        if cycle.len() > 1 && first == last {
            cycle.pop();
            return Ok(cycle);
        }
        let next = self.product.image(&last, By::Any)?.and(component)?;
        let mut way = self.way(&next, &first, Some(component))?;
        way.pop();
        cycle.extend(way);
        Ok(cycle)
    }
}
