//! What holds of a fair transition system, certified: type checks by a closed set of states, a
//! formula by levels, for each of the values that it speaks of.

use super::Certifier;
use crate::answer::{Certificate, Decided, Kind, Verdict};
use crate::failure::Failure;
use certify::Forbidden;
use logic::fol::Term;
use system::Meaning;
use system::fts::step::Given;
use system::fts::{Fairness, Fts, Property, Reference};

/// A system with what is asked of it.
pub(crate) struct Relation<'a> {
    pub(crate) fts: &'a Fts,
    pub(crate) given: &'a Given,
    pub(crate) fairness: Fairness,
}

/// Certifies a property that holds; `values` are those that its formula speaks of.
pub(crate) fn of_relation(
    relation: &Relation<'_>,
    (property, values): (Option<&Property>, &[Given]),
    decided: &mut Decided,
    certifier: &Certifier<'_, '_>,
) -> Result<(), Failure> {
    if decided.verdict != Verdict::Holds {
        return Ok(());
    }
    decided.certificate = match (property, decided.kind) {
        (_, Kind::Runtime) => certifier.shown(relation.checked(certifier)?),
        (Some(property), _) => relation.ranked(property, values, certifier)?,
        (None, _) => None,
    };
    Ok(())
}

impl Relation<'_> {
    fn reference<'a>(&'a self, given: &'a Given, atoms: &'a [Term]) -> Reference<'a> {
        Reference { fts: self.fts, given, fairness: self.fairness, atoms, first: None }
    }

    /// That the type checks hold in every state.
    fn checked(&self, certifier: &Certifier<'_, '_>) -> Result<Certificate, Failure> {
        let all = [Term::all(self.fts.type_checks.iter().map(|check| check.everywhere()))];
        let forbidden = Forbidden { missing: 1, ..Forbidden::default() };
        certifier.closed(&self.reference(self.given, &all), forbidden)
    }

    fn ranked(
        &self,
        property: &Property,
        values: &[Given],
        certifier: &Certifier<'_, '_>,
    ) -> Result<Option<Certificate>, Failure> {
        let (formula, atoms) = property.formula.clone().numbered();
        let meaning = Meaning::Always(formula);
        let mut all = None;
        for given in values {
            let one = certifier.empty(&self.reference(given, &atoms), &meaning, true)?;
            all = Some(match (all, one) {
                (
                    Some(Certificate::Levels { levels, states }),
                    Certificate::Levels { levels: more, states: others },
                ) => Certificate::Levels { levels: levels + more, states: states + others },
                (_, without @ Certificate::Without(_)) => return Ok(certifier.shown(without)),
                (_, one) => one,
            });
        }
        Ok(all)
    }
}
