//! One step of an abstract state: focus, coerce, precondition, update, coerce. Blur is left to the
//! caller.
//!
//! The order is the paper's. The individual that moves is made single first: out of a summary node
//! it is either the whole node or one that is split off. Then the literals of the focus clauses are
//! made definite, then the other participants are chosen, each made single too. A precondition of
//! 1/2 may hold: the step is taken as if it did, and the literals it consists of are set to 1 (only
//! states in which it holds are of interest from there on). All updates are evaluated in the old
//! structure.
//!
//! Focus declines where it would not end: a binary predicate between two summary nodes stays 1/2,
//! which is sound, and is said.
//!
//! `focus`: splitting. `fates`: nodes that come into being and that cease to be.

mod fates;
mod focus;

use crate::blur::Blur;
use crate::coerce::{Coercion, Desk};
use fates::{Derived, Fate, derived, links};
use std::collections::BTreeSet;
use structures::action::{Action, Update};
use structures::evaluate::{Assignment, Evaluator};
use structures::formula::{Formula, Var};
use structures::kleene::Kleene;
use structures::model::Roots;
use structures::structure::{Structure, bits};
use structures::vocabulary::{Layout, SUMMARY, Symbol, Vocabulary};

/// A state after a step, not yet blurred.
#[derive(Clone, Debug, Default)]
pub struct Successor {
    /// The state the step was taken in, as sharp as it was known; the same nodes, without those
    /// created.
    pub before: Structure,
    pub after: Structure,
    /// Nodes of `before` that ceased to be; the others keep their order in `after`.
    pub removed: u64,
    /// The node that moved, if one did.
    pub actor: Option<usize>,
    /// The precondition was 1, not 1/2.
    pub definite: bool,
}

/// What limits the answer without being wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Focus declined for these predicates: both ends were summary nodes.
    pub declined: BTreeSet<Symbol>,
    /// A structure needed more nodes than fit.
    pub overflow: bool,
}

/// Everything that makes steps, with memory to work in.
#[derive(Clone, Debug)]
pub struct Machine {
    pub layout: Layout,
    pub coercion: Coercion,
    pub blur: Blur,
    /// Nullary predicates that are made definite after every step.
    pub letters: Vec<Symbol>,
    /// Derived predicates, each after those it is made of.
    derived: Vec<Derived>,
    /// How individuals cease to be: a mark for them, and what follows from it.
    pub eraser: Option<(Symbol, Vec<Update>)>,
    /// Who cannot be reached from here is forgotten, and along what one reaches.
    pub roots: Option<Roots>,
    links: Vec<u16>,
    pub notes: Notes,
    desk: Desk,
    base: Structure,
    // What was allocated once is used again: in the long run a step allocates nothing.
    spare: Vec<Structure>,
    found: Vec<Successor>,
    spare_found: Vec<Successor>,
    spare_lists: Vec<Vec<Successor>>,
}

impl Machine {
    pub fn new(vocabulary: &Vocabulary, coercion: Coercion, letters: Vec<Symbol>) -> Machine {
        let layout = vocabulary.layout();
        Machine {
            layout,
            desk: coercion.desk(),
            coercion,
            blur: Blur { layout, mask: vocabulary.abstraction_mask() },
            letters,
            derived: derived(vocabulary),
            eraser: None,
            roots: None,
            links: links(vocabulary),
            notes: Notes::default(),
            base: Structure::default(),
            spare: Vec::new(),
            found: Vec::new(),
            spare_found: Vec::new(),
            spare_lists: Vec::new(),
        }
    }

    /// Makes a blurred state the one whose successors are asked for; false if it stands for
    /// nothing.
    pub fn begin(&mut self, s: &Structure) -> bool {
        self.base.copy_from(s);
        self.coercion.coerce(&mut self.base, &mut self.desk)
    }

    /// The successors of a state after a step, by an action of one who is single; they are valid
    /// until the next call.
    pub fn successors_of(&mut self, s: &Structure, actor: usize, action: &Action) -> &[Successor] {
        self.spare_found.append(&mut self.found);
        let guard = action.actor.as_deref().unwrap_or(&[]);
        if guard.iter().all(|p| s.get(self.layout, *p, [actor, 0]).may()) {
            self.schedule(s, actor, guard, action);
        }
        &self.found
    }

    /// All successors by an action of the state that was begun; they are valid until the next call.
    pub fn successors(&mut self, action: &Action) -> &[Successor] {
        self.spare_found.append(&mut self.found);
        let base = std::mem::take(&mut self.base);
        match &action.actor {
            None => {
                let copy = self.copy(&base);
                self.focus(copy, [0; 64], action, 0);
            }
            Some(guard) => {
                for u in 0..base.nodes {
                    if guard.iter().all(|p| base.get(self.layout, *p, [u, 0]).may()) {
                        self.schedule(&base, u, guard, action);
                    }
                }
            }
        }
        self.base = base;
        &self.found
    }

    /// The successors found last, to be given back.
    pub fn take_found(&mut self) -> Vec<Successor> {
        let empty = self.spare_lists.pop().unwrap_or_default();
        std::mem::replace(&mut self.found, empty)
    }

    pub fn give_back(&mut self, mut found: Vec<Successor>) {
        self.spare_found.append(&mut found);
        self.spare_lists.push(found);
    }

    /// The value of a closed formula in a state.
    pub fn value(&self, s: &Structure, f: &Formula) -> Kleene {
        Evaluator { structure: s, layout: self.layout }.value(f, &mut [0; 64])
    }

    /// Makes the actor single and lets it have what the guard says.
    fn schedule(&mut self, s: &Structure, u: usize, guard: &[Symbol], action: &Action) {
        let copy = self.copy(s);
        let was_summary = s.is_summary(self.layout, u);
        for (mut case, node) in self.singled(copy, u).into_iter().flatten() {
            self.coercion.clean(&mut self.desk);
            if was_summary {
                self.coercion.mark(SUMMARY, &mut self.desk);
            }
            for symbol in guard {
                if case.get(self.layout, *symbol, [node, 0]) == Kleene::Half {
                    case.set(self.layout, *symbol, [node, 0], Kleene::True);
                    self.coercion.mark(*symbol, &mut self.desk);
                }
            }
            if self.coercion.settle(&mut case, &mut self.desk) {
                let mut nodes = [0; 64];
                nodes[0] = node as u8;
                self.focus(case, nodes, action, 0);
            } else {
                self.spare.push(case);
            }
        }
    }

    /// Chooses the participants that are still open, then fires.
    fn choose(&mut self, s: Structure, mut nodes: Assignment, open: &[Var], action: &Action) {
        let Some((v, rest)) = open.split_first() else {
            self.fire(s, nodes, action);
            return;
        };
        let wanted = &action.choices[action.choices.len() - open.len()];
        let may = Evaluator { structure: &s, layout: self.layout }.lanes(wanted, &mut nodes, *v).may;
        for u in bits(may) {
            let copy = self.copy(&s);
            let was_single = !copy.is_summary(self.layout, u);
            for (mut case, node) in self.singled(copy, u).into_iter().flatten() {
                if was_single || self.coercion.coerce_after(&mut case, SUMMARY, &mut self.desk) {
                    nodes[usize::from(*v)] = node as u8;
                    self.choose(case, nodes, rest, action);
                } else {
                    self.spare.push(case);
                }
            }
        }
        self.spare.push(s);
    }

    /// Evaluates the precondition and, if it may hold, goes on.
    fn fire(&mut self, mut s: Structure, mut nodes: Assignment, action: &Action) {
        let value = Evaluator { structure: &s, layout: self.layout }.value(&action.precondition, &mut nodes);
        let stands = match value {
            Kleene::False => false,
            Kleene::True => true,
            Kleene::Half => self.assume(&mut s, &action.precondition, &nodes),
        };
        match stands {
            false => self.spare.push(s),
            true => self.decide(s, nodes, action, Fate { definite: value.must(), gone: 0, decided: 0 }),
        }
    }

    /// Sets the literals of a conjunction to 1, where their arguments are single; false if that
    /// cannot be.
    fn assume(&mut self, s: &mut Structure, f: &Formula, nodes: &Assignment) -> bool {
        self.coercion.clean(&mut self.desk);
        for part in f.conjuncts() {
            let (positive, inner) = part.signed();
            let Formula::Atom(symbol, arguments) = inner else { continue };
            let tuple = arguments.map(|v| usize::from(nodes[usize::from(v)]));
            let single = tuple[..symbol.arity()].iter().all(|u| !s.is_summary(self.layout, *u));
            if single && s.get(self.layout, *symbol, tuple) == Kleene::Half {
                s.set(self.layout, *symbol, tuple, Kleene::from(positive));
                self.coercion.mark(*symbol, &mut self.desk);
            }
        }
        self.coercion.settle(s, &mut self.desk)
    }

    fn update(&mut self, mut s: Structure, mut nodes: Assignment, action: &Action, fate: Fate) {
        let mut next = self.spare_found.pop().unwrap_or_default();
        next.before.copy_from(&s);
        for v in &action.created {
            let Some(new) = s.push_node(self.layout) else {
                self.notes.overflow = true;
                self.spare.push(s);
                self.spare_found.push(next);
                return;
            };
            nodes[usize::from(*v)] = new as u8;
            self.describe(&mut s, new);
        }
        next.after.copy_from(&s);
        self.write(&action.updates, &s, &mut nodes, &mut next.after);
        next.removed = fate.gone;
        next.actor = action.actor.is_some().then(|| usize::from(nodes[0]));
        next.definite = fate.definite;
        self.spare.push(s);
        // What an update did not touch was coerced before. While an individual that ceases to be is
        // still there, constraints need not be kept.
        let stands = match action.created.is_empty() {
            _ if fate.gone != 0 => true,
            true => self.coercion.coerce_after_all(&mut next.after, &action.writes, &mut self.desk),
            false => self.coercion.coerce(&mut next.after, &mut self.desk),
        };
        match (stands, fate.gone) {
            (false, _) => self.spare_found.push(next),
            (true, 0) => self.spell(next),
            (true, gone) => self.remove(next, gone),
        }
    }

    /// Evaluates updates in the old structure and writes them into the new one.
    fn write(&self, updates: &[Update], old: &Structure, nodes: &mut Assignment, new: &mut Structure) {
        let evaluator = Evaluator { structure: old, layout: self.layout };
        for update in updates {
            let [x, y] = update.parameters;
            match update.symbol {
                Symbol::Nullary(_) => {
                    let value = evaluator.value(&update.formula, nodes);
                    new.set(self.layout, update.symbol, [0, 0], value);
                }
                Symbol::Unary(_) => {
                    let lanes = evaluator.lanes(&update.formula, nodes, x);
                    for u in 0..old.nodes {
                        let value = Kleene::new(lanes.may >> u & 1 == 1, lanes.must >> u & 1 == 1);
                        new.set(self.layout, update.symbol, [u, 0], value);
                    }
                }
                Symbol::Binary(n) => {
                    for u in 0..old.nodes {
                        nodes[usize::from(x)] = u as u8;
                        let lanes = evaluator.lanes(&update.formula, nodes, y);
                        new.set_row(self.layout, n, u, (lanes.may, lanes.must));
                    }
                }
            }
        }
    }

    /// Makes every letter definite.
    fn spell(&mut self, mut next: Successor) {
        let open = self.letters.iter().copied();
        let half = open.into_iter().find(|p| next.after.get(self.layout, *p, [0, 0]) == Kleene::Half);
        let Some(letter) = half else {
            self.found.push(next);
            return;
        };
        let mut other = self.spare_found.pop().unwrap_or_default();
        other.clone_from(&next);
        next.after.set(self.layout, letter, [0, 0], Kleene::True);
        other.after.set(self.layout, letter, [0, 0], Kleene::False);
        for mut case in [next, other] {
            if self.coercion.coerce_after(&mut case.after, letter, &mut self.desk) {
                self.spell(case);
            } else {
                self.spare_found.push(case);
            }
        }
    }

    /// Coerced structures that together stand for what `s` does, with definite letters.
    pub fn prepare(&mut self, mut s: Structure) -> Vec<Structure> {
        if !self.coercion.coerce(&mut s, &mut self.desk) {
            return Vec::new();
        }
        self.spare_found.append(&mut self.found);
        self.spell(Successor { after: s, ..Successor::default() });
        self.found.iter().map(|found| found.after.clone()).collect()
    }

    fn copy(&mut self, s: &Structure) -> Structure {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.copy_from(s);
        copy
    }
}
