//! Control flow under construction: labels, actions between them, and what is alive where.
//!
//! Labels are numbers; two that mean the same place are made one. When a context (main, or a kind
//! of thread) is complete, places get their predicates `at[…]`, and a local variable that is dead
//! where an action leads is forgotten by that action, so that states do not differ in what nothing
//! will read.

use crate::draft::{Draft, Mover, SELF};
use crate::sharing::Sharing;
use source::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use structures::action::Action;
use structures::formula::{self as f, Formula, Var};
use structures::vocabulary::{Symbol, Vocabulary};

pub type Label = usize;

/// A statement: where it begins, the labels made for it, and those of them and others where it has
/// been left.
#[derive(Clone, Debug)]
pub struct Region {
    pub start: Label,
    pub inside: Range<Label>,
    pub out: Vec<Label>,
}

/// The flow of one kind of thread.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    pub name: String,
    drafts: Vec<Draft>,
    /// What each label is the same as, and what it is called.
    same: Vec<Label>,
    names: Vec<String>,
    /// Local variables, which die.
    pub locals: BTreeSet<Symbol>,
    /// Those of them that are truth values of each thread.
    pub flags: BTreeSet<Symbol>,
    /// The statements of named regions.
    pub regions: BTreeMap<String, Vec<Region>>,
    pub entry: Label,
    pub exit: Label,
    /// From here a thread goes to its exit.
    pub end: Label,
    /// The text that it runs.
    pub body: Option<usize>,
}

impl Flow {
    pub fn new(name: String) -> Flow {
        let mut flow = Flow { name, ..Flow::default() };
        flow.entry = flow.label(flow.name.clone());
        flow.exit = flow.label(format!("{}.end", flow.name));
        flow
    }

    pub fn label(&mut self, name: String) -> Label {
        self.same.push(self.same.len());
        self.names.push(name);
        self.same.len() - 1
    }

    pub fn labels(&self) -> usize {
        self.same.len()
    }

    pub fn root(&self, mut label: Label) -> Label {
        while self.same[label] != label {
            label = self.same[label];
        }
        label
    }

    /// Makes two labels one place.
    pub fn alias(&mut self, a: Label, b: Label) {
        let (a, b) = (self.root(a), self.root(b));
        self.same[a] = b;
    }

    pub fn add(&mut self, mut draft: Draft, from: Label, to: Label) {
        (draft.from, draft.to) = (from, to);
        self.drafts.push(draft);
    }

    /// A place where nothing is left to do is a loop that does nothing that is modelled: it goes
    /// round.
    pub fn go_round(&mut self, span: Span) {
        let busy: BTreeSet<Label> = self.drafts.iter().map(|d| self.root(d.from)).collect();
        let exit = self.root(self.exit);
        for place in self.places().into_iter().filter(|p| *p != exit && !busy.contains(p)) {
            self.add(Draft::new("goes round", span), place, place);
        }
    }

    /// The end of a thread wakes those who wait on its monitor, which it takes for that: `free`
    /// says of a thread that it can. All ways to the exit lead through there.
    pub fn ends_by_notifying(&mut self, [waiting, monitor]: [Symbol; 2], free: &dyn Fn(Var) -> Formula) {
        let (end, exit) = (self.root(self.end), self.root(self.exit));
        let places: Vec<bool> = self.drafts.iter().map(|d| self.root(d.to) == exit).collect();
        for n in (0..self.drafts.len()).filter(|n| places[*n]) {
            if self.root(self.drafts[n].from) != end {
                self.drafts[n].to = end;
                continue;
            }
            let draft = &mut self.drafts[n];
            draft.mover = Mover::No;
            draft.when(free(SELF));
            let t = draft.fresh();
            let here = f::atom(monitor, &[t, SELF]);
            draft.update(waiting, &[t], f::and([f::atom(waiting, &[t]), f::not(here)]));
        }
    }

    /// What a task that was submitted throws is kept for who asks, and whether it asks is not
    /// known.
    pub fn keeps_exceptions(&mut self) {
        let kept = |d: &&mut Draft| {
            let said = d.action.error.as_deref();
            said.is_some_and(|e| e != "assertion fails" && e != crate::numbers::OUTSIDE)
        };
        self.drafts.iter_mut().filter(kept).for_each(|d| d.action.guess = true);
    }

    /// What follows a join is not what the program does, perhaps.
    pub fn joins_are_inexact(&mut self, reason: &str) {
        let joins = self.drafts.iter_mut().filter(|d| d.joins.is_some());
        joins.for_each(|d| d.action.beyond = Some(reason.to_string()));
    }

    /// The places that can be reached from the entry.
    pub fn places(&self) -> BTreeSet<Label> {
        let mut seen = BTreeSet::from([self.root(self.entry), self.root(self.exit)]);
        let mut work = vec![self.root(self.entry)];
        while let Some(at) = work.pop() {
            for draft in self.drafts.iter().filter(|d| self.root(d.from) == at) {
                let to = self.root(draft.to);
                if seen.insert(to) {
                    work.push(to);
                }
            }
        }
        seen
    }

    /// The places where a thread is in a statement: its next step is one of it.
    pub fn inside(&self, region: &Region) -> BTreeSet<Label> {
        let out: BTreeSet<Label> = region.out.iter().map(|l| self.root(*l)).collect();
        let places = region.inside.clone().map(|l| self.root(l)).filter(|l| !out.contains(l));
        places.chain([self.root(region.start)]).collect()
    }

    /// The places from which such an action can be reached.
    pub fn leading(&self, goal: &dyn Fn(&Draft) -> bool) -> BTreeSet<Label> {
        let mut found: BTreeSet<Label> = BTreeSet::new();
        loop {
            let leads = |d: &&Draft| goal(d) || found.contains(&self.root(d.to));
            let more: Vec<Label> = self.drafts.iter().filter(leads).map(|d| self.root(d.from)).collect();
            let before = found.len();
            found.extend(more);
            if found.len() == before {
                return found;
            }
        }
    }

    /// Declares the predicates of the places.
    pub fn declare(&self, vocabulary: &mut Vocabulary) -> BTreeMap<Label, Symbol> {
        let mut symbols = BTreeMap::new();
        for place in self.places() {
            let base = if place == self.root(self.exit) {
                format!("{}.end", self.name)
            } else {
                self.names[place].clone()
            };
            let mut name = format!("at[{base}]");
            let mut number = 1;
            while vocabulary.find(&name).is_some() {
                number += 1;
                name = format!("at[{base}.{number}]");
            }
            symbols.insert(place, vocabulary.declare(&name, 1, Span::default()));
        }
        symbols
    }

    /// The actions, with places, and with dead variables forgotten.
    pub fn actions(&self, thread: usize, places: &BTreeMap<Label, Symbol>, all: &Threads<'_>) -> Vec<Action> {
        let Threads { kinds, started, pool, sharing } = all;
        let alive = self.alive();
        let mut actions = Vec::new();
        for draft in &self.drafts {
            let (from, to) = (self.root(draft.from), self.root(draft.to));
            let (Some(source), Some(target)) = (places.get(&from), places.get(&to)) else { continue };
            let mut draft = draft.clone();
            for symbol in &self.locals {
                let was = alive.get(&from).is_some_and(|a| a.contains(symbol));
                let is = alive.get(&to).is_some_and(|a| a.contains(symbol));
                if !is && (was || draft.defines.contains(symbol)) {
                    draft.forget(*symbol, self.flags.contains(symbol));
                }
            }
            draft.action.thread = Some(thread);
            draft.action.mover = sharing.moves(draft.mover);
            draft.action.touch = sharing.touch(draft.mover);
            draft.action.from = Some(*source);
            draft.action.to = Some(*target);
            draft.action.actor = Some(vec![*source]);
            if let Some(x) = draft.joins {
                // One that has not been started has nothing to wait for.
                let ended = kinds.iter().map(|k| f::atom(k.exit, &[x]));
                draft.when(f::or(ended.chain(started.map(|s| f::not(f::atom(s, &[x]))))));
            }
            if let (Some(e), Some(pool)) = (draft.awaits, *pool) {
                let t = draft.fresh();
                let ended = kinds.iter().map(|k| f::atom(k.exit, &[t]));
                let over = f::or(ended.chain([f::not(f::atom(pool, &[t, e]))]));
                draft.when(f::forall(t, over));
            }
            let fresh = draft.fresh();
            match draft.starts {
                None => {
                    draft.action.advance(*source, *target, fresh);
                    actions.push(draft.action.finish());
                }
                Some(x) => actions.extend(kinds.iter().filter_map(|kind| {
                    let mut draft = draft.clone();
                    let t = draft.fresh();
                    let guard = kind.guard(x)?;
                    draft.when(guard);
                    draft.update(kind.entry, &[t], f::or([f::atom(kind.entry, &[t]), f::equal(t, x)]));
                    draft.action.advance(*source, *target, fresh);
                    Some(draft.action.finish())
                })),
            }
        }
        actions
    }

    /// The locals that are alive at each place: they may be read before they are given a new value.
    pub fn alive(&self) -> BTreeMap<Label, BTreeSet<Symbol>> {
        let mut alive: BTreeMap<Label, BTreeSet<Symbol>> = BTreeMap::new();
        loop {
            let mut changed = false;
            for draft in &self.drafts {
                let after = alive.get(&self.root(draft.to)).cloned().unwrap_or_default();
                let here = alive.entry(self.root(draft.from)).or_default();
                let before = after.difference(&draft.defines).chain(&draft.uses);
                for symbol in before.filter(|s| self.locals.contains(s)) {
                    changed |= here.insert(*symbol);
                }
            }
            if !changed {
                return alive;
            }
        }
    }
}

/// All kinds of threads, what they share, and the predicates of those that were started and that
/// belong to an executor.
pub struct Threads<'a> {
    pub kinds: Vec<Kind>,
    pub started: Option<Symbol>,
    pub pool: Option<Symbol>,
    pub sharing: &'a Sharing,
}

/// A kind of thread: where it begins and ends, and how to know one.
#[derive(Clone, Debug)]
pub struct Kind {
    pub entry: Symbol,
    pub exit: Symbol,
    pub mark: Mark,
}

#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// Main is never started.
    Main,
    /// The thread itself has this.
    Own(Symbol),
}

impl Kind {
    /// That a thread is of this kind.
    fn guard(&self, x: Var) -> Option<Formula> {
        match self.mark {
            Mark::Main => None,
            Mark::Own(is) => Some(f::atom(is, &[x])),
        }
    }
}
