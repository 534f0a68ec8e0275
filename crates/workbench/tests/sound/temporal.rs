//! Properties of runs: what weave answers is what brute force on the explicit graph finds, for
//! random programs and random formulas with X and the past, under every fairness, with and without
//! simplification. Every violation has been certified on the way.

use crate::brute::breaks;
use crate::graph::graph;
use crate::random::{Random, Shape, formula};
use crate::subjects::{Subject, generated, judge_all};
use logic::{Binary, Term};
use source::{SourceMap, Span};
use space::Fairness;
use system::{Expr, Meaning, ObjectKind, Place, Property, System};
use workbench::listener::{Interrupt, ProgressListener};
use workbench::temporal::{Query, check};
use workbench::{Question, Verdict};

const FORMULAS: usize = 4;

#[test]
fn formulas_have_the_verdicts_of_brute_force() {
    // More in a long run: PROGRAMS=4000 cargo nextest run
    // -p everyweave-workbench --test sound -E 'test(brute)'
    let count = std::env::var("PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let subjects = generated(0..count, "-assert,-hidden");
    let (judged, complaints) = judge_all(&subjects, |subject| complaints(subject, 150));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(judged as u64 * 4 >= count, "only {judged} programs of {count} were compared");
}

/// `None` if the program is too large, or has faults.
fn complaints(subject: &Subject, most: usize) -> Option<Vec<String>> {
    let propositions = propositions(&subject.system);
    let observed = System { propositions: propositions.clone(), ..subject.system.clone() };
    let graph = graph(&observed, most)?;
    let seed = subject.text.len() as u64 ^ (graph.letters.len() as u64) << 20;
    let mut random = Random::new(seed);
    let mut found = Vec::new();
    for k in 0..FORMULAS {
        let mut shape = if k % 2 == 0 { Shape::default() } else { Shape::stuttering() };
        (shape.size, shape.propositions) = (8, propositions.len());
        let formula = formula(&mut random, &shape);
        let property = Property {
            name: "p".to_string(),
            propositions: propositions.clone(),
            spans: Vec::new(),
            meaning: Meaning::Always(formula.clone()),
            ends: true,
            span: Span::default(),
        };
        for fairness in [Fairness::None, Fairness::Weak, Fairness::Strong] {
            let Some(broken) = breaks(&graph, &formula, fairness) else { continue };
            let expected = if broken { Verdict::Violated } else { Verdict::Holds };
            for raw in [false, true] {
                let verdict = verdict(&subject.system, &property, fairness, raw);
                if verdict != Ok(expected) {
                    found.push(format!(
                        "{formula:?} {fairness:?} raw {raw}: {expected:?} expected, {verdict:?}\n{}",
                        subject.text
                    ));
                }
            }
        }
    }
    Some(found)
}

fn verdict(system: &System, property: &Property, fairness: Fairness, raw: bool) -> Result<Verdict, String> {
    let request = Question { fairness: Some(fairness), raw, threads: 1, ..Question::default() };
    let (map, interrupt) = (SourceMap::new(), Interrupt::default());
    let mut tell = |_: &workbench::Progress| {};
    let mut watcher = ProgressListener::new(None, &interrupt, &mut tell);
    let question = Query { map: &map, system, property, request: &request };
    check(&question, &mut watcher).map(|judged| judged.verdict).map_err(|failure| failure.message())
}

/// Comparisons of the first few plain global variables, and of the number of processes.
fn propositions(system: &System) -> Vec<Expr> {
    let scalar = |kind: &ObjectKind| matches!(kind, ObjectKind::Variable { sort, .. } if sort.is_scalar());
    let globals = system.globals.iter().enumerate().filter(|(_, o)| scalar(&o.kind));
    let compare = |(id, _): (usize, &system::Object)| {
        Term::binary(Binary::Greater, Place::global(id).read(), Term::Constant(1))
    };
    let many = Term::binary(Binary::Greater, Term::Atom(system::Read::ProcessCount), Term::Constant(1));
    globals.map(compare).take(2).chain([many]).collect()
}
