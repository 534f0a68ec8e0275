//! Properties of infinite runs: the product of a graph with the automaton of the bad runs, and whether an accepted fair run exists.
//!
//! The graph is abstract or concrete; both are written down as a [`Kripke`]. A state of the product is a state and a state of
//! the automaton, which reads the letters of the state and goes on along an edge. The paper keeps the state of the automaton as
//! nullary predicates; with a relational join that makes the same product. A state in which nobody may be able to move repeats for ever.
//!
//! What makes a run count, besides the automaton:
//! * *population fairness*: a name that loses an individual again and again gains one again and again (a Streett pair for each name;
//!   see `names`). It costs the user nothing and is true of every run of a finite population; abstract graphs only.
//! * *scheduler fairness* that the file asks for, of groups of actions. Weak: again and again the group is taken, or cannot be. Strong: if it
//!   can be taken again and again, it is. In the abstract, "cannot" is "need not be possible", and "can" is "surely can", so that
//!   no fair concrete run is lost.

use crate::concrete::Concrete;
use crate::formula::Formula;
use crate::kleene::Kleene;
use crate::model::{Group, Model};
use crate::prepared::Prepared;
use crate::runs::Runs;
use crate::space::Space;
use explore::emptiness::{Acceptance, Explicit, Options, Pair, emptiness};
use explore::{Limits, Stop, Watch};
use logic::automata::Automaton;
use space::Fairness;
use std::collections::HashMap;

/// What a step of a lasso is: an edge of the space, or an arrow of a concrete state; nothing if everything stands still.
pub type Origin = Option<usize>;

/// A graph with letters on its states and marks on its arrows.
#[derive(Clone, Debug, Default)]
pub struct Kripke {
    pub letters: Vec<u64>,
    pub initial: Vec<usize>,
    pub arrows: Vec<Vec<KripkeArrow>>,
    /// Which marks make a run count; automata add theirs.
    pub acceptance: Acceptance,
}

#[derive(Clone, Debug)]
pub struct KripkeArrow {
    pub to: usize,
    pub marks: Vec<usize>,
    pub origin: Origin,
}

/// A run that counts: states with how they are left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    pub stem: Vec<(usize, Origin)>,
    pub cycle: Vec<(usize, Origin)>,
}

/// What a search for such a run found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    pub lasso: Option<Lasso>,
    pub stopped: Option<Stop>,
    /// Of the product.
    pub states: u64,
    pub transitions: u64,
}

/// Which fairness counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumed {
    pub population: bool,
    pub scheduler: bool,
}

/// The fairness of the scheduler, as formulas: for each group, whether it can be taken.
struct Groups<'a> {
    fairness: &'a [Group],
    can: Vec<Formula>,
}

impl<'a> Groups<'a> {
    fn of(model: &'a Model, assumed: Assumed) -> Groups<'a> {
        let fairness = if assumed.scheduler { &model.fairness[..] } else { &[] };
        let can = |group: &Group| {
            let one = |number: &usize| {
                let action = &model.actions[*number];
                match group.who {
                    None => action.enabled(),
                    Some(who) => {
                        let mut narrow = action.clone();
                        narrow.actor.iter_mut().for_each(|guard| guard.push(who));
                        narrow.enabled()
                    }
                }
            };
            crate::formula::or(group.actions.iter().map(one))
        };
        Groups { fairness, can: fairness.iter().map(can).collect() }
    }

    /// Two marks a group: taken (or, for a weak one, impossible), and possible.
    fn acceptance(&self) -> Acceptance {
        let mut acceptance = Acceptance { marks: 2 * self.fairness.len(), ..Acceptance::default() };
        for (at, group) in self.fairness.iter().enumerate() {
            match group.strength == Fairness::Strong {
                true => acceptance.pairs.push(Pair { request: 2 * at + 1, response: 2 * at }),
                false => acceptance.recurrent.push(2 * at),
            }
        }
        acceptance
    }

    /// The marks of an arrow: `can` says of each group what is known of its possibility, `takes` which it takes.
    fn marks(&self, can: &[Kleene], takes: impl Fn(&Group) -> bool) -> Vec<usize> {
        let mut marks = Vec::new();
        for (at, group) in self.fairness.iter().enumerate() {
            if takes(group) || group.strength == Fairness::Weak && !can[at].must() {
                marks.push(2 * at);
            }
            if can[at].must() {
                marks.push(2 * at + 1);
            }
        }
        marks
    }
}

impl Kripke {
    /// An abstract space, which must be relational and have edges.
    pub fn of_space(model: &Model, prepared: &Prepared, space: &Space, assumed: Assumed) -> Kripke {
        let groups = Groups::of(model, assumed);
        let layout = prepared.machine.layout;
        let letter = |state: usize| {
            let bit = |(at, symbol): (usize, &crate::vocabulary::Symbol)| {
                u64::from(space.states[state].get(layout, *symbol, [0, 0]).must()) << at
            };
            prepared.letters.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
        };
        let mut kripke = Kripke {
            letters: (0..space.states.len()).map(letter).collect(),
            initial: space.initial.clone(),
            arrows: vec![Vec::new(); space.states.len()],
            acceptance: groups.acceptance(),
        };
        let lost = if assumed.population { lost_names(space) } else { HashMap::new() };
        let base = kripke.acceptance.marks;
        kripke.acceptance.marks += 2 * lost.len();
        for number in 0..lost.len() {
            kripke
                .acceptance
                .pairs
                .push(Pair { request: base + 2 * number, response: base + 2 * number + 1 });
        }
        let who = model.fairness.iter().filter_map(|f| f.who).collect::<Vec<_>>();
        let can: Vec<Vec<Kleene>> = space
            .states
            .iter()
            .map(|s| groups.can.iter().map(|f| prepared.machine.value(s, f)).collect())
            .collect();
        for (at, edge) in space.edges.iter().enumerate() {
            let takes = |group: &Group| {
                let by = group.who.and_then(|p| who.iter().position(|w| *w == p));
                group.actions.contains(&edge.action) && by.is_none_or(|bit| edge.who >> bit & 1 == 1)
            };
            let mut marks = groups.marks(&can[edge.from], takes);
            marks.extend(edge.moves.lose.iter().filter_map(|n| lost.get(n)).map(|n| base + 2 * n));
            let gained = lost.iter().filter(|(name, _)| space.names.gains(&edge.moves, **name));
            marks.extend(gained.map(|(_, n)| base + 2 * n + 1));
            marks.sort_unstable();
            kripke.arrows[edge.from].push(KripkeArrow { to: edge.to, marks, origin: Some(at) });
        }
        let enabled: Vec<Formula> = model.actions.iter().map(|a| a.enabled()).collect();
        for (state, s) in space.states.iter().enumerate() {
            if !enabled.iter().any(|f| prepared.machine.value(s, f).must()) {
                let marks = groups.marks(&can[state], |_| false);
                kripke.arrows[state].push(KripkeArrow { to: state, marks, origin: None });
            }
        }
        kripke
    }

    /// Concrete runs; `letters` are closed formulas.
    pub fn of_runs(
        model: &Model,
        concrete: &Concrete<'_>,
        runs: &Runs,
        letters: &[Formula],
        assumed: Assumed,
    ) -> Kripke {
        let groups = Groups::of(model, assumed);
        let letter = |state: &crate::concrete::State| {
            let bit = |(at, f): (usize, &Formula)| u64::from(concrete.holds(state, f)) << at;
            letters.iter().enumerate().map(bit).fold(0, |all, bit| all | bit)
        };
        let mut kripke = Kripke {
            letters: runs.states.iter().map(letter).collect(),
            initial: runs.initial.clone(),
            arrows: vec![Vec::new(); runs.states.len()],
            acceptance: groups.acceptance(),
        };
        for (at, state) in runs.states.iter().enumerate() {
            let can: Vec<Kleene> =
                groups.can.iter().map(|f| Kleene::from(concrete.holds(state, f))).collect();
            for (number, arrow) in runs.arrows[at].iter().enumerate() {
                let takes = |group: &Group| {
                    let by = |p| arrow.actor.is_some_and(|u| concrete.get(state, p, [u, 0]));
                    group.actions.contains(&arrow.action) && group.who.is_none_or(by)
                };
                let marks = groups.marks(&can, takes);
                kripke.arrows[at].push(KripkeArrow { to: arrow.to, marks, origin: Some(number) });
            }
            if runs.arrows[at].is_empty() && !runs.cut[at] {
                let marks = groups.marks(&can, |_| false);
                kripke.arrows[at].push(KripkeArrow { to: at, marks, origin: None });
            }
        }
        kripke
    }

    /// Looks for a run that the automaton accepts and that counts.
    pub fn search(&self, automaton: &Automaton, limits: Limits, watch: &mut impl Watch) -> Found {
        let mut acceptance = self.acceptance.clone();
        let base = acceptance.marks;
        acceptance.marks += automaton.sets;
        acceptance.recurrent.extend(base..base + automaton.sets);
        let mut numbers: HashMap<(usize, usize), u32> = HashMap::new();
        let mut states: Vec<(usize, usize)> = Vec::new();
        let mut graph = Explicit::new(acceptance, 0);
        let mut origins: Vec<Vec<Origin>> = Vec::new();
        let mut number = |pair: (usize, usize), states: &mut Vec<(usize, usize)>| {
            *numbers.entry(pair).or_insert_with(|| {
                states.push(pair);
                states.len() as u32 - 1
            })
        };
        for state in &self.initial {
            let initial = number((*state, automaton.initial), &mut states);
            graph.initial.push(initial);
        }
        let mut at = 0;
        while at < states.len() {
            let (state, q) = states[at];
            graph.arrows.push(Vec::new());
            origins.push(Vec::new());
            for edge in automaton.states[q].iter().filter(|e| e.label.holds(self.letters[state])) {
                let sets = (0..automaton.sets).filter(|set| edge.sets >> set & 1 == 1).map(|set| base + set);
                let sets: Vec<usize> = sets.collect();
                for arrow in &self.arrows[state] {
                    let target = number((arrow.to, edge.to), &mut states);
                    let marks = [&arrow.marks[..], &sets].concat();
                    graph.arrow(at as u32, target, &marks);
                    origins[at].push(arrow.origin);
                }
            }
            at += 1;
        }
        let outcome = emptiness(&mut graph, &Options { limits, ..Options::default() }, watch);
        let told = |steps: &[(Vec<u8>, usize)]| {
            let one = |(bytes, arrow): &(Vec<u8>, usize)| {
                let at = Explicit::number(bytes) as usize;
                (states[at].0, origins[at][*arrow])
            };
            steps.iter().map(one).collect()
        };
        Found {
            lasso: outcome.lasso.map(|l| Lasso { stem: told(&l.stem), cycle: told(&l.cycle) }),
            stopped: outcome.stopped,
            states: outcome.states,
            transitions: outcome.transitions,
        }
    }
}

/// The names that some edge loses, numbered.
fn lost_names(space: &Space) -> HashMap<u32, usize> {
    let mut names: Vec<u32> = space.edges.iter().flat_map(|e| e.moves.lose.iter().copied()).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter().enumerate().map(|(number, name)| (name, number)).collect()
}
