//! Which optional tools this machine has.

use std::path::PathBuf;

/// A tool that is used when present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its command.
    pub name: &'static str,
    /// What it is used for.
    pub purpose: &'static str,
    /// Where it is, if it is installed.
    pub found: Option<PathBuf>,
}

const OPTIONAL: [(&str, &str); 8] = [
    ("cc", "`weave run`, `weave cc`: compiles C; $CC names another compiler"),
    ("c++", "`weave run`, `weave cc`: compiles C++; $CXX names another compiler"),
    ("gdb", "`--gdb`: the failing run of a program in a debugger"),
    ("z3", "`weave prove`: a solver besides the embedded one"),
    ("cvc5", "`weave prove`: a solver besides the embedded one"),
    ("spin", "`weave diff-spin`: the same model under SPIN"),
    ("gcc", "`weave diff-spin`: compiles SPIN's verifier"),
    ("dot", "draws the .dot files that weave writes"),
];

/// The tools of others that are used where they are installed.
pub fn tools() -> Vec<Tool> {
    OPTIONAL.iter().map(|(name, purpose)| Tool { name, purpose, found: find(name) }).collect()
}

/// The first file of this name on the search path.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
