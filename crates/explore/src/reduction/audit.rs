//! An audit of what reduction relies on, by execution: pairs of steps that are called independent
//! are executed in both orders, and sets that are called persistent are watched while everything
//! outside of them happens.
//!
//! States are reached without any reduction, and a sample of them is looked at:
//! * **Pairs** (Definition 3.17): neither step disables the other, what each may do stays as it is,
//!   faults included, and both orders lead to the same states. A grouped step may have several
//!   paths; both orders must have the same.
//! * **Sets** (Definition 4.1): in every state that steps outside of the set lead to, each such
//!   step is independent, by execution, of each step of the set. This tries the static relations
//!   and ▷s as they are used.
//! * **Weak uniformity** (Definition 6.6) of the relation for sleep sets with proviso, on triples
//!   of enabled steps.
//!
//! Nothing here looks at objects or tables: only at what the stepper does and at what it claims.

use super::persistent::{AtHand, Sets};
use independence::selective::Selective;
use independence::{Algorithm, Method, Set, members, node};
use objects::Dependency;
use space::{Edges, Ending, FaultAt, Label, Run, Which};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::rc::Rc;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// States that are looked at.
    pub states: usize,
    /// States that these are chosen from.
    pub reach: usize,
    /// States in which a set is watched.
    pub outside: usize,
}

impl Default for Sample {
    fn default() -> Self {
        Sample { states: 1_000, reach: 100_000, outside: 50 }
    }
}

/// What was looked at, and what was wrong.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// How many states were audited.
    pub states: u64,
    /// Pairs called independent and executed in both orders, once for each relation.
    pub pairs: u64,
    /// Sets called persistent and watched.
    pub sets: u64,
    /// Of these, sets that more can happen outside of than was watched.
    pub cut: u64,
    /// Triples of weak uniformity.
    pub triples: u64,
    /// Claims that were refuted.
    pub invalid: Vec<Invalid>,
}

/// A claim that execution refutes, and a way to the state it was made in.
#[derive(Clone, Debug)]
pub struct Invalid {
    /// A run to the state.
    pub run: Run,
    /// What was claimed.
    pub claim: Claim,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// A claim of a reduction about one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// The two are independent.
    Pair {
        /// The first step.
        one: Label,
        /// The second step.
        other: Label,
        /// The relation that says so.
        by: Dependency,
    },
    /// The set is persistent; `one`, outside of it, and `other`, in it, meet after these steps.
    Set {
        /// How the set was computed.
        method: Method,
        /// The set.
        set: Vec<Label>,
        /// The steps before the two.
        after: Vec<Label>,
        /// The step outside the set.
        one: Label,
        /// The step in the set.
        other: Label,
    },
    /// The relation is weakly uniform.
    Uniform {
        /// The first step.
        one: Label,
        /// The second step.
        other: Label,
        /// The step between them.
        between: Label,
    },
}

/// What execution shows against a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// After the one, the other cannot be done any more, or has more or fewer ways.
    Enabledness,
    /// After the one, the other fails otherwise.
    Faults,
    /// The two orders lead to different states.
    Elsewhere,
    /// Independent after a third step and not before.
    Uniformity,
}

/// Audits what the stepper says about independence. It must be prepared.
pub fn audit(stepper: &mut impl Selective, sample: Sample) -> Audit {
    let Some(mut auditor) = Auditor::new(stepper, sample) else { return Audit::default() };
    let count = auditor.known.len();
    let chosen = count.min(sample.states);
    for k in 0..chosen {
        auditor.look_at(k * count / chosen);
        if auditor.audit.invalid.len() >= ENOUGH {
            break;
        }
    }
    auditor.audit
}

/// No more refutations than this are collected.
const ENOUGH: usize = 5;

/// No more states than this are kept expanded.
const KEPT: usize = 20_000;

type Packed = Rc<[u8]>;

/// What a step may do in a state: where it leads, and how it fails.
#[derive(Default, PartialEq, Eq)]
struct Ways {
    targets: Vec<Packed>,
    faults: Vec<FaultAt>,
}

/// A state with its steps, and what is claimed of it.
struct Expanded {
    steps: BTreeMap<Label, Ways>,
    independent: HashMap<Dependency, BTreeSet<(Label, Label)>>,
    /// Sets of steps, and by what they were found.
    sets: Vec<(Method, Vec<Label>)>,
}

struct Auditor<'a, S> {
    stepper: &'a mut S,
    sample: Sample,
    /// All states, each with the one it was first reached from.
    known: Vec<(Packed, Option<usize>)>,
    expanded: HashMap<Packed, Rc<Expanded>>,
    sets: Sets,
    audit: Audit,
}

const RELATIONS: [Dependency; 3] = [Dependency::Constant, Dependency::Conditional, Dependency::Uniform];

/// Every way to find sets.
fn methods() -> impl Iterator<Item = Method> {
    let algorithms = [Algorithm::Conflict, Algorithm::Overman, Algorithm::Stubborn].into_iter();
    algorithms.flat_map(|algorithm| {
        [(false, Dependency::Conditional), (true, Dependency::Conditional), (true, Dependency::Uniform)]
            .map(|(conditional, dependency)| Method { algorithm, conditional, dependency })
    })
}

impl<'a, S: Selective> Auditor<'a, S> {
    /// Reaches the states to choose from, breadth-first.
    fn new(stepper: &'a mut S, sample: Sample) -> Option<Self> {
        let mut edges = Edges::default();
        stepper.initial(&mut edges);
        if edges.fatal().is_some() {
            return None;
        }
        let mut numbers: BTreeSet<Packed> = edges.iter().map(Packed::from).collect();
        let mut known: Vec<(Packed, Option<usize>)> = numbers.iter().map(|s| (s.clone(), None)).collect();
        let mut open: VecDeque<usize> = (0..known.len()).collect();
        while let Some(at) = open.pop_front() {
            if known.len() >= sample.reach {
                break;
            }
            edges.clear();
            stepper.expand(&known[at].0.clone(), &mut edges);
            for next in edges.iter() {
                if !numbers.contains(next) {
                    let next: Packed = next.into();
                    numbers.insert(next.clone());
                    open.push_back(known.len());
                    known.push((next, Some(at)));
                }
            }
        }
        let (expanded, sets, audit) = Default::default();
        Some(Auditor { stepper, sample, known, expanded, sets, audit })
    }

    /// Audits every claim about one state.
    fn look_at(&mut self, at: usize) {
        if self.expanded.len() > KEPT {
            self.expanded.clear();
        }
        let state = self.known[at].0.clone();
        let here = self.expanded(&state);
        self.audit.states += 1;
        for by in RELATIONS {
            for (one, other) in &here.independent[&by] {
                self.audit.pairs += 1;
                if let Some(flaw) = self.flaw(&state, *one, *other) {
                    self.refute(at, Claim::Pair { one: *one, other: *other, by }, flaw);
                }
            }
        }
        for (method, set) in &here.sets {
            self.audit.sets += 1;
            if let Some((claim, flaw)) = self.watch(&state, *method, set) {
                self.refute(at, claim, flaw);
            }
        }
        if let Some(claim) = self.uniformity(&here) {
            self.refute(at, claim, Flaw::Uniformity);
        }
    }

    fn refute(&mut self, at: usize, claim: Claim, flaw: Flaw) {
        let mut way = vec![at];
        while let Some(before) = self.known[way[way.len() - 1]].1 {
            way.push(before);
        }
        way.reverse();
        let mut steps = Vec::new();
        for pair in way.windows(2) {
            let (from, to) = (self.known[pair[0]].0.clone(), self.known[pair[1]].0.clone());
            steps.extend(self.stepper.explain(&from, Which::to(&to)).unwrap_or_default());
        }
        self.audit.invalid.push(Invalid { run: Run::new(steps, Ending::Open), claim, flaw });
    }

    /// A state expanded, with all claims about it.
    fn expanded(&mut self, state: &Packed) -> Rc<Expanded> {
        if let Some(known) = self.expanded.get(state) {
            return Rc::clone(known);
        }
        let mut edges = Edges::default();
        self.stepper.expand(state, &mut edges);
        let mut steps: BTreeMap<Label, Ways> = BTreeMap::new();
        for (next, label) in edges.iter().zip(&edges.labels) {
            steps.entry(*label).or_default().targets.push(next.into());
        }
        for fault in &edges.faults {
            steps.entry(fault.label).or_default().faults.push(*fault);
        }
        for ways in steps.values_mut() {
            ways.targets.sort_unstable();
            ways.faults.sort_unstable();
        }
        let reducible = self.stepper.load(state, &edges);
        let labels: Vec<Label> = steps.keys().copied().filter(|_| reducible).collect();
        let independent = RELATIONS.map(|by| (by, self.pairs(&labels, by))).into();
        let sets = self.persistent_sets(&labels);
        let expanded = Rc::new(Expanded { steps, independent, sets });
        self.expanded.insert(state.clone(), Rc::clone(&expanded));
        expanded
    }

    /// The pairs called independent in the state at hand.
    fn pairs(&mut self, labels: &[Label], by: Dependency) -> BTreeSet<(Label, Label)> {
        let mut pairs = BTreeSet::new();
        for (k, one) in labels.iter().enumerate() {
            for other in &labels[k + 1..] {
                if self.stepper.independent(*one, *other, by) {
                    pairs.insert((*one, *other));
                }
            }
        }
        pairs
    }

    /// The sets called persistent in the state at hand that leave something out, each once.
    fn persistent_sets(&mut self, labels: &[Label]) -> Vec<(Method, Vec<Label>)> {
        let mut found: Vec<(Method, Set)> = Vec::new();
        let enabled = if labels.is_empty() { 0 } else { self.stepper.enabled() };
        for method in methods() {
            for start in members(enabled) {
                let set = self.sets.around(&mut AtHand(self.stepper, method), start);
                if set != enabled && found.iter().all(|(_, known)| *known != set) {
                    found.push((method, set));
                }
            }
        }
        let nodes = self.stepper.nodes();
        let inside = |set: Set, label: &Label| members(set).any(|at| nodes[at] == node(*label));
        found
            .into_iter()
            .map(|(method, set)| (method, labels.iter().copied().filter(|l| inside(set, l)).collect()))
            .collect()
    }

    /// What is wrong with calling two enabled steps of a state independent.
    fn flaw(&mut self, state: &Packed, one: Label, other: Label) -> Option<Flaw> {
        let here = self.expanded(state);
        let (first, second) = (here.steps.get(&one), here.steps.get(&other));
        let (Some(first), Some(second)) = (first, second) else { return Some(Flaw::Enabledness) };
        let mut one_then_other = match self.after(first, other, second) {
            Ok(targets) => targets,
            Err(flaw) => return Some(flaw),
        };
        let mut other_then_one = match self.after(second, one, first) {
            Ok(targets) => targets,
            Err(flaw) => return Some(flaw),
        };
        one_then_other.sort_unstable();
        other_then_one.sort_unstable();
        (one_then_other != other_then_one).then_some(Flaw::Elsewhere)
    }

    /// Where a step leads after another, if it is there what it was before.
    fn after(&mut self, first: &Ways, then: Label, was: &Ways) -> Result<Vec<Packed>, Flaw> {
        let mut targets = Vec::new();
        for next in &first.targets {
            let there = self.expanded(next);
            let now = there.steps.get(&then).ok_or(Flaw::Enabledness)?;
            if now.faults != was.faults {
                return Err(Flaw::Faults);
            }
            if now.targets.len() != was.targets.len() {
                return Err(Flaw::Enabledness);
            }
            targets.extend(now.targets.iter().cloned());
        }
        Ok(targets)
    }

    /// Lets everything outside of a set happen, and looks for a step that is not independent of one
    /// in the set.
    fn watch(&mut self, state: &Packed, method: Method, set: &[Label]) -> Option<(Claim, Flaw)> {
        let mut seen: HashMap<Packed, Vec<Label>> = HashMap::from([(state.clone(), Vec::new())]);
        let mut open = VecDeque::from([state.clone()]);
        while let Some(at) = open.pop_front() {
            let after = seen[&at].clone();
            let here = self.expanded(&at);
            for (one, ways) in here.steps.iter().filter(|(label, _)| !set.contains(label)) {
                for other in set {
                    if let Some(flaw) = self.flaw(&at, *one, *other) {
                        let (set, one, other) = (set.to_vec(), *one, *other);
                        return Some((Claim::Set { method, set, after, one, other }, flaw));
                    }
                }
                for next in &ways.targets {
                    if seen.len() >= self.sample.outside {
                        self.audit.cut += 1;
                        return None;
                    }
                    if !seen.contains_key(next) {
                        seen.insert(next.clone(), [&after[..], &[*one]].concat());
                        open.push_back(next.clone());
                    }
                }
            }
        }
        None
    }

    /// Definition 6.6, turned round: if t1 and t2 are independent after t3, and t3 is independent
    /// of t1 here and of t2 after t1, then t1 and t2 are independent here.
    fn uniformity(&mut self, here: &Expanded) -> Option<Claim> {
        let by = Dependency::Uniform;
        let independent =
            |at: &Expanded, a: Label, b: Label| at.independent[&by].contains(&(a.min(b), a.max(b)));
        for (one, between) in here.independent[&by].iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]) {
            for other in here.steps.keys().copied().filter(|t| *t != one && *t != between) {
                if independent(here, one, other) {
                    continue;
                }
                let after_one: Vec<Packed> = here.steps[&one].targets.clone();
                let apart = after_one.iter().any(|s| independent(&self.expanded(s), other, between));
                let after_between: Vec<Packed> = here.steps[&between].targets.clone();
                self.audit.triples += u64::from(apart);
                if apart && after_between.iter().any(|s| independent(&self.expanded(s), one, other)) {
                    return Some(Claim::Uniform { one, other, between });
                }
            }
        }
        None
    }
}
