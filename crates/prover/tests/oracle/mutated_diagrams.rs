//! A thousand damaged diagrams: z3 confirms every condition of each that the certifier accepts, and
//! lassos taken at random its acceptance. No property that is false is accepted.
//!
//! Edges, assertions, ranks, labels, helpful transitions, reasons and intervals of the diagrams of
//! the corpus are dropped, exchanged and forged; symbols are captured. The conditions that z3 is
//! asked about are those of the prover, not those of the certifier.

use crate::diagrams::{LINEAR, LOCAL, POLYHEDRAL, VISITS};
use crate::support::{Program, program, text};
use certify::proof::Certifier;
use logic::fol::{Sort, Symbol, Term};
use logic::random::Random;
use prover::diagram::Question;
use prover::diagram::graph::{Edges, Graph};
use prover::{Condition, Judge, Lemma};
use solve::External;
use std::collections::HashMap;
use std::sync::Mutex;
use system::fts::diagram::{Acceptance, Edge, Kind, Proven, Rank, Reason};
use system::fts::{Evidence, Helpful, Property};

/// How many diagrams are damaged.
const MUTATIONS: usize = 1_000;
/// How many lassos of each generalized diagram are looked at.
const LASSOS: usize = 300;

/// A diagram that proves its property, and a property of the program that is false, if it has one.
struct Original {
    program: Program,
    proven: Proven,
    property: Property,
    wrong: Option<Property>,
    background: Vec<Lemma>,
    /// What the certifier was told of conditions so far.
    known: Mutex<HashMap<String, bool>>,
}

fn original(name: &str, diagram: &str, lemmas: &[&str], wrong: Option<&str>) -> Original {
    let drawn = text(&format!("diagrams/{name}.diagram"));
    let program = program(&format!("{}\n{drawn}", text(&format!("spl/{name}.spl"))));
    let background = program.lemmas(lemmas);
    let found = program.fts.diagrams.iter().find(|d| d.name == diagram).expect("the diagram").clone();
    let named = |name: &str| program.fts.properties.iter().find(|p| p.name == name).cloned();
    let property = named(&found.property).expect("its property");
    let judge = program.judge();
    let question =
        Question { judge: &judge, diagram: &found, given: &property.given, background: &background };
    let attempt = question.prove(&property.formula).expect("a diagram of the right form");
    let Some(Evidence::Diagram(proven)) = attempt.evidence else { panic!("{diagram} is not proved") };
    let wrong = wrong.map(|name| named(name).expect("a property"));
    Original { program, proven: *proven, property, wrong, background, known: Mutex::default() }
}

impl Original {
    fn accepts(&self, property: &Property, proven: &Proven) -> bool {
        let judge = self.program.judge();
        let valid = |_: &[Term], given: &[Term], goal: &Term| {
            let given = Term::all(given.iter().cloned());
            let key = format!("{given} |- {goal}");
            if let Some(answer) = self.known.lock().unwrap().get(&key) {
                return *answer;
            }
            let answer = judge.confirms(&Condition::implication("", given, goal.clone(), &self.background));
            self.known.lock().unwrap().insert(key, answer);
            answer
        };
        let evidence = Evidence::Diagram(Box::new(proven.clone()));
        Certifier::new(&self.program.fts, &valid).property(property, &evidence, &[]).is_ok()
    }

    /// What z3 says of the conditions that the prover poses; what lassos say of the acceptance.
    fn confirm(&self, proven: &Proven, z3: &External, asked: &mut HashMap<String, bool>) {
        let judge = Judge { solver: z3, ..self.program.judge() };
        // Edges from terminal nodes mean nothing where there are such; the prover refuses the form.
        let mut diagram = proven.diagram.clone();
        let ends: Vec<bool> = diagram.nodes.iter().map(|n| n.terminal).collect();
        let linear = matches!(diagram.kind, Kind::WaitFor | Kind::Chain | Kind::Rank);
        diagram.edges.retain(|e| !(linear && ends[e.from]));
        let question = Question {
            judge: &judge,
            diagram: &diagram,
            given: &self.property.given,
            background: &self.background,
        };
        for posed in question.posed(&self.property.formula).expect("conditions") {
            let key =
                format!("{} {} |- {}", self.program.fts.name, posed.condition.given, posed.condition.goal);
            let valid = *asked.entry(key).or_insert_with(|| judge.is_valid(&posed.condition));
            assert!(
                valid,
                "z3 refutes {} of {proven:#?}: {:?}\n{} |- {}",
                posed.condition.name,
                judge.answer(&posed.condition),
                posed.condition.given,
                posed.condition.goal
            );
        }
        if proven.diagram.kind == Kind::Generalized {
            lassos(proven);
        }
    }
}

/// Every lasso that is not accepted is excluded by a reason, as reasons are defined.
fn lassos(proven: &Proven) {
    let graph = Graph::of(&proven.diagram);
    let mut random = Random::new(7);
    for _ in 0..LASSOS {
        let Some(circle) = circle(&graph, &mut random) else { continue };
        let nodes = graph.touched(&circle);
        let within = |all: &[usize]| nodes.iter().all(|n| all.contains(n));
        let excludes = |reason: &Reason| match reason {
            Reason::Just(all, _) => within(all),
            Reason::Compassionate { nodes: all, enabled, .. } => {
                within(all) && nodes.iter().any(|n| enabled.contains(n))
            }
            Reason::WellFounded(of, cut) => {
                circle.iter().all(|e| of.contains(e)) && circle.iter().any(|e| cut.contains(e))
            }
        };
        let fine = graph.accepts(&circle) || proven.reasons.iter().any(excludes);
        assert!(fine, "{circle:?} of {proven:#?}");
    }
}

/// The edges of a closed walk, taken at random.
fn circle(graph: &Graph, random: &mut Random) -> Option<Edges> {
    let start = random.below(graph.nodes);
    let (mut at, mut taken) = (start, Edges::new());
    for _ in 0..12 {
        let out: Vec<usize> = (0..graph.edges.len()).filter(|e| graph.edges[*e].0 == at).collect();
        let edge = *out.get(random.below(out.len().max(1)))?;
        taken.insert(edge);
        at = graph.edges[edge].1;
        if at == start && random.below(2) == 0 {
            return Some(taken);
        }
    }
    None
}

fn any<T>(random: &mut Random, all: &[T]) -> Option<usize> {
    (!all.is_empty()).then(|| random.below(all.len()))
}

/// Does one kind of damage; some do nothing to some diagrams.
fn damage(proven: &mut Proven, transitions: &[String], random: &mut Random) {
    let nodes = proven.diagram.nodes.len();
    let (one, other) = (random.below(nodes), random.below(nodes));
    let edge = any(random, &proven.diagram.edges);
    match random.below(14) {
        0 => drop(edge.map(|e| proven.diagram.edges.remove(e))),
        1 => edge.into_iter().for_each(|e| proven.diagram.edges[e].to = other),
        2 => {
            let by = vec![helpful(transitions, random)];
            let span = proven.diagram.edges[0].span;
            proven.diagram.edges.push(Edge { from: one, to: other, by, span });
        }
        3 => proven.diagram.nodes[one].assertion = proven.diagram.nodes[other].assertion.clone(),
        4 => proven.diagram.nodes[one].assertion = Term::truth(random.below(2) == 0),
        5 => {
            let parts = [one, other].map(|n| proven.diagram.nodes[n].assertion.clone());
            let joined = if random.below(2) == 0 { Term::any(parts) } else { Term::all(parts) };
            proven.diagram.nodes[one].assertion = joined;
        }
        6 => captured(proven, one, random),
        7 => {
            let rank = proven.diagram.nodes[other].rank.clone();
            proven.diagram.nodes[one].rank = if random.below(2) == 0 { rank } else { Vec::new() };
        }
        8 => {
            let shifted = |e: &Term| e.plus(&Term::int(if one > other { 1 } else { -1 }));
            let rank = proven.diagram.nodes[one].rank.iter();
            let number = |r: &Rank| if matches!(r, Rank::Number(_)) { r.map(shifted) } else { r.clone() };
            proven.diagram.nodes[one].rank = rank.map(number).collect();
        }
        9 => {
            let by = vec![helpful(transitions, random)];
            edge.into_iter().for_each(|e| proven.diagram.edges[e].by = by.clone());
        }
        10 => proven.diagram.nodes[one].terminal ^= true,
        11 => accepted(&mut proven.diagram.acceptance, one),
        12 => reasons(proven, transitions, random),
        _ => {
            proven.diagram.nodes[one].label = proven.diagram.nodes[other].label.clone();
            any(random, &proven.intervals).into_iter().for_each(|i| proven.intervals[i] ^= 1);
        }
    }
}

fn helpful(transitions: &[String], random: &mut Random) -> Helpful {
    Helpful { name: transitions[random.below(transitions.len())].clone(), parameters: Vec::new() }
}

/// An assertion that speaks of what is no part of the state.
fn captured(proven: &mut Proven, node: usize, random: &mut Random) {
    let name = ["y1'", "pi0'", "y1!0", "c", "chosen"][random.below(5)];
    let foreign = Term::eq(Symbol::constant(name, Sort::Int).term(), Term::int(random.below(3) as i64));
    let assertion = proven.diagram.nodes[node].assertion.clone();
    proven.diagram.nodes[node].assertion = match random.below(2) {
        0 => Term::all([assertion, foreign]),
        _ => Term::any([assertion, foreign]),
    };
}

fn accepted(acceptance: &mut Acceptance, node: usize) {
    match acceptance {
        Acceptance::Muller { exactly, containing } => {
            exactly.push(vec![node]);
            if node.is_multiple_of(2) {
                containing.push(vec![node]);
            }
        }
        Acceptance::Streett(pairs) => pairs.truncate(pairs.len() / 2),
    }
}

fn reasons(proven: &mut Proven, transitions: &[String], random: &mut Random) {
    let Some(at) = any(random, &proven.reasons) else { return };
    let node = random.below(proven.diagram.nodes.len());
    match (&mut proven.reasons[at], random.below(3)) {
        (_, 0) => drop(proven.reasons.remove(at)),
        (Reason::Just(_, by) | Reason::Compassionate { helpful: by, .. }, 1) => {
            *by = helpful(transitions, random);
        }
        (Reason::Just(nodes, _), _) => nodes.push(node),
        (Reason::Compassionate { enabled, .. }, _) => enabled.push(node),
        (Reason::WellFounded(of, cut), _) => cut.extend(of.first().copied()),
    }
}

#[test]
fn damaged_diagrams_are_not_accepted_wrongly() {
    let bakery = [&LOCAL[..], &LINEAR, &POLYHEDRAL].concat();
    let semaphore = ["l2 + l3 + m2 + m3 + r = 1", "r >= 0", "0 <= pi0 /\\ pi0 <= 3", "0 <= pi1 /\\ pi1 <= 3"];
    let originals = [
        original("bakery2", "mux_diagram", &[], None),
        original("bakery2", "overtaking", &bakery, Some("zero_bounded")),
        original("bakery2", "access", &bakery, None),
        original("bakery_vis", "visiting", &VISITS, None),
        original("mux_sem", "waiting", &semaphore, None),
        original("mux_sem", "access", &semaphore, None),
    ];
    let z3 = External::z3().expect("z3 is installed for tests");
    let mut random = Random::new(1998);
    let (mut asked, mut accepted) = (HashMap::new(), 0);
    for number in 0..MUTATIONS {
        let original = &originals[number % originals.len()];
        let mut proven = original.proven.clone();
        let transitions: Vec<String> =
            original.program.fts.transitions.iter().map(|t| t.name.clone()).collect();
        for _ in 0..1 + random.below(2) {
            damage(&mut proven, &transitions, &mut random);
        }
        if let Some(wrong) = &original.wrong {
            assert!(!original.accepts(wrong, &proven), "{number}: {proven:#?}");
        }
        if original.accepts(&original.property, &proven) {
            accepted += 1;
            original.confirm(&proven, &z3, &mut asked);
        }
    }
    assert!((50..MUTATIONS - 300).contains(&accepted), "{accepted} are accepted");
}
