//! The answer of a command that did not answer by itself in time.

use super::answer;
use crate::cli::{Command, OutputArgs};
use crate::exit::Exit;
use crate::output::line;
use crate::{json, show};
use std::path::Path;
use workbench::reduction::name;
use workbench::{Answer, Asked, Board, Cut, ReductionKind, ReductionUsed, Stop};

pub(crate) fn answer(command: &Command, cut: &Cut, board: &Board) -> Exit {
    show::progress::wipe();
    match command {
        Command::Check(args) if args.audit.is_none() && args.explain_reduction.is_none() => {
            let answer = cut.answer(board, Asked::Search);
            tell(command, &answer, board, (args.output, args.question.trace.as_deref()))
        }
        Command::Prove(args) => {
            let answer = cut.answer(board, Asked::Proof);
            tell(command, &answer, board, (args.output, args.question.trace.as_deref()))
        }
        Command::Run(args) if args.replay.is_none() => {
            let name = name(args.orders.reduction.unwrap_or(ReductionKind::Dpor)).to_string();
            let reduction = ReductionUsed { name, ..ReductionUsed::default() };
            let answer = Answer { reduction, ..cut.answer(board, Asked::Runs) };
            tell(command, &answer, board, (args.output, args.question.trace.as_deref()))
        }
        _ => other(command, cut, board),
    }
}

fn tell(command: &Command, given: &Answer, board: &Board, to: (OutputArgs, Option<&Path>)) -> Exit {
    let exit = answer::show(command.name(), given, &board.map, to.0);
    show::written(answer::write(to.1, given), exit)
}

/// Commands without a verdict.
fn other(command: &Command, cut: &Cut, board: &Board) -> Exit {
    let exit = if cut.stop == Stop::Interrupt { Exit::Interrupted } else { Exit::Unknown };
    let reason = cut.reason(board);
    match command.wants_json() {
        true => line(&json::stopped(command.name(), &reason, cut, exit).to_string()),
        false => line(&format!("UNKNOWN: {reason}")),
    }
    exit
}
