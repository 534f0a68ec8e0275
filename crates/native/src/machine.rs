//! The hand-over: waits for requests of threads and answers them, one at a time; starts and ends runs.

use crate::execution::Plain;
use crate::launch::{Program, Server, launch};
use crate::operation::Tid;
use crate::protocol::{self as p, Request, Shared, Slot};
use crate::report::Trouble;
use crate::tape::{Event, Habits, Heard, Tape};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// A server of runs and what is known of the running one.
pub struct Machine {
    server: Server,
    /// CPU time without a visible operation, to be called divergence.
    pub divergence: Duration,
    tape: Tape,
    habits: Habits,
    /// The run has not begun: what happens is foreseen.
    ahead: bool,
    /// What was foreseen did not come, or is not answered so.
    unforeseen: bool,
    /// How many runs were foreseen beyond the tape, and how often that, and the tape, were wrong.
    guesses: u32,
    wrong_guesses: u32,
    surprises: u32,
    /// Notices before the last request.
    notes: Vec<(Tid, Request)>,
    /// How many plain accesses there were before the request that was read from the tape.
    accesses_by_then: Option<u32>,
    notes_read: usize,
    accesses_read: usize,
}

/// After so many surprises the tape is not used any more.
const SURPRISES: u32 = 3;

/// Why no request comes.
pub enum Silence {
    Diverges,
    Died,
    Trouble(Trouble),
}

/// How long to sleep before having a look.
const LOOK: Duration = Duration::from_millis(50);
/// No CPU time for so long: blocked in the kernel, where we cannot see.
const BLOCKED: Duration = Duration::from_secs(15);
/// So long may the program take to its main function; so long may it be silent, whatever is known of its CPU time.
const START: Duration = Duration::from_secs(120);
const SILENT: Duration = Duration::from_secs(60);
const BROKEN: &str = "the program has destroyed what controls it";

fn wait(word: &AtomicU32, value: u32, limit: Duration) {
    let limit = libc::timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
    // SAFETY: the word lives in mapped memory; waiting does not change it.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &limit);
    }
}

fn wake(word: &AtomicU32) {
    // SAFETY: the word lives in mapped memory; waking does not change it.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1);
    }
}

impl Machine {
    pub fn new(program: &Program, divergence: Duration, worker: usize) -> Result<Machine, Trouble> {
        let broken = |e: std::io::Error| Trouble::Broken(e.to_string());
        if !crate::launch::is_dynamic(&program.path).map_err(broken)? {
            let what = "a statically linked program cannot be controlled";
            return Err(Trouble::Broken(what.to_string()));
        }
        let machine = Machine {
            server: launch(program, worker).map_err(broken)?,
            divergence,
            tape: Tape::default(),
            habits: Habits::default(),
            ahead: false,
            unforeseen: false,
            guesses: 0,
            wrong_guesses: 0,
            surprises: 0,
            notes: Vec::new(),
            accesses_by_then: None,
            notes_read: 0,
            accesses_read: 0,
        };
        machine.await_server(true)?;
        Ok(machine)
    }

    pub fn contained(&self) -> bool {
        self.server.contained
    }

    fn shared(&self) -> &Shared {
        self.server.mapping.shared()
    }

    pub fn slot(&self, who: Tid) -> &Slot {
        &self.shared().slot[who]
    }

    pub fn want_stacks(&self, wanted: bool) {
        self.shared().stacks.store(wanted.into(), SeqCst);
    }

    /// Sleeping orders.
    pub fn order_time(&self, ordered: bool) {
        self.shared().ordered.store(ordered.into(), SeqCst);
    }

    /// Where the program itself was loaded.
    pub fn base(&self) -> u64 {
        self.shared().base.load(SeqCst)
    }

    /// What the program has written in this run, from an offset.
    pub fn output(&self, from: u64) -> Vec<u8> {
        use std::os::unix::fs::FileExt;
        let Ok(file) = self.server.output.try_clone().map(std::fs::File::from) else { return Vec::new() };
        let length = file.metadata().map_or(0, |m| m.len());
        let mut bytes = vec![0; length.saturating_sub(from).min(1 << 16) as usize];
        let read = file.read_at(&mut bytes, from).unwrap_or(0);
        bytes.truncate(read);
        bytes
    }

    /// What a program can do to its server once it runs is its own affair, and no reason to fail.
    fn await_server(&self, first: bool) -> Result<(), Trouble> {
        let broken = |what: String| match first {
            true => Trouble::Broken(what),
            false => Trouble::Uncontrolled(BROKEN.to_string()),
        };
        let begun = Instant::now();
        loop {
            let bell = self.shared().bell.load(SeqCst);
            if self.shared().ready.load(SeqCst) == 1 {
                return Ok(());
            }
            wait(&self.shared().bell, bell, LOOK);
            if !self.server.lives() {
                let said = String::from_utf8_lossy(&self.output(0)).trim().to_string();
                let said = if said.is_empty() { String::new() } else { format!(": {said}") };
                return Err(broken(format!("the program ended before its main function{said}")));
            }
            if begun.elapsed() > if first { START } else { BLOCKED } {
                return Err(broken("the program does not reach its main function".to_string()));
            }
        }
    }

    fn give_order(&self, order: u32) {
        self.shared().ready.store(0, SeqCst);
        self.shared().order.store(order, SeqCst);
        wake(&self.shared().order);
    }

    fn order(&self, order: u32) -> Result<(), Trouble> {
        self.give_order(order);
        self.await_server(false)
    }

    /// How many events of this run the next one may begin with.
    pub fn recorded(&self) -> Option<usize> {
        self.tape.length()
    }

    /// Another run, in which so many events of the last one happen again. It may be executed only later, see [`Machine::catch_up`].
    pub fn restart_as_before(&mut self, keep: usize) -> Result<(), Trouble> {
        self.rewind(if self.surprises < SURPRISES { keep } else { 0 });
        // Plain accesses are not foreseen, and habits that are often wrong are of no use.
        self.ahead = keep > 0 && !self.is_instrumented() && self.wrong_guesses * 8 < self.guesses + 24;
        if self.ahead {
            self.guesses += 1;
            return Ok(());
        }
        self.execute_tape().map_err(|trouble| match trouble {
            Trouble::Unforeseen => self.surprise(),
            other => other,
        })
    }

    /// Another run; its first thread posts its start.
    pub fn restart(&mut self) -> Result<(), Trouble> {
        self.rewind(0);
        self.ahead = false;
        self.execute_tape()
    }

    fn rewind(&mut self, keep: usize) {
        self.tape.rewind(keep);
        self.habits.begin();
        self.unforeseen = false;
        (self.accesses_by_then, self.notes_read, self.accesses_read) = (None, 0, 0);
    }

    /// Kills what is left of the last run and begins the next, with all that is on the tape.
    fn execute_tape(&mut self) -> Result<(), Trouble> {
        let events = self.tape.foreseen();
        self.shared().wanted.store(events as u32, SeqCst);
        if events == 0 {
            return self.order(p::RUN_NEXT);
        }
        self.give_order(p::RUN_NEXT);
        self.await_tape(events)
    }

    /// Executes what was foreseen, if that has not happened: from now on everything is real.
    pub fn catch_up(&mut self) -> Result<(), Trouble> {
        if !std::mem::replace(&mut self.ahead, false) {
            return Ok(());
        }
        let events = self.tape.foresee_all();
        let done = self.execute_tape();
        let all = self.tape.foreseen() == events;
        self.tape.catch_up();
        match done {
            Ok(()) if all && self.notes_as_foreseen() => Ok(()),
            Err(trouble @ Trouble::Broken(_)) => Err(trouble),
            _ => Err(self.wrong_guess()),
        }
    }

    fn wrong_guess(&mut self) -> Trouble {
        self.unforeseen = true;
        self.wrong_guesses += 1;
        Trouble::Unforeseen
    }

    /// Whether all notices came as foreseen, and no plain access.
    fn notes_as_foreseen(&mut self) -> bool {
        let shared = self.server.mapping.shared();
        let mut read = 0;
        let mut same = |(at, heard): (usize, &Heard)| {
            let by_then = shared.tape[at].notes.load(SeqCst);
            let new = news(&shared.notes, Some(by_then), &mut read, p::LIM_NOTES);
            noted(shared, new) == heard.notes
        };
        let same = self.tape.requests().all(&mut same);
        self.notes_read = read;
        same && shared.accesses.load(SeqCst) == 0
    }

    /// Whether the run is not as it was foreseen.
    pub fn is_unforeseen(&self) -> bool {
        self.unforeseen
    }

    fn surprise(&mut self) -> Trouble {
        self.unforeseen = true;
        self.surprises += 1;
        Trouble::Unforeseen
    }

    /// Sleeps until all that is foreseen has happened.
    fn await_tape(&mut self, keep: usize) -> Result<(), Trouble> {
        let mut quiet = (0, Instant::now());
        loop {
            let shared = self.shared();
            let bell = shared.bell.load(SeqCst);
            let played = shared.played.load(SeqCst);
            if shared.ready.load(SeqCst) == 1 && played >= shared.foreseen.load(SeqCst) {
                if shared.differs.load(SeqCst) != 0 {
                    return Err(Trouble::Unforeseen);
                }
                self.tape.cut(keep.min(played as usize));
                return Ok(());
            }
            wait(&shared.bell, bell, LOOK);
            if played != quiet.0 {
                quiet = (played, Instant::now());
            } else if quiet.1.elapsed() > self.divergence {
                return Err(Trouble::Unforeseen);
            }
            if !self.server.lives() {
                return Err(Trouble::Uncontrolled(BROKEN.to_string()));
            }
        }
    }

    /// Lets a thread go on, with an answer to its request; `several` tells it whether there are others, `time` what the time is, if that
    /// orders.
    pub fn grant(&mut self, who: Tid, result: i64, data: &[u8], several: bool, time: u64) {
        let answer = Event::Answer { to: who, result, several, time, data: data.to_vec() };
        self.habits.answered(who, result, several, time, data);
        if self.tape.is_playing() {
            if self.tape.next_event().is_none_or(|(_, event)| *event != answer) {
                self.surprise();
            }
            return;
        }
        let shared = self.server.mapping.shared();
        self.tape.record(shared, answer);
        if self.ahead {
            if self.tape.length().is_none() {
                self.wrong_guess();
            }
            return;
        }
        let slot = &shared.slot[who];
        slot.result.store(result, SeqCst);
        slot.time.store(time, SeqCst);
        for (to, from) in shared.data[who].bytes.iter().zip(data) {
            to.store(*from, SeqCst);
        }
        shared.several.store(several.into(), SeqCst);
        slot.posted.store(0, SeqCst);
        slot.turn.store(1, SeqCst);
        wake(&slot.turn);
    }

    /// Notices since the last request.
    pub fn notes(&mut self) -> Vec<(Tid, Request)> {
        std::mem::take(&mut self.notes)
    }

    /// Whether system calls that the program makes past every library are caught.
    pub fn has_backstop(&self) -> bool {
        self.shared().backstop.load(SeqCst) == 1
    }

    pub fn is_instrumented(&self) -> bool {
        self.shared().instrumented.load(SeqCst) == 1
    }

    /// Plain accesses since the last request, of the thread that ran. Another one may go round in an endless loop meanwhile.
    pub fn accesses(&mut self, who: Tid) -> Vec<Plain> {
        let shared = self.server.mapping.shared();
        if self.ahead {
            return Vec::new();
        }
        let new = news(&shared.accesses, self.accesses_by_then, &mut self.accesses_read, p::LIM_ACCESSES);
        let plain = |a: &p::PlainAccess| Plain {
            at: a.at.load(SeqCst),
            size: a.size.load(SeqCst),
            write: a.how.load(SeqCst) & 1 != 0,
            pc: a.pc.load(SeqCst),
        };
        let its = |a: &&p::PlainAccess| (a.how.load(SeqCst) >> 1) as Tid == who;
        shared.access[new].iter().filter(its).map(plain).collect()
    }

    /// Accesses from the first places in the code are visible from now on, at the second ones threads may only wait; false if there
    /// are too many.
    pub fn set_places(&self, racing: &BTreeSet<u64>, waiting: &BTreeSet<u64>) -> bool {
        self.shared().waits.store((!waiting.is_empty()).into(), SeqCst);
        let table = &self.shared().racing;
        table.iter().for_each(|entry| entry.store(0, SeqCst));
        if racing.len() + waiting.len() > p::LIM_RACING / 2 {
            return false;
        }
        for place in racing.iter().copied().chain(waiting.iter().map(|place| place | p::WAITS)) {
            let mut at = (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize;
            while table[at].load(SeqCst) != 0 {
                at = (at + 1) % p::LIM_RACING;
            }
            table[at].store(place, SeqCst);
        }
        true
    }

    /// The next request of a thread that runs, or will.
    pub fn request(&mut self, who: Tid) -> Result<Request, Silence> {
        self.accesses_by_then = None;
        if self.tape.is_playing() {
            return self.foreseen(who).ok_or_else(|| Silence::Trouble(self.surprise()));
        }
        let expected = if self.ahead && self.tape.has_room() { self.habits.expected(who) } else { None };
        let (heard, known) = match expected {
            Some(heard) => (heard, true),
            None => {
                self.catch_up().map_err(Silence::Trouble)?;
                (Arc::new(self.hear(who)?), false)
            }
        };
        self.habits.heard(who, &heard, !known);
        let shared = self.server.mapping.shared();
        self.tape.record(shared, Event::Request { from: who, heard: heard.clone() });
        self.notes = heard.notes.clone();
        Ok(heard.request.clone())
    }

    /// A request that is awaited.
    fn hear(&mut self, who: Tid) -> Result<Heard, Silence> {
        let request = self.await_request(who);
        let shared = self.server.mapping.shared();
        let notes = noted(shared, news(&shared.notes, None, &mut self.notes_read, p::LIM_NOTES));
        match request {
            Ok(request) => Ok(Heard { request, notes }),
            Err(silence) => {
                self.notes = notes;
                Err(silence)
            }
        }
    }

    /// A request that was made, or will be, while the tape is played.
    fn foreseen(&mut self, who: Tid) -> Option<Request> {
        let (at, event) = self.tape.next_event()?;
        let Event::Request { from, heard } = event else { return None };
        let heard = heard.clone();
        if *from != who {
            return None;
        }
        self.habits.heard(who, &heard, false);
        if self.ahead {
            self.notes = heard.notes.clone();
            return Some(heard.request.clone());
        }
        let shared = self.server.mapping.shared();
        let place = &shared.tape[at];
        let new = news(&shared.notes, Some(place.notes.load(SeqCst)), &mut self.notes_read, p::LIM_NOTES);
        self.notes = noted(shared, new);
        self.accesses_by_then = Some(place.accesses.load(SeqCst));
        Some(heard.request.clone())
    }

    fn await_request(&self, who: Tid) -> Result<Request, Silence> {
        let slot = self.slot(who);
        let mut seen: Option<(u64, u64, Instant)> = None;
        let begun = Instant::now();
        loop {
            let bell = self.shared().bell.load(SeqCst);
            if slot.posted.load(SeqCst) == 1 {
                return Ok(self.shared().request(who));
            }
            let before = Instant::now();
            wait(&self.shared().bell, bell, LOOK);
            if before.elapsed() < LOOK && seen.is_none() || slot.posted.load(SeqCst) == 1 {
                continue;
            }
            let (alive, spent) = self.probe(slot.pid.load(SeqCst)).map_err(Silence::Trouble)?;
            if slot.posted.load(SeqCst) == 1 {
                continue;
            }
            if !alive {
                return Err(Silence::Died);
            }
            let (first, last, when) = seen.unwrap_or((spent, spent, Instant::now()));
            if Duration::from_nanos(spent.saturating_sub(first)) >= self.divergence {
                return Err(Silence::Diverges);
            }
            let silent = begun.elapsed() > SILENT.max(self.divergence * 20);
            if silent || spent == last && when.elapsed() > BLOCKED {
                let what = "a thread is blocked in the kernel, in an operation that is not controlled";
                return Err(Silence::Trouble(Trouble::Uncontrolled(what.to_string())));
            }
            seen = Some((first, spent, if spent == last { when } else { Instant::now() }));
        }
    }

    /// The processes of the run: the first thread of each, and its number as this machine knows it.
    pub fn processes(&self) -> Vec<(Tid, i32)> {
        let slots = self.shared().slot.iter().enumerate();
        let first = slots.map(|(who, s)| (who, s.pid.load(SeqCst), s.tid.load(SeqCst)));
        let known = self.server.processes();
        let real = |pid: i32| known.iter().find(|(inner, _)| *inner == pid).map(|(_, outer)| *outer);
        first
            .filter(|(_, pid, tid)| *pid > 0 && pid == tid)
            .filter_map(|(w, pid, _)| Some((w, real(pid)?)))
            .collect()
    }

    /// Whether a process lives, and its CPU time.
    fn probe(&self, pid: i32) -> Result<(bool, u64), Trouble> {
        self.shared().probe.store(pid, SeqCst);
        self.order(p::RUN_PROBE)?;
        let shared = self.shared();
        Ok((pid == 0 || shared.alive.load(SeqCst) == 1, shared.cpu_nanoseconds.load(SeqCst)))
    }
}

/// What is new in a table that the program fills: up to what there was by then, or all, and then the table is empty.
fn news(count: &AtomicU32, by_then: Option<u32>, read: &mut usize, limit: usize) -> std::ops::Range<usize> {
    let end = match by_then {
        Some(end) => end,
        None => count.swap(0, SeqCst),
    };
    let end = (end as usize).min(limit);
    let start = (*read).min(end);
    *read = if by_then.is_some() { end } else { 0 };
    start..end
}

fn noted(shared: &Shared, new: std::ops::Range<usize>) -> Vec<(Tid, Request)> {
    let note = |n: &p::Note| (n.slot.load(SeqCst) as Tid % p::LIM_SLOTS, n.request());
    shared.note[new].iter().map(note).collect()
}
