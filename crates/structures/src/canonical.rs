//! The canonical form of a concrete state: states that differ only in the order of individuals, and
//! in individuals that do not matter, have the same.
//!
//! Individuals get colours, by their unary predicates and by the ones they are related to, refined
//! until nothing changes. Among those of one colour each is tried as the first, but for twins,
//! whose exchange changes nothing; the least state is the canonical one.

use crate::concrete::{Concrete, State};
use crate::vocabulary::Symbol;

fn mix(a: u64, b: u64) -> u64 {
    (a.rotate_left(5) ^ b).wrapping_mul(0x517c_c1b7_2722_0a95).rotate_left(29)
}

impl Concrete<'_> {
    /// The canonical form, and the individual of `state` at each place of it.
    pub fn normal(&self, state: &State) -> (State, Vec<usize>) {
        let kept: Vec<usize> = match self.roots {
            Some(roots) => self.reached(state, roots),
            None => (0..state.individuals).collect(),
        };
        if kept.len() == state.individuals {
            return self.arranged(state);
        }
        let mut small = self.picked(state, &kept);
        self.derive(&mut small);
        let (normal, order) = self.arranged(&small);
        (normal, order.into_iter().map(|u| kept[u]).collect())
    }

    fn arranged(&self, state: &State) -> (State, Vec<usize>) {
        let unary = |u: usize| {
            let of =
                |arity: usize| self.vocabulary.predicates.iter().filter(move |p| p.symbol.arity() == arity);
            of(1).fold(0, |colour, p| mix(colour, u64::from(self.get(state, p.symbol, [u, 0]))))
        };
        let binary: Vec<Symbol> =
            self.vocabulary.predicates.iter().map(|p| p.symbol).filter(|s| s.arity() == 2).collect();
        let mut colours: Vec<u64> = (0..state.individuals).map(unary).collect();
        let links = Links { pairs: self.pairs(state, &binary), binary };
        refine(&links.pairs, &mut colours);
        let mut best = None;
        self.arrange(state, &links, &colours, &mut best);
        best.unwrap_or_default()
    }

    fn arrange(&self, state: &State, links: &Links, colours: &[u64], best: &mut Option<(State, Vec<usize>)>) {
        let mut order: Vec<usize> = (0..state.individuals).collect();
        order.sort_by_key(|u| colours[*u]);
        let tie =
            order.windows(2).find(|pair| colours[pair[0]] == colours[pair[1]]).map(|pair| colours[pair[0]]);
        let Some(tie) = tie else {
            let picked = self.picked(state, &order);
            if best.as_ref().is_none_or(|(least, _)| picked < *least) {
                *best = Some((picked, order));
            }
            return;
        };
        let mut tried: Vec<usize> = Vec::new();
        for u in order.into_iter().filter(|u| colours[*u] == tie) {
            if tried.iter().any(|v| self.are_twins(state, &links.binary, u, *v)) {
                continue;
            }
            tried.push(u);
            let mut first = colours.to_vec();
            first[u] = mix(first[u], 1);
            refine(&links.pairs, &mut first);
            self.arrange(state, links, &first, best);
        }
    }

    /// The pairs of which some binary predicate holds: few, mostly.
    fn pairs(&self, state: &State, binary: &[Symbol]) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (number, symbol) in binary.iter().enumerate() {
            for (u, v) in (0..state.individuals).flat_map(|u| (0..state.individuals).map(move |v| (u, v))) {
                if self.get(state, *symbol, [u, v]) {
                    pairs.push((number as u64, u, v));
                }
            }
        }
        pairs
    }

    /// Whether exchanging two individuals changes nothing.
    fn are_twins(&self, state: &State, binary: &[Symbol], a: usize, b: usize) -> bool {
        let same = |symbol: Symbol, x: [usize; 2], y: [usize; 2]| {
            self.get(state, symbol, x) == self.get(state, symbol, y)
        };
        binary.iter().all(|p| {
            same(*p, [a, a], [b, b])
                && same(*p, [a, b], [b, a])
                && (0..state.individuals)
                    .filter(|v| *v != a && *v != b)
                    .all(|v| same(*p, [a, v], [b, v]) && same(*p, [v, a], [v, b]))
        })
    }
}

/// The binary predicates, and where they hold.
struct Links {
    binary: Vec<Symbol>,
    pairs: Vec<Pair>,
}

/// A binary predicate, and two individuals of which it holds.
type Pair = (u64, usize, usize);

/// Tells apart who is related to others of different colours.
fn refine(pairs: &[Pair], colours: &mut [u64]) {
    let mut classes = count(colours);
    loop {
        let mut next = vec![(0_u64, 0_u64); colours.len()];
        for (symbol, u, v) in pairs {
            let seen = |other: usize| mix(mix(colours[other], *symbol), u64::from(u == v));
            next[*u].0 = next[*u].0.wrapping_add(seen(*v));
            next[*v].1 = next[*v].1.wrapping_add(seen(*u));
        }
        for (colour, (to, from)) in colours.iter_mut().zip(next) {
            *colour = mix(mix(*colour, to), from);
        }
        let now = count(colours);
        if now <= classes {
            return;
        }
        classes = now;
    }
}

fn count(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}
