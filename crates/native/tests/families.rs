//! Families of processes and threads against a simulator that shares nothing with the crate: trees
//! of forks and threads, waits for any child or a given one, ends that others notice (ends of
//! pipes, SEM_UNDO, robust mutexes, statuses), kills, and every kind of channel between processes.
//!
//! `family.c` executes them under control. The simulator takes every statement for a step of its
//! own, also those that weave does not take for one (creation, joins, ends), and goes through all
//! states. All ways to end must be the same with every reduction: the values that each member got,
//! or a deadlock, and who then stands before what. `PROGRAMS` and `SEED` in the environment make it
//! longer.

#[path = "support/simulated.rs"]
mod simulated;

use explore::stateless::Reduction;
use logic::random::Random as Chance;
use simulated::{Ends, Real, number};
use std::collections::{BTreeSet, HashSet};

/// A letter of `family.c`, its object, whether the next statement depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Statement {
    what: char,
    x: usize,
    asks: bool,
}

/// A member of the family: a process or a thread of the process that starts it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    thread: bool,
    script: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Family {
    members: Vec<Member>,
    /// Processes may end without waiting for those they have started. Then each value is reported
    /// by itself.
    orphans: bool,
    /// SIGUSR1 is handled, by counting; or statements on signals are about SIGCHLD, about which
    /// nothing is done at first.
    signals: bool,
    about_children: bool,
    /// Whether what handlers interrupt is restarted.
    restarts: bool,
}

/// What a process does about the signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Does {
    Handles,
    Ignores,
    Usual,
    /// As usual, and children leave nothing behind.
    Forgets,
}

const DOES: [Does; 4] = [Does::Handles, Does::Ignores, Does::Usual, Does::Forgets];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Life {
    Unborn,
    Alive,
    /// Ended, with what its parent learns.
    Zombie(char),
    Gone,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Task {
    life: Life,
    /// The member that leads its process.
    process: usize,
    at: usize,
    got: String,
    /// Still to be reported.
    unreported: Option<char>,
    held: [bool; 2],
    blocks: bool,
    /// A signal for it alone.
    pending: bool,
    /// It returns from the kernel, and takes what is pending.
    returns: bool,
    /// It is in its handler; then the statement it was in gives this, or it goes on where it was.
    handles: Option<Option<char>>,
}

/// What a process has, besides its members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Process {
    parent: Option<usize>,
    reads: [bool; 2],
    writes: [bool; 2],
    undo: [i32; 2],
    pending: bool,
    does: Does,
    /// Which processes its members have started, as their variables say.
    known: BTreeSet<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Mutex {
    owner: Option<usize>,
    inconsistent: bool,
    lost: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    tasks: Vec<Task>,
    /// By the member that leads it.
    processes: Vec<Process>,
    variable: [u32; 2],
    semaphore: [u32; 2],
    mutex: [Mutex; 2],
    queue: [Option<char>; 2],
    pipe: [Vec<char>; 2],
    set: [i32; 2],
    messages: Vec<(usize, char)>,
    /// The signal is SIGCHLD.
    about_children: bool,
}

/// One way a step may go: the value that the member gets, and the child that is waited for.
#[derive(Clone, Copy, Debug)]
struct Way {
    value: char,
    child: Option<usize>,
}

fn way(value: char) -> Vec<Way> {
    vec![Way { value, child: None }]
}

fn when(possible: bool, value: char) -> Vec<Way> {
    if possible { way(value) } else { Vec::new() }
}

const ROBUST: usize = 0;

impl State {
    fn new(family: &Family) -> State {
        let n = family.members.len();
        let task = |process| Task {
            life: if process == 0 { Life::Alive } else { Life::Unborn },
            process,
            at: 0,
            got: String::new(),
            unreported: None,
            held: [false; 2],
            blocks: false,
            pending: false,
            returns: false,
            handles: None,
        };
        let process = Process {
            parent: None,
            reads: [true; 2],
            writes: [true; 2],
            undo: [0; 2],
            pending: false,
            does: if family.about_children { Does::Usual } else { Does::Handles },
            known: BTreeSet::new(),
        };
        State {
            tasks: (0..n).map(task).collect(),
            processes: vec![process; n],
            variable: [0; 2],
            semaphore: [0, 1],
            mutex: Default::default(),
            queue: [None; 2],
            pipe: Default::default(),
            set: [0, 1],
            messages: Vec::new(),
            about_children: family.about_children,
        }
    }

    fn lives(&self, process: usize) -> bool {
        self.tasks[process].life == Life::Alive
    }

    fn children(&self, process: usize) -> impl Iterator<Item = usize> {
        (0..self.tasks.len())
            .filter(move |k| self.tasks[*k].process == *k && self.processes[*k].parent == Some(process))
            .filter(|k| matches!(self.tasks[*k].life, Life::Alive | Life::Zombie(_)))
    }

    /// The next statement of a member, past those that are not for it.
    fn next(&self, family: &Family, who: usize) -> Option<(usize, Statement)> {
        let task = &self.tasks[who];
        let known = &self.processes[task.process].known;
        let script = family.members[who].script.iter().copied().enumerate().skip(task.at);
        let for_it = |s: &Statement| match s.what {
            'W' | 'N' | 'K' | 'J' | 'M' | 'H' => known.contains(&s.x),
            'B' => !task.blocks,
            'b' | 's' => task.blocks,
            'L' | 'T' => !task.held[s.x],
            'U' => task.held[s.x],
            'k' => task.held[s.x] && s.x == ROBUST,
            _ => true,
        };
        script.into_iter().find(|(_, s)| for_it(s))
    }

    fn reap(&self, children: Vec<usize>, hangs: bool) -> Vec<Way> {
        let ended = |k: &usize| match self.tasks[*k].life {
            Life::Zombie(status) => Some(Way { value: status, child: Some(*k) }),
            _ => None,
        };
        let ended: Vec<Way> = children.iter().filter_map(ended).collect();
        match (children.is_empty(), ended.is_empty()) {
            (true, _) => way('E'),
            (false, false) => ended,
            (false, true) => when(!hangs, '0'),
        }
    }

    /// In which ways the statement can be executed; none if it waits.
    fn ways(&self, who: usize, s: Statement) -> Vec<Way> {
        let process = self.tasks[who].process;
        let mine = &self.processes[process];
        let child = || self.children(process).filter(|k| *k == s.x).collect();
        let has = |x: usize, f: fn(&Process) -> [bool; 2]| {
            (0..self.processes.len())
                .any(|p| self.tasks[p].process == p && self.lives(p) && f(&self.processes[p])[x])
        };
        match s.what {
            'W' => self.reap(child(), true),
            'N' => self.reap(child(), false),
            'w' => self.reap(self.children(process).collect(), true),
            'n' => self.reap(self.children(process).collect(), false),
            'J' => when(self.tasks[s.x].life == Life::Gone, '1'),
            's' => when(self.tasks[who].pending || mine.pending, '1'),
            'p' => Vec::new(),
            'v' => way(if self.tasks[who].pending || mine.pending { '1' } else { '0' }),
            'K' | 'M' => way(if self.tasks[s.x].life == Life::Gone { 'E' } else { '1' }),
            'R' => way(char::from(b'0' + (self.variable[s.x] % 4) as u8)),
            'V' => way(if self.semaphore[s.x] > 0 { '1' } else { '0' }),
            'Y' => when(self.semaphore[s.x] > 0, '1'),
            'L' | 'T' => match &self.mutex[s.x] {
                Mutex { lost: true, .. } => way('N'),
                Mutex { owner: Some(_), .. } => when(s.what == 'T', '0'),
                Mutex { inconsistent, .. } => way(if *inconsistent { 'D' } else { '1' }),
            },
            'k' => way(if self.mutex[s.x].inconsistent { '1' } else { '0' }),
            'Q' => when(self.queue[s.x].is_none(), '1'),
            'G' => self.queue[s.x].map(way).unwrap_or_default(),
            'I' if !mine.writes[s.x] => way('X'),
            'I' => way(if has(s.x, |p| p.reads) { '1' } else { 'P' }),
            'O' if !mine.reads[s.x] => way('X'),
            'O' => match self.pipe[s.x].first() {
                Some(byte) => way(*byte),
                None => when(!has(s.x, |p| p.writes), '0'),
            },
            'c' => way(if mine.writes[s.x] { '1' } else { 'X' }),
            'C' => way(if mine.reads[s.x] { '1' } else { 'X' }),
            'd' | 'i' => when(self.set[s.x] > 0, '1'),
            'D' => way(if self.set[s.x] > 0 { '1' } else { '0' }),
            'z' => when(self.set[s.x] == 0, '1'),
            'g' | 'y' => match self.messages.iter().find(|(kind, _)| *kind == s.x) {
                Some((_, byte)) => way(*byte),
                None => when(s.what == 'y', '0'),
            },
            'h' => self.messages.first().map(|(_, byte)| way(*byte)).unwrap_or_default(),
            _ => way('1'),
        }
    }

    fn execute(&mut self, family: &Family, who: usize, s: Statement, Way { value, child }: Way) {
        let process = self.tasks[who].process;
        let byte = char::from(b'1' + who as u8);
        match s.what {
            'F' => self.start(family, who, s.x),
            'W' | 'N' | 'w' | 'n' => child.into_iter().for_each(|k| self.tasks[k].life = Life::Gone),
            'E' => self.end(process, char::from(b'a' + (4 * who + s.x + 1) as u8)),
            'J' => drop(self.processes[process].known.remove(&s.x)),
            'K' if self.lives(s.x) => self.end(s.x, '!'),
            'M' if self.lives(s.x) => self.send(s.x, None),
            'H' if self.lives(s.x) => self.send(self.tasks[s.x].process, Some(s.x)),
            'x' => self.send(process, Some(who)),
            'B' => self.tasks[who].blocks = true,
            'b' => self.unblock(who),
            'l' => self.act(process, DOES[s.x]),
            's' => self.forget(who),
            'S' => self.variable[s.x] += 1,
            'P' => self.semaphore[s.x] += 1,
            'V' | 'Y' if value == '1' => self.semaphore[s.x] -= 1,
            'L' | 'T' if "1D".contains(value) => {
                (self.mutex[s.x].owner, self.tasks[who].held[s.x]) = (Some(who), true);
            }
            'U' => {
                let mutex = &mut self.mutex[s.x];
                (mutex.owner, mutex.lost) = (None, mutex.inconsistent);
                self.tasks[who].held[s.x] = false;
            }
            'k' => self.mutex[s.x].inconsistent = false,
            'Q' => self.queue[s.x] = Some(byte),
            'G' => self.queue[s.x] = None,
            'I' if value == '1' => self.pipe[s.x].push(byte),
            'O' if byte_of(value) => drop(self.pipe[s.x].remove(0)),
            'c' => self.processes[process].writes[s.x] = false,
            'C' => self.processes[process].reads[s.x] = false,
            'd' | 'D' | 'i' if value == '1' => {
                self.set[s.x] -= 1;
                self.processes[process].undo[s.x] += i32::from(s.what == 'i');
            }
            'u' | 'j' => {
                self.set[s.x] += 1;
                self.processes[process].undo[s.x] -= i32::from(s.what == 'j');
            }
            'm' => self.messages.push((s.x, byte)),
            'g' | 'y' | 'h' if byte_of(value) => {
                let wanted = |(kind, _): &(usize, char)| s.what == 'h' || *kind == s.x;
                let at = self.messages.iter().position(wanted).expect("a message");
                self.messages.remove(at);
            }
            _ => {}
        }
    }

    fn start(&mut self, family: &Family, who: usize, k: usize) {
        let process = self.tasks[who].process;
        self.processes[process].known.insert(k);
        (self.tasks[k].life, self.tasks[k].blocks) = (Life::Alive, self.tasks[who].blocks);
        if family.members[k].thread {
            self.tasks[k].process = process;
        } else {
            // The child's copy of these variables is from before it has its own number.
            let own = Process {
                parent: Some(process),
                undo: [0; 2],
                pending: false,
                ..self.processes[process].clone()
            };
            let mut copy = own;
            copy.known.remove(&k);
            self.processes[k] = copy;
        }
    }

    /// Whether the signal is not even kept, unless it is blocked.
    fn ignores(&self, process: usize) -> bool {
        match self.processes[process].does {
            Does::Handles => false,
            Does::Ignores => true,
            Does::Usual | Does::Forgets => self.about_children,
        }
    }

    /// Whether a member, or all that live in a process, block the signal.
    fn blocks(&self, process: usize, one: Option<usize>) -> bool {
        let lives = |k: &usize| self.tasks[*k].process == process && self.tasks[*k].life == Life::Alive;
        let mut asked = (0..self.tasks.len()).filter(|k| one.is_none_or(|o| o == *k) && lives(k)).peekable();
        asked.peek().is_some() && asked.all(|k| self.tasks[k].blocks || self.tasks[k].handles.is_some())
    }

    /// A signal that a process dies of ends it at once.
    fn send(&mut self, process: usize, one: Option<usize>) {
        let blocked = self.blocks(process, one);
        if !blocked && self.ignores(process) {
            return;
        }
        if !blocked && self.processes[process].does != Does::Handles {
            return self.end(process, '!');
        }
        match one {
            Some(k) => self.tasks[k].pending = true,
            None => self.processes[process].pending = true,
        }
    }

    /// What is ignored is forgotten.
    fn act(&mut self, process: usize, does: Does) {
        self.processes[process].does = does;
        if self.ignores(process) {
            self.processes[process].pending = false;
            let tasks = self.tasks.iter_mut().filter(|t| t.process == process);
            tasks.for_each(|t| t.pending = false);
        }
    }

    /// What is ignored, and was kept because it was blocked, is forgotten.
    fn unblock(&mut self, who: usize) {
        let process = self.tasks[who].process;
        self.tasks[who].blocks = false;
        if self.ignores(process) {
            (self.tasks[who].pending, self.processes[process].pending) = (false, false);
        }
    }

    /// The end of a child: whether it is to be waited for; and a signal, if it is handled, or
    /// blocked and not ignored.
    fn tell(&mut self, parent: usize) -> bool {
        if !self.about_children {
            return true;
        }
        let does = self.processes[parent].does;
        if does == Does::Handles || does != Does::Ignores && self.blocks(parent, None) {
            self.processes[parent].pending = true;
        }
        matches!(does, Does::Handles | Does::Usual)
    }

    /// A member has come to an end; robust mutexes are inherited.
    fn leave(&mut self, who: usize) {
        self.tasks[who].life = Life::Gone;
        self.tasks[who].unreported = None;
        let robust = &mut self.mutex[ROBUST];
        if robust.owner == Some(who) {
            (robust.owner, robust.inconsistent) = (None, true);
        }
    }

    fn end(&mut self, process: usize, status: char) {
        for k in 0..self.tasks.len() {
            if self.tasks[k].process == process && self.tasks[k].life == Life::Alive {
                self.leave(k);
            }
        }
        for x in 0..2 {
            self.set[x] = (self.set[x] + self.processes[process].undo[x]).max(0);
        }
        for k in self.children(process).collect::<Vec<_>>() {
            self.processes[k].parent = None;
            if matches!(self.tasks[k].life, Life::Zombie(_)) {
                self.tasks[k].life = Life::Gone;
            }
        }
        let parent = self.processes[process].parent.filter(|p| self.lives(*p));
        if parent.is_some_and(|p| self.tell(p)) {
            self.tasks[process].life = Life::Zombie(status);
        }
    }

    /// All states behind this one.
    fn steps(&self, family: &Family) -> Vec<State> {
        let alive = (0..self.tasks.len()).filter(|who| self.tasks[*who].life == Life::Alive);
        alive.flat_map(|who| self.steps_of(family, who)).collect()
    }

    /// Whether a signal comes to a member now.
    fn is_alarmed(&self, who: usize) -> bool {
        let task = &self.tasks[who];
        let able = task.life == Life::Alive && !task.blocks && task.handles.is_none();
        able && !self.ignores(task.process) && (task.pending || self.processes[task.process].pending)
    }

    /// Whether another thread may take it.
    fn others_may(&self, who: usize) -> bool {
        let other = |k: usize| {
            let task = &self.tasks[k];
            k != who && task.process == self.tasks[who].process && task.life == Life::Alive && !task.blocks
        };
        !self.tasks[who].pending && (0..self.tasks.len()).any(other)
    }

    /// A signal is taken: first one for the thread alone.
    fn forget(&mut self, who: usize) {
        let process = self.tasks[who].process;
        let own = std::mem::take(&mut self.tasks[who].pending);
        self.processes[process].pending &= own;
    }

    fn takes(&self, who: usize, then: Option<char>) -> State {
        let mut next = self.clone();
        next.forget(who);
        let process = self.tasks[who].process;
        if self.processes[process].does != Does::Handles {
            next.end(process, '!');
            return next;
        }
        (next.tasks[who].handles, next.tasks[who].returns) = (Some(then), false);
        next
    }

    fn steps_of(&self, family: &Family, who: usize) -> Vec<State> {
        let mut next = self.clone();
        let task = &mut next.tasks[who];
        if let Some(then) = task.handles.take() {
            next.variable[1] += 1;
            if !next.tasks[who].blocks {
                next.unblock(who);
            }
            next.gets(family, who, then);
            next.tasks[who].returns = next.is_alarmed(who);
            return vec![next];
        }
        let alarmed = self.is_alarmed(who);
        if std::mem::take(&mut task.returns) && alarmed {
            let taken = [self.takes(who, None)].into_iter();
            return taken.chain(self.others_may(who).then_some(next)).collect();
        }
        let mut steps: Vec<State> = alarmed.then(|| self.takes(who, None)).into_iter().collect();
        if let Some(value) = task.unreported.take() {
            task.got.push(value);
            steps.push(next);
            return steps;
        }
        let Some((at, s)) = next.next(family, who) else {
            steps.extend(next.ended(family, who));
            return steps;
        };
        // A fork that is interrupted is begun anew.
        if s.what == 'F' && !family.members[s.x].thread && alarmed && !self.others_may(who) {
            return steps;
        }
        let go = |way: Way| {
            let mut next = next.clone();
            next.tasks[who].at = at;
            next.execute(family, who, s, way);
            next.gets(family, who, Some(way.value));
            next.tasks[who].returns = enters_kernel(s.what) && next.is_alarmed(who);
            next
        };
        let ways = next.ways(who, s);
        if ways.is_empty() && alarmed && ends_with_error(s.what, family.restarts) {
            let mut inside = self.takes(who, Some('i'));
            inside.tasks[who].at = at;
            steps.push(inside);
        }
        steps.extend(ways.into_iter().map(go));
        steps
    }

    /// The statement at which a member is gives this value.
    fn gets(&mut self, family: &Family, who: usize, value: Option<char>) {
        let task = &mut self.tasks[who];
        let Some(value) = value.filter(|_| task.life == Life::Alive) else { return };
        let skips = family.members[who].script[task.at].asks && value == '0';
        task.at += if skips { 2 } else { 1 };
        match family.orphans {
            true => task.unreported = Some(value),
            false => task.got.push(value),
        }
    }

    /// The end of the script; the first member tells all, and is over with that.
    fn ended(&self, family: &Family, who: usize) -> Vec<State> {
        let mut next = self.clone();
        if who == 0 {
            return Vec::new();
        } else if family.members[who].thread {
            next.leave(who);
        } else {
            next.end(who, char::from(b'a' + 4 * who as u8));
        }
        vec![next]
    }

    /// Whether the first member may tell all.
    fn is_over(&self, family: &Family) -> bool {
        let others = || (1..self.tasks.len()).filter(|k| self.tasks[*k].process == *k);
        self.tasks[0].unreported.is_none()
            && self.next(family, 0).is_none()
            && (!family.orphans || others().all(|k| !self.lives(k)))
    }

    /// Which threads are blocked before what, in words of the report.
    fn blocked(&self, family: &Family) -> String {
        let alive = (0..self.tasks.len()).filter(|who| self.tasks[*who].life == Life::Alive);
        let mut all: Vec<&str> =
            alive.map(|who| self.next(family, who).map_or("read", |(_, s)| called(s.what))).collect();
        all.sort_unstable();
        all.join(", ")
    }
}

/// Statements on whose way back from the kernel signals are taken: system calls, but not locks,
/// semaphores and atomics, which need none.
fn enters_kernel(what: char) -> bool {
    "WNwnKMxHBbslvIOcCQGdDuzijmghy".contains(what)
}

/// Whether a handler that interrupts the statement makes it fail, after signal(7).
fn ends_with_error(what: char, restarts: bool) -> bool {
    "dizghp".contains(what) || !restarts && "WwYOQG".contains(what)
}

fn byte_of(value: char) -> bool {
    ('1'..='9').contains(&value)
}

fn called(what: char) -> &'static str {
    match what {
        'W' | 'w' => "wait",
        'J' => "pthread_join",
        'Y' => "sem_wait",
        'L' => "mutex_lock",
        'Q' => "mq_send",
        'G' => "mq_receive",
        'O' => "read",
        'd' | 'i' | 'z' => "semop",
        'g' | 'h' => "msgrcv",
        'p' => "pause",
        's' => "sigwait",
        _ => "nothing that waits",
    }
}

/// The most states that are gone through.
const MOST_STATES: usize = 5_000;

/// All ways to end; none if there are too many states.
fn brute(family: &Family) -> Option<Ends> {
    let mut ends = Ends::default();
    let first = State::new(family);
    let mut seen = HashSet::from([first.clone()]);
    let mut left = vec![first];
    while let Some(state) = left.pop() {
        if state.is_over(family) {
            let got: Vec<&str> = state.tasks.iter().map(|t| t.got.as_str()).collect();
            ends.got.insert(got.join(","));
            continue;
        }
        let steps = state.steps(family);
        if steps.is_empty() {
            ends.blocked.insert(state.blocked(family));
        }
        for next in steps {
            if seen.insert(next.clone()) {
                left.push(next);
            }
        }
        if seen.len() > MOST_STATES {
            return None;
        }
    }
    Some(ends)
}

/// A tree of members, each with statements of a few kinds, so that they meet.
fn random(chance: &mut Chance) -> Family {
    const KINDS: [&str; 11] =
        ["RSS", "PVY", "LLTUUk", "QG", "IO", "IOcC", "duDz", "uijd", "mghy", "wn", "LTUkE"];
    let orphans = chance.below(2) == 0;
    // Waits that handlers interrupt leave children behind.
    let restarts = !orphans || chance.below(2) == 0;
    let signals = chance.below(3) == 0 || number("SIGNALS", 0) > 0;
    let about_children = signals && chance.below(2) == 0;
    let n = 2 + chance.below(if signals { 2 } else { 3 });
    let mut chosen: Vec<char> =
        (0..1 + chance.below(3)).flat_map(|_| KINDS[chance.below(KINDS.len())].chars()).collect();
    if signals {
        let about = if about_children { "RBbsvplllwn" } else { "RBbspxlv" };
        chosen.extend(about.chars().filter(|_| chance.below(2) == 0));
    }
    let one_object = chance.below(2) == 0;
    let starter: Vec<usize> = (0..n).map(|k| if k == 0 { 0 } else { chance.below(k) }).collect();
    let thread: Vec<bool> = (0..n).map(|k| k > 0 && chance.below(4) == 0).collect();
    let leader = |mut k: usize| {
        while thread[k] {
            k = starter[k];
        }
        k
    };
    let alone = |k: usize| (0..n).all(|other| other == k || leader(other) != leader(k));
    let most = if n == 2 { 6 } else { 4 };
    let mut members: Vec<Member> = Vec::new();
    for k in 0..n {
        let mine: Vec<usize> = (1..n).filter(|c| starter[*c] == k).collect();
        let mut script: Vec<Statement> = Vec::new();
        for _ in 0..1 + chance.below(most) {
            let what = chosen[chance.below(chosen.len())];
            let x = match what {
                'l' => chance.below(if about_children { 4 } else { 3 }),
                _ if one_object => 0,
                _ => chance.below(2),
            };
            let possible = match what {
                'c' | 'C' => alone(k),
                'E' => k > 0 && leader(k) != 0 && (orphans || alone(k) && mine.is_empty()),
                // A process that dies of the signal leaves its own behind.
                'l' if x == 2 && !about_children => orphans && leader(k) != 0,
                _ => true,
            };
            if possible {
                script.push(Statement { what, x, asks: chance.below(3) == 0 });
            }
        }
        let mut at_least = 0;
        for c in mine {
            let at = at_least + chance.below(script.len() + 1 - at_least);
            script.insert(at, Statement { what: 'F', x: c, asks: false });
            at_least = at + 1;
            let about: &[char] = match (thread[c], orphans) {
                (true, _) => &['J'],
                (false, true) => &['W', 'N', 'K', 'K'],
                (false, false) => &['W', 'N'],
            };
            for _ in 0..chance.below(3) {
                let sends = signals && !about_children && chance.below(3) > 0;
                let what =
                    if sends { ['M', 'H'][usize::from(thread[c])] } else { about[chance.below(about.len())] };
                let at = at + 1 + chance.below(script.len() - at);
                script.insert(at, Statement { what, x: c, asks: what != 'J' && chance.below(2) == 0 });
            }
            let stays = !orphans || chance.below(2) == 0 || thread[c] && leader(k) == 0;
            let what = if thread[c] { 'J' } else { 'W' };
            script.extend(stays.then_some(Statement { what, x: c, asks: false }));
        }
        members.push(Member { thread: thread[k], script });
    }
    Family { members, orphans, signals: signals && !about_children, about_children, restarts }.tidied()
}

fn words(script: &[Statement]) -> String {
    script.iter().map(|s| format!("{}{}{}", s.what, s.x, if s.asks { "?" } else { "" })).collect()
}

impl Family {
    /// From words as `arguments` makes them, with - for none.
    fn parse(given: &str) -> Family {
        let words: Vec<&str> = given.split(' ').collect();
        let script = |word: &str| -> Vec<Statement> {
            let mut letters = word.trim_matches('-').chars().peekable();
            let statement = || {
                let (what, x) = (letters.next()?, letters.next()?.to_digit(10)? as usize);
                Some(Statement { what, x, asks: letters.next_if_eq(&'?').is_some() })
            };
            std::iter::from_fn(statement).collect()
        };
        let member = |(kind, word): (char, &&str)| Member { thread: kind == 't', script: script(word) };
        let members = words[0].chars().zip(&words[2..]).map(member).collect();
        let how = ['o', 's', 'c', 'R'].map(|letter| words[1].contains(letter));
        let [orphans, signals, about_children, restarts] = how;
        Family { members, orphans, signals, about_children, restarts }
    }

    fn arguments(&self, declares: bool) -> Vec<String> {
        let kinds = self.members.iter().map(|m| if m.thread { 't' } else { 'p' }).collect();
        let how = [
            (self.orphans, 'o'),
            (!self.orphans, 'r'),
            (self.signals, 's'),
            (self.about_children, 'c'),
            ((self.signals || self.about_children) && self.restarts, 'R'),
        ];
        let how =
            how.iter().chain([&(declares, 'd')]).filter(|(so, _)| *so).map(|(_, letter)| letter).collect();
        [kinds, how].into_iter().chain(self.members.iter().map(|m| words(&m.script))).collect()
    }

    fn uses(&self, letters: &str) -> bool {
        self.members.iter().flat_map(|m| &m.script).any(|s| letters.contains(s.what))
    }

    /// Who waits for all of its own to the end always does so.
    fn is_needed(&self, k: usize, at: usize) -> bool {
        let script = &self.members[k].script;
        let last = !script[at + 1..].iter().any(|s| (s.what, s.x) == (script[at].what, script[at].x));
        last && (script[at].what == 'J' || script[at].what == 'W' && !self.orphans)
    }

    fn tidied(mut self) -> Family {
        for k in 0..self.members.len() {
            for at in 1..self.members[k].script.len() {
                self.members[k].script[at - 1].asks &= !self.is_needed(k, at);
            }
        }
        self
    }

    /// The same with one statement less.
    fn smaller(&self) -> Vec<Family> {
        let places =
            self.members.iter().enumerate().flat_map(|(k, m)| (0..m.script.len()).map(move |at| (k, at)));
        let without = |(k, at): (usize, usize)| {
            let mut less = self.clone();
            less.members[k].script.remove(at);
            less.tidied()
        };
        places.filter(|(k, at)| !self.is_needed(*k, *at)).map(without).collect()
    }
}

/// What was done: searches compared, their runs, searches that were cut.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    compared: u64,
    runs: u64,
    cut: u64,
}

/// Every reduction against the simulator.
fn compare(real: &Real, family: &Family, number: u64, counts: &mut Counts) -> Result<Ends, String> {
    let Some(ends) = brute(family) else { return Ok(Ends::default()) };
    let mut plans = vec![(Reduction::Dpor, 1 + number as usize % 2, false), (Reduction::Sleep, 1, false)];
    plans.push((Reduction::None, 2, false));
    // A declaration cannot be widened by those that are started later.
    let flat = family.members[1..].iter().all(|m| m.script.iter().all(|s| s.what != 'F'));
    let signals = family.signals || family.about_children;
    if flat && !family.orphans && !signals && !family.uses("QGIOcCmghy") {
        plans.extend([(Reduction::Persistent, 1, true), (Reduction::PersistentSleep, 1, true)]);
    }
    for (reduction, workers, declares) in plans {
        let arguments = family.arguments(declares);
        let found = real.search(&arguments, reduction, workers)?;
        let wrong = if found.complete { found.ends != ends } else { !found.ends.is_within(&ends) };
        if wrong {
            let arguments = arguments.join(" ");
            return Err(format!("{reduction:?}, {arguments}\n  found {:?}\n  expected {ends:?}", found.ends));
        }
        counts.compared += u64::from(found.complete);
        counts.cut += u64::from(!found.complete);
        counts.runs += found.runs;
    }
    Ok(ends)
}

/// Leaves out statements as long as something is wrong.
fn shrink(real: &Real, mut family: Family, mut wrong: String) -> String {
    let mut counts = Counts::default();
    'smaller: loop {
        for less in family.smaller() {
            if let Err(still) = compare(real, &less, 1, &mut counts) {
                (family, wrong) = (less, still);
                continue 'smaller;
            }
        }
        return wrong;
    }
}

#[test]
#[allow(clippy::print_stdout, reason = "long runs are counted")]
fn families_end_as_a_simulator_says() {
    let real = Real::new("family.c");
    let mut chance = Chance::new(number("SEED", 1));
    let mut counts = Counts::default();
    let (mut done, mut several, mut blocked) = (0, 0, 0);
    while done < number("PROGRAMS", 15) {
        let family = random(&mut chance);
        if brute(&family).is_none_or(|ends| ends.got.len() + ends.blocked.len() < 2) {
            continue;
        }
        let ends = compare(&real, &family, done, &mut counts)
            .unwrap_or_else(|wrong| panic!("program {done}: {}", shrink(&real, family, wrong)));
        several += u64::from(ends.got.len() > 1);
        blocked += u64::from(!ends.blocked.is_empty());
        done += 1;
    }
    println!("{done} programs, {counts:?}, {several} with several results, {blocked} with deadlocks");
    assert!(
        several * 3 > done && blocked * 10 > done && counts.cut < counts.compared,
        "too tame: {several}, {blocked}, {counts:?}"
    );
}

/// What random families and others have found: ends of children against what their parent does
/// about them; processes that are killed before they fork, children that are born while another
/// thread waits for any, two threads that wait for one child; an operation that was to come before
/// one of its own thread.
#[test]
fn families_that_have_gone_wrong() {
    let real = Real::new("family.c");
    for (given, ends) in [
        ("pppp o F2K2 - F3 w0", 3),
        ("pppp o F2 - F3 w1w0", 1),
        ("pppp o F2n0? - F3w1n0?K3?W3 -", 2),
        ("pttp r F1n0J1 F2J2 F3W3 -", 3),
        ("ptpp r F1F3J1W2W3 u0 - u0?z0", 1),
        ("ptpp r F1F3J1W3 F2W2 - -", 1),
        ("pt rsR F1H1R1J1 -", 2),
        ("pp rsR F1M1W1R1 B0", 2),
        ("ppt rsR F1M1W1 B0F2J2 R1", 2),
        ("pp rcR F1l1W1 -", 2),
        ("pp rcR l1F1l2W1 -", 2),
        ("pp rcR F1l3W1 -", 2),
        ("ptp rcR F1F2W2J1R1 l0 -", 2),
        ("pp rcR F1B0W1v0 -", 2),
    ] {
        let family = Family::parse(given);
        assert_eq!(family.arguments(false).join(" "), given.replace('-', ""), "the parser");
        let found = compare(&real, &family, 1, &mut Counts::default());
        let found = found.unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(found.got.len() + found.blocked.len(), ends, "{given}");
    }
}
