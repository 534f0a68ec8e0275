//! What is answered, of whatever kind of file and by whatever engine. `verdict` alone
//! makes an answer of what was found.

pub use crate::numbers::{
    Abstraction, Derived, Diagrams, Numbers, ProofNumbers, RunNumbers, SearchNumbers, few, rate,
};
use crate::recording::Recording;
use crate::report::{Heap, Location, Report, Valued};
use crate::why::Course;
pub use explore::{CacheStatistics, FullExpansions, Losses};
pub use independence::FullExpansion;
pub use prover::diagram::Place;
pub use prover::{Countermodel, Obligation, Status};
use source::Diagnostic;
use std::fmt;

/// What is known of a property, or of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// No run violates it.
    Holds,
    /// It is not decided, and a reason is given.
    #[default]
    Unknown,
    /// A run violates it, and is shown.
    Violated,
}

/// What kind of property.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No process can move, and not all have ended.
    #[default]
    Deadlock,
    /// An assertion that fails.
    Assertion,
    /// A run-time error: an index, a division, a message that does not fit.
    Runtime,
    /// Data races of Java programs and of programs.
    Race,
    /// A formula of temporal logic.
    Ltl,
    /// A `never` claim, or acceptance cycles.
    Claim,
    /// A cycle without progress.
    Progress,
    /// A `trace` or `notrace` assertion.
    Trace,
    /// Of programs: ended by a signal.
    Crash,
    /// Of programs: a run is longer than allowed.
    Divergence,
    /// Of programs: threads wait in a loop for what never comes.
    Livelock,
    /// Of programs: an operation on an object that it does not allow.
    Misuse,
    /// An exit status other than 0.
    Exit,
}

/// A property and what is known of it.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// The name by which `--property` selects it.
    pub name: String,
    /// What kind of property it is.
    pub kind: Kind,
    /// As it was written, if that is known.
    pub text: String,
    /// What is known of it.
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Why it holds without saying anything.
    pub vacuous: Option<String>,
    /// States and transitions of its own search, if it had one.
    pub product: Option<(u64, u64)>,
    /// What was left out of that search.
    pub reduction: Option<ReductionUsed>,
    /// If rules of proof were tried.
    pub proof: Option<Proof>,
    /// An abstract run that may violate it, or not: lines.
    pub candidate: Option<Vec<String>>,
    /// Its abstract states, each with what led to it.
    pub candidate_heaps: Vec<(String, Heap)>,
    /// What the judge checked of it, if it holds.
    pub certificate: Option<Certificate>,
}

/// What the judge checked of a property that holds, with nothing but the reference of the
/// description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// A closed set of states in which nothing fails.
    Closed {
        /// How many states the set has.
        states: u64,
    },
    /// Levels of the product with the automaton of what is forbidden.
    Levels {
        /// How many levels there are.
        levels: u64,
        /// How many states of the product have a level.
        states: u64,
    },
    /// The conditions of a proof, made again.
    Conditions,
    /// Concrete runs with few individuals, each state of which an abstract one stands for.
    Embedded,
    /// Nothing, and why.
    Without(String),
}

/// How a property was proved, or not.
#[derive(Clone, Debug, Default)]
pub struct Proof {
    /// The rules that were applied, by name.
    pub rules: Vec<&'static str>,
    /// The verification conditions, each with what became of it.
    pub obligations: Vec<Obligation>,
    /// What was found to be inductive by a search.
    pub invariant: Option<String>,
}

/// The partial-order reduction of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReductionUsed {
    /// What the reduction is called.
    pub name: String,
    /// Whether a proviso kept processes from being ignored.
    pub proviso: bool,
    /// Why the one asked for, or the usual one, was not used.
    pub dropped: Option<String>,
    /// In how many states nothing was left out, and why.
    pub off: FullExpansions,
}

/// Nothing was left out.
impl Default for ReductionUsed {
    fn default() -> ReductionUsed {
        let name = "none".to_string();
        ReductionUsed { name, proviso: false, dropped: None, off: FullExpansions::default() }
    }
}

impl ReductionUsed {
    /// Of two searches for one answer.
    pub(crate) fn and(self, other: ReductionUsed) -> ReductionUsed {
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

/// Distinct violating states by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// States in which no process can move.
    pub deadlock: u64,
    /// States in which an assertion fails.
    pub assertion: u64,
    /// States in which a run-time error happens.
    pub runtime: u64,
}

/// A statement that no run executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The process type.
    pub process: String,
    /// The statement, as it is printed.
    pub statement: String,
    /// Where it stands.
    pub location: Option<Location>,
}

/// A violation, replayed by the certifier.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What kind of property is violated.
    pub kind: Kind,
    /// The property, by its name.
    pub property: String,
    /// What went wrong, in a few words.
    pub message: String,
    /// Where it goes wrong.
    pub location: Option<Location>,
    /// The run, for people.
    pub trace: Report,
    /// The run, to be written to a file and replayed.
    pub recording: Recording,
    /// Whether no shorter run shows a violation of this kind.
    pub shortest: bool,
    /// Of a property: its assertions at the end of the run, with their values.
    pub at_end: Vec<Valued>,
    /// Of a formula: its truth along the run.
    pub course: Option<Course>,
}

/// Unless something is known already.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The verdict of all properties together.
    pub verdict: Verdict,
    /// Why, in a few words.
    pub reason: String,
    /// The properties that were asked for.
    pub properties: Vec<Decided>,
    /// What it took.
    pub numbers: Numbers,
    /// What was left out of the search.
    pub reduction: ReductionUsed,
    /// How many violating states there are.
    pub errors: Errors,
    /// `None` if the search stopped before it could know.
    pub unreached: Option<Vec<Unreached>>,
    /// Everything reachable was seen.
    pub exhausted: bool,
    /// Whether the user interrupted it.
    pub interrupted: bool,
    /// The violations found, the first one first.
    pub violations: Vec<Violation>,
    /// Data races that are listed; those of a program also if they are violations.
    pub races: Vec<String>,
    /// What the front end and the engines warn of.
    pub warnings: Vec<Diagnostic>,
    /// What was not proved and is relied on.
    pub assumes: Vec<String>,
    /// What the cross-check of abstract states looked at, in words.
    pub cross_check: Option<String>,
    /// What is drawn, if that was asked for.
    pub pictures: Option<Pictures>,
}

/// What is drawn of shapes.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    /// The first violation or candidate for one: DOT and SVG.
    pub run: Option<(String, String)>,
    /// The abstract space in DOT.
    pub space: String,
}

impl Answer {
    /// What the search of states took; zeros if there was none.
    pub fn searched(&self) -> SearchNumbers {
        self.numbers.search.unwrap_or_default()
    }
}

impl Decided {
    /// A property without reasons or proofs.
    pub fn new(name: &str, kind: Kind, verdict: Verdict) -> Decided {
        Decided { name: name.to_string(), kind, verdict, ..Decided::default() }
    }

    pub(crate) fn unknown(name: &str, kind: Kind, reason: &str) -> Decided {
        Decided { reason: Some(reason.to_string()), ..Decided::new(name, kind, Verdict::Unknown) }
    }
}

impl From<explore::stateless::Kind> for Kind {
    fn from(kind: explore::stateless::Kind) -> Kind {
        match kind {
            explore::stateless::Kind::Deadlock => Kind::Deadlock,
            explore::stateless::Kind::Assertion => Kind::Assertion,
            explore::stateless::Kind::Crash => Kind::Crash,
            explore::stateless::Kind::Race => Kind::Race,
            explore::stateless::Kind::Divergence => Kind::Divergence,
            explore::stateless::Kind::Livelock => Kind::Livelock,
            explore::stateless::Kind::Misuse => Kind::Misuse,
            explore::stateless::Kind::Exit => Kind::Exit,
        }
    }
}

impl From<shapes::answer::Kind> for Kind {
    fn from(kind: shapes::answer::Kind) -> Kind {
        match kind {
            shapes::answer::Kind::Deadlock => Kind::Deadlock,
            shapes::answer::Kind::Invariant => Kind::Assertion,
            shapes::answer::Kind::Error => Kind::Runtime,
            shapes::answer::Kind::Race => Kind::Race,
            shapes::answer::Kind::Ltl => Kind::Ltl,
            shapes::answer::Kind::Never => Kind::Claim,
        }
    }
}

impl Kind {
    /// The kind as `--property` and answers have it.
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
            Kind::Crash => "crash",
            Kind::Divergence => "divergence",
            Kind::Livelock => "livelock",
            Kind::Misuse => "misuse",
            Kind::Exit => "exit",
        }
    }
}

impl Verdict {
    /// The verdict as answers have it.
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
