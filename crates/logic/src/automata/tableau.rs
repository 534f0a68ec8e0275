//! The tableau: from a formula to a transition-based generalized Büchi automaton.
//!
//! After Couvreur, "On-the-fly verification of linear temporal logic" (FM 1999), as in Duret-Lutz's
//! Spot: what a set of formulas asks of the present letter, promises for later and leaves to the
//! next position is one Boolean function
//!
//! ```text
//! [p] = p      [X f] = next(f)      [f & g] = [f] & [g]      [f | g] = [f] | [g]
//! [f U g] = [g] | [f] & promise(g) & next(f U g)      [f W g] = [g] | [f] & next(f W g)
//! [f M g] = [g] & ([f] | promise(f) & next(f M g))      [f R g] = [g] & ([f] | next(f R g))
//! ```
//!
//! and two sets with the same function are one state. An edge is in the acceptance set of g if it
//! does not promise g. For each letter the function leaves a function over promises and
//! obligations, whose prime implicants are the edges.
//!
//! The past is ours: the memory of a state ([`super::closure`]) is a part of it, and its next value
//! is part of the function. If a remembered formula has no future operator its value is determined
//! by the letter (`m' <-> [f]`); otherwise it is guessed and only a claim of truth is checked
//! (`m' -> [f]`), which is enough since memory is only read positively. Memory that no formula of
//! the state reads is dropped.

use super::TooLarge;
use super::bdd::{self, Bdd, Manager};
use super::closure::{self, Closure, Fixpoint, Id, Node};
use super::graph::{self, Arc, Graph};
use super::hash::Map;

/// More states are refused.
const STATES: usize = 1 << 14;

/// More edges are refused.
const EDGES: usize = 1 << 17;

/// Variables before this one are propositions.
pub(crate) const BORDER: u32 = 64;

/// What a variable from the border on means.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Meaning {
    Memory(u32),
    Promise(Id),
    Next(Id),
}

/// A set of formulas, sorted, with the memory they read.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Set {
    formulas: Vec<Id>,
    memory: u64,
}

struct Tableau<'a> {
    bdd: &'a mut Manager,
    closure: Closure,
    variables: Map<Meaning, u32>,
    meanings: Vec<Meaning>,
    /// The formulas promised, by the number of their acceptance set.
    promises: Vec<Id>,
    /// The function of a formula with the part of memory it reads.
    known: Map<(Id, u64), Bdd>,
    functions: Map<Set, Bdd>,
    numbers: Map<Bdd, usize>,
    states: Vec<Bdd>,
}

/// The automaton of `formula`; edges from one state to the same state with the same sets are
/// joined, nothing else is reduced.
pub(crate) fn tableau(closure: Closure, formula: Id, bdd: &mut Manager) -> Result<Graph, TooLarge> {
    let mut tableau = Tableau {
        bdd,
        closure,
        variables: Map::default(),
        meanings: Vec::new(),
        promises: Vec::new(),
        known: Map::default(),
        functions: Map::default(),
        numbers: Map::default(),
        states: Vec::new(),
    };
    let memories = tableau.closure.memories.iter().enumerate();
    let memory = memories.fold(0, |bits, (i, memory)| bits | (memory.initial as u64) << i);
    let initial = tableau.set(vec![formula], memory);
    let function = tableau.function(initial)?;
    tableau.number(function)?;
    let (mut promised, mut edges): (Vec<Vec<Arc>>, usize) = (Vec::new(), 0);
    while promised.len() < tableau.states.len() {
        let arcs = tableau.edges(tableau.states[promised.len()])?;
        edges += arcs.len();
        if edges > EDGES {
            return Err(TooLarge::States);
        }
        promised.push(arcs);
    }
    let sets = tableau.promises.len();
    let fulfilled = |arc: Arc| Arc { sets: graph::all(sets) & !arc.sets, ..arc };
    let states = promised.into_iter().map(|arcs| arcs.into_iter().map(fulfilled).collect()).collect();
    Ok(Graph { sets, initial: 0, states })
}

impl Tableau<'_> {
    /// The conjunction of formulas as a set, with the part of memory it reads.
    fn set(&self, formulas: Vec<Id>, memory: u64) -> Set {
        let mut flat = Vec::new();
        for id in formulas {
            match &self.closure.nodes[id as usize] {
                Node::And(parts) => flat.extend(parts),
                _ => flat.push(id),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        self.drop_implied(&mut flat);
        let memory = memory & self.reads(&flat);
        Set { formulas: flat, memory }
    }

    /// `G f` already asks for f, and so for each part of f.
    fn drop_implied(&self, formulas: &mut Vec<Id>) {
        let mut implied: Vec<Id> = Vec::new();
        for &id in formulas.iter() {
            if let Node::Future(Fixpoint::WeakUntil, f, closure::FALSE) = self.closure.nodes[id as usize] {
                match &self.closure.nodes[f as usize] {
                    Node::And(parts) => implied.extend(parts),
                    _ => implied.push(f),
                }
            }
        }
        formulas.retain(|id| !implied.contains(id));
    }

    fn reads(&self, formulas: &[Id]) -> u64 {
        formulas.iter().fold(0, |bits, &id| bits | self.closure.facts[id as usize].memory)
    }

    fn number(&mut self, function: Bdd) -> Result<usize, TooLarge> {
        if self.states.len() >= STATES {
            return Err(TooLarge::States);
        }
        let states = &mut self.states;
        Ok(*self.numbers.entry(function).or_insert_with(|| {
            states.push(function);
            states.len() - 1
        }))
    }

    /// What a set asks: its formulas, and the next value of its memory.
    fn function(&mut self, set: Set) -> Result<Bdd, TooLarge> {
        if let Some(&known) = self.functions.get(&set) {
            return Ok(known);
        }
        let mut all = bdd::TRUE;
        for &id in &set.formulas {
            let f = self.ask(id, set.memory)?;
            all = self.bdd.and(all, f);
        }
        let mut bits = self.reads(&set.formulas);
        while bits != 0 {
            let bit = bits.trailing_zeros();
            bits &= bits - 1;
            let of = self.closure.memories[bit as usize].of;
            let value = self.ask(of, set.memory)?;
            let next = self.variable(Meaning::Memory(bit));
            let claim = match self.closure.facts[of as usize].future {
                false => self.bdd.iff(next, value),
                true => self.bdd.ite(next, value, bdd::TRUE),
            };
            all = self.bdd.and(all, claim);
        }
        if self.bdd.full {
            return Err(TooLarge::Labels);
        }
        self.functions.insert(set, all);
        Ok(all)
    }

    fn variable(&mut self, meaning: Meaning) -> Bdd {
        let meanings = &mut self.meanings;
        let variable = *self.variables.entry(meaning).or_insert_with(|| {
            meanings.push(meaning);
            BORDER + meanings.len() as u32 - 1
        });
        self.bdd.literal(variable, true)
    }

    /// What one formula asks.
    fn ask(&mut self, id: Id, memory: u64) -> Result<Bdd, TooLarge> {
        let memory = memory & self.closure.facts[id as usize].memory;
        if let Some(&known) = self.known.get(&(id, memory)) {
            return Ok(known);
        }
        let remembered = |bit: u32| bdd::constant(memory >> bit & 1 == 1);
        let f = match self.closure.nodes[id as usize].clone() {
            Node::Constant(value) => bdd::constant(value),
            Node::Literal(p, sign) => self.bdd.literal(p, sign),
            Node::And(parts) => {
                let mut all = bdd::TRUE;
                for part in parts {
                    let f = self.ask(part, memory)?;
                    all = self.bdd.and(all, f);
                }
                all
            }
            Node::Or(parts) => {
                let mut any = bdd::FALSE;
                for part in parts {
                    let f = self.ask(part, memory)?;
                    any = self.bdd.or(any, f);
                }
                any
            }
            Node::Next(a) => self.next(a),
            Node::Future(op, a, b) => {
                let later = self.next(id);
                let later = match op {
                    Fixpoint::WeakUntil | Fixpoint::Release => later,
                    Fixpoint::Until => self.promise(b, later)?,
                    Fixpoint::StrongRelease => self.promise(a, later)?,
                };
                self.unfold(op, [a, b], later, memory)?
            }
            Node::Previous(_, bit) => remembered(bit),
            Node::Past(op, a, b, bit) => self.unfold(op, [a, b], remembered(bit), memory)?,
        };
        self.known.insert((id, memory), f);
        Ok(f)
    }

    /// One step of a fixpoint whose value at the neighbouring position is `there`.
    fn unfold(&mut self, op: Fixpoint, [a, b]: [Id; 2], there: Bdd, memory: u64) -> Result<Bdd, TooLarge> {
        let (a, b) = (self.ask(a, memory)?, self.ask(b, memory)?);
        Ok(match op {
            Fixpoint::Until | Fixpoint::WeakUntil => {
                let on = self.bdd.and(a, there);
                self.bdd.or(b, on)
            }
            Fixpoint::Release | Fixpoint::StrongRelease => {
                let on = self.bdd.or(a, there);
                self.bdd.and(b, on)
            }
        })
    }

    /// The obligation to satisfy a formula at the next position.
    fn next(&mut self, id: Id) -> Bdd {
        match self.closure.nodes[id as usize].clone() {
            Node::Constant(value) => bdd::constant(value),
            Node::And(parts) => parts.into_iter().fold(bdd::TRUE, |all, part| {
                let f = self.variable(Meaning::Next(part));
                self.bdd.and(all, f)
            }),
            _ => self.variable(Meaning::Next(id)),
        }
    }

    fn promise(&mut self, id: Id, later: Bdd) -> Result<Bdd, TooLarge> {
        if !self.promises.contains(&id) {
            if self.promises.len() == 64 {
                return Err(TooLarge::Sets);
            }
            self.promises.push(id);
        }
        let promise = self.variable(Meaning::Promise(id));
        Ok(self.bdd.and(promise, later))
    }

    /// The edges out of the state with this function, with what they promise in place of their
    /// sets.
    fn edges(&mut self, function: Bdd) -> Result<Vec<Arc>, TooLarge> {
        let mut arcs = Vec::new();
        for (label, rest) in self.bdd.split(function, BORDER) {
            for cube in self.bdd.cubes(rest) {
                let (set, sets) = self.target(&cube);
                let function = self.function(set)?;
                if function != bdd::FALSE {
                    arcs.push(Arc { label, to: self.number(function)?, sets });
                }
                if arcs.len() > EDGES {
                    return Err(TooLarge::States);
                }
            }
        }
        graph::join(&mut arcs, self.bdd);
        if self.bdd.full { Err(TooLarge::Labels) } else { Ok(arcs) }
    }

    /// Where an implicant leads, and what it promises. Memory it does not mention may as well be
    /// true.
    fn target(&self, cube: &[(u32, bool)]) -> (Set, u64) {
        let (mut formulas, mut memory, mut promised) = (Vec::new(), u64::MAX, 0);
        for &(variable, sign) in cube {
            match self.meanings[(variable - BORDER) as usize] {
                Meaning::Memory(bit) if !sign => memory &= !(1 << bit),
                Meaning::Memory(_) => {}
                Meaning::Promise(id) => {
                    promised |= self.promises.iter().position(|&p| p == id).map_or(0, |i| 1 << i);
                }
                Meaning::Next(id) => formulas.push(id),
            }
        }
        (self.set(formulas, memory), promised)
    }
}
