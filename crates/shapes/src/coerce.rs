//! Coerce: sharpens a structure by its constraints, or finds that it stands for nothing.
//!
//! For every assignment under which a body is 1: a head of 1 is well, a head of 0 discards the
//! structure, a head of 1/2 is set; an equality on one summary node makes it single. The greatest
//! fixpoint, so the order does not matter for the result. For speed only constraints that read a
//! predicate which has changed are looked at again.

use crate::plan::Plan;
use structures::constraint::Constraint;
use structures::evaluate::{Assignment, Evaluator};
use structures::formula::{Formula, Var};
use structures::kleene::Kleene;
use structures::structure::{Structure, bits};
use structures::vocabulary::{Layout, SUMMARY, Symbol, Vocabulary};

/// The constraints of a model with who reads what.
#[derive(Clone, Debug)]
pub struct Coercion {
    pub constraints: Vec<Constraint>,
    plans: Vec<Plan>,
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
        let plans = constraints.iter().map(Plan::new).collect();
        Coercion { constraints, plans, layout: vocabulary.layout(), readers, all }
    }

    pub fn desk(&self) -> Desk {
        Desk { dirty: vec![0; self.all.len()], nodes: [0; 64] }
    }

    /// Sharpens; false if the structure stands for no concrete state.
    pub fn coerce(&self, s: &mut Structure, desk: &mut Desk) -> bool {
        desk.dirty.copy_from_slice(&self.all);
        self.settle(s, desk)
    }

    /// The same for a structure that was coerced before and in which only this predicate has
    /// changed since.
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
            let plan = &self.plans[word * 64 + bit];
            match self.apply(plan, s, &mut desk.nodes) {
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

    /// Enforces the head wherever the body is 1. Closed constraints are looked at without nodes.
    fn apply(&self, plan: &Plan, s: &mut Structure, nodes: &mut Assignment) -> Effect {
        match &plan.closed {
            None => self.descend(plan, 0, s, nodes),
            Some(body) => {
                let evaluator = Evaluator { structure: s, layout: self.layout };
                if !evaluator.value(body, nodes).must() {
                    return Effect::None;
                }
                match evaluator.value(&plan.head, nodes) {
                    Kleene::True => Effect::None,
                    Kleene::False => Effect::Discarded,
                    Kleene::Half => self.enforce(&plan.head, s, nodes).map_or(Effect::None, Effect::Changed),
                }
            }
        }
    }

    /// All nodes for the variable of a stage and for the later ones. What is set on the way only
    /// lets more bodies be 1, and then the constraint is looked at again.
    fn descend(&self, plan: &Plan, stage: usize, s: &mut Structure, nodes: &mut Assignment) -> Effect {
        let here = &plan.stages[stage];
        let at = usize::from(here.variable);
        let evaluator = Evaluator { structure: s, layout: self.layout };
        let mut fits = here.fits(&evaluator, nodes);
        let last = stage + 1 == plan.stages.len();
        if last && fits != 0 {
            let head = evaluator.lanes(&plan.head, nodes, here.variable);
            if fits & !head.may != 0 {
                return Effect::Discarded;
            }
            fits &= !head.must;
        }
        let mut effect = Effect::None;
        for u in bits(fits) {
            nodes[at] = u as u8;
            let one = match last {
                true => self.enforce(&plan.head, s, nodes).map_or(Effect::None, Effect::Changed),
                false => self.descend(plan, stage + 1, s, nodes),
            };
            match one {
                Effect::None => {}
                Effect::Discarded => return Effect::Discarded,
                changed => effect = changed,
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
