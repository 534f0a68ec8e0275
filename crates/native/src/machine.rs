//! The hand-over: waits for requests of threads and answers them, one at a time; starts and ends runs.

use crate::execution::Plain;
use crate::launch::{Program, Server, launch};
use crate::operation::Tid;
use crate::protocol::{self as p, Request, Shared, Slot};
use crate::report::Trouble;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// A server of runs and what is known of the running one.
pub struct Machine {
    server: Server,
    /// CPU time without a visible operation, to be called divergence.
    pub divergence: Duration,
}

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
        let machine = Machine { server: launch(program, worker).map_err(broken)?, divergence };
        machine.await_server()?;
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

    pub fn set_several(&self, several: bool) {
        self.shared().several.store(several.into(), SeqCst);
    }

    pub fn want_stacks(&self, wanted: bool) {
        self.shared().stacks.store(wanted.into(), SeqCst);
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

    fn await_server(&self) -> Result<(), Trouble> {
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
                return Err(Trouble::Broken(format!("the program ended before its main function{said}")));
            }
            if begun.elapsed() > Duration::from_secs(120) {
                return Err(Trouble::Broken("the program does not reach its main function".to_string()));
            }
        }
    }

    fn order(&self, order: u32) -> Result<(), Trouble> {
        self.shared().ready.store(0, SeqCst);
        self.shared().order.store(order, SeqCst);
        wake(&self.shared().order);
        self.await_server()
    }

    /// Kills what is left of a run and begins another. The first thread then posts its start.
    pub fn restart(&self) -> Result<(), Trouble> {
        self.order(p::RUN_NEXT)
    }

    /// Lets a thread go on, with an answer to its request.
    pub fn grant(&self, who: Tid, result: i64, data: &[u8]) {
        let slot = self.slot(who);
        slot.result.store(result, SeqCst);
        for (to, from) in slot.data.iter().zip(data) {
            to.store(*from, SeqCst);
        }
        slot.posted.store(0, SeqCst);
        slot.turn.store(1, SeqCst);
        wake(&slot.turn);
    }

    /// Notices since the last request.
    pub fn notes(&self) -> Vec<(Tid, Request)> {
        let shared = self.shared();
        let count = (shared.notes.swap(0, SeqCst) as usize).min(p::LIM_NOTES);
        let notes = shared.note[..count].iter();
        notes.map(|n| (n.slot.load(SeqCst) as Tid % p::LIM_SLOTS, n.request())).collect()
    }

    /// Whether system calls that the program makes past every library are caught.
    pub fn has_backstop(&self) -> bool {
        self.shared().backstop.load(SeqCst) == 1
    }

    pub fn is_instrumented(&self) -> bool {
        self.shared().instrumented.load(SeqCst) == 1
    }

    /// Plain accesses since the last request; all of them are of the thread that ran.
    pub fn accesses(&self) -> Vec<Plain> {
        let shared = self.shared();
        let count = (shared.accesses.swap(0, SeqCst) as usize).min(p::LIM_ACCESSES);
        let plain = |a: &p::PlainAccess| Plain {
            at: a.at.load(SeqCst),
            size: a.size.load(SeqCst),
            write: a.write.load(SeqCst) != 0,
            pc: a.pc.load(SeqCst),
        };
        shared.access[..count].iter().map(plain).collect()
    }

    /// Accesses from these places in the code are visible from now on; false if there are too many.
    pub fn set_racing<'a>(&self, places: impl ExactSizeIterator<Item = &'a u64>) -> bool {
        let table = &self.shared().racing;
        table.iter().for_each(|entry| entry.store(0, SeqCst));
        if places.len() > p::LIM_RACING / 2 {
            return false;
        }
        for &place in places {
            let mut at = (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize;
            while table[at].load(SeqCst) != 0 {
                at = (at + 1) % p::LIM_RACING;
            }
            table[at].store(place, SeqCst);
        }
        true
    }

    /// Waits for the next request of a thread that runs.
    pub fn request(&self, who: Tid) -> Result<Request, Silence> {
        let slot = self.slot(who);
        let mut seen: Option<(u64, u64, Instant)> = None;
        loop {
            let bell = self.shared().bell.load(SeqCst);
            if slot.posted.load(SeqCst) == 1 {
                return Ok(slot.request());
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
            if spent == last && when.elapsed() > BLOCKED {
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
