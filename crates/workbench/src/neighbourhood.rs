//! The states around one: found breadth-first from where a run stands, until there are enough.
//!
//! Written once, over an [`Executor`](crate::executor::Executor): states are compared by what it
//! says they are. For pictures of few states; each state is reached by executing its run again.

use crate::executor::RunStatus;
use crate::failure::Failure;
use crate::simulate::Session;
use crate::values::Variable;
use std::collections::HashMap;

/// Pictures with more states are none for people.
const MOST: usize = 500;

/// A state near the one asked about.
#[derive(Clone, Debug)]
pub struct Near {
    /// The numbers of the steps that lead here, counted from 0.
    pub path: Vec<usize>,
    /// Every variable.
    pub variables: Vec<Variable>,
    /// What is possible here.
    pub status: RunStatus,
    /// Whether all its steps are there.
    pub expanded: bool,
}

/// A step between two of the states, by their numbers.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Where it begins.
    pub from: usize,
    /// Where it leads.
    pub to: usize,
    /// Who takes it.
    pub who: String,
    /// What is executed.
    pub text: String,
}

/// States and the steps between them; the first one is the one asked about.
#[derive(Clone, Debug, Default)]
pub struct Neighbourhood {
    /// The states.
    pub states: Vec<Near>,
    /// The steps.
    pub edges: Vec<Edge>,
}

impl Neighbourhood {
    /// Whether nothing is missing that can be reached.
    pub fn is_whole(&self) -> bool {
        self.states.iter().all(|state| state.expanded)
    }

    /// The number of the state that the run reaches, which is added if there is room.
    fn reached(
        &mut self,
        session: &Session<'_>,
        path: Vec<usize>,
        known: &mut HashMap<String, usize>,
        most: usize,
    ) -> Option<usize> {
        // What failed is no state: each failure is an end of its own.
        let identity = session.identity().unwrap_or_else(|| format!("{path:?}"));
        if let Some(number) = known.get(&identity) {
            return Some(*number);
        }
        if self.states.len() >= most {
            return None;
        }
        known.insert(identity, self.states.len());
        let (variables, status) = (session.variables(), session.status());
        self.states.push(Near { path, variables, status, expanded: false });
        Some(self.states.len() - 1)
    }
}

impl Session<'_> {
    /// At most `most` states around the one where the run stands, and then those that the steps out
    /// of the states at the ends of `paths` lead to; `None` if what runs has no states that can be
    /// compared. The run stays as it is.
    pub fn neighbourhood(
        &mut self,
        most: usize,
        paths: &[Vec<usize>],
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<Neighbourhood>, Failure> {
        if self.identity().is_none() {
            return Ok(None);
        }
        let (here, mut found, mut known) = (self.steps(), Neighbourhood::default(), HashMap::new());
        found.reached(self, Vec::new(), &mut known, most.max(1));
        let mut next = 0;
        while next < found.states.len() && go_on() {
            found.states[next].expanded = self.edges_of(next, &mut found, &mut known, most)?;
            next += 1;
            self.back_to(here)?;
        }
        for path in paths {
            let ends_there = |state: &Near| state.path == *path && !state.expanded;
            if let Some(from) = found.states.iter().position(ends_there)
                && go_on()
            {
                found.edges.retain(|edge| edge.from != from);
                found.states[from].expanded = self.edges_of(from, &mut found, &mut known, MOST)?;
                self.back_to(here)?;
            }
        }
        Ok(Some(found))
    }

    /// Adds the steps out of a state; false if one is missing, because there is no room.
    fn edges_of(
        &mut self,
        from: usize,
        found: &mut Neighbourhood,
        known: &mut HashMap<String, usize>,
        most: usize,
    ) -> Result<bool, Failure> {
        let (path, mut whole) = (found.states[from].path.clone(), true);
        for number in &path {
            self.take(*number)?;
        }
        let here = self.steps();
        let offers = if self.status() == RunStatus::Failed { Vec::new() } else { self.offers() };
        for (number, offer) in offers.iter().enumerate() {
            self.take(number)?;
            let there = [&path[..], &[number]].concat();
            match found.reached(self, there, known, most) {
                Some(to) => {
                    let texts: Vec<&str> = offer.statements.iter().map(|s| s.text.as_str()).collect();
                    found.edges.push(Edge { from, to, who: offer.who.clone(), text: texts.join("; ") });
                }
                None => whole = false,
            }
            self.back_to(here)?;
        }
        Ok(whole)
    }
}
