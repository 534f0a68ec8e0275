//! Which solver is asked, and when it is not asked any more.

use crate::failure::Failure;
use crate::watch::Interrupt;
use solve::{Answer, Assumption, Embedded, External, Options, Solver, Term};
use std::time::Instant;

/// A choice of solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The embedded engine, and what this machine has for what it cannot tell.
    #[default]
    Any,
    Embedded,
    Z3,
    Cvc5,
}

/// Solvers in order, each asked if those before it cannot tell; none after the deadline or an interrupt.
pub struct Watched {
    solvers: Vec<Box<dyn Solver>>,
    name: String,
    deadline: Option<Instant>,
    interrupt: Interrupt,
}

impl Watched {
    pub fn new(choice: Choice, deadline: Option<Instant>, interrupt: Interrupt) -> Result<Watched, Failure> {
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
        Ok(Watched { solvers, name, deadline, interrupt })
    }
}

impl Solver for Watched {
    fn name(&self) -> &str {
        &self.name
    }

    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        let mut last = Answer::unknown("no solver");
        for solver in &self.solvers {
            if self.interrupt.is_raised() {
                return Answer::unknown("interrupted");
            }
            if self.deadline.is_some_and(|end| Instant::now() >= end) {
                return Answer::unknown("out of time");
            }
            last = solver.check(assumptions, goal, options);
            if !matches!(last, Answer::Unknown { .. }) {
                return last;
            }
        }
        last
    }
}
