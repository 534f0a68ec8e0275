//! Programs on the screen: a failing run as a list, numbers.

use crate::show::run_chart::{self, threads};
use crate::style::{Style, Tone, cut};
use crate::units::{count, plural};
use workbench::answer::rate;
use workbench::programs::{About, Estimate, Place, RunViolation, Scenario, Scene, called};
use workbench::{Answer, RunNumbers};

pub(crate) fn violation(violation: &RunViolation, style: &Style) -> String {
    let steps = plural(violation.scenario.steps.len(), "step");
    let head = style.paint(Tone::Strong, &format!("The run ({steps}):"));
    let chart = run_chart::chart(&violation.scenario, style);
    format!("\n{head}\n{}{chart}", scenario(&violation.scenario, style))
}

/// Each step, and who stands where at the end.
pub(crate) fn scenario(scenario: &Scenario, style: &Style) -> String {
    let mut out = String::new();
    let all = threads(scenario.steps.iter().chain(&scenario.waiting));
    for (at, step) in scenario.steps.iter().enumerate() {
        out.push_str(&cut(&format!("{:>4}  {}", at + 1, words(&all, step)), style.width));
        out.push('\n');
        for line in step.output.lines() {
            out.push_str(&style.paint(Tone::Faint, &cut(&format!("      | {line}"), style.width)));
            out.push('\n');
        }
    }
    if !scenario.printed.is_empty() {
        out.push_str("Printed:\n");
        for line in scenario.printed.lines() {
            out.push_str(&style.paint(Tone::Faint, &cut(&format!("      | {line}"), style.width)));
            out.push('\n');
        }
    }
    if !scenario.waiting.is_empty() {
        out.push_str("At the end:\n");
        for waiting in &scenario.waiting {
            out.push_str(&cut(&format!("      {}", words(&all, waiting)), style.width));
            out.push('\n');
        }
    }
    out
}

/// A step; all who take part are needed for the name of who takes it.
pub(crate) fn words(all: &[(u64, usize)], step: &Scene) -> String {
    let name = |(process, who): &(u64, usize)| called(all, *process, *who);
    let width = all.iter().map(|one| name(one).len()).max().unwrap_or(0);
    let who = name(&(step.process, step.who));
    format!("{who:<width$}  {} {}{}", step.operation, step.object, stack(step))
}

/// The innermost places of the program, a few: `file:12 in f, file:30 in main`.
fn stack(step: &Scene) -> String {
    const SHOWN: usize = 4;
    let place = |p: &Place| {
        let file = p.file.rsplit('/').next().unwrap_or(&p.file);
        format!("{}:{} in {}", file, p.line, p.function)
    };
    let places: Vec<String> = step.stack.iter().take(SHOWN).map(place).collect();
    if places.is_empty() { String::new() } else { format!("  {}", places.join(" < ")) }
}

pub(crate) fn ending(scenario: &Scenario) -> String {
    match &scenario.failure {
        Some(failure) => format!("{}: {}", failure.kind.name(), failure.message),
        None => "nothing wrong".to_string(),
    }
}

pub(crate) fn numbers(answer: &Answer, n: &RunNumbers) -> String {
    let complete = if answer.exhausted { "complete search" } else { "search not complete" };
    let (seconds, reduction) = (answer.numbers.seconds, &answer.reduction.name);
    let mut out = format!(
        "{} runs: {} terminated, {} deadlocked, {} failing; {} cut; {complete}, reduction {reduction}\n",
        count(n.runs),
        count(n.terminated),
        count(n.deadlocks),
        count(n.failing),
        count(n.blocked_runs),
    );
    out.push_str(&format!(
        "{} transitions explored, {} executed, depth {}\n",
        count(n.explored),
        count(n.executed),
        count(n.depth)
    ));
    if let Some(part) = n.coverage {
        out.push_str(&format!("about {:.2} % of the tree of runs were seen\n", part * 100.0));
    }
    out.push_str(&n.estimate.as_ref().map(estimate).unwrap_or_default());
    out.push_str(&format!("{seconds:.2} s, {} runs/s\n", count(rate(n.runs, seconds) as u64)));
    out
}

fn estimate(e: &Estimate) -> String {
    let about = |a: About| format!("{:.3e} (± {:.1e})", a.mean, a.error);
    format!(
        "estimated from {} samples: without reduction about {} runs with {} transitions; about {} classes of runs, which is \
         what dpor has to see\n",
        e.samples,
        about(e.runs),
        about(e.transitions),
        about(e.classes)
    )
}
