//! Reduced searches of runs: for formulas that do not count steps, over everything that can be
//! observed, the reduced search, the full one and brute force on the explicit graph say the same,
//! whichever way persistent sets are computed.

use crate::brute::breaks;
use crate::graph::graph;
use crate::random::{Random, Shape, formula};
use crate::subjects::{Subject, corpus, generated, judge_all, subject};
use logic::automata::translate;
use logic::ltl::{Binary as Op, Formula, Unary};
use logic::{Binary, Term};
use source::{SourceMap, Span};
use space::Fairness;
use std::sync::atomic::{AtomicU64, Ordering};
use system::{Expr, Meaning, ObjectKind, Place, ProcessType, Property, Read, Root, System};
use workbench::listener::{Interrupt, ProgressListener};
use workbench::reduction::{PersistentSets, ReductionKind, ReductionRequest, Relation};
use workbench::temporal::{Judged, Query, check};
use workbench::{Question, Verdict};

const FORMULAS: usize = 6;

/// How many searches left something out, and how many states all searches had, reduced and whole.
#[derive(Default)]
struct Tally {
    smaller: AtomicU64,
    reduced: AtomicU64,
    whole: AtomicU64,
}

#[test]
fn reduced_searches_of_runs_have_the_verdicts_of_brute_force() {
    // More in a long run: PROGRAMS=4000 cargo nextest run
    // -p everyweave-workbench --test sound -E 'test(runs)'
    let count = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(240);
    let tally = Tally::default();
    for (part, features) in FEATURES.iter().enumerate() {
        let first = 20_000 + 100_000 * part as u64;
        let subjects = generated(first..first + count / FEATURES.len() as u64, features);
        let (judged, complaints) = judge_all(&subjects, |subject| complaints(subject, 500, &tally));
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
        assert!(judged * 4 >= subjects.len(), "only {judged} programs of {} were compared", subjects.len());
    }
    let [smaller, reduced, whole] =
        [&tally.smaller, &tally.reduced, &tally.whole].map(|n| n.load(Ordering::SeqCst));
    assert!(smaller * 2 >= count, "only {smaller} searches were smaller");
    assert!(reduced < whole, "{reduced} states instead of {whole}");
}

/// What programs have; the plainer they are, the more is left out.
const FEATURES: [&str; 3] = [
    "-assert,-hidden",
    "-assert,-hidden,-rendezvous,-channel-messages,-dynamic,-provided",
    "-assert,-hidden,+internals,+odd-labels",
];

/// Programs in which the order of independent steps is easily taken for nothing, or nothing for
/// something.
#[test]
fn runs_are_kept_that_are_easily_lost() {
    let tally = Tally::default();
    for (name, text) in TRAPS {
        let subject = subject(name, text).unwrap_or_else(|| panic!("{name} is refused"));
        assert_eq!(complaints(&subject, 5_000, &tally), Some(Vec::new()), "{name}");
    }
    for subject in corpus() {
        assert_eq!(
            complaints(&subject, 60, &tally).unwrap_or_default(),
            Vec::<String>::new(),
            "{}",
            subject.name
        );
    }
}

const TRAPS: &[(&str, &str)] = &[
    (
        "a loop of which nothing is visible",
        "bit x, y; active proctype A() { do :: x = 1 - x od } active proctype B() { y = 1; y = 0 }",
    ),
    (
        "death is seen by who counts",
        "byte n; active proctype A() { n = 1 } active proctype B() { n = 2; n = 0 } active proctype C() { do :: n = n od }",
    ),
    (
        "creation in a loop",
        "byte n; proctype P(byte k) { n = n + k; n = n - k } init { do :: _nr_pr < 3 -> run P(1) :: _nr_pr < 3 -> run P(2) od }",
    ),
    (
        "a handshake that is seen",
        "byte x, y; chan r = [0] of { byte }; active proctype A() { do :: r!1; x = 1; x = 0 od }
         active proctype B() { byte z; do :: r?z; y = z; y = 0 od } active proctype C() { bit u; do :: u = 1 - u od }",
    ),
    (
        "an atomic sequence that stops on its way",
        "byte x, y; chan q = [1] of { byte }; active proctype A() { do :: atomic { x = 1; q?_; x = 2; y = 0 } od }
         active proctype B() { do :: y = 1; q!1 od } active proctype C() { bit u; do :: u = 1 - u od }",
    ),
    (
        "timeout ends a loop",
        "byte x, y; active proctype A() { do :: x < 2 -> x++ :: timeout -> x = 0; y = 1 - y od }
         active proctype B() { do :: x == 2 -> x = 3; break od; y = 1 }",
    ),
    (
        "unless interrupts what is not visible",
        "byte x, y; active proctype A() { { do :: y = 1 - y od } unless { x == 2 }; y = 3 }
         active proctype B() { x = 1; x = 2 } active proctype C() { bit u; do :: u = 1 - u od }",
    ),
    (
        "else beside a channel",
        "byte x; chan q = [1] of { byte }; active proctype A() { do :: q?_ -> x = 1 :: else -> x = 0 od }
         active proctype B() { do :: q!1; q!2 od } active proctype C() { bit u; do :: u = 1; u = 0 od }",
    ),
    (
        "a d_step is one step to who looks",
        "byte x, y; active proctype A() { do :: d_step { x = 1; x = 0; y = 1 - y } od }
         active proctype B() { do :: x == 1 -> y = 2 :: y == 1 -> x = 3; x = 0 od } active proctype C() { bit u; do :: u = 1 - u od }",
    ),
];

/// `None` if the program is too large, or has faults.
fn complaints(subject: &Subject, most: usize, tally: &Tally) -> Option<Vec<String>> {
    let pool = pool(&subject.system);
    let plain = System { propositions: Vec::new(), ..subject.system.clone() };
    graph(&plain, most)?;
    let mut random = Random::new(subject.text.len() as u64 ^ (pool.len() as u64) << 20);
    let mut found = Vec::new();
    for k in 0..FORMULAS {
        let propositions: Vec<Expr> = (0..2).map(|_| pool[random.below(pool.len())].clone()).collect();
        let formula = random_formula(&mut random, k);
        let observed = System { propositions: propositions.clone(), ..subject.system.clone() };
        let Some(graph) = graph(&observed, most) else { continue };
        let Some(broken) = breaks(&graph, &formula, Fairness::None) else { continue };
        let expected = if broken { Verdict::Violated } else { Verdict::Holds };
        let property = Property {
            name: "p".to_string(),
            propositions,
            spans: Vec::new(),
            meaning: Meaning::Always(formula.clone()),
            ends: true,
            span: Span::default(),
        };
        // The same as a claim.
        if let Ok(automaton) = translate(&Formula::negation(formula.clone())) {
            let claim = Property { meaning: Meaning::Never(automaton), ..property.clone() };
            let verdict = ask(&subject.system, &claim, ReductionRequest::default(), false).map(|j| j.verdict);
            if verdict != Ok(expected) {
                found.push(format!(
                    "never {formula:?} of {:?}: {expected:?} expected, {verdict:?}\n{}",
                    property.propositions, subject.text
                ));
            }
        }
        for raw in [false, true] {
            let mut whole = 0;
            for reduction in requests() {
                let answer = ask(&subject.system, &property, reduction, raw);
                let verdict = answer.as_ref().map(|judged| judged.verdict);
                if verdict != Ok(expected) {
                    found.push(format!(
                        "{formula:?} of {:?} raw {raw} {reduction:?}: {expected:?} expected, {verdict:?}\n{}",
                        property.propositions, subject.text
                    ));
                }
                let states = answer.map_or(0, |judged| judged.searched.product.states);
                if reduction.kind == Some(ReductionKind::None) {
                    whole = states;
                } else if !broken {
                    tally.whole.fetch_add(whole, Ordering::SeqCst);
                    tally.reduced.fetch_add(states, Ordering::SeqCst);
                    tally.smaller.fetch_add(u64::from(states < whole), Ordering::SeqCst);
                }
            }
        }
    }
    Some(found)
}

/// Formulas without X; every third of them something that people ask.
fn random_formula(random: &mut Random, k: usize) -> Formula<usize> {
    let (p, q) = (Formula::Atom(0), Formula::Atom(1));
    let always = |f| Formula::unary(Unary::Always, f);
    let eventually = |f| Formula::unary(Unary::Eventually, f);
    match (k % 3, random.below(5)) {
        (0, 0) => always(Formula::binary(Op::Implies, p, eventually(q))),
        (0, 1) => always(eventually(p)),
        (0, 2) => eventually(always(p)),
        (0, 3) => Formula::binary(Op::And, always(eventually(p)), always(eventually(q))),
        (0, _) => always(Formula::negation(Formula::binary(Op::And, p, q))),
        _ => formula(random, &Shape { size: 8, propositions: 2, ..Shape::stuttering() }),
    }
}

/// The whole search, then reduced ones.
fn requests() -> Vec<ReductionRequest> {
    let mut all = vec![ReductionRequest { kind: Some(ReductionKind::None), ..ReductionRequest::default() }];
    for (sets, relation) in [
        (PersistentSets::Stubborn, Relation::Conditional),
        (PersistentSets::Stubborn, Relation::Static),
        (PersistentSets::Overman, Relation::Conditional),
    ] {
        all.push(ReductionRequest { sets, relation, ..ReductionRequest::default() });
    }
    all
}

fn ask(
    system: &System,
    property: &Property,
    reduction: ReductionRequest,
    raw: bool,
) -> Result<Judged, String> {
    let request = Question { reduction, raw, threads: 1, ..Question::default() };
    let (map, interrupt) = (SourceMap::new(), Interrupt::default());
    let mut tell = |_: &workbench::Progress| {};
    let mut watcher = ProgressListener::new(None, &interrupt, &mut tell);
    let question = Query { map: &map, system, property, request: &request };
    check(&question, &mut watcher).map_err(|failure| failure.message())
}

/// All that is asked about: variables, of processes too, channels, labels, who lives, progress and
/// acceptance.
fn pool(system: &System) -> Vec<Expr> {
    let mut pool = vec![greater(Term::Atom(Read::ProcessCount), 1)];
    pool.extend([Term::Atom(Read::NonProgress), Term::Atom(Read::Accepting)]);
    for (id, object) in system.globals.iter().enumerate() {
        match &object.kind {
            ObjectKind::Variable { sort, .. } if sort.is_scalar() => {
                pool.extend([0, 1].map(|c| greater(Place::global(id).read(), c)));
            }
            ObjectKind::Channel { capacity, .. } if *capacity > 0 => {
                let handle = || Box::new(Term::Atom(Read::Handle(Root::Global(id))));
                pool.extend([Read::Empty(handle()), Read::Full(handle())].map(Term::Atom));
                pool.push(greater(Term::Atom(Read::Length(handle())), 1));
            }
            _ => {}
        }
    }
    for (id, process_type) in system.process_types.iter().enumerate() {
        pool.extend(of_process(id, process_type));
    }
    pool
}

fn of_process(id: usize, process_type: &ProcessType) -> Vec<Expr> {
    let process = || Box::new(Term::Atom(Read::Instance(id)));
    let at = |point| Term::Atom(Read::At { process: process(), process_type: id, point });
    let points = (0..process_type.points.len()).step_by(3).map(at);
    let objects = process_type.objects.iter().enumerate();
    let scalars =
        objects.filter(|(_, o)| matches!(&o.kind, ObjectKind::Variable { sort, .. } if sort.is_scalar()));
    let locals = scalars.map(|(object, _)| {
        let root = Root::Remote { process: process(), process_type: id, object };
        greater(Place { root, path: Vec::new() }.read(), 0)
    });
    points.chain(locals).collect()
}

fn greater(term: Expr, than: i64) -> Expr {
    Term::binary(Binary::Greater, term, Term::Constant(than))
}
