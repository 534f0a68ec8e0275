//! Compiles a source file into a program whose memory accesses we can see.
//!
//! The compiler's thread-sanitizer instrumentation calls functions that the preloaded library defines; its own runtime is not
//! linked. `$CC`/`$CXX`, or `cc`/`c++`.

use crate::launch::LIBRARY;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The header for programs that tell us something.
pub const HEADER: &str = include_str!("../preload/weave.h");

/// A program made from sources, and the folder it lies in, removed at the end.
#[derive(Debug)]
pub struct Built {
    folder: PathBuf,
    pub program: PathBuf,
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["c", "cc", "cpp", "cxx"].iter().any(|known| e == *known))
}

fn is_cpp(path: &Path) -> bool {
    path.extension().is_some_and(|e| e != "c")
}

/// What the compiler said if it refused.
pub type Refusal = String;

/// Compiles one file. `flags` are the user's.
pub fn build(source: &Path, flags: &[String]) -> io::Result<Result<Built, Refusal>> {
    let folder = fresh_folder()?;
    let built = Built { program: folder.join("program"), folder };
    fs::write(built.folder.join("weave.h"), HEADER)?;
    fs::write(built.folder.join("libweave.so"), LIBRARY)?;
    let (variable, usual) = if is_cpp(source) { ("CXX", "c++") } else { ("CC", "cc") };
    let compiler = std::env::var(variable).unwrap_or_else(|_| usual.to_string());
    let object = built.folder.join("program.o");
    let mut compile = Command::new(&compiler);
    compile
        .args([
            "-g",
            "-O1",
            "-fno-omit-frame-pointer",
            "-fsanitize=thread",
            "-fno-builtin-memcpy",
            "-pthread",
            "-I",
        ])
        .arg(&built.folder)
        .args(flags)
        .args(["-c", "-o"])
        .arg(&object)
        .arg(source);
    let mut link = Command::new(&compiler);
    link.args(["-pthread", "-o"]).arg(&built.program).arg(&object);
    link.args(flags.iter().filter(|f| f.starts_with("-l") || f.starts_with("-L")));
    link.arg(built.folder.join("libweave.so")).args(["-lrt", "-lm"]);
    for mut step in [compile, link] {
        let done = match step.output() {
            Ok(done) => done,
            Err(error) => {
                return Ok(Err(format!("`{compiler}`: {error}; a C compiler is needed for source files")));
            }
        };
        if !done.status.success() {
            return Ok(Err(String::from_utf8_lossy(&done.stderr).into_owned()));
        }
    }
    Ok(Ok(built))
}

fn fresh_folder() -> io::Result<PathBuf> {
    let begun =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
    for attempt in 0..100u32 {
        let name = format!("weave-{}-{begun}-{attempt}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match fs::create_dir(&folder) {
            Ok(()) => return Ok(folder),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no folder for the program"))
}
