//! What STeP leaves to its user (section 9.1): inconsistent axioms, unsatisfiable initial conditions, transitions that are never
//! enabled, and the type checks of a program.

use crate::condition::{Condition, Lemma};
use crate::discharge::Obligation;
use crate::session::{Session, Warning};
use system::fts::Expr;

impl Session<'_> {
    /// Warnings about the system; only what is proved is told.
    pub(crate) fn sanity(&self) -> Vec<Warning> {
        let fts = self.judge.fts;
        let mut warnings = Vec::new();
        let nowhere = source::Span::default();
        let impossible = |e: &Expr, background: &[Lemma]| {
            self.judge.is_valid(&Condition::implication("", e.clone(), Expr::FALSE, background))
        };
        let axioms = &self.known[..self.axioms];
        if !axioms.is_empty() && impossible(&Expr::TRUE, axioms) {
            let span = fts.axioms.first().map_or(nowhere, |a| a.span);
            warnings.push(Warning { message: "the axioms contradict each other".to_string(), span });
            return warnings;
        }
        if impossible(&fts.initial, axioms) {
            let span = fts.variables.first().map_or(nowhere, |v| v.span);
            warnings.push(Warning {
                message: "no state is initial: the initial condition is false".to_string(),
                span,
            });
        }
        for transition in &fts.transitions {
            let enabled = Expr::and([transition.bounds(), transition.enabled()]);
            if impossible(&enabled, &[]) {
                let message = format!("transition `{}` can never be taken", transition.name);
                warnings.push(Warning { message, span: transition.span });
            }
        }
        warnings
    }

    /// That indices stay within bounds and divisors are not zero, from what is known.
    pub(crate) fn type_checks(&self) -> Vec<Obligation> {
        let checks = self.judge.fts.type_checks.iter();
        checks
            .map(|check| {
                let given = Expr::and(check.parameters.iter().map(system::fts::Parameter::bounds));
                let condition =
                    Condition::implication(&check.what, given, check.condition.clone(), &self.known);
                self.judge.judge("types", &condition)
            })
            .collect()
    }
}
