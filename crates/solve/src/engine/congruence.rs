//! Equality with uninterpreted functions: congruence closure that can be undone and can explain
//! itself, after Nieuwenhuis and Oliveras ("Fast congruence closure and extensions", 2007).
//!
//! Terms are nodes: a head and arguments. Classes are lists, the smaller relabelled into the
//! larger. A forest of proof edges, one for each merge, remembers why; the explanation of an
//! equality is the path between its sides, with the explanations of the arguments in the place of
//! edges that congruence made.

use super::sat::Lit;
use std::collections::{HashMap, HashSet};

pub(crate) type NodeId = usize;

/// What stands before the arguments, numbered by the caller; leaves have heads of their own.
pub type Head = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Literal(Lit),
    /// Their arguments are equal.
    Congruent,
}

type Signature = (Head, Vec<NodeId>);

struct Node {
    head: Head,
    arguments: Vec<NodeId>,
    class: NodeId,
    /// The next node on the way to the root of the proof tree.
    proof: Option<(NodeId, Why)>,
}

enum Undo {
    Inserted(Signature),
    Removed(Signature, NodeId),
    /// The class of `small` went into that of `large`, whose lists had these lengths; the proof
    /// edge between two nodes came with it, and may have been turned round since.
    Merged {
        small: NodeId,
        large: NodeId,
        members: usize,
        uses: usize,
        edge: (NodeId, NodeId),
    },
    Differs,
}

#[derive(Default)]
pub(crate) struct Congruence {
    nodes: Vec<Node>,
    /// By class: its nodes, and the nodes that have one of them as argument.
    members: Vec<Vec<NodeId>>,
    uses: Vec<Vec<NodeId>>,
    table: HashMap<Signature, NodeId>,
    disequalities: Vec<(NodeId, NodeId, Option<Lit>)>,
    undo: Vec<Undo>,
}

impl Congruence {
    pub fn class(&self, node: NodeId) -> NodeId {
        self.nodes[node].class
    }

    pub(crate) fn members(&self, class: NodeId) -> &[NodeId] {
        &self.members[class]
    }

    /// Adds a node. Only while nothing is assumed that will be undone.
    pub fn add(&mut self, head: Head, arguments: Vec<NodeId>) -> NodeId {
        let id = self.nodes.len();
        for argument in &arguments {
            let class = self.class(*argument);
            self.uses[class].push(id);
        }
        self.nodes.push(Node { head, arguments, class: id, proof: None });
        self.members.push(vec![id]);
        self.uses.push(Vec::new());
        if !self.nodes[id].arguments.is_empty() {
            let signature = self.signature(id);
            match self.table.get(&signature) {
                Some(other) => {
                    let other = *other;
                    self.merge_all(vec![(id, other, Why::Congruent)]);
                }
                None => self.insert(signature, id),
            }
        }
        id
    }

    fn signature(&self, node: NodeId) -> Signature {
        let node = &self.nodes[node];
        (node.head, node.arguments.iter().map(|a| self.class(*a)).collect())
    }

    fn insert(&mut self, signature: Signature, node: NodeId) {
        self.table.insert(signature.clone(), node);
        self.undo.push(Undo::Inserted(signature));
    }

    /// A point to which [`Congruence::undo_to`] can return.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    pub(crate) fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            match self.undo.pop() {
                Some(Undo::Inserted(signature)) => drop(self.table.remove(&signature)),
                Some(Undo::Removed(signature, node)) => drop(self.table.insert(signature, node)),
                Some(Undo::Differs) => drop(self.disequalities.pop()),
                Some(Undo::Merged { small, large, members, uses, edge }) => {
                    self.members[small] = self.members[large].split_off(members);
                    self.uses[small] = self.uses[large].split_off(uses);
                    for at in 0..self.members[small].len() {
                        let node = self.members[small][at];
                        self.nodes[node].class = small;
                    }
                    let (a, b) = edge;
                    let from = if self.nodes[a].proof.is_some_and(|(next, _)| next == b) { a } else { b };
                    self.nodes[from].proof = None;
                }
                None => {}
            }
        }
    }

    /// Assumes that two nodes are equal; the literals of a contradiction, if there is one.
    pub fn merge(&mut self, a: NodeId, b: NodeId, why: Lit) -> Result<(), Vec<Lit>> {
        self.merge_all(vec![(a, b, Why::Literal(why))]);
        self.consistent()
    }

    /// Assumes that two nodes differ; always, if there is no literal.
    pub fn differ(&mut self, a: NodeId, b: NodeId, why: Option<Lit>) -> Result<(), Vec<Lit>> {
        self.disequalities.push((a, b, why));
        self.undo.push(Undo::Differs);
        self.consistent()
    }

    fn consistent(&self) -> Result<(), Vec<Lit>> {
        for (a, b, why) in &self.disequalities {
            if self.class(*a) == self.class(*b) {
                let mut literals = self.explain(*a, *b);
                literals.extend(why);
                return Err(literals);
            }
        }
        Ok(())
    }

    fn merge_all(&mut self, mut queue: Vec<(NodeId, NodeId, Why)>) {
        while let Some((a, b, why)) = queue.pop() {
            let (mut small, mut large) = (self.class(a), self.class(b));
            if small == large {
                continue;
            }
            let (mut a, mut b) = (a, b);
            if self.members[small].len() + self.uses[small].len()
                > self.members[large].len() + self.uses[large].len()
            {
                std::mem::swap(&mut small, &mut large);
                std::mem::swap(&mut a, &mut b);
            }
            self.reroot(a);
            self.nodes[a].proof = Some((b, why));
            let parents = self.uses[small].clone();
            for parent in &parents {
                let old = self.signature(*parent);
                if self.table.get(&old) == Some(parent) {
                    self.table.remove(&old);
                    self.undo.push(Undo::Removed(old, *parent));
                }
            }
            let merged = Undo::Merged {
                small,
                large,
                members: self.members[large].len(),
                uses: self.uses[large].len(),
                edge: (a, b),
            };
            let moved = std::mem::take(&mut self.members[small]);
            moved.iter().for_each(|node| self.nodes[*node].class = large);
            self.members[large].extend(moved);
            self.uses[small].clear();
            self.uses[large].extend(&parents);
            self.undo.push(merged);
            for parent in parents {
                let new = self.signature(parent);
                match self.table.get(&new) {
                    Some(other) if self.class(*other) != self.class(parent) => {
                        queue.push((parent, *other, Why::Congruent));
                    }
                    Some(_) => {}
                    None => self.insert(new, parent),
                }
            }
        }
    }

    /// Turns the proof tree of a node so that the node is its root.
    fn reroot(&mut self, node: NodeId) {
        let mut at = node;
        let mut edge = self.nodes[node].proof.take();
        while let Some((next, why)) = edge {
            edge = self.nodes[next].proof.replace((at, why));
            at = next;
        }
    }

    /// The literals that make two nodes of one class equal.
    pub fn explain(&self, a: NodeId, b: NodeId) -> Vec<Lit> {
        let mut literals = HashSet::new();
        let mut done = HashSet::new();
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if a == b || !done.insert((a.min(b), a.max(b))) {
                continue;
            }
            let meet = self.meeting(a, b);
            for start in [a, b] {
                let mut at = start;
                while at != meet {
                    let Some((next, why)) = self.nodes[at].proof else { break };
                    match why {
                        Why::Literal(literal) => drop(literals.insert(literal)),
                        Why::Congruent => {
                            let pairs = self.nodes[at].arguments.iter().zip(&self.nodes[next].arguments);
                            open.extend(pairs.map(|(x, y)| (*x, *y)));
                        }
                    }
                    at = next;
                }
            }
        }
        let mut literals = Vec::from_iter(literals);
        literals.sort_unstable();
        literals
    }

    /// Where the ways of two nodes to the root of their proof tree meet.
    fn meeting(&self, a: NodeId, b: NodeId) -> NodeId {
        let mut way = HashSet::from([a]);
        let mut at = a;
        while let Some((next, _)) = self.nodes[at].proof {
            way.insert(next);
            at = next;
        }
        let mut at = b;
        while !way.contains(&at) {
            match self.nodes[at].proof {
                Some((next, _)) => at = next,
                None => return at,
            }
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lit(n: usize) -> Lit {
        Lit::new(n, true)
    }

    /// a = f(a), a = b make f(f(f(b))) = a, and both literals are needed.
    #[test]
    fn nested_applications() {
        let mut closure = Congruence::default();
        let (a, b) = (closure.add(0, vec![]), closure.add(1, vec![]));
        let f = |closure: &mut Congruence, x| closure.add(2, vec![x]);
        let fa = f(&mut closure, a);
        let fb = f(&mut closure, b);
        let ffb = f(&mut closure, fb);
        let fffb = f(&mut closure, ffb);
        let mark = closure.mark();
        closure.merge(a, fa, lit(0)).unwrap();
        assert_ne!(closure.class(fffb), closure.class(a));
        closure.merge(a, b, lit(1)).unwrap();
        assert_eq!(closure.class(fffb), closure.class(a));
        assert_eq!(closure.explain(fffb, a), [lit(0), lit(1)]);
        assert_eq!(closure.differ(fffb, a, Some(lit(2))), Err(vec![lit(0), lit(1), lit(2)]));
        closure.undo_to(mark);
        assert_ne!(closure.class(fffb), closure.class(a));
        assert_ne!(closure.class(fa), closure.class(a));
        assert_eq!(closure.differ(fffb, a, Some(lit(2))), Ok(()));
    }
}
