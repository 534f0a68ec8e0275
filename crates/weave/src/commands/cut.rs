//! The answer of a command that did not answer by itself in time.

use super::answer;
use crate::cli::Command;
use crate::exit::Exit;
use crate::output::line;
use crate::{json, show};
use workbench::reduction::name;
use workbench::{Answer, Asked, Board, Cut, ReductionKind, ReductionUsed, Stop};

pub(crate) fn answer(command: &Command, cut: &Cut, board: &Board) -> Exit {
    show::progress::wipe();
    let (given, output, question) = match command {
        Command::Check(args) if args.audit.is_none() && args.explain_reduction.is_none() => {
            (cut.answer(board, Asked::Search), args.output, &args.question)
        }
        Command::Prove(args) if !args.outline => {
            (cut.answer(board, Asked::Proof), args.output, &args.question)
        }
        Command::Run(args) if args.replay.is_none() => {
            let name = name(args.orders.reduction.unwrap_or(ReductionKind::Dpor)).to_string();
            let reduction = ReductionUsed { name, ..ReductionUsed::default() };
            let answer = Answer { reduction, ..cut.answer(board, Asked::Runs) };
            (answer, args.output, &args.question)
        }
        _ => return other(command, cut, board),
    };
    let exit = answer::show(command.name(), &given, &board.map, output);
    show::written(answer::write(question.trace.as_deref(), &given), exit)
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
