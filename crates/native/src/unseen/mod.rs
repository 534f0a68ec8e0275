//! Code that is not instrumented: what it does to memory is not seen.
//!
//! `modules`: what is loaded, and which of it is a library whose functions are under control anyway. `functions`: the functions of
//! a file. `code`: which of them access memory unseen, by their instructions.

mod code;
mod functions;
mod modules;

use code::Reader;
use functions::functions;
pub(crate) use modules::mapped;
use modules::{is_exempt, label};
use std::path::{Path, PathBuf};

/// What is not instrumented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// Programs and libraries with such code.
    pub modules: Vec<String>,
    /// Functions that use atomic instructions or futexes; the likely reasons first: so many.
    pub functions: Vec<String>,
    pub likely: usize,
}

impl Unseen {
    pub fn any(&self) -> bool {
        !self.modules.is_empty()
    }
}

/// Looks at everything that is loaded. `built`: the program was compiled by us; what it does without instrumentation is assembler.
pub(crate) fn unseen(program: &Path, modules: &[PathBuf], built: bool) -> Unseen {
    let mut found = Unseen::default();
    for module in modules.iter().filter(|m| !is_exempt(m)) {
        let own = built && module == program;
        let Some(file) = look_at(module, own) else {
            // What cannot be read is not known to be instrumented.
            found.modules.push(label(module));
            continue;
        };
        if file.unseen {
            found.modules.push(label(module));
            found.functions.extend(file.atomic);
        }
    }
    found.functions.sort_by_cached_key(|name| (is_of_language(name), name.clone()));
    found.functions.dedup();
    found.likely = found.functions.iter().filter(|name| !is_of_language(name)).count();
    found
}

/// Functions of a language's own library are a less likely reason than those of the program.
fn is_of_language(name: &str) -> bool {
    let name = name.trim_start_matches(['<', '&', '*']);
    ["std::", "core::", "alloc::", "__gnu_cxx::", "_", "gimli::", "addr2line::", "rustc_demangle::"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// What one file has.
struct Looked {
    unseen: bool,
    atomic: Vec<String>,
}

fn look_at(path: &Path, built: bool) -> Option<Looked> {
    let bytes = std::fs::read(path).ok()?;
    let reader = Reader::new(&bytes)?;
    let instrumented = reader.knows_instrumentation();
    let mut looked = Looked { unseen: !instrumented, atomic: Vec::new() };
    for function in functions(&bytes).into_iter().filter(|f| !f.is_start_code()) {
        let does = reader.read(&function);
        if does.atomic || does.futex && !does.tells {
            looked.atomic.push(function.shown());
        }
        looked.unseen |= does.atomic || does.accesses && !does.tells && !built;
    }
    Some(looked)
}
