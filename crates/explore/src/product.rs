//! The runs of a system that an automaton accepts, as a graph for [`crate::emptiness`].
//!
//! A state is one of the automaton and one of the system. The automaton reads the letter of the system's state and moves, then
//! the system does; where nobody can move the system rests and the automaton goes on. Fairness is put on the arrows: weak,
//! as a mark for each process that moves or could not; strong, as a pair of marks for each process, could move
//! and moves.

use crate::emptiness::{Acceptance, Arrows, Graph, Pair};
use logic::automata::{Automaton, Edge};
use std::sync::{Arc, OnceLock};
use system::stepper::{Goal, Observer, Pids, Rest, Successors};
use system::{Fairness, Fault, Step};

/// Bytes in front of a system's state for the automaton's.
const HEAD: usize = 4;

pub struct Product<'a, S> {
    stepper: S,
    automaton: &'a Automaton,
    fairness: Fairness,
    /// Numbers of processes are below this.
    processes: usize,
    /// Whether runs that end count.
    ends: bool,
    acceptance: Acceptance,
    successors: Successors,
    /// The first fault met, by whoever shares it: runs end there, and what would come after is not known.
    fault: Arc<OnceLock<Fault>>,
}

impl<'a, S: Observer> Product<'a, S> {
    pub fn new(
        stepper: S,
        automaton: &'a Automaton,
        fairness: Fairness,
        processes: usize,
        ends: bool,
        fault: Arc<OnceLock<Fault>>,
    ) -> Self {
        let acceptance = acceptance(automaton.sets, fairness, processes);
        let successors = Successors { tells_movers: fairness != Fairness::None, ..Successors::default() };
        Product { stepper, automaton, fairness, processes, ends, acceptance, successors, fault }
    }

    /// The steps of an arrow, by its number among those of the state; none where the system rests.
    pub fn explain(&mut self, state: &[u8], arrow: usize) -> Option<Vec<Step>> {
        let mut arrows = Arrows::default();
        self.arrows(state, &mut arrows);
        let target = arrows.iter().nth(arrow)?[HEAD..].to_vec();
        if self.successors.ends.is_empty() {
            return Some(Vec::new());
        }
        // Arrows come edge by edge, and for each edge in the order of the successors.
        let successor = arrow % self.successors.ends.len();
        let goal = match self.successors.movers.get(successor) {
            Some(movers) => Goal::Move(&target, *movers),
            None => Goal::State(&target),
        };
        self.stepper.explain(&state[HEAD..], goal)
    }

    /// The marks of fairness for a move of the system, after those of the automaton.
    fn mark_fairness(&self, marks: &mut [u64], enabled: &Pids, movers: &Pids) {
        let sets = self.automaton.sets;
        let mut set = |mark: usize| marks[mark / 64] |= 1 << (mark % 64);
        for pid in 0..self.processes {
            let (could, moves) = (enabled.contains(pid), movers.contains(pid));
            match self.fairness {
                Fairness::None => return,
                Fairness::Weak if moves || !could => set(sets + pid),
                Fairness::Weak => {}
                Fairness::Strong => {
                    if could {
                        set(sets + 2 * pid);
                    }
                    if moves {
                        set(sets + 2 * pid + 1);
                    }
                }
            }
        }
    }

    /// Adds the arrows along one edge of the automaton.
    fn follow(&self, edge: &Edge, rests: Option<&[u8]>, out: &mut Arrows) {
        let words = self.acceptance.words();
        let nobody = Pids::default();
        let successors = self.successors.iter().enumerate();
        let moves = successors.map(|(k, state)| (state, self.successors.movers.get(k).unwrap_or(&nobody)));
        for (state, movers) in moves.chain(rests.map(|state| (state, &nobody))) {
            out.bytes.extend_from_slice(&(edge.to as u32).to_le_bytes());
            out.bytes.extend_from_slice(state);
            out.ends.push(out.bytes.len());
            let start = out.marks.len();
            out.marks.resize(start + words, 0);
            out.marks[start] = edge.sets;
            self.mark_fairness(&mut out.marks[start..], &self.successors.enabled, movers);
        }
    }

    fn note(&mut self, fault: Fault) {
        self.fault.get_or_init(|| fault);
    }
}

fn acceptance(sets: usize, fairness: Fairness, processes: usize) -> Acceptance {
    let pair = |pid: usize| Pair { request: sets + 2 * pid, response: sets + 2 * pid + 1 };
    match fairness {
        Fairness::None => Acceptance { marks: sets, recurrent: (0..sets).collect(), pairs: Vec::new() },
        Fairness::Weak => {
            let marks = sets + processes;
            Acceptance { marks, recurrent: (0..marks).collect(), pairs: Vec::new() }
        }
        Fairness::Strong => Acceptance {
            marks: sets + 2 * processes,
            recurrent: (0..sets).collect(),
            pairs: (0..processes).map(pair).collect(),
        },
    }
}

impl<S: Observer> Graph for Product<'_, S> {
    fn acceptance(&self) -> &Acceptance {
        &self.acceptance
    }

    fn initial(&mut self, out: &mut Arrows) {
        match self.stepper.initial() {
            Err(fault) => self.note(fault),
            Ok(state) => {
                out.bytes.extend_from_slice(&(self.automaton.initial as u32).to_le_bytes());
                out.bytes.extend_from_slice(&state);
                out.ends.push(out.bytes.len());
                out.marks.resize(out.marks.len() + self.acceptance.words(), 0);
            }
        }
    }

    fn arrows(&mut self, state: &[u8], out: &mut Arrows) {
        let (head, inner) = state.split_at(HEAD);
        let at = u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize;
        self.successors.clear();
        let letter = match self.stepper.observe(inner) {
            Ok(letter) => letter,
            Err(fault) => return self.note(fault),
        };
        let automaton = self.automaton;
        let mut edges = automaton.states[at].iter().filter(|e| e.label.holds(letter)).peekable();
        if edges.peek().is_none() {
            return;
        }
        let rest = self.stepper.expand(inner, &mut self.successors);
        if let Some(fatal) = self.successors.faults.iter().find(|f| f.fault.is_fatal()) {
            self.note(fatal.fault);
        }
        let rests = (rest != Rest::Moves && self.ends).then_some(inner);
        edges.for_each(|edge| self.follow(edge, rests, out));
    }
}
