//! Who comes and who goes: derived predicates of a new node, which nodes cease to be, and those
//! that nothing can reach any more.

use super::{Machine, Successor};
use std::collections::BTreeSet;
use structures::action::Action;
use structures::evaluate::{Assignment, Evaluator, define};
use structures::formula::{Formula, Var};
use structures::kleene::Kleene;
use structures::newcomer::Newcomer;
use structures::structure::{Structure, bits};
use structures::vocabulary::{SUMMARY, Symbol, Vocabulary};

#[derive(Clone, Debug)]
pub(super) struct Derived {
    symbol: Symbol,
    definition: Formula,
    /// A new individual does not change it for others.
    steady: bool,
}

/// How a step goes on: whether its precondition was 1, who ceases to be, for which of them that has
/// been settled.
#[derive(Clone, Copy)]
pub(super) struct Fate {
    pub definite: bool,
    pub gone: u64,
    pub decided: u64,
}

impl Machine {
    /// Who stays? Where that is not known all answers are followed; a summary node may also fall
    /// apart.
    pub(super) fn decide(&mut self, s: Structure, mut nodes: Assignment, action: &Action, fate: Fate) {
        let Some((v, stays)) = &action.retain else { return self.update(s, nodes, action, fate) };
        let lanes = Evaluator { structure: &s, layout: self.layout }.lanes(stays, &mut nodes, *v);
        let Some(u) = bits(lanes.half() & !fate.decided).next() else {
            let gone = fate.gone | s.all() & !lanes.may & !fate.decided;
            return self.update(s, nodes, action, Fate { gone, ..fate });
        };
        let here = 1 << u;
        let goes = Fate { gone: fate.gone | here, decided: fate.decided | here, ..fate };
        if s.is_summary(self.layout, u) {
            let mut split = self.copy(&s);
            match split.split_node(self.layout, u) {
                Some(new) => {
                    let some = Fate { decided: goes.decided | 1 << new, ..goes };
                    if self.coercion.coerce_after(&mut split, SUMMARY, &mut self.desk) {
                        self.decide(split, nodes, action, some);
                    } else {
                        self.spare.push(split);
                    }
                }
                None => {
                    self.notes.overflow = true;
                    self.spare.push(split);
                }
            }
        }
        let copy = self.copy(&s);
        self.decide(copy, nodes, action, goes);
        self.decide(s, nodes, action, Fate { decided: fate.decided | here, ..fate });
    }

    /// Gives a node that has just been created its values of derived predicates, and computes anew
    /// those of others that it could change.
    pub(super) fn describe(&mut self, s: &mut Structure, new: usize) {
        for Derived { symbol, definition, steady } in &self.derived {
            let changes = |tuple: [usize; 2]| !steady || tuple[..symbol.arity()].contains(&new);
            define(s, self.layout, (*symbol, definition), changes);
        }
    }

    pub(super) fn remove(&mut self, mut next: Successor, gone: u64) {
        next.actor =
            next.actor.filter(|actor| gone >> actor & 1 == 0).map(|actor| actor - below(gone, actor));
        if self.erase(&mut next.after, gone) {
            self.spell(next);
        } else {
            self.spare_found.push(next);
        }
    }

    /// Lets nodes cease to be: first nothing holds of them any more, derived predicates following
    /// by their differences, then they are taken out, which only those notice that look at
    /// individuals of which nothing holds. False if that cannot be.
    fn erase(&mut self, s: &mut Structure, gone: u64) -> bool {
        if let Some((mark, updates)) = &self.eraser {
            bits(gone).for_each(|u| s.set(self.layout, *mark, [u, 0], Kleene::True));
            let mut old = self.spare.pop().unwrap_or_default();
            old.copy_from(s);
            self.write(updates, &old, &mut [0; 64], s);
            self.spare.push(old);
        }
        let highest_first = bits(gone.reverse_bits()).map(|bit| 63 - bit);
        highest_first.for_each(|node| s.remove_node(self.layout, node));
        for Derived { symbol, definition, .. } in self.derived.iter().filter(|d| !d.steady) {
            define(s, self.layout, (*symbol, definition), |_| true);
        }
        self.coercion.coerce(s, &mut self.desk)
    }

    /// Forgets who surely cannot be reached; who was forgotten, and false if that cannot be.
    pub fn collect(&mut self, s: &mut Structure) -> (u64, bool) {
        let Some(roots) = &self.roots else { return (0, true) };
        let mut reached = 0_u64;
        for u in 0..s.nodes {
            if roots.begins(|symbol| s.get(self.layout, symbol, [u, 0]).may()) {
                reached |= 1 << u;
            }
        }
        let mut work = reached;
        while let Some(u) = bits(work).next() {
            let targets = self.links.iter().fold(0, |all, n| all | s.row(self.layout, *n, u).0);
            work = work & !(1 << u) | targets & !reached;
            reached |= targets;
        }
        let gone = s.all() & !reached;
        (gone, gone == 0 || self.erase(s, gone))
    }
}

/// The binary predicates that are not derived.
pub(super) fn links(vocabulary: &Vocabulary) -> Vec<u16> {
    let core = vocabulary.predicates.iter().filter(|p| p.definition.is_none());
    core.filter_map(|p| if let Symbol::Binary(n) = p.symbol { Some(n) } else { None }).collect()
}

/// How many bits are set below a place.
fn below(word: u64, place: usize) -> usize {
    (word & ((1 << place) - 1)).count_ones() as usize
}

pub(super) fn derived(vocabulary: &Vocabulary) -> Vec<Derived> {
    let mut all: Vec<Derived> = Vec::new();
    // Derived predicates that a newcomer, of which no core predicate holds, does not have and does
    // not change for others.
    let mut absent_too: BTreeSet<Symbol> = BTreeSet::new();
    for (predicate, definition) in vocabulary.derived() {
        let absent =
            |symbol: Symbol| vocabulary.get(symbol).definition.is_none() || absent_too.contains(&symbol);
        let newcomer = Newcomer { absent: &absent, steady: &absent };
        let steady = newcomer.is_ignored(definition);
        if steady && (0..predicate.symbol.arity()).all(|v| newcomer.is_without(definition, v as Var)) {
            absent_too.insert(predicate.symbol);
        }
        all.push(Derived { symbol: predicate.symbol, definition: definition.clone(), steady });
    }
    all
}
