//! What goes wrong in a run of threads and objects, in the words of the program.

use super::Reporter;
use crate::executor::structures::all_names;
use crate::headline::{deadlock, fails, listed};
use crate::report::{Awaited, Report, Waiting};
use shapes::answer::{Kind, Outcome, Witness};
use space::Ending;
use structures::concrete::Concrete;

impl Reporter<'_> {
    /// One line about a violation.
    pub(super) fn message(&self, answered: &Outcome, witness: &Witness, trace: &Report) -> String {
        match (answered.kind, witness.run.ending, answered.name.as_str()) {
            (Kind::Race, ..) => self.race(witness),
            (Kind::Deadlock, Ending::Blocked { actor }, _) => {
                let one = |w: &&Waiting| w.actor == actor;
                let waiting = trace.waiting.iter().filter(one).cloned().collect();
                format!("{}, whatever the others do", deadlock(&Report { waiting, ..trace.clone() }))
            }
            (Kind::Deadlock, ..) | (Kind::Invariant, _, "lock-cycle") => deadlock(trace),
            (Kind::Invariant, _, "lost-wakeup") => lost(trace),
            (Kind::Invariant, _, name) => self.false_of(name, witness),
            (Kind::Error, ..) => failed(witness, trace),
            (Kind::Ltl | Kind::Never, _, name) => match self.text(name) {
                Some(text) => fails(text, trace),
                None => witness.message.clone(),
            },
        }
    }

    /// A property as it is written, if the file states it.
    fn text(&self, name: &str) -> Option<&str> {
        let stated = self.model.properties.iter().find(|p| p.name == name)?;
        Some(stated.text.as_str()).filter(|text| !text.is_empty())
    }

    /// Who is in a region at the same time, or which formula is false.
    fn false_of(&self, name: &str, witness: &Witness) -> String {
        match (self.inside(name, witness), self.text(name)) {
            (Some(who), _) => format!("{} are inside at the same time", listed(&who)),
            (None, Some(text)) => format!("`{text}` does not hold"),
            (None, None) => witness.message.clone(),
        }
    }

    fn inside(&self, region: &str, witness: &Witness) -> Option<Vec<String>> {
        let inside = self.model.vocabulary.symbol(&format!("in[{region}]"))?;
        let states = super::certified::states(self.model, &witness.run);
        let (names, mut last) = (all_names(self.model, &states), states.last()?.clone());
        let concrete = Concrete::new(&self.model.vocabulary);
        concrete.derive(&mut last);
        let who = (0..last.individuals).filter(|u| concrete.get(&last, inside, [*u, 0]));
        let who: Vec<String> = who.filter_map(|u| names.get(u).cloned()).collect();
        (who.len() > 1).then_some(who)
    }
}

/// Threads that wait for a notification which no thread can come to any more.
fn lost(trace: &Report) -> String {
    let asleep = |w: &&Waiting| w.awaits_any(&[Awaited::Notify]);
    let waiting = trace.waiting.iter().filter(asleep).cloned().collect();
    let words = deadlock(&Report { waiting, ..trace.clone() });
    format!("{words}, which no thread can come to any more")
}

/// An error, with the statement that fails.
fn failed(witness: &Witness, trace: &Report) -> String {
    let message = &witness.message;
    let last = trace.steps.last().and_then(|s| s.statements.last()).map(|s| s.text.as_str());
    let text = last.map(|text| text.strip_prefix(&format!("{message}: ")).unwrap_or(text));
    match text.filter(|text| !text.is_empty()) {
        Some(text) => format!("{message} in `{text}`"),
        None => message.clone(),
    }
}
