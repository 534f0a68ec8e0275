//! A finished search as a stepper: its states are numbers, its edges those that were kept.
//! Properties of infinite runs are asked of it where requirements of fairness are known only once
//! everything is seen.
//!
//! Requirements of the stepper that was searched come first; those that the notes of edges tell of
//! stand behind them, in words of their own. Then what is asked for is asked by edge: an edge that
//! asks for more than idling does is no substitute for it.

use super::{Kept, Recorded};
use crate::emptiness::emptiness;
use crate::limits::{Limits, Listener, Stop};
use crate::product::{Product, inner};
use logic::automata::Automaton;
use space::{Edges, Fairness, Fault, Observer, Requirement, Rest, Step, Stepper, Undefined, Which};
use std::sync::Arc;

/// Requirements that the notes of edges tell of.
#[derive(Clone, Debug, Default)]
pub struct Noted {
    /// The requirements.
    pub requirements: Vec<Requirement>,
    /// A row for each note: what an edge with it asks for, and what it meets.
    pub asks: Vec<u64>,
    /// By note, a row: what an edge with it meets.
    pub meets: Vec<u64>,
}

/// The edges of a search that has ended, with the letters of its states.
#[derive(Clone, Copy)]
pub struct Finished<'a> {
    /// The search.
    pub recorded: &'a Recorded,
    /// What holds in each state, as bits.
    pub letters: &'a [u64],
    /// None if the requirements are those of the stepper, which asks by state.
    pub noted: Option<&'a Noted>,
}

impl Noted {
    fn words(&self) -> usize {
        self.requirements.len().div_ceil(64)
    }

    fn row<'a>(&self, rows: &'a [u64], edge: &Kept) -> &'a [u64] {
        let (at, words) = (edge.note as usize, self.words());
        &rows[at * words..(at + 1) * words]
    }
}

impl Finished<'_> {
    /// The requirements of the stepper, and behind them those of the notes, numbered as the rows of
    /// edges are.
    pub fn requirements(&self, own: &[Requirement]) -> Vec<Requirement> {
        let none = Requirement { name: String::new(), strength: Fairness::None };
        let mut all = own.to_vec();
        all.resize(64 * self.recorded.words, none);
        all.extend(self.noted.iter().flat_map(|noted| noted.requirements.iter().cloned()));
        all
    }

    fn asks(&self, state: usize) -> &[u64] {
        let words = self.recorded.words;
        &self.recorded.asks[state * words..(state + 1) * words]
    }

    /// The row of a state, and what its edges meet.
    fn plain_rows(&self, state: usize, out: &mut Edges) {
        let (words, range) = (self.recorded.words, self.recorded.range(state));
        out.words = words;
        out.asks.extend_from_slice(self.asks(state));
        out.meets.extend_from_slice(&self.recorded.meets[range.start * words..range.end * words]);
    }

    /// The rows of the edges out of a state, and of idling.
    fn rows(&self, noted: &Noted, state: usize, out: &mut Edges) {
        let words = self.recorded.words;
        out.words = words + noted.words();
        for number in self.recorded.range(state) {
            let edge = &self.recorded.edges[number];
            out.asks.extend_from_slice(self.asks(state));
            out.asks.extend_from_slice(noted.row(&noted.asks, edge));
            out.meets.extend_from_slice(&self.recorded.meets[number * words..(number + 1) * words]);
            out.meets.extend_from_slice(noted.row(&noted.meets, edge));
        }
        out.asks.extend_from_slice(self.asks(state));
        out.asks.resize(out.asks.len() + noted.words(), 0);
    }
}

/// The number that is a state.
pub fn number(state: &[u8]) -> usize {
    state.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

impl Stepper for Finished<'_> {
    fn initial(&mut self, out: &mut Edges) {
        let mut initial = self.recorded.initial.clone();
        initial.sort_unstable();
        initial.dedup();
        initial.iter().for_each(|state| out.push(&state.to_le_bytes(), space::Label::default()));
    }

    fn expand(&mut self, state: &[u8], out: &mut Edges) -> Rest {
        let state = number(state);
        let Some((_, rest)) = self.recorded.ends.get(state) else { return Rest::Enabled };
        out.asks_by_edge = self.noted.is_some();
        for edge in self.recorded.edges(state) {
            out.push(&edge.to.to_le_bytes(), edge.label);
        }
        match self.noted {
            _ if !out.wants_fairness => {}
            Some(noted) => self.rows(noted, state, out),
            None => self.plain_rows(state, out),
        }
        *rest
    }

    /// Which edge it is says [`Product::edge`]; what its steps are, the stepper that was searched.
    fn explain(&mut self, _: &[u8], _: Which<'_>) -> Option<Vec<Step>> {
        None
    }

    fn describe(&self, _: Fault) -> String {
        String::new()
    }
}

impl Observer for Finished<'_> {
    fn observe(&mut self, state: &[u8]) -> Result<u64, Undefined> {
        Ok(self.letters[number(state)])
    }
}

/// A run by states, each with the edge taken out of it, by its number among those of the state;
/// `None` where the system idles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lasso {
    /// The path to the cycle.
    pub stem: Vec<(usize, Option<usize>)>,
    /// The cycle.
    pub cycle: Vec<(usize, Option<usize>)>,
}

/// What a search for a run that an automaton accepts found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// A run that the automaton accepts, if there is one.
    pub lasso: Option<Lasso>,
    /// Why the search ended early without an answer.
    pub stopped: Option<Stop>,
    /// Of the product.
    pub states: u64,
    /// Of the product.
    pub transitions: u64,
}

/// Looks for an infinite run that the automaton accepts and that is fair.
pub fn accepted(
    finished: Finished<'_>,
    automaton: &Automaton,
    requirements: &[Requirement],
    watch: &mut impl Listener,
) -> Found {
    let mut product = Product::new(finished, automaton, requirements, true, Arc::default());
    let outcome = emptiness(&mut product, Limits::default(), watch);
    let mut read = |steps: &[(Vec<u8>, usize)]| {
        let one = |(state, edge): &(Vec<u8>, usize)| (number(inner(state)), product.edge(state, *edge));
        steps.iter().map(one).collect()
    };
    Found {
        lasso: outcome.lasso.map(|l| Lasso { stem: read(&l.stem), cycle: read(&l.cycle) }),
        stopped: outcome.stopped,
        states: outcome.states,
        transitions: outcome.transitions,
    }
}
