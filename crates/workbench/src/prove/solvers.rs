//! Which solver is asked, and when it is not asked any more.

use crate::failure::Failure;
use crate::listener::Interrupt;
use crate::question::ProofOptions;
use explore::Stop;
use logic::fol::Term;
use solve::{Answer, Assumption, Embedded, External, Options, Solver};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A choice of solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The embedded engine, and what this machine has for what it cannot tell.
    #[default]
    Any,
    /// The solver of this project.
    Embedded,
    /// Z3, in another process.
    Z3,
    /// cvc5, in another process.
    Cvc5,
}

/// Solvers in order, each asked if those before it cannot tell; none after the deadline or an
/// interrupt.
///
/// The embedded engine has no clock, so a thread looks at it for as long as this lives: a query
/// that takes too long is cancelled, and when the time for everything is over, so is everything.
pub(crate) struct TimedSolvers {
    solvers: Vec<Box<dyn Solver>>,
    name: String,
    watch: Arc<Clock>,
}

/// Until when, and how it is asked to end.
type Query = (Instant, Arc<AtomicBool>);

struct Clock {
    deadline: Option<Instant>,
    interrupt: Interrupt,
    /// Raised when nothing more is to be asked.
    over: Arc<AtomicBool>,
    /// The queries that are being answered: until when, and how each is asked to end.
    queries: Mutex<Vec<Query>>,
    done: AtomicBool,
}

/// How often the thread looks.
const GLANCE: Duration = Duration::from_millis(10);

impl TimedSolvers {
    pub fn new(
        choice: Choice,
        deadline: Option<Instant>,
        interrupt: Interrupt,
    ) -> Result<TimedSolvers, Failure> {
        let boxed = |s: External| Box::new(s) as Box<dyn Solver>;
        let solvers: Vec<Box<dyn Solver>> = match choice {
            Choice::Z3 => External::z3().map(boxed).into_iter().collect(),
            Choice::Cvc5 => External::cvc5().map(boxed).into_iter().collect(),
            Choice::Embedded => vec![Box::new(Embedded::default())],
            Choice::Any => {
                let outside = [External::z3(), External::cvc5()].into_iter().flatten().map(boxed);
                let embedded: Box<dyn Solver> = Box::new(Embedded::default());
                std::iter::once(embedded).chain(outside).collect()
            }
        };
        if solvers.is_empty() {
            let name = if choice == Choice::Z3 { "z3" } else { "cvc5" };
            return Err(Failure::Request(format!("`{name}` is not installed; leave out --solver")));
        }
        let names: Vec<&str> = solvers.iter().map(|s| s.name()).collect();
        let name = names.join(", then ");
        let watch = Arc::new(Clock {
            deadline,
            interrupt,
            over: Arc::default(),
            queries: Mutex::default(),
            done: AtomicBool::new(false),
        });
        let watching = watch.clone();
        std::thread::spawn(move || {
            while !watching.done.load(Ordering::Relaxed) {
                watching.look();
                std::thread::sleep(GLANCE);
            }
        });
        Ok(TimedSolvers { solvers, name, watch })
    }

    /// Raised when nothing more is to be asked.
    pub(crate) fn over(&self) -> Arc<AtomicBool> {
        self.watch.over.clone()
    }

    /// How it is asked about the conditions of a proof.
    pub fn options(&self, asked: &ProofOptions) -> Options {
        let time = asked.condition_time.unwrap_or(Duration::from_secs(5));
        Options { milliseconds: time.as_millis() as u64, cancel: self.over(), ..Options::default() }
    }
}

impl Clock {
    fn look(&self) {
        let now = Instant::now();
        if self.interrupt.is_raised() || self.deadline.is_some_and(|end| now >= end) {
            self.over.store(true, Ordering::Relaxed);
        }
        let over = self.over.load(Ordering::Relaxed);
        for (_, cancel) in self.lock().iter().filter(|(end, _)| over || now >= *end) {
            cancel.store(true, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Query>> {
        self.queries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, end: Instant, cancel: &Arc<AtomicBool>) {
        self.lock().push((end, cancel.clone()));
    }

    fn end(&self, cancel: &Arc<AtomicBool>) {
        self.lock().retain(|(_, other)| !Arc::ptr_eq(cancel, other));
    }
}

impl Drop for TimedSolvers {
    fn drop(&mut self) {
        self.watch.done.store(true, Ordering::Relaxed);
    }
}

impl Solver for TimedSolvers {
    fn name(&self) -> &str {
        &self.name
    }

    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        let mut last = Answer::unknown("no solver");
        for solver in &self.solvers {
            self.watch.look();
            match self.watch.interrupt.asked() {
                Some(Stop::Interrupt) => return Answer::unknown("interrupted"),
                Some(Stop::Memory) => return Answer::unknown("out of memory"),
                _ => {}
            }
            if self.watch.over.load(Ordering::Relaxed) {
                return Answer::unknown("out of time");
            }
            let own = Options { cancel: Arc::default(), ..options.clone() };
            let end = Instant::now() + Duration::from_millis(options.milliseconds);
            self.watch.begin(end, &own.cancel);
            last = solver.check(assumptions, goal, &own);
            self.watch.end(&own.cancel);
            if !matches!(last, Answer::Unknown { .. }) {
                return last;
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// More pigeons than holes: hard to see by cases.
    fn pigeons(n: i64) -> Vec<Assumption> {
        let hole = |p: i64| logic::fol::Symbol::constant(format!("p{p}"), logic::fol::Sort::Int).term();
        let mut all = Vec::new();
        for p in 0..n {
            all.push(Assumption::new("range", hole(p).between(&Term::int(1), &Term::int(n - 1))));
            for q in 0..p {
                all.push(Assumption::new("apart", hole(p).differs(&hole(q))));
            }
        }
        all
    }

    #[test]
    fn a_query_that_takes_too_long_is_cancelled() {
        let solver = TimedSolvers::new(Choice::Embedded, None, Interrupt::default()).unwrap();
        let hurried = Options { milliseconds: 50, conflicts: u64::MAX, ..Options::default() };
        let started = Instant::now();
        let answer = solver.check(&pigeons(14), &Term::truth(false), &hurried);
        assert_eq!(answer, Answer::unknown("out of time"));
        assert!(started.elapsed() < Duration::from_secs(20));
        // The next one has its own time.
        assert!(solver.check(&pigeons(3), &Term::truth(false), &Options::default()).is_valid());
    }

    #[test]
    fn after_an_interrupt_nothing_is_asked() {
        let interrupt = Interrupt::default();
        let solver = TimedSolvers::new(Choice::Embedded, None, interrupt.clone()).unwrap();
        interrupt.raise();
        let answer = solver.check(&[], &Term::truth(true), &Options::default());
        assert_eq!(answer, Answer::unknown("interrupted"));
        assert!(solver.over().load(Ordering::Relaxed));
    }
}
