//! SPIN's outcome beside weave's: agreed, not comparable, or different and how.

use crate::spin::{self, Outcome};
use crate::weave::Answer;

#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Agreed,
    /// Nothing to compare: SPIN refused, crashed, ran out of time or stopped early.
    NoOracle(&'static str),
    /// One line a difference.
    Different(Vec<String>),
}

/// Compares counts and kinds of errors; after a fatal error of pan's only that weave found an error
/// of that kind.
pub fn compare(outcome: &Outcome, answer: &Answer) -> Verdict {
    let oracle = match outcome {
        Outcome::Searched(search) => search,
        Outcome::Rejected(..) => return Verdict::NoOracle("refused by SPIN"),
        Outcome::Timeout(_) => return Verdict::NoOracle("time-out"),
        Outcome::Crashed(_) => return Verdict::NoOracle("pan crashed"),
    };
    let search = match answer {
        Answer::Searched(search) => search,
        Answer::Rejected(message) => {
            return Verdict::Different(vec![format!("weave refuses: {message}")]);
        }
        Answer::Failed(message) => {
            return Verdict::Different(vec![format!("weave fails: {message}")]);
        }
    };
    if !oracle.complete {
        return after_fatal(oracle, search.kinds());
    }
    let mut differences = Vec::new();
    let mut check = |what: &str, spin: String, weave: String| {
        if spin != weave {
            differences.push(format!("{what}: SPIN {spin}, weave {weave}"));
        }
    };
    check("states", oracle.stored.to_string(), search.states.to_string());
    check("transitions", oracle.transitions.to_string(), search.transitions.to_string());
    check("kinds of errors", format!("{:?}", oracle.kinds()), format!("{:?}", search.kinds()));
    let deadlock = spin::report::Kind::Deadlock;
    check("deadlocks", oracle.errors_of(deadlock).to_string(), search.errors_of(deadlock).to_string());
    if differences.is_empty() { Verdict::Agreed } else { Verdict::Different(differences) }
}

fn after_fatal(oracle: &spin::Search, found: Vec<spin::report::Kind>) -> Verdict {
    let missing: Vec<_> = oracle.kinds().into_iter().filter(|kind| !found.contains(kind)).collect();
    if oracle.errors.is_empty() || missing.is_empty() {
        return Verdict::NoOracle("search cut short");
    }
    Verdict::Different(vec![format!("SPIN stopped at {:?}; weave found {found:?}", oracle.errors)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weave;
    use std::collections::BTreeMap;

    fn oracle(stored: u64) -> Outcome {
        let errors = BTreeMap::from([("invalid end state".to_owned(), 2)]);
        Outcome::Searched(spin::Search {
            stored,
            transitions: 9,
            errors,
            complete: true,
            ..Default::default()
        })
    }

    fn answer(states: u64) -> Answer {
        let errors = BTreeMap::from([("deadlock".to_owned(), 2)]);
        Answer::Searched(weave::Search { states, transitions: 9, errors, ..Default::default() })
    }

    #[test]
    fn equal_numbers_agree() {
        assert_eq!(compare(&oracle(7), &answer(7)), Verdict::Agreed);
    }

    #[test]
    fn a_difference_is_named() {
        let expected = Verdict::Different(vec!["states: SPIN 7, weave 8".to_owned()]);
        assert_eq!(compare(&oracle(7), &answer(8)), expected);
    }

    #[test]
    fn a_crash_of_weave_is_a_difference() {
        let crash = Answer::Failed("exit 101".to_owned());
        assert!(matches!(compare(&oracle(7), &crash), Verdict::Different(_)));
    }
}
