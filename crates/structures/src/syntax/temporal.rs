//! Formulas without free variables, alone and as atoms of temporal logic.

use super::{Lowering, Meaning, Scope, parse_formula};
use crate::formula::Formula;
use crate::model::Claim;
use crate::vocabulary::Vocabulary;
use logic::ltl::Syntax;
use logic::ltl::syntax::{Atoms, Reading, read_tree};
use source::{Diagnostic, Span};

/// A formula without free variables, and what is wrong with its text, which begins at `place`.
pub fn closed(
    vocabulary: &Vocabulary,
    meaning: &Meaning,
    text: &str,
    place: Span,
) -> (Formula, Vec<Diagnostic>) {
    let (tree, mut diagnostics) = parse_formula(place.file, text, place.start);
    let mut lowering = Lowering { vocabulary, meaning, diagnostics: &mut diagnostics };
    (lowering.formula(&tree, &mut Scope::default()), diagnostics)
}

/// A formula of temporal logic whose atoms are closed formulas, in quotes unless they are nullary
/// predicates.
pub fn temporal(
    vocabulary: &Vocabulary,
    meaning: &Meaning,
    text: &str,
    place: Span,
) -> Result<(Claim, Vec<Diagnostic>), Vec<Diagnostic>> {
    // `~` is no part of an atom here, as it is in C: where it makes a difference, it is STeP's.
    let in_step = || read_tree(text, place, Reading::Only(Syntax::Step));
    let tree = read_tree(text, place, Reading::Home(Syntax::Common));
    let (tree, warnings) = tree.or_else(|problems| in_step().map_err(|_| problems))?;
    let mut letters: Vec<Formula> = Vec::new();
    let formula = tree.resolve(&mut Atoms(|atom: &str, span: Span| {
        let inner = atom.trim_matches('"');
        let base = span.start + (atom.len() - atom.trim_start_matches('"').len()) as u32;
        let (letter, diagnostics) = closed(vocabulary, meaning, inner, Span::new(span.file, base, base));
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        Ok(letters.iter().position(|l| *l == letter).unwrap_or_else(|| {
            letters.push(letter);
            letters.len() - 1
        }))
    }))?;
    if letters.len() > 64 {
        return Err(vec![Diagnostic::error("E0919", place, "more than 64 atoms in a formula")]);
    }
    Ok((Claim::Ltl { formula, letters }, warnings))
}
