//! The symbolic engine beside brute force: reachable states, steps, verdicts and runs, on random
//! systems and on the corpus.

#[path = "../../../logic/tests/support/random.rs"]
mod random;

mod brute;
mod systems;

use brute::Graph;
use certify::{Asked, confirms, through};
use logic::automata::translate;
use logic::fol::{Sort, Term, Value};
use logic::ltl::semantics::satisfies;
use logic::ltl::{Formula, Lasso};
use num_bigint::BigUint;
use random::{Random, Shape, formula};
use source::SourceMap;
use std::path::Path;
use symbolic::{NoAnswer, Options, Search, satisfying};
use system::Meaning;
use system::fts::step::Valuation;
use system::fts::{Fairness, Fts, Reference};
use systems::Maker;

const SMALL: Options = Options { fairness: Fairness::Strong, nodes: 1 << 17, values: 256 };

/// `WEAVE_SYSTEMS` random systems, or this many.
fn how_many(usual: u64) -> u64 {
    std::env::var("WEAVE_SYSTEMS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

#[derive(Default, Debug)]
struct Tally {
    systems: usize,
    faults: usize,
    infinite: usize,
    holds: usize,
    violated: usize,
}

#[test]
fn random_systems_are_judged_as_by_brute_force() {
    let mut tally = Tally::default();
    for seed in 0..how_many(700) {
        let mut maker = Maker::new(seed);
        let fts = maker.system();
        let fairness =
            [Fairness::Strong, Fairness::Strong, Fairness::Weak, Fairness::None][seed as usize % 4];
        let formulas: Vec<_> = (0..3).map(|_| maker.formula()).collect();
        compare(&format!("seed {seed}"), (&fts, &Valuation::new(), fairness), &formulas, 300, &mut tally);
    }
    assert!(tally.systems * 10 > how_many(700) as usize * 8, "{tally:?}");
    assert!(tally.holds > tally.systems / 4 && tally.violated > tally.systems / 4, "{tally:?}");
    assert!(tally.faults > 0, "{tally:?}");
}

/// Holds both sides against each other.
fn compare(
    name: &str,
    (fts, given, fairness): (&Fts, &Valuation, Fairness),
    formulas: &[Formula<Term>],
    most: usize,
    tally: &mut Tally,
) {
    let ask = |_: usize| true;
    let graph = Graph::new(fts, given, fairness, most);
    if let Ok(None) = graph {
        tally.infinite += 1;
        return;
    }
    let search = Search::new(fts, given, &[], &Options { fairness, ..SMALL }, &ask);
    let graph = match graph {
        Ok(Some(graph)) => graph,
        Ok(None) => return,
        Err(error) => {
            let seen = match &search {
                Err(NoAnswer::Refused(_)) => true,
                Err(_) => false,
                Ok(search) => search.fault().is_some(),
            };
            assert!(seen, "{name}: {error}; not seen");
            tally.faults += 1;
            return;
        }
    };
    let search = search.unwrap_or_else(|cause| panic!("{name}: {cause}"));
    assert_eq!(search.fault(), None, "{name}");
    assert_eq!(search.states(), BigUint::from(graph.states.len()), "{name}: states");
    assert_eq!(search.steps(), Ok(BigUint::from(graph.edges())), "{name}: steps");
    assert_eq!(search.initial(), BigUint::from(graph.initial), "{name}: initial states");
    tally.systems += 1;
    for formula in formulas {
        let expected = graph.is_violated(fts, given, formula);
        let found = search.violation(formula, given);
        match (expected, found) {
            (None, Err(NoAnswer::Refused(_))) => tally.faults += 1,
            // Sets of states hold whole numbers: fractions are refused, never judged.
            (Some(_), Err(NoAnswer::Refused(_))) if has_reals(fts) => tally.faults += 1,
            (Some(true), Ok(Some(run))) => {
                let (numbered, atoms) = formula.clone().numbered();
                let first = run.states.first();
                let reference = Reference { fts, given, fairness, atoms: &atoms, first };
                let asked = Asked { meaning: &Meaning::Always(numbered), ends: true };
                confirms(&reference, asked, &run).unwrap_or_else(|why| panic!("{name}: {formula:?}: {why}"));
                tally.violated += 1;
            }
            (Some(false), Ok(None)) => tally.holds += 1,
            (expected, found) => panic!("{name}: {expected:?} expected, {found:?} found: {formula:?}"),
        }
    }
    first_false(name, &search, &graph, (fts, given), formulas);
}

fn has_reals(fts: &Fts) -> bool {
    let is_real = |sort: &Sort| match sort {
        Sort::Array(_, element) => **element == Sort::Real,
        sort => *sort == Sort::Real,
    };
    fts.variables.iter().any(|v| is_real(&v.symbol.sort))
}

/// Runs to a state where an assertion is false exist and are shortest.
fn first_false(
    name: &str,
    search: &Search<'_>,
    graph: &Graph,
    (fts, given): (&Fts, &Valuation),
    formulas: &[Formula<Term>],
) {
    let mut atoms = Vec::new();
    formulas.iter().for_each(|f| f.atoms(&mut |e| atoms.push(e.clone())));
    for atom in atoms.iter().take(2) {
        let depth = graph.depth_of(|state| {
            let within = system::fts::step::In { fts, given, state, extra: Vec::new() };
            logic::fol::holds(atom, &within) == Some(false)
        });
        // What has no value is false nowhere.
        let Ok(way) = search.breaks(atom, given) else {
            assert_eq!(depth, None, "{name}: {atom}");
            continue;
        };
        assert_eq!(way.as_ref().map(|w| w.states.len() - 1), depth, "{name}: {atom}");
        if let Some(path) = way {
            let (first, atoms) = (path.states.first(), &[][..]);
            let reference = Reference { fts, given, fairness: Fairness::Strong, atoms, first };
            through(&reference, &path).unwrap_or_else(|why| panic!("{name}: {why}"));
        }
    }
}

/// What the head of a program gives for inputs: `run: check -D N=3`.
fn inputs(text: &str) -> Valuation {
    let run = text.lines().take(15).find_map(|l| l.strip_prefix("// run: ")).unwrap_or("");
    let words: Vec<&str> = run.split_whitespace().collect();
    let defines = words.windows(2).filter(|w| w[0] == "-D").filter_map(|w| w[1].split_once('='));
    let value = |text: &str| text.parse().map(Value::Int).unwrap_or(Value::Bool(text == "true"));
    defines.map(|(name, text)| (name.into(), value(text))).collect()
}

#[test]
fn programs_of_the_corpus_are_judged_as_by_brute_force() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/spl");
    let mut tally = Tally::default();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let mut map = SourceMap::new();
        let root = map.add(path.to_string_lossy().into_owned(), text.clone());
        let (Some(fts), _) = spl::read(&map, &[root]) else { continue };
        let given = inputs(&text);
        let closed = fts.properties.iter().filter(|p| p.rigid.is_empty());
        let formulas: Vec<_> = closed.map(|p| p.formula.clone()).collect();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        for fairness in [Fairness::Strong, Fairness::Weak, Fairness::None] {
            compare(&name, (&fts, &given, fairness), &formulas, 1000, &mut tally);
        }
    }
    assert!(tally.systems >= 60 && tally.violated >= 40 && tally.holds >= 40, "{tally:?}");
}

#[test]
fn satisfiable_formulas_are_those_with_a_word() {
    let mut random = Random::new(7);
    let ask = |_: usize| true;
    let (mut with, mut without) = (0, 0);
    for _ in 0..how_many(600) {
        let shape = Shape { size: 1 + random.below(10), propositions: 2, ..Shape::default() };
        let formula = formula(&mut random, &shape);
        let expected = translate(&formula).unwrap().witness().is_none();
        match satisfying(&formula, 2, &SMALL, &ask).unwrap() {
            Some(word) => {
                let letters = |part: &[Vec<bool>]| {
                    let letter = |l: &Vec<bool>| u64::from(l[0]) | u64::from(l[1]) << 1;
                    part.iter().map(letter).collect::<Vec<_>>()
                };
                let word = Lasso::new(letters(&word.stem), letters(&word.cycle));
                assert!(satisfies(&word, &formula), "{formula:?}");
                assert!(!expected, "{formula:?}");
                with += 1;
            }
            None => {
                assert!(expected, "{formula:?} has a word");
                without += 1;
            }
        }
    }
    assert!(with > 100 && without > 10, "{with} {without}");
}
