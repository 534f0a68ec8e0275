//! Runs of the automaton of a formula beside copies of the state, as formulas.
//!
//! The automaton is in one state before each letter; a truth value says in which. It reads the
//! letter of the state, by one of its edges. A loop closes if the state and that of the automaton
//! are the same again; in it each acceptance set has an edge, each just transition is taken or
//! disabled somewhere, and each compassionate one is taken or disabled everywhere.

use crate::unroll::Unrolling;
use logic::automata::{Automaton, Cube, Edge};
use logic::fol::{Sort, Symbol, Term, holds};
use num_bigint::BigInt;
use solve::Model;
use std::collections::{BTreeMap, BTreeSet};
use system::fts::Fairness;

pub(super) struct Product<'a> {
    pub(super) unrolling: &'a Unrolling<'a>,
    automaton: Automaton,
    atoms: Vec<Term>,
    /// States in which every word is accepted.
    sinks: BTreeSet<usize>,
    /// The ways to take each transition that runs are fair to.
    fair: Vec<(Fairness, Vec<usize>)>,
}

impl<'a> Product<'a> {
    pub(super) fn new(unrolling: &'a Unrolling<'a>, automaton: Automaton, atoms: Vec<Term>) -> Product<'a> {
        let all = (1_u64.checked_shl(automaton.sets as u32).unwrap_or(0)).wrapping_sub(1);
        let stays = |at: usize, e: &Edge| {
            e.to == at && e.sets == all && e.label.cubes.iter().any(|cube| *cube == Cube::default())
        };
        let states = automaton.states.iter().enumerate();
        let sinks =
            states.filter(|(at, edges)| edges.iter().any(|e| stays(*at, e))).map(|(at, _)| at).collect();
        let fair = fair(unrolling);
        Product { unrolling, automaton, atoms, sinks, fair }
    }

    /// Copies 0 to `steps` are a run after which every word is accepted; none if there is no such
    /// word.
    pub(super) fn prefix(&self, steps: usize) -> Option<Vec<Term>> {
        let reached = self.reachable(steps + 1);
        let ends: Vec<usize> = self.sinks.intersection(reached.last()?).copied().collect();
        if ends.is_empty() {
            return None;
        }
        let mut all = self.states(steps, false);
        all.extend(self.word(steps + 1, &reached));
        all.push(Term::any(ends.into_iter().map(|at| state(at, steps + 1))));
        Some(all)
    }

    /// Copies 0 to `steps` are a fair lasso of an accepted word, the last one the state in which
    /// the loop begins.
    pub(super) fn lasso(&self, steps: usize) -> Option<Vec<Term>> {
        let loops = |at: usize| !self.sinks.contains(&at);
        if steps == 0 || !(0..self.automaton.states.len()).any(loops) {
            return None;
        }
        let mut all = self.states(steps, true);
        let reached = self.reachable(steps);
        all.extend(self.word(steps, &reached));
        all.push(Term::any((0..steps).map(start)));
        for first in 0..steps {
            let same = |at: &usize| Term::eq(state(*at, first), state(*at, steps));
            let common: Vec<usize> = reached[first].union(&reached[steps]).copied().collect();
            let again = self.unrolling.same(first, steps).into_iter().chain(common.iter().map(same));
            all.extend(again.map(|e| Term::implication(start(first), e)));
            all.extend((0..first).map(|other| Term::or([start(first), start(other)].map(Term::negation))));
        }
        all.extend((0..self.automaton.sets).map(|set| self.accepted(set, steps)));
        let possible = self.unrolling.possible(steps);
        all.extend(self.fair.iter().map(|(fairness, ways)| self.met(*fairness, ways, &possible)));
        Some(all)
    }

    /// Where the loop of a lasso begins.
    pub(super) fn loop_start(&self, model: &Model, steps: usize) -> Option<usize> {
        (0..steps).find(|at| holds(&start(*at), model) == Some(true))
    }

    /// The steps between the copies.
    fn states(&self, steps: usize, idle: bool) -> Vec<Term> {
        let possible = self.unrolling.possible(steps);
        let each = possible.iter().enumerate();
        each.flat_map(|(at, ways)| self.unrolling.step(at, at + 1, ways, idle)).collect()
    }

    /// The states of the automaton after each number of letters.
    fn reachable(&self, letters: usize) -> Vec<BTreeSet<usize>> {
        let mut all = vec![BTreeSet::from([self.automaton.initial])];
        for at in 0..letters {
            let next = all[at].iter().flat_map(|state| self.automaton.states[*state].iter().map(|e| e.to));
            all.push(next.collect());
        }
        all
    }

    /// A run of the automaton over the letters of the first copies.
    fn word(&self, letters: usize, reached: &[BTreeSet<usize>]) -> Vec<Term> {
        let mut all = vec![state(self.automaton.initial, 0)];
        for at in 0..letters {
            let mut taken = Vec::new();
            for (from, number, e) in self.edges(&reached[at]) {
                let edge = edge((from, number), at);
                let means = [state(from, at), state(e.to, at + 1), self.label(e, at)];
                all.extend(means.map(|e| Term::implication(edge.clone(), e)));
                taken.push(edge);
            }
            all.push(Term::any(taken));
            let next: Vec<usize> = reached[at + 1].iter().copied().collect();
            let pairs = next.iter().enumerate().flat_map(|(n, a)| next[..n].iter().map(move |b| (*a, *b)));
            all.extend(
                pairs.map(|(a, b)| Term::or([state(a, at + 1), state(b, at + 1)].map(Term::negation))),
            );
        }
        all
    }

    fn edges<'s>(&'s self, from: &'s BTreeSet<usize>) -> impl Iterator<Item = (usize, usize, &'s Edge)> {
        from.iter().flat_map(|at| self.automaton.states[*at].iter().enumerate().map(|(n, e)| (*at, n, e)))
    }

    /// That the letter of a copy is on an edge.
    fn label(&self, e: &Edge, copy: usize) -> Term {
        let cube = |cube: &Cube| {
            let literals = self.atoms.iter().enumerate().filter_map(|(n, atom)| {
                let here = self.unrolling.at(atom, copy);
                match (cube.positive >> n & 1, cube.negative >> n & 1) {
                    (1, _) => Some(here),
                    (_, 1) => Some(Term::negation(here)),
                    _ => None,
                }
            });
            Term::all(literals.collect::<Vec<_>>())
        };
        Term::any(e.label.cubes.iter().map(cube).collect::<Vec<_>>())
    }

    /// That a step is in the loop.
    fn in_loop(copy: usize) -> Term {
        Term::any((0..=copy).map(start))
    }

    /// That an edge of an acceptance set is taken in the loop.
    fn accepted(&self, set: usize, steps: usize) -> Term {
        let reached = self.reachable(steps);
        let each = (0..steps).flat_map(|at| {
            let edges = self.edges(&reached[at]).filter(|(_, _, e)| e.sets >> set & 1 == 1);
            edges.map(|(from, n, _)| Term::all([Self::in_loop(at), edge((from, n), at)])).collect::<Vec<_>>()
        });
        Term::any(each.collect::<Vec<_>>())
    }

    /// That the loop is fair to a transition with these ways to take it, of those that are possible
    /// in each copy.
    fn met(&self, fairness: Fairness, ways: &[usize], possible: &[Vec<usize>]) -> Term {
        let ways = |at: usize| possible[at].iter().filter(|way| ways.contains(way));
        let disabled =
            |at: usize| Term::negation(Term::any(ways(at).map(|way| self.unrolling.enabled(*way, at))));
        let taken = |at: usize| Term::any(ways(at).map(|way| self.unrolling.taken(*way, at)));
        let somewhere = |e: &dyn Fn(usize) -> Term| {
            Term::any((0..possible.len()).map(|at| Term::all([Self::in_loop(at), e(at)])).collect::<Vec<_>>())
        };
        let otherwise = match fairness {
            Fairness::Strong => {
                let all = (0..possible.len()).map(|at| Term::implication(Self::in_loop(at), disabled(at)));
                Term::all(all.collect::<Vec<_>>())
            }
            _ => somewhere(&disabled),
        };
        Term::any([somewhere(&taken), otherwise])
    }
}

/// The automaton is in a state before a letter.
fn state(at: usize, letter: usize) -> Term {
    Symbol::constant(format!("automaton@{letter}!{at}"), Sort::Bool).term()
}

/// It reads the letter by an edge.
fn edge((from, number): (usize, usize), letter: usize) -> Term {
    Symbol::constant(format!("edge@{letter}!{from}!{number}"), Sort::Bool).term()
}

/// The loop begins with a copy.
fn start(copy: usize) -> Term {
    Symbol::constant(format!("loop@{copy}"), Sort::Bool).term()
}

fn fair(unrolling: &Unrolling<'_>) -> Vec<(Fairness, Vec<usize>)> {
    let mut groups: BTreeMap<(usize, Vec<BigInt>), Vec<usize>> = BTreeMap::new();
    for (way, step) in unrolling.ways.iter().enumerate() {
        groups.entry((step.transition, step.parameters.clone())).or_default().push(way);
    }
    let fairness = |transition: usize| unrolling.fts.transitions[transition].fairness;
    let all = groups.into_iter().map(|((transition, _), ways)| (fairness(transition), ways));
    all.filter(|(fairness, _)| *fairness != Fairness::None).collect()
}
