//! The progress line: on standard error, refreshed, only on a terminal.

use crate::units::{count, size};
use std::io::{IsTerminal, Write};
use workbench::answer::rate;
use workbench::{CacheStatistics, Progress};

pub(crate) struct ProgressLine {
    active: bool,
    shown: bool,
}

impl ProgressLine {
    pub(crate) fn new(wanted: bool) -> ProgressLine {
        ProgressLine { active: wanted && std::io::stderr().is_terminal(), shown: false }
    }

    pub(crate) fn show(&mut self, progress: &Progress) {
        if self.active {
            self.shown = true;
            let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K{}", text(progress));
        }
    }

    pub(crate) fn clear(&mut self) {
        if self.shown {
            self.shown = false;
            let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K");
        }
    }
}

/// Wipes a line that may have been left on a terminal.
pub(crate) fn wipe() {
    if std::io::stderr().is_terminal() {
        let _ = write!(std::io::stderr().lock(), "\r\u{1b}[K");
    }
}

fn text(progress: &Progress) -> String {
    if let Some(runs) = &progress.runs {
        let rate = rate(runs.runs, progress.seconds.max(0.001));
        return format!(
            "{} runs, {} transitions, depth {}, {rate:.0} runs/s",
            count(runs.runs),
            count(runs.explored),
            count(progress.depth)
        );
    }
    let line = format!(
        "{} states, depth {}, {} states/s, {}",
        count(progress.states),
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

    #[test]
    fn the_line_says_where_the_search_stands() {
        let mut progress = Progress {
            states: 5000,
            depth: 1200,
            memory_bytes: 1 << 20,
            seconds: 2.0,
            ..Progress::default()
        };
        assert_eq!(text(&progress), "5,000 states, depth 1,200, 2,500 states/s, 1.0 MiB");
        let mut cache =
            CacheStatistics { room: 100, stored: 100, cleared: 4900, most: 100, distinct: 4000.0 };
        progress.cache = Some(cache);
        assert!(text(&progress).ends_with("; cache suffices so far: about 1.25 visits a state"));
        cache.distinct = 1000.0;
        assert_eq!(estimate(&cache), "may be too small: about 5.00 visits a state");
    }
}
