//! `weave test`: which file lists the tests, and how many run at once.

use super::one_of;
use crate::formats::{FORMATS, Format};
use clap::Args;
use std::path::PathBuf;

/// Check all files that weave.toml lists, in parallel, and sum up
///
/// Each test is a command of its own: `check`, `prove` or `run`, by the kind of the file. It passes
/// if its properties have the verdicts that are expected; unless the file says otherwise, all hold.
#[derive(Debug, Args)]
#[command(after_help = "\
Example of a weave.toml:
  [defaults]
  timeout = \"60s\"

  [[test]]
  files = [\"models/*.pml\"]

  [[test]]
  files = [\"lock.spl\"]
  expect = { fair = \"violated\" }
  args = [\"--rules-only\"]

  [[test]]
  files = [\"regress/*.c\"]
  expect = \"head\"          each file says it in its first lines: `expect: holds`")]
pub(crate) struct TestArgs {
    /// The list of tests
    #[arg(default_value = "weave.toml", value_name = "LIST")]
    pub(crate) list: PathBuf,
    /// Run only the tests of files with this in their names
    #[arg(long, value_name = "WORD")]
    pub(crate) only: Option<String>,
    /// Tests that run at once [default: all cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) jobs: Option<u32>,
    /// How the results are written: text, json (an object for each test), sarif, junit, github
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&FORMATS), default_value = "text")]
    pub(crate) format: Format,
}
