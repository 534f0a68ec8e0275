//! Which of the syntaxes a formula is in.

use source::{Diagnostic, Span};

use super::super::Formula;
use super::host::Atoms;
use super::parser::parse;
use super::tokens::Tokens;
use super::{Syntax, Tree};

/// How a text is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// In this syntax.
    Only(Syntax),
    /// In this syntax if it can be; otherwise in any other that can, if there is one and all that
    /// can agree. If another syntax would read it differently, there is a warning.
    Home(Syntax),
    /// In any syntax that can, if all that can agree.
    Any,
}

/// Reads a formula whose atoms `atom` reads. `place` is where the text stands. Also gives warnings.
pub fn read<A>(
    text: &str,
    place: Span,
    reading: Reading,
    atom: impl FnMut(&str, Span) -> Result<A, Vec<Diagnostic>>,
) -> Result<(Formula<A>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (tree, warnings) = read_tree(text, place, reading)?;
    Ok((tree.resolve(&mut Atoms(atom))?, warnings))
}

/// Reads a formula as far as it is not the host's. Also gives warnings.
pub fn read_tree(
    text: &str,
    place: Span,
    reading: Reading,
) -> Result<(Tree, Vec<Diagnostic>), Vec<Diagnostic>> {
    let tokens = Tokens::new(text, place)?;
    let in_syntax = |syntax| parse(&tokens, syntax);
    let home = match reading {
        Reading::Only(syntax) => return in_syntax(syntax).map(|tree| (tree, vec![])),
        Reading::Home(syntax) => Some(syntax),
        Reading::Any => None,
    };
    let readings: Vec<(Syntax, Result<Tree, _>)> =
        Syntax::ALL.map(|syntax| (syntax, in_syntax(syntax))).into();
    let good: Vec<(Syntax, &Tree)> =
        readings.iter().filter_map(|(syntax, result)| Some((*syntax, result.as_ref().ok()?))).collect();
    let chosen = good.iter().find(|(syntax, _)| home == Some(*syntax)).or(good.first());
    let Some((syntax, tree)) = chosen else {
        return Err(nearest(readings, home));
    };
    let other = good.iter().find(|(_, found)| found != tree);
    match other {
        None => Ok(((*tree).clone(), vec![])),
        Some((other, _)) => {
            let names = (syntax.name(), other.name());
            let whole = Span::new(place.file, place.start, place.start.saturating_add(text.len() as u32));
            if home == Some(*syntax) {
                let message = format!(
                    "read in the {} syntax; in the {} syntax it means something else",
                    names.0, names.1
                );
                let warning = Diagnostic::warning("W0401", whole, message);
                return Ok(((*tree).clone(), vec![warning.help("brackets make it clear")]));
            }
            let message = format!(
                "the formula means one thing in the {} syntax and another in the {} syntax",
                names.0, names.1
            );
            Err(vec![
                Diagnostic::error("E0408", whole, message).help("add brackets, or say which syntax it is in"),
            ])
        }
    }
}

/// The error of the home syntax; without one, of the syntax that came furthest.
fn nearest(readings: Vec<(Syntax, Result<Tree, Vec<Diagnostic>>)>, home: Option<Syntax>) -> Vec<Diagnostic> {
    let progress = |problems: &[Diagnostic]| problems.first().map_or(0, |problem| problem.primary.span.start);
    let failed = readings.into_iter().filter_map(|(syntax, result)| Some((syntax, result.err()?)));
    let best = failed.max_by_key(|(syntax, problems)| (progress(problems), home == Some(*syntax)));
    best.map(|(_, problems)| problems).unwrap_or_default()
}
