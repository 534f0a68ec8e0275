//! Code that is not instrumented: what it does to memory is not seen.
//!
//! `modules`: what is loaded, and which of it is a library whose functions are under control
//! anyway. `functions`: the functions of a file. `code`: which of them access memory unseen, by
//! their instructions; `reported`: what the instrumentation tells; `own`: what is the thread's own.
//! `library`: the table of library functions.

mod code;
mod functions;
mod library;
mod locals;
mod modules;
mod own;
mod reported;

use code::{Does, Reader};
use functions::{Function, functions};
pub(crate) use library::unlisted;
pub(crate) use modules::mapped;
use modules::{is_exempt, label};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// What is not instrumented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unseen {
    /// Programs and libraries with such code.
    pub modules: Vec<String>,
    /// Functions that use atomic instructions or futexes, a few; the likely reasons first.
    pub functions: Vec<String>,
    pub likely: usize,
    /// Instrumented functions with accesses that nothing tells of.
    pub unreported: Vec<String>,
    /// Library functions that instrumented code uses and that are not in the table.
    pub unlisted: Vec<String>,
}

impl Unseen {
    pub fn any(&self) -> bool {
        !self.modules.is_empty()
    }
}

/// Looks at everything that is loaded.
pub(crate) fn unseen(modules: &[PathBuf]) -> Unseen {
    let mut found = Unseen::default();
    for module in modules.iter().filter(|m| !is_exempt(m)) {
        let Some(file) = look_at(module) else {
            // What cannot be read is not known to be instrumented.
            found.modules.push(label(module));
            continue;
        };
        if file.unseen {
            found.modules.push(label(module));
            found.functions.extend(file.atomic);
            found.unreported.extend(file.unreported);
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
    unreported: Vec<String>,
}

fn look_at(path: &Path) -> Option<Looked> {
    let bytes = std::fs::read(path).ok()?;
    let reader = Reader::new(&bytes)?;
    let instrumented = reader.knows_instrumentation();
    let all = functions(&bytes).into_iter().filter(|f| !f.is_start_code());
    let all: Vec<(Function<'_>, Does)> = all.map(|f| (reader.read(&f), f)).map(|(d, f)| (f, d)).collect();
    let mut looked = Looked { unseen: !instrumented, atomic: Vec::new(), unreported: Vec::new() };
    for (function, does) in &all {
        if does.atomic || does.futex && !does.tells {
            looked.atomic.push(function.shown());
        }
        looked.unseen |= does.atomic;
    }
    if instrumented {
        looked.unreported = unreported(&all);
        looked.unseen |= !looked.unreported.is_empty();
    }
    Some(looked)
}

/// Functions with accesses that nothing tells of: their own, or of those that write a result where
/// these tell them to.
fn unreported(all: &[(Function<'_>, Does)]) -> Vec<String> {
    let taken: BTreeSet<u64> = all.iter().flat_map(|(_, d)| d.addresses.iter().copied()).collect();
    let writers: BTreeSet<u64> = all.iter().filter(|(_, d)| d.result).map(|(f, _)| f.start).collect();
    let is = |f: &Function<'_>, d: &Does| {
        d.unreported
            || d.locals.are_unreported()
            || d.result && taken.contains(&f.start)
            || d.gives.iter().any(|g| writers.contains(g))
    };
    all.iter().filter(|(f, d)| is(f, d) && !f.calls_own_member()).map(|(f, _)| f.shown()).collect()
}
