//! The progress line: on standard error, refreshed, only on a terminal.

use crate::units::{count, size};
use std::io::{IsTerminal, Write};
use workbench::Progress;

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

fn text(progress: &Progress) -> String {
    format!(
        "{} states, depth {}, {} states/s, {}",
        count(progress.states),
        count(progress.depth),
        count(progress.states_per_second() as u64),
        size(progress.memory_bytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_where_the_search_stands() {
        let progress =
            Progress { states: 5000, transitions: 9000, depth: 1200, memory_bytes: 1 << 20, seconds: 2.0 };
        assert_eq!(text(&progress), "5,000 states, depth 1,200, 2,500 states/s, 1.0 MiB");
    }
}
