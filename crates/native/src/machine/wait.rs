//! Waiting for the program: for its server, for what was foreseen, for the request of one thread;
//! and what to think of silence.

use super::Machine;
use crate::operation::Tid;
use crate::protocol::{self as p, Request};
use explore::stateless::Trouble;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};

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
/// So long may the program take to its main function; so long may it be silent, whatever is known
/// of its CPU time.
const START: Duration = Duration::from_secs(120);
const SILENT: Duration = Duration::from_secs(60);
/// As long, at least, what a thread accesses is looked at.
const LISTENING: Duration = Duration::from_secs(30);
const BROKEN: &str = "the program has destroyed what controls it";

fn wait(word: &AtomicU32, value: u32, limit: Duration) {
    let limit = libc::timespec { tv_sec: limit.as_secs() as i64, tv_nsec: limit.subsec_nanos().into() };
    // SAFETY: the word lives in mapped memory; waiting does not change it.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAIT, value, &limit);
    }
}

pub(super) fn wake(word: &AtomicU32) {
    // SAFETY: the word lives in mapped memory; waking does not change it.
    #[allow(unsafe_code, reason = "see above")]
    unsafe {
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1);
    }
}

/// How long a thread has been computing.
pub struct Patience {
    since: Instant,
    /// Its CPU time when it was first looked at.
    spent: Option<u64>,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { since: Instant::now(), spent: None }
    }
}

const LACKS_MEMORY: &str = "a process was ended because of weave's limit of memory (--max-memory gives more)";

impl Machine {
    /// Whether a thread has computed for too long, although it is heard of. If looking at what it
    /// accesses takes too long, that is not known.
    pub fn is_tired(&self, patience: &mut Patience, who: Tid) -> Result<bool, Trouble> {
        if patience.since.elapsed() < self.divergence {
            return Ok(false);
        }
        if patience.since.elapsed() > (self.divergence * 10).max(LISTENING) {
            let what = "a thread that accesses memory for long, and comes to no visible operation";
            return Err(Trouble::Uncontrolled(what.to_string()));
        }
        let (_, spent) = self.probe(self.slot(who).pid.load(SeqCst))?;
        let first = *patience.spent.get_or_insert(spent);
        Ok(Duration::from_nanos(spent.saturating_sub(first)) >= self.divergence)
    }

    /// What a program can do to its server once it runs is its own affair, and no reason to fail.
    pub(super) fn await_server(&self, first: bool) -> Result<(), Trouble> {
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
                return Err(broken(self.why_no_main()));
            }
            if begun.elapsed() > if first { START } else { BLOCKED } {
                return Err(broken("the program does not reach its main function".to_string()));
            }
        }
    }

    fn why_no_main(&self) -> String {
        let said = String::from_utf8_lossy(&self.output(0)).trim().to_string();
        if said.is_empty() {
            let may = self.server.memory >> 20;
            return format!(
                "the program ended before its main function, perhaps for lack of memory: \
                 it may use {may} MiB (--max-memory gives more)"
            );
        }
        format!("the program ended before its main function: {said}")
    }

    pub(super) fn give_order(&self, order: u32) {
        self.shared().ready.store(0, SeqCst);
        self.shared().order.store(order, SeqCst);
        wake(&self.shared().order);
    }

    pub(super) fn order(&self, order: u32) -> Result<(), Trouble> {
        self.give_order(order);
        self.await_server(false)
    }

    /// Sleeps until all that is foreseen has happened.
    pub(super) fn await_tape(&mut self, keep: usize) -> Result<(), Trouble> {
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
            // It only grows, up to the end of the tape, unless the program writes to it.
            if played > quiet.0 && played as usize <= p::LIM_TAPE {
                quiet = (played, Instant::now());
            } else if quiet.1.elapsed() > self.divergence {
                return Err(Trouble::Unforeseen);
            }
            if !self.server.lives() {
                return Err(Trouble::Uncontrolled(BROKEN.to_string()));
            }
        }
    }

    pub(super) fn await_request(&self, who: Tid) -> Result<Request, Silence> {
        let slot = self.slot(who);
        let mut seen: Option<(u64, u64, Instant)> = None;
        let begun = Instant::now();
        loop {
            let bell = self.shared().bell.load(SeqCst);
            if slot.posted.load(SeqCst) == 1 {
                return Ok(self.shared().request(who));
            }
            wait(&self.shared().bell, bell, LOOK);
            // However often the bell rings: a program that writes to it must not keep us.
            if begun.elapsed() < LOOK && seen.is_none() || slot.posted.load(SeqCst) == 1 {
                continue;
            }
            let (alive, spent) = self.probe(slot.pid.load(SeqCst)).map_err(Silence::Trouble)?;
            if slot.posted.load(SeqCst) == 1 {
                continue;
            }
            if !alive && self.server.lacked_memory() {
                return Err(Silence::Trouble(Trouble::Uncontrolled(LACKS_MEMORY.to_string())));
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

    /// Whether a thread that is not waited for any more asks for something, and not only tells what
    /// it has accessed.
    pub fn asks_after_all(&self, who: Tid) -> bool {
        let slot = self.slot(who);
        let begun = Instant::now();
        while begun.elapsed() < LOOK * 4 {
            match slot.posted.load(SeqCst) == 1 {
                true if self.shared().request(who).op != p::OP_NONE => return true,
                true => {
                    self.shared().accesses.store(0, SeqCst);
                    slot.posted.store(0, SeqCst);
                    slot.turn.store(1, SeqCst);
                    wake(&slot.turn);
                }
                false => std::thread::sleep(LOOK / 10),
            }
        }
        false
    }

    /// Whether a process lives, and its CPU time.
    fn probe(&self, pid: i32) -> Result<(bool, u64), Trouble> {
        self.shared().probe.store(pid, SeqCst);
        self.order(p::RUN_PROBE)?;
        let shared = self.shared();
        Ok((pid == 0 || shared.alive.load(SeqCst) == 1, shared.cpu_nanoseconds.load(SeqCst)))
    }
}
