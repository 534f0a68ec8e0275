//! Certificates of small random graphs: what the judge accepts is true, by brute force over sets
//! of states; what is true has a certificate; no damaged one is accepted where it would be wrong.

use super::levels::rank;
use certify::{Forbidden, Node, Numbered, Ranked, Ranking, Reading, Reason, closed, empty, unobserved_cycle};
use logic::automata::{Automaton, Cube, Edge, Label};
use logic::random::Random;
use space::{Fairness, Fault, Move, Reference, Requirement, Rest, Step, Undefined};
use std::collections::HashMap;

/// A graph whose states are numbers.
struct Graph {
    moves: Vec<Vec<(usize, Vec<usize>)>>,
    letters: Vec<u64>,
    observed: Vec<bool>,
    asks: Vec<Vec<usize>>,
    requirements: Vec<Requirement>,
    /// A step out of this state fails.
    fails: Option<usize>,
}

impl Reference for Graph {
    type State = usize;

    fn initial(&self) -> Result<Vec<usize>, Undefined> {
        Ok(vec![0])
    }

    fn moves(&self, state: &usize) -> Result<Vec<Move<usize>>, Undefined> {
        let one = |(number, (to, _)): (usize, &(usize, Vec<usize>))| Move {
            fault: (self.fails == Some(*state)).then_some(Fault::Assertion),
            ..Move::to(Step { path: vec![number], ..Step::IDLE }, *to)
        };
        Ok(self.moves[*state].iter().enumerate().map(one).collect())
    }

    fn rest(&self, state: &usize) -> Result<Rest, Undefined> {
        Ok(if self.moves[*state].is_empty() { Rest::Deadlock } else { Rest::Enabled })
    }

    fn letter(&self, state: &usize) -> Result<u64, Undefined> {
        Ok(self.letters[*state])
    }

    fn observed(&self, state: &usize) -> bool {
        self.observed[*state]
    }

    fn requirements(&self) -> Result<Vec<Requirement>, Undefined> {
        Ok(self.requirements.clone())
    }

    fn asks(&self, state: &usize) -> Result<Vec<usize>, Undefined> {
        Ok(self.asks[*state].clone())
    }

    fn meets(&self, state: &usize, m: &Move<usize>) -> Result<Vec<usize>, Undefined> {
        Ok(self.moves[*state][m.step.path[0]].1.clone())
    }
}

fn graph(random: &mut Random) -> Graph {
    let states = 2 + random.below(4);
    let strengths = [Fairness::None, Fairness::Weak, Fairness::Strong, Fairness::Strong];
    let requirements: Vec<Requirement> = (0..random.below(4))
        .map(|n| Requirement { name: n.to_string(), strength: strengths[random.below(4)] })
        .collect();
    let some = |random: &mut Random, one_in: usize| -> Vec<usize> {
        (0..requirements.len()).filter(|_| random.below(one_in) == 0).collect()
    };
    let mut moves = Vec::new();
    for _ in 0..states {
        let count = random.below(4);
        moves.push((0..count).map(|_| (random.below(states), some(random, 4))).collect::<Vec<_>>());
    }
    // A run ends where it is observed.
    let observed = moves.iter().map(|m| m.is_empty() || random.below(5) > 0).collect();
    let asks = moves.iter().map(|_| some(random, 2)).collect();
    let letters = (0..states).map(|_| random.below(4) as u64).collect();
    let fails = (random.below(4) == 0).then(|| random.below(states));
    Graph { moves, letters, observed, asks, requirements, fails }
}

fn automaton(random: &mut Random) -> Automaton {
    let (states, sets) = (1 + random.below(2), random.below(3));
    let edge = |random: &mut Random| {
        let positive = random.below(4) as u64;
        let negative = random.below(4) as u64 & !positive;
        let label = Label { cubes: vec![Cube { positive, negative }] };
        Edge { label, to: random.below(states), sets: random.below(1 << sets) as u64 }
    };
    let out = |random: &mut Random| (0..1 + random.below(3)).map(|_| edge(random)).collect();
    let states = (0..states).map(|_| out(random)).collect();
    Automaton { propositions: 2, sets, initial: 0, states }
}

/// The states of the product that can be reached, and the edges between them.
fn reached(product: &Reading<'_, Graph>) -> (Vec<Node<usize>>, Vec<Numbered>) {
    let mut nodes = product.initial().unwrap();
    let mut numbers: HashMap<Node<usize>, usize> = nodes.iter().cloned().zip(0..).collect();
    let (mut edges, mut from) = (Vec::new(), 0);
    while from < nodes.len() {
        for edge in product.edges(&nodes[from].clone()).unwrap() {
            let to = *numbers.entry(edge.to).or_insert_with(|| {
                nodes.push(edge.to);
                nodes.len() - 1
            });
            edges.push(Numbered::new(from, to, edge));
        }
        from += 1;
    }
    (nodes, edges)
}

/// Whether some accepted and fair run exists: a set of states through which a run can go round and
/// round along all edges between them, that reads, is accepted and fair.
fn accepted(product: &Reading<'_, Graph>, nodes: usize, edges: &[Numbered]) -> bool {
    (1..1u32 << nodes).any(|set| {
        let has = |state: usize| set >> state & 1 == 1;
        let inner: Vec<&Numbered> = edges.iter().filter(|e| has(e.from) && has(e.to)).collect();
        let reaches = |from: usize| {
            let mut seen = 0u32;
            let mut work: Vec<usize> = vec![from];
            while let Some(at) = work.pop() {
                for to in inner.iter().filter(|e| e.from == at).map(|e| e.to) {
                    if seen >> to & 1 == 0 {
                        seen |= 1 << to;
                        work.push(to);
                    }
                }
            }
            seen == set
        };
        (0..nodes).filter(|state| has(*state)).all(reaches) && goes_round(product, &inner)
    })
}

/// Whether a run along all of these edges again and again is accepted and fair. Of one that is
/// never observed that is not known.
fn goes_round(product: &Reading<'_, Graph>, inner: &[&Numbered]) -> bool {
    let sets = inner.iter().fold(0, |all, e| all | e.sets);
    let observed: Vec<_> = inner.iter().filter(|e| e.reads).collect();
    let fair = product.requirements.iter().enumerate().all(|(number, requirement)| {
        let owed = match requirement.strength {
            Fairness::None => false,
            Fairness::Weak => observed.iter().all(|e| e.asks.contains(&number)),
            Fairness::Strong => observed.iter().any(|e| e.asks.contains(&number)),
        };
        !owed || inner.iter().any(|e| e.meets.contains(&number))
    });
    observed.is_empty() || (0..product.automaton.sets).all(|set| sets >> set & 1 == 1) && fair
}

/// A ranking changed in one place, perhaps inside a reason.
fn damage(random: &mut Random, ranking: &mut Ranking) {
    let inside = ranking.reasons.iter_mut().find_map(|reason| match reason {
        Reason::Strong(_, rest) => Some(rest),
        _ => None,
    });
    if let Some(rest) = inside.filter(|_| random.below(2) == 0) {
        return damage(random, rest);
    }
    let levels = ranking.reasons.len();
    match random.below(4) {
        0 => {
            let at = random.below(ranking.levels.len());
            ranking.levels[at] = Some(random.below(levels + 1));
        }
        1 => {
            let (at, other) = (random.below(ranking.levels.len()), random.below(ranking.levels.len()));
            ranking.levels.swap(at, other);
        }
        _ => {
            let at = random.below(levels);
            ranking.reasons[at] = any_reason(random, ranking);
        }
    }
}

fn any_reason(random: &mut Random, ranking: &Ranking) -> Reason {
    match random.below(5) {
        0 => Reason::NoEdge,
        1 | 2 => Reason::Unaccepted(random.below(3)),
        3 => Reason::Unmet(random.below(4)),
        _ => {
            let reasons = vec![Reason::NoEdge, Reason::Unaccepted(random.below(2)), Reason::Unmet(0)];
            let levels = ranking.levels.iter().map(|_| Some(random.below(reasons.len()))).collect();
            Reason::Strong(random.below(4), Ranking { levels, reasons })
        }
    }
}

#[test]
fn levels_are_accepted_only_where_no_run_is() {
    let mut random = Random::new(7);
    let (mut exact, mut wrong, mut right, mut none) = (0, 0, 0, 0);
    for _ in 0..3_000 {
        let (graph, automaton) = (graph(&mut random), automaton(&mut random));
        let product = Reading::new(&graph, &automaton, true).unwrap();
        let (nodes, edges) = reached(&product);
        let truth = !accepted(&product, nodes.len(), &edges);
        let all: Vec<&Numbered> = edges.iter().collect();
        let ranking = rank(nodes.len(), &all, automaton.sets, &product.requirements);
        let ranking = ranking.filter(|_| unobserved_cycle(nodes.len(), &edges).is_none());
        assert_eq!(ranking.is_some(), truth, "whether there is a ranking");
        none += usize::from(!truth);
        // Where a run is accepted, the ranking as if there were another acceptance set comes near.
        let near = || rank(nodes.len(), &all, automaton.sets + 1, &product.requirements);
        let ranking = ranking.or_else(near).unwrap();
        let ranked = Ranked { nodes, ranking };
        assert_eq!(empty(&product, &ranked).is_ok(), truth);
        exact += usize::from(truth);
        for _ in 0..6 {
            let mut damaged = ranked.clone();
            (0..1 + random.below(3)).for_each(|_| damage(&mut random, &mut damaged.ranking));
            if empty(&product, &damaged).is_ok() {
                assert!(truth, "a wrong ranking is accepted: {:?}", damaged.ranking);
                right += 1;
            } else {
                wrong += 1;
            }
        }
        let mut fewer = ranked.clone();
        let lost = random.below(fewer.nodes.len());
        fewer.nodes.remove(lost);
        fewer.ranking.levels.remove(lost);
        assert!(empty(&product, &fewer).is_err(), "a state is missing");
    }
    assert!(exact > 500 && none > 500 && wrong > 10_000 && right > 500, "{exact} {none} {wrong} {right}");
}

/// States are dropped, added that no run reaches, exchanged or doubled.
fn damaged_set(random: &mut Random, reached: &[usize], states: usize) -> Vec<usize> {
    let mut set = reached.to_vec();
    for _ in 0..1 + random.below(3) {
        match random.below(4) {
            0 if !set.is_empty() => drop(set.remove(random.below(set.len()))),
            1 if !set.is_empty() => {
                let there = random.below(set.len());
                set[there] = random.below(states);
            }
            2 if !set.is_empty() => set.push(set[random.below(set.len())]),
            _ => set.push(random.below(states)),
        }
    }
    set
}

#[test]
fn sets_are_accepted_only_if_they_are_closed_and_nothing_fails() {
    let mut random = Random::new(11);
    let (mut good, mut bad, mut kept, mut refused) = (0, 0, 0, 0);
    for _ in 0..3_000 {
        let graph = graph(&mut random);
        let mut reached = vec![0];
        let mut at = 0;
        while let Some(state) = reached.get(at).copied() {
            let next = graph.moves[state].iter().map(|(to, _)| *to);
            next.for_each(|to| {
                if !reached.contains(&to) {
                    reached.push(to)
                }
            });
            at += 1;
        }
        let (deadlocks, assertions) = (random.below(2) == 0, random.below(2) == 0);
        let missing = random.below(4) as u64;
        let forbidden = Forbidden { deadlocks, assertions, missing, ..Forbidden::default() };
        let fails = |state: &usize| {
            let fault = graph.fails == Some(*state) && !graph.moves[*state].is_empty();
            (assertions && fault)
                || (deadlocks && graph.moves[*state].is_empty())
                || (graph.observed[*state] && graph.letters[*state] & missing != missing)
        };
        let truth = !reached.iter().any(fails);
        assert_eq!(closed(&graph, &reached, forbidden).is_ok(), truth);
        let mut fewer = reached.clone();
        fewer.remove(random.below(fewer.len()));
        assert!(closed(&graph, &fewer, forbidden).is_err(), "a state is missing");
        for _ in 0..3 {
            let damaged = damaged_set(&mut random, &reached, graph.moves.len());
            let whole = reached.iter().all(|state| damaged.contains(state));
            let accepted = closed(&graph, &damaged, forbidden).is_ok();
            assert!(!accepted || whole && truth, "a wrong set is accepted: {damaged:?}");
            if accepted { kept += 1 } else { refused += 1 }
        }
        if truth { good += 1 } else { bad += 1 }
    }
    assert!(kept > 200 && refused > 5_000, "{kept} {refused}");
    assert!(good > 500 && bad > 500, "{good} {bad}");
}
