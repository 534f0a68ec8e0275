//! The human answer to `weave prove`: verdict first, then each property, what stands open with its countermodel, what was found.

use crate::style::{Style, Tone};
use crate::units::plural;
use workbench::Verdict;
use workbench::prove::{Countermodel, Obligation, ProveResult, Proved, Source, Status};

/// The first line.
pub(crate) fn headline(result: &ProveResult, style: &Style) -> String {
    let (tone, word) = match result.verdict {
        Verdict::Holds => (Tone::Good, "HOLDS"),
        Verdict::Violated => (Tone::Bad, "VIOLATED"),
        Verdict::Unknown => (Tone::Doubtful, "UNKNOWN"),
    };
    format!("{}: {}\n", style.paint(tone, word), result.reason)
}

/// Everything.
pub(crate) fn result(source: &Source, result: &ProveResult, reproduce: &str, style: &Style) -> String {
    let mut out = headline(result, style);
    for property in &result.properties {
        out.push_str(&self::property(source, property, style));
        for violation in result.violations.iter().filter(|v| v.property == property.name) {
            out.push_str(&super::list::list(&violation.trace, style));
        }
    }
    out.push_str(&types(&result.types, style));
    if !result.generated.is_empty() {
        out.push_str(&style.paint(Tone::Strong, "\nInvariants found:\n"));
        let most = if style.full { usize::MAX } else { 20 };
        for (kind, formula) in result.generated.iter().take(most) {
            out.push_str(&format!("  {kind:<10} {formula}\n"));
        }
        if result.generated.len() > most {
            out.push_str(&format!("  … and {} more (--full)\n", result.generated.len() - most));
        }
    }
    out.push_str(&format!("\nsolver: {}; {:.1} s\n", result.solver, result.seconds));
    result.assumes.iter().for_each(|a| out.push_str(&format!("assumes: {a}\n")));
    out.push_str(&format!("reproduce: {reproduce}\n"));
    out
}

fn property(source: &Source, property: &Proved, style: &Style) -> String {
    let proved = property.obligations.iter().filter(|o| o.status == Status::Proved).count();
    let all = property.obligations.len();
    let (tone, word) = match property.verdict {
        Verdict::Holds => (Tone::Good, "holds"),
        Verdict::Violated => (Tone::Bad, "violated"),
        Verdict::Unknown => (Tone::Doubtful, "unknown"),
    };
    let how = match (&property.rules[..], &property.reason) {
        (_, Some(reason)) if property.verdict == Verdict::Violated => reason.clone(),
        ([], Some(reason)) => reason.clone(),
        (rules, _) => format!("{}: {proved} of {}", rules.join(", "), plural(all, "condition")),
    };
    let how = match &property.vacuous {
        Some(why) => format!("vacuously ({why}): {how}"),
        None => how,
    };
    let mut out =
        format!("\n{} {}: {}\n", style.paint(Tone::Strong, &property.name), style.paint(tone, word), how);
    out.push_str(&format!("  {}\n", property.formula));
    if let Some(invariant) = &property.invariant {
        out.push_str(&style.paint(Tone::Faint, &format!("  with: {invariant}\n")));
    }
    let lemmas: std::collections::BTreeSet<&str> =
        property.obligations.iter().flat_map(|o| &o.lemmas).map(String::as_str).collect();
    if !lemmas.is_empty() {
        let lemmas: Vec<&str> = lemmas.into_iter().collect();
        out.push_str(&style.paint(Tone::Faint, &format!("  from: {}\n", lemmas.join(", "))));
    }
    let open: Vec<&Obligation> = property.obligations.iter().filter(|o| o.status != Status::Proved).collect();
    let most = if style.full { open.len() } else { open.len().min(3) };
    for obligation in &open[..most] {
        out.push_str(&self::obligation(source, obligation, style));
    }
    if open.len() > most {
        out.push_str(&format!("  … and {} more open (--full)\n", open.len() - most));
    }
    out
}

fn obligation(source: &Source, obligation: &Obligation, style: &Style) -> String {
    let mut out = format!("  {} {}", obligation.rule, style.paint(Tone::Strong, &obligation.name));
    match (&obligation.countermodel, &obligation.reason) {
        (Some(model), _) => {
            out.push_str(" fails:\n");
            out.push_str(&countermodel(source, model, style));
        }
        (None, reason) => {
            out.push_str(&format!(" is undecided: {}\n", reason.as_deref().unwrap_or("no answer")));
        }
    }
    out
}

/// Two states with the program text between.
fn countermodel(source: &Source, model: &Countermodel, style: &Style) -> String {
    let state = |values: &[(String, String)]| {
        let shown: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        shown.join(", ")
    };
    let mut out = format!("    from  {}\n", state(&model.before));
    if let Some((name, text)) = &model.transition {
        let place = source.location(model.span);
        let place = place.map(|l| format!(" (line {})", l.line)).unwrap_or_default();
        out.push_str(&format!("    {}{place}\n", style.paint(Tone::Strong, &format!("{name} │ {text}"))));
        let after = if model.after.is_empty() { "the same".to_string() } else { state(&model.after) };
        out.push_str(&format!("    to    {after}\n"));
    }
    out
}

fn types(checks: &[Obligation], style: &Style) -> String {
    if checks.is_empty() {
        return String::new();
    }
    let proved = checks.iter().filter(|o| o.status == Status::Proved).count();
    let mut out = format!(
        "\n{}: {proved} of {} proved\n",
        style.paint(Tone::Strong, "types"),
        plural(checks.len(), "check")
    );
    for check in checks.iter().filter(|o| o.status != Status::Proved) {
        out.push_str(&format!("  open: {}\n", check.name));
    }
    out
}
