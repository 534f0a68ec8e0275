//! The value of a formula in a three-valued structure, for all nodes at once.
//!
//! One variable, the *lane*, stands for every node at the same time: a value is a pair of words,
//! bit u of which says whether the formula may and must hold if the lane is node u. Conjunction,
//! disjunction and negation are bit operations on 64 lanes; a row of a binary predicate is read as
//! it lies in the structure. The other variables have their node in `nodes`.
//!
//! Kleene's tables; `exists` is the maximum and `forall` the minimum over the nodes; `a == b` is
//! 1/2 on one summary node; a closure is closed in the may bits and in the must bits apart; if the
//! condition of a choice is 1/2, the choice is the join of both branches.

use crate::formula::{Bound, Closure, Formula, VARIABLES, Var};
use crate::kleene::Kleene;
use crate::structure::{NODES, Structure, bits};
use crate::vocabulary::{Layout, Symbol, Vocabulary};

/// For each node, as bits: may hold, must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// The nodes with 1/2 or 1.
    pub may: u64,
    /// The nodes with 1.
    pub must: u64,
}

/// The nodes that variables stand for.
pub type Assignment = [u8; VARIABLES];

/// No variable is the lane.
const NONE: Var = u8::MAX;

/// Evaluates formulas in a three-valued structure.
pub struct Evaluator<'a> {
    /// Read, never changed.
    pub structure: &'a Structure,
    /// Where the structure has its predicates.
    pub layout: Layout,
}

impl Evaluator<'_> {
    /// The value under an assignment.
    pub fn value(&self, f: &Formula, nodes: &mut Assignment) -> Kleene {
        // Without a lane all lanes are equal; a structure without nodes needs one.
        let lanes = self.eval(f, nodes, NONE);
        Kleene::new(lanes.may != 0, lanes.must != 0)
    }

    /// The value for each node that `lane` may stand for.
    pub fn lanes(&self, f: &Formula, nodes: &mut Assignment, lane: Var) -> Lanes {
        let lanes = self.eval(f, nodes, lane);
        Lanes { may: lanes.may & self.structure.all(), must: lanes.must & self.structure.all() }
    }

    /// All 64 lanes; those beyond the nodes mean nothing.
    fn eval(&self, f: &Formula, nodes: &mut Assignment, lane: Var) -> Lanes {
        match f {
            Formula::Constant(value) => Lanes::same(*value),
            Formula::Atom(symbol, arguments) => self.atom(*symbol, *arguments, nodes, lane),
            Formula::Equal(a, b) => self.equality(*a, *b, nodes, lane),
            Formula::Not(f) => {
                let v = self.eval(f, nodes, lane);
                Lanes { may: !v.must, must: !v.may }
            }
            Formula::And(parts) => {
                let mut all = Lanes::same(Kleene::True);
                for part in parts {
                    let v = self.eval(part, nodes, lane);
                    all = Lanes { may: all.may & v.may, must: all.must & v.must };
                    if all.may == 0 {
                        break;
                    }
                }
                all
            }
            Formula::Or(parts) => {
                let mut any = Lanes::same(Kleene::False);
                for part in parts {
                    let v = self.eval(part, nodes, lane);
                    any = Lanes { may: any.may | v.may, must: any.must | v.must };
                    if any.must == u64::MAX {
                        break;
                    }
                }
                any
            }
            Formula::Exists(v, bound) => self.exists((*v, bound), nodes, lane, false),
            Formula::Forall(v, bound) => {
                let some = self.exists((*v, bound), nodes, lane, true);
                Lanes { may: !some.must, must: !some.may }
            }
            Formula::Closure(c) => self.closure(c, nodes, lane),
            Formula::If(parts) => {
                let [c, a, b] = &**parts;
                let (c, a, b) =
                    (self.eval(c, nodes, lane), self.eval(a, nodes, lane), self.eval(b, nodes, lane));
                let half = c.may & !c.must;
                Lanes {
                    may: c.must & a.may | !c.may & b.may | half & (a.may | b.may),
                    must: c.must & a.must | !c.may & b.must | half & a.must & b.must,
                }
            }
        }
    }

    /// The maximum over the nodes of the body, or of its negation.
    fn exists(&self, (v, bound): (Var, &Bound), nodes: &mut Assignment, lane: Var, negated: bool) -> Lanes {
        let all = self.structure.all();
        let sign = |v: Lanes| if negated { Lanes { may: !v.must, must: !v.may } } else { v };
        if lane == NONE || lane == v || bound.free >> lane & 1 == 0 {
            let each = sign(self.eval(&bound.body, nodes, v));
            return Lanes::same(Kleene::new(each.may & all != 0, each.must & all != 0));
        }
        let mut any = Lanes::same(Kleene::False);
        let before = nodes[usize::from(v)];
        for u in 0..self.structure.nodes {
            nodes[usize::from(v)] = u as u8;
            let each = sign(self.eval(&bound.body, nodes, lane));
            any = Lanes { may: any.may | each.may, must: any.must | each.must };
            if any.must & all == all {
                break;
            }
        }
        nodes[usize::from(v)] = before;
        any
    }

    fn atom(&self, symbol: Symbol, [x, y]: [Var; 2], nodes: &Assignment, lane: Var) -> Lanes {
        let s = self.structure;
        let node = |v: Var| usize::from(nodes[usize::from(v)]);
        let (may, must) = match symbol {
            Symbol::Nullary(_) => return Lanes::same(s.get(self.layout, symbol, [0, 0])),
            Symbol::Unary(n) if x == lane => s.column(self.layout, n),
            Symbol::Unary(_) => return Lanes::same(s.get(self.layout, symbol, [node(x), 0])),
            Symbol::Binary(n) if x != lane && y == lane => s.row(self.layout, n, node(x)),
            Symbol::Binary(_) if x != lane => {
                return Lanes::same(s.get(self.layout, symbol, [node(x), node(y)]));
            }
            Symbol::Binary(n) => {
                let (mut may, mut must) = (0, 0);
                for u in 0..s.nodes {
                    let (row_may, row_must) = s.row(self.layout, n, u);
                    let at = if y == lane { u } else { node(y) };
                    may |= (row_may >> at & 1) << u;
                    must |= (row_must >> at & 1) << u;
                }
                (may, must)
            }
        };
        Lanes { may, must }
    }

    fn equality(&self, a: Var, b: Var, nodes: &Assignment, lane: Var) -> Lanes {
        let node = |v: Var| usize::from(nodes[usize::from(v)]);
        let single = |u: usize| !self.structure.is_summary(self.layout, u);
        match (a == lane, b == lane) {
            (true, true) => Lanes { may: u64::MAX, must: !self.structure.column(self.layout, 0).0 },
            (false, false) if node(a) == node(b) => Lanes::same(Kleene::new(true, single(node(a)))),
            (false, false) => Lanes::same(Kleene::False),
            (a_is_lane, _) => {
                let u = if a_is_lane { node(b) } else { node(a) };
                Lanes { may: 1 << u, must: u64::from(single(u)) << u }
            }
        }
    }

    fn closure(&self, c: &Closure, nodes: &mut Assignment, lane: Var) -> Lanes {
        if lane != NONE && c.free >> lane & 1 == 1 {
            return self.one_by_one(c, nodes, lane);
        }
        let (may, must) = self.closed(c, nodes);
        let node = |v: Var| usize::from(nodes[usize::from(v)]);
        let gather = |rows: &[u64; NODES]| match (c.from == lane, c.to == lane) {
            (false, true) => rows[node(c.from)],
            (false, false) => (rows[node(c.from)] >> node(c.to) & 1).wrapping_neg(),
            (true, to_is_lane) => (0..self.structure.nodes)
                .fold(0, |word, u| word | (rows[u] >> (if to_is_lane { u } else { node(c.to) }) & 1) << u),
        };
        Lanes { may: gather(&may), must: gather(&must) }
    }

    /// If what a step is depends on the lane.
    fn one_by_one(&self, c: &Closure, nodes: &mut Assignment, lane: Var) -> Lanes {
        let before = nodes[usize::from(lane)];
        let mut out = Lanes { may: 0, must: 0 };
        for u in 0..self.structure.nodes {
            nodes[usize::from(lane)] = u as u8;
            let v = self.closure(c, nodes, NONE);
            out = Lanes { may: out.may | (v.may & 1) << u, must: out.must | (v.must & 1) << u };
        }
        nodes[usize::from(lane)] = before;
        out
    }

    /// The closed matrix, may and must apart, after Warshall.
    fn closed(&self, c: &Closure, nodes: &mut Assignment) -> ([u64; NODES], [u64; NODES]) {
        let (mut may, mut must) = ([0; NODES], [0; NODES]);
        let before = nodes[usize::from(c.x)];
        for u in 0..self.structure.nodes {
            nodes[usize::from(c.x)] = u as u8;
            let row = self.lanes(&c.body, nodes, c.y);
            (may[u], must[u]) = (row.may, row.must);
        }
        nodes[usize::from(c.x)] = before;
        for rows in [&mut may, &mut must] {
            for via in 0..self.structure.nodes {
                let through = rows[via];
                rows[..self.structure.nodes]
                    .iter_mut()
                    .for_each(|row| *row |= (*row >> via & 1).wrapping_neg() & through);
            }
        }
        (may, must)
    }
}

impl Lanes {
    fn same(value: Kleene) -> Lanes {
        Lanes { may: u64::from(value.may()).wrapping_neg(), must: u64::from(value.must()).wrapping_neg() }
    }

    /// The nodes with 1/2.
    pub fn half(self) -> u64 {
        self.may & !self.must
    }

    /// The nodes of which it may hold.
    pub fn nodes(self) -> impl Iterator<Item = usize> {
        bits(self.may)
    }
}

/// Gives a derived predicate the value of its definition, for the tuples that are wanted.
pub fn define(
    s: &mut Structure,
    layout: Layout,
    (symbol, definition): (Symbol, &Formula),
    wanted: impl Fn([usize; 2]) -> bool,
) {
    for tuple in symbol.tuples(s.nodes).filter(|tuple| wanted(*tuple)) {
        let mut nodes = [0; VARIABLES];
        (nodes[0], nodes[1]) = (tuple[0] as u8, tuple[1] as u8);
        let value = Evaluator { structure: s, layout }.value(definition, &mut nodes);
        s.set(layout, symbol, tuple, value);
    }
}

/// A structure with room for the predicates that a vocabulary has beyond an older one; the derived
/// ones among them have the value of their definition.
pub fn widened(s: &Structure, old: &Vocabulary, new: &Vocabulary) -> Structure {
    let layout = new.layout();
    let mut wide = s.laid_out(&old.predicates, old.layout(), layout);
    for predicate in &new.predicates[old.predicates.len()..] {
        if let Some(definition) = &predicate.definition {
            define(&mut wide, layout, (predicate.symbol, definition), |_| true);
        }
    }
    wide
}
