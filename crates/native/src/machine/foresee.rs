//! Runs that begin like the one before: what is on the tape, and what threads usually do, is
//! foreseen, and then executed at once.

use super::{Machine, news, noted};
use crate::operation::Tid;
use crate::protocol::{self as p, Request};
use crate::tape::{Event, Heard};
use explore::stateless::Trouble;
use std::sync::atomic::Ordering::SeqCst;

/// After this many surprises the tape is not used any more.
const SURPRISES: u32 = 3;

impl Machine {
    /// How many events of this run the next one may begin with.
    pub fn recorded(&self) -> Option<usize> {
        self.tape.length()
    }

    /// Another run, in which `keep` events of the last one happen again. It may be executed only
    /// later, see [`Machine::catch_up`].
    pub fn restart_as_before(&mut self, keep: usize) -> Result<(), Trouble> {
        self.rewind(if self.surprises < SURPRISES { keep } else { 0 });
        // Plain accesses and what is in files are not foreseen, and habits that are often wrong are
        // of no use.
        let reported = !self.is_instrumented() && !self.reads_files;
        self.ahead = keep > 0 && reported && self.wrong_guesses * 8 < self.guesses + 24;
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

    pub(super) fn wrong_guess(&mut self) -> Trouble {
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
            new.len() == heard.notes.len() && noted(shared, new).eq(heard.notes.iter().cloned())
        };
        let same = self.tape.requests().all(&mut same);
        self.notes_read = read;
        same && shared.accesses.load(SeqCst) == 0
    }

    /// Whether the run is not as it was foreseen.
    pub fn is_unforeseen(&self) -> bool {
        self.unforeseen
    }

    pub(super) fn surprise(&mut self) -> Trouble {
        self.unforeseen = true;
        self.surprises += 1;
        Trouble::Unforeseen
    }

    /// A request that was made, or will be, while the tape is played.
    pub(super) fn foreseen(&mut self, who: Tid) -> Option<Request> {
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
        self.notes = noted(shared, new).collect();
        self.accesses_by_then = Some(place.accesses.load(SeqCst));
        Some(heard.request.clone())
    }
}
