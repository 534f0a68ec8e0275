//! SPIN's raw full search of one model: one statement is one transition, nothing merged, sliced or
//! reduced.
//!
//! The numbers to compare with are those of `spin -o1 -o2 -o3 -a`, compiled with
//! `-DSAFETY -DNOREDUCE -DNOCLAIM` and run with `-n -c0`. pan prints an error only when its text
//! differs from the one before, so a small counter is patched into its error routine to learn how
//! often each kind occurred. tcc compiles pan some fifteen times faster than gcc; a difference
//! found with tcc is confirmed with gcc before anyone hears of it.

pub mod cache;
pub mod report;

use crate::process::{self, Finished, Limits};
use crate::scratch::Scratch;
pub use report::{Outcome, Search, Stage};
use std::{fs, io, path::Path, time::Duration};

/// The C compiler that builds pan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compiler {
    Tcc,
    GccPlain,
    GccOptimised,
}

impl Compiler {
    /// The fastest to compile that is installed.
    pub fn quickest() -> Compiler {
        if process::installed("tcc") { Compiler::Tcc } else { Compiler::GccPlain }
    }

    fn command(self) -> (&'static str, &'static str) {
        match self {
            Compiler::Tcc => ("tcc", "-w"),
            Compiler::GccPlain => ("gcc", "-O0"),
            Compiler::GccOptimised => ("gcc", "-O2"),
        }
    }
}

/// How one model is searched.
#[derive(Debug, Clone)]
pub struct Settings {
    pub compiler: Compiler,
    pub time: Duration,
    pub memory_mb: u64,
    pub max_depth: u64,
    /// The largest state pan can hold; 1024 is its default.
    pub vector_bytes: u64,
    /// Oldest process first instead of youngest first: the counts should not notice.
    pub reversed: bool,
    /// With pan's partial-order reduction.
    pub reduced: bool,
    /// log2 of pan's hash table; `None` leaves pan's default, as benches want.
    pub hash_bits: Option<u32>,
}

impl Settings {
    /// For thousands of small programs.
    pub fn small(compiler: Compiler) -> Settings {
        Settings {
            compiler,
            time: Duration::from_secs(4),
            memory_mb: 1000,
            max_depth: 100_000,
            vector_bytes: 8192,
            reversed: false,
            reduced: false,
            hash_bits: Some(18),
        }
    }

    /// For the published models and the benches.
    pub fn large() -> Settings {
        Settings {
            compiler: Compiler::GccOptimised,
            time: Duration::from_secs(600),
            memory_mb: 6000,
            max_depth: 1_000_000,
            vector_bytes: 1024,
            reversed: false,
            reduced: false,
            hash_bits: None,
        }
    }

    fn limits(&self) -> Limits {
        // pan's stack of 1,000,000 steps and its hash table come on top of what it counts itself.
        Limits { time: self.time, memory_mb: self.memory_mb + 1000 }
    }

    fn pan_arguments(&self) -> Vec<String> {
        let mut arguments = vec![format!("-m{}", self.max_depth), "-n".into(), "-c0".into()];
        arguments.extend(self.hash_bits.map(|bits| format!("-w{bits}")));
        arguments
    }
}

/// Searches the model given as text.
pub fn search_text(model: &str, settings: &Settings) -> io::Result<Outcome> {
    let scratch = Scratch::new("spin")?;
    fs::write(scratch.path().join("model.pml"), model)?;
    search_in(scratch.path(), "model.pml", settings)
}

/// Searches the model in both orders of processes: none if the counts differ, which shows that pan
/// lost its way while backtracking and is no oracle for this model.
pub fn search_both_orders(model: &str, compiler: Compiler) -> io::Result<Option<Outcome>> {
    let settings = Settings::small(compiler);
    let outcome = search_text(model, &settings)?;
    let Outcome::Searched(one) = &outcome else { return Ok(Some(outcome)) };
    let Outcome::Searched(other) = search_text(model, &Settings { reversed: true, ..settings })? else {
        return Ok(None);
    };
    let counts = |search: &Search| (search.stored, search.transitions, search.kinds());
    let same = !one.complete || counts(one) == counts(&other);
    Ok(same.then_some(outcome))
}

/// Searches `model`, a file in `directory`; pan's files are left in `directory`.
pub fn search_in(directory: &Path, model: &str, settings: &Settings) -> io::Result<Outcome> {
    match build(directory, model, settings)? {
        Some(failure) => Ok(failure),
        None => run_pan(directory, settings),
    }
}

/// Generates and compiles pan; the outcome if that fails.
pub fn build(directory: &Path, model: &str, settings: &Settings) -> io::Result<Option<Outcome>> {
    let limits = settings.limits();
    let generated = process::run("spin", &["-o1", "-o2", "-o3", "-a", model], directory, limits)?;
    let pan_c = directory.join("pan.c");
    if generated.timed_out() {
        return Ok(Some(Outcome::Timeout(Stage::Spin)));
    }
    // spin may end with 0 after "Error: ..." lines it does not hold to be fatal; then pan.c exists.
    if generated.code != 0 || !pan_c.exists() {
        return Ok(Some(Outcome::Rejected(Stage::Spin, complaint(&generated))));
    }
    fs::write(&pan_c, with_error_counter(&fs::read_to_string(&pan_c)?))?;
    let memory = format!("-DMEMLIM={}", settings.memory_mb);
    let vector = format!("-DVECTORSZ={}", settings.vector_bytes);
    let (compiler, option) = settings.compiler.command();
    let mut flags = vec![option, "-w", "-DSAFETY", "-DNOCLAIM", &vector, &memory];
    flags.extend((!settings.reduced).then_some("-DNOREDUCE"));
    flags.extend(settings.reversed.then_some("-DREVERSE"));
    flags.extend(["-o", "pan", "pan.c"]);
    let compiled = process::run(compiler, &flags, directory, limits)?;
    if compiled.timed_out() {
        return Ok(Some(Outcome::Timeout(Stage::Compiler)));
    }
    Ok((compiled.code != 0).then(|| Outcome::Rejected(Stage::Compiler, complaint(&compiled))))
}

/// Runs the pan that `build` left in `directory`.
pub fn run_pan(directory: &Path, settings: &Settings) -> io::Result<Outcome> {
    let arguments = settings.pan_arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let finished = process::run("./pan", &arguments, directory, settings.limits())?;
    Ok(report::of_pan(&finished))
}

fn complaint(finished: &Finished) -> String {
    let all = format!("{}{}", finished.stdout, finished.stderr);
    let important = all.lines().filter(|line| line.contains("rror"));
    important.chain(all.lines()).take(3).collect::<Vec<_>>().join(" | ")
}

const COUNTER: &str = r#"
static char *rig_text[256]; static unsigned long rig_count[256]; static int rig_used;
static void rig_dump(void)
{    int i;
    for (i = 0; i < rig_used; i++) printf("\n@error %lu %s\n", rig_count[i], rig_text[i]);
}
static void rig_note(char *str)
{    int i;
    for (i = 0; i < rig_used; i++) if (strcmp(rig_text[i], str) == 0) { rig_count[i]++; return; }
    if (rig_used == 256) return;
    if (rig_used == 0) atexit(rig_dump);
    rig_text[rig_used] = strdup(str); rig_count[rig_used++] = 1;
}
static char unwinding;"#;

/// pan.c with each error counted by its text; unchanged where the expected lines are missing.
fn with_error_counter(pan_c: &str) -> String {
    let hook = "strncpy(laststr, str, 254);";
    if !pan_c.contains(hook) || !pan_c.contains("static char unwinding;") {
        return pan_c.to_owned();
    }
    pan_c.replacen("static char unwinding;", COUNTER, 1).replacen(hook, &format!("rig_note(str); {hook}"), 1)
}

#[cfg(test)]
mod tests;
