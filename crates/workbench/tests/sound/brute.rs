//! Does some fair path of a graph break a formula? By the definition, as far as that can be
//! computed: after Lichtenstein and Pnueli (1985), paths through pairs of a node and a guess of
//! which subformulas are true there. Shares nothing with the automata.

use crate::graph::Graph;
use logic::ltl::{Binary, Formula, Unary};
use space::Fairness;
use std::collections::{BTreeSet, HashMap};

/// Formulas over this core: everything else is written in terms of it.
#[derive(Clone, PartialEq)]
enum Core {
    Constant(bool),
    Atom(usize),
    Not(usize),
    And(usize, usize),
    Next(usize),
    Until(usize, usize),
    Previous(usize),
    Since(usize, usize),
}

/// The subformulas, operands before operators.
#[derive(Default)]
struct Closure(Vec<Core>);

impl Closure {
    fn put(&mut self, core: Core) -> usize {
        let known = self.0.iter().position(|c| *c == core);
        known.unwrap_or_else(|| {
            self.0.push(core);
            self.0.len() - 1
        })
    }

    fn not(&mut self, a: usize) -> usize {
        self.put(Core::Not(a))
    }

    fn or(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (self.not(a), self.not(b));
        let neither = self.put(Core::And(a, b));
        self.not(neither)
    }

    fn add(&mut self, formula: &Formula<usize>) -> usize {
        match formula {
            Formula::Constant(c) => self.put(Core::Constant(*c)),
            Formula::Atom(p) => self.put(Core::Atom(*p)),
            Formula::Unary(op, a) => {
                let a = self.add(a);
                let truth = self.put(Core::Constant(true));
                match op {
                    Unary::Not => self.not(a),
                    Unary::Next => self.put(Core::Next(a)),
                    Unary::Eventually => self.put(Core::Until(truth, a)),
                    Unary::Always => self.dual(a, |this, a| this.put(Core::Until(truth, a))),
                    Unary::Previous => self.put(Core::Previous(a)),
                    Unary::WeakPrevious => self.dual(a, |this, a| this.put(Core::Previous(a))),
                    Unary::Once => self.put(Core::Since(truth, a)),
                    Unary::Historically => self.dual(a, |this, a| this.put(Core::Since(truth, a))),
                }
            }
            Formula::Binary(op, a, b) => {
                let (a, b) = (self.add(a), self.add(b));
                self.binary(*op, a, b)
            }
        }
    }

    fn binary(&mut self, op: Binary, a: usize, b: usize) -> usize {
        let truth = self.put(Core::Constant(true));
        match op {
            Binary::And => self.put(Core::And(a, b)),
            Binary::Or => self.or(a, b),
            Binary::Implies => {
                let a = self.not(a);
                self.or(a, b)
            }
            Binary::Iff => {
                let (left, right) = (self.binary(Binary::Implies, a, b), self.binary(Binary::Implies, b, a));
                self.put(Core::And(left, right))
            }
            Binary::Entails => {
                let implies = self.binary(Binary::Implies, a, b);
                self.dual(implies, |this, a| this.put(Core::Until(truth, a)))
            }
            Binary::Until => self.put(Core::Until(a, b)),
            Binary::WeakUntil => {
                let (strong, always) =
                    (self.put(Core::Until(a, b)), self.dual(a, |this, a| this.put(Core::Until(truth, a))));
                self.or(strong, always)
            }
            Binary::Release => {
                let (a, b) = (self.not(a), self.not(b));
                let until = self.put(Core::Until(a, b));
                self.not(until)
            }
            Binary::StrongRelease => {
                let both = self.put(Core::And(a, b));
                self.put(Core::Until(b, both))
            }
            Binary::Since => self.put(Core::Since(a, b)),
            Binary::BackTo => {
                let (strong, always) =
                    (self.put(Core::Since(a, b)), self.dual(a, |this, a| this.put(Core::Since(truth, a))));
                self.or(strong, always)
            }
            Binary::Trigger => {
                let (a, b) = (self.not(a), self.not(b));
                let since = self.put(Core::Since(a, b));
                self.not(since)
            }
        }
    }

    fn dual(&mut self, a: usize, of: impl FnOnce(&mut Closure, usize) -> usize) -> usize {
        let a = self.not(a);
        let inner = of(self, a);
        self.not(inner)
    }

    /// All guesses at a node that fit its letter, and the guess before (none at the start).
    fn guesses(&self, letter: u64, before: Option<u64>) -> Vec<u64> {
        let mut guesses = vec![0u64];
        for (i, core) in self.0.iter().enumerate() {
            let of = |guess: u64, k: usize| guess >> k & 1 == 1;
            let free = matches!(core, Core::Next(_) | Core::Until(..));
            let mut more = Vec::new();
            for guess in guesses {
                let truth = match *core {
                    Core::Constant(c) => Some(c),
                    Core::Atom(p) => Some(letter >> p & 1 == 1),
                    Core::Not(a) => Some(!of(guess, a)),
                    Core::And(a, b) => Some(of(guess, a) && of(guess, b)),
                    Core::Previous(a) => Some(before.is_some_and(|b| of(b, a))),
                    Core::Since(a, b) => {
                        Some(of(guess, b) || of(guess, a) && before.is_some_and(|before| of(before, i)))
                    }
                    Core::Next(_) => None,
                    Core::Until(_, b) if of(guess, b) => Some(true),
                    Core::Until(a, _) if !of(guess, a) => Some(false),
                    Core::Until(..) => None,
                };
                assert!(truth.is_some() || free);
                match truth {
                    Some(truth) => more.push(guess | u64::from(truth) << i),
                    None => more.extend([guess, guess | 1 << i]),
                }
            }
            guesses = more;
        }
        guesses
    }

    /// Whether what a guess says of the next position is so there.
    fn follows(&self, guess: u64, next: u64) -> bool {
        let of = |guess: u64, k: usize| guess >> k & 1 == 1;
        self.0.iter().enumerate().all(|(i, core)| match *core {
            Core::Next(a) => of(guess, i) == of(next, a),
            Core::Until(a, b) => of(guess, i) == (of(guess, b) || of(guess, a) && of(next, i)),
            _ => true,
        })
    }
}

/// A node of the graph with a guess.
struct Product {
    nodes: Vec<(usize, u64)>,
    /// By node: where to, by which edge.
    edges: Vec<Vec<(usize, usize)>>,
}

/// Whether some fair path breaks the formula; `None` if that is too much work.
pub fn breaks(graph: &Graph, formula: &Formula<usize>, fairness: Fairness) -> Option<bool> {
    let mut closure = Closure::default();
    let top = closure.add(formula);
    if closure.0.len() > 40 {
        return None;
    }
    let starts = closure.guesses(graph.letters[0], None).into_iter().filter(|g| g >> top & 1 == 0);
    let product = product(graph, &closure, starts.collect())?;
    let all: Vec<usize> = (0..product.nodes.len()).collect();
    Some(has_fair_component(graph, &closure, &product, &all, fairness))
}

fn product(graph: &Graph, closure: &Closure, starts: Vec<u64>) -> Option<Product> {
    let mut product = Product { nodes: starts.iter().map(|g| (0, *g)).collect(), edges: Vec::new() };
    let mut numbers: HashMap<(usize, u64), usize> =
        product.nodes.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    while let Some(&(node, guess)) = product.nodes.get(product.edges.len()) {
        if product.nodes.len() > 60_000 {
            return None;
        }
        let mut edges = Vec::new();
        for (number, edge) in graph.edges[node].iter().enumerate() {
            for next in closure.guesses(graph.letters[edge.to], Some(guess)) {
                if closure.follows(guess, next) {
                    let key = (edge.to, next);
                    let to = *numbers.entry(key).or_insert_with(|| {
                        product.nodes.push(key);
                        product.nodes.len() - 1
                    });
                    edges.push((to, number));
                }
            }
        }
        product.edges.push(edges);
    }
    Some(product)
}

/// Whether some strongly connected part within these nodes keeps its promises and is fair.
fn has_fair_component(
    graph: &Graph,
    closure: &Closure,
    product: &Product,
    within: &[usize],
    fairness: Fairness,
) -> bool {
    components(product, within).into_iter().any(|component| {
        let inside: BTreeSet<usize> = component.iter().copied().collect();
        let inner = |n: &usize| {
            let n = *n;
            product.edges[n].iter().filter(|(to, _)| inside.contains(to)).map(move |a| (n, a.1))
        };
        let edges: Vec<(usize, usize)> = component.iter().flat_map(inner).collect();
        if edges.is_empty() {
            return false;
        }
        let kept = closure.0.iter().enumerate().all(|(i, core)| match core {
            Core::Until(_, b) => component.iter().any(|n| {
                let guess = product.nodes[*n].1;
                guess >> i & 1 == 0 || guess >> b & 1 == 1
            }),
            _ => true,
        });
        if !kept {
            return false;
        }
        let node = |n: usize| product.nodes[n].0;
        let moves = |pid: &usize| edges.iter().any(|(n, a)| graph.edges[node(*n)][*a].movers.contains(pid));
        let enabled = |n: usize, pid: &usize| graph.enabled[node(n)].contains(pid);
        let somewhere: BTreeSet<usize> =
            component.iter().flat_map(|n| graph.enabled[node(*n)].iter().copied()).collect();
        let neglected: Vec<usize> = somewhere.into_iter().filter(|pid| !moves(pid)).collect();
        match fairness {
            Fairness::None => true,
            Fairness::Weak => neglected.iter().all(|pid| component.iter().any(|n| !enabled(*n, pid))),
            Fairness::Strong if neglected.is_empty() => true,
            Fairness::Strong => {
                let without = |n: &usize| !neglected.iter().any(|pid| enabled(*n, pid));
                let rest: Vec<usize> = component.iter().copied().filter(without).collect();
                has_fair_component(graph, closure, product, &rest, fairness)
            }
        }
    })
}

/// Strongly connected components by reachability both ways (Kosaraju, Sharir), iteratively.
fn components(product: &Product, within: &[usize]) -> Vec<Vec<usize>> {
    let allowed: BTreeSet<usize> = within.iter().copied().collect();
    let mut back: HashMap<usize, Vec<usize>> = HashMap::new();
    for n in within {
        for (to, _) in product.edges[*n].iter().filter(|(to, _)| allowed.contains(to)) {
            back.entry(*to).or_default().push(*n);
        }
    }
    let (mut order, mut seen) = (Vec::new(), BTreeSet::new());
    for start in within {
        let mut stack = vec![(*start, 0)];
        if !seen.insert(*start) {
            continue;
        }
        while let Some((n, next)) = stack.pop() {
            match product.edges[n].get(next) {
                None => order.push(n),
                Some((to, _)) => {
                    stack.push((n, next + 1));
                    if allowed.contains(to) && seen.insert(*to) {
                        stack.push((*to, 0));
                    }
                }
            }
        }
    }
    let (mut found, mut done) = (Vec::new(), BTreeSet::new());
    for start in order.into_iter().rev() {
        if !done.insert(start) {
            continue;
        }
        let (mut component, mut open) = (Vec::new(), vec![start]);
        while let Some(n) = open.pop() {
            component.push(n);
            open.extend(back.get(&n).into_iter().flatten().copied().filter(|m| done.insert(*m)));
        }
        found.push(component);
    }
    found
}
