//! Embeddings of concrete states, damaged in every way: a structure is accepted for a state exactly
//! if some map of its individuals onto the nodes is an embedding, by trying all maps.
//!
//! The oracle has tables of its own, and does not read the packed structure.

use logic::random::Random;
use source::Span;
use structures::concrete::{Concrete, State};
use structures::embed::Embedding;
use structures::kleene::Kleene;
use structures::structure::Structure;
use structures::vocabulary::{Symbol, Vocabulary};

/// A structure as tables: by node, whether it is a summary; by predicate and tuple, the value.
#[derive(Clone, Debug)]
struct Tables {
    summary: Vec<bool>,
    values: Vec<Vec<Kleene>>,
}

/// The predicates: two without arguments, three with one, two with two.
const ARITIES: [usize; 7] = [0, 0, 1, 1, 1, 2, 2];

fn vocabulary() -> (Vocabulary, Vec<Symbol>) {
    let mut vocabulary = Vocabulary::new();
    let declare = |(k, arity): (usize, &usize)| vocabulary.declare(&format!("p{k}"), *arity, Span::default());
    let symbols = ARITIES.iter().enumerate().map(declare).collect();
    (vocabulary, symbols)
}

/// The tuples of `n` individuals or nodes, in the order of the tables.
fn tuples(arity: usize, n: usize) -> Vec<[usize; 2]> {
    match arity {
        0 => vec![[0, 0]],
        1 => (0..n).map(|u| [u, 0]).collect(),
        _ => (0..n).flat_map(|u| (0..n).map(move |v| [u, v])).collect(),
    }
}

fn at(arity: usize, n: usize, tuple: [usize; 2]) -> usize {
    match arity {
        0 => 0,
        1 => tuple[0],
        _ => tuple[0] * n + tuple[1],
    }
}

/// The truth of a state, by predicate and tuple.
type Truth = Vec<Vec<bool>>;

impl Tables {
    /// The image of a state under a map onto nodes: the least structure that stands for it.
    fn image(truth: &Truth, map: &[usize], nodes: usize) -> Tables {
        let images = ARITIES.iter().zip(truth).map(|(arity, truth)| {
            let mut values: Vec<Option<Kleene>> = vec![None; tuples(*arity, nodes).len()];
            for (tuple, holds) in tuples(*arity, map.len()).into_iter().zip(truth) {
                let node = |u: usize| map.get(u).copied().unwrap_or(0);
                let there = at(*arity, nodes, [node(tuple[0]), node(tuple[1])]);
                let value = Kleene::from(*holds);
                values[there] = Some(values[there].map_or(value, |old| old.join(value)));
            }
            values.into_iter().map(Option::unwrap_or_default).collect()
        });
        let several = |node: usize| map.iter().filter(|n| **n == node).count() > 1;
        Tables { values: images.collect(), summary: (0..nodes).map(several).collect() }
    }

    fn damage(&mut self, random: &mut Random) {
        let nodes = self.summary.len();
        match random.below(6) {
            0 if nodes > 1 => self.drop_node(random.below(nodes)),
            1 if nodes < 4 => self.double_node(random.below(nodes)),
            2 => {
                let node = random.below(nodes);
                self.summary[node] ^= true;
            }
            _ => {
                let values = &mut self.values[random.below(ARITIES.len())];
                let there = random.below(values.len());
                values[there] = [Kleene::False, Kleene::Half, Kleene::True][random.below(3)];
            }
        }
    }

    fn drop_node(&mut self, node: usize) {
        let kept: Vec<usize> = (0..self.summary.len()).filter(|n| *n != node).collect();
        self.pick(&kept);
    }

    fn double_node(&mut self, node: usize) {
        let kept: Vec<usize> = (0..self.summary.len()).chain([node]).collect();
        self.pick(&kept);
    }

    fn pick(&mut self, kept: &[usize]) {
        let nodes = self.summary.len();
        let picked = ARITIES.iter().zip(&self.values).map(|(arity, values)| {
            let old = |t: [usize; 2]| [kept[t[0]], kept[t[1]]];
            tuples(*arity, kept.len()).into_iter().map(|t| values[at(*arity, nodes, old(t))]).collect()
        });
        self.values = picked.collect();
        self.summary = kept.iter().map(|n| self.summary[*n]).collect();
    }

    /// Whether a map is an embedding, by the definition.
    fn embeds(&self, truth: &Truth, map: &[usize]) -> bool {
        let nodes = self.summary.len();
        let count = |node: usize| map.iter().filter(|n| **n == node).count();
        let onto = (0..nodes).all(|n| count(n) == 1 || count(n) > 1 && self.summary[n]);
        onto && ARITIES.iter().enumerate().all(|(p, arity)| {
            tuples(*arity, map.len()).into_iter().zip(&truth[p]).all(|(tuple, holds)| {
                let node = |u: usize| map.get(u).copied().unwrap_or(0);
                let value = self.values[p][at(*arity, nodes, [node(tuple[0]), node(tuple[1])])];
                value == Kleene::Half || value == Kleene::from(*holds)
            })
        })
    }

    /// Whether some map is one.
    fn stands_for(&self, truth: &Truth, individuals: usize) -> bool {
        let nodes = self.summary.len();
        (0..nodes.pow(individuals as u32)).any(|number| {
            let digit = |k: usize| number / nodes.pow(k as u32) % nodes;
            self.embeds(truth, &(0..individuals).map(digit).collect::<Vec<_>>())
        })
    }

    fn structure(&self, vocabulary: &Vocabulary, symbols: &[Symbol]) -> Structure {
        let layout = vocabulary.layout();
        let mut s = Structure::new(layout);
        for summary in &self.summary {
            let node = s.push_node(layout).expect("room for a node");
            if *summary {
                s.set_summary(layout, node);
            }
        }
        for (symbol, values) in symbols.iter().zip(&self.values) {
            for (tuple, value) in tuples(symbol.arity(), self.summary.len()).into_iter().zip(values) {
                s.set(layout, *symbol, tuple, *value);
            }
        }
        s
    }
}

fn concrete_state(concrete: &Concrete<'_>, symbols: &[Symbol], truth: &Truth, individuals: usize) -> State {
    let mut state = concrete.empty(individuals);
    for (symbol, truth) in symbols.iter().zip(truth) {
        for (tuple, holds) in tuples(symbol.arity(), individuals).into_iter().zip(truth) {
            concrete.set(&mut state, *symbol, tuple, *holds);
        }
    }
    state
}

#[test]
fn damaged_structures_are_accepted_exactly_where_a_map_exists() {
    let (vocabulary, symbols) = vocabulary();
    let concrete = Concrete::new(&vocabulary);
    let embedding = Embedding { concrete: &concrete, layout: vocabulary.layout() };
    let mut random = Random::new(13);
    let (mut damaged, mut accepted, mut refused) = (0, 0, 0);
    for _ in 0..3_000 {
        let individuals = 1 + random.below(4);
        let truth: Truth = ARITIES
            .iter()
            .map(|arity| tuples(*arity, individuals).iter().map(|_| random.below(2) == 0).collect())
            .collect();
        let state = concrete_state(&concrete, &symbols, &truth, individuals);
        let nodes = 1 + random.below(individuals);
        let map: Vec<usize> =
            (0..individuals).map(|u| if u < nodes { u } else { random.below(nodes) }).collect();
        let mut tables = Tables::image(&truth, &map, nodes);
        assert!(embedding.covers(&tables.structure(&vocabulary, &symbols), &state), "{tables:?} {truth:?}");
        for _ in 0..4 {
            tables.damage(&mut random);
            let covers = embedding.covers(&tables.structure(&vocabulary, &symbols), &state);
            assert_eq!(covers, tables.stands_for(&truth, individuals), "{tables:?} {truth:?}");
            damaged += 1;
            *if covers { &mut accepted } else { &mut refused } += 1;
        }
    }
    assert!(damaged == 12_000 && accepted > 1_000 && refused > 5_000, "{damaged} {accepted} {refused}");
}
