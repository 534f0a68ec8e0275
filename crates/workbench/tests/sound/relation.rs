//! The stepper of fair transition systems beside `system::fts::step`, which says what a step is:
//! the same next states, what each asks for and meets, and the same words where something has no
//! value, in every state of the corpus and of random systems.

use compile::relation::{Asked, Assertion, Relation, unpacked};
use logic::fol::{Sort, Term, Value, holds};
use source::SourceMap;
use space::{Edges, Observer, Stepper, Which};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use system::fts::step::{self, In, State, Taken, Valuation};
use system::fts::{Fairness, Fts};

/// How much was compared.
#[derive(Debug, Default)]
struct Tally {
    systems: usize,
    states: usize,
    undefined: usize,
    requirements: usize,
}

pub fn read(name: &str, text: &str) -> Option<Fts> {
    let mut map = SourceMap::new();
    let root = map.add(name.to_string(), text.to_string());
    spl::read(&map, &[root]).0
}

/// What the head of a file gives: `-D NAME=NUMBER`.
pub fn inputs(text: &str) -> Valuation {
    let words: Vec<&str> = text.lines().take(6).flat_map(str::split_whitespace).collect();
    let defines = words.windows(2).filter(|pair| pair[0] == "-D").filter_map(|pair| pair[1].split_once('='));
    let number = |(name, value): (&str, &str)| Some((name.into(), Value::int(value.parse::<i64>().ok()?)));
    defines.filter_map(number).collect()
}

/// Values of the constants of a random system.
pub fn random_given(fts: &Fts) -> Valuation {
    let numbers = fts.rigid.iter().filter(|r| r.arguments.is_empty() && r.result == Sort::Int);
    numbers.map(|r| (r.name.clone(), Value::int(2))).collect()
}

/// The fair transitions with their parameters, in the order of their requirements.
fn fair(fts: &Fts, given: &Valuation) -> Vec<Taken> {
    let mut all = Vec::new();
    for (transition, t) in fts.transitions.iter().enumerate().filter(|(_, t)| t.fairness != Fairness::None) {
        let instances = step::instances(fts, given, t).unwrap_or_default();
        all.extend(instances.into_iter().map(|parameters| Taken { transition, parameters }));
    }
    all
}

fn bits(row: &[u64], count: usize) -> Vec<bool> {
    (0..count).map(|r| row[r / 64] >> (r % 64) & 1 == 1).collect()
}

struct Comparison<'a> {
    name: &'a str,
    fts: &'a Fts,
    given: &'a Valuation,
    atoms: Vec<Term>,
    fair: Vec<Taken>,
    relation: Relation,
}

impl Comparison<'_> {
    /// Compares the edges out of one state; the packed states they lead to.
    fn state(&mut self, packed: &[u8], tally: &mut Tally) -> Vec<Vec<u8>> {
        let name = self.name;
        let state = unpacked(self.fts, packed);
        let mut out = Edges { wants_fairness: true, ..Edges::default() };
        self.relation.expand(packed, &mut out);
        let expected = match step::successors(self.fts, self.given, &state) {
            Ok(expected) => expected,
            Err(why) => {
                assert_eq!(out.undefined, Some(why), "{name}: {state:?}");
                tally.undefined += 1;
                return Vec::new();
            }
        };
        assert_eq!(out.undefined, None, "{name}: {state:?}");
        let mut targets: BTreeMap<State, BTreeSet<usize>> = BTreeMap::new();
        let number = |taken: &Taken| self.fair.iter().position(|f| f == taken);
        let asked: BTreeSet<usize> = expected.iter().filter_map(|(taken, _)| number(taken)).collect();
        for (taken, next) in expected {
            targets.entry(next).or_default().extend(number(&taken));
        }
        let found: Vec<State> = out.iter().map(|s| unpacked(self.fts, s)).collect();
        assert_eq!(found, targets.keys().cloned().collect::<Vec<_>>(), "{name}: {state:?}");
        let rows = |set: &BTreeSet<usize>| (0..self.fair.len()).map(|r| set.contains(&r)).collect::<Vec<_>>();
        assert_eq!(bits(&out.asks, self.fair.len()), rows(&asked), "{name}: asks in {state:?}");
        for (k, met) in targets.values().enumerate() {
            assert_eq!(bits(out.met(k), self.fair.len()), rows(met), "{name}: {state:?} to {:?}", found[k]);
            let steps = self.relation.explain(packed, Which::to(out.get(k))).unwrap();
            assert_eq!((steps.len(), &steps[0].path[..]), (1, &[k][..]), "{name}");
        }
        self.letters(packed, &state);
        tally.states += 1;
        out.iter().map(<[u8]>::to_vec).collect()
    }

    fn letters(&mut self, packed: &[u8], state: &State) {
        let within = In { fts: self.fts, given: self.given, state, extra: Vec::new() };
        let values: Vec<Option<bool>> = self.atoms.iter().map(|atom| holds(atom, &within)).collect();
        for (atom, value) in self.atoms.iter().zip(&values) {
            let seen = Assertion::new(self.fts, self.given, atom).holds(packed);
            assert_eq!(seen, *value, "{}: `{atom}` in {state:?}", self.name);
        }
        let letter =
            values.iter().enumerate().try_fold(0u64, |all, (at, v)| Some(all | u64::from((*v)?) << at));
        assert_eq!(self.relation.observe(packed).ok(), letter, "{}: {state:?}", self.name);
    }
}

/// Compares up to `most` states of a system.
fn compare(name: &str, fts: &Fts, given: &Valuation, most: usize, tally: &mut Tally) {
    let mut atoms: Vec<Term> = Vec::new();
    for property in &fts.properties {
        drop(property.formula.clone().map(&mut |e: Term| atoms.push(e)));
    }
    atoms.extend(fts.type_checks.iter().filter(|c| c.parameters.is_empty()).map(|c| c.condition.clone()));
    atoms.truncate(60);
    let asked = Asked { atoms: &atoms, invariants: &[], fairness: Fairness::Strong };
    let mut relation = Relation::new(fts, given, &asked);
    let fair = fair(fts, given);
    assert_eq!(relation.requirements().len(), fair.len(), "{name}");
    let mut out = Edges::default();
    relation.initial(&mut out);
    match step::initial(fts, given) {
        Err(_) => return assert!(out.undefined.is_some(), "{name}"),
        Ok(states) if states.is_empty() => return assert!(out.undefined.is_some(), "{name}"),
        Ok(states) => assert_eq!(out.iter().map(|s| unpacked(fts, s)).collect::<Vec<_>>(), states, "{name}"),
    }
    tally.systems += 1;
    tally.requirements += fair.len();
    let mut seen: BTreeSet<Vec<u8>> = out.iter().map(<[u8]>::to_vec).collect();
    let mut queue: VecDeque<Vec<u8>> = seen.iter().cloned().collect();
    let mut comparison = Comparison { name, fts, given, atoms, fair, relation };
    while let Some(packed) = queue.pop_front().filter(|_| seen.len() < most) {
        for next in comparison.state(&packed, tally) {
            if seen.insert(next.clone()) {
                queue.push_back(next);
            }
        }
    }
}

#[test]
fn programs_of_the_corpus_take_the_same_steps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/spl");
    let mut tally = Tally::default();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if let Some(fts) = read(&name, &text) {
            compare(&name, &fts, &inputs(&text), 300, &mut tally);
        }
    }
    assert!(tally.systems > 40 && tally.states > 3_000 && tally.requirements > 300, "{tally:?}");
}

#[test]
fn random_systems_take_the_same_steps() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        let text = xtask::proofs::text(seed);
        let name = format!("seed {seed}");
        if let Some(fts) = read(&name, &text) {
            compare(&name, &fts, &random_given(&fts), 200, &mut tally);
        }
    }
    assert!(tally.systems > 250 && tally.states > 5_000, "{tally:?}");
}
