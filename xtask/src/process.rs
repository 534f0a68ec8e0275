//! Child processes with a time limit, a memory limit and the CPU time they used.
//!
//! Limits come from `ulimit` and coreutils' `timeout`, CPU time from bash's `time`: no unsafe code
//! is needed for either. The time limit is one of CPU time, so that a busy machine does not change
//! results; ten times as much may pass on the clock.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

/// A tool did not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ToolFailed {
    /// The program was not compiled.
    #[error("not compiled: {0}")]
    Compiler(String),
    /// SPIN or pan gave no figures.
    #[error("SPIN gives no figures: {0}")]
    Spin(String),
    /// weave gave no figures.
    #[error("weave gives no figures: {0}")]
    Weave(String),
}

/// What a finished child left behind.
#[derive(Debug, Clone)]
pub struct Finished {
    /// The exit status; 128 + n after signal n.
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    /// User CPU time in seconds, to the millisecond.
    pub user_seconds: f64,
}

impl Finished {
    pub fn timed_out(&self) -> bool {
        // `timeout` on the clock, SIGKILL and SIGXCPU at the limit of CPU time.
        matches!(self.code, 124 | 137 | 152)
    }
}

/// What a child may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// CPU time; whole seconds count.
    pub time: Duration,
    pub memory_mb: u64,
}

const USER_TIME_MARK: &str = "\n@user-seconds ";

/// Runs `program` with `arguments` in `directory` and waits for its end.
pub fn run(program: &str, arguments: &[&str], directory: &Path, limits: Limits) -> std::io::Result<Finished> {
    let seconds = limits.time.as_secs().max(1);
    let script = format!(
        "ulimit -v {}; ulimit -t {seconds}; ulimit -c 0; TIMEFORMAT=$'{}%U'; time timeout -k 1 {} \"$@\"",
        limits.memory_mb * 1024,
        USER_TIME_MARK.replace('\n', "\\n"),
        seconds * 10,
    );
    let output = Command::new("bash")
        .args(["-c", &script, "bash", program])
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::null())
        .output()?;
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let (stderr, user) = stderr.rsplit_once(USER_TIME_MARK).unwrap_or((&stderr, "0"));
    Ok(Finished {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: stderr.to_owned(),
        user_seconds: user.trim().parse().unwrap_or(0.0),
    })
}

/// Is `program` on the search path?
pub fn installed(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|directory| directory.join(program).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: Limits = Limits { time: Duration::from_secs(1), memory_mb: 1000 };

    #[test]
    fn output_code_and_time_are_reported() {
        let done = run("sh", &["-c", "echo out; echo err >&2; exit 3"], Path::new("."), LIMITS).unwrap();
        assert_eq!((done.code, done.stdout.as_str(), done.stderr.as_str()), (3, "out\n", "err\n"));
        assert!(done.user_seconds < 1.0);
    }

    #[test]
    fn a_child_that_never_ends_is_stopped() {
        let done = run("sh", &["-c", "while :; do :; done"], Path::new("."), LIMITS).unwrap();
        assert!(done.timed_out());
        assert!(done.user_seconds > 0.5);
    }
}
