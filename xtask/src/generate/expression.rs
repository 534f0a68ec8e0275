//! Expressions: small numbers, conditions that depend on something, indices that are in bounds.
//!
//! Division and remainder are by positive constants, one factor of a product is a small constant,
//! shifts are by small constants: with variables of at most 16 bits, and ints that are only
//! assigned small values, nothing overflows a C int.

use super::Generator;
use super::declare::constant_macros;
use super::features::Feature;
use super::scope::{Channel, Scope, Spot};
use crate::program::{Expr, Place, Type};

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Generator {
    /// A small constant; rarely one that some types cannot hold.
    pub(super) fn constant(&mut self) -> Expr {
        if self.may(Feature::Truncation, 5) {
            let values = [255, 256, 257, 300, -1, -2, 65535, 65537];
            return Expr::Number(*self.rng.pick(&values).unwrap_or(&255));
        }
        let macros = constant_macros(&self.program.defines);
        match self.rng.pick(&macros).cloned() {
            Some(constant) if self.rng.chance(25) => constant,
            _ => Expr::Number(self.rng.between(0, 3)),
        }
    }

    pub(super) fn member(&mut self, subtype: &Option<String>) -> Expr {
        let members =
            self.members.iter().find(|(name, _)| name == subtype).map(|(_, members)| members.clone());
        let members = members.unwrap_or_default();
        self.rng.pick(&members).map_or(Expr::Number(1), |member| Expr::word(member))
    }

    /// An index in `0..size`.
    pub(super) fn index(&mut self, scope: &Scope, size: u32) -> Expr {
        if self.may(Feature::OutOfBounds, 20) {
            return self.number(scope, 1);
        }
        let natural = |spot: &&Spot| {
            matches!(spot.ty, Type::Byte | Type::Bit | Type::Bool | Type::Pid | Type::Unsigned(_))
                && spot.is_plain()
        };
        let candidates: Vec<Spot> =
            scope.spots.iter().filter(natural).filter(|spot| spot.readable).cloned().collect();
        let modulo = |e: Expr| Expr::binary("%", e, Expr::Number(i64::from(size)));
        match self.rng.pick(&candidates) {
            Some(spot) if self.rng.chance(40) => {
                let bit = matches!(spot.ty, Type::Bit | Type::Bool);
                let read = Expr::variable(spot.root());
                if bit { read } else { modulo(read) }
            }
            _ if self.rng.chance(12) => modulo(Expr::word("_pid")),
            _ => Expr::Number(self.rng.between(0, i64::from(size) - 1)),
        }
    }

    /// The place of a spot. An index never reads an array: pan could not undo `a[a[0]] = 1`.
    pub(super) fn place(&mut self, scope: &Scope, spot: &Spot) -> Place {
        spot.place(&mut |size| self.index(scope, size))
    }

    pub(super) fn channel_place(&mut self, scope: &Scope, channel: &Channel) -> Place {
        match channel.size {
            Some(size) => Place::element(&channel.name, self.index(scope, size)),
            None => Place::name(&channel.name),
        }
    }

    /// The value of some readable place that is not an mtype.
    fn read(&mut self, scope: &Scope) -> Option<Expr> {
        let numeric = |spot: &&Spot| spot.readable && !matches!(spot.ty, Type::Mtype(_));
        let candidates: Vec<Spot> = scope.spots.iter().filter(numeric).cloned().collect();
        let spot = self.rng.pick(&candidates)?.clone();
        Some(Expr::Read(self.place(scope, &spot)))
    }

    /// A number, of a few operators at most.
    pub(super) fn number(&mut self, scope: &Scope, depth: u32) -> Expr {
        if depth == 0 || self.rng.chance(45) {
            return self.atom(scope);
        }
        let left = self.number(scope, depth - 1);
        match self.rng.below(11) {
            0..=3 => {
                let operators = ["+", "-", "+", "|", "&", "^"];
                let operator = *self.rng.pick(&operators).unwrap_or(&"+");
                Expr::binary(operator, left, self.number(scope, depth - 1))
            }
            4 => Expr::binary("*", left, Expr::Number(self.rng.between(1, 3))),
            5 => Expr::binary("/", left, Expr::Number(self.rng.between(1, 3))),
            6 => Expr::binary("%", left, Expr::Number(self.rng.between(2, 4))),
            7 => {
                let operator = if self.rng.chance(50) { "<<" } else { ">>" };
                Expr::binary(operator, left, Expr::Number(self.rng.between(0, 2)))
            }
            8 => Expr::Unary(if self.rng.chance(60) { "-" } else { "~" }, Box::new(left)),
            9 => self.condition(scope, depth - 1),
            _ if self.has(Feature::Conditional) => {
                let condition = self.condition(scope, depth - 1);
                Expr::Choice(Box::new(condition), Box::new(left), Box::new(self.number(scope, depth - 1)))
            }
            _ => left,
        }
    }

    fn atom(&mut self, scope: &Scope) -> Expr {
        match self.rng.below(20) {
            0 => Expr::word("_pid"),
            1 if self.has(Feature::Run) && self.has(Feature::Population) => Expr::word("_nr_pr"),
            2..=7 => self.constant(),
            8 if self.has(Feature::Probes) => self.length(scope).unwrap_or(Expr::Number(1)),
            _ => self.read(scope).unwrap_or(Expr::Number(1)),
        }
    }

    fn length(&mut self, scope: &Scope) -> Option<Expr> {
        let channel = self.some_channel(scope, |_| true)?;
        Some(Expr::Probe("len", self.channel_place(scope, &channel)))
    }

    pub(super) fn some_channel(
        &mut self,
        scope: &Scope,
        wanted: impl Fn(&Channel) -> bool,
    ) -> Option<Channel> {
        let fit = |channel: &&Channel| !channel.exclusive && wanted(channel);
        let candidates: Vec<Channel> = scope.channels.iter().filter(fit).cloned().collect();
        self.rng.pick(&candidates).cloned()
    }

    /// A condition that reads something wherever there is something to read.
    pub(super) fn condition(&mut self, scope: &Scope, depth: u32) -> Expr {
        match self.rng.below(14) {
            0 if depth > 0 => {
                let operator = if self.rng.chance(50) { "&&" } else { "||" };
                Expr::binary(operator, self.condition(scope, depth - 1), self.condition(scope, depth - 1))
            }
            1 if depth > 0 => Expr::Unary("!", Box::new(self.condition(scope, depth - 1))),
            2 => self.mtype_test(scope).unwrap_or(Expr::word("true")),
            3 => self.named_condition().unwrap_or_else(|| self.comparison(scope, depth)),
            4 => self.read(scope).unwrap_or(Expr::word("true")),
            _ => self.comparison(scope, depth),
        }
    }

    fn named_condition(&mut self) -> Option<Expr> {
        let conditions = self.conditions.clone();
        self.rng.pick(&conditions).map(|name| Expr::word(name))
    }

    fn comparison(&mut self, scope: &Scope, depth: u32) -> Expr {
        let operator = *self.rng.pick(&COMPARISONS).unwrap_or(&"==");
        let left = self.read(scope).unwrap_or_else(|| Expr::word("_pid"));
        let right =
            if depth == 0 || self.rng.chance(60) { self.constant() } else { self.number(scope, depth - 1) };
        Expr::binary(operator, left, right)
    }

    fn mtype_test(&mut self, scope: &Scope) -> Option<Expr> {
        let symbolic = |spot: &&Spot| spot.readable && matches!(spot.ty, Type::Mtype(_));
        let candidates: Vec<Spot> = scope.spots.iter().filter(symbolic).cloned().collect();
        let spot = self.rng.pick(&candidates)?.clone();
        let Type::Mtype(subtype) = &spot.ty else {
            return None;
        };
        let member = self.member(subtype);
        Some(Expr::binary("==", Expr::Read(self.place(scope, &spot)), member))
    }

    /// A value to assign to a variable of type `ty`, small enough to keep the state space small.
    pub(super) fn value_for(&mut self, scope: &Scope, ty: &Type) -> Expr {
        let small = Expr::Number(self.rng.between(2, 4));
        match ty {
            Type::Mtype(subtype) => self.member(subtype),
            Type::Bit | Type::Bool if self.rng.chance(40) => self.condition(scope, 1),
            Type::Bit | Type::Bool | Type::Unsigned(1..=2) => self.number(scope, 2),
            _ if self.rng.chance(40) => self.constant(),
            _ => Expr::binary("%", self.number(scope, 2), small),
        }
    }
}
