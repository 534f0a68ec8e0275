//! Formulas of temporal logic on their own: whether they can be true or false, their class, words,
//! automaton, other syntaxes.
//!
//! An atom is whatever stands between operators, and two atoms are the same if their texts are.
//! What they mean is not known here: a word may make both `x == 1` and `x == 2` true.

use crate::failure::Failure;
use logic::automata::{Automaton, Label, Named, TooLarge, dot, hoa, never, translate};
use logic::ltl::classify::Language;
use logic::ltl::semantics::satisfies;
use logic::ltl::syntax::{Reading, print, read};
use logic::ltl::{Binary, Formula, Lasso, normal, simplify};
use source::{Diagnostic, SourceMap, Span};

pub use logic::ltl::Syntax;
pub use logic::ltl::classify::Class;

/// What is asked about.
#[derive(Clone, Debug, Default)]
pub struct FormulaRequest {
    /// The formula.
    pub text: String,
    /// Is this formula equivalent?
    pub equivalent: Option<String>,
    /// The syntax of both; found out if it is not given.
    pub syntax: Option<Syntax>,
}

/// What is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The formula in a syntax.
    Syntax(Syntax),
    /// The automaton in the HOA format.
    Hoa,
    /// The automaton as a never claim of SPIN.
    Never,
    /// The automaton in DOT.
    Dot,
}

/// What is known about a formula.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The propositions, in order of appearance.
    pub propositions: Vec<String>,
    /// The formula in each syntax that can express it.
    pub texts: Vec<(Syntax, Option<String>)>,
    /// In the common syntax.
    pub simplified: String,
    /// What its automata say; or why they are too large.
    pub facts: Result<Facts, TooLarge>,
    /// How it compares with the other formula, if one was given.
    pub comparison: Option<Result<Comparison, TooLarge>>,
}

/// What the automata of a formula and of its negation say.
#[derive(Clone, Debug)]
pub struct Facts {
    /// A word that satisfies it; there is one or it is unsatisfiable.
    pub witness: Option<Word>,
    /// A word that does not; there is one or it is valid.
    pub counterexample: Option<Word>,
    /// Where it is in the hierarchy of Manna and Pnueli.
    pub class: Result<Class, TooLarge>,
    /// Whether every finite word can be continued to satisfy it.
    pub liveness: Result<bool, TooLarge>,
    /// Whether repeating letters makes no difference to it.
    pub stutter_invariant: Result<bool, TooLarge>,
    /// The automaton, to be drawn.
    pub automaton: Picture,
}

/// A word: for each position the propositions that are true there. Behind the stem the cycle
/// repeats endlessly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The letters before the cycle.
    pub stem: Vec<Vec<bool>>,
    /// The letters that repeat.
    pub cycle: Vec<Vec<bool>>,
}

/// An automaton: a run accepts if it passes infinitely often through edges of each set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The state in which runs begin.
    pub initial: usize,
    /// How many acceptance sets there are.
    pub sets: usize,
    /// By state: its edges.
    pub states: Vec<Vec<Edge>>,
}

/// An edge: where to, which letters (in the common syntax), in which sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state it leads to.
    pub to: usize,
    /// The letters on which it is taken.
    pub label: String,
    /// The acceptance sets that it is in.
    pub sets: Vec<usize>,
}

/// Two formulas side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// A word that satisfies one of them only: none if they are equivalent.
    pub difference: Option<Word>,
    /// Whether that word satisfies the first one.
    pub satisfies_first: bool,
}

/// Everything about a formula.
pub fn analyse(request: &FormulaRequest) -> Result<Analysis, Failure> {
    let mut reader = Reader::new(request.syntax);
    let formula = reader.read("formula", &request.text)?;
    let other = request.equivalent.as_ref().map(|text| reader.read("equivalent", text)).transpose()?;
    let names = reader.propositions;
    let language = Language::of(&formula);
    let comparison = other.map(|other| compare(&formula, &language, &other, &names));
    let facts = match &language {
        Ok(language) => Ok(facts(&formula, language, &names)?),
        Err(reason) => Err(*reason),
    };
    let simple = simplified(&formula);
    Ok(Analysis {
        texts: Syntax::ALL.map(|syntax| (syntax, text(&formula, syntax, &names))).into(),
        simplified: text(&simple, Syntax::Common, &names).unwrap_or_default(),
        facts,
        comparison: comparison.transpose()?,
        propositions: names,
    })
}

/// The formula, or its automaton, in a format.
pub fn convert(request: &FormulaRequest, target: Target) -> Result<String, Failure> {
    let mut reader = Reader::new(request.syntax);
    let formula = reader.read("formula", &request.text)?;
    let names = reader.propositions;
    let too_large = |reason: TooLarge| Failure::Request(reason.to_string());
    let named = || Ok(Named { automaton: translate(&formula).map_err(too_large)?, names: names.clone() });
    match target {
        Target::Syntax(syntax) => text(&formula, syntax, &names)
            .map(|text| text + "\n")
            .ok_or_else(|| Failure::Request("SPIN's syntax has no past operators".to_owned())),
        Target::Hoa => Ok(hoa::write(&named()?)),
        Target::Never => never::write(&named()?).map_err(too_large),
        Target::Dot => Ok(dot::write(&named()?)),
    }
}

/// Reads formulas over the same propositions.
struct Reader {
    syntax: Option<Syntax>,
    propositions: Vec<String>,
}

/// What the automata can have.
const PROPOSITIONS: usize = 64;

impl Reader {
    fn new(syntax: Option<Syntax>) -> Reader {
        Reader { syntax, propositions: Vec::new() }
    }

    fn read(&mut self, name: &str, content: &str) -> Result<Formula<usize>, Failure> {
        let mut map = SourceMap::new();
        let file = map.add(format!("<{name}>"), content);
        let place = Span::new(file, 0, content.len() as u32);
        self.formula(content, place).map_err(|diagnostics| Failure::Rejected { map, diagnostics })
    }

    /// In the syntax given, or in all that can read it, atoms included, if they agree.
    fn formula(&mut self, text: &str, place: Span) -> Result<Formula<usize>, Vec<Diagnostic>> {
        let (known, syntax) = (self.propositions.clone(), self.syntax);
        let mut in_syntax = |reading| {
            self.propositions.clone_from(&known);
            let (formula, _) = read(text, place, reading, |text, span| self.atom(text, span))?;
            Ok::<_, Vec<Diagnostic>>((formula, self.propositions.clone()))
        };
        let mut readings = Syntax::ALL.iter().filter_map(|syntax| in_syntax(Reading::Only(*syntax)).ok());
        let (formula, propositions) = match (syntax, readings.next()) {
            (None, Some(first)) if readings.all(|other| other == first) => first,
            (None, _) => in_syntax(Reading::Any)?,
            (Some(syntax), _) => in_syntax(Reading::Only(syntax))?,
        };
        self.propositions = propositions;
        Ok(formula)
    }

    fn atom(&mut self, text: &str, span: Span) -> Result<usize, Vec<Diagnostic>> {
        let quoted = text.len() < (span.end - span.start) as usize;
        if !quoted && let Some(symbol) = text.chars().find(|c| "&|~^".contains(*c)) {
            let message = format!("`{symbol}` is not an operator of formulas in this syntax");
            let problem = Diagnostic::error("E0405", span, message).label("would be one proposition");
            return Err(vec![problem.help("quote the expression if that is meant: \"x & 1\"")]);
        }
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(known) = self.propositions.iter().position(|known| *known == name) {
            return Ok(known);
        }
        if self.propositions.len() == PROPOSITIONS {
            return Err(vec![Diagnostic::error("E0404", span, "more than 64 different propositions")]);
        }
        self.propositions.push(name);
        Ok(self.propositions.len() - 1)
    }
}

fn facts(formula: &Formula<usize>, language: &Language, names: &[String]) -> Result<Facts, Failure> {
    let checked = |lasso: Option<Lasso<u64>>, truth: bool| -> Result<Option<Word>, Failure> {
        lasso.map(|lasso| certified(&lasso, formula, truth).map(|()| word(&lasso, names.len()))).transpose()
    };
    Ok(Facts {
        witness: checked(language.witness(), true)?,
        counterexample: checked(language.counterexample(), false)?,
        class: language.class(),
        liveness: language.is_liveness(),
        stutter_invariant: language.is_stutter_invariant(),
        automaton: picture(&language.words, names),
    })
}

fn compare(
    first: &Formula<usize>,
    language: &Result<Language, TooLarge>,
    second: &Formula<usize>,
    names: &[String],
) -> Result<Result<Comparison, TooLarge>, Failure> {
    let found = match (language, Language::of(second)) {
        (Ok(language), Ok(other)) => language.difference(&other),
        (Err(reason), _) => Err(*reason),
        (_, Err(reason)) => Err(reason),
    };
    let difference = match found {
        Ok(difference) => difference,
        Err(reason) => return Ok(Err(reason)),
    };
    let satisfies_first = difference.as_ref().is_some_and(|lasso| satisfies(lasso, first));
    if let Some(lasso) = &difference {
        certified(lasso, second, !satisfies_first)?;
    }
    Ok(Ok(Comparison { difference: difference.map(|lasso| word(&lasso, names.len())), satisfies_first }))
}

/// No word is shown that the evaluator does not confirm.
fn certified(lasso: &Lasso<u64>, formula: &Formula<usize>, truth: bool) -> Result<(), Failure> {
    match satisfies(lasso, formula) == truth {
        true => Ok(()),
        false => Err(Failure::Internal("an automaton and the meaning of its formula disagree".to_owned())),
    }
}

/// Formulas with larger normal forms are shown as they are.
const SIMPLIFIED: u64 = 5000;

fn simplified(formula: &Formula<usize>) -> Formula<usize> {
    match normal::size(formula) <= SIMPLIFIED {
        true => simplify::simplify_at_start(formula),
        false => formula.clone(),
    }
}

/// None if the syntax cannot express it.
fn text(formula: &Formula<usize>, syntax: Syntax, names: &[String]) -> Option<String> {
    print(formula, syntax, |atom| names[*atom].clone()).ok()
}

fn word(lasso: &Lasso<u64>, propositions: usize) -> Word {
    let letter = |letter: &u64| (0..propositions).map(|p| letter >> p & 1 == 1).collect();
    let Lasso { stem, cycle } = lasso.map(letter);
    Word { stem, cycle }
}

fn picture(automaton: &Automaton, names: &[String]) -> Picture {
    let arrow = |edge: &logic::automata::Edge| Edge {
        to: edge.to,
        label: text(&condition(&edge.label), Syntax::Common, names).unwrap_or_default(),
        sets: (0..automaton.sets).filter(|set| edge.sets >> set & 1 == 1).collect(),
    };
    Picture {
        initial: automaton.initial,
        sets: automaton.sets,
        states: automaton.states.iter().map(|edges| edges.iter().map(arrow).collect()).collect(),
    }
}

/// A label as a formula.
fn condition(label: &Label) -> Formula<usize> {
    let literal = |p: usize, positive: u64| match positive >> p & 1 == 1 {
        true => Formula::Atom(p),
        false => Formula::negation(Formula::Atom(p)),
    };
    let cubes = label.cubes.iter().map(|cube| {
        let used = (0..PROPOSITIONS).filter(|p| (cube.positive | cube.negative) >> p & 1 == 1);
        let literals = used.map(|p| literal(p, cube.positive));
        literals.reduce(|a, b| Formula::binary(Binary::And, a, b)).unwrap_or(Formula::TRUE)
    });
    cubes.reduce(|a, b| Formula::binary(Binary::Or, a, b)).unwrap_or(Formula::FALSE)
}
