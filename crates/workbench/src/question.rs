//! What can be asked.

use crate::prove::Choice;
use crate::reduction::ReductionRequest;
use crate::shapes::Races;
pub use explore::{Keep, Limits, Order};
use prover::Method;
pub use space::Fairness;
use std::path::PathBuf;
use std::time::Duration;

/// A model: a file and the definitions it is read with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelRequest {
    /// The file.
    pub file: PathBuf,
    /// The definitions it is read with.
    pub defines: Vec<Define>,
    /// Formulas that the file does not have, to be read as if they stood at its end.
    pub formulas: Vec<String>,
}

impl ModelRequest {
    /// What the k-th of the formulas is called.
    pub(crate) fn formula_name(k: usize) -> String {
        if k == 0 { "formula".to_string() } else { format!("formula_{}", k + 1) }
    }
}

/// `-D NAME` or `-D NAME=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Define {
    /// The name.
    pub name: String,
    /// The value; without one, 1.
    pub value: Option<String>,
}

/// What is asked of a subject: every option once. Which of them mean something for which kind of
/// file is the caller's to refuse.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// What to check; nothing selected means everything in the file.
    pub selected: Vec<Selection>,
    /// How it is to be decided.
    pub engine: Engine,
    /// Which infinite runs count; unless given all of a model's, and those of a transition system
    /// that are as fair as it says.
    pub fairness: Option<Fairness>,
    /// Unless given, depth-first where the search is reduced, and breadth-first where it is not.
    pub order: Option<Order>,
    /// One statement is one transition: nothing is merged, sliced or reset.
    pub raw: bool,
    /// Do not stop at the first violation.
    pub keep_going: bool,
    /// Transition systems: enter no state that breaks one of these, properties of the file or
    /// assertions.
    pub invariants: Vec<String>,
    /// How many threads may search; 0 is as 1.
    pub threads: usize,
    /// Of everything random.
    pub seed: u64,
    /// How much it may use.
    pub limits: Limits,
    /// What holds is certified though many states can be reached.
    pub certify: bool,
    /// Which steps may be left out.
    pub reduction: ReductionRequest,
    /// What is kept of states.
    pub keep: Keep,
    /// States are kept on disk.
    pub disk: Option<DiskStore>,
    /// This many searches that differ, with a few bits of each state, instead of one.
    pub swarm: Option<u64>,
    /// What is asked of proofs alone.
    pub proofs: ProofOptions,
    /// What is asked of structures alone.
    pub shapes: ShapeOptions,
}

/// Where states are kept on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskStore {
    /// A folder that is not there yet, is empty, or has the checkpoint of the same search.
    pub folder: PathBuf,
    /// How often a checkpoint is made.
    pub every: Duration,
}

/// What is asked of proofs alone.
#[derive(Clone, Debug, Default)]
pub struct ProofOptions {
    /// Use no proofs of the files.
    pub auto: bool,
    /// Use rules alone: do not look at all states of a finite program.
    pub rules_only: bool,
    /// Only these engines work, without proofs of the files; all of them if there is none.
    pub engines: Vec<Proving>,
    /// Which solver decides conditions.
    pub solver: Choice,
    /// For one condition.
    pub condition_time: Option<Duration>,
    /// Prove by an abstraction over these named assertions.
    pub basis: Option<String>,
    /// A program that is to be refined; the basis says what its variables stand for.
    pub refines: Option<PathBuf>,
    /// Derive a diagram for each property, and prove it by that.
    pub derive: Option<Derive>,
}

/// What a diagram is derived from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derive {
    /// An abstraction that is found, in which the property holds.
    Abstraction,
    /// The tableau of the property: a first diagram, often not yet a proof.
    Tableau,
}

/// An engine that proves or refutes properties of transition systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proving {
    /// All states, one by one.
    Search,
    /// All states of systems with small inputs.
    Instances,
    /// Generated invariants, for the others.
    Invariants,
    /// Loops that are repeated without end.
    Loops,
    /// Runs of bounded length.
    Bounded,
    /// A method of proof.
    By(Method),
}

/// The engines, by the names under which they report.
pub const PROVING: [(&str, Proving); 13] = [
    ("search", Proving::Search),
    ("instances", Proving::Instances),
    ("invariants", Proving::Invariants),
    ("rules", Proving::By(Method::Rules)),
    ("stages", Proving::By(Method::Stages)),
    ("loops", Proving::Loops),
    ("ranks", Proving::By(Method::Ranks)),
    ("k-induction", Proving::By(Method::Induction)),
    ("pdr", Proving::By(Method::Directed)),
    ("clauses", Proving::By(Method::Clauses)),
    ("houdini", Proving::By(Method::Templates)),
    ("strengthen", Proving::By(Method::Strengthening)),
    ("bmc", Proving::Bounded),
];

/// What is asked of `.tvm` and `.java` alone.
#[derive(Clone, Debug, Default)]
pub struct ShapeOptions {
    /// Default: for Java.
    pub partial_join: Option<bool>,
    /// Whether abstract states are compared with concrete ones.
    pub cross_check: bool,
    /// How many individuals behind summary nodes concrete runs may have; 5 if nothing is said.
    pub individuals: Option<usize>,
    /// Whether groups that grow are left out of fairness.
    pub ignore_population_fairness: bool,
    /// What becomes of data races.
    pub races: Races,
    /// The abstract space is written down.
    pub whole_space: bool,
}

/// How a question is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// State by state; programs, run by run.
    #[default]
    Search,
    /// Sets of states, as decision diagrams.
    Symbolic,
    /// Rules of proof.
    Prove,
}

/// A choice of properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// Deadlocks, assertions and run-time errors.
    Safety,
    /// Deadlocks alone.
    Deadlock,
    /// Assertions alone.
    Assertion,
    /// Cycles without progress.
    Progress,
    /// A property of the file by its name.
    Named(String),
}

impl Define {
    /// Reads `NAME` or `NAME=VALUE`; `None` if there is no name.
    pub fn parse(text: &str) -> Option<Define> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_string())),
            None => (text, None),
        };
        let good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let starts_well = name.chars().next().is_some_and(|c| good(c) && !c.is_ascii_digit());
        (starts_well && name.chars().all(good)).then(|| Define { name: name.to_string(), value })
    }

    /// `NAME` or `NAME=VALUE`.
    pub fn text(&self) -> String {
        match &self.value {
            Some(value) => format!("{}={value}", self.name),
            None => self.name.clone(),
        }
    }
}

impl Selection {
    /// The word that `parse` reads.
    pub(crate) fn word(&self) -> &str {
        match self {
            Selection::Safety => "safety",
            Selection::Deadlock => "deadlock",
            Selection::Assertion => "assertion",
            Selection::Progress => "progress",
            Selection::Named(name) => name,
        }
    }

    /// Reads a selection; what is no kind is a name.
    pub fn parse(text: &str) -> Selection {
        match text {
            "safety" => Selection::Safety,
            "deadlock" => Selection::Deadlock,
            "assertion" => Selection::Assertion,
            "progress" => Selection::Progress,
            name => Selection::Named(name.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_read_and_written_back() {
        for text in ["N", "N=3", "_a1=x=y", "N="] {
            assert_eq!(Define::parse(text).map(|d| d.text()).as_deref(), Some(text));
        }
        for text in ["", "=3", "3N", "a b", "a-b=1"] {
            assert_eq!(Define::parse(text), None, "{text}");
        }
    }
}
