//! The one who watches a search: has the clock, knows the deadline, hears the interrupt, tells of
//! progress.

use crate::answer::SearchNumbers;
use crate::programs::RunProgress;
use explore::{CacheStatistics, Listener, Stop};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

pub use crate::job::Interrupt;

/// Where a search stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// How many states were stored.
    pub states: u64,
    /// How many transitions were explored.
    pub transitions: u64,
    /// How long the longest path is.
    pub depth: u64,
    /// How much memory is in use.
    pub memory_bytes: u64,
    /// How long it has run.
    pub seconds: f64,
    /// What became of states, if they are kept in a cache.
    pub cache: Option<CacheStatistics>,
    /// Of a program.
    pub runs: Option<RunProgress>,
}

impl Progress {
    /// How many states a second, so far.
    pub fn states_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.states as f64 / self.seconds } else { 0.0 }
    }
}

/// The memory that this process uses: what the system holds for it right now.
pub fn resident_bytes() -> u64 {
    const PAGE: u64 = 4096;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split_whitespace().nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * PAGE
}

/// Progress is reported this often.
const PERIOD: Duration = Duration::from_millis(200);

/// Reports the progress of a search, and ends it at its limits of time and memory.
pub struct ProgressListener<'a> {
    started: Instant,
    deadline: Option<Instant>,
    reported: Instant,
    interrupt: &'a Interrupt,
    tell: &'a mut dyn FnMut(&Progress),
}

impl<'a> ProgressListener<'a> {
    /// A listener for a search that begins now.
    pub fn new(
        time: Option<Duration>,
        interrupt: &'a Interrupt,
        tell: &'a mut dyn FnMut(&Progress),
    ) -> ProgressListener<'a> {
        let started = Instant::now();
        let deadline = time.and_then(|t| started.checked_add(t));
        ProgressListener { started, deadline, reported: started, interrupt, tell }
    }

    /// How long the search has run.
    pub fn seconds(&self) -> f64 {
        self.started.elapsed().as_secs_f64()
    }

    /// Says what is done now, in words that follow "while".
    pub fn phase(&self, phase: &'static str) {
        self.interrupt.phase(phase);
    }

    /// A search is over, and something else follows: what it took is known.
    pub(crate) fn note_search(&self, took: &SearchNumbers) {
        let SearchNumbers { states, transitions, depth, memory_bytes } = *took;
        let mut board = self.interrupt.board();
        let progress = Progress { states, transitions, depth, memory_bytes, ..board.progress };
        board.progress = progress;
    }

    /// The job, to note what was found.
    pub fn job(&self) -> &Interrupt {
        self.interrupt
    }

    /// Why nothing more should be begun.
    pub(crate) fn over(&self) -> Option<Stop> {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.interrupt.asked().or(late.then_some(Stop::Time))
    }
}

impl Listener for ProgressListener<'_> {
    fn look(&mut self, progress: &explore::Progress) -> ControlFlow<Stop> {
        if let Some(stop) = self.over() {
            return ControlFlow::Break(stop);
        }
        let now = Instant::now();
        if now.duration_since(self.reported) >= PERIOD {
            self.reported = now;
            let reported = Progress {
                states: progress.states,
                transitions: progress.transitions,
                depth: progress.depth,
                memory_bytes: progress.memory_bytes,
                seconds: self.seconds(),
                cache: progress.cache,
                runs: None,
            };
            self.interrupt.board().progress = reported;
            (self.tell)(&reported);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interrupt_and_deadline_end_a_search() {
        let (interrupt, mut tell) = (Interrupt::default(), |_: &Progress| {});
        let progress = explore::Progress::default();
        let mut patient = ProgressListener::new(None, &interrupt, &mut tell);
        assert_eq!(patient.look(&progress), ControlFlow::Continue(()));
        interrupt.raise();
        assert_eq!(patient.look(&progress), ControlFlow::Break(Stop::Interrupt));
        let calm = Interrupt::default();
        let mut hurried = ProgressListener::new(Some(Duration::ZERO), &calm, &mut tell);
        assert_eq!(hurried.look(&progress), ControlFlow::Break(Stop::Time));
    }
}
