//! What can be done next: engines on jobs, in rounds, cheap ones first.

use super::slice::ROUNDS;
use crate::question::Proving;
use prover::Method;
use prover::generate::Kind;

/// The place of what uses generated invariants.
const AFTER_INVARIANTS: usize = 6 + Kind::ALL.len();

/// An engine at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Engine {
    /// The proofs of the file.
    Script,
    /// A method that asks for no generated invariant.
    Plain(Method),
    /// All states, one by one, for all jobs at once.
    Explicit,
    /// The same, of instances with small inputs, for runs that break something.
    Instances,
    /// Loops that are repeated without end, of systems that never come back to a state.
    Repeats,
    /// Runs of bounded length, by the solver.
    Bounded,
    /// Generated invariants of one kind, for all jobs.
    Generate(Kind),
    /// With generated invariants.
    By(Method),
}

/// An engine on a job, or for all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) engine: Engine,
    pub(super) job: Option<usize>,
    pub(super) round: usize,
    /// How much was known when it gave up; it is tried again when more is.
    pub(super) gave_up_at: Option<usize>,
}

impl Engine {
    /// The place in a round.
    pub(super) fn place(self) -> usize {
        match self {
            Engine::Script => 0,
            Engine::Plain(Method::Rules) => 1,
            Engine::Explicit => 2,
            Engine::Instances => 3,
            Engine::Plain(Method::Induction) => 4,
            Engine::Plain(_) => 5,
            Engine::Bounded => AFTER_INVARIANTS + Method::ALL.len() + 1,
            Engine::Repeats => AFTER_INVARIANTS + Method::Stages as usize,
            Engine::Generate(Kind::Pairs) => AFTER_INVARIANTS + Method::ALL.len(),
            Engine::Generate(kind) => 6 + Kind::ALL.iter().position(|k| *k == kind).unwrap_or(0),
            Engine::By(method) => {
                AFTER_INVARIANTS + Method::ALL.iter().position(|m| *m == method).unwrap_or(0)
            }
        }
    }

    /// The place in the report: that of the same engine with more to go on.
    pub(super) fn shown(self) -> usize {
        match self {
            Engine::Plain(method) => Engine::By(method).place(),
            engine => engine.place(),
        }
    }

    /// Whether it is one of those that were asked for; all are if none was.
    pub(super) fn is_asked(self, asked: &[Proving]) -> bool {
        let proving = match self {
            Engine::Script => return asked.is_empty(),
            Engine::Explicit => Proving::Search,
            Engine::Instances => Proving::Instances,
            Engine::Repeats => Proving::Loops,
            Engine::Bounded => Proving::Bounded,
            Engine::Generate(_) => Proving::Invariants,
            Engine::Plain(method) | Engine::By(method) => Proving::By(method),
        };
        asked.is_empty() || asked.contains(&proving)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Engine::Script => "proof",
            Engine::Explicit => "search of all states",
            Engine::Instances => "search of small instances",
            Engine::Repeats => "loops",
            Engine::Bounded => "BMC",
            Engine::Generate(_) => "invariants",
            Engine::Plain(method) | Engine::By(method) => method.name(),
        }
    }

    /// Whether it may succeed with a lemma that was not there before.
    fn profits(self) -> bool {
        matches!(self, Engine::Script | Engine::Plain(_) | Engine::By(_))
    }
}

impl Task {
    pub(super) fn new(engine: Engine, job: Option<usize>) -> Task {
        Task { engine, job, round: 0, gave_up_at: None }
    }

    fn is_generation(&self) -> bool {
        matches!(self.engine, Engine::Generate(_))
    }

    /// Whether engines that use generated invariants wait for it.
    pub(super) fn is_awaited(&self) -> bool {
        self.is_generation() && self.engine != Engine::Generate(Kind::Pairs) && self.round == 0
    }

    /// What to do before what.
    pub(super) fn priority(&self) -> (usize, usize, Option<usize>) {
        (self.round, self.engine.place(), self.job)
    }

    /// The same with a larger slice.
    pub(super) fn longer(self) -> Option<Task> {
        let round = self.round + 1;
        (round < ROUNDS.len()).then_some(Task { round, gave_up_at: None, ..self })
    }

    /// The same as soon as more is known.
    pub(super) fn later(self, known: usize) -> Option<Task> {
        self.engine.profits().then_some(Task { gave_up_at: Some(known), ..self })
    }
}
