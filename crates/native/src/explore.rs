//! Explores a program: one search, begun anew whenever more turns out to be visible.

use crate::execution::{Execution, Known, Options, Race};
use crate::launch::Program;
use crate::operation::Op;
use crate::report::{Report, Trouble};
use crate::search::sample::{Estimate, Sampling, sample};
use crate::search::{Bounds, Reduction, Searched, Workers, search};

/// What to explore, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    pub program: Program,
    pub reduction: Reduction,
    pub bounds: Bounds,
    pub options: Options,
    /// Workers, one core each.
    pub threads: usize,
    /// Instead of a search.
    pub sampling: Option<Sampling>,
    pub seed: u64,
}

/// What was found, and what it rests on.
#[derive(Debug)]
pub struct Explored {
    pub report: Report<Op>,
    /// Why the search could not go on.
    pub trouble: Option<Trouble>,
    pub uncontrolled: Vec<String>,
    pub assumes: Vec<String>,
    pub contained: bool,
    pub known: Known,
    pub races: Vec<Race>,
    pub instrumented: bool,
    /// Where the program was loaded.
    pub base: u64,
    pub estimate: Option<Estimate>,
}

/// The program, ready to be executed by one worker.
fn world(plan: &Plan, worker: usize) -> Result<Execution, Trouble> {
    let mut execution = Execution::new(&plan.program, plan.options, Known::default(), worker)?;
    if !execution.machine.has_backstop() {
        execution
            .assumes
            .insert("no system calls but through the C library: this machine cannot catch them".to_string());
    }
    Ok(execution)
}

pub fn explore(plan: &Plan, go_on: &mut dyn FnMut(&Report<Op>) -> bool) -> Result<Explored, Trouble> {
    let mut execution = world(plan, 0)?;
    let make = |worker: usize| world(plan, worker);
    loop {
        let (searched, estimate) = match plan.sampling {
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
            Some(Trouble::Restart) => continue,
            None if stale && searched.report.violations.is_empty() && !searched.report.stopped => continue,
            Some(trouble @ Trouble::Broken(_)) => return Err(trouble),
            _ => return Ok(Explored { estimate, ..explored(execution, searched) }),
        }
    }
}

fn explored(execution: Execution, Searched { report, trouble }: Searched<Op>) -> Explored {
    Explored {
        report: Report { exhausted: report.exhausted && trouble.is_none(), ..report },
        trouble,
        uncontrolled: execution.uncontrolled.iter().cloned().collect(),
        assumes: execution.assumes.iter().cloned().collect(),
        contained: execution.machine.contained(),
        races: execution.races.iter().copied().collect(),
        instrumented: execution.machine.is_instrumented(),
        base: execution.machine.base(),
        known: execution.known,
        estimate: None,
    }
}
