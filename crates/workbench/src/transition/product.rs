//! The product of a fair transition system with the automaton of a formula, as a graph whose arrows carry marks.
//!
//! A mark for each acceptance set of the automaton; for each just transition one that says "taken, or not possible here"; for each
//! compassionate one a pair, "possible here" and "taken". A transition is taken by every step that its relation allows, so
//! the arrows between two states are one.

use super::Question;
use super::reach::keeps;
use explore::emptiness::{Acceptance, Arrows, Graph, Lasso, Pair};
use logic::automata::{Automaton, translate};
use logic::ltl::Formula;
use num_bigint::BigInt;
use std::collections::{BTreeMap, HashMap};
use system::fts::evaluate::holds;
use system::fts::step::{self, Given, State};
use system::fts::{Expr, Fairness, Fts};

pub(super) struct Product<'a> {
    fts: &'a Fts,
    given: &'a Given,
    automaton: Automaton,
    /// What the propositions of the automaton are.
    atoms: Vec<Expr>,
    acceptance: Acceptance,
    fair: Vec<Fair>,
    ids: HashMap<State, u32>,
    states: Vec<State>,
    expanded: HashMap<u32, Expanded>,
    /// Why a state could not be left.
    pub(super) error: Option<String>,
    /// Whether numbers for states ran out.
    pub(super) cut: bool,
    /// So many states of the system are left at most.
    limit: usize,
    /// Whether a state was not entered because it breaks an invariant.
    pub(super) constrained: bool,
    invariants: &'a [Expr],
}

/// A fair transition with its parameters and its marks.
struct Fair {
    transition: usize,
    parameters: Vec<BigInt>,
    /// For a just one: recurs if it is taken or not possible. For a compassionate one: possible, taken.
    marks: (usize, Option<usize>),
}

struct Expanded {
    letter: u64,
    /// Each next state with the marks of the step, before those of the automaton.
    next: Vec<(u32, Vec<usize>)>,
}

impl<'a> Product<'a> {
    /// The product with the automaton of `formula`; none if that is too large.
    pub(super) fn new(
        question: &'a Question<'_>,
        given: &'a Given,
        formula: Formula<Expr>,
    ) -> Option<Product<'a>> {
        let fts = &question.source.fts;
        let mut atoms: Vec<Expr> = Vec::new();
        let numbered = formula.map(&mut |e: Expr| match atoms.iter().position(|a| *a == e) {
            Some(at) => at,
            None => {
                atoms.push(e);
                atoms.len() - 1
            }
        });
        let automaton = if atoms.len() <= 64 { translate(&numbered).ok()? } else { return None };
        let mut acceptance =
            Acceptance { marks: automaton.sets, recurrent: (0..automaton.sets).collect(), pairs: Vec::new() };
        let mut fair = Vec::new();
        let mut error = None;
        for (at, transition) in fts.transitions.iter().enumerate() {
            let fairness = transition.fairness.min(question.fairness);
            if fairness == Fairness::Unfair {
                continue;
            }
            let instances = step::instances(fts, given, transition).unwrap_or_else(|e| {
                error = Some(e);
                Vec::new()
            });
            for parameters in instances {
                let first = acceptance.marks;
                let compassionate = fairness == Fairness::Compassionate;
                if compassionate {
                    acceptance.pairs.push(Pair { request: first, response: first + 1 });
                } else {
                    acceptance.recurrent.push(first);
                }
                acceptance.marks += if compassionate { 2 } else { 1 };
                let marks = (first, compassionate.then_some(first + 1));
                fair.push(Fair { transition: at, parameters, marks });
            }
        }
        Some(Product {
            fts,
            given,
            automaton,
            atoms,
            acceptance,
            fair,
            ids: HashMap::new(),
            states: Vec::new(),
            expanded: HashMap::new(),
            error,
            cut: false,
            limit: question
                .request
                .limits
                .states
                .map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)),
            constrained: false,
            invariants: &question.invariants,
        })
    }

    fn id(&mut self, state: State) -> u32 {
        if let Some(id) = self.ids.get(&state) {
            return *id;
        }
        let id = self.states.len() as u32;
        self.ids.insert(state.clone(), id);
        self.states.push(state);
        id
    }

    fn expand(&mut self, id: u32) -> Result<(), String> {
        if self.expanded.contains_key(&id) {
            return Ok(());
        }
        let state = self.states[id as usize].clone();
        let within = step::In { fts: self.fts, given: self.given, state: &state, extra: Vec::new() };
        let mut letter = 0u64;
        for (at, atom) in self.atoms.iter().enumerate() {
            let value = holds(atom, &within).ok_or_else(|| format!("`{atom}` cannot be evaluated"))?;
            letter |= u64::from(value) << at;
        }
        let ways = step::successors(self.fts, self.given, &state)?;
        let same =
            |f: &Fair, how: &step::Taken| f.transition == how.transition && f.parameters == how.parameters;
        let possible: Vec<bool> =
            self.fair.iter().map(|f| ways.iter().any(|(how, _)| same(f, how))).collect();
        // Idling leads back here; what also leads back here is taken with it.
        let mut targets: BTreeMap<State, Vec<bool>> =
            BTreeMap::from([(state.clone(), vec![false; self.fair.len()])]);
        for (how, next) in &ways {
            let taken = targets.entry(next.clone()).or_insert_with(|| vec![false; self.fair.len()]);
            for (at, f) in self.fair.iter().enumerate() {
                taken[at] |= same(f, how);
            }
        }
        let mut next = Vec::new();
        for (target, taken) in targets {
            if !self.may_enter(&target)? {
                continue;
            }
            let mut marks = Vec::new();
            for ((f, taken), possible) in self.fair.iter().zip(taken).zip(&possible) {
                match f.marks {
                    (mark, None) if taken || !possible => marks.push(mark),
                    (_, None) => {}
                    (request, Some(response)) => {
                        if *possible {
                            marks.push(request);
                        }
                        if taken {
                            marks.push(response);
                        }
                    }
                }
            }
            next.push((self.id(target), marks));
        }
        self.expanded.insert(id, Expanded { letter, next });
        Ok(())
    }

    /// Whether a state keeps to the invariants.
    fn may_enter(&mut self, state: &State) -> Result<bool, String> {
        let kept = keeps(self.fts, self.given, self.invariants, state)?;
        self.constrained |= !kept;
        Ok(kept)
    }

    fn push(&self, out: &mut Arrows, id: u32, at: usize, marks: &[usize], sets: u64) {
        out.bytes.extend(id.to_le_bytes());
        out.bytes.extend((at as u32).to_le_bytes());
        out.ends.push(out.bytes.len());
        let mut words = vec![0u64; self.acceptance.words()];
        let of_automaton = (0..self.automaton.sets).filter(|set| sets >> set & 1 == 1);
        for mark in marks.iter().copied().chain(of_automaton) {
            words[mark / 64] |= 1 << (mark % 64);
        }
        out.marks.extend(words);
    }

    /// The states of the system on a lasso, along its stem and round its cycle.
    pub(super) fn states_of(&self, lasso: &Lasso) -> (Vec<State>, Vec<State>) {
        let state = |(bytes, _): &(Vec<u8>, usize)| self.states[read(bytes).0 as usize].clone();
        (lasso.stem.iter().map(state).collect(), lasso.cycle.iter().map(state).collect())
    }
}

fn read(bytes: &[u8]) -> (u32, usize) {
    let word = |at: usize| {
        let mut word = [0; 4];
        word.copy_from_slice(&bytes[at..at + 4]);
        u32::from_le_bytes(word)
    };
    (word(0), word(4) as usize)
}

impl Graph for Product<'_> {
    fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    fn initial(&mut self, out: &mut Arrows) {
        match step::initial(self.fts, self.given) {
            Ok(states) => {
                for state in states {
                    match self.may_enter(&state) {
                        Ok(true) => {
                            let id = self.id(state);
                            self.push(out, id, self.automaton.initial, &[], 0);
                        }
                        Ok(false) => {}
                        Err(error) => self.error = Some(error),
                    }
                }
            }
            Err(error) => self.error = Some(error),
        }
    }

    fn arrows(&mut self, state: &[u8], out: &mut Arrows) {
        let (id, at) = read(state);
        if self.error.is_some() {
            return;
        }
        let is_new = !self.expanded.contains_key(&id);
        if self.states.len() > u32::MAX as usize / 2 || (is_new && self.expanded.len() >= self.limit) {
            self.cut = true;
            return;
        }
        if let Err(error) = self.expand(id) {
            self.error = Some(error);
            return;
        }
        let expanded = &self.expanded[&id];
        for edge in &self.automaton.states[at] {
            if edge.label.holds(expanded.letter) {
                for (next, marks) in &expanded.next {
                    self.push(out, *next, edge.to, marks, edge.sets);
                }
            }
        }
    }
}
