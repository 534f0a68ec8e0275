//! Functions of truth values as short sums of products. Where neither *on* nor *off* is said,
//! either will do. Each product is made as large as it can be, literal by literal, latest ones
//! first; the sum is not always the shortest.

use logic::fol::Term;
use std::collections::BTreeSet;

/// A function of some truth values.
pub(super) struct Function {
    /// How many there are.
    pub(super) width: usize,
    /// Where it is true.
    pub(super) on: BTreeSet<u64>,
    /// Where it is false.
    pub(super) off: BTreeSet<u64>,
}

/// Some truth values and what they are.
type Cube = (u64, u64);

impl Function {
    /// The function as a formula over names.
    pub(super) fn term(&self, names: &[Term]) -> Term {
        let literal = |at: usize, value: u64| match value >> at & 1 {
            1 => names[at].clone(),
            _ => Term::negation(names[at].clone()),
        };
        let product = |(mask, value): &Cube| {
            let taken = (0..self.width).filter(|at| mask >> at & 1 == 1);
            Term::all(taken.map(|at| literal(at, *value)).collect::<Vec<_>>())
        };
        Term::any(self.cubes().iter().map(product).collect::<Vec<_>>())
    }

    fn cubes(&self) -> Vec<Cube> {
        let mut found: Vec<Cube> = Vec::new();
        for point in &self.on {
            if found.iter().any(|(mask, value)| point & mask == value & mask) {
                continue;
            }
            // The shortest of the products that are found by dropping literals from either end.
            let upwards = self.largest(*point, (0..self.width).collect());
            let downwards = self.largest(*point, (0..self.width).rev().collect());
            let fewer = downwards.0.count_ones() < upwards.0.count_ones();
            found.push(if fewer { downwards } else { upwards });
        }
        let needed = |at: usize, kept: &[Cube]| {
            let others = || kept.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, c)| c);
            self.on.iter().any(|p| !others().any(|(mask, value)| p & mask == value & mask))
        };
        let mut at = 0;
        while at < found.len() {
            if needed(at, &found) {
                at += 1;
            } else {
                found.remove(at);
            }
        }
        // In the order of the basis.
        found.sort_by_key(|(mask, _)| mask.trailing_zeros());
        found
    }

    fn largest(&self, point: u64, order: Vec<usize>) -> Cube {
        let mut mask = if self.width >= 64 { u64::MAX } else { (1 << self.width) - 1 };
        for at in order {
            let smaller = mask & !(1 << at);
            if self.off.iter().all(|o| o & smaller != point & smaller) {
                mask = smaller;
            }
        }
        (mask, point & mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::fol::{Sort, Symbol};

    #[test]
    fn functions_are_what_they_were_made_of() {
        let names: Vec<Term> =
            ["a", "b", "c"].iter().map(|n| Symbol::constant(*n, Sort::Bool).term()).collect();
        for bits in 0u64..256 {
            let (on, off): (BTreeSet<u64>, BTreeSet<u64>) = (0..8).partition(|p| bits >> p & 1 == 1);
            let function = Function { width: 3, on: on.clone(), off };
            for p in 0..8 {
                let covered = function.cubes().iter().any(|(mask, value)| p & mask == value & mask);
                assert_eq!(covered, on.contains(&p), "{bits:b} at {p}: {}", function.term(&names));
            }
        }
    }
}
