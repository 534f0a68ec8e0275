//! One step in a universe of a few individuals, as a question of propositional logic.
//!
//! For every tuple of a predicate that is not derived there is a variable: its truth before the
//! step. A formula becomes a literal by trying all individuals for its quantifiers. What holds
//! after the step is what the updates of the action say. Derived predicates are their definitions,
//! or, if asked so, free, as far as universal consequences of the definitions allow.

use crate::fragment::is_free_of;
use solve::sat::{Clauses, Lit};
use std::collections::HashMap;
use structures::action::Action;
use structures::formula::{Bound, Closure, Formula, VARIABLES, Var};
use structures::kleene::Kleene;
use structures::model::Model;
use structures::vocabulary::Symbol;

pub type Who = [u8; VARIABLES];

/// When a formula is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Moment {
    Before,
    /// Before, with those that are about to be created, of which nothing holds.
    Wide,
    After,
}

pub struct Ground<'a> {
    pub model: &'a Model,
    pub action: &'a Action,
    /// Individuals before the step; those created come behind them.
    pub individuals: usize,
    pub who: Who,
    /// Derived predicates are free.
    pub free: bool,
    pub solver: Clauses,
    truth: Lit,
    known: HashMap<(Symbol, [usize; 2], Moment), Lit>,
    gates: HashMap<Vec<Lit>, Lit>,
    /// Of each individual, whether it is still there after the step.
    stays: Vec<Lit>,
}

impl<'a> Ground<'a> {
    pub fn new(
        model: &'a Model,
        action: &'a Action,
        individuals: usize,
        mut who: Who,
        free: bool,
    ) -> Ground<'a> {
        for (at, v) in action.created.iter().enumerate() {
            who[usize::from(*v)] = (individuals + at) as u8;
        }
        let mut solver = Clauses::default();
        let truth = solver.variable();
        solver.add(&[truth]);
        let stays = vec![truth; individuals + action.created.len()];
        let (known, gates) = (HashMap::new(), HashMap::new());
        let mut ground = Ground { model, action, individuals, who, free, solver, truth, known, gates, stays };
        if let Some((v, keep)) = &action.retain {
            for u in 0..individuals {
                let mut who = ground.who;
                who[usize::from(*v)] = u as u8;
                ground.stays[u] = ground.literal(keep, &mut who, Moment::Before);
            }
        }
        ground
    }

    pub fn total(&self) -> usize {
        self.stays.len()
    }

    fn range(&self, moment: Moment) -> usize {
        if moment == Moment::Before { self.individuals } else { self.total() }
    }

    fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    pub fn assume(&mut self, literal: Lit) {
        self.solver.add(&[literal]);
    }

    /// The truth of a formula without free variables but those of the action.
    pub fn closed(&mut self, f: &Formula, moment: Moment) -> Lit {
        let mut who = self.who;
        self.literal(f, &mut who, moment)
    }

    pub fn literal(&mut self, f: &Formula, who: &mut Who, moment: Moment) -> Lit {
        let node = |who: &Who, v: Var| usize::from(who[usize::from(v)]);
        match f {
            Formula::Constant(Kleene::Half) => self.solver.variable(),
            Formula::Constant(value) => self.constant(value.must()),
            Formula::Atom(symbol, [x, y]) => {
                let tuple = match symbol.arity() {
                    0 => [0, 0],
                    1 => [node(who, *x), 0],
                    _ => [node(who, *x), node(who, *y)],
                };
                self.atom(*symbol, tuple, moment)
            }
            Formula::Equal(a, b) => self.constant(node(who, *a) == node(who, *b)),
            Formula::Not(f) => !self.literal(f, who, moment),
            Formula::And(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|f| self.literal(f, who, moment)).collect();
                self.and(parts)
            }
            Formula::Or(parts) => {
                let parts: Vec<Lit> = parts.iter().map(|f| self.literal(f, who, moment)).collect();
                self.or(parts)
            }
            Formula::Exists(v, bound) => self.some((*v, bound), true, who, moment),
            Formula::Forall(v, bound) => !self.some((*v, bound), false, who, moment),
            Formula::If(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) = (
                    self.literal(c, who, moment),
                    self.literal(a, who, moment),
                    self.literal(b, who, moment),
                );
                let (then, otherwise) = (self.and(vec![c, a]), self.and(vec![!c, b]));
                self.or(vec![then, otherwise])
            }
            Formula::Closure(c) => {
                let ends = [node(who, c.from), node(who, c.to)];
                self.closure(c, ends, who, moment)
            }
        }
    }

    /// Whether the body has this value for some individual that is there.
    fn some(&mut self, (v, bound): (Var, &Bound), value: bool, who: &mut Who, moment: Moment) -> Lit {
        let before = who[usize::from(v)];
        let mut cases = Vec::new();
        for u in 0..self.range(moment) {
            who[usize::from(v)] = u as u8;
            let holds = self.literal(&bound.body, who, moment);
            let holds = if value { holds } else { !holds };
            let there = if moment == Moment::After { self.stays[u] } else { self.truth };
            cases.push(self.and(vec![there, holds]));
        }
        who[usize::from(v)] = before;
        self.or(cases)
    }

    fn closure(&mut self, c: &Closure, [from, to]: [usize; 2], who: &mut Who, moment: Moment) -> Lit {
        let range = self.range(moment);
        let before = (who[usize::from(c.x)], who[usize::from(c.y)]);
        let mut steps: Vec<Vec<Lit>> = Vec::new();
        for x in 0..range {
            let mut row = Vec::new();
            for y in 0..range {
                (who[usize::from(c.x)], who[usize::from(c.y)]) = (x as u8, y as u8);
                let step = self.literal(&c.body, who, moment);
                let there = moment == Moment::After;
                let parts = if there { vec![step, self.stays[x], self.stays[y]] } else { vec![step] };
                row.push(self.and(parts));
            }
            steps.push(row);
        }
        (who[usize::from(c.x)], who[usize::from(c.y)]) = before;
        let mut length = 1;
        while length < range {
            let old = steps;
            steps = Vec::new();
            for x in 0..range {
                let mut row = Vec::new();
                for y in 0..range {
                    let mut ways = vec![old[x][y]];
                    ways.extend((0..range).map(|z| self.and(vec![old[x][z], old[z][y]])));
                    row.push(self.or(ways));
                }
                steps.push(row);
            }
            length *= 2;
        }
        steps[from][to]
    }

    /// The truth of a predicate.
    pub fn atom(&mut self, symbol: Symbol, tuple: [usize; 2], moment: Moment) -> Lit {
        if let Some(known) = self.known.get(&(symbol, tuple, moment)) {
            return *known;
        }
        let definition = self.model.vocabulary.get(symbol).definition.clone();
        let own = &tuple[..symbol.arity()];
        let literal = match (definition, moment) {
            (None, Moment::After) => self.updated(symbol, tuple, self.action),
            (None, _) if own.iter().any(|u| *u >= self.individuals) => self.constant(false),
            (None, Moment::Wide) => self.atom(symbol, tuple, Moment::Before),
            (None, Moment::Before) => self.solver.variable(),
            (Some(definition), Moment::Before | Moment::Wide) if self.free => {
                self.freed(symbol, tuple, &definition)
            }
            (Some(definition), _) => {
                let mut who = [0; 64];
                (who[0], who[1]) = (tuple[0] as u8, tuple[1] as u8);
                self.literal(&definition, &mut who, moment)
            }
        };
        self.known.insert((symbol, tuple, moment), literal);
        literal
    }

    /// A derived predicate as a variable, with what its definition says of single individuals.
    fn freed(&mut self, symbol: Symbol, tuple: [usize; 2], definition: &Formula) -> Lit {
        let variable = self.solver.variable();
        self.known.insert((symbol, tuple, Moment::Before), variable);
        self.known.insert((symbol, tuple, Moment::Wide), variable);
        let mut who = [0; 64];
        (who[0], who[1]) = (tuple[0] as u8, tuple[1] as u8);
        let [some, all] = [true, false].map(|sign| is_free_of(definition, sign));
        if some || all {
            let value = self.literal(definition, &mut who, Moment::Before);
            // Without *exists* it must hold where the predicate does; without *forall* the
            // predicate must hold where it does.
            if some {
                self.solver.add(&[!variable, value]);
            }
            if all {
                self.solver.add(&[variable, !value]);
            }
        }
        variable
    }

    /// What an update says of a tuple.
    pub fn updated(&mut self, symbol: Symbol, tuple: [usize; 2], action: &Action) -> Lit {
        let Some(update) = action.updates.iter().find(|u| u.symbol == symbol) else {
            return self.atom(symbol, tuple, Moment::Wide);
        };
        let mut who = self.who;
        update.bind(tuple, &mut who);
        self.literal(&update.formula, &mut who, Moment::Wide)
    }

    pub fn and(&mut self, mut parts: Vec<Lit>) -> Lit {
        parts.retain(|l| *l != self.truth);
        parts.sort_unstable();
        parts.dedup();
        let contrary = parts.windows(2).any(|pair| pair[0] == !pair[1]);
        if contrary || parts.contains(&!self.truth) {
            return !self.truth;
        }
        match parts[..] {
            [] => return self.truth,
            [only] => return only,
            _ => {}
        }
        if let Some(gate) = self.gates.get(&parts) {
            return *gate;
        }
        let gate = self.solver.variable();
        let mut back = vec![gate];
        for part in &parts {
            self.solver.add(&[!gate, *part]);
            back.push(!*part);
        }
        self.solver.add(&back);
        self.gates.insert(parts, gate);
        gate
    }

    pub fn or(&mut self, parts: Vec<Lit>) -> Lit {
        !self.and(parts.into_iter().map(|part| !part).collect())
    }

    /// One is true and the other false.
    pub fn differ(&mut self, a: Lit, b: Lit) -> Lit {
        let (both, none) = (self.and(vec![a, b]), self.and(vec![!a, !b]));
        self.and(vec![!both, !none])
    }

    /// Whether one of these can be true.
    pub fn allows_one_of(mut self, parts: Vec<Lit>) -> bool {
        let some = self.or(parts);
        self.assume(some);
        self.solver.solve()
    }
}
