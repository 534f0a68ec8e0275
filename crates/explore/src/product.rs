//! The runs of a system that an automaton accepts, as a graph for [`crate::emptiness`].
//!
//! A state is one of the automaton and one of the system. The automaton reads the letter of the
//! system's state and moves, then the system does; where it may rest the system idles and the
//! automaton goes on. Fairness is put on the edges: a weak requirement is a mark, "meets it or does
//! not ask"; a strong one is a Streett pair, "asks" and "meets".

use crate::emptiness::{Acceptance, Graph, MarkedEdges, Pair};
use logic::automata::{Automaton, Edge};
use space::{Edges, Fairness, Observer, Requirement, Rest, Step, Undefined, Which};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// Bytes in front of a system's state for the automaton's.
const HEAD: usize = 4;

/// Why nothing is known of runs that stay inside a step.
pub const ENDLESS: &str = "an atomic sequence may never end";

/// The system's state in one of the product.
pub fn inner(state: &[u8]) -> &[u8] {
    &state[HEAD..]
}

/// The product of a stepper and an ω-automaton, with fairness requirements as marks.
pub struct Product<'a, S> {
    stepper: S,
    automaton: &'a Automaton,
    /// The strength of each requirement, and the first of its marks.
    requirements: Vec<(Fairness, usize)>,
    /// Whether runs that end count.
    ends: bool,
    acceptance: Acceptance,
    edges: Edges,
    /// Whether the system idles in the state expanded last, besides its edges.
    idles: bool,
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
    /// The product; `requirements` are those of the stepper.
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
        Product { stepper, automaton, requirements, ends, acceptance, edges, idles: false, unseen }
    }

    /// The edge of the system that one of the product goes along, by its number among those of the
    /// state; `None` where the system idles. They come edge by edge of the automaton, and for each
    /// in the order of the system's, idling last.
    pub fn edge(&mut self, state: &[u8], number: usize) -> Option<usize> {
        self.edges(state, &mut MarkedEdges::default());
        let ways = self.edges.len() + usize::from(self.idles);
        Some(number % ways.max(1)).filter(|edge| *edge < self.edges.len())
    }

    /// The steps of an edge, by its number among those of the state; none where the system idles.
    pub fn explain(&mut self, state: &[u8], number: usize) -> Option<Vec<Step>> {
        let Some(edge) = self.edge(state, number) else { return Some(Vec::new()) };
        let which = Which::To { target: self.edges.get(edge), meets: self.edges.met(edge) };
        self.stepper.explain(&state[HEAD..], which)
    }

    /// The marks that a step has for what is asked for, whatever it meets: after those of the
    /// automaton.
    fn mark_asked(&self, marks: &mut [u64], asked: &[u64]) {
        for (r, (strength, mark)) in self.requirements.iter().enumerate() {
            let asks = asked.get(r / 64).is_some_and(|word| word >> (r % 64) & 1 == 1);
            match strength {
                Fairness::Weak if !asks => set(marks, *mark),
                Fairness::Strong if asks => set(marks, *mark),
                _ => {}
            }
        }
    }

    /// Adds the marks for what a step meets.
    fn mark_met(&self, marks: &mut [u64], met: &[u64]) {
        for (at, word) in met.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                match self.requirements.get(64 * at + left.trailing_zeros() as usize) {
                    Some((Fairness::Weak, mark)) => set(marks, *mark),
                    Some((Fairness::Strong, mark)) => set(marks, *mark + 1),
                    _ => {}
                }
                left &= left - 1;
            }
        }
    }

    /// Adds what goes along one edge of the automaton.
    fn follow(&self, edge: &Edge, inner: &[u8], out: &mut MarkedEdges) {
        let words = self.acceptance.words();
        let steps = self.edges.iter().enumerate().map(|(k, state)| (state, self.edges.met(k)));
        let idling = self.idles.then_some((inner, &[][..]));
        let mut asked = vec![0; words];
        for (k, (state, met)) in steps.chain(idling).enumerate() {
            if k == 0 || self.edges.asks_by_edge {
                asked.fill(0);
                self.mark_asked(&mut asked, self.edges.asked(k));
            }
            out.bytes.extend_from_slice(&(edge.to as u32).to_le_bytes());
            out.bytes.extend_from_slice(state);
            out.ends.push(out.bytes.len());
            let start = out.marks.len();
            out.marks.extend_from_slice(&asked);
            out.marks[start] |= edge.sets;
            self.mark_met(&mut out.marks[start..], met);
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
        if self.edges.endless {
            self.note(Undefined(ENDLESS.to_string()));
        }
        self.unseen.cut.fetch_or(self.edges.cut, Ordering::Relaxed);
    }

    /// Whether the system may idle in a state. An edge back to the state that is there besides is
    /// at least as fair, unless it asks for more than idling does.
    fn may_idle(&self, rest: Rest, state: &[u8]) -> bool {
        match rest {
            Rest::Enabled => false,
            Rest::MayRest => self.edges.asks_by_edge || !self.edges.iter().any(|target| target == state),
            Rest::Terminated | Rest::Deadlock => self.ends,
        }
    }
}

fn set(marks: &mut [u64], mark: usize) {
    marks[mark / 64] |= 1 << (mark % 64);
}

/// What accepted and fair runs have to do with marks: the automaton's come first, then those of the
/// requirements.
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

    fn initial(&mut self, out: &mut MarkedEdges) {
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

    fn edges(&mut self, state: &[u8], out: &mut MarkedEdges) {
        let (head, inner) = state.split_at(HEAD);
        let at = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        self.edges.clear();
        self.idles = false;
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
        self.idles = self.may_idle(rest, inner);
        edges.for_each(|edge| self.follow(edge, inner, out));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use logic::automata::{Cube, Label};
    use space::{Fault, Stepper};

    /// One state that may rest: a step by actor 0 leads to another, one by actor 1 back to itself.
    #[derive(Clone)]
    struct Resting {
        /// Each edge asks for what it meets.
        by_edge: bool,
    }

    impl Stepper for Resting {
        fn initial(&mut self, out: &mut Edges) {
            out.push(&[0], space::Label(0));
        }

        fn expand(&mut self, _: &[u8], out: &mut Edges) -> Rest {
            out.words = 1;
            out.asks_by_edge = self.by_edge;
            for actor in [0, 1] {
                out.push(&[1 - actor as u8], space::Label(actor));
                out.meets.push(1 << actor);
                if self.by_edge {
                    out.asks.push(1 << actor);
                }
            }
            out.asks.push(if self.by_edge { 0 } else { 3 });
            Rest::MayRest
        }

        fn explain(&mut self, _: &[u8], which: Which<'_>) -> Option<Vec<Step>> {
            let Which::To { target, meets } = which else { return None };
            let actor = 1 - usize::from(target[0]);
            let step = Step { actor, path: Vec::new(), partner: None };
            (meets[0] == 1 << actor).then(|| vec![step])
        }

        fn describe(&self, _: Fault) -> String {
            String::new()
        }
    }

    impl Observer for Resting {
        fn observe(&mut self, _: &[u8]) -> Result<u64, Undefined> {
            Ok(0)
        }
    }

    fn explained(by_edge: bool) -> Vec<Option<Vec<usize>>> {
        let edge = |sets: u64| Edge { label: Label { cubes: vec![Cube::default()] }, to: 0, sets };
        let automaton =
            Automaton { states: vec![vec![edge(0), edge(1)]], initial: 0, sets: 1, ..Automaton::default() };
        let requirement = |n: usize| Requirement { name: n.to_string(), strength: Fairness::Strong };
        let requirements = [requirement(0), requirement(1)];
        let mut product = Product::new(Resting { by_edge }, &automaton, &requirements, true, Arc::default());
        let state = [0, 0, 0, 0, 0];
        let mut edges = MarkedEdges::default();
        product.edges(&state, &mut edges);
        let steps = |n: usize| product.explain(&state, n).map(|s| s.iter().map(|s| s.actor).collect());
        (0..edges.ends.len()).map(steps).collect()
    }

    /// Idling stands behind the system's edges, for each edge of the automaton; it is left out if a
    /// self-edge is at least as fair.
    #[test]
    fn edges_are_numbered_where_the_system_also_idles() {
        let [a, b, idles] = [Some(vec![0]), Some(vec![1]), Some(vec![])];
        assert_eq!(explained(true), [&a, &b, &idles, &a, &b, &idles].map(Clone::clone));
        assert_eq!(explained(false), [&a, &b, &a, &b].map(Clone::clone));
    }
}
