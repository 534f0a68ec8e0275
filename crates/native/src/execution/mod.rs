//! One run of a program: what is pending, what happens by itself, what a transition brings about.
//!
//! Creation of threads and processes, joins, waits for a given child, ends that no thread can
//! observe, and everything done while no other thread exists are not transitions: they happen as
//! soon as they can, as part of the transition before them. They only bring order
//! ([`explore::stateless::Progress::edges`]). The end of a process that others may observe (`wait`
//! for any child, SEM_UNDO, robust mutexes, threads still running) is a transition like others;
//! that a parent waits for any child is found out on the way, and then the search begins anew
//! ([`Trouble::Restart`]).

mod busy_waits;
mod content;
mod copies;
mod decode;
mod ends;
mod execute;
mod history;
mod identities;
mod listen;
mod names;
mod ordered;
mod private;
mod races;
mod repeat;
mod shares;
mod signals;
mod table;
mod time;
mod unseen;
mod uses;
mod world;

use crate::launch::Program;
use crate::machine::Machine;
use crate::objects::{Model, Resume};
use crate::operation::{EnvironmentMove, Key, Outcome, Pending, SideEffects, Tid};
use crate::small::{Map, Set};
use crate::tape::Reply;
use content::Contents;
use ends::Ends;
use explore::stateless::{Failure, Race, Trouble};
pub use history::{Notice, Plain};
pub use identities::Call;
pub use names::{Known, SetName, called};
use races::Detector;
pub use shares::Shares;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;
use uses::Use;

/// A program that is executed under control, again and again.
pub struct Execution {
    /// The processes under control, and the channel to them.
    pub machine: Machine,
    /// Names that stay the same from run to run, and places that are visible.
    pub known: Known,
    model: Model,
    /// Behind which operation things happen now.
    behind: Option<SideEffects>,
    /// Who runs because of it: its thread, and children born since.
    running: Set<Tid>,
    threads: Map<Tid, Thread>,
    spaces: Map<u64, names::Space>,
    /// What the kernel numbers anew in each run, and its name.
    regions: Map<u64, u64>,
    /// Created, and not yet heard of.
    newborn: VecDeque<Tid>,
    edges: Vec<(Tid, Tid)>,
    failure: Option<Failure>,
    /// A place was found where threads may only wait.
    suspicion: bool,
    /// Objects in shared memory that are private to a process, and which one uses them.
    private: BTreeMap<Key, u64>,
    /// Objects that were initialised or used.
    objects: BTreeSet<Key>,
    /// Processes with handlers of exit.
    handles_exit: BTreeSet<u64>,
    /// Who computes without an end, it seems.
    looping: Option<Tid>,
    /// Those that go round in a circle do so endlessly: no other thread can move, and they read the
    /// same again.
    endless: bool,
    /// Whether the program sleeps in loops that only wait, and whether it reads clocks.
    pub time: Time,
    /// Something that is not modelled would happen now.
    unmodelled: Option<&'static str>,
    detector: Detector,
    contents: Contents,
    ends: Ends,
    shown: time::Shown,
    /// Files that are there in the next run too: whether they are read, and written.
    pub(crate) outliving: BTreeMap<u64, (bool, bool)>,
    /// The data races of all runs so far.
    pub races: BTreeSet<Race>,
    /// Of those, the ones that were not known before this run.
    new_races: Vec<Race>,
    /// A file became visible in this run: its calls may order what races.
    races_uncertain: bool,
    /// More places in the code turned out to race: what was seen so far was not everything.
    pub(crate) more_races: bool,
    /// What counts as a failure.
    pub options: Options,
    /// What the program did that is not under control.
    pub uncontrolled: BTreeSet<String>,
    /// Something uncontrolled was done in this run: it could let threads go on that seem to wait.
    loose: bool,
    /// Something was carried out otherwise than the kernel would: what fails behind it may not fail
    /// in truth.
    distorted: bool,
    /// Memory that several threads or processes see.
    pub shares: Shares,
    /// What must be true for the answer to be right.
    pub assumes: BTreeSet<String>,
    /// How racing places were reached.
    pub stacks: BTreeMap<u64, Vec<u64>>,
    /// Every operation is wanted with its callers.
    pub tells_stacks: bool,
    /// The transitions of this run, and how many events are on the tape up to each; the first:
    /// before them.
    taken: Vec<(Tid, Outcome)>,
    marks: Vec<usize>,
    /// What was visible in this run.
    visible: Known,
}

/// What counts as a failure, and how time passes.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// An exit status other than 0 is a failure.
    pub exit_matters: bool,
    /// A data race is a failure.
    pub races_matter: bool,
    /// Each wait on a condition variable may end by itself, this often in a thread.
    pub spurious: u32,
    /// Sleeping orders: no thread overtakes one that sleeps less.
    pub ordered: bool,
    /// A thread that computes this long without an operation diverges.
    pub divergence: Duration,
}

struct Thread {
    process: u64,
    state: State,
    /// How many threads and processes it has created.
    children: u64,
    /// Threads that are known to have ended, by joins and waits.
    ended: Set<Tid>,
    uses: Option<Vec<Use>>,
    /// The beginning of a declaration.
    declaring: Vec<Use>,
    joined: bool,
    /// No other thread may join it.
    detached: bool,
    /// What its clock shows; if sleeping orders: what the time is for it.
    time: u64,
    /// When its timed operation gives up.
    limit: u64,
    /// How often it may still wake by itself.
    spurious: u32,
    /// How many channels it has made.
    made: u64,
    /// How many things it did that were no transitions; those since it waited for others.
    deeds: u64,
    before: Vec<EnvironmentMove>,
    /// What its handlers have interrupted.
    interrupted: Vec<Interrupted>,
    /// The end of its process stopped it, or might have: that did not come behind its own end.
    cut: bool,
    /// There is no such thread: a timer, the end of a process whose threads have all ended.
    unreal: bool,
}

/// How a thread goes on behind its handlers, and who these are to the detector.
struct Interrupted {
    resume: Resume,
    runner: Tid,
}

#[derive(Debug)]
enum State {
    Running,
    Pending(Box<Pending>),
    Ended,
    /// Its process ended before it came to this.
    Killed(Box<Pending>),
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
            running: Set::default(),
            threads: Map::default(),
            spaces: Map::default(),
            regions: Map::default(),
            newborn: VecDeque::new(),
            edges: Vec::new(),
            failure: None,
            suspicion: false,
            private: BTreeMap::new(),
            objects: BTreeSet::new(),
            handles_exit: BTreeSet::new(),
            looping: None,
            endless: false,
            time: Time::default(),
            unmodelled: None,
            detector: Detector::default(),
            contents: Contents::default(),
            ends: Ends::default(),
            shown: time::Shown::default(),
            outliving: BTreeMap::new(),
            races: BTreeSet::new(),
            new_races: Vec::new(),
            races_uncertain: false,
            more_races: false,
            options,
            uncontrolled: BTreeSet::new(),
            loose: false,
            distorted: false,
            shares: Shares::default(),
            assumes: BTreeSet::new(),
            stacks: BTreeMap::new(),
            tells_stacks: false,
            taken: Vec::new(),
            marks: Vec::new(),
            visible: Known::default(),
        })
    }

    fn thread(&mut self, who: Tid) -> &mut Thread {
        self.threads.entry(who).or_insert_with(|| Thread::new(who as u64))
    }

    /// Answers a thread. While no other thread exists, what it does to objects needs no answer.
    fn let_go(&mut self, who: Tid, result: i64, data: &[u8]) {
        let several = !self.is_alone(who);
        let now = self.model.now;
        let thread = self.thread(who);
        thread.time = thread.time.max(now);
        let reply = Reply { result, data, several, time: thread.time };
        self.machine.grant(who, reply);
    }

    /// What the first thread did so far comes before what the second does from now on.
    fn order(&mut self, from: Tid, to: Tid) {
        self.edges.push((from, to));
        self.order_clocks(from, to);
        self.ends.order(from, to);
        // Also if races are not looked for yet: the first touch of a file that others may see asks
        // what came before it.
        self.detector.order(self.runner(from), self.runner(to));
    }

    /// Whether the order of what threads do besides transitions matters.
    fn looks_for_races(&self) -> bool {
        self.machine.is_instrumented() || self.known.watched.contains(&names::FILES)
    }

    /// Who runs as a thread, to the detector: itself or a handler.
    fn runner(&self, who: Tid) -> Tid {
        self.threads.get(&who).and_then(|t| t.interrupted.last()).map_or(who, |i| i.runner)
    }

    /// A thread and its handlers that have not returned, the innermost last.
    fn runners(&self, who: Tid) -> Vec<Tid> {
        let handlers = self.threads.get(&who).into_iter().flat_map(|t| &t.interrupted);
        std::iter::once(who).chain(handlers.map(|i| i.runner)).collect()
    }

    /// A thread does something to the objects that is no transition.
    fn change(&mut self, who: Tid, change: impl Fn(&mut Model) + Send + Sync + 'static) {
        let environment_move = self.environment_move(who, change);
        environment_move.happen(&mut self.model);
    }

    /// Remembers it: behind the transition that let the thread run, or, if the thread had to wait
    /// for others and then ran by itself, before the next operation of its own and of its children.
    fn environment_move(
        &mut self,
        who: Tid,
        change: impl Fn(&mut Model) + Send + Sync + 'static,
    ) -> EnvironmentMove {
        let thread = self.thread(who);
        thread.deeds += 1;
        let environment_move = EnvironmentMove::new((who, thread.deeds), change);
        match &self.behind {
            None => {}
            Some(behind) if self.running.contains(&who) => behind.push(environment_move.clone()),
            Some(_) => self.thread(who).before.push(environment_move.clone()),
        }
        environment_move
    }

    /// What a thread is called, for people.
    pub(crate) fn called(&self, who: Tid) -> String {
        let real = self.threads.iter().filter(|(_, t)| !t.unreal);
        let all: Vec<(u64, Tid)> = real.map(|(who, t)| (t.process, *who)).collect();
        called(&all, self.process_of(who), who)
    }

    /// The mutexes and read-write locks that a thread has.
    pub(crate) fn held_by(&self, who: Tid) -> Vec<Key> {
        self.model.held_by(who)
    }

    /// Behind something that was carried out otherwise than the kernel would, nothing is certain:
    /// the verdict is unknown anyway.
    fn fail(&mut self, failure: Failure) {
        if self.distorted {
            return;
        }
        self.failure = Failure::first(self.failure.take(), Some(failure));
    }
}

/// How a program passes its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// A loop that only waits has slept.
    pub(crate) slept: bool,
    pub(crate) reads_clock: bool,
}

impl Thread {
    fn new(process: u64) -> Thread {
        let state = State::Running;
        let (ended, uses, declaring) = (Set::default(), None, Vec::new());
        Thread {
            process,
            state,
            children: 0,
            ended,
            uses,
            declaring,
            joined: false,
            detached: false,
            time: 0,
            limit: 0,
            spurious: 0,
            made: 0,
            deeds: 0,
            before: Vec::new(),
            interrupted: Vec::new(),
            cut: false,
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
