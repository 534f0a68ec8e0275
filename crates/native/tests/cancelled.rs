//! Threads that cancel each other against a simulator that shares nothing with the crate: random
//! little programs over locks, condition variables, semaphores, a barrier, a pipe and a thread
//! that is joined, with and without time limits, whose threads ask each other to end, at points
//! that wait or not, enabled or not. `cancelled.c` executes them under control.
//!
//! The simulator has the rules of POSIX (`support/cancellation.rs`). A signal of a condition
//! variable that a cancelled thread leaves to others is not modelled, and must make the verdict
//! unknown. All other ways to end must be the same with every reduction. `PROGRAMS` and `SEED` in
//! the environment make it longer.
//!
//! Cancellation points that are not here: those that do what `sem_wait` or `read` does to another
//! object (sigwait, sigsuspend, pause, msgrcv, msgsnd, mq_*, epoll_wait, accept, connect, recv,
//! send, locks of files, FIFOs, waits for children), and those that are over at once (calls on
//! files). `weave/tests/cancellation.rs` has them, each alone. Asynchronous cancellation is
//! *unknown*.

#[path = "support/cancellation.rs"]
mod cancellation;
#[path = "support/simulated.rs"]
mod simulated;

use cancellation::{All, State, Statement, brute};
use explore::stateless::Reduction;
use logic::random::Random as Chance;
use simulated::{Real, number};
use std::collections::{BTreeMap, HashSet};

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
    const KINDS: [&str; 17] = [
        "WVP", "RST", "LCNU", "LCCNBU", "IO", "LUWP", "wPV", "kPV", "LcNU", "LccBU", "lUL", "JFS", "jFR",
        "rqu", "xru", "bzS", "Iype",
    ];
    let usual = if chance.below(2) == 0 { "KDE" } else { "KKHR" };
    let letters: Vec<char> = (0..1 + chance.below(2))
        .flat_map(|_| KINDS[chance.below(KINDS.len())].chars())
        .chain(usual.chars())
        .collect();
    let count = 2 + chance.below(2);
    let most = if count == 2 { 6 } else { 4 };
    let statement = |chance: &mut Chance| {
        let what = letters[chance.below(letters.len())];
        let x = if what == 'K' { chance.below(count) } else { chance.below(4) / 3 };
        let x = if "WwkVPLlUCcNBRSK".contains(what) { x } else { 0 };
        Statement { what, x, y: 0, asks: chance.below(3) == 0 && !"DEH".contains(what) }
    };
    let script = |chance: &mut Chance| {
        let mut script: Vec<Statement> = (0..1 + chance.below(most)).map(|_| statement(chance)).collect();
        // Who waits for a condition has its mutex, mostly.
        if let Some(at) =
            script.iter().position(|s| matches!(s.what, 'C' | 'c')).filter(|_| chance.below(5) > 0)
        {
            script.insert(at, Statement { what: 'L', x: 0, y: 0, asks: false });
        }
        script
    };
    let mut all: Vec<Vec<Statement>> = (0..count).map(|_| script(chance)).collect();
    // A thread is joined once.
    for more in all.iter_mut().flatten().filter(|s| matches!(s.what, 'J' | 'j')).skip(1) {
        more.what = 'T';
    }
    all
}

fn words(script: &[Statement]) -> String {
    let word = |s: &Statement| {
        let second = if matches!(s.what, 'C' | 'c') { s.y.to_string() } else { String::new() };
        format!("{}{}{second}{}", s.what, s.x, if s.asks { "?" } else { "" })
    };
    script.iter().map(word).collect()
}

/// What was compared, and how it ended.
#[derive(Debug, Default)]
struct Tally {
    cut: u64,
    left: u64,
    blocked: u64,
    used: BTreeMap<char, u64>,
}

/// Whether a search finds what the simulator does.
fn compare(
    real: &Real,
    arguments: &[String],
    (reduction, threads): (Reduction, usize),
    all: &All,
    tally: &mut Tally,
) -> Result<(), String> {
    let about = format!("{reduction:?}, {}", arguments.join(" "));
    let found = real.search(arguments, reduction, threads);
    if all.leaves {
        // A search that is cut may end before it comes to that.
        let said = found.err().unwrap_or_default();
        tally.left += u64::from(!said.is_empty());
        let right = said.is_empty() || said.contains("a cancelled thread leaves");
        return if right { Ok(()) } else { Err(format!("{about}: {said}")) };
    }
    let found = found?;
    tally.cut += u64::from(!found.complete);
    let right = if found.complete { found.ends == all.ends } else { found.ends.is_within(&all.ends) };
    let complete = if found.complete { "all" } else { "some" };
    let about = || format!("{about}: {complete} {:?} in {} runs\nnot {:?}", found.ends, found.runs, all.ends);
    if right { Ok(()) } else { Err(about()) }
}

#[test]
fn cancelled_threads_end_as_a_simulator_says() {
    let real = Real::new("cancelled.c");
    let mut chance = Chance::new(number("SEED", 1));
    let (mut done, mut tally, mut wrong) = (0u64, Tally::default(), Vec::new());
    while done < number("PROGRAMS", 60) && wrong.len() < 6 {
        let scripts = scripts(&mut chance);
        let semaphore = [chance.below(2) as u32, chance.below(2) as u32];
        let (mut all, mut seen) = (All::default(), HashSet::new());
        brute(State::new(&scripts, semaphore), &mut seen, &mut all);
        if !all.cancelled || all.states > 400 {
            continue;
        }
        let mut arguments: Vec<String> = vec![semaphore.iter().map(u32::to_string).collect()];
        arguments.extend(scripts.iter().map(|s| words(s)));
        let others = [Reduction::Sleep, Reduction::None];
        for reduction in [Reduction::Dpor, others[done as usize % 2]] {
            let how = (reduction, 1 + done as usize % 2);
            let said = compare(&real, &arguments, how, &all, &mut tally);
            wrong.extend(said.err().map(|said| format!("program {done}: {said}")));
        }
        tally.blocked += u64::from(!all.ends.blocked.is_empty());
        let letters: HashSet<char> = scripts.iter().flatten().map(|s| s.what).collect();
        letters.into_iter().for_each(|what| *tally.used.entry(what).or_default() += 1);
        done += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let Tally { cut, left, blocked, ref used } = tally;
    let tame = blocked * 10 <= done || left == 0 || cut >= done || used.len() < 25;
    assert!(!tame, "{done} programs: {tally:?}");
}
