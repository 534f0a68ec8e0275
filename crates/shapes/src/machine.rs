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

use crate::blur::Blur;
use crate::coerce::{Coercion, Desk};
use std::collections::BTreeSet;
use structures::action::{Action, Literal, Update};
use structures::evaluate::{Assignment, Evaluator, define};
use structures::formula::{Formula, Var};
use structures::kleene::Kleene;
use structures::model::Roots;
use structures::newcomer::Newcomer;
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

#[derive(Clone, Debug)]
struct Derived {
    symbol: Symbol,
    definition: Formula,
    /// A new individual does not change it for others.
    steady: bool,
}

/// How a step goes on: whether its precondition was 1, who ceases to be, for which of them that has
/// been settled.
#[derive(Clone, Copy)]
struct Fate {
    definite: bool,
    gone: u64,
    decided: u64,
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

    /// A node made to stand for one individual: as a whole, or split off. Only what speaks of
    /// equality can notice: all else has the same values for both halves as for the whole.
    fn singled(&mut self, s: Structure, u: usize) -> [Option<(Structure, usize)>; 2] {
        if !s.is_summary(self.layout, u) {
            return [Some((s, u)), None];
        }
        let mut split = self.copy(&s);
        let mut whole = s;
        whole.set_single(self.layout, u);
        match split.split_node(self.layout, u) {
            Some(new) => {
                split.set_single(self.layout, new);
                [Some((whole, u)), Some((split, new))]
            }
            None => {
                self.notes.overflow = true;
                self.spare.push(split);
                [Some((whole, u)), None]
            }
        }
    }

    /// Splits until every literal of this clause and the later ones is definite wherever those to
    /// its left hold, then goes on.
    fn focus(&mut self, s: Structure, mut nodes: Assignment, action: &Action, clause: usize) {
        let Some(literals) = action.focus.get(clause) else {
            return self.choose(s, nodes, &action.parameters, action);
        };
        let bound = 1;
        match self.indefinite(&s, literals, &mut nodes, bound) {
            None => self.focus(s, nodes, action, clause + 1),
            Some((symbol, tuple)) => {
                for part in self.split(s, symbol, tuple).into_iter().flatten() {
                    self.focus(part, nodes, action, clause);
                }
            }
        }
    }

    /// The first tuple at which a literal is 1/2 and can be split; `bound` are the variables that
    /// have their node.
    fn indefinite(
        &mut self,
        s: &Structure,
        literals: &[Literal],
        nodes: &mut Assignment,
        bound: u64,
    ) -> Option<(Symbol, [usize; 2])> {
        let (literal, rest) = literals.split_first()?;
        let arguments = &literal.arguments[..literal.symbol.arity()];
        if let Some(open) = arguments.iter().find(|v| bound >> **v & 1 == 0) {
            for u in 0..s.nodes {
                nodes[usize::from(*open)] = u as u8;
                let found = self.indefinite(s, literals, nodes, bound | 1 << open);
                if found.is_some() {
                    return found;
                }
            }
            return None;
        }
        let tuple = literal.arguments.map(|v| usize::from(nodes[usize::from(v)]));
        match s.get(self.layout, literal.symbol, tuple) {
            Kleene::Half => {
                let summaries = arguments.len() == 2 && tuple.iter().all(|u| s.is_summary(self.layout, *u));
                if summaries {
                    self.notes.declined.insert(literal.symbol);
                    return self.indefinite(s, rest, nodes, bound);
                }
                Some((literal.symbol, tuple))
            }
            value if value.must() == literal.positive => self.indefinite(s, rest, nodes, bound),
            _ => None,
        }
    }

    /// The cases of a tuple with 1/2: 0, 1, and, if one of its nodes is a summary, that node split
    /// into both. Each coerced.
    fn split(&mut self, s: Structure, symbol: Symbol, tuple: [usize; 2]) -> [Option<Structure>; 3] {
        let summary = (0..symbol.arity()).find(|at| s.is_summary(self.layout, tuple[*at]));
        let mut fallen_apart = None;
        if let Some(at) = summary {
            let mut both = self.copy(&s);
            match both.split_node(self.layout, tuple[at]) {
                Some(new) => {
                    let mut other = tuple;
                    other[at] = new;
                    both.set(self.layout, symbol, tuple, Kleene::False);
                    both.set(self.layout, symbol, other, Kleene::True);
                    fallen_apart = self.keep(both, &[symbol, SUMMARY]);
                }
                None => {
                    self.notes.overflow = true;
                    self.spare.push(both);
                }
            }
        }
        let mut one = self.copy(&s);
        one.set(self.layout, symbol, tuple, Kleene::True);
        let mut zero = s;
        zero.set(self.layout, symbol, tuple, Kleene::False);
        [self.keep(zero, &[symbol]), self.keep(one, &[symbol]), fallen_apart]
    }

    /// What coerce makes of a structure in which this has changed.
    fn keep(&mut self, mut s: Structure, changed: &[Symbol]) -> Option<Structure> {
        if self.coercion.coerce_after_all(&mut s, changed, &mut self.desk) {
            return Some(s);
        }
        self.spare.push(s);
        None
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
        match (stands, &action.retain) {
            (false, _) => self.spare.push(s),
            (true, None) => {
                self.update(s, nodes, action, Fate { definite: value.must(), gone: 0, decided: 0 })
            }
            (true, Some((v, f))) => {
                self.decide(s, nodes, action, (*v, f), Fate { definite: value.must(), gone: 0, decided: 0 });
            }
        }
    }

    /// Who stays? Where that is not known all answers are followed; a summary node may also fall
    /// apart.
    fn decide(
        &mut self,
        s: Structure,
        mut nodes: Assignment,
        action: &Action,
        keep: (Var, &Formula),
        fate: Fate,
    ) {
        let lanes = Evaluator { structure: &s, layout: self.layout }.lanes(keep.1, &mut nodes, keep.0);
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
                        self.decide(split, nodes, action, keep, some);
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
        self.decide(copy, nodes, action, keep, goes);
        self.decide(s, nodes, action, keep, Fate { decided: fate.decided | here, ..fate });
    }

    /// Sets the literals of a conjunction to 1, where their arguments are single; false if that
    /// cannot be.
    fn assume(&mut self, s: &mut Structure, f: &Formula, nodes: &Assignment) -> bool {
        self.coercion.clean(&mut self.desk);
        for part in f.conjuncts() {
            let (positive, inner) = match part {
                Formula::Not(inner) => (false, &**inner),
                other => (true, other),
            };
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
        // still there, promises need not be kept.
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

    /// Gives a node that has just been created its values of derived predicates, and computes anew
    /// those of others that it could change.
    fn describe(&mut self, s: &mut Structure, new: usize) {
        for Derived { symbol, definition, steady } in &self.derived {
            let changes = |tuple: [usize; 2]| !steady || tuple[..symbol.arity()].contains(&new);
            define(s, self.layout, (*symbol, definition), changes);
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
                        new.set_row(self.layout, n, u, lanes.may, lanes.must);
                    }
                }
            }
        }
    }

    fn remove(&mut self, mut next: Successor, gone: u64) {
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

/// The binary predicates that are not derived.
fn links(vocabulary: &Vocabulary) -> Vec<u16> {
    let core = vocabulary.predicates.iter().filter(|p| p.definition.is_none());
    core.filter_map(|p| if let Symbol::Binary(n) = p.symbol { Some(n) } else { None }).collect()
}

/// How many bits are set below a place.
fn below(word: u64, place: usize) -> usize {
    (word & ((1 << place) - 1)).count_ones() as usize
}

fn derived(vocabulary: &Vocabulary) -> Vec<Derived> {
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
