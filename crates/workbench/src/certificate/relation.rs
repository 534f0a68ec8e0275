//! What holds of a fair transition system, certified: type checks by a closed set of states, a
//! formula by levels, for each of the values that it speaks of.

use super::Certifier;
use crate::answer::{Certificate, Decided, Kind, Verdict};
use crate::failure::Failure;
use crate::transition::certified::Context;
use certify::Forbidden;
use logic::fol::Term;
use system::Meaning;
use system::fts::Property;
use system::fts::step::Valuation;

/// Certifies a property that holds; `values` are those that its formula speaks of.
pub(crate) fn of_relation(
    relation: Context<'_>,
    (property, values): (Option<&Property>, &[Valuation]),
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

impl Context<'_> {
    /// That the type checks hold in every state.
    fn checked(self, certifier: &Certifier<'_, '_>) -> Result<Certificate, Failure> {
        let all = [Term::all(self.fts.type_checks.iter().map(|check| check.everywhere()))];
        let forbidden = Forbidden { missing: 1, ..Forbidden::default() };
        certifier.closed(&self.reference(&all, None), forbidden)
    }

    fn ranked(
        self,
        property: &Property,
        values: &[Valuation],
        certifier: &Certifier<'_, '_>,
    ) -> Result<Option<Certificate>, Failure> {
        let (formula, atoms) = property.formula.clone().numbered();
        let meaning = Meaning::Always(formula);
        let mut all = None;
        for given in values {
            let with = Context { given, ..self };
            let one = certifier.empty(&with.reference(&atoms, None), &meaning, true)?;
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
