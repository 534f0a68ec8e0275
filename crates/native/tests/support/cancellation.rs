//! A simulator of threads that cancel each other, by brute force. It shares nothing with the crate:
//! its rules are those of POSIX.
//!
//! * 2.9.5.2: a thread that is asked to end and then calls a function that is a cancellation point
//!   ends before that returns. If it is in the call already, and what it waits for happens or its
//!   time is up, it ends or goes on.
//! * pthread_cond_wait: the mutex is let go, and taken again before the handlers run; a thread that
//!   was woken may end and leave the signal to others, which is not modelled.
//! * As the C library has it (2.36), beyond POSIX: a join of a thread that has ended, sem_clockwait
//!   with a permit there and a wait for a condition that is woken return also if the request came
//!   before the call; they look for it only where they wait.

use super::simulated::Ends;
use std::collections::HashSet;

/// A letter of `cancelled.c`, its objects, whether the next statement depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Statement {
    pub what: char,
    pub x: usize,
    pub y: usize,
    pub asks: bool,
}

/// What a thread is doing. Doomed: it was asked to end before it came there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Works,
    /// In a call that is a cancellation point.
    Inside {
        doomed: bool,
    },
    /// It sleeps on a condition variable; was woken, or its time is up, and it wants its mutex.
    Asleep {
        doomed: bool,
    },
    Woken,
    Late,
    AtBarrier,
    /// It gives back what it holds.
    Ends,
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Hold {
    Nothing,
    Reads,
    Writes,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    script: Vec<Statement>,
    at: usize,
    phase: Phase,
    got: String,
    held: [bool; 2],
    hold: Hold,
    asked: bool,
    disabled: bool,
    counts: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    threads: Vec<Thread>,
    owned: [bool; 2],
    semaphore: [u32; 2],
    variable: [u32; 2],
    bytes: u32,
    /// Of the helper that is joined, if there is one: may it end, has it ended.
    gate: bool,
    helper: Option<bool>,
}

/// What a thread can do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Comes,
    Goes,
    /// A signal for this one.
    Wakes(usize),
    TimesOut,
    IsCancelled,
}

/// All ways to end, and whether a signal was left to others.
#[derive(Debug, Default)]
pub struct All {
    pub ends: Ends,
    pub leaves: bool,
    pub states: usize,
    pub cancelled: bool,
}

/// Cancellation points that look for a request when they are called.
const LOOKS_FIRST: &str = "WwOIpey";
/// Those that look for it only where they wait; waits for a condition apart.
const LOOKS_LATER: &str = "kJj";
/// At their limit they give 0 and take nothing.
const TIMED: &str = "wkjylx";

impl State {
    pub fn new(scripts: &[Vec<Statement>], semaphore: [u32; 2]) -> State {
        let thread = |script: &Vec<Statement>| Thread {
            script: script.clone(),
            at: 0,
            phase: Phase::Works,
            got: String::new(),
            held: [false; 2],
            hold: Hold::Nothing,
            asked: false,
            disabled: false,
            counts: false,
        };
        let threads = scripts.iter().map(thread).collect();
        let joins = scripts.iter().flatten().any(|s| matches!(s.what, 'J' | 'j'));
        let mut new = State {
            threads,
            owned: [false; 2],
            semaphore,
            variable: [0; 2],
            bytes: 0,
            gate: false,
            helper: joins.then_some(false),
        };
        (0..scripts.len()).for_each(|who| new.settle(who));
        new
    }

    /// Up to the next statement that others can see.
    fn settle(&mut self, who: usize) {
        let t = &mut self.threads[who];
        while let Some(s) = t.script.get(t.at) {
            let left_out = match s.what {
                'L' | 'l' => t.held[s.x],
                'U' => !t.held[s.x],
                'C' | 'c' => !t.held[s.y],
                'r' | 'q' | 'x' => t.hold != Hold::Nothing,
                'u' => t.hold == Hold::Nothing,
                'D' | 'E' | 'H' => {
                    t.disabled = if s.what == 'H' { t.disabled } else { s.what == 'D' };
                    t.counts |= s.what == 'H';
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
        let t = &mut self.threads[who];
        if t.held == [false; 2] && t.hold == Hold::Nothing && !t.counts {
            t.phase = Phase::Over;
        }
    }

    /// What its handler does: it counts, and lets go of the locks one after the other.
    fn handle(&mut self, who: usize) {
        let t = &mut self.threads[who];
        if t.counts {
            t.counts = false;
            self.variable[0] += 1;
        } else if let Some(first) = t.held.iter().position(|held| *held) {
            (t.held[first], self.owned[first]) = (false, false);
        } else {
            t.hold = Hold::Nothing;
        }
        self.give_back(who);
    }

    fn statement(&self, who: usize) -> Statement {
        self.threads[who].script[self.threads[who].at]
    }

    fn sleepers(&self, condition: usize) -> Vec<usize> {
        let sleeps = |who: &usize| {
            matches!(self.threads[*who].phase, Phase::Asleep { .. }) && self.statement(*who).x == condition
        };
        (0..self.threads.len()).filter(sleeps).collect()
    }

    fn is_held(&self, hold: Hold) -> bool {
        self.threads.iter().any(|t| t.hold == hold)
    }

    fn choices(&self, who: usize) -> Vec<Choice> {
        let t = &self.threads[who];
        let asked = t.asked && !t.disabled;
        let ends = |asked: bool| asked.then_some(Choice::IsCancelled);
        match t.phase {
            Phase::Over | Phase::AtBarrier => vec![],
            Phase::Ends => vec![Choice::Goes],
            Phase::Asleep { doomed } => {
                let free = !self.owned[self.statement(who).y];
                let late = self.statement(who).what == 'c' && !doomed;
                late.then_some(Choice::TimesOut).into_iter().chain(ends(free && asked)).collect()
            }
            Phase::Woken | Phase::Late => {
                let free = !self.owned[self.statement(who).y];
                free.then_some(Choice::Goes).into_iter().chain(ends(free && asked)).collect()
            }
            Phase::Inside { doomed } => {
                let usual = self.choices_at(self.statement(who));
                let usual = usual.into_iter().filter(|c| !doomed || *c != Choice::TimesOut);
                ends(asked).into_iter().chain(usual).collect()
            }
            Phase::Works => {
                let s = self.statement(who);
                match s.what {
                    c if LOOKS_FIRST.contains(c) || c == 'T' || c == 'z' => match (asked, c) {
                        (true, _) => vec![Choice::IsCancelled],
                        (false, 'T' | 'z') => vec![Choice::Goes],
                        (false, _) => vec![Choice::Comes],
                    },
                    c if LOOKS_LATER.contains(c) => vec![Choice::Comes],
                    _ => self.choices_at(s),
                }
            }
        }
    }

    /// Of a thread that nothing disturbs.
    fn choices_at(&self, s: Statement) -> Vec<Choice> {
        let possible = match s.what {
            'L' | 'l' => !self.owned[s.x],
            'W' | 'w' | 'k' => self.semaphore[s.x] > 0,
            'O' | 'p' | 'y' => self.bytes > 0,
            'J' | 'j' => self.helper == Some(true),
            'r' => !self.is_held(Hold::Writes),
            'q' | 'x' => !self.is_held(Hold::Writes) && !self.is_held(Hold::Reads),
            _ => true,
        };
        if s.what == 'N' && !self.sleepers(s.x).is_empty() {
            return self.sleepers(s.x).into_iter().map(Choice::Wakes).collect();
        }
        // That the helper has ended shows nowhere but in a join.
        let late = TIMED.contains(s.what) && (!possible || s.what == 'j');
        possible.then_some(Choice::Goes).into_iter().chain(late.then_some(Choice::TimesOut)).collect()
    }

    fn step(&mut self, who: usize, choice: Choice) {
        if self.threads[who].phase == Phase::Ends {
            return self.handle(who);
        }
        let s = self.statement(who);
        let doomed = self.threads[who].asked && !self.threads[who].disabled;
        match (self.threads[who].phase, choice) {
            (_, Choice::Comes) => self.threads[who].phase = Phase::Inside { doomed },
            (phase, Choice::IsCancelled) => self.end(who, s, phase),
            (Phase::Asleep { .. }, _) => self.threads[who].phase = Phase::Late,
            (phase @ (Phase::Woken | Phase::Late), _) => {
                (self.threads[who].held[s.y], self.owned[s.y]) = (true, true);
                self.done(who, s, u32::from(phase == Phase::Woken));
            }
            (_, Choice::TimesOut) => self.done(who, s, 0),
            _ if matches!(s.what, 'C' | 'c') => {
                (self.threads[who].held[s.y], self.owned[s.y]) = (false, false);
                self.threads[who].phase = Phase::Asleep { doomed };
            }
            _ if s.what == 'b' => self.arrive(who),
            _ => {
                let value = self.execute(who, s, choice);
                self.done(who, s, value);
            }
        }
    }

    fn end(&mut self, who: usize, s: Statement, phase: Phase) {
        if matches!(phase, Phase::Asleep { .. } | Phase::Woken | Phase::Late) {
            (self.threads[who].held[s.y], self.owned[s.y]) = (true, true);
        }
        self.threads[who].got.push('X');
        self.threads[who].phase = Phase::Ends;
        self.give_back(who);
    }

    /// The second lets the first go on.
    fn arrive(&mut self, who: usize) {
        match self.threads.iter().position(|t| t.phase == Phase::AtBarrier) {
            None => self.threads[who].phase = Phase::AtBarrier,
            Some(first) => {
                self.done(first, self.statement(first), 0);
                self.done(who, self.statement(who), 1);
            }
        }
    }

    /// The value that a statement gives which only does something.
    fn execute(&mut self, who: usize, s: Statement, choice: Choice) -> u32 {
        match s.what {
            'L' | 'l' | 'U' => {
                let takes = s.what != 'U';
                (self.owned[s.x], self.threads[who].held[s.x]) = (takes, takes);
            }
            'N' | 'B' => {
                let chosen = |t: &usize| s.what == 'B' || choice == Choice::Wakes(*t);
                for woken in self.sleepers(s.x).into_iter().filter(chosen) {
                    self.threads[woken].phase = Phase::Woken;
                }
            }
            'V' if self.semaphore[s.x] == 0 => return 0,
            'W' | 'V' | 'w' | 'k' => self.semaphore[s.x] -= 1,
            'P' => self.semaphore[s.x] += 1,
            'R' => return self.variable[s.x] % 2,
            'S' => self.variable[s.x] += 1,
            'I' => self.bytes += 1,
            'O' => self.bytes -= 1,
            'e' => return u32::from(self.bytes > 0),
            'K' => self.threads[s.x].asked = true,
            'F' => self.gate = true,
            'r' => self.threads[who].hold = Hold::Reads,
            'q' | 'x' => self.threads[who].hold = Hold::Writes,
            'u' => self.threads[who].hold = Hold::Nothing,
            _ => {}
        }
        1
    }

    fn done(&mut self, who: usize, s: Statement, value: u32) {
        let t = &mut self.threads[who];
        t.phase = Phase::Works;
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
            'p' => "poll",
            'J' => "pthread_join",
            'r' => "rwlock_rdlock",
            'q' => "rwlock_wrlock",
            'b' => "barrier_wait",
            _ => "cond_wait",
        };
        let waiting = self.threads.iter().filter(|t| t.phase != Phase::Over).map(name);
        let helper = (self.helper == Some(false)).then_some("sem_wait");
        let mut all: Vec<&str> = waiting.chain(["sem_wait"]).chain(helper).collect();
        all.sort_unstable();
        all.join(", ")
    }

    /// What can come next, of all threads; the helper has no number.
    fn nexts(&self, all: &mut All) -> Vec<State> {
        let mut nexts = Vec::new();
        if self.gate && self.helper == Some(false) {
            nexts.push(State { helper: Some(true), ..self.clone() });
        }
        for who in 0..self.threads.len() {
            for choice in self.choices(who) {
                if choice == Choice::IsCancelled {
                    all.cancelled = true;
                    let others = self.sleepers(self.statement(who).x);
                    all.leaves |= self.threads[who].phase == Phase::Woken && !others.is_empty();
                }
                let mut next = self.clone();
                next.step(who, choice);
                nexts.push(next);
            }
        }
        nexts
    }
}

const MOST_STATES: usize = 4000;

/// All that can come of it.
pub fn brute(state: State, seen: &mut HashSet<State>, all: &mut All) {
    if seen.len() > MOST_STATES || !seen.insert(state.clone()) {
        return;
    }
    let nexts = state.nexts(all);
    all.states = seen.len();
    if nexts.is_empty() && state.threads.iter().all(|t| t.phase == Phase::Over) {
        let got: Vec<&str> = state.threads.iter().map(|t| t.got.as_str()).collect();
        all.ends.got.insert(got.join(","));
    } else if nexts.is_empty() {
        all.ends.blocked.insert(state.blocked());
    }
    nexts.into_iter().for_each(|next| brute(next, seen, all));
}
