//! Runs at random, for programs too large to be exhausted; and the size of the tree of runs.
//!
//! `random`: in each state one of the possible transitions, each as likely. `pct`: Burckhardt,
//! Kothari, Musuvathi, Nagarakatte, *A randomized scheduler with probabilistic guarantees of
//! finding bugs* (ASPLOS 2010): threads have random priorities, and at d-1 random places the
//! running one falls behind all others; a bug of depth d among n threads and k steps is hit with
//! probability at least 1/(n·k^(d-1)) in each run. The number of steps is taken from the runs
//! before.
//!
//! Size: Knuth, *Estimating the efficiency of backtrack programs* (1975): a way down a tree, at
//! each state one of the n entries, each as likely, counts for the product of the n; the mean of
//! that is the number of leaves. Done on the tree of all runs, and on that of sleep sets, which has
//! one complete run for each class of equivalent ones, as dynamic reduction has.

use super::enter;
use super::rounds::Searched;
use super::run::{Possible, possible, still_asleep};
use super::{Bounds, Edges, Ending, Failure, OpOf, Report, ReportOf, Transition, Trouble, Violation, World};
use logic::random::Random;
use objects::Tid;
use std::collections::BTreeMap;

/// Which runs are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sampling {
    /// Each step of a thread chosen at random.
    Random {
        /// How many runs.
        runs: u64,
    },
    /// Random priorities that change a few times, after Burckhardt and others (2010).
    Pct {
        /// How often priorities change, plus one.
        depth: u64,
        /// How many runs.
        runs: u64,
    },
    /// Half of the runs on each of the two trees.
    Estimate {
        /// How many runs.
        runs: u64,
    },
}

/// A mean, and how uncertain it is (standard error).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct About {
    /// The mean.
    pub mean: f64,
    /// The standard error.
    pub error: f64,
}

/// How large the tree is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// How many samples there were.
    pub samples: u64,
    /// Complete runs and transitions without reduction.
    pub runs: About,
    /// Transitions of the tree without reduction.
    pub transitions: About,
    /// Classes of equivalent runs.
    pub classes: About,
}

impl About {
    fn of(values: &[f64]) -> About {
        let n = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
        About { mean, error: (squares / (n - 1.0).max(1.0) / n).sqrt() }
    }
}

/// Who goes on: the way of choosing in one run.
enum Choosing {
    Random,
    Priorities {
        of: BTreeMap<Tid, u64>,
        falls: Vec<usize>,
    },
    /// Knuth's: the product of the numbers of entries so far; with sleep sets or without.
    Weighed {
        sleeps: bool,
    },
}

/// One run at random.
struct Sample<Op> {
    schedule: Vec<Transition<Op>>,
    beginning: Edges,
    edges: Vec<Edges>,
    failure: Option<(Failure, usize)>,
    ending: Option<Ending>,
    too_deep: bool,
    /// Knuth's weight of the leaf, and of all transitions on the way.
    leaf: f64,
    transitions: f64,
}

/// Executes this many runs. Nothing found in them is certain to be everything.
pub fn sample<W: World>(
    world: &mut W,
    how: Sampling,
    bounds: Bounds,
    seed: u64,
    go_on: &mut dyn FnMut(&ReportOf<W>) -> bool,
) -> (Searched<OpOf<W>, W::Known>, Estimate) {
    let mut chance = Random::new(seed);
    let mut report = Report::default();
    let mut weights = Weights::default();
    let (most, words) = match how {
        Sampling::Random { runs } => (runs, "random runs"),
        Sampling::Pct { runs, .. } => (runs, "runs with random priorities"),
        Sampling::Estimate { runs } => (runs, "runs for an estimate"),
    };
    report.bound(format!("{most} {words}, not all"));
    let mut trouble = None;
    for number in 0..most {
        if number > 0 && !go_on(&report) {
            report.stopped = true;
            break;
        }
        let choosing = choosing(how, number, report.depth, &mut chance);
        let sleeps = matches!(choosing, Choosing::Weighed { sleeps: true });
        match one(world, choosing, bounds, &mut chance) {
            Ok(sample) => {
                weights.take(&sample, sleeps);
                if let Some((at, found)) = count(&mut report, sample, world.knowledge()) {
                    enter(world, &mut report, at, found);
                }
            }
            Err(found) => {
                trouble = Some(found);
                break;
            }
        }
        if !report.violations.is_empty() && !bounds.keep_going {
            break;
        }
    }
    (Searched { report, trouble }, weights.estimate())
}

fn choosing(how: Sampling, number: u64, longest: usize, chance: &mut Random) -> Choosing {
    match how {
        Sampling::Random { .. } => Choosing::Random,
        Sampling::Estimate { .. } => Choosing::Weighed { sleeps: number % 2 == 1 },
        Sampling::Pct { depth, .. } => {
            let steps = longest.max(20);
            let falls = (1..depth).map(|_| chance.below(steps)).collect();
            Choosing::Priorities { of: BTreeMap::new(), falls }
        }
    }
}

fn one<W: World>(
    world: &mut W,
    mut choosing: Choosing,
    bounds: Bounds,
    chance: &mut Random,
) -> Result<Sample<OpOf<W>>, Trouble> {
    let begun = world.restart()?;
    let mut sample = Sample {
        schedule: Vec::new(),
        beginning: begun.edges,
        edges: Vec::new(),
        failure: begun.failure.map(|f| (f, 0)),
        ending: None,
        too_deep: false,
        leaf: 1.0,
        transitions: 0.0,
    };
    let mut sleep: Vec<Transition<OpOf<W>>> = Vec::new();
    loop {
        if sample.failure.as_ref().is_some_and(|(f, _)| f.fatal) {
            return Ok(sample);
        }
        let possible = possible(world);
        if possible.transitions.is_empty() {
            sample.ending = Some(world.ending());
            return Ok(sample);
        }
        if bounds.limits.depth.is_some_and(|most| sample.schedule.len() as u64 >= most) {
            sample.too_deep = true;
            return Ok(sample);
        }
        let awake = awake(possible, &sleep);
        if awake.is_empty() {
            sample.leaf = 0.0;
            return Ok(sample);
        }
        let at = choose(&mut choosing, &awake, sample.schedule.len(), chance);
        let taken = awake[at].clone();
        if let Choosing::Weighed { sleeps } = choosing {
            sample.leaf *= awake.len() as f64;
            sample.transitions += sample.leaf;
            if sleeps {
                sleep.extend_from_slice(&awake[..at]);
                sleep = still_asleep(&sleep, &taken);
            }
        }
        let progress = world.step(taken.who, taken.outcome)?;
        sample.schedule.push(taken);
        sample.edges.push(progress.edges);
        let now = sample.schedule.len();
        if let Some(failure) = progress.failure {
            sample.failure = Failure::first_at(sample.failure.take(), (failure, now));
        }
    }
}

fn awake<Op>(possible: Possible<Op>, sleep: &[Transition<Op>]) -> Vec<Transition<Op>> {
    let asleep = |t: &Transition<Op>| sleep.iter().any(|s| s.who == t.who && s.outcome == t.outcome);
    possible.transitions.into_iter().filter(|t| !asleep(t)).collect()
}

/// Which of the transitions is taken.
fn choose<Op>(choosing: &mut Choosing, from: &[Transition<Op>], step: usize, chance: &mut Random) -> usize {
    let Choosing::Priorities { of, falls } = choosing else { return chance.below(from.len()) };
    const ABOVE_THE_FALLEN: u64 = 1 << 32;
    for t in from {
        of.entry(t.who).or_insert_with(|| ABOVE_THE_FALLEN + (chance.number() >> 16));
    }
    let highest = |of: &BTreeMap<Tid, u64>| from.iter().map(|t| t.who).max_by_key(|who| of[who]).unwrap_or(0);
    if let Some(nth) = falls.iter().position(|at| *at == step) {
        of.insert(highest(of), nth as u64);
    }
    let who = highest(of);
    let outcomes: Vec<usize> = (0..from.len()).filter(|at| from[*at].who == who).collect();
    outcomes[chance.below(outcomes.len())]
}

/// Counts a run; if it is a violation: after how many steps, and the whole run.
fn count<Op, Known>(
    report: &mut Report<Op, Known>,
    sample: Sample<Op>,
    known: Known,
) -> Option<(usize, Violation<Op, Known>)> {
    let steps = sample.schedule.len();
    report.explored += steps as u64;
    report.executed += steps as u64;
    report.depth = report.depth.max(steps);
    let (ending, at) = match (sample.failure, sample.ending) {
        (Some((failure, at)), _) => (Ending::Failed(failure), at),
        (None, Some(ending)) => (ending, steps),
        (None, None) if sample.too_deep => {
            report.too_deep += 1;
            return None;
        }
        (None, None) => {
            report.blocked += 1;
            return None;
        }
    };
    match &ending {
        Ending::Terminated => report.terminated += 1,
        Ending::Deadlock(_) => report.deadlocks += 1,
        Ending::Expired => report.expired += 1,
        Ending::Failed(_) => report.failing += 1,
    }
    let failure = ending.failure()?;
    let Sample { schedule, edges, beginning, .. } = sample;
    Some((at, Violation { failure, schedule, beginning, edges, known }))
}

#[derive(Default)]
struct Weights {
    runs: Vec<f64>,
    transitions: Vec<f64>,
    classes: Vec<f64>,
}

impl Weights {
    fn take<Op>(&mut self, sample: &Sample<Op>, sleeps: bool) {
        if sleeps {
            self.classes.push(sample.leaf);
        } else {
            self.runs.push(sample.leaf);
            self.transitions.push(sample.transitions);
        }
    }

    fn estimate(&self) -> Estimate {
        Estimate {
            samples: (self.runs.len() + self.classes.len()) as u64,
            runs: About::of(&self.runs),
            transitions: About::of(&self.transitions),
            classes: About::of(&self.classes),
        }
    }
}
