//! Explores a program: one search, begun anew whenever more turns out to be visible.

use crate::execution::{Execution, Known, Options, Shares};
use crate::launch::Program;
use crate::operation::{Pending, Tid};
use crate::unseen::{Unseen, unlisted, unseen};
use explore::stateless::sample::{Estimate, Sampling, sample};
use explore::stateless::{self, Bounds, Race, Reduction, Trouble, Workers, World, search};
use objects::Object;
use std::collections::BTreeMap;

/// What a search of a program finds.
pub type Report = stateless::Report<Pending, Known>;
/// A failing run with all that is needed to execute it again.
pub type Violation = stateless::Violation<Pending, Known>;
type Searched = stateless::Searched<Pending, Known>;

/// What to explore, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is executed.
    pub program: Program,
    /// Which runs are left out because an equivalent one is executed.
    pub reduction: Reduction,
    /// Limits on depth, runs and preemptions.
    pub bounds: Bounds,
    /// What counts as a failure, and how time passes.
    pub options: Options,
    /// Workers, one core each.
    pub threads: usize,
    /// Instead of a search.
    pub sampling: Option<Sampling>,
    /// Of the random choices of sampling; the same seed gives the same runs.
    pub seed: u64,
}

/// What was found, and what it rests on.
#[derive(Debug)]
pub struct Explored {
    /// The runs executed and the failures found.
    pub report: Report,
    /// Why the search could not go on.
    pub trouble: Option<Trouble>,
    /// What the program did that is not under control, each sentence once.
    pub uncontrolled: Vec<String>,
    /// Memory that several threads or processes share, and code whose accesses to it are not seen.
    pub shares: Shares,
    /// Code that shares memory and is not instrumented.
    pub unseen: Unseen,
    /// What must be true for the answer to be right, each sentence once.
    pub assumes: Vec<String>,
    /// Whether the program ran in namespaces of its own.
    pub contained: bool,
    /// The names that the search discovered; a replay needs them.
    pub known: Known,
    /// Data races, each once.
    pub races: Vec<Race>,
    /// How racing places were reached: return addresses, innermost first.
    pub stacks: BTreeMap<u64, Vec<u64>>,
    /// Whether plain accesses to memory are reported by the program.
    pub instrumented: bool,
    /// Where the program was loaded.
    pub base: u64,
    /// How large the whole search would be, if runs were sampled.
    pub estimate: Option<Estimate>,
}

/// The program, ready to be executed by one worker.
fn world(plan: &Plan, worker: usize) -> Result<Execution, Trouble> {
    let mut execution = Execution::new(&plan.program, plan.options, Known::default(), worker)?;
    if !execution.machine.has_backstop() {
        execution
            .assumes
            .insert("no system calls but through the C library, and files that it uses by itself carry nothing: this machine cannot catch them".to_string());
    }
    Ok(execution)
}

/// Executes runs until all are covered, a limit is reached or `go_on` says no.
pub fn explore(plan: &Plan, go_on: &mut dyn FnMut(&Report) -> bool) -> Result<Explored, Trouble> {
    let mut execution = world(plan, 0)?;
    let trouble = match differs(&mut execution, plan.bounds) {
        Err(trouble @ Trouble::Broken(_)) => return Err(trouble),
        Err(trouble) => Some(trouble),
        Ok(at) => at.map(Trouble::Nondeterminism),
    };
    if trouble.is_some() {
        return Ok(explored(execution, Searched { report: Report::default(), trouble }, plan));
    }
    let make = |worker: usize| world(plan, worker);
    let mut earlier = Earlier::default();
    loop {
        let (mut searched, estimate) = match plan.sampling {
            Some(how) => {
                let (searched, estimate) = sample(&mut execution, how, plan.bounds, plan.seed, go_on);
                (searched, matches!(how, Sampling::Estimate { .. }).then_some(estimate))
            }
            None => {
                let workers = Workers { others: plan.threads.saturating_sub(1), world: &make };
                (search(&mut execution, Some(workers), plan.reduction, plan.bounds, go_on), None)
            }
        };
        let stale = std::mem::take(&mut execution.more_races);
        match searched.trouble {
            Some(Trouble::Restart) => {}
            None if stale && is_uncertain(&execution, &searched.report) && !searched.report.stopped => {}
            Some(trouble @ Trouble::Broken(_)) => return Err(trouble),
            _ => {
                earlier.give(&mut searched.report);
                return Ok(Explored { estimate, ..explored(execution, searched, plan) });
            }
        }
        earlier.take(&execution, searched.report);
    }
}

/// What was found in searches that began anew because more became visible: that counts, whatever
/// comes of the last one.
#[derive(Default)]
struct Earlier {
    violations: Vec<Violation>,
    unrepeated: Vec<Violation>,
}

impl Earlier {
    fn take(&mut self, execution: &Execution, report: Report) {
        let sure = report.violations.into_iter().filter(|v| !execution.doubts(&v.failure));
        self.violations.extend(sure);
        self.unrepeated.extend(report.unrepeated);
    }

    fn give(&mut self, report: &mut Report) {
        report.unrepeated.append(&mut self.unrepeated);
        for found in self.violations.drain(..) {
            if !report.violations.iter().any(|v| v.failure.is_like(&found.failure)) {
                report.failing += 1;
                report.violations.push(found);
            }
        }
    }
}

/// Nothing was found, or only what more visible operations may show to be nothing.
fn is_uncertain(execution: &Execution, report: &Report) -> bool {
    report.violations.iter().all(|v| execution.doubts(&v.failure))
}

/// The determinism check: one run executed twice must come to the same operations of all threads.
/// The step where it does not. That it prints something else is only said.
fn differs(execution: &mut Execution, bounds: Bounds) -> Result<Option<usize>, Trouble> {
    let first = seen(execution, bounds)?;
    if first.failed {
        return Ok(None);
    }
    let second = seen(execution, bounds)?;
    execution.more_races = false;
    let same = |(a, b): (&Stands, &Stands)| {
        a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.0 == y.0 && x.1.same(&y.1))
    };
    if first.output != second.output {
        execution.assumes.insert("what differs in the output of two equal runs does not matter".to_string());
    }
    let longest = first.states.len().max(second.states.len());
    let agree = first.states.iter().zip(&second.states).take_while(|pair| same(*pair)).count();
    Ok((agree < longest).then_some(agree))
}

/// Who stands before what.
type Stands = Vec<(Tid, Pending)>;

/// The leftmost run: what stands in each state, and what is printed.
struct Seen {
    states: Vec<Stands>,
    output: Vec<u8>,
    failed: bool,
}

fn seen(execution: &mut Execution, bounds: Bounds) -> Result<Seen, Trouble> {
    loop {
        match leftmost(execution, bounds) {
            Err(Trouble::Restart) => {}
            seen => return seen,
        }
    }
}

fn leftmost(execution: &mut Execution, bounds: Bounds) -> Result<Seen, Trouble> {
    // What becomes visible on the way would make a second run another one.
    let racing = execution.known.racing.clone();
    let mut failed = execution.restart()?.failure.is_some();
    let mut states = Vec::new();
    loop {
        let pending = execution.pending();
        let ways =
            |(who, op): &(Tid, Pending)| Some((*who, *execution.semantics().outcomes(*who, op).first()?));
        let way = pending.iter().find_map(ways);
        states.push(pending);
        let Some((who, outcome)) =
            way.filter(|_| !failed && bounds.limits.depth.is_none_or(|d| states.len() as u64 <= d))
        else {
            break;
        };
        failed = execution.step(who, outcome)?.failure.is_some();
    }
    if failed {
        // The search will see it.
        execution.known.racing = racing;
        execution.more_races = false;
    } else if execution.known.racing.len() > racing.len() {
        return Err(Trouble::Restart);
    }
    Ok(Seen { states, output: execution.machine.output(0), failed })
}

/// How often a loop that only waits goes round is not explored: then no clock may tell.
const CLOCKS: &str = "a clock, in a program with waiting loops that sleep";

/// Nothing was found: does code that is not instrumented access what is shared, and do threads or
/// processes call what is not modelled?
fn look_at_code(execution: &Execution, plan: &Plan) -> Unseen {
    let shares = &execution.shares;
    if !shares.any() && !shares.forked {
        return Unseen::default();
    }
    let program = &plan.program;
    let mut modules = execution.machine.modules().unwrap_or_else(|| vec![program.path.clone()]);
    modules.extend(execution.shares.loaded.iter().map(Into::into));
    let unlisted = match execution.machine.is_instrumented() {
        true => unlisted(&modules, &execution.shares.called),
        false => Vec::new(),
    };
    match shares.any() {
        true => Unseen { unlisted, ..unseen(&modules) },
        false => Unseen { unlisted, ..Unseen::default() },
    }
}

/// What threads learn of each other by clocks and numbers, which is not explored.
fn assume_one_order(execution: &mut Execution) {
    if execution.time.reads_clock && !execution.known.threads.is_empty() {
        let what = "which of two threads that nothing orders reads a clock first does not matter";
        execution.assumes.insert(what.to_string());
    }
    if execution.known.sets.len() > 1 && !execution.known.threads.is_empty() {
        let what = "which of two System V objects has the lower number does not matter";
        execution.assumes.insert(what.to_string());
    }
}

fn explored(mut execution: Execution, Searched { report, trouble }: Searched, plan: &Plan) -> Explored {
    // Code that is not seen may order what seems to race.
    let races = report.violations.iter().any(|v| v.failure.kind == stateless::Kind::Race);
    let complete = report.exhausted && trouble.is_none() && report.violations.is_empty();
    let unseen = if complete || races { look_at_code(&execution, plan) } else { Unseen::default() };
    if execution.time.slept && execution.time.reads_clock {
        execution.uncontrolled.insert(CLOCKS.to_string());
    }
    assume_one_order(&mut execution);
    Explored {
        report: Report { exhausted: report.exhausted && trouble.is_none(), ..report },
        trouble,
        uncontrolled: execution.uncontrolled.iter().cloned().collect(),
        shares: execution.shares.clone(),
        unseen,
        assumes: execution.assumes.iter().cloned().collect(),
        contained: execution.machine.contained(),
        races: execution.races.iter().copied().collect(),
        stacks: execution.stacks.clone(),
        instrumented: execution.machine.is_instrumented(),
        base: execution.machine.base(),
        known: execution.known,
        estimate: None,
    }
}
