//! `--abstract auto`: abstractions whose basis is found.
//!
//! The first basis is what guards and properties compare. A run of the abstraction that breaks the
//! property either is one of the program, then the certifier replays it, or teaches assertions
//! that exclude it, or a number that is to be watched. What was found for one property is kept for
//! the next; a property that is open then begins once more with a basis of its own. What holds of
//! an abstraction is carried back with a proof, as for a basis that is given.

use super::abstraction::{Made, Means, open};
use super::replayed;
use super::shown::words;
use crate::answer::{Abstraction, Decided, Kind, Proof, Verdict, Violation};
use crate::failure::{Failure, Open};
use crate::question::Derive;
use prover::abstraction::{self, Abstracted, Found, Lesson, Spurious};
use prover::rules::NotApplicable;
use prover::{OUT_OF_TIME, Outcome};
use system::fts::Property;

/// Abstractions for one property.
const ROUNDS: usize = 30;
/// Numbers that are watched together: each makes the automaton of the property larger.
const WATCHED: usize = 4;
/// Assertions that each step may look at.
const WIDE: usize = 8;

/// What became of a property, and what was found on the way.
struct Tried {
    decided: Decided,
    violation: Option<Violation>,
    found: Found,
    shown: Option<Abstraction>,
    /// The last abstraction itself.
    made: Option<Abstracted>,
}

/// What a round brings.
enum Round {
    Decided(Box<(Decided, Option<Violation>)>),
    /// There is more to know than before.
    Again,
}

impl Means<'_> {
    /// Each property by abstractions whose bases are found.
    pub(super) fn automatic(&self) -> Result<Made, Failure> {
        let mut made = Made::default();
        let mut kept: Option<Found> = None;
        for property in self.properties()? {
            let fresh = || abstraction::first(&self.judge, &property.formula, &self.known);
            let mut tried = None;
            if let Some(mut before) = kept.take() {
                before.state(&self.judge, &property.formula, &self.known);
                tried = Some(self.tried(&property, before)?);
            }
            let tried = match tried {
                Some(tried) if tried.decided.verdict != Verdict::Unknown => tried,
                _ => self.tried(&property, fresh())?,
            };
            let derives = self.request.proofs.derive == Some(Derive::Abstraction);
            if let (true, Verdict::Holds, Some(of)) = (derives, tried.decided.verdict, &tried.made) {
                made.derived.push(self.derived(&property, of));
            }
            self.note(&tried.decided, tried.violation.as_ref());
            made.decided.push(tried.decided);
            made.violations.extend(tried.violation);
            made.abstraction = tried.shown.or(made.abstraction);
            kept = Some(tried.found);
        }
        Ok(made)
    }

    /// Rounds of abstraction and refinement.
    fn tried(&self, property: &Property, found: Found) -> Result<Tried, Failure> {
        let decided = open(&property.name, OUT_OF_TIME);
        let mut tried = Tried { decided, violation: None, found, shown: None, made: None };
        let unknown = |why: &str| Decided { text: property.text.clone(), ..open(&property.name, why) };
        tried.decided = unknown("the abstractions are refined without end");
        for _ in 0..ROUNDS {
            if self.judge.is_over() {
                tried.decided = unknown(OUT_OF_TIME);
                break;
            }
            let made = match abstraction::abstracted(&self.judge, &tried.found, &self.known) {
                Ok(made) => made,
                Err(NotApplicable(why)) => {
                    tried.decided = unknown(&why);
                    break;
                }
            };
            tried.shown = Some(words(&made));
            let round = self.round(property, &made, &mut tried.found)?;
            tried.made = Some(made);
            if let Round::Decided(decided) = round {
                (tried.decided, tried.violation) = *decided;
                break;
            }
        }
        Ok(tried)
    }

    /// One abstraction: what it decides, or what a run of it teaches.
    fn round(&self, property: &Property, made: &Abstracted, found: &mut Found) -> Result<Round, Failure> {
        let decided = |d: Decided| Round::Decided(Box::new((d, None)));
        let unknown = |why: &str| Decided { text: property.text.clone(), ..open(&property.name, why) };
        let stated = match self.translated(property, made) {
            Ok(stated) => stated,
            Err(Open(why)) => return Ok(decided(unknown(&why))),
        };
        let Some(path) = self.broken(&stated, &made.fts) else {
            return Ok(decided(match self.simulation(made) {
                Ok(conditions) => self.carried(property, made, &conditions)?,
                Err(Open(why)) => unknown(&why),
            }));
        };
        let numbers = abstraction::watches(&self.source.fts);
        let (judge, background) = (&self.judge, &self.known[..]);
        let spurious = Spurious { judge, background, made, path: &path };
        for lesson in spurious.lessons(&numbers) {
            match lesson {
                Lesson::Run(_) if self.assumes => {}
                Lesson::Run(run) => {
                    let outcome =
                        Outcome { name: property.name.clone(), run: Some(run), ..Outcome::default() };
                    let replayed = replayed(self.source, std::slice::from_ref(property), &outcome);
                    if let Ok(Some(violation)) = replayed {
                        return Ok(Round::Decided(Box::new((violated(property), Some(violation)))));
                    }
                }
                Lesson::Assertions(all) => {
                    let before = found.basis.len();
                    all.iter().for_each(|e| found.add(judge, e, background));
                    if found.basis.len() > before {
                        return Ok(Round::Again);
                    }
                }
                Lesson::Watch(number) if found.watched.len() < WATCHED => {
                    found.watch(&self.source.fts, number);
                    return Ok(Round::Again);
                }
                Lesson::Watch(_) => {}
            }
        }
        if !found.wide && found.basis.len() <= WIDE {
            found.wide = true;
            return Ok(Round::Again);
        }
        Ok(decided(unknown(
            "a run of the abstraction violates it; nothing is found that tells whether it is one of the \
             program",
        )))
    }
}

fn violated(property: &Property) -> Decided {
    let decided = Decided::new(&property.name, Kind::Ltl, Verdict::Violated);
    let reason = Some("a run violates it".to_string());
    Decided { text: property.text.clone(), proof: Some(Proof::default()), reason, ..decided }
}
