//! The answer of a job that did not end by itself in time: unknown, unless a violation was certain before. What was covered is said: what
//! the job was doing, and how far it was.

use crate::job::Board;
use crate::model::Claim;
use crate::programs::ProgramResult;
use crate::prove::{ProveResult, Proved};
use crate::request::Limits;
use crate::result::{CheckResult, Errors, Kind, Numbers, Property, ReductionUsed, Verdict, Violation};
use crate::verdict;
use explore::Stop;

/// Why and when a job was cut off.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    pub stop: Stop,
    pub limits: Limits,
    pub seconds: f64,
    /// Of the whole process.
    pub memory_bytes: u64,
}

impl Cut {
    /// Which limit, and what it cut off.
    pub fn reason(&self, board: &Board) -> String {
        let words = verdict::words(self.stop, &self.limits);
        if board.phase.is_empty() { words } else { format!("{words} while {}", board.phase) }
    }

    fn interrupted(&self) -> bool {
        self.stop == Stop::Interrupt
    }

    pub fn check(&self, board: &Board) -> CheckResult {
        let reason = self.reason(board);
        let violation = board.violation.as_ref();
        let properties = properties(board, &reason);
        CheckResult {
            races: Vec::new(),
            verdict: violation.map_or(Verdict::Unknown, |_| Verdict::Violated),
            reason: violation.map_or(reason, headline),
            errors: errors(violation),
            properties,
            numbers: Numbers {
                states: board.progress.states,
                transitions: board.progress.transitions,
                matched: board.progress.transitions.saturating_sub(board.progress.states),
                depth: board.progress.depth,
                memory_bytes: self.memory_bytes,
                seconds: self.seconds,
            },
            cache: board.progress.cache,
            diagrams: None,
            reduction: ReductionUsed { name: "none".to_string(), ..ReductionUsed::default() },
            unreached: None,
            exhausted: false,
            interrupted: self.interrupted(),
            violations: violation.cloned().into_iter().collect(),
            warnings: Vec::new(),
            assumes: Vec::new(),
        }
    }

    pub fn prove(&self, board: &Board) -> ProveResult {
        let reason = self.reason(board);
        let proved = |p: Property| Proved {
            name: p.name,
            formula: String::new(),
            verdict: p.verdict,
            vacuous: None,
            reason: p.reason,
            rules: Vec::new(),
            obligations: Vec::new(),
            invariant: None,
        };
        let of_file = board.properties.iter().filter(|p| p.kind == Kind::Ltl).count();
        let all = if of_file == 0 { Vec::new() } else { properties(board, &reason) };
        let violation = board.violation.as_ref();
        ProveResult {
            verdict: violation.map_or(Verdict::Unknown, |_| Verdict::Violated),
            reason: violation.map_or(reason, headline),
            properties: all.into_iter().map(proved).collect(),
            generated: Vec::new(),
            types: Vec::new(),
            assumes: Vec::new(),
            violations: violation.cloned().into_iter().collect(),
            warnings: Vec::new(),
            solver: "none".to_string(),
            seconds: self.seconds,
            interrupted: self.interrupted(),
        }
    }

    pub fn program(&self, board: &Board) -> ProgramResult {
        let failing = board.failing.as_ref();
        ProgramResult {
            verdict: failing.map_or(Verdict::Unknown, |_| Verdict::Violated),
            reason: failing.map_or(self.reason(board), |v| format!("{}: {}", v.kind, v.message)),
            interrupted: self.interrupted(),
            runs: board.runs.runs,
            explored: board.runs.explored,
            depth: board.runs.depth,
            failing: u64::from(failing.is_some()),
            violations: failing.cloned().into_iter().collect(),
            seconds: self.seconds,
            contained: true,
            ..ProgramResult::nothing()
        }
    }
}

/// Everything asked for, open but for what is known.
fn properties(board: &Board, reason: &str) -> Vec<Property> {
    let safety = [Kind::Deadlock, Kind::Assertion, Kind::Runtime];
    let usual = || safety.map(|kind| Claim { name: kind.name().to_string(), kind });
    let mut all = match board.properties.is_empty() {
        true => verdict::open(&usual()),
        false => board.properties.clone(),
    };
    let broken = board.violation.as_ref().map(|v| v.property.as_str());
    for property in &mut all {
        if Some(property.name.as_str()) == broken {
            property.verdict = Verdict::Violated;
        } else if property.verdict == Verdict::Unknown {
            property.reason = Some(reason.to_string());
        }
    }
    all
}

fn errors(violation: Option<&Violation>) -> Errors {
    let count = |kind| u64::from(violation.is_some_and(|v| v.kind == kind));
    Errors {
        deadlock: count(Kind::Deadlock),
        assertion: count(Kind::Assertion),
        runtime: count(Kind::Runtime),
    }
}

fn headline(violation: &Violation) -> String {
    let steps = violation.trace.steps.len();
    let plural = if steps == 1 { "" } else { "s" };
    format!("{}: {}, after {steps} step{plural}", violation.property, violation.message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_known_stays_and_the_rest_is_open() {
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        let cut = Cut { stop: Stop::Time, limits, seconds: 1.7, memory_bytes: 5 };
        let mut board = Board { phase: "simplifying the model", ..Board::default() };
        let answer = cut.check(&board);
        assert_eq!(answer.verdict, Verdict::Unknown);
        assert_eq!(answer.reason, "time limit of 1 s reached while simplifying the model");
        assert_eq!(answer.properties.len(), 3);
        board.properties = verdict::open(&[
            Claim { name: "deadlock".to_string(), kind: Kind::Deadlock },
            Claim { name: "p".to_string(), kind: Kind::Ltl },
        ]);
        board.properties[0].verdict = Verdict::Holds;
        let answer = cut.check(&board);
        let verdicts: Vec<Verdict> = answer.properties.iter().map(|p| p.verdict).collect();
        assert_eq!((answer.verdict, verdicts), (Verdict::Unknown, vec![Verdict::Holds, Verdict::Unknown]));
        assert!(!answer.exhausted && !answer.interrupted);
        assert_eq!(cut.prove(&board).properties.len(), 2);
        assert_eq!(cut.program(&board).verdict, Verdict::Unknown);
    }
}
