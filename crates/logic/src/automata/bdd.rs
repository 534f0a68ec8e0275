//! Binary decision diagrams: Boolean functions as shared nodes, so that equal functions have equal
//! numbers.
//!
//! Bryant's reduced ordered diagrams with one operation, if-then-else, and Minato's irredundant sum
//! of products to get back to cubes. Nodes are never freed: a manager lives as long as one
//! translation. Beyond its limit it answers `FALSE` to everything and says so in [`Manager::full`];
//! the caller must look.

use super::hash::Map;

/// A function, by the number of its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bdd(u32);

pub const FALSE: Bdd = Bdd(0);
pub const TRUE: Bdd = Bdd(1);

pub fn constant(value: bool) -> Bdd {
    if value { TRUE } else { FALSE }
}

/// The most results that are kept.
const CACHE: usize = 1 << 18;

/// The most conjunctions that a function is written with; the parity of 30 propositions would need
/// 2^29.
const CUBES: usize = 1 << 16;

/// A conjunction of literals: variables and their signs, in the order of the variables.
pub(crate) type Literals = Vec<(u32, bool)>;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    variable: u32,
    low: Bdd,
    high: Bdd,
}

pub struct Manager {
    nodes: Vec<Node>,
    unique: Map<Node, Bdd>,
    /// Results of if-then-else, each in the one place its operands have; newer ones drive out older
    /// ones.
    computed: Vec<[Bdd; 4]>,
    limit: usize,
    /// The limit was hit: nothing computed since then means anything.
    pub full: bool,
}

impl Manager {
    pub fn new(limit: usize) -> Manager {
        let leaf = |bdd| Node { variable: u32::MAX, low: bdd, high: bdd };
        Manager {
            nodes: vec![leaf(FALSE), leaf(TRUE)],
            unique: Map::default(),
            computed: vec![[FALSE; 4]; 1 << 10],
            limit,
            full: false,
        }
    }

    /// The topmost variable; `u32::MAX` for a constant.
    pub fn top(&self, f: Bdd) -> u32 {
        self.nodes[f.0 as usize].variable
    }

    /// The function with `variable`, which is not below the top, set to false and to true.
    pub(crate) fn cofactors(&self, f: Bdd, variable: u32) -> (Bdd, Bdd) {
        let node = self.nodes[f.0 as usize];
        if node.variable == variable { (node.low, node.high) } else { (f, f) }
    }

    fn node(&mut self, variable: u32, low: Bdd, high: Bdd) -> Bdd {
        if low == high {
            return low;
        }
        let node = Node { variable, low, high };
        if let Some(&known) = self.unique.get(&node) {
            return known;
        }
        if self.nodes.len() >= self.limit {
            self.full = true;
            return FALSE;
        }
        let bdd = Bdd(self.nodes.len() as u32);
        self.nodes.push(node);
        self.unique.insert(node, bdd);
        bdd
    }

    pub fn literal(&mut self, variable: u32, sign: bool) -> Bdd {
        if sign { self.node(variable, FALSE, TRUE) } else { self.node(variable, TRUE, FALSE) }
    }

    pub fn ite(&mut self, f: Bdd, g: Bdd, h: Bdd) -> Bdd {
        if f == TRUE || g == h {
            return g;
        }
        if f == FALSE {
            return h;
        }
        if g == TRUE && h == FALSE {
            return f;
        }
        if self.full {
            return FALSE;
        }
        let place = self.place(f, g, h);
        if let [known_f, known_g, known_h, known] = self.computed[place]
            && [known_f, known_g, known_h] == [f, g, h]
        {
            return known;
        }
        let variable = self.top(f).min(self.top(g)).min(self.top(h));
        let ((f0, f1), (g0, g1)) = (self.cofactors(f, variable), self.cofactors(g, variable));
        let (h0, h1) = self.cofactors(h, variable);
        let low = self.ite(f0, g0, h0);
        let high = self.ite(f1, g1, h1);
        let result = self.node(variable, low, high);
        if self.computed.len() < self.nodes.len() && self.computed.len() < CACHE {
            self.computed = vec![[FALSE; 4]; self.computed.len() * 4];
        }
        let place = self.place(f, g, h);
        self.computed[place] = [f, g, h, result];
        result
    }

    fn place(&self, f: Bdd, g: Bdd, h: Bdd) -> usize {
        let mix = u64::from(f.0)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(u64::from(g.0))
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            .wrapping_add(u64::from(h.0))
            .wrapping_mul(0x94d0_49bb_1331_11eb);
        (mix >> 32) as usize & (self.computed.len() - 1)
    }

    pub fn not(&mut self, f: Bdd) -> Bdd {
        self.ite(f, FALSE, TRUE)
    }

    pub fn and(&mut self, f: Bdd, g: Bdd) -> Bdd {
        if f <= g { self.ite(f, g, FALSE) } else { self.ite(g, f, FALSE) }
    }

    pub fn or(&mut self, f: Bdd, g: Bdd) -> Bdd {
        if f <= g { self.ite(f, TRUE, g) } else { self.ite(g, TRUE, f) }
    }

    pub(crate) fn iff(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let not_g = self.not(g);
        self.ite(f, g, not_g)
    }

    /// `f` without `g`.
    pub fn minus(&mut self, f: Bdd, g: Bdd) -> Bdd {
        let not_g = self.not(g);
        self.and(f, not_g)
    }

    pub fn implies(&mut self, f: Bdd, g: Bdd) -> bool {
        f == g || g == TRUE || self.ite(f, g, TRUE) == TRUE
    }

    /// The value at a valuation of the first 64 variables, of which `f` is a function.
    pub fn holds(&self, mut f: Bdd, letter: u64) -> bool {
        while f != TRUE && f != FALSE {
            let node = self.nodes[f.0 as usize];
            f = if letter >> node.variable & 1 == 1 { node.high } else { node.low };
        }
        f == TRUE
    }

    /// The function as a set of pairs (g over the variables before `border`, rest over those from
    /// it on): for each rest, the valuations that leave it over. The g are disjoint and none is
    /// false.
    pub fn split(&mut self, f: Bdd, border: u32) -> Vec<(Bdd, Bdd)> {
        let mut above = std::collections::BTreeMap::from([((self.top(f), f), TRUE)]);
        let mut parts = Vec::new();
        while let Some(((variable, node), label)) = above.pop_first() {
            if variable >= border {
                parts.push((label, node));
                continue;
            }
            let (low, high) = self.cofactors(node, variable);
            for (child, sign) in [(low, false), (high, true)] {
                let literal = self.literal(variable, sign);
                let way = self.and(label, literal);
                let entry = above.entry((self.top(child), child)).or_insert(FALSE);
                let known = *entry;
                *entry = self.or(known, way);
            }
        }
        parts
    }

    /// An irredundant disjunction of prime implicants (Minato 1992), unless there are too many.
    pub fn cubes(&mut self, f: Bdd) -> Vec<Literals> {
        let mut cubes = self.between(f, f).0;
        cubes.iter_mut().for_each(|cube| cube.reverse());
        cubes
    }

    /// Cubes, each from its last literal to its first, whose disjunction lies between `lower` and
    /// `upper`; and that disjunction.
    fn between(&mut self, lower: Bdd, upper: Bdd) -> (Vec<Literals>, Bdd) {
        if lower == FALSE || self.full {
            return (Vec::new(), FALSE);
        }
        if upper == TRUE {
            return (vec![Vec::new()], TRUE);
        }
        let variable = self.top(lower).min(self.top(upper));
        let ((l0, l1), (u0, u1)) = (self.cofactors(lower, variable), self.cofactors(upper, variable));
        if lower == upper && (l0 == FALSE || l1 == FALSE) {
            let (sign, rest) = if l0 == FALSE { (true, l1) } else { (false, l0) };
            let (mut cubes, _) = self.between(rest, rest);
            cubes.iter_mut().for_each(|cube| cube.push((variable, sign)));
            return (cubes, lower);
        }
        let (only0, only1) = (self.minus(l0, u1), self.minus(l1, u0));
        let (mut cubes, done0) = self.between(only0, u0);
        cubes.iter_mut().for_each(|cube| cube.push((variable, false)));
        let (mut cubes1, done1) = self.between(only1, u1);
        cubes1.iter_mut().for_each(|cube| cube.push((variable, true)));
        let (rest0, rest1) = (self.minus(l0, done0), self.minus(l1, done1));
        let (rest, both) = (self.or(rest0, rest1), self.and(u0, u1));
        let (shared, done) = self.between(rest, both);
        cubes.append(&mut cubes1);
        cubes.extend(shared);
        if cubes.len() > CUBES {
            self.full = true;
            return (Vec::new(), FALSE);
        }
        let (low, high) = (self.or(done0, done), self.or(done1, done));
        (cubes, self.node(variable, low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The function of four variables whose truth table is `table`.
    fn function(bdd: &mut Manager, table: u16) -> Bdd {
        (0..16).filter(|row| table >> row & 1 == 1).fold(FALSE, |f, row| {
            let minterm = (0..4).fold(TRUE, |m, v| {
                let literal = bdd.literal(v, row >> v & 1 == 1);
                bdd.and(m, literal)
            });
            bdd.or(f, minterm)
        })
    }

    #[test]
    fn cubes_and_parts_are_the_function() {
        let bdd = &mut Manager::new(1 << 20);
        for table in (0..=u16::MAX).step_by(97) {
            let f = function(bdd, table);
            let cubes = bdd.cubes(f);
            let parts = bdd.split(f, 2);
            for row in 0..16 {
                let truth = table >> row & 1 == 1;
                assert_eq!(bdd.holds(f, row), truth);
                let in_cube = cubes.iter().any(|c| c.iter().all(|&(v, sign)| (row >> v & 1 == 1) == sign));
                assert_eq!(in_cube, truth, "cubes of {table:x}");
                let in_part = parts.iter().filter(|&&(g, r)| bdd.holds(g, row) && bdd.holds(r, row));
                assert_eq!(in_part.count(), truth as usize, "parts of {table:x}");
            }
        }
    }

    #[test]
    fn a_full_manager_says_so() {
        let bdd = &mut Manager::new(4);
        let f = bdd.literal(0, true);
        let g = bdd.literal(1, true);
        assert!(!bdd.full);
        bdd.and(f, g);
        assert!(bdd.full);
    }
}
