//! A machine side by side with a tester.
//!
//! A step of both is a step of the machine during which every promise `X p` made before it is what
//! p is after it, and every memory `Y p` after it is what p was before it. Memories are functions
//! of the state before, promises of the state after, so the machine's step stays in parts: memories
//! are settled on one side of it, promises on the other.

use crate::diagram::{Bdd, Bit, NoAnswer, Replacement, Space, both_exists, without};
use crate::machine::Machine;
use crate::tester::{Elsewhere, Tester};
use oxidd::BooleanFunction;

pub(crate) struct Product<'a> {
    pub(crate) space: &'a Space<'a>,
    pub(crate) machine: &'a Machine,
    pub(crate) tester: Tester,
    pub(crate) initial: Bdd,
    /// `next = holds`, all promises: the promise made before, in the place of the next bit.
    kept: Bdd,
    /// The same of memories.
    remembered: Bdd,
    promises: Pair,
    memories: Pair,
    /// Before the step: memories are what they must be, promises are those of now.
    settle: Replacement,
}

/// The bits of one kind: quantified, and renamed either way.
struct Pair {
    now: Bdd,
    next: Bdd,
    to_next: Replacement,
    to_now: Replacement,
}

impl Pair {
    fn new(space: &Space<'_>, of: &[Elsewhere]) -> Result<Pair, NoAnswer> {
        let forth: Vec<_> = of.iter().map(|e| (e.bit.now, e.bit.next)).collect();
        let back: Vec<_> = of.iter().map(|e| (e.bit.next, e.bit.now)).collect();
        Ok(Pair {
            now: space.cube(of.iter().map(|e| e.bit.now))?,
            next: space.cube(of.iter().map(|e| e.bit.next))?,
            to_next: space.renaming(&forth)?,
            to_now: space.renaming(&back)?,
        })
    }
}

/// `next = holds` for each.
fn agreement(space: &Space<'_>, of: &[Elsewhere]) -> Result<Bdd, NoAnswer> {
    of.iter().try_fold(space.constant(true), |all, e| Ok(all.and(&space.var(e.bit.next)?.equiv(&e.holds)?)?))
}

/// Which steps of the machine.
#[derive(Clone, Copy)]
pub(crate) enum By<'a> {
    /// All, and idling.
    Any,
    /// Those of some parts.
    Parts(&'a [usize]),
}

impl<'a> Product<'a> {
    pub(crate) fn new(
        space: &'a Space<'a>,
        machine: &'a Machine,
        tester: Tester,
    ) -> Result<Product<'a>, NoAnswer> {
        let (promises, memories) = (&tester.promises, &tester.memories);
        let mut settled: Vec<_> = memories.iter().map(|m| (m.bit.next, m.holds.clone())).collect();
        for promise in promises {
            settled.push((promise.bit.next, space.var(promise.bit.now)?));
        }
        let (of, with) = settled.into_iter().unzip();
        Ok(Product {
            kept: agreement(space, promises)?,
            remembered: agreement(space, memories)?,
            promises: Pair::new(space, promises)?,
            memories: Pair::new(space, memories)?,
            settle: Replacement::new(of, with),
            initial: machine.initial.and(&tester.initial)?.and(&tester.root)?,
            space,
            machine,
            tester,
        })
    }

    /// All bits of a state of the product.
    pub(crate) fn bits(&self) -> Vec<Bit> {
        let tester = self.tester.promises.iter().chain(&self.tester.memories).map(|e| e.bit);
        self.machine.bits.iter().copied().chain(tester).collect()
    }

    /// Where one step leads.
    pub(crate) fn image(&self, of: &Bdd, by: By<'_>) -> Result<Bdd, NoAnswer> {
        let remembered = both_exists(of, &self.remembered, &self.memories.now)?;
        let made = self.promises.to_next.apply(&self.memories.to_now.apply(&remembered)?)?;
        let moved = self.moved(&made, by, true)?;
        both_exists(&moved, &self.kept, &self.promises.next)
    }

    /// Whence one step leads there.
    pub(crate) fn preimage(&self, of: &Bdd, by: By<'_>) -> Result<Bdd, NoAnswer> {
        let made = both_exists(of, &self.kept, &self.promises.now)?;
        let moved = self.moved(&self.memories.to_next.apply(&made)?, by, false)?;
        self.settle.apply(&moved)
    }

    fn moved(&self, of: &Bdd, by: By<'_>, forward: bool) -> Result<Bdd, NoAnswer> {
        let mut found = match by {
            By::Any => of.clone(),
            By::Parts(_) => self.space.constant(false),
        };
        let wanted = |at: &usize| match by {
            By::Any => true,
            By::Parts(parts) => parts.contains(at),
        };
        for part in (0..self.machine.parts.len()).filter(wanted).map(|at| &self.machine.parts[at]) {
            found = found.or(&if forward { part.image(of)? } else { part.preimage(of)? })?;
        }
        self.space.breathe()?;
        Ok(found)
    }

    /// All states that runs lead to.
    pub(crate) fn reachable(&self) -> Result<Bdd, NoAnswer> {
        let mut reached = self.initial.clone();
        let mut new = reached.clone();
        while new.satisfiable() {
            new = without(&self.image(&new, By::Any)?, &reached)?;
            reached = reached.or(&new)?;
        }
        Ok(reached)
    }

    /// States from which a run within some states leads to others of them.
    pub(crate) fn leads_to(&self, within: &Bdd, target: &Bdd) -> Result<Bdd, NoAnswer> {
        let mut found = within.and(target)?;
        let mut new = found.clone();
        while new.satisfiable() {
            new = without(&self.preimage(&new, By::Any)?.and(within)?, &found)?;
            found = found.or(&new)?;
        }
        Ok(found)
    }
}
