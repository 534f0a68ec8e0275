//! What the exploration of a program took, on the screen.

use crate::units::{count, plural};
use workbench::answer::rate;
use workbench::programs::{About, Estimate};
use workbench::{Answer, RunNumbers};

pub(crate) fn numbers(answer: &Answer, n: &RunNumbers) -> String {
    let complete = if answer.exhausted { "complete search" } else { "search not complete" };
    let (seconds, reduction) = (answer.numbers.seconds, &answer.reduction.name);
    let mut out = format!(
        "{}: {} terminated, {} deadlocked, {} failing; {} cut; {complete}, reduction {reduction}\n",
        plural(n.runs as usize, "run"),
        count(n.terminated),
        count(n.deadlocks),
        count(n.failing),
        count(n.blocked_runs),
    );
    out.push_str(&format!(
        "{} explored, {} executed, depth {}\n",
        plural(n.explored as usize, "transition"),
        count(n.executed),
        count(n.depth)
    ));
    if let Some(part) = n.coverage {
        out.push_str(&format!("about {:.2} % of the tree of runs was seen\n", part * 100.0));
    }
    out.push_str(&n.estimate.as_ref().map(estimate).unwrap_or_default());
    out.push_str(&format!("{seconds:.2} s, {} runs/s\n", count(rate(n.runs, seconds) as u64)));
    out
}

fn estimate(e: &Estimate) -> String {
    let about = |a: About| format!("{:.3e} (± {:.1e})", a.mean, a.error);
    format!(
        "estimated from {}: without reduction about {} runs with {} transitions;\n\
         about {} classes of runs, which is what dpor has to see\n",
        plural(e.samples as usize, "sample"),
        about(e.runs),
        about(e.transitions),
        about(e.classes)
    )
}
