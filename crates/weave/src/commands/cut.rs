//! The answer of a command that did not answer by itself in time.

use crate::cli::{CheckArgs, Command, ProveArgs, RunArgs};
use crate::exit::Exit;
use crate::output::line;
use crate::{json, show};
use workbench::prove::Source;
use workbench::{Board, Cut, Model, Stop};

pub(crate) fn answer(command: &Command, cut: &Cut, board: &Board) -> Exit {
    show::progress::wipe();
    match command {
        Command::Check(args) if args.audit.is_none() && args.explain_reduction.is_none() => {
            check(args, cut, board)
        }
        Command::Prove(args) => prove(args, cut, board),
        Command::Run(args) if args.replay.is_none() => run(args, cut, board),
        _ => other(command, cut, board),
    }
}

fn check(args: &CheckArgs, cut: &Cut, board: &Board) -> Exit {
    let answer = cut.check(board);
    let file = args.model.file.to_string_lossy().into_owned();
    let model = Model { file, map: board.map.clone(), ..Model::default() };
    let exit = Exit::of_check(&answer);
    super::check::show(args, &model, &answer, exit);
    show::written(super::check::write(args.question.trace.as_deref(), &answer.violations), exit)
}

fn prove(args: &ProveArgs, cut: &Cut, board: &Board) -> Exit {
    let answer = cut.prove(board);
    let source = Source {
        map: board.map.clone(),
        roots: Vec::new(),
        fts: Default::default(),
        asked: Vec::new(),
        warnings: Vec::new(),
    };
    let exit = Exit::of_proof(&answer);
    super::prove::show(args, &source, &answer, exit);
    show::written(super::check::write(args.question.trace.as_deref(), &answer.violations), exit)
}

fn run(args: &RunArgs, cut: &Cut, board: &Board) -> Exit {
    let answer = cut.program(board);
    let exit = Exit::of_program(&answer);
    super::run::show(args, &answer, exit);
    show::written(super::run::write(args, &answer), exit)
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
