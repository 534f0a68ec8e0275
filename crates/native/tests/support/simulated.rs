//! Programs given as words, searched for real, and what comes of them as a set: the part that tests
//! against simulators have in common.

use explore::stateless::{Bounds, Kind, Limits, Reduction};
use native::compile::{Built, build};
use native::execution::Options;
use native::explore::{Plan, explore};
use native::launch::Program;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// All ways to end: what the members got, and on which operations they are blocked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    pub got: BTreeSet<String>,
    pub blocked: BTreeSet<String>,
}

impl Ends {
    pub fn is_within(&self, other: &Ends) -> bool {
        self.got.is_subset(&other.got) && self.blocked.is_subset(&other.blocked)
    }
}

pub struct Found {
    pub ends: Ends,
    /// Whether all of it was seen.
    pub complete: bool,
    pub runs: u64,
}

/// An interpreter of words, compiled.
pub struct Real {
    built: Built,
}

/// Searches with more runs than this are cut.
const MOST_RUNS: u64 = 150;

impl Real {
    pub fn new(source: &str) -> Real {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source);
        Real { built: build(&source, &[]).expect("a compiler").expect("a program") }
    }

    /// What a search finds; or what it complains about.
    pub fn search(
        &self,
        arguments: &[String],
        reduction: Reduction,
        threads: usize,
    ) -> Result<Found, String> {
        let plan = Plan {
            program: Program {
                path: self.built.program.clone(),
                arguments: arguments.iter().map(Into::into).collect(),
                trust: true,
                memory: 4 << 30,
                input: None,
                built: true,
            },
            reduction,
            bounds: Bounds {
                limits: Limits {
                    depth: Some(10_000),
                    runs: Some(number("RUNS", MOST_RUNS)),
                    ..Limits::default()
                },
                keep_going: true,
                ..Bounds::default()
            },
            options: Options {
                exit_matters: false,
                races_matter: false,
                spurious: 0,
                ordered: false,
                divergence: Duration::from_secs(20),
            },
            threads,
            sampling: None,
            seed: 1,
        };
        let about = || format!("{reduction:?}, {}", arguments.join(" "));
        let found = explore(&plan, &mut |_| true).map_err(|trouble| format!("{}: {trouble}", about()))?;
        let report = &found.report;
        // It says itself that it has not seen everything: because of the limit here, or of its own.
        let bounded = report
            .bounded
            .as_ref()
            .is_some_and(|why| why.starts_with("after ") || why.contains("keep another one"));
        if found.trouble.is_some() || !report.exhausted && !bounded {
            let failures: Vec<_> = report.violations.iter().map(|v| &v.failure.message).collect();
            return Err(format!("{}: {:?} {:?} {failures:?}", about(), found.trouble, report.bounded));
        }
        // Ends that are seen in part: the simulator ends processes in one step, too.
        let gap = |what: &&String| !what.starts_with("a look at a process that is ending");
        let uncontrolled: Vec<&String> = found.uncontrolled.iter().filter(gap).collect();
        if !uncontrolled.is_empty() || !found.races.is_empty() || report.terminated > 0 {
            let (races, over) = (found.races.len(), report.terminated);
            return Err(format!("{}: {:?}, {races} races, {over} over", about(), uncontrolled));
        }
        let mut ends = Ends::default();
        for failure in report.violations.iter().map(|v| &v.failure) {
            match failure.kind {
                Kind::Assertion => {
                    ends.got.insert(failure.message.split(" (").next().unwrap_or_default().to_string())
                }
                Kind::Deadlock => ends.blocked.insert(waits(&failure.message)),
                _ => return Err(format!("{}: {failure:?}", about())),
            };
        }
        Ok(Found { ends, complete: report.exhausted, runs: report.runs() })
    }
}

/// "no thread can move: thread 1 in sem_wait, thread 0 in wait", without the numbers.
fn waits(message: &str) -> String {
    let all = message.trim_start_matches("no thread can move: ").split(", ");
    let mut all: Vec<&str> = all.filter_map(|one| one.split_once(" in ")).map(|(_, what)| what).collect();
    all.sort_unstable();
    all.join(", ")
}

/// A number from the environment.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
