//! What the judge checked of what holds: one line.

use crate::units::{count, plural};
use workbench::{Certificate, Decided};

/// What was certified, each certificate with the properties that it is for.
pub(crate) fn line(properties: &[Decided]) -> String {
    let mut all: Vec<(String, Vec<&str>)> = Vec::new();
    for property in properties {
        let Some(words) = property.certificate.as_ref().map(words) else { continue };
        match all.iter_mut().find(|(known, _)| *known == words) {
            Some((_, names)) => names.push(&property.name),
            None => all.push((words, vec![&property.name])),
        }
    }
    let parts: Vec<String> =
        all.iter().map(|(words, names)| format!("{words} ({})", names.join(", "))).collect();
    if parts.is_empty() { String::new() } else { format!("certified: {}\n", parts.join("; ")) }
}

fn words(certificate: &Certificate) -> String {
    match certificate {
        Certificate::Closed { states } => format!("a closed set of {}", plural(*states as usize, "state")),
        Certificate::Levels { levels, states } => {
            let levels = plural(*levels as usize, "level");
            format!("{levels} of {} states of the product", count(*states))
        }
        Certificate::Conditions => "the conditions of the proof, made again".to_string(),
        Certificate::Embedded => "concrete runs with few individuals".to_string(),
        Certificate::Without(why) => format!("not, {why}"),
    }
}
