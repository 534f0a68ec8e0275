//! What is wrong with on-the-fly partial order reduction (Siegel, CAV 2019), and that ours is not.
//!
//! The usual combination chooses what to explore from a state of the *product*: a persistent set
//! without visible steps none of which leads to the product's stack. It misses runs, because
//! different choices may be made for one state of the system with different states of the
//! automaton, and the automaton may be where the choice does not help it. The combination is built
//! here, out of the same parts, and must fail where ours does not.
//!
//! The automaton accepts `(!p)+ p^ω`, which counts no steps, but guesses whether an even or an odd
//! number of letters will come before the first p: states *even* and *odd* take turns, and only
//! *even* can read p.

use crate::explicit::{Edge as GraphEdge, Explicit};
use crate::subjects::{Subject, generated, judge_all, subject};
use compile::Program;
use compile::simplify::Simplified;
use explore::emptiness::{Acceptance, emptiness};
use explore::product::{Product, Unseen};
use explore::reduction::persistent::{AtHand, Sets, members};
use explore::reduction::reduced::{Proviso, Reduced, Shared};
use explore::{Limits, NoListener};
use independence::selective::Selective;
use independence::{Algorithm, Method, Set, node};
use logic::automata::{Automaton, Cube, Edge, Label};
use logic::{Binary, Term};
use objects::Dependency;
use space::{Edges, Observer, Stepper};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use system::{ObjectKind, Place, System};

const METHOD: Method =
    Method { algorithm: Algorithm::Stubborn, conditional: true, dependency: Dependency::Conditional };

/// A step that is not visible goes round endlessly beside the one that matters.
const PROGRAM: &str = "bit x, b;
    active proctype A() { if :: x = 0 :: x = 1 fi; do :: x = 1 - x od }
    active proctype B() { b = 1 }";

#[test]
fn the_usual_combination_misses_a_run_and_ours_does_not() {
    let subject = subject("siegel", PROGRAM).unwrap();
    let b = subject.system.globals.iter().position(|o| o.name == "b").unwrap();
    let observed = System { propositions: vec![Place::global(b).read()], ..subject.system };
    let automaton = parity();
    assert_eq!(whole(&observed, &automaton), Some(true), "there is a run");
    assert_eq!(ours(&observed, &automaton), Some(true));
    assert_eq!(usual(&observed, &automaton), Some(false), "the usual combination is right by chance");
}

#[test]
fn the_usual_combination_is_wrong_on_random_programs_and_ours_is_not() {
    let subjects = generated(60_000..60_120, "-assert,-hidden,-rendezvous,-timeout,-unless");
    let missed = AtomicUsize::new(0);
    let (judged, complaints) = judge_all(&subjects, |subject| compare(subject, &missed));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let missed = missed.load(Ordering::SeqCst);
    assert!(missed > 0, "the usual combination is right by chance");
    assert!(judged >= 50, "only {judged} programs were compared");
}

fn compare(subject: &Subject, missed: &AtomicUsize) -> Option<Vec<String>> {
    let mut complaints = Vec::new();
    let scalar = |kind: &ObjectKind| matches!(kind, ObjectKind::Variable { sort, .. } if sort.is_scalar());
    for (id, _) in subject.system.globals.iter().enumerate().filter(|(_, o)| scalar(&o.kind)) {
        let proposition = Term::binary(Binary::Greater, Place::global(id).read(), Term::Constant(0));
        let observed = System { propositions: vec![proposition], ..subject.system.clone() };
        let truth = whole(&observed, &parity())?;
        if ours(&observed, &parity()) != Some(truth) {
            complaints.push(format!("a run is missed, of {id}\n{}", subject.text));
        }
        missed.fetch_add(usize::from(usual(&observed, &parity()) != Some(truth)), Ordering::SeqCst);
    }
    Some(complaints)
}

/// `(!p)+ p^ω`, by guessing the parity of what comes before the first p.
fn parity() -> Automaton {
    let not = || Label { cubes: vec![Cube { positive: 0, negative: 1 }] };
    let is = || Label { cubes: vec![Cube { positive: 1, negative: 0 }] };
    let edge = |label, to, sets| Edge { label, to, sets };
    let [odd, even, accepting] = [1, 2, 3];
    let states = vec![
        vec![edge(not(), odd, 0), edge(not(), even, 0)],
        vec![edge(not(), even, 0)],
        vec![edge(not(), odd, 0), edge(is(), accepting, 1)],
        vec![edge(is(), accepting, 1)],
    ];
    Automaton { propositions: 1, sets: 1, initial: 0, states }
}

fn program(system: &System) -> Option<Program> {
    let mut program = Program::new(Simplified::raw(system)).ok()?;
    program.prepare().ok()?;
    Some(program)
}

fn accepts<S: Observer>(stepper: S, automaton: &Automaton) -> Option<bool> {
    let unseen = Arc::new(Unseen::default());
    let mut product = Product::new(stepper, automaton, &[], true, Arc::clone(&unseen));
    let limits = Limits { states: Some(5_000), ..Limits::default() };
    let outcome = emptiness(&mut product, limits, &mut NoListener);
    (outcome.stopped.is_none() && unseen.undefined.get().is_none()).then_some(outcome.lasso.is_some())
}

fn whole(system: &System, automaton: &Automaton) -> Option<bool> {
    accepts(program(system)?, automaton)
}

fn ours(system: &System, automaton: &Automaton) -> Option<bool> {
    accepts(Reduced::new(program(system)?, METHOD, Shared::new(Proviso::Cycles)), automaton)
}

/// The usual combination: a depth-first search of the product that looks at its own stack.
fn usual(system: &System, automaton: &Automaton) -> Option<bool> {
    let mut program = program(system)?;
    let mut out = Edges::default();
    program.initial(&mut out);
    let first = (automaton.initial, out.iter().next()?.to_vec());
    let mut search =
        Usual { program, automaton, numbers: HashMap::new(), stacked: Vec::new(), edges: Vec::new() };
    search.visit(first);
    let acceptance = Acceptance { marks: 1, recurrent: vec![0], pairs: Vec::new() };
    let mut graph = Explicit { acceptance, initial: vec![0], edges: search.edges };
    Some(emptiness(&mut graph, Limits::default(), &mut NoListener).lasso.is_some())
}

struct Usual<'a> {
    program: Program,
    automaton: &'a Automaton,
    numbers: HashMap<(usize, Vec<u8>), usize>,
    stacked: Vec<bool>,
    edges: Vec<Vec<GraphEdge>>,
}

impl Usual<'_> {
    fn visit(&mut self, (at, state): (usize, Vec<u8>)) -> usize {
        let number = self.edges.len();
        self.numbers.insert((at, state.clone()), number);
        self.edges.push(Vec::new());
        self.stacked.push(true);
        let letter = self.program.observe(&state).unwrap_or(0);
        let edges: Vec<Edge> =
            self.automaton.states[at].iter().filter(|e| e.label.holds(letter)).cloned().collect();
        let mut targets = self.selected(&state, &edges);
        if targets.is_empty() {
            targets.push(state);
        }
        for edge in &edges {
            for target in &targets {
                let key = (edge.to, target.clone());
                let to = self.numbers.get(&key).copied();
                let to = to.unwrap_or_else(|| self.visit(key));
                self.edges[number]
                    .push(GraphEdge { target: to as u32, marks: (0..edge.sets as usize).collect() });
            }
        }
        self.stacked[number] = false;
        number
    }

    /// The successors that are explored.
    fn selected(&mut self, state: &[u8], edges: &[Edge]) -> Vec<Vec<u8>> {
        let mut successors = Edges::default();
        self.program.expand(state, &mut successors);
        let all: Vec<Vec<u8>> = successors.iter().map(<[u8]>::to_vec).collect();
        if !self.program.load(state, &successors) {
            return all;
        }
        let (enabled, visible) = (self.program.enabled(), self.program.visible());
        let nodes = self.program.nodes().to_vec();
        let by: Vec<Set> = successors
            .labels
            .iter()
            .map(|l| nodes.iter().position(|n| *n == node(*l)).map_or(0, |at| 1 << at))
            .collect();
        let of = |set: Set| all.iter().zip(&by).filter(move |(_, by)| set & **by != 0).map(|(s, _)| s);
        let closes = |state: &Vec<u8>| {
            edges.iter().any(|e| self.numbers.get(&(e.to, state.clone())).is_some_and(|n| self.stacked[*n]))
        };
        let accept = |set: Set| set & visible == 0 && !of(set).any(closes);
        let starts = members(enabled & !visible);
        let weight = |set: Set| of(set).count() as u32;
        let set = Sets::default().each(&mut AtHand(&mut self.program, METHOD), starts, weight, accept);
        of(set).cloned().collect()
    }
}
