//! Which partial-order reduction a check uses, and what it then decides about.
//!
//! | reduction | decides about |
//! |---|---|
//! | none, sleep | everything: all states are seen |
//! | persistent, proviso on | deadlocks, assertions, run-time errors, unreached code |
//! | persistent, proviso off | deadlocks alone |
//!
//! Sleep sets beside persistent ones change nothing. After Godefroid, Theorems 6.13, 6.14 and 4.3,
//! Example 6.1.
//!
//! Properties of runs have searches of their own, reduced as `temporal/reduce.rs` says.
//!
//! What a reduction does not decide about is *unknown* unless a violation was met.

use crate::answer::Kind;
use crate::failure::Failure;
use crate::question::{Keep, Order, Question, Selection};
pub use explore::Proviso;
use explore::Reduction;
pub use explore::stateless::Reduction as ReductionKind;
pub use independence::Algorithm as PersistentSets;
use independence::Method;
use objects::Dependency;

/// What is asked for; the rest is chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReductionRequest {
    /// The kind, if one is asked for.
    pub kind: Option<ReductionKind>,
    /// How persistent sets are computed.
    pub sets: PersistentSets,
    /// Which relation of dependency is used.
    pub relation: Relation,
    /// `None` is where it is needed.
    pub proviso: Option<Proviso>,
}

/// The kinds of reduction by their names; `dpor` is of programs alone: sets are found while runs
/// are executed.
pub const REDUCTIONS: [(&str, ReductionKind); 5] = [
    ("none", ReductionKind::None),
    ("sleep", ReductionKind::Sleep),
    ("persistent", ReductionKind::Persistent),
    ("persistent+sleep", ReductionKind::PersistentSleep),
    ("dpor", ReductionKind::Dpor),
];

/// The name of a kind of reduction.
pub fn name(kind: ReductionKind) -> &'static str {
    REDUCTIONS.iter().find(|(_, found)| *found == kind).map_or("", |(name, _)| name)
}

/// The relation of dependency between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relation {
    /// The same in all states.
    Static,
    /// By state: steps that commute here are independent here.
    #[default]
    Conditional,
}

/// The reduction of one search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    pub reduction: Option<Reduction>,
}

impl Plan {
    /// For a search for violations of these kinds.
    pub fn of(request: &Question, kinds: &[Kind]) -> Result<Plan, Failure> {
        let asked = &request.reduction;
        let depth_first = request.order != Some(Order::BreadthFirst);
        if request.disk.is_some() {
            return Plan::on_disk(request);
        }
        let kind = match asked.kind {
            _ if request.keep != Keep::All && !depth_first => {
                let message = "--store and --swarm are for depth-first searches; leave out --search bfs";
                return Err(Failure::Request(message.to_string()));
            }
            Some(ReductionKind::Sleep | ReductionKind::PersistentSleep) if request.keep.is_lossy() => {
                let message = "sleep sets are kept with states; with --store compact or bitstate give --reduction persistent or none";
                return Err(Failure::Request(message.to_string()));
            }
            None if request.keep.is_lossy() => ReductionKind::Persistent,
            Some(ReductionKind::None) => return Ok(Plan::default()),
            None if !depth_first => return Ok(Plan::default()),
            Some(_) if !depth_first => {
                let message = "a reduced search is depth-first; leave out --search bfs or --reduction";
                return Err(Failure::Request(message.to_string()));
            }
            Some(ReductionKind::Dpor) => {
                return Err(Failure::Request("--reduction dpor is for programs".to_string()));
            }
            None if asked.proviso == Some(Proviso::Terminal) => ReductionKind::Persistent,
            None => ReductionKind::PersistentSleep,
            Some(kind) => kind,
        };
        let sleep = matches!(kind, ReductionKind::Sleep | ReductionKind::PersistentSleep);
        let persistent = kind != ReductionKind::Sleep;
        if asked.proviso == Some(Proviso::Terminal) && (sleep || request.keep != Keep::All) {
            let message = "the proviso of terminal components needs all states and no sleep sets; use --reduction persistent";
            return Err(Failure::Request(message.to_string()));
        }
        let needed = kinds.iter().any(|k| *k != Kind::Deadlock);
        let usual = if needed { Proviso::Stack } else { Proviso::Off };
        let proviso = if persistent { asked.proviso.unwrap_or(usual) } else { Proviso::Off };
        let uniform = sleep && proviso != Proviso::Off;
        let method = asked.method(if uniform { Dependency::Uniform } else { Dependency::Conditional });
        let persistent = persistent.then_some(method);
        Ok(Plan { reduction: Some(Reduction { persistent, sleep, proviso }) })
    }

    /// That of a search on disk: breadth-first, without reduction.
    fn on_disk(request: &Question) -> Result<Plan, Failure> {
        let what = match (request.order, request.reduction.kind) {
            (Some(Order::DepthFirst), _) => "--search dfs",
            (_, Some(kind)) if kind != ReductionKind::None => "--reduction",
            _ => return Ok(Plan::default()),
        };
        let message = format!("--store disk searches breadth-first, without reduction; leave out {what}");
        Err(Failure::Request(message))
    }

    /// That of a search of runs which saw the whole reduced system, so that it decides about errors
    /// too.
    pub(crate) fn of_runs(method: Method) -> Plan {
        let reduction = Reduction { persistent: Some(method), sleep: false, proviso: Proviso::Stack };
        Plan { reduction: Some(reduction) }
    }

    /// The order of the search: a reduced one is depth-first; otherwise runs are shortest and all
    /// threads search, unless depth-first is asked for.
    pub(crate) fn order(&self, asked: Option<Order>) -> Order {
        asked.unwrap_or(if self.reduction.is_some() { Order::DepthFirst } else { Order::BreadthFirst })
    }

    /// Whether a complete search without a violation of the kind shows that there is none.
    pub(crate) fn decides(&self, kind: Kind) -> bool {
        kind == Kind::Deadlock
            || !self.reduction.is_some_and(|r| r.persistent.is_some() && r.proviso == Proviso::Off)
    }

    /// What was used, in the words of the options.
    pub fn name(&self) -> &'static str {
        match self.reduction {
            None => "none",
            Some(Reduction { persistent: None, .. }) => "sleep",
            Some(Reduction { sleep: false, .. }) => "persistent",
            Some(Reduction { sleep: true, .. }) => "persistent+sleep",
        }
    }
}

impl ReductionRequest {
    /// How persistent sets are computed.
    pub(crate) fn method(&self, dependency: Dependency) -> Method {
        Method { algorithm: self.sets, conditional: self.relation == Relation::Conditional, dependency }
    }

    /// Whether only deadlocks can be decided about, because that was asked for by name.
    pub(crate) fn asks_only_deadlocks(&self, selected: &[Selection]) -> bool {
        let persistent =
            matches!(self.kind, Some(ReductionKind::Persistent | ReductionKind::PersistentSleep));
        let alone = !selected.is_empty() && selected.iter().all(|s| *s == Selection::Deadlock);
        alone && self.proviso == Some(Proviso::Off) && (persistent || self.kind.is_none())
    }
}
