//! `weave completions`: completions for a shell, from the definitions of the command line itself.

use crate::cli::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::output::out;
use clap::CommandFactory;
use workbench::Failure;

pub(crate) fn run(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "weave", &mut script);
    out(&String::from_utf8_lossy(&script));
    Ok(Exit::Good)
}
