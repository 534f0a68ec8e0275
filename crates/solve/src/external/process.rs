//! A child process that is asked and answers, with a limit on its time.

use crate::answer::Options;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Whether a command is on the path.
pub(crate) fn is_found(command: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| Path::new(&folder).join(command).is_file())
}

/// Why a process has no answer.
#[derive(Debug, thiserror::Error)]
pub enum NoAnswer {
    #[error(transparent)]
    System(#[from] std::io::Error),
    #[error("the process has no pipes")]
    NoPipes,
    #[error("cancelled")]
    Cancelled,
    #[error("the process ended")]
    Ended,
    #[error("no answer within {0} ms")]
    Late(u64),
}

/// How often cancellation is looked at while waiting.
const GLANCE: Duration = Duration::from_millis(50);

pub struct Session<'a> {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    end: Instant,
    options: &'a Options,
}

impl<'a> Session<'a> {
    pub fn start(command: &str, arguments: &[String], options: &'a Options) -> Result<Session<'a>, NoAnswer> {
        let started = Command::new(command)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut child = started?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(NoAnswer::NoPipes);
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Session {
            child,
            input,
            lines,
            end: Instant::now() + Duration::from_millis(options.milliseconds),
            options,
        })
    }

    /// Sends text that asks for one answer, and waits for it: a word or a balanced list.
    pub fn ask(&mut self, text: &str) -> Result<String, NoAnswer> {
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush())?;
        let mut answer = String::new();
        loop {
            let line = self.line()?;
            answer.push_str(&line);
            answer.push('\n');
            let depth = answer.matches('(').count() as i64 - answer.matches(')').count() as i64;
            if depth <= 0 && !answer.trim().is_empty() {
                return Ok(answer.trim().to_owned());
            }
        }
    }

    fn line(&mut self) -> Result<String, NoAnswer> {
        loop {
            let left = self.end.saturating_duration_since(Instant::now());
            if self.options.is_cancelled() {
                return Err(NoAnswer::Cancelled);
            }
            match self.lines.recv_timeout(left.min(GLANCE)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(NoAnswer::Ended),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => {
                    return Err(NoAnswer::Late(self.options.milliseconds));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
