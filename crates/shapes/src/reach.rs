//! The update of reachability when one edge changes.
//!
//! After Reps, Sagiv and Loginov, and Dong and Su. Two shapes of derived predicates are known:
//! `p(x, y) = e+(x, y)` or `e*(x, y)`, and `p(v) = exists u. z(u) & e*(u, v)` with z unique and not
//! changed by the action. If an action adds at most one edge s → d, and takes away at most the one
//! that leaves t, then, with `gone` for "an edge is taken away":
//!
//! * afterwards there is no way from x to y that used t's edge: mid(x, y) = p(x, y) & !(gone & x →*
//!   t & t →+ y). This needs e to be a function and acyclic: the way from x is the only one, and it
//!   comes to t at most once.
//! * new(x, y) = mid(x, y) | added & mid*(x, s) & mid*(d, y), in any graph.
//!
//! The values of p stand for ways where they can, so that what p remembers is kept although e
//! itself is 1/2. An edge is known to be one if its ends are equated with individuals that take
//! part in the action. Otherwise the closure is evaluated anew (`difference`).

use crate::difference::{Updates, changes};
use structures::action::Update;
use structures::formula::{FALSE, Formula, Var, and, atom, closure, differ, equal, exists, not, or};
use structures::vocabulary::{Attribute, Symbol, Vocabulary};

/// What a derived predicate says about ways along `edge`.
struct Reach {
    edge: Symbol,
    /// From the one of which this holds; otherwise between any two.
    root: Option<Symbol>,
    /// A way may have no steps.
    reflexive: bool,
}

impl Reach {
    fn of(symbol: Symbol, definition: &Formula, vocabulary: &Vocabulary) -> Option<Reach> {
        if symbol.arity() == 2 {
            let (edge, reflexive) = way(definition, 0, 1)?;
            return Some(Reach { edge, root: None, reflexive });
        }
        let Formula::Exists(u, bound) = definition else { return None };
        let [Formula::Atom(root @ Symbol::Unary(_), [r, _]), rest] = bound.body.conjuncts() else {
            return None;
        };
        let (edge, reflexive) = way(rest, *u, 0)?;
        let unique = vocabulary.get(*root).attributes.contains(&Attribute::Unique);
        (symbol.arity() == 1 && r == u && unique && reflexive).then_some(Reach {
            edge,
            root: Some(*root),
            reflexive,
        })
    }
}

/// `e+(from, to)` or `e*(from, to)`: the edge, and whether there may be no steps.
fn way(f: &Formula, from: Var, to: Var) -> Option<(Symbol, bool)> {
    match f {
        Formula::Closure(c) if (c.from, c.to) == (from, to) => match &c.body {
            Formula::Atom(edge @ Symbol::Binary(_), [a, b]) if (*a, *b) == (c.x, c.y) => Some((*edge, false)),
            _ => None,
        },
        Formula::Or(parts) => match &parts[..] {
            [Formula::Equal(a, b), steps] if (*a, *b) == (from, to) || (*b, *a) == (from, to) => {
                way(steps, from, to).map(|(edge, _)| (edge, true))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The individual that a conjunction equates a variable with, and the conjunction without that. Who
/// takes part in the action is a variable below `next`; the ends of the edge are not, and `y == y`
/// or `x == y` says of neither which individual it is.
fn pinned(f: &Formula, v: Var, next: Var) -> Option<(Var, Formula)> {
    let parts = f.conjuncts();
    let (at, to) = parts.iter().enumerate().find_map(|(at, part)| match part {
        Formula::Equal(a, b) if *a == v && *b < next => Some((at, *b)),
        Formula::Equal(a, b) if *b == v && *a < next => Some((at, *a)),
        _ => None,
    })?;
    let rest = parts.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, f)| f.clone());
    Some((to, and(rest)))
}

/// The update of a reachability predicate that follows from those of an action; `next` is above all
/// variables of the action. `None` if it is none, or if more than an edge changes.
pub fn update(
    symbol: Symbol,
    definition: &Formula,
    updates: &Updates,
    vocabulary: &Vocabulary,
    next: Var,
) -> Option<Update> {
    let reach = Reach::of(symbol, definition, vocabulary)?;
    let has = |attribute: Attribute| vocabulary.get(reach.edge).attributes.contains(&attribute);
    if !updates.contains_key(&reach.edge) || reach.root.is_some_and(|root| updates.contains_key(&root)) {
        return None;
    }
    let (x, y, a, b, free) = (next, next + 1, next + 2, next + 3, next + 4);
    let (plus, minus) = changes(updates, reach.edge, [a, b], free);
    let added = match plus {
        FALSE => None,
        plus => {
            let (s, rest) = pinned(&plus, a, next)?;
            let (d, rest) = pinned(&rest, b, next)?;
            let there = rest.rename(
                &|v| {
                    if v == a {
                        s
                    } else if v == b {
                        d
                    } else {
                        v
                    }
                },
                free,
            );
            Some((s, d, there))
        }
    };
    let gone = match minus {
        FALSE => None,
        _ if !has(Attribute::Function) || !has(Attribute::Acyclic) => return None,
        minus => {
            let (t, rest) = pinned(&minus, a, next)?;
            let rest = rest.rename(&|v| if v == a { t } else { v }, free);
            Some((t, exists(b, rest)))
        }
    };
    // Ways of the old state.
    let steps = |from: Var, to: Var| closure(from, to, free, free + 1, atom(reach.edge, &[free, free + 1]));
    let between = |from: Var, to: Var, some: bool| match (reach.root, reach.reflexive) {
        (None, true) if some => and([atom(symbol, &[from, to]), differ(from, to)]),
        (None, true) => atom(symbol, &[from, to]),
        (None, false) if some => atom(symbol, &[from, to]),
        (None, false) => or([equal(from, to), atom(symbol, &[from, to])]),
        (Some(_), _) if some => steps(from, to),
        (Some(_), _) => or([equal(from, to), steps(from, to)]),
    };
    // Without the edge that goes.
    let lost = |from: Formula, to: Var| match &gone {
        None => FALSE,
        Some((t, gone)) => and([gone.clone(), from, between(*t, to, true)]),
    };
    let t = gone.as_ref().map_or(0, |(t, _)| *t);
    let rest = |from: Var, to: Var, some: bool| {
        and([between(from, to, some), not(lost(between(from, t, false), to))])
    };
    let formula = match reach.root {
        None => {
            let still = rest(x, y, !reach.reflexive);
            let more = added.map(|(s, d, there)| and([there, rest(x, s, false), rest(d, y, false)]));
            or([still].into_iter().chain(more))
        }
        Some(_) => {
            let from_root = |v: Var| and([atom(symbol, &[v]), not(lost(atom(symbol, &[t]), v))]);
            let more = added.map(|(s, d, there)| and([there, from_root(s), rest(d, x, false)]));
            or([from_root(x)].into_iter().chain(more))
        }
    };
    let parameters = [x, if symbol.arity() > 1 { y } else { x }];
    Some(Update { symbol, parameters, formula })
}
