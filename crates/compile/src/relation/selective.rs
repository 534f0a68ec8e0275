//! Fair transition systems under partial-order reduction: stubborn sets over branches.
//!
//! A choice is a branch of a transition whose parameters have values. After chapter 4 of
//! Godefroid's thesis, Algorithm 3: a set with an enabled branch has all that conflict with it; one
//! with a disabled branch has, for one conjunct of its guard that is false, all branches that may
//! make it true (a necessary enabling set). Branches that are not enabled become nodes when a set
//! asks for them; there is room for [`MAX_CHOICES`].
//!
//! A branch whose evaluation has no value counts as one that fails: what it reads is in its
//! footprint, so a reduced search meets such a state if there is one.

use super::code::Code;
use super::footprint::{Footprint, Place, reads};
use super::{Relation, Shared};
use independence::selective::Selective;
use independence::{FullExpansion, MAX_CHOICES, Method, Node, NotReduced, Set, label, node};
use objects::Dependency;
use space::{Edges, Label};
use std::collections::HashMap;
use std::sync::Arc;

/// More branches than this are not compared with each other.
const MAX_BRANCHES: usize = 4096;

/// What is known of the branches, and of the state at hand.
#[derive(Clone)]
pub(super) struct Selection {
    branches: Arc<Branches>,
    nodes: Vec<Node>,
    /// The node of each branch that is one.
    numbers: HashMap<usize, usize>,
    /// How many nodes are enabled; they come first.
    enabled: usize,
    crowded: bool,
    enablers: HashMap<(usize, Lacking), Arc<[usize]>>,
}

/// Why a branch is not enabled: a conjunct of its guard is false, or there is nothing to choose.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Lacking {
    Conjunct(usize),
    Choice,
}

struct Branches {
    footprints: Vec<Footprint>,
    /// By branch: those that it conflicts with.
    conflicts: Vec<Vec<usize>>,
    /// Those that may change a proposition.
    visible: Vec<bool>,
    /// Which process it is of, by the place where its control is.
    processes: Vec<usize>,
}

impl Branches {
    fn of(shared: &Shared) -> Result<Branches, NotReduced> {
        let footprints: Vec<_> = shared.ways.iter().map(|way| Footprint::of(&way.branch)).collect();
        if footprints.len() > MAX_BRANCHES {
            return Err(NotReduced::Branches);
        }
        let mut watched = Vec::new();
        shared.atoms.iter().for_each(|(atom, _)| reads(atom, &mut watched));
        let conflicts = (0..footprints.len()).map(|at| conflicting(&footprints, at)).collect();
        let visible = footprints.iter().map(|f| f.changes(&watched)).collect();
        let processes = processes(&footprints);
        Ok(Branches { conflicts, visible, processes, footprints })
    }
}

/// By branch: the number of the place where its control is. This only orders sets.
fn processes(footprints: &[Footprint]) -> Vec<usize> {
    let mut places: Vec<Option<&Place>> = Vec::new();
    let mut numbers = Vec::new();
    for place in footprints.iter().map(Footprint::control) {
        let number = places.iter().position(|p| *p == place).unwrap_or(places.len());
        if number == places.len() {
            places.push(place);
        }
        numbers.push(number.min(MOST_PROCESSES));
    }
    numbers
}

/// A label has room for this number of processes; the rest are one.
const MOST_PROCESSES: usize = 254;

fn conflicting(footprints: &[Footprint], at: usize) -> Vec<usize> {
    let others = footprints.iter().enumerate();
    others.filter(|(k, other)| *k != at && footprints[at].conflicts(other)).map(|(k, _)| k).collect()
}

impl Selection {
    fn new(branches: Branches) -> Selection {
        Selection {
            branches: Arc::new(branches),
            nodes: Vec::new(),
            numbers: HashMap::new(),
            enabled: 0,
            crowded: false,
            enablers: HashMap::new(),
        }
    }

    pub(super) fn label(&self, branch: usize) -> Label {
        label(self.branches.processes[branch], branch)
    }

    /// Nothing is known of the state at hand but what is enabled; whether there is room for it.
    fn begin(&mut self, labels: &[Label]) -> bool {
        self.nodes.clear();
        self.numbers.clear();
        self.crowded = labels.iter().any(|label| self.number(node(*label).transition).is_none());
        self.enabled = self.nodes.len();
        !self.crowded
    }

    /// The node of a branch; `None` if there is no room for it.
    fn number(&mut self, branch: usize) -> Option<usize> {
        if let Some(known) = self.numbers.get(&branch) {
            return Some(*known);
        }
        let number = self.nodes.len();
        if number >= MAX_CHOICES {
            return None;
        }
        self.nodes.push(Node { process: self.branches.processes[branch], transition: branch });
        self.numbers.insert(branch, number);
        Some(number)
    }

    fn set(&mut self, branches: &[usize]) -> Option<Set> {
        branches.iter().try_fold(0, |set, branch| Some(set | 1 << self.number(*branch)?))
    }

    /// The branches one of which must be taken before another one can be.
    fn enablers(&mut self, branch: usize, lacking: Lacking) -> Arc<[usize]> {
        let Branches { footprints, .. } = &*self.branches;
        let wanted = &footprints[branch];
        let helps = |other: &Footprint| match lacking {
            Lacking::Conjunct(k) => other.may_satisfy(&wanted.conjuncts[k]),
            Lacking::Choice => other.changes_choice(wanted),
        };
        let all = || footprints.iter().enumerate().filter(|(_, f)| helps(f)).map(|(at, _)| at).collect();
        self.enablers.entry((branch, lacking)).or_insert_with(all).clone()
    }
}

impl Relation {
    /// Why a branch is not enabled in the state at hand, each reason by itself.
    fn lacking(&mut self, branches: &Branches, branch: usize) -> Vec<Lacking> {
        let conjuncts = branches.footprints[branch].conjuncts.iter().enumerate();
        let mut is_false = |code: &Code| code.holds(&mut self.frame) == Some(false);
        let lacking = conjuncts.filter(|(_, c)| is_false(&c.code)).map(|(k, _)| Lacking::Conjunct(k));
        let lacking: Vec<Lacking> = lacking.collect();
        if lacking.is_empty() { vec![Lacking::Choice] } else { lacking }
    }
}

impl Selective for Relation {
    fn prepare(&mut self) -> Result<(), NotReduced> {
        if !self.shared.invariants.is_empty() {
            return Err(NotReduced::Constrained);
        }
        self.selection = Some(Box::new(Selection::new(Branches::of(&self.shared)?)));
        Ok(())
    }

    fn load(&mut self, state: &[u8], edges: &Edges) -> bool {
        self.load(state);
        self.selection.as_mut().is_some_and(|selection| selection.begin(&edges.labels))
    }

    fn full_expansion(&self) -> Option<FullExpansion> {
        self.selection.as_ref().is_some_and(|s| s.crowded).then_some(FullExpansion::Choices)
    }

    fn nodes(&self) -> &[Node] {
        self.selection.as_ref().map_or(&[], |selection| &selection.nodes)
    }

    fn gates(&self) -> Set {
        self.selection.as_ref().map_or(0, |s| first(s.nodes.len()) & !first(s.enabled))
    }

    fn enabled(&self) -> Set {
        self.selection.as_ref().map_or(0, |selection| first(selection.enabled))
    }

    fn visible(&self) -> Set {
        let Some(selection) = &self.selection else { return 0 };
        let seen = selection.nodes.iter().map(|node| selection.branches.visible[node.transition]);
        seen.enumerate().fold(0, |set, (at, seen)| set | Set::from(seen) << at)
    }

    fn needs(&mut self, node: usize, _: Method, alternatives: &mut Vec<Set>) -> Option<()> {
        let mut selection = self.selection.take()?;
        let branches = Arc::clone(&selection.branches);
        let branch = selection.nodes[node].transition;
        let before = alternatives.len();
        if node < selection.enabled {
            alternatives.extend(selection.set(&branches.conflicts[branch]));
        } else {
            for lacking in self.lacking(&branches, branch) {
                let enablers = selection.enablers(branch, lacking);
                alternatives.extend(selection.set(&enablers));
            }
        }
        self.selection = Some(selection);
        (alternatives.len() > before).then_some(())
    }

    fn independent(&mut self, a: Label, b: Label, _: Dependency) -> bool {
        let (a, b) = (node(a).transition, node(b).transition);
        let conflicts = |s: &Selection| s.branches.conflicts[a].binary_search(&b).is_ok();
        a != b && self.selection.as_deref().is_some_and(|selection| !conflicts(selection))
    }
}

/// The set of the first numbers.
fn first(count: usize) -> Set {
    if count >= MAX_CHOICES { Set::MAX } else { (1 << count) - 1 }
}
