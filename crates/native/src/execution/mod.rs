//! One run of a program: what is pending, what happens by itself, what a transition brings about.
//!
//! Creation of threads and processes, joins, waits for a given child, ends that nobody can observe, and everything done while
//! nobody else exists are not transitions: they happen as soon as they can, as part of the transition before them. They only
//! bring order ([`Progress::edges`]). The end of a process that somebody may observe (`wait` for any child, SEM_UNDO, robust
//! mutexes, threads still running) is a transition like others; that a parent waits for any child is found out on the way, and
//! then the search begins anew ([`Trouble::Restart`]).

mod circles;
mod decode;
mod names;
mod races;
mod signals;
mod time;

use crate::launch::Program;
use crate::machine::{Machine, Silence};
use crate::objects::{Life, Model, Resume, all_sent_by};
use crate::operation::{Aftermath, Class, FIRE, Happening, LEAVE, Op, Outcome, Tid};
use crate::protocol::{self as p, Request};
use crate::report::{Ending, Failure, Kind, Trouble};
use crate::search::{Progress, Semantics, Use, World};
pub use names::{Known, SetName};
use races::{Detector, Meeting};
pub use races::{Plain, Race};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

/// A program that is executed under control, again and again.
pub struct Execution {
    pub machine: Machine,
    pub known: Known,
    model: Model,
    /// Behind which operation things happen now.
    behind: Option<Aftermath>,
    /// Who runs because of it: its thread, and children born since.
    running: BTreeSet<Tid>,
    threads: BTreeMap<Tid, Thread>,
    spaces: BTreeMap<u64, names::Space>,
    /// What the kernel numbers anew in each run, and its name.
    regions: BTreeMap<u64, u64>,
    /// Created, and not yet heard of.
    newborn: VecDeque<Tid>,
    edges: Vec<(Tid, Tid)>,
    failure: Option<Failure>,
    /// A place was found where threads may only wait.
    suspicion: bool,
    /// Those who go round in a circle do so for ever: nobody else can move, and they read the same again.
    for_ever: bool,
    pub time: Time,
    /// Something that is not modelled would happen now.
    unmodelled: Option<&'static str>,
    detector: Detector,
    pub races: BTreeSet<Race>,
    /// More places in the code turned out to race: what was seen so far was not everything.
    pub more_races: bool,
    pub options: Options,
    pub uncontrolled: BTreeSet<String>,
    pub assumes: BTreeSet<String>,
    /// How racing places were reached.
    pub stacks: BTreeMap<u64, Vec<u64>>,
    /// Every operation is wanted with its callers.
    pub tells_stacks: bool,
    /// The transitions of this run, and how many events are on the tape up to each; the first: before them.
    taken: Vec<(Tid, Outcome)>,
    marks: Vec<usize>,
    /// How much was visible in this run.
    visible: (usize, usize, usize),
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// An exit status other than 0 is a failure.
    pub exit_matters: bool,
    /// A data race is a failure.
    pub races_matter: bool,
    /// Each wait on a condition variable may end by itself, this often in a thread.
    pub spurious: u32,
    /// Sleeping orders: nobody is outrun who sleeps less.
    pub ordered: bool,
    pub divergence: Duration,
}

struct Thread {
    process: u64,
    state: State,
    /// How many threads and processes it has created.
    children: u64,
    /// Threads that are known to have ended, by joins and waits.
    ended: BTreeSet<Tid>,
    uses: Option<Vec<Use>>,
    /// The beginning of a declaration.
    declaring: Vec<Use>,
    joined: bool,
    /// If sleeping orders: what the time is for it.
    time: u64,
    /// How often it may still wake by itself.
    spurious: u32,
    /// How many channels it has made.
    made: u64,
    /// How many things it did that were no transitions; those since it waited for others.
    deeds: u64,
    before: Vec<Happening>,
    /// What its handlers have interrupted.
    interrupted: Vec<Resume>,
    /// There is no such thread: a timer, the end of a process whose threads have all ended.
    unreal: bool,
}

#[derive(Debug)]
enum State {
    Running,
    Pending(Box<Op>),
    Ended,
    /// Its process ended before it came to this.
    Killed(Box<Op>),
    /// It failed, and goes no further.
    Stopped,
}

impl Execution {
    /// `worker` tells which processor to take.
    pub fn new(
        program: &Program,
        options: Options,
        known: Known,
        worker: usize,
    ) -> Result<Execution, Trouble> {
        Ok(Execution {
            machine: Machine::new(program, options.divergence, worker)?,
            known,
            model: Model::default(),
            behind: None,
            running: BTreeSet::new(),
            threads: BTreeMap::new(),
            spaces: BTreeMap::new(),
            regions: BTreeMap::new(),
            newborn: VecDeque::new(),
            edges: Vec::new(),
            failure: None,
            suspicion: false,
            for_ever: false,
            time: Time::default(),
            unmodelled: None,
            detector: Detector::default(),
            races: BTreeSet::new(),
            more_races: false,
            options,
            uncontrolled: BTreeSet::new(),
            assumes: BTreeSet::new(),
            stacks: BTreeMap::new(),
            tells_stacks: false,
            taken: Vec::new(),
            marks: Vec::new(),
            visible: (0, 0, 0),
        })
    }

    fn thread(&mut self, who: Tid) -> &mut Thread {
        self.threads.entry(who).or_insert_with(|| Thread::new(who as u64))
    }

    /// Answers a thread. While nobody else exists, what it does to objects needs no answer.
    fn let_go(&mut self, who: Tid, result: i64, data: &[u8]) {
        let several = !self.is_alone(who);
        let now = self.model.now;
        let thread = self.thread(who);
        thread.time = thread.time.max(now);
        let time = thread.time;
        self.machine.grant(who, result, data, several, time);
    }

    /// What the first thread did so far comes before what the second does from now on.
    fn order(&mut self, from: Tid, to: Tid) {
        self.edges.push((from, to));
        self.detector.order(self.runner(from), self.runner(to));
    }

    /// Who runs as a thread, to the detector: itself or a handler.
    fn runner(&self, who: Tid) -> Tid {
        who + p::LIM_SLOTS * self.threads.get(&who).map_or(0, |t| t.interrupted.len())
    }

    fn look_for_races(&mut self, who: Tid, plain: &Plain) {
        let process = self.thread(who).process;
        let place = self.spaces.get(&process).map(|s| s.place(process, plain.at));
        let (space, start) = place.unwrap_or((process, plain.at));
        for Meeting { with, race } in self.detector.access(self.runner(who), space, start, plain) {
            // A handler may do that to what it interrupts.
            if with % p::LIM_SLOTS != who {
                self.races.insert(race);
                if self.options.races_matter {
                    self.fail(Failure::new(Kind::Race, "two threads access the same memory, unordered"));
                    continue;
                }
            }
            for place in [race.first, race.second] {
                self.more_races |= self.known.racing.insert(place);
            }
        }
    }

    /// A thread does something to the objects that is no transition.
    fn change(&mut self, who: Tid, change: impl Fn(&mut Model) + Send + Sync + 'static) {
        let happening = self.happening(who, change);
        happening.happen(&mut self.model);
    }

    /// Remembers it: behind the transition that let the thread run, or, if the thread had to wait for others and then ran by
    /// itself, before the next operation of its own and of its children.
    fn happening(&mut self, who: Tid, change: impl Fn(&mut Model) + Send + Sync + 'static) -> Happening {
        let thread = self.thread(who);
        thread.deeds += 1;
        let happening = Happening::new((who, thread.deeds), change);
        match &self.behind {
            None => {}
            Some(behind) if self.running.contains(&who) => behind.push(happening.clone()),
            Some(_) => self.thread(who).before.push(happening.clone()),
        }
        happening
    }

    fn fail(&mut self, failure: Failure) {
        self.failure.get_or_insert(failure);
    }

    /// Lets a thread run to its next operation, then its children, then whatever can happen by itself.
    fn settle(&mut self, mut running: Option<Tid>) -> Result<(), Trouble> {
        loop {
            if self.machine.is_unforeseen() {
                return Err(Trouble::Unforeseen);
            }
            if let Some(what) = self.unmodelled.take() {
                return Err(Trouble::Uncontrolled(what.to_string()));
            }
            if let Some(who) = running.take() {
                self.listen(who)?;
            }
            if std::mem::take(&mut self.suspicion) {
                return Err(Trouble::Restart);
            }
            if self.failure.as_ref().is_some_and(|f| f.fatal) {
                break;
            }
            if let Some(child) = self.newborn.pop_front() {
                if let Some(request) = self.hear(child)? {
                    debug_assert!(request.op == p::OP_START || request.op == p::OP_CRASH);
                    self.let_go(child, 0, &[]);
                    running = Some(child);
                }
            } else if let Some((who, outcome)) = self.by_itself()? {
                running = self.happens(who, outcome).then_some(who);
            } else {
                break;
            }
        }
        Ok(())
    }

    /// The next request of a thread that runs; none if it will never come.
    fn hear(&mut self, who: Tid) -> Result<Option<Request>, Trouble> {
        let request = self.machine.request(who);
        for (from, note) in self.machine.notes() {
            self.take_note(from, &note);
        }
        let accesses = self.machine.accesses(who);
        for plain in &accesses {
            self.look_for_races(who, plain);
        }
        match request {
            Ok(request) => {
                self.note_time(who, &request);
                return Ok(Some(request));
            }
            Err(Silence::Trouble(trouble)) => return Err(trouble),
            Err(Silence::Diverges) => {
                let limit = self.machine.divergence;
                let what = format!("thread {who} computes for {limit:?} without a visible operation");
                self.expect_handlers(who, &accesses);
                // Others go on: they may write what it reads, and then it only waits, in a way that races.
                let fatal = !self.machine.is_instrumented();
                self.fail(Failure { fatal, ..Failure::new(Kind::Divergence, what) });
            }
            Err(Silence::Died) => {
                self.fail(Failure::fatal(Kind::Crash, format!("process of thread {who} was killed")));
            }
        }
        self.thread(who).state = State::Stopped;
        Ok(None)
    }

    /// Follows a thread to its next visible operation.
    fn listen(&mut self, who: Tid) -> Result<(), Trouble> {
        while let Some(request) = self.hear(who)? {
            match request.op {
                p::OP_CREATE => self.create(who, &request)?,
                p::OP_UNBORN => {
                    let what = "a thread or process that could not be created";
                    self.uncontrolled.insert(what.to_string());
                    let child = request.object as Tid % p::LIM_SLOTS;
                    self.threads.remove(&child);
                    self.change(who, move |m| {
                        m.lives.retain(|id, _| *id != child as u64);
                        m.end_thread(child);
                    });
                    self.newborn.retain(|c| *c != child);
                    self.let_go(who, 0, &[]);
                }
                p::OP_UNCONTROLLED => {
                    self.uncontrolled.insert(request.text());
                    if request.a == 1 {
                        return Err(Trouble::Uncontrolled(request.text()));
                    }
                    self.let_go(who, 0, &[]);
                }
                p::OP_ASSUME => {
                    self.assumes.insert(request.text());
                    self.let_go(who, 0, &[]);
                }
                p::OP_FD_NEW => {
                    self.new_file(who, &request);
                    self.let_go(who, 0, &[]);
                }
                p::OP_FD_DUP => {
                    let process = self.thread(who).process;
                    let (old, new) = (request.object, request.a as u64);
                    self.change(who, move |m| m.files.duplicate(process, old, new));
                    self.let_go(who, 0, &[]);
                }
                p::OP_SYSV_GET | p::OP_MSG_GET if request.a == 0 => {
                    let id = self.get_private(who, &request);
                    self.let_go(who, id, &[]);
                }
                p::OP_ASSERT => {
                    self.fail(Failure::new(Kind::Assertion, request.text()));
                    self.thread(who).state = State::Stopped;
                    return Ok(());
                }
                p::OP_MISUSE => {
                    self.fail(Failure::new(Kind::Misuse, request.text()));
                    self.let_go(who, 0, &[]);
                }
                p::OP_CRASH => {
                    let signal = signal_name(request.a);
                    self.fail(Failure::new(Kind::Crash, format!("thread {who} is killed by {signal}")));
                    self.thread(who).state = State::Stopped;
                    return Ok(());
                }
                p::OP_EXIT_THREAD => {
                    self.exit_thread(who, &request)?;
                    return Ok(());
                }
                p::OP_RESUME => {
                    if !self.resume(who) {
                        return Ok(());
                    }
                }
                p::OP_FD_CLOSE if self.closes_plainly(who, &request) => {
                    let op = self.decode(who, &request)?;
                    self.change(who, move |m| drop(m.apply(who, &op, 0)));
                    self.let_go(who, 0, &[]);
                }
                p::OP_SIGACTION | p::OP_SIGMASK if !self.known.alert() && self.model.is_quiet() => {
                    self.set_signals(who, &request)?;
                    self.let_go(who, 0, &[]);
                }
                p::OP_NONE | p::OP_START | p::OP_YIELD => self.let_go(who, 0, &[]),
                _ => {
                    let mut op = self.decode(who, &request)?;
                    op.aftermath.before = std::mem::take(&mut self.thread(who).before);
                    if !op.stack.is_empty() && self.known.racing.contains(&op.pc) {
                        self.stacks.entry(op.pc).or_insert_with(|| op.stack.clone());
                    }
                    self.check_declared(who, &op);
                    self.thread(who).state = State::Pending(Box::new(op));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn create(&mut self, who: Tid, request: &Request) -> Result<(), Trouble> {
        let parent = self.thread(who);
        parent.children += 1;
        let (nth, process, uses, time) = (parent.children, parent.process, parent.uses.clone(), parent.time);
        let Some(child) = self.known.thread(who, nth) else {
            return Err(Trouble::Uncontrolled(format!("more than {} threads", p::LIM_SLOTS)));
        };
        let forked = request.a == 1;
        let space = if forked { child as u64 } else { process };
        if forked {
            self.change(who, move |m| m.copy_space(process, space));
            let copy = self.spaces.get(&process).cloned().unwrap_or_default();
            self.spaces.insert(space, copy);
            let life = Life { parent: process, ended: false, reaped: false };
            self.change(who, move |m| m.lives.extend([(space, life)]));
        }
        self.change(who, move |m| m.begin_thread(child, space, who));
        let spurious = self.options.spurious;
        self.threads.insert(child, Thread { uses, spurious, time, ..Thread::new(space) });
        if self.running.contains(&who) {
            self.running.insert(child);
        }
        self.thread(child).before = self.thread(who).before.clone();
        self.order(who, child);
        self.newborn.push_back(child);
        self.let_go(who, child as i64, &[]);
        Ok(())
    }

    /// Something that happens without being a transition.
    fn by_itself(&mut self) -> Result<Option<(Tid, Outcome)>, Trouble> {
        for (&who, thread) in &self.threads {
            let State::Pending(op) = &thread.state else { continue };
            let alert = self.known.alert();
            if let Some(process) = self.to_watch(who, op) {
                return Err(self.known.watch(process));
            }
            let outcomes = self.outcomes_some_time(who, op);
            let unseen = match op.kind {
                p::OP_JOIN if alert => false,
                p::OP_JOIN => self.threads.get(&(op.key.at as Tid)).is_none_or(|t| t.has_ended()),
                p::OP_WAIT => {
                    let any = (op.a < 0 || op.b & 1 != 0) && outcomes != [crate::objects::NONE];
                    if any && self.known.watched.insert(op.process) {
                        return Err(Trouble::Restart);
                    }
                    !any && !alert && !outcomes.is_empty()
                }
                LEAVE => outcomes == [0],
                // Whether it comes before the end of the process makes a difference: that end is visible.
                p::OP_KILL => {
                    let parent = self.model.lives.get(&op.key.space).map(|l| l.parent);
                    if parent.is_some_and(|p| self.known.watched.insert(p)) {
                        return Err(Trouble::Restart);
                    }
                    false
                }
                p::OP_EXIT_PROCESS => self.exit_unseen(op),
                p::OP_TOSS | FIRE => false,
                _ => outcomes.len() == 1 && self.is_alone(who),
            };
            if unseen {
                return Ok(Some((who, outcomes.first().copied().unwrap_or(0))));
            }
        }
        Ok(None)
    }

    /// Whether all others have ended, and this thread knows.
    fn is_alone(&self, who: Tid) -> bool {
        let Some(known) = self.threads.get(&who).map(|t| &t.ended) else { return false };
        let is_past = |t: &Thread| t.has_ended() && !matches!(t.state, State::Killed(_));
        self.threads.iter().all(|(other, t)| *other == who || is_past(t) && known.contains(other))
    }

    fn exit_unseen(&self, op: &Op) -> bool {
        let living = self.threads.values().filter(|t| t.process == op.process && t.lives()).count();
        let parent = self.model.lives.get(&op.process).map(|l| l.parent);
        let given_back = !self.model.owed(op.process).is_empty()
            || !self.model.robust(op.process).is_empty()
            || self.model.files.end_is_seen(op.process);
        living <= 1 && !given_back && !parent.is_some_and(|p| self.known.watched.contains(&p))
    }

    /// Executes an operation that is no transition; whether the thread then runs.
    fn happens(&mut self, who: Tid, outcome: Outcome) -> bool {
        if let State::Pending(op) = &self.thread(who).state {
            let op = op.clone();
            let happening = self.happening(who, move |m| drop(m.apply(who, &op, outcome)));
            self.model.happened.insert(happening.id);
        }
        self.execute(who, outcome)
    }

    /// Executes a pending operation; whether the thread then runs.
    fn execute(&mut self, who: Tid, outcome: Outcome) -> bool {
        let state = std::mem::replace(&mut self.thread(who).state, State::Running);
        let State::Pending(op) = state else { return false };
        if self.machine.is_instrumented() {
            let touched = self.model.footprint(who, &op, outcome);
            self.detector.transition(self.runner(who), &touched);
        }
        let effect = self.model.apply(who, &op, outcome);
        if let Some(what) = effect.misuse {
            self.fail(Failure::new(Kind::Misuse, format!("thread {who}: {what}")));
        }
        self.unmodelled = self.unmodelled.or(effect.unmodelled);
        for released in &effect.released {
            self.order(who, *released);
        }
        match op.kind {
            p::OP_TOSS if outcome == 1 && op.behind.as_ref().is_some_and(|b| b.is_spurious()) => {
                let thread = self.thread(who);
                thread.spurious = thread.spurious.saturating_sub(1);
            }
            p::OP_JOIN | p::OP_TRYJOIN if effect.resume.is_none() && effect.result == 0 => {
                self.learn(who, &[op.key.at as Tid])
            }
            p::OP_WAIT if outcome >= 0 => {
                let child = outcome as u64;
                let ended: Vec<Tid> =
                    self.threads.iter().filter(|(_, t)| t.process == child).map(|(id, _)| *id).collect();
                self.learn(who, &ended);
            }
            p::OP_EXIT_PROCESS if effect.resume.is_none() => {
                self.end_process(who, &op);
                if !self.thread(who).unreal {
                    self.let_go(who, 0, &[]);
                }
                return false;
            }
            p::OP_EXIT_THREAD => {
                self.thread(who).state = State::Ended;
                self.end_of_threads(who);
                return false;
            }
            p::OP_TIMER if effect.result >= 0 && effect.resume.is_none() => self.start_timer(who, &op),
            FIRE => {
                self.fired(who, op, effect.told, effect.result == 1);
                return false;
            }
            p::OP_KILL if effect.result == 1 && effect.resume.is_none() => {
                if op.key.space == op.process {
                    self.end_process(who, &Op { a: 0, ..(*op).clone() });
                    self.let_go(who, effect.result, &[]);
                    return false;
                }
                self.die(who, &op, op.key.space, op.a);
            }
            _ => {}
        }
        if effect.dies {
            self.end_process(who, &Op { a: 0, ..(*op).clone() });
            self.let_go(who, effect.result, &effect.data);
            return false;
        }
        if let Some(resume) = effect.resume {
            let itself = op.kind == p::OP_KILL && all_sent_by(&effect.data, who);
            self.interrupt(who, resume, itself);
        }
        if let Some(next) = effect.next {
            let next = Op { aftermath: Aftermath::default(), ..next };
            self.thread(who).state = State::Pending(Box::new(next));
            return false;
        }
        self.let_go(who, effect.result, &effect.data);
        true
    }

    /// A thread knows that others have ended, and all that they knew.
    fn learn(&mut self, who: Tid, ended: &[Tid]) {
        for &other in ended {
            let (known, time) = (self.thread(other).ended.clone(), self.thread(other).time);
            self.thread(other).joined = true;
            self.order_ended(other, who);
            let mine = self.thread(who);
            mine.time = mine.time.max(time);
            mine.ended.extend(known);
            mine.ended.insert(other);
        }
    }

    fn end_process(&mut self, who: Tid, op: &Op) {
        for thread in self.threads.values_mut().filter(|t| t.process == op.process) {
            thread.state = match std::mem::replace(&mut thread.state, State::Ended) {
                State::Pending(undone) => State::Killed(undone),
                _ => State::Ended,
            };
        }
        let ended: BTreeSet<Tid> =
            self.threads.iter().filter(|(_, t)| t.process == op.process).map(|(id, _)| *id).collect();
        self.change(who, move |m| m.orphan(|owner| ended.contains(&owner)));
        if self.options.exit_matters && op.a != 0 {
            self.fail(Failure::new(Kind::Exit, format!("process {} ends with status {}", op.process, op.a)));
        }
    }
}

/// How a program passes its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// A loop that only waits has slept.
    pub slept: bool,
    pub reads_clock: bool,
}

/// What a search knows about a program besides its runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Learnt {
    known: Known,
    races: BTreeSet<Race>,
    uncontrolled: BTreeSet<String>,
    assumes: BTreeSet<String>,
    stacks: BTreeMap<u64, Vec<u64>>,
    time: Time,
}

impl World for Execution {
    type Semantics = Model;
    type Learnt = Learnt;

    fn learnt(&self) -> Learnt {
        Learnt {
            known: self.known.clone(),
            races: self.races.clone(),
            uncontrolled: self.uncontrolled.clone(),
            assumes: self.assumes.clone(),
            stacks: self.stacks.clone(),
            time: self.time,
        }
    }

    fn teach(&mut self, learnt: &Learnt) {
        let Learnt { known, races, uncontrolled, assumes, stacks, time } = learnt.clone();
        if known != self.known {
            self.marks.clear(); // threads may get other names
        }
        (self.known, self.races, self.uncontrolled, self.assumes) = (known, races, uncontrolled, assumes);
        (self.stacks, self.time) = (stacks, time);
        self.more_races = false;
    }

    fn is_stale(&self) -> bool {
        self.more_races
    }

    fn restart(&mut self) -> Result<Progress, Trouble> {
        self.begin(None)
    }

    fn restart_towards(
        &mut self,
        way: &mut dyn Iterator<Item = (Tid, Outcome)>,
    ) -> Result<Progress, Trouble> {
        let same = self.taken.iter().zip(way).take_while(|(a, b)| *a == b).count();
        let keep = self.marks.get(same.min(self.marks.len().saturating_sub(1))).copied().unwrap_or(0);
        self.begin(Some(keep))
    }

    fn finish(&mut self) -> Result<(), Trouble> {
        self.machine.catch_up()
    }

    fn step(&mut self, who: Tid, outcome: Outcome) -> Result<Progress, Trouble> {
        self.running = BTreeSet::from([who]);
        self.behind = match &self.thread(who).state {
            State::Pending(op) => Some(op.aftermath.clone()),
            _ => None,
        };
        self.taken.push((who, outcome));
        let running = self.execute(who, outcome).then_some(who);
        self.settle(running)?;
        self.pass_time();
        self.mark();
        self.look_at_circles()?;
        Ok(self.progress())
    }

    fn semantics(&self) -> &Model {
        &self.model
    }

    fn pending(&self) -> Vec<(Tid, Op)> {
        // A join is no transition: it happens by itself as soon as it can. Who goes round in a circle goes on in other runs.
        let now = |op: &Op| op.ready <= self.model.now;
        self.stuck().into_iter().filter(|(who, op)| self.counts(*who, op) && now(op)).collect()
    }

    fn next_of(&self, who: Tid) -> Option<Op> {
        match &self.threads.get(&who)?.state {
            State::Pending(op) if self.counts(who, op) && op.ready <= self.model.now => Some((**op).clone()),
            _ => None,
        }
    }

    fn unexecuted(&self) -> Vec<(Tid, Op)> {
        let killed = self.threads.iter().filter_map(|(who, t)| match &t.state {
            State::Killed(op) if op.kind != p::OP_JOIN || self.known.alert() => Some((*who, (**op).clone())),
            _ => None,
        });
        self.stuck().into_iter().filter(|(who, op)| self.counts(*who, op)).chain(killed).collect()
    }

    fn same(a: &Op, b: &Op) -> bool {
        a.same(b)
    }

    fn ending(&self) -> Ending {
        let stuck: Vec<(Tid, Op)> = self.stuck().into_iter().filter(|(_, op)| op.kind != FIRE).collect();
        let circling = stuck.iter().any(|(_, op)| op.kind == p::OP_CIRCLE);
        if circling && !self.for_ever || stuck.iter().any(|(_, op)| op.expires) {
            return Ending::Expired;
        }
        if stuck.is_empty() {
            return Ending::Terminated;
        }
        let words = stuck.iter().map(|(who, op)| format!("thread {who} in {}", op.name()));
        Ending::Deadlock(format!("nobody can move: {}", words.collect::<Vec<_>>().join(", ")))
    }

    fn uses(&self, who: Tid) -> Option<Vec<Use>> {
        self.threads.get(&who)?.uses.clone()
    }
}

impl Execution {
    /// Who stands before an operation, joins included.
    pub fn stuck(&self) -> Vec<(Tid, Op)> {
        let pending = self.threads.iter().filter_map(|(who, t)| match &t.state {
            State::Pending(op) => Some((*who, (**op).clone())),
            _ => None,
        });
        pending.collect()
    }

    /// The process of a thread.
    pub fn process_of(&self, who: Tid) -> u64 {
        self.threads.get(&who).map_or(0, |t| t.process)
    }

    /// A new run, that begins with so many events of the last one.
    fn begin(&mut self, keep: Option<usize>) -> Result<Progress, Trouble> {
        if !self.machine.set_places(&self.known.racing, &self.known.waiting) {
            return Err(Trouble::Uncontrolled("too many places with data races or loops".to_string()));
        }
        let unknown = self.known.racing.iter().any(|place| !self.stacks.contains_key(place));
        self.machine.want_stacks(self.tells_stacks || unknown);
        self.machine.order_time(self.options.ordered);
        let visible = (self.known.racing.len(), self.known.watched.len(), self.known.waiting.len());
        let keep = keep.filter(|_| visible == self.visible && !self.tells_stacks && !unknown);
        self.visible = visible;
        self.taken.clear();
        self.marks.clear();
        self.detector = Detector::default();
        self.model = Model::default();
        self.model.lives.insert(0, Life { parent: u64::MAX, ended: false, reaped: false });
        self.model.begin_thread(0, 0, 0);
        let first = Thread { spurious: self.options.spurious, ..Thread::new(0) };
        self.threads = BTreeMap::from([(0, first)]);
        self.spaces = BTreeMap::from([(0, names::Space::default())]);
        self.newborn = VecDeque::from([0]);
        self.edges.clear();
        self.regions.clear();
        self.behind = None;
        self.running.clear();
        self.failure = None;
        match keep {
            Some(keep) => self.machine.restart_as_before(keep)?,
            None => self.machine.restart()?,
        }
        self.settle(None)?;
        self.pass_time();
        self.mark();
        self.look_at_circles()?;
        Ok(self.progress())
    }

    /// All events of the transition are on the tape.
    fn mark(&mut self) {
        self.marks.extend(self.machine.recorded());
    }

    fn progress(&mut self) -> Progress {
        Progress { edges: std::mem::take(&mut self.edges), failure: self.failure.take() }
    }

    /// An operation must be among those that the thread declared, if it did. To end other threads cannot be declared.
    fn check_declared(&mut self, who: Tid, op: &Op) {
        let Some(uses) = self.thread(who).uses.clone() else { return };
        let outcome = self.model.outcomes(who, op).first().copied().unwrap_or(-1);
        let touched = self.model.footprint(who, op, outcome);
        let counts = |class: Class| {
            matches!(class, Class::Sync | Class::Sysv | Class::Memory | Class::Channel | Class::Queue)
        };
        let mut objects = touched.iter().filter(|t| counts(t.key.class));
        let others = self.threads.values().filter(|t| t.process == op.process && t.lives()).count() > 1;
        let ends_others = match op.kind {
            p::OP_CANCEL | p::OP_KILL => true,
            p::OP_EXIT_PROCESS => others,
            _ => false,
        };
        if ends_others || objects.any(|t| !uses.iter().any(|u| u.covers(t))) {
            let what = format!("thread {who}: {} on an object it has not declared", op.name());
            self.fail(Failure::fatal(Kind::Misuse, what));
        }
    }
}

impl Thread {
    fn new(process: u64) -> Thread {
        let state = State::Running;
        let (ended, uses, declaring) = (BTreeSet::new(), None, Vec::new());
        Thread {
            process,
            state,
            children: 0,
            ended,
            uses,
            declaring,
            joined: false,
            time: 0,
            spurious: 0,
            made: 0,
            deeds: 0,
            before: Vec::new(),
            interrupted: Vec::new(),
            unreal: false,
        }
    }

    fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended | State::Killed(_))
    }

    fn lives(&self) -> bool {
        !self.has_ended()
    }
}

fn signal_name(number: i64) -> String {
    let name = match number as i32 {
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGSYS => "SIGSYS",
        other => return format!("signal {other}"),
    };
    name.to_string()
}
