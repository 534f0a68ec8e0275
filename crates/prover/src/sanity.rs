//! What STeP leaves to its user (section 9.1): inconsistent axioms, unsatisfiable initial
//! conditions, transitions that are never enabled, and the type checks of a program.

use crate::auto;
use crate::condition::{Condition, Lemma};
use crate::discharge::{Obligation, Status};
use crate::session::{Session, Warning};
use crate::shape::Shape;
use logic::fol::Term;
use system::fts::{Evidence, TypeCheck};

impl Session<'_> {
    /// Warnings about the system; only what is proved is reported.
    pub fn sanity(&self) -> Vec<Warning> {
        let fts = self.judge.fts;
        let mut warnings = Vec::new();
        let nowhere = source::Span::default();
        let impossible = |e: &Term, background: &[Lemma]| {
            self.judge.is_valid(&Condition::implication("", e.clone(), Term::truth(false), background))
        };
        let axioms = &self.axioms.assumed;
        if !axioms.is_empty() && impossible(&Term::truth(true), axioms) {
            let span = fts.axioms.first().map_or(nowhere, |a| a.span);
            let message = "the axioms contradict each other".to_string();
            warnings.push(Warning { vacuous: true, message, span });
            return warnings;
        }
        if impossible(&fts.initial, axioms) || (self.axioms.consistent.is_none() && !axioms.is_empty()) {
            let span = fts.variables.first().map_or(nowhere, |v| v.span);
            warnings.push(Warning {
                vacuous: true,
                message: "no state is initial: the initial condition is false".to_string(),
                span,
            });
        }
        for transition in &fts.transitions {
            let enabled = Term::all([transition.bounds(), transition.enabled()]);
            if impossible(&enabled, &[]) {
                let message = format!("transition `{}` can never be taken", transition.name);
                warnings.push(Warning { vacuous: false, message, span: transition.span });
            }
        }
        warnings
    }

    /// That indices stay within bounds, divisors are not zero, lists that are taken apart not
    /// empty: from what is known, or as invariants of their own.
    pub(crate) fn type_checks(&self) -> Vec<(Obligation, Option<Evidence>)> {
        self.judge.fts.type_checks.iter().map(|check| self.type_check(check)).collect()
    }

    fn type_check(&self, check: &TypeCheck) -> (Obligation, Option<Evidence>) {
        let given = Term::all(check.parameters.iter().map(system::fts::Parameter::bounds));
        let condition =
            Condition::implication(&check.what, given.clone(), check.condition.clone(), &self.known);
        let first = self.judge.judge("types", &condition);
        let judge = self.judge.for_at_most(self.effort.each / 6);
        if first.status == Status::Proved {
            return (first, Some(Evidence::Inductive(Vec::new())));
        }
        if judge.is_over() {
            return (first, None);
        }
        let shape = Shape::Invariance(check.condition.clone());
        let attempt = auto::prove(&judge, self.goal(&shape, &given), &self.known);
        if !attempt.proved {
            return (first, None);
        }
        let mut lemmas: Vec<String> = attempt.obligations.iter().flat_map(|o| o.lemmas.clone()).collect();
        lemmas.sort();
        lemmas.dedup();
        let milliseconds =
            first.milliseconds + attempt.obligations.iter().map(|o| o.milliseconds).sum::<u64>();
        let status = Status::Proved;
        let proved = Obligation { status, lemmas, countermodel: None, reason: None, milliseconds, ..first };
        (proved, attempt.evidence)
    }
}
