//! The two-valued semantics, written down as plainly as possible: what an action does to a state
//! with a number of individuals.
//!
//! This is the definition that the three-valued engine is tested against, and what decides about
//! counterexamples. It shares no code with the engine but the syntax of formulas and actions.
//! Derived predicates are computed from their definitions after every step; the updates that a file
//! gives for them are only compared (see `shapes::integrity`).

use crate::action::Action;
use crate::formula::{Bound, Formula, VARIABLES, Var};
use crate::kleene::Kleene;
use crate::model::Roots;
use crate::vocabulary::{SUMMARY, Symbol, Vocabulary};
use std::collections::{BTreeMap, BTreeSet};

/// A concrete state: for each predicate, by its place in the vocabulary, the truth of every tuple.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct State {
    /// How many there are; they are numbered from 0.
    pub individuals: usize,
    /// By predicate, then by tuple, row by row.
    pub truth: Vec<Vec<bool>>,
}

/// One step: an action and the individuals that took part, by variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its index in the model.
    pub action: usize,
    /// The individual that each variable of the action stands for.
    pub part: BTreeMap<Var, usize>,
}

impl From<&Step> for space::Step {
    fn from(step: &Step) -> space::Step {
        let part = step.part.iter().flat_map(|(v, u)| [usize::from(*v), *u]);
        space::Step {
            actor: step.part.get(&0).copied().unwrap_or(0),
            path: [step.action].into_iter().chain(part).collect(),
            partner: None,
        }
    }
}

impl Step {
    /// A step as runs write it: the action, then each variable and its individual.
    pub fn read(step: &space::Step) -> Option<Step> {
        let (action, part) = step.path.split_first()?;
        let pairs = part.chunks(2).map(|pair| match pair {
            [v, u] if *v < 64 => Some((*v as Var, *u)),
            _ => None,
        });
        Some(Step { action: *action, part: pairs.collect::<Option<_>>()? })
    }
}

/// What an individual variable stands for.
type Assignment = [u8; VARIABLES];

/// Evaluates formulas in concrete states and changes them.
#[derive(Clone)]
pub struct Concrete<'a> {
    /// Which predicates there are.
    pub vocabulary: &'a Vocabulary,
    /// By arity and number: the place in the vocabulary.
    places: [Vec<usize>; 3],
    /// Individuals that cannot be reached from here do not matter.
    pub roots: Option<&'a Roots>,
    /// If set, the derived predicates that are computed; the others hold of nothing.
    pub wanted: Option<BTreeSet<Symbol>>,
}

impl<'a> Concrete<'a> {
    /// All derived predicates are computed, and all individuals matter.
    pub fn new(vocabulary: &'a Vocabulary) -> Concrete<'a> {
        let mut places: [Vec<usize>; 3] = Default::default();
        // Predicates of one arity are numbered in the order of the vocabulary.
        for (at, predicate) in vocabulary.predicates.iter().enumerate() {
            places[predicate.symbol.arity()].push(at);
        }
        Concrete { vocabulary, places, roots: None, wanted: None }
    }

    /// A state in which nothing holds.
    pub fn empty(&self, individuals: usize) -> State {
        let sizes = self.vocabulary.predicates.iter().map(|p| individuals.pow(p.symbol.arity() as u32));
        State { individuals, truth: sizes.map(|size| vec![false; size]).collect() }
    }

    /// Whether a predicate holds of a tuple; unused components are 0.
    pub fn get(&self, state: &State, symbol: Symbol, tuple: [usize; 2]) -> bool {
        state.truth[self.place(symbol)][place(symbol, state.individuals, tuple)]
    }

    /// Sets the truth of a predicate for a tuple.
    pub fn set(&self, state: &mut State, symbol: Symbol, tuple: [usize; 2], value: bool) {
        let at = place(symbol, state.individuals, tuple);
        state.truth[self.place(symbol)][at] = value;
    }

    /// Appends a state as bytes: the number of its individuals, then a bit for each tuple.
    pub fn pack(&self, state: &State, out: &mut Vec<u8>) {
        out.push(state.individuals as u8);
        let mut bits = state.truth.iter().flatten();
        while let Some(first) = bits.next() {
            let rest = bits.by_ref().take(7).enumerate();
            out.push(rest.fold(u8::from(*first), |byte, (at, bit)| byte | u8::from(*bit) << (at + 1)));
        }
    }

    /// The state that was packed.
    pub fn unpack(&self, bytes: &[u8]) -> State {
        let individuals = bytes.first().map_or(0, |n| usize::from(*n));
        let mut state = self.empty(individuals);
        let packed = bytes.iter().skip(1).flat_map(|byte| (0..8).map(move |at| byte >> at & 1 == 1));
        state.truth.iter_mut().flatten().zip(packed).for_each(|(bit, value)| *bit = value);
        state
    }

    fn place(&self, symbol: Symbol) -> usize {
        match symbol {
            Symbol::Nullary(n) | Symbol::Unary(n) | Symbol::Binary(n) => {
                self.places[symbol.arity()][usize::from(n)]
            }
        }
    }

    /// Whether a closed formula holds.
    pub fn holds(&self, state: &State, f: &Formula) -> bool {
        self.eval(state, f, &mut [0; 64])
    }

    /// A formula of some individuals.
    pub(crate) fn holds_of(&self, state: &State, f: &Formula, part: &[(Var, usize)]) -> bool {
        self.eval(state, f, &mut assignment(part))
    }

    fn is_derived(&self, symbol: Symbol) -> bool {
        self.vocabulary.predicates[self.place(symbol)].definition.is_some()
    }

    fn eval(&self, state: &State, f: &Formula, who: &mut Assignment) -> bool {
        let node = |who: &Assignment, v: Var| usize::from(who[usize::from(v)]);
        match f {
            Formula::Constant(value) => *value == Kleene::True,
            Formula::Atom(symbol, [x, y]) => {
                *symbol != SUMMARY && self.get(state, *symbol, [node(who, *x), node(who, *y)])
            }
            Formula::Equal(a, b) => node(who, *a) == node(who, *b),
            Formula::Not(f) => !self.eval(state, f, who),
            Formula::And(parts) => parts.iter().all(|f| self.eval(state, f, who)),
            Formula::Or(parts) => parts.iter().any(|f| self.eval(state, f, who)),
            Formula::Exists(v, bound) => self.some(state, (*v, bound), true, who),
            Formula::Forall(v, bound) => !self.some(state, (*v, bound), false, who),
            Formula::Closure(c) => {
                // Everything that can be reached in one or more steps.
                let mut reached = vec![false; state.individuals];
                let mut work = vec![node(who, c.from)];
                let goal = node(who, c.to);
                let before = (who[usize::from(c.x)], who[usize::from(c.y)]);
                while let Some(x) = work.pop() {
                    for (y, known) in reached.iter_mut().enumerate() {
                        (who[usize::from(c.x)], who[usize::from(c.y)]) = (x as u8, y as u8);
                        if !*known && self.eval(state, &c.body, who) {
                            *known = true;
                            work.push(y);
                        }
                    }
                }
                (who[usize::from(c.x)], who[usize::from(c.y)]) = before;
                reached[goal]
            }
            Formula::If(parts) => {
                let [c, a, b] = &**parts;
                let branch = if self.eval(state, c, who) { a } else { b };
                self.eval(state, branch, who)
            }
        }
    }

    /// Whether the body has this value for some individual.
    fn some(&self, state: &State, (v, bound): (Var, &Bound), value: bool, who: &mut Assignment) -> bool {
        let before = who[usize::from(v)];
        let found = (0..state.individuals).any(|u| {
            who[usize::from(v)] = u as u8;
            self.eval(state, &bound.body, who) == value
        });
        who[usize::from(v)] = before;
        found
    }

    /// Gives every derived predicate the value of its definition.
    pub fn derive(&self, state: &mut State) {
        let wanted = |s: Symbol| self.wanted.as_ref().is_none_or(|all| all.contains(&s));
        for (predicate, definition) in self.vocabulary.derived().filter(|(p, _)| wanted(p.symbol)) {
            for tuple in predicate.symbol.tuples(state.individuals) {
                let value = self.eval(state, definition, &mut assignment(&[(0, tuple[0]), (1, tuple[1])]));
                self.set(state, predicate.symbol, tuple, value);
            }
        }
    }

    /// Every way to take an action in a state, with the state after it.
    pub fn steps(&self, state: &State, number: usize, action: &Action) -> Vec<(Step, State)> {
        let Some(guard) = &action.actor else {
            return self.steps_of(state, number, action, None);
        };
        let may = |u: &usize| guard.iter().all(|symbol| self.get(state, *symbol, [*u, 0]));
        let actors = (0..state.individuals).filter(may);
        actors.flat_map(|u| self.steps_of(state, number, action, Some(u))).collect()
    }

    /// Whether an individual can do something that is progress.
    pub fn can_move(&self, state: &State, actions: &[Action], u: usize) -> bool {
        let here =
            |a: &Action| a.actor.as_ref().is_some_and(|g| g.iter().all(|s| self.get(state, *s, [u, 0])));
        let own = actions.iter().filter(|a| !a.idle && here(a));
        own.into_iter().any(|a| !self.steps_of(state, 0, a, Some(u)).is_empty())
    }

    /// Those of one individual.
    fn steps_of(
        &self,
        state: &State,
        number: usize,
        action: &Action,
        actor: Option<usize>,
    ) -> Vec<(Step, State)> {
        let mut found = Vec::new();
        let mut chosen = vec![0; action.parameters.len()];
        if state.individuals == 0 && !chosen.is_empty() {
            return found;
        }
        loop {
            let others = action.parameters.iter().copied().zip(chosen.iter().copied());
            let part = actor.map(|u| (0, u)).into_iter().chain(others).collect();
            let step = Step { action: number, part };
            found.extend(self.step(state, &step, action).map(|next| (step, next)));
            let Some(at) = (0..chosen.len()).rev().find(|at| chosen[*at] + 1 < state.individuals) else {
                return found;
            };
            chosen[at] += 1;
            chosen[at + 1..].fill(0);
        }
    }

    /// The state after a step, if it can be taken.
    pub fn step(&self, state: &State, step: &Step, action: &Action) -> Option<State> {
        let part: Vec<(Var, usize)> = step.part.iter().map(|(v, u)| (*v, *u)).collect();
        let mut who = assignment(&part);
        let guarded = |symbol: &Symbol| self.get(state, *symbol, [usize::from(who[0]), 0]);
        if !action.actor.iter().flatten().all(guarded) || !self.eval(state, &action.precondition, &mut who) {
            return None;
        }
        let old = self.with_created(state, action, &mut who);
        let mut new = old.clone();
        for update in &action.updates {
            if self.is_derived(update.symbol) {
                continue;
            }
            for (tuple, value) in self.updated(&old, update, &who) {
                self.set(&mut new, update.symbol, tuple, value);
            }
        }
        if let Some((v, f)) = &action.retain {
            let stays: Vec<bool> = (0..old.individuals)
                .map(|u| {
                    who[usize::from(*v)] = u as u8;
                    u >= state.individuals || self.eval(state, f, &mut who)
                })
                .collect();
            new = self.without(&new, &stays);
        }
        self.derive(&mut new);
        Some(new)
    }

    /// The values that an update gives, all tuples.
    fn updated(
        &self,
        old: &State,
        update: &crate::action::Update,
        who: &Assignment,
    ) -> Vec<([usize; 2], bool)> {
        let value = |tuple: [usize; 2]| {
            let mut inner = *who;
            update.bind(tuple, &mut inner);
            (tuple, self.eval(old, &update.formula, &mut inner))
        };
        update.symbol.tuples(old.individuals).map(value).collect()
    }

    /// A derived predicate for which an action gives an update that is not what its definition says
    /// afterwards.
    pub fn wrong_update(&self, state: &State, step: &Step, action: &Action, after: &State) -> Option<Symbol> {
        if action.retain.is_some() {
            return None;
        }
        let part: Vec<(Var, usize)> = step.part.iter().map(|(v, u)| (*v, *u)).collect();
        let mut who = assignment(&part);
        let old = self.with_created(state, action, &mut who);
        let wrong = |update: &&crate::action::Update| {
            let derived = self.is_derived(update.symbol);
            let values = || self.updated(&old, update, &who);
            derived && values().into_iter().any(|(tuple, v)| self.get(after, update.symbol, tuple) != v)
        };
        action.updates.iter().find(wrong).map(|update| update.symbol)
    }

    /// The state with the individuals that an action creates, of which nothing holds yet.
    fn with_created(&self, state: &State, action: &Action, who: &mut Assignment) -> State {
        if action.created.is_empty() {
            return state.clone();
        }
        let mut wide = self.empty(state.individuals + action.created.len());
        for predicate in &self.vocabulary.predicates {
            for tuple in predicate.symbol.tuples(state.individuals) {
                self.set(&mut wide, predicate.symbol, tuple, self.get(state, predicate.symbol, tuple));
            }
        }
        for (at, v) in action.created.iter().enumerate() {
            who[usize::from(*v)] = (state.individuals + at) as u8;
        }
        self.derive(&mut wide);
        wide
    }

    fn without(&self, state: &State, stays: &[bool]) -> State {
        let kept: Vec<usize> = (0..state.individuals).filter(|u| stays[*u]).collect();
        self.picked(state, &kept)
    }

    /// The state with only these individuals, in this order.
    pub fn picked(&self, state: &State, kept: &[usize]) -> State {
        let mut small = self.empty(kept.len());
        for predicate in &self.vocabulary.predicates {
            for tuple in predicate.symbol.tuples(kept.len()) {
                let old = if predicate.symbol.arity() == 0 {
                    tuple
                } else {
                    [kept[tuple[0]], old_second(kept, tuple)]
                };
                self.set(&mut small, predicate.symbol, tuple, self.get(state, predicate.symbol, old));
            }
        }
        small
    }

    /// The individuals that can be reached.
    pub fn reached(&self, state: &State, roots: &Roots) -> Vec<usize> {
        let is_root = |u: &usize| roots.begins(|symbol| self.get(state, symbol, [*u, 0]));
        let mut found: Vec<usize> = (0..state.individuals).filter(is_root).collect();
        let links = self.vocabulary.predicates.iter().filter(|p| p.symbol.arity() == 2);
        let links: Vec<Symbol> = links.filter(|p| p.definition.is_none()).map(|p| p.symbol).collect();
        let mut at = 0;
        while at < found.len() {
            for v in 0..state.individuals {
                if !found.contains(&v) && links.iter().any(|p| self.get(state, *p, [found[at], v])) {
                    found.push(v);
                }
            }
            at += 1;
        }
        found.sort_unstable();
        found
    }
}

fn old_second(kept: &[usize], tuple: [usize; 2]) -> usize {
    kept.get(tuple[1]).copied().unwrap_or(0)
}

fn assignment(part: &[(Var, usize)]) -> Assignment {
    let mut who = [0; 64];
    part.iter().for_each(|(v, u)| who[usize::from(*v)] = *u as u8);
    who
}

fn place(symbol: Symbol, individuals: usize, [x, y]: [usize; 2]) -> usize {
    match symbol.arity() {
        0 => 0,
        1 => x,
        _ => x * individuals + y,
    }
}
