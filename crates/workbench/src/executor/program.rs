//! Executes a real program under control and reports what it does: which thread performs which
//! operation, from where.
//!
//! A step is a thread, an outcome of its pending operation, and a hash of the operation's name: a
//! program that does something else than recorded is noticed. A run is executed in new processes
//! each time.

use super::{Executor, Offer, RunStatus, not_enabled};
use crate::failure::Failure;
use crate::headline::deadlock;
use crate::programs::{ProgramRequest, Subject, options, refused};
use crate::recording::{Launch, Recording};
use crate::report::{
    Actor, Awaited, Call, Ending, Failed, Location, Need, RaceSide, Report, ReportStep, Statement, Tie,
    Waiting,
};
use crate::values::Variable;
use explore::stateless::{Trouble, World};
use native::execution::{Execution, Known, Options, called};
use native::launch::Program;
use native::operation::{Outcome, Pending, Tid};
use native::steps::{ReportedAccess, ReportedStep, Reporter, numbered};
use native::waits::{Takers, Wait};
use objects::Object;
use source::Span;
use space::{Start, Step};
use std::collections::BTreeSet;
use std::ffi::OsString;

pub(crate) struct ProgramExecutor {
    request: ProgramRequest,
    /// Keeps what was compiled for it.
    _subject: Option<Subject>,
    program: Program,
    execution: Execution,
    reporter: Reporter,
    steps: Vec<Step>,
    reported_steps: Vec<ReportedStep>,
    failure: Option<explore::stateless::Failure>,
    takers: Takers,
    /// A race is what the run is to show, also if something else goes wrong in it.
    pub(crate) shows_race: bool,
    /// Outputs before the first step.
    printed: String,
}

impl ProgramExecutor {
    /// A program of which this is known; races end a run if they matter.
    pub(crate) fn new(
        request: &ProgramRequest,
        program: &Program,
        known: Known,
        races_matter: bool,
    ) -> Result<ProgramExecutor, Trouble> {
        let options = Options { races_matter, ..options(request) };
        let mut execution = Execution::new(program, options, known, 0)?;
        execution.tells_stacks = true;
        let reporter = Reporter::new(&program.path, execution.machine.base());
        Ok(ProgramExecutor {
            request: request.clone(),
            _subject: None,
            program: program.clone(),
            execution,
            reporter,
            steps: Vec::new(),
            reported_steps: Vec::new(),
            failure: None,
            takers: Takers::default(),
            shows_race: false,
            printed: String::new(),
        })
    }

    /// A program that is compiled if it is a source file. A race is no reason to stop, unless it is
    /// what a recorded run shows.
    pub(crate) fn open(
        request: &ProgramRequest,
        guide: Option<&Recording>,
    ) -> Result<ProgramExecutor, Failure> {
        let launch = guide.and_then(|g| g.program.as_ref());
        let subject = crate::programs::subject_of(request, launch)?;
        let known = launch.map(|l| l.known.clone()).unwrap_or_default();
        let races_matter = guide.is_some_and(|g| g.ending == Ending::Race);
        let executor = ProgramExecutor::new(request, &subject.program, known, races_matter);
        let executor = executor.map_err(|t| refused(request, &t))?;
        Ok(ProgramExecutor { _subject: Some(subject), shows_race: races_matter, ..executor })
    }

    /// What has gone wrong so far, in the words of the program.
    fn failure(&self) -> Option<explore::stateless::Failure> {
        let mut failure = self.failed()?;
        match failure.kind {
            explore::stateless::Kind::Deadlock => failure.message = deadlock(&self.stopped()),
            _ => self.reporter.explain(&self.execution, &mut failure),
        }
        Some(failure)
    }

    /// What has gone wrong so far, or goes wrong because no thread is enabled.
    pub(crate) fn failed(&self) -> Option<explore::stateless::Failure> {
        let seen = self.failure.as_ref();
        let race = seen.filter(|_| self.shows_race).and_then(|f| f.of_kind(explore::stateless::Kind::Race));
        let mut failure = race.or(seen).cloned();
        if failure.is_none() && self.enabled().is_empty() {
            failure = self.execution.ending().failure();
        }
        failure
    }

    fn enabled(&self) -> Vec<(Tid, Outcome, Pending)> {
        let semantics = self.execution.semantics();
        let mut enabled = Vec::new();
        for (who, op) in self.execution.pending() {
            enabled
                .extend(semantics.outcomes(who, &op).into_iter().map(|outcome| (who, outcome, op.clone())));
        }
        enabled
    }

    fn note(&mut self, failure: Option<explore::stateless::Failure>) {
        self.failure = explore::stateless::Failure::first(self.failure.take(), failure);
    }

    /// Starts the program and takes steps. What becomes visible on the way makes it begin anew.
    pub(crate) fn execute(&mut self, steps: &[Step]) -> Result<(), Trouble> {
        loop {
            match self.attempt(steps) {
                Err(Trouble::Restart) => {}
                done => return done,
            }
        }
    }

    /// A race that is to be shown has happened with its second access, whatever comes after it.
    fn attempt(&mut self, steps: &[Step]) -> Result<(), Trouble> {
        self.begin()?;
        for step in steps {
            if self.shows_race && self.has_raced() {
                break;
            }
            self.perform(step)?;
        }
        Ok(())
    }

    fn has_raced(&self) -> bool {
        self.failure.as_ref().is_some_and(|f| f.of_kind(explore::stateless::Kind::Race).is_some())
    }

    fn begin(&mut self) -> Result<(), Trouble> {
        let begun = self.execution.restart_on()?;
        (self.failure, self.takers) = (None, Takers::default());
        self.note(begun.failure);
        (self.steps, self.reported_steps) = (Vec::new(), Vec::new());
        self.reporter.forget();
        self.printed = self.reporter.output(&self.execution);
        Ok(())
    }

    fn perform(&mut self, step: &Step) -> Result<(), Trouble> {
        let at = self.steps.len();
        let named =
            |(who, outcome, op): &(Tid, Outcome, Pending)| numbered(*who, *outcome, op.name()) == *step;
        let (who, outcome, op) = self.enabled().into_iter().find(named).ok_or(Trouble::Nondeterminism(at))?;
        let progress = self.execution.step_on(who, outcome)?;
        self.takers.note(who, &op);
        self.note(progress.failure);
        let output = self.reporter.output(&self.execution);
        self.reported_steps.push(ReportedStep { output, ..self.reported(who, &op, outcome) });
        self.steps.push(step.clone());
        Ok(())
    }

    /// The steps that were taken.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn reported(&self, who: Tid, op: &Pending, outcome: Outcome) -> ReportedStep {
        self.reporter.reported(&self.execution, who, op, outcome)
    }

    /// Which threads stand where.
    fn blocked(&self) -> Vec<ReportedStep> {
        self.execution.blocked().iter().map(|(who, op)| self.reported(*who, op, 0)).collect()
    }

    /// What a thread waits for, and who has that. What its operation says comes first.
    fn needs(&self, cast: &Cast, reported: &ReportedStep) -> Vec<Need> {
        let who = reported.who;
        let Some((_, op)) = self.execution.blocked().into_iter().find(|(other, _)| *other == who) else {
            return Vec::new();
        };
        let need = |wait: Wait| Need {
            object: wait.object,
            actors: wait.threads.iter().filter_map(|who| cast.thread(*who)).collect(),
            tie: if wait.held { Tie::Holds } else { Tie::Changed },
            ..Need::default()
        };
        let waits = self.reporter.waits(&self.execution, who, &op, &self.takers);
        let mut all: Vec<Need> = waits.into_iter().map(need).collect();
        if let Some((what, object)) = awaited(reported) {
            // The end of a thread is known by its own name.
            let same = |need: &Need| what == Awaited::End || need.object == object;
            let known = all.iter().position(same).map(|at| all.remove(at)).unwrap_or_default();
            all.insert(0, Need { what, object: object.to_string(), ..known });
        }
        all
    }
}

impl Executor for ProgramExecutor {
    fn origin(&self) -> Recording {
        // What became visible only by this run was no step of it.
        let (program, known) = (&self.program, self.execution.knowledge());
        let failure = self.failure();
        let failure = failure.map(|f| Failed { kind: f.kind.name().to_string(), message: f.message });
        Recording { failure, ..origin(&self.request, program, known) }
    }

    fn restart(&mut self, start: &Start) -> Result<(), Failure> {
        if *start != Start::Number(0) {
            return Err(Failure::Request("a program has only one initial state".to_string()));
        }
        self.execute(&[]).map_err(|t| refused(&self.request, &t))
    }

    fn offers(&self) -> Vec<Offer> {
        if self.failure.as_ref().is_some_and(|f| f.fatal) {
            return Vec::new();
        }
        let enabled = self.enabled();
        let reported = |(who, outcome, op): &(Tid, Outcome, Pending)| self.reported(*who, op, *outcome);
        let reported_steps: Vec<ReportedStep> = enabled.iter().map(reported).collect();
        let cast = Cast::of(reported_steps.iter().chain(&self.reported_steps).chain(&self.blocked()));
        let offer = |((who, outcome, op), reported): (&(Tid, Outcome, Pending), &ReportedStep)| Offer {
            step: numbered(*who, *outcome, op.name()),
            who: cast.actors[cast.actor(reported)].label(),
            statements: vec![cast.statement(reported)],
            changes: Vec::new(),
            fault: None,
        };
        enabled.iter().zip(&reported_steps).map(offer).collect()
    }

    fn take(&mut self, step: &Step) -> Result<(), Failure> {
        let fatal = self.failure.as_ref().is_some_and(|f| f.fatal);
        if fatal {
            return Err(not_enabled());
        }
        let done = match self.perform(step) {
            Err(Trouble::Restart) => {
                let steps: Vec<Step> = self.steps.iter().chain([step]).cloned().collect();
                self.execute(&steps)
            }
            done => done,
        };
        done.map_err(|trouble| match trouble {
            Trouble::Nondeterminism(_) => Failure::Request("the program does something else".to_string()),
            trouble => refused(&self.request, &trouble),
        })
    }

    /// The memory of a program is not shown.
    fn variables(&self) -> Vec<Variable> {
        Vec::new()
    }

    fn status(&self) -> RunStatus {
        match self.failure() {
            Some(failure) if failure.kind == explore::stateless::Kind::Deadlock => RunStatus::Deadlock,
            Some(_) => RunStatus::Failed,
            None if self.enabled().is_empty() => RunStatus::Terminated,
            None => RunStatus::Enabled,
        }
    }

    /// How a run of a program ends is seen when it is executed, and shown as it is seen.
    fn shows(&self, _: Ending) -> bool {
        true
    }

    fn report(&self, _: Option<Ending>) -> Report {
        let blocked = self.blocked();
        let cast = Cast::of(self.reported_steps.iter().chain(&blocked));
        let step = |reported: &ReportedStep| ReportStep {
            actor: cast.actor(reported),
            statements: vec![cast.statement(reported)],
            printed: if reported.output.is_empty() { Vec::new() } else { vec![reported.output.clone()] },
            ..ReportStep::default()
        };
        let failure = self.failure();
        let failed = self.failed();
        let accesses = failed.map(|f| self.reporter.accesses(&self.execution, &f)).unwrap_or_default();
        Report {
            initial: Vec::new(),
            printed: self.printed.clone(),
            steps: self.reported_steps.iter().map(step).collect(),
            ending: match (&failure, self.enabled().is_empty()) {
                (Some(failure), _) => ending(failure.kind),
                (None, true) => Ending::End,
                (None, false) => Ending::Open,
            },
            failure: failure.map(|f| Failed { kind: f.kind.name().to_string(), message: f.message }),
            waiting: blocked.iter().map(|reported| self.waiting(&cast, reported)).collect(),
            race: accesses.into_iter().map(|access| side(&cast, access)).collect(),
            heaps: Vec::new(),
            actors: cast.actors,
        }
    }
}

impl ProgramExecutor {
    /// Who stands where now, without the steps that led there.
    fn stopped(&self) -> Report {
        let blocked = self.blocked();
        let cast = Cast::of(self.reported_steps.iter().chain(&blocked));
        let waiting = blocked.iter().map(|reported| self.waiting(&cast, reported)).collect();
        Report { waiting, actors: cast.actors, ending: Ending::Deadlock, ..Report::default() }
    }

    fn waiting(&self, cast: &Cast, reported: &ReportedStep) -> Waiting {
        Waiting {
            actor: cast.actor(reported),
            statements: vec![cast.statement(reported)],
            holds: self.reporter.held(&self.execution, reported.who),
            valid_end: false,
            needs: self.needs(cast, reported),
        }
    }
}

/// One of the accesses of a race.
fn side(cast: &Cast, access: ReportedAccess) -> RaceSide {
    RaceSide {
        actor: cast.thread(access.thread),
        who: access.who,
        access: access.does,
        object: access.object,
        source: access.stack.first().and_then(|f| source_line(&f.file, f.line)),
        stack: access.stack,
    }
}

/// A line of a source file, if it is still there.
fn source_line(file: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    let line = text.lines().nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    Some(line.trim().to_string()).filter(|line| !line.is_empty())
}

/// What a thread waits for, if its operation says it.
fn awaited(reported: &ReportedStep) -> Option<(Awaited, &str)> {
    let object = reported.object.as_str();
    let first = object.split(" with ").next().unwrap_or(object);
    Some(match reported.operation.as_str() {
        _ if object.is_empty() => return None,
        "mutex_lock" | "rwlock_rdlock" | "rwlock_wrlock" | "rwlock_wrlock waits" => (Awaited::Lock, object),
        "pthread_join" | "wait" => (Awaited::End, object),
        "cond_wait" | "cond_wait wakes" => (Awaited::Signal, first),
        "sem_wait" => (Awaited::Post, object),
        "barrier_wait" => (Awaited::Barrier, object),
        _ => return None,
    })
}

/// A program and how it is started, as recordings name it.
pub(crate) fn origin(request: &ProgramRequest, program: &Program, known: Known) -> Recording {
    let text = |words: &[OsString]| words.iter().map(|w| w.to_string_lossy().into_owned()).collect();
    Recording {
        file: request.program.to_string_lossy().into_owned(),
        defines: request.defines.clone(),
        program: Some(Launch {
            arguments: text(&request.arguments),
            flags: request.flags.clone(),
            spurious: request.spurious,
            ordered: request.ordered,
            input: program.input.as_ref().map(|i| i.bytes()).unwrap_or_default(),
            known,
        }),
        ..Recording::default()
    }
}

pub(crate) fn ending(kind: explore::stateless::Kind) -> Ending {
    match kind {
        explore::stateless::Kind::Deadlock => Ending::Deadlock,
        explore::stateless::Kind::Race => Ending::Race,
        _ => Ending::Fault,
    }
}

/// The threads of a run, as they are called.
struct Cast {
    threads: Vec<(u64, Tid)>,
    actors: Vec<Actor>,
}

impl Cast {
    fn of<'a>(reported_steps: impl Iterator<Item = &'a ReportedStep>) -> Cast {
        let threads: BTreeSet<(u64, Tid)> = reported_steps.map(|s| (s.process, s.who)).collect();
        let threads: Vec<(u64, Tid)> = threads.into_iter().collect();
        let actor = |(process, who): &(u64, Tid)| Actor {
            pid: *who,
            name: called(&threads, *process, *who),
            process: Some(*process),
        };
        let actors = threads.iter().map(actor).collect();
        Cast { threads, actors }
    }

    fn actor(&self, reported: &ReportedStep) -> usize {
        self.threads.iter().position(|t| *t == (reported.process, reported.who)).unwrap_or(0)
    }

    /// The thread of this number, if it stands somewhere or has taken a step.
    fn thread(&self, who: Tid) -> Option<usize> {
        self.threads.iter().position(|(_, thread)| *thread == who)
    }

    fn statement(&self, reported: &ReportedStep) -> Statement {
        let location = reported.stack.first().map(|f| Location {
            file: f.file.rsplit('/').next().unwrap_or(&f.file).to_string(),
            line: f.line,
            column: 1,
            span: Span::default(),
        });
        let call = Call {
            process: reported.process,
            thread: reported.who,
            operation: reported.operation.clone(),
            object: reported.object.clone(),
            outcome: reported.outcome,
            stack: reported.stack.clone(),
        };
        let text = format!("{} {}", reported.operation, reported.object).trim_end().to_string();
        Statement { actor: self.actor(reported), text, location, call: Some(Box::new(call)) }
    }
}
