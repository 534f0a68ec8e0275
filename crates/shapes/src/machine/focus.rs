//! Focus: literals are made definite by splitting nodes, and individuals made single.

use super::Machine;
use structures::action::{Action, Literal};
use structures::evaluate::Assignment;
use structures::kleene::Kleene;
use structures::structure::Structure;
use structures::vocabulary::{SUMMARY, Symbol};

impl Machine {
    /// A node made to stand for one individual: as a whole, or split off. Only what speaks of
    /// equality can notice: all else has the same values for both halves as for the whole.
    pub(super) fn singled(&mut self, s: Structure, u: usize) -> [Option<(Structure, usize)>; 2] {
        if !s.is_summary(self.layout, u) {
            return [Some((s, u)), None];
        }
        let mut split = self.copy(&s);
        let mut whole = s;
        whole.set_single(self.layout, u);
        match split.split_node(self.layout, u) {
            Some(new) => {
                split.set_single(self.layout, new);
                [Some((whole, u)), Some((split, new))]
            }
            None => {
                self.notes.overflow = true;
                self.spare.push(split);
                [Some((whole, u)), None]
            }
        }
    }

    /// Splits until every literal of this clause and the later ones is definite wherever those to
    /// its left hold, then goes on.
    pub(super) fn focus(&mut self, s: Structure, mut nodes: Assignment, action: &Action, clause: usize) {
        let Some(literals) = action.focus.get(clause) else {
            return self.choose(s, nodes, &action.parameters, action);
        };
        let bound = 1;
        match self.indefinite(&s, literals, &mut nodes, bound) {
            None => self.focus(s, nodes, action, clause + 1),
            Some((symbol, tuple)) => {
                for part in self.split(s, symbol, tuple).into_iter().flatten() {
                    self.focus(part, nodes, action, clause);
                }
            }
        }
    }

    /// The first tuple at which a literal is 1/2 and can be split; `bound` are the variables that
    /// have their node.
    fn indefinite(
        &mut self,
        s: &Structure,
        literals: &[Literal],
        nodes: &mut Assignment,
        bound: u64,
    ) -> Option<(Symbol, [usize; 2])> {
        let (literal, rest) = literals.split_first()?;
        let arguments = &literal.arguments[..literal.symbol.arity()];
        if let Some(open) = arguments.iter().find(|v| bound >> **v & 1 == 0) {
            for u in 0..s.nodes {
                nodes[usize::from(*open)] = u as u8;
                let found = self.indefinite(s, literals, nodes, bound | 1 << open);
                if found.is_some() {
                    return found;
                }
            }
            return None;
        }
        let tuple = literal.arguments.map(|v| usize::from(nodes[usize::from(v)]));
        match s.get(self.layout, literal.symbol, tuple) {
            Kleene::Half => {
                let summaries = arguments.len() == 2 && tuple.iter().all(|u| s.is_summary(self.layout, *u));
                if summaries {
                    self.notes.declined.insert(literal.symbol);
                    return self.indefinite(s, rest, nodes, bound);
                }
                Some((literal.symbol, tuple))
            }
            value if value.must() == literal.positive => self.indefinite(s, rest, nodes, bound),
            _ => None,
        }
    }

    /// The cases of a tuple with 1/2: 0, 1, and, if one of its nodes is a summary, that node split
    /// into both. Each coerced.
    fn split(&mut self, s: Structure, symbol: Symbol, tuple: [usize; 2]) -> [Option<Structure>; 3] {
        let summary = (0..symbol.arity()).find(|at| s.is_summary(self.layout, tuple[*at]));
        let mut fallen_apart = None;
        if let Some(at) = summary {
            let mut both = self.copy(&s);
            match both.split_node(self.layout, tuple[at]) {
                Some(new) => {
                    let mut other = tuple;
                    other[at] = new;
                    both.set(self.layout, symbol, tuple, Kleene::False);
                    both.set(self.layout, symbol, other, Kleene::True);
                    fallen_apart = self.keep(both, &[symbol, SUMMARY]);
                }
                None => {
                    self.notes.overflow = true;
                    self.spare.push(both);
                }
            }
        }
        let mut one = self.copy(&s);
        one.set(self.layout, symbol, tuple, Kleene::True);
        let mut zero = s;
        zero.set(self.layout, symbol, tuple, Kleene::False);
        [self.keep(zero, &[symbol]), self.keep(one, &[symbol]), fallen_apart]
    }

    /// What coerce makes of a structure in which this has changed.
    fn keep(&mut self, mut s: Structure, changed: &[Symbol]) -> Option<Structure> {
        if self.coercion.coerce_after_all(&mut s, changed, &mut self.desk) {
            return Some(s);
        }
        self.spare.push(s);
        None
    }
}
