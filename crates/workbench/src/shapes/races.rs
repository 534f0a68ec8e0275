//! Data races for people: one property, whatever the number of variables; each race with both
//! accesses; or only listed.

use super::Reporter;
use crate::answer::{Decided, Kind, Verdict};
use crate::verdict;
use shapes::answer::{self, Found, Outcome, Witness};
use shapes::concrete::Step;
use structures::race::RACE;

/// What becomes of data races.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Races {
    /// They are violations.
    #[default]
    Error,
    /// They are listed.
    List,
}

/// The races of all variables as one property; nothing if there are none to ask for.
pub(super) fn merged(properties: &[Outcome]) -> Option<Decided> {
    let races = || properties.iter().filter(|p| p.kind == answer::Kind::Race).map(verdict::of_structures);
    let worst = races().map(|p| p.verdict).max()?;
    let first = races().find(|p| p.verdict == worst)?;
    let reason = match (worst, first.reason) {
        (Verdict::Unknown, Some(reason)) => Some(format!("{}: {reason}", first.name)),
        (_, reason) => reason,
    };
    Some(Decided { name: RACE.to_string(), kind: Kind::Race, verdict: worst, reason, ..first })
}

impl Reporter<'_> {
    /// Both accesses of a run that ends with a race.
    pub(super) fn race(&self, witness: &Witness) -> String {
        let states = super::certified::states(self.model, &witness.run);
        let names = crate::executor::structures::all_names(self.model, &states);
        let steps: Vec<Step> = witness.run.steps.iter().filter_map(Step::read).collect();
        let [.., first, second] = &steps[..] else { return witness.message.clone() };
        let part = |step: &Step| {
            let action = &self.model.actions[step.action];
            let who = step.part.get(&0).and_then(|u| names.get(*u)).map_or("?", String::as_str);
            let line = self.location(action.span).map(|l| format!(" (line {})", l.line));
            let writes = action.touch.as_ref().is_some_and(|t| t.writes);
            (writes, who, line.unwrap_or_default())
        };
        let touch = self.model.actions[first.action].touch.as_ref();
        let field = touch.map_or("", |t| t.field.as_str());
        let ((writes, who, here), (also, other, there)) = (part(first), part(second));
        let done = if writes { "written" } else { "read" };
        let does = if also { "writes" } else { "reads" };
        format!("`{field}` is {done} by {who}{here} while {other} {does} it{there}")
    }

    /// The races that were found, in words.
    pub(super) fn listed(&self, answer: &Found) -> Vec<String> {
        let found = answer.properties.iter().filter(|p| p.kind == answer::Kind::Race);
        let run = |p: &Outcome| match &p.seen {
            answer::Seen::Run(witness) => Some(self.race(witness)),
            _ => None,
        };
        found.filter_map(run).collect()
    }

    /// What is relied on if races are only listed: nothing promises sequential consistency to a
    /// program that has some.
    pub(super) fn relied_on_order(&self, answer: &Found) -> Vec<String> {
        let races = || answer.properties.iter().filter(|p| p.kind == answer::Kind::Race);
        let open = races().filter(|p| matches!(p.seen, answer::Seen::Open { .. }));
        let mut all: Vec<String> =
            open.map(|p| format!("that there is no data {}, which was not decided", p.name)).collect();
        if races().any(|p| matches!(p.seen, answer::Seen::Run(_))) {
            all.push(
                "sequential consistency, which Java does not promise to programs with data races".to_string(),
            );
        }
        all
    }
}
