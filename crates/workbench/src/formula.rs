//! Formulas that are not in the file: read in any of the three syntaxes, their atoms as the file's language has them.
//!
//! Each atom is read as an `ltl` block of its own that stands at the end of the file, so that macros and variables of the file
//! mean what they mean there. The block is made of three texts, the middle one being the formula with all but the atom
//! blank: so diagnostics point into the formula.

use crate::request::ModelRequest;
use logic::ltl::Formula;
use logic::ltl::syntax::{Reading, Syntax, read};
use promela::lower::properties::Statement;
use source::{Diagnostic, FileId, SourceMap, Span};
use system::{Meaning, Property};

/// The name of the text of a formula.
pub const FORMULA: &str = "--ltl";

/// A formula whose atoms are blocks in the model.
pub struct Given {
    name: String,
    skeleton: Formula<usize>,
    atoms: usize,
    span: Span,
}

/// Reads the formulas of a request; their atoms become texts to be read behind the model.
pub fn read_all(
    request: &ModelRequest,
    map: &mut SourceMap,
    texts: &mut Vec<FileId>,
) -> Result<(Vec<Given>, Vec<Diagnostic>), Vec<Diagnostic>> {
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
        given.push(Given { name, skeleton, atoms: atoms.len(), span });
    }
    Ok((given, warnings))
}

fn atom_name(formula: &str, number: usize) -> String {
    format!("__{formula}_{number}")
}

/// The text with everything blank outside of the span, or inside of quotes that make an atom of it.
fn only(text: &str, span: Span) -> String {
    let (start, end) = (span.start as usize, span.end as usize);
    let blank = |(at, c): (usize, char)| if (start..end).contains(&at) && c != '"' { c } else { ' ' };
    text.char_indices().map(blank).collect()
}

impl Given {
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
        Some(Statement { name: self.name.clone(), kind, text: None, property, tracked: None, stated: true })
    }

    fn property(&self, atoms: &[Statement]) -> Result<Property, String> {
        let mut whole = Property {
            name: self.name.clone(),
            propositions: Vec::new(),
            spans: Vec::new(),
            meaning: Meaning::Always(Formula::TRUE),
            ends: true,
            span: self.span,
        };
        let mut formulas = Vec::new();
        for atom in atoms {
            formulas.push(add(&mut whole, atom.property.as_ref().map_err(Clone::clone)?));
        }
        if whole.propositions.len() > system::property::MAX_PROPOSITIONS {
            return Err(format!("it has more than {} propositions", system::property::MAX_PROPOSITIONS));
        }
        whole.meaning = Meaning::Always(substitute(&self.skeleton, &formulas));
        Ok(whole)
    }
}

/// Adds the propositions of a part; its formula in terms of those of the whole.
fn add(whole: &mut Property, part: &Property) -> Formula<usize> {
    let Meaning::Always(formula) = &part.meaning else { return Formula::TRUE };
    let mut number = |k: usize| {
        let known = whole.propositions.iter().position(|p| *p == part.propositions[k]);
        known.unwrap_or_else(|| {
            whole.propositions.push(part.propositions[k].clone());
            whole.spans.push(part.spans[k]);
            whole.propositions.len() - 1
        })
    };
    formula.clone().map(&mut number)
}

fn substitute(skeleton: &Formula<usize>, atoms: &[Formula<usize>]) -> Formula<usize> {
    match skeleton {
        Formula::Constant(c) => Formula::Constant(*c),
        Formula::Atom(a) => atoms[*a].clone(),
        Formula::Unary(op, a) => Formula::unary(*op, substitute(a, atoms)),
        Formula::Binary(op, a, b) => Formula::binary(*op, substitute(a, atoms), substitute(b, atoms)),
    }
}
