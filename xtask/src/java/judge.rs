//! Does weave's answer contradict what is true?

use super::answer::{About, Answer, Property, Verdict};
use super::explore::{Truth, Wrong};

/// What a comparison found: how many verdicts were compared, and what does not fit.
#[derive(Debug, Clone, Default)]
pub struct Judgement {
    pub compared: usize,
    pub unknown: usize,
    pub contradictions: Vec<String>,
}

/// Certainly wrong, by the book.
const ERRORS: [Wrong; 3] = [Wrong::Uncaught, Wrong::Assertion, Wrong::Range];

pub fn judge(answer: &Answer, truth: &Truth) -> Judgement {
    let mut judgement = Judgement::default();
    match answer {
        Answer::Verdict { overall, properties, .. } => {
            properties.iter().for_each(|property| one(property, truth, &mut judgement));
            partial(properties, truth, &mut judgement);
            all(*overall, properties, truth, &mut judgement);
        }
        Answer::Failed(words) => judgement.contradictions.push(format!("weave fails: {words}")),
        Answer::Refused(_) | Answer::TimeOut => judgement.unknown += 1,
    }
    judgement
}

/// True in every run without an earlier error; true in some run.
fn of(about: About, truth: &Truth) -> (bool, bool) {
    let clean = |kinds: &[Wrong]| kinds.iter().any(|kind| truth.clean.contains(kind));
    match about {
        About::Error => (clean(&ERRORS), truth.any(&ERRORS) || truth.has(Wrong::Misuse)),
        About::Deadlock => (clean(&[Wrong::Deadlock]), truth.has(Wrong::Blocked)),
        About::Partial => (false, truth.has(Wrong::Blocked)),
        About::Race => (clean(&[Wrong::Race]), truth.has(Wrong::Race)),
    }
}

fn one(property: &Property, truth: &Truth, judgement: &mut Judgement) {
    let (must, may) = of(property.about, truth);
    match property.verdict {
        Verdict::Unknown => return judgement.unknown += 1,
        Verdict::Holds if must => {
            judgement.contradictions.push(format!("{} holds, and it is violated", property.name))
        }
        Verdict::Violated if !may => {
            judgement.contradictions.push(format!("{} is violated, and it holds", property.name))
        }
        _ => {}
    }
    judgement.compared += 1;
}

/// A blocked thread counts for some property.
fn partial(properties: &[Property], truth: &Truth, judgement: &mut Judgement) {
    let about = |p: &&Property| matches!(p.about, About::Deadlock | About::Partial);
    let blocked = truth.clean.contains(&Wrong::Blocked);
    let mut all = properties.iter().filter(about).peekable();
    if blocked && all.peek().is_some() && all.all(|p| p.verdict == Verdict::Holds) {
        let words = "deadlock holds, and a thread is blocked";
        judgement.contradictions.push(words.to_owned());
    }
}

fn all(overall: Verdict, properties: &[Property], truth: &Truth, judgement: &mut Judgement) {
    let races = properties.iter().any(|p| p.about == About::Race);
    let strict = [&ERRORS[..], &[Wrong::Deadlock, Wrong::Blocked]].concat();
    let race = races && truth.has(Wrong::Race);
    let must = truth.any(&strict) || race;
    let may = must || truth.has(Wrong::Misuse);
    let words = match overall {
        Verdict::Holds if must => "the program holds, and it is violated",
        Verdict::Violated if !may => "the program is violated, and it holds",
        _ => return,
    };
    judgement.contradictions.push(words.to_owned());
}

/// The truth in words, for the head of a file.
pub fn words(truth: &Truth) -> String {
    let mut words: Vec<String> = Vec::new();
    for kind in truth.wrong.keys() {
        let clean = if truth.clean.contains(kind) { "" } else { " (after an error)" };
        words.push(match kind {
            Wrong::Uncaught => {
                let names: Vec<_> = truth.uncaught.iter().copied().collect();
                format!("uncaught {}{clean}", names.join(", "))
            }
            Wrong::Assertion => format!("a failed assertion{clean}"),
            Wrong::Range => format!("a number outside its range{clean}"),
            Wrong::Misuse => "null, a monitor or a thread misused, caught or not".to_owned(),
            Wrong::Deadlock => format!("a deadlock of all threads{clean}"),
            Wrong::Blocked => format!("a thread that is blocked{clean}"),
            Wrong::Race => {
                let fields: Vec<_> = truth.races.iter().cloned().collect();
                format!("a data race on {}{clean}", fields.join(", "))
            }
        });
    }
    if words.is_empty() { "holds, no data race".to_owned() } else { words.join("; ") }
}
