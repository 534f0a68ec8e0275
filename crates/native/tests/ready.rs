//! What is ready, against a simulator that shares nothing with the crate: random little programs
//! whose threads wait with poll, select and epoll (an epoll may watch another, watches may speak
//! once, and are added, armed again and removed meanwhile) for counters and a pipe, and read and
//! write these. `ready.c` executes them under control.
//!
//! The simulator has the rules of epoll(7), poll(2) and eventfd(2). All ways to end must be the
//! same with every reduction. `PROGRAMS` and `SEED` in the environment make it longer.

#[path = "support/simulated.rs"]
mod simulated;

use explore::stateless::Reduction;
use logic::random::Random as Chance;
use simulated::{Ends, Real, number};
use std::collections::HashSet;

/// A letter of `ready.c`, its object, whether the next statement depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Statement {
    what: char,
    x: usize,
    asks: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    script: Vec<Statement>,
    at: usize,
    got: String,
}

/// A descriptor that an epoll watches: is it there, does it speak once, has it spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Watch {
    there: bool,
    once: bool,
    spent: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    count: [u32; 2],
    bytes: u32,
    /// The counter and the pipe, in the first epoll; the semaphore and the first epoll, in the
    /// second.
    watches: [Watch; 4],
}

impl State {
    fn new(scripts: &[Vec<Statement>], config: &[usize]) -> State {
        let thread = |s: &Vec<Statement>| Thread { script: s.clone(), at: 0, got: String::new() };
        let watch = |at: usize| Watch { there: config[at] > 0, once: config[at] == 2, spent: false };
        let threads = scripts.iter().map(thread).collect();
        State { threads, count: [0; 2], bytes: 0, watches: [0, 1, 2, 3].map(watch) }
    }

    /// Whether what is watched can be read.
    fn readable(&self, watched: usize) -> bool {
        match watched {
            0 => self.count[0] > 0,
            1 => self.bytes > 0,
            2 => self.count[1] > 0,
            _ => !self.speaking(0).is_empty(),
        }
    }

    /// The watches of an epoll that have something to say.
    fn speaking(&self, epoll: usize) -> Vec<usize> {
        let speaks = |at: &usize| self.watches[*at].there && !self.watches[*at].spent && self.readable(*at);
        [2 * epoll, 2 * epoll + 1].into_iter().filter(speaks).collect()
    }

    fn polled(&self) -> u32 {
        let second = !self.speaking(1).is_empty();
        u32::from(self.readable(0)) | u32::from(self.readable(1)) << 1 | u32::from(second) << 2
    }

    fn can_go(&self, s: Statement) -> bool {
        match s.what {
            'D' => self.count[s.x] > 0,
            'O' => self.bytes > 0,
            'W' => !self.speaking(s.x).is_empty(),
            'p' => self.polled() > 0,
            _ => true,
        }
    }

    fn execute(&mut self, s: Statement) -> u32 {
        match s.what {
            'A' => self.count[s.x] += 1,
            'D' => {
                let taken = if s.x == 1 { 1 } else { self.count[0] };
                self.count[s.x] -= taken;
                return taken;
            }
            'I' => self.bytes += 1,
            'O' => self.bytes -= 1,
            'W' | 'w' | 't' => {
                let all = self.speaking(s.x);
                all.iter().for_each(|at| self.watches[*at].spent = self.watches[*at].once);
                return all.iter().map(|at| 1 << at).sum();
            }
            'p' | 'q' => return self.polled(),
            's' => return u32::from(self.count[1] > 0) | u32::from(!self.speaking(0).is_empty()) << 1,
            _ => return self.control(s),
        }
        1
    }

    fn control(&mut self, s: Statement) -> u32 {
        let watch = &mut self.watches[s.x];
        if watch.there == (s.what == 'N') {
            return 0;
        }
        (watch.there, watch.spent) = (s.what != 'X', false);
        1
    }

    fn step(&mut self, who: usize) {
        let s = self.threads[who].script[self.threads[who].at];
        let value = self.execute(s);
        let t = &mut self.threads[who];
        t.got.push(char::from(b'0' + value as u8));
        t.at += if s.asks && value == 0 { 2 } else { 1 };
    }

    /// The operations on which threads are blocked; the first thread waits for the others.
    fn blocked(&self) -> String {
        let name = |t: &Thread| match t.script[t.at].what {
            'W' => "epoll_wait",
            'p' => "poll",
            _ => "read",
        };
        let waiting = self.threads.iter().filter(|t| t.at < t.script.len()).map(name);
        let mut all: Vec<&str> = waiting.chain(["sem_wait"]).collect();
        all.sort_unstable();
        all.join(", ")
    }
}

fn brute(state: State, seen: &mut HashSet<State>, ends: &mut Ends) {
    if !seen.insert(state.clone()) {
        return;
    }
    let goes = |who: &usize| {
        let t = &state.threads[*who];
        t.script.get(t.at).is_some_and(|s| state.can_go(*s))
    };
    let able: Vec<usize> = (0..state.threads.len()).filter(goes).collect();
    if able.is_empty() && state.threads.iter().all(|t| t.at >= t.script.len()) {
        let got: Vec<&str> = state.threads.iter().map(|t| t.got.as_str()).collect();
        ends.got.insert(got.join(","));
    } else if able.is_empty() {
        ends.blocked.insert(state.blocked());
    }
    for who in able {
        let mut next = state.clone();
        next.step(who);
        brute(next, seen, ends);
    }
}

fn scripts(chance: &mut Chance) -> Vec<Vec<Statement>> {
    const KINDS: [&str; 7] = ["AADWw", "IIOWw", "AIpqD", "AADst", "AIMWw", "AINXw", "AMNXW"];
    let letters: Vec<char> =
        (0..2).flat_map(|_| KINDS[chance.below(KINDS.len())].chars().collect::<Vec<_>>()).collect();
    let count = 2 + chance.below(2);
    let most = if count == 2 { 4 } else { 3 };
    let statement = |chance: &mut Chance| {
        let what = letters[chance.below(letters.len())];
        let x = match what {
            'A' | 'D' | 'W' | 'w' | 't' => chance.below(2),
            'N' | 'M' | 'X' => chance.below(4),
            _ => 0,
        };
        Statement { what, x, asks: chance.below(3) == 0 }
    };
    let script = |chance: &mut Chance| (0..1 + chance.below(most)).map(|_| statement(chance)).collect();
    (0..count).map(|_| script(chance)).collect()
}

fn words(script: &[Statement]) -> String {
    let word = |s: &Statement| format!("{}{}{}", s.what, s.x, if s.asks { "?" } else { "" });
    script.iter().map(word).collect()
}

#[test]
fn what_is_ready_is_so_as_a_simulator_says() {
    let real = Real::new("ready.c");
    let mut chance = Chance::new(number("SEED", 1));
    let (mut done, mut several, mut blocked, mut cut) = (0u64, 0u64, 0u64, 0u64);
    let mut wrong = Vec::new();
    while done < number("PROGRAMS", 40) && wrong.len() < 6 {
        let scripts = scripts(&mut chance);
        let config: Vec<usize> = (0..4).map(|_| [0, 1, 1, 2][chance.below(4)]).collect();
        let (mut ends, mut seen) = (Ends::default(), HashSet::new());
        brute(State::new(&scripts, &config), &mut seen, &mut ends);
        if ends.got.len() + ends.blocked.len() < 2 {
            continue;
        }
        let mut arguments = vec![config.iter().map(usize::to_string).collect::<String>()];
        arguments.extend(scripts.iter().map(|s| words(s)));
        let others = [Reduction::Sleep, Reduction::None];
        for reduction in [Reduction::Dpor, others[done as usize % 2]] {
            let found = match real.search(&arguments, reduction, 1 + done as usize % 2) {
                Ok(found) => found,
                Err(said) => {
                    wrong.push(format!("program {done}: {said}"));
                    continue;
                }
            };
            cut += u64::from(!found.complete);
            let right = if found.complete { found.ends == ends } else { found.ends.is_within(&ends) };
            if !right {
                let (all, runs) = (if found.complete { "all" } else { "some" }, found.runs);
                let about = format!("{reduction:?}, {}: {all} in {runs} runs", arguments.join(" "));
                wrong.push(format!("program {done}: {about} {:?}\nnot {ends:?}", found.ends));
            }
        }
        several += u64::from(ends.got.len() > 1);
        blocked += u64::from(!ends.blocked.is_empty());
        done += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(several * 2 > done && blocked * 10 > done && cut < done, "{several}, {blocked}, {cut}");
}
