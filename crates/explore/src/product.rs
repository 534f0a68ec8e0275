//! The runs of a system that an automaton accepts, as a graph for [`crate::emptiness`].
//!
//! A state is one of the automaton and one of the system. The automaton reads the letter of the system's state and moves, then
//! the system does; where no step is enabled the system idles and the automaton goes on. Fairness is put on the edges: a weak
//! requirement is a mark, "meets it or does not ask"; a strong one is a Streett pair, "asks" and "meets".

use crate::emptiness::{Acceptance, Arrows, Graph, Pair};
use logic::automata::{Automaton, Edge};
use space::{Edges, Fairness, Observer, Requirement, Rest, Step, Undefined, Which};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Bytes in front of a system's state for the automaton's.
const HEAD: usize = 4;

/// The system's state in one of the product.
pub fn inner(state: &[u8]) -> &[u8] {
    &state[HEAD..]
}

pub struct Product<'a, S> {
    stepper: S,
    automaton: &'a Automaton,
    /// The strength of each requirement, and the first of its marks.
    requirements: Vec<(Fairness, usize)>,
    /// Whether runs that end count.
    ends: bool,
    acceptance: Acceptance,
    edges: Edges,
    unseen: Arc<Unseen>,
}

/// What the workers of one search did not see.
#[derive(Debug, Default)]
pub struct Unseen {
    /// What first ended a run for good or has no value: what would come after is not known.
    pub undefined: OnceLock<Undefined>,
    /// An edge was left out because of a bound.
    pub cut: AtomicBool,
}

impl<'a, S: Observer> Product<'a, S> {
    pub fn new(
        stepper: S,
        automaton: &'a Automaton,
        requirements: &[Requirement],
        ends: bool,
        unseen: Arc<Unseen>,
    ) -> Self {
        let (acceptance, requirements) = acceptance(automaton.sets, requirements);
        let wants_fairness = requirements.iter().any(|(strength, _)| *strength != Fairness::None);
        let edges = Edges { wants_fairness, ..Edges::default() };
        Product { stepper, automaton, requirements, ends, acceptance, edges, unseen }
    }

    /// The steps of an edge, by its number among those of the state; none where the system idles.
    pub fn explain(&mut self, state: &[u8], number: usize) -> Option<Vec<Step>> {
        let mut arrows = Arrows::default();
        self.arrows(state, &mut arrows);
        let target = arrows.iter().nth(number)?[HEAD..].to_vec();
        if self.edges.is_empty() {
            return Some(Vec::new());
        }
        // They come edge by edge of the automaton, and for each in the order of the system's.
        let meets = self.edges.met(number % self.edges.len());
        self.stepper.explain(&state[HEAD..], Which::To { target: &target, meets })
    }

    /// The marks of fairness of a step of the system, after those of the automaton.
    fn mark_fairness(&self, marks: &mut [u64], met: &[u64]) {
        let mut set = |mark: usize| marks[mark / 64] |= 1 << (mark % 64);
        let has = |row: &[u64], r: usize| row.get(r / 64).is_some_and(|word| word >> (r % 64) & 1 == 1);
        for (r, (strength, mark)) in self.requirements.iter().enumerate() {
            let (asks, meets) = (has(&self.edges.asks, r), has(met, r));
            match strength {
                Fairness::None => {}
                Fairness::Weak if meets || !asks => set(*mark),
                Fairness::Weak => {}
                Fairness::Strong => {
                    if asks {
                        set(*mark);
                    }
                    if meets {
                        set(*mark + 1);
                    }
                }
            }
        }
    }

    /// Adds what goes along one edge of the automaton.
    fn follow(&self, edge: &Edge, idles: Option<&[u8]>, out: &mut Arrows) {
        let words = self.acceptance.words();
        let steps = self.edges.iter().enumerate().map(|(k, state)| (state, self.edges.met(k)));
        for (state, met) in steps.chain(idles.map(|state| (state, &[][..]))) {
            out.bytes.extend_from_slice(&(edge.to as u32).to_le_bytes());
            out.bytes.extend_from_slice(state);
            out.ends.push(out.bytes.len());
            let start = out.marks.len();
            out.marks.resize(start + words, 0);
            out.marks[start] = edge.sets;
            self.mark_fairness(&mut out.marks[start..], met);
        }
    }

    fn note(&mut self, undefined: Undefined) {
        self.unseen.undefined.get_or_init(|| undefined);
    }

    fn note_unseen(&mut self) {
        if let Some(fatal) = self.edges.fatal() {
            self.note(Undefined(self.stepper.describe(fatal.fault)));
        }
        if let Some(undefined) = self.edges.undefined.take() {
            self.note(undefined);
        }
        self.unseen.cut.fetch_or(self.edges.cut, Ordering::Relaxed);
    }

    /// Whether the system may idle in a state. An edge back to the state that is there besides is at least as fair.
    fn idles(&self, rest: Rest, state: &[u8]) -> bool {
        match rest {
            Rest::Enabled => false,
            Rest::MayRest => !self.edges.iter().any(|target| target == state),
            Rest::Terminated | Rest::Deadlock => self.ends,
        }
    }
}

/// What accepted and fair runs have to do with marks: the automaton's come first, then those of the requirements.
fn acceptance(sets: usize, requirements: &[Requirement]) -> (Acceptance, Vec<(Fairness, usize)>) {
    let mut acceptance = Acceptance { marks: sets, recurrent: (0..sets).collect(), pairs: Vec::new() };
    let mut first = Vec::new();
    for Requirement { strength, .. } in requirements {
        let mark = acceptance.marks;
        first.push((*strength, mark));
        match strength {
            Fairness::None => {}
            Fairness::Weak => acceptance.recurrent.push(mark),
            Fairness::Strong => acceptance.pairs.push(Pair { request: mark, response: mark + 1 }),
        }
        acceptance.marks += *strength as usize;
    }
    (acceptance, first)
}

impl<S: Observer> Graph for Product<'_, S> {
    fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    fn initial(&mut self, out: &mut Arrows) {
        self.edges.clear();
        self.stepper.initial(&mut self.edges);
        self.note_unseen();
        for state in self.edges.iter() {
            out.bytes.extend_from_slice(&(self.automaton.initial as u32).to_le_bytes());
            out.bytes.extend_from_slice(state);
            out.ends.push(out.bytes.len());
            out.marks.resize(out.marks.len() + self.acceptance.words(), 0);
        }
    }

    fn arrows(&mut self, state: &[u8], out: &mut Arrows) {
        let (head, inner) = state.split_at(HEAD);
        let at = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        self.edges.clear();
        let letter = match self.stepper.observe(inner) {
            Ok(letter) => letter,
            Err(undefined) => return self.note(undefined),
        };
        let automaton = self.automaton;
        let mut edges = automaton.states[at].iter().filter(|e| e.label.holds(letter)).peekable();
        if edges.peek().is_none() {
            return;
        }
        let rest = self.stepper.expand(inner, &mut self.edges);
        self.note_unseen();
        let idles = self.idles(rest, inner).then_some(inner);
        edges.for_each(|edge| self.follow(edge, idles, out));
    }
}
