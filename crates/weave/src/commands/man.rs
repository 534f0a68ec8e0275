//! `weave man`: a manual page for each command, from the definitions of the command line itself.

use crate::cli::{self, ManArgs};
use crate::exit::Exit;
use crate::output::line;
use std::path::Path;
use workbench::Failure;

pub(crate) fn run(args: &ManArgs) -> Result<Exit, Failure> {
    let fail = |e: std::io::Error| Failure::File { path: args.folder.clone(), message: e.to_string() };
    std::fs::create_dir_all(&args.folder).map_err(fail)?;
    let mut all = cli::command().flatten_help(false).disable_help_subcommand(true);
    all.build();
    page(&args.folder, &all, "weave")?;
    for command in all.get_subcommands().filter(|command| !command.is_hide_set()) {
        page(&args.folder, command, &format!("weave-{}", command.get_name()))?;
    }
    Ok(Exit::Good)
}

fn page(folder: &Path, command: &clap::Command, name: &str) -> Result<(), Failure> {
    let path = folder.join(format!("{name}.1"));
    let fail = |e: std::io::Error| Failure::File { path: path.clone(), message: e.to_string() };
    let mut text = Vec::new();
    // A manual page has all options.
    let shown =
        command.clone().display_name(name.to_string()).mut_args(|option| option.hide_short_help(false));
    let source = concat!("weave ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(shown).manual("Everyweave").source(source).render(&mut text).map_err(fail)?;
    std::fs::write(&path, text).map_err(fail)?;
    line(&path.display().to_string());
    Ok(())
}
