//! The progress line: on standard error, refreshed, only on a terminal. It says how long the work
//! has taken, what it is doing, and how far it is. Programs that read JSON get what is proved now
//! as an event a second.

use crate::json;
use crate::output::event;
use crate::style::cut;
use crate::units::{count, plural, size};
use std::io::{IsTerminal, Write};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use workbench::answer::rate;
use workbench::{CacheStatistics, Interrupt, Progress};

/// How often the line is written again.
const PERIOD: Duration = Duration::from_millis(200);

/// How often programs hear of a proof.
const EVENTS: Duration = Duration::from_secs(1);

/// How wide it is, if the terminal does not say how wide it is.
const WIDTH: usize = 80;

/// Whether the line may still be written.
static OPEN: Mutex<bool> = Mutex::new(true);

fn open() -> MutexGuard<'static, bool> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something that is done again and again, as long as this lives.
struct Ticker(Option<(Sender<()>, JoinHandle<()>)>);

impl Ticker {
    fn new(period: Duration, tick: impl Fn() + Send + 'static) -> Ticker {
        let (end, ended) = channel::<()>();
        let body = move || {
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                tick();
            }
        };
        Ticker(Some((end, thread::spawn(body))))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let Some((end, writer)) = self.0.take() else { return };
        drop(end);
        let _ = writer.join();
    }
}

/// The line, as long as this lives.
pub(crate) struct ProgressLine {
    latest: Arc<Mutex<Option<Progress>>>,
    writer: Option<Ticker>,
}

impl ProgressLine {
    /// About a job that begins now.
    pub(crate) fn new(wanted: bool, job: &Interrupt) -> ProgressLine {
        let latest = Arc::new(Mutex::new(None));
        let active = wanted && std::io::stderr().is_terminal();
        let writer = active.then(|| begin(job.clone(), Arc::clone(&latest)));
        ProgressLine { latest, writer }
    }

    /// How far a search is.
    pub(crate) fn hear(&self, progress: &Progress) {
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            drop(writer);
            write("");
        }
    }
}

fn begin(job: Interrupt, latest: Arc<Mutex<Option<Progress>>>) -> Ticker {
    let begun = Instant::now();
    Ticker::new(PERIOD, move || {
        let progress = *latest.lock().unwrap_or_else(PoisonError::into_inner);
        let (phase, trying) = {
            let board = job.board();
            (board.phase, board.trying.clone())
        };
        write(&text(begun.elapsed(), phase, &trying, progress.as_ref()));
    })
}

/// The events of a proof, as long as this lives.
pub(crate) struct ProofEvents {
    _writer: Ticker,
}

impl ProofEvents {
    /// About a job that begins now.
    pub(crate) fn new(job: &Interrupt) -> ProofEvents {
        let (job, begun) = (job.clone(), Instant::now());
        let writer = Ticker::new(EVENTS, move || {
            let text = json::proving(&job.board(), begun.elapsed().as_secs_f64());
            event(&format!("{text}\n"));
        });
        ProofEvents { _writer: writer }
    }
}

fn write(text: &str) {
    let open = open();
    if *open {
        let width = terminal_size::terminal_size_of(std::io::stderr()).map_or(WIDTH, |(w, _)| w.0.into());
        let shown = cut(text, width.saturating_sub(1));
        let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K{shown}");
    }
}

/// Wipes the line for good.
pub(crate) fn wipe() {
    let mut open = open();
    *open = false;
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K");
    }
}

/// How long it has taken, what is done, how far that is.
fn text(elapsed: Duration, phase: &str, trying: &str, progress: Option<&Progress>) -> String {
    let (phase, far) = match (trying, progress) {
        ("", Some(progress)) => (phase, counts(progress)),
        ("", None) => (phase, String::new()),
        // Engines of a proof search, too, and say so.
        (trying, _) => ("proving", trying.to_string()),
    };
    let parts = [phase, &far].into_iter().filter(|part| !part.is_empty());
    format!("{}  {}", clock(elapsed), parts.collect::<Vec<_>>().join(": "))
}

/// `12 s`, `3:07`, `1:02:03`.
fn clock(elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{minutes:02}:{:02}", seconds % 60),
    }
}

fn counts(progress: &Progress) -> String {
    if let Some(runs) = &progress.runs {
        let rate = rate(runs.runs, progress.seconds.max(0.001));
        return format!(
            "{}, {}, depth {}, {rate:.0} runs/s",
            plural(runs.runs as usize, "run"),
            plural(runs.explored as usize, "transition"),
            count(progress.depth)
        );
    }
    let line = format!(
        "{}, depth {}, {} states/s, {}",
        plural(progress.states as usize, "state"),
        count(progress.depth),
        count(progress.states_per_second() as u64),
        size(progress.memory_bytes)
    );
    progress.cache.map_or(line.clone(), |cache| format!("{line}; cache {}", estimate(&cache)))
}

/// Whether a cache looks large enough.
pub(crate) fn estimate(cache: &CacheStatistics) -> String {
    let twice = cache.visits_per_state();
    let word = if cache.suffices() { "suffices so far" } else { "may be too small" };
    format!("{word}: about {twice:.2} visits a state")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(seconds: u64, phase: &str, trying: &str, progress: Option<&Progress>) -> String {
        text(Duration::from_secs(seconds), phase, trying, progress)
    }

    #[test]
    fn the_line_says_where_the_search_stands() {
        let mut progress = Progress {
            states: 5000,
            depth: 1200,
            memory_bytes: 1 << 20,
            seconds: 2.0,
            ..Progress::default()
        };
        let shown = after(67, "searching", "", Some(&progress));
        assert_eq!(shown, "1:07  searching: 5,000 states, depth 1,200, 2,500 states/s, 1.0 MiB");
        let mut cache =
            CacheStatistics { room: 100, stored: 100, cleared: 4900, most: 100, distinct: 4000.0 };
        progress.cache = Some(cache);
        assert!(counts(&progress).ends_with("; cache suffices so far: about 1.25 visits a state"));
        cache.distinct = 1000.0;
        assert_eq!(estimate(&cache), "may be too small: about 5.00 visits a state");
    }

    #[test]
    fn the_line_says_what_is_tried() {
        let shown = after(3, "proving", "mux by rules, round 1; 0 of 2 decided", None);
        assert_eq!(shown, "3 s  proving: mux by rules, round 1; 0 of 2 decided");
        assert!(after(3, "searching", "p by BMC", None).starts_with("3 s  proving: p by BMC"));
        assert_eq!(after(3723, "certifying", "", None), "1:02:03  certifying");
    }
}
