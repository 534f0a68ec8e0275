//! Which reduction the search for a run uses, and the parts of a formula that are searched one by
//! one.
//!
//! Persistent sets with visibility and the proviso for cycles, where that is right (thesis, chapter
//! 7): for properties that do not count steps, of all runs. Sleep sets lose cycles. Fair runs are
//! those in which certain processes move or cannot, and whether a process could move on the way
//! depends on the order of independent steps of others: no reduction.
//!
//! Fewer steps are visible to a part of a conjunction than to the whole (section 7.4), so each
//! conjunct has a search of its own.

use super::Query;
use super::search::is_sensitive;
use super::stutter::is_evidently_invariant;
use crate::answer::ReductionUsed;
use crate::reduction::ReductionKind;
use compile::Program;
use explore::reduction::reduced::Proviso;
use independence::Method;
use independence::selective::Selective;
use logic::ltl::{Binary, Formula, Unary};
use objects::Dependency;
use space::Fairness;
use system::walk::reads_last;
use system::{Meaning, Property};

/// What a search of runs leaves out.
pub(crate) struct Selected {
    /// How persistent sets are computed, if they are used.
    pub(crate) persistent: Option<(Method, Proviso)>,
    pub(crate) used: ReductionUsed,
}

impl Selected {
    fn nothing(why: Option<String>) -> Selected {
        let used = ReductionUsed { dropped: why, ..ReductionUsed::default() };
        Selected { persistent: None, used }
    }
}

impl Query<'_> {
    /// The reduction for the property; the program is prepared for it. `proviso` is the one that
    /// the property needs.
    pub(crate) fn reduction(&self, program: &mut Program, proviso: Proviso) -> Selected {
        let asked = &self.request.reduction;
        if asked.kind == Some(ReductionKind::None) {
            return Selected::nothing(None);
        }
        if let Err(why) = self.is_reducible() {
            return Selected::nothing(Some(why.to_string()));
        }
        if let Err(refusal) = program.prepare() {
            return Selected::nothing(Some(refusal.to_string()));
        }
        let proviso = if asked.proviso == Some(explore::Proviso::Off) { Proviso::Off } else { proviso };
        let dropped = (asked.kind != Some(ReductionKind::Persistent)).then(|| {
            let why = if proviso == Proviso::Ways { SLEEP_BREADTH_FIRST } else { SLEEP };
            why.to_string()
        });
        Selected {
            persistent: Some((asked.method(Dependency::Conditional), proviso)),
            used: ReductionUsed {
                name: "persistent".to_string(),
                proviso: proviso != Proviso::Off,
                dropped,
                ..ReductionUsed::default()
            },
        }
    }

    fn is_reducible(&self) -> Result<(), &'static str> {
        match (self.request.reduction.kind, self.fairness()) {
            (Some(ReductionKind::Sleep), _) => Err(SLEEP),
            (_, Fairness::Weak) => {
                Err("weak fairness depends on which processes are enabled between two steps")
            }
            (_, Fairness::Strong) => {
                Err("strong fairness depends on which processes are enabled between two steps")
            }
            _ if counts_steps(&self.property.meaning) => {
                Err("the property is not invariant under stuttering, so every step counts")
            }
            _ => Ok(()),
        }
    }

    /// The property in parts that hold together if and only if it does; itself if nothing is
    /// gained.
    pub(crate) fn parts(&self) -> Vec<Property> {
        let Meaning::Always(formula) = &self.property.meaning else { return vec![self.property.clone()] };
        let reduced = self.request.reduction.kind != Some(ReductionKind::None) && self.is_reducible().is_ok();
        let parts = conjuncts(formula);
        // Where who moved last matters, a loop must close for all parts.
        if !reduced || parts.len() > MOST_PARTS || reads_last(&self.property.observed(self.system)) {
            return vec![self.property.clone()];
        }
        parts.into_iter().map(|part| self.part(part)).collect()
    }

    /// The property that a conjunct is, with the propositions it reads.
    fn part(&self, formula: Formula<usize>) -> Property {
        let mut atoms = Vec::new();
        let formula = formula.map(&mut |atom| number(&mut atoms, atom));
        let whole = self.property;
        Property {
            propositions: atoms.iter().map(|a| whole.propositions[*a].clone()).collect(),
            spans: atoms.iter().filter_map(|a| whole.spans.get(*a).copied()).collect(),
            meaning: Meaning::Always(formula),
            ..whole.clone()
        }
    }
}

/// Whether a property may tell how often a state repeats.
fn counts_steps(meaning: &Meaning) -> bool {
    match meaning {
        Meaning::Always(_) => is_sensitive(meaning),
        Meaning::Never(automaton) => !is_evidently_invariant(automaton),
    }
}

const SLEEP: &str = "without sleep sets, which can miss cycles";
const SLEEP_BREADTH_FIRST: &str = "without sleep sets, because the search for a short run is breadth-first";

/// A formula of more conjuncts is searched whole.
const MOST_PARTS: usize = 8;

fn number(atoms: &mut Vec<usize>, atom: usize) -> usize {
    let known = atoms.iter().position(|a| *a == atom);
    known.unwrap_or_else(|| {
        atoms.push(atom);
        atoms.len() - 1
    })
}

/// Formulas that together say the same.
fn conjuncts(formula: &Formula<usize>) -> Vec<Formula<usize>> {
    match formula {
        Formula::Binary(Binary::And, a, b) => [conjuncts(a), conjuncts(b)].concat(),
        Formula::Unary(Unary::Always, a) => {
            conjuncts(a).into_iter().map(|a| Formula::unary(Unary::Always, a)).collect()
        }
        Formula::Binary(op @ (Binary::Implies | Binary::Entails), a, b) => {
            conjuncts(b).into_iter().map(|b| Formula::binary(*op, (**a).clone(), b)).collect()
        }
        _ => vec![formula.clone()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjunctions_come_apart_under_always_and_on_the_right_of_implications() {
        let atom = Formula::Atom;
        let and = |a, b| Formula::binary(Binary::And, a, b);
        let always = |a| Formula::unary(Unary::Always, a);
        let implies = |a, b| Formula::binary(Binary::Implies, a, b);
        let formula = and(always(implies(atom(0), and(atom(1), atom(2)))), atom(3));
        let parts = [always(implies(atom(0), atom(1))), always(implies(atom(0), atom(2))), atom(3)];
        assert_eq!(conjuncts(&formula), parts);
        let eventually = Formula::unary(Unary::Eventually, and(atom(0), atom(1)));
        assert_eq!(conjuncts(&eventually), std::slice::from_ref(&eventually));
    }
}
