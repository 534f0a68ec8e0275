//! Formulas that are not in the file: read in any of the three syntaxes, their atoms as the file's
//! language has them.
//!
//! Each atom is read as an `ltl` block of its own that stands at the end of the file, so that
//! macros and variables of the file mean what they mean there. The block is made of three texts,
//! the middle one being the formula with all but the atom blank: so diagnostics point into the
//! formula.

use crate::question::ModelRequest;
use logic::ltl::Formula;
use logic::ltl::syntax::{Reading, Syntax, read};
use promela::lower::properties::{Propositions, Statement, Uncheckable, plain};
use source::{Diagnostic, FileId, SourceMap, Span};
use system::{Expr, Meaning, Property};

/// The name of the text of a formula.
pub const FORMULA: &str = "--ltl";

/// A formula whose atoms are blocks in the model.
pub struct Pending {
    name: String,
    text: String,
    skeleton: Formula<usize>,
    atoms: usize,
    span: Span,
    /// The words that are operators, and where.
    operators: Vec<(String, Span)>,
}

/// Reads the formulas of a request; their atoms become texts to be read behind the model.
pub fn read_all(
    request: &ModelRequest,
    map: &mut SourceMap,
    texts: &mut Vec<FileId>,
) -> Result<(Vec<Pending>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut warnings = Vec::new();
    let mut given = Vec::new();
    for (k, text) in request.formulas.iter().enumerate() {
        let name = ModelRequest::formula_name(k);
        let file = map.add(FORMULA, text.clone());
        let span = Span::new(file, 0, text.len() as u32);
        let mut atoms: Vec<Span> = Vec::new();
        let mut atom = |_: &str, span: Span| {
            atoms.push(span);
            Ok(atoms.len() - 1)
        };
        let (skeleton, more) = read(text, span, Reading::Home(Syntax::Spin), &mut atom)?;
        warnings.extend(more);
        for (number, atom) in atoms.iter().enumerate() {
            texts.push(map.add(FORMULA, format!("ltl {} {{ (", atom_name(&name, number))));
            texts.push(map.add(FORMULA, only(text, *atom)));
            texts.push(map.add(FORMULA, ") }".to_string()));
        }
        let operators = operators(text, span, &atoms);
        given.push(Pending { name, text: text.clone(), skeleton, atoms: atoms.len(), span, operators });
    }
    Ok((given, warnings))
}

fn atom_name(formula: &str, number: usize) -> String {
    format!("__{formula}_{number}")
}

/// All words outside of the atoms.
fn operators(text: &str, place: Span, atoms: &[Span]) -> Vec<(String, Span)> {
    let in_word = |c: char| c.is_alphanumeric() || c == '_';
    let begins = |at: &usize| !text[..*at].ends_with(in_word) && text[*at..].starts_with(in_word);
    let outside = |at: &usize| !atoms.iter().any(|atom| (atom.start..atom.end).contains(&(*at as u32)));
    let word = |at: usize| {
        let word = text[at..].split(|c| !in_word(c)).next().unwrap_or_default();
        (word.to_string(), Span { start: at as u32, end: (at + word.len()) as u32, ..place })
    };
    text.char_indices().map(|(at, _)| at).filter(begins).filter(outside).map(word).collect()
}

/// The text with everything blank outside of the span, or inside of quotes that make an atom of it.
fn only(text: &str, span: Span) -> String {
    let (start, end) = (span.start as usize, span.end as usize);
    let blank = |(at, c): (usize, char)| if (start..end).contains(&at) && c != '"' { c } else { ' ' };
    text.char_indices().map(blank).collect()
}

impl Pending {
    /// The words that are operators here.
    pub fn operators(&self) -> impl Iterator<Item = &str> {
        self.operators.iter().map(|(word, _)| word.as_str())
    }

    /// What is wrong if a macro of the model has the name of an operator: in an `ltl` block the
    /// same text means something else.
    pub fn shadowed(&self, name: &str) -> Option<Diagnostic> {
        let (_, span) = self.operators.iter().find(|(word, _)| word == name)?;
        let message = format!("`{name}` is an operator of the formula and a macro of the model");
        let help = format!(
            "for the macro write `\"{name}…\"` with double quotes, for the operator rename the macro"
        );
        Some(Diagnostic::error("E0408", *span, message).label("which of them?").help(help))
    }

    /// Takes the statements of its atoms and makes one of them.
    pub fn state(&self, statements: &mut Vec<Statement>) -> Option<Statement> {
        let mut take = |number| {
            let name = atom_name(&self.name, number);
            let at = statements.iter().position(|s| s.name == name)?;
            Some(statements.remove(at))
        };
        let atoms = (0..self.atoms).map(&mut take).collect::<Option<Vec<_>>>()?;
        let kind = promela::lower::properties::Kind::Formula;
        let property = self.property(&atoms);
        let text = Some(self.text.clone());
        Some(Statement { text, ..Statement::new(&self.name, kind, property) })
    }

    fn property(&self, atoms: &[Statement]) -> Result<Property, Uncheckable> {
        let mut terms = Vec::new();
        for atom in atoms {
            let property = atom.property.as_ref().map_err(Clone::clone)?;
            let term = state(property).ok_or(Uncheckable::TemporalAtom)?;
            terms.push((term, property.span));
        }
        let mut propositions = Propositions::default();
        let formula = formula(&self.skeleton, &terms, &mut propositions);
        propositions.property(&self.name, Meaning::Always(formula), self.span)
    }
}

/// The term of an atom, if it has no temporal operator in it.
fn state(atom: &Property) -> Option<Expr> {
    let Meaning::Always(formula) = &atom.meaning else { return None };
    plain(formula, &|proposition| atom.propositions[*proposition].clone())
}

/// The skeleton with its atoms. What is between temporal operators is one term first, so that `&&`
/// and `||` guard what is to their right.
fn formula(
    skeleton: &Formula<usize>,
    terms: &[(Expr, Span)],
    propositions: &mut Propositions,
) -> Formula<usize> {
    if let Some(term) = plain(skeleton, &|atom| terms[*atom].0.clone()) {
        let mut spans = Vec::new();
        skeleton.atoms(&mut |atom| spans.push(terms[*atom].1));
        let place = spans.into_iter().reduce(Span::to).unwrap_or_default();
        return propositions.boolean(&term, place);
    }
    match skeleton {
        Formula::Constant(_) | Formula::Atom(_) => skeleton.clone(),
        Formula::Unary(op, a) => Formula::unary(*op, formula(a, terms, propositions)),
        Formula::Binary(op, a, b) => {
            let a = formula(a, terms, propositions);
            Formula::binary(*op, a, formula(b, terms, propositions))
        }
    }
}
