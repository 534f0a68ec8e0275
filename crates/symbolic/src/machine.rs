//! A machine of bits: an initial condition, steps in parts, and which transitions want to be
//! treated fairly.
//!
//! Each part is a relation over the bits of now and those next bits that it changes; all others
//! keep their value without a word in the relation. The union of the parts, and idling, is a step.

use crate::diagram::{Bdd, Bit, NoAnswer, Replacement, Space, both_exists, meets, without};
use oxidd::BooleanFunction;

pub(crate) struct Part {
    pub(crate) relation: Bdd,
    changed: Vec<Bit>,
    now: Bdd,
    next: Bdd,
    to_next: Replacement,
    to_now: Replacement,
}

impl Part {
    pub(crate) fn new(space: &Space<'_>, relation: Bdd, changed: Vec<Bit>) -> Result<Part, NoAnswer> {
        let forth: Vec<_> = changed.iter().map(|b| (b.now, b.next)).collect();
        let back: Vec<_> = changed.iter().map(|b| (b.next, b.now)).collect();
        Ok(Part {
            relation,
            now: space.cube(changed.iter().map(|b| b.now))?,
            next: space.cube(changed.iter().map(|b| b.next))?,
            to_next: space.renaming(&forth)?,
            to_now: space.renaming(&back)?,
            changed,
        })
    }

    /// Where one step leads.
    pub(crate) fn image(&self, of: &Bdd) -> Result<Bdd, NoAnswer> {
        self.to_now.apply(&both_exists(of, &self.relation, &self.now)?)
    }

    /// Whence one step leads there.
    pub(crate) fn preimage(&self, of: &Bdd) -> Result<Bdd, NoAnswer> {
        both_exists(&self.to_next.apply(of)?, &self.relation, &self.next)
    }

    /// The relation over all bits: those that do not change are the same.
    fn whole(&self, space: &Space<'_>, bits: &[Bit]) -> Result<Bdd, NoAnswer> {
        let kept = bits.iter().filter(|b| !self.changed.contains(b));
        kept.rev().try_fold(self.relation.clone(), |all, bit| {
            Ok(all.and(&space.var(bit.now)?.equiv(&space.var(bit.next)?)?)?)
        })
    }
}

/// A transition that is treated fairly: where it is possible, and the parts that take it.
pub(crate) struct Fair {
    pub(crate) enabled: Bdd,
    pub(crate) parts: Vec<usize>,
    pub(crate) compassionate: bool,
}

pub(crate) struct Machine {
    pub(crate) bits: Vec<Bit>,
    pub(crate) initial: Bdd,
    pub(crate) parts: Vec<Part>,
    pub(crate) fair: Vec<Fair>,
}

/// What is no longer possible.
pub(crate) struct Barred {
    /// States from which a step led to where it may not lead.
    pub(crate) before: Bdd,
    /// Whether an initial state was left out.
    pub(crate) initially: bool,
}

impl Machine {
    /// All states that steps lead to from the initial ones, or as many as were found when the first
    /// `alarm` was among them. Parts are applied one after the other to all that was found so far
    /// (chaining).
    pub(crate) fn reachable(&self, space: &Space<'_>, alarm: &Bdd) -> Result<(Bdd, bool), NoAnswer> {
        let mut reached = self.initial.clone();
        loop {
            let before = reached.clone();
            for part in &self.parts {
                loop {
                    let more = reached.or(&part.image(&reached)?)?;
                    if more == reached {
                        break;
                    }
                    reached = more;
                    space.breathe()?;
                }
                if meets(&reached, alarm)? {
                    return Ok((reached, true));
                }
            }
            space.breathe()?;
            if reached == before {
                return Ok((reached, false));
            }
        }
    }

    /// Enters no state of a set any more.
    pub(crate) fn bar(&mut self, outside: &Bdd) -> Result<Barred, NoAnswer> {
        let initially = meets(&self.initial, outside)?;
        self.initial = without(&self.initial, outside)?;
        let mut before = outside.and(&outside.not()?)?;
        for part in &mut self.parts {
            before = before.or(&part.preimage(outside)?)?;
            part.relation = without(&part.relation, &part.to_next.apply(outside)?)?;
        }
        Ok(Barred { before, initially })
    }

    /// Leaves no state of a set any more.
    pub(crate) fn halt(&mut self, within: &Bdd) -> Result<(), NoAnswer> {
        for part in &mut self.parts {
            part.relation = without(&part.relation, within)?;
        }
        Ok(())
    }

    /// All steps from some states, but for idling: pairs of now and next.
    pub(crate) fn steps(&self, space: &Space<'_>, from: &Bdd) -> Result<Bdd, NoAnswer> {
        let mut steps = space.constant(false);
        for part in &self.parts {
            steps = steps.or(&part.whole(space, &self.bits)?.and(from)?)?;
            space.breathe()?;
        }
        Ok(steps)
    }
}
