//! Abstractions as they are shown: the program in words, and a run of it.

use crate::answer::Abstraction;
use crate::report::{Ending, Report, ReportStep};
use crate::values::Change;
use logic::fol::Symbol;
use prover::abstraction;
use system::fts::{Fairness, Mode, Watched};

/// An abstract program as it is shown.
pub(super) fn words(made: &abstraction::Abstracted) -> Abstraction {
    let fairness = |f: Fairness| match f {
        Fairness::None => "unfair",
        Fairness::Weak => "just",
        Fairness::Strong => "compassionate",
    };
    let control = |s: &Symbol| made.fts.variable(&s.name).is_some_and(|v| v.mode == Mode::Control);
    let basis = made.relation.iter().filter(|(s, _)| !control(s));
    let transitions = made.fts.transitions.iter();
    let watched = |w: &Watched| (w.down.name.to_string(), w.up.name.to_string(), w.rank.to_string());
    let statements =
        transitions.map(|t| (t.name.clone(), abstraction::statement(&made.fts, t), fairness(t.fairness)));
    Abstraction {
        basis: basis.map(|(s, e)| (s.name.to_string(), e.to_string())).collect(),
        watched: made.watched.iter().map(watched).collect(),
        statements: statements.collect(),
        text: abstraction::as_fts(&made.fts),
    }
}

/// A run of an abstraction, a line for each step.
pub(super) fn steps(run: &Report) -> Vec<String> {
    let values = |step: &ReportStep| {
        let one = |c: &Change| format!("{} {} -> {}", c.name, c.before, c.after);
        step.changes.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let statement =
        |step: &ReportStep| step.statements.iter().map(|s| s.text.clone()).collect::<Vec<_>>().join("; ");
    let initial = run.initial.iter().map(|v| format!("{} = {}", v.name, v.value));
    let mut lines = vec![format!("initially: {}", initial.collect::<Vec<_>>().join(", "))];
    for (at, step) in run.steps.iter().enumerate() {
        if matches!(run.ending, Ending::Lasso { loop_start, .. } if loop_start == at) {
            lines.push("repeated without end:".to_string());
        }
        lines.push(format!("{:>2}  {:<24} {}", at + 1, statement(step), values(step)).trim_end().to_string());
    }
    lines
}
