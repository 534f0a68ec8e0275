//! Reading programs and formulas, and asking about conditions.

use certify::Asked;
use logic::fol::Term;
use logic::ltl::Formula;
use prover::clauses::Seen;
use prover::{Condition, Judge, Lemma, Obligation, Status};
use solve::{Answer, Assumption, Embedded, External, Options, Solver};
use source::SourceMap;
use space::Path;
use system::Meaning;
use system::fts::step::{State, Valuation};
use system::fts::{Fairness, Fts, Property, Reference};

/// The embedded engine, and z3 for what it cannot tell.
pub struct Both(Embedded, External);

impl Solver for Both {
    fn name(&self) -> &str {
        "both"
    }

    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        match self.0.check(assumptions, goal, options) {
            Answer::Unknown { .. } => self.1.check(assumptions, goal, options),
            answer => answer,
        }
    }
}

pub struct Program {
    map: SourceMap,
    root: source::FileId,
    pub fts: Fts,
    solver: Both,
    options: Options,
    seen: Seen,
}

pub fn model(name: &str) -> Program {
    let path = format!("{}/../../models/spl/{name}.spl", env!("CARGO_MANIFEST_DIR"));
    program(&std::fs::read_to_string(path).unwrap())
}

/// A text of the corpus.
pub fn text(path: &str) -> String {
    let path = format!("{}/../../models/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap()
}

pub fn program(text: &str) -> Program {
    let mut map = SourceMap::new();
    let root = map.add("test.spl", text);
    let (fts, diagnostics) = spl::read(&map, &[root]);
    let fts = fts.unwrap_or_else(|| panic!("{diagnostics:#?}"));
    let solver = Both(Embedded::default(), External::z3().expect("z3 is installed for tests"));
    Program { map, root, fts, solver, options: Options::default(), seen: Seen::default() }
}

impl Program {
    pub fn judge(&self) -> Judge<'_> {
        let Program { fts, solver, options, seen, .. } = self;
        Judge { fts, solver, options, clock: &|| 0, until: u64::MAX, seen }
    }

    pub fn property(&self, text: &str) -> Property {
        let mut map = self.map.clone();
        let formula = map.add("formula", text);
        let (property, diagnostics) = spl::read_formula(&map, &[self.root], formula);
        property.unwrap_or_else(|| panic!("{text}: {diagnostics:#?}"))
    }

    pub fn assertion(&self, text: &str) -> Term {
        prover::shape::assertion(&self.property(text).formula).expect("an assertion")
    }

    pub fn lemmas(&self, texts: &[&str]) -> Vec<Lemma> {
        texts.iter().map(|text| Lemma::new(*text, self.assertion(text))).collect()
    }

    pub fn judged(&self, conditions: &[Condition]) -> Vec<Obligation> {
        self.judge().judge_all("test", conditions)
    }

    /// The names of the conditions that fail; none may be undecided.
    pub fn failing(&self, conditions: &[Condition]) -> Vec<String> {
        let judged = self.judged(conditions);
        for o in &judged {
            assert_ne!(o.status, Status::Unknown, "{}: {:?}", o.name, o.reason);
        }
        judged.into_iter().filter(|o| o.status == Status::Failed).map(|o| o.name).collect()
    }

    /// Whether the lemmas imply a formula.
    pub fn implied(&self, lemmas: &[Lemma], text: &str) -> bool {
        let goal = self.assertion(text);
        self.judge().is_valid(&Condition::implication("implied", Term::truth(true), goal, lemmas))
    }

    /// Whether two formulas mean the same under a background.
    pub fn equivalent(&self, a: &Term, b: &Term, background: &[Lemma]) -> bool {
        let goal = Term::eq(a.clone(), b.clone());
        self.judge().is_valid(&Condition::implication("same", Term::truth(true), goal, background))
    }
}

/// Holds a path against the definitions of a step and of truth.
#[track_caller]
pub fn breaks(fts: &Fts, given: &Valuation, formula: &Formula<Term>, path: &Path<State>) {
    let (formula, atoms) = formula.clone().numbered();
    let first = path.states.first();
    let reference = Reference { fts, given, fairness: Fairness::Strong, atoms: &atoms, first };
    let asked = Asked { meaning: &Meaning::Always(formula), ends: true };
    certify::confirms(&reference, asked, path).unwrap();
}
