//! The comments that begin with `//@`: properties, fairness, more predicates.

use source::{Diagnostic, FileId, Span};
use structures::evaluate::widened;
use structures::formula::Formula;
use structures::model::{Claim, Fairness, Group, Model, Property};
use structures::syntax::{Lowering, Meaning, Scope, closed, parse_formula, temporal};

/// Reads the comments of a file into the model.
pub fn read(text: &str, file: FileId, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some(at) = line.find("//@") {
            let note = line[at + 3..].trim();
            let place = start + at + 3 + (line[at + 3..].len() - line[at + 3..].trim_start().len());
            let span = Span::new(file, place as u32, (place + note.len()) as u32);
            one(note, span, model, diagnostics);
        }
        start += line.len();
    }
}

/// The declared ranges: `//@ range NAME LOW..HIGH`, by name.
pub fn ranges(text: &str) -> std::collections::BTreeMap<String, (i64, i64)> {
    let notes = text.lines().filter_map(|line| line.split_once("//@").map(|(_, note)| note.trim()));
    notes.filter_map(|note| range(note.strip_prefix("range")?)).collect()
}

fn range(text: &str) -> Option<(String, (i64, i64))> {
    let (name, bounds) = text.trim().split_once(char::is_whitespace)?;
    let (low, high) = bounds.trim().split_once("..")?;
    let (low, high) = (low.trim().parse().ok()?, high.trim().trim_start_matches('=').parse().ok()?);
    let fits = low <= 0 && high >= 0 && low < high && high - low < crate::numbers::VALUES;
    fits.then(|| (name.to_string(), (low, high)))
}

fn one(note: &str, span: Span, model: &mut Model, diagnostics: &mut Vec<Diagnostic>) {
    let (word, rest) = note.split_once(char::is_whitespace).unwrap_or((note, ""));
    let rest_at = |part: &str| span.start + (note.len() - part.len()) as u32;
    match word {
        // These stand before statements and were read with them.
        "exclusive" | "any" => {}
        // Read before everything else; that something has the name is looked at in `program`.
        "range" => {
            if range(rest).is_none() {
                complain(span, word, diagnostics);
            }
        }
        "ltl" | "inv" => {
            let Some((name, formula)) = rest.split_once(':') else {
                return complain(span, word, diagnostics);
            };
            let place = Span::new(span.file, rest_at(formula), span.end);
            match claim(word, formula, place, model) {
                Ok(claim) => {
                    let (name, text) = (name.trim().to_string(), formula.trim().to_string());
                    model.properties.push(Property { name, text, span, claim });
                }
                Err(errors) => diagnostics.extend(errors),
            }
        }
        "pred" => {
            let Some((head, formula)) = rest.split_once('=') else {
                return complain(span, word, diagnostics);
            };
            let (name, parameters) =
                head.trim().trim_end_matches(')').split_once('(').unwrap_or((head.trim(), ""));
            let mut scope = Scope::default();
            let parameters: Vec<&str> =
                parameters.split(',').map(str::trim).filter(|p| !p.is_empty()).collect();
            for parameter in &parameters {
                scope.add(parameter);
            }
            let (tree, mut more) = parse_formula(span.file, formula, rest_at(formula));
            let meaning = Meaning::default();
            let formula =
                Lowering { vocabulary: &model.vocabulary, meaning: &meaning, diagnostics: &mut more }
                    .formula(&tree, &mut scope);
            diagnostics.extend(more);
            if parameters.len() > 1 || model.vocabulary.find(name).is_some() {
                return complain(span, word, diagnostics);
            }
            declare(model, name, parameters.len(), formula, span);
        }
        "fair" => {
            let mut words = rest.split([' ', ',']).filter(|w| !w.is_empty());
            let strength = match words.next() {
                Some("strong") => Fairness::Strong,
                Some("weak") => Fairness::Weak,
                _ => return complain(span, word, diagnostics),
            };
            let named: Vec<&str> = words.collect();
            let thread = |n: usize| {
                let name = &model.threads[n].name;
                named.iter().any(|w| name == w || name.split('.').next() == Some(*w))
            };
            let actions: Vec<usize> =
                (0..model.actions.len()).filter(|a| model.actions[*a].thread.is_some_and(thread)).collect();
            if actions.is_empty() {
                return complain(span, word, diagnostics);
            }
            model.fairness.push(Group { span, strength, actions, who: None });
        }
        _ => complain(span, word, diagnostics),
    }
}

/// A derived predicate after the others; initial structures get room for it.
fn declare(model: &mut Model, name: &str, arity: usize, definition: Formula, span: Span) {
    let before = model.vocabulary.clone();
    model.vocabulary.derive(name, arity, span, definition);
    for initial in &mut model.initial {
        initial.structure = widened(&initial.structure, &before, &model.vocabulary);
    }
}

fn claim(word: &str, formula: &str, place: Span, model: &Model) -> Result<Claim, Vec<Diagnostic>> {
    let meaning = Meaning::default();
    if word == "ltl" {
        return temporal(&model.vocabulary, &meaning, formula, place).map(|(claim, _)| claim);
    }
    let (formula, diagnostics) = closed(&model.vocabulary, &meaning, formula, place);
    if diagnostics.is_empty() { Ok(Claim::Invariant(formula)) } else { Err(diagnostics) }
}

/// The annotations, each with how it is written.
const FORMS: [(&str, &str); 7] = [
    ("exclusive", "//@ exclusive NAME"),
    ("any", "//@ any"),
    ("range", "//@ range NAME LOW..HIGH, with 0 in the range"),
    ("ltl", "//@ ltl NAME: FORMULA"),
    ("inv", "//@ inv NAME: FORMULA"),
    ("pred", "//@ pred NAME(x) = FORMULA"),
    ("fair", "//@ fair weak CLASS, or //@ fair strong CLASS"),
];

fn complain(span: Span, word: &str, diagnostics: &mut Vec<Diagnostic>) {
    let error = match FORMS.iter().find(|(known, _)| *known == word) {
        Some((_, form)) => Diagnostic::error("E0806", span, "this annotation cannot be read")
            .label("not in its form")
            .help(format!("write `{form}`")),
        None => {
            let error =
                Diagnostic::error("E0806", span, format!("no annotation `{word}`")).label("not known");
            let known: Vec<&str> = FORMS.iter().map(|(word, _)| *word).collect();
            let listed = format!("there are: {}", known.join(", "));
            error.meant(word, known.into_iter()).note(listed)
        }
    };
    diagnostics.push(error.help("`weave explain E0806` says how they are written"));
}
