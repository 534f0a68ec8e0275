//! Binary decision diagrams as this crate uses them: a manager of oxidd, its variables, and when to
//! stop.
//!
//! Diagrams have complement edges, so negation is free. Every operation may find the manager full;
//! that is an [`NoAnswer`], never a wrong answer.

use num_bigint::BigUint;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{OptBool, OutOfMemory, SatCountCache};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, FunctionSubst, Manager, ManagerRef, Subst,
};
use std::cell::Cell;
use std::collections::hash_map::RandomState;
use std::ops::{AddAssign, ShlAssign, ShrAssign, SubAssign};

pub(crate) type Bdd = BCDDFunction;

/// A variable of a diagram.
pub(crate) type Var = u32;

/// A bit of a state: now, and after a step. The two stand side by side in the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bit {
    pub(crate) now: Var,
    pub(crate) next: Var,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnswer {
    /// The diagrams need more nodes than they may have.
    #[error("the decision diagrams became too large")]
    Nodes,
    /// The listener asked to stop.
    #[error("the search was stopped")]
    Stopped,
    /// The system cannot be treated, and why.
    #[error("{0}")]
    Refused(String),
}

impl From<OutOfMemory> for NoAnswer {
    fn from(_: OutOfMemory) -> Self {
        NoAnswer::Nodes
    }
}

/// Asked again and again with the number of nodes: go on?
pub type Ask<'a> = dyn Fn(usize) -> bool + 'a;

/// Where diagrams live.
pub(crate) struct Space<'a> {
    manager: BCDDManagerRef,
    ask: &'a Ask<'a>,
    /// The most nodes seen at once.
    peak: Cell<usize>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(nodes: usize, ask: &'a Ask<'a>) -> Space<'a> {
        let manager = oxidd::bcdd::new_manager(nodes, (nodes / 16).clamp(1 << 12, 1 << 20), 1);
        Space { manager, ask, peak: Cell::new(0) }
    }

    /// Between two operations: look whether to go on.
    pub(crate) fn breathe(&self) -> Result<(), NoAnswer> {
        let nodes = self.manager.with_manager_shared(|m| m.num_inner_nodes());
        self.peak.set(self.peak.get().max(nodes));
        if (self.ask)(nodes) { Ok(()) } else { Err(NoAnswer::Stopped) }
    }

    pub(crate) fn peak(&self) -> usize {
        self.peak.get()
    }

    pub(crate) fn bits(&self, count: usize) -> Vec<Bit> {
        let vars = self.vars(2 * count);
        vars.chunks_exact(2).map(|pair| Bit { now: pair[0], next: pair[1] }).collect()
    }

    pub(crate) fn vars(&self, count: usize) -> Vec<Var> {
        self.manager.with_manager_exclusive(|m| m.add_vars(count as Var)).collect()
    }

    pub(crate) fn constant(&self, value: bool) -> Bdd {
        self.manager.with_manager_shared(|m| if value { Bdd::t(m) } else { Bdd::f(m) })
    }

    pub(crate) fn var(&self, var: Var) -> Result<Bdd, NoAnswer> {
        Ok(self.manager.with_manager_shared(|m| Bdd::var(m, var))?)
    }

    pub(crate) fn literal(&self, var: Var, value: bool) -> Result<Bdd, NoAnswer> {
        Ok(self.manager.with_manager_shared(
            |m| {
                if value { Bdd::var(m, var) } else { Bdd::not_var(m, var) }
            },
        )?)
    }

    /// The conjunction of variables: what quantifiers take.
    pub(crate) fn cube(&self, vars: impl IntoIterator<Item = Var>) -> Result<Bdd, NoAnswer> {
        vars.into_iter().try_fold(self.constant(true), |cube, var| Ok(cube.and(&self.var(var)?)?))
    }

    pub(crate) fn all<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> Result<Bdd, NoAnswer> {
        parts.into_iter().try_fold(self.constant(true), |all, part| Ok(all.and(part)?))
    }

    pub(crate) fn any<'b>(&self, parts: impl IntoIterator<Item = &'b Bdd>) -> Result<Bdd, NoAnswer> {
        parts.into_iter().try_fold(self.constant(false), |any, part| Ok(any.or(part)?))
    }

    /// Puts variables in the place of others.
    pub(crate) fn renaming(&self, pairs: &[(Var, Var)]) -> Result<Replacement, NoAnswer> {
        let with = pairs.iter().map(|(_, to)| self.var(*to)).collect::<Result<Vec<_>, _>>()?;
        Ok(Replacement::new(pairs.iter().map(|(from, _)| *from).collect(), with))
    }
}

/// Diagrams in the place of variables, all at once.
pub(crate) struct Replacement(Subst<Bdd>);

impl Replacement {
    pub(crate) fn new(of: Vec<Var>, with: Vec<Bdd>) -> Replacement {
        Replacement(Subst::new(of, with))
    }

    pub(crate) fn apply(&self, to: &Bdd) -> Result<Bdd, NoAnswer> {
        Ok(to.substitute(&self.0)?)
    }
}

/// `Exists vars. a /\ b`.
pub(crate) fn both_exists(a: &Bdd, b: &Bdd, vars: &Bdd) -> Result<Bdd, NoAnswer> {
    Ok(a.apply_exists(BooleanOperator::And, b, vars)?)
}

/// `a /\ ~b`.
pub(crate) fn without(a: &Bdd, b: &Bdd) -> Result<Bdd, NoAnswer> {
    Ok(a.and(&b.not()?)?)
}

pub(crate) fn meets(a: &Bdd, b: &Bdd) -> Result<bool, NoAnswer> {
    Ok(a.and(b)?.satisfiable())
}

/// One assignment that makes a diagram true, where it does not matter false: its value by variable.
pub(crate) fn pick(of: &Bdd) -> Option<Vec<bool>> {
    let cube = of.pick_cube(|_, _, _| false)?;
    Some(cube.into_iter().map(|value| value == OptBool::True).collect())
}

/// How many assignments to this many variables make a diagram true; it must depend on no others.
pub(crate) fn count(of: &Bdd, variables: usize) -> BigUint {
    of.sat_count(variables as u32, &mut SatCountCache::<Count, RandomState>::default()).0
}

/// Numbers as oxidd counts with them.
#[derive(Clone)]
struct Count(BigUint);

impl From<u32> for Count {
    fn from(n: u32) -> Self {
        Count(BigUint::from(n))
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        self.0 += &other.0;
    }
}

impl SubAssign<&Count> for Count {
    fn sub_assign(&mut self, other: &Count) {
        self.0 -= &other.0;
    }
}

impl ShlAssign<u32> for Count {
    fn shl_assign(&mut self, by: u32) {
        self.0 <<= by;
    }
}

impl ShlAssign<i32> for Count {
    fn shl_assign(&mut self, by: i32) {
        self.0 <<= by;
    }
}

impl ShrAssign<u32> for Count {
    fn shr_assign(&mut self, by: u32) {
        self.0 >>= by;
    }
}
