//! Persistent sets (thesis, chapter 4) out of what each choice needs.
//!
//! All algorithms of the chapter are one: start with an enabled choice, add what each choice needs until nothing is
//! missing. They differ in the needs, which the stepper knows ([`system::independence::Algorithm`]). Disabled choices of
//! Algorithms 3 and 4 have alternatives (necessary enabling sets, step 2.a), and so have gates, which are nodes like choices
//! that are never enabled. `Sets::closed` takes the one that adds the
//! fewest enabled choices; if that leaves more than one enabled, `Sets::shrunk` resolves the alternatives in the graph of
//! section 4.5, by deletion (Valmari): from the set of all choices, which lacks nothing, take out one enabled choice at a
//! time with all that cannot stay without it, unless the starting one would have to go. What remains contains no
//! smaller set with the starting choice.
//!
//! [`Sets::each`] offers the sets of all starting choices, smallest first, where a set that has to do with one process alone
//! counts one less: it puts nobody off who might have been waited for.

use system::independence::{Algorithm, Method, Set};
use system::stepper::Selective;

/// Finds persistent sets of the state at hand.
#[derive(Default)]
pub struct Sets {
    /// By choice: its needs, once they are known.
    needs: Vec<Needs>,
    /// Alternatives of needs, one behind the other.
    alternatives: Vec<Set>,
    found: Vec<(u32, Set)>,
    scratch: Vec<Set>,
}

/// What is known of the needs of a choice.
#[derive(Clone, Copy)]
enum Needs {
    Unknown,
    /// Only everything will do.
    Everything,
    /// One of the alternatives from the first number to the second.
    OneOf(usize, usize),
}

impl Sets {
    /// Offers sets of enabled choices, each persistent, smallest first by `weight`, until one is accepted; if none is, the
    /// answer is the set of everything enabled. Of sets alike, those of one process are first, then those of the first starting
    /// choices.
    pub fn each(
        &mut self,
        stepper: &mut impl Selective,
        method: Method,
        starts: impl Iterator<Item = usize>,
        weight: impl Fn(Set) -> u32,
        mut accept: impl FnMut(Set) -> bool,
    ) -> Set {
        let enabled = stepper.enabled();
        self.begin(stepper);
        self.found.clear();
        for start in starts {
            let Some(closed) = self.closed(stepper, method, start) else { continue };
            let mut set = closed & enabled;
            if weight(set) > 1 && method.algorithm == Algorithm::Stubborn && set != 1 << start {
                set = self.shrunk(stepper, method, start).unwrap_or(set);
            }
            let alone = 2 * weight(set);
            let cost = if is_of_one(stepper, closed) { alone } else { alone + 3 };
            if cost <= 2 && accept(set) {
                return set;
            }
            self.found.push((cost, set));
        }
        self.found.sort_by_key(|(cost, _)| *cost);
        self.found.dedup();
        let mut found = self.found.iter().map(|(_, set)| *set);
        found.find(|set| *set != enabled && accept(*set)).unwrap_or(enabled)
    }

    /// All choices that follow from a starting one, disabled ones included; `None` if something needs everything.
    pub fn closure(&mut self, stepper: &mut impl Selective, method: Method, start: usize) -> Option<Set> {
        self.begin(stepper);
        self.closed(stepper, method, start)
    }

    /// The largest set of choices inside another, with gates, that lacks nothing.
    pub fn within(&mut self, stepper: &mut impl Selective, method: Method, set: Set) -> Option<Set> {
        self.begin(stepper);
        members(set & !stepper.gates()).for_each(|node| self.learn(stepper, method, node));
        let gates = self.learn_gates(stepper, method);
        self.without(set | gates, 0)
    }

    /// The smallest set around one starting choice, for those who want to know them all.
    pub fn around(&mut self, stepper: &mut impl Selective, method: Method, start: usize) -> Set {
        let enabled = stepper.enabled();
        self.begin(stepper);
        let Some(closed) = self.closed(stepper, method, start) else { return enabled };
        let set = closed & enabled;
        if method.algorithm != Algorithm::Stubborn {
            return set;
        }
        self.shrunk(stepper, method, start).filter(|s| s.count_ones() < set.count_ones()).unwrap_or(set)
    }

    /// Nothing is known of the state at hand.
    fn begin(&mut self, stepper: &impl Selective) {
        self.needs.clear();
        self.needs.resize(stepper.nodes().len(), Needs::Unknown);
        self.alternatives.clear();
    }

    /// Gates bring up gates.
    fn learn_gates(&mut self, stepper: &mut impl Selective, method: Method) -> Set {
        let mut known: Set = 0;
        while let Some(gate) = members(stepper.gates() & !known).next() {
            self.learn(stepper, method, gate);
            known |= 1 << gate;
        }
        known
    }

    fn learn(&mut self, stepper: &mut impl Selective, method: Method, node: usize) {
        if self.needs.len() <= node {
            self.needs.resize(node + 1, Needs::Unknown);
        }
        if let Needs::Unknown = self.needs[node] {
            let from = self.alternatives.len();
            self.needs[node] = match stepper.needs(node, method, &mut self.scratch) {
                None => Needs::Everything,
                Some(()) => Needs::OneOf(from, from + self.scratch.len()),
            };
            self.alternatives.append(&mut self.scratch);
        }
    }

    /// The alternatives of a choice whose needs are known; `None` if only everything will do.
    fn alternatives(&self, node: usize) -> Option<&[Set]> {
        match self.needs[node] {
            Needs::OneOf(from, to) => Some(&self.alternatives[from..to]),
            Needs::Unknown | Needs::Everything => None,
        }
    }

    /// Adds what is needed until nothing is missing; `None` if something needs everything.
    fn closed(&mut self, stepper: &mut impl Selective, method: Method, start: usize) -> Option<Set> {
        let enabled = stepper.enabled();
        let (mut set, mut open): (Set, Set) = (1 << start, 1 << start);
        while open != 0 {
            let node = open.trailing_zeros() as usize;
            open &= open - 1;
            self.learn(stepper, method, node);
            let alternatives = self.alternatives(node)?;
            let cost = |more: &&Set| {
                let new = **more & !set;
                ((new & enabled).count_ones(), new.count_ones())
            };
            let more = *alternatives.iter().min_by_key(cost)? & !set;
            set |= more;
            open |= more;
        }
        Some(set)
    }

    /// Takes choices out of the set of all for as long as `start` can stay: its enabled part.
    fn shrunk(&mut self, stepper: &mut impl Selective, method: Method, start: usize) -> Option<Set> {
        let enabled = stepper.enabled();
        let choices = (stepper.nodes().len() as u32) - stepper.gates().count_ones();
        (0..choices as usize).for_each(|node| self.learn(stepper, method, node));
        self.learn_gates(stepper, method);
        let count = stepper.nodes().len();
        let all = if count >= 128 { Set::MAX } else { (1 << count) - 1 };
        let mut set = self.without(all, 0)?;
        for node in members(enabled & !(1 << start)) {
            if set >> node & 1 == 1
                && let Some(smaller) = self.without(set, 1 << node)
                && smaller >> start & 1 == 1
            {
                set = smaller;
            }
        }
        (set >> start & 1 == 1).then_some(set & enabled)
    }

    /// The largest set inside `set`, without `gone`, that lacks nothing.
    fn without(&self, set: Set, gone: Set) -> Option<Set> {
        let mut set = set & !gone;
        loop {
            let stays = |node: &usize| {
                let alternatives = self.alternatives(*node).unwrap_or_default();
                alternatives.iter().any(|needed| needed & !set == 0)
            };
            let left = members(set).filter(stays).fold(0, |left, node| left | 1 << node);
            if left == set {
                return (set != 0).then_some(set);
            }
            set = left;
        }
    }
}

/// Whether all nodes of a set are of one process.
fn is_of_one(stepper: &impl Selective, set: Set) -> bool {
    let nodes = stepper.nodes();
    let mut processes = members(set).map(|at| nodes[at].process);
    let first = processes.next();
    processes.all(|process| Some(process) == first)
}

/// The numbers in a set.
pub fn members(mut set: Set) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(next)
    })
}
