//! Persistent sets (thesis, chapter 4) out of what each choice needs; written once, for models and
//! for programs ([`Choices`]).
//!
//! All algorithms of the chapter are one: start with an enabled choice, add what each choice needs
//! until nothing is missing. They differ in the needs, which the stepper knows
//! ([`independence::Algorithm`]). Disabled choices of Algorithms 3 and 4 have alternatives
//! (necessary enabling sets, step 2.a), and so have gates, which are nodes like choices that are
//! never enabled. `Sets::closed` takes the one that adds the fewest enabled choices; if that leaves
//! more than one enabled, `Sets::shrunk` resolves the alternatives in the graph of section 4.5, by
//! deletion (Valmari): from the set of all choices, which lacks nothing, take out one enabled
//! choice at a time with all that cannot stay without it, unless the starting one would have to go.
//! What remains contains no smaller set with the starting choice. It is not looked for where every
//! set with the starting choice has all that was found enabled (`Sets::forced`).
//!
//! [`Sets::each`] offers the sets of all starting choices, smallest first, where a set that has to
//! do with one process alone counts one less: it delays no process that others might wait for.

pub use independence::members;
use independence::selective::Selective;
use independence::{Algorithm, Method, Set};

/// The choices of a state, and what each needs.
pub trait Choices {
    /// How many there are, with the gates that came up so far.
    fn count(&self) -> usize;

    /// The choices that are enabled.
    fn enabled(&self) -> Set;

    /// Transitions elsewhere that may be in a set as well, and are not enabled.
    fn gates(&self) -> Set {
        0
    }

    /// The alternatives of what a persistent set with the choice must have besides, each whole;
    /// `None` if only the set of everything enabled will do.
    fn needs(&mut self, choice: usize, alternatives: &mut Vec<Set>) -> Option<()>;

    /// Whether there may be several alternatives, so that it pays to look for smaller sets.
    fn have_alternatives(&self) -> bool {
        false
    }

    /// Whether a set has to do with one process alone.
    fn are_of_one(&self, _set: Set) -> bool {
        false
    }
}

/// The choices of the state that a stepper has at hand, with what they need by a method.
pub struct AtHand<'a, S>(pub &'a mut S, pub Method);

impl<S: Selective> Choices for AtHand<'_, S> {
    fn count(&self) -> usize {
        self.0.nodes().len()
    }

    fn enabled(&self) -> Set {
        self.0.enabled()
    }

    fn gates(&self) -> Set {
        self.0.gates()
    }

    fn needs(&mut self, choice: usize, alternatives: &mut Vec<Set>) -> Option<()> {
        self.0.needs(choice, self.1, alternatives)
    }

    fn have_alternatives(&self) -> bool {
        self.1.algorithm == Algorithm::Stubborn
    }

    fn are_of_one(&self, set: Set) -> bool {
        let nodes = self.0.nodes();
        let mut processes = members(set).map(|at| nodes[at].process);
        let first = processes.next();
        processes.all(|process| Some(process) == first)
    }
}

/// Finds persistent sets of the state at hand.
#[derive(Default)]
pub struct Sets {
    /// By choice: its needs, once they are known.
    needs: Vec<Needs>,
    /// Alternatives of needs, one behind the other.
    alternatives: Vec<Set>,
    found: Vec<(u32, Set)>,
    scratch: Vec<Set>,
    /// By node: those that have it in an alternative; known with `largest`.
    users: Vec<Set>,
    /// The largest set that lacks nothing, once it was looked for.
    largest: Option<Set>,
    /// The needs of all choices and gates are known.
    knows_all: bool,
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
    /// Offers sets of enabled choices, each persistent, smallest first by `weight`, until one is
    /// accepted; if none is, the answer is the set of everything enabled. Of sets alike, those of
    /// one process are first, then those of the first starting choices.
    pub fn each(
        &mut self,
        choices: &mut impl Choices,
        starts: impl Iterator<Item = usize>,
        weight: impl Fn(Set) -> u32,
        mut accept: impl FnMut(Set) -> bool,
    ) -> Set {
        let enabled = choices.enabled();
        self.begin(choices);
        self.found.clear();
        for start in starts {
            let Some(closed) = self.closed(choices, start) else { continue };
            let mut set = closed & enabled;
            if weight(set) > 1 && choices.have_alternatives() && set != 1 << start {
                self.learn_all(choices);
                if self.forced(start) & enabled != set {
                    set = self.shrunk(choices, start).unwrap_or(set);
                }
            }
            let alone = 2 * weight(set);
            let cost = if choices.are_of_one(closed) { alone } else { alone + 3 };
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

    /// All choices that follow from a starting one, disabled ones included; `None` if something
    /// needs everything.
    pub fn closure(&mut self, choices: &mut impl Choices, start: usize) -> Option<Set> {
        self.begin(choices);
        self.closed(choices, start)
    }

    /// The largest set of choices inside another, with gates, that lacks nothing.
    pub fn within(&mut self, choices: &mut impl Choices, set: Set) -> Option<Set> {
        self.begin(choices);
        members(set & !choices.gates()).for_each(|node| self.learn(choices, node));
        let gates = self.learn_gates(choices);
        Some(self.closed_part(set | gates)).filter(|set| *set != 0)
    }

    /// The smallest set around one starting choice, for those who want to know them all.
    pub fn around(&mut self, choices: &mut impl Choices, start: usize) -> Set {
        let enabled = choices.enabled();
        self.begin(choices);
        let Some(closed) = self.closed(choices, start) else { return enabled };
        let set = closed & enabled;
        if !choices.have_alternatives() {
            return set;
        }
        self.learn_all(choices);
        self.shrunk(choices, start).filter(|s| s.count_ones() < set.count_ones()).unwrap_or(set)
    }

    /// Nothing is known of the state at hand.
    fn begin(&mut self, choices: &impl Choices) {
        self.needs.clear();
        self.needs.resize(choices.count(), Needs::Unknown);
        self.alternatives.clear();
        self.largest = None;
        self.knows_all = false;
    }

    /// Gates bring up gates.
    fn learn_gates(&mut self, choices: &mut impl Choices) -> Set {
        let mut known: Set = 0;
        while let Some(gate) = members(choices.gates() & !known).next() {
            self.learn(choices, gate);
            known |= 1 << gate;
        }
        known
    }

    fn learn(&mut self, choices: &mut impl Choices, node: usize) {
        if self.needs.len() <= node {
            self.needs.resize(node + 1, Needs::Unknown);
        }
        if let Needs::Unknown = self.needs[node] {
            let from = self.alternatives.len();
            self.needs[node] = match choices.needs(node, &mut self.scratch) {
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
    fn closed(&mut self, choices: &mut impl Choices, start: usize) -> Option<Set> {
        let enabled = choices.enabled();
        let (mut set, mut open): (Set, Set) = (1 << start, 1 << start);
        while open != 0 {
            let node = open.trailing_zeros() as usize;
            open &= open - 1;
            self.learn(choices, node);
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

    /// What is in every set that has the starting choice and lacks nothing; the needs of its closed
    /// set are known.
    fn forced(&self, start: usize) -> Set {
        let (mut set, mut open): (Set, Set) = (1 << start, 1 << start);
        while open != 0 {
            let node = open.trailing_zeros() as usize;
            open &= open - 1;
            let alternatives = self.alternatives(node).unwrap_or_default();
            let more = alternatives.iter().fold(Set::MAX, |all, needed| all & needed) & !set;
            set |= more;
            open |= more;
        }
        set
    }

    /// Learns what all choices need, and all gates that come up.
    fn learn_all(&mut self, choices: &mut impl Choices) {
        if std::mem::replace(&mut self.knows_all, true) {
            return;
        }
        let real = choices.count() - choices.gates().count_ones() as usize;
        (0..real).for_each(|node| self.learn(choices, node));
        self.learn_gates(choices);
    }

    /// The largest set of choices and gates that lacks nothing; all needs are known.
    fn largest(&mut self, count: usize) -> Set {
        if let Some(known) = self.largest {
            return known;
        }
        self.users.clear();
        self.users.resize(count, 0);
        for node in 0..count {
            let Needs::OneOf(from, to) = self.needs[node] else { continue };
            for needed in &self.alternatives[from..to] {
                members(*needed).for_each(|at| self.users[at] |= 1 << node);
            }
        }
        let all = if count >= 128 { Set::MAX } else { (1 << count) - 1 };
        *self.largest.insert(self.closed_part(all))
    }

    /// Takes choices out of the largest set for as long as `start` can stay: its enabled part. All
    /// needs are known.
    fn shrunk(&mut self, choices: &impl Choices, start: usize) -> Option<Set> {
        let (enabled, mut set) = (choices.enabled(), self.largest(choices.count()));
        if set >> start & 1 == 0 {
            return None;
        }
        for node in members(enabled & !(1 << start)) {
            if set >> node & 1 == 1
                && let Some(smaller) = self.without(set, node, start)
            {
                set = smaller;
            }
        }
        Some(set & enabled)
    }

    /// Whether a node can stay: all of one alternative is in the set.
    fn stays(&self, node: usize, set: Set) -> bool {
        let alternatives = self.alternatives(node).unwrap_or_default();
        alternatives.iter().any(|needed| needed & !set == 0)
    }

    /// The largest set inside another that lacks nothing.
    fn closed_part(&self, mut set: Set) -> Set {
        loop {
            let left = members(set).filter(|node| self.stays(*node, set)).fold(0, |left, at| left | 1 << at);
            if left == set {
                return set;
            }
            set = left;
        }
    }

    /// The same for a set that lacks nothing and loses a node; `None` if `start` cannot stay.
    fn without(&self, set: Set, gone: usize, start: usize) -> Option<Set> {
        let mut set = set & !(1 << gone);
        let mut lost: Set = 1 << gone;
        while lost != 0 {
            let node = lost.trailing_zeros() as usize;
            lost &= lost - 1;
            for user in members(self.users[node] & set).filter(|user| !self.stays(*user, set)) {
                lost |= 1 << user;
            }
            set &= !lost;
            if set >> start & 1 == 0 {
                return None;
            }
        }
        Some(set)
    }
}
