//! What is answered.

use crate::recording::Recording;
use crate::report::{Location, Report};
pub use explore::{Account, Obstacles};
pub use independence::Obstacle;
use source::Diagnostic;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Holds,
    Unknown,
    Violated,
}

/// What kind of property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Deadlock,
    Assertion,
    Runtime,
    /// Data races of Java programs.
    Race,
    Ltl,
    Claim,
    Progress,
    Trace,
}

/// A property and what is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    pub kind: Kind,
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Why it holds without saying anything.
    pub vacuous: Option<String>,
    /// States and transitions of its own search, if it had one.
    pub product: Option<(u64, u64)>,
    /// What was left out of that search.
    pub reduction: Option<ReductionUsed>,
}

/// What a search cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Numbers {
    pub states: u64,
    pub transitions: u64,
    pub matched: u64,
    pub depth: u64,
    pub memory_bytes: u64,
    pub seconds: f64,
}

/// The partial-order reduction of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReductionUsed {
    pub name: String,
    pub proviso: bool,
    /// Why the one asked for, or the usual one, was not used.
    pub dropped: Option<String>,
    /// In how many states nothing was left out, and why.
    pub off: Obstacles,
}

impl ReductionUsed {
    /// Of two searches for one answer.
    pub fn and(self, other: ReductionUsed) -> ReductionUsed {
        let same = ReductionUsed { off: self.off.clone(), ..other.clone() } == self;
        if same {
            return ReductionUsed { off: self.off.and(&other.off), ..self };
        }
        let (more, less) = if self.name == "none" { (other, self) } else { (self, other) };
        let reasons = [more.dropped, less.dropped].into_iter().flatten().collect::<Vec<_>>();
        ReductionUsed {
            name: more.name,
            proviso: more.proviso && (less.proviso || less.name == "none"),
            dropped: (!reasons.is_empty()).then(|| reasons.join("; in part not at all: ")),
            off: more.off.and(&less.off),
        }
    }
}

/// What a search with decision diagrams took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Diagrams {
    /// The most nodes at once.
    pub nodes: u64,
    /// Bits of a state.
    pub bits: u64,
}

/// Distinct violating states by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    pub deadlock: u64,
    pub assertion: u64,
    pub runtime: u64,
}

/// A statement that no run executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    pub process: String,
    pub statement: String,
    pub location: Option<Location>,
}

/// A violation, replayed by the certifier.
#[derive(Clone, Debug)]
pub struct Violation {
    pub kind: Kind,
    /// The property, by its name.
    pub property: String,
    /// What went wrong, in a few words.
    pub message: String,
    pub location: Option<Location>,
    pub trace: Report,
    pub recording: Recording,
    /// Whether no shorter run shows a violation of this kind.
    pub shortest: bool,
}

#[derive(Clone, Debug)]
pub struct CheckResult {
    pub verdict: Verdict,
    /// Why, in a few words.
    pub reason: String,
    pub properties: Vec<Property>,
    pub numbers: Numbers,
    /// What became of states, if they were kept in a cache.
    pub cache: Option<Account>,
    /// If the search was symbolic.
    pub diagrams: Option<Diagrams>,
    /// What was left out of the search.
    pub reduction: ReductionUsed,
    pub errors: Errors,
    /// `None` if the search stopped before it could know.
    pub unreached: Option<Vec<Unreached>>,
    /// Everything reachable was seen.
    pub exhausted: bool,
    pub interrupted: bool,
    pub violations: Vec<Violation>,
    /// Data races that are listed and count for nothing.
    pub races: Vec<String>,
    pub warnings: Vec<Diagnostic>,
    /// What was not proved and is relied on.
    pub assumes: Vec<String>,
}

impl Numbers {
    pub fn bytes_per_state(&self) -> f64 {
        if self.states == 0 { 0.0 } else { self.memory_bytes as f64 / self.states as f64 }
    }

    pub fn states_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.states as f64 / self.seconds } else { 0.0 }
    }
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Deadlock => "deadlock",
            Kind::Assertion => "assertion",
            Kind::Runtime => "runtime",
            Kind::Race => "race",
            Kind::Ltl => "ltl",
            Kind::Claim => "claim",
            Kind::Progress => "progress",
            Kind::Trace => "trace",
        }
    }
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Unknown => "unknown",
            Verdict::Violated => "violated",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
