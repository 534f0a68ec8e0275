//! Proofs on the screen: each property, what is open with its countermodel, what was found.

use crate::style::{Style, Tone};
use crate::units::plural;
use source::SourceMap;
use workbench::{
    Answer, Countermodel, Decided, Kind, Location, Obligation, Proof, ProofNumbers, Status, Verdict,
};

/// The part of an answer that is about proofs.
pub(crate) fn part(map: &SourceMap, answer: &Answer, found: &ProofNumbers, style: &Style) -> String {
    let mut out = String::new();
    for property in answer.properties.iter().filter(|p| p.kind != Kind::Runtime) {
        let Some(proof) = &property.proof else { continue };
        let broken: Vec<_> = answer.violations.iter().filter(|v| v.property == property.name).collect();
        let message = broken.first().map(|v| v.message.as_str());
        out.push_str(&self::property(map, (property, proof, message), style));
        broken.iter().for_each(|violation| out.push_str(&super::list::list(&violation.trace, style)));
    }
    out.push_str(&types(&found.types, style));
    if !found.generated.is_empty() {
        out.push_str(&style.paint(Tone::Strong, "\nInvariants found:\n"));
        let most = if style.full { usize::MAX } else { 20 };
        for (kind, formula) in found.generated.iter().take(most) {
            out.push_str(&format!("  {kind:<10} {formula}\n"));
        }
        if found.generated.len() > most {
            out.push_str(&format!("  … and {} more (--full)\n", found.generated.len() - most));
        }
    }
    if let Some(made) = &found.abstraction {
        out.push_str(&style.paint(Tone::Strong, "\nAbstraction:\n"));
        for (name, stands_for) in &made.basis {
            out.push_str(&format!("  {name}: {stands_for}\n"));
        }
        for (down, up, number) in &made.watched {
            out.push_str(&format!("  {down}, {up}: the last step made {number} smaller, larger\n"));
        }
        for (name, statement, fairness) in &made.statements {
            out.push_str(&format!("  {name}: {statement}   ({fairness})\n"));
        }
    }
    if !found.derived.is_empty() {
        out.push_str(&style.paint(Tone::Strong, "\nDiagrams derived:\n"));
        for derived in &found.derived {
            match &derived.text {
                Ok(text) => text.lines().for_each(|line| out.push_str(&format!("  {line}\n"))),
                Err(why) => out.push_str(&format!("  none for {}: {why}\n", derived.property)),
            }
        }
    }
    out.push_str(&format!("\nsolver: {}; {:.1} s\n", found.solver, answer.numbers.seconds));
    out
}

/// What is known of a property. If a run violates it, what was tried to prove it is of no interest.
fn property(
    map: &SourceMap,
    (property, proof, broken): (&Decided, &Proof, Option<&str>),
    style: &Style,
) -> String {
    let proved = proof.obligations.iter().filter(|o| o.status == Status::Proved).count();
    let all = proof.obligations.len();
    let word = style.paint(property.verdict.into(), property.verdict.name());
    let how = match (&proof.rules[..], &property.reason) {
        (_, reason) if property.verdict == Verdict::Violated => {
            broken.or(reason.as_deref()).unwrap_or_default().to_string()
        }
        ([], Some(reason)) => reason.clone(),
        (rules, reason) => {
            let conditions = plural(all, "condition");
            let tried = reason.as_ref().map(|reason| format!("\n  tried: {reason}")).unwrap_or_default();
            format!("{}: {proved} of {conditions}{tried}", rules.join(", "))
        }
    };
    let how = match &property.vacuous {
        Some(why) => format!("vacuously ({why}): {how}"),
        None => how,
    };
    let mut out = format!("\n{} {word}: {how}\n", style.paint(Tone::Strong, &property.name));
    if broken.is_none() {
        out.push_str(&format!("  {}\n", property.text));
    } else if !style.full {
        return out;
    }
    if let Some(invariant) = &proof.invariant {
        out.push_str(&style.paint(Tone::Faint, &format!("  with: {invariant}\n")));
    }
    let lemmas: std::collections::BTreeSet<&str> =
        proof.obligations.iter().flat_map(|o| &o.lemmas).map(String::as_str).collect();
    if !lemmas.is_empty() {
        let lemmas: Vec<&str> = lemmas.into_iter().collect();
        out.push_str(&style.paint(Tone::Faint, &format!("  from: {}\n", lemmas.join(", "))));
    }
    let open: Vec<&Obligation> = proof.obligations.iter().filter(|o| o.status != Status::Proved).collect();
    let most = if style.full { open.len() } else { open.len().min(3) };
    for obligation in &open[..most] {
        out.push_str(&self::obligation(map, obligation, style));
    }
    if open.len() > most {
        out.push_str(&format!("  … and {} more open (--full)\n", open.len() - most));
    }
    if style.full {
        proof.obligations.iter().for_each(|o| out.push_str(&condition(o, style)));
    }
    out
}

/// A condition as it is, and simplified.
fn condition(obligation: &Obligation, style: &Style) -> String {
    let Some(asked) = &obligation.asked else { return String::new() };
    let name = format!("  {} {}", obligation.rule, obligation.name);
    let (whole, simple) = (asked.statement(), asked.simplified());
    let mut out = format!("{}: {whole}\n", style.paint(Tone::Faint, &name));
    if simple != whole {
        out.push_str(&format!("    simplified: {simple}\n"));
    }
    out
}

fn obligation(map: &SourceMap, obligation: &Obligation, style: &Style) -> String {
    let mut out = format!("  {} {}", obligation.rule, style.paint(Tone::Strong, &obligation.name));
    match (&obligation.countermodel, &obligation.reason) {
        (Some(model), reason) => {
            out.push_str(" fails:\n");
            out.push_str(&countermodel(map, model, style));
            out.extend(reason.iter().map(|reason| format!("    {reason}\n")));
        }
        (None, Some(reason)) if obligation.status == Status::Failed => {
            out.push_str(&format!(" fails: {reason}\n"));
        }
        (None, reason) => {
            out.push_str(&format!(" is undecided: {}\n", reason.as_deref().unwrap_or("no answer")));
        }
    }
    out
}

/// Two states with the program text between.
fn countermodel(map: &SourceMap, model: &Countermodel, style: &Style) -> String {
    let state = |values: &[(String, String)]| {
        let one = |(name, value): &(String, String)| match value.strip_prefix("at ") {
            Some(_) => format!("{name} {value}"),
            None => format!("{name} = {value}"),
        };
        let shown: Vec<String> = values.iter().map(one).collect();
        shown.join(", ")
    };
    let mut out = format!("    from  {}\n", state(&model.before));
    if let Some((name, text)) = &model.transition {
        let place = Location::of(map, model.span);
        let place = place.map(|l| format!(" (line {})", l.line)).unwrap_or_default();
        out.push_str(&format!("    {}{place}\n", style.paint(Tone::Strong, &format!("{name} │ {text}"))));
        let after = if model.after.is_empty() { "the same".to_string() } else { state(&model.after) };
        out.push_str(&format!("    to    {after}\n"));
    }
    if let Some(fails) = &model.fails {
        out.push_str(&format!("    where {fails} is false\n"));
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
