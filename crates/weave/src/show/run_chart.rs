//! A program's run as a chart: a column for each thread, time runs downwards, a line where another thread goes on.

use crate::style::{Style, cut};
use workbench::programs::{Scenario, Scene, called};

/// Columns are never narrower than this, and never wider than that.
const NARROW: usize = 14;
const WIDE: usize = 34;
/// Of a long chart the last rows are shown.
const LAST: usize = 60;

/// Nothing if it does not fit.
pub(crate) fn chart(scenario: &Scenario, style: &Style) -> String {
    let threads = threads(scenario.steps.iter().chain(&scenario.waiting));
    if threads.len() < 2 || scenario.steps.is_empty() {
        return String::new();
    }
    let width = (style.width.saturating_sub(5) / threads.len()).min(WIDE);
    if width < NARROW && !style.full {
        return String::new();
    }
    let grid = Grid { threads, width: width.max(NARROW) };
    let mut out = format!("\n{}", grid.header());
    let hidden = if style.full { 0 } else { scenario.steps.len().saturating_sub(LAST) };
    if hidden > 0 {
        out.push_str(&format!("  ... {hidden} steps before\n"));
    }
    for (at, step) in scenario.steps.iter().enumerate().skip(hidden) {
        out.push_str(&grid.row(&format!("{}", at + 1), step, '*'));
    }
    for waiting in &scenario.waiting {
        out.push_str(&grid.row("", waiting, '#'));
    }
    out
}

/// Process and thread of all who take part.
pub(crate) fn threads<'a>(scenes: impl Iterator<Item = &'a Scene>) -> Vec<(u64, usize)> {
    let all: std::collections::BTreeSet<_> = scenes.map(|s| (s.process, s.who)).collect();
    all.into_iter().collect()
}

struct Grid {
    /// Process and thread of each column.
    threads: Vec<(u64, usize)>,
    width: usize,
}

impl Grid {
    fn header(&self) -> String {
        let name = |(process, who): &(u64, usize)| {
            let name = called(&self.threads, *process, *who);
            format!("{:<width$}", cut(&name, self.width - 1), width = self.width)
        };
        let names: String = self.threads.iter().map(name).collect();
        format!("     {}\n", names.trim_end())
    }

    /// What one thread does, or stands before at the end; the others are lines.
    fn row(&self, number: &str, step: &Scene, mark: char) -> String {
        let cell = |(_, who): &(u64, usize)| {
            if *who != step.who {
                return format!("{:<width$}", "|", width = self.width);
            }
            let text = format!("{mark} {} {}", step.operation, step.object);
            format!("{:<width$}", cut(text.trim_end(), self.width - 1), width = self.width)
        };
        let cells: String = self.threads.iter().map(cell).collect();
        format!("{number:>4} {}\n", cells.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(process: u64, who: usize, operation: &str, object: &str) -> Scene {
        let (operation, object) = (operation.to_string(), object.to_string());
        Scene { who, process, outcome: 0, operation, object, stack: Vec::new(), output: String::new() }
    }

    #[test]
    fn a_column_for_each_thread() {
        let steps = vec![scene(0, 0, "sem_wait", "a"), scene(2, 2, "sem_post", "b")];
        let scenario = Scenario {
            steps,
            waiting: vec![scene(0, 1, "sem_wait", "c")],
            failure: None,
            printed: String::new(),
        };
        let style = Style { width: 83, look: source::Look::Plain, full: false };
        let rows = [
            "",
            "     thread 0 of process 0     thread 1 of process 0     process 2",
            "   1 * sem_wait a              |                         |",
            "   2 |                         |                         * sem_post b",
            "     |                         # sem_wait c              |",
        ];
        assert_eq!(chart(&scenario, &style), rows.join("\n") + "\n");
        let narrow = Style { width: 30, ..style };
        assert_eq!(chart(&scenario, &narrow), "");
    }
}
