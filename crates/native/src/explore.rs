//! Explores a program: one search, begun anew whenever more turns out to be visible.

use crate::execution::{Execution, Known, Options, Race};
use crate::launch::Program;
use crate::operation::Op;
use crate::report::{Report, Trouble};
use crate::search::{Bounds, Reduction, Search};

/// What to explore, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    pub program: Program,
    pub reduction: Reduction,
    pub bounds: Bounds,
    pub options: Options,
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
}

pub fn explore(plan: &Plan, go_on: &mut dyn FnMut(&Report<Op>) -> bool) -> Result<Explored, Trouble> {
    let mut execution = Execution::new(&plan.program, plan.options, Known::default())?;
    if !execution.machine.has_backstop() {
        execution
            .assumes
            .insert("no system calls but through the C library: this machine cannot catch them".to_string());
    }
    loop {
        let mut last = Report::default();
        let mut watch = |report: &Report<Op>| {
            last = report.clone();
            go_on(report)
        };
        let searched = Search::new(&mut execution, plan.reduction, plan.bounds).run(&mut watch);
        let (report, trouble) = match searched {
            Err(Trouble::Restart) => continue,
            Err(trouble @ Trouble::Broken(_)) => return Err(trouble),
            Err(trouble) => (last, Some(trouble)),
            // Nothing found, but more is visible now: what was seen was not everything.
            Ok(report) if report.violations.is_empty() && std::mem::take(&mut execution.more_races) => {
                continue;
            }
            Ok(report) => (report, None),
        };
        return Ok(Explored {
            report: Report { exhausted: report.exhausted && trouble.is_none(), ..report },
            trouble,
            uncontrolled: execution.uncontrolled.iter().cloned().collect(),
            assumes: execution.assumes.iter().cloned().collect(),
            contained: execution.machine.contained(),
            races: execution.races.iter().copied().collect(),
            instrumented: execution.machine.is_instrumented(),
            base: execution.machine.base(),
            known: execution.known,
        });
    }
}
