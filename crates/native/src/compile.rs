//! Compiles a source file into a program whose memory accesses we can see.
//!
//! The compiler's thread-sanitizer instrumentation calls functions that the preloaded library
//! defines; its own runtime is not linked. `$CC`/`$CXX`, or `cc`/`c++`.

use crate::launch::LIBRARY;
use crate::leftovers;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The header for programs that tell us something.
pub(crate) const HEADER: &str = include_str!("../preload/weave.h");

/// A program made from sources, and the folder it lies in, removed at the end.
#[derive(Debug)]
pub struct Built {
    folder: PathBuf,
    /// The executable file, valid as long as this value lives.
    pub program: PathBuf,
}

impl Built {
    /// The preloaded library as a file.
    pub(crate) fn library(&self) -> PathBuf {
        self.folder.join("libweave.so")
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        leftovers::forget(&self.folder);
    }
}

/// Whether the file is C or C++ by its extension.
pub fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|e| ["c", "cc", "cpp", "cxx"].iter().any(|known| e == *known))
}

fn is_cpp(path: &Path) -> bool {
    path.extension().is_some_and(|e| e != "c")
}

/// What the compiler said if it refused.
pub(crate) type Refusal = String;

/// Flags that make memory accesses visible. No function of the C library is expanded in place,
/// where it would not be instrumented.
const FLAGS: [&str; 8] = [
    "-g",
    "-O1",
    "-fno-omit-frame-pointer",
    "-fsanitize=thread",
    "-fno-builtin",
    // Headers of the C library would expand some functions in place: `feof_unlocked`.
    "-D__NO_INLINE__",
    "-fno-tree-loop-distribute-patterns",
    "-pthread",
];

/// A folder with the header and the library.
pub(crate) fn equipped_folder() -> io::Result<Built> {
    let folder = fresh_folder()?;
    let built = Built { program: folder.join("program"), folder };
    fs::write(built.folder.join("weave.h"), HEADER)?;
    fs::write(built.folder.join("libweave.so"), LIBRARY)?;
    Ok(built)
}

/// In the environment of the compilers that we call.
const INSIDE: &str = "WEAVE_COMPILES";

/// The user's compiler, which may have arguments of its own (`ccache gcc`). `make CC="weave cc"`
/// tells us to call ourselves: then the usual one.
fn compiler(cpp: bool) -> Command {
    let (variable, usual) = if cpp { ("CXX", "c++") } else { ("CC", "cc") };
    let named = std::env::var(variable).unwrap_or_default();
    let mut words = named.split_whitespace();
    let is_us = |word: &str| Path::new(word).file_name().is_some_and(|name| name == "weave");
    let mut command = match words.next() {
        Some(first) if std::env::var_os(INSIDE).is_none() && !is_us(first) => Command::new(first),
        _ => {
            words = "".split_whitespace();
            Command::new(usual)
        }
    };
    command.args(words).env(INSIDE, "1");
    command
}

/// Whether an object or library was made from C++: then it is linked as such.
fn is_cpp_object(path: &Path) -> bool {
    let named = path.extension().is_some_and(|e| e == "o" || e == "a");
    let mentions = |text: &[u8], word: &[u8]| text.windows(word.len()).any(|w| w == word);
    named
        && fs::read(path)
            .is_ok_and(|text| mentions(&text, b"__gxx_personality_v0") || mentions(&text, b"_ZNSt"))
}

/// Compiles one file. `flags` are the user's.
pub fn build(source: &Path, flags: &[String]) -> io::Result<Result<Built, Refusal>> {
    let built = equipped_folder()?;
    let object = built.folder.join("program.o");
    let mut compile = compiler(is_cpp(source));
    compile.args(FLAGS).arg("-I").arg(&built.folder).args(flags);
    compile.args(["-U_FORTIFY_SOURCE", "-c", "-o"]).arg(&object).arg(source);
    let mut link = compiler(is_cpp(source));
    link.args(["-pthread", "-o"]).arg(&built.program).arg(&object);
    // The runtime of the thread sanitizer is not linked: its functions are ours.
    link.args(flags.iter().filter(|f| *f != "-fsanitize=thread")).args(["-x", "none"]);
    link.arg(built.folder.join("libweave.so")).args(["-lrt", "-lm"]);
    for mut step in [compile, link] {
        let done = match step.output() {
            Ok(done) => done,
            Err(error) => {
                let compiler = step.get_program().to_string_lossy();
                return Ok(Err(format!("`{compiler}`: {error}; a C compiler is needed for source files")));
            }
        };
        if !done.status.success() {
            return Ok(Err(String::from_utf8_lossy(&done.stderr).into_owned()));
        }
    }
    Ok(Ok(built))
}

/// Calls the compiler with the user's arguments and ours; whether it was content. It speaks for
/// itself.
///
/// The compiler's own runtime is not linked (`-fno-sanitize=thread` where nothing is compiled would
/// forget the instrumentation of sources given with it, so compiling and linking are two calls if
/// there are sources to be linked).
pub fn cc(arguments: &[OsString]) -> io::Result<bool> {
    let built = equipped_folder()?;
    let sources: Vec<&OsString> = arguments.iter().filter(|a| is_source(Path::new(a))).collect();
    let cpp = sources.iter().any(|s| is_cpp(Path::new(s)))
        || arguments.windows(2).any(|pair| pair == ["-x", "c++"])
        || arguments.iter().any(|a| a == "-xc++")
        || arguments.iter().any(|object| is_cpp_object(Path::new(object)));
    let only = |flag: &str| arguments.iter().any(|a| a == flag);
    let mut ours: Vec<OsString> = FLAGS.iter().map(Into::into).collect();
    ours.extend(["-I".into(), built.folder.clone().into()]);
    let call = |words: &[OsString]| compiler(cpp).args(words).status().map(|s| s.success());
    if only("-c") || only("-E") || only("-S") {
        return call(&[&ours[..], arguments, &["-U_FORTIFY_SOURCE".into()]].concat());
    }
    let mut objects: Vec<OsString> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let object: OsString = built.folder.join(format!("{at}.o")).into();
        let mut words = ours.clone();
        words.extend(compiling(arguments));
        words.extend([
            "-U_FORTIFY_SOURCE".into(),
            "-c".into(),
            "-o".into(),
            object.clone(),
            (*source).clone(),
        ]);
        if !call(&words)? {
            return Ok(false);
        }
        objects.push(object);
    }
    let rest = arguments.iter().filter(|a| !is_source(Path::new(a))).cloned();
    let mut words: Vec<OsString> = objects.into_iter().chain(rest).collect();
    // What the user says of the language (-x) is not about what we add.
    words.extend(["-x".into(), "none".into(), "-pthread".into()]);
    words.extend([built.folder.join("libweave.so").into(), "-lrt".into(), "-lm".into()]);
    call(&words)
}

/// The user's arguments that are for the compiler alone: no files, no output.
fn compiling(arguments: &[OsString]) -> Vec<OsString> {
    let mut kept = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        match text.as_ref() {
            "-o" | "-l" | "-L" => drop(words.next()),
            "-I" | "-D" | "-U" | "-include" | "-isystem" | "-x" => {
                kept.push(word.clone());
                kept.extend(words.next().cloned());
            }
            _ if text.starts_with('-') && !text.starts_with("-l") && !text.starts_with("-Wl,") => {
                kept.push(word.clone());
            }
            _ => {}
        }
    }
    kept
}

fn fresh_folder() -> io::Result<PathBuf> {
    let begun =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default().as_nanos();
    for attempt in 0..100u32 {
        let name = format!("weave-{}-{begun}-{attempt}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        match fs::create_dir(&folder) {
            Ok(()) => {
                leftovers::add(&folder);
                return Ok(folder);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("no folder for the program"))
}
