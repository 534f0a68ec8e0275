//! The sets that a fair transition system offers to reduction are persistent by definition
//! (Godefroid, Definition 4.1), tried by execution: whatever is done outside of the set leaves the
//! steps of the set enabled and commutes with them.

use crate::relation::{inputs, random_given, read};
use compile::relation::{Asked, Relation};
use explore::reduction::persistent::{AtHand, Sets, members};
use independence::selective::Selective;
use independence::{Algorithm, Method, node};
use objects::Dependency;
use space::{Edges, Stepper};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::Path;
use system::fts::Fts;
use system::fts::step::Valuation;

const METHOD: Method =
    Method { algorithm: Algorithm::Stubborn, conditional: true, dependency: Dependency::Conditional };

/// Where each branch leads from a state.
type Steps = BTreeMap<usize, BTreeSet<Vec<u8>>>;

#[derive(Debug, Default)]
struct Tally {
    sets: usize,
    /// Sets that leave something out.
    smaller: usize,
    /// Steps outside of sets that were tried.
    tried: usize,
}

/// `None` where something has no value.
fn steps(relation: &mut Relation, state: &[u8]) -> Option<(Edges, Steps)> {
    let mut edges = Edges::default();
    relation.expand(state, &mut edges);
    let mut steps = Steps::new();
    for (target, label) in edges.iter().zip(&edges.labels) {
        steps.entry(node(*label).transition).or_default().insert(target.to_vec());
    }
    edges.undefined.is_none().then_some((edges, steps))
}

/// Where one branch and then another lead.
fn after(relation: &mut Relation, via: &BTreeSet<Vec<u8>>, branch: usize) -> Option<BTreeSet<Vec<u8>>> {
    let mut all = BTreeSet::new();
    for state in via {
        let (_, steps) = steps(relation, state)?;
        all.extend(steps.get(&branch).into_iter().flatten().cloned());
    }
    Some(all)
}

/// Executes what is outside of a set, up to some states; `None` where something has no value.
fn try_set(
    name: &str,
    relation: &mut Relation,
    start: &[u8],
    set: &BTreeSet<usize>,
    tally: &mut Tally,
) -> Option<()> {
    let mut seen = BTreeSet::from([start.to_vec()]);
    let mut queue = VecDeque::from([start.to_vec()]);
    while let Some(state) = queue.pop_front() {
        let (_, here) = steps(relation, &state)?;
        for (other, targets) in here.iter().filter(|(branch, _)| !set.contains(branch)) {
            tally.tried += 1;
            for branch in set {
                let own = here.get(branch);
                let own = own.unwrap_or_else(|| panic!("{name}: outside steps disable {branch}"));
                let (one, two) = (after(relation, targets, *branch)?, after(relation, own, *other)?);
                assert_eq!(one, two, "{name}: {branch} of the set and {other} do not commute");
                assert!(!one.is_empty(), "{name}: {other} disables {branch} of the set");
            }
            for target in targets {
                if seen.len() < 40 && seen.insert(target.clone()) {
                    queue.push_back(target.clone());
                }
            }
        }
    }
    Some(())
}

/// Tries the sets of up to `most` states of a system.
fn try_system(name: &str, fts: &Fts, given: &Valuation, most: usize, tally: &mut Tally) -> Option<()> {
    let mut relation = Relation::new(fts, given, &Asked::default());
    relation.prepare().ok()?;
    let mut initial = Edges::default();
    relation.initial(&mut initial);
    let mut seen: BTreeSet<Vec<u8>> = initial.iter().map(<[u8]>::to_vec).collect();
    let mut queue: VecDeque<Vec<u8>> = seen.iter().cloned().collect();
    let mut sets = Sets::default();
    while let Some(state) = queue.pop_front().filter(|_| seen.len() < most) {
        let (edges, _) = steps(&mut relation, &state)?;
        for start in 0..relation_enabled(&mut relation, &state, &edges) {
            relation.load(&state, &edges);
            let set = sets.around(&mut AtHand(&mut relation, METHOD), start);
            let all = relation.enabled();
            assert!(set >> start & 1 == 1 && set & !all == 0, "{name}");
            let branches = members(set).map(|at| relation.nodes()[at].transition).collect();
            tally.sets += 1;
            if set != all {
                tally.smaller += 1;
                try_set(name, &mut relation, &state, &branches, tally)?;
            }
        }
        for target in edges.iter() {
            if seen.insert(target.to_vec()) {
                queue.push_back(target.to_vec());
            }
        }
    }
    Some(())
}

/// How many branches are enabled.
fn relation_enabled(relation: &mut Relation, state: &[u8], edges: &Edges) -> usize {
    if relation.load(state, edges) { relation.enabled().count_ones() as usize } else { 0 }
}

#[test]
fn sets_of_the_corpus_are_persistent() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/spl");
    let mut tally = Tally::default();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        if let Some(fts) = read(&name, &text) {
            try_system(&name, &fts, &inputs(&text), 60, &mut tally);
        }
    }
    assert!(tally.smaller > 1_000 && tally.tried > 10_000, "{tally:?}");
}

#[test]
fn sets_of_random_systems_are_persistent() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        let name = format!("seed {seed}");
        if let Some(fts) = read(&name, &xtask::proofs::text(seed)) {
            try_system(&name, &fts, &random_given(&fts), 60, &mut tally);
        }
    }
    assert!(tally.smaller > 500 && tally.tried > 1_000, "{tally:?}");
}
