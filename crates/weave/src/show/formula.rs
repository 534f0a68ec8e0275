//! What is known about a formula: as text and as JSON.

use crate::cli::Claim;
use crate::exit::Exit;
use crate::json::VERSION;
use crate::style::{Style, Tone, cut};
use serde_json::{Value, json};
use workbench::ltl::{Analysis, Comparison, Facts, Picture, Syntax, Word};

type Claims<'a> = &'a [(Claim, Option<bool>)];

/// The first line.
pub(crate) fn headline(analysis: &Analysis, claims: Claims) -> String {
    if let Some(comparison) = &analysis.comparison {
        return match comparison {
            Err(reason) => format!("UNKNOWN: {reason}"),
            Ok(Comparison { difference: None, .. }) => {
                "EQUIVALENT: every word satisfies both or neither".to_owned()
            }
            Ok(Comparison { satisfies_first, .. }) => {
                let which = if *satisfies_first { "first" } else { "second" };
                format!("NOT EQUIVALENT: some word satisfies the {which} formula only")
            }
        };
    }
    match &analysis.facts {
        Err(reason) => format!("UNKNOWN: {reason}"),
        Ok(facts) if claims.is_empty() => verdict_on(facts),
        Ok(facts) => {
            let reported = |(claim, answer): &(Claim, Option<bool>)| match answer {
                Some(true) => claim.name(),
                Some(false) => format!("not {}", claim.name()),
                None => format!("{} unknown", claim.name()),
            };
            let answers = claims.iter().map(|(_, answer)| *answer);
            let word = match Exit::of_answers(answers) {
                Exit::Violated => "NO",
                Exit::Unknown => "UNKNOWN",
                _ => "YES",
            };
            let reported: Vec<String> = claims.iter().map(reported).collect();
            format!("{word}: {} ({})", reported.join(", "), verdict_on(facts).to_lowercase())
        }
    }
}

fn verdict_on(facts: &Facts) -> String {
    if facts.witness.is_none() {
        return "UNSATISFIABLE: no word satisfies it".to_owned();
    }
    if facts.counterexample.is_none() {
        return "VALID: every word satisfies it".to_owned();
    }
    let class = facts
        .class
        .as_ref()
        .map_or_else(|reason| format!("class unknown, {reason}"), |c| c.name().to_owned());
    let liveness = match facts.liveness {
        Ok(true) => ", liveness",
        Ok(false) => "",
        Err(_) => ", liveness unknown",
    };
    let stuttering = match facts.stutter_invariant {
        Ok(true) => ", stutter-invariant",
        Ok(false) => ", counts steps",
        Err(_) => ", stutter invariance unknown",
    };
    format!("SATISFIABLE, not valid: {class}{liveness}{stuttering}")
}

/// The whole answer.
pub(crate) fn answer(analysis: &Analysis, claims: Claims, reproduce: &str, style: &Style) -> String {
    let mut text = style.paint(Tone::Strong, &headline(analysis, claims)) + "\n\n";
    for (syntax, written) in &analysis.texts {
        let written = written.as_deref().unwrap_or("(has no past operators)");
        text += &format!("  {:<11} {written}\n", syntax_name(*syntax));
    }
    text += &format!("  {:<11} {}\n", "simplified", analysis.simplified);
    if let Some(Ok(Comparison { difference: Some(difference), .. })) = &analysis.comparison {
        text += &format!("\nDifferent on: {}\n", word(difference, &analysis.propositions));
    }
    if let Ok(facts) = &analysis.facts {
        text += &format!("\n{}\n", automaton(&facts.automaton, style));
        let shown = |found: &Option<Word>, none: &str| {
            found.as_ref().map_or_else(|| none.to_owned(), |found| word(found, &analysis.propositions))
        };
        text += &format!("True of:  {}\n", shown(&facts.witness, "no word"));
        text += &format!("False of: {}\n", shown(&facts.counterexample, "no word"));
    }
    text + &format!("\nreproduce: {reproduce}\n")
}

fn syntax_name(syntax: Syntax) -> &'static str {
    match syntax {
        Syntax::Spin => "SPIN",
        Syntax::Step => "STeP",
        Syntax::Common => "common",
    }
}

/// Positions one after the other: `p !q, then repeat: !p !q · p q`.
fn word(word: &Word, names: &[String]) -> String {
    let literal = |(name, truth): (&String, &bool)| match (*truth, name.contains(' ')) {
        (true, _) => name.clone(),
        (false, true) => format!("!({name})"),
        (false, false) => format!("!{name}"),
    };
    let letter = |letter: &Vec<bool>| match names.is_empty() {
        true => "anything".to_owned(),
        false => names.iter().zip(letter).map(literal).collect::<Vec<_>>().join(" "),
    };
    let letters = |letters: &[Vec<bool>]| letters.iter().map(letter).collect::<Vec<_>>().join(" · ");
    match word.stem.is_empty() {
        true => format!("repeat: {}", letters(&word.cycle)),
        false => format!("{}, then repeat: {}", letters(&word.stem), letters(&word.cycle)),
    }
}

/// More states are shown only with --full.
const STATES: usize = 30;

fn automaton(picture: &Picture, style: &Style) -> String {
    let edges = picture.states.iter().map(Vec::len).sum();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let accepting = match picture.sets {
        0 => "every infinite run accepts".to_owned(),
        1 => "a run accepts if it takes edges with ● again and again".to_owned(),
        sets => {
            let marks: Vec<String> = (0..sets).map(|set| format!("●{set}")).collect();
            format!("a run accepts if it takes edges with each of {} again and again", marks.join(" "))
        }
    };
    let states = picture.states.len();
    let mut text = format!("Automaton: {}, {}; {accepting}\n", count(states, "state"), count(edges, "edge"));
    let shown = if style.full { states } else { states.min(STATES) };
    let label = |edge: &workbench::ltl::Edge| {
        let mark = |set: &usize| if picture.sets == 1 { " ●".to_owned() } else { format!(" ●{set}") };
        let marks: String = edge.sets.iter().map(mark).collect();
        let room = if style.full { usize::MAX } else { style.width.saturating_sub(30) };
        format!("{}{marks}", cut(&edge.label, room))
    };
    let all = picture.states[..shown].iter().flatten();
    let widest = all.map(|edge| label(edge).chars().count()).max().unwrap_or(0);
    for (state, edges) in picture.states[..shown].iter().enumerate() {
        let entry = if state == picture.initial { "→" } else { " " };
        let mut name = format!("{entry} {state:>3}");
        for edge in edges {
            let label = label(edge);
            let line = "─".repeat(widest - label.chars().count());
            text += &format!("  {name}  ── {label} {line}─▶ {}\n", edge.to);
            name = "     ".to_owned();
        }
        if edges.is_empty() {
            text += &format!("  {name}  (no edge)\n");
        }
    }
    if shown < states {
        text += &format!("  … and {} more; --full shows all\n", count(states - shown, "state"));
    }
    text
}

pub(crate) fn json(analysis: &Analysis, claims: Claims, reproduce: &str, exit: Exit) -> Value {
    let facts = analysis.facts.as_ref().ok();
    let names = &analysis.propositions;
    let texts: serde_json::Map<String, Value> =
        analysis.texts.iter().map(|(syntax, text)| (syntax.name().to_owned(), json!(text))).collect();
    let claims: serde_json::Map<String, Value> =
        claims.iter().map(|(claim, answer)| (claim.name(), json!(answer))).collect();
    let comparison = analysis.comparison.as_ref().map(|comparison| match comparison {
        Err(reason) => {
            let reason = reason.to_string();
            json!({"equivalent": null, "reason": reason, "difference": null, "satisfies_first": null})
        }
        Ok(Comparison { difference, satisfies_first }) => json!({
            "equivalent": difference.is_none(),
            "reason": null,
            "difference": difference.as_ref().map(|word| word_json(word, names)),
            "satisfies_first": difference.as_ref().map(|_| satisfies_first),
        }),
    });
    json!({
        "event": "result",
        "schema": VERSION,
        "command": "ltl",
        "reason": analysis.facts.as_ref().err().map(ToString::to_string),
        "exit_code": exit.code(),
        "formula": texts,
        "simplified": analysis.simplified,
        "propositions": names,
        "satisfiable": facts.map(|f| f.witness.is_some()),
        "valid": facts.map(|f| f.counterexample.is_none()),
        "class": facts.and_then(|f| f.class.as_ref().ok()).map(|class| class.name()),
        "liveness": facts.and_then(|f| f.liveness.as_ref().ok()),
        "stutter_invariant": facts.and_then(|f| f.stutter_invariant.as_ref().ok()),
        "witness": facts.and_then(|f| f.witness.as_ref()).map(|word| word_json(word, names)),
        "counterexample": facts.and_then(|f| f.counterexample.as_ref()).map(|word| word_json(word, names)),
        "automaton": facts.map(|f| automaton_json(&f.automaton)),
        "claims": claims,
        "comparison": comparison,
        "reproduce": reproduce,
    })
}

/// Each letter as the list of what is true.
fn word_json(word: &Word, names: &[String]) -> Value {
    let letter = |letter: &Vec<bool>| -> Vec<String> {
        names.iter().zip(letter).filter(|(_, truth)| **truth).map(|(name, _)| name.clone()).collect()
    };
    let letters = |letters: &[Vec<bool>]| letters.iter().map(letter).collect::<Vec<_>>();
    json!({"stem": letters(&word.stem), "cycle": letters(&word.cycle)})
}

pub(crate) fn automaton_json(picture: &Picture) -> Value {
    let edges: Vec<Value> = picture
        .states
        .iter()
        .enumerate()
        .flat_map(|(from, arrows)| {
            let edge = move |a: &workbench::ltl::Edge| {
                json!({"from": from, "to": a.to, "label": a.label, "sets": a.sets})
            };
            arrows.iter().map(edge)
        })
        .collect();
    json!({
        "states": picture.states.len(), "initial": picture.initial, "acceptance_sets": picture.sets, "edges": edges,
    })
}
