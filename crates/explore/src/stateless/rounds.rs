//! The search, in rounds: entries of the tree are given out, executed by one or several workers,
//! and put back in order.
//!
//! The size of a round is fixed, and a run counts only when its turn comes, so that the tree, the
//! counts and the first failure are the same with any number of workers. A run that learns
//! something about the program (a new thread, a race) is executed again in its turn, by the first
//! worker, from which the others learn it before the next round.
//!
//! **Scouts.** The tree is explored deepest first, and what is wrong near its root may be far away.
//! A search that has not found anything after [`BEFORE_SCOUTS`] runs sends out runs with random
//! priorities ([`super::sample`]), once, always the same ones: what they find is found; if they
//! find nothing, they count for nothing. If a run meets the depth bound (a program that never ends,
//! most likely), they are sent at once, and not as far: the way back from the far end of one
//! endless run is long.

use super::races::Rest;
use super::run::{End, Job, RanOf, Runner};
use super::sample::{Sampling, sample};
use super::tree::{Place, Tree};
use super::{Bounds, Ending, Limits, OpOf, Reduction, Report, ReportOf, Trouble, Violation, World};
use super::{enter, is_known};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, mpsc};

/// How many entries are given out at a time.
const ROUND: usize = 12;
/// Other workers begin after this many runs: a small search is over before they are there.
const ALONE: u64 = 48;

/// After this many runs scouts are sent out; how many, and with how many changes of priority.
const BEFORE_SCOUTS: u64 = 240;
const SCOUTS: [Sampling; 1] = [Sampling::Pct { depth: 3, runs: 300 }];
/// Those for programs that do not end, and how far they go.
const NEAR_SCOUTS: [Sampling; 2] = [Sampling::Random { runs: 100 }, Sampling::Pct { depth: 3, runs: 100 }];
const NEAR: u64 = 300;

/// Who helps: how many, and how a world for one is made, in its own thread.
pub struct Workers<'a, W> {
    /// How many workers there are besides the caller.
    pub others: usize,
    /// Makes the world of a worker, by its number.
    pub world: &'a (dyn Fn(usize) -> Result<W, Trouble> + Sync),
}

/// What was found, and why the search could not go on.
pub struct Searched<Op, Known> {
    /// What was found.
    pub report: Report<Op, Known>,
    /// Why the search could not go on.
    pub trouble: Option<Trouble>,
}

/// Searches until everything is seen, a bound is met, or `go_on` says no.
pub fn search<W: World>(
    world: &mut W,
    workers: Option<Workers<'_, W>>,
    reduction: Reduction,
    bounds: Bounds,
    go_on: &mut dyn FnMut(&ReportOf<W>) -> bool,
) -> Searched<OpOf<W>, W::Known> {
    let pool = Pool::<W>::new(reduction, bounds);
    let mut search = Search {
        world,
        reduction,
        bounds,
        tree: Tree::new(reduction, bounds.preemptions),
        report: Report::default(),
    };
    let trouble = std::thread::scope(|scope| {
        let mut hire = |n: usize| {
            let Some(workers) = &workers else { return };
            for number in 1..=workers.others.min(n) {
                let (pool, make) = (&pool, workers.world);
                scope.spawn(move || pool.work(number, make));
            }
        };
        let done = search.rounds(&pool, workers.as_ref().map_or(0, |w| w.others), &mut hire, go_on);
        pool.close();
        done.err()
    });
    Searched { report: search.report, trouble }
}

struct Search<'w, W: World> {
    world: &'w mut W,
    reduction: Reduction,
    bounds: Bounds,
    tree: Tree<W::Semantics>,
    report: ReportOf<W>,
}

type Given<W> = (Option<Place>, Job<OpOf<W>>);

impl<W: World> Search<'_, W> {
    fn rounds(
        &mut self,
        pool: &Pool<W>,
        others: usize,
        hire: &mut dyn FnMut(usize),
        go_on: &mut dyn FnMut(&ReportOf<W>) -> bool,
    ) -> Result<(), Trouble> {
        let mut helped = false;
        // Scouts know no bound on preemptions.
        let mut scouted =
            self.reduction != Reduction::Dpor || self.bounds.keep_going || self.bounds.preemptions.is_some();
        loop {
            let endless = self.report.too_deep > 0;
            if !scouted && (endless || self.report.all_runs() >= BEFORE_SCOUTS) {
                scouted = true;
                let scouts = if endless { &NEAR_SCOUTS[..] } else { &SCOUTS };
                let depth = self.bounds.limits.depth.map(|most| if endless { most.min(NEAR) } else { most });
                for how in scouts {
                    if self.scout(*how, depth, go_on)? {
                        return Ok(());
                    }
                }
            }
            let given = self.tree.give_out(ROUND);
            if let Some(why) = self.tree.bounded.take() {
                self.report.bound(why.to_string());
            }
            if given.is_empty() {
                self.report.exhausted = self.report.bounded.is_none() && self.report.cut == 0;
                return Ok(());
            }
            if others > 0 && !helped && self.report.all_runs() >= ALONE {
                hire(others);
                helped = true;
            }
            let results: Vec<_> = match helped && given.len() > 1 {
                true => pool.round(self.world, given.iter().map(|(_, job)| job), &mut || go_on(&self.report)),
                false => given.iter().map(|_| None).collect(),
            };
            for ((place, job), result) in given.into_iter().zip(results) {
                if !self.take_turn((place, job), result, go_on)? {
                    return Ok(());
                }
            }
        }
    }

    /// Sends out scouts; whether they found something.
    fn scout(
        &mut self,
        how: Sampling,
        depth: Option<u64>,
        go_on: &mut dyn FnMut(&ReportOf<W>) -> bool,
    ) -> Result<bool, Trouble> {
        let limits = Limits { depth, ..self.bounds.limits };
        let bounds = Bounds { limits, ..self.bounds };
        let (found, _) = sample(self.world, how, bounds, 1, &mut |_| go_on(&self.report));
        if self.world.is_stale() {
            return Err(Trouble::Restart);
        }
        if let Some(trouble) = found.trouble {
            return Err(trouble);
        }
        self.report.failing += found.report.violations.len() as u64;
        self.report.violations.extend(found.report.violations);
        self.report.unrepeated.extend(found.report.unrepeated);
        let over = !self.report.violations.is_empty();
        if over {
            self.report.coverage = self.tree.coverage();
        }
        Ok(over)
    }

    /// One run in its turn; whether the search goes on.
    fn take_turn(
        &mut self,
        (place, job): Given<W>,
        result: Option<RanOf<W>>,
        go_on: &mut dyn FnMut(&ReportOf<W>) -> bool,
    ) -> Result<bool, Trouble> {
        if self.bounds.limits.runs.is_some_and(|most| self.report.all_runs() >= most) {
            let runs = self.report.all_runs();
            self.report.bound(format!("after {runs} {}", if runs == 1 { "run" } else { "runs" }));
            return Ok(false);
        }
        if self.report.all_runs() > 0 && !go_on(&self.report) {
            self.report.stopped = true;
            self.report.bound("stopped".to_string());
            self.report.coverage = self.tree.coverage();
            return Ok(false);
        }
        let way = job.way.len();
        let ran = match result {
            Some(ran) => ran,
            None => Runner::run(self.world, self.reduction, self.bounds, job)?,
        };
        let trouble = ran.trouble.clone();
        self.put_back(place, way, ran);
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        let over = !self.report.violations.is_empty() && !self.bounds.keep_going;
        let doubtful = self.report.violations.iter().all(|v| self.world.doubts(&v.failure));
        if self.world.is_stale() && (!over || doubtful) {
            return Err(Trouble::Restart);
        }
        if over {
            self.report.coverage = self.tree.coverage();
        }
        Ok(!over)
    }

    /// Everything about a run goes into the tree and the report.
    fn put_back(&mut self, place: Option<Place>, way: usize, mut ran: RanOf<W>) {
        let new = ran.reached.len();
        self.report.executed += (way + new) as u64;
        self.report.explored += (new + usize::from(way > 0)) as u64;
        self.report.depth = self.report.depth.max(way + new);
        let path = self.tree.attach(place, &mut ran);
        if let Some(objects) = ran.last.as_ref().filter(|_| !matches!(ran.end, End::Blocked)) {
            let rest = Rest { objects, pending: &ran.pending };
            self.tree.reverse_races(&ran.beginning, &path, &rest);
        }
        for why in ran.bounded.take().into_iter().chain(self.tree.bounded.take()) {
            self.report.bound(why.to_string());
        }
        self.count(&path, ran);
        self.tree.done(&path);
    }

    fn count(&mut self, path: &[Place], ran: RanOf<W>) {
        let report = &mut self.report;
        let ending = match ran.end {
            End::Blocked => {
                report.blocked += 1;
                return;
            }
            End::TooDeep => {
                report.too_deep += 1;
                report.bound("some runs are longer than the depth".to_string());
                Ending::Expired
            }
            End::Cut => {
                report.cut += 1;
                Ending::Expired
            }
            End::Complete(ending) => ending,
        };
        // What was found on the way counts.
        let (ending, at) = match ran.failure {
            Some((failure, at)) => (Ending::Failed(failure), at),
            None => (ending, path.len()),
        };
        match &ending {
            Ending::Terminated => report.terminated += 1,
            Ending::Deadlock(_) => report.deadlocks += 1,
            Ending::Expired => report.expired += 1,
            Ending::Failed(_) => report.failing += 1,
        }
        let Some(failure) = ending.failure() else { return };
        if is_known(report, &failure) && failure.beside.as_deref().is_none_or(|race| is_known(report, race)) {
            return;
        }
        let (schedule, edges) = self.tree.happened(path).into_iter().unzip();
        let known = ran.known.unwrap_or_default();
        let found = Violation { failure, schedule, beginning: ran.beginning, edges, known };
        enter(self.world, report, at, found);
    }
}

/// The jobs of a round, for all workers.
struct Pool<W: World> {
    queue: Mutex<Queue<W>>,
    news: Condvar,
    halted: AtomicBool,
    reduction: Reduction,
    bounds: Bounds,
}

/// Which job, and what came of it.
type Answer<W> = (usize, Option<RanOf<W>>);

struct Queue<W: World> {
    jobs: VecDeque<(usize, Job<OpOf<W>>)>,
    discovered: Option<W::Discovered>,
    results: Option<mpsc::Sender<Answer<W>>>,
    closed: bool,
}

impl<W: World> Pool<W> {
    fn new(reduction: Reduction, bounds: Bounds) -> Pool<W> {
        let queue = Queue { jobs: VecDeque::new(), discovered: None, results: None, closed: false };
        let (queue, news) = (Mutex::new(queue), Condvar::new());
        Pool { queue, news, halted: AtomicBool::new(false), reduction, bounds }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<W>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes all jobs together with the other workers; nothing for a run that must be executed
    /// in its turn.
    fn round<'j>(
        &self,
        world: &mut W,
        jobs: impl Iterator<Item = &'j Job<OpOf<W>>>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Vec<Option<RanOf<W>>>
    where
        OpOf<W>: 'j,
    {
        let (sender, receiver) = mpsc::channel();
        let discovered = world.discovered();
        let count = {
            let mut queue = self.lock();
            queue.jobs = jobs.cloned().enumerate().collect();
            queue.discovered = Some(discovered.clone());
            queue.results = Some(sender.clone());
            queue.jobs.len()
        };
        self.news.notify_all();
        loop {
            let next = self.lock().jobs.pop_front();
            let Some((at, job)) = next else { break };
            if !self.halted.load(SeqCst) && !go_on() {
                self.halted.store(true, SeqCst);
            }
            let ran = self.execute(world, &discovered, job);
            let _ = sender.send((at, ran));
        }
        self.lock().results = None;
        drop(sender);
        let mut results: Vec<_> = (0..count).map(|_| None).collect();
        receiver.into_iter().for_each(|(at, ran)| results[at] = ran);
        world.inform(&discovered);
        results
    }

    fn execute(&self, world: &mut W, discovered: &W::Discovered, job: Job<OpOf<W>>) -> Option<RanOf<W>> {
        if self.halted.load(SeqCst) {
            return None;
        }
        world.inform(discovered);
        let ran = Runner::run(world, self.reduction, self.bounds, job).ok()?;
        (world.discovered() == *discovered && !world.is_stale()).then_some(ran)
    }

    /// The life of another worker.
    fn work(&self, number: usize, make: &(dyn Fn(usize) -> Result<W, Trouble> + Sync)) {
        let Ok(mut world) = make(number) else { return };
        loop {
            let mut queue = self.lock();
            while queue.jobs.is_empty() && !queue.closed {
                queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
            }
            if queue.closed {
                return;
            }
            let (job, discovered, results) =
                (queue.jobs.pop_front(), queue.discovered.clone(), queue.results.clone());
            drop(queue);
            let (Some((at, job)), Some(discovered), Some(results)) = (job, discovered, results) else {
                continue;
            };
            let ran = self.execute(&mut world, &discovered, job);
            let _ = results.send((at, ran));
        }
    }

    fn close(&self) {
        self.lock().closed = true;
        self.news.notify_all();
    }
}
