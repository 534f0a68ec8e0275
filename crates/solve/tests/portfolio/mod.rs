//! Several engines on one question: the embedded one, then z3 and cvc5 as far as they are found.
//!
//! The embedded engine is asked first: its answers are quick, deterministic and come with confirmed
//! countermodels. The others see only what it leaves unknown. [`Portfolio::cross_check`] asks
//! every solver.

use logic::fol::Term;
use solve::{Answer, Assumption, Embedded, External, Options, Solver};

pub struct Portfolio {
    solvers: Vec<Box<dyn Solver>>,
}

impl Default for Portfolio {
    /// The embedded engine and whatever external ones are on the path.
    fn default() -> Portfolio {
        let mut solvers: Vec<Box<dyn Solver>> = vec![Box::new(Embedded::default())];
        for external in [External::z3(), External::cvc5()].into_iter().flatten() {
            solvers.push(Box::new(external));
        }
        Portfolio { solvers }
    }
}

impl Portfolio {
    pub fn new(solvers: Vec<Box<dyn Solver>>) -> Portfolio {
        Portfolio { solvers }
    }

    /// What every engine answers; the names of two that contradict each other, if any do.
    pub fn cross_check(
        &self,
        assumptions: &[Assumption],
        goal: &Term,
        options: &Options,
    ) -> Result<Answer, (String, String)> {
        let answers: Vec<(&str, Answer)> =
            self.solvers.iter().map(|s| (s.name(), s.check(assumptions, goal, options))).collect();
        let first = |wanted: fn(&Answer) -> bool| answers.iter().find(|(_, answer)| wanted(answer));
        match (first(Answer::is_valid), first(Answer::is_invalid)) {
            (Some((a, _)), Some((b, _))) => Err(((*a).to_owned(), (*b).to_owned())),
            (Some((_, answer)), None) | (None, Some((_, answer))) => Ok(answer.clone()),
            (None, None) => Ok(unknown(answers.into_iter().map(|(_, answer)| answer))),
        }
    }
}

impl Solver for Portfolio {
    fn name(&self) -> &str {
        "portfolio"
    }

    /// The first answer that is one.
    fn check(&self, assumptions: &[Assumption], goal: &Term, options: &Options) -> Answer {
        let mut answers = Vec::new();
        for solver in &self.solvers {
            match solver.check(assumptions, goal, options) {
                unknown @ Answer::Unknown { .. } => answers.push(unknown),
                answer => return answer,
            }
        }
        unknown(answers.into_iter())
    }
}

fn unknown(answers: impl Iterator<Item = Answer>) -> Answer {
    let reason = |answer: Answer| match answer {
        Answer::Unknown { reason } => Some(reason),
        _ => None,
    };
    let reasons: Vec<String> = answers.filter_map(reason).collect();
    Answer::unknown(if reasons.is_empty() { "no engine".to_owned() } else { reasons.join("; ") })
}
