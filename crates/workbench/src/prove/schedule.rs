//! The scheduler: which engine works on which job, on all cores, until each job is decided.
//!
//! Tasks are taken in the order of their priority: small slices first, cheap engines first
//! (`tasks`, `slice`). Invariants are generated only if a job is still open when its turn comes.
//! Each proof goes to the certifier as soon as it is found, and what it confirms is known to all
//! that begin after it; each run is replayed at once. So a verdict that is found early is not lost
//! when time is over, and none depends on which engine was first.

use super::jobs::Job;
use super::slice::{Budget, ROUNDS, Slice};
use super::tasks::{Engine, Task};
use super::{Source, TimedSolvers, replayed, search};
use crate::answer::{Decided, Kind, Verdict, Violation};
use crate::failure::Open;
use crate::listener::Interrupt;
use crate::question::Question;
use certify::proof::Certifier;
use logic::fol::Term;
use prover::axioms::Axioms;
use prover::clauses::Seen;
use prover::generalized;
use prover::generate::{self, generate};
use prover::shape::{Shape, shape};
use prover::{Effort, How, Judge, Lemma, Method, Outcome, Session};
use solve::Options;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use system::fts::{Domain, Fts};

/// What all workers see.
pub(super) struct Scheduler<'a> {
    pub(super) source: &'a Source,
    pub(super) request: &'a Question,
    pub(super) interrupt: &'a Interrupt,
    pub(super) solvers: &'a TimedSolvers,
    pub(super) options: &'a Options,
    pub(super) deadline: Option<Instant>,
    pub(super) effort: Effort,
    pub(super) axioms: &'a Axioms,
    pub(super) certifier: Mutex<Certifier<'a>>,
    /// What is seen of small instances, for all workers.
    seen: Seen,
    state: Mutex<State>,
    changed: Condvar,
}

/// What is known, and what is left to do.
#[derive(Default)]
pub(super) struct State {
    pub(super) jobs: Vec<Job>,
    /// Background of what begins now.
    pub(super) known: Vec<Lemma>,
    axioms: Vec<Lemma>,
    pub(super) generated: Vec<Lemma>,
    /// The properties that are proved, in the order in which they were.
    pub(super) proved: Vec<String>,
    tasks: Vec<Task>,
    running: usize,
    /// Whether invariants are being generated.
    generating: bool,
}

impl<'a> Scheduler<'a> {
    pub(super) fn new(
        (source, request, interrupt): (&'a Source, &'a Question, &'a Interrupt),
        (solvers, options, deadline): (&'a TimedSolvers, &'a Options, Option<Instant>),
        session: &'a Session<'a>,
        certifier: Certifier<'a>,
        jobs: Vec<Job>,
    ) -> Scheduler<'a> {
        let state = State {
            known: session.known.clone(),
            axioms: session.known.clone(),
            tasks: tasks(&jobs, request, is_parameterized(&source.fts)),
            jobs,
            ..State::default()
        };
        Scheduler {
            source,
            request,
            interrupt,
            solvers,
            options,
            deadline,
            effort: session.effort,
            axioms: &session.axioms,
            certifier: Mutex::new(certifier),
            seen: Seen::default(),
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Works until everything is decided, nothing is left to try, or time is over.
    pub(super) fn run(self) -> State {
        let workers = self.request.threads.max(1);
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(|| self.work());
            }
            self.work();
        });
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        while let Some(task) = self.next() {
            let again = self.perform(task);
            let mut state = self.lock();
            state.running -= 1;
            state.generating &= !task.is_awaited();
            state.tasks.extend(again);
            self.changed.notify_all();
        }
        self.changed.notify_all();
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task; waits for one as long as others may make one possible.
    fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if self.is_over() || state.jobs.iter().all(|job| !job.is_open()) {
                return None;
            }
            if let Some(task) = state.take() {
                state.running += 1;
                state.generating |= task.is_awaited();
                return Some(task);
            }
            if state.running == 0 {
                return None;
            }
            let waited = self.changed.wait_timeout(state, Duration::from_millis(100));
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn is_over(&self) -> bool {
        self.interrupt.is_raised() || self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// How long a slice may take.
    pub(super) fn time(&self, budget: &Budget) -> Duration {
        let left = self.deadline.map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(budget.time, |left| budget.time.min(left))
    }

    /// Does a task; what of it is left to do later.
    fn perform(&self, task: Task) -> Option<Task> {
        let budget = ROUNDS[task.round];
        let words = self.lock().words(task);
        self.interrupt.trying(words);
        match (task.engine, task.job) {
            (Engine::Explicit, _) => search::explicit(self, &budget).then(|| task.longer()).flatten(),
            (Engine::Instances, _) => {
                super::refute::instances(self, &budget).then(|| task.longer()).flatten()
            }
            (Engine::Repeats, _) => super::repeat::loops(self, &budget).then(|| task.longer()).flatten(),
            (Engine::Generate(kind), _) => self.generate(kind, &budget).then(|| task.longer()).flatten(),
            (Engine::Bounded, Some(job)) => {
                super::bounded::runs(self, job, &budget).then(|| task.longer()).flatten()
            }
            (engine, Some(job)) => self.prove(engine, job, task),
            (_, None) => None,
        }
    }

    /// Invariants of one kind; whether it was cut off.
    fn generate(&self, kind: generate::Kind, budget: &Budget) -> bool {
        let known = self.lock().own();
        let slice = Slice::new(self.solvers, budget);
        let options = slice.options(self.options, budget);
        let started = Instant::now();
        let clock = || started.elapsed().as_millis() as u64;
        let until = self.time(budget).as_millis() as u64;
        let (fts, seen) = (&self.source.fts, &self.seen);
        let judge = Judge { fts, solver: &slice, options: &options, clock: &clock, until, seen };
        let found = generate(&judge, &[kind], &known);
        let mut certifier = self.certifier.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = found;
        super::certified::confirm_generated(&mut certifier, &mut found);
        let mut state = self.lock();
        state.known.extend(found.iter().cloned());
        state.generated.extend(found);
        judge.is_over()
    }

    /// One engine on one job.
    fn prove(&self, engine: Engine, job: usize, task: Task) -> Option<Task> {
        let (property, known, proved) = {
            let state = self.lock();
            (state.jobs[job].property.clone(), state.known.clone(), state.proved.clone())
        };
        let count = known.len() + proved.len();
        let budget = ROUNDS[task.round];
        let slice = Slice::new(self.solvers, &budget);
        let options = slice.options(self.options, &budget);
        let started = Instant::now();
        let clock = || started.elapsed().as_millis() as u64;
        let until = self.time(&budget).as_millis() as u64;
        let (fts, seen) = (&self.source.fts, &self.seen);
        let judge = Judge { fts, solver: &slice, options: &options, clock: &clock, until, seen };
        let axioms = self.axioms.clone();
        let mut session = Session { judge, effort: self.effort, known, proved, axioms };
        let how = match engine {
            Engine::Script => How::Script,
            Engine::Plain(method) | Engine::By(method) => How::By(method),
            _ => How::By(Method::Rules),
        };
        let outcome = session.attempt(&property, how);
        if self.settle(engine, job, outcome) {
            return None;
        }
        if judge.is_over() { task.longer() } else { task.later(count) }
    }

    /// Takes over what came of an attempt; whether the job is decided.
    fn settle(&self, engine: Engine, job: usize, mut outcome: Outcome) -> bool {
        let property = self.lock().jobs[job].property.clone();
        if outcome.run.is_some() && !self.lock().jobs[job].is_check {
            match replayed(self.source, std::slice::from_ref(&property), &outcome) {
                Ok(violation) => return self.violated(job, violation, outcome),
                Err(why) => {
                    outcome.reason =
                        Some(format!("a run that violates it cannot be replayed: {}", why.message()));
                }
            }
        }
        if outcome.proved {
            match self.confirm(job, &outcome) {
                Ok(()) => return true,
                Err(Open(reason)) => (outcome.proved, outcome.reason) = (false, Some(reason)),
            }
        }
        let mut state = self.lock();
        let job = &mut state.jobs[job];
        if job.is_open() {
            job.note(engine.shown(), engine.name(), outcome);
        }
        !job.is_open()
    }

    pub(super) fn violated(&self, job: usize, violation: Option<Violation>, outcome: Outcome) -> bool {
        let mut state = self.lock();
        let job = &mut state.jobs[job];
        if job.is_open() && violation.is_some() {
            (job.verdict, job.violation, job.outcome) = (Verdict::Violated, violation, outcome);
            self.report(job);
        }
        !job.is_open()
    }

    /// The certifier makes the conditions again; what it confirms is known.
    fn confirm(&self, job: usize, outcome: &Outcome) -> Result<(), Open> {
        let evidence = outcome.evidence.as_ref();
        let evidence = evidence.ok_or_else(|| Open("there is no evidence for it".to_string()))?;
        let (property, is_check) = {
            let state = self.lock();
            (state.jobs[job].property.clone(), state.jobs[job].is_check)
        };
        let mut certifier = self.certifier.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.lock().jobs[job].is_open() {
            return Ok(());
        }
        let confirmed = certifier.property(&property, evidence, &outcome.remembered);
        confirmed.map_err(|refused| match self.is_over() {
            true => Open("a proof was found, but time was over before it was confirmed".to_string()),
            false => Open(format!("a proof was found, but is not confirmed: {refused}")),
        })?;
        let mut state = self.lock();
        if let Some(Shape::Invariance(p)) = shape(&property.formula) {
            state.known.push(Lemma::new(&property.name, generalized(&property, p)));
        }
        if !is_check {
            state.proved.push(property.name.clone());
        }
        let job = &mut state.jobs[job];
        (job.verdict, job.outcome) = (Verdict::Holds, outcome.clone());
        self.report(job);
        Ok(())
    }

    /// What is known is not lost if an engine does not look at the clock in time. Where there are
    /// type checks nothing holds before they have been proved.
    pub(super) fn report(&self, job: &Job) {
        let early = job.verdict == Verdict::Holds && !self.source.fts.type_checks.is_empty();
        if !early && !job.is_check {
            let mut board = self.interrupt.board();
            board.note(&Decided::new(&job.property.name, Kind::Ltl, job.verdict));
            if board.violation.is_none() {
                board.violation.clone_from(&job.violation);
            }
        }
    }
}

impl State {
    /// What generated invariants are relative to: axioms and those before them, so that what is
    /// generated does not depend on which properties are proved already.
    fn own(&self) -> Vec<Lemma> {
        self.axioms.iter().chain(&self.generated).cloned().collect()
    }

    /// What is tried now, in words.
    fn words(&self, task: Task) -> String {
        let about = task.job.map(|job| format!("{} by ", self.jobs[job].property.name)).unwrap_or_default();
        let properties = || self.jobs.iter().filter(|job| !job.is_check);
        let decided = properties().filter(|job| !job.is_open()).count();
        let engine = task.engine.name();
        format!("{about}{engine}, round {}; {decided} of {} decided", task.round + 1, properties().count())
    }

    /// The first task that is possible now.
    fn take(&mut self) -> Option<Task> {
        let jobs = &self.jobs;
        self.tasks.retain(|task| task.job.is_none_or(|job| jobs[job].is_open()));
        let known = self.known.len() + self.proved.len();
        let possible = |task: &Task| task.gave_up_at.is_none_or(|then| then < known) && self.is_ready(task);
        let tasks = self.tasks.iter().enumerate().filter(|(_, task)| possible(task));
        let (at, _) = tasks.min_by_key(|(_, task)| task.priority())?;
        Some(self.tasks.swap_remove(at))
    }

    /// Whether what an engine asks for was generated, as far as that succeeds at once.
    fn is_ready(&self, task: &Task) -> bool {
        let generated = !self.generating && !self.tasks.iter().any(Task::is_awaited);
        let open = |wanted: fn(&Job) -> bool| self.jobs.iter().any(|job| job.is_open() && wanted(job));
        match task.engine {
            Engine::Script => generated || task.job.is_some_and(|job| !self.jobs[job].wants_generated),
            Engine::Plain(_) => true,
            Engine::Explicit | Engine::Instances | Engine::Repeats => open(|job| !job.scripted),
            // Each kind is relative to those before it.
            Engine::Generate(_) => !self.generating && open(|job| job.wants_generated),
            Engine::By(_) => generated,
            Engine::Bounded => true,
        }
    }
}

/// Everything that can be tried.
fn tasks(jobs: &[Job], request: &Question, parameterized: bool) -> Vec<Task> {
    let kinds = generate::Kind::ALL.into_iter().chain([generate::Kind::Pairs]);
    let mut all: Vec<Task> = kinds.map(|kind| Task::new(Engine::Generate(kind), None)).collect();
    if !request.proofs.rules_only {
        all.push(Task::new(Engine::Explicit, None));
        all.push(Task::new(Engine::Instances, None));
        all.push(Task::new(Engine::Repeats, None));
    }
    for (at, job) in jobs.iter().enumerate() {
        if job.scripted {
            all.push(Task::new(Engine::Script, Some(at)));
            continue;
        }
        if job.fits(Method::Rules) {
            all.push(Task::new(Engine::Plain(Method::Rules), Some(at)));
        }
        if job.fits(Method::Induction) {
            all.push(Task::new(Engine::Plain(Method::Induction), Some(at)));
        }
        if !job.is_check && !request.proofs.rules_only {
            all.push(Task::new(Engine::Bounded, Some(at)));
        }
        let methods = Method::ALL.into_iter().filter(|method| job.fits(*method));
        all.extend(methods.map(|method| match method {
            // What other engines find for N processes is little.
            Method::Clauses if parameterized => Task::new(Engine::Plain(method), Some(at)),
            method => Task::new(Engine::By(method), Some(at)),
        }));
    }
    all.retain(|task| task.engine.is_asked(&request.proofs.engines));
    all
}

/// Whether the number of processes is not known.
fn is_parameterized(fts: &Fts) -> bool {
    let parameters = fts.transitions.iter().flat_map(|t| &t.parameters);
    let arrays = fts.variables.iter().filter_map(|v| v.range.as_ref());
    let open = |e: &Term| !e.symbols().is_empty();
    let array =
        |domain: &Domain| matches!(domain, Domain::Array { low, high, .. } if open(low) || open(high));
    parameters.into_iter().any(|p| open(&p.low) || open(&p.high)) || arrays.into_iter().any(array)
}
