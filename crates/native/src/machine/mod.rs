//! The hand-over: waits for requests of threads and answers them, one at a time; starts and ends
//! runs.

mod foresee;
pub(crate) mod states;
mod wait;

use crate::execution::{Call, Notice, Plain};
use crate::launch::{Input, Program, Server, launch};
use crate::operation::Tid;
use crate::protocol::{self as p, Request, Shared, Slot};
use crate::tape::{Event, Habits, Heard, Reply, Tape};
use explore::stateless::{Trouble, Way};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use std::time::Duration;
use wait::wake;
pub use wait::{Patience, Silence};

/// A server of runs and what is known of the running one.
pub struct Machine {
    server: Server,
    input: Option<Arc<Input>>,
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
    /// Calls on files are visible: what they give is not reported.
    reads_files: bool,
    /// Whether there are places in the table of the shared memory.
    places: bool,
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
            input: program.input.clone(),
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
            reads_files: false,
            places: false,
        };
        machine.await_server(true)?;
        Ok(machine)
    }

    /// The program asks for its standard input. What is to be said of it.
    pub fn fill_input(&self) -> Result<Option<&'static str>, Trouble> {
        match &self.input {
            Some(input) => input.fill().map_err(|none| Trouble::Uncontrolled(none.to_string())),
            None => Ok(None),
        }
    }

    /// Files with code that are loaded into the program before it begins.
    pub fn modules(&self) -> Option<Vec<std::path::PathBuf>> {
        crate::unseen::mapped(self.server.process()?)
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

    /// Lets a thread go on, with an answer to its request.
    pub fn grant(&mut self, who: Tid, reply: Reply<'_>) {
        let Reply { result, data, several, time } = reply;
        let answer = Event::Answer { to: who, result, several, time, data: data.to_vec() };
        self.habits.answered(who, &reply);
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

    /// Whether a library of the program has created a thread before the program was controlled.
    /// Whether cancellation points that are nothing else are operations.
    pub fn heed_cancels(&self, cancels: bool) {
        self.shared().cancels.store(cancels.into(), SeqCst);
    }

    pub fn began_early(&self) -> bool {
        self.shared().early.load(SeqCst) == 1
    }

    /// Whether system calls that the program makes past every library are caught.
    pub fn has_backstop(&self) -> bool {
        self.shared().backstop.load(SeqCst) == 1
    }

    pub fn is_instrumented(&self) -> bool {
        self.shared().instrumented.load(SeqCst) == 1
    }

    /// Plain accesses since the last request, of the thread that ran. Another one may go round in
    /// an endless loop meanwhile.
    pub fn accesses(&mut self, who: Tid) -> Vec<Plain> {
        let shared = self.server.mapping.shared();
        if self.ahead {
            return Vec::new();
        }
        let new = news(&shared.accesses, self.accesses_by_then, &mut self.accesses_read, p::LIM_ACCESSES);
        let plain = |a: &p::PlainAccess| {
            let what = a.how.load(SeqCst) & p::ACC_MASK;
            Plain {
                at: a.at.load(SeqCst),
                size: a.size.load(SeqCst),
                way: match what {
                    p::ACC_READ => Way::Read,
                    p::ACC_FREE => Way::Free,
                    p::ACC_INIT => Way::Init,
                    _ => Way::Write,
                },
                pc: a.pc.load(SeqCst),
                reported: match what {
                    p::ACC_RENEW => Notice::Renewal,
                    p::ACC_FOUND => Notice::Found,
                    p::ACC_GIVEN => Notice::Identity(Call::Gets),
                    p::ACC_TAKEN => Notice::Identity(Call::GivesBack),
                    _ => Notice::Plain,
                },
            }
        };
        let its = |a: &&p::PlainAccess| (a.how.load(SeqCst) >> p::ACC_BITS) as Tid == who;
        shared.access[new].iter().filter(its).map(plain).collect()
    }

    /// The path behind the name of a file.
    pub fn path(&self, name: u64) -> String {
        let kept = self.shared().path.iter().find(|p| p.name.load(SeqCst) == name);
        let bytes: Vec<u8> =
            kept.into_iter().flat_map(|p| &p.text).map(|b| b.load(SeqCst)).take_while(|b| *b != 0).collect();
        let text = String::from_utf8_lossy(&bytes);
        if text.is_empty() {
            states::of_process(name).unwrap_or("a file").to_string()
        } else if text.starts_with("/memfd:weave-input") {
            "standard input".to_string()
        } else {
            text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
        }
    }

    /// Accesses from the first places in the code are visible from now on, at the second ones
    /// threads may only wait; false if there are too many.
    pub fn set_places(&mut self, racing: &BTreeSet<u64>, waiting: &BTreeSet<u64>) -> bool {
        self.reads_files = racing.iter().any(|place| place & p::FILE != 0);
        self.shared().waits.store((!waiting.is_empty()).into(), SeqCst);
        if racing.len() + waiting.len() > p::LIM_RACING / 2 {
            return false;
        }
        let places = !racing.is_empty() || !waiting.is_empty();
        if !std::mem::replace(&mut self.places, places) && !places {
            return true;
        }
        let mut table = [0; p::LIM_RACING];
        for place in racing.iter().copied().chain(waiting.iter().map(|place| place | p::WAITS)) {
            let mut at = (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 54) as usize;
            while table[at] != 0 {
                at = (at + 1) % p::LIM_RACING;
            }
            table[at] = place;
        }
        // Mostly it is as it was.
        for (to, place) in
            self.shared().racing.iter().zip(table).filter(|(to, place)| to.load(SeqCst) != *place)
        {
            to.store(place, SeqCst);
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
        let notes = noted(shared, news(&shared.notes, None, &mut self.notes_read, p::LIM_NOTES)).collect();
        match request {
            Ok(request) => Ok(Heard { request, notes }),
            Err(silence) => {
                self.notes = notes;
                Err(silence)
            }
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
}

/// What is new in a table that the program fills: up to what there was by then, or all, and then
/// the table is empty.
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

fn noted(shared: &Shared, new: std::ops::Range<usize>) -> impl Iterator<Item = (Tid, Request)> {
    shared.note[new].iter().map(|n| (n.slot.load(SeqCst) as Tid % p::LIM_SLOTS, n.request()))
}
