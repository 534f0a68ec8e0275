//! Variables of random systems: each system has a flavour, so that constructs meet their like.

use super::model::*;
use super::random::{Maker, Risk};

impl Maker {
    pub(super) fn variables(&mut self) {
        let weights = match self.risk {
            Risk::List => [0, 0, 1, 0, 0],
            Risk::Index => [10, 55, 0, 30, 5],
            Risk::Range => [40, 40, 0, 15, 5],
            _ => [46, 22, 12, 12, 8],
        };
        match self.weighted(&weights) {
            0 => {}
            1 => self.arrays(),
            2 => self.lists(),
            3 => self.channels(),
            _ => self.records(),
        }
        let special = self.system.variables.len();
        let plain = if special == 0 { 2 + self.rng.below(2) } else { 1 + self.rng.below(2) };
        for n in 0..plain {
            let kind = self.plain_kind(special > 0 && n == 0);
            let name = ["x", "y", "z"][n];
            self.declare(name, kind);
        }
    }

    fn plain_kind(&mut self, whole: bool) -> Kind {
        let kinds = [
            (30, Kind::Range(0, 2)),
            (10, Kind::Range(-1, 1)),
            (8, Kind::Range(0, 5)),
            (5, Kind::Range(1, 2)),
            (18, Kind::Int),
            (12, Kind::Real),
            (12, Kind::Bool),
            (8, Kind::Named(3)),
            (8, Kind::Array(Bounds(0, 1), Some((0, 2)))),
            (6, Kind::Channel(Capacity::Some(1), 0, 1)),
            (3, Kind::Channel(Capacity::Some(2), 0, 1)),
        ];
        let weights = kinds.iter().map(|(weight, kind)| match whole && !Maker::is_whole(kind) {
            true => 0,
            false => *weight,
        });
        let weights: Vec<usize> = weights.collect();
        kinds[self.weighted(&weights)].1.clone()
    }

    /// A variable, mostly with a first value.
    fn declare(&mut self, name: &str, kind: Kind) {
        let first = match &kind {
            Kind::Range(low, high) if self.rng.chance(75) => Some(self.rng.between(*low, *high)),
            Kind::Int if self.rng.chance(95) => Some(self.rng.between(-1, 1)),
            Kind::Real => Some(self.rng.between(-1, 1)),
            Kind::Bool if self.rng.chance(70) => Some(self.rng.between(0, 1)),
            Kind::Named(n) if self.rng.chance(70) => Some(self.rng.between(0, *n as i64 - 1)),
            Kind::Array(..) => Some(self.rng.between(0, 1)),
            Kind::List if self.rng.chance(30) => Some(self.rng.between(0, 2)),
            _ => None,
        };
        let given = match &kind {
            Kind::Array(bounds, _) => self.given(*bounds),
            _ => None,
        };
        let (name, record) = (name.to_string(), None);
        self.system.variables.push(Variable { name, kind, first, given, record });
    }

    /// All elements, or some, or one.
    fn given(&mut self, bounds: Bounds) -> Option<Bounds> {
        match self.rng.below(10) {
            0..=5 => Some(bounds),
            6 | 7 => Some(Bounds(bounds.0, bounds.1 - 1)),
            8 => {
                let at = self.rng.between(bounds.0, bounds.1);
                Some(Bounds(at, at))
            }
            _ => None,
        }
    }

    fn arrays(&mut self) {
        let all = [Bounds(0, 1), Bounds(0, 2), Bounds(1, 2)];
        let bounds = *self.rng.pick(&all).unwrap_or(&all[0]);
        let element = if self.rng.chance(65) { Some((0, 2)) } else { None };
        self.declare("a", Kind::Array(bounds, element));
        if self.rng.chance(55) {
            let other = if self.rng.chance(12) { all[self.rng.below(3)] } else { bounds };
            let element = if self.rng.chance(80) { element } else { None };
            self.declare("b", Kind::Array(other, element));
        }
    }

    fn lists(&mut self) {
        self.declare("l", Kind::List);
        if self.rng.chance(40) {
            self.declare("k", Kind::List);
        }
    }

    fn channels(&mut self) {
        let all = [Capacity::None, Capacity::None, Capacity::Some(1), Capacity::Some(2), Capacity::Unbounded];
        let capacity = all[self.rng.below(all.len())];
        match self.rng.chance(55) {
            true => self.declare("c", Kind::Channels(Bounds(0, 1), capacity, 0, 2)),
            false => self.declare("c", Kind::Channel(capacity, 0, 2)),
        }
        if self.rng.chance(25) {
            self.declare("a", Kind::Array(Bounds(0, 1), Some((0, 2))));
        }
    }

    /// Two records of one type.
    fn records(&mut self) {
        for record in ["r", "s"] {
            for (field, kind) in [("p", Kind::Range(0, 2)), ("q", Kind::Int)] {
                self.declare(&format!("{record}.{field}"), kind);
                if let Some(variable) = self.system.variables.last_mut() {
                    variable.record = Some(record.to_string());
                    variable.first = variable.first.or(Some(1));
                }
            }
        }
    }
}
