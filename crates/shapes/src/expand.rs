//! Everything that one abstract state leads to: the work of one worker, which needs nothing of the space.
//!
//! Arrivals are blurred and lie one behind the other in one vector; names have numbers of this expansion, which the space translates.
//! What an expansion says does not depend on who made it or when, so a space is the same with any number of workers.

use crate::action::Action;
use crate::kleene::Kleene;
use crate::machine::{Machine, Successor};
use crate::names::{Few, Moves};
use crate::space::Wish;
use crate::structure::Structure;
use crate::vocabulary::Symbol;
use std::collections::BTreeSet;
use std::ops::Range;

/// A state that a step, or one through passing places, ends in.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The action that was taken first.
    pub action: usize,
    pub who: u64,
    pub definite: bool,
    nodes: usize,
    words: Range<usize>,
    lose: Range<usize>,
    gain: Range<usize>,
}

/// What was found at one state; kept to be filled again.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    pub arrivals: Vec<Arrival>,
    words: Vec<u64>,
    /// Those of all arrivals, one behind the other.
    moves: Moves,
    /// Those of the steps from the state to where the worker is.
    trail: Moves,
    pub names: Few,
    pub taken: Vec<usize>,
    pub steps: u64,
    /// Of each formula watched over: the first action after which it may be broken, and whether it surely is.
    pub breaches: Vec<Option<(usize, bool)>>,
}

/// What is the same for all expansions of a search.
pub struct Rules<'a> {
    pub actions: &'a [Action],
    pub passing: &'a BTreeSet<Symbol>,
    pub wish: &'a Wish,
}

/// One who expands states, with memory to work in.
#[derive(Debug)]
pub struct Worker {
    pub machine: Machine,
    blurred: Structure,
    settled: Structure,
}

/// The beginning of a step that goes on.
#[derive(Clone, Copy)]
struct Way {
    first: usize,
    who: u64,
}

impl Expansion {
    /// The state of an arrival, written over another.
    pub fn state(&self, arrival: &Arrival, into: &mut Structure) {
        into.words.clear();
        into.words.extend_from_slice(&self.words[arrival.words.clone()]);
        into.nodes = arrival.nodes;
    }

    /// The moves of an arrival, with other numbers for the names, written over others.
    pub fn moves(&self, arrival: &Arrival, numbers: &[u32], into: &mut Moves) {
        let number = |n: &u32| numbers[*n as usize];
        into.clear();
        into.lose.extend(self.moves.lose[arrival.lose.clone()].iter().map(number));
        let gain = &self.moves.gain[arrival.gain.clone()];
        into.gain.extend(gain.iter().map(|(old, new)| (old.as_ref().map(number), number(new))));
        into.lose.sort_unstable();
        into.lose.dedup();
        into.gain.sort_unstable();
        into.gain.dedup();
    }

    fn clear(&mut self, rules: &Rules<'_>) {
        self.arrivals.clear();
        self.words.clear();
        self.moves.clear();
        self.trail.clear();
        self.names.clear();
        self.taken.clear();
        self.steps = 0;
        self.breaches.clear();
        self.breaches.resize(rules.wish.invariants.len(), None);
    }
}

impl Worker {
    pub fn new(machine: Machine) -> Worker {
        Worker { machine, blurred: Structure::default(), settled: Structure::default() }
    }

    pub fn expand(&mut self, rules: &Rules<'_>, s: &Structure, out: &mut Expansion) {
        out.clear(rules);
        if !self.machine.begin(s) {
            return;
        }
        for (number, action) in rules.actions.iter().enumerate() {
            self.machine.successors(action);
            let found = self.machine.take_found();
            for successor in &found {
                let who = self.who(rules, successor);
                self.follow(rules, successor, number, Way { first: number, who }, out);
            }
            self.machine.give_back(found);
        }
    }

    /// After a step: on through passing places, to the state where it ends.
    fn follow(
        &mut self,
        rules: &Rules<'_>,
        successor: &Successor,
        last: usize,
        way: Way,
        out: &mut Expansion,
    ) {
        if out.taken.last() != Some(&last) {
            out.taken.push(last);
        }
        out.steps += 1;
        self.inspect(rules, &successor.after, last, out);
        let trodden = (out.trail.lose.len(), out.trail.gain.len());
        if rules.wish.edges {
            let Successor { before, after, removed, .. } = successor;
            out.names.moves(&self.machine.blur, before, after, *removed, &mut out.trail);
        }
        self.go_on(rules, successor, last, way, out);
        out.trail.lose.truncate(trodden.0);
        out.trail.gain.truncate(trodden.1);
    }

    fn go_on(
        &mut self,
        rules: &Rules<'_>,
        successor: &Successor,
        last: usize,
        way: Way,
        out: &mut Expansion,
    ) {
        let to = rules.actions[last].to.filter(|place| rules.passing.contains(place));
        let (Some(place), Some(actor)) = (to, successor.actor) else {
            return self.arrive(rules, successor, way, out);
        };
        for (number, action) in rules.actions.iter().enumerate().filter(|(_, a)| a.from == Some(place)) {
            self.machine.successors_of(&successor.after, actor, action);
            let found = self.machine.take_found();
            for next in &found {
                self.follow(rules, next, number, way, out);
            }
            self.machine.give_back(found);
        }
    }

    /// The end of a step, or of one through passing places.
    fn arrive(&mut self, rules: &Rules<'_>, successor: &Successor, way: Way, out: &mut Expansion) {
        let mut after = std::mem::take(&mut self.settled);
        after.copy_from(&successor.after);
        let (removed, stands) = self.machine.collect(&mut after);
        if stands {
            let (lose, gain) = (out.moves.lose.len(), out.moves.gain.len());
            out.moves.lose.extend_from_slice(&out.trail.lose);
            out.moves.gain.extend_from_slice(&out.trail.gain);
            if rules.wish.edges && removed != 0 {
                out.names.moves(&self.machine.blur, &successor.after, &after, removed, &mut out.moves);
            }
            self.machine.blur.blur(&after, &mut self.blurred);
            let start = out.words.len();
            out.words.extend_from_slice(&self.blurred.words);
            out.arrivals.push(Arrival {
                action: way.first,
                who: way.who,
                definite: successor.definite,
                nodes: self.blurred.nodes,
                words: start..out.words.len(),
                lose: lose..out.moves.lose.len(),
                gain: gain..out.moves.gain.len(),
            });
        }
        self.settled = after;
    }

    /// Which of the distinguished predicates who moves may have.
    fn who(&self, rules: &Rules<'_>, successor: &Successor) -> u64 {
        let Some(actor) = successor.actor else { return 0 };
        let has = |symbol: &Symbol| successor.before.get(self.machine.layout, *symbol, [actor, 0]).may();
        rules.wish.who.iter().enumerate().fold(0, |who, (bit, symbol)| who | u64::from(has(symbol)) << bit)
    }

    /// Looks at a state that is not yet blurred.
    fn inspect(&self, rules: &Rules<'_>, s: &Structure, action: usize, out: &mut Expansion) {
        for (breach, f) in out.breaches.iter_mut().zip(&rules.wish.invariants).filter(|(b, _)| b.is_none()) {
            let value = self.machine.value(s, f);
            if value != Kleene::True {
                *breach = Some((action, value == Kleene::False));
            }
        }
    }
}
