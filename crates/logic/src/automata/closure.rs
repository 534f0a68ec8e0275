//! Formulas as shared nodes in negation normal form: what the tableau works on.
//!
//! Each formula is built together with its negation, so that equivalences do not blow up. Four
//! fixpoints remain, `U W R M`, each with its mirror in the past; `F p` is `true U p`, `G p` is
//! `p W false`. Conjunctions and disjunctions are flat and sorted.
//!
//! What a formula knows of the past is its *memory*: the truth at the previous position of some
//! formulas. `p S q` is `q | p & Y (p S q)`, so each past operator has one bit of memory; it starts
//! as false for the strong operators and as true for the weak ones.

use super::TooLarge;
use super::hash::Map;
use crate::ltl::{Binary, Formula, Unary};

pub type Id = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Fixpoint {
    Until,
    WeakUntil,
    Release,
    StrongRelease,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    Constant(bool),
    Literal(u32, bool),
    And(Vec<Id>),
    Or(Vec<Id>),
    Next(Id),
    Future(Fixpoint, Id, Id),
    /// The value at the previous position, which is in this bit of memory.
    Previous(Id, u32),
    Past(Fixpoint, Id, Id, u32),
}

/// What one bit of memory stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    pub of: Id,
    /// Its value at the first position.
    pub initial: bool,
}

/// What must be known about a node again and again.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facts {
    /// The bits of memory that it and its subformulas read.
    pub memory: u64,
    /// There is a future operator in it.
    pub future: bool,
    /// What it is by its syntax.
    pub class: Class,
}

/// Where a formula is in the hierarchy of Manna and Pnueli, by its syntax alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Class {
    pub safety: bool,
    pub guarantee: bool,
    pub obligation: bool,
}

impl Class {
    const ALL: Class = Class { safety: true, guarantee: true, obligation: true };
    const NONE: Class = Class { safety: false, guarantee: false, obligation: false };

    /// The class of a conjunction and of a disjunction.
    fn junction(self, other: Class) -> Class {
        Class {
            safety: self.safety && other.safety,
            guarantee: self.guarantee && other.guarantee,
            obligation: self.obligation && other.obligation,
        }
    }

    fn fixpoint(op: Fixpoint, a: Class, b: Class) -> Class {
        let (safety, guarantee) = (a.safety && b.safety, a.guarantee && b.guarantee);
        match op {
            Fixpoint::Until => Class { safety: false, guarantee, obligation: a.obligation && b.guarantee },
            Fixpoint::StrongRelease => {
                Class { safety: false, guarantee, obligation: a.guarantee && b.obligation }
            }
            Fixpoint::WeakUntil => Class { safety, guarantee: false, obligation: a.safety && b.obligation },
            Fixpoint::Release => Class { safety, guarantee: false, obligation: a.obligation && b.safety },
        }
    }
}

#[derive(Default)]
pub struct Closure {
    pub nodes: Vec<Node>,
    pub facts: Vec<Facts>,
    pub memories: Vec<Memory>,
    ids: Map<Node, Id>,
    previous: Map<(Id, bool), u32>,
}

pub const FALSE: Id = 0;
pub const TRUE: Id = 1;

impl Closure {
    /// The closure that holds `formula`, and the formula in it.
    pub fn of(formula: &Formula<usize>) -> Result<(Closure, Id), TooLarge> {
        let mut closure = Closure::default();
        closure.intern(Node::Constant(false));
        closure.intern(Node::Constant(true));
        let (id, _) = closure.both(formula)?;
        Ok((closure, id))
    }

    /// The formula and its negation.
    fn both(&mut self, formula: &Formula<usize>) -> Result<(Id, Id), TooLarge> {
        Ok(match formula {
            Formula::Constant(true) => (TRUE, FALSE),
            Formula::Constant(false) => (FALSE, TRUE),
            Formula::Atom(p) if *p >= 64 => return Err(TooLarge::Propositions),
            Formula::Atom(p) => {
                let p = *p as u32;
                (self.intern(Node::Literal(p, true)), self.intern(Node::Literal(p, false)))
            }
            Formula::Unary(op, a) => {
                let a = self.both(a)?;
                self.unary(*op, a)?
            }
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.both(a)?, self.both(b)?);
                self.binary(*op, a, b)?
            }
        })
    }

    fn unary(&mut self, op: Unary, (a, na): (Id, Id)) -> Result<(Id, Id), TooLarge> {
        use Fixpoint::{Until, WeakUntil};
        Ok(match op {
            Unary::Not => (na, a),
            Unary::Next => (self.next(a), self.next(na)),
            Unary::Eventually => (self.future(Until, TRUE, a), self.future(WeakUntil, na, FALSE)),
            Unary::Always => (self.future(WeakUntil, a, FALSE), self.future(Until, TRUE, na)),
            Unary::Previous => (self.previous(a, false)?, self.previous(na, true)?),
            Unary::WeakPrevious => (self.previous(a, true)?, self.previous(na, false)?),
            Unary::Once => (self.past(Until, TRUE, a)?, self.past(WeakUntil, na, FALSE)?),
            Unary::Historically => (self.past(WeakUntil, a, FALSE)?, self.past(Until, TRUE, na)?),
        })
    }

    fn binary(&mut self, op: Binary, (a, na): (Id, Id), (b, nb): (Id, Id)) -> Result<(Id, Id), TooLarge> {
        use Fixpoint::{Release, StrongRelease, Until, WeakUntil};
        Ok(match op {
            Binary::And => (self.and([a, b]), self.or([na, nb])),
            Binary::Or => (self.or([a, b]), self.and([na, nb])),
            Binary::Implies => (self.or([na, b]), self.and([a, nb])),
            Binary::Iff => {
                let (both, neither) = (self.and([a, b]), self.and([na, nb]));
                let (left, right) = (self.and([a, nb]), self.and([na, b]));
                (self.or([both, neither]), self.or([left, right]))
            }
            Binary::Entails => {
                let (holds, fails) = (self.or([na, b]), self.and([a, nb]));
                (self.future(WeakUntil, holds, FALSE), self.future(Until, TRUE, fails))
            }
            Binary::Until => (self.future(Until, a, b), self.future(Release, na, nb)),
            Binary::WeakUntil => (self.future(WeakUntil, a, b), self.future(StrongRelease, na, nb)),
            Binary::Release => (self.future(Release, a, b), self.future(Until, na, nb)),
            Binary::StrongRelease => (self.future(StrongRelease, a, b), self.future(WeakUntil, na, nb)),
            Binary::Since => (self.past(Until, a, b)?, self.past(Release, na, nb)?),
            Binary::BackTo => (self.past(WeakUntil, a, b)?, self.past(StrongRelease, na, nb)?),
            Binary::Trigger => (self.past(Release, a, b)?, self.past(Until, na, nb)?),
        })
    }

    fn intern(&mut self, node: Node) -> Id {
        if let Some(&known) = self.ids.get(&node) {
            return known;
        }
        let id = self.nodes.len() as Id;
        self.facts.push(self.look(&node));
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    fn look(&self, node: &Node) -> Facts {
        let fact = |id: &Id| self.facts[*id as usize];
        let both = |a: Facts, b: Facts| Facts {
            memory: a.memory | b.memory,
            future: a.future | b.future,
            class: a.class.junction(b.class),
        };
        let plain = Facts { class: Class::ALL, ..Facts::default() };
        let past = |inner: Facts, bit: u32| Facts {
            memory: inner.memory | 1 << bit,
            class: if inner.future { Class::NONE } else { Class::ALL },
            ..inner
        };
        match node {
            Node::Constant(_) | Node::Literal(..) => plain,
            Node::And(parts) | Node::Or(parts) => parts.iter().map(fact).fold(plain, both),
            Node::Next(a) => Facts { future: true, ..fact(a) },
            Node::Future(op, a, b) => {
                let (a, b) = (fact(a), fact(b));
                Facts { future: true, class: Class::fixpoint(*op, a.class, b.class), ..both(a, b) }
            }
            Node::Previous(a, bit) => past(fact(a), *bit),
            Node::Past(_, a, b, bit) => past(both(fact(a), fact(b)), *bit),
        }
    }

    pub fn and(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        self.junction(parts, true)
    }

    pub fn or(&mut self, parts: impl IntoIterator<Item = Id>) -> Id {
        self.junction(parts, false)
    }

    /// A conjunction or a disjunction, flat, without its unit.
    fn junction(&mut self, parts: impl IntoIterator<Item = Id>, conjunction: bool) -> Id {
        let (unit, zero) = if conjunction { (TRUE, FALSE) } else { (FALSE, TRUE) };
        let mut flat = Vec::new();
        for part in parts {
            match &self.nodes[part as usize] {
                Node::And(inner) if conjunction => flat.extend(inner),
                Node::Or(inner) if !conjunction => flat.extend(inner),
                _ if part != unit => flat.push(part),
                _ => {}
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat[..] {
            [] => unit,
            [part] => part,
            _ if flat.contains(&zero) => zero,
            _ if conjunction => self.intern(Node::And(flat)),
            _ => self.intern(Node::Or(flat)),
        }
    }

    fn next(&mut self, a: Id) -> Id {
        if a <= TRUE { a } else { self.intern(Node::Next(a)) }
    }

    fn future(&mut self, op: Fixpoint, a: Id, b: Id) -> Id {
        let (op, a, b) = canonical(op, a, b);
        match trivial(op, a, b) {
            Some(id) => id,
            None => self.intern(Node::Future(op, a, b)),
        }
    }

    fn previous(&mut self, a: Id, weak: bool) -> Result<Id, TooLarge> {
        if a == weak as Id {
            return Ok(a);
        }
        let bit = match self.previous.get(&(a, weak)) {
            Some(&bit) => bit,
            None => self.remember(a, weak)?,
        };
        self.previous.insert((a, weak), bit);
        Ok(self.intern(Node::Previous(a, bit)))
    }

    fn past(&mut self, op: Fixpoint, a: Id, b: Id) -> Result<Id, TooLarge> {
        let (op, a, b) = canonical(op, a, b);
        if let Some(id) = trivial(op, a, b) {
            return Ok(id);
        }
        let known = self.memories.iter().find_map(|memory| match self.nodes[memory.of as usize] {
            Node::Past(o, x, y, _) if (o, x, y) == (op, a, b) => Some(memory.of),
            _ => None,
        });
        if let Some(id) = known {
            return Ok(id);
        }
        let id = self.nodes.len() as Id;
        let weak = matches!(op, Fixpoint::WeakUntil | Fixpoint::Release);
        let bit = self.remember(id, weak)?;
        Ok(self.intern(Node::Past(op, a, b, bit)))
    }

    fn remember(&mut self, of: Id, initial: bool) -> Result<u32, TooLarge> {
        if self.memories.len() == 64 {
            return Err(TooLarge::Past);
        }
        self.memories.push(Memory { of, initial });
        Ok(self.memories.len() as u32 - 1)
    }
}

/// What a fixpoint is if an operand is constant or both are the same, in both directions of time.
fn trivial(op: Fixpoint, a: Id, b: Id) -> Option<Id> {
    use Fixpoint::{Release, StrongRelease, Until, WeakUntil};
    match (op, a, b) {
        (_, a, b) if a == b => Some(a),
        (_, _, TRUE) if matches!(op, Until | WeakUntil) => Some(TRUE),
        (_, _, FALSE) if matches!(op, Release | StrongRelease | Until) => Some(FALSE),
        (Until | WeakUntil, FALSE, b) => Some(b),
        (Release | StrongRelease, TRUE, b) => Some(b),
        (StrongRelease, FALSE, _) => Some(FALSE),
        (WeakUntil, TRUE, _) => Some(TRUE),
        (Release, _, TRUE) => Some(TRUE),
        _ => None,
    }
}

/// One form for what can be written in two ways.
fn canonical(op: Fixpoint, a: Id, b: Id) -> (Fixpoint, Id, Id) {
    match (op, a, b) {
        (Fixpoint::Release, FALSE, b) => (Fixpoint::WeakUntil, b, FALSE),
        (Fixpoint::StrongRelease, a, TRUE) => (Fixpoint::Until, TRUE, a),
        _ => (op, a, b),
    }
}
