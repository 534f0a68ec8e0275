//! Coerce: sharpens a structure by its constraints, or finds that it stands for nothing.
//!
//! For every assignment under which a body is 1: a head of 1 is well, a head of 0 discards the structure, a head of 1/2 is set; an
//! equality on one summary node makes it single. The greatest fixpoint, so the order does not matter for the result. For speed
//! only constraints that read a predicate which has changed are looked at again.

use crate::constraint::Constraint;
use crate::evaluate::{Assignment, Evaluator};
use crate::formula::{Formula, Var};
use crate::kleene::Kleene;
use crate::structure::{Structure, bits};
use crate::vocabulary::{Layout, SUMMARY, Symbol, Vocabulary};

/// The constraints of a model with who reads what.
#[derive(Clone, Debug)]
pub struct Coercion {
    pub constraints: Vec<Constraint>,
    layout: Layout,
    /// By arity and number of a predicate: the constraints that read it, as bits.
    readers: [Vec<Vec<u64>>; 3],
    all: Vec<u64>,
}

/// Memory to work in.
#[derive(Clone, Debug)]
pub struct Desk {
    dirty: Vec<u64>,
    nodes: Assignment,
}

impl Coercion {
    pub fn new(vocabulary: &Vocabulary, constraints: Vec<Constraint>) -> Coercion {
        let words = constraints.len().div_ceil(64);
        let mut readers: [Vec<Vec<u64>>; 3] = Default::default();
        for predicate in &vocabulary.predicates {
            readers[predicate.symbol.arity()].push(vec![0; words]);
        }
        let mut all = vec![0; words];
        for (at, constraint) in constraints.iter().enumerate() {
            all[at / 64] |= 1 << (at % 64);
            for symbol in constraint.reads() {
                readers[symbol.arity()][number(symbol)][at / 64] |= 1 << (at % 64);
            }
        }
        Coercion { constraints, layout: vocabulary.layout(), readers, all }
    }

    pub fn desk(&self) -> Desk {
        Desk { dirty: vec![0; self.all.len()], nodes: [0; 64] }
    }

    /// Sharpens; false if the structure stands for no concrete state.
    pub fn coerce(&self, s: &mut Structure, desk: &mut Desk) -> bool {
        desk.dirty.copy_from_slice(&self.all);
        self.settle(s, desk)
    }

    /// The same for a structure that was coerced before and in which only this predicate has changed since.
    pub fn coerce_after(&self, s: &mut Structure, changed: Symbol, desk: &mut Desk) -> bool {
        self.clean(desk);
        self.mark(changed, desk);
        self.settle(s, desk)
    }

    /// The same with several changed predicates.
    pub fn coerce_after_all(&self, s: &mut Structure, changed: &[Symbol], desk: &mut Desk) -> bool {
        self.clean(desk);
        changed.iter().for_each(|symbol| self.mark(*symbol, desk));
        self.settle(s, desk)
    }

    /// Nothing has changed.
    pub fn clean(&self, desk: &mut Desk) {
        desk.dirty.fill(0);
    }

    /// This has changed.
    pub fn mark(&self, changed: Symbol, desk: &mut Desk) {
        let readers = &self.readers[changed.arity()][number(changed)];
        desk.dirty.iter_mut().zip(readers).for_each(|(dirty, readers)| *dirty |= readers);
    }

    /// Looks at all constraints that read what has changed.
    pub fn settle(&self, s: &mut Structure, desk: &mut Desk) -> bool {
        let mut word = 0;
        while word < desk.dirty.len() {
            let Some(bit) = bits(desk.dirty[word]).next() else {
                word += 1;
                continue;
            };
            desk.dirty[word] &= !(1 << bit);
            let constraint = &self.constraints[word * 64 + bit];
            match self.apply(constraint, s, &mut desk.nodes) {
                Effect::None => {}
                Effect::Discarded => return false,
                Effect::Changed(symbol) => {
                    self.mark(symbol, desk);
                    word = 0;
                }
            }
        }
        true
    }

    fn apply(&self, c: &Constraint, s: &mut Structure, nodes: &mut Assignment) -> Effect {
        let mut effect = Effect::None;
        let outer = usize::from(c.variables.saturating_sub(1));
        nodes[..outer].fill(0);
        if outer > 0 && s.nodes == 0 {
            return Effect::None;
        }
        loop {
            match self.fire(c, s, nodes) {
                Effect::Discarded => return Effect::Discarded,
                Effect::Changed(symbol) => effect = Effect::Changed(symbol),
                Effect::None => {}
            }
            // The next assignment of all variables but the last, which is the lane.
            let Some(at) = (0..outer).find(|at| usize::from(nodes[*at]) + 1 < s.nodes) else {
                return effect;
            };
            nodes[at] += 1;
            nodes[..at].fill(0);
        }
    }

    /// Enforces the head wherever the body is 1.
    fn fire(&self, c: &Constraint, s: &mut Structure, nodes: &mut Assignment) -> Effect {
        let lane = c.variables.saturating_sub(1);
        let evaluator = Evaluator { structure: s, layout: self.layout };
        let (fire, head) = if c.variables == 0 {
            let fire = u64::from(evaluator.value(&c.body, nodes).must());
            let head = evaluator.value(&c.head, nodes);
            (fire, (u64::from(head.may()), u64::from(head.must())))
        } else {
            let fire = evaluator.lanes(&c.body, nodes, lane).must;
            if fire == 0 {
                return Effect::None;
            }
            let head = evaluator.lanes(&c.head, nodes, lane);
            (fire, (head.may, head.must))
        };
        if fire & !head.0 != 0 {
            return Effect::Discarded;
        }
        let mut effect = Effect::None;
        for u in bits(fire & head.0 & !head.1) {
            nodes[usize::from(lane)] = u as u8;
            if let Some(symbol) = self.enforce(&c.head, s, nodes) {
                effect = Effect::Changed(symbol);
            }
        }
        effect
    }

    fn enforce(&self, head: &Formula, s: &mut Structure, nodes: &Assignment) -> Option<Symbol> {
        let node = |v: Var| usize::from(nodes[usize::from(v)]);
        let mut set = |symbol: Symbol, [x, y]: [Var; 2], value: Kleene| {
            s.set(self.layout, symbol, [node(x), node(y)], value);
            Some(symbol)
        };
        match head {
            Formula::Atom(symbol, arguments) => set(*symbol, *arguments, Kleene::True),
            Formula::Equal(a, _) => set(SUMMARY, [*a, *a], Kleene::False),
            Formula::Not(inner) => match &**inner {
                Formula::Atom(symbol, arguments) => set(*symbol, *arguments, Kleene::False),
                _ => None,
            },
            _ => None,
        }
    }
}

enum Effect {
    None,
    Changed(Symbol),
    Discarded,
}

pub fn number(symbol: Symbol) -> usize {
    match symbol {
        Symbol::Nullary(n) | Symbol::Unary(n) | Symbol::Binary(n) => usize::from(n),
    }
}
