//! Properties of whole runs: each is checked together with an automaton of what it forbids.
//!
//! * `search`: looks for a run that breaks a property. `reduce`: what it leaves out. `close`: the
//!   run as it is in the whole system.
//! * `stutter`: claims that count no steps. `vacuity`: does a property hold only because nothing
//!   happens?

mod close;
pub(crate) mod loops;
mod reduce;
mod search;
mod stutter;
mod vacuity;

pub(crate) use vacuity::strengthened;

use crate::answer::Verdict;
use crate::failure::Failure;
use crate::listener::ProgressListener;
use crate::question::{Fairness, Question};
use crate::verdict;
use certify::{Asked, NoViolation};
use explore::product::ENDLESS;
pub use search::{Searched, is_sensitive};
use source::SourceMap;
use space::Run;
use system::{Property, Reference, System};

/// What is known of a property.
#[derive(Clone, Debug)]
pub struct Judged {
    /// What is known of it.
    pub verdict: Verdict,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Why it holds without meaning anything.
    pub vacuous: Option<String>,
    /// What the search found; a run that breaks the property is certified.
    pub searched: Searched,
}

/// A property of a system, to be checked.
#[derive(Clone, Copy)]
pub struct Query<'a> {
    /// The texts, for places.
    pub map: &'a SourceMap,
    /// The system.
    pub system: &'a System,
    /// The property.
    pub property: &'a Property,
    /// How it is to be decided.
    pub request: &'a Question,
}

/// Checks one property. A run that breaks it has been certified.
pub fn check(question: &Query<'_>, watcher: &mut ProgressListener<'_>) -> Result<Judged, Failure> {
    watcher.phase("translating a formula");
    let searched = match question.search(watcher)? {
        Ok(searched) => searched,
        Err(why) => return Ok(Judged::refused(why.to_string())),
    };
    if let Some(run) = &searched.run {
        return match question.violated_by(run) {
            Ok(()) => Ok(Judged { verdict: Verdict::Violated, reason: None, vacuous: None, searched }),
            Err(NoViolation::Undefined(why)) => {
                let searched = Searched { run: None, ..searched };
                Ok(Judged::unknown(format!("in a run, {why}"), searched))
            }
            Err(why) => Err(Failure::refused(why)),
        };
    }
    if let Some(stop) = searched.stopped {
        return Ok(Judged::unknown(verdict::words(stop, &question.request.limits), searched));
    }
    if searched.undefined.as_ref().is_some_and(|why| why.0 == ENDLESS) {
        return Ok(Judged::unknown(ENDLESS.to_string(), searched));
    }
    if let Some(fault) = &searched.undefined {
        let why = format!("runs that end with a run-time error ({fault}) say nothing of what would follow");
        return Ok(Judged::unknown(why, searched));
    }
    if searched.reduction.as_ref().is_some_and(|used| used.name != "none" && !used.proviso) {
        return Ok(Judged::unknown(verdict::UNDECIDED.to_string(), searched));
    }
    let vacuous = vacuity::of(question, watcher)?;
    Ok(Judged { verdict: Verdict::Holds, reason: None, vacuous, searched })
}

impl Query<'_> {
    /// To processes; none unless it is asked for.
    fn fairness(&self) -> Fairness {
        self.request.fairness.unwrap_or_default()
    }

    /// Whether the judge finds that the run breaks the property.
    pub(crate) fn violated_by(&self, run: &Run) -> Result<(), NoViolation> {
        let observed = self.property.observed(self.system);
        let reference = Reference::fair(&observed, self.fairness());
        let asked = Asked { meaning: &self.property.meaning, ends: self.property.ends };
        certify::violates(&reference, asked, run)
    }

    /// A proposition as the user wrote it.
    fn text(&self, proposition: usize) -> Option<&str> {
        let span = *self.property.spans.get(proposition)?;
        let text = self.map.get(span.file)?;
        text.content.get(span.start as usize..span.end as usize).filter(|text| !text.is_empty())
    }
}

impl Judged {
    /// Nothing was searched.
    pub fn refused(why: String) -> Judged {
        Judged::unknown(why, Searched::default())
    }

    fn unknown(reason: String, searched: Searched) -> Judged {
        Judged { verdict: Verdict::Unknown, reason: Some(reason), vacuous: None, searched }
    }
}
