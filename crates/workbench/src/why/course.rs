//! The truth of a formula and of its parts in every state of a run that breaks it.
//!
//! Of a run that goes round, every part has a truth value in every state, by the definition of
//! truth on words. Of a run that is only a beginning, parts that look ahead have none: what is
//! known is that the whole formula is false, whatever comes.

use super::names::Names;
use crate::answer::Kind;
use crate::model::Model;
use logic::ltl::formula::{Binary, Formula, Unary};
use logic::ltl::{Lasso, Syntax, semantics, syntax};
use space::{Ending, Reference as _, Run};
use system::{Meaning, Property, Reference};

/// No more values than this are given: more are no picture for people.
const MOST: usize = 100_000;

/// A formula along a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The formula, then its parts, each once.
    pub rows: Vec<Row>,
}

/// A part of a formula along a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The part, as it would be written.
    pub text: String,
    /// How deep it stands in the formula.
    pub depth: usize,
    /// Its truth in the first state and after each step; `None` where no observer looks, or where
    /// that depends on what comes.
    pub truth: Vec<Option<bool>>,
}

/// What is known of the states of a run: the letter of each that is observed, and where a loop
/// begins.
pub(crate) struct Letters {
    pub(crate) letters: Vec<Option<u64>>,
    pub(crate) loop_start: Option<usize>,
}

/// A property of a system along a run that breaks it.
pub(crate) fn of_run(model: &Model, kind: Kind, name: &str, run: &Run) -> Option<Course> {
    let stated = model.properties.iter().find(|p| p.claim.name == name && p.claim.kind == kind)?;
    let property = stated.property.as_ref().ok()?;
    let observed = property.observed(stated.tracked.as_ref().unwrap_or(&model.system));
    let reference = Reference::new(&observed);
    let states = certify::replay(&reference, run).ok()?.states;
    let letter = |state| reference.observed(state).then(|| reference.letter(state)).transpose();
    let letters = states.iter().map(letter).collect::<Result<Vec<_>, _>>().ok()?;
    let loop_start = match run.ending {
        Ending::Lasso { loop_start } => Some(loop_start),
        _ => None,
    };
    let text = |number: usize| proposition(model, property, number);
    match &property.meaning {
        Meaning::Always(formula) => Letters { letters, loop_start }.course(formula, Syntax::Spin, &text),
        Meaning::Never(_) => {
            let atoms = (0..property.propositions.len()).map(Formula::Atom).map(|atom| (0, atom));
            Letters { letters, loop_start }.rows(atoms.collect(), Syntax::Spin, &text)
        }
    }
}

/// A proposition as the user wrote it.
pub(crate) fn proposition(model: &Model, property: &Property, proposition: usize) -> String {
    let written = property.spans.get(proposition).map(|span| model.map.snippet(*span).trim().to_string());
    let written = written.filter(|text| !text.is_empty());
    let made = || Names { model, process_type: None }.text(&property.propositions[proposition]);
    written.unwrap_or_else(made)
}

impl Letters {
    /// The formula and its parts.
    pub(crate) fn course(
        &self,
        formula: &Formula<usize>,
        syntax: Syntax,
        text: &dyn Fn(usize) -> String,
    ) -> Option<Course> {
        let mut parts = Vec::new();
        collect(formula, 0, &mut parts);
        let mut course = self.rows(parts, syntax, text)?;
        // Every run that is shown breaks its formula.
        if let Some(first) = course.rows.first_mut().and_then(|row| row.truth.first_mut()) {
            first.get_or_insert(false);
        }
        Some(course)
    }

    fn rows(
        &self,
        parts: Vec<(usize, Formula<usize>)>,
        syntax: Syntax,
        text: &dyn Fn(usize) -> String,
    ) -> Option<Course> {
        if parts.len().saturating_mul(self.letters.len()) > MOST {
            return None;
        }
        let word = self.word()?;
        let row = |(depth, part): (usize, Formula<usize>)| {
            let written = match &part {
                Formula::Atom(atom) => text(*atom),
                part => written(part, syntax, text)?,
            };
            Some(Row { text: written, depth, truth: self.truth(&part, &word) })
        };
        Some(Course { rows: parts.into_iter().map(row).collect::<Option<_>>()? })
    }

    /// The word of the observed states; its last letter repeats if the run is only a beginning.
    fn word(&self) -> Option<Lasso<u64>> {
        let observed = |letters: &[Option<u64>]| letters.iter().flatten().copied().collect::<Vec<u64>>();
        let (start, end) = match self.loop_start {
            // Idling in the last state is a loop of one state; else the last state is the first one
            // of the loop again.
            Some(start) if start + 1 == self.letters.len() => (start, self.letters.len()),
            Some(start) => (start, self.letters.len() - 1),
            None => (self.letters.len().checked_sub(1)?, self.letters.len()),
        };
        let (stem, cycle) = (observed(self.letters.get(..start)?), observed(self.letters.get(start..end)?));
        (!cycle.is_empty()).then_some(Lasso { stem, cycle })
    }

    fn truth(&self, part: &Formula<usize>, word: &Lasso<u64>) -> Vec<Option<bool>> {
        let known = self.loop_start.is_some() || !looks_ahead(part);
        let truth = semantics::truth(part, word, |proposition, letter| letter >> proposition & 1 == 1);
        let mut position = 0;
        let at = |letter: &Option<u64>| {
            letter.map(|_| {
                position += 1;
                truth.at(position - 1)
            })
        };
        self.letters.iter().map(at).map(|value| value.filter(|_| known)).collect()
    }
}

/// A formula as text. Printing quotes atoms that are no single words; here brackets do.
fn written(part: &Formula<usize>, syntax: Syntax, text: &dyn Fn(usize) -> String) -> Option<String> {
    let print = |syntax| syntax::print(part, syntax, |atom| text(*atom));
    let printed = print(syntax).or_else(|_| print(Syntax::Common)).ok()?;
    let mut pieces = printed.split('"');
    let first = pieces.next()?.to_string();
    let bracket = |(at, piece): (usize, &str)| format!("{}{piece}", if at % 2 == 0 { '(' } else { ')' });
    Some(first + &pieces.enumerate().map(bracket).collect::<String>())
}

/// The formula and its parts that are no constants, each once.
fn collect(formula: &Formula<usize>, depth: usize, parts: &mut Vec<(usize, Formula<usize>)>) {
    if matches!(formula, Formula::Constant(_)) || parts.iter().any(|(_, known)| known == formula) {
        return;
    }
    parts.push((depth, formula.clone()));
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => {}
        Formula::Unary(_, a) => collect(a, depth + 1, parts),
        Formula::Binary(_, a, b) => {
            collect(a, depth + 1, parts);
            collect(b, depth + 1, parts);
        }
    }
}

/// Whether the truth of a formula depends on what comes.
fn looks_ahead(formula: &Formula<usize>) -> bool {
    use {Binary::*, Unary::*};
    match formula {
        Formula::Constant(_) | Formula::Atom(_) => false,
        Formula::Unary(op, a) => matches!(op, Next | Eventually | Always) || looks_ahead(a),
        Formula::Binary(op, a, b) => {
            let own = matches!(op, Entails | Until | WeakUntil | Release | StrongRelease);
            own || looks_ahead(a) || looks_ahead(b)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(formula: &Formula<usize>, letters: &[Option<u64>], loop_start: Option<usize>) -> Vec<String> {
        let word = Letters { letters: letters.to_vec(), loop_start };
        let course = word.course(formula, Syntax::Spin, &|p| ["p", "q"][p].to_string()).unwrap();
        let sign = |truth: &Option<bool>| match truth {
            Some(true) => '1',
            Some(false) => '0',
            None => '-',
        };
        let row = |row: &Row| format!("{} {}", row.text, row.truth.iter().map(sign).collect::<String>());
        course.rows.iter().map(row).collect()
    }

    #[test]
    fn every_part_is_true_or_false_around_a_loop() {
        let settles = Formula::unary(Unary::Eventually, Formula::unary(Unary::Always, Formula::Atom(0)));
        let letters = [Some(0), Some(1), Some(0)];
        let expected = ["<> [] p 000", "[] p 000", "p 010"];
        assert_eq!(rows(&settles, &letters, Some(0)), expected);
        let idles = [Some(0), Some(1), Some(1)];
        assert_eq!(rows(&Formula::Atom(0), &idles, Some(2)), ["p 011"]);
    }

    #[test]
    fn states_that_no_observer_sees_have_no_truth() {
        let ever = Formula::unary(Unary::Eventually, Formula::Atom(1));
        assert_eq!(rows(&ever, &[Some(0), None, Some(1), Some(0)], Some(0)), ["<> q 0-00", "q 0-00"]);
    }

    #[test]
    fn of_a_beginning_only_the_past_is_known() {
        let always = Formula::unary(Unary::Always, Formula::Atom(0));
        assert_eq!(rows(&always, &[Some(1), Some(0)], None), ["[] p 0-", "p 10"]);
        let once = Formula::unary(Unary::Once, Formula::Atom(0));
        let since = Formula::unary(Unary::Always, once);
        let shown = rows(&since, &[Some(0), Some(1), Some(0)], None);
        assert_eq!(
            shown.iter().map(|row| row.rsplit(' ').next().unwrap()).collect::<Vec<_>>(),
            ["0--", "011", "010"]
        );
    }
}
