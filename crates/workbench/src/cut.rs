//! The answer of a job that did not end by itself in time: unknown, unless a violation was certain
//! before. What was covered is said: what the job was doing, and how far it was.

use crate::answer::{Answer, Decided, Kind, Numbers, ProofNumbers, RunNumbers, SearchNumbers, Verdict};
use crate::job::Board;
use crate::model::Claim;
use crate::question::Limits;
use crate::verdict;
use explore::Stop;

/// What kind of answer was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// By a search of states.
    Search,
    /// By rules of proof.
    Proof,
    /// Of a program.
    Runs,
}

/// Why and when a job was cut off.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// What cut it off.
    pub stop: Stop,
    /// The limits it had.
    pub limits: Limits,
    /// How long it ran.
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

    /// The answer; its numbers are those of what was asked for.
    pub fn answer(&self, board: &Board, asked: Asked) -> Answer {
        let reason = self.reason(board);
        let of_file = board.properties.iter().any(|p| p.kind == Kind::Ltl);
        let properties = match asked {
            Asked::Search => properties(board, &reason),
            Asked::Proof if of_file => properties(board, &reason),
            Asked::Proof | Asked::Runs => Vec::new(),
        };
        let complete = !properties.is_empty() && properties.iter().all(|p| p.verdict == Verdict::Holds);
        verdict::conclude(Answer {
            errors: verdict::errors(&properties),
            // Only what comes after the search was cut off.
            exhausted: complete,
            properties,
            reason,
            numbers: self.numbers(board, asked),
            interrupted: self.interrupted() && !complete,
            violations: board.violation.iter().cloned().collect(),
            ..Answer::default()
        })
    }

    fn numbers(&self, board: &Board, asked: Asked) -> Numbers {
        let progress = &board.progress;
        let ran = progress.runs.unwrap_or_default();
        let search = || SearchNumbers {
            states: progress.states,
            transitions: progress.transitions,
            depth: progress.depth,
            memory_bytes: self.memory_bytes,
        };
        let runs = || RunNumbers {
            runs: ran.runs,
            explored: ran.explored,
            depth: progress.depth,
            failing: u64::from(board.violation.is_some()),
            contained: true,
            ..RunNumbers::default()
        };
        let proof = || ProofNumbers { solver: "none".to_string(), ..ProofNumbers::default() };
        Numbers {
            seconds: self.seconds,
            search: (asked == Asked::Search).then(search),
            cache: progress.cache,
            losses: None,
            runs: (asked == Asked::Runs).then(runs),
            proof: (asked == Asked::Proof).then(proof),
            disk: None,
            diagrams: None,
        }
    }
}

/// Everything asked for, open but for what is known.
fn properties(board: &Board, reason: &str) -> Vec<Decided> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_known_stays_and_the_rest_is_open() {
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        let cut = Cut { stop: Stop::Time, limits, seconds: 1.7, memory_bytes: 5 };
        let mut board = Board { phase: "simplifying the model", ..Board::default() };
        let answer = cut.answer(&board, Asked::Search);
        assert_eq!(answer.verdict, Verdict::Unknown);
        assert_eq!(answer.reason, "time limit of 1 s reached while simplifying the model");
        assert_eq!(answer.properties.len(), 3);
        board.properties = verdict::open(&[
            Claim { name: "deadlock".to_string(), kind: Kind::Deadlock },
            Claim { name: "p".to_string(), kind: Kind::Ltl },
        ]);
        board.properties[0].verdict = Verdict::Holds;
        let answer = cut.answer(&board, Asked::Search);
        let verdicts: Vec<Verdict> = answer.properties.iter().map(|p| p.verdict).collect();
        assert_eq!((answer.verdict, verdicts), (Verdict::Unknown, vec![Verdict::Holds, Verdict::Unknown]));
        assert!(!answer.exhausted && !answer.interrupted);
        assert_eq!(cut.answer(&board, Asked::Proof).properties.len(), 2);
        assert_eq!(cut.answer(&board, Asked::Runs).verdict, Verdict::Unknown);
    }
}
