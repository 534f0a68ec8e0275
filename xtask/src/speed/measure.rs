//! What a command costs, and the figures of a model over several rounds.

use crate::process;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a command printed and cost.
pub struct Cost {
    pub said: String,
    /// User and system time of all its processes.
    pub cpu: f64,
    pub clock: f64,
    /// The largest of its processes, in megabytes; 0 if GNU time is not there.
    pub peak: f64,
}

const MARK: &str = "@cost ";

/// Runs a shell command in a folder. bash measures time, GNU time memory.
pub fn spend(command: &str, folder: &Path) -> io::Result<Cost> {
    let memory = if process::installed("time") { "env time -f '@peak %M' " } else { "" };
    let script = format!("TIMEFORMAT='{MARK}%U %S %R'; time {memory}bash -c \"$1\"");
    let output = Command::new("bash")
        .args(["-c", &script, "bash", command])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let after = |mark: &str| text.lines().rev().find_map(|line| line.strip_prefix(mark));
    let times: Vec<f64> =
        after(MARK).unwrap_or("").split_whitespace().filter_map(|n| n.parse().ok()).collect();
    let [user, system, clock] = times[..] else {
        return Err(io::Error::other(format!("no times of `{command}`")));
    };
    let peak = after("@peak ").and_then(|n| n.trim().parse::<f64>().ok()).unwrap_or(0.0) / 1024.0;
    let said = format!("{}\n{}", text, String::from_utf8_lossy(&output.stdout));
    Ok(Cost { said, cpu: user + system, clock, peak })
}

/// One figure of each round.
#[derive(Default, Clone)]
pub struct Sample(Vec<f64>);

impl Sample {
    pub fn median(&self) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    /// How far the rounds lie apart, in hundredths of the median.
    pub fn spread(&self) -> f64 {
        let most = self.0.iter().copied().fold(f64::MIN, f64::max);
        let least = self.0.iter().copied().fold(f64::MAX, f64::min);
        100.0 * (most - least) / self.median().max(0.001)
    }
}

/// The figures of one way to search, over the rounds.
#[derive(Default, Clone)]
pub struct Way {
    pub states: u64,
    pub bytes: f64,
    pub cpu: Sample,
    pub clock: Sample,
    pub peak: Sample,
}

/// The figures of a model, by way.
pub struct Figures {
    pub model: String,
    pub ways: Vec<Way>,
}

impl Figures {
    pub fn new(model: &str) -> Figures {
        Figures { model: model.to_owned(), ways: Vec::new() }
    }

    pub fn add(&mut self, way: usize, cost: &Cost, states: u64, bytes: f64) {
        self.ways.resize(self.ways.len().max(way + 1), Way::default());
        let way = &mut self.ways[way];
        (way.states, way.bytes) = (states, bytes);
        way.cpu.0.push(cost.cpu);
        way.clock.0.push(cost.clock);
        way.peak.0.push(cost.peak);
    }

    /// How many rounds there were.
    pub fn rounds(&self) -> usize {
        self.ways.iter().map(|way| way.cpu.0.len()).min().unwrap_or(0)
    }

    /// Whether the four full searches have the same states.
    pub fn agree(&self) -> bool {
        self.ways.iter().take(4).all(|way| way.states == self.ways[0].states)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_memory_are_read() {
        let cost = spend("echo said; true", Path::new(".")).unwrap();
        assert!(cost.said.contains("said") && cost.cpu < 5.0 && cost.clock > 0.0);
    }

    #[test]
    fn rounds_are_counted_and_counts_compared() {
        let mut figures = Figures::new("m");
        assert_eq!((figures.rounds(), figures.agree()), (0, true));
        let cost = |clock| Cost { said: String::new(), cpu: 1.0, clock, peak: 0.0 };
        for (way, states) in [(0, 7), (1, 7), (2, 7), (3, 7), (4, 5)] {
            figures.add(way, &cost(1.0), states, 2.0);
        }
        assert_eq!((figures.rounds(), figures.agree()), (1, true));
        figures.add(3, &cost(2.0), 8, 2.0);
        assert!(!figures.agree());
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let sample = Sample(vec![3.0, 1.0, 2.0]);
        assert_eq!((sample.median(), sample.spread()), (2.0, 100.0));
    }
}
