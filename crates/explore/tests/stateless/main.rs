//! The search against brute force: random little programs, all interleavings executed, their
//! equivalence classes counted by a definition that shares nothing with the search. Dynamic
//! reduction and sleep sets must see each class once; all must be seen.

use explore::stateless::sample::{Sampling, sample};
use explore::stateless::{
    Bounds, Ending, Progress, Reduction, Semantics, Transition, Trouble, Workers, World, search, shorten,
};
use logic::random::Random;
use objects::{Access, Class, Footprint, Key, Object, Outcome, Tid};
use std::collections::BTreeSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Do {
    Lock(u64),
    TryLock(u64),
    Unlock(u64),
    Wait(u64),
    Post(u64),
    Read(u64),
    Write(u64),
    Toss(i64),
    /// The condition variable, its mutex.
    CondWait(u64, u64),
    Relock(u64, u64),
    Signal(u64),
    Broadcast(u64),
}

/// Skips the next statement of the thread if what was read, tossed or tried is 0: control depends
/// on data.
type Script = Vec<(Do, bool)>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    owner: [Option<Tid>; 2],
    semaphore: [i64; 2],
    variable: [i64; 2],
    waiting: BTreeSet<(u64, Tid)>,
    woken: BTreeSet<Tid>,
}

impl State {
    fn possible(&self, who: Tid, what: Do) -> Vec<Outcome> {
        let yes = |b: bool| if b { vec![0] } else { vec![] };
        match what {
            Do::Lock(m) => yes(self.owner[m as usize].is_none()),
            Do::Wait(s) => yes(self.semaphore[s as usize] > 0),
            Do::Toss(n) => (0..=n).collect(),
            Do::Relock(_, m) => yes(self.woken.contains(&who) && self.owner[m as usize].is_none()),
            Do::Signal(c) => {
                let all: Vec<Outcome> =
                    self.waiting.iter().filter(|(on, _)| *on == c).map(|(_, t)| *t as Outcome).collect();
                if all.is_empty() { vec![-1] } else { all }
            }
            _ => vec![0],
        }
    }

    /// Executes; the value that control may depend on.
    fn go(&mut self, who: Tid, what: Do, outcome: Outcome) -> i64 {
        match what {
            Do::Lock(m) => self.owner[m as usize] = Some(who),
            Do::TryLock(m) => {
                if self.owner[m as usize].is_some() {
                    return 0;
                }
                self.owner[m as usize] = Some(who);
            }
            Do::Unlock(m) => {
                if self.owner[m as usize] == Some(who) {
                    self.owner[m as usize] = None;
                }
            }
            Do::Wait(s) => self.semaphore[s as usize] -= 1,
            Do::Post(s) => self.semaphore[s as usize] += 1,
            Do::Read(x) => return self.variable[x as usize] % 2,
            Do::Write(x) => self.variable[x as usize] += 1,
            Do::Toss(_) => return outcome,
            Do::CondWait(c, m) => {
                if self.owner[m as usize] == Some(who) {
                    self.owner[m as usize] = None;
                }
                self.waiting.insert((c, who));
            }
            Do::Relock(_, m) => {
                self.woken.remove(&who);
                self.owner[m as usize] = Some(who);
            }
            Do::Signal(c) => {
                if outcome >= 0 {
                    self.waiting.remove(&(c, outcome as Tid));
                    self.woken.insert(outcome as Tid);
                }
            }
            Do::Broadcast(c) => {
                let woken: Vec<_> = self.waiting.iter().filter(|(on, _)| *on == c).copied().collect();
                for pair in woken {
                    self.waiting.remove(&pair);
                    self.woken.insert(pair.1);
                }
            }
        }
        1
    }
}

impl Object for State {
    type Op = Do;
    type Effect = i64;

    fn outcomes(&self, who: Tid, op: &Do) -> Vec<Outcome> {
        self.possible(who, *op)
    }

    fn touches(&self, who: Tid, op: &Do, outcome: Outcome) -> Footprint {
        let on = |space: u64, at: u64, access| Key::new(Class::Sync, space, at).touch(access);
        let wake = |t: Tid| Key::new(Class::Wake, t as u64, 0).touch(Access::Change);
        match *op {
            Do::Lock(m) | Do::TryLock(m) | Do::Unlock(m) => vec![on(0, m, Access::Change)],
            Do::Wait(s) => vec![on(1, s, Access::Change)],
            Do::Post(s) => vec![on(1, s, Access::Post)],
            Do::Read(x) => vec![on(2, x, Access::Read)],
            Do::Write(x) => vec![on(2, x, Access::Change)],
            Do::Toss(_) => vec![],
            Do::CondWait(c, m) => vec![on(3, c, Access::Change), on(0, m, Access::Change)],
            Do::Relock(_, m) => vec![on(0, m, Access::Change), wake(who)],
            Do::Signal(c) => {
                let mut all = vec![on(3, c, Access::Change)];
                all.extend((outcome >= 0).then(|| wake(outcome as Tid)));
                all
            }
            Do::Broadcast(c) => {
                let woken = self.waiting.iter().filter(|(on, _)| *on == c).map(|(_, t)| wake(*t));
                std::iter::once(on(3, c, Access::Change)).chain(woken).collect()
            }
        }
    }

    fn perform(&mut self, who: Tid, op: &Do, outcome: Outcome) -> i64 {
        self.go(who, *op, outcome)
    }
}

impl Semantics for State {}

#[derive(Clone, Debug)]
struct Toy {
    scripts: Vec<Script>,
    initial: State,
    state: State,
    at: Vec<usize>,
    relock: Vec<Option<(u64, u64)>>,
}

impl Toy {
    fn new(scripts: Vec<Script>, initial: State) -> Toy {
        let n = scripts.len();
        Toy { scripts, state: initial.clone(), initial, at: vec![0; n], relock: vec![None; n] }
    }

    fn next(&self, who: Tid) -> Option<Do> {
        match self.relock[who] {
            Some((c, m)) => Some(Do::Relock(c, m)),
            None => self.scripts[who].get(self.at[who]).map(|(what, _)| *what),
        }
    }

    fn execute(&mut self, who: Tid, outcome: Outcome) -> Do {
        let what = self.next(who).expect("a thread that has something to do");
        let value = self.state.go(who, what, outcome);
        match what {
            Do::CondWait(c, m) => self.relock[who] = Some((c, m)),
            Do::Relock(..) => {
                self.relock[who] = None;
                self.at[who] += 1;
            }
            _ => {
                let skips = self.scripts[who][self.at[who]].1;
                self.at[who] += if skips && value == 0 { 2 } else { 1 };
            }
        }
        what
    }
}

impl World for Toy {
    type Semantics = State;
    type Discovered = ();
    type Known = ();

    fn discovered(&self) {}

    fn inform(&mut self, (): &()) {}

    fn restart(&mut self) -> Result<Progress, Trouble> {
        *self = Toy::new(self.scripts.clone(), self.initial.clone());
        Ok(Progress::default())
    }

    fn step(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble> {
        self.execute(who, outcome);
        Ok(Progress::default())
    }

    fn semantics(&self) -> &State {
        &self.state
    }

    fn pending(&self) -> Vec<(Tid, Do)> {
        (0..self.scripts.len()).filter_map(|who| Some((who, self.next(who)?))).collect()
    }

    fn same(a: &Do, b: &Do) -> bool {
        a == b
    }

    fn ending(&self) -> Ending {
        if self.pending().is_empty() { Ending::Terminated } else { Ending::Deadlock(String::new()) }
    }
}

/// An executed statement, by definition of the test.
#[derive(Clone, Debug)]
struct Event {
    who: Tid,
    nth: usize,
    what: Do,
    outcome: Outcome,
    /// The threads it woke.
    woke: Vec<Tid>,
}

/// The dependency relation as it is written in the documentation, said again in other words.
fn depend(a: &Event, b: &Event) -> bool {
    let mutex = |d: Do| match d {
        Do::Lock(m) | Do::TryLock(m) | Do::Unlock(m) | Do::CondWait(_, m) | Do::Relock(_, m) => Some(m),
        _ => None,
    };
    let condition = |d: Do| match d {
        Do::CondWait(c, _) | Do::Signal(c) | Do::Broadcast(c) => Some(c),
        _ => None,
    };
    let same = |x: Option<u64>, y: Option<u64>| x.is_some() && x == y;
    let wakes = |x: &Event, y: &Event| matches!(y.what, Do::Relock(..)) && x.woke.contains(&y.who);
    let both_wake = a.woke.iter().any(|t| b.woke.contains(t));
    let values = match (a.what, b.what) {
        (Do::Wait(s), Do::Wait(t) | Do::Post(t)) | (Do::Post(s), Do::Wait(t)) => s == t,
        (Do::Write(x), Do::Write(y) | Do::Read(y)) | (Do::Read(x), Do::Write(y)) => x == y,
        _ => false,
    };
    a.who == b.who
        || values
        || same(mutex(a.what), mutex(b.what))
        || same(condition(a.what), condition(b.what))
        || wakes(a, b)
        || wakes(b, a)
        || both_wake
}

/// A class of equivalent runs: its events, and the order of those that depend on each other.
type Trace = (BTreeSet<(Tid, usize, Do, Outcome)>, BTreeSet<((Tid, usize), (Tid, usize))>);

fn class(run: &[Event]) -> Trace {
    let events = run.iter().map(|e| (e.who, e.nth, e.what, e.outcome)).collect();
    let mut order = BTreeSet::new();
    for (i, a) in run.iter().enumerate() {
        for b in run[i + 1..].iter().filter(|b| depend(a, b)) {
            order.insert(((a.who, a.nth), (b.who, b.nth)));
        }
    }
    (events, order)
}

#[derive(Debug, Default, PartialEq)]
struct Counted {
    runs: u64,
    terminated: BTreeSet<Trace>,
    deadlocked: BTreeSet<Trace>,
}

fn brute(toy: &Toy, run: &mut Vec<Event>, counted: &mut Counted) {
    if counted.runs > MOST {
        return;
    }
    let mut moved = false;
    for (who, what) in toy.pending() {
        for outcome in toy.state.possible(who, what) {
            moved = true;
            let mut next = toy.clone();
            next.execute(who, outcome);
            let woke = next.state.woken.difference(&toy.state.woken).copied().collect();
            let nth = run.iter().filter(|e| e.who == who).count();
            run.push(Event { who, nth, what, outcome, woke });
            brute(&next, run, counted);
            run.pop();
        }
    }
    if !moved {
        counted.runs += 1;
        let ended = toy.pending().is_empty();
        if ended { &mut counted.terminated } else { &mut counted.deadlocked }.insert(class(run));
    }
}

struct Chance(Random);

impl Chance {
    fn new(seed: u64) -> Chance {
        Chance(Random::new(seed))
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0.below(n as usize) as u64
    }
}

fn random(chance: &mut Chance) -> Toy {
    let threads = 2 + chance.below(2) as usize;
    let most = if threads == 2 { 6 } else { 4 };
    let statement = |chance: &mut Chance| {
        let (x, y) = (chance.below(2), chance.below(2));
        let what = match chance.below(16) {
            0..=2 => Do::Lock(x),
            3..=5 => Do::Unlock(x),
            6 => Do::TryLock(x),
            7 => Do::Wait(x),
            8 => Do::Post(x),
            9 | 10 => Do::Read(x),
            11 | 12 => Do::Write(x),
            13 => Do::Toss(1),
            14 => Do::CondWait(x, y),
            _ if y == 0 => Do::Signal(x),
            _ => Do::Broadcast(x),
        };
        (what, chance.below(2) == 0)
    };
    let scripts = (0..threads).map(|_| (0..1 + chance.below(most)).map(|_| statement(chance)).collect());
    let scripts = scripts.collect();
    let semaphore = [chance.below(2) as i64, chance.below(3) as i64];
    Toy::new(scripts, State { semaphore, ..State::default() })
}

fn searched(toy: &Toy, reduction: Reduction, others: usize) -> explore::stateless::Report<Do, ()> {
    let bounds = Bounds { keep_going: true, ..Bounds::default() };
    let mut mine = toy.clone();
    let workers = Workers { others, world: &|_| Ok(toy.clone()) };
    let searched = search(&mut mine, Some(workers), reduction, bounds, &mut |_| true);
    let report = searched.report;
    assert!(report.exhausted && searched.trouble.is_none(), "{:?}: {report:?}", toy.scripts);
    report
}

/// A program, all its runs, and who moved in each.
fn with_all_runs(chance: &mut Chance) -> (Toy, Counted) {
    loop {
        let toy = random(chance);
        let mut counted = Counted::default();
        brute(&toy, &mut Vec::new(), &mut counted);
        if counted.runs <= MOST {
            return (toy, counted);
        }
    }
}

/// Programs with more runs than this take too long.
const MOST: u64 = 3000;

/// Runs by how often a thread that could go on was put aside.
fn preempting(toy: &Toy, last: Option<Tid>, so_far: usize, most: usize) -> u64 {
    let can = |who: Tid| toy.next(who).is_some_and(|what| !toy.state.possible(who, what).is_empty());
    let mut runs = 0;
    let mut moved = false;
    for (who, what) in toy.pending() {
        for outcome in toy.state.possible(who, what) {
            moved = true;
            let aside = last.is_some_and(|l| l != who && can(l));
            let now = so_far + usize::from(aside);
            if now <= most {
                let mut next = toy.clone();
                next.execute(who, outcome);
                runs += preempting(&next, Some(who), now, most);
            }
        }
    }
    runs + u64::from(!moved)
}

#[test]
fn a_bound_on_preemptions_leaves_out_what_has_more() {
    let mut chance = Chance::new(5);
    let mut left_out = 0;
    for number in 0..150 {
        let (toy, counted) = with_all_runs(&mut chance);
        for most in 0..3 {
            let bounds = Bounds { keep_going: true, preemptions: Some(most), ..Bounds::default() };
            let searched = search(&mut toy.clone(), None, Reduction::None, bounds, &mut |_| true);
            let expected = preempting(&toy, None, 0, most);
            assert_eq!(searched.report.runs(), expected, "program {number}, {most}");
            assert_eq!(searched.report.exhausted, expected == counted.runs, "program {number}, {most}");
            left_out += u64::from(expected < counted.runs);
        }
    }
    assert!(left_out > 100, "{left_out}");
}

#[test]
fn estimates_are_about_right() {
    let mut chance = Chance::new(9);
    let mut few = std::iter::repeat_with(|| with_all_runs(&mut chance)).filter(|(_, c)| c.runs <= 100);
    for number in 0..40 {
        let Some((toy, counted)) = few.next() else { break };
        let classes = counted.terminated.len() + counted.deadlocked.len();
        let bounds = Bounds { keep_going: true, ..Bounds::default() };
        let how = Sampling::Estimate { runs: 4000 };
        let (searched, estimate) = sample(&mut toy.clone(), how, bounds, number, &mut |_| true);
        assert!(!searched.report.exhausted && searched.report.bounded.is_some());
        for (about, exact) in [(estimate.runs, counted.runs as f64), (estimate.classes, classes as f64)] {
            let off = (about.mean - exact).abs();
            assert!(off <= 5.0 * about.error + 1e-6, "program {number}: {about:?}, {exact}");
        }
    }
}

#[test]
fn sampled_runs_are_runs_and_every_class_is_hit() {
    let mut chance = Chance::new(3);
    for number in 0..60 {
        let (toy, counted) = with_all_runs(&mut chance);
        let few = counted.terminated.len() + counted.deadlocked.len() <= 6;
        for how in [Sampling::Random { runs: 400 }, Sampling::Pct { depth: 3, runs: 400 }] {
            let bounds = Bounds { keep_going: true, ..Bounds::default() };
            let (searched, _) = sample(&mut toy.clone(), how, bounds, number, &mut |_| true);
            assert_eq!(searched.report.runs(), 400, "program {number}");
            let deadlocks = searched.report.deadlocks > 0;
            assert!(!deadlocks || !counted.deadlocked.is_empty(), "program {number}: no such run");
            if few && matches!(how, Sampling::Random { .. }) {
                assert_eq!(deadlocks, !counted.deadlocked.is_empty(), "program {number}: deadlocks");
            }
        }
    }
}

#[test]
fn shortened_runs_are_equivalent_and_change_threads_less_often() {
    let mut chance = Chance::new(2);
    let (mut before, mut after) = (0, 0);
    for number in 0..600 {
        let toy = random(&mut chance);
        let bounds = Bounds { keep_going: false, ..Bounds::default() };
        let searched = search(&mut toy.clone(), None, Reduction::Sleep, bounds, &mut |_| true);
        let Some(violation) = searched.report.violations.first() else { continue };
        let run = |schedule: &[Transition<Do>]| {
            let mut toy = toy.clone();
            let mut events: Vec<Event> = Vec::new();
            for t in schedule {
                assert!(toy.state.possible(t.who, t.op).contains(&t.outcome), "program {number}");
                let woken = toy.state.woken.clone();
                let what = toy.execute(t.who, t.outcome);
                let woke = toy.state.woken.difference(&woken).copied().collect();
                let nth = events.iter().filter(|e| e.who == t.who).count();
                events.push(Event { who: t.who, nth, what, outcome: t.outcome, woke });
            }
            class(&events)
        };
        let switches = |s: &[Transition<Do>]| s.windows(2).filter(|w| w[0].who != w[1].who).count();
        let short = shorten(violation);
        assert_eq!(run(&short), run(&violation.schedule), "program {number}");
        before += switches(&violation.schedule);
        after += switches(&short);
    }
    assert!(after < before, "{after} of {before}");
}

/// From the environment, to make it longer.
fn given(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// The second number tossed leads to a race that is reversed at the root, below an entry whose only
/// run so far, with the first number, is over: it was begun for that alone, and does not stand for
/// all that begins like it.
#[test]
fn what_is_found_late_goes_below_an_entry_with_a_guide() {
    let plain = |all: &[Do]| all.iter().map(|what| (*what, matches!(what, Do::Toss(_)))).collect();
    let scripts = vec![
        plain(&[Do::Lock(0), Do::Wait(1), Do::Lock(0)]),
        plain(&[Do::Post(1), Do::Toss(1), Do::Wait(1), Do::Lock(0)]),
    ];
    let toy = Toy::new(scripts, State::default());
    let mut counted = Counted::default();
    brute(&toy, &mut Vec::new(), &mut counted);
    assert_eq!((counted.terminated.len(), counted.deadlocked.len()), (0, 5));
    for others in 0..3 {
        let report = searched(&toy, Reduction::Dpor, others);
        assert_eq!((report.terminated, report.deadlocks, report.blocked), (0, 5, 0));
    }
}

#[test]
fn reductions_see_every_trace_and_dynamic_reduction_each_once() {
    let mut chance = Chance::new(given("SEED", 1));
    let (mut traces, mut runs) = (0, 0);
    for number in 0..given("PROGRAMS", 1500) as usize {
        let (toy, counted) = with_all_runs(&mut chance);
        let expected = (counted.terminated.len() as u64, counted.deadlocked.len() as u64);
        let about = || format!("program {number}: {:?} {:?}", toy.scripts, toy.initial.semaphore);
        assert_eq!(searched(&toy, Reduction::None, 0).runs(), counted.runs, "none, {}", about());
        let sleep = searched(&toy, Reduction::Sleep, 1);
        assert_eq!((sleep.terminated, sleep.deadlocks), expected, "sleep, {}", about());
        let dpor = searched(&toy, Reduction::Dpor, number % 3);
        assert_eq!((dpor.terminated, dpor.deadlocks), expected, "dpor, {}", about());
        assert_eq!(dpor.blocked, 0, "blocked, {}", about());
        traces += expected.0 + expected.1;
        runs += counted.runs;
    }
    assert!(
        traces > given("PROGRAMS", 1500) && runs > 5 * traces,
        "the programs are too tame: {traces} traces, {runs} runs"
    );
}
