//! Properties of states: deadlock, errors, invariants.

use super::witness::Attempt;
use super::{Candidate, Kind, Outcome, Request, Seen, Witness};
use crate::abstracted::{BadState, Join, Space, Wish, explore};
use crate::prepared::Prepared;
use explore::{Listener, Stop};
use space::Fault;
use std::cell::RefCell;
use structures::action::Action;
use structures::formula::Formula;
use structures::kleene::Kleene;
use structures::model::{Claim, Model};
use structures::structure::Structure;

pub(super) struct Asking<'a, 'w> {
    pub(super) model: &'a Model,
    pub(super) request: &'a Request,
    pub(super) prepared: Prepared,
    pub(super) space: Space,
    pub(super) watch: &'a RefCell<&'w mut dyn Listener>,
}

/// A watch behind a shared reference.
pub(super) struct Shared<'a, 'w>(pub(super) &'a RefCell<&'w mut dyn Listener>);

impl Listener for Shared<'_, '_> {
    fn look(&mut self, progress: &explore::Progress) -> std::ops::ControlFlow<Stop> {
        self.0.borrow_mut().look(progress)
    }
}

/// Why a search that was stopped tells nothing.
pub(super) fn reason(stop: Stop) -> &'static str {
    match stop {
        Stop::States => "limit of states reached",
        Stop::Memory => "memory limit reached",
        Stop::Time => "time limit reached",
        Stop::Interrupt => "interrupted",
        _ => "the search was stopped",
    }
}

/// A run counts unless it depends on what the front end forgot.
pub(super) fn judge(model: &Model, run: Witness, kind: Kind) -> Seen {
    let actions: Vec<&Action> =
        run.run.steps.iter().filter_map(|s| model.actions.get(*s.path.first()?)).collect();
    let reason = match (actions.iter().find(|a| a.guess), beyond(&actions, kind)) {
        (None, None) => return Seen::Run(Box::new(run)),
        (_, Some(why)) => format!("a run violates it, but {why}"),
        (Some(action), None) if action.error.is_some() => {
            format!("`{}` depends on what is forgotten", action.name)
        }
        (Some(action), None) => format!(
            "a run violates it if `{}` may go either way, but what it depends on is forgotten; //@ any before the statement says that it may",
            action.name
        ),
    };
    Seen::Open { reason, candidate: None }
}

/// Why a run is not followed as the program would go on; an error as its last step is one all the
/// same.
fn beyond<'a>(actions: &[&'a Action], kind: Kind) -> Option<&'a str> {
    let counts =
        |(n, a): &(usize, &&Action)| kind != Kind::Error || a.error.is_none() || *n + 1 < actions.len();
    actions.iter().enumerate().filter(counts).find_map(|(_, a)| a.beyond.as_deref())
}

/// Nothing is said to hold if something can be reached that is not modelled.
pub(super) fn unless_beyond(model: &Model, taken: &[bool], seen: Seen) -> Seen {
    let reached = model.actions.iter().zip(taken).filter(|(_, taken)| **taken);
    match (seen, reached.into_iter().find_map(|(a, _)| a.beyond.clone())) {
        (Seen::Nothing, Some(reason)) => Seen::Open { reason, candidate: None },
        (seen, _) => seen,
    }
}

/// What concrete runs say about a bad abstract one: only what was completed.
pub(super) fn spurious(tried: &Attempt) -> String {
    match tried {
        Attempt { complete: Some(most), .. } => format!(
            "an abstract run may violate it, but no run that begins with up to {most} individuals does"
        ),
        Attempt { states, .. } => format!(
            "an abstract run may violate it; none of the {states} concrete states that were tried does, and more can be reached"
        ),
    }
}

impl Asking<'_, '_> {
    /// Explores the abstract space.
    pub(super) fn abstracted(&mut self) {
        let invariants = self.model.properties.iter().map(|p| match &p.claim {
            Claim::Invariant(f) => f.clone(),
            Claim::Race { bad, .. } => structures::formula::not(bad.clone()),
            _ => structures::formula::TRUE,
        });
        let wish = Wish {
            join: self.request.join,
            invariants: invariants.collect(),
            edges: self.request.join == Join::Relational,
            workers: self.request.workers,
            limits: self.request.limits,
            ..Wish::default()
        };
        self.space = explore(&self.prepared, &wish, &mut Shared(self.watch));
    }

    /// Bad states of concrete runs, before anything is abstracted.
    pub(super) fn early(&self, asked: &[(String, Kind)]) -> Vec<Outcome> {
        let states = asked.iter().filter(|(_, kind)| !matches!(kind, Kind::Ltl | Kind::Never));
        let states: Vec<(String, Kind)> = states.cloned().collect();
        let (runs, _) = self.concrete_states(&states);
        let answered = |((name, kind), run): ((String, Kind), Option<Witness>)| {
            let seen = self.judge(run?, kind);
            matches!(seen, Seen::Run(_)).then(|| Outcome::new(&name, kind, seen))
        };
        states.into_iter().zip(runs).filter_map(answered).collect()
    }

    pub(super) fn one(&mut self, name: String, kind: Kind) -> Outcome {
        match kind {
            Kind::Deadlock => self.safety(name, kind, |asking| asking.may_deadlock()),
            Kind::Error => self.safety(name, kind, |asking| asking.may_err()),
            Kind::Invariant | Kind::Race => {
                let at = self.model.properties.iter().position(|p| p.name == name);
                self.safety(name, kind, |asking| asking.may_break(at))
            }
            Kind::Ltl | Kind::Never => self.temporal(name, kind),
        }
    }

    /// A property of single states: `suspect` gives an abstract run to a state that may be bad.
    fn safety(&mut self, name: String, kind: Kind, suspect: impl Fn(&Self) -> Option<Candidate>) -> Outcome {
        let candidate = suspect(self);
        let seen = match candidate {
            None if self.space.is_complete() => unless_beyond(self.model, &self.space.taken, Seen::Nothing),
            candidate => match (self.concrete_state(&name, kind), candidate) {
                ((Some(run), _), _) => self.judge(run, kind),
                (_, None) => Seen::Open { reason: self.incomplete(), candidate: None },
                ((None, tried), Some(candidate)) => {
                    Seen::Open { reason: spurious(&tried), candidate: Some(Box::new(candidate)) }
                }
            },
        };
        let (states, transitions) = (self.space.len() as u64, self.space.steps);
        Outcome { states, transitions, ..Outcome::new(&name, kind, seen) }
    }

    /// A run counts unless it depends on what the front end forgot.
    pub(super) fn judge(&self, run: Witness, kind: Kind) -> Seen {
        judge(self.model, run, kind)
    }

    pub(super) fn incomplete(&self) -> String {
        self.space.stopped.map_or("a structure needs more than 64 nodes", reason).to_string()
    }

    fn may_deadlock(&self) -> Option<Candidate> {
        let (can, waits) = self.model.deadlock();
        let value = |s: &Structure, f: &Formula| self.prepared.machine.value(s, f);
        let blocked = |s: &Structure| !can.iter().any(|f| value(s, f).must()) && value(s, &waits).may();
        let at = self.space.states().position(|s| blocked(&s))?;
        let s = self.space.state(at);
        let mut because: Vec<String> = Vec::new();
        for (action, f) in self.model.actions.iter().filter(|a| !a.idle).zip(&can) {
            if value(&s, f) == Kleene::Half {
                because.push(format!("whether `{}` can be taken", action.name));
            }
        }
        Some(self.candidate(at, None, because))
    }

    fn may_err(&self) -> Option<Candidate> {
        let errors = |n: &usize| self.model.actions[*n].error.is_some() && self.space.taken[*n];
        let number = (0..self.model.actions.len()).find(errors)?;
        self.bad_state(Fault::Error(number as u32), "the precondition of the last step")
    }

    fn may_break(&self, at: Option<usize>) -> Option<Candidate> {
        self.bad_state(Fault::Invariant(at? as u32), "the invariant itself")
    }

    fn bad_state(&self, fault: Fault, why: &str) -> Option<Candidate> {
        let BadState { state, action, definite } = self.space.first(fault)?;
        let because = (!definite).then(|| why.to_string());
        Some(self.candidate(state, action, because.into_iter().collect()))
    }

    fn candidate(&self, state: usize, last: Option<usize>, because: Vec<String>) -> Candidate {
        let (actions, states) = self.space.way(state);
        Candidate {
            states: states.into_iter().map(|s| self.space.narrow(self.model, s)).collect(),
            actions: actions.into_iter().chain(last).map(Some).collect(),
            loop_start: None,
            because,
        }
    }
}
