//! What is certain about the names of a text that could not be read as a whole.
//!
//! Behind a mistake of the grammar a declaration may be lost, and then names seem to mean nothing.
//! A name is unknown beyond doubt if it stands nowhere in the texts but where it was reported: then
//! no declaration of it can be among what was lost.

use crate::{Diagnostic, SourceMap, Span};
use std::collections::{HashMap, HashSet};

/// Of the findings with these codes, each about the name at its place, those that no part of the
/// texts that could not be read can explain.
pub fn certain(map: &SourceMap, findings: &[Diagnostic], codes: &[&str]) -> Vec<Diagnostic> {
    let about: Vec<&Diagnostic> = findings.iter().filter(|d| codes.contains(&d.code)).collect();
    let reported: HashSet<Span> = about.iter().map(|d| d.primary.span).collect();
    let wanted: HashSet<&str> = about.iter().map(|d| map.snippet(d.primary.span)).collect();
    let mut elsewhere: HashMap<&str, bool> = HashMap::new();
    for (file, text) in map.iter() {
        for (start, word) in words(&text.content).filter(|(_, word)| wanted.contains(word)) {
            let place = Span::new(file, start, start + word.len() as u32);
            *elsewhere.entry(word).or_default() |= !reported.contains(&place);
        }
    }
    let sure = |d: &&Diagnostic| elsewhere.get(map.snippet(d.primary.span)) == Some(&false);
    about.into_iter().filter(sure).cloned().collect()
}

/// The words of a text, comments included, and where they begin.
fn words(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let begin = text.as_ptr() as usize;
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    parts.map(move |word| ((word.as_ptr() as usize - begin) as u32, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_stands_elsewhere_may_be_declared_there() {
        let mut map = SourceMap::new();
        let file = map.add("a", "byte lost = = 1; lost; conter; conter");
        let at = |start, end| Diagnostic::error("E1", Span::new(file, start, end), "unknown");
        let findings = [at(17, 21), at(23, 29), at(31, 37)];
        assert_eq!(certain(&map, &findings, &["E1"]), findings[1..]);
        assert!(certain(&map, &findings[..2], &["E1"]).is_empty());
        assert!(certain(&map, &findings, &["E2"]).is_empty());
    }
}
