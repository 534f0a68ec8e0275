//! External solvers: z3 and cvc5, each query a process of its own over SMT-LIB 2, killed when its
//! time is up.
//!
//! A crash or a strange answer is *unknown*, never an error of ours. A countermodel is read back
//! and evaluated; if it can be evaluated and does not refute the goal, the answer is *unknown* too.

mod countermodel;
mod process;

use crate::answer::{self, Answer, Assumption, Options, Solver};
use crate::smtlib;
use logic::fol::Term;

/// A solver that speaks SMT-LIB 2 on its standard input.
#[derive(Clone, Debug)]
pub struct External {
    name: String,
    command: String,
    arguments: Vec<String>,
}

impl External {
    /// z3, if there is one on the path.
    pub fn z3() -> Option<External> {
        External::found("z3", &["-in", "-smt2"])
    }

    /// cvc5, if there is one on the path.
    pub fn cvc5() -> Option<External> {
        External::found("cvc5", &["--lang=smt2", "--incremental", "--strings-exp"])
    }

    fn found(command: &str, arguments: &[&str]) -> Option<External> {
        process::is_found(command).then(|| External {
            name: command.to_owned(),
            command: command.to_owned(),
            arguments: arguments.iter().map(|a| (*a).to_owned()).collect(),
        })
    }
}

impl Solver for External {
    fn name(&self) -> &str {
        &self.name
    }

    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        let Some((guarded, refuted)) = answer::taken_in(assumptions, goal) else {
            return Answer::unknown(answer::UNSORTED);
        };
        let script = smtlib::script(&guarded, &refuted, None);
        let mut session = match process::Session::start(&self.command, &self.arguments, options) {
            Ok(session) => session,
            Err(words) => return Answer::unknown(format!("{}: {words}", self.name)),
        };
        match session.ask(&script).as_deref() {
            Ok("unsat") => match session.ask("(get-unsat-core)\n") {
                Ok(core) => Answer::Valid { core: core_of(&core, assumptions.len()) },
                Err(_) => Answer::Valid { core: (0..assumptions.len()).collect() },
            },
            Ok("sat") => match session.ask("(get-model)\n") {
                Ok(text) => countermodel::read(&text, assumptions, goal, &self.name),
                Err(words) => Answer::unknown(format!("{} has a countermodel, but {words}", self.name)),
            },
            Ok(other) => Answer::unknown(format!("{} answers {other}", self.name)),
            Err(words) => Answer::unknown(format!("{}: {words}", self.name)),
        }
    }
}

/// The numbers in a core such as `(a0! a3!)`; all of them if it is none of that.
fn core_of(text: &str, assumptions: usize) -> Vec<usize> {
    let number = |word: &str| word.strip_prefix('a')?.strip_suffix('!')?.parse().ok();
    let words = text.trim().trim_start_matches('(').trim_end_matches(')').split_whitespace();
    match words.map(number).collect::<Option<Vec<usize>>>() {
        Some(mut core) => {
            core.sort_unstable();
            core
        }
        None => (0..assumptions).collect(),
    }
}
