//! Threads that cancel each other against a simulator that shares nothing with the crate: random
//! little programs over locks, condition variables, semaphores and a pipe, whose threads ask each
//! other to end, at points that wait or not, enabled or not. `cancelled.c` executes them under
//! control.
//!
//! The simulator has the rules of POSIX (2.9.5, pthread_cond_wait): a thread that is asked to end
//! does so when it comes to a point, or waits at one; a wait on a condition variable takes its
//! mutex first; one that was woken already may return, or end and leave the signal to others. The
//! last is not modelled, and must make the verdict unknown. All other ways to end must be the same
//! with every reduction. `PROGRAMS` and `SEED` in the environment make it longer.

#[path = "support/simulated.rs"]
mod simulated;

use explore::stateless::Reduction;
use logic::random::Random as Chance;
use simulated::{Ends, Real, number};
use std::collections::HashSet;

/// A letter of `cancelled.c`, its objects, whether the next statement depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Statement {
    what: char,
    x: usize,
    y: usize,
    asks: bool,
}

/// What a thread is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Works,
    /// It sleeps on a condition variable; or it was woken and wants its mutex.
    Asleep,
    Woken,
    /// It gives back what it holds.
    Ends,
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    script: Vec<Statement>,
    at: usize,
    phase: Phase,
    got: String,
    held: [bool; 2],
    asked: bool,
    disabled: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    owned: [bool; 2],
    semaphore: [u32; 2],
    variable: [u32; 2],
    bytes: u32,
}

/// What a thread can do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Goes,
    /// A signal for this one.
    Wakes(usize),
    IsCancelled,
}

/// All ways to end, and whether a signal was left to others.
#[derive(Debug, Default)]
struct All {
    ends: Ends,
    leaves: bool,
    states: usize,
    cancelled: bool,
}

impl State {
    fn new(scripts: &[Vec<Statement>], semaphore: [u32; 2]) -> State {
        let thread = |script: &Vec<Statement>| Thread {
            script: script.clone(),
            at: 0,
            phase: Phase::Works,
            got: String::new(),
            held: [false; 2],
            asked: false,
            disabled: false,
        };
        let threads = scripts.iter().map(thread).collect();
        let mut new = State { threads, owned: [false; 2], semaphore, variable: [0; 2], bytes: 0 };
        (0..scripts.len()).for_each(|who| new.settle(who));
        new
    }

    /// Up to the next statement that others can see.
    fn settle(&mut self, who: usize) {
        let t = &mut self.threads[who];
        while let Some(s) = t.script.get(t.at) {
            let left_out = match s.what {
                'L' => t.held[s.x],
                'U' => !t.held[s.x],
                'C' => !t.held[s.y],
                'D' | 'E' => {
                    t.disabled = s.what == 'D';
                    t.got.push('1');
                    true
                }
                _ => false,
            };
            if !left_out {
                return;
            }
            t.at += 1;
        }
        t.phase = Phase::Ends;
        self.give_back(who);
    }

    /// A thread that ends and holds nothing is over.
    fn give_back(&mut self, who: usize) {
        if self.threads[who].held == [false; 2] {
            self.threads[who].phase = Phase::Over;
        }
    }

    fn statement(&self, who: usize) -> Statement {
        self.threads[who].script[self.threads[who].at]
    }

    fn sleepers(&self, condition: usize) -> Vec<usize> {
        let sleeps =
            |who: &usize| self.threads[*who].phase == Phase::Asleep && self.statement(*who).x == condition;
        (0..self.threads.len()).filter(sleeps).collect()
    }

    fn choices(&self, who: usize) -> Vec<Choice> {
        let t = &self.threads[who];
        let asked = t.asked && !t.disabled;
        match t.phase {
            Phase::Over => vec![],
            Phase::Ends => vec![Choice::Goes],
            Phase::Asleep | Phase::Woken => {
                let free = !self.owned[self.statement(who).y];
                let goes = (free && t.phase == Phase::Woken).then_some(Choice::Goes);
                goes.into_iter().chain((free && asked).then_some(Choice::IsCancelled)).collect()
            }
            Phase::Works => self.choices_at(who, self.statement(who), asked),
        }
    }

    fn choices_at(&self, who: usize, s: Statement, asked: bool) -> Vec<Choice> {
        let possible = match s.what {
            'L' => !self.owned[s.x],
            'W' => self.semaphore[s.x] > 0,
            'O' => self.bytes > 0,
            _ => true,
        };
        match s.what {
            'W' | 'O' | 'I' | 'T' | 'C' if asked => vec![Choice::IsCancelled],
            'N' if !self.sleepers(s.x).is_empty() => {
                self.sleepers(s.x).into_iter().map(Choice::Wakes).collect()
            }
            _ if possible && self.threads[who].phase == Phase::Works => vec![Choice::Goes],
            _ => vec![],
        }
    }

    fn step(&mut self, who: usize, choice: Choice) {
        if self.threads[who].phase == Phase::Ends {
            let first = usize::from(!self.threads[who].held[0]);
            (self.threads[who].held[first], self.owned[first]) = (false, false);
            return self.give_back(who);
        }
        let s = self.statement(who);
        if choice == Choice::IsCancelled {
            if matches!(self.threads[who].phase, Phase::Asleep | Phase::Woken) {
                (self.threads[who].held[s.y], self.owned[s.y]) = (true, true);
            }
            self.threads[who].got.push('X');
            self.threads[who].phase = Phase::Ends;
            return self.give_back(who);
        }
        if self.threads[who].phase == Phase::Woken {
            (self.threads[who].held[s.y], self.owned[s.y]) = (true, true);
            self.threads[who].phase = Phase::Works;
            return self.done(who, s, 1);
        }
        let value = match s.what {
            'L' | 'U' => {
                let takes = s.what == 'L';
                (self.owned[s.x], self.threads[who].held[s.x]) = (takes, takes);
                1
            }
            'C' => {
                (self.threads[who].held[s.y], self.owned[s.y]) = (false, false);
                self.threads[who].phase = Phase::Asleep;
                return;
            }
            'N' | 'B' => {
                let chosen = |t: &usize| s.what == 'B' || choice == Choice::Wakes(*t);
                for woken in self.sleepers(s.x).into_iter().filter(chosen) {
                    self.threads[woken].phase = Phase::Woken;
                }
                1
            }
            'V' if self.semaphore[s.x] == 0 => 0,
            'W' | 'V' => {
                self.semaphore[s.x] -= 1;
                1
            }
            'P' => {
                self.semaphore[s.x] += 1;
                1
            }
            'R' => self.variable[s.x] % 2,
            'S' => {
                self.variable[s.x] += 1;
                1
            }
            'I' => {
                self.bytes += 1;
                1
            }
            'O' => {
                self.bytes -= 1;
                1
            }
            'K' => {
                self.threads[s.x].asked = true;
                1
            }
            _ => 1,
        };
        self.done(who, s, value);
    }

    fn done(&mut self, who: usize, s: Statement, value: u32) {
        let t = &mut self.threads[who];
        t.got.push(char::from(b'0' + value as u8));
        t.at += if s.asks && value == 0 { 2 } else { 1 };
        self.settle(who);
    }

    /// The operations on which threads are blocked; the first thread waits for the others.
    fn blocked(&self) -> String {
        let name = |t: &Thread| match t.script[t.at].what {
            'L' => "mutex_lock",
            'W' => "sem_wait",
            'O' => "read",
            _ => "cond_wait",
        };
        let waiting = self.threads.iter().filter(|t| t.phase != Phase::Over).map(name);
        let mut all: Vec<&str> = waiting.chain(["sem_wait"]).collect();
        all.sort_unstable();
        all.join(", ")
    }
}

const MOST_STATES: usize = 4000;

fn brute(state: State, seen: &mut HashSet<State>, all: &mut All) {
    if seen.len() > MOST_STATES || !seen.insert(state.clone()) {
        return;
    }
    let mut moved = false;
    for who in 0..state.threads.len() {
        for choice in state.choices(who) {
            moved = true;
            if choice == Choice::IsCancelled {
                all.cancelled = true;
                let others = state.sleepers(state.statement(who).x);
                all.leaves |= state.threads[who].phase == Phase::Woken && !others.is_empty();
            }
            let mut next = state.clone();
            next.step(who, choice);
            brute(next, seen, all);
        }
    }
    all.states = seen.len();
    if !moved {
        let over = state.threads.iter().all(|t| t.phase == Phase::Over);
        match over {
            true => {
                let got: Vec<&str> = state.threads.iter().map(|t| t.got.as_str()).collect();
                all.ends.got.insert(got.join(","));
            }
            false => {
                all.ends.blocked.insert(state.blocked());
            }
        }
    }
}

/// Two that wait, and one that wakes and cancels.
fn two_waiters(chance: &mut Chance) -> Vec<Vec<Statement>> {
    let plain = |what| Statement { what, x: 0, y: 0, asks: false };
    let waiter = |chance: &mut Chance| {
        let letters = ["LC", "LCU", "LCUS"][chance.below(3)];
        letters.chars().map(plain).collect()
    };
    let letters = ["LNKU", "NK", "LNUK", "KN", "LBKU", "NKN"][chance.below(6)];
    let other = letters.chars().map(plain).collect();
    vec![waiter(chance), waiter(chance), other]
}

/// Random statements of a few kinds, so that they meet.
fn scripts(chance: &mut Chance) -> Vec<Vec<Statement>> {
    if chance.below(8) == 0 {
        return two_waiters(chance);
    }
    const KINDS: [&str; 6] = ["WVP", "RST", "LCNU", "LCCNBU", "IO", "LUWP"];
    let letters: Vec<char> = (0..1 + chance.below(2))
        .flat_map(|_| KINDS[chance.below(KINDS.len())].chars())
        .chain("KDE".chars())
        .collect();
    let count = 2 + chance.below(2);
    let most = if count == 2 { 6 } else { 4 };
    let statement = |chance: &mut Chance| {
        let what = letters[chance.below(letters.len())];
        let x = if what == 'K' { chance.below(count) } else { chance.below(4) / 3 };
        let x = if matches!(what, 'I' | 'O' | 'T' | 'D' | 'E') { 0 } else { x };
        Statement { what, x, y: 0, asks: chance.below(3) == 0 && !matches!(what, 'D' | 'E') }
    };
    let script = |chance: &mut Chance| {
        let mut script: Vec<Statement> = (0..1 + chance.below(most)).map(|_| statement(chance)).collect();
        // Who waits for a condition has its mutex, mostly.
        if let Some(at) = script.iter().position(|s| s.what == 'C').filter(|_| chance.below(5) > 0) {
            script.insert(at, Statement { what: 'L', x: 0, y: 0, asks: false });
        }
        script
    };
    (0..count).map(|_| script(chance)).collect()
}

fn words(script: &[Statement]) -> String {
    let word = |s: &Statement| {
        let second = if s.what == 'C' { s.y.to_string() } else { String::new() };
        format!("{}{}{second}{}", s.what, s.x, if s.asks { "?" } else { "" })
    };
    script.iter().map(word).collect()
}

#[test]
fn cancelled_threads_end_as_a_simulator_says() {
    let real = Real::new("cancelled.c");
    let mut chance = Chance::new(number("SEED", 1));
    let (mut done, mut left, mut blocked, mut cut) = (0u64, 0, 0, 0u64);
    while done < number("PROGRAMS", 60) {
        let scripts = scripts(&mut chance);
        let semaphore = [chance.below(2) as u32, chance.below(2) as u32];
        let (mut all, mut seen) = (All::default(), HashSet::new());
        brute(State::new(&scripts, semaphore), &mut seen, &mut all);
        if !all.cancelled || all.states > 400 {
            continue;
        }
        let mut arguments: Vec<String> = vec![semaphore.iter().map(u32::to_string).collect()];
        arguments.extend(scripts.iter().map(|s| words(s)));
        let about = || format!("program {done}: {}", arguments.join(" "));
        let others = [Reduction::Sleep, Reduction::None];
        for reduction in [Reduction::Dpor, others[done as usize % 2]] {
            let found = real.search(&arguments, reduction, 1 + done as usize % 2);
            if all.leaves {
                // A search that is cut may end before it comes to that.
                let said = found.err().unwrap_or_default();
                assert!(said.is_empty() || said.contains("a cancelled thread leaves"), "{}: {said}", about());
                left += usize::from(!said.is_empty());
                continue;
            }
            let found = found.unwrap_or_else(|said| panic!("{}: {said}", about()));
            if found.complete {
                assert_eq!(found.ends, all.ends, "{reduction:?}, {}", about());
            } else {
                cut += 1;
                assert!(
                    found.ends.is_within(&all.ends),
                    "{reduction:?}, {}: {:?} in {} runs",
                    about(),
                    found.ends,
                    found.runs
                );
            }
        }
        blocked += u64::from(!all.ends.blocked.is_empty());
        done += 1;
    }
    assert!(blocked * 10 > done && left > 0 && cut < done, "{blocked}, {left}, {cut}");
}
