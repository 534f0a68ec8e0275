//! `weave cc`: the compiler, with what `weave run` needs.

use crate::cli::CcArgs;
use crate::exit::Exit;
use crate::output::complain;
use workbench::Failure;

pub(crate) fn run(args: &CcArgs) -> Result<Exit, Failure> {
    let compiled = workbench::programs::compile(&args.arguments)?;
    if !compiled {
        complain("weave: the compiler refuses");
    }
    Ok(if compiled { Exit::Good } else { Exit::Wrong })
}
