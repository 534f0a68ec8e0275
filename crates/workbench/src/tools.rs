//! What this machine has that is used where it is there: tools of others, and what its kernel
//! allows.

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
    ("gdb", "`weave run --gdb`, `weave replay --gdb`: a run in the debugger"),
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

/// Something of the kernel that is used when present.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facility {
    /// What it is called.
    pub name: &'static str,
    /// What it is used for.
    pub purpose: &'static str,
    /// Whether it can be used.
    pub usable: bool,
    /// What was found, or what to do about it.
    pub state: String,
}

/// What the kernel allows.
pub fn facilities() -> Vec<Facility> {
    vec![namespaces(), huge_pages()]
}

fn namespaces() -> Facility {
    let usable = native::launch::can_contain();
    let state = match usable {
        true => "allowed",
        false => "not allowed: `weave run` warns, and root must give --trust",
    };
    Facility {
        name: "namespaces",
        purpose: "`weave run`: a program sees folders and processes of its own alone",
        usable,
        state: state.to_string(),
    }
}

/// The word in brackets is the one that counts.
fn huge_pages() -> Facility {
    let text = std::fs::read_to_string("/sys/kernel/mm/transparent_hugepage/enabled").unwrap_or_default();
    let chosen = text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(word, _)| word);
    let usable = ["always", "madvise"].contains(&chosen);
    let state = match chosen {
        "" => "not known of this kernel".to_string(),
        word if usable => word.to_string(),
        word => format!("{word}: searches of many states are slower; `madvise` allows them"),
    };
    Facility { name: "huge pages", purpose: "`weave check`: the table of states", usable, state }
}

/// The first file of this name on the search path.
pub fn find(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_says_what_it_is_for() {
        assert!(facilities().iter().all(|f| !f.purpose.is_empty() && !f.state.is_empty()));
        for name in ["cc", "gdb", "z3", "cvc5"] {
            assert!(tools().iter().any(|tool| tool.name == name), "{name}");
        }
    }
}
