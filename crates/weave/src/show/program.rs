//! The answer of `weave run` on the screen: verdict, the failing run as a list, numbers.

use crate::show::{chart, list};
use crate::style::{Style, Tone};
use crate::units::{count, plural};
use workbench::Verdict;
use workbench::programs::{About, Estimate, ProgramResult, RunViolation};

pub(crate) fn headline(result: &ProgramResult, style: &Style) -> String {
    let (word, tone) = match result.verdict {
        Verdict::Holds => ("HOLDS", Tone::Good),
        Verdict::Violated => ("VIOLATED", Tone::Bad),
        Verdict::Unknown => ("UNKNOWN", Tone::Doubtful),
    };
    let listed = match (result.verdict, result.races.len()) {
        (Verdict::Holds, 1..) => format!(", with {} listed", plural(result.races.len(), "data race")),
        _ => String::new(),
    };
    format!("{}{listed}: {}\n", style.paint(tone, word), result.reason)
}

pub(crate) fn result(result: &ProgramResult, reduction: &str, reproduce: &str, style: &Style) -> String {
    let mut out = headline(result, style);
    let shown = if style.full { result.violations.len() } else { 1 };
    for violation in result.violations.iter().take(shown) {
        out.push_str(&self::violation(violation, style));
    }
    if result.violations.len() > shown {
        let more = plural(result.violations.len() - shown, "violation");
        out.push_str(&format!("\n{more} more; --full shows their runs\n"));
    }
    out.push('\n');
    out.push_str(&numbers(result, reduction));
    result.races.iter().for_each(|r| out.push_str(&format!("race: {r}\n")));
    for once in &result.unrepeated {
        let steps = plural(once.recording.steps.len(), "step");
        out.push_str(&format!("failed once: {} ({steps}; --trace FILE records it)\n", once.why));
    }
    result.unseen.iter().for_each(|u| out.push_str(&format!("unseen: {u}\n")));
    result.assumes.iter().for_each(|a| out.push_str(&format!("assumes: {a}\n")));
    result.uncontrolled.iter().for_each(|u| out.push_str(&format!("uncontrolled: {u}\n")));
    out.push_str(&format!("reproduce: {reproduce}\n"));
    out
}

fn violation(violation: &RunViolation, style: &Style) -> String {
    let steps = plural(violation.report.steps.len(), "step");
    let head = style.paint(Tone::Strong, &format!("The run ({steps}):"));
    let chart = chart::chart(&violation.report, style);
    let gap = if chart.is_empty() { "" } else { "\n" };
    format!("\n{head}\n{}{gap}{chart}", list::list(&violation.report, style))
}

fn numbers(result: &ProgramResult, reduction: &str) -> String {
    let complete = if result.exhausted { "complete search" } else { "search not complete" };
    let mut out = format!(
        "{} runs: {} terminated, {} deadlocked, {} failing; {} cut; {complete}, reduction {reduction}\n",
        count(result.runs),
        count(result.terminated),
        count(result.deadlocks),
        count(result.failing),
        count(result.blocked_runs),
    );
    out.push_str(&format!(
        "{} transitions explored, {} executed, depth {}\n",
        count(result.explored),
        count(result.executed),
        count(result.depth)
    ));
    if let Some(part) = result.coverage {
        out.push_str(&format!("about {:.2} % of the tree of runs were seen\n", part * 100.0));
    }
    out.push_str(&result.estimate.as_ref().map(estimate).unwrap_or_default());
    out.push_str(&format!("{:.2} s, {} runs/s\n", result.seconds, count(result.runs_per_second() as u64)));
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
