//! Exit codes: the one place where they are decided.

use protocols::Ended;
use workbench::executor::RunStatus;
use workbench::{Answer, Failure, Stop, Verdict};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything asked for holds, completely; or what was asked for was shown.
    Good,
    Violated,
    /// The request is wrong: usage, syntax, types, missing file or tool.
    Wrong,
    /// Inconclusive.
    Unknown,
    /// Our bug.
    Bug,
    Interrupted,
    /// A server whose client left without a word, as the Language Server Protocol has it.
    Left,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Good => 0,
            Exit::Violated | Exit::Left => 1,
            Exit::Wrong => 2,
            Exit::Unknown => 3,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
        }
    }

    /// Of a server.
    pub(crate) fn of_session(ended: Ended) -> Exit {
        match ended {
            Ended::Orderly | Ended::Interrupted => Exit::Good,
            Ended::Lost => Exit::Left,
        }
    }

    /// A violation outlives whatever goes wrong afterwards.
    pub(crate) fn unless_violated(self, other: Exit) -> Exit {
        if self == Exit::Violated { self } else { other }
    }

    /// Of a run that was shown as far as it went.
    pub(crate) fn of_stop(stop: Option<Stop>) -> Exit {
        match stop {
            None => Exit::Good,
            Some(Stop::Interrupt) => Exit::Interrupted,
            Some(_) => Exit::Unknown,
        }
    }

    /// What is decided outlives an interrupt.
    pub(crate) fn of_answer(answer: &Answer) -> Exit {
        match answer.verdict {
            Verdict::Violated => Exit::Violated,
            Verdict::Holds => Exit::Good,
            Verdict::Unknown if answer.interrupted => Exit::Interrupted,
            Verdict::Unknown => Exit::Unknown,
        }
    }

    /// Of questions, each answered yes, no or not at all: a no beats everything.
    pub(crate) fn of_answers(answers: impl IntoIterator<Item = Option<bool>>) -> Exit {
        answers.into_iter().fold(Exit::Good, |exit, answer| match answer {
            Some(false) => Exit::Violated,
            None if exit == Exit::Good => Exit::Unknown,
            _ => exit,
        })
    }

    pub(crate) fn of_failure(failure: &Failure) -> Exit {
        match failure {
            Failure::File { .. } | Failure::Rejected { .. } | Failure::Request(_) => Exit::Wrong,
            Failure::Internal(_) => Exit::Bug,
        }
    }

    /// A simulated run that goes wrong is a violation; one that does not proves nothing and is
    /// simply shown.
    pub(crate) fn of_simulation(status: RunStatus, stopped: Option<Stop>) -> Exit {
        match status {
            RunStatus::Failed | RunStatus::Deadlock => Exit::Violated,
            RunStatus::Enabled | RunStatus::Terminated => Exit::of_stop(stopped),
        }
    }
}
