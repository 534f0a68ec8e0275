//! Asks a solver about conditions, and says what came of it: which lemmas a proof used, or a
//! countermodel as two states with the program text of the transition between them.

use crate::clauses::Seen;
use crate::condition::Condition;
use crate::diagram::Place;
use crate::instance;
use crate::words::{Words, labelled};
use logic::fol::{Op, Symbol, Term, evaluate, holds};
use solve::{Answer, Assumption, Model, Options, Solver};
use std::collections::BTreeSet;
use std::sync::Arc;
use system::fts::{Fts, Transition};

/// The numbers of processes with which a refutation is tried.
const SMALL: [i64; 2] = [2, 3];

/// Conditions with more operators and symbols than this are not printed.
const SHOWN: usize = 20_000;

/// What the solver says of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It is valid.
    Proved,
    /// There is a countermodel.
    Failed,
    /// The solver gave up; the obligation has the reason.
    Unknown,
}

/// What came of a condition.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// That of the condition.
    pub name: String,
    /// The proof rule it comes from, such as `B-INV`.
    pub rule: &'static str,
    /// What the solver says.
    pub status: Status,
    /// The background properties that the proof used.
    pub lemmas: Vec<String>,
    /// Where it fails, if it does.
    pub countermodel: Option<Countermodel>,
    /// Why it is unknown; what would help where it fails.
    pub reason: Option<String>,
    /// The time the solver took.
    pub milliseconds: u64,
    /// What was asked; none where there was no single question.
    pub asked: Option<Arc<Asked>>,
    /// Where it stands in a diagram.
    pub place: Option<Place>,
}

/// A condition as a solver is asked about it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is assumed of rigid values.
    assumptions: Vec<Term>,
    condition: Condition,
}

impl Asked {
    fn formula(&self) -> Term {
        Term::implication(self.condition.given.clone(), self.condition.goal.clone())
    }

    /// The condition: what the rule assumes implies what is to be shown. The background is not in
    /// it.
    pub fn statement(&self) -> String {
        match self.is_large() {
            true => format!("(a formula of {} operators and symbols)", self.formula().size()),
            false => self.formula().to_string(),
        }
    }

    fn is_large(&self) -> bool {
        self.condition.given.size() + self.condition.goal.size() > SHOWN
    }

    /// The same after simplification.
    pub fn simplified(&self) -> String {
        if self.is_large() {
            return self.statement();
        }
        solve::simplify(&self.formula()).to_string()
    }

    /// The question with its background as an SMT-LIB script: `unsat` means that the condition is
    /// valid.
    pub fn smtlib(&self) -> String {
        let assumed = self.assumptions.iter().map(|e| Assumption::new("assumed", e.clone()));
        let known = self.condition.background.iter();
        let known = known.map(|l| Assumption::new(l.name.clone(), l.formula.clone()));
        let given = Assumption::new("given", self.condition.given.clone());
        let all: Vec<Assumption> = assumed.chain([given]).chain(known).collect();
        solve::smtlib::script(&all, &self.condition.goal, None)
    }
}

/// A state in which the condition fails, and the state that the transition leads to.
#[derive(Clone, Debug, Default)]
pub struct Countermodel {
    /// Variables, rigid values and parameters with their values.
    pub before: Vec<(String, String)>,
    /// What the transition changes.
    pub after: Vec<(String, String)>,
    /// The transition and its program text.
    pub transition: Option<(String, String)>,
    /// Where the text stands.
    pub span: source::Span,
    /// The first conjunct that is false after the step.
    pub fails: Option<String>,
}

/// A solver with how it is asked. The clock counts milliseconds and comes from outside; nothing new
/// is begun after `until`.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// The system that the conditions are about.
    pub fts: &'a Fts,
    /// Asked for every condition.
    pub solver: &'a dyn Solver,
    /// How hard the solver tries on each condition.
    pub options: &'a Options,
    /// Milliseconds since some fixed moment.
    pub clock: &'a (dyn Fn() -> u64 + Sync),
    /// The reading of the clock after which nothing is begun.
    pub until: u64,
    /// What is seen of small instances of the system.
    pub seen: &'a Seen,
}

/// The reason of what ends because time is over.
pub const OUT_OF_TIME: &str = "out of time";

impl Obligation {
    /// Without lemmas, countermodel or time.
    pub fn new(name: impl Into<String>, rule: &'static str, status: Status) -> Obligation {
        let (lemmas, countermodel) = (Vec::new(), None);
        Obligation {
            name: name.into(),
            rule,
            status,
            lemmas,
            countermodel,
            reason: None,
            milliseconds: 0,
            asked: None,
            place: None,
        }
    }
}

impl Judge<'_> {
    /// Whether nothing more should be tried: time is over, or no caller waits any more.
    pub fn is_over(&self) -> bool {
        self.options.is_cancelled() || (self.clock)() >= self.until
    }

    /// The same judge for at most this many milliseconds.
    pub fn for_at_most(self, milliseconds: u64) -> Self {
        Judge { until: self.until.min((self.clock)().saturating_add(milliseconds)), ..self }
    }

    /// Asks the solver about one condition and notes the lemmas used, the countermodel and the
    /// time.
    pub fn judge(&self, rule: &'static str, condition: &Condition) -> Obligation {
        let start = (self.clock)();
        let mut obligation = Obligation::new(&condition.name, rule, Status::Unknown);
        match self.answer(condition) {
            Answer::Valid { core } => {
                obligation.status = Status::Proved;
                let first = self.fts.assumptions.len() + 1;
                let used = core.into_iter().filter_map(|at| condition.background.get(at.checked_sub(first)?));
                obligation.lemmas = used.map(|l| l.name.clone()).collect();
                obligation.lemmas.dedup();
            }
            Answer::Invalid { model } => {
                obligation.status = Status::Failed;
                obligation.countermodel = Some(self.countermodel(condition, &model));
            }
            Answer::Unknown { reason } => obligation.reason = Some(reason),
        }
        obligation.milliseconds = (self.clock)().saturating_sub(start);
        let assumptions = self.fts.assumptions.clone();
        obligation.asked = Some(Arc::new(Asked { assumptions, condition: condition.clone() }));
        obligation
    }

    /// A condition that is known to be valid.
    pub(crate) fn noted(&self, rule: &'static str, condition: &Condition) -> Obligation {
        let assumptions = self.fts.assumptions.clone();
        let asked = Some(Arc::new(Asked { assumptions, condition: condition.clone() }));
        Obligation { asked, ..Obligation::new(&condition.name, rule, Status::Proved) }
    }

    /// Judges each condition, in order.
    pub fn judge_all(&self, rule: &'static str, conditions: &[Condition]) -> Vec<Obligation> {
        conditions.iter().map(|c| self.judge(rule, c)).collect()
    }

    /// Whether a condition is valid; *unknown* is no.
    pub fn is_valid(&self, condition: &Condition) -> bool {
        self.answer(condition).is_valid()
    }

    /// Whether a condition is valid. One with bounded quantifiers is first tried to be refuted with
    /// few processes, then the parts of its goal are asked about one by one: together they bring
    /// more terms to instantiate than any of them needs.
    pub fn answer(&self, condition: &Condition) -> Answer {
        if let Some(foreign) = condition.foreign(self.fts) {
            return Answer::unknown(foreign.to_string());
        }
        if let Some(core) = self.evident(condition) {
            return Answer::Valid { core };
        }
        if self.is_over() {
            return Answer::unknown(OUT_OF_TIME);
        }
        let bounding = instance::bounding(condition, &self.fts.assumptions);
        if let [bound] = &bounding[..] {
            for value in SMALL {
                if let answer @ Answer::Invalid { .. } = self.at(condition, bound, value) {
                    return answer;
                }
            }
        }
        self.in_parts(condition, !bounding.is_empty())
    }

    /// Whether a condition is valid for one value of a symbol.
    pub(crate) fn at(&self, condition: &Condition, symbol: &Symbol, value: i64) -> Answer {
        let fixed = |e: &Term| instance::at_value(e, symbol, value);
        let assumptions: Vec<Term> = self.fts.assumptions.iter().map(fixed).collect();
        self.ask(&instance::instance(condition, symbol, value), &assumptions)
    }

    /// Whether a condition has a countermodel; *unknown* is no.
    pub fn refutes(&self, condition: &Condition) -> bool {
        self.answer(condition).is_invalid()
    }

    /// Whether a condition that is expected to be valid is. Nothing is tried to refute it.
    pub fn confirms(&self, condition: &Condition) -> bool {
        if self.evident(condition).is_some() {
            return true;
        }
        if self.is_over() {
            return false;
        }
        let bounding = instance::bounding(condition, &self.fts.assumptions);
        self.in_parts(condition, !bounding.is_empty()).is_valid()
    }

    fn in_parts(&self, condition: &Condition, quantified: bool) -> Answer {
        let parts = if quantified { parts(&condition.goal) } else { Vec::new() };
        if parts.len() < 2 {
            return self.ask(condition, &self.fts.assumptions);
        }
        let mut used = BTreeSet::new();
        for goal in parts {
            let part = Condition { goal, ..condition.clone() };
            match self.evident(&part) {
                Some(core) => used.extend(core),
                None => match self.ask(&part, &self.fts.assumptions) {
                    Answer::Valid { core } => used.extend(core),
                    other => return other,
                },
            }
        }
        Answer::Valid { core: used.into_iter().collect() }
    }

    /// What needs no solver: every part of the goal is assumed already. Most
    /// transitions change little, so most conditions are of this kind.
    fn evident(&self, condition: &Condition) -> Option<Vec<usize>> {
        let given = condition.given.conjuncts();
        let first = self.fts.assumptions.len();
        let mut core = vec![first];
        for part in condition.goal.conjuncts() {
            let (guard, goals) = match (part.op(), part.arguments()) {
                (Op::Implies, [a, b]) => (a.conjuncts(), b.conjuncts()),
                _ => (Vec::new(), vec![part]),
            };
            for goal in goals {
                if goal.is_true() || given.contains(&goal) || guard.contains(&goal) {
                    continue;
                }
                let lemma =
                    condition.background.iter().position(|l| l.formula.conjuncts().contains(&goal))?;
                core.push(first + 1 + lemma);
            }
        }
        core.sort_unstable();
        core.dedup();
        Some(core)
    }

    /// Assumptions of the system first, then what the rule assumes, then the background.
    fn ask(&self, condition: &Condition, assumptions: &[Term]) -> Answer {
        let assumed = assumptions.iter().enumerate();
        let assumed = assumed.map(|(at, e)| Assumption::new(format!("assumption {at}"), e.clone()));
        let background = condition.background.iter();
        let background = background.map(|l| Assumption::new(l.name.clone(), l.formula.clone()));
        let given = Assumption::new("given", condition.given.clone());
        let all: Vec<Assumption> = assumed.chain([given]).chain(background).collect();
        self.solver.check(&all, &condition.goal, self.options)
    }

    fn countermodel(&self, condition: &Condition, model: &Model) -> Countermodel {
        let words = Words { fts: self.fts, model };
        let variables = self.fts.variables.iter().map(|v| &v.symbol);
        let rigid: Vec<_> = rigid_symbols(self.fts, condition);
        let shown = |s: &Symbol| Some(words.of(s, &evaluate(&s.term(), model)?));
        let mut found = Countermodel {
            before: variables.chain(&rigid).filter_map(shown).flatten().collect(),
            ..Countermodel::default()
        };
        let Some(transition) = &condition.transition else {
            let fails = |c: &Term| holds(c, model) == Some(false);
            let first = condition.goal.conjuncts().into_iter().find(fails);
            found.fails = first.map(|c| labelled(self.fts, &c).to_string());
            return found;
        };
        found.transition = Some((transition.name.clone(), transition.text.clone()));
        found.span = transition.span;
        let Some(branch) = taken_branch(transition, condition, model) else { return found };
        let changed = branch.updates.iter().filter_map(|(s, e)| Some(words.of(s, &evaluate(e, model)?)));
        found.after = changed.flatten().filter(|entry| !found.before.contains(entry)).collect();
        let fails = |c: &Term| holds(&branch.after(c), model) == Some(false);
        let after = condition.after.iter().flat_map(Term::conjuncts).find(fails);
        found.fails = after.map(|c| labelled(self.fts, &c).to_string());
        found
    }
}

/// Goals that together are the goal.
fn parts(goal: &Term) -> Vec<Term> {
    let each = |part: Term| match (part.op(), part.arguments()) {
        (Op::Implies, [a, b]) => {
            let given = |goal: Term| Term::implication(a.clone(), goal);
            b.conjuncts().into_iter().map(given).collect()
        }
        _ => vec![part],
    };
    goal.conjuncts().into_iter().flat_map(each).collect()
}

/// Rigid constants, parameters and values of the property that a condition mentions.
fn rigid_symbols(fts: &Fts, condition: &Condition) -> Vec<Symbol> {
    let mut all = condition.given.symbols();
    all.extend(condition.goal.symbols());
    all.into_values().filter(|s| fts.variable(&s.name).is_none()).collect()
}

/// The branch that leads out of ψ in a model: its implication is false.
fn taken_branch<'a>(
    transition: &'a Transition,
    condition: &Condition,
    model: &Model,
) -> Option<&'a system::fts::Branch> {
    let possible = |b: &&system::fts::Branch| {
        let taken = Term::all([b.guard.clone(), b.choice.clone()]);
        holds(&taken, model) == Some(true)
    };
    let parts = condition.goal.conjuncts();
    let fails = |at: usize| parts.get(at).is_none_or(|part| holds(part, model) != Some(true));
    let same = parts.len() == transition.branches.len();
    let mut branches = transition.branches.iter().enumerate();
    branches.find(|(at, b)| possible(b) && (!same || fails(*at))).map(|(_, b)| b)
}
