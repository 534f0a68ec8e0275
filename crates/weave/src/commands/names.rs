//! `weave names`: the properties of a file, one a line. Completions ask for them.

use crate::cli::NamesArgs;
use crate::exit::Exit;
use crate::output::line;
use std::path::PathBuf;
use workbench::kind::{self, Language};
use workbench::{Failure, Subject, SubjectRequest};

pub(crate) fn run(args: &NamesArgs) -> Result<Exit, Failure> {
    let is_model = |file: &PathBuf| file.is_file() && kind::language(file) != Language::Program;
    // The first word may be a program: the name of this one.
    let Some(file) = args.words.iter().map(PathBuf::from).find(is_model) else { return Ok(Exit::Good) };
    let request = SubjectRequest { files: vec![file], ..SubjectRequest::default() };
    Subject::read(&request)?.property_names().iter().for_each(|name| line(name));
    Ok(Exit::Good)
}
